"""Individual fairness: how often similar people are decided differently."""

from evenhand.report.page.parts import Part, Section
from evenhand.report.scores.evaluate.told import by_columns, with_interval
from evenhand.report.words.numbers import count_text, counted
from evenhand.report.words.wording import in_words, listing
from evenhand.tables.audit.applicants.evaluate import EvaluateAudit
from evenhand.tables.audit.applicants.predictions import SimilarDecisions
from evenhand.tables.grouped.evaluate import EvaluateGroups

__all__ = ["similar_section"]


def similar_section(groups: EvaluateGroups, audit: EvaluateAudit) -> Section | None:
    """Return how often similar people are decided differently."""
    if not groups.similar:
        return None
    asked = audit.similar
    rows = groups.similar
    details = [SimilarDecisions.of(each) for each in rows]
    drawn = f", drawn from {count_text(asked.of)}" if asked.of > asked.people else ""
    left = (
        f" {counted(asked.incomplete, 'row')} without one of these columns {'is' if asked.incomplete == 1 else 'are'} "
        "left out."
        if asked.incomplete
        else ""
    )
    text = [
        f"Similar are two people whose {listing([in_words(name) for name in asked.columns])} lie apart by "
        f"{asked.within:g} at most, the mean of the differences as shares of each column's range; "
        f"{counted(asked.people, 'person', 'people')}{drawn}.{left} Whether these columns are what should make people "
        "alike, no statistic tells."
    ]
    quotient = groups.quotient
    if quotient is not None and quotient.estimate is not None:
        largest = SimilarDecisions.of(quotient).largest_quotient
        told = f", the largest by {largest:.3g}" if largest is not None else ""
        text.append(
            f"Lipschitz quotient: per unit of distance, 95 % of close pairs differ by at most {quotient.estimate:.3g} "
            f"in score{told}."
        )
    identical = details[0].identical or 0
    if identical:
        apart = details[0].identical_apart or 0
        text.append(
            f"{count_text(identical)} pairs are alike in all these columns; {count_text(apart)} of them have "
            "different scores."
        )
    columns = {
        "Pairs": [
            "all close pairs" if d.attribute is None else f"of different {in_words(d.attribute)}" for d in details
        ],
        "Decided differently": [with_interval(each) for each in rows],
        "How many": [
            f"{count_text(d.different)} of {count_text(d.pairs)}" if each.estimate is not None else count_text(d.pairs)
            for each, d in zip(rows, details, strict=True)
        ],
        "Note": [each.reason or "" for each in rows],
    }
    return Section(
        name="similar", heading="Similar people", text=text, parts=[Part(tables=[by_columns("Close pairs", columns)])]
    )
