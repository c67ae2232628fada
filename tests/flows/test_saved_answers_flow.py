"""Prompts go out with ids, answers of other tools come back, and the findings are those of `probe`."""

import random
from pathlib import Path
from zipfile import ZipFile

import orjson
import pytest
from _cli import evenhand, findings, refused
from _files_named import documented_design

from evenhand.data.inputs import read_saved_answers
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


def answered(folder, prompts):
    """Return id, prompt and answer of each attempt of a run whose prompts were written, too, in another order."""
    texts = {
        (index, attempt): text
        for answers in read_answers(folder)
        for index, attempt, text in answers.select("index", "attempt", "text").iter_rows()
    }
    written = map(orjson.loads, prompts.read_bytes().splitlines())
    rows = [(row["id"], row["prompt"], texts[*map(int, row["id"].rsplit("-", 2)[1:])]) for row in written]
    random.Random(1).shuffle(rows)
    return rows


NUMBERS = ("estimate", "low", "high", "p", "p_adjusted", "n")
#: Names of two races; three are not in our tables.
NAMES = "Emma Walsh,female Anna Baker,female Tom Walsh,male Rob Baker,male Lakisha Jones,female Keisha Brown,female"
NAMES += " Zorblax Jones,male Tyrone Brown,male"


def named(tmp_path):
    """Leave the names, and the design in the documentation."""
    people = [
        f"{name},{race}"
        for name, race in zip(NAMES.replace("male ", "male|").split("|"), ["white"] * 4 + ["black"] * 4, strict=True)
    ]
    (tmp_path / "names.csv").write_text("\n".join(["name,gender,race", *people]), encoding="utf-8")
    (tmp_path / "my.toml").write_text(documented_design(), encoding="utf-8")


@pytest.mark.parametrize(
    ("probe", "given", "sample", "shape", "file"),
    [
        ("hiring-an", ("--design", "matched"), 200, openai, "openai-batch"),
        ("business-vocabulary", (), 60, anthropic, "anthropic-batch"),
        ("hiring-bloomberg", (), 120, promptfoo, None),
        ("an2024", (), 120, harness, None),
        ("resume-score", (), 80, conversation, None),
        ("hiring-an", (), 120, completion, "csv"),
        ("resume-score", ("--names", "names.csv"), 80, openai, None),
        ("screening", ("--names", "names.csv", "--steps", "shortlist,scores", "--instructed"), 48, openai, None),
        ("screening", ("--design", "my.toml"), 48, anthropic, "anthropic-batch"),
    ],
)
def test_findings_are_those_of_the_probe(probe, given, sample, shape, file, tmp_path):  # noqa: PLR0917
    named(tmp_path)
    drawn = ["--sample", sample, *given]
    model = f"sim:{'feminine' if probe == 'screening' else 'stereotyping'}"
    evenhand("probe", probe, "--model", model, *drawn, "--out", "asked", "--no-report", cwd=tmp_path)
    evenhand("data prompts", probe, *drawn, "--out", "prompts.jsonl", cwd=tmp_path)
    rows = answered(tmp_path / "asked", tmp_path / "prompts.jsonl")
    lines(tmp_path / "output.jsonl", [shape(*row) for row in rows])
    files = ["output.jsonl"]
    if file is not None:
        batch = ["--format", file, *(["--model", "m"] if "batch" in file else [])]
        evenhand("data prompts", probe, *drawn, *batch, "--out", "requests.jsonl", cwd=tmp_path)
        files += ["requests.jsonl"] if "batch" in file else []
    made = evenhand("data answers", *files, "--probe", probe, *given, "--out", "saved.jsonl", "--json", cwd=tmp_path)
    assert orjson.loads(made.stdout)["answers"] == len(rows)
    # Of screening only the whole piles are asked elsewhere; what is undetected is counted over all answers.
    asked = {name: row for name, row in findings(tmp_path / "asked")[0].items() if "survivors" not in name}
    names = [name for name in asked if probe != "screening" or "undetected" not in name]
    for measured in ("saved.jsonl", *(["output.jsonl"] if shape in {openai, anthropic} else [])):
        evenhand("measure", probe, measured, *given, "--out", measured[:-6], "--no-report", cwd=tmp_path)
        found, _ = findings(tmp_path / measured[:-6])
        assert asked.keys() == {name for name in found if "survivors" not in name}
        for name in names:
            assert [found[name].get(key) for key in NUMBERS] == pytest.approx(
                [asked[name].get(key) for key in NUMBERS], abs=1e-9
            )


