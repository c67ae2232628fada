"""A name that the caller gave, found as it is typed: its words in any case, whatever a name usually looks like.

A word that is nothing else (`venkatesan`) is the name wherever it stands. One that is also an ordinary word, a month
or a place (`Will`, `May`), or belongs to many names (`van`, an initial), is it here next to the name's other words in
their order, behind a name's label or a greeting, in the name of a CV's file, and written as no word is. `mentions`
finds the name's other forms and decides about its words elsewhere; what it leaves is counted by `ordinary_uses`.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

from evenhand.data.lexicons.folding import latin_letters
from evenhand.masking.folded_text import FoldedText, folded_text
from evenhand.masking.names.mention_contexts import MENTION_WORDS, kind_of_token
from evenhand.masking.names.own import is_name_label
from evenhand.masking.names.parts import AROUND_WORDS, KIND_WORDS, PARTICLES
from evenhand.masking.names.word_kinds import given_names, surnames
from evenhand.masking.rules import RuleMatch
from evenhand.patterns import lazy_re

_CONNECTING_WORDS = (
    r"(?:(?:formerly|previously|also)(?:\s+known\s+as)?|known\s+as|n\u00e9e?|geb\.|a\.?k\.?a\.?|f\.?k\.?a\.?"
    r"|alias)[:,]?"
)
#: Between two names of one person, in small letters; nothing else of a given name is left out.
_CONNECTING = lazy_re(rf"(?<=\w)[,;]?\s+\(?{_CONNECTING_WORDS}\s+(?=\w)")
_ONLY_CONNECTING = lazy_re(rf"\W*{_CONNECTING_WORDS}\W*", re.IGNORECASE)
#: What stands between words of one name: blanks, a mark of handles and file names, a line's end.
_GAP = lazy_re(r"[ \t\u00a0]{1,4}|[-_.'+]|[ ]?\n[ ]?|%20|[ ]?[(\"'][ ]?|[)\"'][ ]?")
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

    >>> given_name("Meer, Will").words
    ('will', 'meer')
    >>> name = given_name("Will van der Meer")
    >>> name.words, sorted(name.sure), sorted(name.ordinary)
    (('will', 'van', 'der', 'meer'), ['meer'], ['will'])
    >>> sorted(given_name("Van Tran").weak), sorted(given_name("van der Meer").weak)
    ([], ['der', 'van'])
    """
    words: list[str] = []
    last, comma, first = text.partition(", ")
    for word, _, _ in folded_text(f"{first} {last}" if comma else text).words:
        pieces = [_key(word), *(piece for piece in word.split("'") if len(piece) > 2)] if "'" in word else [_key(word)]
        words += [piece for piece in dict.fromkeys(pieces) if piece and not piece.isdecimal()]
    weak = _particles(words) | {word for word in words if len(word) == 1 and word.isascii()}
    weak |= KIND_WORDS.titles.intersection(words[:1]) | KIND_WORDS.suffixes.intersection(words[2:])
    if weak.issuperset(words):
        weak = frozenset()
    sure = frozenset(word for word in words if word not in weak and kind_of_token(word) is None)
    return GivenName(tuple(words), sure, weak)


def _particles(words: list[str]) -> frozenset[str]:
    """Return the particles in a name; one alone that begins or ends it is its first or last name: Van Tran, Ana Le."""
    particles = PARTICLES.intersection(words)
    for end, next_to_it in (words[:2], words[:-3:-1]) if len(words) > 1 else ():
        if next_to_it not in particles:
            particles -= {end}
    return particles


def has_words(text: str) -> bool:
    """Say whether a given name has a word of two letters, or a letter of a script without blanks.

    >>> [has_words(text) for text in ("An Do", "明", "J.", "née", "Also known as")]
    [True, True, False, False, False]
    """
    if _ONLY_CONNECTING.fullmatch(text) is not None:
        return False
    return any(len(word) > 1 or not word.isascii() for word in given_name(text).words)


def _key(word: str) -> str:
    return latin_letters(word.removesuffix("'s").translate(_APOSTROPHES)).lower()


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
        for run in _runs(folded, name):
            if _is_name(folded, name, run):
                word, _, end = folded.words[run[-1]]
                yield folded.words[run[0]][1], end - 2 * word.endswith("'s")


