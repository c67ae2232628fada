"""Pages of evaluations: scores beside what happened."""
