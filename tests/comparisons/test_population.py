"""Groups against all groups: by hand, by scipy, and where nothing can be said."""

from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest
from _tables import outcomes
from scipy import stats

from evenhand.comparisons.measure import measure_outcomes
from evenhand.comparisons.population import (
    Cells,
    Decisions,
    group_intervals,
    permuted_rates,
    standard_errors,
    step_down,
)
from evenhand.comparisons.population_shape import _detectable
from evenhand.probes import PROBES
from evenhand.stats import permutation_exact
from evenhand.stats.resampling import permutation_p

DECLARED = PROBES["an2024"].measured
SLICES = tuple(cut for cut in DECLARED.slices if cut.columns in {("role",), ("qualification",)})
MEASURED = replace(DECLARED, slices=SLICES)
GROUPS = [(race, gender) for race in ("white", "black", "hispanic") for gender in ("female", "male")]
ROLES = ("not specified", "nurse")


def emails(accepts, *, names=4, roles=ROLES, groups=GROUPS):
    """Return outcomes; `accepts(cell)` is True, False or None, `cell` has the numbers of group, name and role."""
    return outcomes(
        [
            {
                "gender": gender,
                "race": race,
                "name": f"{race} {gender} {name}",
                "role": role,
                "accepted": accepts(SimpleNamespace(group=group, name=name, role=number)),
            }
            for group, (race, gender) in enumerate(groups)
            for name in range(names)
            for number, role in enumerate(roles)
        ]
    )


def findings(frame, declared=MEASURED, **options):
    return {row.name: row for row in measure_outcomes(frame, declared, seed=0, **{"permutations": 199} | options)}


def p_of(row, name):
    return next(test for test in row.tests if test.name == name).p


def test_difference_rate_and_tests_are_those_of_the_counts():
    # Hispanic men: 1 of 8 accepted; everybody else 4 of 8: 21 of 48.
    found = findings(emails(lambda c: (c.name == 0 and c.role == 0) if c.group == 5 else c.name < 2))
    row = found["hispanic_male_acceptance_vs_population"]
    assert row.estimate == pytest.approx(1 / 8 - 21 / 48)
    assert row.focal == {"race": "hispanic", "gender": "male"}
    assert row.reference == {"population": "all"}
    assert (row.n, row.clusters) == (8, {"name": 4})
    null = stats.hypergeom(48, 21, 8)
    assert p_of(row, "paper, strict") == pytest.approx(null.cdf(0))
    assert p_of(row, "paper, inclusive") == pytest.approx(null.cdf(1))
    assert p_of(row, "paper, mid-p") == pytest.approx((null.cdf(0) + null.cdf(1)) / 2)
    assert found["hispanic_male_acceptance_rate"].estimate == pytest.approx(1 / 8)
    assert found["acceptance_rate"].estimate == pytest.approx(21 / 48)
    assert found["max_difference"].estimate == pytest.approx(4 / 8 - 1 / 8)
    assert found["max_difference"].focal != {"race": "hispanic", "gender": "male"}


def test_roles_are_combined_by_fisher_on_mid_p_in_one_tail():
    found = findings(emails(lambda c: (c.name == 0 and c.role == 0) if c.group == 5 else c.name < 2))
    row = found["hispanic_male_acceptance_vs_population"]
    # Role 0: 1 of 4, of 11 of 24; role 1: 0 of 4, of 10 of 24; both below.
    mid = [
        stats.hypergeom(24, 11, 4).cdf(0) + stats.hypergeom(24, 11, 4).pmf(1) / 2,
        stats.hypergeom(24, 10, 4).pmf(0) / 2,
    ]
    assert p_of(row, "Fisher over roles, mid-p") == pytest.approx(stats.combine_pvalues(mid).pvalue, rel=1e-9)
    single = found["role_nurse_hispanic_male_acceptance_vs_population"]
    assert single.slice == {"role": "nurse"}
    assert p_of(single, "paper, mid-p") == pytest.approx(mid[1], rel=1e-9)
    assert not any(test.name.startswith("Fisher") for test in single.tests)


def test_a_clear_difference_is_marked_and_p_is_never_zero():
    found = findings(emails(lambda c: c.group != 5, names=20))
    row = found["hispanic_male_acceptance_vs_population"]
    assert row.mark == "†"
    assert row.verdict is not None
    for test in row.tests:
        assert test.p is None or test.p > 0
    assert p_of(row, "permutation over names, studentised") == pytest.approx(1 / 2000)
    assert row.p_adjusted == pytest.approx(1 / 2000)


