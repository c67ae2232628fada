"""Where is it worst: the differences between groups anywhere in a process, corrected as one family and ranked."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import product
from typing import Final
from urllib.parse import urlencode

from evenhand.comparisons.claims import HOLM, in_families
from evenhand.comparisons.position_ranks import relative_rates
from evenhand.dashboard.disclosure import FEWEST, MONTH, NOT_KNOWN, OTHER, Cell, Counts
from evenhand.dashboard.request import Dashboards
from evenhand.dashboard.views import ratios
from evenhand.monitoring.state import decided_models
from evenhand.monitoring.store import Store
from evenhand.report.charts.heat import HeatCell, heat_map
from evenhand.report.impact.views import is_sizeable
from evenhand.report.page.parts import Figure, Part, Section, table
from evenhand.report.words.numbers import ABSENT, Scale, count_text, counted
from evenhand.report.words.results import corrected_p
from evenhand.results.finding import Finding, by_key

#: Differences that Overview names.
_MOST_NAMED: Final = 5
_FAMILY: Final = "groups anywhere"
_RATIO: Final = Scale(decimals=2)
#: Breakdowns that are no places: their values say little about where something can be mended.
_NO_PLACE: Final = frozenset({MONTH})
_DEPARTMENT: Final = "department"


@dataclass(frozen=True, kw_only=True)
class Difference:
    """A comparison of two groups, and where: a value of a breakdown, "" is all; `shrunken` is the ratio that ranks.

    `sizeable`: both groups are large enough for a headline, and the value is a place, not 'other' or 'not known'.
    """

    model: str
    attribute: str
    by: str
    finding: Finding
    shrunken: float
    sizeable: bool

    @property
    def place(self) -> str:
        """Return where it is, in words."""
        stage, value = ratios.place_of(self.finding)
        return ", ".join(
            [*([f"at {stage}"] if stage else []), *([f"{ratios.plain(self.by)} {value}"] if self.by else [])]
        )

    @property
    def short(self) -> str:
        """Return where it is, the group and its ratio."""
        named = [self.place, ratios.focal_of(self.finding), ratios.ratio_text(self.finding)]
        return ", ".join(filter(None, named))

    @property
    def sentence(self) -> str:
        """Return where it is, both rates, their ratio and p."""
        return f"{', '.join(filter(None, [self.model, self.place]))}: {ratios.both_rates(self.finding)}."


def diversity_link(model: str, attribute: str, *, by: str, stage: str) -> str:
    """Return the address of the page that compares the groups of an attribute at a stage and the values of `by`."""
    query = {"model": model, "attribute": attribute, "by": by, "stage": stage}
    return f"/diversity?{urlencode({name: value for name, value in query.items() if value})}"


@lru_cache(maxsize=2)  # published counts and exact ones
def differences(processes: tuple[tuple[str, Counts], ...]) -> list[Difference]:
    """Return the comparisons of single attributes in all processes and breakdowns, the worst first, as one family.

    Pairs that the data could have chosen, with another reference, count in its size.
    """
    found: list[Difference] = []
    unseen = 0
    for model, counts in processes:
        for attribute, by in product(counts.groups, counts.values):
            if by not in _NO_PLACE:
                compared = [*_compared(model, attribute, by, counts)]
                unseen += max((each.finding.claim.family_size for each in compared if each.finding.claim), default=0)
                unseen -= len(compared)
                found += compared
    reopened = [
        each.finding
        if each.finding.claim is None
        else replace(each.finding, claim=replace(each.finding.claim, family=_FAMILY, p_adjusted=None, correction=HOLM))
        for each in found
    ]
    corrected = [
        replace(each, finding=of)
        for each, of in zip(found, in_families(reopened, unseen={_FAMILY: [1.0] * unseen}), strict=True)
    ]
    return sorted(corrected, key=lambda each: (not each.finding.is_difference, not each.sizeable, each.shrunken))


def every_process(shown: Dashboards, store: Store, *, published: bool) -> dict[str, Counts]:
    """Return the counts of all processes of a store by model."""
    return {model: shown.processes.within(store, model, published=published) for model in decided_models(store)}


def design_effects(counts: Counts) -> set[float]:
    """Return the design effects of the numbers that are compared."""
    places = product(counts.groups, set(counts.values) - _NO_PLACE)
    of = (counts.effects([attribute], by) for attribute, by in places)
    return {effect for effects in of for effect in effects.values()}


def _compared(model: str, attribute: str, by: str, counts: Counts) -> Iterator[Difference]:
    cells = counts.cells([attribute], by)
    large = [cell for cell in cells if cell.decided >= FEWEST]
    effects, people = counts.effects([attribute], by), counts.by_person([attribute], by)
    compared = ratios.compared_cells(large, [attribute], counts.noise, effects=effects, people=people)
    compared = [each for each in compared if each.p is not None]
    at_place: dict[tuple[str, str], list[Finding]] = {}
    for finding in compared:
        at_place.setdefault(ratios.place_of(finding), []).append(finding)
    rates = _shrunken(cells)
    for finding in compared:
        place = ratios.place_of(finding)
        focal, reference = (rates.get((*place, *group.values())) for group in (finding.focal, finding.reference))
        shrunken = focal / reference if focal and reference else finding.estimate or 0.0
        yield Difference(
            model=model,
            attribute=attribute,
            by=by,
            finding=finding,
            shrunken=min(shrunken, 1 / shrunken) if shrunken else 0.0,
            sizeable=is_sizeable(finding, at_place[place]) and place[1] not in {OTHER, NOT_KNOWN},
        )


def _shrunken(cells: Sequence[Cell]) -> dict[tuple[str, ...], float]:
    """Return the rate of each cell over that of its stage's largest group in the same place, shrunk over all places."""
    rates: dict[tuple[str, ...], float] = {}
    for stage, of_stage in by_key(lambda cell: cell.stage, [cell for cell in cells if cell.decided]).items():
        counts: dict[tuple[str, ...], dict[str, tuple[int, int]]] = {}
        for cell in of_stage:
            counts.setdefault(cell.groups, {})[cell.value] = (cell.selected, cell.decided)
        relative = relative_rates(counts)
        rates |= {(stage, value, *groups): rate for groups, of in relative.items() for value, rate in of.items()}
    return rates


