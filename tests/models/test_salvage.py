"""A response that is too large keeps the text that came before the cut, and says that it was cut."""

import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evenhand.models.dialects import CHAT_COMPLETIONS, MESSAGES
from evenhand.models.http import HttpModel
from evenhand.models.http_client import cut_json
from evenhand.models.model import Failure, Generation, Request
from evenhand.probes.readers import is_cut
from loopback import Loopback

ASKED = Request(
    id="0" * 16,
    stimulus={},
    attempt=0,
    messages=[{"role": "user", "content": "hello"}],
    generation=Generation(),
    seed=None,
)


def first_text(body):
    """Return the text of the completion that a body begins with, None where it is none."""
    try:
        return CHAT_COMPLETIONS.answer(cut_json(body), where="x").text
    except Failure:
        return None


@pytest.mark.parametrize("dialect", [CHAT_COMPLETIONS, MESSAGES])
async def test_an_answer_of_3_mb_keeps_its_first_megabyte_and_is_marked_as_cut(dialect):
    async with Loopback(["huge"]) as server, HttpModel("m", dialect=dialect, base_urls=[server.url]) as model:
        answer = await model.answer(ASKED)
    assert set(answer.text) == {"x"}
    assert 999_000 < len(answer.text) < 1_000_000
    assert answer.finish_reason == "incomplete"
    assert is_cut(answer.finish_reason)


@pytest.mark.parametrize("dialect", [CHAT_COMPLETIONS, MESSAGES])
async def test_a_response_whose_text_lies_behind_the_cut_is_a_failure(dialect):
    async with Loopback(["huge:thinking"]) as server, HttpModel("m", dialect=dialect, base_urls=[server.url]) as model:
        with pytest.raises(Failure, match="more than 1,000,000 bytes") as caught:
            await model.answer(ASKED)
    assert (caught.value.kind, caught.value.error_class) == ("final", "too_large")


@pytest.mark.parametrize(("dialect", "fault"), [(CHAT_COMPLETIONS, "huge:key"), (MESSAGES, "huge:block")])
async def test_a_key_that_the_cut_goes_through_is_removed_as_well(dialect, fault):
    key = "sk-abcdefgh12345678"
    async with Loopback([fault]) as server, HttpModel("m", dialect=dialect, base_urls=[server.url], key=key) as model:
        answer = await model.answer(ASKED)
    assert set(answer.text) == {"x"}


# What stands behind the text is no reason to lose it.
@pytest.mark.parametrize(
    "behind", ['", "logprobs": {"content": [{"token": "a", "logprob": -1', '"}, "finish', '", "x": tr', '"']
)
def test_a_whole_text_is_kept_when_the_cut_comes_behind_it(behind):
    assert first_text(b'{"model": "m", "choices": [{"message": {"content": "whole' + behind.encode()) == "whole"


@given(text=st.text(), share=st.floats(0, 1), spaced=st.booleans())
def test_what_is_kept_is_the_beginning_of_the_text(text, share, spaced):
    completion = {"id": "1", "choices": [{"index": 0, "message": {"role": "assistant", "content": text}}], "n": [1, 2]}
    body = orjson.dumps(completion, option=orjson.OPT_INDENT_2 if spaced else 0)
    kept = first_text(body[: int(share * len(body))])
    assert kept is None or text.startswith(kept)


@given(st.integers(1, 60))
def test_half_an_escape_is_dropped(end):
    # json.dumps of other servers writes signs beyond ASCII as escapes, emojis as two.
    body = b'{"choices": [{"message": {"content": "a\\u00e9\\\\b\\ud83d\\ude00\\n\\"c"}}]}'
    kept = first_text(body[:end])
    assert kept is None or 'aé\\b\U0001f600\n"c'.encode("utf-16", "surrogatepass").startswith(
        kept.encode("utf-16", "surrogatepass")
    )


@pytest.mark.parametrize(
    "body",
    [b"", b"[" * 1_000_000, b"}" * 10, b'{"a": 1}}', b'"' * 1001, b"[" + b'"\\' * 400_000, b"[1," * 60],
)
def test_other_bodies_hold_nothing(body):
    assert first_text(body) is None
