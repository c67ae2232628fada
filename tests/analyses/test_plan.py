"""Plans against closed forms, simulated runs and the prompts that are really sent."""

from math import sqrt

import numpy as np
import orjson
import polars as pl
import pytest

from evenhand.analyses.options.probes import PlanOptions, ProbeOptions, SuiteOptions
from evenhand.analyses.plan import AT_MOST, make_plan
from evenhand.analyses.probes import run_audit, run_probe
from evenhand.errors import InputError
from evenhand.models.model import Generation
from evenhand.probes import PROBES
from evenhand.probes.probe import shuffled_indices

# Two-sided 5 %, 80 % power: the normal quantiles .975 and .8.
Z = 1.959964 + 0.841621

PRICES = 'currency = "USD"\n[models."gpt-x"]\ninput = 2\noutput = 8\nbatch_discount = 0.5\n'


def plan(name, **options):
    return make_plan(name, PlanOptions(model="openai:gpt-x", **options)).content


@pytest.fixture
def prices(tmp_path):
    path = tmp_path / "prices.toml"
    path.write_text(PRICES, encoding="utf-8")
    return path


@pytest.mark.parametrize(
    ("name", "options", "requests"),
    [
        ("hiring-an", {}, 10_000),
        ("hiring-an", {"sample": 50, "repetitions": 3}, 150),
        ("hiring-an", {"everything": True}, 5_424_000),
        ("hiring-an", {"sample": 400, "design": "matched"}, 400),
        ("hiring-bloomberg", {"settings": {"num_reorders": 25}}, 800),
        ("an2024", {"settings": {"roles": "7", "seeds": "1"}, "everything": True}, 42_000),
    ],
)
def test_requests_are_prompts_times_repetitions(name, options, requests):
    assert plan(name, **options)["requests"] == requests


@pytest.mark.parametrize("name", [name for name, probe in PROBES.items() if probe.measured.steps is None])
def test_input_tokens_come_from_the_prompts_that_are_asked(name):
    probe = PROBES[name]
    design = next(iter(probe.designs.values()))
    indices = shuffled_indices(design.size, 304, seed=4, block=design.block)
    prompts = design.stimuli(indices)["prompt"].to_list()
    expected = sum(8 + len(prompt) / 4.5 for prompt in prompts)
    assert plan(name, sample=304, seed=4)["input_tokens"] == pytest.approx(expected, abs=1)
    # A larger sample is reckoned from its first thousand prompts.
    assert plan(name, sample=2000, seed=4)["input_tokens"] == pytest.approx(expected * 2000 / 304, rel=0.05)


def test_output_tokens_are_bounded_by_max_tokens_and_else_typical():
    bounded = plan("hiring-an", sample=100, generation=Generation(max_tokens=300))
    assert (bounded["output_tokens"], bounded["output_tokens_basis"]) == (30_000, AT_MOST)
    typical = plan("hiring-an", sample=100)
    # Simulated e-mails have about a hundred tokens.
    assert 8_000 < typical["output_tokens"] < 13_000
    assert typical["output_tokens"] == typical["typical_output_tokens"] == bounded["typical_output_tokens"]
    assert "several times" in typical["output_tokens_basis"]


def test_cost_is_tokens_times_prices_and_batches_take_the_discount_off(prices):
    asked = {"sample": 100, "generation": Generation(max_tokens=100), "prices": prices}
    found = plan("hiring-an", **asked)
    assert found["cost"] == pytest.approx((found["input_tokens"] * 2 + 10_000 * 8) / 1e6, rel=1e-4)
    assert (found["currency"], found["cost_reason"]) == ("USD", None)
    assert plan("hiring-an", **asked, batch=True)["cost"] == pytest.approx(found["cost"] / 2)


def test_an_unknown_price_is_said(prices):
    found = plan("hiring-an", sample=100)
    assert found["cost"] is None
    assert "--prices" in found["cost_reason"]
    other = make_plan("hiring-an", PlanOptions(model="openai:gpt-y", sample=100, prices=prices)).content
    assert other["cost"] is None
    assert "no price for openai:gpt-y" in other["cost_reason"]
    simulated = make_plan("hiring-an", PlanOptions(model="sim:unbiased", sample=100)).content
    assert "simulated" in simulated["cost_reason"]


@pytest.mark.parametrize(
    ("name", "measure", "sample", "effect"),
    [
        # Two groups of half the sample.
        ("hiring-an", "diff_acceptance_rate", 10_000, Z * sqrt(0.25 * 4 / 10_000)),
        # Items of two prompts, each won by a man half of the time; the mean over four roles.
        ("hiring-bloomberg", "masculine_rate", 8_000, Z * sqrt(0.125 / 4_000)),
        # Two roles less two roles, each a mean of half weight.
        ("hiring-bloomberg", "stereotype_rate", 8_000, Z * sqrt(4 * 0.25 * 0.125 / 1_000)),
        # One of six groups against all, at .05/6: z is 2.6383 in place of 1.9600.
        ("an2024", "acceptance_vs_population", 24_600, (2.6383 + 0.8416) * sqrt(0.25 * (1 / 4_100 - 1 / 24_600))),
    ],
)
def test_smallest_effects_agree_with_closed_forms(name, measure, sample, effect):
    found = plan(name, sample=sample)["detectable_effect"][measure]
    assert found["effect"] == pytest.approx(effect, rel=0.05)


