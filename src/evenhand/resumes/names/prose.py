"""Names of other people in running text, by shape and by what stands around them.

Two capitalised words or more that are neither ordinary words nor places, tools and
organisations are a name where they stand in a person's place: after `with`, `supervised by`,
`the guidance of`, before `'s team`, `asked me`, `, who`. No list of names is asked, so that
a name's origin makes no difference; a list of ordinary words keeps departments and products.
Company names made of invented words, in a person's place, are taken for people.
"""

import re
from collections.abc import Iterator
from functools import lru_cache

from evenhand.resumes.names.around import ORGANISATION_AFTER, ROLE_AFTER
from evenhand.resumes.names.lists import given_names, is_no_name, name_words, no_names, ordinary_words, surnames
from evenhand.resumes.names.parts import PARTICLES
from evenhand.resumes.names.slots import FULL_LINE, after_score, before_score
from evenhand.resumes.plain import Plain

__all__ = ["in_prose", "is_ordinary"]

_PARTICLE = (
    r"(?:van|von|der|den|de|del|della|di|da|do|dos|das|du|la|le|el|al|bin|binti|bint|ibn|ben|abu|ter|ten|zu|e|y)"
)
_WORD = r"(?:(?:al|el|ul|as|ad|ar|az|ash|an|at)-)?(?:[A-Z]|[dDlLO]'[A-Z])\w*(?:-\w+)*"
_INITIAL = r"[A-Z]\.(?:[ -]?[A-Z]\.)*"
_RUN = re.compile(
    rf"(?<![\w'.@/&#-])(?:{_INITIAL}[ ]?)?{_WORD}"
    rf"(?:(?:[ ]|\n(?:>[ ]?)*(?=[A-Z][a-z]))(?:{_PARTICLE}[ ]){{0,2}}(?:{_INITIAL}(?=[ ])|{_WORD}))+"
)
#: One capitalised word that only a person can be: what they do, or who they are to the writer.
_SINGLE = re.compile(
    r"(?<![A-Z][a-z][ ])(?<![-&'/@][A-Za-z])([A-Z][a-z]{2,}(?:-[a-z]+)?)(?="
    r"[ ](?:and I|and me|asked|retired|resigned|agreed|told|said|hired|praised|thanked|encouraged|showed me|taught me|"
    r"on (?:his|her|their)|who)\b|,[ ](?:who|my|now an?|then an?|our)\b"
    r"|'s (?:guidance|supervision|mentorship|departure|retirement|absence|leadership|recommendation|request)\b)"
)
_SINGLE_AFTER = re.compile(
    r"(?:\b(?:[Mm]y|[Hh]er|[Hh]is|[Tt]heir|[Oo]ur|[Tt]he) (?:manager|mentor|mentee|colleague|"
    r"supervisor|boss|tutor|friend|"
    r"deputy|predecessor|successor|line manager|husband|wife|partner|coach|son|daughter|brother|"
    r"sister|apprentice|trainee|"
    r"intern),?|\b(?:[Ss]hadowed|[Tt]hanked|[Ii]nterviewed|[Ff]illed in for|[Tt]ook over from|"
    r"[Ss]tood in for|[Tt]urns with|"
    r"[Ll]ooked after|[Hh]elped|[Pp]aired with|[Ss]at with|[Cc]o-authored with|[Ww]orked alongside|[Ss]hared \w+ with|"
    r"[Ss]hared \w+ \w+ with|[Rr]eviewed \w+ with|[Cc]losely with|[Cc]lasses with|[Dd]esk with|[Ss]hifts? with|"
    r"[Ww]orked (?:daily|weekly|closely|directly)? ?with|[Ss]upervised by|[Tt]aught by|"
    r"[Hh]anded over to|[Dd]eputised for))"
    r" ([A-Z][a-z]{1,}(?:-[a-z]+)?)(?=[.,;)\n]|[ ](?:[a-z]|20\d\d)|$)"
)
_TELLING_LISTED = (
    "and asked retired resigned agreed told said hired praised thanked encouraged showed taught on who my now then our "
    "guidance supervision mentorship departure retirement absence leadership recommendation request manager mentor "
    "mentee colleague supervisor boss tutor friend deputy predecessor successor husband wife partner coach son "
    "daughter brother sister apprentice trainee intern shadowed interviewed for from with after helped alongside by to"
)
_TELLING = frozenset(_TELLING_LISTED.split())
_NEAR = 28
_GAP = 3
_PIECE = re.compile(rf"{_INITIAL}(?=[ A-Z])|{_WORD}")
_CHAIN = re.compile(r"(?:,? (?:and|&|or|as well as|y|und)|[,;]| /) ")
_SENTENCE_END = re.compile(r"(?:^|[.!?:;\u2022|(\"\n*>–—-])[ \t]*$")
_LOWER = re.compile(r"[a-z]{2}")
_ENDINGS = (
    "ment",
    "ness",
    "ical",
    "ware",
    "ology",
    "tion",
    "sion",
    "ics",
    "able",
    "ible",
    "tive",
    "ional",
    "ized",
    "ised",
)
_LONGEST = 5


