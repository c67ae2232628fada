"""Measures, groups and outcomes of an evaluation in words."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from evenhand.report.page.parts import Column, Table
from evenhand.report.words.numbers import ABSENT, POINTS, Scale, confidence_text, count_text, p_equals, p_text, scale_of
from evenhand.report.words.wording import in_words
from evenhand.tables.audit.applicants.evaluate import Decided
from evenhand.tables.audit.applicants.predictions import GroupGap
from evenhand.tables.finding import Finding
from evenhand.tables.grouped.names import (
    ACCURACY,
    AUC,
    BASE_RATE,
    BRIER,
    CALIBRATION_INTERCEPT,
    CALIBRATION_SLOPE,
    CHANGE,
    DEMOGRAPHIC_PARITY,
    DIFFERENCE,
    EQUAL_OPPORTUNITY,
    EQUALISED_ODDS,
    F1,
    FNR,
    FPR,
    IMPACT_RATIO,
    PRECISION,
    RATIO,
    SELECTION_RATE,
    TNR,
    TPR,
    TREATMENT_EQUALITY,
)

__all__ = [
    "CHANGES",
    "GAPS",
    "TITLES",
    "attributes_told",
    "by_columns",
    "detected",
    "differences_table",
    "gap_told",
    "group_told",
    "happened",
    "measure_told",
    "not_happened",
    "percent",
    "plain_scale",
    "selected_when",
    "size_told",
    "value_told",
    "values_table",
    "widest",
    "with_interval",
]

TITLES: Final[Mapping[str, str]] = {
    AUC: "AUC",
    BASE_RATE: "Base rate",
    SELECTION_RATE: "Selection rate",
    ACCURACY: "Accuracy",
    TPR: "TPR",
    TNR: "TNR",
    FPR: "FPR",
    FNR: "FNR",
    PRECISION: "Precision",
    F1: "F1",
    BRIER: "Brier score",
    CALIBRATION_INTERCEPT: "Calibration intercept",
    CALIBRATION_SLOPE: "Calibration slope",
    TREATMENT_EQUALITY: "Treatment equality (FN/FP)",
    DEMOGRAPHIC_PARITY: "Demographic parity",
    EQUAL_OPPORTUNITY: "Equal opportunity",
    EQUALISED_ODDS: "Equalised odds",
    IMPACT_RATIO: "Impact ratio",
    f"{RATIO}{TPR}": "TPR ratio",
    f"{RATIO}{FPR}": "FPR ratio",
    f"{RATIO}{PRECISION}": "Precision ratio (predictive parity)",
}
#: Measures that the opening tells of groups, in this order; others follow from them, or stand in the chapters.
GAPS: Final = (AUC, FNR, FPR, PRECISION, CALIBRATION_INTERCEPT)
#: … and of versions.
CHANGES: Final = (AUC, ACCURACY, FNR, FPR, PRECISION, BRIER)
_TEXTS: Final = frozenset({"Group", "Against", "Measure", "Note", "Pairs", "Slice", "Whose", "Four-fifths"})
_PERCENT: Final = Scale(factor=100, suffix=" %", decimals=1)


def percent(share: float | None) -> str:
    """Return a share in percent, a dash without one.

    >>> percent(0.2798), percent(None)
    ('28.0 %', '–')
    """
    return _PERCENT.text(share)


def happened(decided: Decided) -> str:
    """Return the outcome in words.

    >>> happened(Decided(label="stayed", positive=("yes",)))
    'stayed = yes'
    """
    return decided.happened or f"{decided.label} = {' or '.join(decided.positive)}"


def not_happened(decided: Decided) -> str:
    """Return what else there is, in words."""
    return decided.not_happened or f"{decided.label} other than {' or '.join(decided.positive)}"


def selected_when(decided: Decided) -> str:
    """Return who is selected, "" without a cut-off.

    >>> selected_when(Decided(score="fit", cutoff=0.5)), selected_when(Decided(score="rank", top=5))
    ('fit above 0.5', 'rank up to 5')
    """
    if decided.top is not None:
        return f"{decided.score} up to {decided.top:,}"
    if decided.cutoff is None:
        return ""
    return f"{decided.score} {'of at least' if decided.at_least else 'above'} {decided.cutoff:g}"


def group_told(group: Mapping[str, str]) -> str:
    """Return a group as it is spelt in the table, a dash without one."""
    return " × ".join(group.values()) or ABSENT


def attributes_told(attributes: Sequence[str]) -> str:
    """Return attributes in words.

    >>> attributes_told(("race", "age_group"))
    'race × age group'
    """
    return " × ".join(in_words(name) for name in attributes)


def value_told(finding: Finding | None) -> str:
    """Return an estimate with its unit, a dash without one."""
    return ABSENT if finding is None else scale_of(finding).text(finding.estimate, apart=_apart(finding))


def _apart(finding: Finding) -> tuple[float, ...]:
    return () if finding.null_value is None else (finding.null_value,)


def with_interval(finding: Finding | None) -> str:
    """Return an estimate and its interval in one cell."""
    if finding is None or finding.estimate is None:
        return ABSENT
    scale, apart = scale_of(finding), _apart(finding)
    low, high = (scale.number(end, apart=apart) for end in (finding.low, finding.high))
    ends = "" if finding.low is None else f" ({low} or above)" if finding.high is None else f" ({low} to {high})"
    return f"{scale.text(finding.estimate, apart=apart)}{ends}"


def plain_scale(finding: Finding) -> Scale:
    """Return the scale of the values that a difference is of."""
    return _PERCENT if finding.measured_in == "share" else Scale(decimals=3)


def gap_told(finding: Finding) -> tuple[str, str]:
    """Return the values of both groups, as a difference has them."""
    details, scale = GroupGap.of(finding), plain_scale(finding)
    return scale.text(details.value_focal), scale.text(details.value_reference)


def size_told(finding: Finding) -> str:
    """Return a difference with its interval and p, as it stands in brackets."""
    scale = POINTS if finding.measured_in == "share" else scale_of(finding)
    parts = [scale.text(finding.estimate, apart=(0.0,))]
    if finding.low is not None:
        parts.append(
            f"{confidence_text(finding.confidence)} CI {scale.interval(finding.low, finding.high, apart=(0.0,))}"
        )
    if finding.p_adjusted is not None:
        parts.append(f"adjusted p {p_equals(finding.p_adjusted)}")
    return ", ".join(parts)


def widest(findings: Iterable[Finding]) -> Finding | None:
    """Return the finding with the largest difference, None of none that is known."""
    known = [each for each in findings if each.estimate is not None]
    return max(known, key=lambda each: abs(each.estimate or 0.0), default=None)


def detected(findings: Iterable[Finding]) -> list[Finding]:
    """Return the differences that are statistically significant."""
    return [each for each in findings if each.verdict == "difference"]


def by_columns(caption: str, columns: Mapping[str, Sequence[str]], *, folded: bool = False) -> Table:
    """Return a table of columns by their headings, the first of which names the row; empty ones are left out."""
    first, *others = columns
    kept = {name: columns[name] for name in (first, *(each for each in others if set(columns[each]) - {ABSENT, ""}))}
    heads = [Column(label=name, numeric=place > 0 and name not in _TEXTS) for place, name in enumerate(kept)]
    return Table(caption=caption, columns=heads, rows=list(zip(*kept.values(), strict=True)), folded=folded)


def values_table(
    caption: str, rows: Mapping[str, Mapping[str, Finding]], measures: Sequence[str], *, first: str = "Group"
) -> Table:
    """Return measures with their intervals, a line per group or slice: its findings by measure."""
    return by_columns(
        caption,
        {
            first: list(rows),
            **{TITLES[name]: [with_interval(own.get(name)) for own in rows.values()] for name in measures},
        },
    )


def differences_table(
    caption: str, findings: Sequence[Finding], *, more: Mapping[str, Sequence[str]] | None = None
) -> Table:
    """Return a line per difference of two groups; `more` are columns behind the measure."""
    values = [gap_told(each) for each in findings]
    return by_columns(
        caption,
        {
            "Measure": [measure_told(each) for each in findings],
            **(more or {}),
            "Group": [group_told(each.focal) for each in findings],
            "Against": [group_told(each.reference) for each in findings],
            "Values": [
                ABSENT if each.estimate is None else " / ".join(pair)
                for each, pair in zip(findings, values, strict=True)
            ],
            "Difference": [value_told(each) for each in findings],
            "95 % CI": [scale_of(each).interval(each.low, each.high, apart=(0.0,)) for each in findings],
            "n": [count_text(each.n) for each in findings],
            "p, adjusted": [p_text(each.p_adjusted) for each in findings],
            "Note": [each.reason or "" for each in findings],
        },
    )


def measure_told(finding: Finding) -> str:
    """Return what a finding measures, without that it is a difference."""
    name = finding.measure
    for begins in (DIFFERENCE, CHANGE):
        name = name.removeprefix(begins)
    return TITLES.get(name, in_words(name))
