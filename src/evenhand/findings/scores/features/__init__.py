"""A table of features: expectations, proxies of protected attributes, drift, representation."""
