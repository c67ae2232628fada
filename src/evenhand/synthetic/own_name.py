"""A person's name in a template: its parts, where each is written, and the slots that replace them.

`own_name` splits a name into first and last. `pieces_of` finds these parts in a text, word by word and
within words such as `jdoe`. `name_parts`, `address_parts` and `file_name_parts` turn them into slots.
"""

import itertools
import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property, lru_cache
from typing import Literal, NamedTuple

from evenhand.masking.layout import folded_word
from evenhand.masking.names.own import OWN_NAME_WORDS
from evenhand.masking.names.word_kinds import PARTICLES, Name, given_names, name_of, surnames
from evenhand.patterns import lazy_re

# Slots are keys of look-ups for every text, so they are tuples: their hash is quick.
Part = Literal["first", "last", "full"]
Case = Literal["own", "upper", "lower"]
#: Letters that are typed as others, apart from those with accents.
_TYPED = str.maketrans(
    {
        "ł": "l",
        "Ł": "L",
        "ø": "o",
        "Ø": "O",
        "đ": "d",
        "Đ": "D",
        "ß": "ss",
        "æ": "ae",
        "Æ": "Ae",
        "œ": "oe",
        "\u0131": "i",
    }
)
_MARKS = str.maketrans("", "", "'\u2019\u02bc.-")


class FullName(NamedTuple):
    """A first and a last name; either may have several words, the last may be empty."""

    first: str
    last: str = ""

    @property
    def text(self) -> str:
        """The name as it is usually written."""
        return f"{self.first} {self.last}".strip()


def full_name(text: str) -> FullName:
    """Return a name's first and last part: the last word and particles in small letters before it are the last.

    >>> full_name("Ana Maria de la Cruz"), full_name("Prince")
    (FullName(first='Ana Maria', last='de la Cruz'), FullName(first='Prince', last=''))
    """
    words = text.split()
    begin = max(1, len(words) - 1)
    while begin > 1 and words[begin - 1].islower():
        begin -= 1
    return FullName(" ".join(words[:begin]), " ".join(words[begin:]))


def unaccented(text: str) -> str:
    """Return a text in letters without accents, case kept.

    >>> unaccented("Łukasz Ñandú")
    'Lukasz Nandu'
    """
    if text.isascii():
        return text
    apart = unicodedata.normalize("NFKD", text.translate(_TYPED))
    return "".join(letter for letter in apart if not unicodedata.combining(letter))


class NameSlot(NamedTuple):
    """A part of the name in a form; `own` is the original text.

    `joint` stands between the words of a part, and within them in an address, which holds letters only (`bare`).
    `spaced`: a blank between the letters. `apostrophe`: the sign of a genitive that the slot ends with.
    """

    own: str
    part: Part
    case: Case = "own"
    initial: bool = False
    plain: bool = False
    bare: bool = False
    joint: str = " "
    spaced: bool = False
    apostrophe: str = ""


@lru_cache(maxsize=2**16)
def written(slot: NameSlot, name: FullName) -> str:
    """Return a part of a name in a slot's form.

    >>> written(NameSlot(own="DOE", part="last", case="upper"), full_name("Ana de la Cruz"))
    'DE LA CRUZ'
    """
    value = {"first": name.first, "last": name.last or name.first, "full": name.text}[slot.part]
    if slot.plain:
        value = unaccented(value)
    words = [word.translate(_MARKS) for word in value.split()] if slot.bare else value.split()
    if slot.initial:
        words = [next((word for word in words if not word.islower()), words[0])[0]] if words else []
    value = slot.joint.join(words)
    if slot.case == "upper":
        value = value.upper()
    elif slot.case == "lower":
        value = value.lower()
    if slot.spaced:
        value = " ".join(value)
    if slot.apostrophe:
        value += slot.apostrophe if value[-1:].lower() == "s" else f"{slot.apostrophe}s"
    return value


@dataclass(frozen=True, kw_only=True, slots=True)
class Fixed:
    """A part that other names lack: a middle name, an initial, an address without a name; the same in every arm."""

    own: str
    instead: str = ""

    def filled(self, _name: FullName, _gender: str | None, _lines: Mapping[str, str]) -> str:
        """Return the same for every name."""
        return self.instead


