"""Results of the runs in a bundle, analysed again from what it holds: one function for each kind of run.

Each gets the inputs and options of its run, calls the analysis of its kind, and says what is lacking. A probe's
outcomes are read from its answers again. Of `match` only runs with test pairs have findings.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from evenhand.analyses.asking import sequential_of, stopping_rule
from evenhand.analyses.compare_runs import LabelledRun, analyse_compare
from evenhand.analyses.evaluate import analyse_evaluate
from evenhand.analyses.finish import Answered, analyse_probe
from evenhand.analyses.golden import GoldenCases, analyse_golden, read_cases
from evenhand.analyses.impact import RANKED, REPEATED, Counted, analyse_impact, counted_source
from evenhand.analyses.impact_query import membership_of, read_counts
from evenhand.analyses.manifest import Manifest, read_manifest
from evenhand.analyses.match import evaluated
from evenhand.analyses.merge import MergePlan
from evenhand.analyses.monitor_report import of_period, people_as_clusters
from evenhand.analyses.options.impact import ImpactOptions
from evenhand.analyses.options.probes import CompareOptions, MeasureOptions, configured, find_probe
from evenhand.analyses.options.reproduce import manifest_options
from evenhand.analyses.options.scores import EvaluateOptions
from evenhand.analyses.perturb import analyse_perturb
from evenhand.analyses.probes import joined_answers
from evenhand.analyses.records import analyse_suite, probe_facts
from evenhand.analyses.run import finished_probe
from evenhand.analyses.saved_answers import saved_answers
from evenhand.comparisons.proxies import lacks_model
from evenhand.data.applicant_query import Applicants, CountBounds
from evenhand.errors import CheckFailed, InputError
from evenhand.evidence.runs import STIMULI, RunInputs, outcomes_of, write_stimuli
from evenhand.evidence.verify import NotRecomputed, Recomputed, RunToRecompute
from evenhand.models.journal import journal_index
from evenhand.models.outcomes import CounterfactualPairs, OutcomeSummary, answered_stimuli, write_outcomes
from evenhand.models.stopping import StoppingRule
from evenhand.monitoring.golden_labels import digest_of
from evenhand.monitoring.standing import saved_looks
from evenhand.options import declared
from evenhand.probes.probe import ReadAnswers
from evenhand.results.applicant_audit import ImpactAudit
from evenhand.results.audit import CompareAudit, ComparedProbe, ComparedRun, ProbeAudit
from evenhand.results.feature_audit import FeaturesAudit
from evenhand.results.files import scratch_folder
from evenhand.results.finding import VerdictBasis, Word, copied
from evenhand.results.kinds import loaded
from evenhand.results.measures import EFFECTIVE_SIZE, JOINT_PROXY, PROXY
from evenhand.results.result import Result, RunFolder
from evenhand.results.score_audit import EvaluateAudit, GoldenAudit

#: Facts that a table alone doesn't show: whether it was drawn by `data company`, as the file beside it says.
MADE = ("simulated", "simulated_note")
#: Reasons why a finding is not recomputed.
WORDS = "the words of answers were taken away with their text"
BY_JUDGE = NotRecomputed(what="a judge's readings of unread answers", why="verify asks no model")
SEQUENCE = "its interval is a confidence sequence, which follows from the order of the answers"


def recomputed_probe(bundled: RunToRecompute) -> Recomputed:
    """Return the result of a run, from its outcomes; where the bundle has answers, the outcomes are checked first.

    Raises
    ------
    CheckFailed
        The outcomes don't follow from the answers, or answers are missing.

    """
    folder, manifest, saved, inputs = bundled.folder, bundled.manifest, bundled.saved, bundled.inputs
    if inputs.why_unmeasured is not None:
        return Recomputed.nothing(saved, inputs.why_unmeasured)
    if inputs.has_prompts:
        _check_prompts(folder, inputs)
    facts: ProbeAudit = saved.audit
    unread = inputs.why_unread
    probe = configured(find_probe(manifest.probe), inputs.settings)
    compatible = None if manifest.compat is None else probe.compatible[manifest.compat]
    run = Answered(probe=probe, folder=RunFolder(folder), manifest=manifest.as_written, compatible=compatible)
    if unread is None and manifest.design is None:
        _check_saved_answers(folder, inputs)
    elif unread is None:
        plan = inputs.plan
        stopping = _replayed_stopping_rule(folder, manifest, plan, inputs.number)
        run = replace(run, sequential=sequential_of(stopping))
        summary = _check_answers(folder, inputs, plan, stopping)
        if not inputs.given:
            facts = replace(
                probe_facts(plan.probe, plan.design, manifest, summary),
                warnings=facts.warnings,
                twins=facts.twins,
            )
    result = analyse_probe(run, facts)
    without: dict[str, str] = {}
    if run.sequential is None and manifest.stopping is not None:
        sequences = [finding for finding in saved.findings if VerdictBasis.of(finding).until_width is not None]
        without |= {finding.name: SEQUENCE for finding in sequences}
    if manifest.redacted:
        measured = {finding.name for finding in result.findings}
        words = [finding.name for finding in saved.findings if isinstance(finding.details, Word)]
        without |= {name: WORDS for name in words if name not in measured}
    return Recomputed(
        result=replace(result, audit=saved.audit) if without else result,
        source="outcomes.parquet" if unread else "the answers",
        without=without,
        besides=[
            *([] if unread is None else [NotRecomputed(what="the reading of answers", why=unread)]),
            *([BY_JUDGE] if run.folder.judged.is_file() else []),
        ],
    )


def _check_prompts(folder: Path, inputs: RunInputs) -> None:
    """Compare the prompts with those that the probe makes."""
    with scratch_folder() as temporary:
        redrawn = temporary / STIMULI
        write_stimuli(folder, inputs.plan.design, redrawn)
        saved = folder / STIMULI
        if not saved.is_file() or saved.read_bytes() != redrawn.read_bytes():
            raise CheckFailed(f"{STIMULI} differs from the prompts of the probe.")


def _check_answers(folder: Path, inputs: RunInputs, plan: MergePlan, stopping: StoppingRule | None) -> OutcomeSummary:
    """Compare the outcomes with those read from the planned answers; return their summary."""
    journaled = journal_index(folder).ids
    attempts, slack = plan.sample * plan.options.repetitions, plan.design.block * plan.options.repetitions
    whole = stopping is None and plan.design.rounds == 1  # what is asked later depends on answers
    if whole and attempts // plan.of > journaled.size + slack:
        raise CheckFailed(f"{attempts:,} attempts were planned, and the journal has {journaled.size:,}.")
    ids = plan.ids(inputs.number, folder)
    planned = np.sort(ids if stopping is None or not stopping.reached else ids[: stopping.attempts])
    lacking = np.setdiff1d(planned, journaled).size
    if lacking:
        raise CheckFailed(f"{lacking:,} of {planned.size:,} attempts have no answer in the journal.")
    return _check_outcomes(folder, answered_stimuli(folder, plan.design, planned=planned), plan.probe.read)


def _check_saved_answers(folder: Path, inputs: RunInputs) -> None:
    """Compare the outcomes with those read from the saved answers that were measured."""
    manifest, path = inputs.manifest, inputs.source
    assert path is not None
    probe = configured(find_probe(manifest.probe), inputs.settings, command="measure")
    given = {name: manifest.parameters[name] for name in ("map", "design", "seed") if name in manifest.parameters}
    packed = saved_answers(path, probe, MeasureOptions(settings=inputs.settings, **given), notice=lambda _: None)
    rows_are_items = manifest.compat is not None
    joined = joined_answers(packed.rows, probe.saved(packed.rows), rows_are_items=rows_are_items)
    read = probe.read if manifest.compat is None else probe.compatible[manifest.compat].read
    _check_outcomes(folder, packed.joined(joined, name="text"), read)


def _check_outcomes(
    folder: Path, pieces: Iterable[pl.DataFrame], read: Callable[[pl.DataFrame], ReadAnswers]
) -> OutcomeSummary:
    """Compare outcomes with those read from answers, joined with their stimuli; return their summary."""
    with scratch_folder() as temporary:
        recomputed_run, saved_run = RunFolder(temporary), RunFolder(folder)
        summary = write_outcomes(
            pieces, read, recomputed_run.outcomes, recomputed_run.words, twins=CounterfactualPairs(())
        )
        for saved, recomputed_file in (
            (saved_run.outcomes, recomputed_run.outcomes),
            (saved_run.words, recomputed_run.words),
        ):
            if saved.is_file() != recomputed_file.is_file():
                raise CheckFailed(f"{saved.name} differs from what is read in the answers.")
            if saved.is_file():
                _compare(saved, recomputed_file)
    return summary


def _replayed_stopping_rule(folder: Path, manifest: Manifest, plan: MergePlan, number: int) -> StoppingRule | None:
    """Return the stopping rule, replayed over the answers; None without --until-width."""
    if manifest.stopping is None:
        return None
    options = replace(plan.options, until_width=manifest.stopping.until_width)
    stopping = stopping_rule(plan.probe, plan.design, options, sample=plan.sample)
    if stopping is not None:
        stopping.replay(folder, plan.attempts(number, folder), np.sort(journal_index(folder).ids))
        stopping.finish()
    return stopping


def _compare(saved: Path, read: Path) -> None:
    """Raise CheckFailed where two tables have different rows, in any order."""
    saved_rows, read_rows = (pl.read_parquet(path) for path in (saved, read))
    if saved_rows.schema != read_rows.schema or saved_rows.height != read_rows.height:
        raise CheckFailed(
            f"{saved.name} has {saved_rows.height:,} rows, and {read_rows.height:,} are read in the answers."
        )
    saved_rows, read_rows = (table.sort(table.columns) for table in (saved_rows, read_rows))
    if not saved_rows.equals(read_rows):
        pairs = zip(saved_rows.iter_rows(), read_rows.iter_rows(), strict=True)
        row = next((mine for mine, read_row in pairs if mine != read_row), saved_rows.row(0))
        raise CheckFailed(
            f"{saved.name} differs from what is read in the answers; the first different row is that of {row[0]}."
        )


def recomputed_suite(bundled: RunToRecompute) -> Recomputed:
    """Return the result of a suite, from those of its probes."""
    folders = {probe: bundled.folder / probe for probe in bundled.manifest.probes}
    lacking = [probe for probe, path in folders.items() if path not in bundled.runs]
    if lacking:
        raise InputError(f"{bundled.folder} names the probe {lacking[0]}, which is not in the bundle.")
    result = analyse_suite(bundled.manifest, {probe: finished_probe(path) for probe, path in folders.items()})
    return Recomputed(result=result, source="the findings of its probes")


def recomputed_compare(bundled: RunToRecompute) -> Recomputed:
    """Return the differences between models, from the runs that have the outcomes that were compared."""
    audit: CompareAudit = bundled.saved.audit
    by_outcomes = outcomes_of(bundled.runs)
    found = {
        probe.probe: [_bundled_model_run(run, probe, bundled.manifest, by_outcomes) for run in probe.runs]
        for probe in audit.probes
    }
    grouped = {name: [run for run in compared if run is not None] for name, compared in found.items()}
    if grouped != found:
        reason = "the runs that were compared are not in the bundle; bundle them with the comparison"
        return Recomputed.nothing(bundled.saved, reason)
    result = analyse_compare(grouped, manifest_options(CompareOptions, bundled.manifest.parameters))
    return Recomputed(result=result, source="the runs that were compared")


def _bundled_model_run(
    run: ComparedRun, probe: ComparedProbe, manifest: Manifest, by_outcomes: dict[str, Path]
) -> LabelledRun | None:
    """Return a run of the bundle with the outcomes that were compared; None where there is none."""
    path = by_outcomes.get(manifest.fingerprints.get(f"{run.folder}/outcomes.parquet", ""))
    bundled_manifest = None if path is None else read_manifest(path)
    if path is None or bundled_manifest is None or bundled_manifest.probe != probe.probe:
        return None
    return LabelledRun(label=run.model, manifest=bundled_manifest, run=finished_probe(path), place=run.folder)


MONITORED = NotRecomputed(what="the counts by month and person, alarms and labels", why="they lie in the store")
COUNTED = NotRecomputed(what="the count tables", why="the rows that were counted are not in the bundle")
ROWS = "the rows that were counted are not in the bundle"


def recomputed_impact(bundled: RunToRecompute) -> Recomputed:
    """Return the result of an analysis of applicants, from the rows that were counted, or else from their counts."""
    manifest, inputs = bundled.manifest, bundled.inputs
    audit: ImpactAudit = bundled.saved.audit
    options = manifest_options(ImpactOptions, manifest.parameters)
    shares, available = _stated_shares(options.share, inputs), _stated_shares(options.availability, inputs)
    options = replace(options, share=shares, availability=available)
    source: Any = inputs.source if manifest.input.get("columns") else _run_counted(manifest, bundled.runs)
    typed = bool(options.counts) and not manifest.input.get("columns")
    source = read_counts(options.counts) if typed else source
    besides = () if source is not None else (COUNTED,)
    tables = {path.stem: pl.read_parquet(path) for path in bundled.folder.glob("*.parquet")}
    reason = _why_no_impact(options, recounted=source is not None or "people" in tables)
    if reason is not None:
        return Recomputed.nothing(bundled.saved, reason, *besides)
    counted = Counted(
        applicants=Applicants(
            attributes=audit.attributes,
            counts=tables["counts"],
            scores=tables.get("scores"),
            sweep=tables.get("sweep"),
            given=tables.get("given"),
            periods=tables.get("periods"),
            ages=tables.get("ages"),
            stages=audit.stages,
            accounting=audit.accounting,
            bounds=_bounds(tables, options),
            clustered=people_as_clusters(tables["people"]) if "people" in tables else None,
            undecided=tables.get("undecided"),
        ),
        fingerprints={},
        source=audit.source,
        warnings=tuple(line for line in audit.warnings if line in {RANKED, REPEATED}),
        simulated_note=audit.simulated_note,
    )
    if source is not None:
        recounted = counted_source(source, options)
        _check_counts(recounted.applicants, counted.applicants, options)
        accounting = replace(recounted.applicants.accounting, source=audit.accounting.source)
        counted = replace(
            recounted,
            applicants=replace(recounted.applicants, accounting=accounting),
            simulated_note=audit.simulated_note,
        )
    result = analyse_impact(counted, options)
    if audit.monitored is not None:
        until = date.fromisoformat(audit.monitored.last)
        looks = saved_looks(tables, as_of=until)
        result, besides = of_period(result, counted.applicants, audit.monitored, looks), (MONITORED,)
    return Recomputed(
        result=result,
        source="the counts" if source is None or typed else "the rows that were counted",
        besides=besides,
    )


def _bounds(tables: Mapping[str, pl.DataFrame], options: ImpactOptions) -> CountBounds | None:
    """Return the counts with the lowest and the highest rates, where they are not known exactly."""
    if "counts_lowest" not in tables:
        return None
    lowest, highest = tables["counts_lowest"], tables["counts_highest"]
    return CountBounds(suppressed=options.suppressed is not None, lowest=lowest, highest=highest)


def _stated_shares(typed: Sequence[str], inputs: RunInputs) -> tuple[str, ...]:
    """Return stated shares, with the path in the bundle of each table of shares, "" where it is not there."""
    shares = []
    for share in typed:
        table = inputs.given.get(inputs.manifest.fingerprints.get(Path(share).name, ""), "")
        shares.append(share if "=" in share else str(table))
    return tuple(shares)


def _why_no_impact(options: ImpactOptions, *, recounted: bool) -> str | None:
    """Return the reason why a bundle lacks what the findings need; None where it has all."""
    if "" in {*options.share, *options.availability}:
        return "the table of stated shares is not in the bundle"
    apart = options.cluster or options.block or options.weight or membership_of(options.protected)[1]
    if apart and not recounted:
        return "the counts by cluster, block or weight are not in the bundle"
    return None


def _run_counted(manifest: Manifest, bundled_runs: Sequence[Path]) -> Path | None:
    """Return the run in the bundle whose outcomes were counted; None where there is none."""
    return outcomes_of(bundled_runs).get(manifest.fingerprints.get("outcomes.parquet", ""))


def _check_counts(recounted: Applicants, saved: Applicants, options: ImpactOptions) -> None:
    """Compare the saved counts with those of the table of applicants, of the run, or that were given."""
    for name, table in recounted.tables.items():
        if name not in saved.tables or not table.equals(saved.tables[name]):
            source = "the numbers that were given" if options.counts else "the rows"
            raise CheckFailed(f"{name}.parquet differs from the counts of {source}.")


def recomputed_evaluate(bundled: RunToRecompute) -> Recomputed:
    """Return the result of an evaluation, from its rows."""
    manifest, saved, inputs = bundled.manifest, bundled.saved, bundled.inputs
    source = inputs.source
    if source is None:
        return Recomputed.nothing(saved, ROWS)
    if "base_url" in manifest.parameters:
        return Recomputed.nothing(saved, "the server that embedded the texts is not asked again")
    pairs = inputs.option("match_run")
    if "match_run" in manifest.parameters and pairs is None:
        return Recomputed.nothing(saved, "pairs.csv of the match run is not in the bundle")
    options = replace(manifest_options(EvaluateOptions, manifest.parameters), match_run=pairs)
    result: Result[EvaluateAudit, Any] = analyse_evaluate(source, options)
    accounting = replace(result.audit.accounting, source=saved.audit.accounting.source)
    facts = replace(result.audit, accounting=accounting, **{name: getattr(saved.audit, name) for name in MADE})
    return Recomputed(result=replace(result, audit=facts), source="the rows that were counted")


def recomputed_features(bundled: RunToRecompute) -> Recomputed:
    """Return the result of a vetting, from its rows."""
    inputs, saved = bundled.inputs, bundled.saved
    reason = _why_no_features(inputs, saved.audit)
    if reason is not None:
        return Recomputed.nothing(saved, reason)
    compared = {} if saved.audit.compared_with is None else {"compare_with": str(inputs.read[-1])}
    return recomputed_source(bundled, names=("compared_with", "expectations", *MADE), **compared)


def _why_no_features(inputs: RunInputs, audit: FeaturesAudit) -> str | None:
    """Return the reason why a bundle lacks what the findings need; None where it has all."""
    if inputs.source is None:
        return ROWS
    if audit.expectations is not None and inputs.option("expect") is None:
        return "the file of expectations is not in the bundle"
    if audit.compared_with is not None and inputs.read[-1] is None:
        return "the table that they were compared with is not in the bundle"
    if audit.joint.features and lacks_model():
        return "scikit-learn is not installed, which all features jointly need"
    return None


NOT_READ = NotRecomputed(
    what="how scores were read from answers", why="the texts of résumés and positions are not in the bundle"
)
NOT_DRAWN = NotRecomputed(
    what="for how many recorded cases a drawn one stands, and coverage", why="the draws and counts lie in the store"
)
NOT_BEFORE = NotRecomputed(what="the scores of the run before", why="they lie in the store")


def recomputed_golden(bundled: RunToRecompute) -> Recomputed:
    """Return the result of a run on golden cases, from cases.csv.

    Raises
    ------
    CheckFailed
        A score there is none of outcomes.parquet, or the labels are not those of the version.

    """
    audit: GoldenAudit = bundled.saved.audit
    table = read_cases(bundled.folder)
    _check_scores(table, pl.read_parquet(RunFolder(bundled.folder).outcomes))
    _check_labels(table, audit)
    assert audit.decided.cutoff is not None
    cases = GoldenCases(
        table=table,
        cutoff=audit.decided.cutoff,
        **copied(audit, "version digest labels positive forgotten"),
        model=audit.judged_as,
        against=audit.held_against,
        **copied(audit, "coverage drawn_of not_represented"),
    )
    result = analyse_golden(cases)
    of_the_scorer = {name: getattr(audit, name) for name in ("model", *MADE)}
    asked = tuple(line for line in audit.warnings if line not in result.audit.warnings)
    facts = replace(result.audit, **of_the_scorer, warnings=(*asked, *result.audit.warnings))
    return Recomputed(
        result=replace(result, audit=facts),
        source="cases.csv, and the scores in outcomes.parquet",
        besides=[
            NOT_READ,
            *([] if audit.held_against is None else [NOT_BEFORE]),
            *([NOT_DRAWN] if audit.drawn else []),
        ],
    )


def _check_scores(table: pl.DataFrame, outcomes: pl.DataFrame) -> None:
    mean_scores = outcomes.drop_nulls("score").group_by("item").agg(pl.col("score").mean())
    known = dict(mean_scores.iter_rows())
    for case, score in table.select("case", "score").iter_rows():
        if known.get(case) != score:
            raise CheckFailed(f"the score of case {case!r} in cases.csv differs from that of outcomes.parquet")


def _check_labels(table: pl.DataFrame, audit: GoldenAudit) -> None:
    """Compare labels with the SHA-256 of the version, as long as none of its cases was forgotten."""
    labels = {case: audit.labels.index(label) for case, label in table.select("case", "label").iter_rows()}
    if not audit.forgotten and digest_of(labels) != audit.digest:
        raise CheckFailed(f"the labels in cases.csv differ from those of version {audit.version} of the golden set")
    positive = audit.labels.index(audit.positive)
    for case, yes in table.select("case", "yes").iter_rows():
        if (yes == "yes") != (labels[case] >= positive):
            raise CheckFailed(f"case {case!r} in cases.csv is counted with another label than its own")


READ = NotRecomputed(
    what="how scores were read from answers", why="verify does not write the résumés of all arms again"
)


def recomputed_perturb(bundled: RunToRecompute) -> Recomputed:
    """Return the result of a perturbation test, from its outcomes."""
    result = analyse_perturb(pl.scan_parquet(RunFolder(bundled.folder).outcomes), bundled.saved.audit)
    return Recomputed(result=result, source="the scores in outcomes.parquet", besides=[READ])


def recomputed_source(bundled: RunToRecompute, *, names: Sequence[str] = ("source", *MADE), **given: Any) -> Recomputed:
    """Return the result of a kind that declares no other recomputation: its analysis of what was read.

    That must be in the bundle, and the files that options name. Options that are `given` replace those of the run; the
    facts called `names` stay as they were saved.
    """
    kind, saved, parameters = bundled.manifest.run_kind, bundled.saved, bundled.manifest.parameters
    if kind.analyse is None:
        return Recomputed.nothing(saved, f"this version can't compute those of {bundled.manifest.kind} again")
    if bundled.inputs.source is None:
        return Recomputed.nothing(saved, ROWS)
    options = manifest_options(loaded(kind.options), parameters)
    files = {
        entry.name: entry.flag for entry in declared(type(options)) if entry.name in parameters and entry.kind is Path
    }
    for name, flag in files.items():
        if bundled.inputs.option(name) is None:
            return Recomputed.nothing(saved, f"the file of {flag} is not in the bundle")
    options = replace(options, **{name: bundled.inputs.option(name) for name in files}, **given)
    result = loaded(kind.analyse)(bundled.inputs.source, options)
    facts = replace(result.audit, **{name: getattr(saved.audit, name) for name in names})
    return Recomputed(result=replace(result, audit=facts), source="the rows that were counted")


def recomputed_match(bundled: RunToRecompute) -> Recomputed:
    """Return the findings of test pairs; findings on features need the texts and are not recomputed.

    Those share the family of the test pairs' planned comparisons.
    """
    path, saved = RunFolder(bundled.folder).outcomes, bundled.saved
    outcomes = pl.read_parquet(path) if path.is_file() and saved.findings else None
    features = [finding for finding in saved.findings if finding.measure in {PROXY, JOINT_PROXY, EFFECTIVE_SIZE}]
    findings = []
    if outcomes is not None and outcomes["label"].count():
        findings = evaluated(outcomes, features)[: -len(features) or None]
    known = {finding.name for finding in findings}
    reason = "they need features, which verify does not make of texts again"
    lacking = "the matcher and its tables" if saved.findings else "scores, lists and reasons"
    return Recomputed(
        result=replace(saved, findings=findings),
        source="the scores and labels in outcomes.parquet" if findings else "",
        without={finding.name: reason for finding in saved.findings if finding.name not in known},
        besides=[NotRecomputed(what=lacking, why=reason)],
    )
