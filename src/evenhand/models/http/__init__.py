"""Models behind HTTP: servers, what they refuse, how long they ask to be left alone."""
