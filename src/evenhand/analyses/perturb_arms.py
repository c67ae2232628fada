"""The stimuli of a perturbation test: every résumé in each arm, under each name, for each position.

A `Layout` of `Applicants` addresses stimuli by index: person, position, arm and name, the last running fastest. The
arms and names of a person depend on the person's own group, so a table gives a person's first index; the rest is a
number in mixed radix. `write_arms` writes the documents for systems without an interface.
"""

import hashlib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from itertools import groupby
from pathlib import Path, PurePath
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import orjson
import polars as pl
from numpy.typing import NDArray

from evenhand.data.inputs import Position, read_positions
from evenhand.data.text_tables import read_text_table
from evenhand.errors import InputError
from evenhand.masking.documents.blocks import paragraphs_of
from evenhand.masking.documents.formats import WORD, is_text, word_of
from evenhand.masking.documents.word_writing import docx_bytes
from evenhand.masking.people import read_people
from evenhand.probes.resume_score.stimuli import builtin_applications
from evenhand.results.files import take_name, write_file, written_folder
from evenhand.results.result import csv_bytes
from evenhand.results.score_audit import arm_group_label
from evenhand.synthetic.arms import Arm, Arms, ArmText, ChosenName
from evenhand.synthetic.identities import known_identities
from evenhand.synthetic.templates import LeftOut, Template, templates_of

if TYPE_CHECKING:
    from evenhand.masking.documents.word_in_place import WordInPlace


@dataclass(frozen=True, kw_only=True)
class Vacancy:
    """A position as a scorer sees it."""

    id: str
    title: str
    text: str
    position: Position | None = None

    @property
    def asked(self) -> Position:
        """Return the position with its requirements, if the user's file lists any."""
        return self.position or Position(id=self.id, title=self.title, text=self.text)


@dataclass(frozen=True, kw_only=True)
class Applicants:
    """Templates of résumés, positions, and which résumé is sent for which position.

    `sent` has the numbers of the positions of each template; None sends each for all. `qualifications` gives the fit
    of embedded résumés, by the id of the template. `synthetic` marks the embedded ones.
    """

    templates: tuple[Template, ...]
    positions: tuple[Vacancy, ...]
    sent: tuple[tuple[int, ...], ...] | None = None
    qualifications: Mapping[str, str] = field(default_factory=dict)
    left_out: tuple[LeftOut, ...] = ()
    synthetic: bool = False

    @cached_property
    def sent_for(self) -> tuple[int, ...]:
        """The numbers of the positions with any résumé."""
        return tuple(sorted({place for at in range(len(self.templates)) for place in self.positions_of(at)}))

    def positions_of(self, template: int) -> tuple[int, ...]:
        """Return the numbers of the positions of a résumé."""
        return tuple(range(len(self.positions))) if self.sent is None else self.sent[template]


def read_applicants(resumes: Path, positions: Path) -> Applicants:
    """Return the user's résumés, each sent for all of the user's positions.

    Raises
    ------
    InputError
        A file can't be read, or the name in no résumé can be replaced.

    """
    jobs = read_positions(positions)
    templates = templates_of(read_people(resumes))
    if not templates.templates:
        reasons = "; ".join(f"{count} because {reason}" for (reason, *_), count in templates.counts().items())
        raise InputError(
            f"No résumé of {resumes} can get another name: {reasons}. Give known_names, or write {{name}} in the text."
        )
    return Applicants(
        templates=templates.templates,
        positions=tuple(Vacancy(id=job.id, title=job.title, text=job.advertisement, position=job) for job in jobs),
        left_out=templates.left_out,
    )


def embedded_applicants() -> Applicants:
    """Return the synthetic positions and résumés of resume-score, each résumé for its position."""
    embedded = builtin_applications()
    sent = [(number, resume) for number, resumes in enumerate(embedded.resumes) for resume in resumes]
    return Applicants(
        templates=tuple(resume.template for _, resume in sent),
        positions=tuple(
            Vacancy(id=str(number), title=position.title, text=position.text)
            for number, position in enumerate(embedded.positions, 1)
        ),
        sent=tuple((number,) for number, _ in sent),
        qualifications={
            resume.template.id: resume.qualification for _, resume in sent if resume.qualification is not None
        },
        synthetic=True,
    )


#: Returns the text of a request, from a position and a résumé.
Prompt = Callable[[str, str], str]
_NO_RANGE = (None, None)


@dataclass(frozen=True, kw_only=True)
class Document:
    """A résumé in an arm under its `number`-th name; `id` reveals neither person nor arm nor name."""

    id: str
    template: int
    arm: Arm
    number: int
    text: ArmText

    @property
    def stem(self) -> str:
        """Return the name of the document's file without its ending: as the arm names the file, and the id."""
        stem = PurePath(self.text.file_name or "").stem
        return f"{stem}_{self.id}" if stem else self.id


