"""Collecting from a real server on this machine, with faults."""

import asyncio
import time
from collections import Counter

import numpy as np
import orjson
import pytest
from _kept import expected, rows, texts

from evenhand.models.collecting import Settings, collect
from evenhand.models.cost import Budget
from evenhand.models.dialects import CHAT_COMPLETIONS
from evenhand.models.http import HttpModel
from evenhand.models.journal import Journal
from evenhand.models.limits import Backoff, CostTracker, Limits
from evenhand.models.model import Answer, Failure, Generation
from evenhand.results.audit import Price
from loopback import Loopback, faults_from


async def test_everything_planned_gets_one_line(tmp_path, plan, gather):
    settled = []
    async with Loopback() as server:
        done = await gather(server.url, plan(range(100), chunk=16), progress=settled.append)
    assert texts(tmp_path) == expected(range(100))
    assert (done.asked, done.answered, done.requests, done.retries, done.stopped) == (100, 100, 100, 0, None)
    assert sum(settled) == 100
    assert set(server.asked.values()) == {1}


async def test_no_more_requests_are_under_way_than_asked_for(plan, gather):
    async with Loopback(delay=0.01) as server:
        await gather(server.url, plan(range(30)), concurrency=3)
    assert server.most_at_once == 3


async def test_the_order_of_sending_is_recorded_and_not_that_of_arrival(tmp_path, plan, gather):
    indices = [7, 2, 9, 4, 0, 5]
    async with Loopback(["slow:0.2", "ok", "slow:0.1"]) as server:
        await gather(server.url, plan(indices), concurrency=3)
    written = [orjson.loads(line)["index"] for line in (tmp_path / "answers-000.jsonl").read_bytes().splitlines()]
    assert sorted(written) == sorted(indices)
    assert written != indices
    assert [row["index"] for row in rows(tmp_path)] == indices
    assert server.order[:3] == ["ask 7", "ask 2", "ask 9"]


@pytest.mark.parametrize("fault", ["500", "503", "429", "408", "reset", "cut", "malformed", "html"])
async def test_a_passing_fault_is_asked_again(tmp_path, plan, gather, fault):
    async with Loopback([fault, fault]) as server:
        done = await gather(server.url, plan([0, 1]), concurrency=1)
    assert texts(tmp_path) == expected([0, 1])
    assert {row["index"]: row["retries"] for row in rows(tmp_path)} == {0: 2, 1: 0}
    assert (done.requests, done.retries, done.failed) == (4, 2, {})


@pytest.mark.parametrize("reply", ["empty", "nocontent"])
async def test_a_reply_without_text_is_an_answer_that_only_retry_all_asks_again(tmp_path, plan, gather, reply):
    async with Loopback([reply]) as server:
        done = await gather(server.url, plan([0, 1]), concurrency=1)
    assert (done.requests, done.answered, done.failed) == (2, 2, {})
    assert texts(tmp_path) == {0: "", **expected([1])}
    with Journal(tmp_path) as journal:
        assert journal.answered(retry_errors=True).size == 2
        assert journal.answered(retry_all=True).size == 1


async def test_prompts_that_fail_for_good_while_others_are_answered_are_recorded(plan, gather):
    ill = {f"ask {index}": "500" for index in range(4, 12)}
    for earlier in (0, 22):  # also in a resumed run that asks nothing else
        async with Loopback(by_prompt=ill) as server:
            done = await gather(server.url, plan(range(30)), concurrency=4)
        assert (done.stopped, done.skipped, done.answered) == (None, earlier, 22 - earlier)
        assert done.failed == {"server_error": 8}


async def test_an_answer_later_than_the_timeout_is_asked_again(tmp_path, plan, gather):
    async with Loopback(["slow:2"]) as server:
        done = await gather(server.url, plan([0]), patience=0.2)
    assert texts(tmp_path) == expected([0])
    assert done.retries == 1
    [row] = rows(tmp_path)
    # The latency is that of the try that succeeded.
    assert row["latency"] < 0.2


async def test_a_prompt_that_always_fails_is_recorded_after_six_tries(tmp_path, plan, gather):
    async with Loopback(by_prompt={"ask 3": "500"}) as server:
        done = await gather(server.url, plan(range(20)))
    assert server.asked["ask 3"] == 6
    assert texts(tmp_path) == expected(range(20)) | {3: None}
    assert (done.answered, done.failed, done.stopped) == (19, {"server_error": 1}, None)
    [failed] = [row for row in rows(tmp_path) if row["index"] == 3]
    assert (failed["error_class"], failed["retries"], failed["latency"]) == ("server_error", 5, None)