def test_a_log_of_inspect_is_measured_directly(tmp_path):
    evenhand("probe hiring-an --model sim:masculine --sample 60 --out asked", cwd=tmp_path)
    evenhand("export inspect asked --out log.eval", cwd=tmp_path)
    evenhand("measure hiring-an log.eval --out measured --no-report", cwd=tmp_path)
    asked, measured = (findings(tmp_path / folder)[0]["diff_acceptance_rate"] for folder in ("asked", "measured"))
    assert measured["estimate"] == pytest.approx(asked["estimate"])


@pytest.mark.parametrize(
    ("header", "planned", "gate", "ending"),
    [
        ({"status": "success"}, 60, 0, "json"),
        ({"status": "cancelled"}, 60, 6, "eval"),
        ({}, 60, 6, "eval"),  # killed: only the journal says what was planned
        ({"status": "error"}, 41, 0, "json"),
        ({"status": "error"}, 41, 0, "eval"),
    ],
)
def test_a_log_that_ended_early_says_so_and_holds_the_gate(header, planned, gate, ending, tmp_path):
    made = ["data", "prompts", "hiring-an", "--sample", 40, "--out", "prompts.jsonl"]
    evenhand(*made, cwd=tmp_path)
    prompts = [orjson.loads(line)["prompt"] for line in (tmp_path / "prompts.jsonl").read_bytes().splitlines()]
    content = {**header, "eval": {"dataset": {"samples": planned}, "config": {"epochs": 1}}}
    samples = [
        {"id": n, "epoch": 1, "input": prompt, "output": {"choices": [{"message": {"content": SELECTED}}]}}
        for n, prompt in enumerate(prompts)
    ]
    if ending == "json":
        (tmp_path / "log.json").write_bytes(orjson.dumps({**content, "samples": samples}))
    else:
        with ZipFile(tmp_path / "log.eval", "w") as log:
            log.writestr("header.json" if header else "_journal/start.json", orjson.dumps(content))
            for sample in samples:
                log.writestr(f"samples/{sample['id']}_epoch_1.json", orjson.dumps(sample))
    file = f"log.{ending}"
    told = (
        ""
        if header.get("status") == "success"
        else f"(status {header.get('status', 'started')}): it has 40 of {planned}"
    )
    measure = ["measure", "hiring-an", file, "--no-report", "--out"]
    done = evenhand(*measure, "measured", cwd=tmp_path)
    assert told in done.stderr
    assert ("more than 5 % of the answers are missing, 20 of 60" in done.stderr) == bool(gate)
    assert (findings(tmp_path / "measured")[1].get("incomplete") is not None) == bool(gate)
    evenhand(*measure, "gated", "--fail-on", "difference", cwd=tmp_path, code=gate)
    saved = ["data", "answers", file, "--probe", "hiring-an", "--out", "saved.jsonl"]
    joined = evenhand(*saved, cwd=tmp_path)
    assert told in joined.stderr


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
    evenhand(*made, cwd=tmp_path)
    drawn = ["data", "prompts", "hiring-an", "--sample", 6, "--seed", 5, "--format", "jsonl", "--out", "prompts.jsonl"]
    evenhand(*drawn, cwd=tmp_path)
    items = [orjson.loads(line)["id"].split("-")[-2] for line in (tmp_path / "prompts.jsonl").read_bytes().splitlines()]
    rows = [orjson.loads(line) for line in (tmp_path / "saved.jsonl").read_bytes().splitlines()]
    rows.sort(key=lambda row: (items.index(row["item"]), row["attempt"]))
    assert [row["answer"] if row["error"] is None else f"error: {row['error']}" for row in rows] == expected


