r"""Normalised text for recognisers, with the way back to the input, and the layout of a résumé.

In normalised text accents, invisible characters and typographic marks go; case and line breaks stay. Every character
of it knows the input characters it stands for. A layout has lines, their sections, labelled fields, and columns.

`ending` compiles a pattern for the text in front of a place, such as `\b(?:born|raised) in $`. It is matched
backwards by `regex`, which stops at the first mismatch; `re` would try all 64 characters before the place.

`columns_of` parses a page of two columns column by column. A page has two columns if its lines break at the
same place, both sides have headings (or the left one that of the studies), and the left one is not dates.
"""

import re
import unicodedata
from bisect import bisect_right
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass, field
from functools import cache, lru_cache
from html import unescape
from itertools import chain, compress
from operator import attrgetter, itemgetter
from string import ascii_lowercase, digits
from typing import NamedTuple
from urllib.parse import unquote

import regex

from evenhand.data.folding import fold_characters
from evenhand.patterns import WordTable, csv_rows, lazy_re


def ending(expression: re.Pattern[str]) -> Callable[[str], object]:
    r"""Return a function that says whether a text ends as a pattern requires.

    >>> born = ending(re.compile(r"\bborn (?:and raised )?in $"))
    >>> [born(text) is not None for text in ("was born in ", "reborn in ", "born in Lagos")]
    [True, False, False]
    """
    read: Callable[[str], object] = regex.compile(rf"(?r)(?:{expression.pattern})\n?").match
    return read  # `$` holds before a last line break too


#: Also control characters, which show nothing.
_NOT_ASCII = lazy_re(r"[^\t-\r\x20-\x7e]")
# Accents as TeX writes them: \'e, \"{u}, {\'e}, \c{c}.
_ACCENTED = r"\\(?:['`\"^~=.](?:\{\\?[A-Za-z]\}|\\?[A-Za-z])|[cvuHkr]\{[A-Za-z]\}|(?:ss|o|l|O|L|ae|AE|aa|AA)\b)"
_TEX = lazy_re(rf"\{{{_ACCENTED}\}}|{_ACCENTED}(?:\{{\}})?")
#: A word with a stop after each letter: `O.k.a.f.o.r`, `J.A.N.E.`
_DOTTED = lazy_re(r"(?<![\w.@/:-])[A-Za-z](?:\.[A-Za-z]){2,}(?![\w@/-])")
#: A part of it that is quicker to find.
_STOPS = lazy_re(r"\.[A-Za-z]\.")
#: Characters as pages and addresses write them: `M&uuml;ller`, `&#8209;`, `jane%2Eokafor`.
_ESCAPED = lazy_re(r"[&%](?:(?<=&)(?:[A-Za-z]{2,8}|#\d{2,6}|#[xX][0-9A-Fa-f]{2,5});|(?<=\w%)(?:2[0DE]|40|5F)(?=\w))")
#: Markdown's emphasis inside a word; one star is a gender's in German: `Kolleg*innen`.
_EMPHASIS = lazy_re(r"\*\*(?<=[^\W\d_]\*\*)\*?(?=[^\W\d_])")
_LETTER = lazy_re(rf"{_DOTTED.pattern}|{_EMPHASIS.pattern}|{_ESCAPED.pattern}|{_NOT_ASCII.pattern}|{_TEX.pattern}")
_SMALL_CAPITAL = "LATIN LETTER SMALL CAPITAL "
#: A blank for each character between words; the table is quicker, for texts without letters beyond ASCII.
_BETWEEN = lazy_re(r"_|[^\w'\u0900-\u0963\u0966-\u0dff]|'(?![^\W_])|(?<![^\W_])'")  # signs of vowels are no letters
_APOSTROPHE = lazy_re("'")
_OUTER_APOSTROPHE = lazy_re(r"'(?:(?![a-z0-9])|(?<![a-z0-9].))")
_WORDS_APART = bytes(code if chr(code) in ascii_lowercase + digits + "'" else ord(" ") for code in range(256))
# Letters that are not a letter with an accent, yet are typed as these.
_TYPED = {"ł": "l", "ø": "o", "đ": "d", "ð": "d", "ß": "ss", "æ": "ae", "œ": "oe", "þ": "th", "\u0131": "i", "ħ": "h"}
_ASCII = frozenset(map(chr, range(128)))
_NONE: frozenset[str] = frozenset()
_MARKS = frozenset({"Mn", "Me", "Cf", "Cc", "Co"})

