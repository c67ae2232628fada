"""A run asked in parts, on several machines, and joined."""

import shutil

import orjson
import pytest
from _cli import evenhand, findings, journal, loopback, refused, seen

WHOLE = ("probe", "hiring-an", "--model", "sim:stereotyping?strength=0.4", "--sample", 120, "--seed", 3)


def rows(folder):
    """Return the findings of a run as they stand in the file."""
    content = orjson.loads((folder / "findings.json").read_bytes())
    return orjson.dumps(content["findings"], option=orjson.OPT_INDENT_2)


def ask(cwd, *args):
    drawn = () if args[0] == "collect" else ("--no-report",)
    return evenhand(*args, *drawn, "--quiet", cwd=cwd)


@pytest.fixture(scope="module")
def put(tmp_path_factory):
    """Return a function that puts a finished run into a folder; those with the same options are asked once."""
    made = {}

    def copied(into, *options):
        if options not in made:
            folder = tmp_path_factory.mktemp("made")
            made[options] = ask(folder, *WHOLE, *options, "--out", "run"), folder / "run"
        done, run = made[options]
        shutil.copytree(run, into)
        return done

    return copied


def manifest(folder):
    return orjson.loads((folder / "manifest.json").read_bytes())


@pytest.mark.parametrize(("options", "attempts"), [(("--design", "matched"), 120), (("--repetitions", 2), 240)])
def test_joined_parts_give_the_findings_of_one_run_to_the_last_digit(tmp_path, put, options, attempts):
    put(tmp_path / "whole", *options)
    for number in (1, 2, 3):
        put(tmp_path / f"part{number}", *options, "--shard", f"{number}/3")
    parts = [journal(tmp_path / f"part{number}") for number in (1, 2, 3)]
    assert sum(map(len, parts)) == attempts
    ask(tmp_path, "collect", "merge", "part2", "part3", "part1", "--out", "joined")
    assert rows(tmp_path / "joined") == rows(tmp_path / "whole")
    sent = [[line["sent_order"] for line in journal(tmp_path / out)] for out in ("joined", "whole")]
    assert sent[0] == sorted(sent[1]) == list(range(attempts))
    texts = [{line["id"]: line["text"] for line in journal(tmp_path / out)} for out in ("joined", "whole")]
    assert texts[0] == texts[1]
    joined = manifest(tmp_path / "joined")
    assert (joined["status"], joined["shard"], joined["merged"]["overlaps"]) == ("finished", None, 0)
    assert sorted(part["shard"] for part in joined["merged"]["parts"]) == ["1/3", "2/3", "3/3"]


