"""Résumés as text: plain, Markdown, JSON Resume."""
