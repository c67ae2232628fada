"""Collect scores for a perturbation test, and write its run folder.

A layout of résumés becomes a probe (`scoring_probe`), so that scorers share the journal, limits, retries and account
of models. `ask_scores` collects scores and writes outcomes.
"""

import os
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from random import Random
from typing import Any, Final

import numpy as np
import orjson
import polars as pl
from numpy.typing import NDArray

from evenhand.analyses import asking as analyses_asking
from evenhand.analyses import open_model, open_scorer
from evenhand.analyses.manifest import Manifest, manifest_of, read_manifest, utc_now
from evenhand.analyses.options.probes import ProbeOptions
from evenhand.analyses.options.scores import Scoring
from evenhand.analyses.perturb_arms import Layout
from evenhand.analyses.progress import Progress
from evenhand.analyses.records import check_resumable, probe_manifest, resumed_manifest
from evenhand.analyses.run import OpenedRun, Run, opened_run, preserved_status
from evenhand.analyses.sample import sample_size
from evenhand.data.inputs import Position, ScoreColumns
from evenhand.errors import InputError
from evenhand.models import outcomes
from evenhand.models.batch_log import refuse_open_batches
from evenhand.models.journal import Journal, Part, join_journals
from evenhand.models.model import Model
from evenhand.models.rankers import EMBEDDED, EmbeddingScorer, RerankScorer
from evenhand.models.scorer_service import HttpScorer
from evenhand.models.scorers import OF_ARMS, RANK, MatcherScorer, SavedScorer
from evenhand.probes.probe import KINDS, Design, Probe, ReadAnswers
from evenhand.probes.resume_score.outcomes import read_scores
from evenhand.probes.resume_score.probe import respond
from evenhand.probes.resume_score.settings import RANGE, range_of
from evenhand.probes.resume_score.stimuli import WORDINGS, prompt_pieces
from evenhand.results.files import sha256_of
from evenhand.results.measures import MeasureSet
from evenhand.results.messages import Notices, listed, number_of, quoted
from evenhand.results.result import RunFolder, read_csv
from evenhand.results.schemas import CONTEXT, PERTURB, PROTECTED, STATUS, conform_outcomes
from evenhand.results.score_audit import MASKS, PerturbAudit

#: Settings that a resumed run must share with its beginning, with the words of the message.
_RESUME_KEYS: Final = {
    "experiment": "other people, positions, arms, names or another seed",
    "request": "another --request or --score-at",
    "range": "another --range",
    "wording": "another --wording",
    "margin": "another --margin",
    "cutoff": "another --cutoff",
    "top": "another --top",
    "scores": "another table of scores",
    "reference": "another --reference",
    "judged_as": "another --model",
}


def _differences(run: Manifest, now: Manifest) -> list[str]:
    """Return in which settings two runs differ."""
    return [what for name, what in _RESUME_KEYS.items() if run.settings.get(name) != now.settings.get(name)]


def parts_of(paths: Sequence[Path], manifest: Mapping[str, Any]) -> list[Manifest]:
    """Return the manifests of the parts (--shard) of the run that `manifest` describes.

    Raises
    ------
    InputError
        A folder holds no part of this run.

    """
    manifests = []
    now = manifest_of(manifest)
    for path in paths:
        part = read_manifest(path) if path.is_dir() else None
        if part is None or part.kind != now.kind:
            raise InputError(f"{path} holds no part of a perturbation test; expected the folder of a run with --shard.")
        if part.shard is None:
            raise InputError(f"{path} is not part of a run: it was made without --shard.")
        differing = _differences(part, now)
        if part.model != now.model:
            differing.insert(0, "another scorer")
        if part.parameters["repetitions"] != now.parameters["repetitions"]:
            differing.append("another number of --repetitions")
        if differing:
            raise InputError(f"{path} was run with {differing[0]}. Give all parts of one run.")
        manifests.append(part)
    return manifests


