"""Names of other people in running text and in lists, by shape and by what stands around them.

Capitalised words that stand together are cut where an ordinary word is among them. What is left
is weighed twice: by shape (a frequent given name first, one frequent name, none, words only)
and by place (`slots`). The more a shape says, the less a place has to; a name in no list is found
where a person stands, so that a name's origin makes little difference. What a document has as
an employer (`at Halden Marsh`, a line with years) is no person elsewhere in it.
"""

from collections.abc import Collection, Iterator
from typing import NamedTuple

from evenhand.patterns import lazy_re
from evenhand.resumes.names.around import AROUND_WORDS, dated
from evenhand.resumes.names.kinds import is_ordinary, is_person_noun
from evenhand.resumes.names.lists import is_no_person
from evenhand.resumes.names.others.run_shapes import shape_of
from evenhand.resumes.names.others.runs import OTHER_NAME_WORDS, PLAIN, pieces_of, runs_in
from evenhand.resumes.names.slots import after_score, before_score
from evenhand.resumes.text.folded_text import FoldedText

__all__ = ["in_prose", "is_ordinary"]

_AND = lazy_re(r"[ \n](?:and|AND|&|or|as well as|plus|y|e|et|und)[ \n]")
_SENTENCE_END = lazy_re(r"(?:^|[.!?:;\u2022|(\"'\n*>\u2013\u2014\u25aa\u25cf\u00b7\u2023-])[ \t]*$")
_LOWER = lazy_re(r"[a-z]{2}[ ,]{1,2}$")
_GIVEN_SHAPE = lazy_re(r"[A-Z][a-z]+-[a-z]+$")
_PAGE = lazy_re(r"Page[ ]\d")
_FAR = 32
#: What a shape needs of its place.
_NEED = {4: -1, 3: -1, 2: 1, 1: 1, 0: 2}


class _Run(NamedTuple):
    start: int
    end: int
    shape: int
    need: int
    before: int
    after: int
    listing: bool


def in_prose(folded: FoldedText, lines: Collection[int] = (), spared: Collection[int] = ()) -> list[str]:
    r"""Return names of two words or more that stand in a person's place.

    People stand at the beginning of `lines`; in `spared` ones nobody does besides who was found there already.

    >>> from evenhand.resumes.text.folded_text import folded_text
    >>> in_prose(folded_text("Assisted Taras Bondarchuk and Efua Asante with Power Query at Harlow Green."))
    ['Taras Bondarchuk', 'Efua Asante']
    """
    text = folded.text
    runs: list[_Run] = []
    for begin, stop in runs_in(folded):
        runs += _names_in(folded, begin, stop, lines)
    jobs = [_is_job_line(text, run) for run in runs]
    employers = {
        text[run.start : run.end]
        for run, job in zip(runs, jobs, strict=True)
        if run.before == -2 or (job and run.before < 1)
    }
    found: list[str] = []
    for place, run in enumerate(runs):
        chained = _chained(text, runs, place, found)
        score = run.before + run.after + chained
        if run.shape < 3 or jobs[place]:
            if (
                (run.before < 3 and not run.listing)
                and chained < 2
                and text[run.start : run.end] in employers
                and run.shape < 4
            ):
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
            if OTHER_NAME_WORDS.chain.fullmatch(gap) is not None:
                runs[place] = run._replace(listing=earlier.listing)
                return 2
    if place + 1 < len(runs):
        later = runs[place + 1]
        if (
            later.after == 3
            and _AND.match(text, run.end) is not None
            and OTHER_NAME_WORDS.chain.fullmatch(text, run.end, later.start)
        ):
            return 4
        if later.shape > 2 and later.start - run.end < _FAR and _AND.match(text, run.end) is not None:
            return int(OTHER_NAME_WORDS.chain.fullmatch(text, run.end, later.start) is not None and later.before >= -1)
    return 0


def _is_job_line(text: str, run: _Run) -> bool:
    """Say whether a name begins or stands in a line of jobs: with years, and no words in small letters."""
    if not dated(text, run.end):
        return False
    last = text.find("\n", run.end)
    return (
        OTHER_NAME_WORDS.small.search(text[text.rfind("\n", 0, run.start) + 1 : last if last >= 0 else len(text)])
        is None
    )


