r"""Words and patterns: patterns that are compiled on first use, and tables of both in a TOML file next to a module.

>>> word = lazy_re(r"\w+")
>>> word.pattern, word.findall("two words")
('\\w+', ['two', 'words'])

An entry of such a file, which has examples of matches, is one of

- ``words = [...]``: a set of words, with those of the entries named in ``with``,
- ``list = [...]``: strings, or lists of them, in an order that matters,
- ``map = {...}``: strings, lists or numbers by strings,
- ``any = [...]``: a pattern that matches any of these alternatives, between ``start`` and ``end`` where given.
  Each of these parts is a string, or a list of strings to join where one is too long for a line; a line break and
  the blanks around it are no part of a pattern. ``(?&name)`` in any part stands for the pattern of the entry with
  that name, or for any of its words, its strings or the keys of its map. ``flags`` are regular expression flags, such
  as "i". The tests check that the pattern matches in each of ``examples`` and in none of ``counter_examples``.

``words`` and ``list`` may also be one text, split at blanks. ``why`` says what an entry is for.
"""

import csv
import re
import tomllib
from collections.abc import Callable, Iterable
from importlib import resources
from typing import TYPE_CHECKING, Any, AnyStr, cast

_METHODS = (
    "search",
    "match",
    "fullmatch",
    "finditer",
    "findall",
    "sub",
    "subn",
    "split",
    "flags",
    "groups",
    "groupindex",
)


class _Used:
    """A pattern's text and, once it is compiled, the methods of the compiled pattern."""

    def __init__(self, pattern: str | bytes, flags: int) -> None:
        self.pattern = pattern
        self._flags = flags


class _Lazy(_Used):
    """A pattern that is compiled on first use; then it becomes `_Used`, which is faster without `__getattr__`."""

    def __getattr__(self, name: str) -> Any:
        if name not in _METHODS:
            raise AttributeError(name)
        compiled = re.compile(self.pattern, self._flags)
        for method in _METHODS:
            setattr(self, method, getattr(compiled, method))
        object.__setattr__(self, "__class__", _Used)
        return getattr(compiled, name)


def lazy_re(pattern: AnyStr, flags: int = 0) -> re.Pattern[AnyStr]:
    r"""Return an object that behaves like `re.compile(pattern, flags)`; a malformed pattern raises on first use.

    Call its methods: the functions of `re` don't accept it as a compiled pattern.
    """
    return cast("re.Pattern[AnyStr]", _Lazy(pattern, flags))


_KINDS = {"words", "list", "map", "any"}
_PATTERN_KEYS = {"start", "end", "flags", "examples", "counter_examples"}
_REFERENCE = lazy_re(r"\(\?&(\w+)\)")
_BREAK = lazy_re(r"[ ]*\n[ ]*")
_FLAGS = {"i": re.IGNORECASE, "m": re.MULTILINE, "s": re.DOTALL, "x": re.VERBOSE, "a": re.ASCII}


def _joined(*alternatives: str, flags: int = 0) -> re.Pattern[str]:
    several = len(alternatives) > 1
    return lazy_re("|".join(f"(?:{part})" for part in alternatives) if several else alternatives[0], flags)


def _listed(words: str | Iterable[str]) -> tuple[str, ...]:
    return tuple(words.split() if isinstance(words, str) else words)


class WordTable:
    """The entries of a TOML file as attributes; the file is read on first use.

    Parameters
    ----------
    package, name
        The package that holds the file, and the file's name in it.
    compiled
        Makes a pattern of its alternatives, with ``flags=`` where an entry has some; it should compile the pattern on
        first use, as `lazy_re` does.

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
            further = _PATTERN_KEYS if "any" in kinds else {"with"} if "words" in kinds else set()
            unknown = set(entry) - kinds - {"why"} - further
            if len(kinds) != 1 or unknown:
                raise ValueError(
                    f"{file}: [{name}] has the keys {', '.join(sorted(entry))}; expected words, list, map or any."
                )
            words = _listed(entry.get("words", ()))
            if len(set(words)) < len(words):
                raise ValueError(f"{file}: [{name}] has a word twice.")
        return entries

    def _value(self, name: str, entries: dict[str, dict[str, Any]]) -> Any:
        entry = entries[name]
        if "words" in entry:
            words = frozenset(_listed(entry["words"]))
            return words.union(*(self._value(included, entries) for included in entry.get("with", ())))
        if "any" not in entry:
            return _frozen(_listed(entry["list"]) if "list" in entry else entry["map"])
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
    """A table whose file is not yet read; then it becomes a `WordTable`, which is faster without `__getattr__`."""

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_") or name not in (values := self._values()):
            raise AttributeError(f"{self._place[1]} has no entry {name!r}.")
        self.__dict__.update(values)
        object.__setattr__(self, "__class__", WordTable)
        return values[name]


def _frozen(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _frozen(item) for key, item in value.items()}
    return tuple(map(_frozen, value)) if isinstance(value, list | tuple) else value


def csv_rows(package: str, name: str) -> list[list[str]]:
    """Return the rows of a CSV file in a package, without its header; `csv.DictReader` takes four times as long.

    >>> csv_rows("evenhand.masking.categories", "study.csv")[0]
    ['mba', 'degree']
    """
    with (resources.files(package) / name).open("r", encoding="utf-8") as file:
        return list(csv.reader(file))[1:]