#: The numbers of the lists of words that texts are looked through for, and by word those of the lists it is in.
_LISTS: dict[frozenset[str], int] = {}
_LISTS_WITH: dict[str, list[int]] = {}


def word_list(words: Iterable[str]) -> frozenset[str]:
    """Return words that every text is looked through for; `FoldedText.places` finds those of all such lists at once.

    Such lists are kept for good: for words of one text only, `FoldedText.places` takes any frozen set.
    """
    listed = frozenset(words)
    if listed not in _LISTS:
        number = _LISTS[listed] = len(_LISTS)
        for word in listed:
            _LISTS_WITH.setdefault(word, []).append(number)
    return listed


class Piece(NamedTuple):
    """A stretch that is as long in the normalised text, where it begins, as in the input, from `first` to `last`.

    If it isn't `verbatim`, it is one character of the input and the letters that replace it. Invisible characters go
    with the piece before.
    """

    folded: int
    first: int
    last: int
    verbatim: bool


_FOLDED = attrgetter("folded")


@dataclass(frozen=True, kw_only=True, eq=False)
class FoldedText:
    """A normalised text, also in lower case, its words, and its pieces in the input (none: the same).

    `words` are (word in lower case, start, end), `starts` where they begin; `where` has the places of each word
    among them, `capitals` of those that begin with a capital or hold one after an apostrophe (d'Or), `elided` of those
    with an apostrophe inside; `foreign` are its characters beyond ASCII. Equal to itself only.
    """

    text: str
    low: str
    pieces: list[Piece] = field(default_factory=list)
    words: list[tuple[str, int, int]] = field(default_factory=list)
    starts: list[int] = field(default_factory=list)
    where: dict[str, list[int]] = field(default_factory=dict)
    capitals: list[int] = field(default_factory=list)
    elided: list[int] = field(default_factory=list)
    foreign: frozenset[str] = frozenset()
    _small: dict[str, bool] = field(default_factory=dict, init=False, repr=False)
    _listed: list[list[str]] = field(default_factory=list, init=False, repr=False)

    def is_written_small(self, word: str) -> bool:
        """Say whether a word is in small letters somewhere, by itself and in no address.

        >>> [folded_text(text).is_written_small("page") for text in ("Page, page", "Page", "page@example.org")]
        [True, False, False]
        """
        written_small = self._small.get(word)
        if written_small is None:  # searched once, as frequent words are requested often
            text, words = self.text, self.words
            written_small = self._small[word] = any(
                text[words[place][1] : words[place][2]].islower()
                and text[words[place][1] - 1 : words[place][1]] in {" ", "\n", ""}
                and text[words[place][2] : words[place][2] + 1] not in {"@", ".", "_"}
                for place in self.where.get(word, ())
            )
        return written_small

    def places(self, listed: frozenset[str]) -> list[int]:
        """Return the places in `words` of those that are listed, in order.

        >>> folded_text("to be or not to be").places(frozenset({"be", "or"}))
        [1, 2, 5]
        """
        common, places = self.common(listed), self.where
        if len(common) == 1:
            (word,) = common
            return places[word].copy()
        return sorted(chain.from_iterable(map(places.__getitem__, common))) if common else []

    def common(self, listed: frozenset[str]) -> Collection[str]:
        """Return the listed words that are in the text.

        >>> folded_text("to be or not to be").common(word_list({"not", "yet"}))
        ['not']
        """
        number = _LISTS.get(listed)
        if number is None:
            places = self.where
            return listed.intersection(places) if len(listed) > len(places) else places.keys() & listed
        if number >= len(self._listed):
            self._listed[:] = ([] for _ in _LISTS)
            for word in filter(_LISTS_WITH.__contains__, self.where):
                for with_word in _LISTS_WITH[word]:
                    self._listed[with_word].append(word)
        return self._listed[number]

    def in_input(self, start: int, end: int) -> tuple[int, int]:
        """Return the input offsets of a stretch of the normalised text."""
        if not self.pieces or start >= end:
            return start, end
        folded, first, _, verbatim = self.pieces[bisect_right(self.pieces, start, key=_FOLDED) - 1]
        begin = first + (start - folded if verbatim else 0)
        number = bisect_right(self.pieces, end - 1, key=_FOLDED)
        folded, first, last, verbatim = self.pieces[number - 1]
        inside = verbatim and (number == len(self.pieces) or end < self.pieces[number].folded)
        return begin, min(first + end - folded, last) if inside else last


