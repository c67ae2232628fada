"""The demo, stage by stage: its commands are carried out as they are typed."""

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from importlib.util import find_spec
from pathlib import Path
from shlex import split
from typing import Any, Final

import orjson

from evenhand.commands.demo.found import FOUND, Finds, Row
from evenhand.commands.demo.page import PAGE, demo_page
from evenhand.commands.demo.steps import STORE, Step, steps
from evenhand.commands.described_folder import check_described
from evenhand.errors import InputError
from evenhand.runs.options.output import Output
from evenhand.runs.progress import Progress
from evenhand.tables.files import write_atomically

__all__ = ["Demo", "Stage", "Typed", "run_demo"]

#: Carries out a command line without the word evenhand; returns what it printed, and raises what it raises.
Typed = Callable[[Sequence[str]], str]

SCHEMA: Final = "evenhand.demo/1"
ABOUT: Final = "demo.json"
_EXTRA: Final = "Not run: it needs LightGBM, scikit-learn and rapidfuzz. Install them by: pip install 'evenhand[match]'"


@dataclass(frozen=True, kw_only=True)
class Stage:
    """A stage as it went: what was typed and found; `skipped` says why nothing was."""

    step: Step
    found: Sequence[Row]
    skipped: str = ""


@dataclass(frozen=True, kw_only=True)
class Demo:
    """The demo that was run: its folder and its stages."""

    path: Path
    stages: Sequence[Stage]

    @property
    def json(self) -> str:
        """Return demo.json."""
        return _json([asdict(stage) for stage in self.stages]).decode()


def run_demo(options: Output, typed: Typed, *, progress: Progress | None = None) -> Demo:
    """Take a synthetic company through every stage; return what was injected and found.

    Raises
    ------
    InputError
        The folder is there already, without --force.
    ForeignFolder
        The folder holds no demo.

    """
    out = options.folder("demo")
    check_described(out, ABOUT, schema=SCHEMA, what="demo", force=options.force)
    try:
        out.mkdir(parents=True, exist_ok=True)
        write_atomically(out / ABOUT, _json([]))
    except OSError as error:
        raise InputError(f"--out {out} can't be made: {error.strerror}.") from error
    for name in (STORE, f"{STORE}-wal", f"{STORE}-shm"):
        (out / name).unlink(missing_ok=True)
    matched = all(map(find_spec, ("lightgbm", "sklearn", "rapidfuzz")))
    todo = steps(out, seed=options.seed, matched=matched)
    stages = []
    for number, step in enumerate(todo):
        if progress is not None:
            progress(f"demo: {step.name}", number, len(todo))
        skipped = step.needs and not matched
        stages.append(Stage(step=step, found=(), skipped=_EXTRA) if skipped else _stage(step, out, typed))
    demo = Demo(path=out, stages=stages)
    write_atomically(out / PAGE, demo_page(stages))
    write_atomically(out / ABOUT, demo.json.encode())
    return demo


def _stage(step: Step, out: Path, typed: Typed) -> Stage:
    printed = [typed(split(command)[1:]) for command in step.commands]
    return Stage(step=step, found=FOUND[step.name](Finds(out, printed[-1])))


def _json(stages: Sequence[Any]) -> bytes:
    return orjson.dumps({"schema": SCHEMA, "stages": stages}, option=orjson.OPT_INDENT_2)
