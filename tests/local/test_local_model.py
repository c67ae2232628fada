"""Models in this process: chunks, seeds, padding, templates, endings."""

import asyncio
import json
import shutil
import threading
from dataclasses import replace

import pytest

from evenhand.errors import InputError
from evenhand.models.local import LocalModel, chunk_seed, load_weights, open_local
from evenhand.models.model import Generation, Request

GREEDY = Generation(temperature=0, max_tokens=24)
SAMPLED = Generation(temperature=1, max_tokens=24)


def request(number, prompt=None, *, generation=GREEDY, seed=0, attempt=0):
    # Lengths differ, so that rows of a chunk need padding.
    content = prompt if prompt is not None else f"Candidate {number}: " + "nurse " * (number * 3)
    return Request(
        id=f"{number:016x}",
        stimulus={},
        attempt=attempt,
        messages=[{"role": "user", "content": content}],
        generation=generation,
        seed=seed,
    )


async def answers(folder, requests, *, concurrency):
    """Return the answers, asked as the collector does: so many workers, one list."""
    pending = list(enumerate(requests))[::-1]
    answered = {}
    async with LocalModel(folder, name="hf:test", concurrency=concurrency) as model:

        async def work():
            while pending:
                place, each = pending.pop()
                answered[place] = await model.answer(each)

        await asyncio.gather(*(work() for _ in range(concurrency)))
    return [answered[place] for place in range(len(requests))]


def texts(answered):
    return [answer.text for answer in answered]


def loaded(folder):
    import transformers

    words = transformers.AutoTokenizer.from_pretrained(folder)
    return words, transformers.AutoModelForCausalLM.from_pretrained(folder)


async def test_greedy_answers_are_those_of_each_prompt_alone(babbling):
    requests = [request(number) for number in range(7)]
    together = await answers(babbling, requests, concurrency=7)
    alone = await answers(babbling, requests, concurrency=1)
    assert texts(together) == texts(alone)
    assert len(set(texts(alone))) > 3
    assert [answer.input_tokens for answer in together] == [answer.input_tokens for answer in alone]
    assert [answer.chunk["size"] for answer in together] == [7] * 7
    assert {answer.chunk["seed"] for answer in together} == {None}


async def test_greedy_answers_are_those_of_transformers_without_us(babbling):
    words, model = loaded(babbling)
    answered = await answers(babbling, [request(number) for number in range(4)], concurrency=4)
    for number, answer in enumerate(answered):
        prompt = words(request(number).messages[0]["content"], return_tensors="pt")["input_ids"]
        output = model.generate(prompt, do_sample=False, max_new_tokens=24, pad_token_id=0)[0, prompt.shape[1] :]
        assert answer.text == words.decode(output, skip_special_tokens=True)
        assert answer.input_tokens == prompt.shape[1]
        assert answer.output_tokens == len(output)


async def test_the_same_requests_are_sampled_alike_and_other_seeds_otherwise(babbling):
    requests = [request(number, generation=SAMPLED) for number in range(8)]
    first = await answers(babbling, requests, concurrency=4)
    second = await answers(babbling, requests, concurrency=4)
    other = await answers(babbling, [replace(each, seed=1) for each in requests], concurrency=4)
    assert first == second
    assert not set(texts(first)) & set(texts(other))


