"""Damaged inputs for every reader: each gives a result or is refused in one printable line, and nothing is printed.

`make fuzz` runs it for ten minutes: `python tests/hostile/fuzz.py --seconds 600`. An input is made
again by its target, seed and number: `--seed 7 --only 'file: CSV'`. What breaks a reader is made
smaller and written below --out, ready for a test.
"""

import argparse
import math
import os
import re
import resource
import secrets
import signal
import subprocess
import sys
import time
import traceback
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from random import Random

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT / "tests"))

from evenhand.results.messages import spelled  # noqa: E402 - likewise
from hostile.mutations import mutated  # noqa: E402 - the folder of tests is no package
from hostile.targets import Target, targets  # noqa: E402

#: Seconds for one input: readers of packed files may work for 20.
LONGEST = 30
#: Characters of a message that is still read.
MESSAGE = 2_000
#: Memory of the process; more is a bug, and the machine is not ours alone.
MEMORY = 16 << 30
#: A round gives each target its share of the time, so that all have been attacked before any is attacked for long.
ROUND = 60.0
SMALLER_SECONDS = 5.0
PANIC = re.compile("panicked at|RUST_BACKTRACE")
#: The end of an attack that the process did not survive.
DIED = 3


@dataclass(frozen=True)
class Broken:
    """What an input did: how it is distinguished from others, and in words."""

    key: str
    told: str


class _TooLongError(BaseException):
    """A reader is still busy; no reader's own handler takes this for its error."""


class Output:
    """What readers print, on whatever way, counted instead of shown; `say` goes to the real output."""

    def __init__(self, sink: Path) -> None:
        self._real = os.dup(1)
        self._sink = os.open(sink, os.O_RDWR | os.O_CREAT | os.O_TRUNC)
        for stream in (1, 2):
            os.dup2(self._sink, stream)

    def taken(self) -> str:
        """Return what was printed since the last time."""
        sys.stdout.flush()
        sys.stderr.flush()
        size = os.lseek(self._sink, 0, os.SEEK_CUR)
        if not size:
            return ""
        os.lseek(self._sink, 0, os.SEEK_SET)
        printed = os.read(self._sink, 2_000).decode("utf-8", "replace")
        os.ftruncate(self._sink, 0)
        os.lseek(self._sink, 0, os.SEEK_SET)
        return printed

    def say(self, line: str) -> None:
        """Print a line where the fuzzer's own words go."""
        os.write(self._real, f"{line}\n".encode("utf-8", "backslashreplace"))


def broken_by(target: Target, content: bytes, output: Output) -> Broken | None:
    """Return what is wrong with how a target took an input, None where it gave a result or refused it well."""
    found: Broken | None = None
    signal.setitimer(signal.ITIMER_REAL, LONGEST)
    try:
        target.read(content)
    except target.refusals as error:
        found = _ill_told(error)
    except _TooLongError:
        found = Broken("too long", f"took more than {LONGEST} seconds")
    except KeyboardInterrupt:
        raise
    except BaseException as error:  # noqa: BLE001 - panics of native code are no Exception
        place = _place(error)
        found = Broken(f"{type(error).__name__} {place}", f"{type(error).__name__} at {place}: {str(error)[:200]!r}")
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
    printed = output.taken()
    # Rust prints its panics itself, before anybody can catch them, and those of other threads when it is their turn.
    if found is None and printed and not PANIC.search(printed):
        found = Broken(f"printed {printed[:12]}", f"printed {printed[:200]!r}")
    return found


def _ill_told(error: Exception) -> Broken | None:
    told = str(error)
    place = _place(error)
    if len(told) >= MESSAGE:
        return Broken(f"long {place}", f"message of {len(told):,} characters at {place}: {told[:200]!r}")
    if spelled(told) != told or {"\n", "\t"} & set(told):
        return Broken(f"signs {place}", f"message with a sign that acts on a terminal at {place}: {told[:200]!r}")
    return None if told.strip() else Broken(f"empty {place}", f"message without a word at {place}")


def _place(error: BaseException) -> str:
    """Return where in our code an error comes from; one of another process has its traceback in its notes."""
    lines = "".join([*traceback.format_tb(error.__traceback__), *getattr(error, "__notes__", ())])
    ours = re.findall(r'/src/evenhand/(\S+)", line (\d+)', lines)
    return ":".join(ours[-1]) if ours else "the reader's call"


def smaller(target: Target, content: bytes, broken: Broken, output: Output) -> bytes:
    """Return an input that breaks a target in the same way, with pieces left out for some seconds."""
    end = time.monotonic() + SMALLER_SECONDS
    size = len(content) // 2
    while size and time.monotonic() < end:
        place = 0
        while place < len(content) and time.monotonic() < end:
            less = content[:place] + content[place + size :]
            found = broken_by(target, less, output)
            if found is not None and found.key == broken.key:
                content = less
            else:
                place += size
        size //= 2
    return content


