"""Résumés as Word documents (.docx)."""
