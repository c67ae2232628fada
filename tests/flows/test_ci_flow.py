"""`--junit` and `--markdown` as a CI system reads them: one test case a claim, and none that passes unjudged."""

import json
import shutil
import xml.etree.ElementTree as ET

import pytest
from _cli import environment, evenhand
from _scored_days import scored_days

FILES = ("--junit", "j.xml", "--markdown", "s.md")
COUNTED = {"failures": "failure", "errors": "error", "skipped": "skipped"}
#: What Jenkins (junit-10.xsd of its xunit plugin) and GitLab know of each element: required and other attributes.
KNOWN = {
    "testsuites": ({"name", "tests", "failures", "errors"}, {"time"}),
    "testsuite": ({"name", "tests", "failures", "errors"}, {"time", "skipped", "timestamp"}),
    "testcase": ({"name", "classname"}, {"time"}),
    "failure": ({"message", "type"}, set()),
    "error": ({"message", "type"}, set()),
    "skipped": ({"message"}, set()),
    "properties": (set(), set()),
    "property": ({"name", "value"}, set()),
    "system-out": (set(), set()),
}


def cases(path):
    """Return outcome and message of each test case by name, of a file that is as the readers want it."""
    root = ET.parse(path).getroot()
    for element in root.iter():
        required, others = KNOWN[element.tag]
        assert required <= element.attrib.keys() <= required | others
    (suite,) = root
    assert root.attrib.items() <= suite.attrib.items() | {("name", "evenhand")}
    found = suite.findall("testcase")
    assert int(suite.get("tests")) == len(found) == len({case.get("name") for case in found})
    assert all(int(suite.get(count)) == len(suite.findall(f"testcase/{tag}")) for count, tag in COUNTED.items())
    return {
        case.get("name"): (case[0].tag.replace("system-out", "passed"), case[0].get("message") or case[0].text)
        for case in found
    }


def run(folder, *command, code, less=("--no-report",)):
    """Return the test cases and the Markdown of a command that ends with this exit code."""
    evenhand(*command, *FILES, *less, "--quiet", "--out", "r", "--force", cwd=folder, code=code)
    return cases(folder / "j.xml"), (folder / "s.md").read_text("utf-8")


def test_a_claim_that_holds_fails_with_its_numbers(tmp_path):
    # By hand: 20 of 100 against 60 of 120 is .2 / .5 = .4; c differs from b by 2 points.
    asked = ("impact", "--counts", "a=20/100,b=60/120,c=48/100,d=1/3", "--fail-on", "difference")
    found, page = run(tmp_path, *asked, code=1, less=())
    assert {name: outcome for name, (outcome, _) in found.items()} == {
        "Impact ratio, a against b": "failure",
        "Impact ratio, c against b": "passed",
        "Impact ratio, d against b": "passed",
    }
    message = found["Impact ratio, a against b"][1]
    assert "Impact ratio, a against b: 0.400 (95 % CI 0.2" in message
    assert "n = 100 and 120" in message
    assert (
        page.splitlines()[1]
        == "### ◆ Difference found in 1 of 3 planned comparisons, p corrected over 6 · Adverse impact"
    )
    assert "| Impact ratio, a against b | 0.400 |" in page
    assert "[r/report.html](<r/report.html>)" in page
    claims = [f for f in json.loads((tmp_path / "r" / "findings.json").read_text())["findings"] if f["claim"]]
    assert len(found) == len(claims)
    passed = found["Impact ratio, c against b"][1].splitlines()[1]
    assert passed.startswith("--fail-on difference does not hold (Holm over 6 planned comparisons")


TABLE = "".join(
    f"{who},{team},{gender},{chosen}\n"
    for who, team, gender, chosen, times in (
        ("v", "lab", "women", "no", 50),
        ("w", "lab", "men", "yes", 50),
        ("x", "desk", "women", "no", 50),
        ("y", "desk", "men", "yes", 50),
    )
    for who in [f"{who}{number % 5}" for number in range(times)]
)


