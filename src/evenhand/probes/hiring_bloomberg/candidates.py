"""Candidates and the words that name them: exactly, by a part of the name, or with a spelling error."""

import unicodedata
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache

from evenhand.data.folding import fold_characters
from evenhand.patterns import WordTable, lazy_re


def is_near_word(written: str, known: str) -> bool:
    """Return whether one part is a slip of the other: a cut end, or one or two edits by its length."""
    if written == known:
        return True
    short, long = sorted((written, known), key=len)
    if long.startswith(short) and (len(short) >= 4 or len(short) == 3 >= len(long) - len(short)):
        return True
    if len(short) <= 2:
        return False
    # Two edits turn Thanh into Thuan and Maya into Maria: other names.
    allowed = 1 if len(known) <= 5 else 2
    return edits(written, known, most=allowed) <= allowed


def edits(written: str, known: str, *, most: int) -> int:
    """Return the Damerau-Levenshtein distance (optimal string alignment), or more than `most`.

    >>> edits("devonte", "devotne", most=2), edits("vasquez", "vazquez", most=2)
    (1, 1)
    """
    if abs(len(written) - len(known)) > most:
        return most + 1
    if most == 1:
        return _one_edit(written, known)
    before: list[int] = []
    above = list(range(len(known) + 1))
    for row, letter in enumerate(written, start=1):
        line = [row]
        for column, other in enumerate(known, start=1):
            cost = min(above[column] + 1, line[column - 1] + 1, above[column - 1] + (letter != other))
            if row > 1 and column > 1 and letter == known[column - 2] and written[row - 2] == other:
                cost = min(cost, before[column - 2] + 1)
            line.append(cost)
        before, above = above, line
    return above[-1]


def _one_edit(written: str, known: str) -> int:
    """Return 0 or 1 for the same word and for one edit, else 2, by the part between equal ends."""
    start = 0
    while start < min(len(written), len(known)) and written[start] == known[start]:
        start += 1
    written, known = written[start:], known[start:]
    while written and known and written[-1] == known[-1]:
        written, known = written[:-1], known[:-1]
    if not written and not known:
        return 0
    return 1 if max(len(written), len(known)) == 1 or (len(known) == 2 and written == known[::-1]) else 2


#: Words and patterns that rankings are read by.
RANKING_WORDS = WordTable("evenhand.probes.hiring_bloomberg", "reader.toml")

#: A candidate named in full, in a text in which such names were replaced by one mark each: a Tangut
#: sign, since that is a letter to regular expressions and in no answer. It is called so in both tables of words.
NAMED = "[\U00017000-\U000187f7]"
_FIRST_MARK = 0x17000
#: Offsets of the marks for a name written as 'Last, First', and for a slot of the prompt.
_LAST_FIRST = 3000
_SLOT = 2 * _LAST_FIRST
#: The rule of a candidate who is named by the slot.
BY_SLOT = "slot in the prompt"
_MARK = lazy_re(f"({NAMED})")


_LETTERS = str.maketrans(
    {"đ": "d", "ł": "l", "ø": "o", "ß": "ss", "æ": "ae", "œ": "oe", "\u0131": "i", "ð": "d", "þ": "th"}
    | {"\U0001f947": " 1. ", "\U0001f948": " 2. ", "\U0001f949": " 3. "}
)
# The letter before is looked for last, which is faster.
_POSSESSIVE = lazy_re(r"'s\b(?<=[^\W\d_]'s)")
_INNER = lazy_re(r"['-](?=[^\W\d_])(?<=[^\W\d_].)")
_NOT_ASCII = lazy_re(r"[^\x00-\x7f]{1,8}")
_WORD = lazy_re(r"[^\W\d_]+|\d+")
_WORDS = lazy_re(r"([^\W\d_]+|\d+)")
#: Between the words of a name that is cut at another place.
_CLOSE = frozenset({" ", "", "'", "-", "."})
_NUMBER = lazy_re(r"\d+")
_LONGEST_GAP = 3
#: So many candidates in the order of the prompt are an echo, no ranking, where there is another ranking.
_ECHO = 4


@dataclass(frozen=True, kw_only=True, slots=True)
class Mention:
    """Whom some words name, and by which rule; `who` is None for nobody and for more than one."""

    who: int | None
    rule: str


def in_order_of_mention(text: str) -> tuple[str, list[int]]:
    """Return a marked text in which the candidates are counted as they are named, and who they are."""
    parts = _MARK.split(text)
    kinds = [divmod(ord(mark) - _FIRST_MARK, _LAST_FIRST) for mark in parts[1::2]]
    order = list(dict.fromkeys([who for _, who in kinds]))
    parts[1::2] = [chr(_FIRST_MARK + kind * _LAST_FIRST + order.index(who)) for kind, who in kinds]
    return "".join(parts), order


