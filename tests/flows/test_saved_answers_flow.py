"""Prompts go out with ids, answers of other tools come back, and the findings are those of `probe`."""

import random
from pathlib import Path

import orjson
import pytest
from _cli import evenhand, findings

from evenhand.analyses.options.probes import find_probe
from evenhand.analyses.sample import chosen_design
from evenhand.analyses.saved_answers import layout_of
from evenhand.models.outcomes import read_answers


def openai(name, prompt, text):  # noqa: ARG001 - each shape takes what it needs
    message = {"role": "assistant", "content": text}
    body = {"model": "m", "choices": [{"index": 0, "finish_reason": "stop", "message": message}]}
    return {"id": "b", "custom_id": name, "error": None, "response": {"status_code": 200, "body": body}}


def anthropic(name, prompt, text):  # noqa: ARG001
    message = {"stop_reason": "end_turn", "content": [{"type": "text", "text": text}]}
    return {"custom_id": name, "result": {"type": "succeeded", "message": message}}


def promptfoo(name, prompt, text):  # noqa: ARG001
    return {"prompt": {"raw": prompt, "label": "p"}, "response": {"output": text}, "success": True, "vars": {}}


def harness(name, prompt, text):  # noqa: ARG001
    return {"doc_id": 0, "arguments": {"gen_args_0": {"arg_0": prompt, "arg_1": {"until": []}}}, "resps": [[text]]}


def conversation(name, prompt, text):  # noqa: ARG001
    return {"messages": [{"role": "user", "content": prompt}, {"role": "assistant", "content": text}]}


def completion(name, prompt, text):
    return {
        "request": {"messages": [{"role": "user", "content": prompt}]},
        **openai(name, prompt, text)["response"]["body"],
    }


def lines(path, rows):
    path.write_bytes(b"".join(orjson.dumps(row, option=orjson.OPT_APPEND_NEWLINE) for row in rows))


def answered(folder, probe, design=None):
    """Return id, prompt and answer of each attempt of a run, in another order."""
    found = find_probe(probe)
    layout = chosen_design(found, design)
    rows = [
        (f"{probe}-{layout_of(found, layout, {})}-{index}-{attempt}", prompt, text)
        for answers in read_answers(folder)
        for index, attempt, text, prompt in zip(
            answers["index"],
            answers["attempt"],
            answers["text"],
            layout.stimuli(answers["index"].to_numpy())["prompt"],
            strict=True,
        )
    ]
    random.Random(1).shuffle(rows)
    return rows


NUMBERS = ("estimate", "low", "high", "p", "p_adjusted", "n")


@pytest.mark.parametrize(
    ("probe", "design", "sample", "shape", "file"),
    [
        ("hiring-an", "matched", 200, openai, "openai-batch"),
        ("business-vocabulary", None, 60, anthropic, "anthropic-batch"),
        ("hiring-bloomberg", None, 120, promptfoo, None),
        ("an2024", None, 120, harness, None),
        ("resume-score", None, 80, conversation, None),
        ("hiring-an", None, 120, completion, "csv"),
    ],
)
def test_findings_are_those_of_the_probe(probe, design, sample, shape, file, tmp_path):  # noqa: PLR0917
    drawn = ["--sample", sample, *(["--design", design] if design else [])]
    evenhand("probe", probe, "--model", "sim:stereotyping", *drawn, "--out", "asked", "--no-report", cwd=tmp_path)
    rows = answered(tmp_path / "asked", probe, design)
    lines(tmp_path / "output.jsonl", [shape(*row) for row in rows])
    files = ["output.jsonl"]
    if file is not None:
        batch = ["--format", file, *(["--model", "m"] if "batch" in file else [])]
        assert (
            evenhand("data", "prompts", probe, *drawn, *batch, "--out", "requests.jsonl", cwd=tmp_path).returncode == 0
        )
        files += ["requests.jsonl"] if "batch" in file else []
    layout = ["--design", design] if design else []
    made = evenhand(
        "data", "answers", *files, "--probe", probe, *layout, "--out", "saved.jsonl", "--json", cwd=tmp_path
    )
    assert orjson.loads(made.stdout)["answers"] == sample
    evenhand("measure", probe, "saved.jsonl", "--out", "measured", "--no-report", cwd=tmp_path)
    asked, measured = (findings(tmp_path / folder)[0] for folder in ("asked", "measured"))
    assert asked.keys() == measured.keys()
    for name, row in asked.items():
        assert [measured[name].get(key) for key in NUMBERS] == pytest.approx(
            [row.get(key) for key in NUMBERS], abs=1e-9
        )


