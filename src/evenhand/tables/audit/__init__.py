"""Audit blocks: what findings.json says of a run besides its findings, a dataclass per kind of run.

They are built in `runs/`, and read back from JSON once, by `evenhand.tables.audit.reading`.
"""
