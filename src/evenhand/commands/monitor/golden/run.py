"""`evenhand monitor golden run`: a scorer on a version of the golden set, held against the run before."""

import shlex
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Final

import polars as pl

from evenhand.commands.monitor.golden.judged import cases_evaluated, cases_table
from evenhand.commands.monitor.golden.presented import presented_cases
from evenhand.commands.perturb.asking import AskedScores, ask_scores
from evenhand.errors import InputError
from evenhand.monitoring.golden.agreement import GOLDEN
from evenhand.monitoring.golden.cases import Case, Scale, cases_of, scale_of
from evenhand.monitoring.golden.runs import Scored, last_run, record_scored
from evenhand.monitoring.golden.versions import Version, version_of
from evenhand.monitoring.history.daily import DailyValue
from evenhand.monitoring.history.store import Writing, opened_store, utc_now
from evenhand.options import declared, made, words
from evenhand.report.words.numbers import counted
from evenhand.runs.manifest import manifest_of
from evenhand.runs.options.monitoring.golden import GoldenRunOptions
from evenhand.runs.options.probe import ProbeOptions
from evenhand.runs.progress import Notices, Progress
from evenhand.runs.records.scores.golden import GoldenCases, GoldenRun, write_golden
from evenhand.tables.audit.applicants.evaluate import HeldAgainst
from evenhand.tables.finding import Finding
from evenhand.tables.grouped.names import ACCURACY, AUC, CALIBRATION_SLOPE
from evenhand.tables.messages.quoting import quoted

__all__ = ["run_golden"]

#: What is kept by day, of all cases and of each group.
_MEASURES: Final = {
    ACCURACY: "golden_accuracy",
    AUC: "golden_auc",
    CALIBRATION_SLOPE: "golden_calibration_slope",
}
#: Standard errors that an interval of 95 % is wide.
_WIDTH: Final = 2 * 1.959963984540054


def run_golden(
    options: GoldenRunOptions,
    *,
    notice: Notices,
    progress: Progress | None = None,
    clock: Callable[[], datetime] = utc_now,
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
    judged = _Judged(cases=shown, version=version, scale=scale, forgotten=len(cases) - len(shown))
    found: list[GoldenRun] = []

    def finish(asked: AskedScores) -> None:
        with opened_store(options.store, notice=notice, clock=clock) as store, store.writing() as writing:
            found.append(_finished(judged, asked, options, writing))

    asked_as = {each.name: each.of(options) for each in declared(GoldenRunOptions)}
    ask_scores(
        presented_cases(shown, options, version=version.number, known=known),
        options,
        made(ProbeOptions, asked_as | {"model": "", "sample": None}),
        judged={"cutoff": options.cutoff, "judged_as": options.model},
        notice=notice,
        progress=progress,
        finish=finish,
    )
    return found[0]


@dataclass(frozen=True, kw_only=True)
class _Judged:
    """The cases of a version that have a text, what people said of them, and how many were forgotten."""

    cases: Sequence[Case]
    version: Version
    scale: Scale
    forgotten: int


def _finished(judged: _Judged, asked: AskedScores, options: GoldenRunOptions, writing: Writing) -> GoldenRun:
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
        against = HeldAgainst(
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


def _scores(asked: AskedScores) -> dict[str, float]:
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
