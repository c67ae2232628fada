"""Another process for work on files of others, within limits of memory and time.

A reader can neither be stopped nor limited within a process. What a file asks for ends that process alone; it is
started with the first task and does those that follow. This file is its program, too, and imports nothing of evenhand.
"""

import atexit
import math
import os
import pickle
import resource
import signal
import subprocess
import sys
import threading
import time
import traceback
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final, Literal, TypeVar

ResultT = TypeVar("ResultT")
#: A busy machine gives a process a part of a core: seconds by the clock for each of the processor's.
BY_THE_CLOCK: Final = 1.5
#: Whether the memory of a process can be limited here.
LIMITED: Final = Path("/proc/self/statm").exists()
#: Environment of the process: few reservations of memory, no backtraces.
SETTINGS: Final = {
    "POLARS_MAX_THREADS": "1",
    "OMP_NUM_THREADS": "1",
    "MALLOC_ARENA_MAX": "2",
    "RUST_BACKTRACE": "0",
}
_idle: list["subprocess.Popen[bytes]"] = []


class LimitReached(Exception):
    """A task took more memory or time than it may, or ended its process."""

    def __init__(self, limit: Literal["memory", "time"]) -> None:
        super().__init__(limit)
        self.limit = limit


def limited(function: Callable[..., ResultT], *arguments: Any, megabytes: int, seconds: float) -> ResultT:
    """Return what a function returns, called in a process with so many more megabytes and seconds of the processor.

    Function, arguments and result are pickled; its exceptions are raised here.

    Raises
    ------
    LimitReached
        It took more.

    """
    process = _waiting() or _started()
    task, reply = process.stdin, process.stdout
    assert task is not None
    assert reply is not None
    late = threading.Event()

    def stop() -> None:
        late.set()
        process.kill()

    timer = threading.Timer(BY_THE_CLOCK * seconds, stop)
    timer.daemon = True
    timer.start()
    try:
        pickle.dump((Path.cwd(), function, arguments, megabytes, seconds), task)
        task.flush()
        kind, value = pickle.load(reply)  # noqa: S301 - of our own process
    except (EOFError, BrokenPipeError):
        code = process.wait()
        if code > 0:  # signals end what reaches a limit
            raise RuntimeError(f"The process that reads files ended with {code}.") from None
        raise LimitReached("time" if late.is_set() or -code == signal.SIGXCPU else "memory") from None
    except BaseException:
        process.kill()
        process.wait()
        raise
    finally:
        timer.cancel()
        if process.returncode is not None:
            task.close()
            reply.close()
    if late.is_set():  # while the answer was read
        process.wait()
        raise LimitReached("time")
    _idle.append(process)
    if kind == "memory":
        raise LimitReached("memory")
    if kind == "error":
        raise value
    result: ResultT = value
    return result


def _waiting() -> "subprocess.Popen[bytes] | None":
    """Return a process that waits for a task; one that something else has ended is passed over."""
    while _idle:
        process = _idle.pop()
        if process.poll() is None:
            return process
        process.communicate()
    return None


def _started() -> "subprocess.Popen[bytes]":
    return subprocess.Popen(  # noqa: S603 - our own interpreter and our own file
        [sys.executable, "-P", __file__],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env=os.environ | SETTINGS | {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
    )


@atexit.register
def _end() -> None:
    """End the processes that wait for tasks."""
    while _idle:
        process = _idle.pop()
        process.kill()
        process.communicate()


def _limit(megabytes: int, seconds: float) -> None:
    limits = [(resource.RLIMIT_CPU, math.ceil(time.process_time() + seconds)), (resource.RLIMIT_CORE, 0)]
    if LIMITED:
        used = int(Path("/proc/self/statm").read_text("ascii").split()[0]) * resource.getpagesize()
        limits.append((resource.RLIMIT_AS, used + (megabytes << 20)))
    for kind, most in limits:
        hard = resource.getrlimit(kind)[1]
        resource.setrlimit(kind, (most if hard == resource.RLIM_INFINITY else min(most, hard), hard))


def _done(function: Callable[..., Any], arguments: tuple[Any, ...]) -> tuple[str, Any]:
    try:
        return "result", function(*arguments)
    except MemoryError:
        return "memory", None
    except BaseException as error:  # noqa: BLE001 - the panics of readers are no Exception
        try:
            pickle.loads(pickle.dumps(error))  # noqa: S301 - our own
        except Exception:  # noqa: BLE001 - as many as there are exceptions
            return "error", RuntimeError("".join(traceback.format_exception(error)))
        if not hasattr(error, "exit_code"):  # a bug, and no message for users
            error.add_note("".join(traceback.format_tb(error.__traceback__)))
        return "error", error


def _end_with(parent: int) -> None:
    while os.getppid() == parent:
        time.sleep(0.5)
    os._exit(1)


def main() -> None:
    """Do the tasks that come on stdin, one after the other, and write what they return to stdout."""
    replies = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # what readers print goes nowhere
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent ends the work
    threading.Thread(target=_end_with, args=(os.getppid(),), daemon=True).start()
    while True:
        try:
            folder, function, arguments, megabytes, seconds = pickle.load(sys.stdin.buffer)  # noqa: S301 - of our own process
        except EOFError:
            return
        os.chdir(folder)
        _limit(megabytes, seconds)
        done = _done(function, arguments)
        for kind in (resource.RLIMIT_CPU, resource.RLIMIT_AS):
            hard = resource.getrlimit(kind)[1]
            resource.setrlimit(kind, (hard, hard))
        pickle.dump(done, replies)
        replies.flush()


if __name__ == "__main__":
    main()
