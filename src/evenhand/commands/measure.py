"""`evenhand measure`: findings from answers that exist."""

import shlex
from pathlib import Path

import polars as pl

from evenhand.collect.journal.files import journal_files
from evenhand.errors import InputError
from evenhand.intake.saved_answers import read_saved_answers
from evenhand.options import words
from evenhand.probes.shared.probe import Compatible, Probe
from evenhand.runs.finish import Answered, finish_run
from evenhand.runs.finished_run import ProbeRun
from evenhand.runs.manifest import read_manifest
from evenhand.runs.options.measuring import MeasureOptions
from evenhand.runs.options.settings import configured, find_probe, own_settings, setting_words
from evenhand.runs.progress import Notices, Progress
from evenhand.runs.records.opened import opened_run
from evenhand.runs.records.saved import saved_manifest
from evenhand.tables.run_folder import refuse_own_input

__all__ = ["joined_answers", "measure_saved"]

#: Separates item and prompt in the name of a unit; no text has this control character.
SEPARATOR = "\x1f"


def measure_saved(
    name: str,
    answers: Path,
    options: MeasureOptions,
    *,
    notice: Notices,
    progress: Progress | None = None,
) -> ProbeRun:
    """Read saved answers, measure and report; return the finished run.

    Raises
    ------
    InputError
        The file lacks columns, or a name, occupation or level is unknown.

    """
    probe = configured(find_probe(name), options.settings, command="measure")
    compatible = _compatible(probe, options.compat)
    _refuse_journal(answers)
    refuse_own_input(options.out, [answers], force=options.force)
    saved = read_saved_answers(answers, maps=options.map_values)
    stimuli = probe.saved(saved)
    joined = joined_answers(saved, stimuli)
    with opened_run(options.folder("measure"), force=options.force) as opened:
        manifest = saved_manifest(probe, answers, saved, options)
        opened.begin(manifest)
        again = [*words(options, always=("seed",)), *setting_words(options.settings)]
        run = Answered(
            probe=probe,
            folder=opened.folder,
            manifest=manifest,
            reproduce=shlex.join(["evenhand", "measure", probe.name, str(answers), *again]),
            with_report=options.report,
            compatible=compatible,
        )
        return finish_run(run, [joined], notice=notice, progress=progress)


def _refuse_journal(answers: Path) -> None:
    """Refuse the journal of a run of ours: it has no columns of the prompts, and the run is measured already."""
    if answers.parent.is_dir() and answers in [file.path for file in journal_files(answers.parent)]:
        manifest = read_manifest(answers.parent)
        if manifest is None:
            return
        gone = " The text of its answers was taken away, so they can't be measured again." * manifest.redacted
        raise InputError(
            f"{answers} is the journal of a run of evenhand; its findings are in {answers.parent}: findings.json and "
            f"report.html.{gone}"
        )


def _compatible(probe: Probe, compat: str | None) -> Compatible | None:
    if compat is None:
        return None
    if compat not in probe.compatible and compat in find_probe(probe.name).compatible:
        flags = " and ".join(f"--{name}" for name in own_settings(probe, changing="reading"))
        raise InputError(f"--compat {compat} reads answers by definitions of its own; leave out {flags}.")
    if compat not in probe.compatible:
        known = f"expected one of {', '.join(probe.compatible)}" if probe.compatible else "it has no other definitions"
        message = f"--compat {compat!r} is unknown to {probe.name}; {known}."
        raise InputError(message)
    return probe.compatible[compat]


def joined_answers(saved: pl.DataFrame, stimuli: pl.DataFrame) -> pl.DataFrame:
    """Return answers with their stimuli, as a collected run has them."""
    unit = pl.concat_str("item", "unit", separator=SEPARATOR)
    frame = stimuli.hstack(
        saved.select(
            "item",
            "attempt",
            pl.col("answer").alias("text"),
            "finish_reason",
            pl.col("error").alias("error_class"),
        )
    ).with_columns(
        unit.alias("unit"),
        pl.lit(None, pl.String).alias("pair"),
        pl.lit(None, pl.Datetime("us", "UTC")).alias("time"),
        pl.lit(None, pl.String).alias("prompt"),
    )
    if saved["attempt"].null_count() == saved.height:
        return frame.with_columns(pl.int_range(pl.len()).over("unit").cast(pl.Int32).alias("attempt"))
    repeated = frame.select("unit", "attempt").is_duplicated().arg_true()
    if len(repeated):
        row = repeated[0]
        message = (
            f"Row {row + 1} repeats another: item {saved['item'][row]!r}, attempt {saved['attempt'][row]} "
            "is there twice. Number the attempts, or leave the column out."
        )
        raise InputError(message)
    return frame