def test_pairs_stay_together(tmp_path, put):
    for number in (1, 2):
        put(tmp_path / f"part{number}", "--design", "matched", "--shard", f"{number}/2")
        pairs = [line["index"] // 2 for line in journal(tmp_path / f"part{number}")]
        assert sorted(pairs) == sorted([*set(pairs), *set(pairs)])


def test_a_part_says_so(tmp_path, put):
    done = put(tmp_path / "part", "--shard", "2/4")
    assert "part 2 of 4: 30 of 120 attempts" in done.stderr
    _, audit = findings(tmp_path / "part")
    assert audit["shard"] == manifest(tmp_path / "part")["shard"] == "2/4"
    assert any("collect merge" in line for line in audit["warnings"])
    assert "--shard 2/4" in audit["reproduce"]


def test_lacking_parts_are_named_and_one_machine_can_ask_the_rest(tmp_path, put):
    put(tmp_path / "whole")
    put(tmp_path / "part1", "--shard", "1/3")
    done = evenhand("collect merge part1 --out joined", cwd=tmp_path, code=4)
    assert len(done.stderr.strip().splitlines()) == 1
    assert "80 of 120 attempts are lacking, in part 2/3 (40), 3/3 (40)" in done.stderr
    assert manifest(tmp_path / "joined")["status"] == "incomplete"
    ask(tmp_path, *WHOLE, "--resume", "--out", "joined")
    assert rows(tmp_path / "joined") == rows(tmp_path / "whole")


def test_running_the_lacking_part_and_merging_again_finishes(tmp_path, put):
    put(tmp_path / "whole")
    put(tmp_path / "part1", "--shard", "1/2")
    evenhand("collect merge part1 --out joined", cwd=tmp_path, code=4)
    put(tmp_path / "part2", "--shard", "2/2")
    refused("collect merge part1 part2 --out joined", told="--force", cwd=tmp_path)
    ask(tmp_path, "collect", "merge", "part1", "part2", "--out", "joined", "--force")
    assert rows(tmp_path / "joined") == rows(tmp_path / "whole")


def test_what_two_parts_hold_counts_once_and_other_texts_are_reported(tmp_path, put):
    put(tmp_path / "whole")
    for number in (1, 2):
        put(tmp_path / f"part{number}", "--shard", f"{number}/2")
    shutil.copytree(tmp_path / "part1", tmp_path / "copy")
    done = ask(tmp_path, "collect", "merge", "part1", "part2", "copy", "--out", "joined")
    assert "60 answers were in several parts" in done.stderr
    assert rows(tmp_path / "joined") == rows(tmp_path / "whole")
    lines = journal(tmp_path / "copy")
    lines[0] |= {"text": "another text", "time": "2001-01-01T00:00:00Z"}  # earlier than the other
    lines[1] |= {"text": "a later text", "time": "2101-01-01T00:00:00Z"}
    (tmp_path / "copy" / "answers-000.jsonl").write_bytes(b"".join(orjson.dumps(line) + b"\n" for line in lines))
    done = ask(tmp_path, "collect", "merge", "part1", "part2", "copy", "--out", "joined", "--force")
    assert "2 attempts were answered with different texts" in done.stderr
    kept = {line["id"]: line["text"] for line in journal(tmp_path / "joined")}
    assert kept[lines[0]["id"]] == "another text"
    assert kept[lines[1]["id"]] != "a later text"
    found = manifest(tmp_path / "joined")["merged"]
    assert (found["conflicts"], found["conflicting_ids"]) == (2, [lines[0]["id"], lines[1]["id"]])
    assert any("different texts" in line for line in findings(tmp_path / "joined")[1]["warnings"])


def test_passing_failures_of_an_unfinished_part_are_lacking(tmp_path):
    with loopback(faults="429:0", then="ok") as url:
        args = ("probe", "hiring-an", "--model", "openai:test", "--base-url", url, "--sample", 40, "--out", "part1")
        ask(tmp_path, *args, "--shard", "1/2")
    lines = journal(tmp_path / "part1")
    lines[3] |= {"text": None, "error_class": "timeout"}
    (tmp_path / "part1" / "answers-000.jsonl").write_bytes(b"".join(orjson.dumps(line) + b"\n" for line in lines))
    before = manifest(tmp_path / "part1")
    (tmp_path / "part1" / "manifest.json").write_bytes(orjson.dumps({**before, "status": "incomplete"}))
    done = evenhand("collect merge part1 --out joined", cwd=tmp_path, code=4)
    assert "1/2 (1), 2/2 (20)" in done.stderr


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (("--seed", 4), "seed is"),
        (("--sample", 100), "sample is"),
        (("--temperature", 1), "temperature is"),
        (("--design", "matched"), "design is"),
        (("--shard", "2/4"), "expected parts with the same total"),
    ],
)
def test_parts_of_different_runs_are_refused(tmp_path, put, change, told):
    put(tmp_path / "part1", "--shard", "1/2")
    put(tmp_path / "part2", "--shard", "2/2", *change)
    refused("collect merge part1 part2 --out joined", told=told, cwd=tmp_path)


