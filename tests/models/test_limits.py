"""Requests and tokens per minute, in virtual time."""

from bisect import bisect_left

import numpy as np
import pytest
from _virtual_time import TimedModel, VirtualTime
from hypothesis import given, settings
from hypothesis import strategies as st

from evenhand.models.collecting import Settings, collect
from evenhand.models.journal import Journal
from evenhand.models.limits import Allowance, Backoff, CostTracker, Limits
from evenhand.models.model import Generation

NOTHING = np.empty(0, dtype=np.uint64)


def busiest_minute(times, amounts=None):
    """Return the largest sum within any half-open 60 seconds."""
    sums = np.concatenate([[0.0], np.cumsum(np.ones(len(times)) if amounts is None else amounts)])
    ends = [bisect_left(times, start + 60 - 1e-5) for start in times]
    return max(sums[end] - sums[place] for place, end in enumerate(ends))


@pytest.fixture
def asked(tmp_path, plan):
    """Return a function that collects in virtual time and gives the model back, with the result."""

    async def run(n, *, rpm=None, tpm=None, concurrency=8, generation=None, **model):
        time = VirtualTime()
        chat = TimedModel(time, **model)
        meter = CostTracker(limits=Limits(rpm=rpm, tpm=tpm, clock=time.clock))
        chunks = plan(range(n), generation=generation or Generation())
        options = {"clock": time.clock, "sleep": time.sleep, "backoff": Backoff(first=0.5)}
        async with time.passing():
            with Journal(tmp_path) as journal:
                done = await collect(
                    chat, chunks, journal, Settings(concurrency=concurrency, meter=meter, **options), answered=NOTHING
                )
        assert done.stopped is None
        return chat, done, time

    return run


@pytest.mark.parametrize(("rpm", "concurrency"), [(60, 1), (60, 8), (60, 200), (7, 8), (0.5, 4), (90.5, 16)])
async def test_no_minute_has_more_requests_than_allowed(asked, rpm, concurrency):
    n = 200 if rpm > 1 else 6
    chat, done, _ = await asked(n, rpm=rpm, concurrency=concurrency)
    times = [time for time, _ in chat.sent]
    assert (len(times), done.answered) == (n, n)
    assert busiest_minute(times) <= max(1, rpm)


async def test_requests_are_spread_and_the_allowance_is_used(asked):
    chat, _, time = await asked(240, rpm=60, concurrency=8)
    gaps = np.diff([time for time, _ in chat.sent])
    assert gaps == pytest.approx(1.0, abs=0.06)
    # 240 requests, 60 in 60.5 s, and the last answer takes another second.
    assert time.now == pytest.approx(242, abs=2)


async def test_no_minute_of_the_server_has_more_although_requests_arrive_unevenly(asked):
    chat, _, _ = await asked(400, rpm=100, concurrency=8)
    delays = np.random.default_rng(0).uniform(0, 0.45, len(chat.sent))
    assert busiest_minute(sorted(np.array([time for time, _ in chat.sent]) + delays)) <= 100


async def test_retries_count_as_requests(asked):
    chat, done, _ = await asked(60, rpm=60, faults=["rate_limit", None] * 40)
    assert done.requests == len(chat.sent) == 60 + done.retries
    assert done.retries == 40
    assert busiest_minute([time for time, _ in chat.sent]) <= 60


async def test_nobody_starves_and_first_come_is_first_served(asked):
    chat, _, _ = await asked(100, rpm=120, concurrency=20)
    assert [said for _, said in chat.sent] == [f"ask {index}" for index in range(100)]


async def test_tokens_are_paced_by_the_usage_that_comes_back(asked):
    # A prompt of 'ask 1' is taken for 9 tokens and its answer for 256 at first; they are 100 and 50.
    chat, _, time = await asked(200, tpm=3000, concurrency=8)
    times = [time for time, _ in chat.sent]
    # What was in flight before the first usage came was estimated; from then on 20 requests a minute are 3,000 tokens.
    assert busiest_minute(times, np.full(200, 150.0)) <= 3000 + 150
    assert time.now == pytest.approx(600, rel=0.1)


async def test_answers_longer_than_expected_slow_the_later_ones_down(asked):
    chat, _, time = await asked(60, tpm=6000, concurrency=4, output=lambda number: 50 if number < 20 else 900)
    sizes = np.array([150.0 if number < 20 else 1000.0 for number in range(60)])
    # Only those in flight when answers grew longer can exceed the minute.
    assert busiest_minute([time for time, _ in chat.sent], sizes) <= 6000 + 4 * 850
    assert time.now >= 60 * (sizes.sum() - 6000) / 6000


async def test_max_tokens_is_the_first_estimate_and_short_answers_free_the_rest(asked):
    _, _, time = await asked(100, tpm=60_000, generation=Generation(max_tokens=4000), concurrency=4)
    # At 4,000 tokens each it would be 400 s; the 150 that each has are 15 s, after a first wait for an answer.
    assert time.now < 40


async def test_a_request_larger_than_a_minute_is_sent_alone(asked):
    chat, done, _ = await asked(4, tpm=100, concurrency=4)
    assert done.answered == 4
    assert all(gap >= 60 for gap in np.diff([time for time, _ in chat.sent]))


async def test_both_limits_hold_together(asked):
    chat, _, _ = await asked(150, rpm=30, tpm=3000, concurrency=8)
    times = [time for time, _ in chat.sent]
    assert busiest_minute(times) <= 30
    assert busiest_minute(times, np.full(150, 150.0)) <= 3150


@settings(max_examples=200, deadline=None)
@given(
    per_minute=st.floats(1, 10_000),
    amounts=st.lists(st.floats(0.01, 500), min_size=1, max_size=80),
    naps=st.lists(st.floats(0, 30), min_size=80, max_size=80),
    late=st.floats(0, 0.2),
)
def test_no_minute_exceeds_the_allowance_whenever_amounts_are_taken(per_minute, amounts, naps, late):
    time = VirtualTime(1e6)
    allowance = Allowance(per_minute, clock=time.clock)
    taken = []
    for amount, nap in zip(amounts, naps, strict=False):
        time.now += nap
        while (wait := allowance.wait(amount)) > 0:
            time.now += wait + late  # a sleep ends late
        allowance.take(amount)
        taken.append((time.now, amount))
    times, sizes = zip(*taken, strict=True)
    assert busiest_minute(list(times), sizes) <= max(per_minute, *sizes) * (1 + 1e-6)


def test_late_sleeps_are_made_up_for():
    time = VirtualTime()
    allowance = Allowance(6000, clock=time.clock)  # one in 10 ms
    for _ in range(1000):
        while (wait := allowance.wait(1)) > 0:
            time.now += wait + 0.004  # each sleep ends 4 ms late
        allowance.take(1)
    assert time.now == pytest.approx(10, rel=0.02)
