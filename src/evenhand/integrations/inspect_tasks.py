"""The probes as inspect_ai tasks: `inspect eval evenhand/hiring_an --model openai/NAME`.

The solver sends each prompt once, with the seed that `evenhand probe` sends. The scorer reads one
answer with the probe's reader. The metric computes all findings from all answers at once.
"""

import inspect
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from pkgutil import resolve_name
from typing import Any, Final

import numpy as np
import orjson
import polars as pl
from inspect_ai import Epochs, Task, task
from inspect_ai._util.error import PrerequisiteError
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.model import ContentText, GenerateConfig, ModelOutput
from inspect_ai.scorer import Metric, SampleScore, Score, Scorer, Target, Value, metric, scorer
from inspect_ai.solver import Generate, Solver, TaskState, solver
from numpy.typing import NDArray

from evenhand.analyses.sample import chosen_design, chosen_sample
from evenhand.comparisons.documents import word_findings, word_table
from evenhand.comparisons.measure import measure_outcomes
from evenhand.errors import InputError
from evenhand.models.model import Generation
from evenhand.models.order import OrderedPrompts, planned
from evenhand.options import declared
from evenhand.probes import PROBES
from evenhand.probes.probe import Design, Probe, shuffled_indices
from evenhand.results.finding import Finding
from evenhand.results.measures import UNDETECTED_ATTEMPTS, UNDETECTED_ITEMS, MeasureSet
from evenhand.results.schemas import ANSWERS, PROTECTED

#: Key of a sample's metadata: the prompt's place in the order of sending, from 0.
PLACE = "place"


def json_settings(probe: str, settings: Mapping[str, Any]) -> dict[str, Any]:
    """Return the settings that were given, as JSON values.

    Files are text, and so is what a command line may read as numbers or lists where text is meant.

    >>> json_settings("an2024", {"roles": 7, "seeds": [1, 42], "labels": None})
    {'roles': '7', 'seeds': '1,42'}
    """
    texts = [option.name for option in declared(PROBES[probe].settings) if option.kind in {str, Path}]
    return {
        name: _text(value) if name in texts else value
        for name, value in settings.items()
        if value is not None and value is not False
    }


def _text(value: Any) -> str:
    several = isinstance(value, Iterable) and not isinstance(value, str)
    return ",".join(map(str, value)) if several else str(value)


def configured_probe(name: str, settings: Mapping[str, Any]) -> Probe:
    """Return the probe with these settings.

    Raises
    ------
    InputError
        The probe refuses a value.

    """
    return _configured(name, orjson.dumps(json_settings(name, settings), option=orjson.OPT_SORT_KEYS))


@cache
def _configured(name: str, settings: bytes) -> Probe:
    # Scorer and metric are made with the same settings again and again; a corpus is read once.
    probe = PROBES[name]
    options = {option.name: option for option in declared(probe.settings)}
    values = orjson.loads(settings)
    return probe.with_settings({key: options[key].value(value, named=key) for key, value in values.items()})


#: Key of a sample's metadata: its own seed, in designs that send one prompt with several.
SEED = "seed"


@solver
def ask(seed: int = 0) -> Solver:
    """Return a solver that sends the prompt with a seed: the sample's own or `seed`, plus the epoch from 0."""

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        sample_seed = state.metadata.get(SEED)
        return await generate(state, seed=(seed if sample_seed is None else sample_seed) + state.epoch - 1)

    return solve


#: What `show` takes: the findings that answer the probe's question, or every one.
SHOW_OPTIONS = ("main", "all")