def named_by(mark: str) -> Mention:
    """Return whom a mark stands for."""
    number = ord(mark) - _FIRST_MARK
    if number < _LAST_FIRST:
        return Mention(who=number, rule="full name")
    if number < _SLOT:
        return Mention(who=number - _LAST_FIRST, rule="last name first")
    return Mention(who=number - _SLOT, rule=BY_SLOT)


def plain_text(text: str) -> str:
    """Return normalised text without accents, and without apostrophes and hyphens inside words.

    >>> plain_text("1. austin o'connell-tuấn's résumé")
    '1. austin oconnelltuan resume'
    """
    if not text.isascii():
        text = unicodedata.normalize("NFKD", text.translate(_LETTERS))
        text = _MARK.sub("", _NOT_ASCII.sub(lambda match: _without_accents(match.group()), text))
    if "'" in text:
        text = _POSSESSIVE.sub("", text)
    if "'" in text or "-" in text:
        text = _INNER.sub("", text)
    return text


@lru_cache(maxsize=4096)
def _without_accents(run: str) -> str:
    return "".join(character for character in run if unicodedata.category(character) != "Mn")


def plain_words(text: str) -> list[str]:
    """Return the words and numbers of a plain text."""
    return _WORD.findall(text)


@lru_cache(maxsize=4096)
def plain_name(name: str) -> str:
    """Return a name as it is compared.

    >>> plain_name("Dr. Seán O'Connell")
    'sean oconnell'
    """
    words = plain_words(plain_text(fold_characters(name)))
    while len(words) > 1 and words[0] in RANKING_WORDS.titles:
        del words[0]
    return " ".join(words)


