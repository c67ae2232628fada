"""Parse résumés and advertisements: words, labels of skills, years of work, education and seniority.

Masks such as `[NAME]` are removed first. Labels match whole words exactly after normalisation.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Final, Generic, TypeVar

from evenhand.data.folding import fold_characters
from evenhand.data.lexicons.occupations import occupations
from evenhand.errors import InputError
from evenhand.masking.pronouns import CATEGORIES, OPTIONAL, token_of
from evenhand.patterns import lazy_re

#: In a list of words, where a label can't go on: a comma, a mark of a list, a mask.
BREAK: Final = "|"
_MASKED: Final = lazy_re("|".join(rf"\[{token_of(category)[1:-1]}\]" for category in (*CATEGORIES, *OPTIONAL.values())))
_TOKENS: Final = lazy_re(r"[^\W_]+(?:\+\+|#)?|[,;:|()\t•]")

#: The lines of a text: each as normalised text, and its words.
Lines = tuple[tuple[str, tuple[str, ...]], ...]


def lines_of(text: str) -> Lines:
    """Return the lines of a text that hold words, normalised, each with its words.

    >>> lines_of("[NAME], C++ developer (Node.js)")[0][1]
    ('|', '|', 'c++', 'developer', '|', 'node', 'js', '|')
    """
    normalised = fold_characters(_MASKED.sub(BREAK, text))
    lines = []
    for line in normalised.split("\n"):
        words = tuple(word if word[0].isalnum() else BREAK for word in _TOKENS.findall(line))
        if words:
            lines.append((line, words))
    return tuple(lines)


Form = tuple[str, ...]
Key = TypeVar("Key")
_ENDS: Final = frozenset({BREAK, "and", "or"})


class Forms(Generic[Key]):
    """Phrases, each with a key."""

    def __init__(self, forms: Iterable[tuple[Form, Key]] = ()) -> None:
        self._by_first: dict[str, list[tuple[Form, Key]]] = {}
        for form, key in forms:
            self.add(form, key)

    def add(self, form: Form, key: Key) -> None:
        """Add a phrase."""
        self._by_first.setdefault(form[0], []).append((form, key))

    def found_in(self, lines: Lines) -> set[Key]:
        """Return the keys of the phrases in a text; a single letter counts only as an item of a list."""
        keys: set[Key] = set()
        for _, words in lines:
            for place, word in enumerate(words):
                for form, key in self._by_first.get(word, ()):
                    end = place + len(form)
                    if key not in keys and words[place:end] == form and _stands(words, place, end):
                        keys.add(key)
        return keys

    def longest_in(self, words: Form) -> Iterator[tuple[Form, Key | None]]:
        """Yield the words of a line, those of a phrase together, the longest at each place, with its key or None.

        >>> list(Forms([(("care",), 1), (("wound", "care"), 2)]).longest_in(("good", "wound", "care")))
        [(('good',), None), (('wound', 'care'), 2)]
        """
        place = 0
        while place < len(words):
            longest: tuple[Form, Key | None] = (words[place : place + 1], None)
            for form, key in self._by_first.get(words[place], ()):
                if words[place : place + len(form)] == form and (longest[1] is None or len(form) > len(longest[0])):
                    longest = form, key
            yield longest
            place += len(longest[0])


def _stands(words: Sequence[str], place: int, end: int) -> bool:
    """Say whether a phrase counts in its place; a single letter only as an item of a list."""
    if len(words[place]) > 1 or end - place > 1:
        return True
    before, after = words[place - 1 : place] if place else (), words[end : end + 1]
    return all(not side or side[0] in _ENDS for side in (before, after))


def items_of(lines: Lines) -> set[Form]:
    """Return the items of a text: between commas, other marks of a list, 'and', 'or', and the ends of lines.

    >>> sorted(items_of(lines_of("Wound care, triage and dialysis")))
    [('dialysis',), ('triage',), ('wound', 'care')]
    """
    items = set()
    for _, words in lines:
        begin = 0
        for end, word in enumerate((*words, BREAK)):
            if word in _ENDS:
                items.add(words[begin:end])
                begin = end + 1
    return items - {()}


#: How similar a label of the user's and one of O*NET must be to count as one, of 100 (the ratio of rapidfuzz), and the
#: fewest letters of those that are compared at all.
LEAST_SIMILARITY: Final = 92
FEWEST_LETTERS: Final = 5


def label_forms(label: str) -> frozenset[Form]:
    """Return the phrases of a label: as it is, without 'software', its acronym alone.

    >>> sorted(label_forms("Amazon Web Services AWS software"))
    [('amazon', 'web', 'services'), ('amazon', 'web', 'services', 'aws'), ('aws',)]
    >>> label_forms("C++")
    frozenset({('c++',)})
    """
    words = [word for word in label.replace("(", " ").replace(")", " ").split() if word]
    if len(words) > 1 and words[-1].lower() == "software":
        words = words[:-1]
    forms = {_form(words)}
    last = words[-1] if words else ""
    initials = "".join(word[0] for word in words[:-1]).lower()
    if len(words) > 2 and len(last) > 1 and last.isupper() and initials.endswith(last.lower()):
        forms |= {_form(words[:-1]), _form([last])}
    return frozenset(form for form in forms if form)


def _form(words: Sequence[str]) -> Form:
    return tuple(word for _, line in lines_of(" ".join(words)) for word in line if word != BREAK)


@cache
def known_labels() -> Mapping[str, frozenset[Form]]:
    """Return the technology of O*NET, with the phrases of each."""
    return {label: label_forms(label) for occupation in occupations() for label in occupation.technology}


@cache
def _by_form() -> Mapping[str, str]:
    return {" ".join(form): label for label, forms in known_labels().items() for form in forms}


@cache
def _known_label(label: str) -> str | None:
    """Return the label of O*NET that a user's label is the same as, or nearly so."""
    typed = " ".join(_form(label.split()))
    exact = _by_form().get(typed)
    if exact is not None or len(typed) < FEWEST_LETTERS:
        return exact
    try:
        from rapidfuzz import fuzz, process  # noqa: PLC0415 - an extra
    except ImportError as error:
        raise InputError("Mapping lists of skills needs rapidfuzz: pip install 'evenhand[match]'.") from error
    match = process.extractOne(typed, list(_by_form()), scorer=fuzz.ratio, score_cutoff=LEAST_SIMILARITY)
    return None if match is None else _by_form()[match[0]]


