"""Time and memory looked at while a document is read and masked, whatever library is at work.

Counting what is unpacked and drawn holds for what is counted. A small file can also ask for much
by loops and tables nobody thought of (a list of widths for four thousand million letters, objects
that refer to each other), so the process's clock and memory are looked at from time to time.
"""

import _thread
import resource
import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from evenhand.tables.unpacking import Budget

__all__ = ["watched"]

#: Seconds between two looks; memory grows by a gigabyte in a second at most.
_EVERY = 0.05
#: How much memory may grow for each megabyte of the limit: what is unpacked is held as objects.
_MEMORY = 2
#: Megabytes of memory that a document may take however low its limit is, as reading any takes some.
_LEAST_MEMORY = 256
#: Python's own note of a signal, without one of the system: that could come late, when nobody handles it.
_SIGNAL = signal.SIGPROF
_STATM = Path("/proc/self/statm")


@contextmanager
def watched(budget: Budget) -> Iterator[None]:
    """Refuse a file that takes too long or too much memory; what was refused once stays refused.

    Python interrupts nothing but its main thread, in which the command line and its processes do their work; in
    another one what readers count holds alone.
    """
    with _looking(budget):
        try:
            yield
        except MemoryError as error:
            raise budget.refused("takes more memory than there is") from error
        except Exception as error:
            if budget.refusal is None:
                raise
            raise budget.refusal from error
    if budget.refusal is not None:
        raise budget.refusal


@contextmanager
def _looking(budget: Budget) -> Iterator[None]:
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    start, over = _resident(), threading.Event()
    most = max(budget.megabytes * _MEMORY, _LEAST_MEMORY)

    def look(*_: Any) -> None:
        if over.is_set():
            return
        budget.check_time()
        if _resident() - start > most << 20:
            raise budget.refused(f"takes more than {most:,} MB of memory to read")

    def remind() -> None:
        while not over.wait(_EVERY):
            _thread.interrupt_main(_SIGNAL)

    before = signal.signal(_SIGNAL, look)
    reminder = threading.Thread(target=remind, daemon=True)
    try:
        reminder.start()
        try:
            yield
        finally:
            over.set()
    finally:
        reminder.join()
        signal.signal(_SIGNAL, before)


def _resident() -> int:
    """Return how many bytes of memory the process has; the most it had where that is all the system tells."""
    if _STATM.exists():
        return int(_STATM.read_text().split()[1]) * resource.getpagesize()
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return most if sys.platform == "darwin" else most << 10
