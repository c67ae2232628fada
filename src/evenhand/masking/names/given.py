"""A name that the caller gave, found as it is typed: its words in any case, whatever a name usually looks like.

A word that is nothing else (`venkatesan`) is the name wherever it stands. One that is also an ordinary word, a month
or a place (`Will`, `May`), or belongs to many names (`van`, an initial), is it here beside other words of the name
only; `mentions` decides about it elsewhere, and what it leaves is counted by `ordinary_uses`.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

from evenhand.masking.folded_text import FoldedText, folded_text
from evenhand.masking.names.mention_contexts import MENTION_WORDS, kind_of_token
from evenhand.masking.names.parts import KIND_WORDS, PARTICLES
from evenhand.masking.names.word_kinds import given_names, surnames
from evenhand.masking.rules import RuleMatch
from evenhand.patterns import LOOKALIKES, lazy_re

#: Between two names of one person, in small letters; nothing else of a given name is left out.
_CONNECTING = lazy_re(
    r"(?<=\w)[,;]?\s+\(?(?:(?:formerly|previously|also)(?:\s+known\s+as)?|known\s+as|n\u00e9e?|geb\.|a\.?k\.?a\.?|f\.?k\.?a\.?|alias)[:,]?\s+(?=\w)"
)
#: What stands between words of one name: blanks, a comma, a mark of handles and file names, a line's end.
_GAP = lazy_re(r"[ \t\u00a0]{1,4}|,[ ]?|[-_.'+]|[ ]?\n[ ]?|%20|(?<=\b\w)\.[ ]|[ ]?[(\"'][ ]?|[)\"'][ ]?")
#: How summaries name the count of `ordinary_uses`.
ORDINARY = "words of given names left as ordinary words"
_SHORTEST_INSIDE = 5
_APOSTROPHES = str.maketrans("", "", "'")


@dataclass(frozen=True)
class GivenName:
    """The words of a given name in their order, folded; `sure` are those that are nothing else."""

    words: tuple[str, ...]
    sure: frozenset[str]
    weak: frozenset[str]

    @property
    def ordinary(self) -> frozenset[str]:
        """The words that are ordinary words as well."""
        return frozenset(self.words) - self.sure - self.weak


def names_given(text: str) -> list[str]:
    """Return the names in a given one: `Sara Holm` and `Sara Lind` of `Sara Holm, formerly Sara Lind`.

    >>> names_given("Sara Holm also known as Sara Lind"), names_given("Max Born")
    (['Sara Holm', 'Sara Lind'], ['Max Born'])
    """
    return [name.strip() for name in _CONNECTING.split(text) if name.strip()]


@lru_cache(maxsize=4096)
def given_name(text: str) -> GivenName:
    """Return the words of a given name.

    >>> name = given_name("Will van der Meer")
    >>> name.words, sorted(name.sure), sorted(name.ordinary)
    (('will', 'van', 'der', 'meer'), ['meer'], ['will'])
    """
    words: list[str] = []
    for word, _, _ in folded_text(text).words:
        pieces = [_key(word), *(piece for piece in word.split("'") if len(piece) > 2)] if "'" in word else [_key(word)]
        words += [piece for piece in dict.fromkeys(pieces) if piece and not piece.isdecimal()]
    common = PARTICLES | KIND_WORDS.titles | KIND_WORDS.suffixes
    weak = frozenset(word for word in words if (len(word) == 1 and word.isascii()) or word in common)
    if weak.issuperset(words):
        weak = frozenset()
    sure = frozenset(word for word in words if word not in weak and kind_of_token(word) is None)
    return GivenName(tuple(words), sure, weak)


def has_words(text: str) -> bool:
    """Say whether a given name has a word of two letters, or a letter of a script without blanks.

    >>> has_words("An Do"), has_words("J."), has_words("明")
    (True, False, True)
    """
    return any(len(word) > 1 or not word.isascii() for word in given_name(text).words)


def _key(word: str) -> str:
    return word.removesuffix("'s").translate(_APOSTROPHES).translate(LOOKALIKES)


def _places(folded: FoldedText, words: Iterable[str]) -> dict[int, str]:
    """Return the places in a text's words of those looked for, and the word."""
    wanted = set(words)
    places = {place: word for word in wanted for place in folded.where.get(word, ())}
    others = set(folded.elided)
    if folded.foreign:
        others |= {place for word, found in folded.where.items() if not word.isascii() for place in found}
    places.update((place, key) for place in others if (key := _key(folded.words[place][0])) in wanted)
    return places


