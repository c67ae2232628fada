"""Collections that end early: what stops them, and what is kept of requests in flight."""

import asyncio
from datetime import UTC, datetime

import pytest
from _kept import expected, rows, texts

from loopback import Loopback, faults_from


@pytest.mark.parametrize(
    ("fault", "said"),
    [("401", "OPENAI_API_KEY"), ("402", "credit"), ("403", "403"), ("quota", "quota"), ("404", "model")],
)
async def test_a_refused_account_stops_the_run_at_once(tmp_path, plan, gather, fault, said):
    async with Loopback(then=fault) as server:
        done = await gather(server.url, plan(range(1000)), concurrency=4)
    assert (done.stopped, done.answered) == ("fatal", 0)
    assert said in done.message
    assert server.requests <= 4
    assert rows(tmp_path) == []


async def test_requests_in_flight_are_kept_when_the_run_stops(tmp_path, plan, gather):
    async with Loopback(["slow:0.2", "slow:0.2", "401"]) as server:
        done = await gather(server.url, plan(range(50)), concurrency=3)
    assert done.stopped == "fatal"
    assert texts(tmp_path) == expected([0, 1])
    assert server.requests == 3


async def test_requests_that_outlast_the_grace_are_given_up(tmp_path, plan, gather):
    async with Loopback(["slow:5", "401"]) as server:
        done = await gather(server.url, plan(range(50)), concurrency=2, grace=0.1)
    assert done.stopped == "fatal"
    assert rows(tmp_path) == []


async def test_requests_in_flight_are_paid_for_so_they_are_awaited_when_enough_was_answered(tmp_path, plan, gather):
    async with Loopback(["slow:1.0", "ok"]) as server:
        done = await gather(server.url, plan(range(50)), concurrency=2, grace=0.05, enough=lambda _: "That will do.")
    assert done.stopped == "enough"
    assert texts(tmp_path) == expected([0, 1])
    assert server.requests == 2


async def test_ten_rejections_before_any_answer_stop_the_run_and_are_not_recorded(tmp_path, plan, gather):
    async with Loopback(then="400") as server:
        done = await gather(server.url, plan(range(1000)), concurrency=4)
    assert done.stopped == "fatal"
    assert "Invalid value for 'messages'." in done.message
    assert 10 <= server.requests <= 13
    assert rows(tmp_path) == []


async def test_rejections_are_recorded_once_something_was_answered(tmp_path, plan, gather):
    async with Loopback(faults_from("400*3,ok,400*20")) as server:
        done = await gather(server.url, plan(range(40)), concurrency=1)
    assert (done.stopped, done.answered, done.failed) == (None, 17, {"rejected": 23})
    assert server.requests == len(rows(tmp_path)) == 40


async def test_fewer_rejections_than_ten_are_recorded_at_the_end(tmp_path, plan, gather):
    async with Loopback(then="400") as server:
        done = await gather(server.url, plan(range(4)))
    assert (done.stopped, done.failed) == (None, {"rejected": 4})
    assert {row["error_class"] for row in rows(tmp_path)} == {"rejected"}


async def test_a_server_that_is_not_there_is_given_up_after_three_tries(tmp_path, plan, gather):
    async with Loopback() as server:
        url = server.url
    done = await gather(url, plan(range(1000)), concurrency=1)
    assert (done.stopped, done.requests, done.answered) == ("gone", 3, 0)
    assert "No connection" in done.message
    assert rows(tmp_path) == []


async def test_a_server_that_only_fails_counts_as_gone(tmp_path, plan, gather):
    async with Loopback(then="500") as server:
        done = await gather(server.url, plan(range(1000)), concurrency=2)
    assert done.stopped == "gone"
    assert "500" in done.message
    assert server.requests <= 6 * 6
    assert rows(tmp_path) == []


async def test_a_server_that_dies_is_found_gone_and_the_run_can_go_on(tmp_path, plan, gather):
    async with Loopback(delay=0.01) as server:
        task = asyncio.ensure_future(gather(server.url, plan(range(60))))
        await server.asked_for(20)
    done = await task
    assert done.stopped == "gone"
    assert 16 <= done.answered < 60
    before = texts(tmp_path)
    assert before == expected(before)
    async with Loopback() as again:
        done = await gather(again.url, plan(range(60)))
    assert (done.stopped, done.skipped) == (None, len(before))
    assert texts(tmp_path) == expected(range(60))
    assert set(again.asked) == {f"ask {index}" for index in range(60) if index not in before}


async def test_no_more_requests_are_sent_than_allowed_retries_included(tmp_path, plan, gather):
    async with Loopback(["500", "ok", "500"]) as server:
        done = await gather(server.url, plan(range(50)), max_requests=10)
        assert server.requests == done.requests == 10
        assert done.stopped == "max-requests"
        # Two of the ten failed, and the rest were answered.
        assert done.answered == len(rows(tmp_path)) == 8
        done = await gather(server.url, plan(range(50)), max_requests=1000)
    assert done.stopped is None
    assert texts(tmp_path) == expected(range(50))
    assert set(server.answered.values()) == {1}


async def test_as_many_requests_as_needed_are_no_early_end(plan, gather):
    async with Loopback() as server:
        done = await gather(server.url, plan(range(10)), max_requests=10)
    assert (done.stopped, server.requests) == (None, 10)


async def test_a_server_that_asks_to_wait_for_hours_ends_the_run_and_says_until_when(plan, gather):
    def now():
        return datetime(2026, 1, 2, 20, 30, 15, tzinfo=UTC)

    async with Loopback(["ok"] * 3, then="429:7200") as server:
        done = await gather(server.url, plan(range(100)), concurrency=2, now=now)
    assert (done.stopped, done.answered) == ("gone", 3)
    assert done.message.startswith("The server asks to wait until 2026-01-02 22:30:15 UTC. ")
    assert done.requests == server.requests <= 3 + 5 + 2
