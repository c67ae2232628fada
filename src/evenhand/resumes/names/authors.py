"""Authors in a list of publications: `Umeh, S., She, R. (2021)`, `Doe J, Roe A. Title`, `J. Doe and A. Roe, 2019`."""

import re
from collections.abc import Iterator

from evenhand.resumes.layout import Layout
from evenhand.resumes.names.kinds import is_ordinary, kind_of
from evenhand.resumes.names.lists import STATES, given_names, is_no_person, surnames
from evenhand.resumes.plain import Plain, word_list

__all__ = ["authors"]

_PARTICLE = "van|von|de|der|den|dem|del|della|di|da|do|dos|das|du|la|las|le|los|lo|el|al|bin|bint|ibn|ter|ten|zu"
_PARTICLES = rf"(?:(?:{_PARTICLE}|St\.)[ '-]){{0,3}}"
_ONE = r"[A-Z][\w']++(?:-[A-Z][\w']++)*+"
_FAMILY = rf"{_PARTICLES}(?:(?:al|el|ul|ad|ar)-)?{_ONE}(?:[ ](?:[ye][ ])?{_PARTICLES}{_ONE}){{0,3}}"
_DOTTED = r"(?:[A-Z]\.[ -]{0,2}){1,4}"
_BARE = r"[A-Z](?:-?[A-Z]){0,2}(?![\w'])"
_PATTERNS = (
    ("after", re.compile(rf"({_FAMILY})(?P<comma>,?)[ ]{{1,2}}(?:{_DOTTED}|{_BARE}\.?)(?![\w'])")),
    ("before", re.compile(rf"(?:{_DOTTED}[ ]{{0,2}}|[A-Z][ ])({_FAMILY})(?![\w'])")),
    ("full", re.compile(rf"([A-Z][\w'-]++(?:[ ][A-Z]\.)?[ ]{_FAMILY})(?![\w'])")),
    ("surname", re.compile(rf"({_FAMILY})(?=[ ](?:&|and)[ ]|[ ]et al|[ ]?\((?:19|20))")),
)
_JOIN = re.compile(r"\.?[,;]?[ \n]{0,2}(?:(?:and|&|AND|y|und|et)[ \n]{1,2})?(?=[A-Za-z])")
_ET_AL = re.compile(r",?[ ]et[ ]al\b")
_YEAR = re.compile(
    r"[ ,.]{0,3}\(?(?:19|20)\d\d[a-z]?[),.;:]"
    r"|[ ,.]{0,3}\((?:in press|forthcoming|n\.d\.|under review|submitted|eds?\.)"
)
_TITLED = re.compile(r"[.,:]{1,2}[ \n][\"'A-Z*_]|[,]?[ ][\"']")
_NUMBER = re.compile(
    r"[ \t]*(?:[-•*–▪◦·→o][ \t]+)?(?:\[?\(?\d{1,3}[\].)]+[ \t]*)?"
    r"(?:(?:with|With|w/|In press:|Forthcoming:|Submitted:)[ ])?"
)
_HEADINGS_LISTED = (
    "publication publications published papers paper articles article bibliography proceedings preprints preprint "
    "manuscripts patents talks presentations posters conferences conference chapters journals journal books works "
    "scholarship veroffentlichungen abstracts work"
)
_HEADING_WORDS = frozenset(_HEADINGS_LISTED.split()) - {"work", "works", "published"}
_HEADING = re.compile(rf"\b(?:{_HEADINGS_LISTED.replace(' ', '|')})\b")
#: One of them is in every line where such a heading is found.
_IN_HEADINGS = word_list(f"{word}{ending}" for word in _HEADINGS_LISTED.split() for ending in ("", "'s"))
_DEGREES_LISTED = "BA MA BS MS BE ME JD MD RN PE AD PO BC HR QA IT AI ML PM AM NY LA DC US UK EU UN"
_DEGREES = frozenset(_DEGREES_LISTED.split())
#: A capitalised word of two letters or more, which every author that begins with one has as a whole.
_FIRST_WORD = re.compile(r"[A-Z][\w']++(?!\.)")
_NO_AUTHOR = frozenset({"ordinary", "job", "particle"})
_PREFIXES = frozenset({"al", "el", "ul", "ad", "ar"})
_GOES_ON = re.compile(r"[,.;]|[ ](?:and|&)[ ]")
#: With initials that have no dots these are kept.
_BARE_KINDS = frozenset({"after", "before"})
_MOST = 30


