"""`evenhand probe --batch` from the command line: killed, interrupted, resumed, refused."""

import asyncio
import signal
import sys

import orjson
import pytest
from _cli import environment, evenhand, findings, journal, refused

from loopback_batches import Provider

PROMPTS = 20


@pytest.fixture
async def provider():
    async with Provider() as server:
        yield server


#: What goes on with a run knows batches, and not whose they are.
ONE = pytest.mark.parametrize("words", ["openai"], indirect=True)


@pytest.fixture(params=["openai", "anthropic"])
def words(request, provider):
    """Return the words of a run, to which others are added."""
    asked = ["probe", "hiring-an", "--model", f"{request.param}:m", "--base-url", provider.url]
    return [*asked, "--sample", str(PROMPTS), "--out", "run", "--quiet"]


@pytest.fixture
def start(tmp_path, words):
    """Return a function that starts a run, and its further arguments; the process is the result."""

    async def run(*more):
        # Where the tests run in the background of a shell, SIGINT is ignored, and the process would inherit it.
        prelude = "import signal; signal.signal(signal.SIGINT, signal.default_int_handler)"
        code = f"{prelude}; import sys; from evenhand.__main__ import main; sys.argv[0] = 'evenhand'; main()"
        return await asyncio.create_subprocess_exec(
            sys.executable,
            "-c",
            code,
            *words,
            "--no-report",
            *more,
            cwd=tmp_path,
            env=environment(),
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
        )

    return run


@pytest.fixture
def ended(tmp_path, words):
    """Return a function that carries a run out, beside the provider: its exit code and its two streams."""

    async def run(*more, drawn=False):
        less = () if drawn else ("--no-report",)
        done = await asyncio.to_thread(evenhand, *words, *less, *more, cwd=tmp_path, code=None)
        return done.returncode, done.stdout, done.stderr

    return run


async def test_a_batch_run_has_the_files_of_any_other(tmp_path, provider, ended):
    code, out, err = await ended("--batch", drawn=True)
    assert (code, out.strip(), err) == (0, "run", "")
    assert set(provider.paid.values()) == {1}
    assert len(provider.paid) == PROMPTS
    _, audit = findings(tmp_path / "run")
    assert audit["attempts"] == PROMPTS
    manifest = orjson.loads((tmp_path / "run" / "manifest.json").read_bytes())
    assert manifest["parameters"]["batch"] is True
    assert (tmp_path / "run" / "report.html").exists()
    provider.down = True  # a finished run needs no server any more
    assert (await ended("--batch", "--resume"))[0] == 0


async def test_the_discount_of_batches_is_not_taken_off_the_prompt_that_was_put_by_itself(tmp_path, ended):
    prices = tmp_path / "prices.toml"
    prices.write_text("[models.m]\ninput = 0\noutput = 1e6\nbatch_discount = 0.5\n", encoding="utf-8")
    code, _, err = await ended("--batch", "--prices", prices)
    assert code == 0, err
    # Answers have 6 tokens, which cost 1 each.
    assert findings(tmp_path / "run")[1]["cost"] == 6 + (PROMPTS - 1) * 6 / 2


async def test_a_killed_run_is_resumed_and_pays_nothing_twice(tmp_path, provider, start, ended):
    provider.looks = 10_000
    process = await start("--batch")
    await provider.looked_at()
    process.send_signal(signal.SIGKILL)
    await process.wait()
    code, _, err = await ended("--resume")
    assert (code, len(err.splitlines())) == (2, 1)
    assert "would be paid twice" in err
    provider.looks = 0
    code, _, err = await ended("--batch", "--resume")
    assert code == 0, err
    assert len(provider.batches) == 1
    assert set(provider.paid.values()) == {1}
    assert len(journal(tmp_path / "run")) == PROMPTS


@ONE
@pytest.mark.parametrize("killed", [1, 2])
async def test_rounds_are_batches_and_a_run_killed_in_one_is_resumed_there(  # noqa: PLR0917
    killed, tmp_path, provider, words, start, ended
):
    """Later steps are built from the answers of the round before."""
    more = ("--steps", "shortlist,scores,decision", "--structured", "--batch")
    words[1:2], words[words.index("--sample") + 1] = ["screening"], "40"
    provider.looks_of = {f"batch_{killed - 1}": 10_000}
    process = await start(*more)
    await provider.looked_at(killed)
    process.send_signal(signal.SIGKILL)
    await process.wait()
    provider.looks_of.clear()
    code, _, err = await ended(*more, "--resume")
    assert code == 0, err
    assert set(provider.paid.values()) == {1}
    # The first prompt of each round is put by itself.
    assert [len(batch["asked"]) for batch in provider.batches.values()] == [23, 7, 7]
    assert len(journal(tmp_path / "run")) == 40


@ONE
async def test_ctrl_c_while_waiting_leaves_a_run_that_can_be_resumed(provider, start, ended):
    provider.looks = 10_000
    process = await start("--batch")
    await provider.looked_at()
    process.send_signal(signal.SIGINT)
    _, err = await process.communicate()
    assert (process.returncode, len(err.splitlines())) == (130, 1)
    assert b"--resume" in err
    provider.looks = 0
    assert (await ended("--batch", "--resume"))[0] == 0
    assert set(provider.paid.values()) == {1}


@ONE
async def test_force_says_that_the_old_batch_goes_on(tmp_path, provider, start, ended):
    provider.looks = 10_000
    process = await start("--batch")
    await provider.looked_at()
    process.send_signal(signal.SIGKILL)
    await process.wait()
    provider.looks = 0
    code, _, err = await ended("--force", "--batch")
    assert code == 0
    assert "batch batch_0 of 19 prompts" in err
    assert b"batch_0" not in (tmp_path / "run" / "batches.jsonl").read_bytes()


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--model", "sim:unbiased"), "--batch needs a provider with a batch API"),
        (("--model", "replay:answers.jsonl"), "--batch needs a provider with a batch API"),
        (("--model", "hf:folder"), "--batch needs a provider with a batch API"),
        (("--model", "openai:m", "--until-width", "0.1"), "--until-width can't be given with --batch"),
        (("--model", "openai:m", "--rpm", "60"), "--rpm can't be given with --batch"),
        (("--model", "openai:m", "--tpm", "60"), "--tpm can't be given with --batch"),
        (("--model", "openai:m", "--base-url", "http://127.0.0.1:1/v1,http://127.0.0.1:2/v1"), "one --base-url"),
    ],
)
@pytest.mark.parametrize("command", [("probe", "hiring-an"), ("audit",)])
def test_what_makes_no_sense_with_batches_is_refused_in_one_line(tmp_path, command, words, said):
    if command == ("audit",) and "replay:answers.jsonl" in words:
        said = "replay"
    refused(*command, *words, "--sample", 20, "--batch", "--out", "run", told=said, cwd=tmp_path)
