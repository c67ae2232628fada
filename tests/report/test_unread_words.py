"""What a page says of unread answers that are taken either way."""

import pytest

from evenhand.report.probe.unread import bounds_sentences
from evenhand.results.audit import ProbeAudit
from evenhand.results.finding import Finding, UnreadBounds
from evenhand.results.probe_groups import Bounded

AUDIT = ProbeAudit(subject="names")
MEN_AND_WOMEN = {"focal": {"gender": "male"}, "reference": {"gender": "female"}}
FIRST = {"focal": {"gender": "male"}, "null_value": 0.5}
YES, NO = "difference", "no_difference_detected"


def bounded(low, high, verdicts, *, unread=14, measured_in="share", **about):
    """Return a comparison whose ends have these values, and these verdicts: as measured, lowest, highest."""
    common = {"role": "descriptive", "n": 100, "clusters": {}, "method": "", "measured_in": measured_in, **about}
    common.setdefault("null_value", 0.0)
    own, lowest, highest = verdicts
    details = UnreadBounds(comparison="x", unread=unread, verdict=own, verdict_low=lowest, verdict_high=highest)
    return Bounded(
        headline=Finding(name="x", measure="x", estimate=(low + high) / 2, **common),
        bounds=Finding(name="b", measure="b", estimate=None, low=low, high=high, details=details, **common),
    )


@pytest.mark.parametrize(
    ("row", "sentence"),
    [
        (
            bounded(-0.031, 0.004, (NO, NO, NO), **MEN_AND_WOMEN),
            "If all 14 unread answers were read against female names, the difference would be +0.4 points; against "
            "male names, \u22123.1 points. Its direction depends on them.",
        ),
        (
            bounded(0.031, 0.104, (YES, NO, YES), **MEN_AND_WOMEN),
            "If all 14 unread answers were read against female names, the difference would be +10.4 points; against "
            "male names, +3.1 points. Whether it is statistically significant depends on them.",
        ),
        (
            bounded(1.0, 2.0, (YES, YES, YES), measured_in="points", unread=1, **MEN_AND_WOMEN),
            "If the one unread answer had the lowest score under female names and the highest under male names, the "
            "difference would be +2.00 points; the other way round, +1.00 points.",
        ),
        (
            bounded(0.49, 0.52, (NO, NO, YES), unread=3, **FIRST),
            "If a male candidate came first in all 3 unread answers, the share would be 52.0 %; if in none of them, "
            "49.0 %. Its direction and whether it is statistically significant depend on them.",
        ),
        (
            bounded(0.0, 0.02, (NO, NO, NO), focal={"gender": "male"}, reference={"population": "all"}),
            "If all 14 unread answers were read against all other names, the difference would be +2.0 points; against "
            "male names, 0.0 points.",
        ),
    ],
)
def test_one_comparison_is_given_at_both_ends_with_what_depends_on_them(row, sentence):
    assert bounds_sentences([row], AUDIT) == [sentence]


def test_of_several_comparisons_those_that_could_turn_out_otherwise_are_counted():
    steady, turning = bounded(0.01, 0.02, (YES, YES, YES)), bounded(-0.01, 0.02, (NO, NO, YES))
    start = "If the 14 unread answers were taken either way, "
    assert bounds_sentences([steady, steady], AUDIT) == [
        f"{start}each of the 2 differences with them would keep its direction and significance at both ends."
    ]
    assert bounds_sentences([steady, turning, steady], AUDIT) == [
        f"{start}the direction of 1 and the significance of 1 of the 3 differences with them could change."
    ]
    assert bounds_sentences([], AUDIT) == []
