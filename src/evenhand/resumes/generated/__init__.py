"""Synthetic résumés and positions: our own words around facts of O*NET, by occupation, version and level."""
