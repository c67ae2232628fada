"""`evenhand export inspect`: a finished run as a log for inspect_ai's viewer.

The log holds all findings and a sample of the answers, drawn evenly over status and group.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from hashlib import blake2b
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np
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

from evenhand.analyses.manifest import Manifest, read_manifest
from evenhand.analyses.options.probes import manifest_settings, probe_settings
from evenhand.analyses.run import finished_probe
from evenhand.analyses.sample import chosen_design
from evenhand.errors import InputError
from evenhand.integrations.inspect_tasks import configured_probe, score_of
from evenhand.models.outcomes import read_answers
from evenhand.probes import PROBES
from evenhand.probes.probe import Design, Probe
from evenhand.probes.readers import is_cut, is_filtered
from evenhand.results.audit import ProbeAudit
from evenhand.results.files import take_name
from evenhand.results.finding import Finding, as_json
from evenhand.results.measures import MeasureSet
from evenhand.results.result import RunFolder
from evenhand.results.schemas import ANSWERS, PROTECTED

#: What names an attempt: `unit` is the prompt, also where several people are judged in one.
KEYS = ("item", "unit", "attempt")
STRATUM = "stratum"

# Keeps this draw apart from other draws that start from the run's seed.
_STREAM = 0x6578706F7274


def attempts_of(outcomes: pl.LazyFrame, measured: MeasureSet) -> pl.DataFrame:
    """Return one row per attempt: its keys, status and stratum.

    The stratum is the status and the groups of who was judged. Where several were it is
    the groups of who came first; if nobody did, those that all share.
    """
    columns = outcomes.collect_schema().names()
    known = [
        pl.when(pl.col("status") == "observed").then(pl.col(name)).alias(name)
        if group in (measured.choice or {})
        else pl.col(name)
        for group in measured.groups
        if (name := f"{PROTECTED}{group}") in columns
    ]
    names = [column.meta.output_name() for column in known]
    return (
        outcomes.select("item", pl.coalesce("set", "unit").alias("unit"), "attempt", "successes", "status", *known)
        .sort("successes", descending=True, nulls_last=True, maintain_order=True)
        .unique(KEYS, keep="first", maintain_order=True)
        .select(
            *KEYS,
            pl.col("status").cast(pl.String),
            pl.concat_str(pl.col("status").cast(pl.String), *names, separator=" ", ignore_nulls=True).alias(STRATUM),
        )
        .sort(STRATUM, *KEYS)
        .collect()
    )


def stratified_sample(attempts: pl.DataFrame, size: int, *, seed: int) -> pl.DataFrame:
    """Return `size` attempts, of each stratum as many as of the others or all that it has."""
    rng = np.random.default_rng([seed, _STREAM])
    strata = attempts.partition_by(STRATUM, maintain_order=True)
    wanted = quotas([stratum.height for stratum in strata], size)
    chosen = [
        stratum[np.sort(rng.choice(stratum.height, count, replace=False))]
        for stratum, count in zip(strata, wanted, strict=True)
    ]
    return pl.concat(chosen) if chosen else attempts


def quotas(sizes: Sequence[int], total: int) -> list[int]:
    """Return how many to take of strata of these sizes: equally many, as far as they have them.

    >>> quotas([1, 100, 100], 9)
    [1, 4, 4]
    """
    counts = [0] * len(sizes)
    left = min(total, sum(sizes))
    smallest_first = sorted(range(len(sizes)), key=lambda place: sizes[place])
    for rank, place in enumerate(smallest_first):
        counts[place] = min(sizes[place], left // (len(sizes) - rank))
        left -= counts[place]
    return counts


#: Answers that are read at a time.
_PIECE = 4_096


@dataclass(frozen=True, kw_only=True)
class FinishedRun:
    """The manifest and the findings of a run, its probe and the layout of its prompts."""

    folder: RunFolder
    manifest: Manifest
    audit: ProbeAudit
    findings: Sequence[Finding]
    probe: Probe
    design: Design

    def answers(self) -> Iterator[pl.DataFrame]:
        """Yield the journaled answers with their stimuli, a piece at a time, in the order of sending."""
        for answers in read_answers(self.folder.path, chunk=_PIECE):
            stimuli = self.design.stimuli(answers["index"].to_numpy()).drop("index")
            yield pl.concat([answers, stimuli], how="horizontal")


def open_run(path: Path, *, files: Mapping[str, Path]) -> FinishedRun:
    """Return the finished run in a folder; `files` are its input files, by the option's name.

    Raises
    ------
    InputError
        The folder holds no finished run of a probe, or a file is lacking or another one.

    """
    manifest = read_manifest(path) if path.is_dir() else None
    if manifest is None:
        raise InputError(f"{path} holds no run; expected the folder of a run of evenhand probe.")
    if manifest.probe not in PROBES:
        folders = sorted(manifest_path.parent.name for manifest_path in path.glob("*/manifest.json"))
        hint = f" It holds those of {', '.join(folders)}." if folders else ""
        raise InputError(f"{path} is not a run of one probe; expected such a folder.{hint}")
    folder = RunFolder(path)
    if not manifest.is_finished or not (folder.outcomes.is_file() and folder.findings.is_file()):
        raise InputError(f"The run in {path} is not finished; continue it with --resume first.")
    if manifest.design is None or not any(path.glob("answers-*.jsonl")):
        raise InputError(f"{path} has no journal: only runs of evenhand probe or audit can be exported.")
    probe = configured_probe(manifest.probe, _settings(manifest, files))
    if probe.measured.steps is not None:
        raise InputError(
            f"{path} holds a run of {probe.name}, whose prompts depend on answers; a log can't hold those."
        )
    content = finished_probe(path)
    return FinishedRun(
        folder=folder,
        manifest=manifest,
        audit=content.audit,
        findings=content.findings,
        probe=probe,
        design=chosen_design(probe, manifest.design),
    )


def _settings(manifest: Manifest, files: Mapping[str, Path]) -> dict[str, Any]:
    """Return the settings that the prompts depend on; the manifest keeps a file's fingerprint only."""
    prompts = probe_settings(PROBES[manifest.probe], changing="prompts")
    prompt_settings = {name: value for name, value in manifest.settings.items() if name in prompts}
    return manifest_settings(prompt_settings, files, asked="the run was")


