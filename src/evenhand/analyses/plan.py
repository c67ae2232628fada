"""`evenhand plan`: requests, tokens, cost and minimum detectable effects."""

from collections.abc import Mapping
from dataclasses import dataclass, fields
from difflib import get_close_matches
from random import Random
from typing import Any

import polars as pl

from evenhand.analyses.asking import Priced, priced
from evenhand.analyses.open_model import open_model, refuse_unobeyed, split_spec
from evenhand.analyses.options.probes import SUITES, PlanOptions, ProbeOptions, configured, with_preset
from evenhand.analyses.probes import per_probe
from evenhand.analyses.sample import sample_size
from evenhand.comparisons.detectable import DetectableEffect, detectable_effects
from evenhand.errors import InputError
from evenhand.models.cost import CHARACTERS_PER_TOKEN, TOKENS_PER_MESSAGE, estimated_tokens, mean_prompt_tokens
from evenhand.probes import PROBES
from evenhand.probes.probe import Design, Probe, shuffled_indices
from evenhand.report.page.parts import Table, headings
from evenhand.results.finding import as_json, copied, omit_none
from evenhand.results.schemas import ANSWERS
from evenhand.results.terminal import CommandOutput, Screen

#: Prompts that a simulated model answers; the estimates follow from them.
PILOT = 1_000
#: Units of effects.
PERCENT, POINTS = "percentage points", "points of their range"

AT_MOST = "upper bound, from --max-tokens"
#: Commands that query models but have no plan, and why.
_UNPLANNED = {
    "perturb": "A perturbation test has no plan: evenhand perturb says how many scores it will request before it sends "
    "the first request, and --max-requests or --max-cost stops it."
}
TYPICAL = (
    "as long as simulated answers; real ones may be several times longer, and reasoning is not counted; --max-tokens "
    "makes them an upper bound"
)


@dataclass(frozen=True, kw_only=True)
class Plan:
    """The plan of a probe, or of a suite with those of its `probes`; fields in the order of the JSON."""

    schema: str = "evenhand.plan/1"
    kind: str
    probe: str | None = omit_none()
    suite: str | None = omit_none()
    design: str | None = omit_none()
    model: str
    sample: int | None = omit_none()
    population: int | None = omit_none()
    repetitions: int | None = omit_none()
    requests: int
    input_tokens: int
    output_tokens: int
    typical_output_tokens: int
    output_tokens_basis: str
    cost: float | None
    currency: str | None
    cost_reason: str | None
    detectable_effect: Mapping[str, DetectableEffect]
    assumptions: tuple[str, ...]
    probes: Mapping[str, "Plan"] | None = omit_none()

    @property
    def name(self) -> str:
        """Return the name of the probe or the suite."""
        return self.probe or self.suite or ""

    @property
    def parts(self) -> Mapping[str, "Plan"]:
        """Return the plan of each probe."""
        return self.probes or {self.name: self}


def make_plan(name: str, request: PlanOptions) -> CommandOutput:
    """Return the plan of a probe or a suite; no model is queried and no key is needed.

    Raises
    ------
    InputError
        There is no such probe or suite, or options or prices can't be used.

    """
    options = ProbeOptions(**{field.name: getattr(request, field.name) for field in fields(request)})
    if name not in SUITES:
        planned = _planned(_probe(name), options, priced(options.model, options.prices))
    else:
        price = priced(options.model, options.prices)
        each = per_probe(name, options)
        planned = _together(name, {probe: _planned(PROBES[probe], each[probe], price) for probe in each})
    return CommandOutput(content=as_json(planned), text=_text(planned))


def _together(suite: str, parts: Mapping[str, Plan]) -> Plan:
    plans = list(parts.values())
    costs = [part.cost for part in plans if part.cost is not None]
    numbers = ("requests", "input_tokens", "output_tokens", "typical_output_tokens")
    return Plan(
        kind="suite",
        suite=suite,
        **copied(plans[0], "model output_tokens_basis currency cost_reason"),
        **{name: sum(getattr(part, name) for part in plans) for name in numbers},
        cost=sum(costs) if len(costs) == len(plans) else None,
        detectable_effect={name: effect for part in plans for name, effect in part.detectable_effect.items()},
        assumptions=tuple(dict.fromkeys(line for part in plans for line in part.assumptions)),
        probes=parts,
    )


