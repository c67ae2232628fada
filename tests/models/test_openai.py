"""The chat model against a real server on this machine that misbehaves."""

import re
from datetime import UTC, datetime

import pytest

from evenhand.errors import InputError
from evenhand.models.dialects import CHAT_COMPLETIONS
from evenhand.models.http import HttpModel, open_http_model
from evenhand.models.http_client import Connection
from evenhand.models.http_errors import read_failure, retry_after_seconds
from evenhand.models.model import TRANSIENT_ERRORS, Answer, Failure, Generation, Request
from loopback import Loopback, answer_to

KEY = "sk-abcdefgh12345678"


def request(prompt="hello", *, generation=None, seed=None):
    return Request(
        id="0" * 16,
        stimulus={},
        attempt=0,
        messages=[{"role": "user", "content": prompt}],
        generation=generation or Generation(),
        seed=seed,
    )


async def ask(url, *, key=KEY, patience=5.0, asked=None):
    async with HttpModel(
        "m", dialect=CHAT_COMPLETIONS, base_urls=[url], key=key, timeout=patience, concurrency=2
    ) as model:
        return await model.answer(asked or request())


async def failure_of(fault, **options):
    async with Loopback([fault]) as server:
        with pytest.raises(Failure) as caught:
            await ask(server.url, **options)
    return caught.value


async def answer_of(fault):
    async with Loopback([fault]) as server:
        return await ask(server.url)


async def test_an_answer_keeps_text_reason_model_and_usage():
    assert await answer_of("ok") == Answer(
        text=answer_to("hello"),
        finish_reason="stop",
        returned_model="m-2024-01-01",
        input_tokens=1,
        output_tokens=6,
    )


async def test_only_parameters_that_are_set_are_sent():
    async with Loopback() as server:
        await ask(server.url)
        await ask(server.url, asked=request(generation=Generation(temperature=0.0, max_tokens=7), seed=3))
    plain = {"model": "m", "messages": [{"role": "user", "content": "hello"}]}
    assert server.bodies == [plain, plain | {"temperature": 0.0, "max_tokens": 7, "seed": 3}]
    assert server.keys == {f"Bearer {KEY}"}


async def test_without_a_key_no_authorization_is_sent():
    async with Loopback() as server:
        await ask(server.url, key=None)
    assert server.keys == {None}


async def test_content_in_parts_is_joined():
    assert (await answer_of("parts")).text == answer_to("hello")


async def test_a_refusal_field_is_the_text():
    answer = await answer_of("refusal")
    assert (answer.text, answer.finish_reason) == ("I can't help with that.", "refusal")


async def test_half_an_emoji_loses_no_answer():
    assert (await answer_of("surrogate")).text == "half \ud83d NUL \0 whole \U0001f600"


# The fault of the server, what the run is to do, and the class that the journal keeps.
@pytest.mark.parametrize(
    ("fault", "kind", "error_class"),
    [
        ("408", "retry", "timeout"),
        ("429", "retry", "rate_limit"),
        ("500", "retry", "server_error"),
        ("529", "retry", "server_error"),
        ("reset", "retry", "connection"),
        ("cut", "retry", "connection"),
        ("malformed", "retry", "malformed"),
        ("html", "retry", "malformed"),
        ("wrapped:503", "retry", "server_error"),
        ("wrapped:402", "fatal", "credit"),
        ("401", "fatal", "key"),
        ("402", "fatal", "credit"),
        ("403", "fatal", "permission"),
        ("404", "fatal", "not_found"),
        ("quota", "fatal", "quota"),
        ("400", "final", "rejected"),
        ("413", "final", "rejected"),
        ("422", "final", "rejected"),
        ("filtered", "final", "content_filter"),
        ("huge:thinking", "final", "too_large"),
    ],
)
async def test_what_a_fault_means_for_the_run(fault, kind, error_class):
    failure = await failure_of(fault)
    assert (failure.kind, failure.error_class) == (kind, error_class)
    assert (error_class in TRANSIENT_ERRORS) == (kind == "retry")
    assert "\n" not in str(failure)


async def test_an_answer_later_than_the_timeout_is_retried():
    failure = await failure_of("slow:1", patience=0.1)
    assert (failure.kind, failure.error_class) == ("retry", "timeout")


