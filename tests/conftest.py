"""What needs a system package: skipped with a reason, or required by EVENHAND_REQUIRE."""

import gc
import os
import shutil
from importlib.util import find_spec

import pytest
from hypothesis import HealthCheck, settings

from local_postgres import postgres_server  # noqa: F401 - a fixture
from properties import AS_A_RULE
from system_packages import needed

# Shared machines stall: slowness is no failure. In CI the examples are the same in every run.
settings.register_profile(
    "steady",
    max_examples=AS_A_RULE,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow],
    derandomize=bool(os.environ.get("CI")),
)
settings.load_profile("steady")


def pytest_collection_finish():
    """Leave what was imported out of later garbage collections: thousands of modules and tests stay to the end."""
    gc.collect()
    gc.freeze()


@pytest.fixture(scope="session")
def chromium():
    """Return the path of Debian's Chromium."""
    return needed("chromium", shutil.which("chromium"))


@pytest.fixture(scope="session")
def local_models():
    """Ask for what runs language models in this process; `make test-local` has it."""
    needed("torch", all(find_spec(package) for package in ("torch", "transformers")))
