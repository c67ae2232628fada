"""Which candidate some words name: exactly, by part, or by a slip of spelling."""

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

__all__ = ["Candidates", "Mention", "candidates", "plain_words"]

#: Words that stand before a name and are no part of it.
TITLES = frozenset({"mr", "mrs", "ms", "miss", "mx", "dr", "prof", "professor"})
#: Words that stand behind a name and are no part of it.
SUFFIXES = frozenset({"jr", "sr", "ii", "iii", "iv", "phd", "mba", "cpa", "md"})

_LETTERS = str.maketrans(
    {"đ": "d", "ł": "l", "ø": "o", "ß": "ss", "æ": "ae", "œ": "oe", "\u0131": "i", "ð": "d", "þ": "th"}
)
_INNER = re.compile(r"(?<=[a-z])['-](?=[a-z])")
_WORD = re.compile(r"[a-z]+|[0-9]+")


@dataclass(frozen=True, kw_only=True, slots=True)
class Mention:
    """A candidate named in some words: who, by which rule, and from which word to which.

    `who` is None where the words name nobody or more than one; `rule` says which.
    """

    who: int | None
    rule: str
    start: int
    end: int


def plain_words(text: str) -> list[str]:
    """Return the words of lower-case text without accents, apostrophes and inner hyphens.

    >>> plain_words("1. austin o'connell-tuấn")
    ['1', 'austin', 'oconnelltuan']
    """
    if not text.isascii():
        text = unicodedata.normalize("NFKD", text.translate(_LETTERS))
        text = "".join(character for character in text if unicodedata.category(character) != "Mn")
    if "'" in text or "-" in text:
        text = _INNER.sub("", text)
    return _WORD.findall(text)


class Candidates:
    """The names of one prompt, prepared for looking them up in words."""

    def __init__(self, names: Sequence[str]) -> None:
        self.words = [tuple(plain_words(name.lower())) for name in names]
        self.whole = {" ".join(words): who for who, words in enumerate(self.words)}
        self.by_first: dict[str, list[int]] = {}
        self.by_last: dict[str, list[int]] = {}
        for who, words in enumerate(self.words):
            self.by_first.setdefault(words[0], []).append(who)
            self.by_last.setdefault(words[-1], []).append(who)
        self.squashed = {"".join(words): who for who, words in enumerate(self.words)}

    def full_names(self, words: Sequence[str]) -> list[Mention]:
        """Return every full name in the words, in order; 'Last First' and middle names included."""
        found: list[Mention] = []
        at, size = 0, len(words)
        while at < size:
            mention = self._at(words, at) if words[at] in self.by_first or words[at] in self.by_last else None
            if mention is None and at + 1 < size:
                mention = self._written_apart(words, at)
            if mention is None:
                at += 1
            else:
                found.append(mention)
                at = mention.end
        return found

    def _at(self, words: Sequence[str], at: int) -> Mention | None:
        """Return the full name that begins at a word; the longest of several."""
        best: Mention | None = None
        for who in self.by_first.get(words[at], ()):
            own = self.words[who]
            end = self._end(words, at, own)
            if end is not None and (best is None or end - at > best.end - best.start):
                best = Mention(who=who, rule="full name", start=at, end=end)
        if best is not None:
            return best
        for who in self.by_last.get(words[at], ()):
            own = self.words[who]
            rest = own[:-1]
            if rest and tuple(words[at + 1 : at + 1 + len(rest)]) == rest:
                return Mention(who=who, rule="last name first", start=at, end=at + 1 + len(rest))
        return None

    @staticmethod
    def _end(words: Sequence[str], at: int, own: tuple[str, ...]) -> int | None:
        """Return where a name ends that begins at `at`; one middle name or initial may stand inside."""
        if tuple(words[at : at + len(own)]) == own:
            return at + len(own)
        # Only an initial: a whole word between two names is more likely another name's.
        if len(own) == 2 and at + 2 < len(words) and len(words[at + 1]) == 1 and words[at + 2] == own[1]:
            return at + 3
        return None

    def _written_apart(self, words: Sequence[str], at: int) -> Mention | None:
        """Return a full name that is cut into words at another place: 'de asia branch'."""
        for end in (at + 2, at + 3, at + 4):
            if end > len(words):
                break
            who = self.squashed.get("".join(words[at:end]))
            if who is not None:
                return Mention(who=who, rule="full name", start=at, end=end)
        return None

    def entry(self, words: Sequence[str], *, taken: frozenset[int]) -> Mention:
        """Return whom an entry without any full name is about; `taken` are named elsewhere in full.

        Looks at the words with which the entry begins: first and last name, or one of them.
        """
        start = 0
        while start < len(words) and (words[start] in TITLES or words[start].isdigit()):
            start += 1
        rest = [word for word in words[start:] if word not in SUFFIXES]
        if not rest:
            return Mention(who=None, rule="no name", start=0, end=len(words))
        if len(rest) > 1:
            mention = self._two_words(rest[0], rest[1], start, taken)
            if mention is None and len(rest) > 2 and len(rest[1]) == 1:
                mention = self._two_words(rest[0], rest[2], start, taken)
            if mention is not None:
                return mention
        return self._one_word(rest[0], start, alone=len(rest) == 1)

    def _one_word(self, word: str, start: int, *, alone: bool) -> Mention:
        for rule, known in (("first name", self.by_first.get(word, [])), ("last name", self.by_last.get(word, []))):
            if len(known) == 1:
                return Mention(who=known[0], rule=rule, start=start, end=start + 1)
            if known:
                return Mention(who=None, rule=f"shared {rule}", start=start, end=start + 1)
        if alone and len(word) > 3:
            near = [who for who, own in enumerate(self.words) if _near_word(word, own[0]) and own[0][0] == word[0]]
            if len(near) == 1:
                return Mention(who=near[0], rule="first name, slip of spelling", start=start, end=start + 1)
        return Mention(who=None, rule="nobody's name", start=start, end=start + 1)

    def _two_words(self, first: str, last: str, start: int, taken: frozenset[int]) -> Mention | None:
        """Return whom two words name that are no candidate's full name, None where the second is no name."""
        firsts, lasts = self.by_first.get(first, []), self.by_last.get(last, [])
        end = start + 2
        if firsts and lasts:
            # The first name of one and the last name of another, both spelled as theirs.
            return Mention(who=None, rule="two candidates in one name", start=start, end=end)
        near = [
            who
            for who, own in enumerate(self.words)
            if who not in taken and _near(first, last, own[0], "".join(own[1:]))
        ]
        if len(near) == 1:
            return Mention(who=near[0], rule="slip of spelling", start=start, end=end)
        if near:
            return Mention(who=None, rule="several names are near", start=start, end=end)
        if lasts and not firsts:
            # A first name that is nobody's before a last name that is somebody's.
            return Mention(who=None, rule="nobody's name", start=start, end=end)
        return None


