"""Numbers of an answer and what they are: the scale of each, the kind of its label, entries of JSON objects."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

from evenhand.data.folding import fold_text
from evenhand.patterns import WordTable, lazy_re

#: Words and patterns that scores are read by.
SCORE_WORDS = WordTable("evenhand.probes.resume_score", "reader.toml")

_THOUSANDS = lazy_re(r"[-+]?\d{1,3}(?:,\d{3})+(?:\.\d+)?")
_ARROWS = ("=>", "->")

_POINT = lazy_re(r"(\d+) point (\d)\b")


@dataclass(frozen=True, kw_only=True, slots=True)
class Number:
    """A number with its position in the text, and the scale that it states.

    `top` is the denominator of a fraction, 100 for percent; `until` the other end of a range.
    """

    start: int
    end: int
    value: float
    top: float | None = None
    until: float | None = None
    bound: bool = False
    form: str = "number"


def numbers_of(text: str) -> Iterator[Number]:
    """Return the numbers of a normalised text, each as one with its denominator, unit or other end.

    >>> [(each.value, each.top, each.until) for each in numbers_of("7/10, 85 % and 70-75")]
    [(7.0, 10.0, None), (85.0, 100.0, None), (70.0, None, 75.0)]
    """
    lower: Number | None = None
    between = SCORE_WORDS.between
    for match in SCORE_WORDS.number.finditer(text):
        number = _of_match(text, match)
        if lower is not None:
            if number.until is None and text[lower.end : number.start].strip() in SCORE_WORDS.and_of_ranges:
                number, lower = replace(number, start=lower.start, value=lower.value, until=number.value), None
            else:
                yield lower
                lower = None
        elif number.until is None and text[max(0, number.start - 12) : number.start].rstrip().endswith(between):
            lower = number
        if lower is None:
            yield number
    if lower is not None:
        yield lower


def _of_match(text: str, match: re.Match[str]) -> Number:
    first, until, top, percent, plus = match.groups()
    start, end = match.span()
    value = _value(first)
    before, earlier = text[start - 1 : start], text[start - 2 : start - 1] if start > 1 else ""
    if before == "." and first.isdigit() and not earlier.isalnum():
        value, start = float(f"0.{first}"), start - 1
        before, earlier = text[start - 1 : start], text[start - 2 : start - 1] if start > 1 else ""
    if before in {"-", "+"} and not (earlier.isalnum() or earlier in {")", "%"}):
        value, start = -value if before == "-" else value, start - 1
    if until is not None:
        other = _value(until)
        if other > value:
            return Number(start=start, end=end, value=value, until=other)
        # '78 - 6 years of practice' is a dash.
        return Number(start=start, end=match.end("first"), value=value)
    if top is not None:
        return Number(start=start, end=end, value=value, top=_value(top), form="fraction")
    if percent is not None:
        return Number(start=start, end=end, value=value, top=100.0, form="percent", bound=plus is not None)
    if text.startswith(SCORE_WORDS.stars, end):
        return Number(start=start, end=end, value=value, top=5.0, form="stars")
    bound = plus is not None
    if not bound:
        leading = text[max(0, start - 18) : start].rstrip()
        bound = leading.endswith(SCORE_WORDS.bounds) and not leading.endswith(_ARROWS)
    return Number(start=start, end=end, value=value, bound=bound)


def _value(written: str) -> float:
    written = written.replace("\u066b", ".")
    if "," in written:
        grouped = _THOUSANDS.fullmatch(written) is not None
        written = written.replace(",", "" if grouped else ".")
    return float(written)


def scale_in(label: str) -> tuple[float, float] | None:
    """Return the scale that a label states.

    >>> scale_in("rating (1-10)"), scale_in("score out of 5"), scale_in("score in 2024")
    ((1.0, 10.0), (0.0, 5.0), None)
    """
    for number in numbers_of(label):
        if number.until is not None:
            return (number.value, number.until)
        if label[: number.start].rstrip().endswith(SCORE_WORDS.tops):
            return (0.0, number.value)
    return None


def with_words_as_numbers(text: str) -> str:
    """Return a text without digits with its number words as digits.

    >>> with_words_as_numbers("score: eighty-five out of one hundred")
    'score: 85 out of 100'
    """
    return _POINT.sub(r"\1.\2", SCORE_WORDS.in_words.sub(lambda match: str(_spelled(match.group())), text))


def _spelled(words: str) -> int:
    if words.endswith("hundred"):
        return 100
    small, tens = SCORE_WORDS.small, SCORE_WORDS.tens
    return sum(tens.get(word) or small[word] for word in words.replace("-", " ").split())


#: What a number is by its label. Qualified is a score of something: 'ATS score', 'technical fit'.
TOTAL, SCORE, QUALIFIED, PART, SCALE, ASIDE = "total", "score", "qualified", "part", "scale", "aside"
#: A number alone: its line or sentence is nothing else, or goes on with reasons.
ALONE = "alone"
#: A number behind a label that names no score: 'Emily Walsh: 72', 'Skills: 8'.
NAMED = "named"
#: A number that is the score where it is the only one that may be.
ONLY = "only"
#: A score, unless it is one of a series: 'fit', 'assessment'; and the same of the whole: 'overall fit'.
FIT, WHOLE_FIT = "fit", "overall fit"
#: What is a score by its label alone.
SCORES = frozenset({TOTAL, SCORE, FIT, WHOLE_FIT})

_WORD = lazy_re(r"[^\W\d_]+(?:'[^\W\d_]+)?")


def words_of(text: str) -> list[str]:
    """Return the words of a normalised text.

    >>> words_of("emily's score (0-100):")
    ["emily's", 'score']
    """
    return _WORD.findall(text.replace("\u00e9", "e"))


def label_kind(words: Sequence[str]) -> str | None:
    """Return what the words of a label name, None where there are none.

    >>> [label_kind(each.split()) for each in ("overall score", "emily's score", "technical fit", "skills")]
    ['total', 'score', 'qualified', 'part']
    """
    if not words:
        return None
    whole, nouns = not SCORE_WORDS.whole.isdisjoint(words), SCORE_WORDS.nouns
    places = [place for place, word in enumerate(words) if word in nouns]
    if not places:
        if SCORE_WORDS.only_scale.issuperset(words) and not SCORE_WORDS.of_scale.isdisjoint(words):
            return SCALE
        if SCORE_WORDS.of_aside.issuperset(words):
            return ASIDE
        if words[0] == "this" and SCORE_WORDS.persons.issuperset(words[1:]):
            return SCORE
        # 'Total: 72', but not 'Total experience: 12'.
        return TOTAL if whole and SCORE_WORDS.beside.issuperset(words) else PART
    kind = _kind_by_noun(words, places)
    is_quality = SCORE_WORDS.qualities.issuperset(words[place] for place in places)
    named = (WHOLE_FIT if whole else FIT) if is_quality else TOTAL if whole else SCORE
    return named if kind == SCORE else kind


def _kind_by_noun(words: Sequence[str], places: Sequence[int]) -> str:
    """Return the kind of a label with nouns at some places, by the words before and behind them."""
    # 'The score for this candidate's fit': what follows the noun says of whom.
    of_whom = not {"for", "of"}.isdisjoint(words[: places[-1]]) or not {"on", "in"}.isdisjoint(
        words[places[0] + 1 : places[0] + 2]
    )
    noun = places[0] if of_whom else places[-1]
    before, behind = words[:noun], words[noun + 1 :]
    while behind and (behind[0] in SCORE_WORDS.whole or behind[0] in SCORE_WORDS.given):
        # 'Score total', 'score awarded'
        behind = behind[1:]
    if behind and behind[-1] in {"scale", "range"}:
        return SCALE
    # 'Max score', but not 'Max scores 72' nor 'Max Lee's score': it is a name, too.
    if before and words[noun] != "scores" and before[-1] in SCORE_WORDS.of_no_score:
        return SCALE if before[-1] in SCORE_WORDS.of_scale else ASIDE
    if all(words[place] in SCORE_WORDS.weak for place in places):
        # 'Final answer', but not 'job number', 'points to consider'.
        plain = SCORE_WORDS.plain.issuperset(before)
        return SCORE if plain and behind[:1] in ([], ["is"], ["would"], ["i"], ["i'd"]) else PART
    if behind and behind[0] not in SCORE_WORDS.after_noun:
        return QUALIFIED if behind[0] in {"in", "on"} and not SCORE_WORDS.together.isdisjoint(behind) else PART
    if all(word in SCORE_WORDS.beside or word.endswith("'s") for word in before) or before[-1].endswith("'s"):
        return SCORE
    return PART if words[noun] not in SCORE_WORDS.fitting and _is_of_else(before) else QUALIFIED


def _is_of_else(before: Sequence[str]) -> bool:
    """Return whether the words right before 'score' say that it is that of something else, such as an exam."""
    # 'Skills assessment score'
    fitting, nouns = SCORE_WORDS.fitting, SCORE_WORDS.nouns
    known = [word for word in before if word in fitting or word not in nouns]
    return bool(known) and not (known[-1] in fitting or known[-1] in SCORE_WORDS.beside or known[-1].endswith("'s"))


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
#: Parts whose upper ends add up to it are all of a score.
_HUNDRED = 100


@dataclass(frozen=True, kw_only=True, slots=True)
class Entry:
    """A key with the numbers of its value, where that is one number or a list of them and nothing else.

    It is `whole` where it cannot have been cut off.
    """

    kind: str
    depth: int
    numbers: list[Number]
    whole: bool
    scale: tuple[float, float] | None = None


def _numbers_alone(value: str) -> list[Number]:
    """Return the numbers of a value that is nothing else."""
    if len(value) > _LONGEST or _DIGIT.search(value) is None:
        return []
    folded = fold_text(value)
    numbers = list(numbers_of(folded))
    gaps = [*(number.start for number in numbers), len(folded)]
    ends = [0, *(number.end for number in numbers)]
    plain = all(_MORE.fullmatch(folded, end, start) for end, start in zip(ends, gaps, strict=True))
    return numbers if plain else []


@dataclass(slots=True)
class _Open:
    """An object or list that is not closed yet."""

    sign: str
    kind: str | None
    key: str | None = None
    since: int = 0
    entries: list[tuple[str, list[Number], bool]] = field(default_factory=list)


def entries_of(text: str) -> tuple[list[Entry], str]:
    r"""Return the entries of all objects of a lower-case text, and the text without them.

    >>> entries, rest = entries_of('here: {"score": 72, "why": "5 years"}')
    >>> [(each.kind, [number.value for number in each.numbers]) for each in entries], rest
    ([('score', [72.0]), ('part', [])], 'here: \n')
    """
    entries: list[Entry] = []
    outside: list[str] = []
    position = 0
    while (start := text.find("{", position)) >= 0:
        inside, end = _object(text, start)
        outside.append(text[position:start])
        outside.append("\n" if inside else text[start:end])
        entries += inside
        position = end
    outside.append(text[position:])
    return entries, "".join(outside)


def _object(text: str, start: int) -> tuple[list[Entry], int]:
    """Return the entries of the object that begins at `start`, and where it ends."""
    walk = _Walk(text)
    for match in _TOKEN.finditer(text, start):
        walk.take(match.group(), match.start(), match.end())
        if not walk.stack:
            return walk.entries, match.end()
        if len(walk.stack) > _DEEPEST:
            return [], len(text)
    while walk.stack:
        walk.end_value(len(text), whole=False)
        walk.close()
    return walk.entries, len(text)


class _Walk:
    """The objects that are open while the tokens of a text are taken one by one."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.stack: list[_Open] = []
        self.entries: list[Entry] = []
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
            innermost.entries.append((innermost.key, _numbers_alone(value), whole))
            innermost.key = None
        elif innermost.sign == "[" and value and value[0] not in "{[" and innermost.kind is not None:
            innermost.entries.append(("", _numbers_alone(value), whole))
        innermost.since = end + 1

    def close(self) -> None:
        """Close the innermost object or list."""
        innermost = self.stack.pop()
        scale = None
        for key, numbers, whole in innermost.entries:
            if len(numbers) == 1 and whole and _kind(key) == SCALE:
                first = numbers[0]
                scale = (0.0, first.value) if first.until is None else (first.value, first.until)
        numbered = [
            (self._kind_of(key, innermost), numbers[0] if numbers else None) for key, numbers, _ in innermost.entries
        ]
        self.entries += [
            Entry(kind=kind, depth=len(self.stack), numbers=numbers, whole=whole, scale=scale_in(_spaced(key)) or scale)
            for kind, (key, numbers, whole) in zip(kinds_in_series(numbered), innermost.entries, strict=True)
        ]

    def _kind_inside(self) -> str | None:
        """Return the kind of the key whose value begins, or else that of the enclosing object."""
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
        if kind in {SCORE, FIT} and inside.kind in {PART, QUALIFIED}:
            return NESTED
        # A score is a total inside an object that is called one.
        return TOTAL if kind == SCORE and inside.kind in {TOTAL, WHOLE_FIT} else kind


