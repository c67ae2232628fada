"""Names of other people in running text and in lists, by shape and by what stands around them.

Capitalised words that stand together are cut where an ordinary word is among them. What is left
is weighed twice: by shape (a frequent given name first, one frequent name, none, words only)
and by place (`slots`). The more a shape says, the less a place has to; a name in no list is found
where a person stands, so that a name's origin makes little difference. What a document has as
an employer (`at Halden Marsh`, a line with years) is no person elsewhere in it.
"""

import re
from collections.abc import Collection, Iterator
from typing import NamedTuple

from evenhand.resumes.names.around import ORGANISATION_AFTER, dated
from evenhand.resumes.names.kinds import is_ordinary, is_person_noun, kind_of
from evenhand.resumes.names.lists import given_names, is_no_person, surnames
from evenhand.resumes.names.slots import FULL_LINE, after_score, before_score
from evenhand.resumes.plain import Plain

__all__ = ["in_prose", "is_ordinary"]

_PARTICLE = (
    r"(?:van|von|de|der|den|del|della|di|da|do|dos|das|du|la|las|le|los|el|al|bin|binti|bint|ibn|ben|abu|ter|ten|zu|zum|"
    r"zur|af|av|e|y|vom|'t)"
)
_WORD = r"(?:St\.[ ]|(?:al|el|ul|as|ad|ar|az|ash|an|at)-)?(?:[dDlLO]'[A-Z]|[A-Z])\w*(?:'[a-z]{2,})?(?:-\w+)*"
_INITIAL = r"[A-Z]\.(?:[ -]?[A-Z]\.)*"
_BREAK = r"(?:[ ]{1,2}|\n(?:>[ ]?)*[ \t]*(?=[A-Z][a-z]))"
_RUN = re.compile(
    rf"(?<![\w'.@/&#-])(?:{_INITIAL}[ ]{{0,2}})?{_WORD}"
    rf"(?:{_BREAK}(?:{_PARTICLE}[ ]){{0,3}}(?:{_INITIAL}(?=[ ])|{_WORD}))+"
)
_TWO_CAPITALS = re.compile(r"[A-Z][^\s]*\s{1,3}(?:>\s?)?(?:[a-z']{1,5}[ -]){0,3}['(>]?[A-Z]")
_PIECE = re.compile(rf"{_INITIAL}(?=[ A-Z])|{_WORD}")
_CHAIN = re.compile(
    r"(?:[ ]\([^()\n]{1,24}\)|[ ]\d{4})?(?:,?[ \n](?:and|&|or|as well as|plus|y|e|et|und|with)|[,;]|[ ]/|[ ]\|)[ \n]"
    r"(?:(?:Dr|Mr|Mrs|Ms|Mx|Prof|Sir|Miss)\.?[ ]){0,2}$"
)
_AND = re.compile(r"[ \n](?:and|&|or|as well as|plus|y|e|et|und)[ \n]")
_SENTENCE_END = re.compile(r"(?:^|[.!?:;\u2022|(\"'\n*>\u2013\u2014\u25aa\u25cf\u00b7\u2023-])[ \t]*$")
_LOWER = re.compile(r"[a-z]{2}[ ,]{1,2}$")
_JOINED_BY = re.compile(rf"[ ](?:{_PARTICLE}[ ]){{1,3}}")
_GIVEN_SHAPE = re.compile(r"[A-Z][a-z]+-[a-z]+$")
_FAMILY_PARTICLES = re.compile(
    r"[ ](?:van|von|der|den|ter|bin|bint|binti|ibn|al|zu)[ ]|(?<!\w)(?:al|el|ul|ad|ar|as|az|ash|an)-[A-Z]"
)
_OFFICES_LISTED = "mayor governor minister bishop chancellor senator abbot marshal commander deacon canon chief rector"
_OFFICES = frozenset(_OFFICES_LISTED.split())
_CREDENTIALS = frozenset({"ca", "adv", "er", "ar", "cs", "cma", "cpa", "ips", "ias", "rn", "dr", "phd"})
_LABEL = re.compile(
    r"(?:s|e|board|team|staff|panel|cast|crew|band|faculty|jury)[ ]?:[ \n]{0,3}"
    r"(?:(?:Dr|Mr|Mrs|Ms|Mx|Prof|Sir|Rev|Judge)\b\.?[ ]){0,2}$"
)
_PAGE = re.compile(r"Page[ ]\d")
_LONGEST = 5
_FAR = 32
#: What a shape needs of its place.
_PLAIN = frozenset({"ordinary", "job"})
_NEED = {4: -1, 3: -1, 2: 1, 1: 1, 0: 2}