@dataclass(frozen=True, kw_only=True, slots=True)
class GenderSlot:
    """A pronoun or a title of the person, and its replacements for women and for men."""

    own: str
    female: str
    male: str

    @property
    def gender(self) -> str:
        """The gender of the original text."""
        return "female" if self.own == self.female else "male"

    def filled(self, _name: FullName, gender: str | None, _lines: Mapping[str, str]) -> str:
        """Return the text for a gender, the original without one."""
        return self.own if gender is None else self.female if gender == "female" else self.male


@dataclass(frozen=True, kw_only=True, slots=True)
class LineSlot:
    """A place for an added line, and the text before it: below the name (`pronouns`), at the end (`affinity`)."""

    kind: Literal["pronouns", "affinity"]
    before: str

    @property
    def own(self) -> str:
        """The original text: none."""
        return ""

    def filled(self, _name: FullName, _gender: str | None, lines: Mapping[str, str]) -> str:
        """Return the line of this kind, nothing where there is none."""
        line = lines.get(self.kind)
        return f"{self.before}{line}" if line else ""


OtherSlot = Fixed | GenderSlot | LineSlot
Slot = NameSlot | OtherSlot

#: The kind of a word of the name: of its first or last part, a particle of the last, or one that other names lack.
Kind = Literal["first", "last", "particle", "rest"]

WORD = lazy_re(r"[^\W\d_]+(?:['\u2019\u02bc-][^\W\d_]+)*")
GENERATIONS = frozenset({"jr", "sr", "ii", "iii", "iv"})
_SHORTEST_HALF = 3


@dataclass(frozen=True, kw_only=True)
class OwnName:
    """The name of a template's person: its parts, the kind of each word, and the tokens that must not remain.

    `kinds` and `tokens` have words in plain small letters, also as they are joined in addresses.
    """

    name: FullName
    kinds: Mapping[str, Kind]
    tokens: frozenset[str]

    @cached_property
    def initials(self) -> dict[str, str]:
        """The first letters of the first and of the last part, and those of other words and halves."""
        first, last = (_letters(part) for part in (self.name.first, self.name.last))
        others = [word[0] for word, kind in self.kinds.items() if kind == "rest"]
        return {"first": first[:1], "last": last[:1], "rest": "".join([first[1:], last[1:], *others])}


def _letters(part: str) -> str:
    """Return the letters that the words of a part begin with, and their halves; not those of particles, if any else."""
    words = [half for word in part.split() for half in folded_name_word(word).split("-") if half]
    return "".join(word[0] for word in words if word not in PARTICLES) or "".join(word[0] for word in words)


def folded_name_word(word: str) -> str:
    """Return a word in plain small letters, its apostrophe a straight one.

    >>> folded_name_word("O\u2019BRIÉN")
    "o'brien"
    """
    return folded_word(word).replace("\u2019", "'").replace("\u02bc", "'")


def own_name(names: Sequence[Name], known: Sequence[str], written: Sequence[str]) -> OwnName | None:
    """Return the name that is known, or else the fullest of a document's; None where there is none.

    `written` are the names in the text: they show how the name is spelled.

    >>> own = own_name([name_of("JANE VAN DER BERG")], [], ["JANE VAN DER BERG", "Jane"])
    >>> own.name, own.kinds["berg"], own.kinds["van"]
    (FullName(first='Jane', last='van der Berg'), 'last', 'particle')
    """
    usable = [name for name in known if name_of(name).tokens]
    fullest = next((name for name in usable if len(name_of(name).tokens) > 1), usable[0] if usable else None)
    if fullest is None:
        if not names:
            return None
        spellings = {folded_name_word(word) for text in written for word in WORD.findall(text)}
        fullest = max(names, key=lambda name: (spellings.issuperset(name.tokens), len({*name.tokens} - PARTICLES))).text
    first, last, rest = _name_words(_with_surname_in_capitals(fullest, written))
    if not first:
        return None
    kinds: dict[str, Kind] = {}
    parts: tuple[tuple[list[str], Kind], ...] = ((first, "first"), (last, "last"), (rest, "rest"))
    for words, kind in parts:
        for word in words:
            is_particle = kind == "last" and len(last) > 1 and folded_name_word(word) in PARTICLES
            for form in _forms(word):
                kinds.setdefault(form, "particle" if is_particle else kind)
        _add_joined(kinds, words, kind)
    others = [*map(name_of, known), *(name for name in names if _is_persons_name(name, kinds))]
    for name in others:
        _add_another(kinds, name)
    tokens = {form for name in (name_of(fullest), *others) for form in (*name.forms, *name.joined) if len(form) > 1}
    spelled = _spelling([*usable, *written])
    return OwnName(
        name=FullName(_as_written(first, spelled), _as_written(last, spelled)),
        kinds=kinds,
        tokens=frozenset(
            token for token in tokens if token not in PARTICLES or (token in kinds and kinds[token] != "particle")
        ),
    )


