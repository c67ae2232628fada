"""How often the primary test of a perturbation test rejects where gender does nothing, and what others do there."""

import numpy as np
import pytest

from evenhand.comparisons.perturbation import Judging, margin_of, perturbation_findings
from evenhand.comparisons.perturbation_pairs import person_means, primary_difference
from evenhand.stats import paired_t, pooled_t, selection_rate

from ._arms import experiment, outcomes_of, scores
from .ranking_coverage import CASES, shares

#: What varies where nothing is done by gender: names, how each person moves by chance, both, or neither.
NULLS = {
    "names and people": {},
    "names": {"moved_sd": 0.0},
    "people": {"name_sd": 0.0},
    "noise alone": {"name_sd": 0.0, "moved_sd": 0.0},
    "names strongly": {"name_sd": 0.3},
    "20 names": {"names": 20},
    "5 names without differences": {"names": 5, "name_sd": 0.0},
}
TESTS = ("primary", "paired t on résumé means", "paired t on pairs", "pooled t")


def p_values(seed, *, people=50, positions=20, **options):
    """Return the p of each of `TESTS`."""
    values = scores(seed, people=people, positions=positions, **options)[..., :2]
    person, _, name, _ = (each[..., 0].ravel() for each in np.indices(values.shape))
    female, male = values[..., 0].ravel(), values[..., 1].ravel()
    difference = female - male
    return (
        primary_difference(difference, person, (name, name), margin=None, confidence=0.95).p,
        paired_t(person_means(difference, person)).p,
        paired_t(difference).p,
        pooled_t(female, male).p,
    )


def rejected(runs, **options):
    """Return of each test how many of so many nulls it rejects at .05."""
    found = np.array([p_values((0, seed), **options) for seed in range(runs)])
    return (found < 0.05).sum(axis=0).tolist()


def test_over_nulls_the_primary_test_holds_its_level_and_single_pairs_do_not():
    runs = 200
    primary, _, single, _ = rejected(runs, positions=5)
    limits = selection_rate(primary, runs)
    assert limits.low <= 0.05 <= limits.high
    assert selection_rate(single, runs).low > 0.3


@pytest.mark.slow
@pytest.mark.parametrize("null", NULLS)
def test_over_500_nulls_the_primary_test_holds_its_level(null):
    primary, *_ = rejected(500, **NULLS[null])
    limits = selection_rate(primary, 500)
    assert limits.low <= 0.05, f"{primary} of 500"
    # Where neither way varies, the variance is that of the larger one, and too large.
    assert limits.high >= 0.05 or null == "noise alone", f"{primary} of 500"


@pytest.mark.slow
def test_over_500_whole_analyses_of_nulls_the_verdict_difference_is_as_rare():
    judging = Judging(margin=margin_of("0.001sd"))
    verdicts = [
        perturbation_findings(outcomes.lazy(), experiment(), judging, seed=0, permutations=99, confidence=0.95)[
            0
        ].verdict
        for seed in range(500)
        for outcomes in [outcomes_of(scores((0, seed), positions=20), arms=("names female", "names male"))]
    ]
    limits = selection_rate(verdicts.count("difference"), 500)
    assert limits.low <= 0.05 <= limits.high


@pytest.mark.slow
def test_over_500_runs_the_interval_holds_an_effect_of_three_tenths():
    held = 0
    for seed in range(500):
        values = scores((0, seed), positions=20, effect=0.3)[..., :2]
        person, _, name, _ = (each[..., 0].ravel() for each in np.indices(values.shape))
        found = primary_difference(
            (values[..., 0] - values[..., 1]).ravel(), person, (name, name), margin=None, confidence=0.95
        )
        held += found.low <= 0.3 <= found.high
    limits = selection_rate(held, 500)
    assert limits.low <= 0.95 <= limits.high


#: Names of the group and of the reference; where one has fewer, they come again.
NAMES = [(2, 2), (2, 40), (3, 40), (10, 10), (40, 40)]


def covered(runs, focal, reference, *, name_sd, people=50):
    """Return how many intervals hold a difference of 0 between drawn names, and the middle degrees of freedom."""
    place = np.arange(max(focal, reference))
    sides = (place % focal, place % reference)
    person, name = (each.ravel() for each in np.indices((people, place.size)))
    held, dfs = 0, []
    for seed in range(runs):
        rng = np.random.default_rng((seed, focal, reference))
        by_name = rng.normal(0, name_sd, focal)[sides[0]] - rng.normal(0, name_sd, reference)[sides[1]]
        difference = by_name + rng.normal(0, 0.2, (people, 1)) + rng.normal(0, 0.42, (people, place.size))
        found = primary_difference(
            difference.ravel(), person, (sides[0][name], sides[1][name]), margin=None, confidence=0.95
        )
        held += found.low <= 0.0 <= found.high
        dfs.append(found.df)
    return held, float(np.median(dfs))


@pytest.mark.slow
@pytest.mark.parametrize("name_sd", [0.0, 0.1, 0.3])
@pytest.mark.parametrize(("focal", "reference"), NAMES)
def test_over_2000_draws_of_names_the_interval_holds_no_difference(focal, reference, name_sd):
    held, df = covered(2000, focal, reference, name_sd=name_sd)
    limits = selection_rate(held, 2000, confidence=0.99)
    assert limits.high >= 0.93
    assert df < 4 or limits.low <= 0.975


@pytest.mark.parametrize(("case", "runs"), [(0, 60), (-2, 60), pytest.param(None, 500, marks=pytest.mark.slow)])
def test_intervals_of_models_that_rank_and_of_other_arms_hold_the_truth_and_nulls_are_rarely_claimed(case, runs):
    for chosen in CASES if case is None else [CASES[case]]:
        held, claimed = shares(chosen, runs)
        limits = selection_rate(round(held * runs), runs, confidence=0.99)
        assert limits.low <= 0.97, f"{chosen.label}: {held:.1%}"
        assert limits.high >= 0.93, f"{chosen.label}: {held:.1%}"
        if chosen.null:
            assert selection_rate(round(claimed * runs), runs, confidence=0.99).low <= 0.06, chosen.label
