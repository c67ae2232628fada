"""What the reference floor changed: groups with a higher rate that are too small to be compared with."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from evenhand.findings.impact.cells import Flags, GroupCells
from evenhand.findings.impact.references import FLOOR_PEOPLE, HIGHEST, References, candidates, reference_groups
from evenhand.tables.audit.impact import FloorNote
from evenhand.tables.details import Floor as FloorDetails
from evenhand.tables.details import ImpactRatio, MeanRatio, PassedOver
from evenhand.tables.finding import Finding
from evenhand.tables.messages.quoting import shortened

__all__ = ["Floor", "floor_notes", "floors_of"]

#: Groups named in a note; of more the number is told.
_SHOWN = 3


@dataclass(frozen=True, kw_only=True)
class Floor:
    """What the floor did among all applicants and in its positions.

    `passed_over` are the groups, by column, with a higher rate than the reference; empty with `none_large`, where no
    group is large enough and the highest rate holds as it is. `positions` counts those with another reference.
    """

    key: tuple[object, ...]
    cell: int
    reference: int
    passed_over: tuple[int, ...]
    none_large: bool
    positions: int
    share: float

    def details(self, cells: GroupCells) -> FloorDetails:
        """Return what findings.json tells of it."""
        return FloorDetails(
            share=self.share,
            people=FLOOR_PEOPLE,
            reference=cells.labels[self.reference],
            n_reference=int(cells.n[self.cell, self.reference]),
            none_large_enough=bool(self.none_large),
            passed_over=tuple(
                PassedOver(
                    group=cells.labels[group],
                    n=int(cells.n[self.cell, group]),
                    rate=float(cells.rates[self.cell, group]),
                )
                for group in self.passed_over
            ),
            positions_with_another_reference=self.positions,
        )


def floors_of(cells: GroupCells, references: References, eligible: Flags) -> Iterator[Floor]:
    """Yield what the floor changed, or that no group reaches it, where there is something to tell."""
    if not references.floor or references.rule != HIGHEST or references.group(cells) is not None or not cells.groups:
        return
    chosen = reference_groups(cells, references, eligible)
    anybody = replace(references, floor=0.0)
    without = reference_groups(cells, anybody, eligible)
    may_be, present = candidates(cells, references, eligible), candidates(cells, anybody, eligible)
    people = cells.n
    for whole in np.flatnonzero(cells.whole):
        reference = int(chosen[whole])
        if reference < 0:
            continue
        large = (people[whole] >= references.floor * people[whole].sum()) & (people[whole] >= FLOOR_PEOPLE)
        none_large = not (present[whole] & large).any()
        higher = ~may_be[whole] & present[whole] & (cells.rates[whole] > cells.rates[whole, reference])
        own = (cells.whole_of == whole) & ~cells.whole
        positions = int((chosen[own] != without[own]).sum())
        if none_large or higher.any() or positions:
            order = sorted(np.flatnonzero(higher), key=lambda group: -cells.rates[whole, group])
            yield Floor(
                key=cells.keys.row(int(whole))[:3],
                cell=int(whole),
                reference=reference,
                passed_over=tuple(int(group) for group in order),
                none_large=none_large,
                positions=positions,
                share=references.floor,
            )


def floor_notes(findings: Sequence[Finding]) -> tuple[FloorNote, ...]:
    """Return what the floor changed per attribute, from the findings that carry it."""
    by_attribute: dict[tuple[str, ...], dict[str, FloorDetails]] = {}
    for finding in findings:
        details = finding.details
        floor = details.reference_floor if isinstance(details, ImpactRatio | MeanRatio) else None
        if floor is not None:
            told = by_attribute.setdefault(tuple(finding.focal), {})
            told.setdefault(repr((finding.measure, sorted(finding.slice.items()))), floor)
    return tuple(FloorNote(attributes=names, text=_note(list(found.values()))) for names, found in by_attribute.items())


def _note(floors: Sequence[FloorDetails]) -> str:
    """Return what the floor did for one attribute, over all its definitions of a selection."""
    limit = f"under {100 * floors[0].share:g} % of the sample or under {floors[0].people} people"
    alone = {floor.reference: floor.n_reference for floor in floors if floor.none_large_enough}
    sentences = []
    if alone:
        sentences.append(
            f"Every group is {limit}, so the highest is the reference whatever its size, {_groups(alone)}: with so few "
            "people chance may have made it the highest."
        )
    over = {each.group: each.n for floor in floors for each in floor.passed_over}
    if over:
        references = list(dict.fromkeys(floor.reference for floor in floors if floor.passed_over))
        against = f", {shortened(references[0])}," if len(references) == 1 else ""
        has, verb = ("has", "is") if len(over) == 1 else ("have", "are")
        sentences.append(
            f"{_groups(over)} {has} a higher rate than the reference{against} but {verb} too small to be it ({limit})."
        )
    positions = max(floor.positions_with_another_reference for floor in floors)
    if positions:
        where = "1 position" if positions == 1 else f"{positions:,} positions"
        sentences.append(f"In {where} the highest group is too small to be the reference ({limit} in all).")
    return " ".join(sentences)


def _groups(sizes: Mapping[str, int]) -> str:
    named = [f"{shortened(group)} (n = {n:,})" for group, n in list(sizes.items())[:_SHOWN]]
    return ", ".join(named) + (f" and {len(sizes) - _SHOWN} more" if len(sizes) > _SHOWN else "")
