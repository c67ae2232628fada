"""Where the names of a document stand in its text."""
