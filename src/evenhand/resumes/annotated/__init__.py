"""How well masking finds what people annotated in texts of their own."""
