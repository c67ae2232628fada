"""Two groups over many strata, and sums of independent estimates."""