async def test_a_closed_port_is_unreachable():
    async with Loopback() as server:
        url = server.url
    with pytest.raises(Failure, match=r"No connection to http://127\.0\.0\.1") as caught:
        await ask(url)
    assert caught.value.kind == "unreachable"


async def test_a_name_that_does_not_resolve_is_unreachable():
    with pytest.raises(Failure, match=r"No connection to http://nowhere\.invalid") as caught:
        await ask("http://nowhere.invalid/v1")
    assert caught.value.kind == "unreachable"


async def test_retry_after_reaches_the_failure():
    assert (await failure_of("429:7")).retry_after == 7.0
    assert (await failure_of("429ms:250")).retry_after == 0.25
    assert (await failure_of("503:3")).retry_after == 3.0


async def test_a_redirect_is_not_followed_and_the_other_server_sees_no_key():
    async with Loopback() as other:
        failure = await failure_of(f"redirect:{other.url}/chat/completions?token={KEY}")
    assert (failure.kind, failure.error_class) == ("fatal", "redirect")
    assert other.url in str(failure)
    assert KEY not in str(failure)
    assert other.requests == 0


@pytest.mark.parametrize(
    ("base_url", "key", "lines"),
    [
        ("http://10.0.0.1:8000/v1", KEY, 1),
        ("http://10.0.0.1:8000/v1", None, 0),
        ("https://10.0.0.1:8000/v1", KEY, 0),
        ("http://127.0.0.1:8000/v1", KEY, 0),
    ],
)
def test_a_key_that_would_travel_unencrypted_is_said(base_url, key, lines):
    heard = []
    HttpModel("m", dialect=CHAT_COMPLETIONS, base_urls=[base_url], key=key).told_to(heard.append)
    assert len(heard) == lines
    assert KEY not in "".join(heard)


async def test_a_key_that_the_server_repeats_is_not_repeated():
    assert KEY not in str(await failure_of("echo"))
    assert (await answer_of(f"text:your key is {KEY}!")).text == "your key is [key removed]!"


@pytest.mark.parametrize(
    "spelled",
    [
        "sk-a/b+c",
        r"sk-a\u002fb\u002Bc",
        r"sk-a\/b+c",
        "sk-a%2fb%2Bc",
        r"\u0073\u006b-a/b+c",
        r"{\"m\":\"sk-a\\u002fb+c\"}",
    ],
)
def test_a_key_is_removed_however_a_server_spells_it(spelled):
    connection = Connection(headers={}, keys=["sk-a/b+c"], timeout=1, limit=1)
    left = connection.without_key(f'{{"error": {{"message": "Incorrect API key: {spelled}."}}}}')
    assert "[key removed]" in left
    assert not re.search("a.{1,9}b.{1,9}c", left.partition("key: ")[2])


async def test_a_short_key_is_an_ordinary_word_in_answers():
    async with Loopback(["text:this is a test", "echo"]) as server:
        assert (await ask(server.url, key="test")).text == "this is a test"
        with pytest.raises(Failure) as caught:
            await ask(server.url, key="test")
    assert "test" not in str(caught.value)


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"null",
        b"[]",
        b'"text"',
        b'{"choices": null}',
        b'{"choices": {"0": 1}}',
        b'{"choices": [null]}',
        b'{"choices": [{"message": []}]}',
        b'{"choices": [{"message": {"content": {"a": 1}}}]}',
        b"[" * 100_000,
        b"\xff\xfe",
    ],
)
def test_a_body_of_another_shape_is_retried(body):
    with pytest.raises(Failure) as caught:
        CHAT_COMPLETIONS.read(body, where="the server")
    assert caught.value.kind == "retry"


def test_an_answer_cut_at_the_token_limit_before_its_first_word_is_an_answer():
    answer = CHAT_COMPLETIONS.read(
        b'{"choices": [{"message": {"content": null}, "finish_reason": "length"}]}', where="x"
    )
    assert (answer.text, answer.finish_reason) == ("", "length")


def test_usage_that_is_no_count_is_unknown():
    usage = b'"usage": {"prompt_tokens": true, "completion_tokens": -1}'
    body = b'{"model": 4, ' + usage + b', "choices": [{"message": {"content": "a"}}]}'
    assert CHAT_COMPLETIONS.read(body, where="x") == Answer(text="a")