def folded_text(text: str) -> FoldedText:
    """Return the normalised view of a text.

    >>> seen = folded_text("Jos\u00e9 O\u2019Brien")
    >>> seen.text, seen.words[1], seen.in_input(0, 4)
    ("Jose O'Brien", ("o'brien", 5, 12), (0, 4))
    """
    folded, pieces, foreign = (text, [], _NONE) if _is_plain(text) else _unaccented(text)
    low = folded.lower()
    if any(map(str.isalnum, foreign)):
        apart = _BETWEEN.sub(" ", low)
    else:
        apart = _OUTER_APOSTROPHE.sub(" ", low).encode("ascii", "replace").translate(_WORDS_APART).decode()
    words: list[tuple[str, int, int]] = []
    where: dict[str, list[int]] = defaultdict(list)
    start = 0
    for word in apart.split(" "):
        if word:
            where[word].append(len(words))
            words.append((word, start, start + len(word)))
        start += len(word) + 1
    starts = [start for _, start, _ in words]
    marks = [match.start() for match in _APOSTROPHE.finditer(apart)]
    elided = [bisect_right(starts, mark) - 1 for mark in marks]
    within = {
        place
        for mark, place in zip(marks, elided, strict=True)
        if folded[mark + 1].isupper() and folded[mark - 1].islower()
    }
    firsts = itemgetter(*starts, -1)(folded) if starts else ()
    capitals = list(compress(range(len(starts)), map(str.isupper, firsts)))
    return FoldedText(
        text=folded,
        low=low,
        pieces=pieces,
        words=words,
        starts=starts,
        where=dict(where),
        capitals=sorted(within.union(capitals)) if within else capitals,
        elided=list(dict.fromkeys(elided)),
        foreign=foreign,
    )


def lowered(text: str) -> str:
    """Return the normalised view of a text in lower case only.

    >>> lowered("Jos\u00e9 O\u2019Brien") == folded_text("Jos\u00e9 O\u2019Brien").low
    True
    """
    return (text if _is_plain(text) else _unaccented(text)[0]).lower()


def _is_plain(text: str) -> bool:
    shown = text.isascii() and text.replace("\n", "").replace("\t", "").isprintable()
    return (shown or _NOT_ASCII.search(text) is None) and not _has_several(text)


def folded_word(text: str) -> str:
    """Return a short text normalised, in lower case.

    >>> folded_word("M\u00fcller-L\u00fcdenscheidt")
    'muller-ludenscheidt'
    """
    return (text if text.isascii() else _unaccented(text)[0]).lower()


def _unaccented(text: str) -> tuple[str, list[Piece], frozenset[str]]:
    """Return a text without accents, its pieces (none: as the input), and its remaining characters beyond ASCII."""
    several = _has_several(text)
    if not several:
        typed = {character: _letters(character) for character in set(_NOT_ASCII.findall(text))}
        if all(plain == character or (len(plain) == 1 and plain.isascii()) for character, plain in typed.items()):
            for character, plain in typed.items():  # quicker than str.translate
                text = text.replace(character, plain)
            return text, [], frozenset(typed.values()) - _ASCII
    written: list[str] = []
    pieces: list[Piece] = []
    done = begun = length = 0
    for match in (_LETTER if several else _NOT_ASCII).finditer(text):
        place, after = match.span()
        letters = _letters(match.group()) if after - place == 1 else _letter_of(match.group())
        written += [text[done:place], letters]
        done = after
        if len(letters) == 1 == after - place:
            continue  # the stretch goes on
        if place > begun:
            pieces.append(Piece(length, begun, place, verbatim=True))
            length += place - begun
        if letters:
            pieces.append(Piece(length, place, after, verbatim=False))
            length += len(letters)
        elif pieces:
            pieces[-1] = pieces[-1]._replace(last=after)
        begun = after
    written.append(text[done:])
    pieces.append(Piece(length, begun, len(text), verbatim=True))
    return "".join(written), pieces, frozenset("".join(written[1::2])) - _ASCII