def _is_persons_name(name: Name, kinds: Mapping[str, Kind]) -> bool:
    """Say whether another name that masking found is the person's: it shares a word, or is of another script.

    Masking rather masks too much; a tool or a firm that was taken for a name must not change with it.
    """
    tokens = set(name.tokens)
    return not tokens.isdisjoint(kinds) or not any(map(_is_latin, "".join(tokens)))


def _is_latin(letter: str) -> bool:
    return letter.isascii() or letter < _LATIN_ENDS


#: The first letter after the accented Latin ones of European languages.
_LATIN_ENDS = "\u0370"


def _name_words(text: str) -> tuple[list[str], list[str], list[str]]:
    """Return the words of a name's first and last part, and the others: `Doe, Jane A.`, `WANG Xiaoming`."""
    name = name_of(text)
    known = {*name.tokens, *name.particles}
    located = [(match.group(), match.start()) for match in WORD.finditer(text)]
    located = [(word, at) for word, at in located if folded_name_word(word) in known or len(word) == 1]
    words = [word for word, _ in located if folded_name_word(word) not in GENERATIONS]
    if not words and text.strip():
        return [text.strip()], [], []  # of a script without blanks
    comma = text.find(",")
    before = [word for word, at in located if at < comma and word in words]
    if before and len(before) < len(words):
        return [words[len(before)]], before, words[len(before) + 1 :]
    capitals = [word for word in words if len(word) > 1 and word.isupper()]
    if capitals and any(len(word) > 1 and not word.isupper() for word in words):
        others = [word for word in words if word not in capitals]
        return others[:1], capitals, others[1:]
    begin = max(1, len(words) - 1)
    while begin > 1 and _goes_with_last(words[begin - 1]):
        begin -= 1
    return words[:1], words[begin:], words[1:begin]


def _with_surname_in_capitals(text: str, written: Sequence[str]) -> str:
    """Return a name as a text writes it where that shows which word is the surname: `WANG Xiaoming`."""
    tokens = set(name_of(text).tokens)
    for stretch in written:
        words = [word for word in WORD.findall(stretch) if len(word) > 1]
        mixed = len({word.isupper() for word in words}) > 1
        if mixed and len(words) == len(tokens) and set(map(folded_name_word, words)) == tokens:
            return stretch
    return text


def _goes_with_last(word: str) -> bool:
    low = folded_name_word(word)
    return low in PARTICLES or (low in surnames() and low not in given_names())


def _forms(word: str) -> list[str]:
    """Return how a word is written in plain small letters: as it is, without marks, its halves."""
    low = folded_name_word(word)
    forms = [low, low.replace("'", "").replace("-", ""), *name_of(word).forms]
    if "-" in low:
        forms += [half for half in low.split("-") if len(half) >= _SHORTEST_HALF]
    return list(dict.fromkeys(forms))


def _add_joined(kinds: dict[str, Kind], words: Sequence[str], kind: Kind) -> None:
    if len(words) > 1 and kind != "rest":
        bare = [folded_name_word(word).replace("'", "").replace("-", "") for word in words]
        kinds.setdefault("".join(bare), kind)
        kinds.setdefault("-".join(bare), kind)


