"""A number for a résumé: does a name change the score that a language model gives?"""
