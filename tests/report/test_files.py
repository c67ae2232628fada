"""Reading findings.json and writing report.html and findings.csv."""

import csv

import orjson
import pytest
from invented import contrast, document, finding

from evenhand.errors import InputError
from evenhand.report.files import write_findings_csv
from evenhand.report.page.html import write_report

ROWS = [
    contrast("diff_acceptance_rate", "diff_acceptance_rate", -0.1 / 3, 0.01, marks_touched=["A", "B"], mark="A"),
    finding("x", "acceptance_rate", None, slice={"role": "=cmd()", "race": "white"}),
]


@pytest.fixture
def run(tmp_path):
    (tmp_path / "findings.json").write_bytes(orjson.dumps(document(ROWS)))
    return tmp_path


def test_the_report_lies_beside_the_findings(run):
    assert write_report(run) == run / "report.html"
    assert (run / "report.html").read_text("utf-8").startswith("<!DOCTYPE html>")
    assert sorted(path.name for path in run.iterdir()) == ["findings.json", "report.html"]


def test_the_report_goes_where_it_is_told_and_replaces_what_is_there(run):
    (run / "other.html").write_text("old")
    assert write_report(run, run / "other.html").read_text("utf-8").endswith("</html>")


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
    for write in (write_report, write_findings_csv):
        with pytest.raises(InputError, match=words) as caught:
            write(tmp_path)
        assert "\n" not in str(caught.value)
    assert not (tmp_path / "report.html").exists()


def test_a_missing_run_folder_is_an_input_error(tmp_path):
    with pytest.raises(InputError, match="is no folder"):
        write_report(tmp_path / "nowhere")


def test_a_folder_as_output_and_a_missing_parent_are_input_errors(run):
    with pytest.raises(InputError, match="Is a directory"):
        write_report(run, run)
    with pytest.raises(InputError, match="No such file or directory"):
        write_report(run, run / "no" / "report.html")


def test_a_report_that_can_not_be_made_leaves_the_old_one(run):
    (run / "report.html").write_text("old")
    (run / "findings.json").write_bytes(orjson.dumps(document([{"name": "x"}])))
    with pytest.raises(InputError):
        write_report(run)
    assert (run / "report.html").read_text() == "old"


def test_the_csv_is_unrounded_and_no_cell_is_a_formula(run):
    path = write_findings_csv(run)
    with path.open(encoding="utf-8", newline="") as file:
        first, second = csv.DictReader(file)
    assert float(first["estimate"]) == -0.1 / 3
    assert (first["focal"], first["reference"], first["marks_touched"]) == ("gender=male", "gender=female", "AB")
    assert (second["estimate"], second["reason"]) == ("", "No answer was observed.")
    assert second["slice"] == "role==cmd(); race=white"
