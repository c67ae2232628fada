"""The normal distribution of SciPy, whose import is made lighter."""

from types import ModuleType

import numpy as np

__all__ = ["ndtr", "ndtri"]

# When it is first imported, SciPy asks NumPy for every name it has, so that NumPy imports its compiler of Fortran and
# its test tools: two fifths of SciPy's import and 9 MB. Empty modules answer to these names meanwhile.
_UNUSED = [name for name in ("f2py", "testing") if name not in vars(np)]
vars(np).update({name: ModuleType(f"numpy.{name}") for name in _UNUSED})
try:
    from scipy.special import ndtr, ndtri
finally:
    for _name in _UNUSED:
        del vars(np)[_name]
