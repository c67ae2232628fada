"""Synthetic résumés and positions: our own words around facts of O*NET, addressable by occupation, version and level."""