def worst_sentence(found: Sequence[Difference]) -> str:
    """Return how many comparisons differ anywhere, and where it is worst."""
    if not found:
        return ""
    differing = [each for each in found if each.finding.is_difference]
    of = counted(len(found), "comparison of groups", "comparisons of groups")
    if not differing:
        return f" None of {of} is statistically significant, corrected for all of them."
    verb = "is" if len(differing) == 1 else "are"
    told = f" {count_text(len(differing))} of {of} {verb} statistically significant"
    worst = differing[0]
    if not worst.sizeable:
        return f"{told}, of under 30 people or 2 % only."
    model = worst.model if len({each.model for each in found}) > 1 else ""
    where = ", ".join(filter(None, [model, worst.short]))
    return f"{told}{'' if len(differing) == 1 else ', the worst'}: {where}."


def worst_within(found: Sequence[Difference], model: str, attributes: Sequence[str]) -> str:
    """Return where within a process it is worst between groups of attributes, "" where nowhere or in it as a whole."""
    of = (each for each in found if each.model == model and each.attribute in attributes)
    worst = next((each for each in of if each.finding.is_difference and each.sizeable), None)
    if worst is None or not worst.by or worst.finding.claim is None:
        return ""
    p = corrected_p(worst.finding.claim)
    return f" The worst statistically significant difference over all months (Overview): {worst.short}, {p}."


def worst_section(found: Sequence[Difference], processes: Mapping[str, Counts]) -> Section | None:
    """Return the worst differences, each with a link to its page, and a map of departments and stages."""
    differing = [each for each in found if each.finding.is_difference and each.sizeable]
    # The worst place of each group at each stage first: others of one effect would hide all that is less bad.
    of_effect = by_key(lambda each: (each.model, each.finding.slice["stage"], ratios.focal_of(each.finding)), differing)
    first = [of[0] for of in of_effect.values()]
    named = [*first, *(each for each in differing if each not in first)][:_MOST_NAMED]
    parts = [
        Part(
            text=[each.sentence],
            link=diversity_link(each.model, each.attribute, by=each.by, stage=each.finding.slice["stage"]),
            link_text=f"{each.model} by {ratios.plain(each.by or each.attribute)}",
        )
        for each in named
    ]
    for chosen in (named or found)[:1]:
        parts += _map(found, processes[chosen.model], chosen)
    return Section(name="worst", heading="Where is it worst?", parts=parts) if parts else None


def _map(found: Sequence[Difference], counts: Counts, chosen: Difference) -> list[Part]:
    """Return the lowest ratio of any group at each stage and value, of one process and attribute."""
    places = [by for by in counts.values if by and by not in _NO_PLACE]
    by = _DEPARTMENT if _DEPARTMENT in places else chosen.by or next(iter(places), "")
    stages = list(counts.stages_at())
    values = [value for value in counts.values[by] if value not in {OTHER, NOT_KNOWN}]
    own = [each for each in found if (each.model, each.attribute, each.by) == (chosen.model, chosen.attribute, by)]
    at: dict[tuple[str, str], Difference] = {}
    for each in own:
        if each.sizeable and each.finding.estimate is not None:
            place = ratios.place_of(each.finding)
            if place not in at or each.finding.estimate < (at[place].finding.estimate or 0.0):
                at[place] = each
    drawn = {
        place: HeatCell(value=each.finding.estimate, mark=each.finding.is_difference, title=each.sentence)
        for place, each in at.items()
    }
    cells = [[drawn.get((stage, value), HeatCell(value=None)) for stage in stages] for value in values]
    heads = [ratios.plain(by).capitalize(), *(ratios.stage_name(stage) for stage in stages)]
    rows = [
        [
            value or "all",
            *(ABSENT if cell.value is None else _RATIO.number(cell.value) + ("*" if cell.mark else "") for cell in row),
        ]
        for value, row in zip(values, cells, strict=True)
    ]
    attribute = ratios.plain(chosen.attribute)
    figure = Figure(
        title=f"{chosen.model}: lowest impact ratio by {attribute}, by {ratios.plain(by)} and stage",
        note="* is statistically significant. Hatched: no ratio of a group of 30 people and 2 %.",
        chart=lambda width: heat_map(cells, rows=[value or "all" for value in values], columns=heads[1:], width=width),
        tables=[table("Lowest impact ratio; * is statistically significant", heads, rows, folded=True)],
    )
    return [Part(figures=[figure])]
