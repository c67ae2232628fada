"""What an evaluation was asked, what it can't tell, and the words that its page uses."""

from typing import Final

from evenhand.report.impact.counted import asked_of_table
from evenhand.report.page.context import Definition
from evenhand.report.words.numbers import count_text, share_points
from evenhand.report.words.wording import in_words
from evenhand.tables.audit.applicants.evaluate import EvaluateAudit
from evenhand.tables.grouped.names import (
    ACCURACY,
    AUC,
    BRIER,
    DEMOGRAPHIC_PARITY,
    EQUAL_OPPORTUNITY,
    EQUALISED_ODDS,
    FNR,
    IMPACT_RATIO,
    LIPSCHITZ,
    PRECISION,
    TREATMENT_EQUALITY,
)

__all__ = ["evaluate_asked", "evaluate_definitions", "evaluate_limits"]

BEST: Final = "the group with the best value, in each measure"
_TERMS: Final = (
    (
        "",
        "Base rate",
        "The share of a group that has the outcome.",
    ),
    (
        AUC,
        "AUC",
        "How often somebody with the outcome has a higher score than somebody without it; .5 is a coin, 1 is without "
        "error. Its interval is DeLong's.",
    ),
    (
        ACCURACY,
        "Accuracy",
        "The share of those who have the outcome and were selected, or have it not and were not.",
    ),
    (
        FNR,
        "FNR, TPR",
        "The false negative rate is the share of those with the outcome who were not selected, the true positive rate "
        "the share who were.",
    ),
    (
        FNR,
        "FPR, TNR",
        "The false positive rate is the share of those without the outcome who were selected, the true negative rate "
        "the share who were not.",
    ),
    (
        PRECISION,
        "Precision, predictive parity",
        "The share of the selected who have the outcome; predictive parity is that it is the same in all groups.",
    ),
    (PRECISION, "F1", "The harmonic mean of precision and TPR."),
    (IMPACT_RATIO, "Impact ratio", "A group's selection rate divided by that of the group it is compared with."),
    (DEMOGRAPHIC_PARITY, "Demographic parity", "A group's selection rate over that of all people; 1 in all groups."),
    (EQUAL_OPPORTUNITY, "Equal opportunity", "A group's TPR over that of all people; 1 in all groups."),
    (EQUALISED_ODDS, "Equalised odds", "That TPR and FPR are the same in all groups; told is the larger difference."),
    (
        TREATMENT_EQUALITY,
        "Treatment equality",
        "False negatives per false positive: whom the errors of the score hurt. Equal in all groups where errors are "
        "balanced alike.",
    ),
    (
        BRIER,
        "Brier score",
        "The mean of (score − outcome)²; 0 is without error. Reliability is what miscalibration adds to it.",
    ),
    (
        BRIER,
        "Calibration intercept and slope",
        "Of the logistic regression of the outcome on the log odds of the score; 0 and 1 where scores are right.",
    ),
    (
        LIPSCHITZ,
        "Lipschitz quotient",
        "The difference of two people's scores over their distance; low where similar people get similar scores.",
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
        "The adjusted p is below .05. p tells how often groups without a difference would differ as much; the "
        "adjusted p also takes into account how many were compared. A high p is no evidence of equality.",
    ),
)


def evaluate_asked(audit: EvaluateAudit) -> list[Definition]:
    """Return what was evaluated, as pairs of a term and its value."""
    more = {} if "reference" in audit.parameters or not audit.attributes else {"Compared with": BEST}
    return asked_of_table(audit, more)


def evaluate_limits(audit: EvaluateAudit) -> list[str]:
    """Return what these data can't tell, that of this run first."""
    used = audit.accounting.rows_used or 0
    found = [
        f"The {in_words(attribute)} of {count_text(count)} {audit.whom} ({share_points(count, used)}) is not known. "
        "They are in no group of it."
        for attribute, count in audit.accounting.unknown.items()
        if count and used
    ]
    return [*found, *audit.limits]


def evaluate_definitions(measures: set[str]) -> list[Definition]:
    """Return the terms that the page uses; `measures` are those of the findings."""
    return [(term, told) for needed, term, told in _TERMS if needed in {"", *measures}]