def authors(plain: Plain, layout: Layout) -> list[str]:
    r"""Return surnames, with given names where these are written out.

    >>> from evenhand.resumes.layout import layout_of
    >>> from evenhand.resumes.plain import plain_text
    >>> seen = plain_text("1. Umeh, S., She, R. (2021). Queueing at the clinic.\n[2] Baig M, Lam V. Wards. 2019.")
    >>> authors(seen, layout_of(seen))
    ['Umeh, S', 'She', 'Baig M', 'Lam V']
    """
    found: list[str] = []
    text = plain.text
    for begin, listed in _lines(plain, layout):
        number = _NUMBER.match(text, begin)
        found += _listed(text, number.end() if number is not None else begin, listed=listed)
    if "et" in plain.where:
        found += _before_et_al(text)
    for mark in ("(with ", "In ", "In: "):
        found += _behind(text, mark)
    for word in ("with", "by"):
        found += _behind_word(plain, word)
    return found


_LONGEST_HEADING = 48


def _lines(plain: Plain, layout: Layout) -> Iterator[tuple[int, bool]]:
    """Yield where lines begin that may begin with authors, and whether they stand below a heading for publications."""
    text, low = plain.text, plain.low
    signs = _signs(plain)
    if plain.where.keys().isdisjoint(_HEADING_WORDS):
        last = -1
        for sign in signs:
            begin = text.rfind("\n", 0, sign) + 1
            if begin > last and sign - begin < _NEAR:
                last = begin
                yield begin, False
        return
    listed = False
    told = {low.count("\n", 0, plain.words[each][1]) for each in plain.places(_IN_HEADINGS)}
    signs.append(len(text))
    place = 0
    for start, end, number, _, heading in layout.lines:
        while signs[place] < start:
            place += 1
        near = min(end, start + _NEAR)
        signed = signs[place] < near and _SIGN.match(text, signs[place], near) is not None
        if not (signed or listed or number in told):
            continue
        if heading or _is_heading(low, start, end):
            listed = number in told and _HEADING.search(low, start, end) is not None
            if end - start < _LONGEST_HEADING:
                continue
        if signed or listed:
            yield start, listed


def _signs(plain: Plain) -> list[int]:
    """Return where one to three capitals stand before a mark or an `and`, or a bracket before a year."""
    text, words = plain.text, plain.words
    short = [start for _, start, end in map(words.__getitem__, plain.capitals) if end - start <= _MOST_CAPITALS]
    found = {start for start in short if _SIGN.match(text, start) is not None}
    place = text.find("(")
    while place >= 0:
        if _SIGN.match(text, place) is not None:
            found.add(place)
        place = text.find("(", place + 1)
    return sorted(found)


def _is_heading(low: str, begin: int, end: int) -> bool:
    """Say whether a line is short, of four words at most, and has no number or comma."""
    if end - begin >= _LONGEST_HEADING or _NO_HEADING.search(low, begin, end) is not None:
        return False
    return low.count(" ", begin, end) < _MOST_BLANKS or _FIVE_WORDS.search(low, begin, end) is None


_NO_HEADING = re.compile(r"[\d,]")
_FIVE_WORDS, _MOST_BLANKS = re.compile(r"(?:\S+ ){4}"), 4
#: One of these stands near the beginning of a line that authors begin.
_SIGN = re.compile(r"(?:(?<!\w)[A-Z]|\()[A-Z]{0,2}(?:[.,;:]|[ ](?:and|&))|\((?:19|20)\d\d")
_NEAR, _MOST_CAPITALS = 70, 3


def _before_et_al(text: str) -> list[str]:
    """Return the surnames before `et al`."""
    found: list[str] = []
    place = text.find(" et al")
    while place >= 0:
        match = _BEFORE_ET_AL.search(text, max(0, place - 40), place)
        if match is not None and not is_ordinary(match.group(1).lower()):
            found.append(match.group(1))
        place = text.find(" et al", place + 1)
    return found


def _behind(text: str, mark: str) -> list[str]:
    """Return the authors behind a mark, where all have initials."""
    found: list[str] = []
    place = text.find(mark)
    while place >= 0:
        place += len(mark)
        if text[place : place + 1].isupper():
            found += _listed(text, place, listed=False)
        place = text.find(mark, place)
    return found


