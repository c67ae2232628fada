"""How the engine gets on with a provider's limits, in virtual time."""

import asyncio
import re

import numpy as np
import pytest
from _provider import AtOnce, Bucket, EachMinute, Provider, Sporadic
from _virtual_time import VirtualTime
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from yarl import URL

from evenhand.models.collecting import Settings, collect
from evenhand.models.concurrency import ConcurrencyLimiter, Round, share_whatever_is_sent
from evenhand.models.http import Servers
from evenhand.models.journal import Journal
from evenhand.models.limits import CostTracker, Limits
from evenhand.models.model import ReportedLimit

NOTHING = np.empty(0, dtype=np.uint64)
CONCURRENCY = 32


@pytest.fixture
def asked(tmp_path_factory, plan):
    """Return a function that asks a provider by so many processes; it returns provider, windows and when each ended."""
    return asking(tmp_path_factory, plan)


def asking(tmp_path_factory, plan):
    async def run(
        limit, prompts, *, processes=1, late=0.0, events=(), looks=None, rpm=None, concurrency=CONCURRENCY, **provider
    ):
        time = VirtualTime()
        shared = Provider(time, limit, **provider)
        windows = [ConcurrencyLimiter(concurrency, clock=time.clock) for _ in range(processes)]
        ends = []

        async def one(number):
            await time.sleep(late * number)
            meter = None if rpm is None else CostTracker(limits=Limits(rpm=rpm, tpm=None, clock=time.clock))
            with Journal(tmp_path_factory.mktemp("run")) as journal:
                done = await collect(
                    shared,
                    plan(range(number * prompts, (number + 1) * prompts)),
                    journal,
                    Settings(
                        concurrency=concurrency,
                        window=windows[number],
                        progress=None if looks is None else lambda _done: looks.append(windows[number].note),
                        meter=meter,
                        clock=time.clock,
                        sleep=time.sleep,
                        rng=np.random.default_rng(number),
                    ),
                    answered=NOTHING,
                )
            ends.append(time.clock())
            return done

        async def change(at, new):
            await time.sleep(at)
            shared.limit = new

        async with time.passing():
            changes = [asyncio.ensure_future(change(*event)) for event in events]
            done = await asyncio.gather(*map(one, range(processes)))
            for each in changes:
                each.cancel()
        assert [(each.answered, each.stopped) for each in done] == [(prompts, None)] * processes
        assert set(shared.answered.values()) == {1}, "answered prompts are not sent again"
        assert len(shared.answered) == prompts * processes
        assert sum(each.requests for each in done) == len(shared.arrivals)
        assert shared.too_early == 0
        assert shared.most_open <= concurrency * processes
        return shared, windows, ends

    return run


# Per case: the limit, latency, and how many times the ideal schedule and how many requests per prompt it may take.
CASES = {
    "a bucket that tells": (lambda: Bucket(20, 200, tells=True), 0.3, 1.2, 1.02),
    "a bucket that tells, slow answers": (lambda: Bucket(5, 50, tells=True), 3.0, 1.2, 1.1),
    "a bucket that tells nothing": (lambda: Bucket(20, 200), 0.3, 1.1, 1.4),
    "a small bucket that tells nothing": (lambda: Bucket(10, 10), 1.0, 1.2, 1.4),
    "a bucket, quick answers": (lambda: Bucket(40, 40), 0.05, 1.2, 1.8),
}


@pytest.mark.parametrize("case", CASES)
async def test_a_rate_limit_is_used_without_being_run_into(asked, case):
    limit, latency, ratio, per_prompt = CASES[case]
    limit = limit()
    prompts = 1000
    provider, _, [end] = await asked(limit, prompts, latency=latency)
    ideal = max((prompts - limit.size) / limit.rate, prompts * latency / CONCURRENCY)
    assert end <= ratio * ideal + latency
    assert len(provider.arrivals) <= per_prompt * prompts


async def test_what_is_told_of_each_minute_is_kept_to(asked):
    provider, _, [end] = await asked(EachMinute(400, tells=True), 1000, latency=0.3)
    assert len(provider.refusals) <= 5
    assert end <= 150


async def test_each_minute_that_nobody_tells_of_is_found(asked):
    provider, _, [end] = await asked(EachMinute(400), 1000, latency=0.3)
    assert end <= 240
    assert len(provider.refusals) <= 1000


