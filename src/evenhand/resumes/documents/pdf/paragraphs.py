"""Lines of a page joined to paragraphs where they only go on."""

from collections.abc import Sequence
from dataclasses import dataclass

from evenhand.patterns import lazy_re
from evenhand.resumes.documents.pdf.cells import is_date, is_label, section_of
from evenhand.resumes.documents.pdf.layout import BULLETS, Line
from evenhand.resumes.names.own.told import is_own_label
from evenhand.resumes.text.folded_text import folded_word

__all__ = ["Paragraph", "paragraphs_of"]

#: Lines of a narrower block are joined only where the next begins in lower case.
_NARROW = 20.0
#: Blank space between lines of one paragraph, and within an address, in letter sizes.
_LINE_GAP, _TORN_GAP = 0.7, 1.5
#: Sections that begin with somebody's name.
_OF_PEOPLE = frozenset({"references", "contact", "personal"})
#: What an address is made of.
_ADDRESS = lazy_re(r"[\w.+/@:%~?=&#-]+")
#: Capitals that are a heading, whatever they say.
_FEWEST_CAPITALS, _MOST_WORDS = 5, 4
#: What a sentence does not end with: it goes on on the next line.
_GOING_ON_LISTED = "a an and as at by for from in into of on or since the to until with & und der die das y de et la le"
_GOING_ON = frozenset(_GOING_ON_LISTED.split())
_PERIOD = lazy_re(r"(?:[^\W\d_]{3,9}\.? )?(?:\d\d?[./])?(?:19|20)\d\d[ ]?(?:[-–—:|]|to\b|$)")
_LABELLED = lazy_re(r"([^\W\d_][^:@/]{1,30}):(?=[ ])")


@dataclass(frozen=True, kw_only=True)
class Paragraph:
    """Lines that belong together as one text, and the blank space above, in letter sizes."""

    text: str
    size: float
    bold: bool
    indent: float
    gap: float


def paragraphs_of(lines: Sequence[Line]) -> list[Paragraph]:
    """Return lines joined where a line was only full: the next one's first word had no room on it."""
    edges: dict[int, float] = {}
    starts: dict[int, float] = {}
    for line in lines:
        if "\t" not in line.text:  # dates at the margin are not where text ends
            edges[line.block] = max(edges.get(line.block, 0.0), line.right)
        starts[line.block] = min(starts.get(line.block, line.left), line.left)
    found: list[Paragraph] = []
    text = ""
    first = last = above = None
    gap = 0.0
    section = ""
    for line in lines:
        section = section_of(line.text) or section
        if (
            first is not None
            and last is not None
            and (
                _goes_on(last, line, starts[line.block], edges.get(line.block, 0.0))
                or _is_halved(above, last, line, section)
            )
        ):
            text = text + line.text if _is_torn(last, line) else _joined(text, line.text)
        else:
            if first is not None:
                found.append(_paragraph(text, first, gap, starts[first.block]))
            gap = _gap(last, line)
            text, first = line.text, line
        above, last = last, line
    if first is not None:
        found.append(_paragraph(text, first, gap, starts[first.block]))
    return found


def _gap(last: Line | None, line: Line) -> float:
    """Return the blank space above a line in letter sizes; a new column or block begins after a blank."""
    if last is None:
        return 0.0
    if last.block != line.block:
        return 1.0
    return max(0.0, (line.top - last.bottom) / line.size)


def _paragraph(text: str, first: Line, gap: float, start: float) -> Paragraph:
    return Paragraph(text=text, size=first.size, bold=first.bold, indent=max(0.0, first.left - start), gap=gap)


def _goes_on(last: Line, line: Line, start: float, edge: float) -> bool:
    alike = (
        last.block == line.block
        and last.bold == line.bold
        and abs(last.size - line.size) < 0.6
        and line.left < last.left + 4 * line.size
    )
    begins = line.text[0] in BULLETS or "\t" in last.text + line.text or _begins(last.text, line.text)
    space = (line.top - last.bottom) / line.size
    if alike and space < _TORN_GAP and _is_torn(last, line):
        return True
    if not alike or begins or space >= _LINE_GAP:
        return False
    if last.text[-1] == "-" and last.text[-2:-1].isalpha() and line.text[0].islower():
        return True
    if len(last.text.split()) < 4:
        return False
    # Where all lines are short, a full one tells little.
    told = line.text[0].islower() or last.text[-1] in "-,"
    if edge - start < _NARROW * line.size and not told:
        return False
    return last.right + line.first_width + 0.2 * line.size > edge


def _is_halved(above: Line | None, last: Line, line: Line, section: str) -> bool:
    """Say whether two lines of a word each are a name in a narrow column: under a label, a contact, a referee."""
    halves = (last.text, line.text)
    if last.block != line.block or abs(last.size - line.size) >= 0.6 or line.top - last.bottom > _TORN_GAP * line.size:
        return False
    if not all(half.replace("-", "").isalpha() and half[0].isupper() and not is_label(half) for half in halves):
        return False
    if above is not None and is_own_label(folded_word(above.text.strip(" :"))):
        return True
    opens = above is None or above.block != last.block or _gap(above, last) >= _LINE_GAP
    return section in _OF_PEOPLE and (opens or section_of(above.text if above is not None else "") is not None)


def _begins(before: str, text: str) -> bool:
    """Say whether a line begins something of its own, however full the one above is: a heading, a date, a label.

    >>> _begins("write to ana@example.org", "EXPERIENCE"), _begins("Led the audit", "2015 - 2019 Analyst")
    (True, True)
    >>> _begins("worked in higher", "education"), _begins("worked there since", "2015 - with pauses")
    (False, False)
    """
    if _is_head(before):
        return True
    end = before.rsplit(None, 1)[-1]
    if end[-1] in ",-" or end.lower() in _GOING_ON:
        return False
    label = _LABELLED.match(text)
    return (
        _is_head(text)
        or _PERIOD.match(text) is not None
        or (label is not None and is_label(label.group(1)))
        or (text[0].isupper() and is_date(end.strip("().")))
    )


def _is_head(text: str) -> bool:
    if text.isupper() and text.replace("&", "").replace(" ", "").isalpha() and len(text.split()) <= _MOST_WORDS:
        return len(text) >= _FEWEST_CAPITALS
    return text[0].isupper() and section_of(text) is not None


def _is_torn(last: Line, line: Line) -> bool:
    """Say whether an address of mail or of a page goes on on the next line: `ana.bell` and `@example.org` below."""
    end, start = last.text.rsplit(None, 1)[-1], line.text.split(None, 1)[0]
    if last.block != line.block or _ADDRESS.fullmatch(start) is None or _ADDRESS.fullmatch(end) is None:
        return False
    if start[0] == "@":
        return "@" not in end and len(start) > 1
    if end[-1] == "@":
        return len(end) > 1
    begun = "@" in end or "/" in end or end.startswith("www.")
    return begun and (start[0] in "./" or (end[-1] in "./-_" and line.text == start)) and start[-1:].isalnum()


def _joined(text: str, following: str) -> str:
    """Return two lines as one; a hyphen that only parted a word goes.

    >>> _joined("led the Oka-", "for team"), _joined("Anne-", "Marie led"), _joined("led", "it")
    ('led the Okafor team', 'Anne-Marie led', 'led it')
    """
    if text.endswith("-") and len(text) > 1 and text[-2].isalpha():
        return text[:-1] + following if following[0].islower() else text + following
    return f"{text} {following}"
