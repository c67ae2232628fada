"""`evenhand monitor golden run`: a scorer on a version of the golden set, held against the run before.

The audit block of a run on golden cases, and how it is written.
Golden cases as a scorer is shown them, by the stimuli that a perturbation test has.
Golden cases beside what people said and scorers gave: the table of a run, and its evaluation.
"""

import hashlib
import shlex
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime
from functools import partial
from pathlib import Path
from typing import Any, Final

import numpy as np
import polars as pl
from numpy.typing import NDArray

from evenhand.analyses.evaluate import Evaluated, evaluated_scores, evaluation_block
from evenhand.analyses.manifest import manifest_of, utc_now
from evenhand.analyses.open_model import is_model
from evenhand.analyses.options.monitoring import GoldenRunOptions
from evenhand.analyses.options.probes import ProbeOptions
from evenhand.analyses.options.scores import EvaluateOptions, Scoring
from evenhand.analyses.perturb_arms import Prompt
from evenhand.analyses.perturb_asking import CollectedScores, Presented, Questions, ask_scores, scoring_probe
from evenhand.analyses.progress import Notices, Progress
from evenhand.analyses.run import Run
from evenhand.data.inputs import Position
from evenhand.errors import InputError
from evenhand.monitoring.daily import DailyValue
from evenhand.monitoring.golden_cases import CASE_COLUMNS, Case, Scale, cases_of, scale_of
from evenhand.monitoring.golden_labels import GOLDEN, Scored, Version, last_run, record_scored, version_of
from evenhand.monitoring.store import Writing, canonical_json, opened_store, store_now
from evenhand.options import build_group, declared, words
from evenhand.probes.probe import ReadAnswers
from evenhand.report import write_files
from evenhand.report.words.numbers import counted
from evenhand.results import measures
from evenhand.results.csv_files import csv_bytes, read_csv
from evenhand.results.files import write_atomically
from evenhand.results.finding import Finding
from evenhand.results.messages import quoted
from evenhand.results.run_folder import RunFolder
from evenhand.results.schemas import PROTECTED
from evenhand.results.score_audit import Decided, GoldenAudit, PreviousGoldenRun

QUESTION: Final = "Does the scorer judge golden cases as people did, and in which groups less so?"
SIMULATED: Final = "The scores come from a simulated scorer, not from a system in use."
LIMITS: Final = (
    "Golden cases were chosen, not drawn: the numbers are of these cases, and those of all applicants may be others.",
    "What people said is taken as the truth. Where they share a bias, it is in every number here.",
)
COUNTERFACTUAL_NOTE: Final = (
    "Some cases are twins: one résumé for several groups. They count one by one; intervals let them vary together."
)


@dataclass(frozen=True, kw_only=True, repr=False)
class GoldenRun(Run):
    """What a run on golden cases left behind."""

    audit: GoldenAudit


@dataclass(frozen=True, kw_only=True)
class GoldenCases:
    """The cases that were scored, as a table; the version that they are of, and the run that they are held against."""

    table: pl.DataFrame
    version: int
    digest: str
    labels: tuple[str, ...]
    positive: str
    forgotten: int
    model: str
    against: PreviousGoldenRun | None


def write_golden(
    folder: RunFolder,
    manifest: Mapping[str, Any],
    evaluated: Evaluated,
    cases: GoldenCases,
    *,
    reproduce: str,
    warnings: Sequence[str],
) -> GoldenRun:
    """Write the table of cases, findings and report of scores that are there; return the run."""
    known = manifest_of({**manifest, "finished": utc_now()})
    twins = cases.table["twin"].n_unique() < cases.table.height
    audit = replace(
        evaluation_block(evaluated, GoldenAudit),
        question=QUESTION,
        limits=(*LIMITS, *((COUNTERFACTUAL_NOTE,) if twins else ())),
        source=f"Golden set, version {cases.version}",
        scorer=known.model,
        version=cases.version,
        digest=cases.digest,
        labels=cases.labels,
        positive=cases.positive,
        forgotten=cases.forgotten,
        twins=twins,
        judged_as=cases.model,
        held_against=cases.against,
        decided=_decided(evaluated.decided, cases),
        parameters={},
        simulated=known.simulated,
        simulated_note=SIMULATED if known.simulated else None,
        warnings=(*warnings, *evaluated.warnings),
        reproduce=reproduce,
        started=known.started,
        finished=known.finished,
        versions=known.versions,
        fingerprints=known.fingerprints,
    )
    write_atomically(folder.path / "cases.csv", csv_bytes(cases.table))
    folder.write_findings(audit, evaluated.found.findings)
    write_files(folder.path)
    return GoldenRun(folder=folder.path, audit=audit, findings=evaluated.found.findings)


