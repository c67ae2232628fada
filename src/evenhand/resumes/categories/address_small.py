"""Lines of contact details without capitals, as another writer has them: addresses are looked for in these."""

import re

from evenhand.resumes.layout import Layout
from evenhand.resumes.plain import Plain, plain_text

__all__ = ["lines_in_small_letters", "with_capitals"]

_WORD = re.compile(r"[^\W\d_]+")
_LINKS = frozenset(
    {"of", "the", "and", "in", "at", "on", "to", "for", "with", "is", "by", "de", "la", "du", "des", "i", "we", "from",
     "my", "as", "or", "was", "near", "upon"}
)  # fmt: skip
#: Somewhere a number and a comma, or a number and a word of streets.
_LIKELY = re.compile(
    r"\d.*,|,.*\d|\d[^,]*\b(?:street|st|road|rd|ave|avenue|lane|drive|way|close|court|place|terrace)\b"
)
_NO_ADDRESS = re.compile(
    r"^[•*>+-] ?|^.*\b(?:and|with|i|for|was|were|to|ran|led|staff|clients|customers|years|months)\b|"
    r"^[\s\d()+./-]*$|^\S+@\S+$|^https?:"
)
_LONGEST = 200


def lines_in_small_letters(plain: Plain, layout: Layout) -> list[tuple[int, int]]:
    r"""Return lines without capitals that can hold an address.

    >>> from evenhand.resumes.layout import layout_of
    >>> from evenhand.resumes.plain import plain_text
    >>> seen = plain_text("jo lee\n4 elm road, leeds ls1 4dy\nran 3 shops")
    >>> [seen.text[start:end] for start, end in lines_in_small_letters(seen, layout_of(seen))]
    ['4 elm road, leeds ls1 4dy']
    """
    found = []
    for line in layout.lines:
        if line.section in {"work", "education"} and "@" not in plain.low[line.start : line.end]:
            continue
        text = plain.text[line.start : line.end]
        if len(text) < _LONGEST and text.islower() and _LIKELY.search(text) and _NO_ADDRESS.match(text) is None:
            found.append((line.start, line.end))
    return found


def with_capitals(plain: Plain, spans: list[tuple[int, int]]) -> Plain | None:
    """Return a text with capitals in these lines; None where its length would not stay.

    >>> with_capitals(plain_text("4 elm road, leeds ls1 4dy"), [(0, 25)]).text
    '4 Elm Road, Leeds LS1 4DY'
    """
    pieces, done = [], 0
    for start, end in spans:
        pieces += [plain.text[done:start], _CODE.sub(_upper, _capitals(plain.text[start:end]))]
        done = end
    written = plain_text("".join([*pieces, plain.text[done:]]))
    return written if len(written.text) == len(plain.text) else None


_CODE = re.compile(r"\b[A-Za-z]{1,2}\d[A-Za-z\d]? ?\d[A-Za-z]{2}\b")


def _upper(match: re.Match[str]) -> str:
    return match.group().upper()


def _capitals(line: str) -> str:
    return _WORD.sub(
        lambda word: word.group() if word.group() in _LINKS and word.start() else word.group().capitalize(), line
    )
