"""Audits: each run with its answer, state and checks, filtered and ordered by the address; two of them compared."""

import json
import shutil

import pytest

import evenhand as eh
from asked_pages import Browser, look_at
from evenhand.dashboard.access import Access
from evenhand.dashboard.app import application
from evenhand.dashboard.request import Dashboards


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Return two impact runs, one with a difference, and three probes: two of the same prompts, one of others."""
    runs = tmp_path_factory.mktemp("audits")
    eh.impact({"women": (20, 200), "men": (80, 200)}, out=runs / "cleared", report=False)
    eh.impact({"women": (80, 200), "men": (81, 200)}, out=runs / "even")
    for name, strength in (("old", 0.1), ("new", 0.9)):
        out = runs / "probes" / name
        eh.probe("hiring-an", model=f"sim:stereotyping?strength={strength}", sample=60, out=out, report=False)
    eh.probe("hiring-bloomberg", model="sim:unbiased", sample=60, out=runs / "probes" / "else", report=False)
    return runs


@pytest.fixture
def asked(folder):
    return of(folder)


def of(folder):
    access = Access(host="127.0.0.1", user_header="X-User", roles={"ana": "viewer"})
    browser = Browser(application(Dashboards(access=access, runs=folder)))
    return lambda query="", **more: browser.get(f"/audits{query}", headers={"X-User": "ana"}, **more)


def rows_of(asked, query):
    rows = asked(f"?{query}&format=json").json()["rows"]
    return [row["name"] for row in rows]


def test_each_run_has_its_answer_state_and_checks(asked, folder):
    page = asked().text
    assert "5 audits: a difference between groups was found in 2" in page.replace("\u00a0", " ")
    rows = {row["name"]: row for row in asked("?format=json").json()["rows"]}
    assert "selection rate was 10.0 %" in rows["cleared"]["answer"]
    assert rows["cleared"]["state"].startswith("Difference found in 1 of 1")
    assert [rows[name]["gate"] for name in ("cleared", "even")] == ["fails", "passes"]
    assert {row["files"] for row in rows.values()} == {"unchanged"}
    assert page.count('/report">') == 1  # the one that has a report
    assert str(folder) not in page


def test_a_viewer_reads_a_report_without_the_folders_in_its_command(tmp_path):
    table = tmp_path / "of people" / "rows.csv"
    table.parent.mkdir()
    table.write_text("sex,hired\n" + "f,yes\nf,no\nm,yes\nm,yes\n" * 10)
    eh.impact(table, protected="sex", selected="hired=yes", reference="sex=m", out=tmp_path / "runs" / "rows")
    page = of(tmp_path / "runs")("/rows/report").text
    assert ("rows.csv" in page, str(tmp_path) in page) == (True, False)
    assert str(tmp_path) in (tmp_path / "runs" / "rows" / "report.html").read_text("utf-8")


@pytest.mark.parametrize(
    ("query", "names"),
    [
        ("kind=impact", {"cleared", "even"}),
        ("state=difference", {"cleared", "probes/new"}),
        ("kind=impact&state=undetected", {"even"}),
        ("of=sim:unbiased", {"probes/else"}),
        ("kind=%3Cb%3E", set()),
    ],
)
def test_runs_are_filtered_by_the_address(asked, query, names):
    if names:
        assert set(rows_of(asked, query)) == names
    else:
        assert "<tbody" not in asked(f"?{query}").text


def test_runs_are_ordered_by_the_address(folder, tmp_path):
    """Whatever the clock said: each run is given a minute of its own."""
    names = ("cleared", "even", "probes/old", "probes/new", "probes/else")
    for minute, name in enumerate(names):
        shutil.copytree(folder / name, tmp_path / name)
        written = json.loads((folder / name / "findings.json").read_bytes())
        written["audit"]["finished"] = f"2026-03-01T09:{minute:02}:00+00:00"
        (tmp_path / name / "findings.json").write_text(json.dumps(written), "utf-8")
    asked = of(tmp_path)
    assert rows_of(asked, "kind=") == list(reversed(names))
    assert rows_of(asked, "sort=oldest") == list(names)
    assert set(rows_of(asked, "sort=state")[:2]) == {"cleared", "probes/new"}


def test_files_that_were_changed_or_damaged_are_told_without_their_place(folder, tmp_path):
    for name in ("cleared", "even"):
        shutil.copytree(folder / name, tmp_path / name)
    asked = of(tmp_path)
    asked()
    findings = tmp_path / "cleared" / "findings.json"
    findings.write_bytes(findings.read_bytes() + b"\n")
    other = tmp_path / "even" / "findings.json"
    other.write_bytes(other.read_bytes().replace(b"evenhand.findings/2", b"evenhand.findings/1"))
    rows = {row["name"]: row for row in asked("?format=json").json()["rows"]}
    assert rows["cleared"]["files"] == "findings.json was changed after the run was finished"
    assert rows["even"]["answer"].startswith("It can't be read: findings.json has the schema")
    assert str(tmp_path) not in asked().text


def test_two_probes_are_compared_as_evenhand_compare_does(asked, folder, tmp_path):
    page = asked("?first=probes/old&second=probes/new").text.replace("\u00a0", " ")
    compared = eh.compare([folder / "probes" / "old", folder / "probes" / "new"], out=tmp_path / "c")
    largest = max((each for each in compared.findings if each.is_difference), key=lambda each: abs(each.estimate))
    assert f"{100 * abs(largest.estimate):.1f}" in page.split("<main>")[0]
    assert "What differs, tested on the same prompts" in page


@pytest.mark.parametrize(
    ("first", "second", "reason"),
    [
        ("cleared", "even", "cleared holds a run of impact; compare takes runs of probe, measure or audit."),
        ("cleared", "probes/old", "They share no measure."),
        ("probes/old", "probes/else", "Compare runs of the same probe."),
        ("even", "even", "choose two different ones"),
    ],
)
def test_runs_that_cannot_be_compared_are_told_so_and_why(asked, folder, first, second, reason):
    got = asked(f"?first={first}&second={second}")
    assert got.status_code == 200
    answer = got.text.split("<main>")[0].replace("&#39;", "'").replace("\u00a0", " ")
    assert "can't be tested against each other: " in answer
    assert reason in answer
    assert str(folder) not in got.text


def test_a_run_that_is_gone_is_named(asked):
    assert "../etc is not a finished audit here" in asked("?first=cleared&second=../etc").text


@pytest.mark.parametrize(("width", "scheme"), [(1280, "dark"), (390, "light")])
def test_an_engineer_compares_two_probes_by_choosing_both(visit, folder, width, scheme):
    app = application(Dashboards(access=Access(host="127.0.0.1"), runs=folder))
    page, console = visit(app, "/audits", width=width, scheme=scheme)
    look_at(page, "audits", width=width)
    page.get_by_label("Compare").select_option("probes/old")
    page.get_by_label("with").select_option("probes/new")
    page.get_by_role("button", name="Show").click()
    page.wait_for_url("**first=probes%2Fold&second=probes%2Fnew")
    assert page.get_by_text("What differs, tested on the same prompts").is_visible()
    look_at(page, "audits-compared", width=width)
    page.go_back()
    assert page.get_by_text("Finished audits").is_visible()
    assert console == []
