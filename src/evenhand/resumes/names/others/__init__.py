"""Names of other people in a document."""
