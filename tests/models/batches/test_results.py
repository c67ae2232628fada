"""What comes back of a batch: answers, failures, and downloads that break off."""

import pytest
from _batch_run import PROMPTS, all_answered, each_paid_once
from _kept import rows

from loopback_batches import Provider


async def test_a_download_that_breaks_off_is_taken_up_again(tmp_path, provider, ask):
    provider.cut_results = 1500
    done = await ask()
    assert done.stopped is None
    journaled = (tmp_path / "answers-000.jsonl").read_text().splitlines()
    assert len(journaled) == PROMPTS
    assert all_answered(tmp_path)


async def test_of_a_result_that_is_too_long_the_beginning_is_kept_and_half_an_emoji_costs_no_answer(
    tmp_path, provider, ask
):
    provider.outcome = lambda prompt: {"ask 3": "huge", "ask 4": "surrogate"}.get(prompt, "ok")
    done = await ask()
    assert (done.stopped, done.answered) == (None, PROMPTS)
    kept = {row["index"]: row for row in rows(tmp_path)}
    assert set(kept[3]["text"]) == {"x"}
    assert 900_000 < len(kept[3]["text"]) < 1_000_000
    assert kept[3]["finish_reason"] == "incomplete"
    assert kept[4]["text"] == "half � whole \U0001f600"


async def test_failed_prompts_are_journaled_and_passing_failures_are_asked_again(tmp_path, provider, ask):
    words = {"ask 3": "500", "ask 4": "429", "ask 5": "400", "ask 6": "missing"}
    provider.outcome = lambda prompt: words.get(prompt, "ok")
    done = await ask()
    assert done.failed == {"empty": 1, "rate_limit": 1, "rejected": 1, "server_error": 1}
    assert done.stopped == "gone"
    assert done.message == "3 prompts ended without an answer: empty (1), rate_limit (1), server_error (1)"
    provider.outcome = lambda _: "ok"
    done = await ask()
    assert (done.stopped, done.answered, done.skipped) == (None, 3, PROMPTS - 3)
    classes = {row["index"]: row["error_class"] for row in rows(tmp_path)}
    assert {index for index, name in classes.items() if name is not None} == {5}


@pytest.mark.parametrize("word", ["expired", "cancelled"])
async def test_what_expired_or_was_cancelled_is_asked_again_on_resume(tmp_path, provider, ask, word):
    provider.outcome = lambda prompt: word if prompt in {"ask 7", "ask 8"} else "ok"
    done = await ask()
    assert (done.stopped, done.failed) == ("gone", {word: 2})
    assert done.answered == PROMPTS - 2
    provider.outcome = lambda _: "ok"
    done = await ask()
    assert done.stopped is None
    assert each_paid_once(provider)
    assert all_answered(tmp_path)


async def test_a_model_that_is_gone_stops_the_run_and_nothing_is_recorded(tmp_path, provider, ask):
    provider.outcome = lambda _: "404"
    done = await ask()
    assert done.stopped == "fatal"
    assert "404" in done.message
    assert [row["index"] for row in rows(tmp_path)] == [0]


@pytest.mark.parametrize("kind", ["anthropic"], indirect=True)
async def test_the_key_never_goes_to_another_host(tmp_path, provider, ask):
    async with Provider() as stranger:
        provider.results_host = stranger.url.removesuffix("/v1")
        done = await ask(key="sk-secret-key-1")
    assert (done.stopped, done.answered) == (None, PROMPTS)
    assert stranger.seen == []
    assert provider.keys == {"sk-secret-key-1"}
    for file in tmp_path.iterdir():
        assert b"sk-secret-key-1" not in file.read_bytes()
