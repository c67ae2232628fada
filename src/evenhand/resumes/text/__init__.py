"""The text of a résumé: folded, its lines, its endings."""
