"""Runs of capitalised words in a text: where they stand and what their words are."""

from collections.abc import Iterator
from functools import cache
from itertools import pairwise

from evenhand.patterns import lazy_re
from evenhand.resumes.names.kinds import kind_of
from evenhand.resumes.names.lists import KIND_WORDS, given_names, no_names, surnames
from evenhand.resumes.names.slots import FULL_LINE
from evenhand.resumes.text.folded_text import FoldedText
from evenhand.word_tables import WordTable

__all__ = ["OTHER_NAME_WORDS", "PLAIN", "pieces_of", "runs_in"]

OTHER_NAME_WORDS = WordTable("evenhand.resumes.names.others", "others.toml")

_PARTICLE = (
    r"(?:van|von|de|der|den|dem|del|della|di|da|do|dos|das|du|la|las|le|los|el|al|bin|binti|bint|ibn|ben|abu"
    r"|ter|ten|zu|zum|zur|af|av|e|y|vom|'t)"
)
_WORD = r"(?:St\.[ ]|(?:al|el|ul|as|ad|ar|az|ash|an|at)-)?(?:[dDlLO]'[A-Z]|[A-Z])\w*(?:'[A-Za-z]{2,})?(?:-\w+)*"
_INITIAL = r"[A-Z]\.(?:[ -]?[A-Z]\.){0,5}"
_BREAK = r"(?:[ ]{1,2}|\n(?:>[ ]?)*[ \t]*(?=[A-Z][a-z]))"
_RUN = lazy_re(
    rf"(?<![\w'.@/&#-])(?:{_INITIAL}[ ]{{0,2}})?{_WORD}"
    rf"(?:{_BREAK}(?:(?=[a-z'])(?:{_PARTICLE}[ ]){{1,3}})?(?:{_INITIAL}(?=[ ]|\n[A-Z][a-z])|{_WORD}))+"
)
_PIECE = lazy_re(rf"{_INITIAL}(?=[ A-Z\n])|{_WORD}")
_JOINED_BY = lazy_re(rf"[ ](?:{_PARTICLE}[ ]){{1,3}}")
PLAIN = frozenset({"ordinary", "job"})
#: Longer runs, such as `J-J-J-...`, are read in parts.
_LONGEST = 400


def runs_in(folded: FoldedText) -> Iterator[tuple[int, int]]:
    """Yield runs of two capitalised words or more, but for those of ordinary words only.

    >>> from evenhand.resumes.text.folded_text import folded_text
    >>> list(runs_in(folded_text("met Ann Roe and Ludwig van der Berg")))
    [(4, 11), (16, 35)]
    """
    text, words, stop = folded.text, folded.words, 0
    last = len(words) - 1
    for place, later in pairwise([*folded.capitals, -1]):
        _, begin, end = words[place]
        if begin < stop:
            continue
        mark = text[end : end + 1]
        if mark in _BLANKS:
            # Behind a blank a capital, a particle or a mark inside a name follows, or no word.
            if later != place + 1 and place < last:
                following = words[place + 1][0]
                if following not in _PARTICLE_WORDS and "'" not in following:
                    continue
        elif mark not in _INSIDE_RUNS:
            continue
        floor = max(0, begin - _LONGEST)
        while begin > floor and (text[begin - 1].isalnum() or text[begin - 1] in "-'"):
            begin -= 1
        match = _RUN.match(text, begin, begin + _LONGEST)
        if match is None:
            continue
        stop = match.end()
        if "\n" in match.group():
            yield from _unbroken(text, begin, stop)
        else:
            yield begin, stop


_INSIDE_RUNS = frozenset(".-'")
_BLANKS = frozenset(" \n")
_PARTICLE_WORDS = frozenset(_PARTICLE.removeprefix("(?:").removesuffix(")").split("|"))


