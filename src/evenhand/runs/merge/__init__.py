"""Parts of a run that several machines asked, joined."""
