"""Names of a document: whose they are, and where they stand."""
