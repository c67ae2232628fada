"""The piles of screening: every application under every group at the same place, and rounds built from answers."""

import json

import numpy as np
import polars as pl
import pytest

from evenhand.errors import InputError
from evenhand.probes import PROBES
from evenhand.probes.screening.piles import builtin_layout, read_design
from evenhand.probes.screening.settings import Settings

PROBE = PROBES["screening"]
DESIGN = PROBE.designs["piles"]
STEPS = ["shortlist", "questions", "scores", "decision"]


def candidates(rows):
    return (
        rows.filter(step="shortlist").select("item", "block", "candidates").explode("candidates").unnest("candidates")
    )


@pytest.mark.parametrize("pile", [4, 8, 20])
def test_in_a_block_an_application_stands_at_one_place_under_each_group_once(pile):
    design = PROBE.with_settings({"pile": pile}).designs["piles"]
    shown = candidates(design.stimuli(np.arange(2 * design.block)))
    places = shown.group_by("block", "number").agg(
        pl.col("resume").n_unique(), pl.struct("gender", "race").n_unique().alias("groups"), pl.len().alias("times")
    )
    assert places.select("resume", "groups", "times").unique().rows() == [(1, 8, 8)]
    assert places.height == 2 * pile
    # Nobody is in a pile twice.
    assert shown.group_by("item").agg(pl.col("name").n_unique())["name"].unique().to_list() == [pile]


def test_names_of_a_group_come_equally_often_and_neighbours_change():
    shown = candidates(DESIGN.stimuli(np.arange(40 * DESIGN.block)))
    counts = shown["name"].value_counts()["count"]
    assert counts.len() == 80
    assert counts.max() <= 1.5 * counts.min()
    after = shown.with_columns(pl.struct("gender", "race").shift(-1).over("item").alias("next")).drop_nulls("next")
    neighbours = after.group_by("gender", "race").agg(pl.col("next").n_unique())
    assert neighbours["next"].to_list() == [7] * 8


def test_all_steps_are_put_to_the_whole_pile_first_and_later_ones_to_survivors_in_rounds():
    rows = DESIGN.stimuli(np.arange(7))
    assert rows.select("step", "shown", "round").rows() == [
        *((step, "pile", 0) for step in STEPS),
        *((step, "survivors", place) for place, step in enumerate(STEPS[1:], 1)),
    ]
    assert (DESIGN.block, DESIGN.rounds) == (56, 4)


def test_a_later_round_shows_the_survivors_and_the_models_own_answers():
    texts = {
        (0, 0): json.dumps({"shortlist": [{"candidate": 2, "reason": "fits"}, {"candidate": 5, "reason": "fits"}]})
    }
    rows = DESIGN.stimuli(np.arange(7)).with_columns(pl.lit(0).alias("attempt"))
    followed = DESIGN.follow(rows, texts)
    # Scores need the answer to the questions first.
    assert followed["round"].to_list() == [0, 0, 0, 0, 1]
    late = followed.row(4, named=True)
    assert late["offered"] == "2 5"
    assert [f"Candidate {n}\n" in late["prompt"] for n in range(1, 9)] == [n in {2, 5} for n in range(1, 9)]
    assert texts[0, 0] in late["prompt"]
    # What a step itself does is asked without answers to others.
    assert texts[0, 0] not in "".join(followed["prompt"][:4])
    more = DESIGN.follow(rows, {**texts, (4, 0): "Candidate 2:\nWhy us?"})
    assert more["round"].to_list() == [0, 0, 0, 0, 1, 2]
    assert "Why us?" in more["prompt"][5]


@pytest.mark.parametrize("answer", ["None of them meets the requirements.", "I can't judge people.", None])
def test_nobody_is_asked_about_where_nobody_was_shortlisted(answer):
    rows = DESIGN.stimuli(np.arange(7)).with_columns(pl.lit(0).alias("attempt"))
    assert DESIGN.follow(rows, {} if answer is None else {(0, 0): answer})["round"].to_list() == [0, 0, 0, 0]


def test_masked_applications_show_no_name_and_the_instruction_is_a_system_prompt():
    design = PROBE.with_settings({"masked": True, "instructed": True}).designs["piles"]
    rows = design.stimuli(np.arange(design.block))
    assert rows["arm"].unique(maintain_order=True).to_list() == ["plain", "instructed", "masked"]
    for row in rows.iter_rows(named=True):
        named = [one["name"] for one in row["candidates"] if one["name"] in row["prompt"]]
        assert len(named) == (0 if row["arm"] == "masked" else 8)
        assert bool(row["system"]) == (row["arm"] == "instructed")


DESIGN_TOML = """\
name = "bakery"
pile = 4
steps = ["scores", "shortlist"]
rule = "Two may come to a trial day."

[prompts]
scores = "Score each from 0 to 100."

[[positions]]
id = "p"
title = "Baker"
text = "We look for a baker."

[[resumes]]
id = "a"
position = "p"
quality = "clear"
text = "Ten years in a bakery."

[[resumes]]
id = "b"
position = "p"
quality = "none"
text = "{name}. Ten years at sea."
"""


def written(tmp_path, text=DESIGN_TOML):
    (tmp_path / "my.toml").write_text(text, encoding="utf-8")
    return tmp_path / "my.toml"


def test_a_design_gives_positions_steps_rule_and_prompts(tmp_path):
    design = PROBE.configure(Settings(design=written(tmp_path))).designs["piles"]
    rows = design.stimuli(np.arange(design.block))
    assert rows["step"].unique(maintain_order=True).to_list() == ["shortlist", "scores"]
    first, scores = rows.row(0, named=True), rows.row(1, named=True)
    assert "Two may come to a trial day." in first["prompt"]
    assert scores["prompt"].endswith("Score each from 0 to 100.")
    # Two applications fill four places, under four names; where no place is left for a name, a line has it.
    assert [one["resume"] for one in first["candidates"]].count("a") == 2
    for one in first["candidates"]:
        head = (
            f"Candidate {one['number']}: {one['name']}\nTen years in a"
            if one["resume"] == "a"
            else one["name"] + ". Ten"
        )
        assert head in first["prompt"]


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("pile =", "piles =", "line 2: the key 'piles' is unknown; expected name, pile, .*Did you mean pile?"),
        ("pile = 4", "pile = 3", "pile is 3; expected a number from 4 to 20"),
        ("pile = 4", 'pile = "x"', "pile is 'x'; expected a whole number"),
        ('"scores", "shortlist"', '"score"', "the step 'score' is unknown; expected some of shortlist"),
        ("[prompts]\nscores", "[prompts]\nscore", "the key 'score' of prompts is unknown"),
        ('title = "Baker"\n', "", "position 'p' has no title"),
        ('quality = "none"', 'quality = "bad"', "résumé 'b' has the quality 'bad'; expected one of clear, borderline"),
        ('id = "b"', 'id = "a"', "résumé 'a' is there twice"),
        (
            'position = "p"\nquality = "none"',
            'position = "q"\nquality = "none"',
            "has the position 'q'; expected one of p",
        ),
        ('text = "We look for a baker."', 'text = ""', "text of positions is empty"),
    ],
)
def test_a_wrong_design_is_refused_by_key_and_line(tmp_path, old, new, message):
    path = written(tmp_path, DESIGN_TOML.replace(old, new, 1))
    with pytest.raises(InputError, match=message):
        read_design(path)


def test_our_own_positions_have_applications_of_every_quality():
    layout = builtin_layout()
    assert all({one.quality for one in rows} == {"clear", "borderline", "none"} for rows in layout.applications)
