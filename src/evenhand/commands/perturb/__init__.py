"""Perturbation testing: the same résumés in several arms, scored by whatever scores people."""
