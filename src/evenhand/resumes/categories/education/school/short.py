"""Names of schools in short: UCLA, IIT Bombay, and Oxford where studying is told of."""

import re
from functools import cache

from evenhand.patterns import lazy_re
from evenhand.resumes.categories.education.school.words import PART_AFTER, SCHOOL_WORDS, listed
from evenhand.resumes.categories.education.studies import Studies
from evenhand.resumes.text.folded_text import FoldedText, folded_text

__all__ = ["names_in_short"]

#: A measure beside a fraction: `0.81 AUC`, `an AUC of 0.84`; a licence: `(c) 2024 Jo Lee. MIT.`
_FRACTION_BEFORE = lazy_re(r"[a-z,(=:] ?\d?\.\d+ $", re.IGNORECASE)
_NO_SCHOOL_HERE = lazy_re(r"(?:[ ]?(?:of|[=:>]|score of|above|around|at)[ ]?\d?\.\d)")
_COPYRIGHT = lazy_re(r"(?:\u00a9|\([cC]\)|[Cc]opyright)[^\n]{0,60}$")
#: What stands before a town that is a school: it is a part of its line.
_PART_BEFORE = lazy_re(r"(?:^|[,|(\n\t:;•\"-]|[ ]{2}|\b(?:at|from|of|and|[Tt]he))[ ]*$")


@cache
def _short() -> dict[str, list[tuple[str, str]]]:
    """Return names in short and their rule by their first word in lower case, the longest first."""
    found: dict[str, list[tuple[str, str]]] = {}
    for rule in ("known", "prefix", "bare", "context"):
        for phrase in listed(rule):
            written = folded_text(phrase).text
            found.setdefault(_WORD.findall(written.lower())[0], []).append((written, rule))
    for phrases in found.values():
        phrases.sort(key=lambda each: (-len(each[0]), each[1] != "prefix"))
    return found


@cache
def _first_words() -> frozenset[str]:
    return frozenset(_short())


_WORD = lazy_re(r"[^\W_]+(?:'[^\W_]+)*")
#: A `_` after a blank is a sign of emphasis.
_SIGN = lazy_re(r"[-.@/]\Z|(?<=[^\s*(])_\Z")
_BRIEF = 4
_PLACE = lazy_re(
    r"(?:[ -]|, (?=[A-Z]))(?:No\. ?|(?:w|we|v|ve|di|de|do|da|na) )?(?:[A-Z][\w'-]*|\d{1,3})"
    r"(?:[ -](?:de[ ]|of[ ])?[A-Z][\w'-]+){0,2}"
)


def names_in_short(folded: FoldedText, studies: Studies, named: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """Return where names in short stand; `named` are the names that were found in full.

    >>> seen = folded_text("IIT Bombay, MIT; under an MIT licence")
    >>> [seen.text[start:end] for start, end in names_in_short(seen, Studies(seen, None), [])]
    ['IIT Bombay', 'MIT']
    """
    found: list[tuple[int, int]] = []
    text, table = folded.text, _short()
    done = 0
    for place in folded.places(_first_words()):
        start = folded.words[place][1]
        if start < done or _SIGN.search(text, max(0, start - 2), start) is not None:
            continue
        for phrase, rule in table[folded.words[place][0]]:
            end = start + len(phrase)
            if not _is_written(text, start, phrase, rule) or (
                text[end : end + 1].isalnum() or text[end : end + 1] == "@"
            ):
                continue
            last = _end(text, (start, end), rule, studies, named)
            if last:
                found.append((start, last))
                done = last
                break
    return found


def _is_written(text: str, start: int, phrase: str, rule: str) -> bool:
    """Say whether a name stands here as it is written, or in capitals in a line that is all capitals: PUC-RIO."""
    if text.startswith(phrase, start):
        return True
    loud = phrase.upper()
    return rule == "known" and len(phrase) > _BRIEF and text.startswith(loud, start) and _is_loud(text, start)


def _end(text: str, span: tuple[int, int], rule: str, studies: Studies, named: list[tuple[int, int]]) -> int:
    """Return where a name in short ends, 0 where it is none."""
    start, end = span
    if (
        _FRACTION_BEFORE.search(text, max(0, start - 9), start) is not None
        or (rule in {"prefix", "context"} and _is_loud(text, start))
        or (rule != "prefix" and SCHOOL_WORDS.no_name_after.match(text, end) is not None)
        or _NO_SCHOOL_HERE.match(text, end) is not None
        or (rule == "bare" and _COPYRIGHT.search(text, max(0, start - 64), start) is not None)
    ):
        return 0
    if rule == "context":
        line = text.rfind("\n", 0, start), text.find("\n", end) % (len(text) + 1)
        beside = any(line[0] < first < line[1] for first, _ in named)
        alone = _PART_BEFORE.search(text, max(0, start - 12), start) and PART_AFTER.match(text, end)
        return end if alone and not beside and studies.told(start) else 0
    kind: re.Match[str] | None = SCHOOL_WORDS.kind_after.match(text, end)
    if kind is not None and rule != "prefix":
        return kind.end()
    place = _PLACE.match(text, end) if rule != "bare" and not (rule == "known" and _is_loud(text, start)) else None
    if place is None:
        return 0 if rule == "prefix" else end
    if rule == "prefix":
        return place.end()
    goes_on = text[end] == " " and PART_AFTER.match(text, place.end()) is not None and studies.told(start)
    return place.end() if goes_on else end


def _is_loud(text: str, start: int) -> bool:
    """Say whether a line is all capitals: UP is a word there."""
    last = text.find("\n", start)
    return text[text.rfind("\n", 0, start) + 1 : last if last >= 0 else len(text)].isupper()
