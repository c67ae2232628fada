"""Two groups and one decision: rates, differences, ratios, tests, rules of thumb."""
