r"""Read Rich Text Format (.rtf, version 1.9.1) as blocks, without hidden and deleted text, comments and objects.

A file is groups in braces of control words and text. A group whose first word names a destination, such as a font
table, holds no text of the page; nor does one that begins with `\*` and a word that is not known. Letters beyond
ASCII are bytes in the encoding of their font, or numbers of Unicode with a substitute behind them.
"""

import codecs
import re
from dataclasses import dataclass, field, replace

from evenhand.errors import InputError
from evenhand.masking.documents.block_reader import READER_WORDS, Blocks, Role, outside
from evenhand.patterns import lazy_re

_TOKEN = lazy_re(
    r"\\(?P<word>[A-Za-z]{1,40})(?P<number>-?\d{1,10})? ?|\\'(?P<byte>[0-9A-Fa-f]{2})"
    r"|\\(?P<sign>[^A-Za-z])|(?P<brace>[{}])|[\r\n]+|(?P<text>[^\\{}\r\n]+)|(?P<lost>.)",
    re.DOTALL,
)
#: Destinations whose text is read for what it says of the document or a paragraph.
_READ = frozenset({"stylesheet", "fonttbl", "info", "fldinst", "listtext", "pntext"})
#: Starred destinations with text of the page.
_SEEN = frozenset({"shpinst", "shptxt", "shpgrp", "do", "fldinst", "listtext"})
_NAMING = frozenset({"title", "subject", "author", "manager", "operator", "doccomm"})
#: What a control word writes.
_LETTERS = {
    "tab": "\t", "emdash": "—", "endash": "–", "lquote": "\u2018", "rquote": "\u2019",
    "ldblquote": "“", "rdblquote": "”", "bullet": "•", "emspace": " ", "enspace": " ", "qmspace": " ", "footnote": " ",
}  # fmt: skip
#: What a sign behind a backslash is: a control word, or letters.
_SIGNS = {"~": ("", "\u00a0"), "_": ("", "-"), "\n": ("par", ""), "\r": ("par", ""), **dict.fromkeys("-|:", ("", ""))}
_ENDS = frozenset({"par", "sect", "page", "column", "nestcell", "nestrow"})
_HIDDEN = {"v": "hidden", "webhidden": "hidden", "deleted": "deleted"}
_CODE_PAGES = {"mac": "mac_roman", "pc": "cp437", "pca": "cp850", "ansi": "cp1252"}
#: Encodings by the charset of a font; that of symbols has no letters.
_CHARSETS = {
    2: None, 77: "mac_roman", 128: "cp932", 129: "cp949", 130: "johab", 134: "gb18030", 136: "big5", 161: "cp1253",
    162: "cp1254", 163: "cp1258", 177: "cp1255", 178: "cp1256", 186: "cp1257", 204: "cp1251", 222: "cp874",
    238: "cp1250",
}  # fmt: skip
_ADDRESS = lazy_re(r'HYPERLINK\s+"?([^"\s]+)')
_NAMED_HEADING = lazy_re(r"heading ([1-9])", re.IGNORECASE)
_ORDERED = lazy_re(r"\W*(\d{1,9})[.)]")
_NO_LEVEL = 9


@dataclass(frozen=True)
class _Group:
    """What holds within a group: a destination, what hides its text, the target of its link, font and style."""

    destination: str = ""
    hidden: bool = False
    deleted: bool = False
    target: str = ""
    font: int = -1
    substitutes: int = 1
    style: int = 0


