"""Candidates: ranked lists with their reasons, masked as one chooses, for those with access to the rows."""

import json
import shutil

import pytest

from asked_pages import Browser, look_at
from evenhand.dashboard.access import READS, Access
from evenhand.dashboard.app import application
from evenhand.dashboard.request import Dashboards

ROLES = {"ana": "viewer", "ben": "labeller", "carla": "admin"}
CARLA = {"X-User": "carla"}


def rows_of(path):
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


@pytest.fixture
def runs(ranked):
    yield ranked / "runs"
    (ranked / "runs" / READS).unlink(missing_ok=True)


@pytest.fixture
def app(runs):
    return application(Dashboards(access=Access(host="127.0.0.1", user_header="X-User", roles=ROLES), runs=runs))


@pytest.fixture
def position(runs):
    return rows_of(runs / "candidates" / "recommendations.jsonl")[0]["position"]


@pytest.fixture
def people(ranked, runs):
    """Return the people whom the list of the position has."""
    listed = rows_of(runs / "candidates" / "recommendations.jsonl")[0]["candidates"]
    known = {each["id"]: each for each in rows_of(ranked / "company" / "people.jsonl")}
    return [known[each["person"]] for each in listed]


def test_what_a_feature_adds_is_what_explain_tells_of_the_pair(runs):
    explained = {(row["person"], row["position"]): row for row in rows_of(runs / "explained" / "explanations.jsonl")}
    pairs = [
        (row["position"], each)
        for row in rows_of(runs / "candidates" / "recommendations.jsonl")
        for each in row["candidates"]
    ]
    assert len(pairs) == 36
    for position, each in pairs:
        told = explained[each["person"], position]
        for name in ("score", "match", "margin", "base", "words"):
            assert each[name] == pytest.approx(told[name], abs=1e-6) if name == "margin" else each[name] == told[name]
        assert each["contributions"] == pytest.approx(told["contributions"], abs=1e-9)
        assert each["base"] + sum(each["contributions"].values()) == pytest.approx(each["margin"], abs=1e-6)


def test_the_list_is_masked_unless_asked_otherwise_and_each_read_is_logged(app, runs, position, people):
    asked = Browser(app)
    masked = asked.get(f"/candidates?position={position}", headers=CARLA).text
    names = {name for person in people for name in person["known_names"]}
    assert not any(word in masked for word in (*names, *(person["id"] for person in people)))
    assert masked.count("[NAME]") >= 3
    assert "[SCHOOL]" in masked
    schools = asked.get(f"/candidates?position={position}&show.school=yes", headers=CARLA).text
    assert "[SCHOOL]" not in schools
    assert "[NAME]" in schools
    bare = asked.get(f"/candidates?position={position}&resume=as+it+is", headers=CARLA).text
    assert "[NAME]" not in bare
    assert all(person["id"] in bare for person in people)
    assert [(each["by"], each["what"]) for each in rows_of(runs / READS)] == [
        ("carla", f"candidates for {position} in candidates, {how}")
        for how in ("résumés masked", "résumés masked but for school", "résumés as they are")
    ]


def test_the_export_has_what_each_feature_adds_and_no_id(app, runs, position, people):
    got = Browser(app).get(f"/candidates?position={position}&format=json", headers=CARLA).json()["rows"]
    listed = rows_of(runs / "candidates" / "recommendations.jsonl")[0]["candidates"]
    assert [row["similarity"] for row in got] == [each["contributions"]["similarity"] for each in listed]
    assert not any(person["id"] in json.dumps(got) for person in people)


@pytest.mark.parametrize("user", ["ana", "ben"])
def test_without_access_to_the_rows_there_is_no_list(app, runs, position, user):
    got = Browser(app).get(f"/candidates?position={position}&exact=yes", headers={"X-User": user})
    assert got.status_code == 403
    assert "Candidate " not in got.text
    assert not (runs / READS).exists()


@pytest.mark.parametrize(
    "query",
    ["", "?position=", "?position=../../etc", "?position=<script>", "?run=../company", "?run=/etc"],
)
def test_nothing_is_read_until_a_position_of_a_run_is_chosen(app, runs, query):
    got = Browser(app).get(f"/candidates{query}", headers=CARLA)
    assert got.status_code == 200
    assert "<script" not in got.text
    assert "Choose a position" in got.text
    assert not (runs / READS).exists()


def test_an_address_of_a_run_that_is_gone_shows_no_other_runs_list(app, runs, position):
    got = Browser(app).get(f"/candidates?run=gone&position={position}", headers=CARLA).text
    assert "Choose a position" in got
    assert not (runs / READS).exists()


def test_runs_that_rank_positions_for_people_are_not_offered(runs, position, tmp_path):
    for name in ("candidates", "cards"):
        shutil.copytree(runs / "candidates", tmp_path / name)
    (tmp_path / "cards" / "recommendations.jsonl").write_text('{"person":"P1","positions":[]}\n', "utf-8")
    shown = application(Dashboards(access=Access(host="127.0.0.1"), runs=tmp_path))
    assert position in Browser(shown).get("/candidates").text
    assert "cards" not in Browser(shown).get("/candidates").text
    shutil.rmtree(tmp_path / "candidates")
    assert "--for positions makes one" in Browser(shown).get("/candidates").text


@pytest.mark.parametrize("change", ["changed", "isn&#39;t here"])
def test_resumes_that_are_not_what_was_ranked_are_not_shown(app, ranked, position, change):
    path = ranked / "company" / "people.jsonl"
    before = path.read_bytes()
    try:
        path.unlink() if change != "changed" else path.write_bytes(before + b"\n")
        got = Browser(app).get(f"/candidates?position={position}", headers=CARLA).text
    finally:
        path.write_bytes(before)
    assert change in got
    assert "[NAME]" not in got
    assert "Contribution of each feature" in got


@pytest.mark.parametrize(
    "damage",
    [
        lambda line: line[:-40],
        lambda line: line.replace(b'"score"', b'"scone"'),
        lambda line: line.replace(b'"title"', b'"t"'),
    ],
)
def test_a_list_that_was_damaged_is_one_line(app, runs, position, damage):
    path = runs / "candidates" / "recommendations.jsonl"
    before = path.read_bytes()
    try:
        path.write_bytes(b"\n".join(damage(line) for line in before.splitlines()))
        got = Browser(app).get(f"/candidates?position={position}", headers=CARLA)
    finally:
        path.write_bytes(before)
    assert got.status_code == 400
    assert "run evenhand match recommend again" in got.text


@pytest.mark.parametrize(("width", "scheme"), [(1280, "light"), (390, "dark")])
def test_a_recruiter_chooses_a_position_and_reads_why_by_keyboard(visit, app, width, scheme):
    page, console = visit(app, "/candidates", user="carla", width=width, scheme=scheme)
    page.get_by_label("Position").focus()
    page.keyboard.press("ArrowDown")
    page.get_by_role("button", name="Show").focus()
    page.keyboard.press("Enter")
    page.wait_for_url("**position=J**")
    page.locator("summary").first.focus()
    page.keyboard.press("Enter")
    assert page.get_by_text("Contribution of each feature").first.is_visible()
    assert page.locator("pre").first.is_visible()
    look_at(page, "candidates", width=width)
    assert console == []
