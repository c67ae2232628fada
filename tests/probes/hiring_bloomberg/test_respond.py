"""Simulated models: what they draw is what is read."""

import re
from collections import Counter
from math import sqrt
from random import Random

import pytest

from evenhand.data.lexicons.names import bloomberg_names
from evenhand.errors import InputError
from evenhand.probes.hiring_bloomberg.reader import read_ranking
from evenhand.probes.hiring_bloomberg.respond import RANKING_WORDING, draw, male_win_probability, respond
from evenhand.probes.probe import KINDS

MEN = ["Darius Mack", "Terrell Booker", "Roosevelt Banks", "Amari Dorsey"]
WOMEN = ["Ebony Jackson", "Latoya Gaines", "Keisha Banks", "Amari Rivers"]
BIASED = ("masculine", "feminine", "stereotyping", "antistereotyping")


def prompt(*, men=MEN, women=WOMEN, role="retail"):
    people = [(name, "male") for name in men] + [(name, "female") for name in women]
    candidates = [
        {"name": name, "gender": gender, "race": "black", "slot": slot, "cv": slot - 1}
        for slot, (name, gender) in enumerate(people, start=1)
    ]
    return {"index": 0, "role": role, "race": "black", "candidates": candidates}


RETAIL = prompt()


def share_of_male_winners(stimulus, kind, strength, *, n):
    rng = Random(7)
    men = {one["name"] for one in stimulus["candidates"] if one["gender"] == "male"}
    return sum(draw(stimulus, kind, strength, rng).ranking[0] in men for _ in range(n)) / n


@pytest.mark.parametrize(
    ("kind", "role", "full"),
    [
        ("unbiased", "retail", 0.5),
        ("random", "software engineer", 0.5),
        ("masculine", "retail", 1.0),
        ("feminine", "software engineer", 0.0),
        ("stereotyping", "software engineer", 1.0),
        ("stereotyping", "Financial Analyst", 1.0),
        ("stereotyping", "retail", 0.0),
        ("stereotyping", "HR specialist", 0.0),
        ("antistereotyping", "software engineer", 0.0),
        ("antistereotyping", "HR specialist", 1.0),
        # Kennison: advice columnist .2833, computer programmer .6667; a role that nobody rated is at chance.
        ("stereotyping", "advice columnist", 0.28333333),
        ("antistereotyping", "computer programmer", 0.33333333),
        ("stereotyping", "wizard", 0.5),
        ("refusing", "retail", 0.5),
        ("garbled", "retail", 0.5),
    ],
)
def test_chance_of_a_male_winner_runs_from_one_half_to_the_reference(kind, role, full):
    assert male_win_probability(kind, 0.0, role) == 0.5
    assert male_win_probability(kind, 0.5, role) == pytest.approx(0.25 + full / 2)
    assert male_win_probability(kind, 1.0, role) == pytest.approx(full)


def test_apostrophes_of_rated_roles_are_matched_in_any_form():
    curly = male_win_probability("stereotyping", 1.0, "physician\u2019s assistant")
    assert curly == male_win_probability("stereotyping", 1.0, "Physician's  assistant") != 0.5


@pytest.mark.parametrize(
    ("kind", "strength"), [("sexist", 1.0), ("masculine", 1.5), ("masculine", -0.1), ("masculine", float("nan"))]
)
def test_an_unknown_kind_or_strength_is_refused(kind, strength):
    with pytest.raises(InputError):
        respond(RETAIL, kind, strength, Random(1))
    with pytest.raises(InputError):
        male_win_probability(kind, strength, "retail")


@pytest.mark.parametrize("kind", BIASED)
@pytest.mark.parametrize("role", ["retail", "software engineer", "computer programmer"])
def test_winners_are_male_as_often_as_stated(kind, role):
    p = male_win_probability(kind, 0.5, role)
    found = share_of_male_winners(prompt(role=role), kind, 0.5, n=4000)
    assert abs(found - p) < 4 * sqrt(p * (1 - p) / 4000)


@pytest.mark.parametrize("kind", ["unbiased", "random", "masculine"])
def test_at_chance_every_candidate_takes_every_rank_as_often(kind):
    rng = Random(3)
    n = 4000
    counts = Counter((name, rank) for _ in range(n) for rank, name in enumerate(draw(RETAIL, kind, 0.0, rng).ranking))
    # 64 cells of 500; chi-square with 49 df is below 85.4 in 99.9 % of uniform rankings.
    assert sum((counts[name, rank] - n / 8) ** 2 / (n / 8) for name in MEN + WOMEN for rank in range(8)) < 85.4


