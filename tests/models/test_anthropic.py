"""The Messages API against a server on this machine, in Anthropic's own shapes."""

from datetime import UTC, datetime

import orjson
import pytest

from evenhand.errors import InputError
from evenhand.models.dialects import MESSAGES
from evenhand.models.http import HttpModel, open_http_model
from evenhand.models.http_errors import read_failure, reported_limits, retry_after_seconds
from evenhand.models.model import TRANSIENT_ERRORS, Answer, Failure, Generation, ReportedLimit, Request
from loopback import Loopback, answer_to

KEY = "sk-ant-abcdefgh12345678"


def request(*messages, **generation):
    return Request(
        id="0" * 16,
        stimulus={},
        attempt=0,
        messages=[*messages, {"role": "user", "content": "hello"}],
        generation=Generation(**generation),
        seed=5,
    )


async def ask(server, asked=None, *, key=KEY):
    async with HttpModel("m", dialect=MESSAGES, base_urls=[server.url], key=key, timeout=5.0) as model:
        return await model.answer(asked or request())


def message(*content, ending="end_turn", **usage):
    return orjson.dumps({"type": "message", "model": "m", "content": content, "stop_reason": ending, "usage": usage})


def text(words):
    return {"type": "text", "text": words}


async def test_an_answer_keeps_text_reason_model_and_usage():
    async with Loopback() as server:
        answer = await ask(server)
    # One word of prompt, and two tokens that the server read from its cache.
    assert answer == Answer(
        text=answer_to("hello"),
        finish_reason="stop",
        returned_model="m-2024-01-01",
        input_tokens=3,
        output_tokens=6,
    )


async def test_the_request_has_the_key_header_a_limit_and_the_system_text_of_its_own():
    async with Loopback() as server:
        await ask(server, request({"role": "system", "content": "Be brief."}, temperature=0.0, top_p=0.5))
        await ask(server, request(max_tokens=7))
    assert server.bodies == [
        {
            "model": "m",
            "system": "Be brief.",
            "messages": [{"role": "user", "content": "hello"}],
            "temperature": 0.0,
            "top_p": 0.5,
            "max_tokens": 4096,
        },
        {"model": "m", "messages": [{"role": "user", "content": "hello"}], "max_tokens": 7},
    ]
    assert server.keys == {KEY}
    assert server.headers[0]["anthropic-version"] == "2023-06-01"
    assert "Authorization" not in server.headers[0]


# Anthropic's word, and ours.
@pytest.mark.parametrize(
    ("ending", "finish_reason"),
    [
        ("end_turn", "stop"),
        ("stop_sequence", "stop"),
        ("max_tokens", "length"),
        ("model_context_window_exceeded", "length"),
        ("pause_turn", "incomplete"),
        ("tool_use", "tool_calls"),
        ("refusal", "refusal"),
        ("something_new", "something_new"),
        (None, None),
    ],
)
def test_why_an_answer_ended_is_said_in_the_words_of_chat_completions(ending, finish_reason):
    thinking = {"type": "thinking", "thinking": "hm", "signature": "x"}
    answer = MESSAGES.read(message(thinking, text("a"), text("b"), ending=ending), where="x")
    assert (answer.text, answer.finish_reason) == ("ab", finish_reason)
    assert MESSAGES.read(message(thinking, ending=ending), where="x").text == ""


@pytest.mark.parametrize(
    ("fault", "kind", "error_class"),
    [
        ("429", "retry", "rate_limit"),
        ("529", "retry", "server_error"),
        ("malformed", "retry", "malformed"),
        ("html", "retry", "malformed"),
        ("401", "fatal", "key"),
        ("404", "fatal", "not_found"),
        ("400", "final", "rejected"),
    ],
)
async def test_what_a_fault_means_for_the_run(fault, kind, error_class):
    async with Loopback([fault]) as server:
        with pytest.raises(Failure) as caught:
            await ask(server)
    assert (caught.value.kind, caught.value.error_class) == (kind, error_class)
    assert (error_class in TRANSIENT_ERRORS) == (kind == "retry")
    assert "OPENAI" not in str(caught.value)
    if fault == "401":
        assert "Check ANTHROPIC_API_KEY." in str(caught.value)


