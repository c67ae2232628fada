"""Mask résumés as Word documents (.docx); all parts of unknown kinds are left out.

The result is built anew from the known parts: body, headers, footers, notes, comments, styles. Tracked changes
are accepted, links and controls dissolved, pictures replaced. The finished bytes are read and searched again.
"""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from typing import Any

from lxml import etree

from evenhand.errors import CheckFailed, InputError
from evenhand.masking.documents import word_cleaning, word_file
from evenhand.masking.documents.check import Trace, leak, refuse_leaks
from evenhand.masking.documents.request import ROUNDS, DocumentText, MaskedDocument, Request, Tally, watched
from evenhand.masking.documents.word_cleaning import WORD_WORDS
from evenhand.masking.names.word_kinds import Names
from evenhand.patterns import lazy_re
from evenhand.results.files import Budget

#: Parts with text, in the order in which a reader meets them after the body.
TELLING = ("document", "header", "footnotes", "endnotes", "footer", "comments")
_SCHEMAS = (
    "http://schemas.openxmlformats.org/",
    "http://schemas.microsoft.com/",
    "urn:schemas-microsoft-com:",
    "http://www.w3.org/",
)
#: Prefixes of the format's elements.
_KNOWN = frozenset({"w", "a", "r", "m", "v", "o", "wp", "pic", "wps", "wpg", "mc", None})
#: Names that we write: parts, content types, ids, styles, drawings.
_OURS = lazy_re(
    rf"(?:/?word/)?(?:_rels/)?(?:media/|theme/)?(?:document|picture|{'|'.join(word_file.KEPT_PARTS)})\d*\.(?:xml|png)(?:\.rels)?"
    r"|_rels/\.rels|\[Content_Types\]\.xml|rels|xml|png|image/png|application/(?:xml|vnd\.openxmlformats-[\w.+-]+)"
    r"|rId(?:\d+|Picture)|Style ?\d+|Drawing \d+|Theme"
)
#: Elements with free text as values.
_FREE = frozenset(word_file.W + name for name in ("lvlText", "alias", "tag", "aliases", "docVar", "sym"))
_DIGITS = lazy_re(r"\d+")


def masked_word(content: bytes, request: Request) -> MaskedDocument:
    """Return a masked Word document.

    Raises
    ------
    InputError
        The file is encrypted, broken, in another format, asks too much, or holds no text.
    CheckFailed
        The result still holds a masked detail.

    """
    budget = Budget(request.unpack_limit)
    with watched(budget):
        return _masked(content, request, budget)


def word_document_text(content: bytes, unpack_limit: int) -> DocumentText:
    """Return the text that a Word document shows, the body first.

    Raises
    ------
    InputError
        As of `masked_word`.

    """
    budget = Budget(unpack_limit)
    with watched(budget):
        file = word_file.opened(content, budget)
        parts = cleaned_parts(file, Tally(), kinds=TELLING)
        text = word_file.story_of(shown_roots(parts)).text
    if not any(map(str.isalnum, text)):
        raise InputError("holds no text.")
    return DocumentText(text=text, metadata=file.metadata)


def _readable(content: bytes, budget: Budget, tally: Tally) -> tuple[list[word_file.Part], Sequence[str]]:
    """Return the parts of a document as they are shown, without hidden text, and its properties."""
    file = word_file.opened(content, budget)
    return cleaned_parts(file, tally), file.metadata


def cleaned_parts(
    file: word_file.WordFile, tally: Tally, *, kinds: Collection[str] | None = None
) -> list[word_file.Part]:
    """Return the parts of a file in reading order, as they are shown; of `kinds`, if given, what identifies is removed.

    The trees of the file are changed.
    """
    parts = sorted(file.parts, key=lambda part: TELLING.index(part.kind) if part.kind in TELLING else len(TELLING))
    for kind, count in sorted(file.dropped.items()):
        parts_of = WORD_WORDS.removed_parts.items()
        removed = next((words for words, kinds in parts_of if kind in kinds), "parts of unknown kinds")
        missing = f"{kind} that is not in the file"
        tally.note(f"left out, {missing if kind in word_file.KEPT_PARTS else removed}", count)
    for part in parts:
        word_cleaning.accept_changes(part.root, tally)
        word_cleaning.refuse_turned(part.root)
        word_cleaning.dissolve(part.root, tally)
        word_cleaning.dissolve_fields(part.root, tally)
    word_cleaning.remove_hidden(parts, tally)
    for part in parts:
        if kinds is None or part.kind in kinds:
            word_cleaning.clean(part, tally)
    return parts