@dataclass(frozen=True, kw_only=True, repr=False)
class PerturbRun(Run):
    """A finished perturbation test."""

    audit: PerturbAudit

    @property
    def rows(self) -> pl.DataFrame:
        """Return perturb.csv."""
        return read_csv(self.folder / "perturb.csv", PERTURB).with_columns(pl.col("position").fill_null(""))


#: The parse rules of a scorer's answer, with their status; errors have their class instead.
RULES: Final = {
    "number": "observed",
    "rank": "observed",
    "out of range": "undetected",
    "no finite number": "undetected",
    "no number": "undetected",
    "empty": "undetected",
    "missing": "missing",
}
_NUMBER: Final = r"^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$"
_NOT_FINITE: Final = r"(?i)^[+-]?(nan|inf|infinity)$"
_CONTEXT_COLUMNS: Final = ("person", "position", "title", "name", "own", "document", "qualification")


def scorer_outcomes(answers: pl.DataFrame) -> ReadAnswers:
    """Return the outcomes of stimuli joined with a scorer's answers, a row each."""
    return _outcomes(answers, read_numbers(answers))


def model_outcomes(answers: pl.DataFrame) -> ReadAnswers:
    """Return the outcomes of stimuli joined with a language model's answers, parsed as in resume-score."""
    low, high = answers.select("low", "high").row(0) if answers.height else (0.0, 1.0)
    parsed = read_scores(answers, low=low, high=high)
    return _outcomes(answers, parsed.with_columns(pl.lit(None, pl.Int16).alias("rank")))


def read_numbers(answers: pl.DataFrame) -> pl.DataFrame:
    """Return the columns `status, score, rank, reading` of answers with `text`, `error_class`, `low` and `high`.

    >>> columns = {"error_class": [None, None, "timeout"], "low": 0.0, "high": 1.0}
    >>> read_numbers(pl.DataFrame({"text": ["0.72", "72", None], **columns})).rows()
    [('observed', 0.72, None, 'number'), ('undetected', None, None, 'out of range'), ('error', None, None, 'timeout')]
    """
    text = pl.col("text").cast(pl.String).str.strip_chars()
    error = pl.col("error_class").cast(pl.String)
    place = text.str.strip_prefix(RANK).cast(pl.Int16, strict=False)
    frame = answers.select(
        text.alias("text"),
        error.alias("error"),
        pl.col("low").cast(pl.Float64),
        pl.col("high").cast(pl.Float64),
        pl.when(text.str.contains(_NUMBER)).then(text).cast(pl.Float64, strict=False).alias("number"),
        pl.when(text.str.starts_with(RANK), place >= 1).then(place).alias("rank"),
    )
    number = pl.col("number")
    rules = {
        "missing": (pl.col("error") == "missing") | (pl.col("error").is_null() & pl.col("text").is_null()),
        "error": pl.col("error").is_not_null(),
        "empty": pl.col("text") == "",
        "rank": pl.col("rank").is_not_null(),
        "no finite number": pl.col("text").str.contains(_NOT_FINITE) | number.is_infinite(),
        "no number": number.is_null(),
        "out of range": (number < pl.col("low")) | (number > pl.col("high")),
    }
    words = (pl.when(holds).then(pl.col(name) if name == "error" else pl.lit(name)) for name, holds in rules.items())
    rule = pl.coalesce(*words, pl.lit("number"))
    frame = frame.with_columns(rule.alias("reading"))
    status = pl.when(pl.col("error").is_not_null() & (pl.col("error") != "missing")).then(pl.lit("error"))
    return frame.select(
        status.otherwise(pl.col("reading").replace_strict(RULES, default="error")).cast(STATUS).alias("status"),
        pl.when(pl.col("reading") == "number").then(number).alias("score"),
        pl.when(pl.col("reading") == "rank").then("rank").alias("rank"),
        "reading",
    )


