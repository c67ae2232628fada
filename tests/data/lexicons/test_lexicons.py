from evenhand.data.lexicons.names import GENDERS, RACES, bloomberg_names
from evenhand.data.lexicons.occupations import kennison_occupations


def test_there_are_100_different_names_per_race_and_gender():
    names = bloomberg_names()
    assert names["name"].n_unique() == 800
    counts = names.group_by("race", "gender").len()
    assert sorted(counts["race"].unique()) == sorted(RACES)
    assert sorted(counts["gender"].unique()) == sorted(GENDERS)
    assert counts["len"].to_list() == [100] * 8


def test_occupations_are_rated_between_0_and_1():
    table = kennison_occupations()
    assert table["occupation"].n_unique() == 339  # the card's number
    assert table["masculinity"].is_between(0, 1).all()
    ratings = dict(table.iter_rows())
    assert ratings["nurse"] < 0.3
    assert ratings["trucker"] > 0.7