def _add_another(kinds: dict[str, Kind], name: Name) -> None:
    """Add words of another of the person's names: a nickname, a former surname, a spelling."""
    for place, token in enumerate(name.tokens):
        ends = place > 0 and place == len(name.tokens) - 1 and token.isascii()
        kind: Kind = "last" if ends and kinds.get(name.tokens[0]) == "first" else "rest"
        half = next((kinds[part] for part in token.split("-") if part in kinds), None)
        for form in name_of(token).forms:
            kinds.setdefault(form, half or kind)
        kinds.setdefault(token, half or kind)


def _spelling(written: Sequence[str]) -> dict[str, str]:
    """Return the best spelling of each word: with capitals and small letters before all of one case, accents first."""
    best: dict[str, str] = {}
    for word in (word for text in written for word in WORD.findall(text)):
        low = folded_name_word(word)
        if low not in best or _worth(word) > _worth(best[low]):
            best[low] = word
    return best


def _worth(word: str) -> tuple[bool, bool]:
    return not (word.islower() or word.isupper()), not word.isascii()


def _as_written(words: Sequence[str], spelled: Mapping[str, str]) -> str:
    return " ".join(
        word if word in PARTICLES else _cased(max(spelled.get(folded_name_word(word), word), word, key=_worth))
        for word in words
    )


def _cased(word: str) -> str:
    """Return a word of one case as names are written: `DOE` and `doe` as Doe, `VAN` as van."""
    if folded_name_word(word) in PARTICLES and (word.isupper() or word.islower()):
        return word.lower()
    if len(word) > 1 and (word.isupper() or word.islower()):
        return "-".join(half[:1].upper() + half[1:].lower() for half in word.split("-"))
    return word.upper() if len(word) == 1 else word


_SPACED = lazy_re(r"(?<![^\W_])[^\W\d_](?: [^\W\d_]){2,}(?![^\W_])")
_SHORTEST, _SHORT, _LONG = 2, 3, 4
#: Letters next to a name within a word that are ignored: `wangxm`.
_FEW = 2


# The longest first, so that the same is found each time.
@cache
def _generic() -> list[str]:
    return sorted(OWN_NAME_WORDS.generic, key=lambda word: (-len(word), word))


_PARTS: tuple[Kind, ...] = ("first", "last", "rest")

#: Start and end of a piece in a word, its kind, and whether it is an initial.
Within = tuple[int, int, Kind, bool]


class Piece(NamedTuple):
    """The place and kind of a part of the name; whether it is only its first letter, or spaced out.

    `mention` counts the mentions of the whole name in the stretch; None as `kind` is a word of no part.
    """

    start: int
    end: int
    kind: Kind | None
    initial: bool = False
    spaced: bool = False
    mention: int = 0


def pieces_of(text: str, own: OwnName) -> list[Piece]:
    """Return the parts of the name in a stretch that is a name.

    >>> pieces = pieces_of("DOE, Jane A.", own_name([], ["Jane Doe"], []))
    >>> [(piece.kind, piece.initial) for piece in pieces]
    [('last', False), ('first', False), ('rest', True)]
    """
    return mentions(text, with_particles(text, [*_words(text, own)]), own)


def _words(text: str, own: OwnName) -> Iterator[Piece]:
    done = 0
    for spaced in _SPACED.finditer(text):
        yield from _plain_words(text, done, spaced.start(), own)
        begin = spaced.start()
        for start, end, kind, initial in pieces_in_run(spaced.group()[::2], own, initials=False):
            yield Piece(begin + 2 * start, begin + 2 * end - 1, kind, initial=initial, spaced=True)
        done = spaced.end()
    yield from _plain_words(text, done, len(text), own)


def _plain_words(text: str, begin: int, end: int, own: OwnName) -> Iterator[Piece]:
    for match in WORD.finditer(text, begin, end):
        word, low = match.group(), folded_name_word(match.group())
        bare = low[:-1].rstrip("'") if low.endswith("s") else ""
        if len(word) == 1:
            yield Piece(*match.span(), "rest", initial=True)
        elif low in own.kinds:
            yield Piece(*match.span(), own.kinds[low])
        elif low in GENERATIONS:
            yield Piece(*match.span(), "rest")
        elif bare in own.kinds:  # Jane's, the Okafors
            yield Piece(match.start(), match.end() - (2 if low[-2] == "'" else 1), own.kinds[bare])
        else:
            within = pieces_in_run(word, own) or _halves(word, own)
            if not within:
                yield Piece(*match.span(), None)
            for start, stop, kind, initial in within:
                yield Piece(match.start() + start, match.start() + stop, kind, initial=initial)