def _has_several(text: str) -> bool:
    """Say whether several characters form one letter somewhere, or letters have stops between them."""
    return (
        ("\\" in text and _TEX.search(text) is not None)
        or ("**" in text and _EMPHASIS.search(text) is not None)
        or (("&" in text or "%" in text) and _ESCAPED.search(text) is not None)
        or (_STOPS.search(text) is not None and _DOTTED.search(text) is not None)
    )


def _letter_of(command: str) -> str:
    r"""Return the letter of a TeX accent or an escaped character, or a word without the stops between its letters.

    >>> [_letter_of(command) for command in (r"\'{e}", r"{\c{c}}", r"\ss", "O.b.i", "**", "&shy;", "%2E", "&unknown;")]
    ['e', 'c', 'ss', 'Obi', '', '', '.', '&unknown;']
    """
    if command[0] == "%":
        return unquote(command)
    if command[0] == "&":
        character = unescape(command)
        return "".join(map(_letters, character)) if len(character) == 1 else command
    if "\\" not in command:
        return command.replace(".", "").replace("*", "")
    bare = command.strip("{} ").lstrip("\\")
    return bare.replace("}", "")[-1] if bare[0] in "'`\"^~=." or "{" in bare else bare


@lru_cache(maxsize=8192)
def _letters(character: str) -> str:
    """Return the plain letters of one character: none for invisible ones.

    >>> _letters("\u00c9"), _letters("\u0141"), _letters("\u200b"), _letters("\u660e")
    ('E', 'L', '', '\u660e')
    """
    if unicodedata.category(character) in _MARKS:
        return ""
    lower = character.lower()
    if lower in _TYPED:
        typed = _TYPED[lower]
        return typed if character == lower else typed[0].upper() + typed[1:]
    name = unicodedata.name(character, "")
    if name.startswith(_SMALL_CAPITAL) and len(name) == len(_SMALL_CAPITAL) + 1:
        return name[-1]
    bare = "".join(
        mark for mark in unicodedata.normalize("NFKD", character) if unicodedata.category(mark) not in _MARKS
    )
    if len(bare) > 1 and unicodedata.category(character) == "Lo":
        return character  # a Hangul syllable, not a ligature
    normalised = fold_characters(character)
    if normalised == "'" or not (bare.isascii() or character.isalpha()):
        return normalised  # the letter that writes a glottal stop, and typographic marks, as the e-mail classifier does
    return bare


LAYOUT_WORDS = WordTable("evenhand.masking", "layout.toml")

_SPACED = lazy_re(r"(?<!\S)[^\W\d_](?: (?:[^\W\d_]|['-] ?[^\W\d_])){1,}(?!\S)")
#: A word's halves at the end of a line and at the beginning of the next.
_HALF, _REST = lazy_re(r"[^\W\d_]+\Z"), lazy_re(r"-\n[ \t]*([^\W\d_]+)")
_LONGEST_HALF = 30
_LABEL = lazy_re(r"(?:^|[|;,•·▪➢→●►■◆✓○*\t({\"]|  |\. )[ \t•▪➢→●►■◆✓○*–>\"-]*([a-z][a-z .'/&()_-]{0,34}?)[ \t\"*]*$")
_LAST_WORD = lazy_re(r"(?<![\w.-])([a-z]{3,20})[ \t]*$")
_TABBED = lazy_re(
    r"[ \t]*[-•▪➢→●►■◆✓○*]?[ \t]*([a-z][a-z .'/&()_-]{1,34}?)(?=[ \t.])(?:\t+| {2,}|[ \t]+[-=][ \t]+| ?\.{3,} ?)(?=\S)"
)
_LEFTMOST = 8
#: The longest value of a field; without it, each label of a document in one line would have the whole rest.
_LONGEST_VALUE = 1000
_CELL = lazy_re(r"[ \t]*\|[ \t*]*([a-z][a-z .'/&()_-]{1,34}?)[ \t*:]*\|[ \t]*(?=[^\s|])")
_VALUE_BEGINS = lazy_re(r"[ \t*:]*(?:\n[ \t\n]*)?\"?")
_VALUE_END = lazy_re(r"[|;•·\t\n ](?:(?<! )|(?= ))")
_ASIDE = lazy_re(r"[ ]*\([^()]*\)")
_TAIL_MARKS = lazy_re(r"\}[^}]*$|</h\d>.*$|\"[ \t]*:[ \t]*[\[{]$")
_MARKED = frozenset('\\<"')
_QUOTE = lazy_re('"')