def test_folders_that_are_no_parts_are_refused_and_no_part_is_overwritten(tmp_path, put):
    put(tmp_path / "whole")
    put(tmp_path / "parts/one", "--shard", "1/2")
    for folders, out, told in (
        (("whole",), "joined", "made without --shard"),
        (("nothing",), "joined", "holds no run"),
        (("parts/one",), "parts/one", "choose another --out"),
        (("parts/one",), "parts", "choose another --out"),
    ):
        refused("collect merge", *folders, "--out", out, "--force", told=told, cwd=tmp_path)
    assert len(journal(tmp_path / "parts" / "one")) == 60


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (("--shard", "3/2"), "as in 1/4"),
        (("--shard", "1/121"), "120 prompts"),
        (("--shard", "1/2", "--redact-answers"), "collect merge"),
        (("--shard", "1/2", "--until-width", "0.1"), "--until-width"),
    ],
)
def test_parts_that_make_no_sense_are_refused(tmp_path, options, told):
    refused(*WHOLE, *options, "--out", "part", told=told, cwd=tmp_path)


def test_a_part_is_resumed_as_the_part_it_is(tmp_path):
    with loopback(then="ok") as url:
        args = ("probe", "hiring-an", "--model", "openai:test", "--base-url", url, "--sample", 40, "--out", "part")
        evenhand(*args, "--shard", "1/2", "--max-requests", 5, cwd=tmp_path, code=4)
        refused(*args, "--shard", "2/2", "--resume", told="shard", cwd=tmp_path)
        ask(tmp_path, *args, "--shard", "1/2", "--resume")
        assert seen(url)["requests"] == 20


def test_a_suite_in_parts_is_joined_probe_by_probe(tmp_path):
    suite = ("audit", "--model", "sim:random", "--sample", 32)
    ask(tmp_path, *suite, "--out", "whole")
    for number in (1, 2):
        ask(tmp_path, *suite, "--shard", f"{number}/2", "--out", f"part{number}")
    ask(tmp_path, "collect", "merge", "part1", "part2", "--out", "joined")
    assert rows(tmp_path / "joined") == rows(tmp_path / "whole")
    assert (tmp_path / "joined" / "report.html").is_file()
    command = manifest(tmp_path / "joined")["reproduce"]
    assert command == "evenhand audit --model sim:random --suite standard --sample 32 --repetitions 1 --seed 0"
    assert findings(tmp_path / "joined")[1]["reproduce"] == command
    assert findings(tmp_path / "part1")[1]["reproduce"] == f"{command} --shard 1/2"
    lacking = evenhand("collect merge part1 --out half", cwd=tmp_path, code=4)
    assert "business-vocabulary: 16 of 32" in lacking.stderr
    assert lacking.stderr.count("run it on one machine") == 1
    assert "evenhand audit --model sim:random … --resume --out half" in lacking.stderr
    ask(tmp_path, *suite, "--resume", "--out", "half")
    assert rows(tmp_path / "half") == rows(tmp_path / "whole")


def test_what_was_asked_after_an_incomplete_merge_is_kept_by_the_next(tmp_path):
    with loopback(then="ok") as url:
        args = ("probe", "hiring-an", "--model", "openai:test", "--base-url", url, "--sample", 60)
        for number in (1, 2):
            ask(tmp_path, *args, "--shard", f"{number}/3", "--out", f"part{number}")
        merge = ("collect", "merge", "part1", "part2", "--out", "joined")
        evenhand(*merge, cwd=tmp_path, code=4)
        evenhand(*args, "--out", "joined", "--resume", "--max-requests", 15, cwd=tmp_path, code=4)
        again = evenhand(*merge, "--force", cwd=tmp_path, code=4)
        assert "15 attempts that only joined has are kept" in again.stderr
        assert "5 of 60 attempts are lacking, in part 3/3 (5)" in again.stderr
        found = manifest(tmp_path / "joined")
        assert (found["requests"], found["usage"]["answers"], found["merged"]["overlaps"]) == (55, 55, 0)
        # And once more: nothing is counted twice.
        evenhand(*merge, "--force", cwd=tmp_path, code=4)
        assert manifest(tmp_path / "joined")["requests"] == 55
        ask(tmp_path, *args, "--out", "joined", "--resume")
        assert seen(url)["requests"] == 60
    assert manifest(tmp_path / "joined")["requests"] == 60
    assert len({line["id"] for line in journal(tmp_path / "joined")}) == 60
    assert {file.name for file in tmp_path.iterdir()} == {"part1", "part2", "joined"}


