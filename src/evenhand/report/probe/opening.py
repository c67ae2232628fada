"""The result: one sentence per headline finding, and how many answers carry no decision."""

from collections.abc import Mapping, Sequence

from evenhand.report.words.numbers import count_text
from evenhand.report.words.wording import both_groups, listing, measure_label, quantity, result_sentence, sentence_case
from evenhand.tables.audit.measured import Measured
from evenhand.tables.finding import Finding

__all__ = ["NOTED_SHARE", "opening_sentences"]

#: From this share of answers without a decision on, the opening says how many there are.
NOTED_SHARE = 0.05

OBSERVED = "observed"

# Every answer of the run went this way: 'All 200 answers …'.
ALL_WERE = {
    "refused": "declined the task",
    "undetected": "state no decision that could be read",
    "ambiguous": "state both decisions",
    "truncated": "were cut off before a decision",
    "error": "never came, because the requests failed",
    "missing": "are missing",
}


def opening_sentences(headline: Sequence[Finding], audit: Measured) -> list[str]:
    """Return what the run says; many answers without a decision are told, a majority first."""
    counts = _counts(audit)
    asked, lacking = sum(counts.values()), sum(n for status, n in counts.items() if status != OBSERVED)
    if headline and asked and lacking == asked:
        measures = " or ".join(_topic(row, audit) for row in headline if row.estimate is None)
        # The same reason behind every measure would only repeat this.
        known = [result_sentence(row, audit) for row in headline if row.estimate is not None]
        return [_nothing(counts, asked, measures), *known]
    sentences = [result_sentence(row, audit) for row in headline]
    if not headline or not asked or lacking <= NOTED_SHARE * asked:
        return sentences
    lead = 2 * lacking >= asked
    return [_some(counts, asked, lacking), *sentences] if lead else [*sentences, _some(counts, asked, lacking)]


def _topic(finding: Finding, audit: Measured) -> str:
    """Return what a headline measure is about, within a sentence."""
    if not finding.reference or finding.measure in audit.labels:
        return f"the {sentence_case(measure_label(finding, audit))}"
    return f"the difference in {quantity(finding, audit)} between {both_groups(finding, audit)}"


def _counts(audit: Measured) -> dict[str, int]:
    return {status: n for status, n in audit.statuses.items() if n > 0}


def _nothing(counts: Mapping[str, int], asked: int, measures: str) -> str:
    about = f"nothing can be said about {measures}" if measures else "nothing can be said"
    of = f"{count_text(asked)} of {count_text(asked)} answers"
    if len(counts) == 1:
        (status,) = counts
        return f"{of} {ALL_WERE.get(status, f'carry no decision ({status})')}, so {about}."
    return f"{of} carry no decision ({_kinds(counts)}), so {about}."


def _some(counts: Mapping[str, int], asked: int, lacking: int) -> str:
    share = f"{100 * lacking / asked:.1f} %"
    return (
        f"{count_text(lacking)} of {count_text(asked)} answers ({share}) carry no decision: {_kinds(counts)}. "
        f"The rates rest on the other {count_text(asked - lacking)}."
    )


def _kinds(counts: Mapping[str, int]) -> str:
    kinds = sorted(((n, status) for status, n in counts.items() if status != OBSERVED), key=lambda kind: -kind[0])
    return listing([f"{count_text(n)} {status}" for n, status in kinds])
