"""File formats and their readers; those of .docx and .pdf are imported when needed."""

from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from evenhand.errors import InputError
from evenhand.masking.documents.json_resume import json_resume_document_text, masked_json_resume
from evenhand.masking.documents.request import DocumentText, MaskedDocument, Request
from evenhand.masking.documents.text import masked_markdown, masked_plain, plain_document_text
from evenhand.results.files import UNPACK_LIMIT

#: Endings of files that are read, and the ending that a masked file gets.
SUFFIXES = {
    ".txt": ".txt",
    ".text": ".txt",
    ".md": ".md",
    ".markdown": ".md",
    ".json": ".json",
    ".docx": ".docx",
    ".pdf": ".pdf",
}


def is_document(path: Path) -> bool:
    """Say whether a file in a folder is one to mask: a known ending, not hidden, no lock of an open document.

    >>> is_document(Path("cv.PDF")), is_document(Path("~$cv.docx")), is_document(Path("photo.png"))
    (True, False, False)
    """
    return path.suffix.lower() in SUFFIXES and not is_passed_over(path)


def is_passed_over(path: Path) -> bool:
    """Say whether a file in a folder is none of the user's: hidden, or the lock of an open document.

    >>> is_passed_over(Path(".DS_Store")), is_passed_over(Path("cv.doc"))
    (True, False)
    """
    return path.name.startswith((".", "~$")) or path.name in {"Thumbs.db", "desktop.ini"}


def ending_of(path: Path) -> str:
    """Return the ending that a masked file gets.

    Raises
    ------
    InputError
        Files with this ending are not read.

    """
    ending = SUFFIXES.get(path.suffix.lower())
    if ending is None:
        raise InputError(f"{path} can't be masked; expected {', '.join(dict.fromkeys(SUFFIXES.values()))}.")
    return ending


def masked_document(path: Path, request: Request) -> MaskedDocument:
    """Return a file's masked document.

    Raises
    ------
    InputError
        The file can't be read; the message names it.
    CheckFailed
        The result still holds a masked detail; the message names the file and categories.

    """
    ending = ending_of(path)
    _format(ending, str(path))  # a missing package is reported before the file is read
    return masked_content(_content(path), ending, request, source=str(path))


def document_text(path: Path, *, unpack_limit: int = UNPACK_LIMIT) -> DocumentText:
    """Return a file's text.

    Raises
    ------
    InputError
        The file can't be read; the message names it.

    """
    read = _format(ending_of(path), str(path))
    content = _content(path)
    if not content.strip():
        raise InputError(f"{path} is empty.")
    try:
        return read.document_text(content, unpack_limit=unpack_limit)
    except InputError as error:
        raise InputError(f"{path} {error}") from error


def _content(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        missing = isinstance(error, FileNotFoundError)
        raise InputError(f"No file {path}." if missing else f"{path} can't be read: {error.strerror}.") from error


def masked_content(content: bytes, ending: str, request: Request, *, source: str) -> MaskedDocument:
    r"""Return the masked document of the bytes of a file with this ending; `source` is its name in messages.

    >>> masked_content(b"Jane Doe\njane@example.org\n", ".txt", Request(), source="Standard input").content
    b'[NAME]\n[EMAIL]\n'

    Raises
    ------
    InputError, CheckFailed
        As of `masked_document`.

    """
    masked = _format(ending, source).masked_document
    if not content.strip():
        raise InputError(f"{source} is empty.")
    try:
        return masked(content, request)
    except InputError as error:
        raise InputError(f"{source} {error}") from error


class _Format(NamedTuple):
    """What reads files of one format."""

    masked_document: Callable[[bytes, Request], MaskedDocument]
    document_text: Callable[..., DocumentText]


def _format(ending: str, source: str) -> _Format:
    readers = {
        ".txt": _Format(masked_plain, plain_document_text),
        ".md": _Format(masked_markdown, plain_document_text),
        ".json": _Format(masked_json_resume, json_resume_document_text),
    }
    if ending in readers:
        return readers[ending]
    try:
        if ending == ".docx":
            from evenhand.masking.documents.word import masked_word, word_document_text

            return _Format(masked_word, word_document_text)
        from evenhand.masking.documents.pdf import masked_pdf, pdf_document_text
    except ModuleNotFoundError as error:
        if (error.name or "").startswith("evenhand"):
            raise
        raise InputError(
            f"Reading {source} needs {error.name}; install it with: pip install 'evenhand[documents]'"
        ) from error
    return _Format(masked_pdf, pdf_document_text)
