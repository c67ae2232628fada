"""Words and tables of an evaluation: measures, groups and outcomes, its set-up, limits and terms."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Final

from evenhand.report.impact.context import table_parameter_rows
from evenhand.report.page.contents import Definition
from evenhand.report.page.parts import CI, Table, columns_of, table_of
from evenhand.report.words import numbers, results
from evenhand.results import measures as results_measures
from evenhand.results.finding import Finding
from evenhand.results.score_audit import Decided, EvaluateAudit, GroupGap

TITLES: Final[Mapping[str, str]] = {
    results_measures.AUC: "AUC",
    results_measures.BASE_RATE: "Base rate",
    results_measures.SELECTION_RATE: "Selection rate",
    results_measures.ACCURACY: "Accuracy",
    results_measures.TPR: "TPR",
    results_measures.TNR: "TNR",
    results_measures.FPR: "FPR",
    results_measures.FNR: "FNR",
    results_measures.PRECISION: "Precision",
    results_measures.F1: "F1",
    results_measures.BRIER: "Brier score",
    results_measures.CALIBRATION_INTERCEPT: "Calibration intercept",
    results_measures.CALIBRATION_SLOPE: "Calibration slope",
    results_measures.TREATMENT_EQUALITY: "Treatment equality (FN/FP)",
    results_measures.DEMOGRAPHIC_PARITY: "Demographic parity",
    results_measures.EQUAL_OPPORTUNITY: "Equal opportunity",
    results_measures.EQUALISED_ODDS: "Equalised odds",
    results_measures.IMPACT_RATIO: "Impact ratio",
    f"{results_measures.RATIO}{results_measures.TPR}": "TPR ratio",
    f"{results_measures.RATIO}{results_measures.FPR}": "FPR ratio",
    f"{results_measures.RATIO}{results_measures.PRECISION}": "Precision ratio (predictive parity)",
}
#: Measures on the first screen, of groups and of versions: those whose comparisons are planned. Others follow from
#: them, or are in the sections.
FIRST: Final = (
    results_measures.AUC,
    results_measures.SELECTION_RATE,
    results_measures.FNR,
    results_measures.FPR,
)


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


def group_text(group: Mapping[str, str]) -> str:
    """Return a group as it is spelt in the table, a dash without one."""
    return " × ".join(group.values()) or numbers.ABSENT


def attributes_text(attributes: Sequence[str]) -> str:
    """Return attributes in words.

    >>> attributes_text(("race", "age_group"))
    'race × age group'
    """
    return " × ".join(results.in_words(name) for name in attributes)


def plain_scale(finding: Finding) -> numbers.Scale:
    """Return the scale of the values that a difference is of."""
    return numbers.PERCENT if finding.measured_in == "share" else numbers.PLAIN


def gap_texts(finding: Finding) -> tuple[str, str]:
    """Return the values of both groups, as a difference has them."""
    details, scale = GroupGap.of(finding), plain_scale(finding)
    return scale.text(details.value_focal), scale.text(details.value_reference)


def difference_text(finding: Finding) -> str:
    """Return a difference with its interval and p."""
    scale = numbers.POINTS if finding.measured_in == "share" else numbers.scale_of(finding)
    parts = [scale.text(finding.estimate, apart=(0.0,))]
    level = numbers.confidence_text(finding.confidence)
    if finding.low is not None:
        parts.append(f"{level} CI {scale.interval(finding.low, finding.high, apart=(0.0,))}")
    elif finding.estimate is not None and finding.reason is not None:
        parts.append(f"without a {level} CI ({results.sentence_case(finding.reason.rstrip('.'))})")
    return ", ".join([*parts, *judged_by(finding)])


def judged_by(finding: Finding) -> list[str]:
    """Return the p of a finding's claim, alone and corrected, and why it disagrees with the interval where it does."""
    claim = finding.claim
    if claim is None or claim.p is None:
        return []
    return [text for text in (results.corrected_p(claim), results.why_not(finding)) if text]


def widest(findings: Iterable[Finding]) -> Finding | None:
    """Return the finding with the largest difference, None of none that is known."""
    known = [finding for finding in findings if finding.estimate is not None]
    return max(known, key=lambda finding: abs(finding.estimate or 0.0), default=None)


def detected(findings: Iterable[Finding]) -> list[Finding]:
    """Return the differences that are statistically significant."""
    return [finding for finding in findings if finding.verdict == "difference"]


def values_table(
    caption: str, rows: Mapping[str, Mapping[str, Finding]], measures: Sequence[str], *, first: str = "Group"
) -> Table:
    """Return measures with their intervals, a line per group or slice: its findings by measure."""
    columns = {TITLES[name]: lambda label, name=name: results.with_interval(rows[label].get(name)) for name in measures}
    return table_of(rows, {first: str, **columns}, caption=caption)


def differences_table(
    caption: str, findings: Sequence[Finding], *, more: Mapping[str, Callable[[Finding], str]] | None = None
) -> Table:
    """Return a line per difference of two groups; `more` are columns behind the measure."""
    return table_of(
        findings,
        {
            "Measure": measure_text,
            **(more or {}),
            "Group": lambda finding: group_text(finding.focal),
            "Against": lambda finding: group_text(finding.reference),
            "Values": lambda finding: numbers.ABSENT if finding.estimate is None else " / ".join(gap_texts(finding)),
            "Difference": results.estimate_text,
            **columns_of(findings, CI, "n", "p, adjusted"),
            "Note": note_of,
        },
        caption=caption,
    )