@metric(scores="unreduced")
def findings(
    probe: str,
    design: str | None = None,
    seed: int = 0,
    show: str = "main",
    settings: dict[str, Any] | None = None,
) -> Metric:
    """Return a metric whose values are the findings that `evenhand probe` gets from the same answers.

    `seed` is that of the draw; it fixes resamples and permutations too. Findings that are null are left out.
    """
    if show not in SHOW_OPTIONS:
        raise InputError(f"show is {show!r}; expected one of {', '.join(SHOW_OPTIONS)}.")

    def compute(scores: list[SampleScore]) -> Value:
        if not scores:
            return {}
        configured = configured_probe(probe, settings or {})
        layout = chosen_design(configured, design)
        answers = _in_sending_order([_answer(score) for score in scores], seed=seed)
        results = measured_answers(configured, joined(answers, layout), seed=seed)
        return dict(values(results if show == "all" else main_findings(results, configured)))

    return compute


def joined(answers: list[dict[str, Any]], design: Design) -> pl.DataFrame:
    """Return answers with their stimuli, as the probe's reader takes them."""
    columns = {name: dtype for name, dtype in ANSWERS.items() if name in {*answers[0], "time"}}
    frame = pl.DataFrame([{**row, "time": None} for row in answers], schema=columns)
    stimuli = design.stimuli(np.asarray(frame["index"], dtype=np.int64)).drop("index")
    return pl.concat([frame, stimuli], how="horizontal")


def measured_answers(probe: Probe, answers: pl.DataFrame, *, seed: int) -> list[Finding]:
    """Return all findings of answers joined with their stimuli, in the order of findings.json."""
    read = probe.read(answers)
    outcomes = read.outcomes.lazy()
    results = measure_outcomes(outcomes, probe.measured, seed=seed)
    if read.words is not None:
        table = word_table(outcomes, read.words.lazy(), probe.measured, seed=seed)
        results += [] if table is None else word_findings(table)
    return results


def main_findings(results: Iterable[Finding], probe: Probe) -> list[Finding]:
    """Return the planned findings, the card's measures over all answers, and the rates of unreadable answers."""
    measured = probe.measured
    overall = {*(measure.name for measure in measured.measures), measured.rate, UNDETECTED_ATTEMPTS, UNDETECTED_ITEMS}
    return [row for row in results if row.role == "planned" or row.name in overall]


def values(results: Iterable[Finding]) -> Mapping[str, float]:
    """Return estimates and limits of intervals by the finding's name, planned ones first; null ones are left out."""
    numbers: dict[str, float] = {}
    for row in sorted(results, key=lambda row: row.role != "planned"):
        interval = {row.name: row.estimate, f"{row.name}_low": row.low, f"{row.name}_high": row.high}
        if row.estimate is not None:
            numbers |= {name: value for name, value in interval.items() if value is not None}
    return numbers


def _answer(score: SampleScore) -> dict[str, Any]:
    metadata = score.score.metadata or {}
    names = ("index", "attempt", "sent_order", "finish_reason", "error_class")
    return {**{name: metadata[name] for name in names}, "text": score.score.answer}


def _in_sending_order(answers: list[dict[str, Any]], *, seed: int) -> list[dict[str, Any]]:
    """Return answers in the order in which `evenhand probe` sends their prompts.

    Resamples are drawn from rows in this order. `sent_order` comes in as the prompt's
    place among the prompts and goes out as the attempt's place among the attempts.
    """
    attempts = planned(
        np.arange(max(row["sent_order"] for row in answers) + 1),
        stimuli=lambda places: pl.DataFrame({"prompt": [""] * len(places)}),
        asked=OrderedPrompts(probe="", version="", model="", generation=Generation(), seed=None),
        order_seed=seed,
        repetitions=max(row["attempt"] for row in answers) + 1,
    )
    place = {(attempt.index, attempt.request.attempt): attempt.sent_order for chunk in attempts for attempt in chunk}
    placed = [{**row, "sent_order": place[row["sent_order"], row["attempt"]]} for row in answers]
    return sorted(placed, key=lambda row: row["sent_order"])


#: Our names of why an answer ended, by inspect's.
_FINISH = {"stop": "stop", "max_tokens": "length", "model_length": "length", "unknown": None}


