"""What a run costs: tokens, prices, totals."""
