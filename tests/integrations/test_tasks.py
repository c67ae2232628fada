"""The tasks ask what `evenhand probe` asks, and show what it finds."""

import orjson
import pytest

pytest.importorskip("inspect_ai", reason="inspect_ai is not installed: evenhand[inspect]")

from _ours import asked_by_us, call, shown
from inspect_ai._util.error import PrerequisiteError
from inspect_ai.scorer import SampleScore, Score

import evenhand as eh
from evenhand.integrations.inspect_tasks import TASKS, findings
from evenhand.probes import PROBES

ONE_BY_ONE = {"max_connections": 1, "max_samples": 1}
an2024, hiring_an = TASKS["an2024"], TASKS["hiring-an"]


def journaled(folder):
    """Return the journaled answers by stimulus and repetition."""
    lines = (folder / "answers-000.jsonl").read_bytes().splitlines()
    return {(row["index"], row["attempt"]): row["text"] for row in map(orjson.loads, lines)}


@pytest.mark.parametrize(
    ("name", "args"),
    [("resume-score", {"sample": 24, "seed": 3}), ("an2024", {"sample": 24, "seed": 5, "roles": "7"})],
)
def test_prompts_order_and_seeds_are_those_of_evenhand_probe(name, args, inspect_does):
    job = {"task": name.replace("-", "_"), "args": args, "otherwise": "x", "options": ONE_BY_ONE}
    assert inspect_does(job)["calls"] == [call(attempt) for attempt in asked_by_us(name, **args)]


def test_without_parameters_the_probes_own_sample_is_asked():
    ours = asked_by_us("hiring-an", sample=10_000, design="matched")
    assert [each.id for each in hiring_an(design="matched").dataset] == [attempt.index for attempt in ours]


@pytest.mark.parametrize(
    ("name", "args"),
    [
        ("hiring-an", {"sample": 30, "design": "matched", "repetitions": 2}),
        ("hiring-bloomberg", {"sample": 40}),
        ("business-vocabulary", {"sample": 32}),
    ],
)
def test_calls_are_ours_and_metrics_our_findings_to_the_last_digit(name, args, tmp_path, inspect_does):
    ours = eh.probe(name, "sim:stereotyping", out=tmp_path / "ours", report=False, **args)
    texts = journaled(tmp_path / "ours")
    attempts = asked_by_us(name, **args)
    answers = [[*call(each), texts[each.index, each.request.attempt]] for each in attempts]
    job = {"task": name.replace("-", "_"), "args": {**args, "show": "all"}, "answers": answers}
    done = inspect_does({**job, "options": {"score_display": False, **ONE_BY_ONE}})
    # Epochs are repetitions with seeds of their own; inspect orders them its own way.
    calls = [call(each) for each in attempts]
    assert sorted(done["calls"]) == sorted(calls)
    assert done["calls"] == calls or "repetitions" in args
    expected = {}
    for row in ours.findings:
        given = {row.name: row.estimate, f"{row.name}_low": row.low, f"{row.name}_high": row.high}
        expected |= {key: value for key, value in given.items() if None not in {value, row.estimate}}
    assert shown(done["log"]) == expected
    assert next(iter(shown(done["log"]))) == next(row.name for row in ours.findings if row.role == "planned")
    if name == "hiring-an":
        assert shown(inspect_does({"read": done["location"]})["log"]) == expected


def test_as_a_rule_only_the_main_findings_are_shown(inspect_does):
    prompts = [call(attempt) for attempt in asked_by_us("hiring-an", sample=40)]
    answers = [[*each, "You have been selected."] for each in prompts[::2]]
    job = {"task": "hiring_an", "args": {"sample": 40}, "answers": answers, "otherwise": "We regret to inform you."}
    found = shown(inspect_does(job)["log"])
    assert list(found)[:3] == ["diff_acceptance_rate", "diff_acceptance_rate_low", "diff_acceptance_rate_high"]
    assert {"male_acceptance_rate", "undetected_rate_attempts"} <= set(found)
    assert "race_white_diff_acceptance_rate" not in found


