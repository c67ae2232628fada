"""Read a PDF with pdfplumber: words with their places, form values and metadata.

pdfplumber copies all that pdfminer knows of each letter and curve, a gigabyte for a hundred pages, so letters are taken
from pdfminer's layout. Warnings quote the document; the process that reads it shows none (`within_limits`).

Letters may be drawn in any direction, twice for a shadow or for bold, far apart, or in two sizes for
small capitals. A reader sees a name in all of these, so letters are turned upright, duplicates removed
and words joined. Letters without a width, or drawn on other letters, are refused: their words are unknown.
"""

import io
import math
import unicodedata
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from itertools import pairwise, product
from statistics import median
from typing import Any

import pdfplumber
from pdfminer.layout import LTChar, LTContainer, LTImage
from pdfminer.pdfdocument import PDFNoOutlines
from pdfminer.pdftypes import resolve1
from pdfminer.psparser import PSKeywordTable, PSLiteralTable
from pdfplumber.page import Page
from pdfplumber.utils.exceptions import MalformedPDFException, PdfminerException
from pdfplumber.utils.text import extract_words

from evenhand.errors import InputError
from evenhand.masking.documents.pdf_layout import Line, Word, lines_of, rows_of
from evenhand.masking.documents.request import Tally


@contextmanager
def forgotten() -> Iterator[None]:
    """Remove from pdfminer's tables the names that a document adds; they would stay as long as the process."""
    tables = [(table.dict, frozenset(table.dict)) for table in (PSLiteralTable, PSKeywordTable)]
    try:
        yield
    finally:
        for table, known in tables:
            for name in table.keys() - known:
                del table[name]


Letter = dict[str, Any]


def letters_and_pictures(page: Page) -> tuple[list[Letter], list[LTImage]]:
    """Return what is drawn on a page; of letters only what reading needs, as pdfplumber would name it."""
    left, above = page.mediabox[:2]
    letters: list[Letter] = []
    pictures = []
    pending: list[Any] = [page.layout]
    while pending:
        item = pending.pop()
        if isinstance(item, LTContainer):
            pending += reversed([*item])
        elif isinstance(item, LTImage):
            pictures.append(item)
        elif isinstance(item, LTChar):
            top = (page.height - item.y1) + above
            letters.append(
                {
                    "text": item.get_text(),
                    "fontname": str(item.fontname),
                    "size": item.size,
                    "adv": item.adv,
                    "matrix": item.matrix,
                    "upright": item.upright,
                    "x0": item.x0 + left,
                    "x1": item.x1 + left,
                    "y0": item.y0,
                    "y1": item.y1,
                    "top": top,
                    "bottom": (page.height - item.y0) + above,
                    "doctop": page.initial_doctop + top,
                }
            )
    return letters, pictures


#: Letters in a row that are refused: one alone is an accident, as the raised A of LaTeX's own name is.
_RUN = 2
#: Widths that are none, in letter sizes; the narrowest letters have a fifth.
_FLAT = 0.04
#: A letter on another covers so much of the narrower one; their middles are on one level, in letter sizes; of two
#: sizes so far apart one is the text and the other a watermark.
_COVERED, _LEVEL, _OTHER_SIZE = 0.5, 0.3, 1.6
#: Accents and other modifiers are drawn over letters (`Lm` holds the circumflex).
_LETTERS = frozenset({"Lu", "Ll", "Lt", "Lo", "Nd"})