@pytest.mark.parametrize("most", [1, 3, 12])
async def test_a_limit_of_requests_at_once_is_found(asked, most):
    prompts = 40 * most
    provider, [window], [end] = await asked(AtOnce(most), prompts, latency=2.0)
    assert end <= 1.5 * 2.0 * prompts / most + 10
    assert len(provider.arrivals) <= 2 * CONCURRENCY + 2 * prompts
    assert window.size <= most + 4


@pytest.mark.parametrize("share", [0.1, 0.3])
async def test_refusals_that_come_whatever_is_sent_slow_nothing_down(asked, share):
    # At .3 one prompt in 1,400 is refused six times in a row, and is not given up.
    prompts = 2000 if share > 0.1 else 800
    _, [window], [end] = await asked(Sporadic(share), prompts, latency=0.5, retry_after=1.0)
    # Each refused request takes 0.02 s, and the last prompts wait a second for each of their refusals.
    ideal = prompts * (0.5 + 0.02 * share / (1 - share)) / CONCURRENCY
    assert end <= 1.3 * ideal + 8
    assert window.size > CONCURRENCY / 2


async def test_a_refused_request_waits_alone(asked):
    """One refusal with a wait of 20 s: all others go on."""

    class Once(AtOnce):
        def takes(self, now, _under_way):
            return now != 0.0 or self.taken_once()

        def taken_once(self):
            self.most -= 1
            return self.most >= 0

    provider, _, [end] = await asked(Once(CONCURRENCY - 1), 1000, latency=0.3, retry_after=20.0)
    assert len(provider.refusals) == 1
    others = sorted(provider.arrivals)[:-1]
    assert others[-1] < 14
    assert 20 <= end < 22


