"""Parameters that a server does not take are left out or renamed once, and that is said."""
# ruff: noqa: E501 - error bodies stand as they were reported

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


# Bodies as users of these services report them, shortened. What is refused, of all six parameters sent.
@pytest.mark.parametrize(
    ("refused", "body"),
    [
        # OpenAI and Azure, reasoning models
        (
            ["temperature"],
            {
                "error": {
                    "message": "Unsupported parameter: 'temperature' is not supported with this model.",
                    "type": "invalid_request_error",
                    "param": "temperature",
                    "code": "unsupported_parameter",
                }
            },
        ),
        (["presence_penalty"], {"error": {"message": "Unsupported parameter: 'presence_penalty' is not supported with this model. (request id: 2025)"}}),
        (["max_tokens"], {"error": {"message": "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.", "code": "invalid_request_body"}}),
        (["top_p"], {"error": {"message": "in a language of its own", "param": "top_p", "code": "unsupported_value"}}),
        # Azure, older
        (["seed"], {"error": {"message": "Unrecognized request argument supplied: seed", "type": "invalid_request_error", "param": None, "code": None}}),
        # Azure AI and vLLM: pydantic's faults, as JSON and as Python writes them
        (["seed"], {"detail": [{"type": "extra_forbidden", "loc": ["body", "seed"], "msg": "Extra inputs are not permitted", "input": 123}]}),
        (["top_p"], {"object": "error", "message": "[{'type': 'extra_forbidden', 'loc': ('body', 'top_p'), 'msg': 'Extra inputs are not permitted', 'input': 1}]", "code": 400}),
        # Mistral: JSON in a text
        (["frequency_penalty"], {"object": "error", "message": '{"detail":[{"type":"extra_forbidden","loc":["body","frequency_penalty"],"msg":"Extra inputs are not permitted","input":0.0}]}', "code": "1000"}),
        # NIM
        (
            ["frequency_penalty", "presence_penalty"],
            {"status": 422, "detail": "body -> frequency_penalty\n  Extra inputs are not permitted (type=extra_forbidden)\nbody -> presence_penalty\n  Extra inputs are not permitted"},
        ),
        # OpenRouter
        (["temperature"], {"error": {"message": "Provider returned error", "code": 400, "metadata": {"raw": '{\n  "error": {\n    "message": "Unsupported parameter: \'temperature\' is not supported with this model.",\n "param": "temperature"}}', "provider_name": "OpenAI"}}}),
        # xAI
        (["presence_penalty"], {"code": "Client specified an invalid argument", "error": "Argument not supported on this model: presencePenalty"}),
        (["presence_penalty"], {"error": "Model grok-4 does not support parameter presencePenalty."}),
        # Moonshot, LiteLLM, Groq, Anthropic
        (["temperature"], {"error": {"message": "invalid temperature: only 1 is allowed for this model"}}),
        (["temperature"], {"error": {"message": "litellm.UnsupportedParamsError: gpt-5 models don't support temperature=0.2. Only temperature=1 is supported."}}),
        (["seed"], {"error": {"message": "property 'seed' is unsupported"}}),
        (["temperature"], {"type": "error", "error": {"type": "invalid_request_error", "message": "`temperature` is deprecated for this model."}}),
        (["top_p"], {"type": "error", "error": {"type": "invalid_request_error", "message": "`temperature` and `top_p` cannot both be specified for this model. Please use only one."}}),
        # Values, lengths and contents are the user's to mend.
        ([], {"error": {"message": "temperature: range: 0..1"}}),
        ([], {"error": {"message": "Invalid value for 'temperature': must be between 0 and 2.", "param": "temperature", "code": "invalid_value"}}),
        ([], {"error": {"message": "max_tokens is too large: 100000. This model supports at most 16384 completion tokens.", "param": "max_tokens", "code": "invalid_value"}}),
        ([], {"error": {"message": "max_tokens: 100000 > 8192, which is the maximum allowed number of output tokens"}}),
        ([], {"object": "error", "message": "max_tokens must be at least 1, got -186.", "code": 400}),
        ([], {"error": {"message": "The model `seed-1` is not supported."}}),
        ([], {"error": {"message": "'messages' with role 'system' is not supported with this model."}}),
        ([], None),
    ],
)  # fmt: skip
def test_a_parameter_is_refused_where_the_server_says_so_in_its_own_words(refused, body):
    assert sorted(refused_parameters(orjson.dumps(body), ALL)) == sorted(refused)


def test_a_parameter_that_was_not_sent_is_not_refused():
    assert refused_parameters(b'{"error": "Unsupported parameter: temperature"}', ["top_p"]) == []