def _outcomes(answers: pl.DataFrame, read: pl.DataFrame) -> ReadAnswers:
    frame = answers.select(
        *("item", "unit", "set", "pair", "arm", "attempt", "time"),
        *(read[name].alias(name) for name in ("score", "rank", "status", "reading")),
        pl.col(f"^{PROTECTED}.*$"),
        *(pl.col(name).alias(f"{CONTEXT}{name}") for name in _CONTEXT_COLUMNS),
    )
    return ReadAnswers(outcomes=conform_outcomes(frame))


NAME: Final = "perturb"
_VERSION: Final = "1"


@dataclass(frozen=True, kw_only=True)
class Questions:
    """The pairs to score: the run's name and title, and the stimuli, as `Layout.stimuli` returns them."""

    name: str
    title: str
    question: str
    size: int
    stimuli: Callable[..., pl.DataFrame]
    note: str
    groups: tuple[str, ...]


def scoring_probe(questions: Questions, scoring: Scoring) -> Probe:
    """Return the probe whose answers are scores.

    A language model gets the prompt and the parser of resume-score, in its range unless another is given. Other scorers
    get résumé and position, and return a number in the range, if one is given.

    Raises
    ------
    InputError
        The range is malformed, or the wording unknown.

    """
    is_model = open_scorer.is_model(scoring.scorer)
    wording = "number" if scoring.wording is None else scoring.wording
    if is_model and wording not in WORDINGS:
        raise InputError(f"--wording {quoted(wording)} is unknown; expected one of {listed(WORDINGS)}.")
    low, high = range_of(RANGE if scoring.range is None else scoring.range)

    def prompt(position: str, resume: str) -> str:
        before, after = prompt_pieces(position, wording, low, high)
        return before + resume + after

    design = Design(
        name="arms",
        size=questions.size,
        block=1,
        stimuli=partial(
            questions.stimuli,
            prompt=prompt if is_model else _as_json,
            ends=(low, high) if is_model or scoring.range is not None else (None, None),
        ),
        note=questions.note,
    )
    return Probe(
        name=questions.name,
        version=_VERSION,
        title=questions.title,
        question=questions.question,
        success="scored",
        designs={design.name: design},
        default_sample=None,
        measured=_measured(questions.groups),
        against_label="",
        level_texts={},
        references={},
        limits=(),
        kinds=KINDS if is_model else (),
        read=model_outcomes if is_model else scorer_outcomes,
        respond=partial(_respond, wording=wording),
        saved=_no_saved_answers,
        saved_key=("document", "position"),
        subject="résumés",
    )


def _as_json(position: str, resume: str) -> str:
    """Return the pair as text, whatever form a service needs: ids of attempts are made from it."""
    pair = {"resume": resume, "position": position}
    try:
        return orjson.dumps(pair).decode()
    except TypeError:  # half of a surrogate pair
        return orjson.dumps({key: text.encode("utf-8", "replace").decode() for key, text in pair.items()}).decode()


def _note(layout: Layout) -> str:
    applicants = layout.applicants
    kinds = ", ".join(layout.arms.kinds)
    synthetic = " People and positions are synthetic." if applicants.synthetic else ""
    return (
        f"{len(applicants.templates):,} résumés are sent for {len(applicants.positions):,} positions in arms of the "
        f"kinds {kinds}, all filled from one template each.{synthetic}"
    )


def _measured(groups: tuple[str, ...]) -> MeasureSet:
    """Return the groups and clusters; the analysis of arms has measures of its own."""
    return MeasureSet(
        rate="mean_score",
        measures=(),
        headline=(),
        slices=(),
        groups=groups,
        clusters=("person", "name"),
        instruction=None,
        against=None,
        bands={},
        order={},
    )


def _respond(stimulus: Mapping[str, Any], kind: str, strength: float, rng: Random, *, wording: str) -> str:
    """Return the answer of a simulated language model, as in resume-score, to the gender on the résumé."""
    score_stimulus = {
        **stimulus,
        "resume": stimulus["person"],
        "position": stimulus["title"],
        "gender": stimulus.get("protected.gender"),
        "wording": wording,
    }
    return respond(score_stimulus, kind, strength, rng)


