"""Formats of documents and what reads them, which is imported when needed."""

import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from evenhand.errors import InputError
from evenhand.masking.documents.request import DocumentText, MaskedDocument, Request
from evenhand.patterns import lazy_re
from evenhand.results.files import UNPACK_LIMIT, file_bytes

if TYPE_CHECKING:
    from evenhand.masking.documents.word_in_place import WordInPlace

Masker = Callable[[bytes, Request], MaskedDocument]
#: The code of libxml2's syntax error where there is no more memory (XML_ERR_NO_MEMORY).
_NO_MEMORY = 2


class _Format(NamedTuple):
    """Endings of a format, those that its masked files may get (the first if none is given), and what reads it.

    `reader` are a module, what in it masks a file, and what reads a file's text. Without the latter the module reads
    blocks, which are masked as Markdown or Word.
    """

    endings: tuple[str, ...]
    outputs: tuple[str, ...]
    reader: tuple[str, str, str]


#: The ending of Word files.
WORD = ".docx"
_CONVERTED = (".md", WORD)
_FORMATS = (
    _Format((".txt", ".text"), (".txt",), ("text", "masked_plain", "plain_document_text")),
    _Format((".md", ".markdown"), (".md",), ("text", "masked_markdown", "plain_document_text")),
    _Format((".json",), (".json",), ("json_resume", "masked_json_resume", "json_resume_document_text")),
    _Format((".docx",), (".docx",), ("word", "masked_word", "word_document_text")),
    _Format((".pdf",), (".pdf",), ("pdf", "masked_pdf", "pdf_document_text")),
    _Format((".html", ".htm", ".xhtml"), _CONVERTED, ("html_file", "read_html", "")),
    _Format((".odt",), _CONVERTED, ("odt_file", "read_odt", "")),
    _Format((".rtf",), _CONVERTED, ("rtf_file", "read_rtf", "")),
)
_BY_ENDING = {ending: entry for entry in _FORMATS for ending in entry.endings}
#: Endings of documents, one for each format.
ENDINGS = tuple(entry.endings[0] for entry in _FORMATS)


def is_document(path: Path) -> bool:
    """Say whether a file in a folder is one to mask: a known ending, not hidden, no lock of an open document.

    >>> is_document(Path("cv.PDF")), is_document(Path("~$cv.docx")), is_document(Path("photo.png"))
    (True, False, False)
    """
    return path.suffix.lower() in _BY_ENDING and not is_passed_over(path)


def is_passed_over(path: Path) -> bool:
    """Say whether a file in a folder is none of the user's: hidden, or the lock of an open document.

    >>> is_passed_over(Path(".DS_Store")), is_passed_over(Path("cv.doc"))
    (True, False)
    """
    return path.name.startswith((".", "~$")) or path.name in {"Thumbs.db", "desktop.ini"}


def is_text(path: Path) -> bool:
    """Say whether a document is text as it is, which its size limits.

    >>> is_text(Path("cv.txt")), is_text(Path("cv.pdf"))
    (True, False)
    """
    return path.suffix.lower() in {".txt", ".text", ".md", ".markdown", ".json"}


def outputs_of(path: Path) -> tuple[str, ...]:
    """Return the endings that a file's masked document may get, first the one that it gets where none is given.

    >>> outputs_of(Path("cv.HTM")), outputs_of(Path("cv.text"))
    (('.md', '.docx'), ('.txt',))

    Raises
    ------
    InputError
        Files with this ending are not read.

    """
    return _format_of(path.suffix, str(path)).outputs


def is_format(ending: str, outputs: Sequence[str]) -> bool:
    """Say whether files with an ending are of one of the formats with these endings: `.markdown` is of `.md`."""
    entry = _BY_ENDING.get(ending.lower())
    return entry is not None and entry.endings[0] in outputs


def masked_document(path: Path, request: Request, *, out: Path | None = None) -> MaskedDocument:
    """Return a file's masked document, in the format of the file `out` where there are several.

    Raises
    ------
    InputError
        The file can't be read, or not be masked in that format; the message names it.
    CheckFailed
        The result still holds a masked detail; the message names the file and categories.

    """
    mask = _masker(path.suffix, path.suffix if out is None else out.suffix, str(path))
    content = _content(path)
    with _named(str(path), content):
        return mask(content, request)


