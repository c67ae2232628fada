"""Several servers of one model share the load, and one that fails gets no requests for a while."""

import asyncio

import pytest
from yarl import URL

from evenhand.models.dialects import CHAT_COMPLETIONS
from evenhand.models.http import HttpModel, Servers
from evenhand.models.model import Answer, Failure, Generation, Request
from loopback import Loopback, answer_to

KEY = "sk-abcdefgh12345678"
A, B, C = (URL(f"http://{name}.example/v1") for name in "abc")


def request(prompt="hello"):
    return Request(
        id="0" * 16,
        stimulus={},
        attempt=0,
        messages=[{"role": "user", "content": prompt}],
        generation=Generation(),
        seed=None,
    )


async def asked(ask):
    """Return what comes of a request that is put to one server after the other, as the collector does."""
    while True:
        try:
            return await ask()
        except Failure as failure:
            if failure.kind != "elsewhere":
                raise


class Play:
    """Servers without a network: what each says, who was asked, and a clock that is set by hand."""

    def __init__(self, *urls, says=None):
        self.now = 0.0
        self.says = dict(says or {})
        self.asked = []
        self.heard = []
        self.numbers = 0
        self.servers = Servers(urls, clock=lambda: self.now)
        self.servers.tell = self.heard.append

    async def ask(self, times=1):
        """Return what came of each request, one after the other: the host that answered, or the failure."""
        results = []
        for _ in range(times):
            self.numbers += 1
            try:
                answer = await asked(lambda: self.servers.answer(str(self.numbers), self._one))
                results.append(answer.text)
            except Failure as failure:
                results.append(failure)
        return results

    async def _one(self, server):
        self.asked.append(server.url.host[0])
        said = self.says.get(server.url.host[0])
        if said is not None:
            raise said
        return Answer(text=server.url.host[0])


def failure(kind="retry", error_class="server_error", **options):
    return Failure(kind, error_class, "it failed", **options)


async def test_requests_are_shared_equally():
    play = Play(A, B, C)
    assert await play.ask(6) == ["a", "b", "c", "a", "b", "c"]


async def test_the_server_with_the_fewest_in_flight_is_asked():
    async with (
        Loopback(then="slow:0.5") as slow,
        Loopback() as quick,
        HttpModel("m", dialect=CHAT_COMPLETIONS, base_urls=[slow.url, quick.url]) as model,
    ):
        waiting = asyncio.gather(model.answer(request()), model.answer(request()))
        await asyncio.wait_for(slow.asked_for(1), 5)
        for _ in range(5):
            await model.answer(request())
        await waiting
    assert (slow.requests, quick.requests) == (1, 6)


async def test_a_server_that_fails_three_times_in_a_row_rests_and_is_then_tried_again():
    play = Play(A, B, says={"a": failure()})
    assert await play.ask(8) == ["b"] * 8
    assert play.asked.count("a") == 3
    assert play.heard == ["http://a.example gets no requests for a while; the others get them. it failed"]
    play.now = 1.9
    await play.ask(4)
    assert play.asked.count("a") == 3
    play.now = 2.0
    await play.ask(4)
    # One more failure is enough for a rest that is twice as long.
    assert play.asked.count("a") == 4
    play.now = 5.9
    await play.ask(4)
    assert play.asked.count("a") == 4
    play.now, play.says = 6.0, {}
    assert sorted(await play.ask(10)) == ["a"] * 5 + ["b"] * 5
    assert len(play.heard) == 1


@pytest.mark.parametrize(
    "said", [failure("unreachable", "unreachable"), failure("fatal", "key"), failure("fatal", "not_found")]
)
async def test_a_server_that_cannot_be_asked_at_all_rests_at_once(said):
    play = Play(A, B, says={"a": said})
    assert await play.ask(6) == ["b"] * 6
    assert play.asked.count("a") == 1


