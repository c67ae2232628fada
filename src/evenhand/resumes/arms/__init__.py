"""Arms: a résumé under other names, filled from one template."""
