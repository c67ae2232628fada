"""Files of one format each, opened so that an engine counts in them."""
