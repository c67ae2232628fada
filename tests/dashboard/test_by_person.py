"""Several decisions on one person: exact pages show what `impact --cluster` finds, published ones a design effect."""

import html
import re
from datetime import date, timedelta

import numpy as np
import polars as pl
import pytest

import evenhand as eh
from asked_pages import Browser
from evenhand.analyses.evaluate import analyse_evaluate
from evenhand.analyses.impact import analyse_impact, counted_source
from evenhand.analyses.options.impact import ImpactOptions
from evenhand.analyses.options.scores import EvaluateOptions
from evenhand.dashboard.access import Access
from evenhand.dashboard.app import application
from evenhand.dashboard.disclosure import VARIANCE, Processes, published_effect, shown_counts
from evenhand.dashboard.request import Dashboards
from evenhand.dashboard.views.ratios import compared_cells
from evenhand.report.impact.summary import significant_cell
from evenhand.report.impact.views import ODDS_APART, short_ratio
from evenhand.results.finding import verdict_of
from evenhand.stats import fisher_exact, inflated_p, z_test

ACCESS = Access(host="127.0.0.1", user_header="X-User", roles={"ana": "viewer", "carla": "admin"})
RUNS = 400


def company(seed, *, people=80, decisions=400):
    """Return decisions at positions, several on most people: of a rare group, one rarely and one never selected.

    They fall on one day a week, so that few days have to be counted.
    """
    rng = np.random.default_rng(seed)
    gender = rng.choice(["f", "m", "x", "y", "z", ""], people, p=[0.4, 0.36, 0.04, 0.08, 0.08, 0.04])
    race, merit = rng.choice(["a", "b"], people), rng.normal(0, 1.2, people)
    person = rng.integers(0, people, decisions)
    chance = 1 / (1 + np.exp(0.4 + 0.6 * (gender[person] == "f") - merit[person]))
    chance = np.where(gender[person] == "y", 0.01, np.where(gender[person] == "z", 0, chance))
    hired = rng.random(decisions) < chance
    rows = pl.DataFrame(
        {
            "case": [f"p{one}" for one in person],
            "at": [f"{date(2026, 1, 1) + timedelta(int(day))}" for day in rng.integers(0, 13, decisions) * 7],
            "gender": gender[person],
            "race": race[person],
            "position": rng.choice(["P1", "P2", "P3", "P4", "P5"], decisions, p=[0.3, 0.3, 0.2, 0.18, 0.02]),
            "who": rng.choice(["AI", "people"], decisions),
            "stage": rng.choice(["read", "met"], decisions, p=[0.7, 0.3]),
            "score": (chance + rng.normal(0, 0.1, decisions)).round(2).clip(0, 1),
            "hired": np.where(hired, "yes", "no"),
            "good": np.where(rng.random(decisions) < chance, "yes", "no"),
            "recruiter": rng.choice(["Ivo", "Lia"], decisions),
        }
    )
    return rows.unique(["case", "at", "position", "who"], maintain_order=True)


def browser_of(rows, folder, **more):
    """Return the dashboards of the rows."""
    options = {"time": "at", "selected": "hired", "score": "score", "label": "good"}
    options |= {"protected": ("gender", "race"), "decided_by": "who", "position": "position", "unit": "case"} | more
    store = str(folder / "h.db")
    rows = rows.with_columns(at=pl.col("at") + "T00:00:00Z")
    eh.monitor.record(rows, store=store, model="m", **options)
    return Browser(application(Dashboards(access=ACCESS, store=store)))


def told(browser, page, user="carla", **query):
    """Return the rows of a page's table, with exact numbers where the user may see them."""
    query = {"format": "json", "exact": "yes"} | query
    return browser.get(f"/{page}", params=query, headers={"X-User": user}).json()["rows"]


def impact(rows, **options):
    return analyse_impact(counted_source(rows, made := ImpactOptions(**{"selected": "hired"} | options)), made)


NUMBERS = ("estimate", "low", "high", "p", "p_adjusted")


def near(found, expected):
    """Assert that numbers by place are the same to 1e-9, and verdicts the same."""
    assert found.keys() == expected.keys()
    assert found
    for place, (verdict, *numbers) in expected.items():
        assert found[place][0] == verdict, place
        for number, other in zip(found[place][1:], numbers, strict=True):
            assert number == other or number == pytest.approx(other, rel=1e-9, abs=1e-12), place


def of_findings(result, name, by=""):
    """Return the verdict and the numbers of the ratios of an attribute, by slice, group and reference."""
    return {
        (*([each.slice[by]] if by else []), " × ".join(each.focal.values()), " × ".join(each.reference.values())): (
            each.verdict,
            *(getattr(each, number) for number in NUMBERS),
        )
        for each in result.findings
        if each.measure == "impact_ratio" and each.details.n_focal and " × ".join(each.focal) == name
    }


def of_page(rows, name, place=()):
    """Return the same of the table of Diversity or Bias."""
    return {
        (*(row[one] for one in place), " × ".join(row[one] for one in name.split(" × ")), row["reference"]): (
            row["verdict"],
            *(row[number] for number in ("impact_ratio", *NUMBERS[1:])),
        )
        for row in rows
        if row["verdict"] is not None
    }


