"""Prompts that are asked by a provider's batches: each is paid once, whatever dies in between."""

import asyncio
import json
import os
import signal
import sys
from datetime import UTC, datetime, timedelta

import pytest

from evenhand.collect.answers import read_answers
from evenhand.collect.batches import BatchLog, Patience, collect_batches, refuse_open_batches
from evenhand.collect.journal import Journal
from evenhand.errors import InputError
from evenhand.models._model import Generation
from evenhand.models.anthropic import AnthropicMessages
from evenhand.models.batches import batches_of
from evenhand.models.openai import OpenAIChat
from loopback import answer_to
from loopback_batches import Provider

PROMPTS = 12
MODELS = {"openai": OpenAIChat, "anthropic": AnthropicMessages}
CREATED = {"openai": "POST /v1/batches", "anthropic": "POST /v1/messages/batches"}
QUICK = Patience(first=0.005, longest=0.02, tries=6, settled=0.0)
PATIENT = Patience(first=0.005, longest=0.02, tries=200, settled=0.0)


@pytest.fixture(params=MODELS)
def kind(request):
    return request.param


@pytest.fixture
async def provider():
    async with Provider() as server:
        yield server


@pytest.fixture
def ask(tmp_path, plan, kind, provider):
    """Return a function that asks a plan by batches in one folder, resuming what is there."""

    async def run(chunks=None, *, retry_errors=True, key=None, most=None, tell=None, told=None, **options):
        chunks = plan(range(PROMPTS)) if chunks is None else chunks
        async with MODELS[kind]("m", base_url=provider.url, key=key, timeout=5) as model, batches_of(model) as service:
            if told is not None:
                model.told_to(told.append)
            if most is not None:
                service.most_requests = most
            with Journal(tmp_path) as journal:
                known = journal.answered(retry_errors=retry_errors)
                settings = {"patience": QUICK, "grace": 1.0} | options
                log = BatchLog(tmp_path)
                return await collect_batches(
                    model, service, chunks, journal, log, answered=known, notice=tell, **settings
                )

    return run


def lines(folder):
    return [row for frame in read_answers(folder) for row in frame.iter_rows(named=True)]


def states(folder):
    return [json.loads(line)["state"] for line in (folder / "batches.jsonl").read_text().splitlines()]


def all_answered(folder, count=PROMPTS):
    return {f"ask {row['index']}": row["text"] for row in lines(folder)} == {
        f"ask {number}": answer_to(f"ask {number}") for number in range(count)
    }


def each_paid_once(provider, count=PROMPTS):
    return provider.paid == dict.fromkeys((f"ask {number}" for number in range(count)), 1)


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
    assert "it can't be told whether it took them" in done.message
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
    assert "nothing is handed over twice" in told[0]
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
    rows = {row["index"]: row for row in lines(tmp_path)}
    assert set(rows[3]["text"]) == {"x"}
    assert 900_000 < len(rows[3]["text"]) < 1_000_000
    assert rows[3]["finish_reason"] == "incomplete"
    assert rows[4]["text"] == "half � whole \U0001f600"


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
    classes = {row["index"]: row["error_class"] for row in lines(tmp_path)}
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
    assert [row["index"] for row in lines(tmp_path)] == [0]


def with_parameters(plan):
    generation = Generation(temperature=0.5, max_tokens=7, top_p=0.9)
    return lambda: plan(range(PROMPTS), generation=generation, seed=None)


def handed(provider):
    """Return which parameters the prompts of each batch had."""
    bodies = [list(batch["asked"].values()) for batch in provider.batches.values()]
    return [{tuple(sorted(body.keys() - {"model", "messages"})) for body in batch} for batch in bodies]


async def test_what_the_first_prompt_learns_of_the_server_holds_for_the_batch(provider, ask, plan):
    provider.refuses = provider.refuses_single = ("temperature",)
    told = []
    done = await ask(with_parameters(plan)(), replanned=with_parameters(plan), told=told)
    assert (done.stopped, done.answered, done.asked, done.requests) == (None, PROMPTS, PROMPTS, PROMPTS + 1)
    assert handed(provider) == [{("max_tokens", "top_p")}]
    assert each_paid_once(provider)
    assert [line[:28] for line in told] == ["temperature 0.5 was not used"]


async def test_parameters_that_only_the_batch_refuses_are_left_out_and_its_prompts_handed_over_again(
    tmp_path, provider, ask, plan
):
    provider.refuses = ("temperature", "top_p")
    told, shown = [], []
    repeat = with_parameters(plan)
    done = await ask(repeat(), replanned=repeat, told=told, most=6, progress=shown.append)
    assert (done.stopped, done.answered, done.failed) == (None, PROMPTS, {})
    # Both batches have lost both parameters by the third round.
    assert handed(provider)[-1] == {("max_tokens",)}
    assert (done.asked, done.requests) == (PROMPTS, 1 + sum(len(batch["asked"]) for batch in provider.batches.values()))
    assert each_paid_once(provider)
    assert all_answered(tmp_path)
    assert sum(shown) == PROMPTS
    assert [line.partition(" was used for some")[0] for line in told] == ["temperature 0.5", "top_p 0.9"]


async def test_a_batch_of_an_earlier_process_that_is_refused_for_a_parameter_is_handed_over_again(
    tmp_path, provider, ask, plan
):
    repeat = with_parameters(plan)
    provider.refuses, provider.die_on_look = ("temperature",), 1
    assert (await ask(repeat(), replanned=repeat)).stopped == "gone"
    provider.down = False
    done = await ask(repeat(), replanned=repeat)
    assert (done.stopped, done.failed) == (None, {})
    assert each_paid_once(provider)
    assert all_answered(tmp_path)


