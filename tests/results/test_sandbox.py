"""What the process for files of others may take, and what is said where it ends."""

import os
import signal
import time

import pytest

from evenhand.results.sandbox import LIMITED, LimitReached, limited

LIMITS = {"megabytes": 200, "seconds": 5}


def test_results_and_errors_come_back_from_one_process_after_the_other():
    assert limited(pow, 2, 10, **LIMITS) == 1024
    with pytest.raises(ValueError, match="invalid literal"):
        limited(int, "x", **LIMITS)
    assert limited(os.getpid, **LIMITS) == limited(os.getpid, **LIMITS) != os.getpid()


@pytest.mark.parametrize(
    ("function", "argument", "seconds", "limit"),
    [
        pytest.param(
            bytearray, 2**31, 5, "memory", marks=pytest.mark.skipif(not LIMITED, reason="memory has no limit here")
        ),
        (time.sleep, 20, 0.2, "time"),
    ],
)
def test_a_limit_is_named_and_the_next_task_is_done(function, argument, seconds, limit):
    with pytest.raises(LimitReached) as reached:
        limited(function, argument, megabytes=200, seconds=seconds)
    assert reached.value.limit == limit
    assert limited(pow, 2, 3, **LIMITS) == 8


def test_a_process_that_something_else_ended_is_no_limit_of_the_next_file():
    waiting = limited(os.getpid, **LIMITS)
    os.kill(waiting, signal.SIGKILL)
    os.waitid(os.P_PID, waiting, os.WEXITED | os.WNOWAIT)
    assert limited(os.getpid, **LIMITS) != waiting
