"""`evenhand monitor golden run`: evaluate a scorer on a version of the golden set, and against its last run.

A scorer gets the cases as stimuli of a perturbation test; their scores and labels make the table cases.csv, which is
evaluated like any table.
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

from evenhand.analyses.evaluate import analyse_evaluate, evaluation_warnings
from evenhand.analyses.manifest import manifest_of, utc_now
from evenhand.analyses.options.golden import GoldenRunOptions
from evenhand.analyses.options.probes import ProbeOptions
from evenhand.analyses.options.scores import EvaluateOptions, Scoring
from evenhand.analyses.perturb_arms import Prompt
from evenhand.analyses.perturb_asking import CollectedScores, Presented, Questions, ask_scores, scoring_probe
from evenhand.analyses.progress import Progress
from evenhand.analyses.run import Run, write_findings
from evenhand.comparisons.claims import joined
from evenhand.comparisons.evaluation import with_shared_claims
from evenhand.data.inputs import Position
from evenhand.errors import InputError
from evenhand.monitoring.daily import DailyValue
from evenhand.monitoring.golden_cases import CASE_COLUMNS, Case, Scale, cases_of, scale_of
from evenhand.monitoring.golden_labels import GOLDEN, Scored, Version, last_run, record_scored, version_of
from evenhand.monitoring.golden_stream import RANDOM, coverage, kind_of, stands_for, strata_of
from evenhand.monitoring.store import Writing, canonical_json, opened_store, store_now
from evenhand.options import build_group, declared, words
from evenhand.probes.probe import ReadAnswers
from evenhand.report.words.numbers import counted
from evenhand.results import measures
from evenhand.results.audit import Header
from evenhand.results.finding import Finding, copied, shared
from evenhand.results.messages import Notices, quoted
from evenhand.results.result import Result, read_csv
from evenhand.results.schemas import PROTECTED
from evenhand.results.score_audit import Covered, GoldenAudit, PreviousGoldenRun, ReasonCount
from evenhand.stats import weighted_kappa, weighted_rate

QUESTION: Final = "Does the scorer judge golden cases as people did, and in which groups less so?"
SIMULATED: Final = "The scores come from a simulated scorer, not from a system in use."
LIMITS: Final = (
    "Golden cases were chosen, not drawn: the numbers are of these cases, and those of all applicants may be others.",
    "The labels of people are taken as the truth. If they share a bias, every number here has it.",
)
DRAWN_LIMITS: Final = (
    "Accuracy and kappa estimated from drawn cases are of the recorded cases whose texts were given. All other "
    "numbers are of these cases, and those chosen to be looked at are harder than most.",
    "Texts from the recorded stream are masked: the scorer reads what labellers read, not what it decided on.",
)
COUNTERFACTUAL_NOTE: Final = (
    "Some cases are twins: one résumé for several groups. They count one by one; intervals let them vary together."
)


@dataclass(frozen=True, kw_only=True, repr=False)
class GoldenRun(Run):
    """A finished run on golden cases."""

    audit: GoldenAudit


@dataclass(frozen=True, kw_only=True)
class GoldenCases:
    """The scored cases as a table, their version, the cut-off of scores, and the run compared with."""

    table: pl.DataFrame
    cutoff: float
    version: int
    digest: str
    labels: tuple[str, ...]
    positive: str
    forgotten: int
    model: str
    against: PreviousGoldenRun | None
    coverage: tuple[Covered, ...] = ()
    drawn_of: int = 0
    not_represented: int = 0


def analyse_golden(cases: GoldenCases) -> Result[GoldenAudit, Any]:
    """Return the evaluation of cases; beside an earlier run also the change, on cases that both scored.

    From cases drawn at random the accuracy and kappa of all recorded ones are estimated, and from no other.

    With counterfactual pairs in the table, intervals and p are cluster-robust: the cases of a pair are dependent.

    Raises
    ------
    InputError
        A group can't be read.

    """
    table, against = cases.table, cases.against
    attributes = tuple(name for name in table.columns if name not in CASE_COLUMNS)
    twins = table["twin"].n_unique() < table.height
    options = EvaluateOptions(
        label="yes=yes", score="score", cutoff=cases.cutoff, protected=attributes, cluster="twin" if twins else None
    )
    alone = analyse_evaluate(table, options, planned=measures.PLANNED_OF_GOLDEN, facts=GoldenAudit)
    findings = [finding for finding in alone.findings if finding.measure in _REPORTED_MEASURES]
    if against is not None:
        both = table.filter(pl.col("previous").is_not_null() & pl.col("score").is_not_null())
        paired = analyse_evaluate(
            both,
            replace(options, against="previous", against_cutoff=against.cutoff),
            planned=measures.PLANNED_OF_GOLDEN,
            facts=GoldenAudit,
        )
        changes = [finding for finding in paired.findings if finding.measure.startswith(measures.CHANGE)]
        findings = with_shared_claims(joined(findings, changes), cluster=options.cluster)
    estimates = list(_drawn_findings(table, cases.cutoff))
    findings = _by_group([*findings, *estimates])
    two = len(cases.labels) == 2
    audit = replace(
        alone.audit,
        question=QUESTION,
        limits=(*(DRAWN_LIMITS if estimates else LIMITS[:1]), *LIMITS[1:], *((COUNTERFACTUAL_NOTE,) if twins else ())),
        source=f"Golden set, version {cases.version}",
        twins=twins,
        judged_as=cases.model,
        held_against=against,
        drawn=estimates[0].n if estimates else 0,
        chosen=_chosen(table, cases.cutoff),
        **copied(cases, "version digest labels positive forgotten coverage drawn_of not_represented"),
        decided=replace(
            alone.audit.decided,
            against=None if against is None else "previous",
            against_cutoff=None if against is None else against.cutoff,
            happened=f"the label {cases.positive}{'' if two else ' or a higher one'}",
            not_happened=f"the label {cases.labels[0]}" if two else f"a label below {cases.positive}",
        ),
        cutoffs=(),
        tensions=(),
        warnings=evaluation_warnings(findings),
    )
    return Result(audit=audit, findings=findings, tables={CASES: table})


def _drawn_findings(table: pl.DataFrame, cutoff: float) -> Iterator[Finding]:
    """Yield the estimates from drawn cases, each weighted by how many recorded ones it stands for."""
    drawn = table.drop_nulls("score").drop_nulls("stands_for") if "stands_for" in table.columns else table.clear()
    attributes = [name for name in table.columns if name not in CASE_COLUMNS]
    groups = [(name, value) for name in attributes for value in sorted(drawn[name].drop_nulls().unique())]
    for group in (None, *groups) if drawn.height else ():
        rows = drawn if group is None else drawn.filter(pl.col(group[0]) == group[1])
        said, yes = (rows["score"] > cutoff).to_numpy(), (rows["yes"] == "yes").to_numpy()
        weights = rows["stands_for"].to_numpy()
        kappa = weighted_kappa(said.astype(np.int64), yes.astype(np.int64), weights, labels=2)
        for measure, result, unit in (
            (measures.DRAWN_ACCURACY, weighted_rate(said == yes, weights), "share"),
            (measures.DRAWN_KAPPA, kappa, "kappa"),
        ):
            yield Finding(
                name="_".join("_".join(word.split()) for word in (measure, *(group or ()))),
                measure=measure,
                focal={} if group is None else dict([group]),
                role="descriptive",
                measured_in=unit,
                clusters={},
                **copied(result, "estimate low high confidence n method reason"),
            )


def _chosen(table: pl.DataFrame, cutoff: float) -> tuple[ReasonCount, ...]:
    """Return how many cases were chosen for each kind of reason, and how many of them are judged as labelled."""
    if "reason" not in table.columns:
        return ()
    scored = table.drop_nulls("score").filter(pl.col("reason") != RANDOM)
    right = scored.with_columns(right=(pl.col("score") > cutoff) == (pl.col("yes") == "yes"))
    counts = right.group_by("reason").agg(pl.len(), pl.col("right").sum()).sort("reason")
    return tuple(ReasonCount(reason=reason, cases=n, right=hits) for reason, n, hits in counts.iter_rows())


GOLDEN_STIMULI = "golden"


def presented_cases(cases: Sequence[Case], scoring: Scoring, *, version: int, known: Sequence[Case]) -> Presented:
    """Return cases with their texts as input of `ask_scores`; saved scores may be of all `known` cases."""
    positions = {position.id: position for position in (_position(case) for case in known)}
    questions = Questions(
        name=GOLDEN_STIMULI,
        title="Golden set",
        question="Does a scorer judge golden cases as people did?",
        size=len(cases),
        stimuli=_Stimuli(cases=tuple(cases)),
        note=f"{len(cases):,} cases of version {version} of the golden set, each once.",
        groups=tuple(sorted({name for case in cases for name in case.groups})),
    )
    content = canonical_json([[case.id, case.text, case.position] for case in cases])
    probe = scoring_probe(questions, scoring)
    return Presented(
        probe=replace(probe, read=partial(_without_names, read=probe.read)),
        documents=lambda: {case.id: case.id for case in known},
        positions=list(positions.values()),
        groups={value for case in cases for value in case.groups.values()},
        settings={"version": version, "experiment": hashlib.sha256(content.encode()).hexdigest()[:16]},
        told=f"{len(cases):,} scores are requested: the golden cases of version {version}.",
        foreign="no golden case's; expected ids of golden cases and their positions",
    )


def _without_names(answers: pl.DataFrame, *, read: Callable[[pl.DataFrame], ReadAnswers]) -> ReadAnswers:
    """Return the outcomes without people's names: these must go with their texts when a case is forgotten."""
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
            ids = dict.fromkeys(("item", "unit", "set", "pair", "person", "document"), case.id)
            rows.append(
                {
                    "index": index,
                    **ids,
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
    stored = dict(case.position)
    lists = {name: tuple(stored[name]) for name in ("skills", "must", "nice", "years")}
    return Position(**{**stored, **lists})


#: The table in a run's folder, from which its findings follow.
CASES: Final = "cases.csv"
#: Measures that make sense for chosen cases; the selection rate of a group would describe applicants only.
_OF_GROUPS: Final = (
    *(measures.ACCURACY, measures.AUC, measures.TPR, measures.FNR, measures.TNR, measures.FPR, measures.PRECISION),
    *(measures.F1, measures.BRIER, measures.CALIBRATION_INTERCEPT, measures.CALIBRATION_SLOPE),
)
_REPORTED_MEASURES: Final = frozenset(
    {measures.BASE_RATE, measures.SELECTION_RATE, *_OF_GROUPS, *(f"{measures.DIFFERENCE}{name}" for name in _OF_GROUPS)}
)
_SCORES: Final = ("score", "previous", "stands_for")
#: The kinds of reasons of cases that were not proposed, and of those drawn from another model's stream.
_ADDED: Final = "added"
_OTHER_STREAM: Final = "drawn for another model"


def cases_table(
    cases: Sequence[Case],
    labels: Mapping[str, int],
    scale: Scale,
    *,
    scores: Mapping[str, float],
    previous: Mapping[str, float],
    stands_for: Mapping[str, float],
) -> pl.DataFrame:
    """Return a row for each case: label, score, score of the previous run, groups.

    With cases from the recorded stream there is also the reason, and for how many recorded cases a drawn one stands.
    """
    attributes = sorted({name for case in cases for name in case.groups})
    numbers = [labels[case.id] for case in cases]
    columns = {
        "case": [case.id for case in cases],
        "twin": [case.id if case.twin is None else case.twin for case in cases],
        "label": [scale.labels[number] for number in numbers],
        "yes": ["yes" if scale.is_yes(number) else "no" for number in numbers],
        "score": [scores.get(case.id) for case in cases],
        "previous": [previous.get(case.id) for case in cases],
        **{name: [case.groups.get(name) for case in cases] for name in attributes},
    }
    if any(case.keep_until is not None for case in cases):
        columns["reason"] = [_reason(case, stands_for) for case in cases]
        columns["stands_for"] = [stands_for.get(case.id) for case in cases]
    return pl.DataFrame(columns, schema=_schema(list(columns)))


def _reason(case: Case, stands_for: Mapping[str, float]) -> str:
    if case.id in stands_for:
        return RANDOM
    if case.keep_until is None:
        return _ADDED
    return _OTHER_STREAM if case.reason == RANDOM else kind_of(case.reason)


def read_cases(folder: Path) -> pl.DataFrame:
    """Return the table of a run's folder."""
    path = folder / CASES
    return read_csv(path, _schema(pl.read_csv(path, n_rows=0).columns))


def _by_group(findings: Sequence[Finding]) -> list[Finding]:
    """Return the findings on all cases before those on groups."""
    return [
        *(finding for finding in findings if not finding.focal),
        *(finding for finding in findings if finding.focal),
    ]


def _schema(columns: Sequence[str]) -> dict[str, pl.DataType]:
    return {name: pl.Float64() if name in _SCORES else pl.String() for name in columns}


#: Measures stored by day, for all cases and for each group.
_MEASURES: Final = {
    measures.ACCURACY: "golden_accuracy",
    measures.DRAWN_ACCURACY: "golden_accuracy",
    measures.AUC: "golden_auc",
    measures.CALIBRATION_SLOPE: "golden_calibration_slope",
}
#: The width of a 95 % interval in standard errors.
_WIDTH: Final = 2 * 1.959963984540054


def run_golden(
    options: GoldenRunOptions,
    *,
    notice: Notices,
    progress: Progress | None = None,
    clock: Callable[[], datetime] = store_now,
) -> GoldenRun:
    """Score each case of a version, evaluate and record the scores; return the finished run.

    Raises
    ------
    InputError
        Store, version, scorer or options can't be used; nothing was sent.
    ServiceError
        The scorer refused to serve, or every attempt failed.
    Incomplete, Interrupted
        Stopped before the end; the answers so far are in the journal.

    """
    if not options.scorer:
        raise InputError("--scorer is missing: give the scorer to compare with the golden cases.")
    if options.model.strip() in {"", GOLDEN}:
        raise InputError(f"--model {quoted(options.model)}: expected a name for the model, such as screener.")
    with opened_store(options.store, notice=notice, clock=clock) as store:
        version, scale = version_of(store, options.version), scale_of(store)
        known = cases_of(store)
        if options.against is not None and last_run(store, options.against) is None:
            raise InputError(f"--against {options.against} has no run on golden cases yet.")
    cases = [case for case in known if case.id in version.labels]
    with_text = [case for case in cases if case.text is not None]
    if not with_text:
        raise InputError(f"All cases of version {version.number} were forgotten; close a new version.")
    kinds = {scale.is_yes(version.labels[case.id]) for case in with_text}
    if len(kinds) < 2:
        raise InputError(
            f"The cases of version {version.number} are all {'yes' if True in kinds else 'no'}; a scorer needs "
            "cases of both kinds: add others, and close a new version."
        )
    if lost := len(cases) - len(with_text):
        notice(f"{counted(lost, 'case was', 'cases were')} forgotten and can't be scored.")
    runs: list[GoldenRun] = []

    def finish(collected: CollectedScores) -> None:
        with opened_store(options.store, notice=notice, clock=clock) as store, store.writing() as writing:
            runs.append(_finished(with_text, version, collected, options, writing, scale=scale, forgotten=lost))

    asked_as = {option.name: option.of(options) for option in declared(GoldenRunOptions)}
    ask_scores(
        presented_cases(with_text, options, version=version.number, known=known),
        options,
        build_group(ProbeOptions, asked_as | {"model": "", "sample": None}),
        judged={"cutoff": options.cutoff, "judged_as": options.model},
        notice=notice,
        progress=progress,
        finish=finish,
    )
    return runs[0]


def _finished(
    cases: Sequence[Case],
    version: Version,
    collected: CollectedScores,
    options: GoldenRunOptions,
    writing: Writing,
    *,
    scale: Scale,
    forgotten: int,
) -> GoldenRun:
    """Evaluate the scores of the cases with a text, alone and paired with the previous run; record and write them."""
    manifest = manifest_of(collected.manifest)
    run = Scored(
        model=options.model,
        scorer=manifest.model,
        version=version.number,
        cutoff=options.cutoff,
        started=manifest.started or "",
        scores=_scores(collected),
    )
    previous = last_run(writing, options.against or options.model, before=run)
    ((closed,),) = writing.rows("SELECT closed FROM golden_versions WHERE number = ?", (run.version,))
    strata = {number: stratum for number, stratum in strata_of(writing).items() if stratum.proposed <= closed}
    strata = {number: stratum for number, stratum in strata.items() if stratum.model == options.model} or strata
    scored = [case for case in cases if case.id in run.scores]
    represented = {case.stratum for case in scored}
    table = cases_table(
        cases,
        version.labels,
        scale,
        scores=run.scores,
        previous={} if previous is None else previous.scores,
        stands_for=stands_for(scored, strata),
    )
    compared = table.filter(pl.col("score").is_not_null() & pl.col("previous").is_not_null()).height
    against = None
    if previous is not None and compared:
        against = PreviousGoldenRun(
            started=previous.started[:10], cases=compared, **copied(previous, "model scorer cutoff")
        )
    result = analyse_golden(
        GoldenCases(
            table=table,
            cutoff=options.cutoff,
            version=version.number,
            digest=version.digest,
            labels=scale.labels,
            positive=scale.positive,
            forgotten=forgotten,
            model=options.model,
            against=against,
            coverage=tuple(coverage(writing, options.model, cases, today=writing.now.date())),
            drawn_of=sum(stratum.drawn for stratum in strata.values()),
            not_represented=sum(stratum.size for number, stratum in strata.items() if number not in represented),
        )
    )
    record_scored(writing, run, list(_values(result.findings, run.model, writing.now.date())))
    audit = replace(
        result.audit,
        **shared(manifest, Header),
        simulated_note=SIMULATED if manifest.simulated else None,
        warnings=(*collected.warnings, *result.audit.warnings),
    )
    audit = replace(
        audit,
        parameters={},
        finished=utc_now(),
        reproduce=shlex.join(["evenhand", "monitor", "golden", "run", *words(options, always=("scorer", "cutoff"))]),
    )
    return write_findings(GoldenRun, collected.folder, replace(result, audit=audit))


def _scores(collected: CollectedScores) -> dict[str, float]:
    frame = pl.read_parquet(collected.folder.outcomes).filter(pl.col("score").is_not_null())
    scores = dict(frame.group_by("item").agg(pl.col("score").mean()).sort("item").iter_rows())
    if not scores:
        raise InputError("No score could be read, so nothing was recorded; see outcomes.parquet.")
    return scores


def _values(findings: Sequence[Finding], model: str, day: date) -> Iterator[DailyValue]:
    """Yield the day's measures, for all cases and each group; accuracy is that of drawn cases, where there are any."""
    drawn = any(finding.measure == measures.DRAWN_ACCURACY for finding in findings)
    for finding in findings:
        if finding.measure == (measures.ACCURACY if drawn else measures.DRAWN_ACCURACY):
            continue
        if finding.measure in _MEASURES and not finding.slice and len(finding.focal) < 2:
            width = None if finding.low is None or finding.high is None else finding.high - finding.low
            yield DailyValue(
                model=model,
                measure=_MEASURES[finding.measure],
                day=day,
                value=finding.estimate,
                n=finding.n,
                slice=dict(finding.focal),
                standard_error=None if not width else width / _WIDTH,
                reason=finding.reason if finding.estimate is None else None,
            )
