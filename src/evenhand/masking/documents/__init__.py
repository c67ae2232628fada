"""Masked documents: text, Markdown, JSON Resume, Word, PDF."""