async def test_requests_for_what_a_batch_refused_count_against_the_most(tmp_path, provider, ask, plan):
    repeat = with_parameters(plan)
    provider.refuses = ("temperature",)
    done = await ask(repeat(), replanned=repeat, max_requests=PROMPTS + 3)
    assert (done.stopped, done.answered, done.requests) == ("max-requests", 4, PROMPTS + 3)
    done = await ask(repeat(), replanned=repeat)
    assert done.stopped is None
    assert each_paid_once(provider)
    assert all_answered(tmp_path)


@pytest.mark.parametrize("kind", ["openai"], indirect=True)
async def test_the_limit_of_tokens_gets_its_other_name_in_batches_too(provider, ask, plan):
    repeat = with_parameters(plan)
    provider.refuses = ("max_tokens",)
    done = await ask(repeat(), replanned=repeat)
    assert (done.stopped, done.failed) == (None, {})
    assert [("max_tokens" in names, "max_completion_tokens" in names) for ((*names,),) in handed(provider)] == [
        (True, False),
        (False, True),
    ]
    provider.refuses = ("max_tokens", "max_completion_tokens")
    others = lambda: plan(range(100, 103), generation=Generation(max_tokens=7))  # noqa: E731
    done = await ask(others(), replanned=others)
    assert done.failed == {"rejected": 2}  # it bounds the cost, so it is not left out


async def test_the_prompt_that_is_put_by_itself_has_a_latency_and_those_of_a_batch_have_none(tmp_path, ask):
    await ask()
    assert [row["index"] for row in lines(tmp_path) if row["latency"] is not None] == [0]


async def test_an_adaptation_of_the_first_prompt_counts_as_a_request(provider, ask, plan):
    repeat = with_parameters(plan)
    provider.refuses_single = ("temperature", "top_p")
    done = await ask(repeat(), replanned=repeat, max_requests=2)
    assert (done.stopped, done.requests, done.answered) == ("max-requests", 2, 0)
    assert provider.asked("POST") == 2


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


RUN = """
import json, sys
from dataclasses import asdict
from pathlib import Path
import numpy as np
import polars as pl
from evenhand.collect.batches import BatchLog, Patience, collect_batches
from evenhand.collect.journal import Journal
from evenhand.collect.lock import RunLock
from evenhand.collect.loop import run
from evenhand.collect.order import planned
from evenhand.models._model import Generation
from evenhand.models.anthropic import AnthropicMessages
from evenhand.models.batches import batches_of
from evenhand.models.openai import OpenAIChat

kind, url, folder, prompts = sys.argv[1], sys.argv[2], Path(sys.argv[3]), int(sys.argv[4])

def stimuli(indices):
    return pl.DataFrame({"index": indices, "prompt": [f"ask {index}" for index in indices.tolist()]})

async def main():
    plan = planned(np.arange(prompts), stimuli=stimuli, probe="p", version="1", model="openai:m",
                   generation=Generation(), seed=0, order_seed=0)
    model = {"openai": OpenAIChat, "anthropic": AnthropicMessages}[kind]("m", base_url=url)
    patience = Patience(first=0.01, longest=0.05, settled=0.5)
    async with model, batches_of(model) as service:
        service.most_requests = 5
        with RunLock(folder), Journal(folder) as journal:
            known = journal.answered(retry_errors=True)
            return await collect_batches(model, service, plan, journal, BatchLog(folder), answered=known,
                                         at_once=2, patience=patience)

print(json.dumps(asdict(run(main()))))
"""


async def start(kind, provider, folder):
    arguments = [kind, provider.url, str(folder), str(PROMPTS)]
    return await asyncio.create_subprocess_exec(sys.executable, "-c", RUN, *arguments, stdout=asyncio.subprocess.PIPE)


#: Requests at which the process is killed while the server is still at work on them.
POINTS = {
    "openai": [
        "POST /v1/files",
        "POST /v1/batches",
        "GET /v1/batches/batch_0",
        "GET /v1/batches/batch_1",
        "GET /v1/files/output_file_id-batch_0/content",
    ],
    "anthropic": [
        "POST /v1/messages/batches",
        "GET /v1/messages/batches/batch_0",
        "GET /v1/messages/batches/batch_1",
        "GET /v1/messages/batches/batch_0/results",
    ],
}


@pytest.mark.parametrize(("kind", "point"), [(name, point) for name, points in POINTS.items() for point in points])
@pytest.mark.parametrize("goes_on", [True, False], ids=["server goes on", "server forgets"])
async def test_after_kill_9_nothing_is_paid_twice(tmp_path, provider, kind, point, goes_on):
    # Held requests of a client that is gone are worked off by the one kind of server and dropped by the other.
    provider.hold = {point.partition(" ")[2]}
    process = await start(kind, provider, tmp_path)
    await provider.asked_for(point)
    process.send_signal(signal.SIGKILL)
    await process.wait()
    provider.hold = set()
    if goes_on:
        provider.release.set()
        await asyncio.sleep(0.05)
        assert sum(provider.paid.values()) > 1 or point == "POST /v1/files"
    else:
        provider.down = True
        provider.release.set()
        await asyncio.sleep(0.05)
        provider.down = False
    process = await start(kind, provider, tmp_path)
    output, _ = await process.communicate()
    done = json.loads(output)
    assert done["stopped"] is None
    assert each_paid_once(provider)
    assert all_answered(tmp_path)
    assert not BatchLog(tmp_path).open


async def until(condition):
    while not condition():  # noqa: ASYNC110 - conditions are many and short
        await asyncio.sleep(0.002)