@pytest.fixture
def asked(tmp_path):
    """Leave six requests in a folder, and return their ids."""
    made = ["data", "prompts", "an2024", "--sample", 6, "--format", "openai-batch", "--model", "m"]
    evenhand(*made, "--out", "requests.jsonl", cwd=tmp_path)
    return [orjson.loads(line)["custom_id"] for line in Path(tmp_path, "requests.jsonl").read_bytes().splitlines()]


def test_what_cannot_be_joined_is_counted_and_named(asked, tmp_path):
    rows = [openai(name, "", "You have been selected.") for name in [*asked[:2], "other-7"]]
    rows += [openai(asked[2], "", None), {"custom_id": asked[3], "response": None, "error": {"code": "batch_expired"}}]
    lines(tmp_path / "output.jsonl", rows)
    arguments = ["output.jsonl", "requests.jsonl", "--probe", "an2024", "--out", "saved.jsonl", "--json"]
    told = orjson.loads(evenhand("data answers", *arguments, cwd=tmp_path).stdout)
    assert {name: told[name] for name in ("answers", "errors", "empty")} == {"answers": 2, "errors": 1, "empty": 1}
    assert (told["not_asked"], sorted(told["unanswered"])) == (["other-7"], sorted(asked[4:]))
    saved = [orjson.loads(line) for line in (tmp_path / "saved.jsonl").read_bytes().splitlines()]
    assert sorted(row["error"] or "" for row in saved) == ["", "", "", "expired", "missing", "missing"]
    evenhand("data answers", *arguments[:4], "--out", "saved.parquet", cwd=tmp_path)
    assert read_saved_answers(tmp_path / "saved.parquet").equals(read_saved_answers(tmp_path / "saved.jsonl"))
    assert not list(tmp_path.glob(".*"))


def test_requests_with_ids_are_answered_by_a_log_that_has_the_texts(asked, tmp_path):
    content = [orjson.loads(line) for line in (tmp_path / "requests.jsonl").read_bytes().splitlines()]
    texts = {row["custom_id"]: row["body"]["messages"][0]["content"] for row in content}
    log = [promptfoo(name, texts[name], SELECTED) for name in asked[:4]]
    (tmp_path / "log.json").write_bytes(orjson.dumps({"results": {"results": log}}))
    arguments = ["log.json", "requests.jsonl", "--probe", "an2024", "--out", "saved.jsonl", "--json"]
    counts = orjson.loads(evenhand("data answers", *arguments, cwd=tmp_path).stdout)
    assert (counts["answers"], sorted(counts["unanswered"])) == (4, sorted(asked[4:]))
    saved = [orjson.loads(line) for line in (tmp_path / "saved.jsonl").read_bytes().splitlines()]
    assert len({(row["item"], row["attempt"]) for row in saved}) == len(saved) == 6


@pytest.mark.parametrize("files", [["said.csv"], ["said.csv", "requests.jsonl"]])
def test_an_item_may_be_an_id(files, asked, tmp_path):
    rows = [f"{name},You have been selected" for name in asked[:4]]
    (tmp_path / "said.csv").write_text("\n".join(["name of it,reply", *rows, "x,You have been selected"]))
    places = ["--answer", "reply", "--item", "name of it", "--probe", "an2024", "--out", "saved.jsonl", "--json"]
    told = orjson.loads(evenhand("data answers", *files, *places, cwd=tmp_path).stdout)
    assert (told["answers"], told["not_asked"], len(told["unanswered"])) == (4, ["x"], 2 * (len(files) - 1))