def note_of(finding: Finding) -> str:
    """Return why something isn't known, or interval and verdict disagree, and what few clusters allow to find."""
    _, _, why = results.verdict_cell(finding).partition(", ")
    parts = (
        finding.reason,
        why if why.startswith("p ") else why and results.capital(f"{why}."),
        finding.claim and finding.claim.caution,
    )
    return " ".join(str(part) for part in parts if part)


def measure_text(finding: Finding) -> str:
    """Return what a finding measures, without that it is a difference."""
    name = finding.measure
    for begins in (results_measures.DIFFERENCE, results_measures.CHANGE):
        name = name.removeprefix(begins)
    return TITLES.get(name, results.in_words(name))


BEST: Final = "the group with the best value, in each measure"
_TERMS: Final = (
    (
        "",
        "Base rate",
        "The share of a group that has the outcome.",
    ),
    (
        results_measures.AUC,
        "AUC",
        "The probability that a person with the outcome has a higher score than a person without it; 0.5 is chance, 1 "
        "is without error. Its interval is DeLong's.",
    ),
    (
        results_measures.ACCURACY,
        "Accuracy",
        "The share of people who have the outcome and were selected, or do not have it and were not.",
    ),
    (
        results_measures.FNR,
        "FNR, TPR",
        "The false negative rate is the share of those with the outcome who were not selected, the true positive rate "
        "the share who were.",
    ),
    (
        results_measures.FNR,
        "FPR, TNR",
        "The false positive rate is the share of those without the outcome who were selected, the true negative rate "
        "the share who were not.",
    ),
    (
        results_measures.PRECISION,
        "Precision, predictive parity",
        "The share of the selected who have the outcome; predictive parity is that it is the same in all groups.",
    ),
    (results_measures.PRECISION, "F1", "The harmonic mean of precision and TPR."),
    (
        results_measures.IMPACT_RATIO,
        "Impact ratio",
        "A group's selection rate divided by that of the group it is compared with.",
    ),
    (
        results_measures.DEMOGRAPHIC_PARITY,
        "Demographic parity",
        "A group's selection rate over that of all people; 1 in all groups.",
    ),
    (
        results_measures.EQUAL_OPPORTUNITY,
        "Equal opportunity",
        "A group's TPR over that of all people; 1 in all groups.",
    ),
    (
        results_measures.EQUALISED_ODDS,
        "Equalised odds",
        "TPR and FPR are the same in all groups; the value is the larger of the two differences.",
    ),
    (
        results_measures.TREATMENT_EQUALITY,
        "Treatment equality",
        "False negatives per false positive: which group the errors of the score hurt. It is equal where all groups "
        "have the same balance of errors.",
    ),
    (
        results_measures.BRIER,
        "Brier score",
        "The mean of (score − outcome)²; 0 is without error. Reliability is what miscalibration adds to it.",
    ),
    (
        results_measures.BRIER,
        "Calibration intercept and slope",
        "Of a logistic regression of the outcome on the log odds of the score; 0 and 1 for a calibrated score.",
    ),
    (
        results_measures.LIPSCHITZ,
        "Lipschitz quotient",
        "The largest ratio of all similar pairs: the difference of their scores divided by their distance.",
    ),
    (
        "",
        "Confidence interval (CI)",
        "The values that are compatible with the data. A 95 % CI is made by a method that catches the true value in "
        "95 of 100 repetitions.",
    ),
    (
        "",
        "Statistically significant",
        "The adjusted p is below 0.05. p is the probability of a difference at least as large if there were none; "
        "the adjusted p also accounts for the number of comparisons: AUC, selection rate, TPR and FPR by each "
        "attribute and of all people by version, and similar people across groups, are planned, and corrected together "
        "by Holm's method; other measures each on their own (Benjamini-Hochberg). A high p is not evidence of "
        "equality.",
    ),
)


def evaluate_parameter_rows(audit: EvaluateAudit) -> list[Definition]:
    """Return the set-up, as pairs of a term and its value."""
    more = {} if references_of(audit) or not audit.attributes else {"Compared with": BEST}
    return table_parameter_rows(audit, more)


def references_of(audit: EvaluateAudit) -> Sequence[object]:
    """Return the options that say whom groups are compared with."""
    given = audit.parameters.get("references", ())
    return given if isinstance(given, list | tuple) else (given,)


def evaluate_limits(audit: EvaluateAudit) -> list[str]:
    """Return the limits of these data, those of this run first."""
    used = audit.accounting.rows_used or 0
    limits = [
        f"The {results.in_words(attribute)} of {numbers.count_text(count)} {audit.whom} "
        f"({numbers.percent_text(count / used)}) is not known. No group contains them."
        for attribute, count in audit.accounting.unknown.items()
        if count and used
    ]
    return [*limits, *audit.limits]


def evaluate_definitions(measures: set[str]) -> list[Definition]:
    """Return the terms that the page uses; `measures` are those of the findings."""
    return [(term, meaning) for needed, term, meaning in _TERMS if needed in {"", *measures}]