def _halves(word: str, own: OwnName) -> list[Within]:
    """Return the halves of a double word that are parts of the name or letters: `Doe-Smith`, `J-L`."""
    halves: list[Within] = []
    at = 0
    for half in word.split("-"):
        kind = "rest" if len(half) == 1 else own.kinds.get(folded_name_word(half))
        if kind is not None:
            halves.append((at, at + len(half), kind, len(half) == 1))
        at += len(half) + 1
    return halves if "-" in word and any(not half[3] or len(halves) > 1 for half in halves) else []


def with_particles(text: str, pieces: list[Piece]) -> list[Piece]:
    """Return pieces in which particles before a last name belong to it, and are words otherwise."""
    result = pieces.copy()
    for place in range(len(result) - 1, -1, -1):
        piece = result[place]
        if piece.kind == "particle":
            follows = place + 1 < len(result) and result[place + 1].kind == "last" and not result[place + 1].initial
            near = follows and not any(map(str.isalnum, text[piece.end : result[place + 1].start]))
            result[place] = piece._replace(kind="last" if near else None)
    return result


def mentions(text: str, pieces: list[Piece], own: OwnName) -> list[Piece]:
    """Return pieces numbered by mention, in which each single letter is of a part."""
    numbered: list[Piece] = []
    seen: set[Kind] = set()
    mention = 0
    initials = own.initials
    for place, piece in enumerate(pieces):
        gap = text[numbered[-1].end : piece.start] if numbered else ""
        following = next((later.kind for later in pieces[place + 1 :] if not later.initial), None)
        kind = piece.kind
        letter = folded_name_word(text[piece.start : piece.end]) if piece.initial else ""
        repeats = kind in {"first", "last"} and kind in seen and not (numbered and numbered[-1].kind == kind)
        begins = letter == initials["first"] and {"first", "last"} <= seen and following == "last"
        if numbered and ("\n" in gap or "  " in gap or repeats or begins):
            mention, seen = mention + 1, set()
        if piece.initial and kind == "rest":
            if letter == initials["first"] and "first" not in seen:
                kind = "first"
            elif letter == initials["last"] and "last" not in seen and following != "last":
                kind = "last"
        if kind in {"first", "last"}:
            seen.add(kind)
        numbered.append(piece._replace(kind=kind, mention=mention))
    whole = {piece.mention for piece in numbered if piece.kind is not None and not piece.initial}
    letters = {piece.mention for piece in numbered if piece.kind is None} | whole
    numbered = [
        piece if piece.mention in whole or piece.mention not in letters else piece._replace(kind=None)
        for piece in numbered
    ]
    return _with_middle(text, numbered)


def _with_middle(text: str, pieces: list[Piece]) -> list[Piece]:
    """Return pieces in which a capitalised word between two parts of one mention is a middle name."""
    parts = [place for place, piece in enumerate(pieces) if piece.kind in {"first", "last"}]
    resolved = pieces.copy()
    for left, right in itertools.pairwise(parts):
        if pieces[left].mention == pieces[right].mention:
            for place in range(left + 1, right):
                if pieces[place].kind is None and text[pieces[place].start].isupper():
                    resolved[place] = pieces[place]._replace(kind="rest")
    return resolved


def pieces_in_run(word: str, own: OwnName, *, initials: bool = True) -> list[Within]:
    """Return the parts of the name that letters without a break are made of, nothing where they are a word.

    >>> own = own_name([], ["Jane Doe"], [])
    >>> pieces_in_run("jdoe", own), pieces_in_run("DoeCV", own), pieces_in_run("doer", own)
    ([(0, 1, 'first', True), (1, 4, 'last', False)], [(0, 3, 'last', False)], [])
    """
    low = folded_name_word(word)
    if len(low) != len(word):
        return []
    words = [(form, kind) for form, kind in own.kinds.items() if len(form) >= _SHORTEST and form in low]
    words.sort(key=lambda entry: -len(entry[0]))
    whole = _covered(low, 0, words, own.initials, ())
    if whole is not None and (any(not part[3] for part in whole) or (initials and len(whole) > 1)):
        return whole
    return _parts_around_generic(low, words, own.initials) or _within(low, words, own.initials)


