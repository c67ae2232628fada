"""Names chosen for groups: how many, of what, how alike, and the same for the same seed."""

from collections import Counter
from itertools import product

import pytest

from evenhand.data.lexicons.names import GENDERS, RACES, GroupName, group_names
from evenhand.errors import InputError
from evenhand.synthetic.arms import choose_names


def texts(names):
    return [each.name.text for each in names]


@pytest.mark.parametrize(
    ("by", "groups", "held", "sizes"),
    [
        (["gender"], [(gender,) for gender in sorted(GENDERS)], [(race,) for race in RACES], (12, 10)),
        (["race"], [(race,) for race in RACES], [(gender,) for gender in sorted(GENDERS)], (10, 10)),
        (["gender", "race"], list(product(sorted(GENDERS), RACES)), [()], (10, 10)),
    ],
)
def test_each_group_has_names_of_all_values_of_what_is_held_and_ten_of_each(by, groups, held, sizes):
    found = choose_names(group_names(), by=by, seed=4)
    assert list(found.groups) == groups
    for group in groups:
        names = found.names(group)
        assert len(names) == len(set(texts(names))) == sizes[0]
        counts = Counter(tuple(each.signals[name] for name in found.held) for each in names)
        assert set(counts) == set(held)
        assert len(set(counts.values())) == 1
        for value in held:
            same = found.names(group, value)
            assert len(same) == sizes[1]
            assert {tuple(each.signals[name] for name in by) for each in same} == {group}


@pytest.mark.parametrize(("by", "apart"), [(["gender"], 0), (["race"], 1), (["gender", "race"], 2)])
def test_names_of_one_matched_set_are_about_equally_long(by, apart):
    found = choose_names(group_names(), by=by, seed=1)
    for placebo in (False, True):
        for together in zip(*(found.names(group, placebo=placebo) for group in found.groups), strict=True):
            assert len({each.matched for each in together}) == 1
            lengths = [len(each.name.text) for each in together]
            assert max(lengths) - min(lengths) <= apart


def test_the_placebo_has_other_names_of_the_group():
    found = choose_names(group_names(), by=["gender"])
    for group in found.groups:
        arms, others = found.names(group), found.names(group, placebo=True)
        assert len(arms) == len(others)
        assert not set(texts(arms)) & set(texts(others))
        assert {each.signals["gender"] for each in others} == set(group)


def test_a_seed_gives_the_same_names_again_and_another_one_others():
    one, same, other = (choose_names(group_names(), by=["race"], seed=seed) for seed in (1, 1, 2))
    assert one == same
    assert texts(one.names(("black",))) != texts(other.names(("black",)))


def test_the_record_says_what_was_chosen_and_on_what_it_was_matched():
    record = choose_names(group_names(), by=["race"], seed=1, per_group=2).record
    assert record["matched_on"] == ["length"]
    assert "not known" in record["note"]
    assert record["names_per_group"] == {"asked": 2, "chosen": 2, "of_each_value": 2}
    assert len(record["names"]) == len(RACES) * len(GENDERS) * 2 * 2
    assert record["names"][0] == {
        "name": record["names"][0]["name"],
        "gender": "female",
        "race": "asian",
        "for": "arms",
        "matched": 0,
        "length": len(record["names"][0]["name"]),
    }


def named(**groups):
    return [
        GroupName(name=name, signals={"group": group}, frequency=frequency)
        for group, names in groups.items()
        for name, frequency in names
    ]


def test_names_are_matched_on_frequency_where_it_is_known_of_all():
    pool = named(a=[("Al Bo", 1), ("Al Mo", 1000)], b=[("Ed Ko", 900), ("Ed Lo", 2)])
    found = choose_names(pool, by=["group"], placebo=False)
    pairs = set(zip(texts(found.names(("a",))), texts(found.names(("b",))), strict=True))
    assert pairs == {("Al Bo", "Ed Lo"), ("Al Mo", "Ed Ko")}
    assert found.record["matched_on"] == ["length", "frequency"]


def test_fewer_names_than_asked_for_are_shared_between_arms_and_placebo():
    pool = named(a=[(f"Al B{letter}", None) for letter in "aeiou"], b=[(f"Ed K{letter}", None) for letter in "aeiou"])
    found = choose_names(pool, by=["group"], per_group=10)
    assert len(found.names(("a",))) == len(found.names(("a",), placebo=True)) == 2
    assert len(choose_names(pool, by=["group"], per_group=10, placebo=False).names(("a",))) == 5


def test_a_name_that_signals_two_groups_is_left_out():
    pool = named(
        a=[("Al Bo", None), ("Jo Lee", None), ("Al Mo", None)], b=[("jo lee", None), ("Ed K", None), ("Ed L", None)]
    )
    found = choose_names(pool, by=["group"], placebo=False)
    assert {text.lower() for text in texts(found.names(("a",)))} == {"al bo", "al mo"}


def test_a_value_that_is_held_and_has_too_few_names_is_left_out_where_others_have_enough():
    counts = {("a", "x"): 4, ("b", "x"): 4, ("a", "y"): 4, ("b", "y"): 1}
    pool = [
        GroupName(name=f"{group}{held}{number}", signals={"group": group, "race": held})
        for (group, held), names in counts.items()
        for number in range(names)
    ]
    found = choose_names(pool, by=["group"], per_group=2)
    assert {name.signals["race"] for name in found.names(("a",))} == {"x"}
    assert "names of y are left out, a group has fewer than 2" in found.record["note"]


@pytest.mark.parametrize(
    ("pool", "by", "told"),
    [
        (group_names(), ["faith"], "--by 'faith' is nothing that the names signal; expected gender, race"),
        (group_names(), [], "--by names nothing"),
        (named(a=[("Al Bo", None), ("Al Mo", None)]), ["group"], "Names of 1 group; expected two"),
        (
            named(a=[("Al Bo", None), ("Al Mo", None)], b=[("Ed Ko", None)]),
            ["group"],
            "group 'b' has 1 name; give 2 or more",
        ),
    ],
)
def test_what_no_names_can_be_chosen_for_is_told(pool, by, told):
    with pytest.raises(InputError, match=told):
        choose_names(pool, by=by)


def test_no_names_per_group_are_refused():
    with pytest.raises(InputError, match="0 names per group; expected 1 or more"):
        choose_names(group_names(), by=["gender"], per_group=0)
