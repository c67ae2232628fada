"""Where a document tells its person's name: header, labels, phrases, sign-off, footers."""

import re
from functools import cache
from typing import NamedTuple

from evenhand.patterns import lazy_re
from evenhand.resumes.names.lists import english_words, given_names, name_words, no_names, surnames
from evenhand.resumes.names.others.prose import is_ordinary
from evenhand.resumes.names.own.evidence import OWN_NAME_WORDS
from evenhand.resumes.names.parts import PARTICLES, Name, name_of
from evenhand.resumes.names.shapes import inverted, is_town, looks_like_a_name, segments, uncredentialled
from evenhand.resumes.text.folded_text import FoldedText, word_list
from evenhand.resumes.text.layout import Layout, Line

__all__ = ["Candidate", "in_blocks", "is_clean", "is_job", "listed_score", "near_the_top", "signed", "unprefixed"]

#: Any few words before a comma at a line's end, greetings aside.
_PERHAPS_CLOSING = lazy_re(r"(?!dear|hi|hello|to|good|hey)[a-z]+(?: [a-z]+){0,3},")


@cache
def _closing_words() -> frozenset[str]:
    return word_list(OWN_NAME_WORDS.closing_words)


_PAGE_WORDS = lazy_re(
    r"(?:\bpage\b|\bp\.)?[ ]*\d+(?:[ ]*(?:/|of)[ ]*\d+)?|\bcontinued\b|\bconfidential\b|\bresume\b|"
    r"\bcv\b|\bcurriculum vitae\b|\bpage\b",
    re.IGNORECASE,
)
_PAGE_HINTS = ("page", "continued", "confidential", "p. ")
_PAGE_NUMBER = lazy_re(r"\bp(?:age|\.)[ ]*\d|\d[ ]*(?:/|of)[ ]*\d|continued|confidential")
_FIRST_LINES = 12


class Candidate(NamedTuple):
    """A name somewhere, and how strongly the place speaks for it; `sure`: the place says that it is a name."""

    name: Name
    score: int
    sure: bool = False


def near_the_top(folded: FoldedText, layout: Layout) -> list[Candidate]:
    """Return what looks like a name in the block before the first section, the first line most."""
    found: list[Candidate] = []
    seen = 0
    for number, line in enumerate(layout.lines):
        if line.heading:
            if seen:
                break
            continue
        if seen >= _FIRST_LINES or line.section in {"education", "languages"}:
            break
        text = folded.text[line.start : line.end]
        text = _TAG.sub("  ", text).strip() if "<" in text else text
        pieces = _pieces(folded, layout, number, text)
        if not seen and pieces and len(text) > _LONGEST_LOST:
            pieces = [_beginning(pieces[0]), *(piece for piece in pieces[1:] if len(piece) < _LONGEST_PIECE)]
        for place, piece in enumerate(pieces):
            candidate = _in_header(piece, line=seen, piece=place)
            if candidate is None:
                continue
            told = not place and (
                _is_before_a_job(pieces) or (seen < _TOP and _below(folded, layout.lines, number) > 0)
            )
            found.append(candidate._replace(score=candidate.score + told))
        if _is_title_line(text):
            continue
        seen += 1
    return found


def _pieces(folded: FoldedText, layout: Layout, number: int, text: str) -> list[str]:
    """Return what stands in a line side by side; a name that is spaced out or stacked is one piece."""
    line = layout.lines[number]
    joined = [word for word, start, _ in layout.spaced if line.start <= start < line.end] if layout.spaced else []
    if joined and len(text) <= _LONGEST_LOST:
        return [" ".join(word.title() for word in joined)]
    pieces = [text[start:end] for start, end in segments(text)]
    if 1 < len(pieces) < 5 and _WIDE.fullmatch(text) is not None:
        pieces.insert(0, " ".join(text.split()))  # blanks doubled by a text recogniser
    if len(pieces) == 1 and " " not in text:
        pieces = [_stacked(folded, layout.lines, number)[1]]
    return pieces


def _beginning(text: str) -> str:
    """Return the words with which a text that has lost its lines begins, up to a town, a job or any other word."""
    words: list[str] = []
    for word in text.split(maxsplit=_MOST_WORDS)[:_MOST_WORDS]:
        if words and (is_town(word) or _is_place(word) or is_job(word.lower()) or not word[0].isupper()):
            break
        if words and is_ordinary(word.lower()):
            break
        words.append(word)
    return " ".join(words)


def _is_before_a_job(pieces: list[str]) -> bool:
    """Say whether a job stands in a line beside its first piece."""
    return len(pieces) > 1 and any(map(is_job, pieces[1].lower().split()[:3]))


def _is_title_line(text: str) -> bool:
    """Say whether a line only says what the document is."""
    words = text.lower().strip(" :.-_*#").split()
    return set(map(no_names().get, words)) <= {"section"}


#: What a header of ordinary words only loses: `Skill Matrix`.
_PLAIN_WORDS = 4