def _behind_word(plain: Plain, word: str) -> list[str]:
    """Return the authors behind a word in small letters, where all have initials."""
    text = plain.text
    found: list[str] = []
    for place in plain.where.get(word, ()):
        _, start, end = plain.words[place]
        if text[end + 1 : end + 2].isupper() and text[start - 1 : end + 1] == f" {word} ":
            found += _listed(text, end + 1, listed=False)
    return found


_BEFORE_ET_AL = re.compile(r"(?<![\w'-])([A-Z][\w']+(?:-[A-Z]\w+)?)(?:,? [A-Z]{1,3}|, (?:[A-Z]\. ?)+)?,?$")


def _listed(text: str, begin: int, *, listed: bool) -> list[str]:  # noqa: C901 - one line per way of listing
    """Return the authors that a line begins with; none where it begins otherwise."""
    names: list[tuple[str, str, str]] = []
    place, joined, sure = begin, begin, listed
    while len(names) < _MOST:
        item = _author(text, place, sure=sure)
        if item is None:
            break
        name, kind, initials, end = item
        sure = sure or kind != "full"
        names.append(
            (
                text[place:end].strip(" ,.") if kind in _BARE_KINDS and "." not in text[place : end - 1] else name,
                kind,
                initials,
            )
        )
        joined = end
        gap = _JOIN.match(text, end)
        if gap is None or not gap.group():
            break
        if gap.group().startswith(". ") and kind == "full":
            break
        place = gap.end()
    if not names:
        return []
    closed = _YEAR.match(text, joined) is not None or _ET_AL.match(text, joined) is not None
    titled = closed or _TITLED.match(text, joined) is not None
    kinds = {kind for _, kind, _ in names}
    initialled = len(names) - sum(kind in {"full", "surname"} for _, kind, _ in names)
    if kinds <= {"after", "surname", "full"} and all(
        initials in STATES for _, kind, initials in names if kind == "after"
    ):
        closed, titled = closed and listed, titled and listed
        if "after" in kinds and not titled:
            return []
    if kinds == {"surname"}:
        frequent = any(name.lower() in surnames() for name, _, _ in names) and not is_no_person(
            " ".join(name.lower() for name, _, _ in names)
        )
        return [name for name, _, _ in names] if closed and (listed or (frequent and len(names) > 1)) else []
    if kinds == {"full"}:
        return [name for name, _, _ in names] if (listed and titled) or (closed and len(names) > 1) else []
    if len(names) == 1:
        return [names[0][0]] if closed or (listed and titled) else []
    return [name for name, _, _ in names] if initialled > 1 or closed or (listed and titled) else []


def _patterns(text: str, place: int, *, sure: bool) -> tuple[tuple[str, re.Pattern[str]], ...]:
    """Return the ways of writing an author that the first word allows: of an ordinary one `Field, A.` where sure."""
    first = _FIRST_WORD.match(text, place)
    word = "" if first is None else first.group().lower()
    if first is None or word in _PREFIXES or kind_of(word) not in _NO_AUTHOR:
        return _PATTERNS
    return _PATTERNS[:1] if sure else ()


def _author(text: str, place: int, *, sure: bool) -> tuple[str, str, str, int] | None:
    """Return one author, how the name is written, its initials, and where it ends."""
    for kind, pattern in _patterns(text, place, sure=sure):
        match = pattern.match(text, place)
        if match is None:
            continue
        name = match.group(1)
        words = [word.lower() for word in name.replace("-", " ").split(" ") if word[:1].isupper()]
        words = [word for word in words if word not in _PREFIXES] or words
        kinds = [kind_of(word) for word in words]
        ended = "." in match.group()[len(name) :] or _GOES_ON.match(text, match.end()) is not None
        if not _NO_AUTHOR.isdisjoint(kinds) and not (
            kind == "after" and sure and kinds.count("ordinary") < 2 and ended
        ):
            continue
        if (
            kind in {"full", "surname"}
            and not any(each == "name" for each in kinds)
            and not (kind == "full" and words[0] in given_names())
        ):
            continue
        initials = "".join(letter for letter in match.group()[len(name) :] if letter.isalpha())
        if kind == "after" and initials in STATES and kinds[-1] == "other":
            continue
        if kind == "after" and not match.group("comma") and not sure and all(each == "other" for each in kinds):
            continue
        if kind == "before" and (
            _letters(match.group()[: match.start(1) - match.start()]) in _DEGREES or len(words[0]) < 3
        ):
            continue
        return name, kind, initials, match.end()
    return None


def _letters(text: str) -> str:
    return "".join(letter for letter in text if letter.isalpha())
