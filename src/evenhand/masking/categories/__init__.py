"""What masking recognises, a module per category."""
