"""What is asked for a document, and what comes back; the same for every format."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from evenhand.resumes.mask import MaskOptions
from evenhand.resumes.names.parts import name_of
from evenhand.resumes.plain import plain_text

__all__ = ["MaskedDocument", "Request", "Tally"]


@dataclass(frozen=True, kw_only=True)
class Request:
    """How a document is masked: options, names that are known, and the name of its file."""

    options: MaskOptions = field(default_factory=MaskOptions)
    known_names: tuple[str, ...] = ()
    file_name: str | None = None


@dataclass(frozen=True, kw_only=True)
class MaskedDocument:
    """The bytes of a masked document, the spans of each category, and what was done besides."""

    content: bytes
    spans: Mapping[str, int]
    notes: tuple[str, ...] = ()


class Tally:
    """Counts what is masked and notes what is left out, each note once."""

    def __init__(self) -> None:
        self.spans: Counter[str] = Counter()
        self._notes: dict[str, int] = {}

    def note(self, told: str, count: int = 1) -> None:
        """Add to a note; none for nothing."""
        if count:
            self._notes[told] = self._notes.get(told, 0) + count

    def note_absent(self, known_names: Sequence[str], text: str) -> None:
        """Note known names of which no part stands in a document's text: misspelled maybe, or another person's."""
        if known_names:
            low = plain_text(text).low
            absent = sum(not any(form in low for form in name_of(name).forms) for name in known_names)
            self.note("known names that stand nowhere in it", absent)

    def document(self, content: bytes) -> MaskedDocument:
        """Return the masked document."""
        notes = tuple(f"{told}: {count}" for told, count in self._notes.items())
        return MaskedDocument(content=content, spans=dict(sorted(self.spans.items())), notes=notes)
