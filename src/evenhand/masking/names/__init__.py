"""Names in a document: whose they are, and where they are mentioned."""
