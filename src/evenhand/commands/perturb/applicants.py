"""Who applies for what: the user's résumés and positions, or the embedded ones."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

from evenhand.errors import InputError
from evenhand.intake.positions import Position, read_positions
from evenhand.probes.resume_score.applications import own_applications
from evenhand.resumes.arms.template import LeftOut, Template, templates_of
from evenhand.resumes.people.reading import read_people

__all__ = ["Applicants", "Vacancy", "embedded_applicants", "read_applicants"]


@dataclass(frozen=True, kw_only=True)
class Vacancy:
    """A position as a scorer is shown it."""

    id: str
    title: str
    text: str
    position: Position | None = None

    @property
    def asked(self) -> Position:
        """Return what it asks of people, in lists where the user's file has them."""
        return self.position or Position(id=self.id, title=self.title, text=self.text)


@dataclass(frozen=True, kw_only=True)
class Applicants:
    """Templates of résumés, positions, and for which of these each résumé is sent.

    `sent` has the numbers of the positions of each template; None sends each for all. `qualifications` says how well
    a résumé fits, of those that are embedded, by the id of its template. `synthetic` says that they are.
    """

    templates: tuple[Template, ...]
    positions: tuple[Vacancy, ...]
    sent: tuple[tuple[int, ...], ...] | None = None
    qualifications: Mapping[str, str] = field(default_factory=dict)
    left_out: tuple[LeftOut, ...] = ()
    synthetic: bool = False

    @cached_property
    def sent_for(self) -> tuple[int, ...]:
        """The numbers of the positions that any résumé is sent for."""
        return tuple(sorted({place for at in range(len(self.templates)) for place in self.positions_of(at)}))

    def positions_of(self, template: int) -> tuple[int, ...]:
        """Return the numbers of the positions that a résumé is sent for."""
        return tuple(range(len(self.positions))) if self.sent is None else self.sent[template]


def read_applicants(resumes: Path, positions: Path) -> Applicants:
    """Return the user's résumés, each sent for all of the user's positions.

    Raises
    ------
    InputError
        A file can't be read, or no résumé can be shown under another name.

    """
    jobs = read_positions(positions)
    made = templates_of(read_people(resumes))
    if not made.templates:
        why = "; ".join(f"{count} because {reason}" for (reason, *_), count in made.counts().items())
        raise InputError(
            f"No résumé of {resumes} can be shown under other names: {why}. "
            "Give known_names, or write {name} in the text."
        )
    return Applicants(
        templates=made.templates,
        positions=tuple(Vacancy(id=each.id, title=each.title, text=each.advertisement, position=each) for each in jobs),
        left_out=made.left_out,
    )


def embedded_applicants() -> Applicants:
    """Return the positions and résumés of resume-score, which are synthetic: each résumé is sent for its position."""
    own = own_applications()
    sent = [(number, each) for number, resumes in enumerate(own.resumes) for each in resumes]
    return Applicants(
        templates=tuple(each.template for _, each in sent),
        positions=tuple(
            Vacancy(id=str(number), title=each.title, text=each.text) for number, each in enumerate(own.positions, 1)
        ),
        sent=tuple((number,) for number, _ in sent),
        qualifications={each.template.id: each.qualification for _, each in sent if each.qualification is not None},
        synthetic=True,
    )
