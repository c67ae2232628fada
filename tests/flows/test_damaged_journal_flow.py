"""A journal that is damaged, and a run that was killed: nothing is lost, the manifest tells the truth."""

import re

import orjson
import pytest
from _cli import evenhand, refused

ASKED = ("probe", "hiring-an", "--model", "sim:unbiased", "--sample", 20, "--out", "run", "--quiet", "--no-report")


def manifest(folder):
    return orjson.loads((folder / "run" / "manifest.json").read_bytes())


#: What is in the eighth line, and what stands there instead.
DAMAGES = {
    "bad UTF-8": (rb'"text":"', b'"text":"\xff\xfe'),
    "an index of the wrong type": (b'"index":', b'"index":"x","was":'),
    "garbage": (b".+", b"garbage"),
}


@pytest.mark.parametrize("kind", DAMAGES)
def test_a_finished_run_with_a_damaged_journal_stays_finished_and_says_what_to_do(tmp_path, kind):
    evenhand(*ASKED, cwd=tmp_path)
    before = manifest(tmp_path)
    journal = tmp_path / "run" / "answers-000.jsonl"
    lines = journal.read_bytes().splitlines(keepends=True)
    lines[7] = re.sub(*DAMAGES[kind], lines[7], count=1)
    journal.write_bytes(b"".join(lines))
    told = (
        "answers-000.jsonl, line 8, is damaged",
        "Restore the file from a copy, or begin a new run with another --out",
    )
    refused(*ASKED, "--resume", told=told, cwd=tmp_path)
    assert manifest(tmp_path) == before
    assert journal.read_bytes() == b"".join(lines)


def test_requests_of_a_killed_process_are_counted_when_the_run_goes_on(tmp_path):
    evenhand(*ASKED, cwd=tmp_path)
    told = manifest(tmp_path)
    # As kill -9 leaves it: 13 answers in the journal, and a manifest from the start.
    journal = tmp_path / "run" / "answers-000.jsonl"
    journal.write_bytes(b"".join(journal.read_bytes().splitlines(keepends=True)[:13]))
    begun = {name: value for name, value in told.items() if name not in {"requests", "cost_reason"}}
    (tmp_path / "run" / "manifest.json").write_bytes(orjson.dumps({**begun, "status": "running", "finished": None}))
    evenhand(*ASKED, "--resume", cwd=tmp_path)
    assert manifest(tmp_path)["requests"] == told["requests"] == 20


def test_a_finished_run_whose_answers_are_gone_is_not_paid_for_again(tmp_path):
    evenhand(*ASKED, cwd=tmp_path)
    before = manifest(tmp_path)
    (tmp_path / "run" / "answers-000.jsonl").write_bytes(b"")
    refused(*ASKED, "--resume", told="without answers", cwd=tmp_path)
    assert manifest(tmp_path) == before
