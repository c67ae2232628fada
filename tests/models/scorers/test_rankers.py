"""Embeddings and rerankers against a server on this machine that answers in no order, and misbehaves."""

import asyncio
from itertools import product

import pytest

from evenhand.errors import InputError
from evenhand.models.model import Failure
from evenhand.models.rankers import EMBEDDINGS_FILE, open_served
from loopback_rankers import Ranker
from loopback_scorer import request

KEY = "sk-abcdefgh12345678"
POSITIONS = ("Bakes bread.", "Cares for patients.")
RESUMES = tuple(f"Résumé {number}" for number in range(40))


def cosine_of(resume, position):
    return round(int(resume.split()[-1]) / 100 + 0.3 * (position == POSITIONS[0]), 2)


def pairs():
    return [
        request(number, resume).stimulus | {"position_text": position}
        for number, (resume, position) in enumerate(product(RESUMES, POSITIONS))
    ]


def opened(spec, url, environ=None, **options):
    return open_served(spec, base_urls=(url,), environ=environ or {}, timeout=5.0, concurrency=2, **options)


async def scores(scorer, chosen=None):
    requests = [request(number) for number in range(len(RESUMES) * len(POSITIONS))]
    for made, stimulus in zip(requests, pairs(), strict=True):
        made.stimulus.update(stimulus)
    async with scorer:
        return await asyncio.gather(*map(scorer.answer, requests[slice(chosen)]), return_exceptions=True)


@pytest.mark.parametrize("spec", ["embedding:stub", "rerank:stub"])
async def test_each_pair_gets_its_score_from_answers_in_another_order(spec):
    async with Ranker(cosine_of, POSITIONS) as server:
        answers = await scores(opened(spec, server.url, {f"{'OPENAI' if 'emb' in spec else 'RERANK'}_API_KEY": KEY}))
    expected = [cosine_of(resume, position) for resume, position in product(RESUMES, POSITIONS)]
    assert [float(answer.text) for answer in answers] == pytest.approx(expected, abs=1e-12)
    assert max(server.sizes) <= 32
    assert server.headers[0]["Authorization"] == f"Bearer {KEY}"
    assert server.bodies[0]["model"] == "stub"
    if spec.startswith("embedding"):
        assert sorted(server.texts) == sorted((*RESUMES, *POSITIONS))
        assert sum(answer.input_tokens for answer in answers) == 10 * len(server.texts)
        assert {answer.returned_model for answer in answers} == {"stub-1", None}
    else:
        assert len(server.sizes) == 4
        assert all(body["top_n"] == len(body["documents"]) for body in server.bodies)
        assert {answer.input_tokens for answer in answers} == {None}


async def test_embeddings_are_kept_for_a_run_that_goes_on(tmp_path):
    async with Ranker(cosine_of, POSITIONS) as server:
        for chosen in (30, None):
            scorer = opened("embedding:stub", server.url)
            scorer.keep_in(tmp_path)
            answers = await scores(scorer, chosen)
            with (tmp_path / EMBEDDINGS_FILE).open("ab") as file:
                file.write(b'{"text": "torn')  # as a killed process leaves it
    assert sorted(server.texts) == sorted((*RESUMES, *POSITIONS))
    assert float(answers[-1].text) == pytest.approx(cosine_of(RESUMES[-1], POSITIONS[1]), abs=1e-12)
    scorer.forget()
    assert not list(tmp_path.iterdir())


WRONG = {
    "short": "sent {n} {what} for {m} texts; expected one for each",
    "long": "for 32 texts; expected one for each",
    "twice": "whose 'index' is missing or wrong; expected each of 0 to 31 once",
    "unnumbered": "whose 'index' is missing or wrong",
    "zero": "an embedding of zeros only, which has no direction",
    "nan": "a number that is not finite",
    "text": "not a list of numbers",
    "wider": "numbers; they share no space",
}


@pytest.mark.parametrize("spec", ["embedding:stub", "rerank:stub"])
@pytest.mark.parametrize("fault", WRONG)
async def test_an_answer_that_leaves_something_out_ends_the_run(spec, fault):
    async with Ranker(cosine_of, POSITIONS, faults=["ok"] if fault == "wider" else [], then=fault) as server:
        answers = await scores(opened(spec, server.url))
    failures = [answer for answer in answers if isinstance(answer, Failure)]
    told = WRONG[fault].format(n=31, m=32, what="embeddings" if spec.startswith("emb") else "results")
    if spec.startswith("rerank") and fault in {"zero", "nan", "text", "wider"}:
        told = "a relevance_score that is not a number"
    assert told in str(failures[0])
    assert {failure.kind for failure in failures} == {"fatal"}


@pytest.mark.parametrize("spec", ["embedding:stub", "rerank:stub"])
async def test_a_text_that_is_refused_takes_none_of_its_neighbours_along(spec):
    async with Ranker(cosine_of, POSITIONS, then="word:Résumé 7") as server:
        answers = await scores(opened(spec, server.url))
    failed = [number for number, answer in enumerate(answers) if isinstance(answer, Failure)]
    assert failed == [14, 15]
    assert {answers[number].error_class for number in failed} == {"rejected"}


@pytest.mark.parametrize(
    ("spec", "options", "told"),
    [
        ("rerank:stub", {"base_urls": ()}, "names no server; expected one --base-url"),
        ("embedding:stub", {"base_urls": ("http://127.0.0.1:1/v1", "http://127.0.0.1:2/v1")}, "has 2 servers"),
        ("embedding:stub", {"base_urls": ()}, "OPENAI_API_KEY is not set"),
        ("rerank:stub", {"base_urls": ("https://rank.example.org/v2",)}, "RERANK_API_KEY is not set"),
        (f"rerank:{KEY}", {"environ": {"RERANK_API_KEY": KEY}}, "RERANK_API_KEY is also in --scorer"),
    ],
)
def test_a_server_or_a_key_that_is_not_there_is_told_in_one_line(spec, options, told):
    given = {"base_urls": ("http://127.0.0.1:1/v1",), "environ": {}, "timeout": 1.0, "concurrency": 1} | options
    with pytest.raises(InputError, match=told) as error:
        open_served(spec, **given)
    assert "\n" not in str(error.value)
