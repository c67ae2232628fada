"""Résumés in plain text and Markdown: decode, remove markup for a view, and mask.

Names hide in markup: `Ja**ne**`, `J&#97;ne`, `Jane&nbsp;Doe`, `Ja<b id=1>ne</b>`, a return before each line
feed. Masks are found in the view and set in the file; encoding, byte order mark and line ends stay.
Text that was decoded with a wrong encoding is refused: its names would not be recognised.
"""

import codecs
import html
import re
import urllib.parse
from array import array
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from evenhand.errors import InputError
from evenhand.masking.documents.check import refuse_leaks
from evenhand.masking.documents.request import ROUNDS, DocumentText, Edit, MaskedDocument, Request, Tally, applied
from evenhand.masking.layout import folded_word
from evenhand.masking.names.word_kinds import Names, is_frequent
from evenhand.patterns import lazy_re


@dataclass(frozen=True, kw_only=True)
class View:
    """A text as seen, and where in the file's text each of its characters begins and ends."""

    source: str
    text: str
    starts: Sequence[int]
    ends: Sequence[int]

    def back(self, edits: Sequence[Edit]) -> list[Edit]:
        """Return edits of the view as edits of the file's text; markup within stays, after the mask."""
        return [
            Edit(
                start=self.starts[edit.start],
                end=self.ends[edit.end - 1],
                text=edit.text + self._unseen(edit.start, edit.end),
                category=edit.category,
            )
            for edit in edits
        ]

    def _unseen(self, start: int, end: int) -> str:
        """Return the markup within a stretch of the view, without what would change what comes after the mask."""
        gaps = (self.source[self.ends[place] : self.starts[place + 1]] for place in range(start, end - 1))
        return "".join(_DROPPED.sub("", gap) for gap in gaps if gap)


def seen(text: str, hidden: re.Pattern[str]) -> View:
    """Return a view without the matches of a pattern; its groups `entity` and `percent` are decoded instead.

    >>> seen("Ja**ne**", re.compile(r"[*]")).text
    'Jane'
    """
    if hidden.search(text) is None:
        return View(source=text, text=text, starts=range(len(text)), ends=range(1, len(text) + 1))
    pieces: list[str] = []
    starts, ends = array("l"), array("l")  # lists take five times the memory
    done = 0
    for match in hidden.finditer(text):
        start, end = match.span()
        pieces.append(text[done:start])
        starts.extend(range(done, start))
        ends.extend(range(done + 1, start + 1))
        decoded = _decoded(match)
        if decoded:
            pieces.append(decoded)
            starts.extend([start] * len(decoded))
            ends.extend([end] * len(decoded))
        done = end
    pieces.append(text[done:])
    starts.extend(range(done, len(text)))
    ends.extend(range(done + 1, len(text) + 1))
    return View(source=text, text="".join(pieces), starts=starts, ends=ends)


def _decoded(match: re.Match[str]) -> str:
    """Return the character of an entity or an escape in an address, "" for markup."""
    groups = match.groupdict()
    if groups.get("entity") is not None:
        return html.unescape(match.group())
    if groups.get("percent") is not None:
        return urllib.parse.unquote(match.group(), errors="replace")
    return ""


def without_returns(text: str) -> View:
    r"""Return a view in which every line ends with a line feed alone, without colours and overstrikes of terminals.

    >>> without_returns("Jane\r\nDoe").text
    'Jane\nDoe'
    """
    return seen(text, _RETURN)


def without_escapes(text: str) -> View:
    r"""Return a view of Markdown without backslashes before marks, and as `without_returns` otherwise.

    >>> without_escapes(r"jane\_doe@example.org").text
    'jane_doe@example.org'
    """
    return seen(text, _ESCAPE)


def without_markup(text: str) -> View:
    """Return a view of Markdown without emphasis within words, escapes, plain tags, comments' marks and entities.

    >>> without_markup("J&#97;ne **D**oe <b>B</b>ell").text
    'Jane Doe Bell'
    """
    return seen(text, _MARKUP)


def has_markup(text: str) -> bool:
    r"""Return whether there may be markup in a text other than the stars of a list.

    >>> has_markup("* Jane Doe\n* Nurse"), has_markup("**Jane** Doe")
    (False, True)
    """
    if any(sign in text for sign in _MARKUP_SIGNS) or _CODED.search(text) is not None:
        return True
    return "*" in text and "*" in _STARS.sub("", text)


