"""Masked résumés as documents: text, Markdown, JSON Resume, Word, PDF; one file per format."""