async def test_a_recorded_chunk_can_be_sampled_again_with_transformers_alone(babbling):
    import torch

    requests = [request(number, generation=replace(SAMPLED, top_p=0.9)) for number in range(8)]
    answered = await answers(babbling, requests, concurrency=4)
    recorded = answered[4].chunk
    assert [answer.chunk["id"] == recorded["id"] for answer in answered] == [False] * 4 + [True] * 4
    assert [answer.chunk["place"] for answer in answered] == [0, 1, 2, 3] * 2
    words, model = loaded(babbling)
    prompts = [each.messages[0]["content"] for each in requests[4:]]
    words.pad_token = words.eos_token
    padded = words(prompts, padding=True, padding_side="left", return_tensors="pt")
    torch.manual_seed(recorded["seed"])
    output = model.generate(
        padded["input_ids"],
        attention_mask=padded["attention_mask"],
        do_sample=True,
        temperature=1.0,
        top_p=0.9,
        top_k=0,
        max_new_tokens=24,
        pad_token_id=words.eos_token_id,
    )
    ends = words.eos_token_id
    new = output[:, padded["input_ids"].shape[1] :].tolist()
    rows = [row[: row.index(ends)] if ends in row else row for row in new]
    assert texts(answered)[4:] == [words.decode(row, skip_special_tokens=True) for row in rows]


async def test_the_last_chunk_is_asked_though_it_is_not_full(babbling):
    answered = await answers(babbling, [request(number) for number in range(10)], concurrency=4)
    assert [answer.chunk["size"] for answer in answered] == [4] * 8 + [2] * 2


async def test_requests_with_other_parameters_are_not_sampled_together(babbling):
    requests = [request(0), request(1, generation=SAMPLED), request(2), request(3, generation=SAMPLED)]
    answered = await answers(babbling, requests, concurrency=4)
    assert [answer.chunk["size"] for answer in answered] == [2] * 4
    assert [answer.chunk["seed"] is None for answer in answered] == [True, False, True, False]


async def test_sampling_leaves_torch_s_generator_as_it_was(babbling):
    import torch

    torch.manual_seed(7)
    expected = torch.rand(1)
    torch.manual_seed(7)
    await answers(babbling, [request(0, generation=SAMPLED)], concurrency=1)
    assert torch.rand(1) == expected


async def test_an_answer_that_ends_by_itself_is_told_from_one_that_is_cut(deciding):
    ended = (await answers(deciding, [request(1)], concurrency=1))[0]
    assert ended.finish_reason == "stop"
    assert ended.output_tokens == 2  # the phrase, and the token that ends it
    assert ended.text in {"You have been selected", "We regret to inform you"}
    cut = (await answers(deciding, [request(1, generation=Generation(temperature=0, max_tokens=1))], concurrency=1))[0]
    assert (cut.finish_reason, cut.output_tokens, cut.text) == ("length", 1, ended.text)


async def test_rows_that_end_early_keep_nothing_of_the_padding(babbling):
    requests = [request(number, generation=replace(SAMPLED, max_tokens=200)) for number in range(12)]
    answered = await answers(babbling, requests, concurrency=12)
    ended = [answer for answer in answered if answer.finish_reason == "stop"]
    assert ended
    assert len({answer.output_tokens for answer in answered}) >= 3
    assert all("</s>" not in answer.text for answer in answered)


async def test_prompts_are_laid_out_in_the_chat_template(deciding, babbling):
    words, _ = loaded(deciding)
    plain = len(words("Hello")["input_ids"])
    assert (await answers(deciding, [request(0, "Hello")], concurrency=1))[0].input_tokens == plain + 2
    assert (await answers(babbling, [request(0, "Hello")], concurrency=1))[0].input_tokens == plain


async def test_a_folder_s_own_decoding_parameters_hold_where_none_is_given(babbling, tmp_path):
    folder = shutil.copytree(babbling, tmp_path / "sampling")
    stated = {"do_sample": True, "temperature": 0.7, "top_k": 1, "eos_token_id": 1}
    (folder / "generation_config.json").write_text(json.dumps(stated))
    unset = [request(number, generation=Generation(max_tokens=24)) for number in range(3)]
    answered = await answers(folder, unset, concurrency=3)
    assert answered[0].chunk["seed"] == chunk_seed(unset)
    # The likeliest of one token is the likeliest.
    assert texts(answered) == texts(await answers(babbling, unset, concurrency=3))
    assert (await answers(folder, [request(0)], concurrency=1))[0].chunk["seed"] is None