def _parts_around_generic(low: str, words: Sequence[tuple[str, Kind]], initials: Mapping[str, str]) -> list[Within]:
    """Return the parts that letters are made of, apart from a generic word: `janedoecv`, `iamjanedoe`."""
    for word in _generic() if words else ():
        for begin, end in ((0, len(low) - len(word)), (len(word), len(low))):
            remainder = low[end:] or low[:begin]
            if remainder == word and end - begin >= _LONG:
                covered = _covered(low[begin:end], 0, words, initials, ())
                if covered is not None and any(not part[3] for part in covered):
                    return [(start + begin, stop + begin, kind, initial) for start, stop, kind, initial in covered]
    return []


def _covered(
    low: str, at: int, words: Sequence[tuple[str, Kind]], initials: Mapping[str, str], used: tuple[str, ...]
) -> list[Within] | None:
    """Return the parts that letters are made of from a place on, each used once."""
    if at == len(low):
        return []
    for form, kind in words:
        if form not in used and low.startswith(form, at):
            rest = _covered(low, at + len(form), words, initials, (*used, form, f"-{kind}"))
            if rest is not None:
                return [(at, at + len(form), kind, False), *rest]
    for kind in _PARTS:
        if f"-{kind}" not in used and low[at] in initials[kind]:
            rest = _covered(low, at + 1, words, initials, (*used, f"-{kind}"))
            if rest is not None:
                return [(at, at + 1, kind, True), *rest]
    return None


def _within(low: str, words: Sequence[tuple[str, Kind]], initials: Mapping[str, str]) -> list[Within]:
    """Return a long part of the name within letters, next to an initial, a generic word, or very few letters."""
    for form, kind in words:
        start = low.find(form)
        end = start + len(form)
        at_edge = start == 0 or end == len(low)
        if kind == "particle" or len(form) < (_SHORT if at_edge else _LONG):
            continue
        left, right = low[:start], low[end:]
        pieces: list[Within] = [(start, end, kind, False)]
        others = [other for other in _PARTS[:2] if other != kind]
        if left and left in {initials[other] for other in others}:
            pieces.insert(0, (0, 1, others[0], True))
        elif not (not left or left in OWN_NAME_WORDS.generic or (len(left) <= _FEW and len(form) >= _LONG)):
            continue
        if right and right in {initials[other] for other in others}:
            pieces.append((end, end + 1, others[0], True))
        elif not (not right or right in OWN_NAME_WORDS.generic or (len(right) <= _FEW and len(form) >= _LONG)):
            continue
        return pieces
    return []


Parts = list[str | Slot]

#: Replaces an address without a name, or with one in a form that no other name can follow.
NEUTRAL_LOCAL, NEUTRAL_PATH, NEUTRAL_HOST, NEUTRAL_FILE = "applicant", "profile", "example.org", "resume"

_RUN = lazy_re(r"[^\W\d_]+(?:['\u2019][^\W\d_]+)*")
_SEGMENT = lazy_re(r"[^/@?#=&:]+")
_BETWEEN = lazy_re(r"(?<=[^\W\d_])[\W\d_]+(?=[^\W\d_])")
_OPENING = {'"': '"', "(": ")", "\u201c": "\u201d", "'": "'", "[": "]", "\u2018": "\u2019"}
_SHORT_PART, _LONG_PART = 3, 4


def name_parts(text: str, own: OwnName) -> Parts:
    """Return a name as parts: first and last in their form, text between; parts that other names lack are fixed.

    >>> [getattr(part, "own", part) for part in name_parts("Doe, Jane A.", own_name([], ["Jane Doe"], []))]
    ['Doe', ', ', 'Jane', ' A.']
    """
    return _template_parts(text, _called(text, pieces_of(text, own)), own)


