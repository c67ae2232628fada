"""How labellers agree, and a labeller with a stated bias among 200 twins."""

import random

import pytest

from evenhand.monitoring.golden_cases import Case, Scale, add_cases
from evenhand.monitoring.golden_labels import add_labels, counterfactual_labels, kappas
from evenhand.monitoring.store import opened_store

#: Fleiss, Levin and Paik (2003), Statistical Methods for Rates and Proportions, table 18.1.
DIAGNOSES = [[75, 1, 4], [5, 4, 1], [0, 0, 10]]
POSITION = {"id": "p1", "title": "Nurse"}


@pytest.fixture
def store(tmp_path):
    with opened_store(tmp_path / "history.db", create=True) as store:
        yield store


def case(name, **more):
    return Case(id=name, text=f"Text {name}", position=POSITION, reason="a test", **more)


def test_kappa_is_that_of_the_published_table(store):
    labels = [(i, j) for i, row in enumerate(DIAGNOSES) for j, n in enumerate(row) for _ in range(n)]
    scale = Scale(labels=("a", "b", "c"), positive="c")
    with store.writing() as writing:
        add_cases(writing, [case(str(n), groups={"half": str(n % 2)}) for n in range(100)], scale)
        for by in (0, 1):
            add_labels(writing, {str(n): scale.labels[both[by]] for n, both in enumerate(labels)}, by=f"person {by}")
    everybody, *halves = kappas(store)
    assert everybody.plain.estimate == pytest.approx(0.23 / 0.34)
    # statsmodels 0.15, cohens_kappa(DIAGNOSES, wt="quadratic")
    assert everybody.weighted.estimate == pytest.approx(0.7553191489361702)
    assert everybody.weighted.standard_error == pytest.approx(0.0867071324938071)
    assert [(dict(each.group), each.plain.n) for each in halves] == [({"half": "0"}, 50), ({"half": "1"}, 50)]


@pytest.mark.parametrize(("bias", "found"), [(0.15, True), (0.0, False)])
def test_a_labeller_who_treats_twins_differently_is_found(store, bias, found):
    """Of 200 twins the labeller says no to a woman whose twin got yes with the probability `bias`."""
    rng = random.Random(7)
    labels = {}
    for n in range(200):
        labels[f"{n} man"] = "yes"
        labels[f"{n} woman"] = "no" if rng.random() < bias else "yes"
    cases = [case(name, twin=name.split()[0], groups={"gender": name.split()[1]}) for name in labels]
    with store.writing() as writing:
        add_cases(writing, cases, None)
        for labeller in ("ana", "ben"):
            add_labels(writing, labels, by=labeller)
    told, _ = counterfactual_labels(store)
    assert (told.labeller, told.attribute, told.groups, told.pairs) == ("ana", "gender", ("man", "woman"), 200)
    assert told.low <= bias <= told.high
    assert told.higher_second == 0
    assert (told.p is not None and told.p < 0.001) is found
    assert not found or (told.p_adjusted, told.comparisons) == (2 * told.p, 2)


@pytest.mark.parametrize("alike", [True, False])
def test_cases_of_a_pair_widen_the_interval_of_kappa_where_their_labels_depend(store, alike):
    rng = random.Random(3)
    said = {}
    for n in range(60):
        agree, label = rng.random() < 0.7, rng.choice(("no", "yes"))
        for sex in ("man", "woman"):
            if not alike:
                agree, label = rng.random() < 0.7, rng.choice(("no", "yes"))
            said[f"{n} {sex}"] = (label, label if agree else {"no": "yes", "yes": "no"}[label])
    cases = [case(name, twin=name.split()[0], groups={"gender": name.split()[1]}) for name in said]
    with store.writing() as writing:
        add_cases(writing, cases, None)
        for by in (0, 1):
            add_labels(writing, {name: both[by] for name, both in said.items()}, by=f"person {by}")
    everybody, *halves = kappas(store)
    wide, apart = (each.plain.high - each.plain.low for each in (everybody, halves[0]))
    # As many pairs as the half has cases: labels that are alike within pairs tell no more than these.
    assert (wide > 0.95 * apart) is alike
    assert everybody.plain.n == 120
