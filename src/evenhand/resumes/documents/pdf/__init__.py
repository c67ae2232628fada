"""Résumés as PDF: read, masked, and typeset anew."""
