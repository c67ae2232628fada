"""Tables of judgements with times become counts by day."""
