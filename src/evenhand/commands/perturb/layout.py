"""Every résumé in each of its arms, under each name, for each position: addressable by index.

An index counts person, position, arm and name, the last running fastest. How many arms and names a person has
depends on the own group, so a person's first index is looked up, and the rest is a number in mixed radix.
"""

import hashlib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import orjson
import polars as pl
from numpy.typing import NDArray

from evenhand.commands.perturb.applicants import Applicants
from evenhand.resumes.arms.arms import Arm, Arms, ArmText
from evenhand.resumes.arms.choosing import ChosenName
from evenhand.resumes.arms.template import Template
from evenhand.tables.audit.perturb import group_label

__all__ = ["Document", "Layout", "Prompt"]

#: Returns the text that stands for a request, from a position and a résumé.
Prompt = Callable[[str, str], str]
_NO_RANGE = (None, None)


@dataclass(frozen=True, kw_only=True)
class Document:
    """A résumé in an arm under its `number`-th name; `id` says nothing of the person, the arm or the name."""

    id: str
    template: int
    arm: Arm
    number: int
    text: ArmText


@dataclass(frozen=True, kw_only=True)
class Layout:
    """All that is shown to a scorer: `applicants` in `arms`. Ids of documents depend on `seed`."""

    applicants: Applicants
    arms: Arms
    seed: int

    @cached_property
    def _cells(self) -> tuple[tuple[tuple[Arm, int, ChosenName], ...], ...]:
        """The arms of each template under each of their names; people of one group share them."""
        known: dict[tuple[Arm, ...], tuple[tuple[Arm, int, ChosenName], ...]] = {}
        found = []
        for template in self.applicants.templates:
            arms = self.arms.arms(template)
            cells = tuple(
                (arm, number, name) for arm in arms for number, name in enumerate(self.arms.names(template, arm))
            )
            shared = known.setdefault(arms, cells)
            found.append(shared if shared == cells else cells)
        return tuple(found)

    @cached_property
    def _starts(self) -> NDArray[np.int64]:
        """Where each template's indices begin, and behind the last one the number of all."""
        sizes = [len(self.applicants.positions_of(at)) * len(cells) for at, cells in enumerate(self._cells)]
        return np.concatenate([[0], np.cumsum(sizes, dtype=np.int64)]).astype(np.int64)

    @property
    def size(self) -> int:
        """Return how many stimuli there are."""
        return int(self._starts[-1])

    @property
    def groups(self) -> frozenset[str]:
        """Return all values that names or lines signal, of whatever attribute."""
        choice = self.arms.choice
        names = (name for each in (*choice.chosen.values(), *choice.placebo.values()) for name in each)
        return frozenset(value for name in names for value in name.signals.values())

    @property
    def attributes(self) -> tuple[str, ...]:
        """Return the attributes that names signal."""
        return (*self.arms.choice.by, *self.arms.choice.held)

    def own(self, template: Template) -> str | None:
        """Return the label of a person's own group, None where it is unknown."""
        own = self.arms.own_group(template)
        return None if own is None else group_label(own)

    def document_id(self, template: int, arm: Arm, number: int) -> str:
        """Return the id of a document: a letter before 12 hex digits, so that no spreadsheet takes it for a number."""
        content = orjson.dumps([self.seed, self.applicants.templates[template].id, arm.label, number])
        return "r" + hashlib.blake2b(content, digest_size=6).hexdigest()

    def document_ids(self) -> frozenset[str]:
        """Return the ids of all documents."""
        return frozenset(
            self.document_id(at, arm, number) for at, cells in enumerate(self._cells) for arm, number, _ in cells
        )

    def documents(self) -> Iterator[Document]:
        """Yield every document once, whatever it is sent for."""
        for at, (template, cells) in enumerate(zip(self.applicants.templates, self._cells, strict=True)):
            for arm, number, _ in cells:
                yield Document(
                    id=self.document_id(at, arm, number),
                    template=at,
                    arm=arm,
                    number=number,
                    text=self.arms.text(template, arm, number),
                )

    def digest(self) -> str:
        """Return what tells experiments apart: people, positions, arms, names and seed."""
        content = hashlib.blake2b(digest_size=8)
        for at, (template, cells) in enumerate(zip(self.applicants.templates, self._cells, strict=True)):
            shown = [(arm.label, name.name.text) for arm, _, name in cells]
            sent = self.applicants.positions_of(at)
            content.update(orjson.dumps([template.id, _sendable(template.original), shown, sent]))
        for position in self.applicants.positions:
            content.update(orjson.dumps([position.id, position.title, _sendable(position.text)]))
        content.update(orjson.dumps(self.seed))
        return content.hexdigest()

    def stimuli(
        self,
        indices: NDArray[np.int64],
        *,
        prompt: Prompt,
        ends: tuple[float | None, float | None] = _NO_RANGE,
    ) -> pl.DataFrame:
        """Return the stimuli at `indices`, in their order; `ends` is the range that scores are in."""
        index = np.asarray(indices, dtype=np.int64)
        people = np.searchsorted(self._starts, index, side="right") - 1
        rest = (index - self._starts[people]).tolist()
        rows = [
            self._stimulus(number, person, within, prompt)
            for number, person, within in zip(index.tolist(), people.tolist(), rest, strict=True)
        ]
        low, high = ends
        frame = pl.DataFrame(rows, schema=self._schema, orient="row")
        return frame.with_columns(pl.lit(low, pl.Float64).alias("low"), pl.lit(high, pl.Float64).alias("high"))

    @cached_property
    def _schema(self) -> dict[str, Any]:
        texts = (
            *("item", "unit", "set", "pair", "arm", "person", "own", "position", "title", "document", "name"),
            *("file_name", "qualification", "resume_text", "position_text", "prompt"),
            *(f"protected.{attribute}" for attribute in self.attributes),
        )
        return {"index": pl.Int64(), **dict.fromkeys(texts, pl.String())}

    def _stimulus(self, index: int, person: int, within: int, prompt: Prompt) -> tuple[Any, ...]:
        cells = self._cells[person]
        place, cell = divmod(within, len(cells))
        arm, number, chosen = cells[cell]
        template = self.applicants.templates[person]
        sent = self.applicants.positions_of(person)[place]
        position = self.applicants.positions[sent]
        found = self.arms.text(template, arm, number)
        document = self.document_id(person, arm, number)
        shown = self._shown(arm, chosen)
        of = f"{person}/{sent}"
        return (
            index,
            template.id,
            f"{document}/{sent}",
            of,
            f"{of}/{number}",
            arm.label,
            template.id,
            self.own(template),
            position.id,
            position.title,
            document,
            chosen.name.text,
            found.file_name or f"{document}.txt",
            self.applicants.qualifications.get(template.id),
            found.text,
            position.text,
            prompt(position.text, found.text),
            *(shown.get(attribute) for attribute in self.attributes),
        )

    def _shown(self, arm: Arm, chosen: ChosenName) -> Mapping[str, str]:
        """Return the groups that a text shows: those of a line of membership, and for the rest those of the name."""
        if arm.line is None:
            return chosen.signals
        return {**chosen.signals, **dict(zip(self.arms.choice.by, arm.line, strict=True))}


def _sendable(text: str) -> str:
    return text.encode("utf-8", "replace").decode()
