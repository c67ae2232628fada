"""The Python interface, behind `import evenhand`."""

import warnings
from typing import Any

from evenhand.options import declared, python_names
from evenhand.results.messages import Notices, in_python


def warner(group: Any, *, stacklevel: int = 2) -> Notices:
    """Return a function that passes remarks on as Python warnings, with Python's names of options."""
    names = python_names(declared(group))

    def warn(line: str) -> None:
        warnings.warn(in_python(line, names), stacklevel=stacklevel)

    return warn
