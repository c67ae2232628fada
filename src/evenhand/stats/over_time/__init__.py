"""Values over time: changes of level, slopes, and intervals that may be looked at whenever one likes."""
