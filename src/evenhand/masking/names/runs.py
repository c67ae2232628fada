"""Runs of capitalised words: where they are, and how much each looks like a person's name."""

from collections.abc import Collection
from functools import cache
from itertools import pairwise

from evenhand.masking.folded_text import FoldedText
from evenhand.masking.names.parts import KIND_WORDS
from evenhand.masking.names.slots import FULL_LINE
from evenhand.masking.names.word_kinds import given_names, kind_of, no_names, surnames
from evenhand.patterns import lazy_re
from evenhand.word_tables import WordTable

OTHER_NAME_WORDS = WordTable("evenhand.masking.names", "others.toml")

_PARTICLE = (
    r"(?:van|von|de|der|den|dem|del|della|di|da|do|dos|das|du|la|las|le|los|el|al|bin|binti|bint|ibn|ben|abu"
    r"|ter|ten|zu|zum|zur|af|av|e|y|vom|'t)"
)
_WORD = r"(?:St\.[ ]|(?:al|el|ul|as|ad|ar|az|ash|an|at)-)?(?:[dDlLO]'[A-Z]|[A-Z])\w*(?:'[A-Za-z]{2,})?(?:-\w+)*"
_INITIAL = r"[A-Z]\.(?:[ -]?[A-Z]\.){0,5}"
_RUN = lazy_re(
    rf"(?<![\w'.@/&#-])(?:{_INITIAL}[ ]{{0,2}})?{_WORD}"
    rf"(?:[ ]{{1,2}}(?:(?=[a-z'])(?:{_PARTICLE}[ ]){{1,3}})?(?:{_INITIAL}(?=[ ])|{_WORD}))+"
)
_PIECE = lazy_re(rf"{_INITIAL}(?=[ A-Z\n])|{_WORD}")
_JOINED_BY = lazy_re(rf"[ ](?:{_PARTICLE}[ ]){{1,3}}")
PLAIN = frozenset({"ordinary", "job"})
_ENDS_WITH_INITIAL = lazy_re(r"[A-Z]\w+ [A-Z]\.$")


def unwrapped(text: str) -> str:
    r"""Return a text of the same length in which full lines go on with a blank: a name may be broken over two.

    >>> unwrapped("Ann B.\nRoe\n" + 20 * "and so " + "on with Ann\nRoe\n")[-20:]
    'so on with Ann Roe\n'
    """
    lines = text.split("\n")
    pieces = [lines[0]]
    for before, line in pairwise(lines):
        full = len(before) >= FULL_LINE and before[-1].isalpha() and "   " not in before.strip()
        goes_on = line[:1].isalpha() and (full or _ENDS_WITH_INITIAL.search(before) is not None)
        pieces += [" " if goes_on else "\n", line]
    return "".join(pieces)


def runs_in(folded: FoldedText) -> list[tuple[int, int]]:
    """Return the places of two capitalised words or more side by side.

    >>> from evenhand.masking.folded_text import folded_text
    >>> runs_in(folded_text("met Ann Roe and Ludwig van der Berg"))
    [(4, 11), (16, 35)]
    """
    return [match.span() for match in _RUN.finditer(unwrapped(folded.text))]


def pieces_of(folded: FoldedText, start: int, end: int) -> tuple[list[tuple[int, int]], list[str]]:
    """Return the places and kinds of a run's words: as `kind_of`, `initial` or `maybe` (an ordinary word).

    >>> from evenhand.masking.folded_text import folded_text
    >>> pieces_of(folded_text("Nurse J. Okafor"), 0, 15)[1]
    ['job', 'initial', 'name']
    """
    low = folded.low
    pieces = [match.span() for match in _PIECE.finditer(folded.text, start, end)]
    words = [low[first:last] for first, last in pieces]
    kinds = list(map(kind_of, words))
    if PLAIN.issuperset(kinds) and OTHER_NAME_WORDS.capital_inside.isdisjoint(words) and "." not in low[start:end]:
        return [], []
    kinds = [_kind_here(folded, piece, *of) for piece, *of in zip(pieces, words, kinds, strict=True)]
    if kinds[0] == "word" and len(words) > 2 and words[0] in OTHER_NAME_WORDS.jobs:
        kinds[0] = "job"  # Mayor Ann Roe
    for number in range(1, len(pieces)):
        if kinds[number] == "ordinary" and _is_after_particle(folded, pieces, kinds, number):
            kinds[number] = "word"  # Gilles de la Tour
    if len(words) > 2 and kinds[-3] in {"name", "word", "initial"} and f"{words[-2]} {words[-1]}" in _two_words():
        kinds[-2:] = ["word", "word"]  # Wyatt Standing Bear
    if _may_be_surname(words, kinds):
        kinds[-1] = "maybe"
    return pieces, kinds


