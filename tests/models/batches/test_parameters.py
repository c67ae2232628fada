"""Parameters that a server refuses, in batches and in the prompt that is put by itself."""

import pytest
from _batch_run import PROMPTS, all_answered, each_paid_once

from evenhand.models.model import Generation


def with_parameters(plan):
    generation = Generation(temperature=0.5, max_tokens=7, top_p=0.9)
    return lambda: plan(range(PROMPTS), generation=generation, seed=None)


def handed(provider):
    """Return which parameters the prompts of each batch had."""
    bodies = [list(batch["asked"].values()) for batch in provider.batches.values()]
    return [{tuple(sorted(body.keys() - {"model", "messages"})) for body in batch} for batch in bodies]


async def test_what_the_first_prompt_learns_of_the_server_holds_for_the_batch(provider, ask, plan):
    provider.refuses = provider.refuses_single = ("temperature",)
    told = []
    done = await ask(with_parameters(plan)(), replanned=with_parameters(plan), told=told)
    assert (done.stopped, done.answered, done.asked, done.requests) == (None, PROMPTS, PROMPTS, PROMPTS + 1)
    assert handed(provider) == [{("max_tokens", "top_p")}]
    assert each_paid_once(provider)
    assert [line[:28] for line in told] == ["temperature 0.5 was not used"]


async def test_parameters_that_only_the_batch_refuses_are_left_out_and_its_prompts_handed_over_again(
    tmp_path, provider, ask, plan
):
    provider.refuses = ("temperature", "top_p")
    told, shown = [], []
    repeat = with_parameters(plan)
    done = await ask(repeat(), replanned=repeat, told=told, most=6, progress=shown.append)
    assert (done.stopped, done.answered, done.failed) == (None, PROMPTS, {})
    # Both batches have lost both parameters by the third round.
    assert handed(provider)[-1] == {("max_tokens",)}
    assert (done.asked, done.requests) == (PROMPTS, 1 + sum(len(batch["asked"]) for batch in provider.batches.values()))
    assert each_paid_once(provider)
    assert all_answered(tmp_path)
    assert sum(shown) == PROMPTS
    assert [line.partition(" was used for some")[0] for line in told] == ["temperature 0.5", "top_p 0.9"]


async def test_a_batch_of_an_earlier_process_that_is_refused_for_a_parameter_is_handed_over_again(
    tmp_path, provider, ask, plan
):
    repeat = with_parameters(plan)
    provider.refuses, provider.die_on_look = ("temperature",), 1
    assert (await ask(repeat(), replanned=repeat)).stopped == "gone"
    provider.down = False
    done = await ask(repeat(), replanned=repeat)
    assert (done.stopped, done.failed) == (None, {})
    assert each_paid_once(provider)
    assert all_answered(tmp_path)


async def test_requests_for_what_a_batch_refused_count_against_the_most(tmp_path, provider, ask, plan):
    repeat = with_parameters(plan)
    provider.refuses = ("temperature",)
    done = await ask(repeat(), replanned=repeat, max_requests=PROMPTS + 3)
    assert (done.stopped, done.answered, done.requests) == ("max-requests", 4, PROMPTS + 3)
    done = await ask(repeat(), replanned=repeat)
    assert done.stopped is None
    assert each_paid_once(provider)
    assert all_answered(tmp_path)


@pytest.mark.parametrize("kind", ["openai"], indirect=True)
async def test_the_limit_of_tokens_gets_its_other_name_in_batches_too(provider, ask, plan):
    repeat = with_parameters(plan)
    provider.refuses = ("max_tokens",)
    done = await ask(repeat(), replanned=repeat)
    assert (done.stopped, done.failed) == (None, {})
    assert [("max_tokens" in names, "max_completion_tokens" in names) for ((*names,),) in handed(provider)] == [
        (True, False),
        (False, True),
    ]
    provider.refuses = ("max_tokens", "max_completion_tokens")
    others = lambda: plan(range(100, 103), generation=Generation(max_tokens=7))  # noqa: E731
    done = await ask(others(), replanned=others)
    assert done.failed == {"rejected": 2}  # it bounds the cost, so it is not left out


async def test_an_adaptation_of_the_first_prompt_counts_as_a_request(provider, ask, plan):
    repeat = with_parameters(plan)
    provider.refuses_single = ("temperature", "top_p")
    done = await ask(repeat(), replanned=repeat, max_requests=2)
    assert (done.stopped, done.requests, done.answered) == ("max-requests", 2, 0)
    assert provider.asked("POST") == 2