def test_answers_without_text_that_no_part_has_are_not_replaced(tmp_path, put):
    put(tmp_path / "part1", "--shard", "1/2")
    merge = ("collect", "merge", "part1", "--out", "joined")
    evenhand(*merge, "--redact-answers", cwd=tmp_path, code=4)
    ask(tmp_path, *WHOLE, "--resume", "--out", "joined")
    before = journal(tmp_path / "joined")
    assert {line["text"] for line in before} == {None}  # asked for by the merge, and kept
    refused(*merge, "--force", told="joined holds 60 answers that no part has", cwd=tmp_path)
    assert journal(tmp_path / "joined") == before


def test_a_part_given_twice_or_copied_is_paid_once(tmp_path):
    (tmp_path / "prices.toml").write_text("[models.test]\ninput = 1000\noutput = 2000\n")
    with loopback(then="ok") as url:
        args = ("probe", "hiring-an", "--model", "openai:test", "--base-url", url, "--sample", 60)
        for number in (1, 2):
            more = ("--prices", "prices.toml", "--shard", f"{number}/2", "--out", f"part{number}")
            ask(tmp_path, *args, *more)
    shutil.copytree(tmp_path / "part1", tmp_path / "copy")
    (tmp_path / "link").symlink_to(tmp_path / "part2")
    ask(tmp_path, "collect", "merge", "part1", "part2", "--out", "once")
    ask(tmp_path, "collect", "merge", "part1", "part2", "copy", "./part1", "link", "--out", "twice")
    once, twice = manifest(tmp_path / "once"), manifest(tmp_path / "twice")
    assert (once["requests"], once["usage"]["answers"]) == (60, 60)
    assert once["cost"] > 0
    for name in ("requests", "usage", "cost", "cost_uncertain", "currency"):
        assert twice[name] == once[name]
    assert len(twice["merged"]["parts"]) == 3


def test_a_damaged_part_leaves_nothing_behind(tmp_path, put):
    for number in (1, 2):
        put(tmp_path / f"part{number}", "--shard", f"{number}/2")
    merge = ("collect", "merge", "part1", "part2", "--out", "joined")
    whole = (tmp_path / "part2" / "answers-000.jsonl").read_bytes()
    lines = whole.splitlines(keepends=True)
    (tmp_path / "part2" / "answers-000.jsonl").write_bytes(b"".join([*lines[:5], b"{broken\n", *lines[5:]]))
    refused(*merge, told="line 6, is damaged", cwd=tmp_path)
    assert {file.name for file in tmp_path.iterdir()} == {"part1", "part2"}
    (tmp_path / "part2" / "answers-000.jsonl").write_bytes(whole)
    before = manifest(tmp_path / "part2")
    (tmp_path / "part2" / "manifest.json").write_bytes(orjson.dumps({**before, "shard": "7/2"}))
    refused(*merge, told="part2/manifest.json names the part '7/2'", cwd=tmp_path)
    (tmp_path / "part2" / "manifest.json").write_bytes(orjson.dumps(before))
    ask(tmp_path, *merge)


def test_files_that_the_parts_were_asked_with_are_given_again(tmp_path):
    (tmp_path / "own.toml").write_text('[[templates]]\nmale = "Praise {name}."\nfemale = "Praise {name}."\n')
    (tmp_path / "other.toml").write_text('[[templates]]\nmale = "Blame {name}."\nfemale = "Blame {name}."\n')
    probe = ("probe", "business-vocabulary", "--model", "sim:random", "--sample", 40, "--templates", "own.toml")
    for number in (1, 2):
        ask(tmp_path, *probe, "--shard", f"{number}/2", "--out", f"part{number}")
    merge = ("collect", "merge", "part1", "part2", "--out", "joined")
    for more, told in (((), "give that file again"), (("--templates", "other.toml"), "is not the file")):
        refused(*merge, *more, told=told, cwd=tmp_path)
    ask(tmp_path, *probe, "--out", "whole")
    ask(tmp_path, *merge, "--templates", "own.toml")
    assert rows(tmp_path / "joined") == rows(tmp_path / "whole")
