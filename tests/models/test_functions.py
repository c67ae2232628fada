"""A model that is a Python function: by its name, or given itself."""

import pytest

from evenhand import audit, probe
from evenhand.errors import EvenhandError


def texts(prompts):
    """Accept men, as the prompts name them: all answers of one kind would tell nothing of their order."""
    return ["You have been selected" if len(prompt) % 2 else "We regret to inform you" for prompt in prompts]


async def messages(messages):
    return texts([message[-1]["content"] for message in messages])


class Client:
    def __call__(self, prompts):
        return (text for text in texts(prompts))


def few(prompts):
    return texts(prompts)[1:]


def one_text(_):
    return "You have been selected"


def numbers(prompts):
    return [1.5 for _ in prompts]


@pytest.mark.parametrize("model", [messages, Client(), lambda prompts: texts([*prompts])])
@pytest.mark.filterwarnings("ignore::UserWarning")
def test_each_kind_of_function_answers_alike(model, tmp_path):
    expected = probe("hiring-an", texts, sample=60, out=tmp_path / "expected", report=False)
    run = probe("hiring-an", model, sample=60, out=tmp_path / "run", report=False)
    assert run.finding("diff_acceptance_rate").estimate == expected.finding("diff_acceptance_rate").estimate
    assert run.audit.model.startswith(f"python:{__name__}:")


@pytest.mark.parametrize(
    ("model", "told"), [(few, r"returned a list of \d+ for"), (one_text, "returned str"), (numbers, "expected a list")]
)
def test_a_list_that_is_not_one_text_each_ends_the_run(model, told, tmp_path):
    with pytest.raises(EvenhandError, match=told) as caught:
        probe("hiring-an", model, sample=60, out=tmp_path / "run")
    assert len(str(caught.value).splitlines()) == 1


@pytest.mark.filterwarnings("ignore::UserWarning")
def test_a_suite_takes_one_too(tmp_path):
    assert audit(lambda prompts: ["72"] * len(prompts), sample=16, out=tmp_path / "run", report=False).findings


def test_a_decoding_parameter_is_refused_as_the_function_decides(tmp_path):
    with pytest.raises(EvenhandError, match="the function decides on it"):
        probe("hiring-an", texts, sample=4, temperature=0.5, out=tmp_path / "run")
