"""Values over time: changes of level, slopes, distances, and intervals that may be looked at whenever one likes."""