def _decided(decided: Decided, cases: GoldenCases) -> Decided:
    """Return how decisions follow from scores, with what people said as the outcome."""
    two = len(cases.labels) == 2
    return replace(
        decided,
        against=None if cases.against is None else "previous",
        against_cutoff=None if cases.against is None else cases.against.cutoff,
        happened=f"the label {cases.positive}{'' if two else ' or a higher one'}",
        not_happened=f"the label {cases.labels[0]}" if two else f"a label below {cases.positive}",
    )


GOLDEN_STIMULI = "golden"


def presented_cases(cases: Sequence[Case], scoring: Scoring, *, version: int, known: Sequence[Case]) -> Presented:
    """Return cases with their texts as what a scorer is asked about; saved scores may be of all that are `known`."""
    positions = {each.id: each for each in (_position(case) for case in known)}
    questions = Questions(
        name=GOLDEN_STIMULI,
        title="Golden set",
        question="Does a scorer judge golden cases as people did?",
        size=len(cases),
        stimuli=_Stimuli(cases=tuple(cases)),
        note=f"{len(cases):,} cases of version {version} of the golden set, each once.",
        groups=tuple(sorted({name for case in cases for name in case.groups})),
    )
    wording = {} if scoring.wording is None else {"wording": scoring.wording}
    content = canonical_json([[case.id, case.text, case.position] for case in cases])
    probe = scoring_probe(questions, is_model=is_model(scoring.scorer), given_range=scoring.range, **wording)
    return Presented(
        probe=replace(probe, read=partial(_without_names, read=probe.read)),
        documents=lambda: [case.id for case in known],
        positions=list(positions.values()),
        groups={value for case in cases for value in case.groups.values()},
        settings={"version": version, "experiment": hashlib.sha256(content.encode()).hexdigest()[:16]},
        told=f"{len(cases):,} scores are asked for: the golden cases of version {version}.",
        foreign="no golden case's; expected ids of golden cases and their positions",
    )


def _without_names(answers: pl.DataFrame, *, read: Callable[[pl.DataFrame], ReadAnswers]) -> ReadAnswers:
    """Return the outcomes without people's names, which are forgotten with their texts."""
    return read(answers.with_columns(pl.lit(None, pl.String).alias("name")))


@dataclass(frozen=True, kw_only=True)
class _Stimuli:
    cases: tuple[Case, ...]

    def __call__(
        self, indices: NDArray[np.int64], *, prompt: Prompt, ends: tuple[float | None, float | None]
    ) -> pl.DataFrame:
        """Return the stimuli at `indices`, in their order."""
        attributes = sorted({name for case in self.cases for name in case.groups})
        rows = []
        for index in np.asarray(indices, dtype=np.int64).tolist():
            case = self.cases[index]
            position = _position(case)
            text = case.text or ""
            of = dict.fromkeys(("item", "unit", "set", "pair", "person", "document"), case.id)
            rows.append(
                {
                    "index": index,
                    **of,
                    "arm": "as it is",
                    "position": position.id,
                    "title": position.title,
                    "name": " ".join(case.known_names[:1]),
                    "file_name": f"{index}.txt",
                    "resume_text": text,
                    "position_text": position.advertisement,
                    "prompt": prompt(position.advertisement, text),
                    **{f"{PROTECTED}{name}": value for name, value in case.groups.items()},
                }
            )
        texts = (
            *("item", "unit", "set", "pair", "arm", "person", "own", "position", "title", "document", "name"),
            *("file_name", "qualification", "resume_text", "position_text", "prompt"),
            *(f"{PROTECTED}{name}" for name in attributes),
        )
        frame = pl.DataFrame(rows, schema={"index": pl.Int64(), **dict.fromkeys(texts, pl.String())})
        return frame.with_columns(pl.lit(ends[0], pl.Float64).alias("low"), pl.lit(ends[1], pl.Float64).alias("high"))


def _position(case: Case) -> Position:
    """Return the position of a case as it was read."""
    kept = dict(case.position)
    lists = {name: tuple(kept[name]) for name in ("skills", "must", "nice", "years")}
    return Position(**{**kept, **lists})


