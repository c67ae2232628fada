"""`--corpus generated`: kept by runs, asked for again where they go on, measured like other answers."""

import orjson
import pytest
from _cli import evenhand, findings, refused, words_of

from evenhand.probes.hiring_bloomberg.probe import PROBE

ASKED = words_of("probe hiring-bloomberg --model 'sim:masculine?strength=0.6' --corpus generated --num-reorders 20")


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    folder = tmp_path_factory.mktemp("generated")
    evenhand(*ASKED, "--out", "run", cwd=folder)
    return folder / "run"


def test_manifest_and_report_say_that_the_texts_are_synthetic(run):
    manifest = orjson.loads((run / "manifest.json").read_bytes())
    assert manifest["settings"] == {"corpus": "generated", "num_reorders": 20}
    assert {"data/lexicons/onet_tasks.csv", "synthetic/wording.toml"} <= set(manifest["fingerprints"])
    page = (run / "report.html").read_text("utf-8")
    assert "All résumés and job ads are synthetic" in page
    assert "--corpus generated" in page


def test_a_known_bias_is_found_in_the_card_s_roles(run):
    found = findings(run)[0]["masculine_rate"]
    assert found["low"] < 0.8 < found["high"]  # 0.5 + 0.6 (1 - 0.5)


@pytest.mark.parametrize(("words", "code"), [(ASKED, 0), (ASKED[:4] + ASKED[6:], 2)])
def test_a_run_goes_on_with_the_same_corpus_only(run, words, code):
    done = evenhand(*words, "--out", "run", "--resume", "--no-report", cwd=run.parent, code=code)
    assert code == 0 or "settings {'corpus': 'generated', 'num_reorders': 20}" in done.stderr


def test_parts_are_joined_without_giving_it_again_but_with_no_other(run):
    for number in (1, 2):
        done = evenhand(
            *ASKED, "--sample", "80", "--shard", f"{number}/2", "--out", f"part{number}", "--no-report", cwd=run.parent
        )
    for words, code in (((), 0), (("--corpus", "generated"), 0), (("--corpus", "other.json"), 2)):
        done = evenhand(
            "collect merge part1 part2",
            *words,
            "--out",
            f"all{len(words)}{code}",
            cwd=run.parent,
            code=code,
        )
        if code:
            assert "The parts were made with --corpus generated, not with other.json." in done.stderr


def test_saved_answers_to_such_prompts_are_measured(run):
    rows = PROBE.with_settings({"corpus": "generated"}).designs["extended"].stimuli([7, 5_001, 160_002])
    saved = [
        {"role": role, "candidates": people, "answer": ", ".join(who["name"] for who in people)}
        for role, people in rows.select("role", "candidates").iter_rows()
    ]
    (run.parent / "saved.jsonl").write_bytes(b"\n".join(map(orjson.dumps, saved)))
    evenhand("measure hiring-bloomberg saved.jsonl --out measured --no-report", cwd=run.parent)


def test_a_file_of_that_name_is_read_where_its_folder_is_said(run):
    refused(*ASKED[:5], "./generated", "--out", "none", told="No corpus", cwd=run.parent)