def kinds_in_series(entries: Sequence[tuple[str, Number | None]]) -> list[str]:
    """Return the kinds of entries that stand together: in a series of like entries 'fit' is a part like them.

    >>> [kinds_in_series([*[("part", number) for number in numbers_of("25 20")], ("fit", next(numbers_of(fit)))])[-1]
    ...     for fit in ("15", "72")]
    ['part', 'score']
    """
    kinds = [kind for kind, _ in entries]
    if FIT not in kinds and WHOLE_FIT not in kinds:
        return kinds
    numbers = [number for kind, number in entries if number is not None and kind in {PART, NAMED, QUALIFIED}]
    over, bare = ([number for number in numbers if (number.top is None) == is_bare] for is_bare in (False, True))
    tops, values = sum(number.top or 0 for number in over), sum(number.value for number in bare)
    has_total = not {TOTAL, SCORE, ALONE}.isdisjoint(kinds)
    for place, (kind, number) in enumerate(entries):
        if kind in {FIT, WHOLE_FIT}:
            top = None if number is None else number.top
            # 'Skills: 8, experience: 7, fit: 72' is no series.
            is_part = number is not None and (
                len(over) > 1 or top in {each.top for each in over}
                if top is not None
                else len(bare) > 1 and number.value <= values
            )
            if kind == WHOLE_FIT:
                is_part = is_part and (has_total or (top or 0) + tops == _HUNDRED)
            kinds[place] = PART if is_part else TOTAL if kind == WHOLE_FIT else SCORE
    return kinds


def _kind(key: str) -> str:
    return label_kind(words_of(_spaced(key))) or PART


def _spaced(key: str) -> str:
    return key.replace("_", " ").replace("-", " ")