#: The table in a run's folder, from which its findings follow.
CASES: Final = "cases.csv"
#: What is told of cases that were chosen; how many of a group are selected says something of applicants only.
_OF_GROUPS: Final = (
    measures.ACCURACY,
    measures.AUC,
    measures.TPR,
    measures.FNR,
    measures.TNR,
    measures.FPR,
    measures.PRECISION,
    measures.F1,
    measures.BRIER,
    measures.CALIBRATION_INTERCEPT,
    measures.CALIBRATION_SLOPE,
)
_REPORTED_MEASURES: Final = frozenset(
    {measures.BASE_RATE, measures.SELECTION_RATE, *_OF_GROUPS, *(f"{measures.DIFFERENCE}{name}" for name in _OF_GROUPS)}
)
_SCORES: Final = ("score", "previous")


def cases_table(
    cases: Sequence[Case],
    labels: Mapping[str, int],
    scale: Scale,
    *,
    scores: Mapping[str, float],
    previous: Mapping[str, float],
) -> pl.DataFrame:
    """Return a row for each case: what people said, what the scorer gave it, what the run before did, its groups."""
    attributes = sorted({name for each in cases for name in each.groups})
    said = [labels[each.id] for each in cases]
    columns = {
        "case": [each.id for each in cases],
        "twin": [each.id if each.twin is None else each.twin for each in cases],
        "label": [scale.labels[each] for each in said],
        "yes": ["yes" if scale.is_yes(each) else "no" for each in said],
        "score": [scores.get(each.id) for each in cases],
        "previous": [previous.get(each.id) for each in cases],
        **{name: [each.groups.get(name) for each in cases] for name in attributes},
    }
    return pl.DataFrame(columns, schema=_schema(list(columns)))


def read_cases(folder: Path) -> pl.DataFrame:
    """Return the table of a run's folder."""
    path = folder / CASES
    return read_csv(path, _schema(pl.read_csv(path, n_rows=0).columns))


def cases_evaluated(table: pl.DataFrame, *, cutoff: float, against_cutoff: float | None) -> Evaluated:
    """Return the evaluation of a table of cases; with an `against_cutoff` also of what changed, where both scored.

    Twins are dependent: where there are any, intervals and p let the cases of a pair vary together.

    Raises
    ------
    InputError
        A group can't be read.

    """
    attributes = tuple(name for name in table.columns if name not in CASE_COLUMNS)
    twins = table["twin"].n_unique() < table.height
    options = EvaluateOptions(
        label="yes=yes", score="score", cutoff=cutoff, protected=attributes, cluster="twin" if twins else None
    )
    alone = evaluated_scores(table, options)
    findings = [each for each in alone.found.findings if each.measure in _REPORTED_MEASURES]
    both = table.filter(pl.col("previous").is_not_null() & pl.col("score").is_not_null())
    if against_cutoff is not None and both.height:
        paired = evaluated_scores(both, replace(options, against="previous", against_cutoff=against_cutoff))
        findings += [each for each in paired.found.findings if each.measure.startswith(measures.CHANGE)]
    return replace(alone, found=replace(alone.found, findings=_by_group(findings), cutoffs=(), tensions=()))


def _by_group(findings: Sequence[Finding]) -> list[Finding]:
    """Return those of all cases before those of groups."""
    return [*(each for each in findings if not each.focal), *(each for each in findings if each.focal)]


def _schema(columns: Sequence[str]) -> dict[str, pl.DataType]:
    return {name: pl.Float64() if name in _SCORES else pl.String() for name in columns}


#: What is kept by day, of all cases and of each group.
_MEASURES: Final = {
    measures.ACCURACY: "golden_accuracy",
    measures.AUC: "golden_auc",
    measures.CALIBRATION_SLOPE: "golden_calibration_slope",
}
#: Standard errors that an interval of 95 % is wide.
_WIDTH: Final = 2 * 1.959963984540054