def rendered(text: str) -> View:
    """Return a view of Markdown as it is shown, without links' targets, comments, and tags within lines.

    >>> rendered('Ja[ne](https://a.org) D<span class="x">oe</span> <!-- a -->').text
    'Jane Doe '
    """
    return seen(text, _RENDERED)


_RETURN_PATTERN = "\u00ad\r?\n|\r(?=\n)|\x1b\\[[0-9;?]*[A-Za-z]|[^\n]\x08"
_ESCAPE_PATTERN = r"\\(?=[!-/:-@\[-`{-~])"
_MARKUP_PATTERN = (
    r"(?P<entity>&(?:#\d{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{1,31});)"
    r"|(?P<percent>(?:%[0-9A-Fa-f]{2})+)"
    rf"|{_RETURN_PATTERN}|{_ESCAPE_PATTERN}"
    r"|[*`~]+"
    r"|(?<![^\W_])_+(?=\w)|(?<=\w)_+(?![^\W_])"
)
#: Removed with a mask: escapes, letters that were struck over, quotation marks of a removed line.
_DROPPED = lazy_re(r"\u00ad\r?\n|\r|\\|[^\n]\x08|^(?:>[ ]?)+$")
_RETURN = lazy_re(_RETURN_PATTERN)
_ESCAPE = lazy_re(f"{_RETURN_PATTERN}|{_ESCAPE_PATTERN}")
#: Each match of `_MARKUP` has one of these, something coded, or a star.
_MARKUP_SIGNS = "\u00ad\r\x1b\x08\\`~_<>"
_CODED = lazy_re(r"%[0-9A-Fa-f]{2}|&[#A-Za-z][A-Za-z0-9]*;")
_STARS = lazy_re(r"^[ \t]*\*(?=[ \t])", re.MULTILINE)
_MARKUP = lazy_re(rf"{_MARKUP_PATTERN}|</?[A-Za-z][A-Za-z0-9]{{0,15}}>|<!--|-->")
#: Tags that part no words.
_INLINE = (
    "a|abbr|b|bdi|bdo|big|cite|code|del|dfn|em|font|i|ins|kbd|label|mark|q|s|small|span|strong|sub|sup|time|tt|u|var"
    "|wbr"
)
_RENDERED = lazy_re(
    rf"{_MARKUP_PATTERN}|<!--.{{0,2000}}?-->|</?(?:{_INLINE})(?=[\s/>])[^<>]{{0,2000}}>"
    r"|\[(?=[^\[\]\n]{1,300}\]\()|\]\([^()\s]{0,2000}(?:\s+(?:\"[^\"\n]*\"|'[^'\n]*'))?\)"
    r"|(?<![^\n])(?:>[ ]?)+",
    re.DOTALL | re.IGNORECASE,
)

_LETTER, _SMALL = r"[^\W\d_]", "[a-z\xdf-\xff]"
#: Signs within or before words that show another encoding: Pawe³, £ukasz (Central European),
#: Qu‡ndahl, JosŽ, MŸller (Mac), J„ger, PE¥A, MšLLER (DOS).
_GARBLED_SIGNS = lazy_re(
    rf"{_LETTER}[\xa1\xa2\xa3\xa4\xa5\xa6\xa7\xa8\xac\xaf\xb1\xb3\xb6\xb8\xb9\xbc\xbe\xbf"
    rf"\u2020\u2021\u2030\u2039\u203a\u201c\u201d\u02c6\u02dc]{_LETTER}"
    r"|[\xa3\xa6\xac\xaf][aeiouy\xf3]"
    rf"|{_LETTER}[\u201a\u201e\u0192]|\u0192{_LETTER}"
    r"|[A-Z][\u0161\u0153\u017e][A-Z]"
    rf"|{_SMALL}[\u017d\u0160\u0178\u0152]|{_LETTER}[\u017d\u0160\u0178\u0152]{_SMALL}"
)
#: Signs that are within words in the right encoding too, as the apostrophe and the dash: Mu–oz and L—pez are names.
_SPLIT = lazy_re(rf"(?<!\w)[A-Z]{_SMALL}*(?:[\u2018\u2019\u2013\u2014\u2026\u2022\u2122\xa0]{_SMALL}+)+(?!\w)")
_ELIDED = lazy_re(r"^.{0,2}[\u2018\u2019]|[\u2018\u2019]s$")
_OTHERS = ("mac_roman", "cp850")
_SEQUENCE = lazy_re(rb"[\xc2-\xdf][\x80-\xbf]|[\xe0-\xef][\x80-\xbf]{2}|[\xf0-\xf4][\x80-\xbf]{3}")
_NOT_ASCII = lazy_re(rb"[\x80-\xff]+")
#: No language that is written in cp1252 has so many accents.
_ACCENTED = 0.4
_FEW_LETTERS = 20