def _runs(folded: FoldedText, name: GivenName) -> Iterator[list[int]]:
    """Yield the longest stretches of a text's words that follow each other as in a name."""
    places = _places(folded, name.words)
    following = set(pairwise(name.words))
    run: list[int] = []
    for place in [*sorted(places), -1]:
        goes_on = run and place == run[-1] + 1 and (places[run[-1]], places[place]) in following
        if run and not (goes_on and not _is_apart(folded, place)):
            yield run
            run = []
        run.append(place)


def _is_apart(folded: FoldedText, place: int) -> bool:
    """Say whether a word is apart from the one before it, over a line's end also where one has no capital."""
    (_, before, end), (_, start, _) = folded.words[place - 1 : place + 1]
    gap = folded.text[end:start]
    return _GAP.fullmatch(gap) is None or ("\n" in gap and not (folded.text[before] + folded.text[start]).isupper())


def _is_name(folded: FoldedText, name: GivenName, run: list[int]) -> bool:
    """Say whether words in a name's order are the name: one that is nothing else, two of it, or one in its place."""
    words = [_key(folded.words[place][0]) for place in run]
    start, end = folded.words[run[0]][1], folded.words[run[-1]][2]
    if not name.sure.isdisjoint(words):
        return len(words) > 1 or MENTION_WORDS.before_towns.search(folded.text, max(0, start - 7), start) is None
    if name.ordinary.isdisjoint(words):
        return False
    if len(words) > 1:
        ordinary = folded.text[start:end].islower() and MENTION_WORDS.closed_words.issuperset(words)
        return not ordinary or _is_alone(folded.text, start, end)
    oddly = _is_written_oddly(folded.text[start:end])
    return oddly or _is_labelled(folded, start) or _is_in_file_name(folded, start, end)


def _is_written_oddly(written: str) -> bool:
    """Say whether nobody writes an ordinary word so: in letters that look like its own, or with a capital inside.

    >>> [_is_written_oddly(written) for written in ("w\u0456ll", "wILL", "wiLl's", "Will's", "WILL")]
    [True, True, True, False, False]
    """
    written = written.removesuffix("'s")
    return not written.isascii() or not (written.islower() or written.isupper() or written.istitle())


def _is_in_file_name(folded: FoldedText, start: int, end: int) -> bool:
    """Say whether a word is part of the name of a CV's file, with marks between: `will_cv.docx`."""
    before, after = MENTION_WORDS.file_before, MENTION_WORDS.file_after
    return after.match(folded.low, end) is not None or before.search(folded.low, max(0, start - 20), start) is not None


def _is_labelled(folded: FoldedText, start: int) -> bool:
    """Say whether a name's label or a greeting is before a word in its line: `First name: will`, `Dear grace,`."""
    label = _LABEL.search(folded.low, max(folded.low.rfind("\n", 0, start) + 1, start - 60), start)
    return label is not None and (label[1] is None or is_name_label(" ".join(label[1].replace("_", " ").split())))


#: A label with its mark, a tab or blanks, or a greeting, at the end of what precedes a name.
_LABEL = lazy_re(
    r"(?:([a-z\u00e0-\u024f][a-z\u00e0-\u024f '()/_.-]{1,40}?)[\"'*]{0,2}(?:[ \t]*[:=|\t]|[ ]{2})[ \t|\"'*]*"
    r"|(?<![\w-])(?:dear|hi|hello|hey)[ ])$"
)


def _is_alone(text: str, start: int, end: int) -> bool:
    """Say whether words are a line, set apart in it by marks, a clause's end after `by`, or begin one and act."""
    before, after = text[max(0, start - 8) : start].rpartition("\n")[2], text[end : end + 8].partition("\n")[0]
    follows = "-" if _DASH.match(after) is not None else after.strip(" \t*_-")[:1]
    if _BY.search(before) is not None:
        return follows in _SET_APART or follows in _CLAUSE_ENDS
    last = before.strip(" \t#*>_-")[-1:]
    if last in _SET_APART and (follows in _SET_APART or follows == "-"):
        return True
    return (last in _SET_APART or last in _CLAUSE_ENDS) and AROUND_WORDS.verb.match(text, end) is not None


_SET_APART = frozenset(["", ":", "|", ",", "(", "<", "\u2022", "/"])
_CLAUSE_ENDS = frozenset("-.;!?)")
_BY, _DASH = lazy_re(r"(?<!\w)by[ ]$", re.IGNORECASE), lazy_re(r"[ ][-\u2013\u2014][ ]")


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
