"""A run of ours as a log of inspect_ai, for its viewer: some answers, and all findings."""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import timedelta
from hashlib import blake2b
from importlib.metadata import version
from pathlib import Path
from typing import Any

import polars as pl
from inspect_ai.log import (
    EvalConfig,
    EvalDataset,
    EvalError,
    EvalLog,
    EvalMetric,
    EvalResults,
    EvalSample,
    EvalScore,
    EvalSpec,
    EvalStats,
    write_eval_log,
)
from inspect_ai.model import (
    ChatCompletionChoice,
    ChatMessageAssistant,
    ChatMessageUser,
    GenerateConfig,
    ModelOutput,
    ModelUsage,
    StopReason,
)

from evenhand.errors import InputError
from evenhand.integrations.inspect._sampled import KEYS, STRATUM, attempts_of, drawn
from evenhand.integrations.inspect.run import FinishedRun
from evenhand.integrations.inspect.scorer import score_of
from evenhand.probes.shared.endings import is_cut, is_filtered
from evenhand.tables.audit.written import as_json
from evenhand.tables.schemas import ANSWERS

__all__ = ["Exported", "write_log"]

SCORER = "reading"
_GENERATION = ("temperature", "max_tokens", "top_p", "frequency_penalty", "presence_penalty", "seed")
#: Of a finding, what stands beside its estimate in the log.
_BESIDE = ("low", "high", "confidence", "unit", "n", "clusters", "method", "p_adjusted", "mark", "verdict")
#: Of the audit block, what the log says about the whole run.
_ABOUT = ("question", "success", "design_note", "simulated", "simulated_note", "returned_models", "statuses", "limits")
#: Of an answer, what the live scorer keeps beside a score too.
_KEPT = ("index", "attempt", "sent_order", "finish_reason", "error_class")
#: What is no factor of a prompt: the columns of its answer, and the prompt itself.
_NO_FACTORS = frozenset({*ANSWERS, "prompt"})


@dataclass(frozen=True, kw_only=True)
class Exported:
    """What was written: the file, and how many answers of how many it holds."""

    path: Path
    samples: int
    answers: int


def write_log(run: FinishedRun, path: Path, *, sample: int, seed: int) -> Exported:
    """Write `sample` answers of a run, and its findings, to an .eval file.

    The answers are drawn by `seed`, of each status and group as many as of the others as
    far as there are; the log's metadata says so. The findings are those of all answers.

    Raises
    ------
    InputError
        The file can't be written.

    """
    attempts = attempts_of(pl.scan_parquet(run.folder.outcomes), run.probe.measured)
    chosen = drawn(attempts, sample, seed=seed)
    model = run.manifest.model.replace(":", "/", 1)
    usage = Counter[str]()
    samples = list(_samples(run, chosen, model, usage))
    tokens = _usage(usage.get("input_tokens"), usage.get("output_tokens"))
    log = EvalLog(
        status="success",
        eval=_spec(run, model, attempts, chosen, seed=seed, ids=sorted({int(each.id) for each in samples})),
        results=_results(run, attempts, logged=len(samples)),
        stats=EvalStats(
            started_at=run.manifest.started or "",
            completed_at=run.manifest.finished or "",
            model_usage={model: tokens} if tokens is not None else {},
        ),
        samples=samples,
    )
    part = path.with_name(f".{path.name}.part")
    try:
        write_eval_log(log, part, format="eval")
        part.replace(path)
    except OSError as error:
        part.unlink(missing_ok=True)
        raise InputError(f"Cannot write {path}: {error.strerror}.") from None
    return Exported(path=path, samples=len(samples), answers=attempts.height)


def _spec(
    run: FinishedRun, model: str, attempts: pl.DataFrame, chosen: pl.DataFrame, *, seed: int, ids: list[int]
) -> EvalSpec:
    """Return what was asked, and which answers of it are here."""
    parameters = run.manifest.parameters
    settings = {name: value for name, value in run.audit.settings.items() if not isinstance(value, dict)}
    written, total, about = chosen.height, attempts.height, as_json(run.audit)
    # The same run and draw give the same log.
    name = blake2b(f"{run.manifest.started} {model} {seed} {written}".encode(), digest_size=11).hexdigest()
    return EvalSpec(
        eval_id=name,
        run_id=name,
        task_id=name,
        created=run.manifest.started or "",
        task=f"evenhand/{run.probe.name.replace('-', '_')}",
        task_version=run.manifest.probe_version,
        task_args={
            **{key: parameters[key] for key in ("sample", "seed", "repetitions")},
            "design": run.design.name,
            **settings,
        },
        dataset=EvalDataset(
            name=run.probe.name,
            location=f"evenhand/{run.probe.name}",
            samples=parameters["sample"],
            sample_ids=ids,
        ),
        model=model,
        model_generate_config=GenerateConfig(**{key: parameters.get(key) for key in _GENERATION}),
        config=EvalConfig(epochs=parameters["repetitions"]),
        packages={"evenhand": run.manifest.versions["evenhand"], "inspect_ai": version("inspect_ai")},
        tags=["evenhand", "sampled"],
        metadata={
            "sampled": f"{written:,} of {total:,} answers, of each status and group as many as of the others "
            "as far as there are; the metrics are those of all answers",
            "sampled_strata": _strata(attempts, chosen),
            "sampled_seed": seed,
            **{key: about[key] for key in _ABOUT if about[key] is not None},
            "warnings": list(run.audit.warnings),
        },
    )