class Line(NamedTuple):
    """A line that is not blank: where its text begins and ends, its number, its section ("" before the first)."""

    start: int
    end: int
    number: int
    section: str
    heading: bool


class Field(NamedTuple):
    """A label in lower case and the place of its value, up to the next mark or the end of the line."""

    label: str
    label_start: int
    start: int
    end: int


@dataclass(frozen=True, kw_only=True)
class Layout:
    """Lines, labelled fields, and words (joined, start, end) that are letter-spaced or broken over two lines.

    A line's section is education, work, references, languages, personal, contact,
    students (whom one supervised) or other.
    """

    lines: list[Line]
    fields: list[Field]
    spaced: list[tuple[str, int, int]]
    broken: list[tuple[str, int, int]]


def layout_of(folded: FoldedText) -> Layout:
    r"""Return the layout of a text.

    >>> from evenhand.masking.layout import folded_text
    >>> layout = layout_of(folded_text("Jane Doe\nName: Jane\n\nEDUCATION\nBSc, 2001"))
    >>> [line.section for line in layout.lines], layout.fields[0].label
    (['', '', 'education', 'education'], 'name')
    """
    low = folded.low
    lines: list[Line] = []
    fields: list[Field] = []
    section, style, start = "", 0, 0
    firsts = _first_words()
    for number, raw in enumerate(low.split("\n")):
        end = start + len(raw)
        stripped = raw.strip(" \t\r#*_=-:•|.~")
        if stripped and (stripped[0] in _MARKED or stripped[0].isdigit() or stripped[1:2] in {".", ")"}):
            stripped = _unmarked(stripped).strip(" \t\"'{}[]<>:.*_") or stripped
        if stripped and not stripped.isspace():  # a page's end
            first = start + len(raw) - len(raw.lstrip())
            name = None
            if len(stripped) < _LONGEST_TITLE:
                head = stripped.partition(" ")[0]
                if head in firsts or not head.isalnum():
                    name = _section(stripped)
            if name is not None:
                section, style = name, _style(folded.text[start:end])
            elif (
                section == "education"
                and _is_heading(raw, stripped, lines, number)
                and _style(folded.text[start:end]) >= style
            ):
                section = "other"  # maybe a name: it is not called a heading
            lines.append(Line(first, start + len(raw.rstrip()), number, section, name is not None))
            if ":" in raw or (name is None and ("|" in raw[:_LEFTMOST] or _may_be_tabbed(raw))):
                _add_fields(low, start, end, fields)
        start = end + 1
    return Layout(lines=lines, fields=fields, spaced=_spaced(folded), broken=_broken(low))


def _unmarked(stripped: str) -> str:
    head = LAYOUT_WORDS.head_marks.match(stripped)
    return _TAIL_MARKS.sub("", stripped if head is None else stripped[head.end() :])


def _spaced(folded: FoldedText) -> list[tuple[str, int, int]]:
    """Return letter-spaced words, searched for where two words of one letter are side by side, which are few."""
    low, words = folded.low, folded.words
    single = (place for word, places in folded.where.items() if len(word) == 1 and word.isalpha() for place in places)
    if not any(low[words[place - 1][1] + 1 : words[place][1]] == " " for place in single):
        return []
    return [(match.group().replace(" ", ""), *match.span()) for match in _SPACED.finditer(low)]


def _broken(low: str) -> list[tuple[str, int, int]]:
    words: list[tuple[str, int, int]] = []
    for rest in _REST.finditer(low):
        begin = max(words[-1][2] if words else 0, rest.start() - _LONGEST_HALF)
        half = _HALF.search(low, begin, rest.start())
        if half is not None:
            words.append((half[0] + rest[1], half.start(), rest.end()))
    return words


_LONGEST_TITLE = 60
_LONGEST_HEADING = 32
_MOST_WORDS = 7
_AND = lazy_re(r"[ ]*[/&|+,][ ]*|[ ]+(?:and|und|y|e|et|en|och|og|i|-)[ ]+")
_CELLS = lazy_re(r"[ ]*\|[ ]*|\t+|[ ]{2,}")
_APART = lazy_re(r"[ \t/|,&+]+")


@cache
def _words() -> dict[str, str]:
    return {word: section for section, listed in LAYOUT_WORDS.words.items() for word in listed.split()}