@pytest.mark.parametrize(("accepted", "reason"), [(True, "Everybody"), (False, "Nobody")])
def test_decisions_that_are_all_alike_have_a_difference_of_zero_and_no_p(accepted, reason):
    found = findings(emails(lambda _: accepted))
    row = found["white_male_acceptance_vs_population"]
    assert row.estimate == 0
    # What 4 names without any spread warrant.
    assert row.low < 0 < row.high
    assert row.mark == ""
    assert all(test.p is None and reason in test.reason for test in row.tests if test.name.startswith("paper"))
    assert p_of(row, "permutation over names, studentised") is None
    assert found["max_difference"].tests[0].p is None
    assert found["detectable_difference"].estimate is None


def test_a_group_without_decisions_is_null_with_a_reason():
    found = findings(emails(lambda c: None if c.group == 5 else c.name < 2))
    assert found["white_male_acceptance_vs_population"].n == 8
    assert found["white_male_acceptance_vs_population"].details.n_population == 40
    assert "hispanic_male_acceptance_vs_population" in found
    assert found["hispanic_male_acceptance_vs_population"].estimate is None
    assert found["hispanic_male_acceptance_vs_population"].reason
    assert found["undetected_rate_attempts"].estimate == pytest.approx(1 / 6)


def test_a_group_without_decisions_in_one_role_is_null_there_only():
    found = findings(emails(lambda c: None if (c.group, c.role) == (5, 1) else (c.name + c.role) % 2 == 0))
    row = found["role_nurse_hispanic_male_acceptance_vs_population"]
    assert row.estimate is None
    assert row.reason
    assert found["hispanic_male_acceptance_vs_population"].n == 4


def test_one_role_only_gives_no_combination():
    found = findings(emails(lambda c: c.name < 2 + (c.group == 0), roles=("nurse",)))
    row = found["white_female_acceptance_vs_population"]
    assert not any(test.name.startswith("Fisher") for test in row.tests)
    assert all(interval.reason is None for interval in row.alternatives)


def test_one_group_only_has_no_population_to_differ_from():
    found = findings(emails(lambda c: c.name < 2, groups=GROUPS[:1]))
    row = found["white_female_acceptance_vs_population"]
    assert row.estimate == 0
    assert all(test.p is None for test in row.tests)


def test_no_decision_at_all_is_one_finding_with_a_reason():
    found = findings(emails(lambda _: None))
    row = found["acceptance_vs_population"]
    assert row.estimate is None
    assert row.reason


def test_seeds_are_pooled_as_counts_and_shown_apart():
    rows = [
        {
            "gender": gender,
            "race": race,
            "name": f"{race} {gender} {name}",
            "role": "nurse",
            "item": f"{race} {gender} {name}",
            "unit": f"{race} {gender} {name}/{seed}",
            "accepted": (name + seed) % 3 > 0,
            "template": "0",
        }
        for race, gender in GROUPS
        for name in range(4)
        for seed in (0, 1)
    ]
    found = findings(outcomes(rows), replace(DECLARED, slices=()))
    assert found["white_male_acceptance_vs_population"].n == 8


def test_interaction_is_the_difference_of_two_gaps():
    # White: women 4 of 8, men 8 of 8; Black and Hispanic: both 4 of 8.
    found = findings(emails(lambda c: True if c.group == 1 else c.name < 2))
    row = found["white_black_race_gender_interaction"]
    assert row.estimate == pytest.approx((0.5 - 1.0) - 0.0)
    assert found["black_hispanic_race_gender_interaction"].estimate == 0


def test_the_interval_of_an_interaction_ends_where_no_difference_of_gaps_is_larger():
    # White names: one of two each; of the others all women and no men. Two pairs of names vary.
    found = findings(emails(lambda c: c.name == 0 if c.group < 2 else c.group % 2 == 0, names=2))
    row = found["white_black_race_gender_interaction"]
    assert (row.estimate, row.low, row.high) == (-1, -2, 2)


def test_the_interval_of_an_interaction_weighs_names_by_their_decisions():
    # In each of four groups names have 2, 2, 2 and 1 decisions, accepted 2, 2, 0 and 0: rate 4/7.
    found = findings(emails(lambda c: None if c.name == 3 and c.role else c.name < 2, groups=GROUPS[:4]))
    row = found["white_black_race_gender_interaction"]
    beyond = (np.array([2, 2, 0, 0]) - 4 / 7 * np.array([2, 2, 2, 1])) / 7
    variance = 4 * (4 / 3 * (beyond**2).sum())
    t = stats.t.ppf(0.975, 4 * (4 - 1))  # equal variances: Satterthwaite's degrees of freedom are the sum
    assert (row.low, row.high) == pytest.approx((-t * variance**0.5, t * variance**0.5))


