"""Training on tables of other shapes: the worst group's AUC beside that of the score that labels were drawn by."""

from dataclasses import replace
from functools import cache

import numpy as np
import pytest

from evenhand.data.inputs import Position
from evenhand.matching.training import LabelledPairs, Stopping, TrainingRequest, kept_rounds, stopping_loss, train
from evenhand.stats import auc

SKILLS = [
    f"{first}{second}ing" for first in ("weld", "plant", "bak", "paint", "lift") for second in ("", "er", "ol", "ur")
]
PHRASES = [f"{on} {work}" for on in ("steel", "pipe", "wall", "roof", "road") for work in ("fitting", "design", "care")]
SAID = [f"{first}{second}" for first in ("we", "that", "our", "since", "near") for second in ("", "on", "in", "as")]
TITLES = ("Mill Worker", "Senior Worker", "Mill Clerk", "Operator")
ASKED = TrainingRequest(fairness=0.0, test_share=0.3, without=(), seed=1)


def drawn(*, people=500, positions=40, each=24, listed=True, prose=False, proxy=0.0, seed=0):
    """Return people with skills and years, positions that ask for them, and labels drawn by a true score.

    In prose, skills have two words that other skills have as well, and stand among words that any text may have.
    """
    rng = np.random.default_rng(seed)
    skills = np.array(PHRASES if prose else SKILLS)
    has = rng.random((people, len(skills))) < 0.4
    years, group = rng.integers(0, 12, people), rng.integers(0, 3, people)
    ended = 2020 - 6 * ((group == 2) & (rng.random(people) < 0.7))
    knows = [", ".join(rng.permutation(skills[own])) + "." + (said(rng, 20) if prose else "") for own in has]
    texts = [
        f"[NAME]\nWorker at Mill, {end - count} - {end}\nKnows {own}" if count else f"[NAME]\nKnows {own}"
        for own, count, end in zip(knows, years, ended, strict=True)
    ]
    asks = [rng.permutation(len(skills))[:6] for _ in range(positions)]
    jobs = [
        Position(
            id=str(at),
            title=TITLES[at % 4] if prose else "Mill Worker",
            text=(said(rng, 12) if prose else "Work at a mill. Asked for: ") + ", ".join(skills[own]) + ".",
            skills=tuple(skills[own].tolist()) if listed else (),
        )
        for at, own in enumerate(asks)
    ]
    rows = np.repeat(np.arange(people), each)
    columns = np.concatenate([rng.permutation(positions)[:each] for _ in range(people)])
    share = np.array([has[row, asks[column]].mean() for row, column in zip(rows, columns, strict=True)])
    odds = 7 * (share - 0.4) + 0.15 * (years[rows] - 5) - proxy * (ended[rows] < 2020)
    label = (rng.random(len(rows)) < 1 / (1 + np.exp(-odds))).astype(float)
    pairs = LabelledPairs(people=rows, positions=columns, label=label, groups={"group": group[rows]})
    return texts, jobs, pairs, odds


@cache
def trained_on_few(stop_on):
    """Return what training keeps by a rule of stopping, on pairs of 200 people."""
    texts, jobs, pairs, _ = drawn(people=200, each=10)
    return train(texts, jobs, pairs, replace(ASKED, stop_on=stop_on))


def said(rng, words):
    return " " + " ".join(rng.choice(SAID, words)) + ", "


@pytest.mark.parametrize("shape", [{}, {"listed": False}, {"listed": False, "prose": True}], ids=str)
def test_no_groups_auc_is_far_below_that_of_the_true_score(shape):
    texts, jobs, pairs, odds = drawn(**shape)
    trained = train(texts, jobs, pairs, ASKED)
    test, score, true = trained.split.test, trained.score, odds[trained.split.test]
    for group in range(3):
        own = pairs.groups["group"][test] == group
        label = pairs.label[test][own]
        assert auc(score[own], label).estimate > auc(true[own], label).estimate - 0.02


def test_a_penalty_narrows_the_gap_between_groups_at_a_cost():
    texts, jobs, pairs, _ = drawn(proxy=3.0)
    frontier = train(texts, jobs, pairs, ASKED).frontier
    gaps = [point.gaps["group"] for point in frontier]
    assert gaps[-1] < 0.8 * gaps[0]
    assert frontier[-1].auc < frontier[0].auc


def test_what_a_person_of_the_test_says_changes_no_model():
    texts, jobs, pairs, _ = drawn(people=200, each=10)
    trained = trained_on_few(ASKED.stop_on)
    held = set(pairs.people[trained.split.test])
    other = ["[NAME]\nZymurgy, zymurgy, since 2011." if at in held else text for at, text in enumerate(texts)]
    first, second = trained.matcher, train(other, jobs, pairs, ASKED).matcher
    assert first.curves == second.curves
    assert first.vocabulary.words == second.vocabulary.words
    assert np.array_equal(first.vocabulary.weights, second.vocabulary.weights)
    assert first.pooled == second.pooled


@pytest.mark.parametrize("stop_on", ["worst-group", "all", "none"])
def test_the_other_rule_keeps_what_it_would_have_kept_alone(stop_on):
    trained, alone = (trained_on_few(rule) for rule in (stop_on, Stopping(on=stop_on).other))
    assert trained.trees.other.rounds == alone.trees.rounds
    assert np.array_equal(trained.other_score, alone.score)
    losses, groups = trained.trees.losses, trained.validation
    kept = len(losses) if stop_on == "none" else kept_rounds(stopping_loss(losses, groups.counts, stop_on))[0]
    assert trained.trees.rounds == kept == (300 if stop_on == "none" else kept)
