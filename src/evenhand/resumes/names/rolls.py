"""Single names and bare surnames where people are listed or followed: `Crew list: Park, van der Meer and me`.

Each place says for itself that people stand there, so that one word does; where a firm or a thing might, the word has
to be a frequent name. All are looked for from words of the index.
"""

import re
from collections.abc import Iterator

from evenhand.resumes.names.kinds import kind_of
from evenhand.resumes.names.lists import SURNAMES_TOO, given_names, is_no_person, surnames
from evenhand.resumes.plain import Plain, word_list

__all__ = ["AGAIN", "NAME_SHAPE", "may_be"]

_PARTICLE = r"(?:(?:van|von|de|der|den|del|della|di|da|dos|du|la|le|el|al|bin|bint|ibn|ter|ten|zu)[ ]){0,2}"
_ONE = r"(?:(?:al|el|ul|[ADO])[-'])?[A-Z][\w']*(?:-[A-Za-z]\w*)?"
NAME_SHAPE = rf"{_PARTICLE}{_ONE}(?:[ ](?:[A-Z]\.[ ])?{_ONE})?"
_ENDED = r"(?![\w@/-])(?!'\w{2})"
_JOIN = r"(?:,[ ](?:and[ ]|&[ ]|then[ ])?|[ ](?:and|&|\+|/|then)[ ]|;[ ])"
_ITEM = re.compile(rf"({NAME_SHAPE}){_ENDED}")
_NEXT = re.compile(rf"{_JOIN}(?:(me|myself|I)\b|({NAME_SHAPE}){_ENDED})")
_MOST = 14

#: `Shadowed Ana in month one, Rose in month two`.
AGAIN = re.compile(
    r"[ ](in|on|at|for|from|until|during|by|to|every)[ ][a-z0-9 ]{2,20},[ ](?:(?:then|and|later)[ ])?"
    r"([A-Z][a-z']+(?:-[A-Za-z][a-z]+)?)[ ]\1\b"
)
#: The last word of a label that names of people follow.
_LISTS_LISTED = (
    "crew team squad rota shift roster staff panel present attendees attending line-up lineup cast board quartet trio "
    "duo list two three four five six seven eight pair colleagues bench brigade tandem members people pod unit group "
    "juniors trainees interns apprentices helpers starters partners peers mentees buddies"
)
_LISTS = word_list(_LISTS_LISTED.split())


def _kinds(written: str) -> list[str]:
    return [
        kind_of(word.lower().removesuffix("'s")) for word in written.split() if word[0].isupper() and word[1:2] != "."
    ]


def _is_listed(written: str) -> bool:
    """Say whether a word of a name is a frequent one."""
    words = [part for word in written.lower().split() for part in (word.removesuffix("'s"), *word.split("-"))]
    return any(word in given_names() or word in surnames() for word in words)


def may_be(written: str, *, loose: bool = False) -> bool:
    """Say whether a name may be meant: no ordinary word; a place or a job only where it is a surname too."""
    kinds = _kinds(written)
    if not kinds or (written.isupper() and " " not in written) or is_no_person(written.lower()):
        return False
    for kind, word in zip(kinds, (each for each in written.split() if each[0].isupper()), strict=False):
        low = word.lower().removesuffix("'s")
        if kind in {"name", "word", "particle"} or low in SURNAMES_TOO:
            continue
        if kind == "other" and (loose or " " in written) and (low in surnames() or low in given_names()):
            continue
        return False
    return True


def _listed(plain: Plain) -> Iterator[tuple[int, int]]:
    """Yield the items of lists behind a label: `Crew list:`, `Team of four:`."""
    text = plain.text
    for place in plain.places(_LISTS):
        end = plain.words[place][2]
        if text[end : end + 2] != ": ":
            continue
        first = _ITEM.match(text, end + 2)
        if first is None:
            continue
        spans, stop, self_too = [first.span(1)], first.end(), False
        while len(spans) < _MOST and (more := _NEXT.match(text, stop)) is not None:
            stop = more.end()
            if more.group(1):
                self_too = True
                break
            if more.group().startswith(";") and not may_be(more.group(2), loose=True):
                break  # what else was done
            spans.append(more.span(2))
        items = [text[start:last] for start, last in spans]
        if len(items) + self_too < 2 or not all(may_be(item, loose=True) for item in items):
            continue
        names = sum("name" in _kinds(item) and _is_listed(item) for item in items)
        known = sum(map(_is_listed, items))
        if self_too or (names and 2 * known >= len(items)):
            yield from spans
