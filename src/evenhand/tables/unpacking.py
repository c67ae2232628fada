"""What reading one packed file may cost: a small file can unpack to a machine's whole memory, or to hours of work."""

import time
from collections.abc import Callable
from typing import Any, Final

from evenhand.errors import InputError

__all__ = ["UNPACK_LIMIT", "Budget"]

#: Megabytes (2**20 bytes) that a file may unpack to, unless --unpack-limit says otherwise.
UNPACK_LIMIT: Final = 256
#: Seconds of a core's work that a file of so many megabytes may take; more megabytes may take longer.
WORK_SECONDS: Final = 20.0
#: How many pieces a megabyte of the limit allows: what one piece costs in memory or time, more than its bytes do.
PIECES: Final = {
    "cells": 2**16,
    "elements": 2**13,
    "letters": 2**13,
    "operators": 2**14,  # with their operands
    "letters and shapes on pages": 2**11,
}


class Budget:
    """What is left to one file; asked while it is read, it refuses in one line.

    `refusal` is kept: what reads a file may swallow it and go on with half of the file.

    Examples
    --------
    >>> budget = Budget(1)
    >>> budget.unpacked(2**20)
    >>> budget.unpacked(1)
    Traceback (most recent call last):
    evenhand.errors.InputError: unpacks to more than 1 MB; if you trust the file, raise --unpack-limit.

    """

    def __init__(self, megabytes: int = UNPACK_LIMIT, *, clock: Callable[[], float] = time.thread_time) -> None:
        if megabytes < 1:
            raise InputError(f"--unpack-limit is {megabytes}; expected megabytes from 1, such as {UNPACK_LIMIT}.")
        self.megabytes = megabytes
        self.seconds = WORK_SECONDS * max(1.0, megabytes / UNPACK_LIMIT)
        self._clock = clock
        self.start_clock()
        self._bytes = megabytes << 20
        self._left = {kind: each * megabytes for kind, each in PIECES.items()}
        self.refusal: InputError | None = None

    @property
    def bytes_left(self) -> int:
        """Return how many bytes may still be unpacked."""
        return self._bytes

    def unpacked(self, size: int) -> None:
        """Take so many bytes.

        Raises
        ------
        InputError
            They are more than are left; the message goes on after the name of the file.

        """
        self._bytes -= size
        if self._bytes < 0:
            self._bytes = 0
            raise self.refused(f"unpacks to more than {self.megabytes:,} MB")

    def spend(self, kind: str, count: int = 1) -> None:
        """Take pieces of a kind in `PIECES`, and look at the clock.

        Raises
        ------
        InputError
            There are too many of them, or the time is over.

        """
        self._left[kind] -= count
        if self._left[kind] < 0:
            raise self.refused(f"holds more than {PIECES[kind] * self.megabytes:,} {kind}")
        self.check_time()

    def start_clock(self) -> None:
        """Allow as much time again: for work on a result whose source was read in time."""
        self._end = self._clock() + self.seconds

    def check_time(self) -> None:
        """Raise InputError where reading has taken too long."""
        if self._clock() > self._end:
            raise self.refused(f"takes more than {self.seconds:.0f} seconds to read")

    def refused(self, told: str) -> InputError:
        """Return the error of a file that asks too much; `told` goes on after its name."""
        self.refusal = InputError(f"{told}; if you trust the file, raise --unpack-limit.")
        return self.refusal

    def __reduce__(self) -> tuple[Any, ...]:
        # In another process the file is read from the beginning.
        return type(self), (self.megabytes,)
