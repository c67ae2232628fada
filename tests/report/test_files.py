"""Reading findings.json and writing report.html and findings.csv."""

import csv

import orjson
import pytest
from invented import contrast, document, finding

from evenhand.analyses.finish import rewrite_report
from evenhand.errors import InputError
from evenhand.results.result import read_result

ROWS = [
    contrast("diff_acceptance_rate", "diff_acceptance_rate", -0.1 / 3, 0.01, marks_touched=["A", "B"], mark="A"),
    finding("x", "acceptance_rate", None, slice={"role": "=cmd()", "race": "white"}),
]


@pytest.fixture
def run(tmp_path):
    (tmp_path / "findings.json").write_bytes(orjson.dumps(document(ROWS)))
    return tmp_path


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (None, "No findings.json"),
        (b"", "not valid JSON"),
        (b'{"schema": "evenhand.findings/2", "audit": {', "not valid JSON"),
        (b"\xff\xfe", "not valid JSON"),
        (b"[]", "no JSON object"),
        (b"{}", "schema None"),
        (b'{"schema": "evenhand.findings/9"}', "evenhand.findings/9"),
    ],
)
def test_missing_broken_and_foreign_findings_are_input_errors(tmp_path, content, words):
    if content is not None:
        (tmp_path / "findings.json").write_bytes(content)
    with pytest.raises(InputError, match=words) as caught:
        rewrite_report(tmp_path, None, force=False)
    assert "\n" not in str(caught.value)
    assert not (tmp_path / "report.html").exists()


def test_a_missing_run_folder_is_an_input_error(tmp_path):
    with pytest.raises(InputError, match="is not a folder"):
        read_result(tmp_path / "nowhere")


def test_a_folder_as_output_and_a_missing_parent_are_input_errors(run):
    with pytest.raises(InputError, match="is a folder"):
        rewrite_report(run, run, force=True)
    with pytest.raises(InputError, match="There is no folder"):
        rewrite_report(run, run / "no" / "report.html", force=True)


def test_a_report_that_can_not_be_made_leaves_the_old_one(run):
    (run / "report.html").write_text("old")
    (run / "findings.json").write_bytes(orjson.dumps(document([{"name": "x"}])))
    with pytest.raises(InputError):
        rewrite_report(run, None, force=False)
    assert (run / "report.html").read_text() == "old"


def test_the_csv_is_unrounded_and_no_cell_is_a_formula(run):
    rewrite_report(run, None, force=False)
    with (run / "findings.csv").open(encoding="utf-8", newline="") as file:
        first, second = csv.DictReader(file)
    assert float(first["estimate"]) == -0.1 / 3
    assert (first["focal"], first["reference"], first["marks_touched"]) == ("gender=male", "gender=female", "AB")
    assert (second["estimate"], second["reason"]) == ("", "No answer was observed.")
    assert second["slice"] == "role==cmd(); race=white"
