"""What every run of a probe shares: options, manifest, asking, cost, finishing."""
