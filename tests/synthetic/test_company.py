"""The synthetic company: its texts tell what its truth says, and its truth is what its README says."""

import re
from functools import cache
from itertools import pairwise

import numpy as np
import polars as pl
import pytest

from evenhand.data.lexicons.names import GENDERS, RACES
from evenhand.masking.mask import mask_text
from evenhand.synthetic.company import STAGES, description, synthetic_company
from evenhand.synthetic.company_people import INJECTED, MODEL, Size, trades
from evenhand.synthetic.positions import path_of

MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
MONTH = r"(?:([A-Z][a-z]{2})[a-z]* (\d{4})|(\d\d)/(\d{4}))"
SPAN = re.compile(rf"{MONTH}(?: to | until | - |–|-)(?:{MONTH}|present|date|now|today)")


@cache
def company(people=150, positions=30, pairs=600, seed=3):
    return synthetic_company(Size(people=people, positions=positions, pairs=pairs, seed=seed))


@cache
def people():
    return tuple(company().people_rows())


def spans(text, now):
    """Return the jobs' first and last months, the latest first, as a résumé tells them."""
    found = []
    for name, year, number, other, *last in (match.groups() for match in SPAN.finditer(text)):
        ends = [(name, year, number, other), tuple(last)]
        found.append(tuple(now if not any(end) else month(*end) for end in ends))
    return found


def month(name, year, number, other):
    return int(year or other) * 12 + (MONTHS.index(name.lower()) if name else int(number) - 1)


def test_dates_tell_the_months_of_work_and_the_career_break():
    for at, person in enumerate(people()):
        drawn = company().people
        now = 2024 * 12 + int(drawn.day[at] / 30.4375)
        jobs = spans(person["text"], now)
        assert sum(last - first for first, last in jobs) == drawn.months[at], person["text"]
        gaps = [later[0] - earlier[1] for later, earlier in pairwise(jobs)]
        assert max([gap for gap in gaps if gap > 1], default=0) == drawn.break_months[at], person["text"]


def test_a_resume_has_its_skills_and_degree_and_no_others():
    of = trades()
    for at, person in enumerate(people()):
        drawn = company().people
        occupation = of.occupations[drawn.occupation[at]]
        told = person["text"].replace("• ", "").replace("* ", "").replace("– ", "")
        listed = set(re.split(r", | and |\n|\. ?|daily with |tasks with |Used ", told))
        own = {skill for skill, has in zip(of.skills, drawn.skills[at], strict=True) if has}
        assert all(skill in told for skill in own)
        assert listed & set(of.skills) <= own
        assert (f"{path_of(occupation).qualification}, " in person["text"]) == drawn.qualified[at]


def test_masking_takes_the_names_and_leaves_the_break():
    told = [person for person in people() if re.search("(?i)career break|from paid work", person["text"])]
    assert 5 < len(told) < (company().people.break_months > 0).sum()
    for person in told:
        masked = mask_text(person["text"], known_names=person["known_names"]).text
        assert re.search("(?i)career break|from paid work", masked)
        assert not set(person["known_names"][0].split()) & set(re.findall(r"\w+", masked))


def test_names_signal_the_groups_and_are_in_the_text():
    for person in people():
        assert all(name in person["text"] for name in person["known_names"])
        assert person["gender"] in GENDERS
        assert person["race"] in RACES


def test_a_position_asks_for_its_skills_years_and_degree():
    for position in company().position_rows():
        assert set(position["must"]) | set(position["nice"]) == set(position["skills"])
        assert len(position["skills"]) == len(position["must"]) + len(position["nice"]) == 8
        assert all(skill in position["text"] for skill in position["skills"])
        low, high = position["years"]
        assert 0 <= low < high
        assert f"{low} to {high} years" in position["text"] or (low == 0 and f"Up to {high} years" in position["text"])
        assert position["text"].startswith(f"{position['title']}\n")
        assert position["location"] in position["text"]


def test_the_true_score_is_what_the_readme_says_it_is():
    truth = company().truth_table()
    names = {"skills_share": "skills", "must_met": "must", "years_share": "years", "title_similarity": "title"}
    weights = {**names, "education_met": "education"}
    fit = MODEL.constant + sum(truth[column] * getattr(MODEL, name) for column, name in weights.items())
    assert truth["fit"].to_list() == pytest.approx(fit.to_list())
    assert truth["true_score"].to_list() == pytest.approx((1 / (1 + (-fit).exp())).to_list())
    first = truth.row(0, named=True)
    person = next(each for each in people() if each["id"] == first["person"])
    position = next(each for each in company().position_rows() if each["id"] == first["position"])
    own = company().people.skills[int(first["person"][1:]) - 1]
    had = {skill for skill, has in zip(trades().skills, own, strict=True) if has}
    assert first["skills_share"] == len(had & set(position["skills"])) / 8
    assert first["must_met"] == (set(position["must"]) <= had)
    assert first["gender"] == person["gender"]


