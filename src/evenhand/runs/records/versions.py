"""The versions of what computed the numbers."""

import platform
from importlib.metadata import PackageNotFoundError, requires, version

from packaging.requirements import Requirement

__all__ = ["installed_versions", "package_versions"]

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


def installed_versions() -> dict[str, str]:
    """Return the versions of Python, of evenhand and of all that it requires, extras too, as far as it is installed.

    >>> {"Python", "evenhand", "orjson"} <= installed_versions().keys()
    True
    """
    found = package_versions()
    for name in {Requirement(each).name for each in requires("evenhand") or ()}:
        try:
            found[name] = version(name)
        except PackageNotFoundError:  # of an extra
            continue
    return dict(sorted(found.items()))
