"""Confidence sequences: by hand, by a loop from the formula, and by how often they hold the truth."""

from math import log, sqrt

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evenhand.stats import MeanSequence


def mean_sequence(values, **options):
    sequence = MeanSequence(**options)
    sequence.add(values)
    return sequence.interval()


def by_the_formula(values, *, confidence, width=None, horizon=None):
    """Return low and high on [0, 1], term by term as theorem 2 has it."""
    evidence = log(2 / (1 - confidence))
    mean, variance, total, squares = 0.5, 0.25, 0.0, 0.25
    bets = weighted = spent = 0.0
    for time, x in enumerate(values, 1):
        if width is None:
            bet = min(0.5, sqrt(2 * evidence / (variance * time * log(1 + time))))
        else:
            half = width / 2 if horizon is None else max(width / 2, sqrt(2 * evidence * variance / horizon))
            bet = half / (half + variance)
        spent += 4 * (x - mean) ** 2 * (-log(1 - bet) - bet) / 4  # v and psi of the reference
        bets += bet
        weighted += bet * x
        total += x
        mean = (0.5 + total) / (time + 1)
        squares += (x - mean) ** 2
        variance = squares / (time + 1)
    radius = (evidence + spent) / bets
    return max(0.0, weighted / bets - radius), min(1.0, weighted / bets + radius)


def test_values_that_are_all_one_half_by_hand():
    found = mean_sequence([0.5] * 200)
    # No value is off the mean before it, so nothing is spent, and every bet is 1/2: log(2/.05) / 100.
    assert found.high - 0.5 == pytest.approx(3.6888794541139363 / 100, rel=1e-12)
    assert (found.estimate, found.n, found.confidence) == (pytest.approx(0.5), 200, 0.95)


def test_the_first_bet_towards_a_width_by_hand():
    # v = 1/4 and h = 0.05, so the bet is 0.05 / 0.3 = 1/6; the value 1 is 1/2 off the mean before it.
    spent = 0.25 * (-log(1 - 1 / 6) - 1 / 6)
    sequence = MeanSequence(lowest=-100, highest=100, width=20)
    sequence.add([100])
    assert sequence._bets == pytest.approx(1 / 6)
    assert sequence._spent == pytest.approx(spent)


@pytest.mark.parametrize(
    "options", [{}, {"width": 0.1}, {"width": 0.1, "horizon": 50}, {"width": 0.002, "horizon": 300}]
)
@pytest.mark.parametrize("confidence", [0.9, 0.95])
def test_vectors_and_the_loop_agree(options, confidence):
    values = np.random.default_rng(0).beta(2, 5, size=300)
    found = mean_sequence(values, confidence=confidence, **options)
    assert (found.low, found.high) == pytest.approx(by_the_formula(values, confidence=confidence, **options), rel=1e-12)


@given(st.lists(st.floats(0, 1), min_size=1, max_size=40), st.integers(1, 10))
def test_values_may_come_in_any_pieces(values, size):
    pieces = MeanSequence(width=0.2, horizon=30)
    for start in range(0, len(values), size):
        pieces.add(values[start : start + size])
    whole = mean_sequence(values, width=0.2, horizon=30)
    assert (pieces.interval().low, pieces.interval().high) == pytest.approx(
        (whole.low, whole.high), rel=1e-9, abs=1e-12
    )


def test_the_scale_of_the_values_is_that_of_the_interval():
    values = np.random.default_rng(1).random(400)
    unit = mean_sequence(values, width=0.1)
    scaled = mean_sequence(10 * values - 3, lowest=-3, highest=7, width=1.0)
    assert (scaled.low, scaled.high) == pytest.approx((10 * unit.low - 3, 10 * unit.high - 3))


def test_without_values_there_is_a_reason_and_no_interval():
    found = mean_sequence([])
    assert (found.estimate, found.low, found.high, found.width, found.n) == (None, None, None, None, 0)
    assert found.reason


@pytest.mark.parametrize(
    "options", [{"lowest": 1, "highest": 0}, {"confidence": 1.0}, {"width": 0.0}, {"width": 0.1, "horizon": 0}]
)
def test_settings_that_make_no_sense_are_refused(options):
    with pytest.raises(ValueError, match="no "):
        MeanSequence(**options)


def test_a_value_out_of_bounds_is_refused():
    with pytest.raises(ValueError, match="out of bounds"):
        mean_sequence([0.5, 1.2])


#: Acceptance rates of a focal and a reference group.
RATES = ((0.5, 0.5), (0.9, 0.8), (0.05, 0.02), (0.7, 0.1))
LOOK = 100


def held_at_all_looks(draw, *, runs, answers, width):
    """Return in which share of runs the truth was held at every look, and at the look that stopped the run.

    `draw(rng)` gives the differences of a run, and their mean in truth. A look comes after
    every 100 answers: 50 pairs.
    """
    always = stopped = 0
    for run in range(runs):
        differences, truth = draw(np.random.default_rng([run, 17]))
        sequence = MeanSequence(lowest=-1, highest=1, width=width, horizon=answers // 2)
        at_all, at_stop = True, None
        for start in range(0, answers // 2, LOOK // 2):
            sequence.add(differences[start : start + LOOK // 2])
            found = sequence.interval()
            holds = found.low <= truth <= found.high
            at_all = at_all and holds
            if at_stop is None and found.width <= width:
                at_stop = holds
        always += at_all
        stopped += holds if at_stop is None else at_stop
    return always / runs, stopped / runs


def with_replacement(p, q, pairs):
    def draw(rng):
        return (rng.random(pairs) < p).astype(float) - (rng.random(pairs) < q), p - q

    return draw


def without_replacement(p, q, pairs):
    """Return draws of a whole finite design, whose answers are fixed, in random order."""
    sides = [np.arange(pairs) < round(rate * pairs) for rate in (p, q)]

    def draw(rng):
        focal, reference = (rng.permutation(side).astype(float) for side in sides)
        return focal - reference, float(sides[0].mean() - sides[1].mean())

    return draw


@pytest.mark.parametrize("design", [with_replacement, without_replacement])
def test_the_truth_is_held_at_all_looks_of_150_runs(design):
    always, stopped = held_at_all_looks(design(0.6, 0.5, 1000), runs=150, answers=2000, width=0.15)
    assert always >= 0.95
    assert stopped >= 0.95


def test_an_interval_for_a_fixed_sample_would_not_be_held_at_all_looks():
    # The same looks with 1.96 standard errors: why a sequence is needed at all.
    missed = 0
    for run in range(150):
        rng = np.random.default_rng([run, 18])
        values = (rng.random(1000) < 0.5).astype(float) - (rng.random(1000) < 0.5)
        n = np.arange(50, 1001, 50)
        means = np.cumsum(values)[n - 1] / n
        missed += bool((np.abs(means) > 1.96 * sqrt(0.5) / np.sqrt(n)).any())
    assert missed > 0.1 * 150


@pytest.mark.slow
@pytest.mark.parametrize("design", [with_replacement, without_replacement])
@pytest.mark.parametrize(("p", "q"), RATES)
@pytest.mark.parametrize("width", [0.05, 0.1, 0.2])
def test_95_percent_of_1000_runs_hold_the_truth_at_every_look_after_100_answers(design, p, q, width):
    always, stopped = held_at_all_looks(design(p, q, 4000), runs=1000, answers=8000, width=width)
    assert always >= 0.95, (always, stopped)
    assert stopped >= 0.95, (always, stopped)
