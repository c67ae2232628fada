"""The stages of the demo: what is typed, what was injected, and the pages to open."""

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from importlib import resources
from pathlib import Path
from shlex import quote
from typing import Final

__all__ = ["STORE", "Step", "steps"]

STORE: Final = "history.db"
_MATCHED: Final = ("match", "perturb-matcher")


@dataclass(frozen=True, kw_only=True)
class Step:
    """A stage: its commands as typed, what was injected, pages by their titles, and the extra that it needs."""

    name: str
    heading: str
    injected: str
    commands: Sequence[str]
    pages: Mapping[str, str] = field(default_factory=dict)
    needs: str = ""

    @property
    def short(self) -> str:
        """Return the heading's first words."""
        return self.heading.partition(":")[0]


def steps(out: Path, *, seed: int, matched: bool) -> list[Step]:
    """Return the stages in their order; with `matched` the bundle has the runs that need the extra match."""
    text = (resources.files("evenhand.commands.demo") / "steps.toml").read_text("utf-8")
    folder = quote(str(out))
    runs = " ".join(f"{folder}/{run}" for run in _MATCHED) if matched else ""
    found = []
    for name, step in tomllib.loads(text).items():
        filled = [
            command.format(out=folder, seed=seed, matched=runs).replace("  ", " ") for command in step["commands"]
        ]
        found.append(Step(name=name, **(step | {"commands": filled})))
    return found
