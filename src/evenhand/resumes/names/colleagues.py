"""Names of people one works beside, in phrases where only people stand: `took over the desk of Ann Roe when she left`.

Names in them need no capitals around and no list: a pair that does something together, inventors, those who answer for
somebody, a family name put first in a line of contact details.
"""

import re
from collections.abc import Iterator

from evenhand.resumes.names.kinds import kind_of
from evenhand.resumes.names.lists import given_names
from evenhand.resumes.names.rolls import NAME_SHAPE, may_be
from evenhand.resumes.plain import Plain, word_list

__all__ = ["colleagues"]

_NAME = rf"{NAME_SHAPE}(?:[ ](?:i|y|e)[ ][A-Z]\w+)?"
_ENDS = r"(?=[.,;:)\n\"]|$|[ ]\(|[ ](?:in|at|on|for|from|to|with|as|and|who|when|while|after|until|during)\b)"
#: Behind each of these words stand people, or a word that people follow.
_BEHIND = {
    "desk post chair shoes caseload seat stool workstation": re.compile(
        rf"[ ]of[ ]({_NAME})(?=[ ](?:when|after|while|until|as|who|for (?:two|three|a|some|six)|during)\b)"
    ),
    "team crew shift squad": re.compile(
        rf"[ ](?:of|under)[ ]({_NAME})(?:,?[ ](?:later|then|now)[ ]of[ ]({_NAME}))?{_ENDS}"
    ),
    "inventors inventor co-inventors co-inventor presenters co-presenters panellists panelists co-speakers organisers "
    "organizers instructors co-instructors editors co-editors translators curators": re.compile(
        rf"[: ][ ]?({_NAME})((?:,[ ]{_NAME}){{0,6}})(?:,?[ ](?:and|&)[ ]({_NAME}))?{_ENDS}"
    ),
    "references referees reference referee": re.compile(
        rf",[ ]({_NAME})(?:[ ](?:and|&)[ ]({_NAME}))?,[ \n](?:knows?|can|will|are|is|have|has|expects?|agreed|would|"
        r"may)\b"
    ),
    "together side": re.compile(
        rf"[ ](?:by[ ]side[ ])?with[ ]({_NAME})(?=,?[ ](?:I|we|on|in|at|for|during)\b|[.,;]|$)"
    ),
}
_BY_WORD = {word: pattern for words, pattern in _BEHIND.items() for word in words.split()}
_WORDS = word_list(_BY_WORD)
_ITEM = re.compile(_NAME)
_AND = word_list({"and"})
#: What stands before two people, and what they do or are together.
_FIRST = re.compile(rf"(?:^|[.!?:;,\"(\n*\u2022>-][ ]?|\bwith[ ])({_NAME})[ ]$")
_TOGETHER = re.compile(
    rf"[ ]({_NAME})[ ](?:were|are|was|shared?|maintain|run|ran|keep|kept|own|owned|hand|have|had|still|both|make|made|"
    r"sing|play|meet|met|founded|started|built|wrote|cook|organi[sz]ed?|gave|taught|and[ ]I)\b"
)
#: `Roe, Ann / Acme Ltd / ann@`.
_BY_FAMILY = re.compile(
    r"[ \t>*\u2022|-]*([A-Z][\w'-]+(?:[ ][A-Z][\w'-]+)?),[ ]([A-Z][\w'-]+)[ ][/|][ ][^\n/|]{2,40}[ ][/|][ ](?=\S+@)"
)
_LONGEST = 60


def colleagues(plain: Plain) -> list[str]:
    """Return names of people in phrases that only people stand in.

    >>> from evenhand.resumes.plain import plain_text
    >>> colleagues(plain_text("Inventors Cieslik, Pawlak and Okafor. Team of Ann Roe, later of Bo Lund."))
    ['Cieslik', 'Pawlak', 'Okafor', 'Ann Roe', 'Bo Lund']
    """
    return [*_behind(plain), *_together(plain), *_by_family(plain)]


def _behind(plain: Plain) -> Iterator[str]:
    for place in plain.places(_WORDS):
        word, _, end = plain.words[place]
        match = _BY_WORD[word].match(plain.text, end)
        if match is None:
            continue
        names = [name for group in match.groups("") for name in _ITEM.findall(group)]
        if all(map(_is_person, names)):
            yield from names


def _together(plain: Plain) -> Iterator[str]:
    """Yield two people who do something together, of whom one has two names or a frequent given name."""
    text = plain.text
    for place in plain.places(_AND):
        _, start, end = plain.words[place]
        if not text[end + 1 : end + 2].isupper():
            continue
        match = _TOGETHER.match(text, end)
        first = _FIRST.search(text, max(0, start - _LONGEST), start) if match is not None else None
        if match is None or first is None:
            continue
        names = [first.group(1), match.group(1)]
        if all(map(_is_person, names)) and any(" " in name or name.lower() in given_names() for name in names):
            yield from names


def _by_family(plain: Plain) -> Iterator[str]:
    text = plain.text
    place = text.find("@")
    while place >= 0:
        match = _BY_FAMILY.match(text, text.rfind("\n", 0, place) + 1)
        if match is not None:
            family, given = match.groups()
            if _is_person(given) and may_be(family):
                yield f"{given} {family}"
        last = text.find("\n", place)
        place = text.find("@", last) if last >= 0 else last


def _is_person(name: str) -> bool:
    """Say whether a name is a person's here: no place or firm, or behind a frequent given name."""
    first, _, rest = name.lower().partition(" ")
    if may_be(name):
        return bool(rest) or kind_of(first) == "name" or first in given_names()
    return bool(rest) and first in given_names() and kind_of(first) == "name" and kind_of(rest) == "other"