def run_golden(
    options: GoldenRunOptions,
    *,
    notice: Notices,
    progress: Progress | None = None,
    clock: Callable[[], datetime] = store_now,
) -> GoldenRun:
    """Ask a scorer about each case of a version, evaluate and record it; return the finished run.

    Raises
    ------
    InputError
        Store, version, scorer or options can't be used; nothing was asked.
    ServiceError
        The scorer refused to serve, or every attempt failed.
    Incomplete, Interrupted
        Stopped before the end; what was given is in the journal.

    """
    if not options.scorer:
        raise InputError("--scorer is missing: what is held against the golden cases.")
    if options.model.strip() in {"", GOLDEN}:
        raise InputError(f"--model {quoted(options.model)}: expected a name of the model's own, such as screener.")
    with opened_store(options.store, notice=notice, clock=clock) as store:
        version, scale = version_of(store, options.version), scale_of(store)
        known = cases_of(store)
        if options.against is not None and last_run(store, options.against) is None:
            raise InputError(f"--against {options.against} has no run on golden cases yet.")
    cases = [each for each in known if each.id in version.labels]
    shown = [each for each in cases if each.text is not None]
    if not shown:
        raise InputError(f"All cases of version {version.number} were forgotten; close a new one.")
    kinds = {scale.is_yes(version.labels[each.id]) for each in shown}
    if len(kinds) < 2:
        raise InputError(
            f"The cases of version {version.number} are all {'yes' if True in kinds else 'no'}; a scorer is judged by "
            "cases of both kinds: add others, and close a new version."
        )
    if len(shown) < len(cases):
        notice(f"{counted(len(cases) - len(shown), 'case was', 'cases were')} forgotten and can't be scored.")
    judged = _LabelledCases(cases=shown, version=version, scale=scale, forgotten=len(cases) - len(shown))
    found: list[GoldenRun] = []

    def finish(asked: CollectedScores) -> None:
        with opened_store(options.store, notice=notice, clock=clock) as store, store.writing() as writing:
            found.append(_finished(judged, asked, options, writing))

    asked_as = {each.name: each.of(options) for each in declared(GoldenRunOptions)}
    ask_scores(
        presented_cases(shown, options, version=version.number, known=known),
        options,
        build_group(ProbeOptions, asked_as | {"model": "", "sample": None}),
        judged={"cutoff": options.cutoff, "judged_as": options.model},
        notice=notice,
        progress=progress,
        finish=finish,
    )
    return found[0]


@dataclass(frozen=True, kw_only=True)
class _LabelledCases:
    """The cases of a version that have a text, what people said of them, and how many were forgotten."""

    cases: Sequence[Case]
    version: Version
    scale: Scale
    forgotten: int


def _finished(judged: _LabelledCases, asked: CollectedScores, options: GoldenRunOptions, writing: Writing) -> GoldenRun:
    """Evaluate what a scorer gave, alone and paired with the run before; record and write it."""
    manifest = manifest_of(asked.manifest)
    run = Scored(
        model=options.model,
        scorer=manifest.model,
        version=judged.version.number,
        cutoff=options.cutoff,
        started=manifest.started or "",
        scores=_scores(asked),
    )
    previous = last_run(writing, options.against or options.model, before=run)
    table = cases_table(
        judged.cases,
        judged.version.labels,
        judged.scale,
        scores=run.scores,
        previous={} if previous is None else previous.scores,
    )
    found = cases_evaluated(table, cutoff=options.cutoff, against_cutoff=None if previous is None else previous.cutoff)
    compared = table.filter(pl.col("score").is_not_null() & pl.col("previous").is_not_null()).height
    record_scored(writing, run, list(_values(found.found.findings, run.model, writing.now.date())))
    against = None
    if previous is not None and compared:
        against = PreviousGoldenRun(
            model=previous.model,
            scorer=previous.scorer,
            started=previous.started[:10],
            cutoff=previous.cutoff,
            cases=compared,
        )
    return write_golden(
        asked.folder,
        asked.manifest,
        found,
        GoldenCases(
            table=table,
            version=judged.version.number,
            digest=judged.version.digest,
            labels=judged.scale.labels,
            positive=judged.scale.positive,
            forgotten=judged.forgotten,
            model=options.model,
            against=against,
        ),
        reproduce=shlex.join(["evenhand", "monitor", "golden", "run", *words(options, always=("scorer", "cutoff"))]),
        warnings=asked.warnings,
    )


def _scores(asked: CollectedScores) -> dict[str, float]:
    """Return the score of each case that has one."""
    frame = pl.read_parquet(asked.folder.outcomes).filter(pl.col("score").is_not_null())
    scores = dict(frame.group_by("item").agg(pl.col("score").mean()).sort("item").iter_rows())
    if not scores:
        raise InputError("No score could be read, so nothing was recorded; see outcomes.parquet.")
    return scores


def _values(findings: Sequence[Finding], model: str, day: date) -> Iterator[DailyValue]:
    """Yield the day's measures, of all cases and of each group."""
    for each in findings:
        if each.measure in _MEASURES and not each.slice and len(each.focal) < 2:
            width = None if each.low is None or each.high is None else each.high - each.low
            yield DailyValue(
                model=model,
                measure=_MEASURES[each.measure],
                day=day,
                value=each.estimate,
                n=each.n,
                slice=dict(each.focal),
                standard_error=None if not width else width / _WIDTH,
                reason=each.reason if each.estimate is None else None,
            )