def _no_saved_answers(_saved: pl.DataFrame) -> pl.DataFrame:
    raise InputError("Saved scores of a perturbation test are a CSV id,position,score: --scorer replay:SCORES.csv.")


#: Scorers without costs.
_FREE: Final = ("sim", "replay", "python", "matcher")
_MOST_AT_ONCE: Final = 1000
_USUAL: Final = ScoreColumns()
_Remote = HttpScorer | RerankScorer | EmbeddingScorer


@dataclass(frozen=True, kw_only=True)
class Presented:
    """The input of `ask_scores`: the probe, and what scorer and manifest need of it.

    `documents` gives the ids of all documents by the names that a table may have; `foreign` describes other names in
    saved scores, `columns` are those of such a table. `told` announces how
    many scores will be requested. `settings` are those of the experiment.
    """

    probe: Probe
    documents: Callable[[], Mapping[str, str]]
    positions: Sequence[Position]
    groups: Collection[str]
    settings: Mapping[str, Any]
    told: str
    foreign: str = OF_ARMS
    columns: ScoreColumns = field(default_factory=ScoreColumns)


@dataclass(frozen=True, kw_only=True)
class CollectedScores:
    """A run with all its scores: the folder with journal and outcomes, its manifest, and a summary of answers."""

    folder: RunFolder
    manifest: dict[str, Any]
    probe: Probe
    summary: outcomes.OutcomeSummary
    warnings: tuple[str, ...]


def ask_arms(
    layout: Layout,
    scoring: Scoring,
    options: ProbeOptions,
    *,
    judged: Mapping[str, Any] | None = None,
    notice: Notices,
    progress: Progress | None = None,
    finish: Callable[[CollectedScores], None] | None = None,
    parts: Sequence[Path] = (),
    columns: ScoreColumns = _USUAL,
) -> CollectedScores:
    """Collect the scores of a layout, as `ask_scores` does; return the run. `columns` are those of saved scores."""
    positions = layout.applicants.positions
    questions = Questions(
        name=NAME,
        title="Perturbation",
        question="Does the score move when only the group that a résumé shows does?",
        size=layout.size,
        stimuli=layout.stimuli,
        note=_note(layout),
        groups=layout.arms.choice.by,
    )
    presented = Presented(
        probe=scoring_probe(questions, scoring),
        documents=layout.document_names,
        positions=[position.asked for position in positions],
        groups=layout.groups,
        settings={
            "arms": ", ".join(layout.arms.kinds),
            "by": ", ".join(layout.arms.choice.by),
            "experiment": layout.digest(),
            "names": dict(layout.arms.choice.record),
        },
        told=_size_text(layout, options, scoring.scorer.partition(":")[0].strip()),
        columns=columns,
    )
    return ask_scores(
        presented, scoring, options, judged=judged, notice=notice, progress=progress, finish=finish, parts=parts
    )