def refuse_crowded(letters: Sequence[Letter], number: int) -> None:
    """Raise InputError where letters, level and in the order in which they were drawn, have no place of their own.

    >>> at = {"top": 0.0, "bottom": 10.0, "size": 10.0}
    >>> refuse_crowded([{**at, "text": "L", "x0": 9.0, "x1": 15.0}, {**at, "text": "i", "x0": 15.0, "x1": 17.2}], 1)
    >>> refuse_crowded([{**at, "text": text, "x0": 9.0, "x1": 9.0} for text in "Li"], 1)
    Traceback (most recent call last):
    evenhand.errors.InputError: holds letters on page 1 without a width, or drawn on other letters, so words \
can't be read; print it to a new PDF, or give text.

    """
    characters = [letter for letter in letters if unicodedata.category(letter["text"][:1] or " ") in _LETTERS]
    reach = max(1.0, median([letter["size"] for letter in characters])) if characters else 1.0
    placed: dict[tuple[int, int], list[Letter]] = {}
    flat = covering = 0
    for letter in characters:
        left, right, size = letter["x0"], letter["x1"], letter["size"]
        middle, height = (left + right) / 2, (letter["top"] + letter["bottom"]) / 2
        # Letters that cover half of each other have middles no farther apart than half the wider one.
        across, below = max(size, right - left) * _OTHER_SIZE / 2, size * _LEVEL
        columns = range(int((middle - across) // reach), int((middle + across) // reach) + 1)
        rows = range(int((height - below) // reach), int((height + below) // reach) + 1)
        is_flat = right - left <= _FLAT * size
        flat = flat + 1 if is_flat else 0
        places = (columns.stop - columns.start) * (rows.stop - rows.start)
        within = product(columns, rows) if places < len(placed) else placed
        near = [other for x, y in within if x in columns and y in rows for other in placed.get((x, y), ())]
        covers = any(_is_covered(letter, other) for other in near if left < other["x1"] or is_flat)
        covering = covering + 1 if covers else 0
        if max(flat, covering) >= _RUN:
            raise InputError(
                f"holds letters on page {number} without a width, or drawn on other letters, so words can't be "
                "read; print it to a new PDF, or give text."
            )
        placed.setdefault((int(middle // reach), int(height // reach)), []).append(letter)


def _is_covered(letter: Letter, other: Letter) -> bool:
    small, large = sorted((letter["size"], other["size"]))
    together = min(letter["x1"], other["x1"]) - max(letter["x0"], other["x0"])
    narrower = min(letter["x1"] - letter["x0"], other["x1"] - other["x0"])
    apart = abs(letter["top"] + letter["bottom"] - other["top"] - other["bottom"]) / 2
    return bool(
        together >= _COVERED * narrower
        and large <= _OTHER_SIZE * small
        and apart <= _LEVEL * small
        and letter["text"].casefold() != other["text"].casefold()
    )


#: Directions of writing that differ by less than this many degrees are one.
_SAME_DIRECTION = 0.5
_SAME_LINE = 1.0
#: Parts of a letter's height that are above and below its base line.
_ABOVE, _BELOW = 0.8, 0.2
#: How far a letter's double may be from it, in letter sizes: on the line, and off it.
_DOUBLE, _SHADOW = 0.1, 0.25
_OFF_LINE = 0.02
#: Gaps between letters of one word, in letter sizes: normal, and letter-spaced.
_TOUCHING = 0.15
_SPACED = 2.0
_FEWEST_SPACED = 4
_NEXT_WORD = 1.6
#: A letter this many times the size of the next one begins a paragraph.
_DROPPED = 1.8
_MARKS = frozenset("'’.-‐")  # noqa: RUF001 - marks in names


def by_direction(letters: Sequence[Letter]) -> list[list[Letter]]:
    """Return letters by direction of writing, level ones first; all others turned until they are level.

    >>> a_quarter_turned = {"matrix": (0, 1, -1, 0, 50, 9), "adv": 6, "x0": 42, "x1": 52, "y0": 9, "y1": 15}
    >>> ((letter,),) = by_direction([a_quarter_turned])[1:]
    >>> [round(letter[edge]) for edge in ("x0", "x1", "top", "bottom", "size")]
    [9, 15, 42, 52, 10]
    """
    level: list[Letter] = []
    turned: list[tuple[bool, float, Letter]] = []
    for letter in letters:
        a, b, c, d, _, _ = letter["matrix"]
        degrees = math.degrees(math.atan2(b, a)) + (180 if letter["adv"] < 0 else 0)
        degrees = (degrees + 180.25) % 360 - 180.25
        if abs(degrees) <= _SAME_LINE and a * d - b * c > 0:
            level.append(letter if letter["upright"] else {**letter, "upright": True})
        else:
            turned.append((a * d - b * c < 0, degrees, letter))
    groups = [level]
    last: tuple[bool, float] | None = None
    for mirrored, degrees, letter in sorted(turned, key=lambda entry: entry[:2]):
        if last is None or last[0] != mirrored or degrees - last[1] > _SAME_DIRECTION:
            groups.append([])
        last = (mirrored, degrees)
        groups[-1].append(_levelled(letter, math.radians(degrees), mirrored=mirrored))
    return groups


def _levelled(letter: Letter, turn: float, *, mirrored: bool) -> Letter:
    """Return a letter on a page turned until the letter is upright."""
    a, b, _, _, x, y = letter["matrix"]
    width = abs(letter["adv"]) * math.hypot(a, b)
    cos, sin = math.cos(turn), math.sin(turn)
    along, up = x * cos + y * sin, y * cos - x * sin
    wide, high = letter["x1"] - letter["x0"], letter["y1"] - letter["y0"]
    # The box around a turned letter is w|cos| + h|sin| wide and w|sin| + h|cos| high.
    size = (high - width * abs(sin)) / abs(cos) if abs(cos) > abs(sin) else (wide - width * abs(cos)) / abs(sin)
    down = up if mirrored else -up
    top, bottom = down - _ABOVE * size, down + _BELOW * size
    return {
        **letter, "x0": along, "x1": along + width, "top": top, "bottom": bottom, "doctop": top, "size": size,
        "upright": True,
    }  # fmt: skip


def without_doubles(letters: Sequence[Letter]) -> list[Letter]:
    """Return letters without duplicates on the same spot, or next to and below it for a shadow.

    >>> letter = {"text": "l", "fontname": "F", "size": 10.0, "x0": 50.0, "x1": 52.2, "top": 7.0}
    >>> moves = ({"x0": 50.4}, {"x0": 52.2}, {"x0": 51.5, "top": 8.5})
    >>> [letter["x0"] for letter in without_doubles([letter, *({**letter, **place} for place in moves)])]
    [50.0, 52.2]
    """
    distinct: list[Letter] = []
    places: dict[tuple[Any, ...], list[tuple[float, float]]] = {}
    for letter in letters:
        size, left, top = letter["size"] or 1.0, letter["x0"], letter["top"]
        kind = (letter["text"], letter["fontname"], round(size, 1))
        reach = _SHADOW * size
        column, row = int(left // reach), int(top // reach)
        near = (
            place
            for near_column in (column - 1, column, column + 1)
            for below in (row - 1, row, row + 1)
            for place in places.get((*kind, near_column, below), ())
        )
        on_line = min(_DOUBLE * size, 0.4 * (letter["x1"] - left))
        if any(_is_double(left - x, top - y, size, on_line) for x, y in near):
            continue
        places.setdefault((*kind, column, row), []).append((left, top))
        distinct.append(letter)
    return distinct


def _is_double(across: float, below: float, size: float, on_line: float) -> bool:
    across, below = abs(across), abs(below)
    return (across <= on_line and below <= _DOUBLE * size) or (
        across <= _SHADOW * size and _OFF_LINE * size < below <= _SHADOW * size
    )


def joined(words: Sequence[Word]) -> list[Word]:
    """Return words, joining small capitals, spaced letters and a large first letter as a reader does.

    >>> def word(text, left, size): return Word(text, left, 100 - size, left + 0.6 * size, 100, size, False)
    >>> [word.text for word in joined([word("O", 50, 20), word("K", 62, 16)])]
    ['OK']
    >>> far = [word(letter, 50 + 12 * place, 10) for place, letter in enumerate("OBI JO") if letter != " "]
    >>> [word.text for word in joined(far)]
    ['OBI', 'JO']
    """
    merged: list[Word] = []
    for row in rows_of(words):
        merged += _spaced(_touching(row))
    return _dropped(merged)


def _touching(row: Sequence[Word]) -> list[Word]:
    """Join neighbours that were parted only because their sizes differ."""
    merged: list[Word] = []
    for word in row:
        last = merged[-1] if merged else None
        if (
            last is not None
            and last.text[-1].isalpha()
            and word.text[0].isalpha()
            and abs(word.left - last.right) <= _TOUCHING * min(word.size, last.size)
            and abs(word.bottom - last.bottom) <= 0.3 * min(word.size, last.size)
        ):
            merged[-1] = _one([last, word])
        else:
            merged.append(word)
    return merged


def _one(words: Sequence[Word]) -> Word:
    return Word(
        "".join(word.text for word in words),
        words[0].left,
        min(word.top for word in words),
        words[-1].right,
        max(word.bottom for word in words),
        max(word.size for word in words),
        words[0].bold,
    )


def _spaced(row: Sequence[Word]) -> Iterator[Word]:
    """Join letters spaced at even distances; a wider one parts words."""
    run: list[Word] = []
    for word in row:
        if run and not (_is_letter(word) and abs(word.size - run[-1].size) < 0.6 and _gap(run[-1], word) < _SPACED):
            yield from _words_of(run)
            run = []
        if _is_letter(word):
            run.append(word)
        else:
            yield word
    yield from _words_of(run)


def _is_letter(word: Word) -> bool:
    return len(word.text) == 1 and (word.text.isalpha() or word.text in _MARKS)


def _gap(left: Word, right: Word) -> float:
    return (right.left - left.right) / right.size


def _words_of(run: Sequence[Word]) -> Iterator[Word]:
    if sum(word.text.isalpha() for word in run) < _FEWEST_SPACED:
        yield from run
        return
    gaps = sorted(_gap(left, right) for left, right in pairwise(run))
    usual = gaps[len(gaps) // 3]
    word = [run[0]]
    for left, right in pairwise(run):
        if _gap(left, right) > _NEXT_WORD * usual:
            yield _one(word)
            word = []
        word.append(right)
    yield _one(word)


def _dropped(words: Sequence[Word]) -> list[Word]:
    """Join a large first letter and the word that goes on at its top."""
    large = [word for word in words if len(word.text) == 1 and word.text.isupper() and word.text not in "AI"]
    merged = list(words)
    for letter in large:
        for place, word in enumerate(merged):
            if (
                word.text[0].islower()
                and letter.size >= _DROPPED * word.size
                and -0.2 <= (word.left - letter.right) / word.size < 0.8
                and letter.top - 0.3 * letter.size < word.top < letter.top + 0.6 * letter.size
            ):
                merged[place] = replace(word, text=letter.text + word.text, left=letter.left)
                merged.remove(letter)
                break
    return merged


_BROKEN = "can't be read as a PDF; it may be damaged."
_SCANNED = 0.5
_FEW_WORDS = 20
_LIGATURES = {"ﬀ": "ff", "ﬁ": "fi", "ﬂ": "fl", "ﬃ": "ffi", "ﬄ": "ffl", "ﬅ": "st", "ﬆ": "st"}
_SOFT_HYPHEN = "\u00ad"
_UNSEEN = dict.fromkeys(map(ord, f"\x00{_SOFT_HYPHEN}\ufeff"))
_MOST_ICONS = 2
#: A bullet has nothing so near before it, in letter sizes; another column may begin there.
_NEAR = 1.2
_TELLING = ("Title", "Author", "Subject", "Keywords", "Manager", "Company")
_UTF16 = (b"\xfe\xff", b"\xff\xfe")


@dataclass(frozen=True, kw_only=True)
class PdfFile:
    """Lines of all pages in reading order, pages apart; the size of the first page; metadata."""

    pages: list[list[Line]]
    width: float
    height: float
    metadata: tuple[str, ...]


def opened(content: bytes, tally: Tally) -> PdfFile:
    """Return the text of a PDF and its metadata.

    Raises
    ------
    InputError
        The file is encrypted, broken, scanned, or has letters that can't be read.

    """
    if b"%PDF-" not in content[:1024]:
        raise InputError("is not a PDF.")
    try:
        with forgotten(), pdfplumber.open(io.BytesIO(content)) as pdf:
            _check(pdf)
            pages = [_page(page, number, tally) for number, page in enumerate(pdf.pages, 1)]
            _note_extras(pdf.doc, tally)
            metadata = tuple(_metadata(pdf.doc))
            size = pdf.pages[0]
            width, height = float(size.width), float(size.height)
    except InputError:
        raise
    except (PdfminerException, MalformedPDFException) as error:
        if "Password" in repr(error) or "Encryption" in repr(error):
            raise InputError("is encrypted; save it without a password or protection.") from error
        raise InputError(_BROKEN) from error
    # Broken files break a reader anywhere, in as many ways.
    except Exception as error:
        raise InputError(_BROKEN) from error
    if not any(line.text.strip() for page in pages for line in page):
        raise InputError("holds no text (scanned?); run OCR first.")
    return PdfFile(pages=pages, width=width, height=height, metadata=metadata)


def _check(pdf: Any) -> None:
    if pdf.doc.encryption is not None:
        raise InputError("is encrypted; save it without a password or protection.")
    if not pdf.pages:
        raise InputError(_BROKEN)


def _page(page: Any, number: int, tally: Tally) -> list[Line]:
    letters, pictures = letters_and_pictures(page)
    level, *turned = [joined([*_page_words(group, number, tally)]) for group in by_direction(letters)]
    level += _form_words(page)
    area = float(page.width) * float(page.height)
    # Scanners cut a page into strips.
    if area and sum(picture.width * picture.height for picture in pictures) / area > _SCANNED:
        words = len(level) + sum(map(len, turned))
        if not words:
            raise InputError(f"holds no text on page {number} (scanned?); run OCR first.")
        tally.note("pages that are a picture with few words, whose text is not read", words < _FEW_WORDS)
    tally.note("pictures removed", len(pictures))
    links = [note for note in page.annots if _subtype(note) == "Link"]
    tally.note("links removed, their text kept", len(links))
    others = [note for note in page.annots if _subtype(note) not in {"Link", "Widget", "FreeText", "Popup"}]
    tally.note("annotations removed", len(others))
    page.close()  # what was read of a page is kept otherwise: a hundred pages, a gigabyte
    return _in_order(level, turned)


def _in_order(level: list[Word], turned: list[list[Word]]) -> list[Line]:
    """Return level lines and those written in other directions: first where they are the largest, as names are."""
    largest = max((word.size for word in level), default=0.0) + 0.5
    first = [words for words in turned if max((word.size for word in words), default=0.0) > largest]
    lines: list[Line] = []
    for words in (*first, level, *(words for words in turned if words not in first)):
        blocks = 1 + max((line.block for line in lines), default=-1)
        lines += [replace(line, block=line.block + blocks) for line in lines_of(words)]
    return lines


def _page_words(letters: list[dict[str, Any]], number: int, tally: Tally) -> Iterator[Word]:
    """Yield the words of a page that are written in one direction."""
    drawn_once = without_doubles(letters)
    refuse_crowded(drawn_once, number)
    words = extract_words(
        drawn_once,
        x_tolerance_ratio=0.15,
        y_tolerance=3,
        keep_blank_chars=False,
        use_text_flow=False,
        extra_attrs=["size"],
        return_chars=True,
    )
    rows: dict[int, list[tuple[float, float]]] = {}
    for word in words:
        rows.setdefault(round(float(word["top"])), []).append((float(word["x0"]), float(word["x1"])))
    for word in words:
        left = float(word["x0"])
        near = left - _NEAR * float(word["size"])
        first = not any(start < left and near < end for start, end in rows[round(float(word["top"]))])
        drawn = [(str(letter["text"]), str(letter["fontname"])) for letter in word["chars"]]
        text, icons = _readable(drawn, number, first=first)
        tally.note("icons without a character left out", icons)
        if text and drawn[-1][0] == _SOFT_HYPHEN:
            text += "-"  # it is seen at the end of a line only
        if text:
            fonts = [font.lower() for _, font in drawn]
            bold = sum("bold" in font or "black" in font or "heavy" in font for font in fonts) * 2 > len(fonts)
            yield Word(
                text,
                float(word["x0"]),
                float(word["top"]),
                float(word["x1"]),
                float(word["bottom"]),
                float(word["size"]),
                bold,
            )


def _readable(letters: list[tuple[str, str]], number: int, *, first: bool) -> tuple[str, int]:
    """Return a word from its letters and their fonts, without ligatures and icons; how many icons were left out.

    A glyph without a character is an icon where it is alone, or comes from
    another font than its neighbours; at the beginning of a line it is a bullet.
    Any other may be a letter that a name lacks then.

    >>> _readable([("(cid:3)", "Icons"), ("A", "Body"), ("\ufb01", "Body")], 1, first=False)
    ('Afi', 1)
    """
    icons = [(text, font) for text, font in letters if text.startswith("(cid:") or _is_private(text)]
    if not icons:
        return "".join(_LIGATURES.get(text, text) for text, _ in letters).translate(_UNSEEN), 0
    rest = [(text, font) for text, font in letters if (text, font) not in icons]
    if not rest and len(icons) == 1 and first:
        return "•", 0
    unknown = {font for text, font in icons if text.startswith("(cid:")}
    if len(icons) > _MOST_ICONS or unknown & {font for _, font in rest}:
        raise InputError(
            f"holds letters on page {number} that stand for no character; print it to a new PDF, or give text."
        )
    return "".join(_LIGATURES.get(text, text) for text, _ in rest).translate(_UNSEEN), len(icons)


def _is_private(text: str) -> bool:
    return all("\ue000" <= letter <= "\uf8ff" or letter >= "\U000f0000" for letter in text)


def _form_words(page: Any) -> Iterator[Word]:
    """Yield the words of forms and text notes on a page at their places."""
    for note in page.annots:
        data = note.get("data") or {}
        kind = _subtype(note)
        value = _inherited(data, "V") if kind == "Widget" else data.get("Contents") if kind == "FreeText" else None
        text = _string(value)
        if not text or (kind == "Widget" and str(_inherited(data, "FT")) not in {"/'Tx'", "/'Ch'", "Tx", "Ch"}):
            continue
        left, top = float(note["x0"]), float(note["top"])
        for row, line in enumerate(text.splitlines()):
            place = left
            for word in line.split():
                width = 5.0 * len(word)
                yield Word(word, place, top + 12 * row, place + width, top + 12 * row + 10, 10.0, bold=False)
                place += width + 2.5


def _inherited(data: dict[str, Any], key: str) -> Any:
    """Return a field's entry, its parents' where it has none."""
    for _ in range(20):
        if key in data:
            return resolve1(data[key])
        parent = resolve1(data.get("Parent"))
        if not isinstance(parent, dict):
            return None
        data = parent
    return None


def _subtype(note: dict[str, Any]) -> str:
    return str(getattr(resolve1((note.get("data") or {}).get("Subtype")), "name", ""))


def _string(value: Any) -> str:
    """Return a PDF string as text: UTF-16 or UTF-8 with its mark, else Latin-1."""
    value = resolve1(value)
    if isinstance(value, (list, tuple)):
        return " ".join(_string(item) for item in value)
    if isinstance(value, bytes):
        if value.startswith(_UTF16):
            return value.decode("utf-16", "replace")
        return value.decode("utf-8-sig" if value.startswith(b"\xef\xbb\xbf") else "latin-1", "replace")
    return value if isinstance(value, str) else ""


def _note_extras(document: Any, tally: Tally) -> None:
    """Note attachments, scripts and bookmarks, which are removed."""
    catalog = document.catalog
    names = resolve1(catalog.get("Names")) or {}
    if isinstance(names, dict):
        tally.note("attachments removed", 1 if names.get("EmbeddedFiles") else 0)
        tally.note("scripts removed", 1 if names.get("JavaScript") else 0)
    try:
        tally.note("bookmarks removed", sum(1 for _ in document.get_outlines()))
    except PDFNoOutlines:
        return


def _metadata(document: Any) -> Iterator[str]:
    """Yield the text of the properties; XMP is never copied."""
    for info in document.info:
        for key in _TELLING:
            text = _string(info.get(key)).strip()
            if any(letter.isalpha() for letter in text):
                yield text