def test_a_log_of_inspect_is_measured_directly(tmp_path):
    evenhand("probe", "hiring-an", "--model", "sim:masculine", "--sample", 60, "--out", "asked", cwd=tmp_path)
    evenhand("export", "inspect", "asked", "--out", "log.eval", cwd=tmp_path)
    done = evenhand("measure", "hiring-an", "log.eval", "--out", "measured", "--no-report", cwd=tmp_path)
    assert done.returncode == 0
    asked, measured = (findings(tmp_path / folder)[0]["diff_acceptance_rate"] for folder in ("asked", "measured"))
    assert measured["estimate"] == pytest.approx(asked["estimate"])


SELECTED = "You have been selected."
REGRET = "We regret to inform you that the position went to somebody else."
SORRY = "I'm sorry, I can't help with that."


@pytest.mark.parametrize(
    ("file", "expected"),
    [
        ("promptfoo.json", [SELECTED, REGRET, SELECTED, REGRET, "error: server_error", SORRY]),
        ("lm_eval.jsonl", [SELECTED, REGRET, "", SORRY] * 3),
        ("inspect.eval", [SELECTED, REGRET, SELECTED, REGRET, "", SORRY]),
    ],
)
def test_files_that_the_tools_wrote_are_joined(file, expected, tmp_path):
    """logs/README.md says how these were made."""
    log = Path(__file__).parent / "logs" / file
    made = ["data", "answers", log, "--probe", "hiring-an", "--seed", 5, "--out", "saved.jsonl"]
    assert evenhand(*made, cwd=tmp_path).returncode == 0
    drawn = ["data", "prompts", "hiring-an", "--sample", 6, "--seed", 5, "--format", "jsonl", "--out", "prompts.jsonl"]
    assert evenhand(*drawn, cwd=tmp_path).returncode == 0
    items = [orjson.loads(line)["id"].split("-")[-2] for line in (tmp_path / "prompts.jsonl").read_bytes().splitlines()]
    rows = [orjson.loads(line) for line in (tmp_path / "saved.jsonl").read_bytes().splitlines()]
    rows.sort(key=lambda row: (items.index(row["item"]), row["attempt"]))
    assert [row["answer"] if row["error"] is None else f"error: {row['error']}" for row in rows] == expected


@pytest.fixture
def asked(tmp_path):
    """Leave six requests in a folder, and return their ids."""
    made = ["data", "prompts", "hiring-an", "--sample", 6, "--format", "openai-batch", "--model", "m"]
    assert evenhand(*made, "--out", "requests.jsonl", cwd=tmp_path).returncode == 0
    return [orjson.loads(line)["custom_id"] for line in Path(tmp_path, "requests.jsonl").read_bytes().splitlines()]


def test_what_cannot_be_joined_is_counted_and_named(asked, tmp_path):
    rows = [openai(name, "", "You have been selected.") for name in [*asked[:2], "other-7"]]
    rows += [openai(asked[2], "", None), {"custom_id": asked[3], "response": None, "error": {"code": "batch_expired"}}]
    lines(tmp_path / "output.jsonl", rows)
    arguments = ["output.jsonl", "requests.jsonl", "--probe", "hiring-an", "--out", "saved.jsonl", "--json"]
    told = orjson.loads(evenhand("data", "answers", *arguments, cwd=tmp_path).stdout)
    assert {name: told[name] for name in ("answers", "errors", "empty")} == {"answers": 2, "errors": 1, "empty": 1}
    assert (told["not_asked"], sorted(told["unanswered"])) == (["other-7"], sorted(asked[4:]))
    saved = [orjson.loads(line) for line in (tmp_path / "saved.jsonl").read_bytes().splitlines()]
    assert sorted(row["error"] or "" for row in saved) == ["", "", "", "expired", "missing", "missing"]


def test_requests_with_ids_are_answered_by_a_log_that_has_the_texts(asked, tmp_path):
    content = [orjson.loads(line) for line in (tmp_path / "requests.jsonl").read_bytes().splitlines()]
    texts = {row["custom_id"]: row["body"]["messages"][0]["content"] for row in content}
    log = [promptfoo(name, texts[name], SELECTED) for name in asked[:4]]
    (tmp_path / "log.json").write_bytes(orjson.dumps({"results": {"results": log}}))
    arguments = ["log.json", "requests.jsonl", "--probe", "hiring-an", "--out", "saved.jsonl", "--json"]
    counts = orjson.loads(evenhand("data", "answers", *arguments, cwd=tmp_path).stdout)
    assert (counts["answers"], sorted(counts["unanswered"])) == (4, sorted(asked[4:]))
    saved = [orjson.loads(line) for line in (tmp_path / "saved.jsonl").read_bytes().splitlines()]
    assert len({(row["item"], row["attempt"]) for row in saved}) == len(saved) == 6