@dataclass(frozen=True, kw_only=True)
class Layout:
    """All stimuli: `applicants` in `arms`. Ids of documents depend on `seed`."""

    applicants: Applicants
    arms: Arms
    seed: int

    @cached_property
    def _cells(self) -> tuple[tuple[tuple[Arm, int, ChosenName], ...], ...]:
        """The arms of each template under each of their names; people of one group share them."""
        known: dict[tuple[Arm, ...], tuple[tuple[Arm, int, ChosenName], ...]] = {}
        by_template = []
        for template in self.applicants.templates:
            arms = self.arms.arms(template)
            cells = tuple(
                (arm, number, name) for arm in arms for number, name in enumerate(self.arms.names(template, arm))
            )
            shared = known.setdefault(arms, cells)
            by_template.append(shared if shared == cells else cells)
        return tuple(by_template)

    @cached_property
    def _starts(self) -> NDArray[np.int64]:
        """The first index of each template, and last the number of all stimuli."""
        sizes = [len(self.applicants.positions_of(at)) * len(cells) for at, cells in enumerate(self._cells)]
        return np.concatenate([[0], np.cumsum(sizes, dtype=np.int64)]).astype(np.int64)

    @property
    def size(self) -> int:
        """Return the number of stimuli."""
        return int(self._starts[-1])

    @property
    def documents_count(self) -> int:
        """Return the number of documents: each résumé in its arms under its names."""
        return sum(map(len, self._cells))

    @property
    def groups(self) -> frozenset[str]:
        """Return all values that names, lines and other identities show, of any attribute."""
        choice = self.arms.choice
        names = (name for names in (*choice.chosen.values(), *choice.placebo.values()) for name in names)
        levels = (level for name in self.arms.identities for level in known_identities()[name].all_levels)
        return frozenset((*(value for name in names for value in name.signals.values()), *levels))

    @property
    def attributes(self) -> tuple[str, ...]:
        """Return the attributes that names signal, and the other identities."""
        return (*self.arms.choice.by, *self.arms.choice.held, *self.arms.identities)

    def own(self, template: Template) -> str | None:
        """Return the label of a person's own group, None where it is unknown."""
        group = self.arms.own_group(template)
        return None if group is None else arm_group_label(group)

    def document_id(self, template: int, arm: Arm, number: int, text: str) -> str:
        """Return the id of a document: a letter before 12 hex digits, so that no spreadsheet takes it for a number."""
        person = self.applicants.templates[template].id
        content = orjson.dumps([self.seed, person, arm.label, number, _sendable(text)])
        return "r" + hashlib.blake2b(content, digest_size=6).hexdigest()

    def document_names(self) -> dict[str, str]:
        """Return the ids of all documents, by themselves and by the names of files."""
        return {name: document.id for document in self.documents() for name in (document.id, document.stem)}

    def documents(self) -> Iterator[Document]:
        """Yield every document once, not once per position."""
        for at, (template, cells) in enumerate(zip(self.applicants.templates, self._cells, strict=True)):
            for arm, number, _ in cells:
                text = self.arms.text(template, arm, number)
                yield Document(
                    id=self.document_id(at, arm, number, text.text), template=at, arm=arm, number=number, text=text
                )

    def digest(self) -> str:
        """Return a digest of the experiment: people, positions, arms, names and seed."""
        content = hashlib.blake2b(digest_size=8)
        for at, (template, cells) in enumerate(zip(self.applicants.templates, self._cells, strict=True)):
            names = [(arm.label, name.name.text) for arm, _, name in cells]
            sent = self.applicants.positions_of(at)
            content.update(orjson.dumps([template.id, _sendable(template.original), names, sent]))
        for position in self.applicants.positions:
            content.update(orjson.dumps([position.id, position.title, _sendable(position.text)]))
        content.update(orjson.dumps(self.seed))
        if self.arms.until:
            content.update(orjson.dumps(self.arms.until))
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
            *("worn_name", "file_name", "qualification", "resume_text", "position_text", "prompt"),
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
        text = self.arms.text(template, arm, number)
        document = self.document_id(person, arm, number, text.text)
        groups = self._shown(arm, chosen)
        pair = f"{person}/{sent}"
        return (
            index,
            template.id,
            f"{document}/{sent}",
            pair,
            f"{pair}/{number}",
            arm.label,
            template.id,
            self.own(template),
            position.id,
            position.title,
            document,
            chosen.name.text,
            template.worn(chosen.name).text,
            text.file_name or f"{document}.txt",
            self.applicants.qualifications.get(template.id),
            text.text,
            position.text,
            prompt(position.text, text.text),
            *(groups.get(attribute) for attribute in self.attributes),
        )

    def _shown(self, arm: Arm, chosen: ChosenName) -> Mapping[str, str]:
        """Return the groups that a text shows: those of a line of membership, else those of the name; identities."""
        shown = {**chosen.signals, **{identity.identity: identity.level for identity in arm.shown}}
        return shown if arm.line is None else shown | dict(zip(self.arms.choice.by, arm.line, strict=True))


def _sendable(text: str) -> str:
    return text.encode("utf-8", "replace").decode()


#: The file of a run with person, arm and name of each document.
KEY: Final = "arms-key.csv"
#: The table of what is to be scored.
ARMS: Final = "arms.csv"
_ROWS: Final = ("id", "position", "title", "document", "text", "position_text")


