"""What rules and courts compare besides the rates of groups."""
