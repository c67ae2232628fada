"""`evenhand bundle`, `verify` and `keys`: runs as evidence for outside auditors."""