def check_written(layout: Layout, folder: Path) -> None:
    """Refuse a folder whose arms are not those of a layout, all and nothing else.

    Raises
    ------
    InputError
        The folder holds no arms, or others.

    """
    table = folder / ARMS
    if not table.is_file():
        raise InputError(f"--write-arms {folder} holds no {ARMS}; leave out --join to write it first.")
    written = set(read_text_table(table).frame["id"])
    if written != {document.id for document in layout.documents()}:
        raise InputError(
            f"{table} was written from other people, positions, names, arms or another --seed; give the same."
        )


@dataclass(frozen=True, kw_only=True)
class Written:
    """The numbers of documents, positions, and rows of arms.csv written.

    `pictures` counts the Word files that hold pictures, the same in every arm; `retyped` the résumés of another format
    of documents, of which only the text is written.
    """

    documents: int
    positions: int
    rows: int
    pictures: int
    retyped: int


def write_arms(layout: Layout, *, to: Path, key: Path) -> Written:
    """Write every document of a layout to a new folder, and person, arm and name of each to the file `key`.

    The folder gets `documents/STEM.docx`, `texts/STEM.txt`, `positions/N.txt` and arms.csv, a row for each document and
    position: `id, position, title, document, text, position_text`. Rows are in the order of ids, which is random. A
    résumé that came as a Word file is that file under the arm's name, all others are the paragraphs of the text. STEM
    holds the id, and the résumé's file name if there is one; only that and the text reveal person and arm.

    Raises
    ------
    InputError
        The folder is not empty, or can't be written, the key is that of other documents, or a Word file changed.

    """
    if to.exists() and not (to.is_dir() and not any(to.iterdir())):
        raise InputError(f"--write-arms {to} already exists; give a new folder.")
    with written_folder(to) as part:
        for name in ("documents", "texts", "positions"):
            (part / name).mkdir()
        rows, known, pictures = _written(layout, part)
        (part / ARMS).write_bytes(
            csv_bytes(pl.DataFrame(rows, schema=list(_ROWS), orient="row").sort("id", "position"))
        )
        content = csv_bytes(known.sort("id"))
        if key.exists() and key.read_bytes() != content:  # that of this folder is there if a process was killed
            raise InputError(f"{key} already exists, and maps ids to arms; give another --write-arms.")
        write_file(key, content)
        if to.exists():
            to.rmdir()
        take_name(part, to)
    sources = [template.source for template in layout.applicants.templates if template.source is not None]
    return Written(
        documents=known.height,
        positions=len(layout.applicants.sent_for),
        rows=len(rows),
        pictures=pictures,
        retyped=sum(source.suffix.lower() != WORD and not is_text(source) for source in sources),
    )


def _written(layout: Layout, folder: Path) -> tuple[list[tuple[str, ...]], pl.DataFrame, int]:
    """Write documents, texts and positions; return the rows of arms.csv, the key, and how many hold pictures."""
    positions = layout.applicants.positions
    for place in layout.applicants.sent_for:
        _write_text(folder / "positions" / f"{place + 1}.txt", positions[place].text)
    rows: list[tuple[str, ...]] = []
    known = []
    pictures = 0
    for number, documents in groupby(layout.documents(), key=lambda document: document.template):
        template = layout.applicants.templates[number]
        word = None if template.source is None else word_of(template.source)
        if word is not None and word.text != template.original:
            raise InputError(f"{template.source} changed while evenhand read it; nothing was written.")
        pictures += word is not None and word.has_pictures
        for document in documents:
            paths = (f"documents/{document.stem}{WORD}", f"texts/{document.stem}.txt")
            (folder / paths[0]).write_bytes(_word_bytes(document, template, word))
            _write_text(folder / paths[1], document.text.text)
            known.append(_known(layout, document, paths[0]))
            for place in layout.applicants.positions_of(number):
                position = positions[place]
                rows.append((document.id, position.id, position.title, *paths, f"positions/{place + 1}.txt"))
    return rows, pl.DataFrame(known), pictures


def _word_bytes(document: Document, template: Template, word: "WordInPlace | None") -> bytes:
    """Return a document as a Word file: the person's own under the arm's name, or else the text."""
    text = document.text
    if word is None:
        return docx_bytes(paragraphs_of(text.text))
    try:
        return word.written(text.text, template.filled_elsewhere(text.name.name, gender=text.gender))
    except InputError as error:
        raise InputError(f"{template.source} {error}") from error


def _known(layout: Layout, document: Document, file: str) -> dict[str, str | int | None]:
    arm, template = document.arm, layout.applicants.templates[document.template]
    return {
        "id": document.id,
        "file": file,
        "person": template.id,
        "own": layout.own(template),
        "arm": arm.label,
        "names": arm_group_label(arm.names),
        "line": None if arm.line is None else arm_group_label(arm.line),
        "name": document.text.name.name.text,
        "number": document.number,
    }


def _write_text(path: Path, text: str) -> None:
    path.write_text(text, encoding="utf-8", errors="replace", newline="")
