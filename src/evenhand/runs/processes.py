"""Work in processes of its own, which a file or row can end without ending the command."""

import os
import signal
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

__all__ = ["cores", "processes"]


def processes(workers: int) -> ProcessPoolExecutor:
    """Return a pool of fresh processes that leave Ctrl-C to their parent."""
    return ProcessPoolExecutor(workers, mp_context=get_context("spawn"), initializer=_ignore_interrupts)


def cores() -> int:
    """Return how many cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _ignore_interrupts() -> None:
    """Let the parent end the work: Ctrl-C reaches every process of a terminal."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