def _is_after_particle(folded: FoldedText, pieces: list[tuple[int, int]], kinds: list[str], number: int) -> bool:
    """Say whether particles precede a word: between it and another, or as the last of two words."""
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


def _may_be_surname(words: list[str], kinds: list[str]) -> bool:
    """Say whether an ordinary word ends a run after a given name that begins it: `Summer Rain`."""
    start = -3 if len(kinds) > 2 and kinds[-2] == "initial" else -2
    if len(kinds) < 2 or kinds[-1] not in PLAIN or words[start] not in given_names():
        return False
    if len(kinds) > -start and kinds[start - 1] not in PLAIN:
        return False
    last = words[-1].removesuffix("'s")
    if last in KIND_WORDS.surnames_too or kinds[-1] == "job":
        return last in KIND_WORDS.surnames_too or kinds[-2] == "name"  # Jeremy Trainer
    return last.isalpha() and len(last) > 2 and last not in no_names() and not last.endswith(OTHER_NAME_WORDS.of_things)


def _kind_here(folded: FoldedText, piece: tuple[int, int], low: str, kind: str) -> str:  # noqa: C901, PLR0911 - one line per kind
    """Return the kind of a capitalised word in its place: `kind` as a rule."""
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


_INSIDE = lazy_re(r"[a-z,][ ]$|[A-Z]\w*[ ]$")
#: They look like particles, and begin names as well.
_NAMES_TOO = frozenset({"bin", "do", "van", "ben", "le", "mac", "la", "de", "von"})


def _in_capitals(text: str, start: int, end: int) -> bool:
    """Say whether the adjacent words are in capitals as well."""
    left, right = text[max(0, start - 12) : start], text[end : end + 12]
    return (left + right).isupper() and sum(letter.isalpha() for letter in left + right) > 3


_MOST_NAME_WORDS = 5


def shape_of(folded: FoldedText, pieces: list[tuple[int, int]], kinds: list[str]) -> int:  # noqa: C901, PLR0911 - one line per shape
    """Return how sure a shape is a person's name.

    4: a frequent given name and a frequent surname; 3: a frequent given name and another; 2: one frequent name;
    1: none; 0: words that are names as well; -1: no name.
    """
    named = [
        (folded.low[start:end].removesuffix("'s"), kind)
        for (start, end), kind in zip(pieces, kinds, strict=True)
        if kind not in {"initial", "particle"}
    ]
    initials = "initial" in kinds
    if not named or len(named) + initials < 2 or len(named) > _MOST_NAME_WORDS:
        return -1
    first_names, family = given_names(), surnames()
    (first, _), (last, last_kind) = named[0], named[-1]
    begins, ends = _is_in(first, first_names), _is_in(last, family) or last in KIND_WORDS.surnames_too
    clean = [kind == "name" for _, kind in named]
    if len(named) == 1:
        return 2 if clean[0] else 0
    if last_kind == "maybe":
        return 0
    if not any(clean):
        if begins and (last_kind == "word" or ends) and named[0][1] == "word":
            return 1
        return 0 if last_kind == "word" or ends or (begins and last_kind != "particle") else -1
    if begins and clean[0]:
        if ends and last_kind == "name":
            return 4
        return 3 if last_kind in {"name", "word"} or ends else 2
    if begins and ends and clean[-1]:
        return 4
    if (
        len(named) == 2
        and clean[0]
        and last in OTHER_NAME_WORDS.east_asian
        and _TWO_SYLLABLES.fullmatch(first) is not None
    ):
        return 4  # Yoo-na Kwon, Huifen Xu
    if begins or any(kind == "name" and (word in first_names or word in family) for word, kind in named):
        return 2
    return 1


#: Two syllables of a Chinese or Korean given name, written as one word or with a hyphen.
_SYLLABLE = (
    r"(?:(?:zh|ch|sh|[bpmfdtnlgkhjqxrzcsyw])?(?:iang|iong|uang|ang|eng|ing|ong|ian|iao|uai|uan|ueng|ai|an|ao|ei|en|er|ia|ie|in|"
    r"iu|ou|ua|ui|un|uo|ue|a|e|i|o|u)|(?:kk|[bcdghjkmnpstw]|ch)?y?(?:eo|eu|ae|oo|ee|wo|wa|yu|ye|ya)[nmngklp]?g?)"
)
_TWO_SYLLABLES = lazy_re(rf"{_SYLLABLE}-?{_SYLLABLE}")


def _is_in(word: str, listed: Collection[str]) -> bool:
    return word in listed or ("-" in word and any(part in listed for part in word.split("-")))