async def test_prompts_near_the_end_of_the_context_do_not_shorten_others(tiny, tmp_path):
    words = tiny.tokenizer()
    tiny.save(tiny.babbling_llama(context=64), words, tmp_path)
    prompts = ["to the nurse", "z" * 60, "z" * 64, "z" * 100]
    assert [len(words(prompt)["input_ids"]) for prompt in prompts[1:]] == [60, 64, 100]
    requests = [request(number, prompt) for number, prompt in enumerate(prompts)]
    answered = await answers(tmp_path, requests, concurrency=4)
    assert answered[0].text == (await answers(tmp_path, requests[:1], concurrency=1))[0].text
    assert answered[1].output_tokens <= 4
    assert [answer.error_class for answer in answered] == [None, None, "rejected", "rejected"]


async def test_the_returned_model_names_the_weights(babbling, tiny, tmp_path):
    tiny.save(tiny.babbling_llama(seed=1), tiny.tokenizer(), tmp_path / "other")
    shutil.copytree(babbling, tmp_path / "copy")
    names = [
        (await answers(folder, [request(0)], concurrency=1))[0].returned_model
        for folder in (babbling, tmp_path / "copy", tmp_path / "other")
    ]
    assert names[0] == names[1] != names[2]
    assert names[0].startswith("LlamaForCausalLM sha256:")


@pytest.mark.parametrize("name", ["frequency_penalty", "presence_penalty"])
async def test_penalties_are_refused_rather_than_ignored(babbling, name):
    with pytest.raises(InputError, match=f"doesn't support {name.replace('_', ' ')}"):
        await answers(babbling, [request(0, generation=Generation(**{name: 0.5}))], concurrency=1)


async def test_a_folder_that_lacks_weights_is_refused_rather_than_filled_at_random(babbling, tmp_path):
    from safetensors.torch import load_file, save_file

    folder = shutil.copytree(babbling, tmp_path / "partial")
    weights = load_file(folder / "model.safetensors")
    del weights["model.layers.0.mlp.up_proj.weight"]
    save_file(weights, folder / "model.safetensors", metadata={"format": "pt"})
    with pytest.raises(InputError, match=r"lacks 1 of the model's weights, such as model\.layers\.0\.mlp\.up"):
        await answers(folder, [request(0)], concurrency=1)


@pytest.mark.parametrize(
    ("file", "content"),
    [
        ("config.json", "{}"),
        ("config.json", "not json"),
        ("tokenizer.json", "{}"),
        ("model.safetensors", "not weights"),
        ("config.json", '{"model_type": "t5", "architectures": ["T5ForConditionalGeneration"]}'),
    ],
)
async def test_a_damaged_folder_is_one_line(babbling, tmp_path, file, content):
    folder = shutil.copytree(babbling, tmp_path / "damaged")
    (folder / file).write_text(content)
    with pytest.raises(InputError) as raised:
        await answers(folder, [request(0), request(1)], concurrency=2)
    assert "\n" not in str(raised.value)
    assert "damaged holds no model that transformers can read" in str(raised.value)


def test_generation_ends_with_the_token_at_which_a_stop_is_seen(babbling):
    weights, stop = load_weights(babbling), threading.Event()
    messages = [request(number).messages for number in range(2)]
    whole = weights.generate(messages, generation=GREEDY, seed=0, stop=stop)
    stop.set()
    stopped = weights.generate(messages, generation=GREEDY, seed=0, stop=stop)
    assert [answer.output_tokens for answer in stopped] == [1, 1]
    assert all(answer.output_tokens > 1 for answer in whole)


def test_an_open_model_has_a_name_and_is_no_simulation(babbling):
    model = open_local(str(babbling), name=f"hf:{babbling}", concurrency=2)
    assert (model.name, model.simulated) == (f"hf:{babbling}", False)
