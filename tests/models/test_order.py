"""Ids and the order of sending."""

import numpy as np
import pytest

from evenhand.models.model import Generation
from evenhand.models.order import OrderedPrompts

SAME = {
    "probe": "p",
    "version": "1",
    "index": 7,
    "model": "openai:m",
    "generation": Generation(temperature=1.0),
    "messages": [{"role": "user", "content": "hello"}],
    "seed": 0,
    "repetition": 0,
}


def attempt_id(*, index, messages, seed, repetition, **common):
    return OrderedPrompts(**common, seed=seed).attempt_id(index, messages, seed=seed, repetition=repetition)


def test_an_id_is_sixteen_hex_digits_and_does_not_change_between_versions():
    # Made once and written down: another value would ask every stored run again.
    assert attempt_id(**SAME) == "b2087f8064d15029"


@pytest.mark.parametrize(
    "change",
    [
        {"probe": "q"},
        {"version": "2"},
        {"index": 8},
        {"model": "openai:n"},
        {"generation": Generation(temperature=0.5)},
        {"generation": Generation(temperature=1.0, max_tokens=5)},
        {"generation": Generation(temperature=1.0, top_p=0.9)},
        {"generation": Generation(temperature=1.0, frequency_penalty=0.9)},
        {"generation": Generation(temperature=1.0, presence_penalty=0.9)},
        {"messages": [{"role": "user", "content": "hello!"}]},
        {"seed": 1},
        {"seed": None},
        {"repetition": 1},
    ],
)
def test_all_that_could_change_an_answer_changes_the_id(change):
    assert attempt_id(**SAME | change) != attempt_id(**SAME)


@pytest.mark.parametrize("name", ["temperature", "top_p", "frequency_penalty", "presence_penalty"])
def test_a_parameter_written_as_an_integer_is_the_same_parameter(name):
    whole, decimal = (attempt_id(**SAME | {"generation": Generation(**{name: one})}) for one in (1, 1.0))
    assert whole == decimal


def test_one_repetition_keeps_the_order_of_the_indices(plan):
    chunks = list(plan([5, 3, 9, 0, 1], chunk=2))
    assert [len(chunk) for chunk in chunks] == [2, 2, 1]
    attempts = [attempt for chunk in chunks for attempt in chunk]
    assert [attempt.index for attempt in attempts] == [5, 3, 9, 0, 1]
    assert [attempt.sent_order for attempt in attempts] == [0, 1, 2, 3, 4]
    assert [attempt.request.messages[0]["content"] for attempt in attempts] == [
        "ask 5",
        "ask 3",
        "ask 9",
        "ask 0",
        "ask 1",
    ]
    assert attempts[0].request.stimulus == {"index": 5, "prompt": "ask 5"}


def test_the_id_of_a_planned_request_is_the_attempt_id(plan):
    [[attempt]] = plan([7], template="hello", generation=Generation(temperature=1.0))
    assert attempt.request.id == attempt_id(**SAME)


def test_repetitions_are_shuffled_among_each_other_and_differ_in_seed_and_id(plan):
    attempts = [attempt for chunk in plan(range(100), repetitions=3, seed=10, chunk=64) for attempt in chunk]
    asked = [(attempt.index, attempt.request.attempt) for attempt in attempts]
    assert sorted(asked) == [(index, repetition) for index in range(100) for repetition in range(3)]
    assert {attempt.request.seed - attempt.request.attempt for attempt in attempts} == {10}
    assert len({attempt.request.id for attempt in attempts}) == 300
    # The three repetitions of a stimulus are far apart: by chance a third of the run on average.
    places = {slot: place for place, slot in enumerate(asked)}
    gaps = [abs(places[index, 0] - places[index, 1]) for index in range(100)]
    assert 70 < np.mean(gaps) < 130


def test_the_shuffle_of_repetitions_depends_on_the_seed_only(plan):
    def asked(order_seed):
        return [a.request.id for chunk in plan(range(20), repetitions=2, order_seed=order_seed) for a in chunk]

    assert asked(1) == asked(1)
    assert asked(1) != asked(2)


def test_no_seed_is_sent_when_none_is_given(plan):
    attempts = [attempt for chunk in plan([0], repetitions=2, seed=None) for attempt in chunk]
    assert [attempt.request.seed for attempt in attempts] == [None, None]
    assert attempts[0].request.id != attempts[1].request.id
