"""How many examples of a property are tried: few as a rule, a hundred by `make test-slow`."""

import os

from hypothesis import HealthCheck, settings

#: A folder that examples share is emptied by each of them.
ALLOWED = [HealthCheck.function_scoped_fixture, HealthCheck.too_slow]
MANY = int(os.environ.get("EVENHAND_EXAMPLES", "0"))
AS_A_RULE = MANY or 40


def dear(few):
    """Return a decorator of a property whose examples are dear: it tries so many, or EVENHAND_EXAMPLES."""
    return settings(max_examples=MANY or few, suppress_health_check=ALLOWED)
