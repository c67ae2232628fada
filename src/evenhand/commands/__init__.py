"""One file per command: the only place where the rooms are put together."""
