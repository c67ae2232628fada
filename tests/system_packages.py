"""What needs a system package is skipped with a reason, or required by EVENHAND_REQUIRE."""

import os

import pytest


def needed(package, found):
    """Return `found`; without it skip, or fail where EVENHAND_REQUIRE lists the package."""
    if found:
        return found
    if package in os.environ.get("EVENHAND_REQUIRE", "").split(","):
        pytest.fail(f"EVENHAND_REQUIRE asks for {package}, and it is not installed.")
    pytest.skip(f"{package} is not installed.")