@cache
def _columns() -> dict[str, str]:
    return {word.strip(): section for section, listed in LAYOUT_WORDS.columns.items() for word in listed.split(",")}


@cache
def _table() -> dict[str, str]:
    """Return headings in plain lower case and the section that each begins."""
    rows = csv_rows("evenhand.masking.categories", "headings.csv")
    return {folded_word(heading): section for heading, section in rows}


@cache
def _first_words() -> frozenset[str]:
    """Return the possible first words of headings."""
    return frozenset(_APART.split(heading, 1)[0] for heading in (*_table(), *_words(), *_columns())) | frozenset(
        ascii_lowercase
    )


@lru_cache(maxsize=4096)
def _section(stripped: str) -> str | None:
    """Return the section that a line begins, None where it is no heading.

    >>> [_section(line) for line in ("formacion / education", "my academic journey", "degree | school | year")]
    ['education', 'education', 'education']
    >>> [_section(line) for line in ("e d u c a t i o n", "career break", "education manager")]
    ['education', None, None]
    """
    table = _table()
    section = table.get(stripped)
    first = stripped.partition(" ")[0]
    if section is not None or (first if first.isalnum() else _APART.split(first, 1)[0]) not in _first_words():
        return section
    joined = _joined(stripped)
    if joined in table:
        return table[joined]
    parts = _AND.split(joined)
    if len(parts) > 1:
        sections = [table.get(part) or _from_words(part) for part in parts]
        if None not in sections:
            return sections[0]
    return _from_words(joined) or _of_columns(stripped)


def _from_words(text: str) -> str | None:
    """Return the section of a heading's last word, if all are words of headings."""
    words = text.split()
    sections = [_words().get(word) for word in words]
    if len(words) > _MOST_WORDS or None in sections:
        return None
    named = [section for section in sections if section != "glue"]
    return named[-1] if named else None


def _of_columns(stripped: str) -> str | None:
    """Return the section of a table by the titles of its columns."""
    cells = _CELLS.split(stripped)
    sections = {_columns().get(cell.strip(" .*_:")) for cell in cells}
    if len(cells) < 2 or None in sections:
        return None
    return next((section for section in ("work", "education") if section in sections), None)


def _style(line: str) -> int:
    """Return the style of a heading: a mark, capitals, a colon, or none."""
    bare = line.strip(" \t*_~=-")
    return 3 if bare.startswith("#") else 2 if bare.isupper() else 1 if bare.endswith(":") else 0


def _is_heading(raw: str, stripped: str, lines: list[Line], number: int) -> bool:
    """Say whether a short line after a blank one begins a section that has no common name."""
    return (
        bool(lines)
        and number - lines[-1].number > 1
        and len(stripped) < _LONGEST_HEADING
        and (raw.rstrip(" \t*_~=-:")[-1:].isalpha())
        and LAYOUT_WORDS.no_heading.search(raw) is None
        and not lines[-1].heading
    )


def _joined(text: str) -> str:
    """Return a letter-spaced heading with its letters joined."""
    if len(text) < 5 or not all(len(piece) == 1 for piece in text.split(" ") if piece):
        return " ".join(text.split())
    return "  ".join(text.split("  ")).replace("  ", "\0").replace(" ", "").replace("\0", " ")


def _may_be_tabbed(raw: str) -> bool:
    """Say whether a line has a separator of label and value."""
    return "  " in raw or "\t" in raw or " -" in raw or " =" in raw or "..." in raw


def _add_fields(low: str, start: int, end: int, fields: list[Field]) -> None:
    cell = _CELL.match(low, start, end) if "|" in low[start : min(start + _LEFTMOST, end)] else None
    if cell is not None:
        _add_field(low, cell.group(1), cell.start(1), cell.end(), fields)
        return
    place = low.find(":", start, end)
    if place < 0:
        match = _TABBED.match(low, start, end)
        if match is not None:
            _add_field(low, match.group(1), match.start(1), match.end(), fields)
    while place >= 0:
        begin = max(start, place - 38)
        match = _LABEL.search(low[begin:place]) or _LAST_WORD.search(low[begin:place])
        if match is not None and not low.startswith("//", place + 1):
            _add_field(low, match.group(1), begin + match.start(1), place + 1, fields)
        place = low.find(":", place + 1, end)


