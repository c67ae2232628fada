"""Batches: what is counted is what was given, in any order and however it is cut, and each batch once."""

import math
import random
from dataclasses import replace
from datetime import timedelta

import hypothesis.strategies as st
import pytest
from hypothesis import given
from judged import START, judgements, measures, recorded

from evenhand.errors import InputError
from evenhand.monitoring.daily import daily_series, series_of
from evenhand.monitoring.recording import missing_counts
from evenhand.monitoring.store import opened_store, verified_log
from properties import dear


def values(place, *, cut=None):
    """Return the values of a store by measure and day, of one slice."""
    with opened_store(place) as store:
        return {
            (each.measure, str(day)): value
            for each in daily_series(store)
            if each.slice == (cut or {})
            for day, value in zip(each.days, each.value, strict=True)
            if not math.isnan(value)
        }


def expected(found):
    days = sorted({str(each["time"].date()) for each in found})
    return {
        (name, day): value
        for day in days
        for name, value in measures([each for each in found if str(each["time"].date()) == day]).items()
    }


def whole(place):
    """Return all that a store says of its days and cells."""
    with opened_store(place) as store:
        return store.rows(
            "SELECT model, measure, slice, day, value, standard_error, n, reason FROM daily_values "
            "JOIN series ON id = series ORDER BY model, measure, slice, day"
        )


def test_measures_of_a_day_are_those_of_its_rows(place):
    found = judgements(400)
    recorded(place, found)
    assert values(place) == pytest.approx(expected(found))
    screened = [each for each in found if each["stage"] == "screen"]
    assert values(place, cut={"stage": "screen"}) == pytest.approx(expected(screened))
    for gender in ("female", "male"):
        of_group = [each for each in found if each["protected"]["gender"] == gender]
        seen = values(place, cut={"gender": gender})
        for name in ("median_score", "selection_rate"):
            wanted = {key: value for key, value in expected(of_group).items() if key[0] == name}
            assert {key: value for key, value in seen.items() if key[0] == name} == pytest.approx(wanted)


def test_a_slice_that_is_not_kept_is_counted_when_it_is_asked_for(file):
    found = judgements(400)
    recorded(file, found)
    cut = {"position": "nurse", "department": "north"}
    nurses = [each for each in found if each["position"] == "nurse" and each["by"]["department"] == "north"]
    with opened_store(file) as store:
        series = series_of(store, model="screener", measure="selection_rate", slice=cut)
        assert series_of(store, model="screener", measure="selection_rate", slice={"position": "cook"}) is None
    wanted = [value for (name, _), value in expected(nurses).items() if name == "selection_rate"]
    assert series.value.tolist() == pytest.approx(wanted)


@dear(4)
@given(st.integers(0, 999), st.booleans())
def test_batches_in_any_order_are_as_one(tmp_path_factory, seed, units):
    drawn = random.Random(seed)
    found = judgements(60, seed=seed, units=units)
    folder = tmp_path_factory.mktemp("cut")
    one, many = str(folder / "one.db"), str(folder / "many.db")
    recorded(one, found)
    drawn.shuffle(found)
    cuts = sorted(drawn.sample(range(1, 60), 3))
    for start, end in zip([0, *cuts], [*cuts, 60], strict=True):
        recorded(many, found[start:end])
    assert whole(one) == whole(many)


def test_the_worst_auc_is_of_a_group_with_labels_enough(file):
    def judged(group, n):
        return [
            {"time": START, "score": score, "label": label, "protected": {"race": group}}
            for number in range(n)
            for score, label in [((number * 37 % 100) / 100, number % 2 == 0)]
        ]

    few = [
        {"time": START, "score": 0.9 - 0.8 * label, "label": label, "protected": {"race": "few"}} for label in (0, 1)
    ]
    recorded(file, judged("many", 60) + few)
    with opened_store(file) as store:
        (found,) = daily_series(store, measures=["worst_group_auc"])
    assert found.n.tolist() == [60]
    recorded(file + "2", judged("some", 40) + few)
    with opened_store(file + "2") as store:
        (found,) = daily_series(store, measures=["worst_group_auc"])
    assert (found.n.tolist(), found.value.tolist()) == ([2], [0.0])


def test_the_log_impact_ratio_is_against_the_largest_group(file):
    rows = [("female", True)] * 3 + [("female", False)] * 3 + [("male", True)] * 6 + [("male", False)] * 2
    recorded(
        file,
        [{"time": START, "selected": chosen, "protected": {"gender": group}} for group, chosen in rows],
    )
    with opened_store(file) as store:
        (series,) = daily_series(store, measures=["log_impact_ratio"])
    assert series.slice == {"gender": "female"}
    assert series.value.tolist() == pytest.approx([math.log((3 / 6) / (6 / 8))])
    # Delta method: (1 - p) / selected of each group.
    assert series.standard_error.tolist() == pytest.approx([math.sqrt(0.5 / 3 + 0.25 / 6)])


