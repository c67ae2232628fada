"""One file per category: its rules; beside most, its lexicon."""
