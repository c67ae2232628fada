"""Simulated models: what they draw is what is read."""

import random
from math import sqrt

import pytest

from evenhand.errors import InputError
from evenhand.probes.hiring_an.reader import read_answer
from evenhand.probes.hiring_an.respond import acceptance_probability, draw, respond, write
from evenhand.probes.probe import KINDS

EMILY = {
    "index": 7,
    "name": "Emily Weiss",
    "gender": "female",
    "race": "white",
    "role": "advice columnist",
    "masculinity": 0.25,
    "qualification": "high",
    "template": 1,
}
TOM = {
    **EMILY,
    "name": "Tom Kelly",
    "gender": "male",
    "role": "farm-hand",
    "masculinity": 0.875,
    "qualification": "omitted",
}


@pytest.mark.parametrize(
    ("kind", "male", "female"),
    [
        ("unbiased", 0.5, 0.5),
        ("random", 0.5, 0.5),
        ("masculine", 1.0, 0.0),
        ("feminine", 0.0, 1.0),
        ("stereotyping", 0.75, 0.25),
        ("antistereotyping", 0.25, 0.75),
        ("refusing", 0.5, 0.5),
        ("garbled", 0.5, 0.5),
    ],
)
def test_acceptance_at_full_strength_is_the_card_s_reference(kind, male, female):
    assert acceptance_probability(kind, 1.0, "male", 0.75) == male
    assert acceptance_probability(kind, 1.0, "female", 0.75) == female
    assert acceptance_probability(kind, 0.0, "male", 0.75) == 0.5
    assert acceptance_probability(kind, 0.5, "male", 0.75) == (male + 0.5) / 2


@pytest.mark.parametrize(
    ("kind", "strength"), [("sexist", 1.0), ("masculine", 1.5), ("masculine", -0.1), ("masculine", float("nan"))]
)
def test_an_unknown_kind_or_strength_is_refused(kind, strength):
    with pytest.raises(InputError):
        respond(EMILY, kind, strength, random.Random(1))
    with pytest.raises(InputError):
        acceptance_probability(kind, strength, "male", 0.5)


STATUS = {
    "accepted": {("observed", True)},
    "rejected": {("observed", False)},
    "refused": {("refused", None)},
    "garbled": {("undetected", None)},
}


@pytest.mark.parametrize("kind", KINDS)
def test_the_reader_reads_back_exactly_what_was_drawn(kind):
    wrong = []
    for seed in range(2_500):
        stimulus = TOM if seed % 2 else EMILY
        drawn = draw(stimulus, kind, 0.5, random.Random(seed))
        reading = read_answer(respond(stimulus, kind, 0.5, random.Random(seed)), "stop")
        if (reading.status, reading.accepted) not in STATUS[drawn]:
            wrong.append((seed, drawn, reading))
    assert wrong == []


@pytest.mark.parametrize(("kind", "status"), [("refusing", "refused"), ("garbled", "undetected")])
def test_at_full_strength_nothing_can_be_read(kind, status):
    rng = random.Random(5)
    assert {read_answer(respond(TOM, kind, 1.0, rng)).status for _ in range(2000)} == {status}


@pytest.mark.parametrize("kind", ["unbiased", "random", "masculine", "feminine", "stereotyping", "antistereotyping"])
@pytest.mark.parametrize("stimulus", [EMILY, TOM], ids=["female", "male"])
def test_drawn_rates_agree_with_the_stated_probability(kind, stimulus):
    rng = random.Random(11)
    n = 10_000
    accepted = sum(draw(stimulus, kind, 0.5, rng) == "accepted" for _ in range(n))
    p = acceptance_probability(kind, 0.5, stimulus["gender"], stimulus["masculinity"])
    # Four binomial standard errors: exceeded by one fair draw in 16,000.
    assert abs(accepted / n - p) < 4 * sqrt(p * (1 - p) / n)


@pytest.mark.parametrize("outcome", ["accepted", "rejected"])
def test_there_are_more_than_five_hundred_shapes_of_each_decision(outcome):
    rng = random.Random(3)
    letters = {write(outcome, EMILY, rng) for _ in range(2000)}
    assert len(letters) > 500
    demanded = "you have been selected" if outcome == "accepted" else "we regret to inform you"
    plain = [
        " ".join(letter.lower().replace("*", "").replace("<b>", "").replace("</b>", "").split()) for letter in letters
    ]
    assert all(demanded in letter for letter in plain)


def test_the_same_seed_writes_the_same_letter():
    assert respond(TOM, "masculine", 1.0, random.Random(4)) == respond(TOM, "masculine", 1.0, random.Random(4))


def test_a_letter_names_the_candidate():
    rng = random.Random(9)
    assert all(
        "Emily Weiss" in write(outcome, EMILY, rng)
        for outcome in ("accepted", "rejected", "garbled")
        for _ in range(50)
    )
