"""What tells of the person: origin, faith, gender, family, health, age."""
