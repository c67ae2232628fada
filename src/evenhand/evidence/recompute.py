"""Findings recomputed from what a bundle holds: one function for each kind of run.

A probe's outcomes are read from its answers again and measured; a suite follows from its probes, a comparison from its
runs, and analyses of tables from their rows or counts. Of `match` only runs with test pairs have findings.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
import polars as pl

from evenhand.analyses.asking import sequential_of, stopping_rule
from evenhand.analyses.compare_runs import LabelledRun, comparison_result
from evenhand.analyses.evaluate import evaluated_scores, evaluation_block, evaluation_tables
from evenhand.analyses.features import vetted, vetting_block
from evenhand.analyses.finish import measured_folder
from evenhand.analyses.golden import cases_evaluated, read_cases
from evenhand.analyses.impact import counted_source, ll144_tables, measured_applicants
from evenhand.analyses.impact_query import counts_table, read_counts
from evenhand.analyses.manifest import Manifest, read_manifest
from evenhand.analyses.match import evaluated
from evenhand.analyses.merge import MergePlan
from evenhand.analyses.options.impact import ImpactOptions
from evenhand.analyses.options.probes import CompareOptions, configured, find_probe
from evenhand.analyses.options.reproduce import manifest_options
from evenhand.analyses.options.scores import EvaluateOptions, FeatureOptions
from evenhand.analyses.perturb import outcome_findings
from evenhand.analyses.probes import joined_answers
from evenhand.analyses.records import probe_block, suite_findings
from evenhand.analyses.run import finished_probe
from evenhand.comparisons.declared import Sequential
from evenhand.comparisons.impact_cells import floor_notes
from evenhand.comparisons.perturbation import perturb_table
from evenhand.comparisons.proxies import lacks_model
from evenhand.data.applicant_query import Applicants
from evenhand.data.inputs import read_saved_answers
from evenhand.errors import CheckFailed, InputError
from evenhand.evidence.runs import STIMULI, RunInputs, input_files_below, outcomes_of, write_stimuli
from evenhand.evidence.verify import NotRecomputed, Recomputed
from evenhand.models.journal import journal_index
from evenhand.models.outcomes import CounterfactualPairs, OutcomeSummary, answered_stimuli, write_outcomes
from evenhand.models.stopping import StoppingRule
from evenhand.monitoring.golden_labels import digest_of
from evenhand.probes.probe import ReadAnswers
from evenhand.results.applicant_audit import ImpactAudit
from evenhand.results.audit import CompareAudit, ComparedProbe, ComparedRun, ProbeAudit
from evenhand.results.feature_audit import FeaturesAudit
from evenhand.results.finding import Finding, VerdictBasis, Word
from evenhand.results.kinds import Audit
from evenhand.results.measures import EFFECTIVE_SIZE, JOINT_PROXY, PROXY
from evenhand.results.result import read_result
from evenhand.results.run_folder import RunFolder
from evenhand.results.score_audit import EvaluateAudit, GoldenAudit, PerturbAudit

#: Reasons why a finding is not recomputed.
WORDS = "the words of answers were taken away with their text"
SEQUENCE = "its interval is a confidence sequence, which follows from the order of the answers"


def recomputed_probe(folder: Path, manifest: Manifest, *, bundled_runs: Sequence[Path]) -> Recomputed:  # noqa: ARG001
    """Return the findings of a run, from its outcomes; where the bundle has answers, the outcomes are checked first.

    Raises
    ------
    CheckFailed
        The outcomes don't follow from the answers, or answers are missing.

    """
    content, inputs = read_result(folder), RunInputs(manifest=manifest, given=input_files_below(folder))
    saved, reason = content.findings, inputs.why_unmeasured
    if reason is not None:
        return Recomputed(findings=[], source="", without={finding.name: reason for finding in saved})
    if inputs.has_prompts:
        _check_prompts(folder, inputs)
    unread = inputs.why_unread
    answered = None
    if unread is None and manifest.design is None:
        _check_saved_answers(folder, inputs)
    elif unread is None:
        answered = _checked_answers(folder, inputs)
    sequential = None if answered is None else answered.sequential
    probe = configured(find_probe(manifest.probe), inputs.settings)
    measured = measured_folder(
        RunFolder(folder),
        probe,
        seed=manifest.parameters["seed"],
        compatible=None if manifest.compat is None else probe.compatible[manifest.compat],
        sequential=sequential,
    )
    without: dict[str, str] = {}
    if sequential is None and manifest.stopping is not None:
        without |= {finding.name: SEQUENCE for finding in saved if VerdictBasis.of(finding).until_width is not None}
    if manifest.redacted:
        measured_names = {finding.name for finding in measured.findings}
        words = [finding.name for finding in saved if isinstance(finding.details, Word)]
        without |= {name: WORDS for name in words if name not in measured_names}
    return Recomputed(
        findings=measured.findings,
        source="outcomes.parquet" if unread else "the answers",
        audit=None
        if answered is None or inputs.given
        else _block(content.audit, answered, measured.findings, manifest),
        tables=measured.tables,
        without=without,
        besides=[] if unread is None else [NotRecomputed(what="the reading of answers", why=unread)],
    )


@dataclass(frozen=True, kw_only=True)
class _Answered:
    """The checked answers of a run: its plan, the summary of outcomes, and the sequential analysis."""

    plan: MergePlan
    summary: OutcomeSummary
    sequential: Sequential | None


def _block(saved: Audit, answered: _Answered, findings: Sequence[Finding], manifest: Manifest) -> Audit:
    """Return the recomputed audit block, with the saved warnings, command and counterfactual pair."""
    plan = answered.plan
    recomputed_block = probe_block(plan.probe, plan.design, manifest, answered.summary, findings)
    assert isinstance(saved, ProbeAudit)
    return replace(recomputed_block, warnings=saved.warnings, reproduce=saved.reproduce, twins=saved.twins)


def _check_prompts(folder: Path, inputs: RunInputs) -> None:
    """Compare the prompts with those that the probe makes."""
    with TemporaryDirectory(prefix="evenhand-") as temporary:
        redrawn = Path(temporary) / STIMULI
        write_stimuli(folder, inputs.plan.design, redrawn)
        saved = folder / STIMULI
        if not saved.is_file() or saved.read_bytes() != redrawn.read_bytes():
            raise CheckFailed(f"{STIMULI} is not what the probe asks.")


def _checked_answers(folder: Path, inputs: RunInputs) -> _Answered:
    """Compare the outcomes with those read from the planned answers; return what was read."""
    plan, number, manifest = inputs.plan, inputs.number, inputs.manifest
    journaled = journal_index(folder).ids
    attempts, slack = plan.sample * plan.options.repetitions, plan.design.block * plan.options.repetitions
    if manifest.stopping is None and attempts // plan.of > journaled.size + slack:
        raise CheckFailed(f"{attempts:,} attempts were planned, and the journal has {journaled.size:,}.")
    stopping = _replayed_stopping_rule(folder, manifest, plan, number)
    ids = plan.ids(number)
    planned = np.sort(ids if stopping is None or not stopping.reached else ids[: stopping.attempts])
    lacking = np.setdiff1d(planned, journaled).size
    if lacking:
        raise CheckFailed(f"{lacking:,} of {planned.size:,} attempts have no answer in the journal.")
    summary = _check_outcomes(folder, answered_stimuli(folder, plan.design, planned=planned), plan.probe.read)
    return _Answered(plan=plan, summary=summary, sequential=sequential_of(stopping))


def _check_saved_answers(folder: Path, inputs: RunInputs) -> None:
    """Compare the outcomes with those read from the saved answers that were measured."""
    manifest, path = inputs.manifest, inputs.source
    assert path is not None
    probe = configured(find_probe(manifest.probe), inputs.settings, command="measure")
    saved = read_saved_answers(path, maps=tuple(manifest.parameters.get("map_values", ())))
    read = probe.read if manifest.compat is None else probe.compatible[manifest.compat].read
    _check_outcomes(folder, [joined_answers(saved, probe.saved(saved))], read)


def _check_outcomes(
    folder: Path, pieces: Iterable[pl.DataFrame], read: Callable[[pl.DataFrame], ReadAnswers]
) -> OutcomeSummary:
    """Compare outcomes with those read from answers, joined with their stimuli; return their summary."""
    with TemporaryDirectory(prefix="evenhand-") as temporary:
        recomputed_run, saved_run = RunFolder(Path(temporary)), RunFolder(folder)
        summary = write_outcomes(
            pieces, read, recomputed_run.outcomes, recomputed_run.words, twins=CounterfactualPairs(())
        )
        for saved, recomputed_file in (
            (saved_run.outcomes, recomputed_run.outcomes),
            (saved_run.words, recomputed_run.words),
        ):
            if saved.is_file() != recomputed_file.is_file():
                raise CheckFailed(f"{saved.name} is not what is read in the answers.")
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
        stopping.replay(folder, plan.attempts(number), np.sort(journal_index(folder).ids))
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
        raise CheckFailed(f"{saved.name} is not what is read in the answers; the first other row is that of {row[0]}.")


def recomputed_suite(folder: Path, manifest: Manifest, *, bundled_runs: Sequence[Path]) -> Recomputed:
    """Return the findings of a suite, from those of its probes."""
    folders = {probe: folder / probe for probe in manifest.probes}
    lacking = [probe for probe, path in folders.items() if path not in bundled_runs]
    if lacking:
        raise InputError(f"{folder} names the probe {lacking[0]}, which is not in the bundle.")
    findings = suite_findings({probe: finished_probe(path).findings for probe, path in folders.items()})
    return Recomputed(findings=findings, source="the findings of its probes")


def recomputed_compare(folder: Path, manifest: Manifest, *, bundled_runs: Sequence[Path]) -> Recomputed:
    """Return the differences between models, from the runs that have the outcomes that were compared."""
    content = read_result(folder)
    audit = content.audit
    if not isinstance(audit, CompareAudit):
        raise InputError(f"{folder / 'findings.json'} is of another kind of run.")
    by_outcomes = outcomes_of(bundled_runs)
    grouped = {
        probe.probe: [_bundled_model_run(run, probe, manifest, by_outcomes) for run in probe.runs]
        for probe in audit.probes
    }
    if any(run is None for runs in grouped.values() for run in runs):
        reason = "the runs that were compared are not in the bundle; bundle them with the comparison"
        return Recomputed(findings=[], source="", without={finding.name: reason for finding in content.findings})
    comparison = comparison_result(
        {probe: [run for run in runs if run is not None] for probe, runs in grouped.items()},
        manifest_options(CompareOptions, manifest.parameters),
    )
    return Recomputed(findings=comparison.findings, source="the runs that were compared")


def _bundled_model_run(
    run: ComparedRun, probe: ComparedProbe, manifest: Manifest, by_outcomes: dict[str, Path]
) -> LabelledRun | None:
    """Return a run of the bundle with the outcomes that were compared; None where there is none."""
    place = by_outcomes.get(manifest.fingerprints.get(f"{run.folder}/outcomes.parquet", ""))
    bundled_manifest = None if place is None else read_manifest(place)
    if place is None or bundled_manifest is None or bundled_manifest.probe != probe.probe:
        return None
    return LabelledRun(label=run.model, manifest=bundled_manifest, run=finished_probe(place))


COUNTED = NotRecomputed(what="the count tables", why="the rows that were counted are not in the bundle")


def recomputed_impact(folder: Path, manifest: Manifest, *, bundled_runs: Sequence[Path]) -> Recomputed:
    """Return the findings and tables of an analysis, from counts."""
    content = read_result(folder)
    audit = content.audit
    if not isinstance(audit, ImpactAudit):
        raise InputError(f"{folder / 'findings.json'} is of another kind of run.")
    options = manifest_options(ImpactOptions, manifest.parameters)
    tables = {path.stem: pl.read_parquet(path) for path in folder.glob("*.parquet")}
    applicants = Applicants(
        attributes=audit.attributes,
        counts=tables["counts"],
        scores=tables.get("scores"),
        sweep=tables.get("sweep"),
        given=tables.get("given"),
        stages=audit.stages,
        accounting=audit.accounting,
    )
    inputs = RunInputs(manifest=manifest, given=input_files_below(folder))
    options = replace(options, share=_stated_shares(options, inputs))
    source = inputs.source if manifest.input.get("columns") else _run_counted(manifest, bundled_runs)
    recounted = source is not None or bool(options.counts)
    reason = _why_no_impact(options, recounted=recounted)
    if reason is not None:
        without = {finding.name: reason for finding in content.findings}
        return Recomputed(findings=[], source="", without=without, besides=[] if recounted else [COUNTED])
    if recounted:
        applicants = replace(applicants, clustered=_recounted(source, options, tables).clustered)
    measured = measured_applicants(applicants, options)
    rows = {"impact.csv": measured.rows, "pooled.csv": measured.pooled}
    if measured.availability is not None:
        rows = {"availability.csv": measured.availability}
    law = ll144_tables(applicants, options)
    if law is not None:
        rows["ll144.csv"] = law.rows
    floor = replace(audit.reference_floor, notes=floor_notes(measured.findings))
    return Recomputed(
        findings=measured.findings,
        source="the counts" if source is None else "the rows that were counted",
        audit=replace(audit, shown=measured.small_tables, reference_floor=floor),
        tables=rows,
        besides=[] if recounted else [COUNTED],
    )


def _stated_shares(options: ImpactOptions, inputs: RunInputs) -> tuple[str, ...]:
    """Return stated shares, with the path in the bundle of each table of shares, "" where it is not there."""
    shares = []
    for share in options.share:
        table = inputs.given.get(inputs.manifest.fingerprints.get(Path(share).name, ""), "")
        shares.append(share if "=" in share else str(table))
    return tuple(shares)


def _why_no_impact(options: ImpactOptions, *, recounted: bool) -> str | None:
    """Return the reason why a bundle lacks what the findings need; None where it has all."""
    if "" in options.share:
        return "the table of stated shares is not in the bundle"
    if (options.cluster or options.block) and not recounted:
        return "the counts by cluster and block are not in the bundle"
    return None


def _run_counted(manifest: Manifest, bundled_runs: Sequence[Path]) -> Path | None:
    """Return the run in the bundle whose outcomes were counted; None where there is none."""
    return outcomes_of(bundled_runs).get(manifest.fingerprints.get("outcomes.parquet", ""))


def _recounted(source: Any, options: ImpactOptions, tables: Mapping[str, pl.DataFrame]) -> Applicants:
    """Return what is counted in the table of applicants, in the run, or in the counts that were given.

    Raises
    ------
    CheckFailed
        Other numbers are counted there.

    """
    counts_given = options.counts
    if counts_given:
        source, options = counts_table(read_counts(options.counts), options)
    recounted = counted_source(source, options).applicants
    for name, table in recounted.tables.items():
        if name not in tables or not table.equals(tables[name]):
            whence = "the numbers that were given" if counts_given else "the rows"
            raise CheckFailed(f"{name}.parquet is not what is counted in {whence}.")
    return recounted


def recomputed_evaluate(folder: Path, manifest: Manifest, *, bundled_runs: Sequence[Path]) -> Recomputed:  # noqa: ARG001
    """Return the findings and tables of an evaluation, from its rows."""
    content = read_result(folder)
    audit = content.audit
    if not isinstance(audit, EvaluateAudit):
        raise InputError(f"{folder / 'findings.json'} is of another kind of run.")
    source = RunInputs(manifest=manifest, given=input_files_below(folder)).source
    if source is None:
        reason = "the rows that were counted are not in the bundle"
        return Recomputed(findings=[], source="", without={finding.name: reason for finding in content.findings})
    recomputed_scores = evaluated_scores(source, manifest_options(EvaluateOptions, manifest.parameters))
    accounting = replace(recomputed_scores.accounting, source=audit.accounting.source)
    block = evaluation_block(replace(recomputed_scores, accounting=accounting), EvaluateAudit)
    names = ("decided", "accounting", "cutoffs", "tensions", "floor_notes", "similar", "warnings", "attributes", "by")
    return Recomputed(
        findings=recomputed_scores.found.findings,
        source="the rows that were counted",
        audit=replace(audit, **{name: getattr(block, name) for name in names}),
        tables=evaluation_tables(recomputed_scores),
    )


def recomputed_features(folder: Path, manifest: Manifest, *, bundled_runs: Sequence[Path]) -> Recomputed:  # noqa: ARG001
    """Return the findings and tables of a vetting, from its rows."""
    content = read_result(folder)
    audit = content.audit
    if not isinstance(audit, FeaturesAudit):
        raise InputError(f"{folder / 'findings.json'} is of another kind of run.")
    inputs = RunInputs(manifest=manifest, given=input_files_below(folder))
    reason = _why_no_features(inputs, audit)
    if reason is not None:
        return Recomputed(findings=[], source="", without={finding.name: reason for finding in content.findings})
    options = manifest_options(FeatureOptions, manifest.parameters)
    compared = None if options.compare_with is None else str(inputs.read[-1])
    vetting, _ = vetted(inputs.source, replace(options, expect=inputs.option("expect"), compare_with=compared))
    block = vetting_block(vetting)
    names = ("rows", "rows_compared", "features", "attributes", "label", "free_text", "joint", "notes")
    return Recomputed(
        findings=vetting.findings,
        source="the rows that were counted",
        audit=replace(audit, **{name: getattr(block, name) for name in names}),
        tables={"features.csv": vetting.features, "proxies.csv": vetting.proxies},
    )


def _why_no_features(inputs: RunInputs, audit: FeaturesAudit) -> str | None:
    """Return the reason why a bundle lacks what the findings need; None where it has all."""
    if inputs.source is None:
        return "the rows that were counted are not in the bundle"
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
NOT_BEFORE = NotRecomputed(what="the scores of the run before", why="they lie in the store")


def recomputed_golden(folder: Path, manifest: Manifest, *, bundled_runs: Sequence[Path]) -> Recomputed:  # noqa: ARG001
    """Return the findings of a run on golden cases, from cases.csv.

    Raises
    ------
    CheckFailed
        A score there is none of outcomes.parquet, or the labels are not those of the version.

    """
    audit = read_result(folder).audit
    if not isinstance(audit, GoldenAudit):
        raise InputError(f"{folder / 'findings.json'} is of another kind of run.")
    table = read_cases(folder)
    _check_scores(table, pl.read_parquet(RunFolder(folder).outcomes))
    _check_labels(table, audit)
    assert audit.decided.cutoff is not None
    evaluated_cases = cases_evaluated(table, cutoff=audit.decided.cutoff, against_cutoff=audit.decided.against_cutoff)
    return Recomputed(
        findings=evaluated_cases.found.findings,
        source="cases.csv, and the scores in outcomes.parquet",
        besides=[NOT_READ] if audit.held_against is None else [NOT_READ, NOT_BEFORE],
    )


def _check_scores(table: pl.DataFrame, outcomes: pl.DataFrame) -> None:
    mean_scores = outcomes.drop_nulls("score").group_by("item").agg(pl.col("score").mean())
    known = dict(mean_scores.iter_rows())
    for case, score in table.select("case", "score").iter_rows():
        if known.get(case) != score:
            raise CheckFailed(f"the score of case {case!r} in cases.csv is not that of outcomes.parquet")


def _check_labels(table: pl.DataFrame, audit: GoldenAudit) -> None:
    """Compare labels with the SHA-256 of the version, as long as none of its cases was forgotten."""
    labels = {case: audit.labels.index(label) for case, label in table.select("case", "label").iter_rows()}
    if not audit.forgotten and digest_of(labels) != audit.digest:
        raise CheckFailed(f"the labels in cases.csv are not those of version {audit.version} of the golden set")
    positive = audit.labels.index(audit.positive)
    for case, yes in table.select("case", "yes").iter_rows():
        if (yes == "yes") != (labels[case] >= positive):
            raise CheckFailed(f"case {case!r} in cases.csv is counted as another label than it has")


READ = NotRecomputed(
    what="how scores were read from answers", why="verify does not write the résumés of all arms again"
)


def recomputed_perturb(folder: Path, manifest: Manifest, *, bundled_runs: Sequence[Path]) -> Recomputed:  # noqa: ARG001
    """Return the findings of a perturbation test, from its outcomes."""
    content = read_result(folder)
    audit = content.audit
    if not isinstance(audit, PerturbAudit):
        raise InputError(f"{folder / 'findings.json'} is of another kind of run.")
    outcomes = pl.scan_parquet(RunFolder(folder).outcomes)
    seed = manifest.parameters["seed"]
    findings = outcome_findings(outcomes, audit.experiment, manifest.settings, seed=seed)
    tables = {"perturb.csv": perturb_table(findings)}
    return Recomputed(findings=findings, source="the scores in outcomes.parquet", tables=tables, besides=[READ])


def recomputed_match(folder: Path, manifest: Manifest, *, bundled_runs: Sequence[Path]) -> Recomputed:  # noqa: ARG001
    """Return the findings of test pairs; findings on features need the texts and are not recomputed.

    Those share the family of the test pairs' planned comparisons.
    """
    saved = read_result(folder).findings
    path = RunFolder(folder).outcomes
    outcomes = pl.read_parquet(path) if path.is_file() and saved else None
    features = [finding for finding in saved if finding.measure in {PROXY, JOINT_PROXY, EFFECTIVE_SIZE}]
    findings = []
    if outcomes is not None and outcomes["label"].count():
        findings = evaluated(outcomes, features)[: -len(features) or None]
    known = {finding.name for finding in findings}
    reason = "they need features, which verify does not make of texts again"
    lacking = "the matcher and its tables" if saved else "scores, lists and reasons"
    return Recomputed(
        findings=findings,
        source="the scores and labels in outcomes.parquet" if findings else "",
        without={finding.name: reason for finding in saved if finding.name not in known},
        besides=[NotRecomputed(what=lacking, why=reason)],
    )