def _unbroken(text: str, begin: int, stop: int) -> Iterator[tuple[int, int]]:
    """Yield the parts of a run; it goes on over the end of a full line only."""
    place = text.find("\n", begin, stop)
    while place >= 0:
        line = text.rfind("\n", 0, place) + 1
        ended = place - line < FULL_LINE or _is_column(text, line, place) or (text[place + 1] == ">" != text[line])
        if ended and not _ends_with_initial(text, begin, place):
            yield begin, place
            begin = place + 1
            while text[begin] in "> \t":
                begin += 1
        place = text.find("\n", place + 1, stop)
    yield begin, stop


def _is_column(text: str, line: int, place: int) -> bool:
    """Say whether a gap inside a line sets a column apart, with which the next line doesn't go on."""
    first = line + len(text[line:place]) - len(text[line:place].lstrip(" "))
    return text.find("   ", first, place) >= 0


def _ends_with_initial(text: str, begin: int, place: int) -> bool:
    """Say whether a run's line ends with an initial behind a frequent given name: `Marisol B.`."""
    return (
        text[place - 1 : place] == "."
        and text[place - 3 : place - 2] == " "
        and text[begin:place].split(maxsplit=1)[0].lower() in given_names()
    )


def pieces_of(folded: FoldedText, start: int, end: int) -> tuple[list[tuple[int, int]], list[str]]:
    """Return where the words of a run stand and what each is: as `kind_of`, `initial` or `maybe` (an ordinary word).

    >>> from evenhand.resumes.text.folded_text import folded_text
    >>> pieces_of(folded_text("Nurse J. Okafor"), 0, 15)[1]
    ['job', 'initial', 'name']
    """
    text, low = folded.text, folded.low
    run = low[start:end]
    plainly = "'" not in run and "." not in run
    pieces = _spans(text, start, end) if plainly else [match.span() for match in _PIECE.finditer(text, start, end)]
    words = [low[first:last] for first, last in pieces]
    kinds = list(map(kind_of, words))
    if (
        PLAIN.issuperset(kinds)
        and OTHER_NAME_WORDS.capital_inside.isdisjoint(words)
        and not any(word[1:2] == "." for word in words)
    ):
        return [], []
    kinds = [
        kind if kind in PLAIN and word.isalpha() and word not in _by_place() else _kind_here(folded, piece, word, kind)
        for piece, word, kind in zip(pieces, words, kinds, strict=True)
    ]
    if len(words) == 2 and words[0] == "my" and low.startswith("'s", end):
        kinds[0] = "ordinary"  # 'My Tourette's is mild'
    if kinds[0] == "word" and len(words) > 2 and words[0] in OTHER_NAME_WORDS.offices:
        kinds[0] = "job"
    for number in range(1, len(pieces)):
        if kinds[number] == "ordinary" and _is_after_particle(folded, pieces, kinds, number):
            kinds[number] = "word"  # Gilles de la Tour
    if len(words) > 2 and kinds[-3] in {"name", "word", "initial"} and f"{words[-2]} {words[-1]}" in _two_words():
        kinds[-2:] = ["word", "word"]  # Wyatt Standing Bear
    if _may_be_surname(low, pieces, kinds):
        kinds[-1] = "maybe"
    return pieces, kinds


def _spans(text: str, start: int, end: int) -> list[tuple[int, int]]:
    """Return where the words of a run stand that has no initials; a small word may be the beginning of one: al-Amri."""
    found = []
    for word in text[start:end].split():
        start = text.index(word, start)
        if "A" <= word[0] <= "Z":
            found.append((start, start + len(word)))
        elif "-" in word:
            found += [match.span() for match in _PIECE.finditer(text, start, start + len(word))]
        start += len(word)
    return found


def _is_after_particle(folded: FoldedText, pieces: list[tuple[int, int]], kinds: list[str], number: int) -> bool:
    """Say whether particles stand before a word: between it and another, or as the last of two words."""
    (start, end), following = pieces[number - 1], pieces[number][0]
    if (
        number > 1
        and kinds[number - 2] == "name"
        and (kinds[number - 1] == "particle" or folded.low[start:end] in _NAMES_TOO)
    ):
        return True
    return following - end > 1 and _JOINED_BY.fullmatch(folded.text, end, following) is not None


