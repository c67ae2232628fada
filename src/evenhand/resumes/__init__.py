"""Résumé text: what in it tells who the person is, and the text without it."""
