"""SciPy's special functions, without what NumPy would bring along: everybody takes them from here.

When SciPy is first imported, it asks NumPy for every name it has, so that NumPy imports its compiler of Fortran, its
test tools, masked arrays and polynomials: half of SciPy's import and 9 MB. Empty modules answer to them meanwhile.
"""

from types import ModuleType

import numpy as np

_EMPTY = {name: ModuleType(f"numpy.{name}") for name in ("f2py", "ma", "polynomial", "testing") if name not in vars(np)}
vars(np).update(_EMPTY)
try:
    from scipy.special import (  # noqa: TID251 - this is the one place
        bdtr,
        bdtrc,
        betaincinv,
        chdtrc,
        chdtri,
        expit,
        fdtrc,
        gammaln,
        kolmogorov,
        log_expit,
        ndtr,
        ndtri,
        stdtr,
        stdtrit,
        xlogy,
    )
finally:
    for _name, _module in _EMPTY.items():
        if vars(np)[_name] is _module:  # else SciPy needed it, and it is there
            del vars(np)[_name]

__all__ = [
    "bdtr",
    "bdtrc",
    "betaincinv",
    "chdtrc",
    "chdtri",
    "expit",
    "fdtrc",
    "gammaln",
    "kolmogorov",
    "log_expit",
    "ndtr",
    "ndtri",
    "stdtr",
    "stdtrit",
    "xlogy",
]