def _in_header(text: str, *, line: int, piece: int) -> Candidate | None:
    head = text.partition(",")[0]
    if (len(head) > _LONGEST_PIECE and "  " not in head) or _NO_NAME.search(head) is not None:
        return None
    text = uncredentialled(unprefixed(text.strip(' *#_=-.:\t[]~+"\u201c\u201d')))
    last_first = inverted(text)
    if not last_first:
        text, comma, after = text.partition(",")
        if comma and _is_place(after):
            return None
    lower = text.islower()
    plausible = last_first or looks_like_a_name(text, lower=lower)
    # A word of résumés may be a surname (Grace Major): then an address or the like has to agree.
    if not plausible and not (len(text.split()) > 1 and _has_another_word(text)):
        return None
    name = name_of(text)
    if not name.tokens or (len(name.tokens) == 1 and (is_town(text) or _is_short(text))):
        return None
    cleans = sum(map(is_clean, name.tokens))
    short = [] if plausible else [token for token in name.tokens if not is_clean(token) and _may_be_short(token)]
    score = 0 if plausible else -1 if 0 < len(short) < len(name.tokens) == len(short) + cleans else -3
    score += (3 if line == 0 else 2 if line == 1 else 1) - (1 if piece else 0)
    score += listed_score(name)
    if len(name.tokens) == 1 and not name.particles and _WITH_INITIALS.match(text) is None:
        score -= 2
    clean = cleans == len(name.tokens)
    score += clean
    if lower:
        score -= 1 if len(name.tokens) > 1 and cleans else 2
        score += not clean and cleans > 0
    kinds = [name_words().get(token) for token in name.tokens]
    if all(kind in {"place", "tool", "organisation", "month"} for kind in kinds):
        score -= 2
    score -= _PLAIN_WORDS * all(map(is_ordinary, name.tokens))
    if text.isupper() and line < 3 and len(name.tokens) > 1:
        score += 1
    return Candidate(name=name, score=score)


def _may_be_short(token: str) -> bool:
    return no_names().get(token, "other") == "other"


def unprefixed(text: str) -> str:
    """Return a line without a document's title, a label or a person's title before a name.

    >>> unprefixed("Resume of Dr. Jane Doe")
    'Jane Doe'
    """
    match = OWN_NAME_WORDS.prefix.match(text)
    return text if match is None else text[match.end() :]


_MOST_WORDS = 6
#: A line that is longer has lost its breaks.
_LONGEST_LOST = 200
#: More than a name has with a document's title before it; and what neither of them holds.
_LONGEST_PIECE, _NO_NAME = 90, lazy_re(r"[\d@%=<>{}$?!]")


def _is_short(text: str) -> bool:
    """Say whether a single word is an abbreviation, as far as its length tells."""
    return text.isupper() and len(text) < _SHORTEST_IN_CAPITALS


_SHORTEST_IN_CAPITALS = 5


def is_clean(token: str) -> bool:
    """Say whether a word is no other word, as far as the lists tell."""
    return not (is_ordinary(token) or token in english_words() or token in name_words())


_TAG = lazy_re(r"</?[A-Za-z][^<>]{0,60}>")
_WIDE = lazy_re(r"[^\W\d_][\w.'-]*(?: {2,3}[^\W\d_][\w.'-]*){1,3}")
_TOP = 3
_WITH_INITIALS = lazy_re(r"[A-Z]\.[ ]?")


def _is_place(text: str) -> bool:
    words = text.split()
    return bool(words) and all(
        no_names().get(word.lower().strip(".")) == "place" or (len(word) == 2 and word.isupper()) for word in words[:2]
    )


def _has_another_word(text: str) -> bool:
    words = text.lower().split()
    return (len(words) < 4 and looks_like_a_name(text, loose=True)) or (
        len(words) == 2 and any(looks_like_a_name(word) for word in text.split()) and text.replace(" ", "").isalpha()
    )


def listed_score(name: Name) -> int:
    """Return 2 for a frequent given name and 1 for a frequent surname: a list only ever adds."""
    words = name_words()
    given = any(token in given_names() and token not in words for token in name.tokens)
    family = any(token in surnames() and token not in words for token in name.tokens)
    return (2 if given else 0) + (1 if family else 0)


def in_blocks(folded: FoldedText, layout: Layout) -> list[Candidate]:
    """Return what looks like a name above contact details or a job title: columns and footers end up anywhere."""
    found: list[Candidate] = []
    lines = layout.lines
    above, below_heading = -1, True
    for place, (start, end, number, section, heading) in enumerate(lines[:-1]):
        apart = below_heading or number - above > 1
        above, below_heading = number, heading
        if not apart or heading or end - start > _LONGEST_LINE or section == "references":
            continue
        last, text = _stacked(folded, lines, place)
        if _YEAR.search(folded.low, start, lines[min(last + 3, len(lines) - 1)].end) is not None:
            continue
        around = _below(folded, lines, last)
        candidate = _in_header(text, line=1, piece=0) if around else None
        if candidate is not None:
            found.append(Candidate(name=candidate.name, score=candidate.score + around))
    return found