def ask_scores(
    presented: Presented,
    scoring: Scoring,
    options: ProbeOptions,
    *,
    judged: Mapping[str, Any] | None = None,
    notice: Notices,
    progress: Progress | None = None,
    finish: Callable[[CollectedScores], None] | None = None,
    parts: Sequence[Path] = (),
) -> CollectedScores:
    """Collect scores and write them as outcomes; return the run.

    Limits, retries, journal, cost, shards, repetitions and resuming are those of a probe's run, by `options`. `judged`
    are the settings of judging, fixed beforehand: a run resumes with the same only. `finish` is called while the folder
    is locked, before the manifest says that the run is finished: what it writes there belongs to the run. `parts` are
    folders of runs with --shard; their answers are copied before the scorer is asked for the rest.

    Raises
    ------
    InputError
        Options, folder, journal or scorer can't be used; nothing was sent.
    ServiceError
        The scorer refused to serve, or every attempt failed.
    Incomplete, Interrupted
        Stopped before the end; the answers so far are in the journal.

    """
    notice = analyses_asking.once(notice)
    options = replace(options, model=scoring.scorer.strip(), everything=True, sample=None)
    open_scorer.refuse_foreign_options(scoring, options.generation, options)
    probe = presented.probe
    analyses_asking.check_batch(options)
    sample_size(probe, options)
    scorer = _opened(presented, scoring, options)
    price = analyses_asking.priced(scorer.name, options.prices, max_cost=options.max_cost)
    abandoned = partial(analyses_asking.tell_abandoned, notice=notice)
    out = options.folder(probe.name)
    with opened_run(out, force=options.force, resume=options.resume, before_clearing=abandoned) as opened:
        settings = {**_settings(presented, scoring, scorer), **(judged or {})}
        asking = _asking(probe, scorer, options, opened, price=price, settings=settings, notice=notice)
        _take_over(parts, asking, opened)
        if options.model.partition(":")[0] not in _FREE and not (opened.previous and opened.previous.is_finished):
            notice(presented.told)
        with preserved_status(opened.folder, asking.manifest, opened.previous):
            if isinstance(scorer, _Remote) and scorer.unencrypted is not None:
                notice(scorer.unencrypted)
            if isinstance(scorer, EmbeddingScorer):
                scorer.keep_in(opened.folder.path)
            ids = analyses_asking.asked_ids(asking, opened, notice=notice, progress=progress)
            collected = _collected_scores(asking, ids, notice=notice, progress=progress)
        if finish is not None:
            finish(collected)
        if isinstance(scorer, EmbeddingScorer):
            scorer.forget()
        collected.manifest.update(status="finished", finished=utc_now())
        collected.folder.write_manifest(collected.manifest)
        return collected


def _size_text(layout: Layout, options: ProbeOptions, scheme: str) -> str:
    """Return how many scores will be requested, and the options that request fewer."""
    times = f", {options.repetitions:,} times each" if options.repetitions > 1 else ""
    people = len(layout.applicants.templates)
    whose = f"{people:,} résumés in their arms and names" if people > 1 else "1 résumé in its arms and names"
    positions = len(layout.applicants.positions)
    for_all = f"for {positions:,} positions" if positions > 1 else "for 1 position"
    scope = for_all if layout.applicants.sent is None else "each for its position"
    embedded = f" {layout.documents_count + positions:,} texts are embedded, each once." if scheme in EMBEDDED else ""
    return (
        f"{layout.size * options.repetitions:,} scores are requested: {whose}, {scope}{times}; --sample and "
        f"--names-per-group limit their number.{embedded}"
    )


def _asking(
    probe: Probe,
    scorer: Model,
    options: ProbeOptions,
    opened: OpenedRun,
    *,
    price: analyses_asking.Priced,
    settings: Mapping[str, Any],
    notice: Notices,
) -> analyses_asking.Asking:
    folder, previous = opened.folder, opened.previous
    (design,) = probe.designs.values()
    manifest = probe_manifest(probe, design, scorer, options, design.size)
    manifest |= {"kind": probe.name, "settings": dict(settings)}
    if previous is not None:
        now = manifest_of(manifest)
        if previous.kind == now.kind and (differing := _differences(previous, now)):
            raise InputError(
                f"{folder.path} was run with {differing[0]}. Resume with the same options, or choose another --out."
            )
        check_resumable(previous, manifest, folder)
        manifest = resumed_manifest(manifest, previous, redact=False, notice=notice)
        if not options.batch:
            refuse_open_batches(folder.path)
    return analyses_asking.begun_asking(
        opened,
        manifest,
        probe=probe,
        design=design,
        model=scorer,
        options=_widened(options, scorer),
        sample=design.size,
        price=price,
        notice=notice,
    )


