"""Parameters that a server does not take are left out or renamed once, and that is said."""

from pathlib import Path

import orjson
import pytest

from evenhand.models.dialects import CHAT_COMPLETIONS, MESSAGES
from evenhand.models.http import HttpModel
from evenhand.models.http_errors import refused_parameters
from evenhand.models.model import Failure, Generation, Request
from loopback import Loopback, answer_to

ALL = ["temperature", "max_tokens", "top_p", "frequency_penalty", "presence_penalty", "seed"]


def request(prompt="hello", *, seed=None, **generation):
    return Request(
        id="0" * 16,
        stimulus={},
        attempt=0,
        messages=[{"role": "user", "content": prompt}],
        generation=Generation(**generation),
        seed=seed,
    )


async def answer_of(model, asked):
    """Return the answer, asked again as often as the model adapts."""
    while True:
        try:
            return await model.answer(asked)
        except Failure as failure:
            if failure.kind != "adapted":
                raise


async def asked_twice(server, asked, *, dialect=CHAT_COMPLETIONS):
    heard = []
    async with HttpModel("m", dialect=dialect, base_urls=[server.url], key="sk-abcdefgh12345678") as model:
        model.told_to(heard.append)
        first = await answer_of(model, asked)
        second = await answer_of(model, asked)
    assert (first.text, second.text) == (answer_to("hello"), answer_to("hello"))
    return model, heard


async def test_a_temperature_that_is_refused_is_left_out_from_then_on_and_said_once():
    async with Loopback(then="refuse:temperature") as server:
        model, heard = await asked_twice(server, request(temperature=0.5, top_p=0.9))
    assert [body.get("temperature") for body in server.bodies] == [0.5, None, None]
    assert [body["top_p"] for body in server.bodies] == [0.9] * 3
    assert len(heard) == 1
    assert heard[0].startswith("temperature 0.5 was not used, but the server's own: ")
    assert "does not support 0.5 with this model" in heard[0]
    [adaptation] = model.adaptations
    assert (adaptation.parameter, adaptation.requested, adaptation.sent) == ("temperature", 0.5, None)


async def test_a_refusal_that_the_model_has_adapted_to_is_one_request():
    async with (
        Loopback(then="refuse:temperature") as server,
        HttpModel("m", dialect=CHAT_COMPLETIONS, base_urls=[server.url]) as model,
    ):
        with pytest.raises(Failure) as caught:
            await model.answer(request(temperature=0.5))
        assert (caught.value.kind, server.requests) == ("adapted", 1)


async def test_a_temperature_that_is_refused_after_answers_were_given_with_it_is_said_to_be_used_partly():
    async with Loopback(["ok"], then="refuse:temperature") as server:
        model, heard = await asked_twice(server, request(temperature=0.5))
    assert heard[0].startswith("temperature 0.5 was used for some answers, then not any more, but the server's own: ")
    assert model.adaptations[0].partly


async def test_max_tokens_is_sent_by_its_other_name_where_the_server_wants_that():
    async with Loopback(then="refuse:max_tokens") as server:
        _, heard = await asked_twice(server, request(max_tokens=7))
    limits = [(body.get("max_tokens"), body.get("max_completion_tokens")) for body in server.bodies]
    assert limits == [(7, None), (None, 7), (None, 7)]
    assert heard[0].startswith("max_tokens 7 was sent as max_completion_tokens: ")


async def test_a_limit_of_tokens_is_never_left_out():
    fault = "refuse:max_tokens+max_completion_tokens"
    async with (
        Loopback(then=fault) as server,
        HttpModel("m", dialect=CHAT_COMPLETIONS, base_urls=[server.url]) as model,
    ):
        with pytest.raises(Failure, match="max_completion_tokens") as caught:
            await answer_of(model, request(max_tokens=7))
    assert caught.value.error_class == "rejected"
    assert server.requests == 2


async def test_several_parameters_are_left_out_one_after_the_other():
    async with Loopback(then="refuse:temperature+top_p+seed+max_tokens") as server:
        model, heard = await asked_twice(server, request(temperature=0.0, top_p=0.5, max_tokens=7, seed=3))
    assert server.requests == 4 + 2
    assert server.bodies[-1].keys() == {"model", "messages", "max_completion_tokens"}
    assert {each.parameter for each in model.adaptations} == {"temperature", "top_p", "seed", "max_tokens"}
    assert any(line.startswith("No seed was sent: ") for line in heard)


async def test_a_rejection_that_names_no_parameter_that_was_sent_is_a_rejection():
    async with (
        Loopback(["400", "refuse:model"]) as server,
        HttpModel("m", dialect=CHAT_COMPLETIONS, base_urls=[server.url]) as model,
    ):
        for _ in range(2):
            with pytest.raises(Failure) as caught:
                await answer_of(model, request(temperature=0.5))
            assert caught.value.error_class == "rejected"
        assert model.adaptations == ()


async def test_a_name_that_one_server_wants_is_not_forced_on_the_other():
    async with (
        Loopback(then="refuse:max_tokens") as new,
        Loopback(then="refuse:max_completion_tokens") as old,
        HttpModel("m", dialect=CHAT_COMPLETIONS, base_urls=[new.url, old.url]) as model,
    ):
        for _ in range(4):
            assert (await answer_of(model, request(max_tokens=7))).text == answer_to("hello")
    assert [sorted(body.keys() - {"model", "messages"}) for body in old.bodies] == [["max_tokens"]] * 2
    assert new.requests == 3


async def test_anthropic_models_that_refuse_a_temperature_are_asked_without_it():
    async with Loopback(then="refuse:temperature") as server:
        _, heard = await asked_twice(server, request(temperature=0.5), dialect=MESSAGES)
    assert [body.get("temperature") for body in server.bodies] == [0.5, None, None]
    assert len(heard) == 1


async def test_parameters_that_the_messages_api_lacks_are_not_sent_and_said():
    async with Loopback() as server:
        asked = request(frequency_penalty=0.5, presence_penalty=0.5, seed=1)
        model, heard = await asked_twice(server, asked, dialect=MESSAGES)
    assert server.bodies[0].keys() == {"model", "messages", "max_tokens"}
    assert [line.partition(" was not")[0] for line in heard] == ["frequency_penalty 0.5", "presence_penalty 0.5"]
    assert [(each.parameter, each.sent) for each in model.adaptations if each.sent] == [("max_tokens", 4096)]


# Bodies as users of these services report them, shortened: of OpenAI and Azure, vLLM, Mistral, NIM, OpenRouter, xAI,
# Moonshot, LiteLLM, Groq and Anthropic; then values, lengths and contents, which are the user's to mend.
REFUSALS = [orjson.loads(line) for line in Path(__file__).with_name("refusals.jsonl").read_bytes().splitlines()]


@pytest.mark.parametrize("row", REFUSALS)
def test_a_parameter_is_refused_where_the_server_says_so_in_its_own_words(row):
    assert sorted(refused_parameters(orjson.dumps(row["body"]), ALL)) == sorted(row["refused"])


def test_a_parameter_that_was_not_sent_is_not_refused():
    assert refused_parameters(b'{"error": "Unsupported parameter: temperature"}', ["top_p"]) == []