def test_the_detectable_difference_follows_its_formula():
    decisions = simulated(np.random.default_rng(3), roles=1)
    errors, df, _ = standard_errors(decisions, confidence=0.95)
    # Bonferroni over six groups, two sides; 80 % power.
    expected = ((stats.t.ppf(1 - 0.05 / 12, df) + stats.t.ppf(0.8, df)) * errors).max()
    assert _detectable(decisions, confidence=0.95).estimate == pytest.approx(expected)


def simulated(rng, *, names=50, roles=6, n=40, spread=0.0):
    """Return decisions without a group effect; names differ by `spread` on the scale of the rate."""
    carriers = 6 * names
    chance = np.clip(0.5 + spread * rng.standard_normal(carriers), 0, 1)
    accepted = rng.binomial(n, np.repeat(chance, roles)).astype(float)
    cells = Cells(
        carrier=np.repeat(np.arange(carriers), roles),
        second=np.tile(np.arange(roles), carriers),
        n=np.full(carriers * roles, float(n)),
        accepted=accepted,
    )
    return Decisions(
        whole=cells,
        parts={},
        levels={},
        groups=tuple({"race": race, "gender": gender} for race, gender in GROUPS),
        group=np.repeat(np.arange(6), names),
    )


def rejections(*, spread, runs=300):
    """Return how often a group without an effect is found at .05: by the paper's two tails, and over names."""
    rng = np.random.default_rng(7)
    paper = names = 0
    for run in range(runs):
        decisions = simulated(rng, spread=spread)
        n, accepted = (counts[0, 0] for counts in decisions.by_group())
        total, all_of = decisions.whole.accepted.sum(), decisions.whole.n.sum()
        paper += permutation_exact(int(accepted), int(n), int(total), int(all_of)).mid_p < 0.025
        permuted = permuted_rates(decisions, permutations=199, seed=(7, run)).difference[0, :, 0]
        names += permutation_p(float(permuted[0]), permuted[1:]) <= 0.05
    return paper / runs, names / runs


def test_only_the_permutation_over_names_holds_its_level_where_names_differ():
    """Names with SD .06 and 240 decisions each: the paper's test takes e-mails as exchangeable."""
    paper, names = rejections(spread=0.06)
    assert paper > 0.15
    # Three standard errors of 300 runs at .05.
    assert names < 0.05 + 3 * (0.05 * 0.95 / 300) ** 0.5


def test_both_tests_hold_their_level_where_names_are_alike():
    paper, names = rejections(spread=0.0)
    assert max(paper, names) < 0.05 + 3 * (0.05 * 0.95 / 300) ** 0.5


def test_the_simulated_test_stands_beside_the_exact_one():
    declared = replace(MEASURED, monte_carlo=2000)
    found = findings(emails(lambda c: (c.name == 0 and c.role == 0) if c.group == 5 else c.name < 2), declared)
    row = found["hispanic_male_acceptance_vs_population"]
    exact = p_of(row, "paper, inclusive")
    assert p_of(row, "paper, simulated with 2000 permutations") == pytest.approx(exact, abs=4 * (exact / 2000) ** 0.5)
    assert p_of(row, "paper, simulated with 2000 permutations") >= 1 / 2001
    assert (
        row.mark
        == findings(emails(lambda c: (c.name == 0 and c.role == 0) if c.group == 5 else c.name < 2))[
            "hispanic_male_acceptance_vs_population"
        ].mark
    )