@dataclass
class _Reader:
    """The state of reading: `pending` are bytes of text, `substitutes` how many signs stand for the last letter."""

    blocks: Blocks
    codec: str = "cp1252"
    groups: list[_Group] = field(default_factory=lambda: [_Group()])
    fonts: dict[int, str | None] = field(default_factory=dict)
    headings: dict[int, int] = field(default_factory=dict)
    pending: bytearray = field(default_factory=bytearray)
    substitutes: int = 0
    surrogate: int = 0
    collected: list[str] = field(default_factory=list)
    heading: int = 0
    level: int = 0
    number: int | None = None
    in_table: bool = False
    in_row: bool = False

    @property
    def group(self) -> _Group:
        return self.groups[-1]

    def change(self, **values: object) -> None:
        self.groups[-1] = replace(self.group, **values)  # type: ignore[arg-type]

    def take(self, encoded: bytes) -> None:
        """Take bytes of text, but for those that stand for a letter of Unicode."""
        skipped = min(self.substitutes, len(encoded))
        self.substitutes -= skipped
        self.pending += encoded[skipped:]

    def flush(self) -> None:
        codec = self.fonts.get(self.group.font, self.codec)
        text, self.pending = self.pending.decode(codec, "replace") if codec else "", bytearray()
        self.write(text)

    def write(self, text: str) -> None:
        group = self.group
        if not text:
            return
        if group.destination in _READ or group.destination in _NAMING:
            self.collected.append(text)
        elif not (group.destination or group.hidden or group.deleted):
            self.find_row()
            self.blocks.add(text, Role("skip", target=group.target))

    def write_unicode(self, number: int) -> None:
        """Write a letter by its number in UTF-16, a half of a pair when the other has come."""
        number %= 1 << 16
        if 0xD800 <= number < 0xDC00:
            self.surrogate = number
        else:
            if 0xDC00 <= number < 0xE000:
                number = 0x10000 + ((self.surrogate - 0xD800) << 10) + number - 0xDC00 if self.surrogate else 0xFFFD
            self.write(chr(number))
            self.surrogate = 0
        self.substitutes = self.group.substitutes

    def find_row(self) -> None:
        """Begin or end a row of a table, as the paragraph is in a table or not."""
        if self.in_table and not self.in_row:
            self.blocks.begin_row()
        elif self.in_row and not self.in_table:
            self.blocks.end_row()
        self.in_row = self.in_table

    def end(self) -> None:
        if self.number is not None:
            self.blocks.item = (self.level + 1, self.number, 0)
        self.blocks.end(self.heading)
        self.number = self.blocks.item = None


def read_rtf(content: bytes, blocks: Blocks) -> None:  # noqa: C901, PLR0912 - a branch per kind of token
    """Read a document into blocks.

    Raises
    ------
    InputError
        It is no RTF, or asks too much.

    """
    text = content.decode("latin-1").lstrip()
    if not text.startswith("{\\rtf"):
        raise InputError("is not RTF: it doesn't begin with {\\rtf. Give it the extension of its format.")
    reader = _Reader(blocks)
    place = 0
    begun = starred = False
    while match := _TOKEN.match(text, place):
        place = match.end()
        if match["byte"] is not None:
            reader.take(bytes.fromhex(match["byte"]))
        elif match["text"] is not None:
            reader.take(match["text"].encode("latin-1"))
        elif match["brace"] or match["sign"] or match["word"]:
            reader.flush()
            if match["brace"] == "{":
                reader.groups.append(reader.group)
                reader.substitutes, begun = 0, True
                continue
            if match["brace"] == "}":
                _close(reader)
                reader.substitutes = 0
                if len(reader.groups) == 1:
                    break  # what follows the document
            elif match["sign"] == "*":
                starred = True
                continue
            elif match["sign"]:
                _obey(reader, *_SIGNS.get(match["sign"], ("", match["sign"])))
            else:
                number = None if match["number"] is None else int(match["number"])
                if begun or starred:
                    _open(reader, match["word"], starred=starred)
                if match["word"] == "bin":
                    place += max(number or 0, 0)
                _obey(reader, match["word"], "", number)
        begun = starred = False
    reader.flush()
    reader.in_table = False
    reader.find_row()