async def test_a_busy_server_rests_as_long_as_it_asks_and_nobody_else_waits():
    play = Play(A, B, says={"a": failure("retry", "rate_limit", retry_after=30.0)})
    assert await play.ask(6) == ["b"] * 6
    assert play.asked.count("a") == 1
    assert play.heard == []
    play.now, play.says = 30.0, {}
    assert await play.ask(4) == ["a", "b", "a", "b"]


async def test_when_all_are_busy_the_wait_is_that_of_the_first_to_be_back():
    busy = {"a": failure("retry", "rate_limit", retry_after=30.0), "b": failure("retry", "rate_limit", retry_after=9.0)}
    [failed] = await Play(A, B, says=busy).ask()
    assert (failed.kind, failed.error_class, failed.retry_after) == ("retry", "rate_limit", 9.0)


async def test_the_run_ends_only_when_all_servers_refuse_to_serve():
    [failed] = await Play(A, B, says={"a": failure("fatal", "key"), "b": failure("fatal", "key")}).ask()
    assert failed.kind == "fatal"
    [failed] = await Play(A, B, says={"a": failure("fatal", "key"), "b": failure()}).ask()
    assert failed.kind == "retry"
    [failed] = await Play(A, says={"a": failure("fatal", "key")}).ask()
    assert failed.kind == "fatal"


async def test_each_try_is_a_call_of_its_own():
    play = Play(A, B, C, says={"a": failure(), "b": failure("retry", "malformed")})
    kinds = []
    for _ in range(3):
        try:
            kinds.append((await play.servers.answer("one", play._one)).text)
        except Failure as failed:
            kinds.append((failed.kind, failed.error_class))
    assert play.asked == ["a", "b", "c"]
    assert kinds == [("elsewhere", "server_error"), ("elsewhere", "malformed"), "c"]
    # What one request was tried at says nothing of another, and nothing is kept of one that was answered.
    assert not play.servers._open


async def test_a_prompt_that_is_rejected_is_not_carried_from_server_to_server():
    play = Play(A, B, says={"a": failure("final", "rejected"), "b": failure("final", "rejected")})
    results = await play.ask(8)
    assert [each.error_class for each in results] == ["rejected"] * 8
    assert play.asked == ["a", "b"] * 4


async def test_a_server_back_from_failing_gets_one_request_until_it_answers():
    play = Play(A, B, says={"a": failure("unreachable", "unreachable")})
    await play.ask(2)
    play.now = 2.0
    [first, *_] = play.servers.all
    first.in_flight = 1
    play.says = {}
    assert await play.ask(3) == ["b", "b", "b"]
    first.in_flight = 0
    assert "a" in await play.ask(2)


async def test_a_closed_port_among_the_servers_loses_no_request():
    async with Loopback() as gone:
        closed = gone.url
    async with Loopback() as server, HttpModel("m", dialect=CHAT_COMPLETIONS, base_urls=[closed, server.url]) as model:
        for _ in range(4):
            assert (await asked(lambda: model.answer(request()))).text == answer_to("hello")
    assert server.requests == 4


async def test_the_key_goes_to_each_server_that_was_named_and_to_no_other():
    async with Loopback() as other, Loopback() as named, Loopback() as redirecting:
        redirecting.then = f"redirect:{other.url}/chat/completions"
        async with HttpModel("m", dialect=CHAT_COMPLETIONS, base_urls=[redirecting.url, named.url], key=KEY) as model:
            for _ in range(4):
                await asked(lambda: model.answer(request()))
    assert (other.requests, other.keys) == (0, set())
    assert (redirecting.requests, redirecting.keys) == (1, {f"Bearer {KEY}"})
    assert (named.requests, named.keys) == (4, {f"Bearer {KEY}"})


async def test_an_address_given_twice_is_one_server():
    assert len(HttpModel("m", dialect=CHAT_COMPLETIONS, base_urls=["http://h/v1", "http://h/v1/"])._servers.all) == 1
