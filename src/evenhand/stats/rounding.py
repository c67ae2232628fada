"""Numbers of any scale as whole codes in the same order, so that equal ones can be counted.

From 1 on a number is kept in steps of .0001, below 1 to four significant digits (down to 1e-13). The codes of a decade
follow on those of the decade below: a code tells its number, and a larger number has a larger code.
"""

import math
from bisect import bisect_right
from typing import Final

import numpy as np
from numpy.typing import ArrayLike, NDArray

#: The decades below 1, and the codes of one.
_DECADES: Final = 12
_PER_DECADE: Final = 9_000
#: The least number of each decade, ascending, the codes per unit in it, and the code that is added.
LEAST: Final = np.array([float(f"1e{k - _DECADES}") for k in range(_DECADES)])
PER_UNIT: Final = np.array([float(f"1e{3 + _DECADES - k}") for k in range(_DECADES)])
ADDED: Final = np.arange(_DECADES) * _PER_DECADE


def kept_codes(numbers: ArrayLike) -> NDArray[np.int64]:
    """Return the codes of finite numbers up to 1e12, in an array of the same shape.

    >>> kept_codes([0, 0.00004321, 0.7, 12.34567]).tolist()
    [0, 67321, 106000, 222457]
    """
    size = np.abs(np.asarray(numbers, dtype=np.float64))
    decade = np.maximum(np.searchsorted(LEAST, size, side="right") - 1, 0)
    return np.asarray(np.sign(numbers) * (np.floor(size * PER_UNIT[decade] + 0.5) + ADDED[decade]), dtype=np.int64)


_DECADES_OF_ONE: Final = LEAST.tolist(), PER_UNIT.tolist(), ADDED.tolist()


def kept_code(number: float) -> int:
    """Return the code of one number, as `kept_codes` does, without the time that an array takes.

    >>> kept_code(0.00004321), kept_code(-12.34567)
    (67321, -222457)
    """
    least, per_unit, added = _DECADES_OF_ONE
    decade = max(bisect_right(least, abs(number)) - 1, 0)
    return int(math.copysign(math.floor(abs(number) * per_unit[decade] + 0.5) + added[decade], number))


def kept_numbers(codes: ArrayLike) -> NDArray[np.float64]:
    """Return the numbers of codes, in an array of the same shape.

    >>> kept_numbers(kept_codes([-0.0000432149, 0.7, 12.34567])).tolist()
    [-4.321e-05, 0.7, 12.3457]
    """
    size = np.abs(np.asarray(codes, dtype=np.int64))
    decade = np.clip((size - 1_000) // _PER_DECADE, 0, _DECADES - 1)
    return np.asarray(np.sign(codes) * (size - ADDED[decade]) / PER_UNIT[decade])