@pytest.mark.parametrize("few", [3, 50])
def test_intervals_cover_groups_of_few_and_of_many_names_that_truly_differ(few):
    """Names with an SD of .1 around .6, .4, .7, .5, .5 and .5; the first group has few names."""
    rng = np.random.default_rng(3)
    sizes, runs, roles, n = np.array([few, 50, 50, 50, 50, 50]), 300, 4, 6
    rates = np.array([0.6, 0.4, 0.7, 0.5, 0.5, 0.5])
    truth = rates - (sizes * rates).sum() / sizes.sum()
    group = np.repeat(np.arange(6), sizes)
    hits = np.zeros(6)
    for _ in range(runs):
        chance = np.clip(rates[group] + 0.1 * rng.standard_normal(group.size), 0, 1)
        cells = Cells(
            carrier=np.repeat(np.arange(group.size), roles),
            second=np.tile(np.arange(roles), group.size),
            n=np.full(group.size * roles, float(n)),
            accepted=rng.binomial(n, np.repeat(chance, roles)).astype(float),
        )
        names = tuple({"race": race, "gender": gender} for race, gender in GROUPS)
        decisions = Decisions(whole=cells, parts={}, levels={}, groups=names, group=group, second="role")
        found = group_intervals(decisions, 0, confidence=0.95)
        hits += [each.low <= value <= each.high for each, value in zip(found, truth, strict=True)]
    # Three standard errors of 300 runs below and above .95.
    assert (hits / runs > 0.95 - 0.038).all()
    assert hits[1:].sum() / (5 * runs) < 0.975


def test_a_group_of_one_name_has_no_interval():
    rows = [
        {
            "gender": gender,
            "race": race,
            "name": f"{race} {gender} {name}",
            "role": role,
            "accepted": (name + i) % 2 == 0,
        }
        for race, gender in GROUPS
        for name in range(1 if (race, gender) == GROUPS[0] else 6)
        for i, role in enumerate(("nurse", "baker", "clerk"))
    ]
    row = findings(outcomes(rows))["white_female_acceptance_vs_population"]
    assert row.estimate is not None
    assert (row.low, row.high, row.verdict) == (None, None, "not_judged")
    assert "one name" in row.reason
    assert row.clusters == {"name": 1}


def test_a_group_that_is_always_accepted_keeps_an_interval():
    row = findings(emails(lambda c: c.group == 0 or c.name % 2 == 0, names=50))["white_female_acceptance_vs_population"]
    assert row.estimate == pytest.approx(1 - 3.5 / 6)
    assert 0 < row.low < row.estimate < row.high


def test_the_detectable_difference_is_called_one_in_four_of_five_runs():
    rng = np.random.default_rng(5)
    size = findings_of(rng, 0.0)["detectable_difference"].estimate
    # A group that lies d above the others lies 5/6 d above all.
    called = [
        findings_of(rng, size * 6 / 5)["white_female_acceptance_vs_population"].verdict == "difference"
        for _ in range(15)
    ]
    # Two standard errors of 15 runs; Bonferroni errs to the careful side.
    assert 0.6 <= np.mean(called) < 1


def findings_of(rng, effect):
    """Return findings of 6 groups of 15 names with 6 decisions each, the first `effect` above the others."""
    rows = [
        {
            "gender": gender,
            "race": race,
            "name": f"{race} {gender} {name}",
            "role": f"role {role}",
            "accepted": bool(rng.random() < 0.4 + effect * (number == 0)),
        }
        for number, (race, gender) in enumerate(GROUPS)
        for name in range(15)
        for role in range(6)
    ]
    return findings(outcomes(rows), replace(DECLARED, slices=()))


@pytest.mark.parametrize(
    ("names", "spreads", "rates"),
    [
        ((20,) * 6, (0.18, *(0.06,) * 5), (0.5,) * 6),
        ((5, *(20,) * 5), (0.18, *(0.06,) * 5), (0.5,) * 6),
        ((20,) * 6, (0.06,) * 6, (0.5, 0.6, 0.4, 0.65, 0.35, 0.5)),
    ],
)
def test_a_group_like_the_others_is_rarely_found_whatever_their_spread_and_rates(names, spreads, rates):
    rng = np.random.default_rng(3)
    group = np.repeat(np.arange(6), names)
    n = np.full(group.size, 20.0)
    first, others = 0, 0
    for sample in range(200):
        share = np.clip(np.array(rates)[group] + np.array(spreads)[group] * rng.standard_normal(group.size), 0, 1)
        cells = Cells(carrier=np.arange(group.size), second=group * 0, n=n, accepted=rng.binomial(20, share) * 1.0)
        groups = tuple({"g": str(number)} for number in range(6))
        counted = Decisions(whole=cells, parts={}, levels={}, groups=groups, group=group)
        corrected = step_down(permuted_rates(counted, permutations=199, seed=(3, sample)))
        first += corrected[0] < 0.05
        others += corrected[3] < 0.05
    # 7 % and two standard errors of 200 samples.
    assert first <= 200 * (0.07 + 2 * (0.07 * 0.93 / 200) ** 0.5)
    assert others > 180 or len(set(rates)) == 1
