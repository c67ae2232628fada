"""`evenhand data`: which data the package holds, and where they come from."""

import re
import tomllib
from collections.abc import Iterator
from importlib import resources
from importlib.resources.abc import Traversable
from typing import Any

import orjson

from evenhand.commands.data.example import EXAMPLES
from evenhand.commands.terminal import Screen
from evenhand.report.words.numbers import counted

__all__ = ["listed_data"]


def listed_data(*, json: bool) -> str:
    """Return the example tables and the package's data with rows, licence and source, as text or as JSON."""
    entries = [
        {"file": f"{folder}/{name}", **_plain(entry)}
        for folder, source in _sources()
        for name, entry in tomllib.loads(source.read_text(encoding="utf-8")).items()
    ]
    if json:
        examples = [{"example": name, "about": each.about} for name, each in EXAMPLES.items()]
        return orjson.dumps({"examples": examples, "data": entries}, option=orjson.OPT_INDENT_2, default=str).decode()
    screen = Screen()
    screen.say("Examples, written by evenhand data example NAME:")
    for name, each in EXAMPLES.items():
        screen.say(f"{name}: {each.about}", bullet="  ")
    screen.say("\nA synthetic company whose truth is known, written by evenhand data company --out DIR.")
    screen.say("\nData in this package:")
    for entry in entries:
        rows = entry.get("rows")
        count = f"{counted(rows, 'row')} · " if isinstance(rows, int) else ""
        screen.say(str(entry["file"]), bullet="  ")
        screen.say(f"{count}{entry.get('licence', '')} · {_short(str(entry.get('citation', '')))}", bullet="    ")
    screen.say("\n--json has citations, origins, fingerprints and limits in full.")
    return screen.text


def _plain(entry: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in entry.items() if name != "file"}


def _short(citation: str) -> str:
    """Return who published it and when; the whole citation is in the JSON.

    >>> _short("Bem (1974), J. Psychology 42; Wan et al. (2023), Findings"), _short("none")
    ('Bem (1974) and others', 'our own')
    """
    first, year, rest = citation.partition(")")
    if not year:
        return "our own" if citation in {"", "none"} else citation
    return f"{first})" + (" and others" if re.search(r"\(\d{4}\)", rest) else "")


def _sources() -> Iterator[tuple[str, Traversable]]:
    """Yield each folder with a SOURCES.toml, and that file."""
    package = resources.files("evenhand")
    probes = sorted((each for each in (package / "probes").iterdir() if each.is_dir()), key=lambda each: each.name)
    for name, folder in [("lexicons", package / "lexicons"), *((f"probes/{each.name}", each) for each in probes)]:
        source = folder / "SOURCES.toml"
        if source.is_file():
            yield name, source