async def test_passing_errors_of_an_unfinished_run_are_asked_again_and_lasting_ones_are_not(tmp_path, plan, gather):
    async with Loopback(by_prompt={"ask 1": "500", "ask 2": "400"}) as server:
        await gather(server.url, plan(range(5)))
    assert [index for index, text in texts(tmp_path).items() if text is None] != []
    async with Loopback() as again:
        done = await gather(again.url, plan(range(5)))
    assert dict(again.asked) == {"ask 1": 1}
    assert (done.skipped, done.answered) == (4, 1)
    assert texts(tmp_path) == expected(range(5)) | {2: None}
    assert server.asked["ask 2"] == 1


async def test_a_finished_run_asks_nothing(plan, gather):
    async with Loopback() as server:
        await gather(server.url, plan(range(20)))
        done = await gather(server.url, plan(range(20)))
    assert (done.requests, done.skipped, server.requests) == (0, 20, 20)


async def test_a_changed_template_is_asked_again_and_an_unchanged_one_is_not(plan, gather):
    async with Loopback() as server:
        await gather(server.url, plan(range(10)))
        changed = [
            chunk
            for template, part in (("ask {}", range(6)), ("tell {}", range(6, 10)))
            for chunk in plan(part, template=template)
        ]
        done = await gather(server.url, changed)
    assert (done.skipped, done.answered) == (6, 4)
    assert server.asked == Counter(
        [f"ask {index}" for index in range(10)] + [f"tell {index}" for index in range(6, 10)]
    )


async def test_a_request_that_a_refused_parameter_cost_counts(gather, plan):
    chunks = plan(range(10), generation=Generation(temperature=0.5, top_p=0.9))
    async with Loopback(then="refuse:temperature+top_p") as server:
        done = await gather(server.url, chunks, max_requests=7, concurrency=1)
        assert (done.stopped, done.requests, server.requests) == ("max-requests", 7, 7)
    assert (done.answered, done.asked, done.retries) == (5, 5, 0)


async def test_limits_and_budget_count_the_request_that_a_refused_parameter_cost(gather, plan):
    limits = Limits(rpm=1e6, tpm=1e9, clock=time.perf_counter)
    meter = CostTracker(limits=limits, budget=Budget(Price(input=1e6, output=1e6), 1e9))
    async with Loopback(then="refuse:temperature") as server:
        chunks = plan(range(3), generation=Generation(temperature=0.5))
        done = await gather(server.url, chunks, concurrency=1, meter=meter)
    assert (done.requests, done.answered, server.requests) == (4, 3, 4)
    assert len(limits._requests._recent) == 4
    assert meter.uncertain() == 0  # nobody bills a rejection


async def test_a_request_that_another_server_takes_over_counts_at_both(tmp_path, plan):
    every_second = faults_from("500,ok") * 200
    limits = Limits(rpm=1e6, tpm=1e9, clock=time.perf_counter)
    async with (
        Loopback(every_second) as one,
        Loopback(every_second) as two,
        HttpModel("m", dialect=CHAT_COMPLETIONS, base_urls=[one.url, two.url], concurrency=4) as model,
    ):
        with Journal(tmp_path) as journal:
            options = {"concurrency": 4, "max_requests": 60, "meter": CostTracker(limits=limits)}
            done = await collect(model, plan(range(400)), journal, Settings(**options), answered=journal.answered())
    assert done.stopped == "max-requests"
    assert one.requests + two.requests == done.requests == 60
    assert len(limits._requests._recent) == 60
    kept = rows(tmp_path)
    assert sum(1 + row["retries"] for row in kept) <= 60
    assert done.answered == len(kept)


async def test_an_answer_that_was_billed_and_not_readable_counts_at_each_server(tmp_path, plan):
    meter = CostTracker(budget=Budget(Price(input=1e6, output=1e6), 1e9))
    chunks = plan(range(1), generation=Generation(max_tokens=50))
    async with (
        Loopback(then="malformed") as broken,
        Loopback() as whole,
        HttpModel("m", dialect=CHAT_COMPLETIONS, base_urls=[broken.url, whole.url], concurrency=1) as model,
    ):
        with Journal(tmp_path) as journal:
            await collect(model, chunks, journal, Settings(concurrency=1, meter=meter), answered=journal.answered())
    assert (broken.requests, whole.requests) == (1, 1)
    # 'ask 0' is bounded by 5 + 64 tokens, and its answer by 50.
    assert meter.uncertain() == 119


