"""Applicants: one's positions with what matches and what is missing, and a résumé before and after masking."""

import json
import re
import shutil
from html import unescape

import pytest

import evenhand as eh
from asked_pages import Browser
from evenhand.dashboard.access import READS, Access
from evenhand.dashboard.app import application
from evenhand.dashboard.request import Dashboards
from evenhand.masking.pronouns import OPTIONAL

ROLES = {"ana": "viewer", "ben": "labeller", "sol": "supervisor", "carla": "admin"}


def rows_of(path):
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


@pytest.fixture(scope="module")
def made(ranked, tmp_path_factory):
    """Return a folder of runs: the ranked candidates of positions, and the ranked positions of people."""
    folder = tmp_path_factory.mktemp("applicants")
    shutil.copytree(ranked / "runs" / "candidates", folder / "candidates")
    of = {name: ranked / "company" / f"{name}.jsonl" for name in ("people", "positions")}
    of["matcher"] = ranked / "runs" / "matcher" / "matcher.json"
    eh.match_recommend(**of, ranked="people", listed=4, out=folder / "cards", report=False)
    return folder


@pytest.fixture
def runs(made):
    yield made
    (made / READS).unlink(missing_ok=True)


@pytest.fixture
def app(runs):
    return application(Dashboards(access=Access(host="127.0.0.1", user_header="X-User", roles=ROLES), runs=runs))


@pytest.fixture
def ask(app):
    return lambda address, user="carla": Browser(app).get(address, headers={"X-User": user})


@pytest.fixture
def listed(runs):
    """Return a candidate of the first position: the pseudonym, the id and the position."""
    row = rows_of(runs / "candidates" / "recommendations.jsonl")[0]
    return row["candidates"][0]["candidate"], row["candidates"][0]["person"], row["position"]


def plain(page):
    return unescape(re.sub(r"<[^>]*>", "", page.text)).replace("\u00a0", " ")


def test_positions_stand_in_the_order_of_their_scores_with_what_matches_and_what_is_missing(ask, runs, listed):
    name, person, _ = listed
    (of_person,) = (row for row in rows_of(runs / "cards" / "recommendations.jsonl") if row["person"] == person)
    page = plain(ask(f"/applicants?run=cards&applicant={name}"))
    places = [page.index(f"{rank}. {row['title']}") for rank, row in enumerate(of_person["positions"], start=1)]
    assert places == sorted(places)
    # Each in the table, in both widths of the chart and on its card; the best in the answer, too.
    strong = [row["strong"] for row in of_person["positions"]]
    assert page.count("★ strong match") == 4 * sum(strong) + strong[0]
    for row in of_person["positions"]:
        assert all(f"✓ {text}" in page for text in row["found"])
        assert all(f"✗ {text}" in page for text in row["not_found"])
    exported = ask(f"/applicants?run=cards&applicant={name}&format=json").json()["rows"]
    assert [row["score"] for row in exported] == [row["score"] for row in of_person["positions"]]


@pytest.mark.parametrize("run", ["cards", "candidates"])
def test_a_position_leads_to_its_candidates_and_these_back(ask, run, listed):
    name, _, position = listed
    page = ask(f"/applicants?run={run}&applicant={name}").text
    assert f'href="/candidates?run=candidates&amp;position={position}"' in page
    candidates = ask(f"/candidates?run=candidates&position={position}").text
    assert f'href="/applicants?run=candidates&amp;applicant={name}"' in candidates


def test_an_applicant_has_a_pseudonym_and_each_look_is_logged(ask, ranked, runs, listed):
    name, person, _ = listed
    (of,) = (row for row in rows_of(ranked / "company" / "people.jsonl") if row["id"] == person)
    page = ask(f"/applicants?run=cards&applicant={name}").text
    assert not any(word in page for word in (person, *of["known_names"]))
    masking = ask(f"/masking?run=cards&applicant={name}")
    assert masking.status_code == 200
    assert [(row["by"], row["what"]) for row in rows_of(runs / READS)] == [
        ("carla", f"positions of candidate {name} in cards"),
        ("carla", f"résumé of candidate {name} in cards, before and after masking"),
    ]


def test_a_resume_stands_beside_its_masked_text_and_each_replacement_has_its_rule(ask, ranked, listed):
    name, person, _ = listed
    (of,) = (row for row in rows_of(ranked / "company" / "people.jsonl") if row["id"] == person)
    page = ask(f"/masking?run=cards&applicant={name}")
    before, after = page.text.split('class="speaker"')[1:]
    after, why = after.split('id="why"')
    masked = eh.mask(of["text"], known_names=of["known_names"], optional=list(OPTIONAL))
    assert of["known_names"][0] in unescape(before)
    assert of["known_names"][0] not in unescape(after)
    assert before.count("<mark>") == after.count("<mark>") == len(masked.spans)
    assert "<mark>[NAME]</mark>" in after
    spans = {(of["text"][span.start : span.end], span.rule) for span in masked.spans}
    table = unescape(re.sub(r"<[^>]*>", "|", why)).replace("\u00a0", " ")
    assert all(text in table and rule.replace("_", " ") in table for text, rule in spans)
    shown = ask(f"/masking?run=cards&applicant={name}&show.school=yes").text
    assert "[SCHOOL]" in after
    assert "[SCHOOL]" not in shown


@pytest.mark.parametrize("path", ["applicants", "masking"])
@pytest.mark.parametrize("user", ["ana", "ben", "sol"])
def test_other_roles_see_neither(ask, runs, listed, path, user):
    got = ask(f"/{path}?run=cards&applicant={listed[0]}&exact=yes", user)
    assert got.status_code == 403
    assert listed[0] not in got.text
    assert not (runs / READS).exists()


@pytest.mark.parametrize("path", ["applicants", "masking"])
@pytest.mark.parametrize("query", ["", "?applicant=../etc", "?run=cards&applicant=<script>", "?run=gone&applicant={}"])
def test_nothing_is_read_until_an_applicant_of_a_run_is_chosen(ask, runs, listed, path, query):
    got = ask(f"/{path}{query.format(listed[0])}")
    assert got.status_code == 200
    assert "applicants. Each view is logged." in plain(got)
    assert "<script" not in got.text
    assert not (runs / READS).exists()


def test_without_a_run_the_page_says_what_makes_one(tmp_path):
    shown = Browser(application(Dashboards(access=Access(host="127.0.0.1"), runs=tmp_path)))
    assert "evenhand match recommend --for people makes one" in shown.get("/applicants").text


def test_a_damaged_list_is_one_line(ask, runs, listed):
    path = runs / "cards" / "recommendations.jsonl"
    before = path.read_bytes()
    try:
        path.write_bytes(before.replace(b'"score"', b'"scone"'))
        got = ask(f"/applicants?run=cards&applicant={listed[0]}")
    finally:
        path.write_bytes(before)
    assert got.status_code == 400
    assert "run evenhand match recommend again" in got.text