@scorer(metrics=[])
def reading(probe: str, design: str | None = None, settings: dict[str, Any] | None = None) -> Scorer:
    """Return a scorer whose value is what was read: accepted, rejected, a group, or why nothing was.

    The score's answer is the whole text: the metric reads it again, all answers together.
    """
    configured = configured_probe(probe, settings or {})
    layout = chosen_design(configured, design)

    async def score(state: TaskState, target: Target) -> Score:
        del target  # no answer is the right one
        text = state.output.completion if state.output.choices else None
        answer: dict[str, Any] = {
            "index": int(state.sample_id),
            "attempt": state.epoch - 1,
            "sent_order": state.metadata[PLACE],
            "text": text,
            "finish_reason": _finish_reason(state.output),
            "error_class": "error" if state.output.error and not text else None,
        }
        frame = joined([answer], layout)
        rows = configured.read(frame).outcomes.to_dicts()
        result = score_of(rows, configured.measured, text=text)
        metadata = {name: value for name, value in answer.items() if name != "text"}
        result.metadata = {**metadata, **(result.metadata or {})}
        return result

    return score


def score_of(rows: list[dict[str, Any]], measured: MeasureSet, *, text: str | None) -> Score:
    """Return the score of one attempt from its rows of outcomes."""
    status, rule = rows[0]["status"], rows[0]["reading"]
    value = ScoreValue(value=status)
    if status == "observed":
        value = resolve_name(measured.judgement.value)(rows)
    return Score(value=value.value, answer=text, explanation=rule, metadata={"status": status, **value.details})


@dataclass(frozen=True, kw_only=True)
class ScoreValue:
    """The value of a score, and additional metadata."""

    value: str
    details: Mapping[str, Any] = field(default_factory=dict)


def decided(rows: list[dict[str, Any]]) -> ScoreValue:
    """Return a decision about one person."""
    return ScoreValue(value="accepted" if rows[0]["successes"] else "rejected")


def scored(rows: list[dict[str, Any]]) -> ScoreValue:
    """Return the score of one person."""
    return ScoreValue(value=f"{rows[0]['score']:g}", details={"score": rows[0]["score"]})


def ranked_first(rows: list[dict[str, Any]]) -> ScoreValue:
    """Return the groups of who came first, and the ranking."""
    ranked = sorted((row for row in rows if row["rank"] is not None), key=lambda row: row["rank"])
    value = _groups(ranked[0]) if ranked else str(rows[0]["status"])
    return ScoreValue(value=value, details={"ranking": [row["context.name"] for row in ranked]})


def counted(rows: list[dict[str, Any]]) -> ScoreValue:
    """Return that a document was read, and how many of its terms each aspect has."""
    counts = {row["aspect"]: [row["successes"], row["trials"]] for row in rows}
    return ScoreValue(value=str(rows[0]["status"]), details={"counts": counts})


def _groups(row: Mapping[str, Any]) -> str:
    """Return the groups of a person as one text."""
    groups = {name.removeprefix(PROTECTED): value for name, value in row.items() if name.startswith(PROTECTED)}
    return " ".join(str(groups[name]) for name in sorted(groups, reverse=True) if groups[name] is not None)


def _finish_reason(output: ModelOutput) -> str | None:
    if not output.choices:
        return None
    content = output.message.content
    if not isinstance(content, str) and any(isinstance(part, ContentText) and part.refusal for part in content):
        return "refusal"
    return _FINISH.get(output.stop_reason, output.stop_reason)


#: Stimuli that are built at a time.
_PIECE = 2_000
#: Of a stimulus, what no sample repeats in its metadata: its place, and the prompt, which is its input.
_NO_FACTORS = ("index", "prompt")


@dataclass(frozen=True, kw_only=True)
class _Common:
    """The parameters that all tasks take; `show` is `main` or `all` findings."""

    sample: int | None = None
    seed: int = 0
    design: str | None = None
    repetitions: int = 1
    show: str = "main"


