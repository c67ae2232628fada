"""From a plan to answers: order, journal, limits, retries, resumption."""
