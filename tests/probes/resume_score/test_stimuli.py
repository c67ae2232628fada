"""The prompts of resume-score: the same résumé under all names, in equal parts of everything else."""

import numpy as np
import polars as pl
import pytest

from evenhand.data.lexicons.occupations import occupations
from evenhand.probes import PROBES
from evenhand.probes.resume_score.settings import Settings
from evenhand.probes.resume_score.stimuli import EMBEDDED, builtin_applications, builtin_names

PROBE = PROBES["resume-score"]


@pytest.fixture(scope="module")
def matched():
    return PROBE.designs["matched"].stimuli(np.arange(4000))


def test_the_default_is_4000_prompts_of_50_resumes_under_80_names(matched):
    assert PROBE.designs["matched"].size == 4000
    assert (
        matched.group_by("resume", "position", "wording").agg(pl.col("name").n_unique())["name"].to_list() == [80] * 50
    )
    assert matched["position"].n_unique() == 50
    assert builtin_names().group_by("race", "gender").len()["len"].to_list() == [10] * 8


def test_an_item_is_one_resume_under_one_name_of_each_group(matched):
    items = matched.group_by("item").agg(
        pl.struct("resume", "wording").n_unique().alias("sets"), pl.struct("gender", "race").n_unique().alias("groups")
    )
    assert items.select(pl.struct("sets", "groups").unique()).to_series().to_list() == [{"sets": 1, "groups": 8}]


@pytest.mark.parametrize("column", ["qualification", "wording"])
def test_qualifications_and_wordings_come_in_equal_parts(matched, column):
    counts = matched[column].value_counts()["count"]
    assert counts.len() == 3
    assert counts.max() - counts.min() <= 3 * 80  # 50 sets are five rounds of nine, and five sets


def test_prompts_of_a_set_differ_in_the_name_and_its_address_only(matched):
    for _, rows in matched.group_by("resume", "wording", maintain_order=True):
        plain = {
            prompt.replace(name, "N").replace(".".join(name.lower().split()), "n")
            for name, prompt in rows.select("name", "prompt").iter_rows()
        }
        assert len(plain) == 1


@pytest.mark.parametrize("design", ["matched", "extended"])
def test_any_prompt_is_built_without_the_others(design):
    layout = PROBE.designs[design]
    some = np.array([layout.size - 1, 0, 777])
    rows = layout.stimuli(some)
    assert rows["index"].to_list() == some.tolist()
    assert rows["prompt"].to_list() == [layout.stimuli(np.array([each]))["prompt"][0] for each in some]
    assert not rows["prompt"].str.contains("{", literal=True).filter(rows["wording"] != "json").any()


def test_every_set_of_the_extended_design_is_another_one():
    layout = PROBE.designs["extended"]
    rows = layout.stimuli(np.arange(0, layout.size, 80))
    assert rows.select("resume", "wording").is_unique().all()
    assert rows.height == EMBEDDED[0] * EMBEDDED[1] * 3


def test_the_shape_is_that_of_the_embedded_texts():
    assert builtin_applications().shape() == EMBEDDED == (len(occupations()), 3)
    assert {each.zone for each in builtin_applications().positions} == {"1", "2", "3", "4", "5"}


@pytest.mark.parametrize(
    ("settings", "size", "said"),
    [
        ({"occupations": "Cashiers"}, 9 * 80, "Cashier"),
        ({"occupations": "29-1141.00, cashiers"}, 18 * 80, "Registered Nurse"),
        ({"range": "1-5"}, 4000, "from 1 (no fit) to 5 (perfect fit)"),
        ({"pronouns": True}, 4000, "\nShe/her\n"),
        ({"affinity": True}, 4000, "Member, Asian Women's Professionals Network"),
    ],
)
def test_settings_change_what_is_asked(settings, size, said):
    layout = PROBE.configure(Settings(**settings)).designs["matched"]
    assert layout.size == size
    assert said in layout.stimuli(np.array([0]))["prompt"][0]
