"""A name that the caller gave, found as it is typed: its words in any case, whatever a name usually looks like.

A word that is nothing else (`venkatesan`) is the name wherever it stands. One that is also an ordinary word, a month
or a place (`Will`, `May`), or belongs to many names (`van`, an initial), is it here beside other words of the name,
behind a name's label or a greeting, and in letters that only look like its own; `mentions` decides about it
elsewhere, and what it leaves is counted by `ordinary_uses`.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

from evenhand.masking.folded_text import FoldedText, folded_text
from evenhand.masking.names.mention_contexts import MENTION_WORDS, kind_of_token
from evenhand.masking.names.own import is_name_label
from evenhand.masking.names.parts import KIND_WORDS, PARTICLES
from evenhand.masking.names.word_kinds import given_names, surnames
from evenhand.masking.rules import RuleMatch
from evenhand.patterns import LOOKALIKES, lazy_re

#: Between two names of one person, in small letters; nothing else of a given name is left out.
_CONNECTING = lazy_re(
    r"(?<=\w)[,;]?\s+\(?(?:(?:formerly|previously|also)(?:\s+known\s+as)?|known\s+as|n\u00e9e?|geb\.|a\.?k\.?a\.?|f\.?k\.?a\.?|alias)[:,]?\s+(?=\w)"
)
#: What stands between words of one name: blanks, a comma, a mark of handles and file names, a line's end.
_GAP = lazy_re(r"[ \t\u00a0]{1,4}|,[ ]?|[-_.'+]|[ ]?\n[ ]?|%20|\.[ ]|[ ]?[(\"'][ ]?|[)\"'][ ]?")
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
            apart = place < 0 or places[place] in held or not _goes_on(folded, group[-1:], place, name.sure)
            if group and apart:
                if _is_name(folded, held, name, group):
                    word, _, end = folded.words[group[-1]]
                    yield folded.words[group[0]][1], end - 2 * word.endswith("'s")
                group = []
            if place >= 0:
                group.append(place)


def _goes_on(folded: FoldedText, last: list[int], place: int, sure: frozenset[str]) -> bool:
    """Say whether a word goes on with a name: it follows, or an initial or a particle is between.

    Over a comma or a line's end words that may be ordinary ones go on with capitals only.
    """
    if not last or place - last[0] > 2:
        return False
    between = [folded.words[at] for at in range(last[0], place + 1)]
    if len(between) == 3:
        word, _, end = between[1]
        if word not in PARTICLES and (len(word) > 1 or (word == "i" and folded.text[end : end + 1] != ".")):
            return False
    gaps = [folded.text[end:start] for (_, _, end), (_, start, _) in pairwise(between)]
    if any(_GAP.fullmatch(gap) is None for gap in gaps) or (". " in gaps[0] and len(between[0][0]) > 1):
        return False
    capitals = all(folded.text[start].isupper() or word in sure for word, start, _ in (between[0], between[-1]))
    return capitals or not any("," in gap or "\n" in gap for gap in gaps)


def _is_name(folded: FoldedText, words: list[str], name: GivenName, group: list[int]) -> bool:
    """Say whether words side by side are the name: one that is nothing else, or two of it in its order or apart."""
    if not name.sure.isdisjoint(words):
        if len(words) > 1:
            return True
        start = folded.words[group[0]][1]
        return MENTION_WORDS.before_towns.search(folded.text, max(0, start - 7), start) is None
    ordinary = [word for word in dict.fromkeys(words) if word in name.ordinary]
    if not ordinary:
        return False
    if _is_labelled(folded, group[0]) or any(not folded.words[at][0].isascii() for at in group):
        return True  # nobody writes an ordinary word in letters that look like its own
    if len(words) > 1 and f" {' '.join(words)} " in f" {' '.join(name.words)} ":
        small = all(folded.text[folded.words[at][1]].islower() for at in group)
        return not (small and MENTION_WORDS.function_words.issuperset(words)) or _is_alone(folded, group)
    return len(ordinary) > 1 and any(folded.text[folded.words[at][1]].isupper() for at in group)


def _is_labelled(folded: FoldedText, place: int) -> bool:
    """Say whether a name's label or a greeting is before a word in its line: `First name: will`, `Dear grace,`."""
    start = folded.words[place][1]
    label = _LABEL.search(folded.low, max(folded.low.rfind("\n", 0, start) + 1, start - 60), start)
    return label is not None and (label[1] is None or is_name_label(" ".join(label[1].replace("_", " ").split())))


#: A label with its mark, a tab or blanks, or a greeting, at the end of what precedes a name.
_LABEL = lazy_re(
    r"(?:([a-z\u00e0-\u024f][a-z\u00e0-\u024f '()/_.-]{1,40}?)[\"'*]{0,2}(?:[ \t]*[:=|\t]|[ ]{2})[ \t|\"'*]*"
    r"|(?<![\w-])(?:dear|hi|hello|hey)[ ])$"
)


def _is_alone(folded: FoldedText, group: list[int]) -> bool:
    """Say whether words are all of a line, or of what a mark sets apart in it."""
    start, end = folded.words[group[0]][1], folded.words[group[-1]][2]
    before, after = folded.text[:start].rpartition("\n")[2][-8:], folded.text[end:].partition("\n")[0][:8]
    return before.strip(" \t#*>_-")[-1:] in _SET_APART and after.strip(" \t*_-")[:1] in _SET_APART


_SET_APART = frozenset(["", ":", "|", ",", "(", "<", "\u2022", "/"])


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