def _masked(content: bytes, request: Request, budget: Budget) -> MaskedDocument:
    tally = Tally(request)
    parts, metadata = _readable(content, budget, tally)
    text = word_file.story_of(shown_roots(parts)).text
    names = _names(parts, text, tally, metadata)
    tally.note_absent(text)
    tally.note_unmasked(text)
    for _ in range(ROUNDS):
        story = word_file.story_of(shown_roots(parts))
        edits = tally.edits(story.text, names)
        if not edits:
            break
        story.apply(edits)
    tally.note_ordinary(word_file.story_of(shown_roots(parts)).text, names)
    trace = tally.trace(names)
    word_cleaning.rename_styles(parts, trace)
    word_cleaning.scrub_fonts(parts, trace)
    result = word_file.written(parts)
    _check(result, trace, request)
    return tally.document(result)


def shown_roots(parts: Sequence[word_file.Part]) -> list[Any]:
    """Return the roots of the parts whose text is read."""
    return [part.root for part in parts if part.kind in TELLING]


def _names(parts: Sequence[word_file.Part], whole: str, tally: Tally, metadata: Sequence[str]) -> Names:
    """Return the names of a document: read from the body on, and from each header on, as both begin pages."""
    if not any(character.isalnum() for character in whole):
        raise InputError("holds no text.")
    headers = [word_file.story_of([part.root]).text.strip() for part in parts if part.kind == "header"]
    body = word_file.story_of([parts[0].root]).text
    texts = (whole, *(f"{header}\n\n{body}" for header in dict.fromkeys(headers) if header))
    found = [tally.names_in(text, metadata=metadata) for text in texts]
    person = tuple(dict.fromkeys(name for names in found for name in names.person))
    others = dict.fromkeys(name for names in found for name in names.others if name not in person)
    return replace(
        found[0],
        person=person,
        others=tuple(others),
        known=frozenset().union(*(names.known for names in found)),
    )


def _check(result: bytes, trace: Trace, request: Request) -> None:
    """Read the written bytes again and raise CheckFailed if anything remains: in text, attributes, names, anywhere."""
    roots: dict[str, Any] = {}
    bare: dict[str, dict[str, None]] = {}
    for name, content in word_file.members(result).items():
        bare[name] = {"names of parts": None}
        if name == word_file.PICTURE_NAME:
            if content != word_file.grey_picture():
                raise CheckFailed("The masked result holds a picture, so it was not written.")
            continue
        roots[name] = etree.fromstring(content, etree.XMLParser(resolve_entities=False, no_network=True))
    story = word_file.story_of([roots[name] for name in sorted(roots, key=_reading_order)])
    read = {piece.element for piece in story.pieces}
    for name, root in roots.items():
        place = _place(name)
        for text in dict.fromkeys(_bare(root, read)):
            bare.setdefault(text, {})[place] = None
    theirs = [text for text in bare if _OURS.fullmatch(text) is None]
    refuse_leaks(
        texts=[story.text],
        bare=theirs,
        trace=trace,
        options=request.options,
        allowed=_SCHEMAS,
        places={**bare, story.text: ["text"]},
    )
    # Letters that are apart in the text and yet adjacent in the file.
    inside = [(_place(name), "".join(root.itertext())) for name, root in roots.items()]
    if any(trace.holds_part(text) for _, text in inside):
        raise leak(("NAME", place) for place, text in inside if trace.holds_part(text))


def _place(name: str) -> str:
    """Return the name of a written part in messages: `header` for word/header2.xml."""
    base = name.removesuffix(".rels").rpartition("/")[2].partition(".")[0].rstrip("0123456789")
    return "body" if base == "document" else base if base in word_file.KEPT_PARTS else "list of parts"


def _reading_order(name: str) -> tuple[int, str]:
    base = name.removeprefix("word/")
    return next((place for place, kind in enumerate(TELLING) if base.startswith(kind)), len(TELLING)), name


def _bare(root: Any, read: Collection[Any]) -> Iterator[str]:
    """Yield the content of a part other than the text that was read: other text, attributes, prefixes, addresses."""
    for _, (prefix, address) in etree.iterwalk(root, events=("start-ns",)):
        yield prefix or ""
        yield address
    for element in root.iter():
        if not isinstance(element.tag, str) or element not in read:
            yield element.text or ""
        yield element.tail or ""
        if not isinstance(element.tag, str):
            continue
        yield etree.QName(element).localname if element.prefix not in _KNOWN else ""
        for name, value in element.attrib.items():
            local = etree.QName(name).localname
            word = _DIGITS.sub("", value)
            if element.tag in _FREE or not (
                word in WORD_WORDS.values or (local == "script" and word in WORD_WORDS.scripts)
            ):
                yield value
