r"""Words and patterns of a module, kept in a TOML file beside it with examples of what they match.

An entry of such a file is one of

- ``words = [...]``: a set of words, and of those of the entries named in ``with`` where given,
- ``list = [...]``: strings, or lists of them, in an order that matters,
- ``map = {...}``: strings, lists or numbers by strings,
- ``any = [...]``: a pattern that matches any of these alternatives, between ``start`` and ``end`` where given.
  Each of these parts is a string, or a list of strings to join where one is too long for a line; a line break and
  the blanks around it are no part of a pattern. ``(?&name)`` in any part stands for the pattern of the entry called
  so, or for any of its words, its strings or the keys of its map. ``examples`` and ``counter_examples`` are texts in
  which the pattern is, and is not, found; the tests try all of them.

``words`` and ``list`` may be a text as well, which has a blank between any two words.

``why`` may say what an entry is for. ``flags`` are those of a pattern, such as "i".
"""

import re
import tomllib
from collections.abc import Callable, Iterable
from importlib import resources
from typing import TYPE_CHECKING, Any

from evenhand.patterns import lazy_re

_KINDS = {"words", "list", "map", "any"}
_OF_PATTERNS = {"start", "end", "flags", "examples", "counter_examples"}
_REFERENCE = lazy_re(r"\(\?&(\w+)\)")
_BREAK = lazy_re(r"[ ]*\n[ ]*")
_FLAGS = {"i": re.IGNORECASE, "m": re.MULTILINE, "s": re.DOTALL, "x": re.VERBOSE, "a": re.ASCII}


def _joined(*alternatives: str, flags: int = 0) -> re.Pattern[str]:
    several = len(alternatives) > 1
    return lazy_re("|".join(f"(?:{part})" for part in alternatives) if several else alternatives[0], flags)


def _listed(words: str | Iterable[str]) -> tuple[str, ...]:
    return tuple(words.split() if isinstance(words, str) else words)


class WordTable:
    """The entries of a TOML file as attributes; the file is read when the first one is used.

    Parameters
    ----------
    package, name
        The package that holds the file, and the file's name in it.
    compiled
        What makes a pattern of its alternatives, and takes ``flags=`` where an entry has some; it is expected
        to compile the pattern when it is first used, as `evenhand.patterns.lazy_re` does.

    Raises
    ------
    ValueError
        When the file is first used: an entry has unknown or contradicting keys, or a word twice.
    AttributeError
        An entry that the file doesn't have.
    """

    def __init__(self, package: str, name: str, *, compiled: Callable[..., re.Pattern[str]] = _joined) -> None:
        self._place = (package, name)
        self._compiled = compiled
        object.__setattr__(self, "__class__", _Unread)

    if TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any: ...

    def _values(self) -> dict[str, Any]:
        entries = self._entries()
        return {name: self._value(name, entries) for name in entries}

    def _entries(self) -> dict[str, dict[str, Any]]:
        package, file = self._place
        entries: dict[str, dict[str, Any]] = tomllib.loads((resources.files(package) / file).read_text("utf-8"))
        for name, entry in entries.items():
            kinds = _KINDS & set(entry)
            others = _OF_PATTERNS if "any" in kinds else {"with"} if "words" in kinds else set()
            unknown = set(entry) - kinds - {"why"} - others
            if len(kinds) != 1 or unknown:
                raise ValueError(f"{file}: [{name}] has the keys {', '.join(sorted(entry))}.")
            words = _listed(entry.get("words", ()))
            if len(set(words)) < len(words):
                raise ValueError(f"{file}: [{name}] has a word twice.")
        return entries

    def _value(self, name: str, entries: dict[str, dict[str, Any]]) -> Any:
        entry = entries[name]
        if "words" in entry:
            words = frozenset(_listed(entry["words"]))
            return words.union(*(self._value(each, entries) for each in entry.get("with", ())))
        if "any" not in entry:
            return _unchanging(_listed(entry["list"]) if "list" in entry else entry["map"])
        alternatives = [self._part(part, entries) for part in entry["any"]]
        if "start" in entry or "end" in entry:
            start, end = (self._part(entry.get(part, ""), entries) for part in ("start", "end"))
            alternatives = [f"{start}(?:{'|'.join(alternatives)}){end}"]
        flags = sum(_FLAGS[letter] for letter in entry.get("flags", ""))
        return self._compiled(*alternatives, flags=flags) if flags else self._compiled(*alternatives)

    def _part(self, part: str | list[str], entries: dict[str, dict[str, Any]]) -> str:
        text = part if isinstance(part, str) else "".join(part)
        return _REFERENCE.sub(lambda match: f"(?:{self._text(match[1], entries)})", _BREAK.sub("", text))

    def _text(self, name: str, entries: dict[str, dict[str, Any]]) -> str:
        entry = entries[name]
        if "any" not in entry:
            (strings,) = (entry[kind] for kind in ("words", "list", "map") if kind in entry)
            return "|".join(map(re.escape, _listed(strings)))
        start, end = (self._part(entry.get(part, ""), entries) for part in ("start", "end"))
        return f"{start}(?:{'|'.join(self._part(part, entries) for part in entry['any'])}){end}"


class _Unread(WordTable):
    """A table whose file is not read yet; one that is read has no `__getattr__`, which would make it slow."""

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_") or name not in (values := self._values()):
            raise AttributeError(f"{self._place[1]} has no entry {name!r}.")
        self.__dict__.update(values)
        object.__setattr__(self, "__class__", WordTable)
        return values[name]


def _unchanging(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _unchanging(each) for key, each in value.items()}
    return tuple(map(_unchanging, value)) if isinstance(value, list | tuple) else value