def _task_of(name: str) -> Callable[..., Task]:
    """Return the task of a probe: it takes what all tasks take, and the probe's own settings."""
    common = inspect.signature(_Common).parameters
    defaults = {option.name: option.default for option in declared(PROBES[name].settings)}
    defaults |= {"preset": None} if PROBES[name].presets else {}
    settings = [
        inspect.Parameter(option, inspect.Parameter.KEYWORD_ONLY, default=value) for option, value in defaults.items()
    ]
    signature = inspect.Signature([*common.values(), *settings], return_annotation=Task)

    def probe_task(**parameters: Any) -> Task:
        bound = signature.bind(**parameters).arguments
        preset = bound.pop("preset", None)
        of_all = _Common(**{parameter: bound.pop(parameter) for parameter in common if parameter in bound})
        try:
            return _task(name, of_all, bound, preset=preset)
        except InputError as error:
            raise PrerequisiteError(str(error)) from error

    probe_task.__name__, probe_task.__doc__ = name.replace("-", "_"), _task_description(PROBES[name])
    probe_task.__signature__ = signature  # type: ignore[attr-defined]
    return task(probe_task)


def _task_description(probe: Probe) -> str:
    sample = "all" if probe.default_sample is None else f"{probe.default_sample:,}"
    designs = " or ".join(f"`{design}`" for design in probe.designs)
    lines = [
        f"Ask {probe.name}: {probe.question}",
        "",
        f"`sample` prompts are drawn by `seed` (default: {sample}) in the design {designs},",
        "each asked `repetitions` times. `show` is `main` or `all` findings.",
    ]
    if probe.presets:
        lines.append(f"`preset` gives decoding parameters of the study: {', '.join(probe.presets)}.")
    return "\n".join(lines)


#: The task of every probe, by the probe's name; not of those whose prompts follow from earlier answers.
TASKS: Final[Mapping[str, Callable[..., Task]]] = {
    name: _task_of(name) for name, probe in PROBES.items() if probe.measured.steps is None
}


def _task(name: str, common: _Common, settings: Mapping[str, Any], *, preset: str | None) -> Task:
    """Return the task of a probe.

    Raises
    ------
    InputError
        A parameter can't be used.

    """
    settings = json_settings(name, settings)
    probe = configured_probe(name, settings)
    layout = chosen_design(probe, common.design)
    size = chosen_sample(probe, layout, common.sample)
    indices = shuffled_indices(layout.size, size, seed=common.seed, block=layout.block)
    if common.repetitions < 1:
        raise InputError(f"repetitions is {common.repetitions}; expected a number from 1.")
    if preset is not None and preset not in probe.presets:
        raise InputError(f"preset {preset!r} is unknown to {name}; its presets: {', '.join(probe.presets)}.")
    decoding: Mapping[str, Any] = probe.presets[preset] if preset is not None else {}
    starts = range(0, len(indices), _PIECE)
    drawn = [sample for start in starts for sample in samples(layout, indices[start : start + _PIECE], first=start)]
    return Task(
        dataset=MemoryDataset(drawn, name=name, location=f"evenhand/{name}"),
        solver=ask(seed=common.seed),
        scorer=reading(probe=name, design=layout.name, settings=settings),
        metrics=[
            findings(probe=name, design=layout.name, seed=common.seed, show=common.show, settings=settings),
        ],
        epochs=Epochs(common.repetitions),
        config=GenerateConfig(**decoding),
        version=probe.version,
        metadata={"question": probe.question, "design": layout.note, "prompts": layout.size, "limits": probe.limits},
    )


def samples(design: Design, indices: NDArray[np.int64], *, first: int) -> list[Sample]:
    """Return the prompts at `indices` as samples; the id is the index, `first` the place of the first.

    The metadata holds the place and the factors.
    """
    rows = design.stimuli(indices).iter_rows(named=True)
    return [
        Sample(
            id=index,
            input=row["prompt"],
            metadata={PLACE: place}
            | {name: value for name, value in row.items() if name not in _NO_FACTORS and value is not None},
        )
        for place, (index, row) in enumerate(zip(indices.tolist(), rows, strict=True), start=first)
    ]