def _add_field(low: str, label: str, label_start: int, after: int, fields: list[Field]) -> None:
    """Add a field; one of two languages (`Anschrift / Address`) is two, text in brackets is no label.

    A value in the next line counts when nothing follows the label.
    """
    value = _VALUE_BEGINS.match(low, after)
    start = value.end() if value is not None else after
    last = min(len(low), start + _LONGEST_VALUE)
    match = (_QUOTE if low[start - 1] == '"' else _VALUE_END).search(low, start, last)
    # A bullet of Word's is an `o` in normalised text.
    label = " ".join(label.replace("_", " ").split()).removeprefix("o ")
    labels = [label]
    if " / " in label or "(" in label:
        labels += [part for part in _ASIDE.sub("", label).split(" / ") if part not in {"", label}]
    fields.extend(Field(label, label_start, start, match.start() if match is not None else last) for label in labels)


#: The least column in which a right column begins, and the fewest lines with both columns and with the right one alone.
_RIGHT_COLUMN, _BOTH_COLUMNS, _RIGHT_ALONE = 12, 6, 3


def columns_of(folded: FoldedText, layout: Layout) -> list[tuple[FoldedText, Layout]]:
    r"""Return the columns of a page, left and right, or the text as it is.

    >>> page = "SKILLS              WORK\nExcel               Clerk, Acme\n" + "Word                - Kept files.\n" * 4
    >>> page += (" " * 20 + "- Wrote letters.\n") * 3
    >>> folded = folded_text(page)
    >>> [seen.text.split()[:3] for seen, _ in columns_of(folded, layout_of(folded))]
    [['SKILLS', 'Excel', 'Word'], ['WORK', 'Clerk,', 'Acme']]
    """
    begin = _begin_of_right(folded.text) if folded.text.count("      ") >= _BOTH_COLUMNS else None
    if begin is None:
        return [(folded, layout)]
    sides = [(side, layout_of(side)) for side in map(folded_text, _apart(folded.text, begin))]
    (left, left_layout), (right, right_layout) = sides
    headed = any(line.heading for line in right_layout.lines)
    columns = any(line.heading and (headed or line.section == "education") for line in left_layout.lines)
    dated = [LAYOUT_WORDS.dates.fullmatch(left.text, line.start, line.end) is not None for line in left_layout.lines]
    same = len(left.text) == len(right.text) == len(folded.text)
    return sides if same and columns and sum(dated) * 2 <= len(dated) else [(folded, layout)]


def parts_in_lines(text: str, start: int, end: int) -> list[tuple[int, int]]:
    r"""Return the parts of a stretch in each line of a column, without the other column's text between.

    >>> parts_in_lines("5 May      \n1972", 0, 16), parts_in_lines("5 May\n1972", 0, 10)
    ([(0, 5), (12, 16)], [(0, 10)])
    """
    if "\n" not in text[start:end] or "   " not in text[start:end]:
        return [(start, end)]
    gaps = [gap.span() for gap in LAYOUT_WORDS.wrapped_line_end.finditer(text, start, end)]
    starts, ends = [start, *(after for _, after in gaps)], [*(before for before, _ in gaps), end]
    return list(zip(starts, ends, strict=True))


def _begin_of_right(text: str) -> int | None:
    """Return where the right column begins in its lines: where most gaps end, in lines of its own too."""
    adjacent: Counter[int] = Counter()
    alone: Counter[int] = Counter()
    for gap in LAYOUT_WORDS.gap.finditer(text):
        line = text.rfind("\n", 0, gap.start()) + 1
        if gap.end() - line >= _RIGHT_COLUMN:
            (alone if line == gap.start() else adjacent)[gap.end() - line] += 1
    begin = max(adjacent, key=lambda column: adjacent[column] + alone[column], default=0)
    return begin if adjacent[begin] >= _BOTH_COLUMNS and alone[begin] >= _RIGHT_ALONE else None


def _apart(text: str, begin: int) -> tuple[str, str]:
    """Return a text with the right column blank, and with the left one; a line over both is in the left."""
    left, right = [], []
    for line in text.split("\n"):
        apart = len(line) > begin and line[begin - 2 : begin].isspace()
        first = line[:begin] if apart else line
        left.append(first + " " * (len(line) - len(first)))
        right.append(" " * len(first) + line[len(first) :])
    return "\n".join(left), "\n".join(right)
