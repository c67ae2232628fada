"""Properties whose examples are dear: few are tried as a rule, a hundred by `make test-slow`."""

import os

import pytest
from hypothesis import HealthCheck, settings

#: A folder that examples share is emptied by each of them.
ALLOWED = [HealthCheck.function_scoped_fixture, HealthCheck.too_slow]
MANY = int(os.environ.get("EVENHAND_EXAMPLES", "0"))


def dear(few):
    """Return a decorator of a property that tries so many examples, or EVENHAND_EXAMPLES."""

    def decorated(test):
        checked = settings(max_examples=MANY or few, suppress_health_check=ALLOWED)(test)
        return pytest.mark.dear(checked)

    return decorated
