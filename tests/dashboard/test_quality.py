"""Model quality: the measures of Figure 9 by group, of runs and recorded labels, and what viewers get of them."""

import json
import re
import shutil

import polars as pl
import pytest

import evenhand as eh
from asked_pages import Browser, look_at
from evenhand.dashboard.access import Access
from evenhand.dashboard.app import application
from evenhand.dashboard.disclosure import FEWEST
from evenhand.dashboard.request import Dashboards
from evenhand.dashboard.views.quality import published
from evenhand.monitoring.golden_cases import cases_of
from evenhand.monitoring.golden_labels import add_labels, close_version
from evenhand.monitoring.store import opened_store
from evenhand.results.finding import Finding
from evenhand.results.measures import DIFFERENCE, F1, FNR, PRECISION, TPR

ROLES = {"ana": "viewer", "carla": "admin"}


def people(*, shift):
    """Return 820 rows: women of whom many who stay have a low score, men, and 20 of a third group; two languages."""
    rows = []
    for gender, n, low in (("woman", 400, shift), ("man", 400, 1), ("third", 20, 1)):
        for number in range(n):
            stays = number % 2 == 0
            missed = number // 2 % 8 < low
            score = (0.3 if missed else 0.8) if stays else (0.7 if number // 2 % 10 == 0 else 0.2)
            rows.append(
                {"gender": gender, "stayed": "yes" if stays else "no", "fit": score + number % 7 / 100}
                | {"language": "Welsh" if number % 5 == 0 else "English", "day": f"2026-0{1 + number % 3}-11T00:00:00Z"}
            )
    return pl.DataFrame(rows)


@pytest.fixture(scope="module")
def runs(tmp_path_factory):
    """Return two evaluations of a score, a newer one in which it misses more women."""
    folder = tmp_path_factory.mktemp("quality")
    for name, shift, day in (("spring", 2, "2026-03-01"), ("autumn", 4, "2026-09-01")):
        options = {"protected": "gender", "by": "language", "reference": "gender=man", "cutoff": 0.5}
        eh.evaluate(people(shift=shift), label="stayed", score="fit", **options, out=folder / name)
        path = folder / name / "findings.json"
        content = json.loads(path.read_text("utf-8"))
        content["audit"]["finished"] = f"{day}T12:00:00+00:00"
        path.write_text(json.dumps(content), "utf-8")
    return folder


@pytest.fixture
def store(tmp_path):
    """Return a store of the same people, whose labels were recorded."""
    place = str(tmp_path / "h.db")
    of = {"time": "day", "score": "fit", "label": "stayed", "protected": "gender"}
    eh.monitor.record(people(shift=4), store=place, model="screener", **of)
    return place


def asked(user="ana", **shown):
    access = Access(host="127.0.0.1", user_header="X-User", roles=ROLES)
    browser = Browser(application(Dashboards(access=access, **shown)))
    return lambda query="": browser.get(f"/quality{query}", headers={"X-User": user})


def plain(page):
    return page.text.replace("\u00a0", " ")


def test_the_first_sentence_says_which_groups_differ_by_the_claims_of_the_run(runs):
    page = plain(asked(runs=runs)())
    answer = page.split('class="question">')[1].split("</p>")[0]
    assert "by gender, women differ from men in AUC (0.950 against 0.988) and FNR (50.0 % against 12.5 %)" in answer
    assert "third" not in answer
    assert "Holm over" in answer


def test_numbers_are_those_of_the_run(runs):
    rows = asked("carla", runs=runs)("?exact=yes&format=json").json()["rows"]
    found = json.loads((runs / "autumn" / "findings.json").read_text("utf-8"))["findings"]
    known = {
        (each["measure"], *each["slice"].values(), *each["focal"].values()): (each["estimate"], each["low"], each["n"])
        for each in found
    }
    of_run = [row for row in rows if row["run"] == "autumn"]
    for row in of_run:
        place = [part.split(" ", 1)[1] for part in (row["slice"], row["group"]) if " " in part]
        assert known[row["measure"], *place] == (row["estimate"], row["low"], row["n"])
    assert {row["measure"] for row in of_run} == {"auc", "tpr", "fpr", "f1", "fnr", "precision"}


def test_groups_of_few_people_are_left_out_for_viewers_and_so_are_totals_that_tell_of_them(runs):
    rows = asked(runs=runs)("?format=json").json()["rows"]
    assert all("n" not in row for row in rows)

    def places(measure):
        return {(row["slice"], row["group"]) for row in rows if row["measure"] == measure and row["run"] == "autumn"}

    # Of the third group 10 people stayed: with the rates of all and of the others theirs could be had.
    assert {group for where, group in places("tpr") if where == "–"} == {"gender woman", "gender man"}
    assert {group for where, group in places("auc") if where == "–"} == {"–", "gender woman", "gender man"}
    assert "not shown" in plain(asked(runs=runs)("?measure=tpr"))
    exact = plain(asked("carla", runs=runs)("?measure=tpr&exact=yes"))
    assert "not shown" not in exact


def found(measure, n, group=None, where=None, **more):
    return Finding(
        name=f"{group} {where}",
        measure=measure,
        slice={"site": where} if where else {},
        focal={"g": group} if group else {},
        role="descriptive",
        estimate=0.5,
        n=n,
        clusters={},
        method="",
        **more,
    )


FEW, ENOUGH = FEWEST - 1, FEWEST


@pytest.mark.parametrize(
    ("sizes", "left_out"),
    [
        ({(None, None): 500, ("a", None): 300, ("b", None): 200 - ENOUGH, ("c", None): ENOUGH}, set()),
        ({(None, None): 500, ("a", None): 481, ("c", None): FEW}, {(None, None), ("c", None)}),
        (  # of a group its next smallest slice is left out
            {("a", None): 519, ("a", "x"): 300, ("a", "y"): 200, ("a", "z"): FEW},
            {("a", "y"), ("a", "z")},
        ),
        (  # two small ones are enough together
            {(None, None): 500, ("a", None): 462, ("b", None): FEW, ("c", None): FEW},
            {("b", None), ("c", None)},
        ),
    ],
)
def test_nothing_tells_of_the_few_people_who_are_left_out(sizes, left_out):
    kept = {each.name for each in published([found(TPR, n, *place) for place, n in sizes.items()])}
    assert {place for place in sizes if f"{place[0]} {place[1]}" not in kept} == left_out


@pytest.mark.parametrize(("of_few", "left"), [(TPR, {PRECISION}), (PRECISION, {TPR}), (None, {TPR, PRECISION, F1})])
def test_f1_is_left_out_where_it_would_tell_a_measure_of_few_people(of_few, left):
    of_one_group = [found(name, FEW if name == of_few else 300, "a") for name in (TPR, PRECISION, F1)]
    assert {each.measure for each in published(of_one_group)} == left


def test_differences_from_groups_of_few_people_are_left_out():
    gap = found(f"{DIFFERENCE}{FNR}", 519, "a", reference={"g": "c"})
    assert gap in published([found(FNR, 500, "a"), found(FNR, ENOUGH, "c"), gap])
    assert gap not in published([found(FNR, 500, "a"), found(FNR, FEW, "c"), gap])


def test_a_line_over_time_leads_to_its_runs(runs):
    page = plain(asked(runs=runs)("?measure=fpr&group=woman"))
    time = page.split('id="time"')[1]
    assert time.index("spring") < time.index("autumn")
    assert 'href="/audits/spring/report"' in time
    assert "man</th>" not in time.replace("woman</th>", "")
    assert "group=woman" in page.split('id="time"')[0]


@pytest.mark.parametrize("query", ["groups=%3Ci%3E&measure=x&group=%00&run=../x&model=%22", "groups=language"])
def test_unknown_values_get_the_page(runs, query):
    page = asked(runs=runs)(f"?{query}")
    assert page.status_code == 200
    assert "<i>" not in page.text
    assert str(runs) not in page.text


def test_recorded_labels_are_for_those_with_access_to_the_rows_alone_and_logged(store):
    assert "recorded labels" not in asked(store=store)("?exact=yes&model=screener,+recorded+labels").text
    page = plain(asked("carla", store=store)("?exact=yes&cutoff=0.5"))
    assert "women differ from men in AUC (0.950 against 0.988) and FNR (50.0 % against 12.5 %)" in page
    assert page.split('id="time"')[1].count("2026-0") >= 3
    with opened_store(store) as opened:
        entries = [json.loads(entry) for (entry,) in opened.rows("SELECT entry FROM log ORDER BY number")]
    assert "exact numbers of /quality" in json.dumps(entries[-1])


@pytest.mark.parametrize("cutoff", ["high", "nan", "inf"])
def test_a_cutoff_that_is_no_number_is_told_in_one_line(store, cutoff):
    got = asked("carla", store=store)(f"?exact=yes&cutoff={cutoff}")
    assert (got.status_code, "such as 0.5" in got.text) == (400, True)


def test_labels_of_one_kind_are_no_model(tmp_path):
    place, of = str(tmp_path / "h.db"), {"time": "day", "score": "fit", "label": "stayed"}
    eh.monitor.record(people(shift=1).filter(pl.col("stayed") == "yes"), store=place, model="screener", **of)
    page = asked("carla", store=place)("?exact=yes")
    assert (page.status_code, "run evenhand evaluate" in page.text) == (200, True)


def test_golden_runs_of_the_store_are_shown_once_with_those_of_the_folder(golden_store, tmp_path):
    with opened_store(golden_store) as store, store.writing() as writing:
        labels = {case.id: "yes" if case.id[5] in "234" else "no" for case in cases_of(writing)}
        for by in ("ana", "ben"):
            add_labels(writing, labels, by=by)
        close_version(writing, by="ana")
    runs = tmp_path / "runs"
    for name, out in (("one", runs / "one"), ("three", tmp_path / "elsewhere")):
        scorer = f"sim:shift?female=-0.{len(name)}"
        eh.monitor.golden_run(store=golden_store, model="reader", scorer=scorer, cutoff=50, out=out)
    with opened_store(golden_store) as store, store.writing() as writing:  # runs of one second are told apart
        writing.execute("UPDATE golden_runs SET started = (SELECT min(started) FROM golden_runs)")
    page = plain(asked("carla", store=golden_store, runs=runs)("?exact=yes"))
    assert "reader, golden cases" in page
    named = re.findall(r'<th scope="row"[^>]*>(?:<a[^>]*>)?([^<]*)', page.split('id="time"')[1])
    assert sorted(name.partition(",")[0] for name in named) == ["golden run 2", "one"]
    assert "Nurse" not in asked(store=golden_store)("?format=json").text


def test_without_any_labels_the_page_says_what_makes_some(tmp_path):
    assert "run evenhand evaluate" in asked(runs=tmp_path)().text


def test_one_run_makes_no_line(runs, tmp_path):
    shutil.copytree(runs / "spring", tmp_path / "spring")
    assert "This model has one run" in asked(runs=tmp_path)().text


@pytest.mark.parametrize(("width", "scheme"), [(1280, "light"), (390, "dark")])
def test_an_analyst_gets_from_a_group_to_its_line_and_from_there_to_the_run_in_two_clicks(visit, runs, width, scheme):
    access = Access(host="127.0.0.1", user_header="X-User", roles=ROLES)
    app = application(Dashboards(access=access, runs=runs))
    page, console = visit(app, "/quality", user="ana", width=width, scheme=scheme)
    look_at(page, "quality", width=width)
    page.get_by_role("link", name="woman", exact=True).click()
    page.wait_for_url("**group=woman#time")
    assert page.locator("#time").evaluate("each => each.getBoundingClientRect().top < innerHeight")
    page.locator("#time").get_by_role("link", name="spring, 2026-03-01", exact=True).click()
    page.wait_for_url("**/audits/spring/report")
    assert console == []