@pytest.mark.parametrize(
    ("more", "conditions", "code", "outcomes"),
    [
        # Nothing is held against anything: no case passes.
        ((), "", 0, {"skipped"}),
        (("--position", "team"), "difference,adverse-impact", 1, {"failure", "skipped"}),
        (("--cluster", "who"), "difference", 1, {"failure"}),
    ],
)
def test_positions_and_clusters_are_test_cases(tmp_path, more, conditions, code, outcomes):
    (tmp_path / "t.csv").write_text(f"who,team,gender,chosen\n{TABLE}", encoding="utf-8")
    gate = ("--fail-on", conditions) if conditions else ()
    found, _ = run(
        tmp_path, "impact", "t.csv", "--selected", "chosen", "--protected", "gender", *more, *gate, code=code
    )
    assert {outcome for outcome, _ in found.values()} == outcomes


@pytest.mark.parametrize(
    ("counts", "conditions", "found"),
    [
        ("a=0/40,b=0/50", "difference", {"Impact ratio, a against b": "error"}),
        ("a=0/40,b=25/50", "difference", {"Impact ratio, a against b": "failure"}),
        ("a=40/40,b=50/50", "difference", {"Impact ratio, a against b": "passed"}),
        (
            "a=20/40,b=25/50,c=0/50",
            "not-above",
            {"Impact ratio, a against b": "failure", "Impact ratio, c against b": "failure"},
        ),
    ],
)
def test_zero_cells_are_judged_or_an_error(tmp_path, counts, conditions, found):
    code = 1 if "failure" in found.values() else 6 if "error" in found.values() else 0
    outcomes, _ = run(tmp_path, "impact", "--counts", counts, "--fail-on", conditions, code=code)
    assert {name: outcome for name, (outcome, _) in outcomes.items()} == found


def test_a_condition_without_any_comparison_is_an_error(tmp_path):
    (tmp_path / "t.csv").write_text("gender,chosen\n" + "women,yes\nwomen,no\n" * 50, encoding="utf-8")
    gate = ("--fail-on", "difference")
    found, _ = run(tmp_path, "impact", "t.csv", "--selected", "chosen", "--protected", "gender", *gate, code=6)
    assert [(name, outcome) for name, (outcome, _) in found.items()] == [("--fail-on difference", "error")]


def test_findings_without_a_claim_are_cases_where_a_condition_looks_at_them(tmp_path):
    found, page = run(
        tmp_path, "audit", "--model", "sim:masculine", "--sample", "8", "--fail-on", "undetected:0.05", code=0
    )
    passed = {name for name, (outcome, _) in found.items() if outcome == "passed"}
    assert passed
    assert passed == {
        f"{probe}: Unreadable answers" for probe in ("BusinessVocabulary", "HiringAn", "HiringBloomberg", "ResumeScore")
    }
    assert "SIMULATED" in page


def test_what_fails_stands_first_in_the_summary(tmp_path):
    # 42 groups of 100 people; the last one is selected at 1 % and the others at 60 %.
    counts = ",".join([*(f"g{number:02}=60/100" for number in range(42)), "last=1/100"])
    found, page = run(tmp_path, "impact", "--counts", counts, "--fail-on", "difference", code=1)
    assert [name for name, (outcome, _) in found.items() if outcome == "failure"] == ["Impact ratio, last against g00"]
    rows = [line for line in page.splitlines() if line.startswith("| ")]
    assert rows[1].startswith("| Impact ratio, last against g00 | ")
    assert "2 more are in findings.json." in page


def test_a_position_is_named_as_reports_name_it(tmp_path):
    (tmp_path / "t.csv").write_text(f"who,team,gender,chosen\n{TABLE}", encoding="utf-8")
    given = ("--selected", "chosen", "--protected", "gender", "--position", "team", "--fail-on", "below")
    found, _ = run(tmp_path, "impact", "t.csv", *given, code=1)
    assert "Positions below four-fifths, gender" in found


@pytest.mark.parametrize(
    ("command", "gate"),
    [
        (("features", "bertrand-2004.csv", "--protected", "race", "--sample", "60", "--no-report"), "difference"),
        (("perturb", "--scorer", "sim:unbiased", "--margin", "2", "--sample", "6"), "not-equivalent"),
    ],
)
def test_other_kinds_of_runs_have_test_cases(tmp_path, command, gate):
    evenhand("data example bertrand-2004", cwd=tmp_path)
    done = evenhand(*command, "--fail-on", gate, *FILES, "--quiet", "--out", "r", cwd=tmp_path, code=None)
    found = cases(tmp_path / "j.xml")
    assert ("failure" in {outcome for outcome, _ in found.values()}) == (done.returncode == 1)
    assert {"failure", "passed"} & {outcome for outcome, _ in found.values()}
    assert "| Comparison |" in (tmp_path / "s.md").read_text("utf-8")


