"""Where is it worst: the differences between groups anywhere in a process, corrected as one family and ranked."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import product
from types import MappingProxyType
from typing import Final

from evenhand.comparisons.position_ranks import relative_rates
from evenhand.dashboard.disclosure import FEWEST, MONTH, NOT_KNOWN, OTHER, Cell, Counts
from evenhand.dashboard.request import Dashboards, link_to
from evenhand.dashboard.views import ratios
from evenhand.dashboard.views.view import months_of
from evenhand.monitoring.state import decided_models
from evenhand.monitoring.store import Store
from evenhand.report.charts.heat import HeatCell, heat_map
from evenhand.report.impact.views import is_sizeable, reference_name, short_ratio
from evenhand.report.page.parts import Figure, Part, Section, Table, table
from evenhand.report.words.numbers import ABSENT, Scale, count_text, counted, p_text
from evenhand.report.words.results import capital, corrected_p, why_not
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
        named = [self.place, reference_name(self.finding.focal), ratios.ratio_text(self.finding)]
        return ", ".join(filter(None, named))

    def link(self, months: Mapping[str, str]) -> str:
        """Return the address of the page that shows it, in these months."""
        stage = self.finding.slice["stage"]
        return diversity_link(self.model, self.attribute, by=self.by, stage=stage, months=months)

    @property
    def sentence(self) -> str:
        """Return where it is, both rates, their ratio and p."""
        return f"{', '.join(filter(None, [self.model, self.place]))}: {ratios.both_rates(self.finding)}."


def diversity_link(
    model: str, attribute: str, *, by: str, stage: str, months: Mapping[str, str] = MappingProxyType({})
) -> str:
    """Return the address of the page that compares the groups of an attribute at a stage and the values of `by`."""
    return link_to("/diversity", {"model": model, "attribute": attribute, "by": by, "stage": stage}, months)


def first_place(counts: Counts) -> str:
    """Return the breakdown that is looked at first: departments, else another place, else months."""
    places = [name for name in counts.values if name and name not in _NO_PLACE]
    return _DEPARTMENT if _DEPARTMENT in places else next(iter(places), MONTH if MONTH in counts.values else "")


@lru_cache(maxsize=16)  # published counts and exact ones, and those of some months
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
    together = ratios.in_one_family([each.finding for each in found], _FAMILY, unseen=unseen)
    corrected = [replace(each, finding=of) for each, of in zip(found, together, strict=True)]
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
    at_place, rates = by_key(ratios.place_of, compared), _shrunken(cells)
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
        return f"none of {of} is statistically significant after correction for all"
    verb = "is" if len(differing) == 1 else "are"
    told = f"{count_text(len(differing))} of {of} {verb} statistically significant"
    worst = differing[0]
    if not worst.sizeable:
        return f"{told}, all of groups under 30 people or 2 %"
    model = worst.model if len({each.model for each in found}) > 1 else ""
    where = ", ".join(filter(None, [model, worst.short]))
    return f"{told}{'' if len(differing) == 1 else ', the largest difference'}: {where}"


def worst_within(found: Sequence[Difference], model: str, attributes: Sequence[str]) -> str:
    """Return where within a process it is worst between groups of attributes, "" where nowhere or in it as a whole."""
    of = (each for each in found if each.model == model and each.attribute in attributes)
    worst = next((each for each in of if each.finding.is_difference and each.sizeable), None)
    if worst is None or not worst.by or worst.finding.claim is None:
        return ""
    p = corrected_p(worst.finding.claim)
    return f" The largest statistically significant difference over all months (Overview): {worst.short}, {p}."


def worst_section(found: Sequence[Difference], processes: Mapping[str, Counts]) -> Section | None:
    """Return the worst differences, each with a link to its page, beside a map of departments and stages."""
    differing = [each for each in found if each.finding.is_difference and each.sizeable]
    # The worst place of each group at each stage first: others of one effect would hide all that is less bad.
    of_effect = by_key(lambda each: (each.model, each.finding.slice["stage"], ratios.focal_of(each.finding)), differing)
    first = [of[0] for of in of_effect.values()]
    named = [*first, *(each for each in differing if each not in first)][:_MOST_NAMED]
    chosen = next(iter(named or found), None)
    if chosen is None:
        return None
    worst = [_worst_table(named, found, processes)] if named else []
    figure = _map(found, processes[chosen.model], chosen)
    return Section(
        name="worst",
        heading="Largest differences",
        parts=[Part(figures=[replace(figure, tables=[*worst, *figure.tables])])],
    )


def _worst_table(named: Sequence[Difference], found: Sequence[Difference], processes: Mapping[str, Counts]) -> Table:
    several = len({each.model for each in found}) > 1
    size = max((each.finding.claim.family_size for each in named if each.finding.claim), default=0)
    rows = [
        [
            capital(", ".join(filter(None, [each.model if several else "", each.place or "everywhere"]))),
            ratios.rates_text(each.finding, ", "),
            short_ratio(each.finding),
            "; ".join(filter(None, [p_text(each.finding.p_adjusted), why_not(each.finding)])),
        ]
        for each in named
    ]
    caption = f"The largest differences; p is corrected over {counted(size, 'comparison')}"
    shown = table(caption, ["Where", "Selected", "Impact ratio (95 % CI)", "p"], rows)
    return replace(shown, links=[each.link(months_of(processes[each.model])) for each in named])


def _map(found: Sequence[Difference], counts: Counts, chosen: Difference) -> Figure:
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
    months = months_of(counts)
    drawn = {
        place: HeatCell(
            value=each.finding.estimate,
            mark=each.finding.is_difference,
            title=each.sentence,
            link=each.link(months),
        )
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
    where = f", in each {ratios.plain(by)} and at each stage" if by else ", at each stage"
    return Figure(
        title=f"{chosen.model}: lowest impact ratio by {ratios.plain(chosen.attribute)}{where}",
        note="* statistically significant. Hatched: no group of at least 30 people and 2 % has a ratio.",
        chart=lambda width: heat_map(cells, rows=[value or "all" for value in values], columns=heads[1:], width=width),
        tables=[table("Lowest impact ratio; * statistically significant", heads, rows, folded=True)],
    )