class Candidates:
    """The names of one prompt, prepared for looking them up."""

    def __init__(self, names: Sequence[str]) -> None:
        self._plain = [plain_name(name) for name in names]
        self.size = len(names)

    @cached_property
    def words(self) -> list[tuple[str, ...]]:
        """The words of each name; most answers are read without them."""
        return [tuple(name.split()) or ("",) for name in self._plain]

    @cached_property
    def by_first(self) -> dict[str, list[int]]:
        """Who has a first name."""
        return self._who_has(0)

    @cached_property
    def by_last(self) -> dict[str, list[int]]:
        """Who has a last name."""
        return self._who_has(-1)

    def _who_has(self, place: int) -> dict[str, list[int]]:
        by_word: dict[str, list[int]] = {}
        for who, words in enumerate(self.words):
            by_word.setdefault(words[place], []).append(who)
        return by_word

    @cached_property
    def pairs(self) -> dict[tuple[str, ...], int]:
        """Who has a name of two words that no other name begins with, as nearly all have."""
        longer = {words[:2] for words in self.words if len(words) > 2}
        return {words: who for who, words in enumerate(self.words) if len(words) == 2 and words not in longer}

    @cached_property
    def squashed(self) -> dict[str, int]:
        """Who has a name when it is written as one word."""
        return {"".join(words): who for who, words in enumerate(self.words)}

    @cached_property
    def starts(self) -> str:
        """What a full name may start with, behind blanks: it may be cut at another place, or turned."""
        return " ".join(["", *self.squashed, *self.by_last])

    def marked(self, text: str) -> str:
        """Return plain text without titles in which a single mark stands for each full name.

        'Last, First', one middle initial, and a name cut into words at another place
        count as full names; words on two lines don't.
        """
        parts = _WORDS.split(text)
        if not RANKING_WORDS.titles.isdisjoint(parts):
            parts = _WORDS.split(RANKING_WORDS.title.sub("", text))
        gaps, words = parts[::2], parts[1::2]
        starts, end = self.starts, 0
        for at, word in enumerate(words):
            if at < end or f" {word}" not in starts:
                continue
            sign = self.pairs.get((word, words[at + 1])) if gaps[at + 1] == " " and at + 1 < len(words) else None
            if sign is not None:
                end = at + 2
            else:
                sign, end = self._at(words, gaps, at)
            if sign is not None:
                parts[2 * at + 1 : 2 * end] = [chr(_FIRST_MARK + sign), *[""] * (2 * (end - at) - 2)]
        return "".join(parts)

    def slots_marked(self, text: str, written: str) -> str | None:
        """Return plain text that names nobody with a mark for each slot; None where its numbers are no slots.

        `written` is the text before it was folded. 'Candidate 3' is the third of the prompt, and so are the numbers of
        a line, or of entries, with nothing else. An answer with 0, or more than there are slots, counts in its own way.
        """
        slots = list(RANKING_WORDS.slot.finditer(text))
        has_names = 2 * len(RANKING_WORDS.slot_name.findall(written)) > len(slots)
        if has_names or not {*self.by_first, *self.by_last}.isdisjoint(set(plain_words(text)) - RANKING_WORDS.common):
            return text
        if any(not 0 < int(number) <= len(self.words) for match in slots for number in _NUMBER.findall(match.group())):
            return None
        text = RANKING_WORDS.slot.sub(lambda match: _slot_marks(match.group()), text)
        rows = list(RANKING_WORDS.slots_alone.finditer(text))
        numbers = [int(number) for row in rows for number in _NUMBER.findall(row["numbers"])]
        if len(set(numbers)) < len(numbers) or not all(0 < number <= len(self.words) for number in numbers):
            return text
        marked: str = RANKING_WORDS.slots_alone.sub(lambda row: row["lead"] + _slot_marks(row["numbers"]), text)
        return marked

    def _at(self, words: list[str], gaps: list[str], at: int) -> tuple[int | None, int]:
        """Return the number of the mark for a full name from word `at` on, and the word after the name."""
        best: tuple[int | None, int] = (None, at)
        for who in self.by_first.get(words[at], ()):
            end = self._forward(words, gaps, at, self.words[who])
            if end > best[1]:
                best = (who, end)
        if best[0] is None:
            best = self._last_first(words, gaps, at)
        if best[0] is None:
            best = self._written_apart(words, gaps, at)
        return best

    def _last_first(self, words: list[str], gaps: list[str], at: int) -> tuple[int | None, int]:
        for who in self.by_last.get(words[at], ()):
            name = self.words[who]
            # In 'Lu Tuan Lu' the first word is the end of another name.
            if (
                len(name) > 1
                and _follows(words, gaps, at, (name[-1], *name[:-1]), commas=True)
                and self._forward(words, gaps, at + 1, name) <= at
            ):
                return who + _LAST_FIRST, at + len(name)
        return None, at

    def _written_apart(self, words: list[str], gaps: list[str], at: int) -> tuple[int | None, int]:
        """Return a full name that is cut into words at another place: 'de vonte vasquez', 'janeli'."""
        for end in range(at + 1, min(at + 4, len(words)) + 1):
            who = self.squashed.get("".join(words[at:end]))
            if who is not None and _CLOSE.issuperset(gaps[at + 1 : end]):
                return who, end
        return None, at

    @staticmethod
    def _forward(words: list[str], gaps: list[str], at: int, name: tuple[str, ...]) -> int:
        """Return the word after a name that begins at `at`, -1 where it does not."""
        if _follows(words, gaps, at, name):
            return at + len(name)
        # An initial may stand between: a whole word is more likely another name.
        if len(name) == 2 and at + 2 < len(words) and len(words[at + 1]) == 1:
            with_initial = (name[0], words[at + 1], name[1])
            if _follows(words, gaps, at, with_initial):
                return at + 3
        return -1

    def is_echo(self, ranking: Sequence[int | None]) -> bool:
        """Return whether a list only repeats the candidates in the order of the prompt."""
        known = [who for who in ranking if who is not None]
        return len(known) >= _ECHO and known == sorted(known)

    def entry(self, words: Sequence[str], *, taken: Collection[int | None] = ()) -> Mention:
        """Return whom the words of an entry without a full name are about.

        `taken` are those named in full elsewhere in the list: no slip of spelling is theirs.
        """
        start = 0
        while start < len(words) and (words[start] in RANKING_WORDS.titles or words[start].isdigit()):
            start += 1
        rest = [word for word in words[start:] if word not in RANKING_WORDS.suffixes]
        if RANKING_WORDS.nothing.issuperset(rest):
            return Mention(who=None, rule="no name")
        if len(rest) == 1 or rest[1] in RANKING_WORDS.goes_on:
            return self._one_word(rest[0], taken)
        if len(rest) > 2 and (rest[2] in self.by_last or len(rest[1]) == 1) and rest[1] not in self.by_last:
            return self._two_words(rest[0], rest[2], taken)
        return self._two_words(rest[0], rest[1], taken)

    def _one_word(self, word: str, taken: Collection[int | None]) -> Mention:
        for rule, known in (("first name", self.by_first.get(word, [])), ("last name", self.by_last.get(word, []))):
            if len(known) == 1:
                return Mention(who=known[0], rule=rule)
            if known:
                return Mention(who=None, rule=f"shared {rule}")
        if len(word) > 3 and word not in RANKING_WORDS.common:
            near = [who for who, words in enumerate(self.words) if who not in taken and is_near_word(word, words[0])]
            if len(near) == 1:
                return Mention(who=near[0], rule="slip of spelling")
            if near:
                return Mention(who=None, rule="several names are near")
        return Mention(who=None, rule="nobody's name")

    def _two_words(self, first: str, last: str, taken: Collection[int | None]) -> Mention:
        if 1 in {len(first), len(last)}:
            return self._with_initial(first, last)
        firsts, lasts = self.by_first.get(first, []), self.by_last.get(last, [])
        both = [who for who in firsts if who in lasts]
        if len(both) == 1:
            return Mention(who=both[0], rule="full name")  # with a middle name
        common = {first, last} <= RANKING_WORDS.common
        near = [
            who
            for who, words in enumerate(self.words)
            if not common and who not in taken and _near(first, last, words[0], "".join(words[1:]))
        ]
        if self._is_chimera(first, last, near):
            return Mention(who=None, rule="two candidates in one name")
        if len(near) == 1:
            return Mention(who=near[0], rule="slip of spelling")
        return Mention(who=None, rule="several names are near" if near else "nobody's name")

    def _is_chimera(self, first: str, last: str, near: Sequence[int]) -> bool:
        """Return whether the first name is one candidate's and the last name another's, one of them exactly."""
        firsts, lasts = self.by_first.get(first, []), self.by_last.get(last, [])
        if firsts and lasts:
            return True
        if len(near) == 1:
            # Near one full name, but one part is exactly another candidate's.
            return bool((firsts and near[0] not in firsts) or (lasts and near[0] not in lasts))
        if near:
            return False
        return bool((firsts and self._is_near(last, -1, firsts)) or (lasts and self._is_near(first, 0, lasts)))

    def _with_initial(self, first: str, last: str) -> Mention:
        """Return whom 'jane l' or 'j li' names."""
        rule = "first name" if len(last) == 1 else "last name"
        known = [
            who for who, words in enumerate(self.words) if words[0].startswith(first) and words[-1].startswith(last)
        ]
        known = [who for who in known if first == self.words[who][0] or last == self.words[who][-1]]
        if len(known) == 1:
            return Mention(who=known[0], rule=rule)
        return Mention(who=None, rule=f"shared {rule}" if known else "nobody's name")

    def _is_near(self, part: str, place: int, others: Sequence[int]) -> bool:
        return any(is_near_word(part, words[place]) for who, words in enumerate(self.words) if who not in others)