def _stacked(folded: FoldedText, lines: list[Line], place: int) -> tuple[int, str]:
    """Return a line, with those under it where each holds one word of a name; and the last of them."""
    text = folded.text[lines[place].start : lines[place].end]
    last = place
    if " " in text:
        return last, text
    while (
        last + 1 < len(lines)
        and last - place < _STACKED
        and lines[last + 1].number - lines[last].number == 1
        and not lines[last + 1].heading
        and " " not in (word := folded.text[lines[last + 1].start : lines[last + 1].end])
        and (looks_like_a_name(word) or _INITIAL.fullmatch(word) is not None or word in PARTICLES)
        and text[-1] not in ",;:"
        and not (" " in text and word.lower() in OWN_NAME_WORDS.jobs_too)
    ):
        last += 1
        text = f"{text} {word}"
    return last, text


def _below(folded: FoldedText, lines: list[Line], place: int) -> int:
    """Return 1 for a job title under a line and 1 for contact details in the next ones."""
    score = 0
    for step, line in enumerate(lines[place + 1 : place + 5]):
        low = folded.low[line.start : line.end]
        if step == 0 and len(low) < _LONGEST_LINE and any(map(is_job, low.split(maxsplit=4)[:4])):
            score += 1
        if step and line.heading and step < 3 and lines[place + 1].number > lines[place].number:
            return max(score, 1)
        if "@" in low or "linkedin" in low or _NUMBER.search(low) is not None or ("box" in low and _BOX.search(low)):
            return score + 1
    return score


def is_job(word: str) -> bool:
    """Say whether a word is a job; surnames such as Cook among them.

    >>> is_job("cook"), is_job("okafor")
    (True, False)
    """
    word = word.strip(",.|()")
    return no_names().get(word) == "job" or word in OWN_NAME_WORDS.jobs_too


_YEAR = lazy_re(r"(?:19|20)(?<=\b\d\d)\d\d\b")
_LONGEST_LINE, _LONGEST_CLOSING, _LONGEST_FOOTER = 60, 60, 100
_STACKED = 4
_INITIAL = lazy_re(r"[A-Z]\.?")
#: A telephone's or a postal code's.
_NUMBER = lazy_re(r"\d(?:\d{1,3}[) ./-]{1,2}\d{2,4}[ ./-]\d{2}|\d{4})")
_BOX = lazy_re(r"\bp\.?o\.? box\b")


def signed(folded: FoldedText, layout: Layout) -> list[Candidate]:
    """Return names under a letter's closing, and in page footers."""
    found = []
    lines = layout.lines
    closings = {folded.low.count("\n", 0, folded.words[each][1]) for each in folded.places(_closing_words())}
    paged = _with_hints(folded.low)
    told = closings | paged
    for place, (start, end, number, _, _) in enumerate(lines):
        if folded.low[end - 1] not in ",*_>" and (number not in told or end - start > _LONGEST_FOOTER):
            continue
        may_close = number in closings
        low = folded.low[start:end].strip(" *_>")
        ends = low[-1:] == ","
        closes = (
            may_close
            and len(low) <= _LONGEST_CLOSING
            and (ends or low.count(" ") < 4 or low[-1:] in ".!")
            and OWN_NAME_WORDS.closing.match(low) is not None
        )
        if closes or (ends and place > 2 and _PERHAPS_CLOSING.fullmatch(low) is not None):
            for following in lines[place + 1 : place + 3]:
                text = uncredentialled(folded.text[following.start : following.end].strip(" *_-/>~\u2013"))
                pieces = segments(text)
                text = text[pieces[0][0] : pieces[0][1]].split(",")[0] if pieces else ""
                if text and looks_like_a_name(text, loose=len(text.split()) > 1):
                    name = name_of(text)
                    sure = closes or all(is_clean(token) for token in name.tokens)
                    found.append(Candidate(name=name, score=4, sure=sure))
                    break
        elif number in paged and place > 2 and len(low) < 90 and _PAGE_NUMBER.search(low):
            bare = _PAGE_WORDS.sub("|", folded.text[start:end])
            for first, last in segments(bare):
                text = bare[first:last].strip(" ,.-–:()")
                if len(text.split()) > 1 and (inverted(text) or looks_like_a_name(text)):
                    name = name_of(text)
                    again = any(each.name.tokens == name.tokens for each in found)
                    sure = again or all(is_clean(token) for token in name.tokens)
                    found.append(Candidate(name=name, score=3, sure=sure))
    return [candidate for candidate in found if candidate.name.tokens]


def _with_hints(low: str) -> set[int]:
    """Return the numbers of lines that may hold a page's number."""
    found = set()
    for hint in _PAGE_HINTS:
        place = low.find(hint)
        while place >= 0:
            found.add(low.count("\n", 0, place))
            place = low.find(hint, place + len(hint))
    return found