def test_columns_tell_the_prompt_where_nothing_else_does(tmp_path):
    (tmp_path / "said.csv").write_text("k,reply\n2,You have been selected\n1,We regret to inform you\n3,Selected\n")
    (tmp_path / "asked.csv").write_text(
        "k,name,gender,race,role,qualification,template\n"
        "1,Jane Doe,F,white,nurse,high,0\n2,Joe Roe,M,white,nurse,high,1\n"
    )
    joined = ["said.csv", "--answer", "reply", "--join", "asked.csv", "--on", "k", "--map", "gender:F=female,M=male"]
    made = evenhand("data answers", *joined, "--probe", "hiring-an", "--out", "saved.jsonl", "--json", cwd=tmp_path)
    assert (orjson.loads(made.stdout)["answers"], orjson.loads(made.stdout)["not_asked"]) == (2, ["3"])
    evenhand("measure hiring-an saved.jsonl --out measured", cwd=tmp_path)


@pytest.mark.parametrize(
    ("change", "more", "told"),
    [
        (lambda rows, _: [rows[0], rows[0][:80]], (), "Line 2 of output.jsonl is not valid JSON"),
        (lambda rows, _: [rows[0], rows[1], rows[0]], (), "Line 3 of output.jsonl has the id"),
        (
            lambda rows, _: rows,
            ("--probe", "hiring-an"),
            "Line 1 of output.jsonl answers a prompt of an2024, not of hiring-an",
        ),
        (lambda rows, _: rows, ("--base-templates", 1), "belongs to another design or other settings"),
        (
            lambda rows, ids: [row.replace(ids[k].encode(), b"x-%d" % k) for k, row in enumerate(rows)],
            (),
            "its id 'x-0' is none of ours; give the file of requests, too.",
        ),
        (
            lambda rows, ids: [row.replace(ids[k].encode(), b"x-%d" % k) for k, row in enumerate(rows)],
            ("requests.jsonl",),
            "none of the 6 requests has its id 'x-0'. Give",
        ),
        (
            lambda *_: [orjson.dumps(conversation("", "Hello", "Hi"))],
            ("requests.jsonl",),
            "the prompt that was sent is none of an2024. Give",
        ),
        (lambda rows, _: [b'{"text": "a"}', *rows], (), "Give the place of the answer with --answer"),
        (lambda *_: [], (), "output.jsonl: nothing is there."),
        (lambda *_: [], ("requests.jsonl",), "only prompts, no answers"),
        (lambda rows, _: rows, ("--on", "id"), "--join and --on need each other"),
        (lambda rows, _: rows, ("--map", "race:A=asian"), "--map renames values of columns"),
        (lambda rows, _: rows, ("--out", "saved.xlsx"), "expected a .jsonl or .parquet file"),
    ],
)
def test_what_is_wrong_is_refused_and_nothing_written(asked, change, more, told, tmp_path):
    rows = [orjson.dumps(openai(name, "", "You have been selected.")) for name in asked]
    (tmp_path / "output.jsonl").write_bytes(b"\n".join(change(rows[:3], asked)))
    arguments = ["--probe", "an2024", "--out", "saved.jsonl", *more]
    refused("data answers output.jsonl", *arguments, told=told, cwd=tmp_path)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["output.jsonl", "requests.jsonl"]


def test_an_answer_to_a_changed_prompt_is_refused(asked, tmp_path):
    requests = (tmp_path / "requests.jsonl").read_bytes().replace(b"application", b"submission")
    (tmp_path / "requests.jsonl").write_bytes(requests)
    lines(tmp_path / "output.jsonl", [openai(name, "", "You have been selected.") for name in asked])
    line = "data answers output.jsonl requests.jsonl --probe an2024 --out saved.jsonl"
    refused(line, told="is not the prompt of this id", cwd=tmp_path)


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (("--format", "openai-batch"), "needs --model"),
        (("--model", "m"), "--model is for batch formats"),
        (("--design", "none"), "unknown to hiring-an"),
    ],
)
def test_prompts_that_cannot_be_written_are_refused(options, told, tmp_path):
    done = evenhand("data prompts hiring-an --sample 4", *options, "--out", "prompts.jsonl", cwd=tmp_path, code=2)
    assert (told in done.stderr, list(tmp_path.iterdir())) == (True, [])