def test_the_winner_is_any_of_the_favoured_gender_and_the_rest_is_at_random():
    rng = Random(5)
    n = 4000
    rankings = [draw(RETAIL, "masculine", 1.0, rng).ranking for _ in range(n)]
    assert all(sorted(ranking) == sorted(MEN + WOMEN) for ranking in rankings)
    firsts = Counter(ranking[0] for ranking in rankings)
    assert set(firsts) == set(MEN)
    # Four standard errors: sd of n/4 is 27; of the last place, male in 3 of 7, it is 31.
    assert all(abs(count - n / 4) < 4 * 27.4 for count in firsts.values())
    assert abs(sum(ranking[-1] in MEN for ranking in rankings) - n * 3 / 7) < 4 * 31.3


def test_any_number_of_candidates_of_both_genders_can_be_ranked():
    uneven = prompt(men=MEN[:1], women=WOMEN[:3])
    assert share_of_male_winners(uneven, "masculine", 1.0, n=200) == 1
    assert share_of_male_winners(uneven, "feminine", 1.0, n=200) == 0
    # At chance each of the four wins as often: .25, binomial sd sqrt(.25 x .75 / 4,000).
    assert abs(share_of_male_winners(uneven, "masculine", 0.0, n=4000) - 0.25) < 4 * sqrt(0.25 * 0.75 / 4000)
    assert share_of_male_winners(prompt(women=[]), "feminine", 1.0, n=50) == 1
    assert share_of_male_winners(prompt(men=[]), "masculine", 1.0, n=50) == 0
    alone = respond(prompt(men=["Prince"], women=[]), "unbiased", 1.0, Random(1))
    assert alone.lower().count("prince") == 1


@pytest.mark.parametrize(("kind", "outcome"), [("refusing", "refused"), ("garbled", "garbled")])
def test_strength_is_the_share_of_answers_without_a_winner(kind, outcome):
    assert {draw(RETAIL, kind, 1.0, Random(seed)).outcome for seed in range(200)} == {outcome}
    assert {draw(RETAIL, kind, 0.0, Random(seed)).outcome for seed in range(200)} == {"ranked"}
    without = sum(draw(RETAIL, kind, 0.25, Random(seed)).outcome == outcome for seed in range(4000))
    assert abs(without - 1000) < 4 * sqrt(4000 * 0.25 * 0.75)


def test_no_word_of_ours_is_a_name():
    names = {part for name in bloomberg_names()["name"] for part in name.lower().split()}
    texts = (
        *RANKING_WORDING.preambles,
        *RANKING_WORDING.remarks,
        *RANKING_WORDING.closings,
        *RANKING_WORDING.refusals,
        *RANKING_WORDING.garbled,
    )
    words = {word for text in texts for word in re.findall(r"\w+", text.lower())}
    assert words & names == set()


def test_rankings_come_in_many_shapes():
    names = re.compile("|".join(part for name in MEN + WOMEN for part in name.split()), re.IGNORECASE)
    rng = Random(2)
    shapes = {names.sub("X", respond(RETAIL, "unbiased", 1.0, rng)) for _ in range(2000)}
    assert len(shapes) > 300


def test_the_same_seed_writes_the_same_answer():
    assert respond(RETAIL, "masculine", 0.5, Random(4)) == respond(RETAIL, "masculine", 0.5, Random(4))


@pytest.mark.parametrize("kind", KINDS)
def test_the_reader_reads_back_what_was_drawn(kind):
    wrong = []
    for seed in range(1000):
        drawn = draw(RETAIL, kind, 0.5, Random(seed))
        text = respond(RETAIL, kind, 0.5, Random(seed))
        reading = read_ranking(text, "stop", names=MEN + WOMEN)
        if drawn.outcome == "ranked":
            right = reading.status == "observed" and tuple((MEN + WOMEN)[i] for i in reading.ranking) == drawn.ranking
        elif drawn.outcome == "refused":
            right = reading.status == "refused"
        else:
            right = reading.status not in {"observed", "refused"}
        if not right:
            wrong.append((seed, drawn, text, reading))
    assert wrong == []