class _Run(NamedTuple):
    start: int
    end: int
    shape: int
    need: int
    before: int
    after: int
    listing: bool


def in_prose(plain: Plain, lines: Collection[int] = (), spared: Collection[int] = ()) -> list[str]:
    r"""Return names of two words or more that stand in a person's place.

    People stand at the beginning of `lines`; in `spared` ones nobody does besides who was found there already.

    >>> from evenhand.resumes.plain import plain_text
    >>> in_prose(plain_text("Assisted Taras Bondarchuk and Efua Asante with Power Query at Harlow Green."))
    ['Taras Bondarchuk', 'Efua Asante']
    """
    text = plain.text
    runs: list[_Run] = []
    for begin, stop in _runs(text):
        runs += _names_in(plain, begin, stop, lines)
    jobs = [_is_job_line(text, run) for run in runs]
    employers = {text[run.start : run.end] for run, job in zip(runs, jobs, strict=True) if run.before == -2 or job}
    found: list[str] = []
    for place, run in enumerate(runs):
        chained = _chained(text, runs, place, found)
        score = run.before + run.after + chained
        if run.shape < 3 or jobs[place]:
            if run.before < 2 and chained < 2 and text[run.start : run.end] in employers and run.shape < 4:
                continue
            if spared and run.before < 2 and text.rfind("\n", 0, run.start) + 1 in spared:
                continue
        if score >= run.need:
            found.append(_written(text, run))
    return found


def _written(text: str, run: _Run) -> str:
    return " ".join(text[run.start : run.end].replace(">", " ").split())


def _chained(text: str, runs: list[_Run], place: int, found: list[str]) -> int:
    """Return what a list says of one of its names: the name before, or the one after it, was or will be found."""
    run = runs[place]
    if place:
        earlier = runs[place - 1]
        if found and _written(text, earlier) == found[-1] and run.start - earlier.end < _FAR:
            gap = text[earlier.end : run.start]
            if _CHAIN.fullmatch(gap) is not None and (
                earlier.listing or _AND.search(gap) or _is_listed(text, runs, place)
            ):
                runs[place] = run._replace(listing=earlier.listing)
                return 2
    if place + 1 < len(runs):
        later = runs[place + 1]
        if later.after == 3 and _AND.match(text, run.end) is not None and _CHAIN.fullmatch(text, run.end, later.start):
            return 4
        if later.shape > 2 and later.start - run.end < _FAR and _AND.match(text, run.end) is not None:
            return int(_CHAIN.fullmatch(text, run.end, later.start) is not None and later.before >= -1)
    return 0


def _is_listed(text: str, runs: list[_Run], place: int) -> bool:
    """Say whether a name is one of three or more, or of those before an `and`: not a name and its employer."""
    run = runs[place]
    if place + 1 < len(runs) and runs[place + 1].start - run.end < _FAR:
        gap = text[run.end : runs[place + 1].start]
        if _CHAIN.fullmatch(gap) is not None:
            return True
    if place > 1 and run.start - runs[place - 2].end < 2 * _FAR:
        return _CHAIN.fullmatch(text[runs[place - 2].end : runs[place - 1].start]) is not None
    return _LIST_GOES_ON.match(text, run.end) is not None


_LIST_GOES_ON = re.compile(r",?[ ](?:and|&|et al)\b|,[ ][A-Z][\w'-]+(?:,| and | &)")


def _is_job_line(text: str, run: _Run) -> bool:
    """Say whether a name begins or stands in a line of jobs: with years, and no words in small letters."""
    first = text.rfind("\n", 0, run.start) + 1
    last = text.find("\n", run.end)
    line = text[first : last if last >= 0 else len(text)]
    return dated(text, run.end) and _SMALL.search(line) is None


_SMALL = re.compile(r"(?<![\w.-])(?!(?:to|of|and|for|the|present|now|current|till|until|at|in)\b)[a-z]{2,}[ ,]")


def _runs(text: str) -> Iterator[tuple[int, int]]:
    """Yield runs of two capitalised words or more."""
    quick = _TWO_CAPITALS.search(text)
    while quick is not None:
        begin = quick.start()
        while begin and (text[begin - 1].isalnum() or text[begin - 1] in "-'"):
            begin -= 1
        match = _RUN.match(text, begin)
        if match is None:
            quick = _TWO_CAPITALS.search(text, quick.start() + 1)
            continue
        stop = match.end()
        quick = _TWO_CAPITALS.search(text, stop)
        if "\n" in match.group():
            yield from _unbroken(text, begin, stop)
        else:
            yield begin, stop


