"""Findings in the groups in which they are told: made once where findings.json is read, a dataclass per kind of run."""