class Labels:
    """Numbered labels and terms that can be found in a text."""

    def __init__(self, labels: Iterable[str], terms: Iterable[Form] = ()) -> None:
        """Give labels numbers, and terms further ones; labels that are the same, normalised or in O*NET, share one."""
        self.names: list[str] = []
        self._numbers: dict[str | Form, int] = {}
        self._forms: Forms[int] = Forms()
        places: dict[object, int] = {}
        for label in labels:
            if label in self._numbers:
                continue
            known = _known_label(label)
            forms = label_forms(label)
            key: object = known if known is not None else forms
            if key not in places:
                places[key] = len(self.names)
                self.names.append(label)
                for form in forms | (known_labels()[known] if known is not None else frozenset()):
                    self._forms.add(form, places[key])
            self._numbers[label] = places[key]
        for term in terms:
            if term not in self._numbers:
                self._numbers[term] = len(self.names)
                self._forms.add(term, len(self.names))
                self.names.append(" ".join(term))

    def __len__(self) -> int:
        return len(self.names)

    def number(self, label: str | Form) -> int:
        """Return the number of a label or a term that was given."""
        return self._numbers[label]

    def found_in(self, lines: Lines) -> set[int]:
        """Return the numbers of the labels in a text; a single letter counts only as an item of a list.

        >>> labels = Labels(["Python", "C", "C++"])
        >>> sorted(labels.found_in(lines_of("Skills: python, C++; Type C cables, C")))
        [0, 1, 2]
        >>> labels.found_in(lines_of("Vitamin C, pythons"))
        set()
        """
        return self._forms.found_in(lines)