#: They begin names of places as often as names of people, and are no word of either.
_NO_WORDS = frozenset({"san", "santa", "santo", "sao", "abu", "bin"})


@lru_cache(maxsize=65536)
def _kind(word: str) -> str:
    """Return what a word is: a particle, job, ordinary, other (place, tool, …), word (also a name), or name."""
    listed = word in given_names() or word in surnames()
    if word in _NO_WORDS or (word in PARTICLES and not listed):
        return "particle"
    if is_no_name(word):
        return "job" if no_names().get(word) == "job" else "ordinary"
    known = name_words().get(word)
    if known is not None or listed:
        return "name" if known is None else "word" if known == "word" else "other"
    ordinary = (
        word in ordinary_words()
        or (len(word) > _LONGEST and word.endswith(_ENDINGS))
        or ("-" in word and all(_kind(part) in {"ordinary", "job"} for part in word.split("-") if part))
    )
    return "ordinary" if ordinary else "name"


def is_ordinary(word: str) -> bool:
    """Say whether a word in plain lower case is no name where it stands capitalised in a sentence.

    >>> is_ordinary("logistics"), is_ordinary("szczepanska")
    (True, False)
    """
    return _kind(word) in {"ordinary", "job"}


def in_prose(plain: Plain) -> list[str]:
    r"""Return names of two words or more that stand in a person's place.

    >>> from evenhand.resumes.plain import plain_text
    >>> in_prose(plain_text("Assisted Taras Bondarchuk and Efua Asante with Power Query at Harlow Green."))
    ['Taras Bondarchuk', 'Efua Asante']
    """
    text = plain.text
    found: list[str] = []
    last_end = -1
    for begin, stop in _runs(text):
        if text[begin:stop].isupper():
            continue
        shaped = _shaped(plain, begin, stop)
        if shaped is None:
            continue
        start, end, titled = shaped
        chained = last_end >= 0 and start - last_end < 18 and _CHAIN.fullmatch(text, last_end, start) is not None
        if not (titled or chained):
            after = after_score(text, end)
            if ROLE_AFTER.match(text, end) is not None:
                after = max(after, 0 if _dated(text, end) else 2)
            if after + before_score(plain.low, start) < 1:
                continue
        found.append(" ".join(text[start:end].replace(">", " ").split()))
        last_end = end
    found += _single(plain)
    return found