def _opened(presented: Presented, scoring: Scoring, options: ProbeOptions) -> Model:
    if open_scorer.is_model(scoring.scorer):
        open_model.refuse_unobeyed(options.model, options.generation)
        return open_model.open_model(options.model, probe=presented.probe, seed=options.seed, service=options)
    needs_ids = options.model.startswith("replay:")
    inputs = open_scorer.ScorerInputs(
        documents=presented.documents() if needs_ids else {},
        positions=presented.positions,
        groups=presented.groups,
        foreign=presented.foreign,
        columns=presented.columns,
        repetitions=options.repetitions,
    )
    return open_scorer.open_scorer(scoring, inputs=inputs, seed=options.seed, service=options, environ=os.environ)


def _widened(options: ProbeOptions, scorer: Model) -> ProbeOptions:
    """Return the options with enough attempts in flight to fill the requests that --concurrency allows."""
    if not isinstance(scorer, _Remote):
        return options
    return replace(options, concurrency=min(_MOST_AT_ONCE, options.concurrency * scorer.per_request))


def _settings(presented: Presented, scoring: Scoring, scorer: Model) -> dict[str, Any]:
    """Return the settings for the manifest, without secrets or texts."""
    return {
        **presented.settings,
        "range": scoring.range,
        "wording": scoring.wording,
        "score_at": scoring.score_at,
        "request": scorer.form.digest if isinstance(scorer, HttpScorer) else None,
        **({MASKS: True} if isinstance(scorer, MatcherScorer) else {}),
        **({"scores": sha256_of(scorer.source)} if isinstance(scorer, SavedScorer) else {}),
    }


def _take_over(parts: Sequence[Path], asking: analyses_asking.Asking, opened: OpenedRun) -> None:
    """Copy the answers of parts into the journal of the whole run, and count their requests."""
    manifests = parts_of(parts, asking.manifest)
    if not manifests:
        return
    asking.account.sent += sum(part.requests or 0 for part in manifests)
    joined = [Part(folder=path, finished=part.is_finished) for path, part in zip(parts, manifests, strict=True)]
    opened.begin(asking.manifest)
    with Journal(asking.folder.path) as journal:
        join_journals(joined, journal)


def _collected_scores(
    asking: analyses_asking.Asking, ids: NDArray[np.uint64], *, notice: Notices, progress: Progress | None
) -> CollectedScores:
    """Read the journal into outcomes."""
    folder, probe = asking.folder, asking.probe
    if progress is not None:
        progress(f"{probe.name}: reading")
    pieces = outcomes.answered_stimuli(folder.path, asking.design, planned=ids)
    summary = outcomes.write_outcomes(
        pieces, probe.read, folder.outcomes, folder.words, twins=outcomes.CounterfactualPairs(())
    )
    scorer = asking.model
    remarks: Sequence[str] = scorer.embedder.remarks() if isinstance(scorer, EmbeddingScorer) else ()
    if isinstance(scorer, SavedScorer):
        remarks = (*scorer.remarks, *_unscored(folder))
    warnings = (*analyses_asking.adaptation_warnings(asking.manifest), *_unvaried(asking), *remarks)
    for line in warnings:
        notice(f"Warning: {line}")
    return CollectedScores(folder=folder, manifest=asking.manifest, probe=probe, summary=summary, warnings=warnings)


def _unscored(folder: RunFolder) -> list[str]:
    """Return a remark on the documents that saved scores lack, by id."""
    document = pl.col(f"{CONTEXT}document")
    missing = pl.scan_parquet(folder.outcomes).filter(pl.col("status") == "missing").select(document).collect()
    if not missing.height:
        return []
    ids = missing.to_series().unique().sort().to_list()
    return [f"{number_of(missing.height, 'score')} missing, of {number_of(len(ids), 'document')}: {listed(ids)}."]


def _unvaried(asking: analyses_asking.Asking) -> list[str]:
    """Return a warning where all repetitions are identical."""
    repetitions = asking.options.repetitions
    if repetitions < 2:
        return []
    repeated = outcomes.identical_repetitions(asking.folder.path)
    if not repeated.compared or repeated.identical < repeated.compared:
        return []
    return [f"All {repeated.compared:,} pairs got the same score in all {repetitions} repetitions; one would do."]