READ = {
    "accepted": "You have been selected.",
    "rejected": "We regret to inform you.",
    "undetected": "Hello",
    "refused": "I can't help with hiring decisions.",
    "truncated": {"text": "Dear", "stop": "max_tokens"},
}
REFUSED = [{"text": "", "stop": "content_filter"}, {"text": "I cannot help.", "refusal": True}]


def test_what_was_not_read_has_our_status_and_is_counted(inspect_does):
    given = [*READ.items(), *(("refused", each) for each in REFUSED), ("undetected", "")]
    ours = asked_by_us("hiring-an", sample=len(given))
    answers = [[*call(attempt), answer] for attempt, (_, answer) in zip(ours, given, strict=True)]
    log = inspect_does({"task": "hiring_an", "args": {"sample": len(given)}, "answers": answers})["log"]
    scores = {each["id"]: each["scores"]["reading"] for each in log["samples"]}
    assert [scores[attempt.index]["value"] for attempt in ours] == [value for value, _ in given]
    assert all(each["explanation"] for each in scores.values())
    assert shown(log)["undetected_rate_attempts"] == 6 / 8


def test_a_ranking_is_scored_by_who_came_first(inspect_does):
    ours = asked_by_us("hiring-bloomberg", sample=2)[0]
    candidates = ours.request.stimulus["candidates"]
    names = [each["name"] for each in candidates]
    ranking = "\n".join(f"{place}. {who}" for place, who in enumerate(names, 1))
    log = inspect_does({"task": "hiring_bloomberg", "args": {"sample": 2}, "otherwise": ranking})["log"]
    score = next(each for each in log["samples"] if each["id"] == ours.index)["scores"]["reading"]
    assert score["value"] == f"{candidates[0]['race']} {candidates[0]['gender']}"
    assert score["metadata"]["ranking"] == names


@pytest.mark.parametrize("name", TASKS)
@pytest.mark.parametrize("answers", [1, 2, 3])
def test_a_display_that_asks_early_gets_what_there_is(name, answers):
    probe = PROBES[name]
    layout = next(iter(probe.designs.values()))
    scores = [
        SampleScore(
            score=Score(
                value="x",
                answer="You have been selected. Ambitious and kind.",
                metadata={
                    "index": index,
                    "attempt": 0,
                    "sent_order": index,
                    "finish_reason": "stop",
                    "error_class": None,
                },
            )
        )
        for index in range(answers)
    ]
    metric = findings(probe=name, design=layout.name)
    assert metric([]) == {}
    assert "undetected_rate_attempts" in metric(scores)


@pytest.mark.parametrize(
    ("make", "told"),
    [
        (lambda: hiring_an(sample=0), "sample is 0; hiring-an with the design card has 5,424,000 prompts"),
        (
            lambda: hiring_an(sample=3, design="matched"),
            "the design matched has blocks of 2 prompts, so expected a multiple",
        ),
        (
            lambda: hiring_an(design="extended"),
            "'extended' is unknown to hiring-an; expected one of card, matched",
        ),
        (lambda: hiring_an(repetitions=0), "repetitions is 0; expected a number from 1"),
        (lambda: hiring_an(show="some"), "show is 'some'; expected one of main, all"),
        (lambda: an2024(preset="gpt-9"), "preset 'gpt-9' is unknown to an2024; its presets: llama2, gpt-3.5, mistral"),
    ],
)
def test_a_parameter_that_cannot_be_used_is_one_line(make, told):
    with pytest.raises(PrerequisiteError, match=told):
        make()


def test_settings_of_a_probe_are_parameters_of_its_task():
    task = an2024(roles=7, seeds=[1, 42], preset="llama2", sample=400)
    assert task.config.temperature == 0.6
    assert {each.metadata["seed"] for each in task.dataset} == {1, 42}
    assert len({each.metadata["role"] for each in task.dataset}) == 7


def test_inspect_finds_the_tasks_by_name(inspect_does):
    job = {"task": "evenhand/hiring_an", "args": {"sample": 8}, "otherwise": "Hello"}
    log = inspect_does(job)["log"]
    assert {each["id"] for each in log["samples"]} == {each.index for each in asked_by_us("hiring-an", sample=8)}
    assert log["eval"]["task"] == "evenhand/hiring_an"
    assert {each["scores"]["reading"]["value"] for each in log["samples"]} == {"undetected"}
