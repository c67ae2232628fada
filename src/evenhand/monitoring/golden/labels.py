"""Labels of golden cases: two people's, blind to each other, and a third's where these differ."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from evenhand.errors import InputError
from evenhand.monitoring.golden.cases import known_case, scale_of
from evenhand.monitoring.history.log import add_entry
from evenhand.monitoring.history.store import Store, Writing, utc_text
from evenhand.tables.messages.quoting import quoted

__all__ = ["Given", "Standing", "add_adjudications", "add_labels", "standings"]

#: How many people label a case.
LABELLERS: Final = 2
NO_TIMES: Final[Mapping[tuple[str, str], str]] = {}
#: Cases are called by their ids.
BY_ID: Final[Mapping[str, str]] = {}


@dataclass(frozen=True, kw_only=True)
class Given:
    """A label, who gave it and when (UTC)."""

    by: str
    label: int
    time: str


@dataclass(frozen=True, kw_only=True)
class Standing:
    """What people said of a case: their labels in order of time, what was adjudicated, the versions that hold it."""

    labels: tuple[Given, ...] = ()
    adjudicated: Given | None = None
    versions: tuple[int, ...] = field(default=())

    @property
    def differs(self) -> bool:
        """Return whether two labels differ, adjudicated or not."""
        return len({each.label for each in self.labels}) > 1

    @property
    def label(self) -> int | None:
        """Return what the case is: what both said or the adjudicator; None until then."""
        if self.adjudicated is not None:
            return self.adjudicated.label
        return self.labels[0].label if len(self.labels) == LABELLERS and not self.differs else None


def standings(store: Store | Writing) -> dict[str, Standing]:
    """Return what was said of each case, by its id."""
    labels: dict[str, list[Given]] = {}
    for name, by, label, time in store.rows(
        "SELECT case_id, labeller, label, labelled FROM golden_labels ORDER BY labelled, labeller"
    ):
        labels.setdefault(name, []).append(Given(by=by, label=label, time=time))
    adjudicated = {
        name: Given(by=by, label=label, time=time)
        for name, by, label, time in store.rows(
            "SELECT case_id, adjudicator, label, adjudicated FROM golden_adjudications"
        )
    }
    versions: dict[str, list[int]] = {}
    for version, name in store.rows("SELECT version, case_id FROM golden_members ORDER BY version"):
        versions.setdefault(name, []).append(version)
    return {
        name: Standing(
            labels=tuple(labels.get(name, ())),
            adjudicated=adjudicated.get(name),
            versions=tuple(versions.get(name, ())),
        )
        for (name,) in store.rows("SELECT id FROM golden_cases ORDER BY id")
    }


def add_labels(
    writing: Writing,
    labels: Mapping[str, str],
    *,
    by: str,
    times: Mapping[tuple[str, str], str] = NO_TIMES,
    called: Mapping[str, str] = BY_ID,
) -> int:
    """Add one person's labels by case; return how many are new. One that is there as it is changes nothing.

    `times` tells when labels that were imported were given, by person and case; others are given now. `called` is what
    the person knows a case as, by its id.

    Raises
    ------
    InputError
        A case isn't there, has two labels, or another of this person; or a label is none of the scale's.

    """
    scale, known, new = scale_of(writing), standings(writing), []
    for name, label in labels.items():
        known_case(writing, name)
        number, told = scale.number(label), quoted(called.get(name, name))
        before = {each.by: each.label for each in known[name].labels}
        if before.get(by) == number:
            continue
        if by in before:
            raise InputError(
                f"{by} labelled golden case {told} {quoted(scale.labels[before[by]])} before, and a label "
                "stays; where two differ, a third person adjudicates."
            )
        if len(before) >= LABELLERS:
            full = sum(each in known and _has_two_of_others(known[each], by) for each in labels) - 1
            more = f" {full:,} more of these have two, too; leave out their labels." if full else ""
            raise InputError(f"Golden case {told} has two labels; a third is not taken.{more}")
        adjudicated = known[name].adjudicated
        if adjudicated is not None and adjudicated.by == by:
            raise InputError(f"{by} adjudicated golden case {told}, and can't label it.")
        new.append((name, by, number, times.get((by, name), utc_text(writing.now))))
    writing.execute_each("INSERT INTO golden_labels (case_id, labeller, label, labelled) VALUES (?, ?, ?, ?)", new)
    _tell(writing, "golden labels", by, {name: number for name, _, number, _ in new})
    return len(new)


def _has_two_of_others(standing: Standing, by: str) -> bool:
    return len(standing.labels) >= LABELLERS and by not in {each.by for each in standing.labels}


def add_adjudications(
    writing: Writing,
    labels: Mapping[str, str],
    *,
    by: str,
    times: Mapping[tuple[str, str], str] = NO_TIMES,
    called: Mapping[str, str] = BY_ID,
) -> int:
    """Add what one person decides of cases whose labels differ; return how many are new; `called` as in `add_labels`.

    Raises
    ------
    InputError
        A case isn't there, has no two labels that differ, was labelled by this person, or was adjudicated; or a label
        is none of the scale's.

    """
    scale, known, new = scale_of(writing), standings(writing), []
    for name, label in labels.items():
        known_case(writing, name)
        number, standing, told = scale.number(label), known[name], quoted(called.get(name, name))
        if by in {each.by for each in standing.labels}:
            raise InputError(f"{by} labelled golden case {told}; somebody else adjudicates it.")
        if standing.adjudicated is not None:
            if standing.adjudicated.by == by and standing.adjudicated.label == number:
                continue
            closed = f", and version {standing.versions[0]} with it is closed" if standing.versions else ""
            raise InputError(f"Golden case {told} was adjudicated before{closed}.")
        if len(standing.labels) < LABELLERS or not standing.differs:
            why = "its labels are alike" if len(standing.labels) == LABELLERS else "it lacks a label"
            raise InputError(f"Golden case {told} has nothing to adjudicate: {why}.")
        new.append((name, by, number, times.get((by, name), utc_text(writing.now))))
    writing.execute_each(
        "INSERT INTO golden_adjudications (case_id, adjudicator, label, adjudicated) VALUES (?, ?, ?, ?)", new
    )
    _tell(writing, "golden adjudications", by, {name: number for name, _, number, _ in new})
    return len(new)


def _tell(writing: Writing, kind: str, by: str, labels: Mapping[str, int]) -> None:
    if labels:
        add_entry(writing, kind, {"by": by, "labels": labels})