def _probe(name: str) -> Probe:
    if name in PROBES:
        return PROBES[name]
    if name in _UNPLANNED:
        raise InputError(_UNPLANNED[name])
    near = get_close_matches(name.replace("_", "-").lower(), [*PROBES, *SUITES], n=1, cutoff=0.5)
    hint = f" Did you mean {near[0]}?" if near else ""
    raise InputError(
        f"No probe or suite {name!r}; expected one of {', '.join(PROBES)}, or the suite {', '.join(SUITES)}.{hint}"
    )


def _planned(probe: Probe, options: ProbeOptions, price: Priced) -> Plan:
    probe = configured(probe, options.settings, command="plan")
    refuse_unobeyed(options.model, options.generation, options.settings)
    options = with_preset(probe, options)
    if split_spec(options.model)[0] == "sim":
        open_model(options.model, probe=probe, seed=options.seed, service=options)
    design, sample = sample_size(probe, options)
    few = min(sample, max(PILOT // design.block, 1) * design.block)
    answers = _pilot(probe, design, few, seed=options.seed)
    requests = sample * options.repetitions
    inputs = requests * mean_prompt_tokens(answers["prompt"].to_list())
    longest = options.generation.max_tokens
    typical = estimated_tokens(float(answers["text"].str.len_chars().mean() or 0.0))  # type: ignore[arg-type]
    answer = typical if longest is None else float(longest)
    outputs = requests * answer
    if design.rounds > 1:
        # In a later round the answers of all earlier ones stand in the prompt.
        inputs += requests * answer * float(answers["round"].mean() or 0.0)  # type: ignore[arg-type]
    cost = None if price.price is None else price.price.cost(inputs, outputs, batch=options.batch)
    # At temperature 0 a repetition repeats the answer, and adds nothing.
    repetitions = 1 if options.generation.temperature == 0 else options.repetitions
    effects = detectable_effects(
        probe.read(answers).outcomes.lazy(), probe.measured, pilot=few, planned=sample, repetitions=repetitions
    )
    return Plan(
        kind="probe",
        probe=probe.name,
        design=design.name,
        model=options.model,
        sample=sample,
        population=design.size,
        repetitions=options.repetitions,
        requests=requests,
        input_tokens=round(inputs),
        output_tokens=round(outputs),
        typical_output_tokens=round(requests * (typical if longest is None else min(typical, longest))),
        output_tokens_basis=TYPICAL if longest is None else AT_MOST,
        cost=cost,
        currency=None if price.price is None else price.price.currency,
        cost_reason=price.reason,
        detectable_effect=effects,
        assumptions=tuple(_assumptions(options, price, design)),
    )


def _pilot(probe: Probe, design: Design, few: int, *, seed: int) -> pl.DataFrame:
    """Return the first prompts of the sample with the answers of a simulated model without bias."""
    stimuli = design.stimuli(shuffled_indices(design.size, few, seed=seed, block=design.block))
    texts = [
        probe.respond(row, "unbiased", 1.0, Random(f"{seed}/{row['index']}/0"))  # noqa: S311 - no secrets here
        for row in stimuli.iter_rows(named=True)
    ]
    answered = {"text": pl.Series(texts, dtype=pl.String), "finish_reason": pl.lit("stop"), "attempt": pl.lit(0)}
    rest = {name: pl.lit(None) for name in ANSWERS if name not in answered and name not in stimuli.columns}
    columns = {**rest, **answered}
    return stimuli.with_columns(**{name: _typed(value, ANSWERS[name]) for name, value in columns.items()})


def _typed(value: Any, dtype: pl.DataType) -> pl.Expr:
    return (pl.lit(value) if isinstance(value, pl.Series) else value).cast(dtype)


def _assumptions(options: ProbeOptions, price: Priced, design: Design) -> list[str]:
    """Return the assumptions of the estimates, a sentence each."""
    lines = [
        f"Tokens are an estimate: one per {CHARACTERS_PER_TOKEN:g} characters of the prompts, and {TOKENS_PER_MESSAGE} "
        "for each message. On these prompts tokenizers of OpenAI, Anthropic and DeepSeek came within 15 % of that; "
        "others may need more. Retries are not counted.",
    ]
    if design.rounds > 1:
        lines.append(
            "Requests that follow from the model's own answers are counted for every pile, with the whole pile and all "
            "answers so far: an upper bound."
        )
    if price.price is not None and options.batch:
        discount = price.price.batch_discount
        lines.append(
            f"The batch discount of {100 * discount:.0f} % is taken off."
            if discount
            else "No batch_discount is in the prices, so --batch costs as much."
        )
    lines.append(
        "The minimum detectable effect has a statistical power of 80 % at a two-sided 5 %, by the 95 % confidence "
        "interval of the measure; for groups against all of them at 5 % divided by the number of groups. The estimate "
        "is taken as normal. Its standard error is that of a simulated unbiased model: every answer can be read, "
        "decisions are even, and names and occupations differ by little more than chance. Where they differ more, "
        "names are few, or answers can't be read, the effect is larger."
    )
    if options.repetitions > 1:
        lines.append(
            "At temperature 0 repetitions add no information."
            if options.generation.temperature == 0
            else "Repetitions are counted as independent answers; the more they agree, the less they add."
        )
    return lines


def _text(planned: Plan) -> str:
    screen = Screen()
    screen.say(f"{planned.name} · {planned.model}\n")
    screen.draw(_requests(planned))
    screen.say(f"\nOutput tokens: {planned.output_tokens_basis}.")
    if planned.cost is None:
        screen.say(f"The cost is unknown. {planned.cost_reason}")
    screen.say()
    screen.draw(_effects(planned.parts))
    for line in planned.assumptions:
        screen.say(f"\n{line}")
    return screen.text


def _requests(planned: Plan) -> Table:
    rows = [(name, *_numbers(part)) for name, part in planned.parts.items()]
    together = [("together", *_numbers(planned))] if len(rows) > 1 else []
    heads = ("Probe", "Requests", "Input tokens", "Output tokens", "Cost")
    return Table(caption="What would be sent", columns=headings(*heads), rows=[*rows, *together])


def _effects(parts: Mapping[str, Plan]) -> Table:
    """Return the minimum detectable effects, with the report's names and units of measures."""
    rows, lacking, units = [], False, dict[str, None]()
    for name, part in parts.items():
        probe = PROBES[name]
        for measure, effect in part.detectable_effect.items():
            wording = probe.wordings.get(measure)
            label = wording.heading if wording is not None else probe.labels.get(measure, measure)
            points = effect.measured_in == "points"
            units[POINTS if points else PERCENT] = None
            size = effect.effect
            text = "–" if size is None else f"±{size:.2f}" if points else f"±{100 * size:.1f}"
            null = f"{100 * effect.null_value:.1f} %" if effect.null_value else "0.0"
            lacking = lacking or effect.reason is not None
            rows.append((f"{probe.title}: {label}" if len(parts) > 1 else label, text, null, effect.reason or ""))
    columns = headings("Measure", "Effect", "Null value", "Note", words=["Note"])
    return Table(
        caption=f"Minimum detectable effect, in {', scores in '.join(units)}",
        columns=columns if lacking else columns[:-1],
        rows=rows if lacking else [row[:-1] for row in rows],
    )


def _numbers(part: Plan) -> list[str]:
    cost = "unknown" if part.cost is None else f"{part.cost:,.2f} {part.currency or ''}".strip()
    most = "≤ " if part.output_tokens_basis == AT_MOST else "~ "
    return [f"{part.requests:,}", f"~ {part.input_tokens:,}", f"{most}{part.output_tokens:,}", cost]