def _names_in(folded: FoldedText, start: int, end: int, lines: Collection[int]) -> Iterator[_Run]:
    """Yield what is left of a run of capitalised words without the ordinary ones."""
    pieces, kinds = pieces_of(folded, start, end)
    place = 0
    while place < len(pieces):
        if kinds[place] in PLAIN:
            place += 1
            continue
        last = place
        while last < len(pieces) and kinds[last] not in PLAIN:
            last += 1
        run = _weighed(folded, pieces, kinds, place, last, lines) if last - place > 1 else None
        if run is not None:
            yield run
        place = last


def _weighed(  # noqa: PLR0917, C901, PLR0912 - one line per veto
    folded: FoldedText, pieces: list[tuple[int, int]], kinds: list[str], first: int, last: int, lines: Collection[int]
) -> _Run | None:
    text, low = folded.text, folded.low
    while last > first + 1 and (kinds[last - 1] == "initial" or _PAGE.match(text, pieces[last - 1][0]) is not None):
        last -= 1
    here, stop = pieces[first][0], pieces[last - 1][1]
    if text[stop - 2 : stop] == "'s":
        stop -= 2
    possessive = text.startswith("'s", stop)
    shape = shape_of(folded, pieces[first:last], kinds[first:last])
    if shape < 0 or is_no_person(low[here:stop]):
        return None
    if last < len(pieces) and kinds[last] != "initial" and "\n" not in text[stop : pieces[last][0]]:
        following = low[pieces[last][0] : pieces[last][1]]
        decorated = following in OTHER_NAME_WORDS.honours and text[pieces[last][0] : pieces[last][1]].isupper()
        if decorated or following in OTHER_NAME_WORDS.small_words:
            pass
        elif shape < 3 or not is_person_noun(following):
            return None  # Halden Marsh Logistics
    if AROUND_WORDS.organisation_after.match(text, stop) is not None:
        return None
    before = before_score(folded, here)
    if possessive and before == -2:
        before = -1
    if first:
        if low[pieces[first - 1][0] : pieces[first - 1][1]] in OTHER_NAME_WORDS.credentials:
            before = max(before, before_score(folded, pieces[first - 1][0]))
        word = low[pieces[first - 1][0] : pieces[first - 1][1]]
        job = is_person_noun(word) or kinds[first - 1] == "job"
        if first > 1 and not job and shape < 3 and before < 2:
            return None
        sentence = _LOWER.search(text, max(0, pieces[0][0] - 4), pieces[0][0]) is not None or (
            first > 1 and low[pieces[0][0] : pieces[0][1]].endswith("ed")
        )
        if job and not sentence and before == 2 and after_score(folded, stop) < 1 and is_person_noun(word):
            heads = low[pieces[0][0] : pieces[0][1]] not in {"dear", "hello", "hi"}
            before = 0 if heads and ((first > 1 and shape < 2) or dated(text, stop)) else 2  # a job's line, no sentence
        alone = first == 1 and not job and not sentence
        if alone and before < 1 and shape < 3 and not _begins(text, pieces[0][0]):
            return None
    if lines and text.rfind("\n", 0, here) + 1 in lines and _begins(text, here):
        before = max(before, 2)
    after = after_score(folded, stop)
    if before == -1 and after > 1:
        before = 0  # 'for Ann Roe, head of legal'
    if shape < 2 and after == 1 and before == 0 and _begins(text, here) and _is_job_head(text, here, stop):
        after = 0
    need = _NEED[shape]
    if text[here:stop].isupper():
        need = max(need, 2 if shape < 2 else 1)
    elif shape and need > 0 and _is_marked(text, pieces[first:last], kinds[first:last], stop):
        need = min(need, 0)
    listing = before > 0 and OTHER_NAME_WORDS.label.search(text, max(0, here - 24), here) is not None
    return _Run(here, stop, shape, need, before, after, listing)


def _begins(text: str, place: int) -> bool:
    """Say whether a line, a sentence or what stands in brackets begins at a place."""
    return _SENTENCE_END.search(text, max(0, place - 4), place) is not None


def _is_marked(text: str, pieces: list[tuple[int, int]], kinds: list[str], stop: int) -> bool:
    """Say whether a family's particle, an initial or a hyphen as in Jun-ho makes words a name."""
    return (
        "initial" in kinds
        or OTHER_NAME_WORDS.family_particles.search(text, pieces[0][0], stop) is not None
        or any(_GIVEN_SHAPE.match(text, *piece) is not None for piece in pieces)
    )


def _is_job_head(text: str, start: int, end: int) -> bool:
    """Say whether the next line has years, as below an employer's name."""
    line = text.find("\n", end)
    return line >= 0 and text.rfind("\n", 0, start) >= 0 and dated(text, line + 1)