def _called(text: str, pieces: Sequence[Piece]) -> list[Piece]:
    """Return pieces in which a nickname or middle name is the first name where a mention has no other."""
    with_first = {piece.mention for piece in pieces if piece.kind == "first"}
    renamed: list[Piece] = []
    for piece in pieces:
        word = folded_name_word(text[piece.start : piece.end])
        calls = piece.kind == "rest" and not piece.initial and word.isascii() and word not in GENERATIONS
        if calls and piece.mention not in with_first:
            with_first.add(piece.mention)
            renamed.append(piece._replace(kind="first"))
        else:
            renamed.append(piece)
    return renamed


def _template_parts(text: str, pieces: Sequence[Piece], own: OwnName, *, address: bool = False) -> Parts:
    merged = _merged(text, [piece for piece in pieces if piece.kind is not None])
    words = [piece.start for piece in pieces if piece.kind is None]
    stretches: list[tuple[int, int, Slot]] = []
    for place, piece in enumerate(merged):
        done = stretches[-1][1] if stretches else 0
        if piece.kind == "rest":
            before = _adjacent_piece(merged[place - 1 : place], piece, words)
            after = _adjacent_piece(merged[place + 1 : place + 2], piece, words)
            start, end = _with_adjacent_marks(text, piece, before, after, done)
            stretches.append((start, end, Fixed(own=text[start:end])))
        else:
            stretches.append((piece.start, piece.end, _slot(text, piece, own, address=address)))
    return _with_text_between(text, stretches)


def _adjacent_piece(others: Sequence[Piece], piece: Piece, words: Sequence[int]) -> Piece | None:
    """Return the adjacent piece if it is of the same mention and no other word stands between."""
    for other in others:
        begin, end = min(other.end, piece.end), max(other.start, piece.start)
        if other.mention == piece.mention and not any(begin <= at < end for at in words):
            return other
    return None


def _merged(text: str, pieces: Sequence[Piece]) -> list[Piece]:
    """Return pieces in which adjacent words of one part are one."""
    merged: list[Piece] = []
    for piece in pieces:
        last = merged[-1] if merged else None
        if (
            last is not None
            and last.kind == piece.kind != "rest"
            and last.mention == piece.mention
            and last.initial == piece.initial
            and not any(map(str.isalnum, text[last.end : piece.start]))
            and "," not in text[last.end : piece.start]
        ):
            merged[-1] = Piece(
                last.start, piece.end, last.kind, initial=last.initial, spaced=last.spaced, mention=last.mention
            )
        else:
            merged.append(piece)
    return merged


def _with_adjacent_marks(
    text: str, piece: Piece, before: Piece | None, after: Piece | None, done: int
) -> tuple[int, int]:
    """Return the place of a word that other names lack, with the marks that belong to it alone."""
    start, end = piece.start, piece.end
    opening = text[start - 1 : start]
    if opening in _OPENING and start > done and text[end : end + 1] == _OPENING[opening]:
        start, end = start - 1, end + 1
    short = piece.initial or end - piece.start <= _SHORT_PART
    if short and text[end : end + 1] == ".":
        end += 1
    if before is not None:
        start = max(done, before.end)
        if before.initial and text[start : start + 1] == ".":
            start += 1
        return min(start, piece.start), end
    if after is not None:
        return start, after.start
    return start, end


def _slot(text: str, piece: Piece, own: OwnName, *, address: bool) -> NameSlot:
    written = text[piece.start : piece.end]
    part: Part = "first" if piece.kind == "first" else "last"
    value = own.name.first if part == "first" else own.name.last or own.name.first
    letters = [letter for letter in written if letter.isalpha()]
    upper = written.isupper() and (len(letters) > 1 or piece.initial)
    case: Case = (
        "upper" if upper else "lower" if written.islower() and (piece.initial or not value.islower()) else "own"
    )
    bare = address or "_" in text[max(0, piece.start - 1) : piece.end + 1]
    between = set(_BETWEEN.findall(written)) if " " in value and not piece.spaced else set()
    return NameSlot(
        own=written,
        part=part,
        case=case,
        initial=piece.initial,
        plain=address or (written.isascii() and not value.isascii()),
        bare=bare,
        joint=between.pop() if len(between) == 1 else "" if bare else " ",
        spaced=piece.spaced,
    )