def test_the_reference_changes_while_there_are_few_and_all_days_follow(file):
    def day(number, women, men):
        at = START + timedelta(days=number)
        groups = ["female"] * women + ["male"] * men
        return [{"time": at, "selected": bool(n % 2), "protected": {"gender": group}} for n, group in enumerate(groups)]

    recorded(file, day(0, 8, 6))
    recorded(file, day(1, 6, 20))
    with opened_store(file) as store:
        references = store.rows("SELECT reference, settled FROM reference_groups")
        series = {each.slice["gender"]: each for each in daily_series(store, measures=["log_impact_ratio"])}
    assert references == [("male", 0)]
    assert series["female"].days.size == 2
    assert set(series) == {"female"}


def test_a_batch_is_recorded_once(place):
    found = judgements(50)
    first, again = recorded(place, found), recorded(place, found)
    assert (first.new, first.n, again.new, again.name) == (True, 50, False, first.name)
    assert replace(first, new=False, days=[first.days[0], first.days[-1]]) == again
    before = whole(place)
    assert recorded(place, found, name="again").new
    assert whole(place) != before


def test_another_content_under_a_known_id_is_refused(file):
    recorded(file, judgements(50), name="monday")
    before = whole(file)
    with pytest.raises(InputError, match=r"A batch 'monday' was recorded for 'screener' .* another --batch-id"):
        recorded(file, judgements(50, seed=1), name="monday")
    assert whole(file) == before
    assert recorded(file, judgements(50, seed=1), name="monday", model="other").new


def test_a_late_batch_goes_to_its_days(file):
    found = judgements(90)
    on_time = [each for each in found if each["time"].day > 1]
    late = [each for each in found if each["time"].day == 1]
    recorded(file, on_time)
    recorded(file, late[:5])
    recorded(file, late[5:])
    assert values(file) == pytest.approx(expected(found))


def test_a_unit_counts_once_and_a_label_comes_later(place):
    found = judgements(120, units=True)
    recorded(place, found)
    assert (again := recorded(place, found[:40], name="again")).known == 40
    assert again.n == 0
    labels = [
        {"time": START + timedelta(days=60), "unit": each["unit"], "label": not each["label"]} for each in found[:30]
    ]
    told = recorded(place, labels, labels_only=True)
    assert (told.labels, told.without) == (30, 0)
    for each in found[:30]:
        each["label"] = not each["label"]
    assert values(place) == pytest.approx(expected(found))
    with opened_store(place) as store:
        replaced = store.rows("SELECT count(*) FROM labels WHERE replaced IS NOT NULL")
        assert (verified_log(store).wrong, missing_counts(store)) == (None, None)
        kinds = [entry for (entry,) in store.rows("SELECT entry FROM log ORDER BY number")]
    assert replaced[0][0] > 0
    assert sum('"kind":"labels"' in entry for entry in kinds) == 1


@pytest.mark.parametrize(
    ("more", "told"),
    [
        ({"stage": "offer"}, (1, 0)),
        ({"stage": " OFFER "}, (1, 0)),
        ({"stage": "screen"}, (1, 0)),
        ({"stage": "interview"}, (0, 1)),
        ({"time": START - timedelta(days=1), "stage": "offer"}, (0, 1)),
    ],
)
def test_a_label_goes_to_the_decision_that_it_names(file, more, told):
    one = {"time": START, "unit": "a", "selected": True}
    recorded(file, [one | {"stage": "screen"}, one | {"stage": "offer"}])
    label = {"time": START + timedelta(days=9), "unit": "a", "label": True} | more
    found = recorded(file, [label], labels_only=True)
    assert (found.labels, found.without) == told


def test_a_label_that_fits_several_stages_is_refused(file):
    one = {"time": START, "unit": "a", "selected": True}
    recorded(file, [one | {"stage": "screen"}, one | {"stage": "offer"}])
    with pytest.raises(InputError, match=r"matches decisions of 'offer' and 'screen'.*--stage COLUMN"):
        recorded(file, [{"time": START + timedelta(days=9), "unit": "a", "label": True}], labels_only=True)


def test_units_are_not_kept(file, tmp_path):
    recorded(file, [{"time": START, "unit": "jane.doe@example.org", "score": 0.5}])
    kept = b"".join(path.read_bytes() for path in tmp_path.iterdir())
    assert b"jane" not in kept


def test_spellings_of_a_group_are_one(file):
    groups = ["Female", "female ", "FEMALE"]
    for group in groups:
        recorded(file, [{"time": START, "selected": True, "protected": {"gender": group}}], name=group)
    assert values(file, cut={"gender": "Female"}) == {("selection_rate", "2026-03-01"): 1}