def test_labels_are_text_in_both_files(tmp_path):
    label = 'a|b<script>"&@x'
    (tmp_path / "t.csv").write_text(
        "group,chosen\n" + ('"a|b<script>""&@x",no\n' * 50) + "women,yes\n" * 50, encoding="utf-8"
    )
    found, page = run(
        tmp_path, "impact", "t.csv", "--selected", "chosen", "--protected", "group", "--fail-on", "below", code=1
    )
    assert any(label in message for _, message in found.values())
    assert 'a\\|b&lt;script>"&amp;@<!-- -->x against women' in page


@pytest.mark.parametrize(
    "failing",
    [
        ("impact", "none.csv", "--selected", "x", "--protected", "y"),
        ("impact", "--counts", "a=20/40,b=25/50", "--fail-on", "none-such"),
    ],
)
def test_a_command_that_fails_leaves_an_error_instead_of_an_earlier_result(tmp_path, failing):
    run(tmp_path, "impact", "--counts", "a=20/40,b=25/50", code=0)
    evenhand(*failing, *FILES, cwd=tmp_path, code=2)
    assert cases(tmp_path / "j.xml") == {"finished": ("error", "The command has not finished; its log says why.")}
    assert "The command has not finished" in (tmp_path / "s.md").read_text("utf-8")


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (("--junit", "t.csv"), "--junit t.csv exists, and no earlier --junit wrote it; give another file.\n"),
        (("--junit", "f", "--markdown", "f"), "--junit and --markdown are both f; give two files.\n"),
        (("--markdown", "no/s.md"), "There is no folder no for --markdown s.md; make it, or give another file.\n"),
    ],
)
def test_other_files_stay(tmp_path, given, message):
    (tmp_path / "t.csv").write_text("a,b\n", encoding="utf-8")
    done = evenhand("impact --counts a=20/40,b=25/50", *given, "--out", "r", cwd=tmp_path, code=2)
    assert done.stderr == message
    assert (tmp_path / "t.csv").read_text("utf-8") == "a,b\n"


@pytest.mark.parametrize(
    ("variables", "address"),
    [
        (
            {"CI_JOB_URL": "https://gitlab.test/p/-/jobs/7"},
            "https://gitlab.test/p/-/jobs/7/artifacts/file/r/report.html",
        ),
        (
            {"GITHUB_SERVER_URL": "https://git.test", "GITHUB_REPOSITORY": "o/p", "GITHUB_RUN_ID": "7"},
            "https://git.test/o/p/actions/runs/7#artifacts",
        ),
    ],
)
def test_the_summary_links_to_the_artifacts_of_the_job(tmp_path, variables, address):
    command = ("impact", "--counts", "a=20/40,b=25/50", "--markdown", "s.md", "--out", "r", "--quiet")
    evenhand(*command, cwd=tmp_path, env=environment(**variables))
    assert f"[r/report.html](<{address}>)" in (tmp_path / "s.md").read_text("utf-8")


@pytest.fixture(scope="module")
def recorded(tmp_path_factory):
    """Return a store of scored days."""
    folder = tmp_path_factory.mktemp("recorded")
    (folder / "days.csv").write_text(scored_days(), encoding="utf-8")
    record = ("--store", "h.db", "--model", "m", "--time", "decided_at", "--score", "score", "--protected", "gender")
    evenhand("monitor record days.csv", *record, "--selected", "invited", cwd=folder)
    return folder / "h.db"


@pytest.mark.parametrize(
    ("day", "code", "outcomes"), [("2026-03-05", 1, {"failure", "passed"}), ("2026-01-20", 6, {"error", "skipped"})]
)
def test_alarms_and_series_are_test_cases(recorded, tmp_path, day, code, outcomes):
    shutil.copy(recorded, tmp_path)
    check = ("monitor", "check", "--store", "h.db", "--as-of", day, "--fail-on", "alarm", *FILES)
    evenhand(*check, cwd=tmp_path, code=code)
    found = cases(tmp_path / "j.xml")
    assert {outcome for outcome, _ in found.values()} == outcomes
    assert "m: impact ratio of gender = woman" in found
    evenhand(*check[:-6], *FILES, cwd=tmp_path)
    assert {outcome for outcome, _ in cases(tmp_path / "j.xml").values()} == {"skipped"}