#: Levels of education, lowest first, as a page names them.
EDUCATION: Final = ("none named", "high school", "certificate", "associate", "bachelor", "master", "doctorate")
_DEGREES: Final = (
    lazy_re(r"\b(?:ged|high school|secondary school)\b"),
    lazy_re(r"(?<!school )\b(?:diploma|certificate|apprenticeship|postsecondary)\b"),
    lazy_re(r"\b(?:associate(?:'s)? (?:degree|of|in)|a\.a\.s?\.|foundation degree)"),
    lazy_re(r"\b(?:bachelor(?:'?s)?|undergraduate degree|b\.?sc|b\.a|b\.s|b\.eng)\b"),
    lazy_re(r"\b(?:master(?:'?s)? (?:of|in|degree)|master's|m\.?sc|m\.a|m\.s|mba|m\.eng|graduate degree)\b"),
    lazy_re(r"\b(?:doctor(?:ate)? (?:of|in)|doctorate|doctoral|ph\.?d|m\.d\.|juris doctor)"),
)
_RANKS: Final = {
    0: "intern trainee apprentice student",
    1: "junior assistant associate entry",
    3: "senior lead principal supervisor specialist expert",
    4: "manager head director chief vice president",
}
_LEVELS: Final = {word: level for level, words in _RANKS.items() for word in words.split()}
_PLAIN: Final = 2


def education_in(lines: Lines) -> int:
    """Return the highest level of education that a text names, a place in `EDUCATION`.

    >>> EDUCATION[education_in(lines_of("Bachelor of Science in Nursing"))]
    'bachelor'
    """
    return max(
        (level for line, _ in lines for level, pattern in enumerate(_DEGREES, 1) if pattern.search(line)), default=0
    )


def seniority_of(words: Sequence[str]) -> int:
    """Return the level of seniority that a job title names, 0 (a trainee) to 4 (a manager).

    >>> seniority_of(("senior", "software", "engineer")), seniority_of(("nurse",))
    (3, 2)
    """
    named = [_LEVELS[word] for word in words if word in _LEVELS]
    return max(named) if named else _PLAIN


_MONTHS: Final = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_MONTH: Final = rf"(?:(?:(?P<{{0}}>{'|'.join(_MONTHS)})[a-z]*\.?,?\s+|(?P<{{0}}n>0?[1-9]|1[0-2])[/.])?)"
_YEAR: Final = r"(?:19[5-9]\d|20\d\d)"
#: The end of 2019-05 or 2019-05-31 after the year.
_ISO: Final = r"(?:-(?P<{0}i>0[1-9]|1[0-2])(?:-(?:0[1-9]|[12]\d|3[01]))?(?!\d))?"
_FIRST: Final = rf"{_MONTH.format('m1')}(?P<first>{_YEAR}){_ISO.format('m1')}"
_LAST: Final = rf"{_MONTH.format('m2')}(?P<last>{_YEAR}){_ISO.format('m2')}"
_RANGE: Final = lazy_re(
    rf"(?<!\d){_FIRST}\s{{0,3}}(?:-{{1,2}}|to|until|till|through)\s{{0,3}}"
    rf"(?:{_LAST}(?!\d)|(?P<open>present|now|date|today|current|ongoing)\b)"
)
_SINCE: Final = lazy_re(rf"\bsince\s+{_FIRST}(?!\d)")
_NUMBER_WORDS: Final = "one two three four five six seven eight nine ten eleven twelve"
_NUMBERS: Final = {word: number for number, word in enumerate(_NUMBER_WORDS.split(), 1)}
_NUMBER: Final = rf"(\d{{1,2}}|{'|'.join(_NUMBERS)})"
_STATED: Final = lazy_re(rf"\b{_NUMBER}\+?\s+years")
_REQUIRED: Final = lazy_re(rf"\b{_NUMBER}(?:\s*(?:-|to)\s*{_NUMBER})?\+?\s+years?\b[^.\n]{{0,40}}\bexperience")
#: The length of a date without a month: half a year, where a job begins and ends in the same one.
_SHORTEST: Final = 0.5
#: A line with dates and fewer words than this names no job.
_FEWEST_WORDS: Final = 3


