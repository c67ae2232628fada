"""Manifests and audit blocks of runs about scores."""
