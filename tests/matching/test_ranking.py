"""Ranks within lists: the highest score first, ties by margin, then by chance and not by the order of the file."""

import numpy as np

from evenhand.matching.matcher import ranks_of


def test_ranks_are_those_of_each_list_sorted_for_itself():
    rng = np.random.default_rng(1)
    lists, score = rng.integers(0, 7, 500), np.round(rng.random(500), 1)
    margin = score + rng.normal(size=500) / 100
    ranks = ranks_of(lists, score, margin, rng=np.random.default_rng(2))
    for each in range(7):
        own = np.flatnonzero(lists == each)
        ordered = sorted(own, key=lambda row: (-score[row], -margin[row]))
        assert ranks[ordered].tolist() == list(range(1, len(own) + 1))


def test_who_comes_first_among_equals_does_not_depend_on_the_order_of_the_file():
    lists, equal = np.repeat(np.arange(400), 2), np.zeros(800)
    first = ranks_of(lists, equal, equal, rng=np.random.default_rng(3)).reshape(-1, 2)[:, 0]
    assert 150 < (first == 1).sum() < 250