@dataclass(frozen=True, kw_only=True)
class Experience:
    """Years of work, since the last of them and in the longest gap between them; None without dates.

    `headings` are the numbers of the lines that name the jobs, `latest` that of the one that ended last. Where dates
    are alone in a line, the line before it names the job.
    """

    years: float | None = None
    since: float | None = None
    gap: float | None = None
    headings: tuple[int, ...] = ()
    latest: int | None = None


def experience_in(lines: Lines, *, as_of: float) -> Experience:
    r"""Return the years of work in a text; overlapping jobs count once, `as_of` is what 'present' means.

    >>> experience = experience_in(lines_of("Cook at Inn\n2010 - 2014\nChef, Jan 2013 to July 2016"), as_of=2020.0)
    >>> experience.years, experience.since, experience.latest
    (6.5, 3.5, 2)
    """
    spans: list[tuple[float, float, int]] = []
    for number, (line, words) in enumerate(lines):
        for first, end in _dates_in(line):
            last = as_of if end is None else end
            if first <= last <= as_of + 1:
                alone = sum(word.isalpha() for word in words) < _FEWEST_WORDS and number > 0
                spans.append((first, min(max(last, first + _SHORTEST), max(as_of, first)), number - alone))
    if not spans:
        return Experience(years=_stated_years(lines))
    spans.sort()
    total, gap, reach = 0.0, 0.0, spans[0][0]
    for first, last, _ in spans:
        gap = max(gap, first - reach)
        total += max(0.0, last - max(first, reach))
        reach = max(reach, last)
    latest = max(spans, key=lambda span: (span[1], span[0]))[2]
    headings = tuple(dict.fromkeys(number for *_, number in spans))
    return Experience(years=total, since=max(0.0, as_of - reach), gap=gap, headings=headings, latest=latest)


def _dates_in(line: str) -> Iterator[tuple[float, float | None]]:
    """Yield where ranges of dates begin and end in a line; lines without a year are skipped quickly."""
    if "19" in line or "20" in line:
        for match in (*_RANGE.finditer(line), *_SINCE.finditer(line)):
            groups = match.groupdict()
            last = int(groups["last"]) + _part(groups, "m2") if groups.get("last") else None
            yield int(groups["first"]) + _part(groups, "m1"), last


def latest_date(lines: Lines) -> float:
    """Return the latest date that a text names as the beginning or end of a job, 0 where there is none."""
    return max((end or 0.0 for line, _ in lines for date in _dates_in(line) for end in date), default=0.0)


def _part(groups: dict[str, str | None], name: str) -> float:
    """Return the part of the year that lies before a month."""
    word, number = groups.get(name), groups.get(f"{name}n") or groups.get(f"{name}i")
    month = _MONTHS.index(word) + 1 if word else int(number) if number else 1
    return (month - 1) / 12


def _number(text: str) -> float:
    return float(_NUMBERS.get(text) or text)


def _stated_years(lines: Lines) -> float | None:
    """Return the years that a text without dates states in words: 'nine years of experience'."""
    numbers = [_number(match[1]) for line, _ in lines for match in _STATED.finditer(line)]
    return max(numbers) if numbers else None


def required_years(lines: Lines) -> tuple[float | None, float | None]:
    """Return the fewest and the most years of experience that a position's text asks for.

    >>> required_years(lines_of("At least four years of experience. Two days of leave."))
    (4.0, None)
    """
    for line, _ in lines:
        match = _REQUIRED.search(line)
        if match is not None:
            return _number(match[1]), None if match[2] is None else _number(match[2])
    return None, None