@pytest.mark.parametrize("files", [["said.csv"], ["said.csv", "requests.jsonl"]])
def test_an_item_may_be_an_id(files, asked, tmp_path):
    rows = [f"{name},You have been selected" for name in asked[:4]]
    (tmp_path / "said.csv").write_text("\n".join(["name of it,reply", *rows, "x,You have been selected"]))
    places = ["--answer", "reply", "--item", "name of it", "--probe", "hiring-an", "--out", "saved.jsonl", "--json"]
    told = orjson.loads(evenhand("data", "answers", *files, *places, cwd=tmp_path).stdout)
    assert (told["answers"], told["not_asked"], len(told["unanswered"])) == (4, ["x"], 2 * (len(files) - 1))


def test_columns_tell_the_prompt_where_nothing_else_does(tmp_path):
    (tmp_path / "said.csv").write_text("k,reply\n2,You have been selected\n1,We regret to inform you\n3,Selected\n")
    (tmp_path / "asked.csv").write_text(
        "k,name,gender,race,role,qualification,template\n"
        "1,Jane Doe,F,white,nurse,high,0\n2,Joe Roe,M,white,nurse,high,1\n"
    )
    joined = ["said.csv", "--answer", "reply", "--join", "asked.csv", "--on", "k", "--map", "gender:F=female,M=male"]
    made = evenhand("data", "answers", *joined, "--probe", "hiring-an", "--out", "saved.jsonl", "--json", cwd=tmp_path)
    assert (orjson.loads(made.stdout)["answers"], orjson.loads(made.stdout)["not_asked"]) == (2, ["3"])
    assert evenhand("measure", "hiring-an", "saved.jsonl", "--out", "measured", cwd=tmp_path).returncode == 0


@pytest.mark.parametrize(
    ("change", "more", "told"),
    [
        (lambda rows, _: [rows[0], rows[0][:80]], (), "Line 2 of output.jsonl is not valid JSON"),
        (lambda rows, _: [rows[0], rows[1], rows[0]], (), "Line 3 of output.jsonl has the id"),
        (
            lambda rows, _: rows,
            ("--probe", "an2024"),
            "Line 1 of output.jsonl answers a prompt of hiring-an, not of an2024",
        ),
        (lambda rows, _: rows, ("--design", "matched"), "belongs to another design or other settings"),
        (
            lambda rows, ids: [row.replace(ids[k].encode(), b"x-%d" % k) for k, row in enumerate(rows)],
            (),
            "no prompt of hiring",
        ),
        (lambda rows, _: [b'{"text": "a"}', *rows], (), "Give the place of the answer with --answer"),
        (lambda rows, _: rows, ("--on", "id"), "--join and --on belong together"),
        (lambda rows, _: rows, ("--map", "race:A=asian"), "--map renames values of columns"),
        (lambda rows, _: rows, ("--out", "saved.xlsx"), "expected a .jsonl or .parquet file"),
    ],
)
def test_what_is_wrong_is_refused_and_nothing_written(asked, change, more, told, tmp_path):
    rows = [orjson.dumps(openai(name, "", "You have been selected.")) for name in asked]
    (tmp_path / "output.jsonl").write_bytes(b"\n".join(change(rows[:3], asked)))
    arguments = ["--probe", "hiring-an", "--out", "saved.jsonl", *more]
    done = evenhand("data", "answers", "output.jsonl", *arguments, cwd=tmp_path)
    assert (done.returncode, len(done.stderr.splitlines())) == (2, 1)
    assert told in done.stderr
    assert sorted(path.name for path in tmp_path.iterdir()) == ["output.jsonl", "requests.jsonl"]


def test_an_answer_to_a_changed_prompt_is_refused(asked, tmp_path):
    requests = (tmp_path / "requests.jsonl").read_bytes().replace(b"application", b"submission")
    (tmp_path / "requests.jsonl").write_bytes(requests)
    lines(tmp_path / "output.jsonl", [openai(name, "", "You have been selected.") for name in asked])
    files = ["output.jsonl", "requests.jsonl"]
    done = evenhand("data", "answers", *files, "--probe", "hiring-an", "--out", "saved.jsonl", cwd=tmp_path)
    assert (done.returncode, "is not the prompt of this id" in done.stderr) == (2, True)


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (("--format", "openai-batch"), "needs --model"),
        (("--model", "m"), "--model is for batch formats"),
        (("--design", "none"), "unknown to hiring-an"),
    ],
)
def test_prompts_that_cannot_be_written_are_refused(options, told, tmp_path):
    done = evenhand("data", "prompts", "hiring-an", "--sample", 4, *options, "--out", "prompts.jsonl", cwd=tmp_path)
    assert (done.returncode, told in done.stderr, list(tmp_path.iterdir())) == (2, True, [])
