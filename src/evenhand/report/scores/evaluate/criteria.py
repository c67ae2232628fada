"""Criteria that cannot hold together, in words and with the numbers of the table."""

from evenhand.report.page.parts import Part, Section
from evenhand.report.scores.evaluate.told import by_columns, happened, percent
from evenhand.report.words.numbers import ABSENT, Scale
from evenhand.report.words.wording import in_words, sentence_case
from evenhand.tables.audit.applicants.evaluate import Decided, EvaluateAudit, Tension

__all__ = ["criteria_section", "impossible"]

_SCORE = Scale(decimals=3)


def impossible(tension: Tension, decided: Decided) -> str:
    """Return that criteria cannot hold together here, in one or two sentences."""
    start = (
        f"{percent(tension.base_rate)} ({tension.group}) and {percent(tension.base_rate_reference)} "
        f"({tension.reference}) have {happened(decided)}. At different base rates a score that selects some rightly "
        "and some wrongly cannot have the same precision, FPR and FNR in both groups"
    )
    parts = [
        f"{sentence_case(name)} {percent(mine)} against {percent(theirs)}"
        for name, mine, theirs in _pairs(tension)
        if mine is not None and theirs is not None
    ]
    here = f"; here: {', '.join(parts)}" if parts else ""
    return f"{start}{here}."


def _pairs(tension: Tension) -> list[tuple[str, float | None, float | None]]:
    return [
        ("Precision", tension.precision, tension.precision_reference),
        ("FPR", tension.fpr, tension.fpr_reference),
        ("FNR", tension.fnr, tension.fnr_reference),
    ]


def criteria_section(audit: EvaluateAudit) -> Section | None:
    """Return the chapter; None where base rates are not known to differ."""
    if not audit.tensions:
        return None
    return Section(
        name="criteria",
        heading="Criteria that cannot hold together",
        text=[
            "Three things are often asked of a score: that it means the same in every group (equal precision, or "
            "calibration), that it misses as many of every group (equal FNR), and that it selects as many wrongly "
            "(equal FPR). Where more of one group have the outcome than of the other, no score can do all three, "
            "unless it selects nobody wrongly or nobody rightly (Chouldechova 2017; Kleinberg, Mullainathan and "
            "Raghavan 2017). Which of them matters most is a decision about people; no statistic takes it.",
        ],
        parts=[_part(each, audit.decided) for each in audit.tensions],
    )


def _part(tension: Tension, decided: Decided) -> Part:
    group, reference = tension.group, tension.reference
    text = [
        f"{percent(tension.base_rate)} ({group}) and {percent(tension.base_rate_reference)} ({reference}) have "
        f"{happened(decided)}. No two groups of 30 people or more differ more surely."
    ]
    if tension.fpr_if_equal is not None and tension.fpr_reference is not None:
        limit = " More than 100 % says that it is not possible at all." if tension.fpr_if_equal > 1 else ""
        text.append(
            f"With the precision ({percent(tension.precision_reference)}) and the FNR "
            f"({percent(tension.fnr_reference)}) of {reference}, the FPR of {group} would have to be "
            f"{percent(tension.fpr_if_equal)}, not the {percent(tension.fpr_reference)} of {reference}: that follows "
            f"from the base rates alone.{limit}"
        )
    means = (tension.mean_score_positive, tension.mean_score_positive_reference)
    if all(each is not None for each in means):
        text.append(
            "Nor can a calibrated score have equal means in both groups, among those with the outcome and among those "
            "without it, unless it is always 0 or 1."
        )
    rows = [("Base rate", tension.base_rate, tension.base_rate_reference), *_pairs(tension)]
    cells = [(name, percent(mine), percent(theirs)) for name, mine, theirs in rows]
    cells += [
        (name, _SCORE.number(mine), _SCORE.number(theirs))
        for name, mine, theirs in (
            ("Mean score with the outcome", tension.mean_score_positive, tension.mean_score_positive_reference),
            ("Mean score without it", tension.mean_score_negative, tension.mean_score_negative_reference),
        )
    ]
    cells = [row for row in cells if row[1] != ABSENT or row[2] != ABSENT]
    columns = {
        "Measure": [row[0] for row in cells],
        group: [row[1] for row in cells],
        reference: [row[2] for row in cells],
    }
    return Part(
        heading=f"By {in_words(tension.attribute)}: {group} and {reference}",
        text=text,
        tables=[by_columns("What holds here, and what does not", columns)],
    )
