"""The opening of a run that compares every group with all: who lies above and below the average, in what rates."""

from collections.abc import Sequence

from evenhand.report.charts import MarkedLine
from evenhand.report.page.parts import Column, Figure, Table
from evenhand.report.probe.interval_figure import interval_figure
from evenhand.report.probe.opening import unreadable_sentence
from evenhand.report.words.numbers import ABSENT, confidence_text, count_text, p_text, scale_of
from evenhand.report.words.results import is_significant, wording_of
from evenhand.report.words.wording import capital, group_label, listing
from evenhand.tables.audit.measured import Measured
from evenhand.tables.details import Against
from evenhand.tables.finding import Finding
from evenhand.tables.grouped.population import Population

__all__ = ["population_figure", "population_opening"]


def population_opening(against: Population, audit: Measured) -> list[str]:
    """Return which groups lie above and below the average of all, and for which no difference was detected."""
    groups = [finding for finding in against.whole.cells if finding.focal]
    known = [finding for finding in groups if finding.estimate is not None]
    found = [finding for finding in known if is_significant(finding)]
    higher = [finding for finding in found if (finding.estimate or 0.0) > 0]
    lower = [finding for finding in found if finding not in higher]
    sentences = [_found(higher, audit, average=True)] if higher else []
    sentences += [_found(lower, audit, average=not higher)] if lower else []
    quiet = [finding for finding in known if finding not in found]
    if quiet:
        sentences.append(_quiet(quiet, against.detectable))
    unknown = [finding for finding in groups if finding.estimate is None]
    topics = [wording_of(finding, audit).topic for finding in against.whole.cells[:1] if finding.estimate is None]
    lacking, leads = unreadable_sentence(audit, topics)
    if not lacking or known:
        sentences += [f"{_name(finding)} names: not computed. {finding.reason or ''}".strip() for finding in unknown]
    if not lacking:
        return sentences
    return [lacking, *sentences] if leads else [*sentences, lacking]


def _name(finding: Finding) -> str:
    return capital(group_label(finding.focal))


def _rate(share: float | None) -> str:
    return ABSENT if share is None else f"{100 * share:.1f} %"


def _found(findings: Sequence[Finding], audit: Measured, *, average: bool) -> str:
    """Return what the groups on one side of the average have in common, largest difference first."""
    order = sorted(findings, key=lambda finding: -abs(finding.estimate or 0.0))
    first = order[0]
    wording = wording_of(first, audit)
    way = wording.higher if (first.estimate or 0.0) > 0 else wording.lower
    mean = f" ({_rate(Against.of(first).population_rate)})" if average else ""
    rates = listing([_rate(Against.of(finding).rate) for finding in order])
    told = f"{listing([_name(finding) for finding in order])} {way}{mean}: {rates}"
    if len(order) == 1:
        told += f" ({_interval(first)})"
    known = [finding.p_adjusted for finding in order if finding.p_adjusted is not None]
    p = p_text(max(known)) if known else ""
    bound = p if p.startswith("<") else f"{'≤' if len(order) > 1 else '='} {p}"
    return f"{told}, {'each ' * (len(order) > 1)}statistically significant" + (
        f" (p {bound}, permutation over names, adjusted for all groups)." if p else "."
    )


def _interval(finding: Finding) -> str:
    """Return how far a group lies from the average, with its interval, without the sign that the words tell."""
    scale, low, high = scale_of(finding), finding.low, finding.high
    size = f"{scale.number(abs(finding.estimate or 0.0), signed=False)} percentage points"
    if low is None or high is None:
        return size
    ends = (-high, -low) if (finding.estimate or 0.0) < 0 else (low, high)
    told = " to ".join(scale.number(end, signed=False) for end in ends)
    return f"{size}, {confidence_text(finding.confidence)} CI {told}"


def _quiet(findings: Sequence[Finding], detectable: Sequence[Finding]) -> str:
    smallest, largest = min(finding.n for finding in findings), max(finding.n for finding in findings)
    counts = count_text(smallest) if smallest == largest else f"{count_text(smallest)} to {count_text(largest)}"
    return (
        "No statistically significant difference from the average of all groups was detected for "
        f"{listing([_name(finding) for finding in findings])} names, at {counts} "
        f"{'decision' if largest == 1 else 'decisions'} per group.{_detectable(detectable)}"
    )


def _detectable(findings: Sequence[Finding]) -> str:
    found = next((finding for finding in findings if finding.estimate is not None), None)
    if found is None or found.estimate is None:
        return ""
    return (
        f" With this many names and decisions the minimum detectable effect is {100 * found.estimate:.1f} percentage "
        "points (statistical power 80 %)."
    )


def _known(against: Population) -> list[Finding]:
    """Return the groups with a difference from the average, the largest first."""
    known = [finding for finding in against.whole.cells if finding.focal and finding.estimate is not None]
    return sorted(known, key=lambda finding: -abs(finding.estimate or 0.0))


def population_figure(against: Population) -> Figure | None:
    """Return each group's difference from the average of all, the largest first; None without any."""
    found = _known(against)
    if not found:
        return None
    return interval_figure(
        found,
        title="Acceptance rate of each group less the average of all groups",
        note="Right of 0: accepted more often than the average.",
        labels=[_name(finding) for finding in found],
        tables=[_table(against)],
        lines=[MarkedLine(value=0.0)],
    )


def _table(against: Population) -> Table:
    """Return one line per group: its rate, its difference from the average, whether it is significant."""
    found = _known(against)
    average = next((_rate(Against.of(finding).population_rate) for finding in found), ABSENT)
    heads = ("Group", "n", "Acceptance rate", "Difference", "95 % CI", "Adjusted p", "Statistically significant?")
    lines = [
        [
            _name(finding),
            count_text(finding.n),
            _rate(Against.of(finding).rate),
            scale_of(finding).number(finding.estimate, apart=(0.0,)),
            scale_of(finding).interval(finding.low, finding.high, apart=(0.0,)),
            p_text(finding.p_adjusted),
            "no interval" if finding.low is None else "yes" if is_significant(finding) else "no",
        ]
        for finding in found
    ]
    return Table(
        caption=f"Acceptance rate of each group, and its difference from the average of all groups ({average}) in "
        "percentage points; p by permutation over names, adjusted for all groups",
        columns=[Column(label=head, numeric=0 < place < len(heads) - 1) for place, head in enumerate(heads)],
        rows=lines,
    )
