"""Prompts that are asked by a provider's batches, from the first one to the last answer."""

import asyncio
import json
import os
import signal

import pytest
from _batch_run import PATIENT, PROMPTS, all_answered, each_paid_once, states, until
from _kept import rows

from evenhand.errors import InputError
from evenhand.models.batch_log import BatchLog, refuse_open_batches


async def test_answers_come_in_any_order_and_have_the_lines_of_single_calls(tmp_path, provider, ask):
    done = await ask()
    assert (done.stopped, done.answered, done.asked, done.failed) == (None, PROMPTS, PROMPTS, {})
    assert all_answered(tmp_path)
    assert each_paid_once(provider)
    assert states(tmp_path) == ["planned", "submitted", "collected"]
    journaled = [json.loads(line) for line in (tmp_path / "answers-000.jsonl").read_text().splitlines()]
    assert [line["sent_order"] for line in journaled[1:]] == list(reversed(range(1, PROMPTS)))
    single, first = journaled[0], journaled[1]
    assert list(single) == list(first)
    assert (first["finish_reason"], first["returned_model"], first["output_tokens"]) == ("stop", "m-2025", 6)


async def test_the_first_prompt_is_put_by_itself(tmp_path, provider, ask):
    done = await ask(max_requests=1)
    assert (done.stopped, done.answered) == ("max-requests", 1)
    assert sum(provider.single.values()) == 1
    assert not provider.batches
    assert not (tmp_path / "batches.jsonl").exists()


async def test_a_finished_run_asks_nothing(provider, ask):
    await ask()
    before = len(provider.seen)
    done = await ask()
    assert (done.skipped, done.asked, done.stopped) == (PROMPTS, 0, None)
    assert len(provider.seen) == before


async def test_a_large_plan_is_split_and_no_more_than_some_batches_are_under_way(tmp_path, provider, ask):
    done = await ask(most=3, at_once=2)
    assert done.answered == PROMPTS
    assert [len(batch["asked"]) for batch in provider.batches.values()] == [3, 3, 3, 2]
    assert each_paid_once(provider)
    assert all_answered(tmp_path)
    for place, state in enumerate(states(tmp_path)):
        before = states(tmp_path)[:place]
        if state == "planned":
            assert before.count("planned") - before.count("collected") < 2


async def test_max_requests_cuts_the_last_batch(tmp_path, provider, ask):
    done = await ask(max_requests=5, most=3)
    assert (done.stopped, done.answered) == ("max-requests", 5)
    assert sum(provider.paid.values()) == 5
    done = await ask(max_requests=7)
    assert done.stopped is None
    assert each_paid_once(provider)
    assert all_answered(tmp_path)


async def test_a_server_that_dies_in_the_middle_of_polling_is_waited_for(provider, ask):
    provider.looks, provider.die_on_look = 5, 3
    task = asyncio.ensure_future(ask(patience=PATIENT))
    await until(lambda: provider.down)
    await asyncio.sleep(0.05)
    provider.down = False
    done = await task
    assert (done.stopped, done.answered) == (None, PROMPTS)
    assert each_paid_once(provider)


async def test_a_server_that_stays_away_leaves_the_run_to_be_resumed(tmp_path, provider, ask):
    provider.die_on_look = 1
    done = await ask()
    assert done.stopped == "gone"
    assert states(tmp_path) == ["planned", "submitted"]
    with pytest.raises(InputError, match="Resume with --batch"):
        refuse_open_batches(tmp_path)
    provider.down = False
    done = await ask()
    assert done.stopped is None
    assert len(provider.batches) == 1
    assert each_paid_once(provider)
    refuse_open_batches(tmp_path)


async def test_a_busy_server_is_looked_at_again(provider, ask):
    provider.busy_looks = 4
    done = await ask()
    assert (done.stopped, done.answered, done.retries) == (None, PROMPTS, 4)


async def test_the_prompt_that_is_put_by_itself_has_a_latency_and_those_of_a_batch_have_none(tmp_path, ask):
    await ask()
    assert [row["index"] for row in rows(tmp_path) if row["latency"] is not None] == [0]


@pytest.mark.parametrize("kind", ["openai"], indirect=True)
async def test_batches_that_are_too_much_for_the_queue_are_halved(tmp_path, provider, ask):
    provider.refuse_over = 3
    done = await ask()
    assert (done.stopped, done.answered, done.asked) == (None, PROMPTS, PROMPTS)
    assert each_paid_once(provider)
    assert all_answered(tmp_path)


@pytest.mark.parametrize("kind", ["openai"], indirect=True)
async def test_a_queue_that_takes_nothing_stops_the_run(tmp_path, provider, ask):
    provider.refuse_over = 0
    done = await ask()
    assert done.stopped == "gone"
    assert "Enqueued token limit reached." in done.message
    assert not BatchLog(tmp_path).open


async def test_progress_shows_what_the_provider_has_done(provider, ask):
    provider.looks = 4
    steps = []
    await ask(progress=steps.append)
    assert sum(steps) == PROMPTS


@pytest.mark.usefixtures("interrupts_are_heard")
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
async def test_an_interrupt_ends_the_waiting_and_the_batch_goes_on(tmp_path, provider, ask, number):
    provider.looks = 10_000
    task = asyncio.ensure_future(ask())
    await until(lambda: provider.batches and provider.batches["batch_0"]["looked"] > 1)
    os.kill(os.getpid(), number)
    done = await asyncio.wait_for(task, 5)
    assert done.stopped == "interrupted"
    provider.looks = 0
    done = await ask()
    assert (done.stopped, done.answered) == (None, PROMPTS - 1)
    assert each_paid_once(provider)
    assert all_answered(tmp_path)