def masked_content(content: bytes, ending: str, request: Request, *, source: str) -> MaskedDocument:
    r"""Return the bytes of a document masked to a file with this ending; `source` is its name in messages.

    A page, an OpenDocument text or RTF is known by its content.

    >>> masked_content(b"Jane Doe\njane@example.org\n", ".txt", Request(), source="Standard input").content
    b'[NAME]\n[EMAIL]\n'

    Raises
    ------
    InputError, CheckFailed
        As of `masked_document`.

    """
    read = next((read for pattern, read in _SIGNS.items() if pattern.match(content)), ending)
    mask = _masker(read if is_format(ending, _CONVERTED) else ending, ending, source)
    with _named(source, content):
        return mask(content, request)


#: How documents begin that come under another ending.
_SIGNS = {
    lazy_re(rb"\s*\{\\rtf"): ".rtf",
    lazy_re(
        rb"(?:\xef\xbb\xbf)?\s*(?:<!--.{0,2000}?-->\s*)?<(?:!doctype\s+html|html)\b", re.IGNORECASE | re.DOTALL
    ): ".html",
    lazy_re(rb"PK\x03\x04.{26}mimetypeapplication/vnd\.oasis\.opendocument\.text", re.DOTALL): ".odt",
}


def document_text(path: Path, *, unpack_limit: int = UNPACK_LIMIT) -> DocumentText:
    """Return a file's text.

    Raises
    ------
    InputError
        The file can't be read; the message names it.

    """
    entry = _format_of(path.suffix, str(path))
    module, name, text = entry.reader
    if text:
        read: Callable[..., DocumentText] = _imported(module, text, str(path))
    else:
        read = partial(_imported("block_reader", "blocks_text", str(path)), read=_imported(module, name, str(path)))
    content = _content(path)
    with _named(str(path), content):
        return read(content, unpack_limit)


def word_of(path: Path, *, unpack_limit: int = UNPACK_LIMIT) -> "WordInPlace | None":
    """Return a Word file whose text can be exchanged, None for files of another format.

    Raises
    ------
    InputError
        The file can't be read, or its text not be exchanged; the message names it.

    """
    if path.suffix.lower() != WORD:
        return None
    content = _content(path)
    with _named(str(path), content):
        word: WordInPlace = _imported("word_in_place", "word_in_place", str(path))(content, unpack_limit)
        return word


def _format_of(ending: str, source: str) -> _Format:
    entry = _BY_ENDING.get(ending.lower())
    if entry is None:
        raise InputError(f"{source} can't be masked; expected {', '.join(ENDINGS)}.")
    return entry


def _masker(ending: str, out: str, source: str) -> Masker:
    """Return what masks documents of one ending to another; a missing package is reported before a file is read."""
    entry = _format_of(ending, source)
    module, name, text = entry.reader
    found: Masker = _imported(module, name, source)
    if text:
        return found
    mask_word = _imported("word", "masked_word", source) if out.lower() == WORD else None
    return partial(_imported("block_reader", "masked_blocks", source), read=found, mask_word=mask_word)


def _imported(module: str, name: str, source: str) -> Any:
    try:
        return getattr(import_module(f"evenhand.masking.documents.{module}"), name)
    except ModuleNotFoundError as error:
        if (error.name or "").startswith("evenhand"):
            raise
        raise InputError(
            f"Reading {source} needs {error.name}; install it with: pip install 'evenhand[documents]'"
        ) from error


def _content(path: Path) -> bytes:
    try:
        return file_bytes(path)
    except OSError as error:
        missing = isinstance(error, FileNotFoundError)
        raise InputError(f"No file {path}." if missing else f"{path} can't be read: {error.strerror}.") from error


@contextmanager
def _named(source: str, content: bytes) -> Iterator[None]:
    """Name the file in the message of an error; MemoryError where a reader made another of one."""
    if not content.strip():
        raise InputError(f"{source} is empty.")
    try:
        yield
    except Exception as error:
        if _is_of_memory(error):
            raise MemoryError from error
        if isinstance(error, InputError):
            raise InputError(f"{source} {error}") from error
        raise


def _is_of_memory(error: BaseException | None) -> bool:
    """Say whether an error is one of memory, or was raised from one; errors may be raised from each other."""
    seen: set[int] = set()
    while error is not None and id(error) not in seen:
        if isinstance(error, MemoryError) or (
            isinstance(error, SyntaxError) and getattr(error, "code", 0) == _NO_MEMORY
        ):
            return True
        seen.add(id(error))
        error = error.__cause__ or error.__context__
    return False
