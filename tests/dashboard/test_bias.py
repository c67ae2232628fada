"""Bias: the numbers that `impact` finds in the rows; without access to the rows nothing but what is published."""

import random

import polars as pl
import pytest

import evenhand as eh
from asked_pages import Browser, look_at
from evenhand.dashboard.access import Access
from evenhand.dashboard.app import application
from evenhand.dashboard.disclosure import FEWEST, MOST, Processes
from evenhand.dashboard.request import Dashboards
from evenhand.monitoring.store import opened_store

ROLES = {"ana": "viewer", "ben": "labeller", "carla": "admin"}


@pytest.fixture(scope="module")
def rows():
    """Return decisions of two stages; in one team there are few, and those of people differ from those of AI."""
    drawn = random.Random(4)
    found = []
    for n in range(1200):
        gender, race = drawn.choice("fm"), drawn.choices("abc", [60, 38, 2])[0]
        by = "AI" if n % 5 < 3 else "people"
        rate = 0.4 - (0.15 if gender == "f" and by == "AI" else 0)
        found.append(
            {"at": f"2026-0{1 + n % 3}-{1 + n % 27:02}", "hired": "yes" if drawn.random() < rate else "no"}
            | {"gender": gender, "race": race, "by": by, "team": "west" if n % 100 == 7 else "east"}
            | {"score": round(drawn.gauss(0.5 + (0.05 if gender == "m" else 0), 0.15), 2)}
        )
    return pl.DataFrame(found)


@pytest.fixture(scope="module")
def decided(rows, tmp_path_factory):
    place = str(tmp_path_factory.mktemp("bias") / "h.db")
    of = {"score": "score", "protected": ("gender", "race"), "decided_by": "by", "by": "team"}
    rows = rows.with_columns(at=pl.col("at") + "T00:00:00Z")
    eh.monitor.record(rows, store=place, model="screening", time="at", selected="hired", **of)
    return place


@pytest.fixture(scope="module")
def app(decided):
    return application(Dashboards(access=Access(host="127.0.0.1", user_header="X-User", roles=ROLES), store=decided))


@pytest.fixture(scope="module")
def published_app(decided):
    access = Access(host="127.0.0.1", user_header="X-User", roles=ROLES)
    return application(Dashboards(access=access, store=decided, processes=Processes(cutoffs=(0.5,))))


def told(app, user, **query):
    """Return the rows of the page's table, or the page where there is none."""
    got = Browser(app).get("/bias", params={"format": "json"} | query, headers={"X-User": user})
    return got.json()["rows"] if got.status_code == 200 else got


@pytest.mark.parametrize(
    ("query", "options"),
    [
        ({}, {"selected": "hired"}),
        ({"reference": "f"}, {"selected": "hired", "reference": "gender=f"}),
        ({"cutoff": "0.57"}, {"score": "score", "cutoff": (0.57,)}),
        ({"cutoff": "median"}, {"score": "score"}),
        (
            {"from": "2026-02-01", "to": "2026-02-28", "in.team": "east", "cutoff": ".4"},
            {"score": "score", "cutoff": (0.4,)},
        ),
        ({"attribute": "gender × race"}, {"selected": "hired", "intersectional": True}),
    ],
)
def test_values_of_ones_own_give_what_impact_finds_in_the_rows(app, rows, tmp_path, query, options):
    names = query.get("attribute", "gender").split(" × ")
    found = told(app, "carla", exact="yes", **query)
    chosen = pl.col("at").is_between(pl.lit(query.get("from", "")), pl.lit(query.get("to", "9")))
    if "in.team" in query:
        chosen &= pl.col("team") == query["in.team"]
    by_median = query.get("cutoff") == "median"
    approach = "median" if by_median else "cutoff" if "cutoff" in query else "selected"
    parts = {"All decisions": chosen}
    parts |= {} if by_median else {f"Decided by: {by}": chosen & (pl.col("by") == by) for by in ("AI", "people")}
    for part, own in parts.items():
        run = eh.impact(rows.filter(own), protected=tuple(names), out=tmp_path / part[-6:], report=False, **options)
        expected = {
            (each.measure, *each.focal.values()): each
            for each in run.findings
            if set(each.focal) == set(names) and each.slice.get("approach", "selected") == approach
        }
        rows_of_part = [row for row in found if row["stage"] == part]
        assert len(rows_of_part) >= 2
        for row in rows_of_part:
            group = [row[name] for name in names]
            rate, ratio = (expected.get((measure, *group)) for measure in ("selection_rate", "impact_ratio"))
            assert (row["decided"], row["selected"] / row["decided"]) == (rate.n, rate.estimate)
            assert (row["reference"] is None) == (ratio is None)
            if ratio is not None:
                numbers = (ratio.estimate, ratio.low, ratio.high, ratio.p)
                assert tuple(row[name] for name in ("impact_ratio", "low", "high", "p")) == numbers