def _slot_marks(text: str) -> str:
    """Return the numbers of a text as marks for slots, without what stands before the first."""
    start = _NUMBER.search(text)
    numbers = text[start.start() :].replace("#", "") if start else text
    return _NUMBER.sub(lambda number: chr(_FIRST_MARK + _SLOT + int(number.group()) - 1), numbers)


class Unnamed(Candidates):
    """Candidates in the order in which a text names them in full, whose names are not shown.

    What was asked about them is kept: an answer is read without their names where all of it is answered as here.
    """

    def __init__(self, size: int) -> None:
        super().__init__(())
        self.size = size
        self._asked: set[tuple[str, ...]] = set()
        self._listed: set[tuple[int | None, ...]] = set()

    def entry(self, words: Sequence[str], *, taken: Collection[int | None] = ()) -> Mention:
        """Return that the words are nobody's name."""
        self._asked.add(tuple(words))
        return super().entry(words, taken=taken)

    def is_echo(self, ranking: Sequence[int | None]) -> bool:
        """Return that no list is an echo."""
        self._listed.add(tuple(ranking))
        return False

    def fits(self, known: Candidates, order: Sequence[int]) -> bool:
        """Return whether what was asked has the same answers for candidates who are named in this order."""
        return all(known.entry(words) == super(Unnamed, self).entry(words) for words in self._asked) and not any(
            known.is_echo([None if who is None else order[who] for who in ranking]) for ranking in self._listed
        )


@lru_cache(maxsize=256)
def candidates(names: tuple[str, ...]) -> Candidates:
    """Return the prepared names of a prompt."""
    return Candidates(names)


def _follows(words: list[str], gaps: list[str], at: int, name: tuple[str, ...], *, commas: bool = False) -> bool:
    """Return whether these words follow from `at` on, with nothing but a space (or a comma) between."""
    if tuple(words[at : at + len(name)]) != name:
        return False
    for offset in range(1, len(name)):
        gap = gaps[at + offset]
        mark = "," if commas and offset == 1 else "." if len(name[offset - 1]) == 1 else ""
        if gap != " " and (len(gap) > _LONGEST_GAP or gap.strip(" ") not in {"", mark}):
            return False
    return True


def _near(first: str, last: str, known_first: str, known_last: str) -> bool:
    """Return whether two words are a slip of a name: few edits in one part, or one in each."""
    if last == known_last:
        return is_near_word(first, known_first)
    if first == known_first:
        return is_near_word(last, known_last)
    return all(
        len(known) >= 4 and edits(written, known, most=1) <= 1
        for written, known in ((first, known_first), (last, known_last))
    )
