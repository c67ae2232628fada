"""The page of a planned sample size: decisions needed until an impact ratio would be detected, or what some detect."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from markupsafe import Markup

from evenhand.report.charts.axes import MarkedLine
from evenhand.report.charts.lines import LinePoint, line_chart
from evenhand.report.charts.svg import Drawing, draw
from evenhand.report.page.html import page_policy, page_style, page_template
from evenhand.report.page.parts import Table, headings
from evenhand.report.words.numbers import count_text, counted
from evenhand.report.words.results import listing
from evenhand.results.files import write_file
from evenhand.results.finding import omit_none


@dataclass(frozen=True, kw_only=True)
class PlannedComparison:
    """One comparison of a focal group: the test that decides it, its level, and what it would find."""

    question: str
    n_focal: int
    n_reference: int
    test: str
    level: float
    power_at_ratio: float
    computed_by: str
    detectable_ratio: float | None


@dataclass(frozen=True, kw_only=True)
class PlannedPoint:
    """The decisions that an impact ratio needs (per group where these are of one size), or the power at it."""

    ratio: float
    per_group: int | None = omit_none()
    decisions: int | None = omit_none()
    power: float | None = omit_none()


@dataclass(frozen=True, kw_only=True)
class PlannedSizes:
    """Decisions in each group, the one selected most last, and what is detected with them.

    `level` is that of one of `family_size` comparisons; `given` says that the sizes were an option.
    """

    rate: float
    ratio: float
    groups: int
    power: float
    level: float
    family_size: int
    test: str
    sizes: tuple[int, ...]
    per_group: int | None
    decisions: int
    given: bool
    positions: int | None
    cluster_size: int | None
    intraclass: float | None
    crossed: bool
    comparisons: tuple[PlannedComparison, ...]
    curve: tuple[PlannedPoint, ...]


def size_sentences(planned: PlannedSizes) -> list[str]:
    """Return the answer, and what it rests on, in sentences."""
    rates = f"selection rates of {_percent(planned.rate)} and {_percent(planned.rate * planned.ratio)}"
    level = (
        "at a two-sided 5 %"
        if planned.family_size == 1
        else f"at a two-sided 5 % over all {planned.family_size} comparisons ({100 * planned.level:.2g} % each, "
        "Bonferroni)"
    )
    first = planned.comparisons[0]
    if planned.given:
        least = min(planned.comparisons[: len({*planned.sizes[:-1]})], key=lambda each: each.n_focal)
        found = least.detectable_ratio
        answer = (
            f"With {_sizes(planned)} decisions an impact ratio of {planned.ratio:g} ({rates}) is detected with "
            f"{_percent(least.power_at_ratio)} statistical power, {level}. Minimum detectable ratio at "
            f"{_percent(planned.power)}: {'none, not even 0' if found is None else f'{found:.2f}'}."
        )
    else:
        answer = (
            f"With {_sizes(planned)} decisions{' per group' if planned.per_group else ''}, "
            f"{count_text(planned.decisions)} for {counted(planned.groups, 'group')}, an impact ratio of "
            f"{planned.ratio:g} ({rates}) is detected with {_percent(planned.power)} statistical power, {level}."
        )
    sentences = [answer, _deciding(planned, first)]
    if planned.positions is not None:
        sentences.append(
            f"Each group is spread evenly over {planned.positions:,} positions of one selection rate. The common odds "
            "ratio (Mantel-Haenszel) is planned, too, and whether any position differs; a position alone is corrected "
            "over groups × positions, and finds only the ratio in its row."
        )
    if planned.groups > 2:
        sentences.append(
            "The power is that of each comparison; all of them together detect a difference less often."
            + ("" if planned.per_group else " The groups stand in the order of their sizes given, the reference last.")
        )
    sentences.append("A ratio nearer to 1 or a lower selection rate needs many more decisions.")
    return sentences


def _sizes(planned: PlannedSizes) -> str:
    if planned.per_group is not None and not planned.given:
        return count_text(planned.per_group)
    return listing([count_text(size) for size in planned.sizes])


def _deciding(planned: PlannedSizes, first: PlannedComparison) -> str:
    computed = f"The power is computed by {first.computed_by}."
    if planned.cluster_size is None or planned.intraclass is None:
        return (
            f"Fisher's exact test decides, for independent people. {computed} More decisions are needed where those of "
            "one group share a person, an advertisement or a name (--cluster-size, --intraclass)."
        )
    effect = 1 + (planned.cluster_size - 1) * planned.intraclass
    whom = (
        "people of all groups, so that what a cluster adds cancels in the difference"
        if planned.crossed
        else f"people of one group: a rate has {effect:.3g} times the variance of independent people (design effect)"
    )
    more = "" if planned.given else " Other ratios are in proportion to what Fisher's test needs."
    return (
        f"The cluster-robust test decides (CR2 t). Clusters of {planned.cluster_size} decisions with an intraclass "
        f"correlation of {planned.intraclass:g} have {whom}. {computed}{more}"
    )


def _percent(share: float) -> str:
    return f"{100 * share:.3g} %"


def power_table(planned: PlannedSizes) -> Table | None:
    """Return a row per comparison; None where the answer says it all."""
    if len(planned.comparisons) == 1:
        return None
    heads = ("Comparison", "Decisions", "Test", "Level", "Power", "Detectable ratio")
    return Table(
        caption=f"What decides, with its power at an impact ratio of {planned.ratio:g}",
        columns=headings(*heads, words=heads[1:3]),
        rows=[
            [
                each.question,
                f"{count_text(each.n_focal)} against {count_text(each.n_reference)}",
                each.test,
                f"{100 * each.level:.2g} %",
                _percent(each.power_at_ratio),
                "none" if each.detectable_ratio is None else f"{each.detectable_ratio:.2f}",
            ]
            for each in planned.comparisons
        ],
    )


def sizes_table(planned: PlannedSizes, ratios: Sequence[float]) -> Table:
    """Return what some impact ratios need, or the power at them, that of the plan among them."""
    shown = [point for point in planned.curve if point.ratio in {*ratios, planned.ratio}]
    heads = ["Impact ratio", "Selection rates"]
    if planned.given:
        heads.append("Power")
    else:
        heads += [*(["Decisions per group"] if planned.per_group else []), "In all"]

    def cells(point: PlannedPoint) -> list[str]:
        if point.power is not None:
            return [_percent(point.power)]
        return [count_text(n) for n in (point.per_group, point.decisions) if n is not None]

    return Table(
        caption="Power by impact ratio, of the smallest group" if planned.given else "Decisions needed by impact ratio",
        columns=headings(*heads),
        rows=[
            [
                f"{point.ratio:g}" + (" (asked)" if point.ratio == planned.ratio not in ratios else ""),
                f"{_percent(point.ratio * planned.rate)} and {_percent(planned.rate)}",
                *cells(point),
            ]
            for point in shown
        ],
    )


def write_plan_page(planned: PlannedSizes, out: Path, ratios: Sequence[float]) -> None:
    """Write one HTML file with the answer, the curve and its table.

    Raises
    ------
    InputError
        It can't be written.
    """
    what, series = "decisions per group" if planned.per_group else "decisions in all", "all"
    title = f"{what[:1].upper()}{what[1:]} by the impact ratio that they would detect"
    if planned.given:
        what, title = "statistical power, %", "Statistical power by the impact ratio, of the smallest group"

    def value(point: PlannedPoint) -> float:
        return float(100 * point.power if point.power is not None else point.per_group or point.decisions or 0)

    asked = next(point for point in planned.curve if point.ratio == planned.ratio)
    named = f"{value(asked):.3g} %" if planned.given else count_text(int(value(asked)))
    summary = f"impact ratio {planned.ratio:g}: {named}{'' if planned.given else what.removeprefix('decisions')}"
    points = [LinePoint(at=point.ratio, value=value(point), series=series, mark=False) for point in planned.curve]
    points.append(LinePoint(at=planned.ratio, value=value(asked), series=series, text=summary, joined=False))
    drawing = Drawing(
        label=title,
        chart=lambda width: line_chart(
            points,
            title=what,
            along="impact ratio",
            width=width,
            lines=[MarkedLine(value=value(asked), text=named)],
            zero=True,
        ),
    )
    style = page_style()
    page = page_template("planned.html.jinja").render(
        style=Markup(style),  # noqa: S704 - our own file
        policy=page_policy(style),
        title=title,
        sentences=size_sentences(planned),
        drawings={name: Markup(svg) for name, svg in draw([drawing])[0].items()},  # noqa: S704 - our own, escaped
        sizes=sizes_table(planned, ratios),
        comparisons=power_table(planned),
    )
    write_file(out, page.encode())
