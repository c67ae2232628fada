"""The parts of pairs: nobody and no position of the test is in another part."""

import numpy as np
import pytest

from evenhand.matching.training import FEWEST_POSITIONS, split_pairs


def drawn(seed, *, positions, pairs=600):
    rng = np.random.default_rng(seed)
    return rng.integers(0, 80, pairs), rng.integers(0, positions, pairs)


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("positions", [2, FEWEST_POSITIONS - 1, FEWEST_POSITIONS, 40])
def test_no_person_is_in_two_parts_and_no_position_of_the_test_in_another(seed, positions):
    people, own = drawn(seed, positions=positions)
    split = split_pairs(people, own, test_share=0.2, rng=np.random.default_rng(seed))
    parts = [split.fit, split.validation, split.test]
    assert all(len(part) for part in parts)
    for place, part in enumerate(parts):
        for other in parts[place + 1 :]:
            assert not set(people[part]) & set(people[other])
    shared = set(own[split.test]) & {*own[split.fit], *own[split.validation]}
    assert split.by_position == (positions >= FEWEST_POSITIONS) == (not shared)
    assert sum(map(len, parts)) + split.left_out == len(people)


def test_the_same_seed_gives_the_same_parts():
    people, own = drawn(3, positions=30)
    first, second = (
        split_pairs(people, own, test_share=0.3, rng=np.random.default_rng(9)).test.tolist() for _ in range(2)
    )
    assert first == second
