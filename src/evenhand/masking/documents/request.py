"""The request for masking a document and its result, the same for every format.

A small file can ask for much by loops and tables that no count foresees (a list of widths for four thousand
million letters, objects that refer to each other), so files are read in a process with limits (`within_limits`).
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, TypeVar

from evenhand.errors import CheckFailed, InputError
from evenhand.masking.documents.check import Trace, mended
from evenhand.masking.layout import folded_text
from evenhand.masking.mask import mask_segments, replacements, unmasked_counts
from evenhand.masking.names.find import find_names
from evenhand.masking.names.mentions import ORDINARY, ordinary_uses
from evenhand.masking.names.word_kinds import Names, capitalised, name_of
from evenhand.masking.pronouns import MaskOptions
from evenhand.results.files import UNPACK_LIMIT, Budget
from evenhand.results.sandbox import LimitReached, limited

#: Megabytes of memory for each megabyte of the limit, as unpacked content becomes objects, and at least.
_MEMORY, _LEAST_MEMORY = 2, 512
ResultT = TypeVar("ResultT")


def within_limits(function: Callable[..., ResultT], *arguments: Any, source: str, unpack_limit: int) -> ResultT:
    """Return what a function returns that reads one file, within limits of memory and time (see `limited`).

    Raises
    ------
    InputError
        It took more; the message names the file.

    """
    budget = Budget(unpack_limit)
    megabytes = max(budget.megabytes * _MEMORY, _LEAST_MEMORY)
    try:
        return limited(function, *arguments, megabytes=megabytes, seconds=budget.seconds)
    except LimitReached as error:
        limit = f"{megabytes:,} MB of memory" if error.limit == "memory" else f"{budget.seconds:.0f} seconds"
        raise InputError(f"{source} {budget.refused(f'takes more than {limit} to read')}") from error


@contextmanager
def watched(budget: Budget) -> Iterator[None]:
    """Refuse a file that asks too much also where its reader swallows the refusal."""
    try:
        yield
    except Exception as error:
        if budget.refusal is None:
            raise
        raise budget.refusal from error
    if budget.refusal is not None:
        raise budget.refusal


#: A mask changes the context of other words, so rules may find more; after so many rounds the check decides.
ROUNDS = 4


@dataclass(frozen=True, kw_only=True, slots=True)
class Edit:
    """A stretch of a text, in code points, its replacement, and the category."""

    start: int
    end: int
    text: str
    category: str


def edits_in(text: str, *, names: Names, options: MaskOptions) -> list[Edit]:
    """Return the edits of masking a text, in order; a name broken within a word takes the break with it.

    >>> (edit,) = edits_in("jane@example.org", names=Names(), options=MaskOptions())
    >>> edit.start, edit.end, edit.text
    (0, 16, '[EMAIL]')
    """
    whole = mended(text, names)
    (masked,) = mask_segments([whole.text], names, options)
    edits = []
    for first, last, replacement, category in replacements(whole.text, masked.spans, options):
        start, end = whole.back(first, last)
        edits.append(Edit(start=start, end=end, text=replacement, category=category))
    return edits


def applied(text: str, edits: Iterable[Edit]) -> str:
    """Return the text with its edits, which are in order and don't overlap.

    >>> applied("I am Jane.", [Edit(start=5, end=9, text="[NAME]", category="NAME")])
    'I am [NAME].'
    """
    pieces, end = [], 0
    for edit in edits:
        pieces += [text[end : edit.start], edit.text]
        end = edit.end
    return "".join([*pieces, text[end:]])


@dataclass(frozen=True, kw_only=True)
class Request:
    """How to mask a document: options, known names, file name, texts of its properties, megabytes it may unpack to."""

    options: MaskOptions = field(default_factory=MaskOptions)
    known_names: tuple[str, ...] = ()
    file_name: str | None = None
    metadata: tuple[str, ...] = ()
    unpack_limit: int = UNPACK_LIMIT


@dataclass(frozen=True, kw_only=True)
class MaskedDocument:
    """The bytes of a masked document, the spans of each category, and notes of other changes.

    `kept` is what would be masked if its option were given, by that option.
    """

    content: bytes
    spans: Mapping[str, int]
    kept: Mapping[str, int] = field(default_factory=dict)
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True, repr=False)
class DocumentText:
    """A document's text as masking reads it, the person's name where a field has it, and the properties."""

    text: str
    names: tuple[str, ...] = ()
    metadata: tuple[str, ...] = ()


def absent_names(known_names: Sequence[str], text: str) -> tuple[int, ...]:
    """Return the numbers, from 1, of the known names of which no part is in a text.

    >>> absent_names(("Jane Doe", "Ngozi Okafor"), "Ms Doe led the team.")
    (2,)
    """
    if not known_names:
        return ()
    low = folded_text(text).low
    return tuple(
        number
        for number, name in enumerate(known_names, 1)
        if not any(form in low for form in name_of(capitalised(name)).forms)
    )


def names_missing(absent: Sequence[int], known_names: Sequence[str], *, place: str = "it") -> CheckFailed:
    """Return the error of known names that are missing, by their numbers."""
    names = f"{'s' if len(absent) > 1 else ''} {', '.join(map(str, absent))} of {len(known_names)}"
    return CheckFailed(
        f"Known name{names} not found in {place}, so nothing was written. Look how it is spelled, "
        "or leave out --strict."
    )


class Tally:
    """The work on a document: counts of masked and unmasked spans, masked strings, and notes of what is left out."""

    def __init__(self, request: Request | None = None) -> None:
        self.request = request or Request()
        self.spans: Counter[str] = Counter()
        self.unmasked: Counter[str] = Counter()
        self.masked: set[tuple[str, str]] = set()
        self._notes: dict[str, int] = {}

    def note(self, text: str, count: int = 1) -> None:
        """Add to a note; a count of 0 adds none."""
        if count:
            self._notes[text] = self._notes.get(text, 0) + count

    def names_in(self, text: str, *, known: Iterable[str] = (), metadata: Iterable[str] = ()) -> Names:
        """Return the names in a document's text, with those that are known and those of its properties."""
        return find_names(
            text,
            known_names=(*self.request.known_names, *known),
            file_name=self.request.file_name,
            metadata=(*self.request.metadata, *metadata),
        )

    def note_unmasked(self, text: str) -> None:
        """Count what would be masked in a document's text by options that are off."""
        self.unmasked += unmasked_counts(text, self.request.options)

    def note_absent(self, text: str) -> None:
        """Note known names of which no part is in a document's text: misspelled maybe, or another person's.

        Raises
        ------
        CheckFailed
            There are some, and masking is strict.

        """
        absent = absent_names(self.request.known_names, text)
        if absent and self.request.options.strict:
            raise names_missing(absent, self.request.known_names)
        self.note("known names that are not in the text", len(absent))

    def edits(self, text: str, names: Names) -> list[Edit]:
        """Return the edits of masking a text, and count them."""
        edits = edits_in(text, names=names, options=self.request.options)
        self.spans.update(edit.category for edit in edits)
        self.masked.update((edit.category, text[edit.start : edit.end]) for edit in edits)
        return edits

    def note_ordinary(self, text: str, names: Names) -> None:
        """Count the words of given names that stay in a masked text, as they are ordinary words there."""
        self.note(ORDINARY, ordinary_uses(text, names.given))

    def trace(self, names: Names) -> Trace:
        """Return what must not be in the result."""
        return Trace(names, frozenset(self.masked))

    def document(self, content: bytes) -> MaskedDocument:
        """Return the masked document."""
        notes = tuple(f"{text}: {count}" for text, count in self._notes.items())
        spans, unmasked = dict(sorted(self.spans.items())), dict(sorted(self.unmasked.items()))
        return MaskedDocument(content=content, spans=spans, kept=unmasked, notes=notes)
