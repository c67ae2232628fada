"""`--top-p` and the penalties from the command line: sent, kept, told, compared, or refused."""

import asyncio

import orjson
import pytest
from _cli import environment, evenhand, findings, journal, loopback, refused, seen

from loopback_batches import Provider

GIVEN = ("--top-p", 0.9, "--frequency-penalty", -0.5, "--presence-penalty", 1)
SENT = {"top_p": 0.9, "frequency_penalty": -0.5, "presence_penalty": 1.0}


def probe(*args, out, cwd, code=0):
    asked = ("probe", "hiring-an", "--model", "openai:m", "--sample", 12, "--quiet", "--out", out)
    return evenhand(*asked, *args, cwd=cwd, code=code)


def parameters_of(folder):
    return orjson.loads((folder / "manifest.json").read_bytes())["parameters"]


def test_what_is_given_is_sent_kept_and_told(tmp_path):
    with loopback() as url:
        probe("--base-url", url, out="plain", cwd=tmp_path)
        before = len(seen(url)["bodies"])
        probe(*GIVEN, "--base-url", url, out="run", cwd=tmp_path)
        plain, bodies = seen(url)["bodies"][:before], seen(url)["bodies"][before:]
        stopped = probe(*GIVEN[:-1], 1.5, "--base-url", url, "--resume", out="run", cwd=tmp_path, code=2)
    assert all(SENT.keys().isdisjoint(body) for body in plain)
    assert all({name: body[name] for name in SENT} == SENT for body in bodies)
    assert "run with presence-penalty 1.0, now it is 1.5" in stopped.stderr

    assert {name: parameters_of(tmp_path / "run")[name] for name in SENT} == SENT
    assert not {line["id"] for line in journal(tmp_path / "run")} & {line["id"] for line in journal(tmp_path / "plain")}
    _, audit = findings(tmp_path / "run")
    assert "--top-p 0.9 --frequency-penalty -0.5 --presence-penalty 1" in audit["reproduce"]
    page = (tmp_path / "run" / "report.html").read_text("utf-8")
    assert all(term in page for term in ("Top p", "Frequency penalty", "Presence penalty"))
    assert "<dt>Top p</dt><dd>not given</dd>" in (tmp_path / "plain" / "report.html").read_text("utf-8")

    evenhand("compare plain run --out both --quiet", cwd=tmp_path)
    _, audit = findings(tmp_path / "both")
    assert [run["decoding"] for run in audit["probes"][0]["runs"]] == [dict.fromkeys(SENT), SENT]
    assert "Presence penalty" in (tmp_path / "both" / "report.html").read_text("utf-8")


def test_a_suite_tells_what_all_its_probes_were_asked_with(tmp_path):
    with loopback() as url:
        asked = ("audit", "--model", "openai:m", "--base-url", url, "--sample", 12, "--top-p", 0.5, "--out", "run")
        evenhand(*asked, "--quiet", "--no-report", cwd=tmp_path)
        assert all(body["top_p"] == 0.5 for body in seen(url)["bodies"])
    _, audit = findings(tmp_path / "run")
    assert audit["parameters"]["top_p"] == 0.5
    assert "presence_penalty" not in audit["parameters"]
    assert "--top-p 0.5" in audit["reproduce"]


@pytest.mark.parametrize(("model", "given"), [("openai:m", SENT), ("anthropic:m", {"top_p": 0.9})])
async def test_batches_send_it_too(tmp_path, model, given):
    async with Provider() as provider:
        asked = ("probe", "hiring-an", "--model", model, "--base-url", provider.url, "--sample", "6", "--batch")
        words = [str(each) for each in GIVEN[: 2 * len(given)]]
        await asyncio.to_thread(evenhand, *asked, *words, "--out", "run", "--quiet", "--no-report", cwd=tmp_path)
        bodies = [body for batch in provider.batches.values() for body in batch["asked"].values()]
    assert bodies
    assert all({name: body.get(name) for name in SENT} == {**dict.fromkeys(SENT), **given} for body in bodies)


def test_a_preset_is_not_spelled_out_and_not_refused(tmp_path):
    asked = ("probe", "an2024", "--model", "sim:random", "--sample", 6, "--preset", "gpt-3.5", "--temperature", 0.2)
    evenhand(*asked, "--out", "run", "--quiet", "--no-report", cwd=tmp_path)
    assert parameters_of(tmp_path / "run")["frequency_penalty"] == 0.9
    reproduce = findings(tmp_path / "run")[1]["reproduce"]
    assert "--temperature 0.2 --preset gpt-3.5" in reproduce
    assert "penalty" not in reproduce


REFUSED = [
    ("probe hiring-an --model sim:random --top-p 0", "--top-p is 0.0; expected a number above 0 and up to 1."),
    ("probe hiring-an --model sim:random --top-p 1.01", "--top-p is 1.01; expected a number above 0 and up to 1."),
    ("plan hiring-an --model openai:m --frequency-penalty -2.1", "is -2.1; expected a number from -2"),
    ("audit --model openai:m --presence-penalty nan", "--presence-penalty is nan; expected a number from -2 to 2."),
    ("probe hiring-an --model sim:random --top-p 1", "'sim:random' doesn't support --top-p: simulated answers"),
    ("audit --model sim:random --presence-penalty 2", "'sim:random' doesn't support --presence-penalty"),
    ("plan standard --model sim:random --top-p 1", "'sim:random' doesn't support --top-p"),
    ("probe hiring-an --model replay:a --top-p .5", "'replay:a' doesn't support --top-p: saved answers"),
    ("plan hiring-an --model anthropic:m --frequency-penalty -2", "Anthropic's Messages API has no such"),
    ("probe hiring-an --model anthropic:m --presence-penalty 0", "'anthropic:m' doesn't support --presence-penalty"),
    ("plan hiring-an --model hf:weights --presence-penalty 1", "penalty: transformers has no such parameter"),
]


@pytest.mark.parametrize(("words", "told"), REFUSED)
def test_what_is_out_of_range_or_cannot_be_obeyed_is_refused_in_one_line(tmp_path, words, told):
    refused(words, told=told, cwd=tmp_path, env=environment(OPENAI_API_KEY="sk-none"))
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    "words", ["openai:m --top-p 1 --frequency-penalty 2", "hf:w --top-p .5", "anthropic:m --top-p .5"]
)
def test_plans_take_what_can_be_obeyed(tmp_path, words):
    evenhand("plan hiring-an --sample 20 --model", *words.split(), cwd=tmp_path)