# An empty account is told by its words alone, a monthly cap by a code within the details.
@pytest.mark.parametrize(
    ("status", "error", "kind"),
    [
        (400, {"message": "Your credit balance is too low to access the Anthropic API."}, "fatal"),
        (400, {"message": "You have reached your specified API usage limits."}, "fatal"),
        (429, {"message": "x", "details": {"error_code": "enforced_spend_limit_reached"}}, "fatal"),
        (429, {"message": "Number of requests has exceeded your rate limit."}, "retry"),
        (529, {"message": "Overloaded"}, "retry"),
        (400, {"message": "prompt is too long: 210000 tokens > 200000 maximum"}, "final"),
    ],
)
def test_an_empty_account_stops_the_run_and_a_busy_server_does_not(status, error, kind):
    kinds = {400: "invalid_request_error", 429: "rate_limit_error", 529: "overloaded_error"}
    body = orjson.dumps({"type": "error", "error": {"type": kinds[status], **error}, "request_id": "req_1"})
    assert read_failure(status, {}, body, where="x", key_variable="ANTHROPIC_API_KEY").kind == kind


# 1 January 2025, 00:00:00 is the moment of asking. Only limits that are used up count, the latest of them.
@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({"retry-after": "12"}, 12.0),
        (
            {
                "anthropic-ratelimit-requests-remaining": "0",
                "anthropic-ratelimit-requests-reset": "2025-01-01T00:00:30Z",
                "anthropic-ratelimit-tokens-remaining": "5000",
                "anthropic-ratelimit-tokens-reset": "2025-01-01T00:09:00Z",
            },
            30.0,
        ),
        ({"x-ratelimit-remaining-tokens": "0", "x-ratelimit-reset-tokens": "1m6.5s"}, 66.5),
        ({"x-ratelimit-remaining-requests": "0", "x-ratelimit-reset-requests": "250ms"}, 0.25),
        ({"x-ratelimit-remaining-requests": "0", "x-ratelimit-reset-requests": "soon"}, None),
        ({"x-ratelimit-remaining-requests": "0"}, None),
        ({"x-ratelimit-remaining": "0", "x-ratelimit-reset": "7.5"}, 7.5),
        ({"ratelimit-remaining": "0", "ratelimit-reset": "1735689612"}, 12.0),
        ({"x-ratelimit-remaining": "0", "x-ratelimit-reset": "1735689612000"}, 12.0),
        ({"x-ratelimit-remaining": "0", "x-ratelimit-reset": "1735689599"}, 0.0),
        ({"x-ratelimit-remaining": "-1", "x-ratelimit-reset": "5"}, 5.0),
        ({"x-ratelimit-remaining": "some", "x-ratelimit-reset": "5"}, None),
        ({"x-ratelimit-remaining-requests": "0", "x-ratelimit-reset-requests": "1d2h"}, 93_600.0),
    ],
)
def test_a_wait_is_read_from_the_limits_that_are_used_up(headers, seconds):
    lower = {name.lower(): value for name, value in headers.items()}

    class Headers(dict):
        def get(self, name, default=None):
            return super().get(name.lower(), default)

    assert retry_after_seconds(Headers(lower), now=datetime(2025, 1, 1, tzinfo=UTC)) == seconds


def test_what_is_left_of_limits_is_told_with_answers():
    headers = {
        "anthropic-ratelimit-requests-limit": "50",
        "anthropic-ratelimit-requests-remaining": "49",
        "anthropic-ratelimit-requests-reset": "2025-01-01T00:00:01Z",
        "anthropic-ratelimit-output-tokens-remaining": "8000",
        "anthropic-ratelimit-output-tokens-reset": "2025-01-01T00:00:06Z",
        "anthropic-ratelimit-tokens-remaining": "many",
    }
    assert reported_limits(headers, now=datetime(2025, 1, 1, tzinfo=UTC)) == (
        ReportedLimit(kind="requests", remaining=49, reset=1.0, limit=50),
        ReportedLimit(kind="output-tokens", remaining=8000, reset=6.0, limit=None),
    )


def test_a_server_elsewhere_needs_a_key_of_its_own():
    with pytest.raises(InputError, match="ANTHROPIC_API_KEY is not set"):
        open_http_model("m", dialect=MESSAGES, environ={"OPENAI_API_KEY": KEY})
    assert open_http_model("m", dialect=MESSAGES, environ={"ANTHROPIC_API_KEY": KEY}).name == "anthropic:m"
    assert open_http_model("m", dialect=MESSAGES, base_urls=["http://127.0.0.1:1/v1"], environ={}).name == "anthropic:m"