def _is_name_compound(word: str, form: str) -> bool:
    """Say whether a word with a name inside is neither an ordinary one nor another name: `okaforcv`, not `johnston`.

    In the middle of a word a name counts only next to a title, digits and the like: `mrokaforjr`.

    >>> [_is_name_compound(*pair) for pair in (("okaforcv", "okafor"), ("martinez", "martin"), ("abnormal", "norma"))]
    [True, False, False]
    >>> [_is_name_compound(word, "okafor") for word in ("mrokaforjr", "cvokafor2023", "exokafored", "okafors")]
    [True, True, False, True]
    """
    before, _, after = (part.strip("0123456789_") for part in word.partition(form))
    return (
        word != form
        and "'" not in word
        and len(form) >= _SHORTEST_INSIDE
        and kind_of_token(word) is None
        and word not in surnames()
        and word not in given_names()
        and (not before or not after or before in MENTION_WORDS.before_names)
    )


def given_places(folded: FoldedText, names: Iterable[str]) -> Iterator[tuple[int, int]]:
    """Yield start and end of each place that is certainly a given name.

    >>> seen = folded_text("harish VENKATESAN, of Will young: will Young's venkatesan will?")
    >>> [seen.text[start:end] for start, end in given_places(seen, ["Harish venkatesan", "Will Young"])]
    ['harish VENKATESAN', 'venkatesan', 'Will young', 'will Young']
    """
    for text in names:
        name = given_name(text)
        for form in name.sure:
            holding = [word for word in folded.where if form in word and _is_name_compound(word, form)]
            yield from (folded.words[place][1:] for word in holding for place in folded.where[word])
        places = _places(folded, name.words)
        group: list[int] = []
        for place in [*sorted(places), -1]:
            held = [places[at] for at in group]
            if group and (place < 0 or places[place] in held or not _goes_on(folded, group[-1], place)):
                if _is_name(folded, held, name, group):
                    word, _, end = folded.words[group[-1]]
                    yield folded.words[group[0]][1], end - 2 * word.endswith("'s")
                group = []
            if place >= 0:
                group.append(place)


def _goes_on(folded: FoldedText, before: int, place: int) -> bool:
    """Say whether a word goes on with a name: it follows, or an initial or a particle is between."""
    if place - before > 2:
        return False
    between = [folded.words[at] for at in range(before, place + 1)]
    if len(between) == 3 and len(between[1][0]) > 1 and between[1][0] not in PARTICLES:
        return False
    return all(
        _GAP.fullmatch(folded.text, last, first) is not None for (_, _, last), (_, first, _) in pairwise(between)
    )


def _is_name(folded: FoldedText, words: list[str], name: GivenName, group: list[int]) -> bool:
    """Say whether words side by side are the name: one that is nothing else, or two of it in its order or apart."""
    if not name.sure.isdisjoint(words):
        if len(words) > 1:
            return True
        start = folded.words[group[0]][1]
        return MENTION_WORDS.before_towns.search(folded.text, max(0, start - 7), start) is None
    ordinary = [word for word in dict.fromkeys(words) if word in name.ordinary]
    joined = f" {' '.join(name.words)} "
    if len(words) > 1 and ordinary and f" {' '.join(words)} " in joined:
        return True
    return len(ordinary) > 1 and any(folded.text[folded.words[at][1]].isupper() for at in group)


def given_mentions(folded: FoldedText, names: Iterable[str]) -> list[RuleMatch]:
    """Return the places of given names as matches of a rule."""
    return [
        RuleMatch(start=start, end=end, category="NAME", rule="given name", confidence=1.0)
        for start, end in given_places(folded, names)
    ]


def ordinary_uses(text: str, names: Iterable[str]) -> int:
    """Return how often words of given names stand in a masked text as ordinary words.

    >>> ordinary_uses("[NAME] will lead the [NAME] will", ["Will Young"])
    2
    """
    words = frozenset(word for name in names for word in given_name(name).ordinary)
    return len(_places(folded_text(text), words)) if words else 0