def test_a_viewer_is_told_the_counts_that_every_page_shows(app, rows):
    asked = "/diversity?attribute=race&format=json&from=2026-02&to=2026-02"
    cells = Browser(app).get(asked, headers={"X-User": "ana"}).json()["rows"]
    for query in ({}, {"exact": "yes"}, {"reference": "c"}, {"stage": "no such"}, {"to": "2026-02-03"}):
        period = {"attribute": "race", "from": "2026-02-02", "to": "2026-02-20"}
        whole = [row for row in told(app, "ana", **period | query) if row["stage"] == "All decisions"]
        assert [(row["race"], row["decided"], row["selected"]) for row in whole] == [
            (cell["race"], cell["decided"], cell["selected"]) for cell in cells
        ]
    for cell in cells:
        of = rows.filter((pl.col("race") == cell["race"]) & pl.col("at").str.starts_with("2026-02"))
        if cell["decided"] is None:
            assert of.height < FEWEST + MOST
            continue
        assert abs(cell["decided"] - of.height) <= MOST
        assert abs(cell["selected"] - (of["hired"] == "yes").sum()) <= MOST


def test_a_published_cutoff_gives_a_viewer_about_what_impact_finds_and_no_other_does(published_app, rows):
    found = told(published_app, "ana", cutoff="0.5")
    assert {row["stage"] for row in found} == {"All decisions", "Decided by: AI", "Decided by: people"}
    for row in found[:2]:
        of = rows.filter(pl.col("gender") == row["gender"])
        assert abs(row["decided"] - of.height) <= MOST
        assert abs(row["selected"] - (of["score"] > 0.5).sum()) <= MOST
    assert told(published_app, "ana", cutoff="0.51").status_code == 403
    page = Browser(published_app).get("/bias?attribute=race&from=2026-01&cutoff=.5", headers={"X-User": "ana"}).text
    assert "scores above" in page
    diversity = Browser(published_app).get("/diversity?by=team&format=csv", headers={"X-User": "ana"}).text
    assert "0.5\x1f" not in diversity


@pytest.mark.parametrize("user", ["ana", "ben"])
@pytest.mark.parametrize(
    "query",
    [
        {"cutoff": "0.57"},
        {"cutoff": "median", "exact": "yes"},
        {"in.team": "west", "exact": "yes"},
        {"in.position": "<script>"},
    ],
)
def test_free_values_are_refused_without_access_to_the_rows(app, user, query):
    got = told(app, user, **query)
    assert got.status_code == 403
    assert "only the role admin may see" in got.text
    assert "<script" not in got.text


@pytest.mark.parametrize(
    ("query", "words"),
    [
        ({"cutoff": "high"}, "cut-off"),
        ({"cutoff": "nan"}, "cut-off"),
        ({"cutoff": "1e300"}, "cut-off"),
        ({"cutoff": "0.12345"}, "four digits"),
        ({"from": "March"}, "2026-03"),
        ({"to": "'; DROP TABLE counts"}, "2026-03"),
    ],
)
def test_what_is_not_understood_is_one_line(app, query, words):
    got = told(app, "carla", exact="yes", **query)
    assert got.status_code == 400
    assert words in got.text


def test_a_period_without_anybody_is_told(app):
    for user, exact in (("carla", "exact=yes&"), ("ana", "")):
        got = Browser(app).get(f"/bias?{exact}from=2031-01-01", headers={"X-User": user})
        assert (got.status_code, "are from 2026-01 to 2026-03" in got.text) == (400, True)
    saved = Browser(app).get("/bias?exact=yes&from=2026-03-30&format=csv", headers={"X-User": "carla"})
    assert saved.text.splitlines() == [
        "\ufeffstage,gender,decided,selected,impact_ratio,low,high,p,p_adjusted,verdict,reference"
    ]


def test_who_reads_values_of_their_own_is_logged(app, decided):
    told(app, "carla", exact="yes", cutoff="0.61")
    with opened_store(decided) as store:
        ((entry,),) = store.rows("SELECT entry FROM log ORDER BY number DESC LIMIT 1")
    assert '"by":"carla"' in entry
    assert "0.61" in entry


#: What a viewer's navigation has without a folder of runs.
VIEWS = ["Overview", "Diversity", "Bias", "Monitoring", "Model quality"]


def test_a_viewer_reaches_neither_rows_nor_pages_of_others_in_a_browser(visit, app):
    page, console = visit(app, "/bias", user="ana", width=390, scheme="dark")
    assert page.locator("nav.views a").all_inner_texts() == VIEWS
    assert page.locator("input").count() == 0  # nothing can be typed
    page.get_by_label("Groups").select_option("race")
    page.get_by_label("From").select_option("2026-02")
    page.get_by_role("button", name="Show").click()
    page.wait_for_url("**from=2026-02**")
    assert "differs from the true count" in page.locator("main").inner_text()
    look_at(page, "bias", width=390)
    assert console == []
    for address in ("/candidates?position=J1", "/labelling", "/labelling/differences", "/bias?cutoff=.5&exact=yes"):
        page.goto(f"http://127.0.0.1:8400{address}", wait_until="load")
        assert page.locator("h1").inner_text() == "Not allowed"