def test_the_smallest_slope_agrees_with_least_squares():
    design = PROBES["hiring-an"].designs["card"]
    x = design.stimuli(shuffled_indices(design.size, 4_000, seed=0))["masculinity"].to_numpy()
    # SE of a slope: sd(y) / (sd(x) sqrt(n)), for two groups of half the sample each.
    error = sqrt(2 * 0.25 / (2_000 * np.var(x)))
    found = plan("hiring-an", sample=4_000)["detectable_effect"]["diff_regression"]
    assert found["effect"] == pytest.approx(Z * error, rel=0.1)


@pytest.mark.parametrize(
    ("name", "sample", "measures"),
    [
        ("hiring-an", 1_000, ["diff_acceptance_rate", "diff_regression"]),
        ("hiring-bloomberg", 800, ["masculine_rate", "stereotype_rate"]),
        ("business-vocabulary", 600, ["mean_diff"]),
    ],
)
def test_standard_errors_are_those_of_an_unbiased_run_of_that_size(tmp_path, name, sample, measures):
    options = ProbeOptions(model="sim:unbiased", sample=sample, seed=7, out=tmp_path / "run", report=False)
    run = run_probe(name, options, notice=lambda _: None)
    planned = plan(name, sample=sample, seed=1)["detectable_effect"]
    for measure in measures:
        row = run.finding(measure)
        # The bootstrap's own error: 1,000 resamples, and answers of another seed.
        assert planned[measure]["standard_error"] == pytest.approx((row.high - row.low) / 3.92, rel=0.15)


def test_the_smallest_effect_shrinks_with_the_root_of_the_sample():
    small, large = (plan("hiring-an", sample=n)["detectable_effect"] for n in (2_000, 8_000))
    for measure, effect in small.items():
        assert effect["effect"] == pytest.approx(2 * large[measure]["effect"], rel=1e-9)


def test_repetitions_count_as_independent_answers_but_not_at_temperature_zero():
    effects = [
        plan("hiring-an", sample=500, repetitions=r, generation=Generation(temperature=t))["detectable_effect"]
        for r, t in ((1, None), (4, None), (4, 0.0))
    ]
    once, four, alike = (each["diff_acceptance_rate"]["effect"] for each in effects)
    assert once == pytest.approx(2 * four)
    assert alike == once


@pytest.mark.parametrize("name", list(PROBES))
def test_what_is_too_small_has_no_effect_but_a_reason(name):
    block = next(iter(PROBES[name].designs.values())).block
    for effect in plan(name, sample=max(8, block))["detectable_effect"].values():
        assert effect["effect"] is None
        assert effect["reason"]


def test_a_suite_is_the_sum_of_its_probes(prices):
    whole = plan("standard", sample=200, prices=prices)
    parts = whole["probes"].values()
    assert list(whole["probes"]) == ["hiring-an", "hiring-bloomberg", "business-vocabulary", "resume-score"]
    for key in ("requests", "input_tokens", "output_tokens"):
        assert whole[key] == sum(part[key] for part in parts)
    assert whole["cost"] == pytest.approx(sum(part["cost"] for part in parts))
    assert set(whole["detectable_effect"]) >= {"diff_acceptance_rate", "masculine_rate", "mean_diff"}
    assert orjson.loads(make_plan("standard", PlanOptions(model="sim:unbiased", sample=8)).json)["kind"] == "suite"


def test_a_plan_and_its_run_agree_on_the_number_of_requests(tmp_path):
    run = run_audit(
        SuiteOptions(model="sim:unbiased", sample=21, repetitions=2, out=tmp_path / "run", report=False),
        notice=lambda _: None,
    )
    assert run.audit.requests == plan("standard", sample=21, repetitions=2)["requests"]
    assert pl.Series([each.audit.requests for each in run.runs.values()]).to_list() == [42, 40, 42, 32]


@pytest.mark.parametrize(
    ("name", "options", "said"),
    [
        ("hiring", {}, "Did you mean hiring-an"),
        ("standart", {}, "Did you mean standard"),
        ("hiring-an", {"model": "gpt-4o"}, "no scheme"),
        ("hiring-an", {"model": "sim:unbiasd"}, "expected one of unbiased, random"),
        ("hiring-an", {"settings": {"num_reorders": 5}}, "--num-reorders is not an option of plan hiring-an"),
        ("hiring-bloomberg", {"sample": 3}, "blocks of 2"),
        ("hiring-bloomberg", {"design": "matched"}, "expected one of card, extended"),
        ("standard", {"design": "mtched"}, "expected one of card, extended, matched"),
    ],
)
def test_what_cannot_be_planned_is_said(name, options, said):
    with pytest.raises(InputError, match=said):
        make_plan(name, PlanOptions(**{"model": "openai:m", **options}))


def test_the_text_says_what_is_estimated_and_what_is_unknown():
    made = make_plan("hiring-an", PlanOptions(model="openai:m", sample=100))
    text = " ".join(made.text.split())
    points = 100 * made.content["detectable_effect"]["diff_acceptance_rate"]["effect"]
    for part in ("estimate", "unknown", "No prices were given", "80 %", f"male − female ±{points:.1f}"):
        assert part in text
