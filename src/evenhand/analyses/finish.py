"""Finish the run of a probe: outcomes, findings, report, redaction. `evenhand report` redraws the report.

`finish_run` takes answers joined with their stimuli.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import polars as pl

from evenhand.analyses.judging import Judge, UnreadAnswers, judge_answers
from evenhand.analyses.manifest import Manifest, manifest_of, read_manifest, utc_now
from evenhand.analyses.options.probes import ProbeOptions
from evenhand.analyses.progress import Progress
from evenhand.analyses.records import matched_pairs, probe_facts, redacted_block
from evenhand.analyses.run import ProbeRun, finished_probe, write_findings
from evenhand.comparisons.declared import Sequential
from evenhand.comparisons.measure import measure_outcomes
from evenhand.comparisons.undetected import JudgedAnswers
from evenhand.comparisons.units import is_balanced
from evenhand.errors import InputError
from evenhand.models.journal import journal_files
from evenhand.models.outcomes import CounterfactualPairs, identical_repetitions, redact_journal, write_outcomes
from evenhand.probes.probe import Compatible, Design, Probe
from evenhand.probes.resume_score.settings import RANGE, range_of
from evenhand.report.files import write_files
from evenhand.report.page.html import report_page
from evenhand.report.words.numbers import percent_text
from evenhand.report.words.results import group_label
from evenhand.results.audit import CounterfactualAnswer, ProbeAudit, SuiteAudit
from evenhand.results.files import refuse_existing, sync_file, write_file
from evenhand.results.finding import Finding
from evenhand.results.measures import UNDETECTED_ITEMS
from evenhand.results.messages import Notices, listed
from evenhand.results.result import Result, RunFolder, read_result
from evenhand.results.schemas import PROTECTED, UNREAD, WITHOUT_TEXT

#: Status of a measured run while its answers are being redacted.
REDACTING = "redacting"


@dataclass(frozen=True, kw_only=True)
class Answered:
    """A run with all its answers, and how to finish it.

    With `compatible` the answers are parsed and measured by that package's definitions. With `redact` no text of an
    answer stays in the folder. `sequential` is the interval of the measure that stopped the run. `judge` reads what the
    reader leaves unread.
    """

    probe: Probe
    folder: RunFolder
    manifest: Mapping[str, Any]
    design: Design | None = None
    warnings: Sequence[str] = ()
    reproduce: str = ""
    with_report: bool = True
    compatible: Compatible | None = None
    redact: bool = False
    sequential: Sequential | None = None
    judge: Judge | None = None


def finish_run(
    run: Answered, pieces: Iterable[pl.DataFrame], *, notice: Notices, progress: Progress | None = None
) -> ProbeRun:
    """Write outcomes, findings and, if wanted, the report; `pieces` are stimuli with their answers."""
    folder, probe, compatible = run.folder, run.probe, run.compatible

    def now(doing: str) -> None:
        if progress is not None:
            progress(f"{probe.name}: {doing}")

    for line in run.warnings:
        notice(f"Warning: {line}")
    twins = CounterfactualPairs(probe.twins)
    now("reading")
    parse = probe.read if compatible is None else compatible.read
    unread, judge = UnreadAnswers(), run.judge
    summary = write_outcomes(
        pieces, parse if judge is None else unread.kept_by(parse), folder.outcomes, folder.words, twins=twins
    )
    folder.judged.unlink(missing_ok=True)
    judged = None
    if judge is not None:
        answers = unread.frame(judge.vocabulary)
        judged = judge_answers(judge, answers, folder, run.manifest, notice=notice, progress=progress)
    unjudged = None if judged is None else judged.get("unjudged")
    # The judge may still read what was not read, so texts stay until it has.
    redact, status = run.redact and unjudged is None, "incomplete" if run.redact and unjudged else "finished"
    manifest = {**run.manifest, "judge": judged, "redacted": redact, "status": status, "finished": utc_now()}
    facts = probe_facts(probe, run.design, manifest_of(manifest), summary, compatible=compatible)
    now("measuring")
    warnings = (*run.warnings, *filter(None, [unjudged]))
    result = analyse_probe(run, replace(facts, unjudged=unjudged, warnings=warnings, reproduce=run.reproduce))
    for line in result.audit.warnings[len(run.warnings) :]:
        notice(f"Warning: {line}")
    audit = replace(result.audit, twins=_counterfactual_pair(twins, result.findings))
    audit = redacted_block(audit) if run.redact else audit
    if run.with_report:
        now("drawing")
    finished = write_findings(ProbeRun, folder, replace(result, audit=audit), with_report=run.with_report)
    if redact:
        sync_file(folder.outcomes)  # before the texts go
        folder.write_manifest({**manifest, "status": REDACTING})
        _remove_texts(folder)
    folder.write_manifest(manifest)
    return finished


def _remove_texts(folder: RunFolder) -> None:
    """Remove texts from the journal, and the words of single answers, as these could rebuild a short answer."""
    folder.words.unlink(missing_ok=True)
    redact_journal(folder.path)


def finish_redaction(folder: RunFolder, manifest: Manifest) -> ProbeRun:
    """Return a redacted run as it is; an interrupted redaction is completed.

    There are no answers left to parse again.
    """
    if manifest.status == REDACTING:
        _remove_texts(folder)
        folder.write_manifest({**manifest.as_written, "status": "finished"})
    return finished_probe(folder.path)


def hide_answers(folder: RunFolder) -> None:
    """Replace the answers of a finished run by hashes; its page must be redrawn afterwards.

    Raises
    ------
    InputError
        The folder holds no finished run.

    """
    from evenhand.results.score_audit import PerturbAudit  # probes have none of its hundred classes

    manifest, content = read_manifest(folder.path), read_result(folder.path)
    audit = content.audit
    if isinstance(audit, ProbeAudit):
        audit = redacted_block(audit)
    elif isinstance(audit, PerturbAudit):
        pairs = (replace(pair, person=None, text=None, reference_text=None) for pair in audit.pairs)
        audit = replace(audit, pairs=tuple(pairs))
    if manifest is None or (audit is content.audit and not journal_files(folder.path)):
        return
    folder.write_result(replace(content, audit=audit))
    folder.words.unlink(missing_ok=True)
    redact_journal(folder.path, hashes=True)
    folder.write_manifest({**manifest.as_written, "redacted": True})


def _counterfactual_pair(
    twins: CounterfactualPairs, findings: Sequence[Finding]
) -> tuple[CounterfactualAnswer, ...] | None:
    """Return two answers from the groups with the highest and the lowest rate; None without them."""
    widest = next((row for row in findings if row.measure == "max_difference" and not row.slice), None)
    pair = twins.pair(widest.focal, widest.reference) if widest is not None and widest.focal else None
    return None if pair is None else tuple(CounterfactualAnswer(**row) for row in pair)


def _unbalanced(findings: Sequence[Finding]) -> list[str]:
    """Return a warning if choices offer more candidates of one group than of the other."""
    share = next((row for row in findings if row.measure == "focal_share_of_candidates"), None)
    if share is None or share.estimate is None or is_balanced(share.estimate):
        return []
    group = " ".join(share.focal.values())
    if share.estimate in {0.0, 1.0}:
        who = "All" if share.estimate else "None of the"
        return [f"{who} candidates are {group}, so the winner says nothing about {' '.join(share.focal)}."]
    return [
        f"{share.estimate:.1%} of the candidates are {group}. Chance would give them that share of wins, not one half: "
        "a rate of prompts like these is compared with what chance gives, and has no mark."
    ]


#: Scales that models answer on instead of the one that was asked for.
_OTHER_SCALES = (1, 10)


def _on_another_scale(outcomes: pl.LazyFrame, settings: Mapping[str, Any], *, in_steps: bool) -> list[str]:
    """Return a warning if no score exceeds the end of a much shorter scale than the range."""
    if in_steps:
        # Of the steps only scores have no successes; the others are 0 or 1.
        outcomes = outcomes.filter(pl.col("successes").is_null())
    highest = outcomes.select(pl.col("score").max()).collect().item()
    low, high = range_of(settings.get("range") or RANGE)
    end = next((end for end in _OTHER_SCALES if highest is not None and low <= highest <= end), high)
    if 5 * end > high:
        return []
    repair = f"If so, ask again with --range 0-{end}, or measure with it."
    if in_steps:
        repair = "If so, state the range in the prompt of a --design FILE.toml, and ask again."
    return [
        f"All scores lie at {end} or below on a range of {low:g} to {high:g}: the model may have answered on a scale "
        f"of 0 to {end}. {repair}"
    ]


def analyse_probe(run: Answered, facts: ProbeAudit) -> Result[ProbeAudit, Any]:
    """Return what the outcomes and words in a folder tell; `facts` are those of the run and its answers."""
    outcomes, tables = pl.scan_parquet(run.folder.outcomes), dict[str, pl.DataFrame]()
    measured, seed = run.probe.measured, manifest_of(run.manifest).parameters["seed"]
    if run.compatible is not None:
        findings = run.compatible.measure(outcomes.collect(), seed)
    else:
        readings, judge = run.folder.judged, manifest_of(run.manifest).parameters.get("judge")
        judged = (
            JudgedAnswers(judge=judge, readings=pl.read_parquet(readings)) if judge and readings.is_file() else None
        )
        findings = measure_outcomes(outcomes, measured, seed=seed, sequential=run.sequential, judged=judged)
        if run.folder.words.is_file():
            from evenhand.comparisons.documents import word_findings, word_table

            words = word_table(outcomes, pl.scan_parquet(run.folder.words), measured, seed=seed)
            if words is not None:
                findings, tables = [*findings, *word_findings(words)], {"words.csv": words.frame}
    settings = manifest_of(run.manifest).settings
    cautions = [*_unbalanced(findings), *_on_another_scale(outcomes, settings, in_steps=measured.steps is not None)]
    # Of saved answers those are missing whose requests had none.
    existing = run.manifest.get("unfinished") or run.manifest["kind"] == "measure"
    failed = ["error", "missing"] if existing else ["error"]
    missing = missing_answers(outcomes, measured.groups, failed, subject=facts.subject)
    present, planned = run.manifest.get("ended_early", (0, 0))
    absent = planned - present
    # Too many answers are not even in a log.
    early = absent >= FEWEST_ABSENT and absent > MOST_MISSING * planned
    absence = [f"{absent:,} of {planned:,} ({percent_text(absent / planned)}) overall"] if early else []
    incomplete = _too_many(absence) if absence else None if missing is None else missing.incomplete
    lacks = filter(None, [incomplete, None if missing is None else missing.sentence])
    facts = replace(
        facts,
        incomplete=incomplete,
        # A row of steps is a candidate in a prompt, which is no item.
        items=next((row.n for row in findings if row.name == UNDETECTED_ITEMS and not measured.steps), None),
        matched=matched_pairs([row for row in findings if row.measure in measured.headline]),
        warnings=tuple(dict.fromkeys((*facts.warnings, *lacks, *cautions))),
    )
    return Result(audit=facts, findings=findings, tables=tables)


#: Gates are judged where no larger share of the answers is missing, overall and in each group.
MOST_MISSING = 0.05
#: So many are missing in a group above that, or overall: of few answers a single one is a larger share.
FEWEST_MISSING, FEWEST_ABSENT = 5, 2


def _too_many(above: Sequence[str]) -> str:
    limit = percent_text(MOST_MISSING).replace(".0", "")
    return (
        f"Incomplete: more than {limit} of the answers are missing, {listed(above)}. This may bias what is found, so "
        "no gate is judged."
    )


@dataclass(frozen=True, kw_only=True)
class MissingAnswers:
    """How many answers are missing or have no text, by group; and where too many are missing, if so."""

    sentence: str
    incomplete: str | None


def missing_answers(
    outcomes: pl.LazyFrame, groups: Sequence[str], failed: Sequence[str], *, subject: str
) -> MissingAnswers | None:
    """Return what answers a run lacks; None where it has all.

    Those with a status in `failed` may be too many, also in a group of crossed attributes.
    """
    status = pl.col("status").cast(pl.String)
    empty = status.is_in(UNREAD) & pl.col("reading").cast(pl.String).is_in(WITHOUT_TEXT).fill_null(value=False)
    lacking = (status.is_in(["error", "missing"]) | empty).alias("lacking")
    if not outcomes.select(lacking.any()).collect().item():
        return None
    # An answer may have a row for each candidate, or for each inventory.
    answer = pl.struct("item", pl.coalesce("set", "unit").alias("prompt"), "attempt").hash().alias("answer")
    columns = [pl.col(f"{PROTECTED}{name}").cast(pl.String).alias(name) for name in groups]
    answers = outcomes.select(answer, lacking, status.is_in(failed).alias("missing"), *columns).collect()
    cuts = dict.fromkeys([(), *((name,) for name in groups), tuple(groups)])
    (_, whole), *parts = [
        ({name: row[name] for name in names}, row)
        for names in cuts
        for row in answers.unique(["answer", *names])
        .filter(*(pl.col(name).is_not_null() for name in names))
        .group_by(pl.lit("").alias("run"), *names)
        .agg(pl.len().alias("n"), pl.sum("lacking", "missing"))
        .sort("run", *names)
        .to_dicts()
    ]

    by_group = [
        f"{group_label(group)} {subject} {row['lacking']:,} of {row['n']:,}" for group, row in parts if len(group) == 1
    ]
    n, lacks = whole["n"], whole["lacking"]
    verbs = "is missing or has" if lacks == 1 else "are missing or have"
    sentence = f"{lacks:,} of {n:,} answers ({percent_text(lacks / n)}) {verbs} no text: {', '.join(by_group)}."
    above = [
        f"{row['missing']:,} of {row['n']:,} ({percent_text(row['missing'] / row['n'])}) "
        f"{f'of {group_label(group)} {subject}' if group else 'overall'}"
        for group, row in (({}, whole), *parts)
        if row["missing"] >= (FEWEST_MISSING if group else FEWEST_ABSENT) and row["missing"] > MOST_MISSING * row["n"]
    ]
    return MissingAnswers(sentence=sentence, incomplete=_too_many(above) if above else None)


def answer_warnings(folder: RunFolder, probe: Probe, options: ProbeOptions) -> list[str]:
    """Return a warning about identical answers in all repetitions.

    Short answers may well be identical: for these, only if no prompt got two different ones.
    """
    if options.repetitions < 2 or options.generation.temperature == 0:
        return []
    repeated = identical_repetitions(folder.path)
    if repeated.identical < (repeated.compared if probe.measured.judgement.brief else 1) or not repeated.identical:
        return []
    return [
        f"{repeated.identical:,} of {repeated.compared:,} prompts got identical text in all {options.repetitions} "
        "repetitions, though the temperature is not 0: the server may ignore seed or temperature, or keep a cache."
    ]


def rewrite_report(run: Path, out: Path | None, *, force: bool) -> Path:
    """Rewrite all that follows from the findings of a run, or its page into another file; return the page's path.

    For a suite, the files of its probes are rewritten, too.

    Raises
    ------
    InputError
        There is no finished run, or the other file exists already or belongs to the run.

    """
    if out is not None:
        refuse_existing(out, force=force)
        if out.name != "report.html" and out.exists() and out.resolve().parent == run.resolve():
            raise InputError(f"--out {out} is a file of the run; choose another.")
        write_file(out, report_page(read_result(run)).encode())
        return out
    result = read_result(run)
    for probe in result.audit.probes if isinstance(result.audit, SuiteAudit) else ():
        write_files(run / probe.folder, read_result(run / probe.folder))
    return write_files(run, result)
