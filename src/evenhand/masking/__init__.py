"""Mask résumés: replace what identifies the person or a protected group."""
