"""Synthetic résumés, positions and companies."""