def test_scores_decide_where_the_model_does_and_stages_follow_each_other():
    rows = company().application_table()
    by_model = rows.filter(decided_by="ai")
    assert set(by_model["stage"]) == {"applied"}
    assert by_model.select(((pl.col("score") >= MODEL.cutoff) == (pl.col("selected") == "yes")).all()).item()
    assert rows.filter(pl.col("stage") != "applied")["score"].null_count() == (rows["stage"] != "applied").sum()
    for earlier, later in pairwise(STAGES):
        went_on = rows.filter(stage=earlier, selected="yes").select("person", "position", "time")
        there = rows.filter(stage=later).select("person", "position", "time")
        both = went_on.join(there, on=["person", "position"], how="full", coalesce=True)
        assert both.null_count().sum_horizontal().item() == 0
        assert (both["time"] < both["time_right"]).all()
    assert rows["time"].is_sorted()
    assert rows["time"].str.contains(r"^202[456]-\d\d-\d\dT\d\d:\d\d:\d\dZ$").all()
    assert (rows["time"].str.head(10) == rows["day"]).all()
    assert rows.filter(pl.col("performed_well").is_not_null())["stage"].unique().to_list() == ["hired"]


@pytest.mark.parametrize(
    ("people", "positions", "pairs"), [(1, 1, 1), (3, 2, 6), (5, 40, 3), (40, 3, 50), (7, 90, 450)]
)
def test_any_size_has_as_many_pairs_and_none_twice(people, positions, pairs):
    small = company(people, positions, pairs)
    table = small.pair_table()
    assert table.select("person", "position").unique().height == table.height == pairs
    assert len(list(small.people_rows())) == people
    assert len(list(small.position_rows())) == positions
    of_one = table.group_by("person").len()["len"]
    assert of_one.max() - min(of_one.min(), pairs // people) <= 1
    assert description(small)["size"]["pairs"] == pairs


def test_more_pairs_change_no_person_and_another_seed_changes_all():
    more, other = company(pairs=900), company(seed=4)
    assert tuple(more.people_rows()) == people()
    assert list(more.position_rows()) == list(company().position_rows())
    assert not {each["text"] for each in other.people_rows()} & {each["text"] for each in people()}


def test_scores_step_and_drift_on_the_days_that_are_stated():
    rows = company(people=2000, positions=60, pairs=8000).pair_table()
    day, odds = (
        rows["time"].str.head(10),
        [np.log(rows[name] / (1 - rows[name])) for name in ("score", "score_previous")],
    )
    apart = (odds[0] - odds[1]).to_numpy()
    no_break = (company(people=2000, positions=60, pairs=8000).truth_table()["career_break_months"] == 0).to_numpy()
    step, drift = str(INJECTED.step_day), str(INJECTED.drift_since)
    finite = np.isfinite(apart)
    periods = {
        "before": (day < drift).to_numpy(),
        "late": ((day >= "2025-11-01") & (day < "2026-01-01")).to_numpy(),
        "around": ((day >= drift) & (day < step)).to_numpy(),
    }
    mean = {name: apart[rows & finite & no_break].mean() for name, rows in periods.items()}
    # From the middle of the drift's start to the middle of each period, and the step since April.
    error = 4 * MODEL.noise * 1.81 * np.sqrt(2 / (periods["late"] & no_break).sum())
    assert mean["before"] == pytest.approx(0, abs=error)
    assert mean["around"] == pytest.approx(-INJECTED.drift_per_day * 45, abs=error)
    assert mean["late"] == pytest.approx(INJECTED.step - INJECTED.drift_per_day * 330, abs=error)


def test_the_matching_task_is_neither_hopeless_nor_solved_in_any_group():
    auc = description(company(people=2000, positions=60, pairs=8000))["true_score_auc"]
    for label in auc.values():
        found = [label["all"], *label["gender"].values(), *label["race"].values()]
        assert 0.8 < min(found) < max(found) < 0.95


def counted(table, attribute, group):
    own = table.filter(pl.col(attribute) == group)
    return own.height, (own["selected"] == "yes").sum()


@pytest.mark.slow
def test_every_difference_is_the_one_to_expect_over_many_seeds():
    """Within 1.96 standard errors in 95 % of cases, or more: given the chances decisions vary less than at one rate."""
    within, injected = [], []
    for seed in range(100):
        drawn = company(people=2000, positions=60, pairs=8000, seed=seed)
        rows = drawn.application_table()
        for each in description(drawn)["differences"]:
            there = rows.filter(pl.col("stage") == each["stage"])
            if each["since"]:
                there = there.filter(pl.col("day") >= str(each["since"]))
            n, k = counted(there, each["attribute"], each["focal"])
            m, j = counted(there, each["attribute"], each["reference"])
            assert (n, m) == (each["n_focal"], each["n_reference"])
            error = np.sqrt(k / n * (1 - k / n) / n + j / m * (1 - j / m) / m)
            within.append(abs(k / n - j / m - each["expected"]) < 1.96 * error)
            if (each["stage"], each["focal"]) in {("applied", "female"), ("interviewed", "black")}:
                injected.append((k / n - j / m) / error)
    assert np.mean(within) > 0.95
    assert np.mean(np.array(injected) < -1.96) > 0.95
