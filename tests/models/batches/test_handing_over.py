"""Batches whose creation was not confirmed: each is handed over once, whatever is lost on the way."""

import asyncio
from datetime import UTC, datetime, timedelta

import pytest
from _batch_run import PATIENT, PROMPTS, all_answered, each_paid_once, states, until

from evenhand.errors import InputError
from evenhand.models.batch_log import BatchLog
from evenhand.models.limits import Patience

CREATED = {"openai": "POST /v1/batches", "anthropic": "POST /v1/messages/batches"}


async def test_a_server_that_dies_after_taking_a_batch_is_asked_which_it_has(tmp_path, provider, ask):
    provider.die_on_create = "after"
    done = await ask()
    assert (done.stopped, done.answered) == ("gone", 1)
    assert states(tmp_path) == ["planned"]
    provider.down, provider.die_on_create = False, None
    done = await ask()
    assert (done.stopped, done.answered) == (None, PROMPTS - 1)
    assert len(provider.batches) == 1
    assert each_paid_once(provider)
    assert all_answered(tmp_path)


async def test_a_lost_confirmation_is_found_again_without_a_restart(tmp_path, provider, ask):
    provider.die_on_create = "after"
    task = asyncio.ensure_future(ask(patience=PATIENT))
    await until(lambda: provider.down)
    provider.down, provider.die_on_create = False, None
    done = await task
    assert done.stopped is None
    assert len(provider.batches) == 1
    assert each_paid_once(provider)
    assert states(tmp_path) == ["planned", "submitted", "collected"]


async def test_a_batch_that_was_never_taken_is_handed_over_again(tmp_path, provider, ask):
    provider.die_on_create = "before"
    done = await ask()
    assert done.stopped == "gone"
    provider.down, provider.die_on_create = False, None
    done = await ask()
    assert done.stopped is None
    assert states(tmp_path) == ["planned", "withdrawn", "planned", "submitted", "collected"]
    assert each_paid_once(provider)


async def test_a_batch_is_looked_for_until_the_list_has_settled(provider, ask, kind):
    provider.die_on_create = "before"
    await ask()
    provider.down, provider.die_on_create = False, None
    began = datetime.now(UTC)
    waits = []

    def now():
        return began + timedelta(seconds=sum(waits))

    async def sleep(seconds):
        waits.append(seconds)

    done = await ask(now=now, sleep=sleep, patience=Patience(first=1.0, settled=30.0))
    assert done.stopped is None
    listed = provider.asked(CREATED[kind].replace("POST", "GET"))
    assert sum(waits) >= 30
    assert listed > 5


async def test_a_provider_that_lists_nothing_is_not_given_the_batch_twice(provider, ask):
    provider.die_on_create = "after"
    await ask()
    provider.down, provider.die_on_create, provider.lists = False, None, False
    done = await ask()
    assert done.stopped == "fatal"
    assert "it is unknown whether it accepted them" in done.message
    assert "batches.jsonl" in done.message
    assert len(provider.batches) == 1


@pytest.mark.parametrize("kind", ["openai"], indirect=True)
async def test_the_token_is_found_on_a_later_page_of_the_list(provider, ask):
    provider.page = 2
    provider.die_on_create = "after"
    await ask()
    provider.down, provider.die_on_create = False, None
    ours = provider.batches.pop("batch_0")
    others = {f"batch_{n}": {**ours, "id": f"batch_{n}", "metadata": {"evenhand_batch": "x"}} for n in range(1, 8)}
    provider.batches = {"batch_0": ours, **others}
    done = await ask()
    assert done.stopped is None
    assert len(provider.batches) == 8


@pytest.mark.parametrize("kind", ["anthropic"], indirect=True)
async def test_batches_of_others_with_as_many_prompts_are_waited_for_and_left_alone(provider, ask):
    provider.die_on_create = "after"
    await ask()
    provider.down, provider.die_on_create = False, None
    ours = provider.batches["batch_0"]
    stranger = {custom_id[:16] + "-other": body for custom_id, body in ours["asked"].items()}
    provider.batches["batch_1"] = {**ours, "id": "batch_1", "asked": stranger}
    told = []
    done = await ask(tell=told.append)
    assert done.stopped is None
    assert len(told) == 1
    assert "it submits nothing twice" in told[0]
    assert each_paid_once(provider)
    assert provider.asked("GET /v1/messages/batches/batch_1/") == 1


async def test_of_two_batches_with_one_token_one_is_kept(provider, ask):
    provider.die_on_create = "after"
    await ask()
    provider.down, provider.die_on_create = False, None
    provider.batches["batch_1"] = {**provider.batches["batch_0"], "id": "batch_1"}
    done = await ask()
    assert (done.stopped, done.answered) == (None, PROMPTS - 1)
    assert len(provider.cancelled) == 1


async def test_batches_at_another_server_are_not_polled_here(tmp_path, provider, ask):
    provider.die_on_look = 1
    await ask()
    file = tmp_path / "batches.jsonl"
    file.write_text(file.read_text().replace(f"http://127.0.0.1:{provider.port}", "https://elsewhere.example"))
    with pytest.raises(InputError, match=r"a batch at https://elsewhere\.example"):
        await ask()


async def test_a_torn_line_about_a_batch_is_cut_away_and_a_damaged_one_is_refused(tmp_path, provider, ask):
    provider.die_on_create = "after"
    await ask()
    provider.down, provider.die_on_create = False, None
    file = tmp_path / "batches.jsonl"
    whole = file.read_bytes()
    file.write_bytes(whole + b'{"batch":"00')
    done = await ask()
    assert done.stopped is None
    assert each_paid_once(provider)
    file.write_bytes(b"{}\n" + whole)
    with pytest.raises(InputError, match="line 1, is damaged"):
        BatchLog(tmp_path)