# Both kinds of message are worded as servers word them: only the first group means that waiting is in vain.
@pytest.mark.parametrize(
    ("message", "code", "kind"),
    [
        ("You exceeded your current quota, please check your plan and billing details.", None, "fatal"),
        ("Your credit balance is too low.", None, "fatal"),
        ("anything", "insufficient_quota", "fatal"),
        ("Rate limit reached on tokens per min. Add a payment method at /account/billing.", None, "retry"),
        ("Quota exceeded for quota metric 'requests per minute'.", None, "retry"),
        ("You exceeded your current quota. Please retry in 22.6s.", None, "retry"),
        ("billing", "rate_limit_exceeded", "retry"),
    ],
)
def test_a_429_for_credit_stops_and_a_429_for_speed_waits(message, code, kind):
    body = f'{{"error": {{"message": "{message}", "code": {"null" if code is None else chr(34) + code + chr(34)}}}}}'
    assert read_failure(429, {}, body.encode(), where="x").kind == kind


def test_a_servers_message_is_one_printable_short_line():
    body = ('{"error": {"message": "a\\n\\u001b[31mb ' + "c" * 5000 + '"}}').encode()
    message = str(read_failure(400, {}, body, where="x"))
    assert message.startswith("x answered 400 Bad Request: a [31mb ccc")
    assert len(message) < 300


# 1 January 2025, 00:00:00 is the moment of asking.
@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({"Retry-After": "2.5"}, 2.5),
        ({"Retry-After": "Wed, 01 Jan 2025 00:00:30 GMT"}, 30.0),
        ({"Retry-After": "Tue, 31 Dec 2024 00:00:00 GMT"}, 0.0),
        ({"retry-after-ms": "1500", "Retry-After": "9"}, 1.5),
        ({"retry-after-ms": "soon", "Retry-After": "9"}, 9.0),
        ({"Retry-After": "-1"}, None),
        ({"Retry-After": "nan"}, None),
        ({"Retry-After": "later"}, None),
        ({}, None),
    ],
)
def test_retry_after_is_read_in_all_its_forms(headers, seconds):
    assert retry_after_seconds(headers, now=datetime(2025, 1, 1, tzinfo=UTC)) == seconds


@pytest.mark.parametrize(
    "base_urls",
    [
        (),
        ("https://example.org/v1",),
        ("http://10.0.0.1/v1",),
        ("http://localhost.evil.org",),
        ("http://127.0.0.1:1/v1", "http://10.0.0.1/v1"),
    ],
)
def test_a_server_elsewhere_needs_a_key(base_urls):
    with pytest.raises(InputError, match="OPENAI_API_KEY is not set"):
        open_http_model("m", dialect=CHAT_COMPLETIONS, base_urls=base_urls, environ={"OPENAI_API_KEY": " "})


@pytest.mark.parametrize(
    "base_url", ["http://127.0.0.1:1/v1", "http://127.9.9.9/v1", "http://[::1]:8000/v1", "http://localhost/v1/"]
)
def test_a_server_on_this_machine_needs_no_key(base_url):
    assert open_http_model("m", dialect=CHAT_COMPLETIONS, base_urls=[base_url], environ={}).name == "openai:m"


@pytest.mark.parametrize(
    "base_url",
    [
        "",
        "127.0.0.1:8000",
        "localhost:8000/v1",
        "ftp://host/v1",
        "http://",
        "http://host:port/v1",
        "http://host:99999/v1",
        "http://ho st/v1",
        "http://[::1/v1",
        f"http://host/v1?key={KEY}",
        f"http://u:{KEY}@host/v1",
    ],
)
def test_an_address_that_is_none_is_said_in_one_line(base_url):
    with pytest.raises(InputError, match="--base-url") as caught:
        open_http_model("m", dialect=CHAT_COMPLETIONS, base_urls=[base_url], environ={"OPENAI_API_KEY": KEY})
    assert "\n" not in str(caught.value)
    assert KEY not in str(caught.value)


def test_a_model_without_a_name_and_a_key_with_a_line_break_are_said():
    with pytest.raises(InputError, match="has no name"):
        open_http_model(" ", dialect=CHAT_COMPLETIONS, environ={"OPENAI_API_KEY": KEY})
    with pytest.raises(InputError, match="copy it again"):
        open_http_model("m", dialect=CHAT_COMPLETIONS, environ={"OPENAI_API_KEY": "sk-1\nsk-2"})