def _with_text_between(text: str, stretches: Sequence[tuple[int, int, Slot]]) -> Parts:
    parts: Parts = []
    done = 0
    for start, end, slot in stretches:
        if start > done:
            parts.append(text[done:start])
        parts.append(slot)
        done = end
    if done < len(text):
        parts.append(text[done:])
    return parts


def address_parts(text: str, own: OwnName, *, email: bool, others: frozenset[str] = frozenset()) -> Parts:
    """Return an e-mail or web address as parts; a name in a form that can't be followed is neutral.

    An e-mail's local part that shows no name is neutral as well, unless it shows one of `others`.

    >>> own = own_name([], ["Jane Doe"], [])
    >>> [getattr(part, "part", part) for part in address_parts("jane.doe84@x.org", own, email=True)]
    ['first', '.', 'last', '84@x.org']
    >>> address_parts("sunny84@x.org", own, email=True)
    [Fixed(own='sunny84', instead='applicant'), '@x.org']
    """
    parts: Parts = []
    done = 0
    for place, match in enumerate(_SEGMENT.finditer(text)):
        local = email and not place
        segment = _segment_parts(match.group(), own, local=local)
        if local and segment is not None and all(isinstance(part, str) for part in segment):
            runs = {folded_name_word(run) for run in _RUN.findall(match.group())}
            segment = segment if runs & others else None
        if segment is None:
            instead = NEUTRAL_LOCAL if local else NEUTRAL_HOST if "." in match.group() else NEUTRAL_PATH
            segment = [Fixed(own=match.group(), instead=instead)]
        parts += [text[done : match.start()], *segment]
        done = match.end()
    return joined([*parts, text[done:]])


def joined(parts: Iterable[str | Slot]) -> Parts:
    """Return parts in which adjacent texts are one, and none is empty.

    >>> joined(["a", "", "b", Fixed(own="c"), ""])
    ['ab', Fixed(own='c', instead='')]
    """
    merged: Parts = []
    for part in parts:
        last = merged[-1] if merged else None
        if isinstance(part, str) and isinstance(last, str):
            merged[-1] = last + part
        elif part != "":
            merged.append(part)
    return merged


def _segment_parts(text: str, own: OwnName, *, local: bool) -> Parts | None:
    """Return a segment of an address as parts, None where it holds the name in no form that can be followed."""
    if not local:
        letters = folded_name_word(text)
        if not any(form in letters for form in own.kinds):
            return [text]
    pieces: list[Piece] = []
    sure = whole = 0
    for match in _RUN.finditer(text):
        run, low = match.group(), folded_name_word(match.group())
        if len(run) == 1:
            pieces.append(Piece(*match.span(), "rest", initial=True))
            continue
        kind = own.kinds.get(low, "rest" if low in GENERATIONS else None)
        if kind is not None:
            pieces.append(Piece(*match.span(), kind))
            sure += len(run) >= _SHORT_PART and low not in GENERATIONS
            whole += low not in GENERATIONS
            continue
        within = pieces_in_run(run, own, initials=local)
        for start, end, part, initial in within:
            pieces.append(Piece(match.start() + start, match.start() + end, part, initial=initial))
        if within:
            sure += 1
        elif any(len(form) >= _LONG_PART and form in low for form in own.kinds):
            return None
        else:
            pieces.append(Piece(*match.span(), None))
    if not sure and whole < 2:
        return [text]
    return _template_parts(text, _called(text, mentions(text, with_particles(text, pieces), own)), own, address=True)


def file_name_parts(name: str, own: OwnName) -> Parts:
    """Return a file's name as parts; neutral where it holds the name in no form that can be followed.

    >>> own = own_name([], ["Jane Doe"], [])
    >>> [getattr(part, "part", part) for part in file_name_parts("CV_Jane-Doe_2024.pdf", own)]
    ['CV_', 'first', '-', 'last', '_2024.pdf']
    """
    stem, dot, ending = name.rpartition(".")
    if not stem:
        stem, dot, ending = name, "", ""
    segment = _segment_parts(stem, own, local=True)
    return joined([*(segment if segment is not None else [Fixed(own=stem, instead=NEUTRAL_FILE)]), f"{dot}{ending}"])
