"""Commands of ours in processes of their own: they outlive the page and the server, can be stopped, and leave files."""

import fcntl
import os
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from evenhand.patterns import lazy_re
from evenhand.tables.messages.quoting import one_line, shortened

__all__ = ["Job"]

#: Seconds that a process has to end when it is asked to.
PATIENCE: Final = 3.0
LONGEST_MESSAGE: Final = 2_000
#: Variables that are not for processes that read what others bring.
_SECRET: Final = lazy_re("TOKEN|KEY|SECRET|PASSW|CREDENTIAL")
_started: list["subprocess.Popen[bytes]"] = []
_changing = threading.RLock()


@dataclass(frozen=True)
class Job:
    """A command that was started in this folder: what it printed stands in `out`, its remarks in `log`.

    The process holds a lock on a file as long as it lives, whoever started it, so that no number of a process is
    taken for another's. It prints its result last: where there is one, it did what it was asked. What it writes while
    it works lies in `tmp`, and goes when it is stopped.
    """

    folder: Path

    @property
    def exists(self) -> bool:
        """Return whether it was started."""
        return (self.folder / "lock").exists()

    @property
    def running(self) -> bool:
        """Return whether its process lives."""
        try:
            descriptor = os.open(self.folder / "lock", os.O_RDWR | os.O_CLOEXEC)
        except FileNotFoundError:
            return False
        try:
            fcntl.flock(descriptor, fcntl.LOCK_SH | fcntl.LOCK_NB)  # who else asks holds it, too, for a moment
        except BlockingIOError:
            return True
        finally:
            os.close(descriptor)
        return False

    @property
    def seconds(self) -> float:
        """Return how long ago it was started."""
        return max(time.time() - (self.folder / "lock").stat().st_mtime, 0.0)

    @property
    def result(self) -> str | None:
        """Return what it printed; None as long as it runs, and where it failed or was stopped."""
        if not self.exists or self.running or self.stopped:
            return None
        printed = self._text("out")
        return printed if printed.endswith("\n") else None  # half of it may be there where the disk is full

    @property
    def stopped(self) -> bool:
        """Return whether somebody stopped it."""
        return (self.folder / "stopped").exists()

    @property
    def remarks(self) -> list[str]:
        """Return its lines for the user."""
        lines = self._text("log").splitlines()
        return [one_line(shortened(line, most=LONGEST_MESSAGE)) for line in lines if line.strip()]

    @property
    def failure(self) -> str:
        """Return why there is no result: the command's own line."""
        if self.stopped:
            return "It was stopped."
        lines = self.remarks
        if any(line.startswith("Traceback") for line in lines):
            return f"The program failed, which is its own fault: {lines[-1]}"
        return lines[-1] if lines else "The process ended without a word; perhaps the machine had no memory left."

    def _text(self, name: str) -> str:
        try:
            return (self.folder / name).read_text("utf-8", "replace")
        except FileNotFoundError:
            return ""

    def start(self, words: Sequence[str], *, within: Path) -> None:
        """Start `evenhand` with these words in a folder, instead of what ran here before."""
        with _changing:
            self.clear()
            self._start(words, within)

    def _start(self, words: Sequence[str], within: Path) -> None:
        temporary = self.folder / "tmp"
        temporary.mkdir(mode=0o700, parents=True)
        kept = {name: value for name, value in os.environ.items() if not _SECRET.search(name.upper())}
        descriptor = os.open(self.folder / "starting", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX)
            (self.folder / "starting").rename(self.folder / "lock")  # from here on it is seen, and held
            with (self.folder / "out").open("wb") as out, (self.folder / "log").open("wb") as log:
                process = subprocess.Popen(  # noqa: S603 - our own interpreter and our own command
                    [sys.executable, "-P", "-m", "evenhand", *words],
                    cwd=within,
                    stdin=subprocess.DEVNULL,
                    stdout=out,
                    stderr=log,
                    env=kept | {"TMPDIR": str(temporary)},
                    start_new_session=True,
                    pass_fds=(descriptor,),
                    umask=0o077,
                )
        except OSError as error:
            (self.folder / "log").write_text(f"The command can't be started: {error.strerror}.", "utf-8")
            return
        finally:
            os.close(descriptor)
        (self.folder / "pid").write_text(str(process.pid), "ascii")
        _started[:] = [each for each in _started if each.poll() is None]
        _started.append(process)

    def stop(self) -> None:
        """End the process and what it started; nothing where it has ended."""
        with _changing:
            if self.running:
                self._stop()

    def _stop(self) -> None:
        (self.folder / "stopped").touch()
        group = int((self.folder / "pid").read_text("ascii"))
        for sign in (signal.SIGTERM, signal.SIGKILL):
            if self.running:
                with suppress(ProcessLookupError):
                    os.killpg(group, sign)
            end = time.monotonic() + PATIENCE
            while self.running and time.monotonic() < end:
                time.sleep(0.02)
        shutil.rmtree(self.folder / "tmp", ignore_errors=True)

    def clear(self) -> None:
        """Stop it and remove what it left."""
        if self.folder.exists():
            self.stop()
            shutil.rmtree(self.folder)