def _unbroken(text: str, begin: int, stop: int) -> Iterator[tuple[int, int]]:
    """Yield the parts of a run; it goes on over the end of a full line only."""
    place = text.find("\n", begin, stop)
    while place >= 0:
        if place - text.rfind("\n", 0, place) < FULL_LINE:
            yield begin, place
            begin = place + 1
            while text[begin] in "> \t":
                begin += 1
        place = text.find("\n", place + 1, stop)
    yield begin, stop


def _names_in(plain: Plain, start: int, end: int, lines: Collection[int]) -> Iterator[_Run]:
    """Yield what is left of a run of capitalised words without the ordinary ones."""
    text, low = plain.text, plain.low
    pieces = [match.span() for match in _PIECE.finditer(text, start, end)]
    kinds = [_kind_here(plain, *piece) for piece in pieces]
    if all(kind in _PLAIN for kind in kinds):
        return
    if kinds[0] == "word" and len(pieces) > 2 and low[pieces[0][0] : pieces[0][1]] in _OFFICES:
        kinds[0] = "job"
    if len(pieces) == 2 and low[pieces[0][0] : pieces[0][1]] == "my" and low.startswith("'s", end):
        kinds[0] = "ordinary"  # 'My Tourette's is mild'
    for number in range(1, len(pieces)):
        after_particle = number > 1 and kinds[number - 1] == "particle" and kinds[number - 2] == "name"
        if kinds[number] == "ordinary" and (
            after_particle or _JOINED_BY.fullmatch(text, pieces[number - 1][1], pieces[number][0])
        ):
            kinds[number] = "word"  # Gilles de la Tour
    place = 0
    while place < len(pieces):
        if kinds[place] in {"ordinary", "job"}:
            place += 1
            continue
        last = place
        while last < len(pieces) and kinds[last] not in {"ordinary", "job"}:
            last += 1
        run = _weighed(plain, pieces, kinds, place, last, lines) if last - place > 1 else None
        if run is not None:
            yield run
        place = last


def _weighed(  # noqa: PLR0917, C901, PLR0912 - one line per veto
    plain: Plain, pieces: list[tuple[int, int]], kinds: list[str], first: int, last: int, lines: Collection[int]
) -> _Run | None:
    text, low = plain.text, plain.low
    while last > first + 1 and (kinds[last - 1] == "initial" or _PAGE.match(text, pieces[last - 1][0]) is not None):
        last -= 1
    here, stop = pieces[first][0], pieces[last - 1][1]
    if text[stop - 2 : stop] == "'s":
        stop -= 2
    possessive = text.startswith("'s", stop)
    shape = _shape(plain, pieces[first:last], kinds[first:last])
    if shape < 0 or is_no_person(low[here:stop]):
        return None
    marked = _FAMILY_PARTICLES.search(text, here, stop) is not None or any(
        kind == "initial" or _GIVEN_SHAPE.match(text, *piece) is not None
        for piece, kind in zip(pieces[first:last], kinds[first:last], strict=True)
    )
    if last < len(pieces) and kinds[last] != "initial" and "\n" not in text[stop : pieces[last][0]]:
        following = low[pieces[last][0] : pieces[last][1]]
        if shape < 3 or not is_person_noun(following):
            return None  # Halden Marsh Logistics
    if ORGANISATION_AFTER.match(text, stop) is not None:
        return None
    capitals = text[here:stop].isupper()
    begins = _SENTENCE_END.search(text, max(0, here - 4), here) is not None
    before = before_score(plain, here)
    if possessive and before == -2:
        before = -1
    if first:
        if low[pieces[first - 1][0] : pieces[first - 1][1]] in _CREDENTIALS:
            before = max(before, before_score(plain, pieces[first - 1][0]))
        word = low[pieces[first - 1][0] : pieces[first - 1][1]]
        job = is_person_noun(word) or kinds[first - 1] == "job"
        if first > 1 and not job and shape < 3 and before < 2:
            return None
        sentence = _LOWER.search(text, max(0, pieces[0][0] - 4), pieces[0][0]) is not None or (
            first > 1 and low[pieces[0][0] : pieces[0][1]].endswith("ed")
        )
        if job and not sentence and before == 2 and after_score(plain, stop) < 1 and is_person_noun(word):
            before = 0 if (first > 1 and shape < 2) or dated(text, stop) else 2  # the line of a job, not a sentence
        if first == 1 and not job and not sentence and before < 1:
            opens = _SENTENCE_END.search(text, max(0, pieces[0][0] - 4), pieces[0][0]) is not None
            if not opens and shape < 3:
                return None
    if begins and lines and text.rfind("\n", 0, here) + 1 in lines:
        before = max(before, 2)
    after = after_score(plain, stop)
    if begins and shape < 2 and after == 1 and before == 0 and _is_job_head(text, here, stop):
        after = 0
    need = _NEED[shape]
    if capitals:
        need = max(need, 2 if shape < 2 else 1)
    elif marked and shape:
        need = min(need, 0)
    listing = before > 0 and _LABEL.search(text, max(0, here - 24), here) is not None
    return _Run(here, stop, shape, need, before, after, listing)