def _open(reader: _Reader, word: str, *, starred: bool) -> None:
    """Take the first word of a group: it may be a destination."""
    around = reader.group.destination
    if word in (_NAMING if around == "info" else () if around else _READ):
        reader.change(destination=word)
        reader.collected.clear()
    elif not around and (word in READER_WORDS.rtf_unseen or (starred and word not in _SEEN)):
        reader.change(destination="unseen")
        reader.blocks.tally.note("pictures and objects removed", word in {"pict", "object"})


def _close(reader: _Reader) -> None:
    """End a group, and take what its destination says."""
    ended = reader.groups.pop()
    around = reader.group if reader.groups else None
    if around is None:
        reader.groups.append(ended)
        return
    text = "".join(reader.collected).strip()
    if ended.destination == "stylesheet" and ended.style != around.style:
        named = _NAMED_HEADING.search(text)
        if named is not None:
            reader.headings.setdefault(ended.style, int(named[1]))
        reader.collected.clear()
    elif ended.destination == around.destination:
        return
    elif ended.destination == "fldinst":
        address = _ADDRESS.search(text)
        reader.change(target=outside(address[1]) if address else around.target)
    elif ended.destination in {"listtext", "pntext"}:
        digits = _ORDERED.match(text)
        reader.number = int(digits[1]) if digits else 0
    elif ended.destination in _NAMING and any(map(str.isalpha, text)):
        reader.blocks.metadata.append(text)


def _obey(reader: _Reader, word: str, letters: str, number: int | None = None) -> None:  # noqa: C901, PLR0912 - a branch per word
    """Do what a control word says, or write what a sign stands for."""
    destination = reader.group.destination
    if word == "u" and number is not None:
        reader.write_unicode(number)
    elif letters or word in _LETTERS:
        reader.write(letters or _LETTERS[word])
    elif word == "uc":
        reader.change(substitutes=max(number or 0, 0))
    elif word in _HIDDEN:
        reader.change(**{_HIDDEN[word]: number != 0})
        reader.blocks.tally.note("hidden texts removed", not destination and number != 0)
    elif word == "plain":
        reader.change(hidden=False, deleted=False, font=-1)
    elif word == "f":
        reader.change(font=number or 0)
    elif word == "fcharset" and number in _CHARSETS:
        reader.fonts[reader.group.font] = _CHARSETS[number]
    elif word in _CODE_PAGES:
        reader.codec = _CODE_PAGES[word]
    elif word in {"ansicpg", "cpg"}:
        codec = _codec(number or 0)
        if word == "cpg":
            reader.fonts[reader.group.font] = codec
        else:
            reader.codec = codec
    elif word == "s":
        reader.change(style=number or 0)
        reader.heading = reader.headings.get(number or 0, 0)
    elif word == "outlinelevel":
        reader.heading = (number or 0) + 1 if (number or 0) < _NO_LEVEL else 0
        if destination == "stylesheet":
            reader.headings[reader.group.style] = reader.heading
    elif not destination:
        _lay_out(reader, word, number or 0)


def _lay_out(reader: _Reader, word: str, number: int) -> None:
    """Do what a control word says of paragraphs and tables."""
    if word == "pard":
        reader.heading, reader.level, reader.in_table = 0, 0, False
    elif word == "ilvl":
        reader.level = number
    elif word == "ls" and number and reader.number is None:
        reader.number = 0
    elif word in {"intbl", "trowd"}:
        reader.in_table = True
    elif word == "cell":
        reader.find_row()
        reader.end()
        reader.blocks.end_cell()
    elif word == "row":
        reader.in_table = False
        reader.find_row()
    elif word in {"line", "lbr"}:
        reader.blocks.end_line()
    elif word in _ENDS:
        reader.end()


def _codec(number: int) -> str:
    """Return a code page that Python knows, else that of western Windows."""
    try:
        return codecs.lookup({10000: "mac_roman", 65001: "utf-8"}.get(number, f"cp{number}")).name
    except LookupError:
        return "cp1252"
