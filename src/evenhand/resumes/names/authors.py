"""Authors in a list of publications: `Umeh, S., She, R. (2021)`, `J. Doe and A. Roe, 2019`."""

import re

from evenhand.resumes.names.shapes import looks_like_a_name
from evenhand.resumes.plain import Plain

__all__ = ["authors"]

_YEAR = re.compile(r"\((?:19|20)\d\d[a-z]?(?:,[^)]{0,20})?\)|[,.] (?:19|20)\d\d[.,;:]")
_NUMBER = re.compile(r"^[ \t]*(?:[-•*–][ ]*)?(?:\[?\d{1,3}[\].)]+[ ]*)?")
_INITIALS = re.compile(r"(?:[A-Z]\.?[ -]?){1,4}$")
_BEFORE_INITIALS = re.compile(r"^(?:[A-Z]\.[ -]?){1,3}")
_AFTER_INITIALS = re.compile(r"[ ](?:[A-Z]\.?[ -]?){1,3}$")
_SPLIT = re.compile(r",[ ]?(?:and |& )?| and | & |;[ ]?|\bet al\.?")
_ONE_WORD = re.compile(r"[A-Z][a-z]{1,20}")
_LONGEST = 160
_FEWEST = 4


def authors(plain: Plain) -> list[str]:
    r"""Return surnames, with given names where these are written out.

    >>> from evenhand.resumes.plain import plain_text
    >>> authors(plain_text("1. Umeh, S., She, R. (2021). Queueing at the clinic."))
    ['Umeh', 'She']
    """
    found = []
    text = plain.text
    for match in _YEAR.finditer(text):
        begin = max(text.rfind("\n", 0, match.start()) + 1, match.start() - _LONGEST)
        head = _NUMBER.sub("", text[begin : match.start()]).rstrip(" .,")
        if len(head) < _FEWEST or ":" in head or '"' in head:
            continue
        found += _listed(head)
    return found


def _listed(head: str) -> list[str]:
    pieces = [piece.strip() for piece in _SPLIT.split(head) if piece and piece.strip()]
    initialled = sum(
        1
        for piece in pieces
        if _INITIALS.fullmatch(piece) or _BEFORE_INITIALS.match(piece) or _AFTER_INITIALS.search(piece)
    )
    if not initialled:
        # A single author without initials: 'Saraswati (2007)'.
        return pieces if len(pieces) == 1 and len(pieces[0].split()) < 3 and looks_like_a_name(pieces[0]) else []
    names = []
    for piece in pieces:
        bare = _AFTER_INITIALS.sub("", _BEFORE_INITIALS.sub("", piece)).strip()
        if (not _INITIALS.fullmatch(piece) and looks_like_a_name(bare, loose=True)) or (
            _ONE_WORD.fullmatch(bare) and not _INITIALS.fullmatch(piece)
        ):
            names.append(bare)
        elif not _INITIALS.fullmatch(piece):
            return names if len(names) > 1 else []
    return names