def inputs(name: str, target: Target, seed: int) -> Iterator[bytes]:
    """Yield the inputs of a target: what is damaged as it is, then damaged, by seed and number."""
    yield from target.seeds
    number = 0
    while True:
        yield mutated(target.seeds, Random(f"{seed} {name} {number}"), zipped=target.zipped)
        number += 1


def attack(*, seconds: float, inputs_each: int | None, seed: int, only: str, out: Path) -> int:
    """Attack all targets for so long or with so many inputs; return how many ways to break one were found."""
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    out.mkdir(parents=True, exist_ok=True)
    output = Output(out / "printed.txt")
    signal.signal(signal.SIGALRM, _interrupt)
    chosen = {name: target for name, target in targets().items() if only in name}
    streams = {name: enumerate(inputs(name, target, seed)) for name, target in chosen.items()}
    seen: dict[tuple[str, str], int] = {}
    reports: list[str] = []
    counts = dict.fromkeys(chosen, 0)
    end = time.monotonic() + seconds
    most = math.inf if inputs_each is None else inputs_each
    while time.monotonic() < end and min(counts.values(), default=most) < most:
        share = min(ROUND, max(end - time.monotonic(), 1.0)) / len(chosen)
        for name, target in chosen.items():
            stop = min(end, time.monotonic() + share)
            while time.monotonic() < stop and counts[name] < most:
                number, content = next(streams[name])
                (out / "under-attack.bin").write_bytes(content)
                (out / "under-attack.txt").write_text(f"{name}, seed {seed}, input {number}", encoding="utf-8")
                broken = broken_by(target, content, output)
                counts[name] += 1
                if broken is None:
                    continue
                seen[name, broken.key] = seen.get((name, broken.key), 0) + 1
                if seen[name, broken.key] == 1:
                    less = smaller(target, content, broken, output)
                    reports.append(_report(name, broken, less, made=(seed, number), out=out))
                    output.say(reports[-1])
    for name, count in counts.items():
        output.say(f"{count:8,}  {name}")
    output.say(f"{sum(counts.values()):8,}  inputs, seed {seed}: {len(seen)} ways to break a reader.")
    for told in reports:
        output.say(told)
    return len(seen)


def _interrupt(*_: object) -> None:
    raise _TooLongError


def _report(name: str, broken: Broken, content: bytes, *, made: tuple[int, int], out: Path) -> str:
    """Return what broke a target, in words; write the input below `out`."""
    seed, number = made
    path = out / f"{''.join(sign if sign.isalnum() else '-' for sign in name)}-{seed}-{number}.bin"
    path.write_bytes(content)
    shown = f", hex {content.hex()}" if len(content) <= 200 else ""
    return f"{name}: {broken.told}\n    seed {seed}, input {number}, smaller in {path} ({len(content):,} bytes){shown}"


def main() -> int:
    """Run the attack in a process of its own, so that what kills it is told as well."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=600.0, help="at most 600")
    parser.add_argument("--inputs", type=int, default=None, help="most inputs of a target; default: as time allows")
    parser.add_argument("--seed", type=int, default=None, help="makes the same inputs; default: drawn and printed")
    parser.add_argument("--only", default="", help="targets whose name holds this")
    parser.add_argument("--out", type=Path, default=ROOT / "runs" / "fuzz", help="where inputs that break a reader go")
    parser.add_argument("--inside", action="store_true", help=argparse.SUPPRESS)
    given = parser.parse_args()
    seconds = min(given.seconds, 600.0)
    seed = given.seed if given.seed is not None else secrets.randbelow(10**9)
    if given.inside:
        return int(attack(seconds=seconds, inputs_each=given.inputs, seed=seed, only=given.only, out=given.out) > 0)
    sys.stdout.write(f"Seed {seed}, {seconds:g} seconds.\n")
    sys.stdout.flush()
    told = {"seconds": seconds, "inputs": given.inputs, "seed": seed, "only": given.only, "out": given.out}
    options = [word for name, value in told.items() if value is not None for word in (f"--{name}", str(value))]
    try:
        code = subprocess.run(
            [sys.executable, __file__, *options, "--inside"], check=False, timeout=seconds + 2 * LONGEST
        ).returncode
    except subprocess.TimeoutExpired:
        code = None
    if code in {0, 1}:
        return code
    told = (given.out / "under-attack.txt").read_text(encoding="utf-8") if given.out.is_dir() else "the start"
    printed = (given.out / "printed.txt").read_text("utf-8", "replace")[-1_000:] if given.out.is_dir() else ""
    how = "did not end in time" if code is None else f"ended with {code}"
    sys.stdout.write(f"The process {how} at {told}; the input is {given.out / 'under-attack.bin'}.\n{printed}\n")
    return DIED


if __name__ == "__main__":
    sys.exit(main())
