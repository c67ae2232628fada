"""Every résumé in every arm for every position, by index."""

import numpy as np
import polars as pl
import pytest

from evenhand.analyses.perturb_arms import embedded_applicants, read_applicants
from evenhand.errors import InputError


def stimuli(layout, indices=None):
    chosen = np.arange(layout.size) if indices is None else np.array(indices)
    return layout.stimuli(chosen, prompt=lambda position, resume: f"{position}\n{resume}")


def test_a_layout_has_each_person_position_arm_and_name_once(layout_of):
    layout = layout_of("name", "placebo", by=("gender",), per_group=4)
    frame = stimuli(layout)
    names = {
        (template.id, arm.label): len(layout.arms.names(template, arm))
        for template in layout.applicants.templates
        for arm in layout.arms.arms(template)
    }
    assert layout.size == 2 * sum(names.values())
    counts = frame.group_by("person", "position", "arm").len()
    assert counts.height == 2 * len(names)
    assert all(row["len"] == names[row["person"], row["arm"]] for row in counts.iter_rows(named=True))
    assert frame["unit"].n_unique() == layout.size


def test_a_stimulus_is_the_same_wherever_it_is_asked_for(layout_of):
    layout = layout_of()
    frame = stimuli(layout)
    order = np.random.default_rng(1).permutation(layout.size)
    assert stimuli(layout, order).equals(frame[order.tolist()])


def test_texts_are_those_of_the_arms_and_show_what_they_signal(layout_of):
    layout = layout_of("name", "affinity", by=("race",))
    arms = {arm.label: arm for template in layout.applicants.templates for arm in layout.arms.arms(template)}
    for row in stimuli(layout).iter_rows(named=True):
        arm = arms[row["arm"]]
        assert row["name"].split()[0] in row["resume_text"]
        assert row["protected.race"] == (arm.line or arm.names)[0]
        assert row["prompt"] == f"{row['position_text']}\n{row['resume_text']}"


def test_rows_of_one_pair_are_one_person_and_position_and_differ_in_the_arm(layout_of):
    frame = stimuli(layout_of("name", "name+pronouns", "placebo"))
    pairs = frame.group_by("pair").agg(pl.n_unique("person", "position", "set"), pl.col("arm").is_unique().all())
    assert pairs.select(pl.col("person", "position", "set").max()).row(0) == (1, 1, 1)
    assert pairs["arm"].all()


def test_ids_of_documents_say_nothing_and_are_no_numbers(layout_of):
    layout = layout_of(per_group=10)
    ids = {document.id for document in layout.documents()}
    assert ids == set(stimuli(layout)["document"])
    assert all(each[0] == "r" and len(each) == 13 for each in ids)
    first = sorted(layout.documents(), key=lambda document: document.id)
    females = [document.arm.names == ("female",) for document in first]
    assert 0.2 < sum(females[: len(females) // 2]) / (len(females) // 2) < 0.8


@pytest.mark.parametrize("change", ["seed", "kinds", "names", "people"])
def test_experiments_are_told_apart(layout_of, change):
    other = {
        "seed": lambda: layout_of(seed=1),
        "kinds": lambda: layout_of("name"),
        "names": lambda: layout_of(per_group=3),
        "people": lambda: layout_of(people=embedded_applicants()),
    }
    assert layout_of().digest() == layout_of().digest()
    assert layout_of().digest() != other[change]().digest()


def test_the_embedded_people_apply_for_their_own_position_and_are_called_synthetic(layout_of):
    people = embedded_applicants()
    layout = layout_of("name", people=people)
    frame = stimuli(layout, np.arange(0, layout.size, 97))
    assert len(people.positions) >= 60
    assert people.synthetic
    assert frame["qualification"].unique().sort().to_list() == ["medium", "strong", "weak"]
    assert stimuli(layout).group_by("person").agg(pl.n_unique("position"))["position"].max() == 1


def test_a_position_is_shown_with_all_that_is_said_of_it(applicants):
    assert applicants.positions[0].text == "Nurse\n\nCares for patients.\n\nSkills: triage\n\nLocation: Ohio"


def test_people_who_can_not_be_shown_under_another_name_are_told(tmp_path):
    (tmp_path / "people.jsonl").write_text('{"id": "1", "text": "Ten years of nursing."}\n')
    (tmp_path / "positions.csv").write_text("title\nNurse\n")
    with pytest.raises(InputError, match="can get another name: 1 because no name was found"):
        read_applicants(tmp_path / "people.jsonl", tmp_path / "positions.csv")