def _is_job_head(text: str, start: int, end: int) -> bool:
    """Say whether the next line has years, as below an employer's name."""
    line = text.find("\n", end)
    return line >= 0 and text.rfind("\n", 0, start) >= 0 and dated(text, line + 1)


def _shape(plain: Plain, pieces: list[tuple[int, int]], kinds: list[str]) -> int:  # noqa: PLR0911 - one line per shape
    """Return how sure a shape is a person's name.

    4: a frequent given name and a frequent surname; 3: a frequent given name and another; 2: one frequent name;
    1: none; 0: words that are names as well; -1: no name.
    """
    named = [
        (plain.low[start:end].removesuffix("'s"), kind)
        for (start, end), kind in zip(pieces, kinds, strict=True)
        if kind not in {"initial", "particle"}
    ]
    initials = "initial" in kinds
    if not named or len(named) + initials < 2 or len(named) > _LONGEST:
        return -1
    given, family = given_names(), surnames()
    (first, _), (last, last_kind) = named[0], named[-1]
    begins, ends = _is_in(first, given), _is_in(last, family)
    clean = [kind == "name" for _, kind in named]
    if len(named) == 1:
        return 2 if clean[0] else 0
    if not any(clean):
        return 0 if last_kind == "word" or ends or (begins and last_kind != "particle") else -1
    if begins and clean[0]:
        if ends and last_kind == "name":
            return 4
        return 3 if last_kind in {"name", "word"} or ends else 2
    if begins and ends and clean[-1]:
        return 4
    if begins or any(kind == "name" and (word in given or word in family) for word, kind in named):
        return 2
    return 1


def _is_in(word: str, listed: Collection[str]) -> bool:
    return word in listed or ("-" in word and any(part in listed for part in word.split("-")))


def _kind_here(plain: Plain, start: int, end: int) -> str:  # noqa: PLR0911 - one line per kind
    text = plain.text
    low = plain.low[start:end]
    kind = kind_of(low)
    if kind in _PLAIN and low not in _CAPITAL_INSIDE and low[1:2] != "." and "." not in low:
        return kind
    if low[1:2] == ".":
        return "initial"
    if "'" in low or "." in low:
        low = low.removesuffix("'s").removeprefix("st. ")
        kind = kind_of(low)
    if low in _CAPITAL_INSIDE and _INSIDE.search(text, max(0, start - 3), start) is not None:
        return "word"  # 'with She Ying': pronouns have no capital here
    if kind == "particle" and low in _NAMES_TOO:
        return "word"
    if kind == "name":
        if text[start:end].isupper() and end - start < 5 and not _in_capitals(text, start, end):
            return "initial" if end - start == 1 else "ordinary"  # an abbreviation: SAP, NHS
        if any(letter.isdigit() for letter in low):
            return "ordinary"
        if low not in given_names() and low not in surnames() and _is_written_small(plain, low):
            return "ordinary"
    return kind


_CAPITAL_INSIDE_LISTED = "she my so you do no he her be an on to we sow min"
_CAPITAL_INSIDE = frozenset(_CAPITAL_INSIDE_LISTED.split())
_INSIDE = re.compile(r"[a-z,][ ]$|[A-Z]\w*[ ]$")
#: They look like particles, and begin names as well.
_NAMES_TOO = frozenset({"bin", "do", "van", "ben", "le", "mac", "la", "de", "von"})


def _in_capitals(text: str, start: int, end: int) -> bool:
    """Say whether the words beside one are in capitals as well."""
    left, right = text[max(0, start - 12) : start], text[end : end + 12]
    return (left + right).isupper() and sum(letter.isalpha() for letter in left + right) > 3


def _is_written_small(plain: Plain, low: str) -> bool:
    """Say whether a word stands in small letters elsewhere in the document."""
    return any(
        plain.text[plain.words[place][1] : plain.words[place][2]].islower()
        and plain.text[plain.words[place][1] - 1 : plain.words[place][1]] in {" ", "\n", ""}
        and plain.text[plain.words[place][2] : plain.words[place][2] + 1] not in {"@", ".", "_"}
        for place in plain.where.get(low, ())
    )