@cache
def _two_words() -> frozenset[str]:
    """Return surnames of two words as Native Americans have them: Standing Bear, Two Bulls."""
    pairs = (f"{first} {last}" for first in OTHER_NAME_WORDS.first_of_two for last in OTHER_NAME_WORDS.last)
    return frozenset(pairs).difference(OTHER_NAME_WORDS.brands)


def _may_be_surname(low: str, pieces: list[tuple[int, int]], kinds: list[str]) -> bool:
    """Say whether an ordinary word ends a run after a given name that begins it: `Summer Rain`."""
    if len(kinds) < 2 or kinds[-1] not in PLAIN or kinds[-2] not in {"name", "word", "initial", "other"}:
        return False
    if len(kinds) > 2 and kinds[-3] not in PLAIN and kinds[-2] != "initial":
        return False
    first, last = (low[start:end] for start, end in pieces[-2:])
    if kinds[-2] == "initial":
        first = low[slice(*pieces[-3])] if len(kinds) > 2 else ""
    if last.removesuffix("'s") in KIND_WORDS.surnames_too:
        return first in given_names()
    if kinds[-1] == "job":
        return kinds[-2] == "name" and first in given_names()  # Jeremy Trainer
    return (
        first in given_names()
        and last.isalpha()
        and len(last) > 2
        and last not in no_names()
        and not last.endswith(("ing", "ed", "tion", "ics", "ment", "ity", "ology", "s"))
    )


def _kind_here(folded: FoldedText, piece: tuple[int, int], low: str, kind: str) -> str:  # noqa: C901, PLR0911 - one line per kind
    """Return what a capitalised word is where it stands: `kind` as a rule."""
    text = folded.text
    start, end = piece
    if low in OTHER_NAME_WORDS.small_words and (text[start:end].isupper() or low == "as"):
        return "ordinary"  # in a line of capitals, 'As Ann Roe puts it'
    if kind in PLAIN and low not in OTHER_NAME_WORDS.capital_inside and "." not in low:
        return kind
    if low[1:2] == ".":
        return "initial"
    if "'" in low or "." in low:
        low = low.removesuffix("'s").removeprefix("st. ")
        kind = kind_of(low)
    if (
        low in OTHER_NAME_WORDS.capital_inside
        and text[start + 1].islower()
        and _INSIDE.search(text, max(0, start - 3), start) is not None
    ):
        return "word"  # 'with She Ying': pronouns have no capital here
    if low in OTHER_NAME_WORDS.capital_inside and text.endswith(". ", max(0, start - 2), start):
        return "ordinary"  # 'class B. My father'
    if kind == "particle" and low in _NAMES_TOO:
        return "word"
    if low in OTHER_NAME_WORDS.no_english:
        return "name"
    if kind == "name":
        if end - start < 5 and text[start:end].isupper() and not _in_capitals(text, start, end):
            return "initial" if end - start == 1 else "ordinary"  # an abbreviation: SAP, NHS
        if not low.isalpha() and any(letter.isdigit() for letter in low):
            return "ordinary"
        if low not in given_names() and low not in surnames() and folded.is_written_small(low):
            return "ordinary"
    return kind


@cache
def _by_place() -> frozenset[str]:
    found: frozenset[str] = OTHER_NAME_WORDS.capital_inside | OTHER_NAME_WORDS.small_words
    return found


_INSIDE = lazy_re(r"[a-z,][ ]$|[A-Z]\w*[ ]$")
#: They look like particles, and begin names as well.
_NAMES_TOO = frozenset({"bin", "do", "van", "ben", "le", "mac", "la", "de", "von"})


def _in_capitals(text: str, start: int, end: int) -> bool:
    """Say whether the words beside one are in capitals as well."""
    left, right = text[max(0, start - 12) : start], text[end : end + 12]
    return (left + right).isupper() and sum(letter.isalpha() for letter in left + right) > 3
