"""The versions of what computed the numbers."""

import platform
from importlib.metadata import version

__all__ = ["package_versions"]

PACKAGES = ("evenhand", "numpy", "scipy", "polars", "aiohttp")

#: What computes the answers of a model in this process.
LOCAL_PACKAGES = ("torch", "transformers")


def package_versions(*, model: str = "") -> dict[str, str]:
    """Return the versions of what computed the numbers, for an hf: model also the answers.

    >>> sorted(package_versions())[0]
    'Python'
    """
    packages = (*PACKAGES, *LOCAL_PACKAGES) if model.startswith("hf:") else PACKAGES
    return {"Python": platform.python_version(), **{name: version(name) for name in packages}}
