"""A number for a résumé: whether a name changes the score that a language model gives."""