def _single(plain: Plain) -> list[str]:
    """Return single words that only a person can be, looked for beside the words that tell it."""
    text, words = plain.text, plain.words
    found = []
    for place in plain.places(_TELLING):
        _, start, end = words[place]
        if place + 1 < len(words) and text[words[place + 1][1]].isupper():
            match = _SINGLE_AFTER.search(text, max(0, start - _NEAR), words[place + 1][2] + 2)
            if match is not None and match.start(1) == words[place + 1][1] and match.start(1) - end < _GAP:
                found.append((match.start(1), match.end(1)))
        if place and text[words[place - 1][1]].isupper():
            match = _SINGLE.match(text, words[place - 1][1])
            if match is not None:
                found.append((match.start(1), match.end(1)))
    return [text[start:end] for start, end in found if _kind_here(plain, start, end) == "name"]


def _runs(text: str) -> Iterator[tuple[int, int]]:
    """Yield runs of capitalised words; they go on over the end of a full line only."""
    for match in _RUN.finditer(text):
        begin, stop = match.span()
        place = text.find("\n", begin, stop)
        while place >= 0:
            if place - text.rfind("\n", 0, place) < FULL_LINE:
                yield begin, place
                begin = place + 1
                while text[begin] in "> ":
                    begin += 1
            place = text.find("\n", place + 1, stop)
        yield begin, stop


def _shaped(plain: Plain, start: int, end: int) -> tuple[int, int, bool] | None:
    """Return where the name in a run of capitalised words stands, and whether a title or job is right before it."""
    text = plain.text
    pieces = [(match.start(), match.end()) for match in _PIECE.finditer(text, start, end)]
    kinds = [_kind_here(plain, *piece) for piece in pieces]
    first, titled = 0, False
    while first < len(pieces):
        office = len(pieces) - first > 2 and plain.low[pieces[first][0] : pieces[first][1]] in _OFFICES
        if not office and kinds[first] not in {"ordinary", "job"}:
            break
        titled = office or kinds[first] == "job"
        first += 1
    if first and not titled and (first > 1 or _SENTENCE_END.search(text, max(0, start - 4), start) is None):
        return None
    if titled and _LOWER.search(text, max(0, start - 5), start) is None:
        titled = False  # a heading or the line of a job, not a sentence
    last = first
    while last < len(pieces) and kinds[last] not in {"ordinary", "job"}:
        last += 1
    if last < len(pieces) and "\n" not in text[pieces[last - 1][1] : pieces[last][0]]:
        return None  # Halden Marsh Logistics
    chosen = kinds[first:last]
    words = sum(kind not in {"initial", "particle"} for kind in chosen)
    if "name" not in chosen or words + ("initial" in chosen) < 2 or words > _LONGEST:
        return None
    here, stop = pieces[first][0], pieces[last - 1][1]
    if text[stop - 2 : stop] == "'s":
        stop -= 2
    if ORGANISATION_AFTER.match(text, stop) is not None and _CHAIN.match(text, stop) is None:
        return None
    return here, stop, titled


_OFFICES_LISTED = (
    "senator mayor governor minister justice ambassador president chancellor bishop congressman congresswoman "
    "councillor commissioner uncle aunt cousin chef maestro composer artist author poet sergeant lieutenant "
    "general detective inspector canon deacon councilman councilwoman representative premier speaker princess "
    "prince king queen"
)
_OFFICES = frozenset(_OFFICES_LISTED.split())


def _kind_here(plain: Plain, start: int, end: int) -> str:
    text = plain.text
    if text[start + 1 : start + 2] == ".":
        return "initial"
    low = plain.low[start:end]
    kind = _kind(low)
    if kind == "name":
        if text[start:end].isupper() and end - start < 5:
            return "ordinary"  # an abbreviation: SAP, NHS
        if any(letter.isdigit() for letter in low):
            return "ordinary"
        if f" {low} " in text and low not in given_names() and low not in surnames():
            return "ordinary"  # written small elsewhere in the document
    return kind


def _dated(text: str, end: int) -> bool:
    """Say whether years stand in the rest of a line: a job's head, not a sentence."""
    stop = text.find("\n", end)
    return _YEAR.search(text, end, stop if stop >= 0 else len(text)) is not None


_YEAR = re.compile(r"\b(?:19|20)\d\d\b")