def is_broken_utf8(body: bytes) -> bool:
    r"""Say whether most of what is not ASCII is UTF-8.

    >>> is_broken_utf8("Renée Müller".encode() + b"\xff"), is_broken_utf8("Renée Müller".encode("cp1252"))
    (True, False)
    """
    whole = sum(len(match.group()) for match in _SEQUENCE.finditer(body))
    return 2 * whole > sum(len(match.group()) for match in _NOT_ASCII.finditer(body))


def is_garbled(text: str) -> bool:
    """Say whether a text that was read as cp1252 reads as if it were of another encoding.

    >>> [is_garbled(text.encode("cp1250").decode("cp1252")) for text in ("Łukasz Pawłowski", "René Müller")]
    [True, False]
    >>> [is_garbled(text.encode("mac_roman").decode("cp1252")) for text in ("José", "Sofía", "Muñoz", "O'Neill")]
    [True, True, True, False]
    """
    letters = [letter for letter in text if letter.isalpha()]
    accented = sum(not letter.isascii() for letter in letters)
    return (
        _GARBLED_SIGNS.search(text) is not None
        or (len(letters) > _FEW_LETTERS and accented > _ACCENTED * len(letters))
        or any(_is_name_elsewhere(word) for word in set(_SPLIT.findall(text)))
    )


def _is_name_elsewhere(word: str) -> bool:
    """Say whether a word with a sign within is a frequent name in another encoding; `Lou's` and `L'Isle` are none."""
    if _ELIDED.search(word) is not None:
        return False
    read = (folded_word(word.encode("cp1252").decode(codec)) for codec in _OTHERS)
    return any(map(is_frequent, read))


ViewOf = Callable[[str], View]

_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),  # begins like UTF-16's
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_EXPECTED = "expected UTF-8, UTF-16 or cp1252"
_OTHER_FORMATS = ((b"{\\rtf", "RTF"), (b"%PDF-", "PDF"), (b"PK\x03\x04", "a zip or Word file"))
#: Bytes of a text that are checked for its encoding; the share of its characters that have a zero byte in UTF-16.
_START = 4096
_WIDE = 0.1


@dataclass(frozen=True, kw_only=True)
class Decoded:
    """The text of a file, its byte order mark and its encoding."""

    text: str
    mark: bytes
    codec: str

    def encoded(self, text: str) -> bytes:
        """Return another text as the file was written."""
        return self.mark + text.encode(self.codec)


def decoded(content: bytes) -> Decoded:
    r"""Return the text of bytes in UTF-8, UTF-16 or cp1252.

    >>> decoded(b"Ren\xe9e").text, decoded(b"\xff\xfeJ\x00o\x00").text
    ('Renée', 'Jo')

    Raises
    ------
    InputError
        The bytes are in none of these, or hold no text.

    """
    other_format = next((kind for start, kind in _OTHER_FORMATS if content.startswith(start)), None)
    if other_format is not None:
        raise InputError(f"has the content of {other_format}; rename it, or save it as text.")
    mark, codec = next(((mark, codec) for mark, codec in _MARKS if content.startswith(mark)), (b"", ""))
    body = content[len(mark) :]
    for candidate in (codec,) if codec else _codecs(body):
        try:
            text = body.decode(candidate)
        except UnicodeDecodeError:
            continue
        if "\x00" in text:
            raise InputError(f"is not text: it holds NUL characters; {_EXPECTED}.")
        if not text.strip():
            raise InputError("holds no text.")
        if candidate == "cp1252":
            if is_broken_utf8(body):
                raise InputError("is UTF-8 with broken characters; save it again as UTF-8.")
            if is_garbled(text):
                break
        return Decoded(text=text, mark=mark, codec=candidate)
    raise InputError("is neither UTF-8 nor UTF-16 nor cp1252; save it as UTF-8.")