SCORER = "reading"
_GENERATION = ("temperature", "max_tokens", "top_p", "frequency_penalty", "presence_penalty", "seed")
#: Fields of a finding that the log has in addition to the estimate.
_FINDING_METADATA = ("low", "high", "confidence", "unit", "n", "clusters", "method", "p_adjusted", "mark", "verdict")
#: Keys of the audit block that describe the whole run in the log.
_ABOUT = ("question", "success", "design_note", "simulated", "simulated_note", "returned_models", "statuses", "limits")
#: Fields of an answer in a score's metadata, as the live scorer has them.
_ANSWER_METADATA = ("index", "attempt", "sent_order", "finish_reason", "error_class")
#: Columns that are no factors of a prompt: those of its answer, and the prompt itself.
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
    chosen = stratified_sample(attempts, sample, seed=seed)
    model = run.manifest.model.replace(":", "/", 1)
    usage = Counter[str]()
    samples = list(_samples(run, chosen, model, usage))
    tokens = _usage(usage.get("input_tokens"), usage.get("output_tokens"))
    log = EvalLog(
        status="success",
        eval=_spec(run, model, attempts, chosen, seed=seed, ids=sorted({int(sample.id) for sample in samples})),
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
        take_name(part, path)
    except OSError as error:
        part.unlink(missing_ok=True)
        raise InputError(f"Cannot write {path}: {error.strerror}.") from None
    return Exported(path=path, samples=len(samples), answers=attempts.height)


def _spec(
    run: FinishedRun, model: str, attempts: pl.DataFrame, chosen: pl.DataFrame, *, seed: int, ids: list[int]
) -> EvalSpec:
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
            "sampled": f"{written:,} of {total:,} answers, the same number of each status and group where there are "
            "enough; the metrics are those of all answers",
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
    """Return the findings as metrics, planned ones first; null ones are in the metadata with their reason."""
    rows = sorted(run.findings, key=lambda row: bool(row.role != "planned"))
    metrics = {
        row.name: EvalMetric(
            name=row.name,
            group=row.role,
            value=row.estimate,
            metadata={
                key: value for key, value in row.as_dict().items() if key in _FINDING_METADATA and value is not None
            },
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
    judged_rows = rows.join(keys.rename({"unit": "prompt"}), on=["item", "prompt", "attempt"], how="semi")
    outcomes = judged_rows.partition_by("item", "prompt", "attempt", as_dict=True)
    for piece in run.answers():
        for name in ("input_tokens", "output_tokens"):
            if piece[name].null_count() < piece.height:
                usage[name] += int(piece[name].sum())
        for row in piece.join(keys, on=KEYS, how="semi", maintain_order="left").iter_rows(named=True):
            judged = outcomes[row["item"], row["unit"], row["attempt"]].to_dicts()
            yield _sample(row, judged, run, model)


def _sample(row: Mapping[str, Any], judged: list[dict[str, Any]], run: FinishedRun, model: str) -> EvalSample:
    score = score_of(judged, run.probe.measured, text=row["text"])
    score.metadata = {**{name: row[name] for name in _ANSWER_METADATA}, **(score.metadata or {})}
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