def _strata(attempts: pl.DataFrame, chosen: pl.DataFrame) -> dict[str, str]:
    """Return how many of how many answers of each stratum are in the log."""
    written = dict(chosen[STRATUM].value_counts().iter_rows())
    everyone = dict(attempts[STRATUM].value_counts().iter_rows())
    return {name: f"{written.get(name, 0):,} of {count:,}" for name, count in sorted(everyone.items())}


def _results(run: FinishedRun, attempts: pl.DataFrame, *, logged: int) -> EvalResults:
    """Return the findings as metrics, planned ones first; null ones stand in the metadata with their reason."""
    rows = sorted(run.findings, key=lambda row: bool(row.role != "planned"))
    metrics = {
        row.name: EvalMetric(
            name=row.name,
            group=row.role,
            value=row.estimate,
            metadata={key: value for key, value in row.as_dict().items() if key in _BESIDE and value is not None},
        )
        for row in rows
        if row.estimate is not None
    }
    unanswered = attempts.filter(pl.col("status").is_in(["error", "missing"])).height
    return EvalResults(
        total_samples=attempts.height,
        completed_samples=attempts.height - unanswered,
        logged_samples=logged,
        scores=[
            EvalScore(
                name=SCORER,
                scorer=f"evenhand/{SCORER}",
                metrics=metrics,
                scored_samples=attempts.height - unanswered,
                unscored_samples=unanswered,
            )
        ],
        metadata={"findings_without_value": {row.name: row.reason for row in rows if row.estimate is None}},
    )


def _samples(run: FinishedRun, chosen: pl.DataFrame, model: str, usage: Counter[str]) -> Iterator[EvalSample]:
    """Yield the chosen answers as samples; `usage` gets the tokens of all answers."""
    keys = chosen.select(KEYS)
    rows = pl.read_parquet(run.folder.outcomes).with_columns(pl.coalesce("set", "unit").alias("prompt"))
    found = rows.join(keys.rename({"unit": "prompt"}), on=["item", "prompt", "attempt"], how="semi")
    outcomes = found.partition_by("item", "prompt", "attempt", as_dict=True)
    for piece in run.answers():
        for name in ("input_tokens", "output_tokens"):
            if piece[name].null_count() < piece.height:
                usage[name] += int(piece[name].sum())
        for row in piece.join(keys, on=KEYS, how="semi", maintain_order="left").iter_rows(named=True):
            judged = outcomes[row["item"], row["unit"], row["attempt"]].to_dicts()
            yield _sample(row, judged, run, model)


def _sample(row: Mapping[str, Any], judged: list[dict[str, Any]], run: FinishedRun, model: str) -> EvalSample:
    score = score_of(judged, run.probe.measured, text=row["text"])
    score.metadata = {**{name: row[name] for name in _KEPT}, **(score.metadata or {})}
    answered = row["text"] is not None
    message = ChatMessageAssistant(
        id=f"{row['id']}-answer",
        content=row["text"] if answered else "",
        source="generate",
        model=row["returned_model"] or model,
    )
    question = ChatMessageUser(id=f"{row['id']}-prompt", content=row["prompt"], source="input")
    tokens = _usage(row["input_tokens"], row["output_tokens"])
    output = ModelOutput(
        model=row["returned_model"] or model,
        choices=[ChatCompletionChoice(message=message, stop_reason=_stop_reason(row["finish_reason"]))],
        usage=tokens,
        time=row["latency"],
        error=row["error_class"],
    )
    seconds = row["latency"]
    return EvalSample(
        id=row["index"],
        epoch=row["attempt"] + 1,
        input=row["prompt"],
        target="",
        messages=[question, message],
        output=output,
        scores={SCORER: score},
        metadata={
            **{name: value for name, value in row.items() if name not in _NO_FACTORS and value is not None},
            "retries": row["retries"],
            **({} if answered else {"text": "not given, or not kept"}),
        },
        model_usage={model: tokens} if tokens is not None else {},
        started_at=(row["time"] - timedelta(seconds=seconds or 0.0)).isoformat(),
        completed_at=row["time"].isoformat(),
        total_time=seconds,
        working_time=seconds,
        uuid=row["id"],
        error=(
            EvalError(message=row["error_class"], traceback="", traceback_ansi="")
            if row["error_class"] is not None
            else None
        ),
    )


def _usage(read: int | None, written: int | None) -> ModelUsage | None:
    if read is None and written is None:
        return None
    return ModelUsage(input_tokens=read or 0, output_tokens=written or 0, total_tokens=(read or 0) + (written or 0))


def _stop_reason(finish_reason: str | None) -> StopReason:
    if is_cut(finish_reason):
        return "max_tokens"
    if is_filtered(finish_reason):
        return "content_filter"
    return "stop" if finish_reason in {"stop", "end_turn", "stop_sequence"} else "unknown"
