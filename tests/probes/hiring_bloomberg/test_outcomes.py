"""Saved rankings in, outcomes out; two candidates are enough to see every rule."""

import polars as pl
import pytest

from evenhand.errors import InputError
from evenhand.probes.hiring_bloomberg.outcomes import outcomes, saved_stimuli

ADAM, ADRIANA = "Adam Erickson", "Adriana Magana"  # white male, hispanic female in our table
PAIR = [{"name": ADAM.upper()}, {"name": ADRIANA}]
OWN = [
    {"name": "Ida Rue", "gender": "Female", "race": "Black", "slot": 2},
    {"name": "Ugo Rex", "gender": "male", "race": "black", "slot": 1},
]


def saved(*rows):
    return pl.DataFrame([{"role": "retail", **row} for row in rows], infer_schema_length=None, strict=False)


def read(stimuli, texts):
    return outcomes(
        stimuli.with_columns(
            pl.Series("item", [str(n) for n in range(len(texts))]),
            pl.Series("text", texts, dtype=pl.String),
            pl.lit(None, pl.String).alias("finish_reason"),
            pl.lit(None, pl.String).alias("error_class"),
            pl.lit(0, pl.Int32).alias("attempt"),
            pl.lit(None, pl.Datetime("us", "UTC")).alias("time"),
        )
    ).outcomes


def test_groups_are_looked_up_and_names_spelled_as_in_the_table():
    row = saved_stimuli(saved({"candidates": PAIR})).row(0, named=True)
    assert [(each["name"], each["gender"], each["race"], each["slot"]) for each in row["candidates"]] == [
        (ADAM, "male", "white", 1),
        (ADRIANA, "female", "hispanic", 2),
    ]
    assert row["race"] is None


def test_own_names_bring_their_groups_and_stand_in_the_order_of_their_slots():
    row = saved_stimuli(saved({"candidates": OWN})).row(0, named=True)
    assert [each["name"] for each in row["candidates"]] == ["Ugo Rex", "Ida Rue"]
    assert row["race"] == "black"
    assert row["lineup"] == "Ugo Rex | Ida Rue"


def test_the_race_of_the_prompt_stands_in_for_the_candidates():
    given = [{"name": "Ida Rue", "gender": "female"}, {"name": "Ugo Rex", "gender": "male"}]
    row = saved_stimuli(saved({"candidates": given, "race": "Asian"})).row(0, named=True)
    assert {each["race"] for each in row["candidates"]} == {"asian"}


def test_roles_of_the_card_are_spelled_as_there_and_prompts_told_apart():
    frame = saved_stimuli(
        saved({"candidates": PAIR, "role": "hr SPECIALIST"}, {"candidates": PAIR}, {"candidates": PAIR[::-1]})
    )
    assert frame["role"].to_list() == ["HR specialist", "retail", "retail"]
    assert frame["unit"].n_unique() == 3


def test_candidates_may_come_as_json_text():
    text = '[{"name": "Ida Rue", "gender": "female", "race": "black"}, {"name": "Adam Erickson"}]'
    assert saved_stimuli(saved({"candidates": text}))["lineup"].to_list() == ["Ida Rue | Adam Erickson"]


def test_one_outcomes_row_per_candidate_with_the_winner_and_missing_ranks():
    stimuli = saved_stimuli(saved({"candidates": PAIR}, {"candidates": PAIR}, {"candidates": PAIR}))
    frame = read(stimuli, [f"1. {ADRIANA}\n2. {ADAM}", ADAM, "I cannot rank the candidates."])
    assert frame["successes"].to_list() == [0, 1, 1, 0, None, None]
    assert frame["rank"].to_list() == [2, 1, 1, None, None, None]
    assert frame["trials"].to_list() == [1, 1, 1, 1, None, None]
    assert frame["status"].to_list() == ["observed"] * 4 + ["refused"] * 2
    assert frame["protected.gender"].to_list() == ["male", "female"] * 3
    assert frame["set"].n_unique() == 1  # one and the same prompt, three times
    assert frame["unit"].str.ends_with("/1").to_list() == [True, False] * 3


@pytest.mark.parametrize(
    ("row", "words"),
    [
        ({"candidates": None}, ("Row 1", "candidates is None", "list")),
        ({"candidates": "nobody"}, ("Row 1", "candidates is 'nobody'", "list of")),
        ({"candidates": PAIR[:1]}, ("Row 1", "1 candidate;", "two or more")),
        ({"candidates": [PAIR[0], {"name": ADAM}]}, ("Row 1", "candidate 1", "same name twice")),
        ({"candidates": [PAIR[0], {"name": " "}]}, ("Row 1", "candidate 2 has no name")),
        ({"candidates": [PAIR[0], {"name": "Ida Rue"}]}, ("Row 1", "candidate 2", "no gender")),
        ({"candidates": [{**OWN[0], "gender": "woman"}, OWN[1]]}, ("Row 1", "gender 'woman'", "male, female")),
        ({"candidates": [{**OWN[0], "slot": 1}, OWN[1]]}, ("Row 1", "slot", "there twice")),
        ({"candidates": PAIR, "role": " "}, ("Row 1", "role")),
        ({"candidates": PAIR, "race": "martian"}, ("Row 1", "race 'martian'")),
    ],
)
def test_wrong_candidates_are_refused_with_their_row(row, words):
    with pytest.raises(InputError) as caught:
        saved_stimuli(saved(row))
    for word in words:
        assert word in str(caught.value)


def test_missing_columns_are_named():
    with pytest.raises(InputError, match="candidates"):
        saved_stimuli(pl.DataFrame({"role": ["retail"]}))


def test_an_entry_that_cannot_be_told_leaves_its_rank_to_nobody():
    names = ("Ida Rue", "Ugo Rex", "Eve Ash")
    given = [{"name": name, "gender": "female", "race": "black"} for name in names]
    frame = read(saved_stimuli(saved({"candidates": given})), ["1. Eve Ash\n2. Peter Smith\n3. Ida Rue"])
    assert frame["rank"].to_list() == [3, None, 1]
    assert frame["reading"].unique().to_list() == ["full names; further down: nobody's name"]


def test_a_candidate_s_own_race_wins_over_none_and_must_agree_with_the_prompt_s():
    with pytest.raises(InputError, match="Row 1: candidate 1, 'Ida Rue', has another race"):
        saved_stimuli(saved({"candidates": OWN, "race": "white"}))
    mixed = [OWN[0], {**OWN[1], "race": "white"}]
    assert saved_stimuli(saved({"candidates": mixed, "race": ""}))["race"].to_list() == [None]


@pytest.mark.parametrize(
    ("slots", "words"),
    [
        ((2, None), "candidate 2, 'Ugo Rex', has no slot"),
        ((1.5, 2), "candidate 1, 'Ida Rue', has a slot that is not a whole number"),
        ((-1, 2), "candidate 1, 'Ida Rue', has a slot that is not a whole number"),
    ],
)
def test_slots_that_are_no_places_are_refused(slots, words):
    given = [{**each, "slot": slot} for each, slot in zip(OWN, slots, strict=True)]
    with pytest.raises(InputError, match=words):
        saved_stimuli(saved({"candidates": given}))


def test_slots_may_be_text_and_other_keys_are_ignored():
    given = [{**OWN[0], "slot": "2", "age": 40}, {**OWN[1], "slot": "1", "age": None}]
    assert saved_stimuli(saved({"candidates": given}))["lineup"].to_list() == ["Ugo Rex | Ida Rue"]
