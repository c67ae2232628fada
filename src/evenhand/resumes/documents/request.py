"""What is asked for a document, and what comes back; the same for every format."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from evenhand.errors import CheckFailed
from evenhand.resumes.mask import MaskOptions, kept_in
from evenhand.resumes.names.parts import name_of
from evenhand.resumes.text.folded_text import folded_text
from evenhand.tables.unpacking import UNPACK_LIMIT

__all__ = ["DocumentText", "MaskedDocument", "Request", "Tally", "absent_names", "names_missing"]


@dataclass(frozen=True, kw_only=True)
class Request:
    """How a document is masked: options, names that are known, the name of its file, megabytes it may unpack to."""

    options: MaskOptions = field(default_factory=MaskOptions)
    known_names: tuple[str, ...] = ()
    file_name: str | None = None
    unpack_limit: int = UNPACK_LIMIT


@dataclass(frozen=True, kw_only=True)
class MaskedDocument:
    """The bytes of a masked document, the spans of each category, and what was done besides.

    `kept` is what would be masked if its option were given, by that option.
    """

    content: bytes
    spans: Mapping[str, int]
    kept: Mapping[str, int] = field(default_factory=dict)
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True, repr=False)
class DocumentText:
    """A document's text as masking reads it, the person's name where a field says it, and what properties say."""

    text: str
    names: tuple[str, ...] = ()
    metadata: tuple[str, ...] = ()


def absent_names(known_names: Sequence[str], text: str) -> tuple[int, ...]:
    """Return which of the known names stand nowhere in a text, not even in part, counted from 1.

    >>> absent_names(("Jane Doe", "Ngozi Okafor"), "Ms Doe led the team.")
    (2,)
    """
    if not known_names:
        return ()
    low = folded_text(text).low
    return tuple(
        number for number, name in enumerate(known_names, 1) if not any(form in low for form in name_of(name).forms)
    )


def names_missing(absent: Sequence[int], known_names: Sequence[str], *, place: str = "it") -> CheckFailed:
    """Return the error of known names that were to be found and were not, by their numbers."""
    told = f"{'s' if len(absent) > 1 else ''} {', '.join(map(str, absent))} of {len(known_names)}"
    return CheckFailed(
        f"Known name{told} not found in {place}, so nothing was written. Look how it is spelled, or leave out --strict."
    )


class Tally:
    """Counts what is masked and what is kept unless it is asked for, and notes what is left out, each note once."""

    def __init__(self) -> None:
        self.spans: Counter[str] = Counter()
        self.kept: Counter[str] = Counter()
        self._notes: dict[str, int] = {}

    def note(self, told: str, count: int = 1) -> None:
        """Add to a note; none for nothing."""
        if count:
            self._notes[told] = self._notes.get(told, 0) + count

    def note_kept(self, request: Request, text: str) -> None:
        """Count what would be masked in a document's text if its option were given."""
        self.kept += kept_in(text, request.options)

    def note_absent(self, request: Request, text: str) -> None:
        """Note known names of which no part stands in a document's text: misspelled maybe, or another person's.

        Raises
        ------
        CheckFailed
            There are some, and masking is strict.

        """
        absent = absent_names(request.known_names, text)
        if absent and request.options.strict:
            raise names_missing(absent, request.known_names)
        self.note("known names that stand nowhere in it", len(absent))

    def document(self, content: bytes) -> MaskedDocument:
        """Return the masked document."""
        notes = tuple(f"{told}: {count}" for told, count in self._notes.items())
        spans, kept = dict(sorted(self.spans.items())), dict(sorted(self.kept.items()))
        return MaskedDocument(content=content, spans=spans, kept=kept, notes=notes)