def of_parts(parts, **options):
    """Return what `impact --stage` says of parts of the rows as stages, largest last: so there is no bottom line."""
    rows = pl.concat([rows.with_columns(part=pl.lit(name)) for name, rows in parts.items()])
    return impact(rows, **{"stage": f"part={','.join(parts)}", "cluster": ("case",)} | options)


@pytest.fixture(scope="module")
def process(tmp_path_factory):
    rows = company(0)
    return rows, browser_of(rows, tmp_path_factory.mktemp("people"))


@pytest.fixture(scope="module")
def staged(tmp_path_factory):
    rows = company(7)
    return rows, browser_of(rows, tmp_path_factory.mktemp("staged"), stage="stage")


@pytest.mark.parametrize("name", ["gender", "gender × race"])
def test_exact_ratios_of_diversity_are_those_of_impact_by_cluster(process, name):
    rows, browser = process
    names = tuple(name.split(" × "))
    of_rows = impact(rows, protected=names, cluster=("case",), intersectional=len(names) > 1)
    near(of_page(told(browser, "diversity", attribute=name), name), of_findings(of_rows, name))


def test_exact_ratios_by_position_are_those_of_impact_by_position_and_cluster(process):
    rows, browser = process
    by_position = impact(rows, protected=("gender",), cluster=("case",), position="position").tables["impact.csv"]
    expected = {
        (row["position"], row["focal"], row["reference"]): (
            verdict_of(row["p_adjusted"]),
            *(row[number] for number in ("impact_ratio", "ir_low", "ir_high", "p_clustered", "p_adjusted")),
        )
        for row in by_position.iter_rows(named=True)
        if row["position"] and row["n_focal"]
    }
    found = told(browser, "diversity", attribute="gender", by="position")
    near(of_page(found, "gender", place=("position",)), expected)


@pytest.mark.parametrize(
    ("query", "options"),
    [
        (
            {"cutoff": "0.3", "reference": "m"},
            {"selected": None, "score": "score", "cutoff": (0.3,), "reference": ("gender=m",)},
        ),
        ({"from": "2026-01-20", "to": "2026-03-05", "in.position": "P2"}, {}),
    ],
)
def test_exact_ratios_of_bias_are_those_of_impact_by_cluster(process, query, options):
    rows, browser = process
    rows = rows.filter(pl.col("at").is_between(pl.lit(query.get("from", "")), pl.lit(query.get("to", "9"))))
    rows = rows.filter(pl.col("position") == query["in.position"]) if "in.position" in query else rows
    parts = {f"Decided by: {who}": rows.filter(pl.col("who") == who) for who in ("AI", "people")}
    result = of_parts(parts | {"All decisions": rows}, protected=("gender",), **options)
    found = of_page(told(browser, "bias", **query), "gender", place=("stage",))
    near(found, of_findings(result, "gender", by="stage"))


def test_stages_are_one_family_as_those_of_impact_without_a_bottom_line(staged):
    rows, browser = staged
    parts = {stage: rows.filter(pl.col("stage") == stage) for stage in ("met", "read")}
    result = of_parts(parts, protected=("gender",))
    found = of_page(told(browser, "diversity", attribute="gender"), "gender", place=("stage",))
    near(found, of_findings(result, "gender", by="stage"))
    more = {f"Decided by: {who}": parts["read"].filter(pl.col("who") == who) for who in ("AI", "people")}
    result = of_parts({"Stage: met": parts["met"]} | more | {"All decisions": parts["read"]}, protected=("gender",))
    expected = of_findings(result, "gender", by="stage")
    found = of_page(told(browser, "bias"), "gender", place=("stage",))
    near(found, {place: numbers for place, numbers in expected.items() if not place[0].startswith("Stage")})


def test_at_a_cutoff_ratios_are_those_of_evaluate_by_cluster(process):
    rows, browser = process
    options = EvaluateOptions(score="score", label="good", cutoff=0.3, protected=("gender",), cluster="case")
    result = analyse_evaluate(rows, options)
    expected = {place: ("", *numbers[1:5]) for place, numbers in of_findings(result, "gender").items()}
    ratios = of_page(told(browser, "bias", cutoff="0.3"), "gender", place=("stage",))
    near({place[1:]: ("", *numbers[1:5]) for place, numbers in ratios.items() if place[0] == "All decisions"}, expected)