def _codecs(body: bytes) -> tuple[str, ...]:
    """Return the encodings that a text without a mark may have."""
    start = body[:_START]
    low, high = start[::2].count(0), start[1::2].count(0)
    if not low and high > _WIDE * len(start) / 2:
        return ("utf-16-le",)
    if not high and low > _WIDE * len(start) / 2:
        return ("utf-16-be",)
    return ("utf-8", "cp1252")


def masked_plain(content: bytes, request: Request) -> MaskedDocument:
    r"""Return a masked text.

    >>> masked_plain(b"Jane Doe\r\njane@example.org\r\n", Request()).content
    b'[NAME]\r\n[EMAIL]\r\n'
    """
    return _masked(content, Tally(request), without_returns, [without_returns])


def plain_document_text(content: bytes, _unpack_limit: int) -> DocumentText:
    r"""Return a text with line feeds alone.

    >>> plain_document_text(b"Jane Doe\r\nNurse\r\n", 1).text
    'Jane Doe\nNurse\n'
    """
    return DocumentText(text=decoded(content).text.replace("\r\n", "\n").replace("\r", "\n"))


def masked_in(text: str, views: Sequence[ViewOf], *, names: Names, tally: Tally) -> str:
    """Return a text masked in each of its views until none has a match."""
    clean: set[str] = set()
    for view_of in views:
        for _ in range(ROUNDS):
            view = view_of(text)
            edits = [] if view.text in clean else tally.edits(view.text, names)
            if not edits:
                clean.add(view.text)
                break
            text = applied(text, view.back(edits))
    return text


#: Replaces a picture.
PICTURE = "[IMAGE]"
_DATA = lazy_re(r"data:[a-z]+/[\w.+-]+[;,][^\s)\"'>]*", re.IGNORECASE)
_PICTURE = lazy_re(
    r"!\[[^\[\]]*(?:\[[^\]]*\][^\[\]]*)*\](?:\((?:<[^<>\n]*>|[^()\s]*(?:\([^()]*\)[^()\s]*)*)(?:\s+(?:\"[^\"]*\"|'[^']*'|\([^)]*\)))?\s*\)|\[[^\]]*\])"
    r"|<(?:img|image)\b(?:(?:\"[^\"]*\"|'[^']*'|[^>\"'])*|[^>]*)>|<(?P<tag>svg|picture|object)\b.*?</(?P=tag)\s*>|<(?:embed|source)\b[^>]*>",
    re.IGNORECASE | re.DOTALL,
)


def masked_markdown(content: bytes, request: Request) -> MaskedDocument:
    r"""Return masked Markdown; links' targets, titles and comments are text like any other.

    >>> masked_markdown(b"# Jane Doe\n![me](me.jpg) *she/her*", Request()).content
    b'# [NAME]\n[IMAGE] *[GENDER]*'
    """
    tally = Tally(request)

    def without_pictures(text: str) -> str:
        for pattern in (_PICTURE, _DATA):
            text, count = pattern.subn(PICTURE, text)
            tally.note("pictures removed", count)
        return text

    return _masked(content, tally, without_markup, [without_escapes, without_markup, rendered], without_pictures)


def _masked(
    content: bytes,
    tally: Tally,
    read: ViewOf,
    views: Sequence[ViewOf],
    changed: Callable[[str], str] = str,
) -> MaskedDocument:
    """Return a text masked in its views, and checked; `read` is the view in which names are found.

    Raises
    ------
    CheckFailed
        The result still holds a masked detail.

    """
    source = decoded(content)
    whole = read(source.text).text
    names = tally.names_in(whole)
    tally.note_absent(whole)
    tally.note_unmasked(whole)
    text = masked_in(changed(source.text), views, names=names, tally=tally)
    tally.note_ordinary(text, names)
    refuse_leaks(
        texts=dict.fromkeys(view_of(text).text for view_of in views),
        bare=(),
        trace=tally.trace(names),
        options=tally.request.options,
    )
    return tally.document(source.encoded(text))