@lru_cache(maxsize=256)
def candidates(names: tuple[str, ...]) -> Candidates:
    """Return the prepared names of a prompt."""
    return Candidates(names)


def _near(first: str, last: str, own_first: str, own_last: str) -> bool:
    """Return whether two words are a slip of a name: few edits, in the name as a whole or in one part."""
    if last == own_last:
        return _near_word(first, own_first)
    if first == own_first:
        return _near_word(last, own_last)
    # A slip in both parts is accepted for one edit each in words that are long enough.
    return all(
        len(own) >= 4 and _edits(given, own, most=1) <= 1 for given, own in ((first, own_first), (last, own_last))
    )


def _near_word(given: str, own: str) -> bool:
    """Return whether one part is a slip of the other: a cut end, or one or two edits by its length."""
    short, long = sorted((given, own), key=len)
    if len(short) >= 3 and long.startswith(short) and len(long) - len(short) <= 3:
        return True
    allowed = 1 if len(own) <= 5 else 2
    if len(own) <= 2 or len(given) <= 1:
        return False
    return _edits(given, own, most=allowed) <= allowed


def _edits(given: str, own: str, *, most: int) -> int:
    """Return the Damerau–Levenshtein distance (optimal string alignment), or more than `most`.

    >>> _edits("devonte", "devotne", most=2), _edits("vasquez", "vazquez", most=2)
    (1, 1)
    """
    if abs(len(given) - len(own)) > most:
        return most + 1
    before: list[int] = []
    above = list(range(len(own) + 1))
    for row, letter in enumerate(given, start=1):
        line = [row]
        for column, other in enumerate(own, start=1):
            cost = min(above[column] + 1, line[column - 1] + 1, above[column - 1] + (letter != other))
            if row > 1 and column > 1 and letter == own[column - 2] and given[row - 2] == other:
                cost = min(cost, before[column - 2] + 1)
            line.append(cost)
        before, above = above, line
    return above[-1]
