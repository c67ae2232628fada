"""The measures that a probe declares, executed on its outcomes."""