async def test_all_wait_until_the_reset_of_a_limit_that_is_used_up(asked):
    provider, _, [end] = await asked(EachMinute(30, tells=True), 100, latency=0.1)
    minutes = [int(at // 60) for at in provider.arrivals]
    assert max(minutes.count(minute) for minute in set(minutes)) <= 30 + 3
    assert end < 200


async def test_all_wait_when_everything_is_refused(asked):
    # Nothing is taken for half a minute.
    provider, _, [end] = await asked(AtOnce(0), 300, latency=0.3, events=[(30.0, AtOnce(1000))])
    # After the first requests, and those that took their places, one is tried alone, after waits that double.
    assert len(provider.refusals) <= 2 * CONCURRENCY + 7
    assert end < 60


@settings(max_examples=6, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    bucket=st.builds(Bucket, st.floats(2, 60), st.floats(1, 200), tells=st.booleans()),
    latency=st.floats(0.05, 3.0),
    spread=st.floats(0, 0.6),
)
def test_any_bucket_is_used_nearly_whole(plan, tmp_path_factory, bucket, latency, spread):
    """Bounds hold and nothing is lost or asked twice (see `asked`), whatever the limit; then it is well used."""
    prompts, rate, size = 400, bucket.rate, bucket.size
    run = asking(tmp_path_factory, plan)
    provider, _, [end] = asyncio.run(run(bucket, prompts, latency=latency, spread=spread))
    ideal = max((prompts - size) / rate, prompts * latency * np.exp(spread**2 / 2) / CONCURRENCY)
    assert end <= 2 * ideal + 20
    assert len(provider.arrivals) <= 4 * prompts


async def test_two_processes_that_share_an_account_settle(asked):
    provider, _, ends = await asked(Bucket(20, 40), 800, processes=2, late=20.0, latency=0.5)
    assert max(ends) <= 1.25 * 1600 / 20
    assert min(ends) >= max(ends) / 2.5
    assert len(provider.arrivals) <= 1.6 * 1600


async def test_it_recovers_when_a_limit_is_lifted(asked):
    # A request a second for a minute; the rest at 32 at once takes 1000 * 0.3 / 32 = 9 s and the way back.
    _, [window], [end] = await asked(Bucket(1, 1), 1000, latency=0.3, events=[(60.0, AtOnce(1000))])
    assert end <= 60 + 60
    assert window.size == CONCURRENCY


async def test_limits_that_the_user_names_hold_beside_what_is_learned(asked):
    provider, _, _ = await asked(Bucket(20, 20), 200, rpm=300, concurrency=4, latency=0.3)
    assert provider.most_open <= 4
    arrivals = np.array(provider.arrivals)
    assert max(((arrivals >= at) & (arrivals < at + 59.9)).sum() for at in arrivals) <= 300


def test_shares_that_are_the_same_however_much_is_sent_are_no_limit():
    cases = [
        ([(100, 10), (90, 9), (81, 8)], 0.10),  # always a tenth
        ([(40, 4), (36, 5), (32, 3), (29, 3), (26, 2), (24, 3)], 0.11),
        ([(100, 20), (80, 0), (84, 4), (88, 8)], 0.0),  # 80 a second are taken
        ([(100, 10), (100, 10), (100, 10)], 0.0),  # both accounts explain that
        ([(100, 80), (50, 40), (25, 20)], 0.0),  # more than any noise
        ([(100, 10), (90, 9)], 0.0),  # too few
    ]
    for rounds, expected in cases:
        found = share_whatever_is_sent([Round(sent, refused, 1.0) for sent, refused in rounds])
        assert round(found, 2) == expected, rounds


class Clock:
    """Seconds that a test sets."""

    def __init__(self):
        self.now = 0.0

    def __call__(self):
        return self.now


@pytest.mark.parametrize(
    ("refused", "size"), [(0, 40), (1, 40), (2, 38), (10, 30), (19, 21), (20, 20), (30, 20), (39, 20)]
)
def test_a_second_with_refusals_makes_the_window_smaller_by_their_share_and_at_most_by_half(refused, size):
    clock = Clock()
    window = ConcurrencyLimiter(40, clock=clock)
    numbers = [window.send() for _ in range(40)]
    for number in numbers[:refused]:
        window.turned_away(number, retry_after=None)
    clock.now = 1.0
    for number in numbers[refused:]:
        window.answered(number, latency=1.0, tokens_in=10, tokens_out=10)
    # Most refused: that is learned with the eighth of them already.
    assert window.size == pytest.approx(size)
    assert window.learned()["refused"] == refused


def test_what_is_learned_is_told_for_the_manifest():
    clock = Clock()
    window = ConcurrencyLimiter(8, clock=clock)
    assert window.learned() == {"refused": 0, "under_way": None, "requests_per_minute": None, "told": {}}
    told = (ReportedLimit(kind="requests", remaining=10.0, reset=30.0, limit=60.0),)
    window.answered(window.send(), latency=1.0, tokens_in=1, tokens_out=1, limits=told)
    assert window.learned()["told"] == {"requests": 60}
    assert window.note == "the server's limit: 60 requests"


async def test_the_progress_says_what_holds_a_run_up(asked):
    notes = []
    _, [window], _ = await asked(Bucket(20, 20), 400, latency=0.3, looks=notes)
    assert "32 refused" in notes  # how many are accepted shows after a second
    assert re.fullmatch(r"[\d,]+ refused; about 1,\d\d\d a minute accepted", notes[-1])
    _, _, _ = await asked(AtOnce(0), 10, latency=0.3, looks=notes, events=[(10.0, AtOnce(1000))])
    assert "the server takes none for 4 s" in notes
    assert window.learned()["requests_per_minute"] == pytest.approx(1200, rel=0.2)


class Both:
    """Two providers as the servers of one model."""

    name = "openai:m"
    simulated = False

    def __init__(self, time, *providers):
        self.providers = dict(zip((URL("http://a.example/v1"), URL("http://b.example/v1")), providers, strict=True))
        self.servers = Servers(list(self.providers), clock=time.clock)

    async def answer(self, request):
        return await self.servers.answer(request.id, lambda server: self.providers[server.url].answer(request))


@pytest.mark.parametrize(
    "limits",
    [
        (Sporadic(0.3), Sporadic(0.3, seed=1)),
        (Bucket(10, 10), Bucket(10, 10)),
        (Bucket(4, 4), AtOnce(1000)),
        (AtOnce(0), Bucket(20, 20)),
    ],
)
async def test_no_server_of_several_is_asked_again_before_its_named_wait_is_over(tmp_path, plan, limits):
    time = VirtualTime()
    providers = [Provider(time, limit, retry_after=5.0) for limit in limits]
    window = ConcurrencyLimiter(CONCURRENCY, clock=time.clock)
    async with time.passing():
        with Journal(tmp_path) as journal:
            done = await collect(
                Both(time, *providers),
                plan(range(300)),
                journal,
                Settings(
                    concurrency=CONCURRENCY,
                    window=window,
                    clock=time.clock,
                    sleep=time.sleep,
                    rng=np.random.default_rng(0),
                ),
                answered=NOTHING,
            )
    assert done.answered == 300
    assert [provider.too_early for provider in providers] == [0, 0]
    assert sum(len(provider.arrivals) for provider in providers) <= 2.5 * 300
