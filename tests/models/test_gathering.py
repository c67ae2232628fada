"""Requests that are answered together."""

import asyncio

import pytest

from evenhand.models.model import Answer, Failure, RequestBatcher, answers_in_halves
from loopback_scorer import request


class Together:
    """Answers with the résumé's text, and remembers the chunks; `bad` ones fail."""

    def __init__(self, *, bad="bad", kind="final", wait=0.0):
        self.chunks, self.bad, self.kind, self.wait = [], bad, kind, wait
        self.at_once = self.most_at_once = 0

    async def __call__(self, requests):
        texts = [each.stimulus["resume_text"] for each in requests]
        self.chunks.append(texts)
        self.at_once += 1
        self.most_at_once = max(self.most_at_once, self.at_once)
        await asyncio.sleep(self.wait)
        self.at_once -= 1
        if self.bad in texts:
            raise Failure(self.kind, "rejected", "No.", retry_after=2.0)
        return [Answer(text=text) for text in texts]


async def gathered(together, texts, **options):
    async with RequestBatcher(together, **options) as gathering:
        asked = [gathering.answer(request(number, text)) for number, text in enumerate(texts)]
        found = await asyncio.gather(*asked, return_exceptions=True)
    return [each.text if isinstance(each, Answer) else each for each in found]


async def test_chunks_are_filled_one_after_the_other_and_the_last_is_begun_when_no_more_come():
    together = Together(wait=0.01)
    assert await gathered(together, list("abcdefg"), most=3) == list("abcdefg")
    assert together.chunks == [["a", "b", "c"], ["d", "e", "f"], ["g"]]
    assert together.most_at_once == 1


async def test_as_many_chunks_as_may_be_are_under_way_at_once():
    together = Together(wait=0.02)
    await gathered(together, list("abcdefgh"), most=2, at_once=3)
    assert together.most_at_once == 3


async def test_a_chunk_holds_what_is_alike():
    together = Together()
    found = await gathered(
        together, ["a1", "b1", "a2", "b2"], most=4, key=lambda asked: asked.stimulus["resume_text"][0]
    )
    assert found == ["a1", "b1", "a2", "b2"]
    assert together.chunks == [["a1", "a2"], ["b1", "b2"]]


async def test_each_request_of_a_failed_chunk_has_a_failure_of_its_own():
    found = await gathered(Together(kind="retry"), ["a", "bad"], most=2)
    assert [(each.kind, each.error_class, each.retry_after) for each in found] == [("retry", "rejected", 2.0)] * 2
    assert found[0] is not found[1]


async def test_a_bug_reaches_whoever_waits():
    async def broken(_requests):
        raise ZeroDivisionError

    assert [type(each) for each in await gathered(broken, ["a", "b"], most=2)] == [ZeroDivisionError] * 2


async def test_too_few_answers_are_a_bug():
    async def short(requests):
        return [Answer(text="x")] * (len(requests) - 1)

    found = await gathered(short, ["a", "b"], most=2)
    assert isinstance(found[1], ValueError)


async def test_whoever_gave_up_does_not_spoil_the_chunk():
    together = Together(wait=0.05)
    async with RequestBatcher(together, most=2) as gathering:
        first, second = (asyncio.ensure_future(gathering.answer(request(n, text))) for n, text in enumerate("ab"))
        await asyncio.sleep(0.02)
        first.cancel()
        assert (await second).text == "b"
        assert (await gathering.answer(request(2, "c"))).text == "c"


@pytest.mark.parametrize(
    ("kind", "chunks"),
    [
        ("final", [["a", "b", "bad", "d"], ["a", "b"], ["bad", "d"], ["bad"], ["d"]]),
        ("retry", [["a", "b", "bad", "d"]]),
        ("fatal", [["a", "b", "bad", "d"]]),
    ],
)
async def test_what_fails_for_good_is_looked_for_in_halves(kind, chunks):
    together = Together(kind=kind)
    found = await answers_in_halves(together, [request(n, text) for n, text in enumerate(["a", "b", "bad", "d"])])
    assert together.chunks == chunks
    failed = [isinstance(each, Failure) for each in found]
    assert failed == ([False, False, True, False] if kind == "final" else [True] * 4)