async def test_repetitions_are_asked_with_their_own_seeds(tmp_path, plan, gather):
    async with Loopback() as server:
        await gather(server.url, plan(range(5), repetitions=3, seed=7))
    assert Counter((body["messages"][0]["content"], body["seed"]) for body in server.bodies) == Counter(
        (f"ask {index}", seed) for index in range(5) for seed in (7, 8, 9)
    )
    assert Counter(row["attempt"] for row in rows(tmp_path)) == {0: 5, 1: 5, 2: 5}


class Rehearsed:
    """A model that never waits and answers what it is told; a bug is raised as it is."""

    name = "rehearsed"
    simulated = True

    def __init__(self, *answers):
        self.answers = list(answers)

    async def __aenter__(self):
        return self

    async def __aexit__(self, *error):
        pass

    async def answer(self, _request):
        answer = self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]
        if isinstance(answer, Exception):
            raise answer
        return answer


async def rehearse(folder, model, chunks, **options):
    with Journal(folder) as journal:
        return await collect(model, chunks, journal, Settings(concurrency=2, **options), answered=journal.answered())


async def test_an_answer_with_an_error_of_its_own_is_recorded_as_it_is(tmp_path, plan):
    done = await rehearse(tmp_path, Rehearsed(Answer(text=None, error_class="missing")), plan([0]))
    assert (done.answered, done.failed) == (0, {"missing": 1})
    assert rows(tmp_path)[0]["error_class"] == "missing"


async def test_a_bug_in_a_model_is_raised_and_not_swallowed(tmp_path, plan):
    with pytest.raises(ZeroDivisionError):
        await rehearse(tmp_path, Rehearsed(Answer(text="a"), ZeroDivisionError()), plan(range(5)))
    assert len(rows(tmp_path)) >= 1


async def test_a_bug_in_the_plan_is_raised(tmp_path):
    def broken():
        yield []
        raise KeyError("prompt")

    with pytest.raises(KeyError):
        await rehearse(tmp_path, Rehearsed(Answer(text="a")), broken())


async def test_waits_follow_the_clock_that_is_given(tmp_path, plan):
    now = [0.0]
    naps = []

    async def sleep(seconds):
        naps.append(seconds)
        now[0] += seconds

    busy = Failure("retry", "rate_limit", "busy", retry_after=30.0)
    done = await rehearse(
        tmp_path,
        Rehearsed(busy, Answer(text="a")),
        plan([0]),
        clock=lambda: now[0],
        sleep=sleep,
        backoff=Backoff(first=1.0),
        rng=np.random.default_rng(0),
    )
    assert done.answered == 1
    assert 30.0 <= sum(naps) <= 31.0


@pytest.mark.parametrize(("most", "patience"), [(3, 0.0), (1, 5.0)])
async def test_a_prompt_that_is_refused_is_given_up_after_the_tries_and_the_time(tmp_path, plan, most, patience):
    now = [0.0]

    async def sleep(seconds):
        now[0] += seconds

    done = await rehearse(
        tmp_path,
        Rehearsed(Failure("retry", "rate_limit", "busy", retry_after=2.0)),
        plan([0]),
        max_attempts=most,
        clock=lambda: now[0],
        sleep=sleep,
        backoff=Backoff(first=0.0, patience=patience),
    )
    assert done.failed == {"rate_limit": 1}
    # Tried at 0, 2, 4 and 6 s and a little: three tries are enough, or the first that is 5 s after the first.
    assert rows(tmp_path)[0]["retries"] == (2 if most == 3 else 3)


async def test_other_tasks_get_their_turn_beside_a_model_that_never_waits(tmp_path, plan):
    turns = []

    async def other():
        while True:
            turns.append(1)
            await asyncio.sleep(0)

    task = asyncio.ensure_future(other())
    await rehearse(tmp_path, Rehearsed(Answer(text="a")), plan(range(100), chunk=10))
    task.cancel()
    assert len(turns) >= 10
