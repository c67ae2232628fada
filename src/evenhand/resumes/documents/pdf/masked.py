"""Résumés as PDF: read, masked, and typeset anew; never an overlay over the old pages.

Nothing of the old file is copied: no page, font, picture, link, form, attachment, bookmark
or metadata. Text is set in one column in reading order, with the sizes and bold lines it had.
"""

import io
import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

import pdfplumber

from evenhand.errors import CheckFailed
from evenhand.patterns import lazy_re
from evenhand.resumes.documents.check import Trace, leak, refuse_leaks
from evenhand.resumes.documents.edits import ROUNDS, Edit, edits_in
from evenhand.resumes.documents.pdf.paragraphs import Paragraph, paragraphs_of
from evenhand.resumes.documents.pdf.plumbing import plain_pages
from evenhand.resumes.documents.pdf.reading import PdfFile, opened
from evenhand.resumes.documents.pdf.setting import showable, typeset
from evenhand.resumes.documents.request import DocumentText, MaskedDocument, Request, Tally
from evenhand.resumes.documents.watch import watched
from evenhand.resumes.mask import find_names
from evenhand.tables.unpacking import Budget

__all__ = ["document_text", "masked_document"]

#: A gap of so many letter sizes is a blank line to the rules that read sections.
_BLANK_LINE = 0.8
_STRING = lazy_re(rb"\(((?:[^()\\]|\\.)*)\)")
_NAMED = lazy_re(rb"/Name\s*/([^\s/<>\[\]()]+)")


def masked_document(content: bytes, request: Request) -> MaskedDocument:
    """Return a masked PDF.

    Raises
    ------
    InputError
        The file is encrypted, broken, scanned, asks too much, or holds letters that can't be shown.
    CheckFailed
        Something still stands in the result.

    """
    budget = Budget(request.unpack_limit)
    with watched(budget):
        return _masked(content, request, budget)


def document_text(content: bytes, *, unpack_limit: int) -> DocumentText:
    """Return the text that a PDF shows, in reading order.

    Raises
    ------
    InputError
        As of `masked_document`.

    """
    budget = Budget(unpack_limit)
    with watched(budget):
        file, paragraphs = _readable(content, Tally(), budget)
    return DocumentText(text=_text(paragraphs), metadata=file.metadata)


def _readable(content: bytes, tally: Tally, budget: Budget) -> tuple[PdfFile, list[Paragraph]]:
    """Return a PDF and its paragraphs in reading order, without letters that can't be shown."""
    file = opened(content, tally, budget)
    paragraphs: list[Paragraph] = []
    for page in file.pages:
        for place, paragraph in enumerate(paragraphs_of(page)):
            text, dropped = showable(paragraph.text)
            tally.note("icons that no font has left out", dropped)
            if text.strip():
                gap = 1.0 if paragraphs and not place else paragraph.gap
                paragraphs.append(replace(paragraph, text=text.strip(), gap=gap))
    return file, paragraphs


def _masked(content: bytes, request: Request, budget: Budget) -> MaskedDocument:
    tally = Tally()
    file, paragraphs = _readable(content, tally, budget)
    names = find_names(
        _text(paragraphs),
        known_names=request.known_names,
        file_name=request.file_name,
        metadata=file.metadata,
    )
    tally.note_absent(request, _text(paragraphs))
    tally.note_kept(request, _text(paragraphs))
    masked: set[tuple[str, str]] = set()
    for _ in range(ROUNDS):
        text = _text(paragraphs)
        edits = edits_in(text, names=names, options=request.options)
        if not edits:
            break
        tally.spans.update(edit.category for edit in edits)
        masked.update((edit.category, text[edit.start : edit.end]) for edit in edits)
        paragraphs = _edited(paragraphs, edits)
    paragraphs = [paragraph for paragraph in paragraphs if paragraph.text.strip()]
    result = typeset(paragraphs, width=file.width, height=file.height)
    budget.start_clock()
    _check(result, paragraphs, Trace(names, frozenset(masked)), request)
    return tally.document(result)


def _between(paragraph: Paragraph) -> str:
    return "\n\n" if paragraph.gap > _BLANK_LINE else "\n"


def _text(paragraphs: Sequence[Paragraph]) -> str:
    """Return paragraphs as one text: a line each, blank lines where there is space."""
    pieces = []
    for place, paragraph in enumerate(paragraphs):
        pieces += [_between(paragraph) if place else "", paragraph.text]
    return "".join(pieces)


def _edited(paragraphs: Sequence[Paragraph], edits: Sequence[Edit]) -> list[Paragraph]:
    """Return paragraphs with edits of their joined text; one over several stands in the first."""
    found = []
    place = 0
    for number, paragraph in enumerate(paragraphs):
        place += len(_between(paragraph)) if number else 0
        end = place + len(paragraph.text)
        pieces, done = [], place
        for edit in edits:
            if edit.start < end and edit.end > place:
                pieces.append(paragraph.text[done - place : max(edit.start, place) - place])
                pieces.append(edit.text if edit.start >= place else "")
                done = min(edit.end, end)
        pieces.append(paragraph.text[done - place :])
        found.append(replace(paragraph, text="".join(pieces)))
        place = end
    return found


def _check(result: bytes, paragraphs: Sequence[Paragraph], trace: Trace, request: Request) -> None:
    """Read the written bytes again: they show the masked text letter by letter, and hold nothing else."""
    shown, read = [], []
    extras = False
    with plain_pages(), pdfplumber.open(io.BytesIO(result)) as pdf:
        metadata = [str(value) for value in pdf.metadata.values()]
        for page in pdf.pages:
            shown += [letter["text"] for letter in page.chars]
            read.append(page.extract_text() or "")
            extras |= bool(page.annots or page.images)
            page.close()
    expected = _text(paragraphs)
    if extras or "".join("".join(shown).split()) != "".join(expected.split()):
        raise CheckFailed("The masked PDF reads otherwise than it was set, so it was not written.")
    refuse_leaks(texts=[expected], bare=[*metadata, *_strings(result)], trace=trace, options=request.options)
    if trace.holds_part("\n".join(read)):
        raise leak([("NAME", "")])


def _strings(content: bytes) -> Iterator[str]:
    """Yield what stands in the file outside of its compressed streams, and the strings there, in both encodings."""
    outside = re.sub(rb"stream\r?\n.*?endstream", b"", content, flags=re.DOTALL)
    for match in _STRING.finditer(outside):
        yield match.group(1).decode("latin-1")
        yield match.group(1).decode("utf-16-be", "replace")
    for match in _NAMED.finditer(outside):
        yield match.group(1).decode("latin-1")
