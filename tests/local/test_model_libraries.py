"""The functions of docs/models.md with the libraries themselves; each is skipped where its library is not installed."""

from importlib.util import find_spec

import pytest

import evenhand as eh
from system_packages import needed

LETTER = "We regret to inform you that we chose somebody else."


def transformers(request):
    from transformers import pipeline

    pipe = pipeline("text-generation", model=str(request.getfixturevalue("deciding")))
    return lambda messages: [out[0]["generated_text"] for out in pipe(messages, return_full_text=False)]


def langchain(_request):
    from langchain_core.language_models import FakeListChatModel

    llm = FakeListChatModel(responses=[LETTER])
    return lambda prompts: [message.content for message in llm.batch(prompts)]


def litellm(_request):
    import litellm

    def completed(messages):
        replies = litellm.batch_completion(model="gpt-4o", messages=messages, mock_response=LETTER)
        return [reply.choices[0].message.content for reply in replies]

    return completed


@pytest.mark.parametrize(
    ("package", "function"), [("transformers", transformers), ("langchain_core", langchain), ("litellm", litellm)]
)
def test_a_library_of_models_answers(package, function, request, tmp_path):
    needed(package, find_spec(package))
    run = eh.probe("hiring-an", function(request), sample=6, out=tmp_path / "run")
    assert run.audit.statuses == {"observed": 6}
