"""The mixed logistic model: odds ratios of groups, and how far names and roles differ."""

from collections.abc import Sequence

from evenhand.report.page.parts import Part, Section, Table, estimate_table
from evenhand.report.words.numbers import ABSENT, Scale, count_text, scale_of
from evenhand.report.words.wording import capital, group_label
from evenhand.tables.details import FittedOdds, MixedOdds, MixedSpread
from evenhand.tables.finding import Finding
from evenhand.tables.grouped.probe import ProbeGroups

__all__ = ["mixed_section"]

READING = (
    "An odds ratio above 1 says that the odds of being accepted are higher than the mean of all groups (the geometric "
    "mean of their odds), below 1 that they are lower: in one and the same role, for a middling name of its group. "
    "Names differ within a group, and roles in how often anybody is accepted; the model takes both for random draws. "
    "The test that decides is the permutation over names above. This model says how large an effect is."
)
BESIDE = (
    "Beside it stands a regression without random names, whose interval assumes nothing about how names differ. Its "
    "ratios lie a little nearer to 1; if it disagrees otherwise, believe neither."
)
#: Pearson's χ² per degree of freedom from which names and roles are said to interact.
UNEVEN = 1.2


def mixed_section(groups: ProbeGroups) -> Section | None:
    """Return the model's two tables; None where it was not asked for."""
    ratios, spreads = groups.mixed_odds, groups.mixed_spreads
    if not ratios:
        return None
    parts = [Part(text=[_fitted(ratios[0]), BESIDE], tables=[_ratios(ratios)])]
    if spreads:
        parts.append(
            Part(heading="How far names and roles differ", text=_uneven(ratios[0]), tables=[_spreads(spreads)])
        )
    return Section(name="mixed", heading="Mixed logistic model", text=[READING], parts=parts)


def _fitted(finding: Finding) -> str:
    formula, cells = MixedOdds.of(finding).formula or "", MixedOdds.of(finding).cells or 0
    if finding.estimate is None:
        return f"No model could be fitted to {count_text(finding.n)} decisions. {finding.reason}"
    return f"Fitted: {formula}, to {count_text(finding.n)} decisions in {count_text(cells)} cells of name and role."


def _ratios(findings: Sequence[Finding]) -> Table:
    labels = [capital(group_label(finding.focal)) for finding in findings]
    beside = []
    for finding in findings:
        estimate = FittedOdds.of(finding).odds_ratio_without_random_effects
        other = finding.alternatives[0] if finding.alternatives else None
        if estimate is None or other is None:
            beside.append(ABSENT)
        else:
            scale = scale_of(finding)
            beside.append(f"{scale.text(estimate, apart=[1.0])} ({scale.interval(other.low, other.high, apart=[1.0])})")
    return estimate_table(
        findings,
        caption="Odds of acceptance over the mean of all groups",
        first="Group",
        labels=labels,
        extra={"Without random names": beside},
        without={"n", "Clusters"},
    )


def _uneven(finding: Finding) -> list[str]:
    dispersion = MixedOdds.of(finding).dispersion
    text = ["Standard deviations of the log odds, with the odds ratio of a name or role one SD above the middle."]
    if dispersion is not None and dispersion >= UNEVEN:
        text.append(
            f"Counts vary {Scale(decimals=1).number(dispersion)} times as much as the model expects: names fare "
            "differently in different roles, or e-mails of one name and role hang together. The SD of names takes part "
            "of that up and its interval is too narrow; the odds ratios of groups are not touched by it as long as all "
            "names were put to the same roles."
        )
    return text


def _spreads(findings: Sequence[Finding]) -> Table:
    labels = [f"{capital(MixedSpread.of(finding).factor or finding.name)}s" for finding in findings]
    ratios = [Scale(decimals=2).number(MixedSpread.of(finding).odds_ratio_of_one_sd) for finding in findings]
    return estimate_table(
        findings,
        caption="Standard deviation of the random effects, in log odds",
        first="Effect",
        labels=labels,
        extra={"Odds ratio of one SD": ratios},
    )
