"""A group against a population: by permutation of the labels, and by a share that is stated."""
