"""A table of features: its audit block, what is counted of a feature, details of its findings."""
