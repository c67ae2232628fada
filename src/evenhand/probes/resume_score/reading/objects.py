"""Scores in JSON objects, also in those with slips and in those that were cut off."""

import re
from dataclasses import dataclass, field

from evenhand.lexicons.folding import fold_text
from evenhand.patterns import lazy_re
from evenhand.probes.resume_score.reading.labels import PART, QUALIFIED, SCALE, SCORE, TOTAL, label_kind, words_of
from evenhand.probes.resume_score.reading.numbers import SCORE_WORDS, Number, numbers_of

__all__ = ["NESTED", "Entry", "entries_of"]

_TOKEN = lazy_re(
    r"""(?P<string>"(?:[^"\\]|\\(?:.|\Z))*+(?P<closed>")?|'(?:[^'\\\n]|\\(?:.|\Z)|'(?=\w))*+(?P<shut>')?)"""
    r"|(?P<sign>[{}\[\]:,])|(?P<bare>[^\s{}\[\]:,\"']+)",
    re.DOTALL,
)
_DIGIT = lazy_re(r"\d")
_MORE = lazy_re(r"[\s.,;:%()\"'\[\]]*(?:points?|pts|marks)?[\s.,;:()\"'\[\]]*")
#: A score inside an object that is called otherwise: 'experience: {score: 8}', 'response: {score: 72}'.
NESTED = "nested"
#: A value of more characters is a text.
_LONGEST = 60
#: What is nested deeper is no answer.
_DEEPEST = 100


@dataclass(frozen=True, kw_only=True, slots=True)
class Entry:
    """A key with what was written for it; `whole` where it cannot have been cut off."""

    kind: str
    depth: int
    value: str
    whole: bool
    scale: float | None = None

    @property
    def numbers(self) -> list[Number]:
        """The numbers, where the value is one and nothing else; or all of its list."""
        if len(self.value) > _LONGEST or _DIGIT.search(self.value) is None:
            return []
        folded = fold_text(self.value)
        found = list(numbers_of(folded))
        gaps = [*(each.start for each in found), len(folded)]
        ends = [0, *(each.end for each in found)]
        plain = all(_MORE.fullmatch(folded, end, start) for end, start in zip(ends, gaps, strict=True))
        return found if plain else []


@dataclass(slots=True)
class _Open:
    """An object or list that is not closed yet."""

    sign: str
    kind: str | None
    key: str | None = None
    since: int = 0
    entries: list[tuple[str, str, bool]] = field(default_factory=list)


def entries_of(text: str) -> tuple[list[Entry], str]:
    r"""Return the entries of all objects of a lower-case text, and the text without them.

    >>> entries, rest = entries_of('here: {"score": 72, "why": "5 years"}')
    >>> [(each.kind, each.value) for each in entries], rest
    ([('score', '72'), ('part', '"5 years"')], 'here: \n')
    """
    found: list[Entry] = []
    kept: list[str] = []
    position = 0
    while (start := text.find("{", position)) >= 0:
        inside, end = _object(text, start)
        kept.append(text[position:start])
        kept.append("\n" if inside else text[start:end])
        found += inside
        position = end
    kept.append(text[position:])
    return found, "".join(kept)


def _object(text: str, start: int) -> tuple[list[Entry], int]:
    """Return the entries of the object that begins at `start`, and where it ends."""
    walk = _Walk(text)
    for match in _TOKEN.finditer(text, start):
        walk.take(match.group(), match.start(), match.end())
        if not walk.stack:
            return walk.found, match.end()
        if len(walk.stack) > _DEEPEST:
            return [], len(text)
    while walk.stack:
        walk.end_value(len(text), whole=False)
        walk.close()
    return walk.found, len(text)


class _Walk:
    """The objects that are open while the tokens of a text are taken one by one."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.stack: list[_Open] = []
        self.found: list[Entry] = []
        self._last = (0, 0)

    def take(self, written: str, start: int, end: int) -> None:
        """Take the next token."""
        if written in {"{", "["}:
            self.stack.append(_Open(sign=written, kind=self._kind_inside(), since=end))
        elif written in {"}", "]"}:
            self.end_value(start, whole=True)
            self.close()
            if self.stack:
                # The object was the value.
                self.stack[-1].key = None if self.stack[-1].sign == "{" else self.stack[-1].key
        elif written == ",":
            self.end_value(start, whole=True)
        elif written == ":":
            self._begin_value(end)
        else:
            self._last = (start, end)

    def _begin_value(self, end: int) -> None:
        if not self.stack or self.stack[-1].sign == "[":
            return
        start, stop = self._last
        if self.stack[-1].key is not None:
            # A comma was left out.
            if self.text[start] not in "\"'":
                return
            self.end_value(start, whole=True)
        if start >= self.stack[-1].since:
            self.stack[-1].key = self.text[start:stop].strip("\"'")
            self.stack[-1].since = end

    def end_value(self, end: int, *, whole: bool) -> None:
        """Note the value of the key that is open."""
        if not self.stack:
            return
        innermost = self.stack[-1]
        value = self.text[innermost.since : min(end, innermost.since + 4 * _LONGEST)].strip()
        if innermost.sign == "{" and innermost.key is not None and value and value[0] not in "{[":
            whole = whole or (value[0] == '"' and value.endswith('"') and len(value) > 1)
            innermost.entries.append((innermost.key, value, whole))
            innermost.key = None
        elif innermost.sign == "[" and value and value[0] not in "{[" and innermost.kind is not None:
            innermost.entries.append(("", value, whole))
        innermost.since = end + 1

    def close(self) -> None:
        """Close the innermost object or list."""
        innermost = self.stack.pop()
        scale = None
        for key, value, whole in innermost.entries:
            if _kind(key) == SCALE and len(value) <= _LONGEST and whole:
                top = Entry(kind=SCALE, depth=0, value=value, whole=whole).numbers
                scale = top[0].value if len(top) == 1 else scale
        for key, value, whole in innermost.entries:
            kind = self._kind_of(key, innermost)
            self.found.append(Entry(kind=kind, depth=len(self.stack), value=value, whole=whole, scale=scale))

    def _kind_inside(self) -> str | None:
        """Return what the key says whose value begins, or that of what it is in."""
        if not self.stack:
            return None
        outer = self.stack[-1]
        return outer.kind if outer.key is None else _kind(outer.key)

    @staticmethod
    def _kind_of(key: str, inside: _Open) -> str:
        if not key or (key in SCORE_WORDS.own_keys and inside.kind is not None):
            return inside.kind or PART
        kind = _kind(key)
        # 'experience: {score: 8}' is a score of a part.
        return NESTED if kind == SCORE and inside.kind in {PART, QUALIFIED} else _total_inside(kind, inside.kind)


def _total_inside(kind: str, outer: str | None) -> str:
    """Return the kind of a score, which is a total inside an object that is called one."""
    return TOTAL if kind == SCORE and outer == TOTAL else kind


def _kind(key: str) -> str:
    return label_kind(words_of(key.replace("_", " ").replace("-", " "))) or PART