@pytest.mark.parametrize("unit", ["case", None])
def test_recruiters_have_the_odds_ratios_of_impact_by_position_and_cluster(tmp_path, unit):
    rows = company(3)
    browser = browser_of(rows, tmp_path, by=("recruiter",), unit=unit)
    page = browser.get("/recruiters?attribute=gender", headers={"X-User": "carla"}).text
    parts = {name: rows.filter(pl.col("recruiter") == name) for name in ("Ivo", "Lia")}
    largest = rows.filter(pl.col("gender") != "")["gender"].mode()[0]
    options = {"protected": ("gender",), "position": "position", "reference": (f"gender={largest}",)}
    result = of_parts(parts, **options | ({} if unit else {"cluster": ()}))
    expected = [each for each in result.findings if each.measure == "common_odds_ratio"]
    assert sum(each.estimate is not None for each in expected) >= 4
    printed = [f"{short_ratio(each, ODDS_APART)} {significant_cell(each)}" for each in expected]
    shown = [
        " ".join(re.findall(r'<td role="cell"[^>]*>([^<]*)', row)[-2:])
        for row in page.replace("\N{NO-BREAK SPACE}", " ").split("<tr")[2:]
    ]
    assert sorted(map(html.unescape, shown)) == sorted(printed)
    assert ("cluster-robust by person" in page, "decisions as independent" in page) == (bool(unit), not unit)


def test_decisions_that_were_not_all_recorded_with_units_are_taken_as_independent(tmp_path):
    rows = company(0)
    browser_of(rows.head(150), tmp_path)
    browser = browser_of(rows.slice(150), tmp_path, unit=None)
    found = of_page(told(browser, "diversity", attribute="gender"), "gender")
    near(found, of_findings(impact(rows, protected=("gender",)), "gender"))
    page = browser.get("/bias?exact=yes", headers={"X-User": "carla"}).text
    assert "decisions as independent" in page
    assert "cluster-robust" not in page


def drawn_people(rng, sizes, *, more, alike):
    """Return people of two groups, with one decision and on average so many `more`, selected at 30 %."""
    group = np.repeat([0, 1], sizes)
    n = 1 + rng.poisson(more, group.size)
    rate = rng.beta(0.3 * (1 / alike - 1), 0.7 * (1 / alike - 1), group.size)
    return pl.DataFrame({"cell": group, "group": group, "n": n, "successes": rng.binomial(n, rate)})


@pytest.mark.parametrize(("sizes", "more"), [((1000, 100), 2), ((60, 60), 2)])
def test_equal_groups_differ_in_about_5_in_100_published_comparisons(sizes, more):
    rng = np.random.default_rng(1)
    drawn = [drawn_people(rng, sizes, more=more, alike=0.3) for _ in range(RUNS)]
    effects = np.array([published_effect(people) for people in drawn])
    totals = np.array(
        [people.group_by("group").sum().sort("group").select("n", "successes").to_numpy() for people in drawn]
    )
    n, selected = (shown_counts(totals[..., of], rng.integers(0, 1 << 40, (RUNS, 2)), 1) for of in (0, 1))
    counts = [column for group in (0, 1) for column in (selected[:, group], n[:, group])]
    found = []
    for effect in (np.ones(RUNS), effects):
        p = np.fmax(inflated_p(fisher_exact(*counts).p, effect), z_test(*counts, noise=VARIANCE, inflation=effect).p)
        found.append((p < 0.05).mean())
    assert found[0] > 0.08
    assert found[1] <= 0.07


def test_one_persons_outcome_hardly_ever_changes_a_design_effect():
    rng = np.random.default_rng(2)
    for people in (drawn_people(rng, (120, 100), more=1, alike=0.3), drawn_people(rng, (30, 25), more=1, alike=0.3)):
        effect, changed = published_effect(people), []
        for place in range(0, people.height, 3):
            own = pl.int_range(people.height) == place
            for other in range(people["n"][place] + 1):
                successes = pl.when(own).then(other).otherwise("successes")
                changed.append(published_effect(people.with_columns(successes=successes)) != effect)
        assert np.mean(changed) < 0.1


def test_published_pages_multiply_variances_where_people_have_several_decisions(tmp_path):
    rows = company(5, people=300, decisions=1200)
    several = browser_of(rows, tmp_path)
    single = company(5, people=2000, decisions=1200).unique("case", maintain_order=True)
    (tmp_path / "single").mkdir()
    one = browser_of(single, tmp_path / "single")
    for page in ("/diversity", "/bias", "/"):
        texts = [browser.get(page, headers={"X-User": "ana"}).text for browser in (several, one)]
        assert ["so variances are multiplied by" in text for text in texts] == [True, False]
        assert not any("decisions as independent" in text for text in texts)
    counts = Processes().of(str(tmp_path / "h.db"), "m")
    effects = [counts.effects(["gender"], by)[""] for by in ("", "position")]
    assert 1 < effects[1] < effects[0] < 4
    assert 1 < counts.effects(["gender"], cutoff=0.3)[""] < 4
    assert set(Processes().of(str(tmp_path / "single" / "h.db"), "m").effects(["gender"]).values()) == {1.0}
    # Intervals are wider than those that take decisions as independent.
    cells = counts.cells(["gender"])
    plain, inflated = (
        compared_cells(cells, ["gender"], counts.noise, effects=effects)[0]
        for effects in ({}, counts.effects(["gender"]))
    )
    found = told(several, "diversity", user="ana", attribute="gender")
    assert next(row["low"] for row in found if row["low"]) == inflated.low < plain.low
    assert inflated.high > plain.high
    assert inflated.p > plain.p
