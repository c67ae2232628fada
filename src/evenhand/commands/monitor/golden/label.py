"""`evenhand monitor golden label`, `adjudicate`, `close`: what people say of cases, and versions that hold it."""

from collections.abc import Callable
from datetime import datetime
from pathlib import Path

from evenhand.commands.monitor.golden.sheets import masked_resume, read_sheet, unmasked_resume, write_sheet
from evenhand.commands.monitor.told import Told, told
from evenhand.errors import InputError
from evenhand.monitoring.golden.cases import scale_of
from evenhand.monitoring.golden.labels import standings
from evenhand.monitoring.golden.open_cases import open_cases, person_named, take_labels
from evenhand.monitoring.golden.versions import close_version
from evenhand.monitoring.history.store import opened_store, utc_now
from evenhand.report.words.numbers import counted
from evenhand.runs.options.monitoring.golden import GoldenCloseOptions, GoldenLabelOptions
from evenhand.runs.progress import Notices
from evenhand.tables.files import refuse_existing

__all__ = ["close", "label"]


def label(
    sheet: Path | None,
    options: GoldenLabelOptions,
    *,
    adjudicating: bool,
    notice: Notices,
    clock: Callable[[], datetime] = utc_now,
) -> Told:
    """Write a sheet of the cases that are open to one person, or take what was labelled in one.

    Raises
    ------
    InputError
        Nobody is named, both or neither of sheet and --out are given, or a label can't be taken.

    """
    by = person_named(options.by)
    if (sheet is None) == (options.out is None):
        raise InputError("Give --out FILE.csv to get the cases to label, or the sheet with labels; one of them.")
    if options.out is not None:
        refuse_existing(options.out, force=options.force)
    with opened_store(options.store, notice=notice, clock=clock) as store:
        labels = scale_of(store).labels
        if sheet is not None:
            given = read_sheet(sheet)
            with store.writing() as writing:
                new = take_labels(writing, given, by=by, adjudicating=adjudicating)
            return told({"by": by, "new": new, "given": len(given)}, f"Took {counted(new, 'new label')} of {by}.")
        assert options.out is not None
        resume = unmasked_resume if options.unmasked else masked_resume
        shown = open_cases(store, by=by, adjudicating=adjudicating, resume=resume)
    write_sheet(shown, options.out, adjudicating=adjudicating)
    words = f"fill in the column label: {', '.join(labels)}."
    text = f"{counted(len(shown), 'case is', 'cases are')} in {options.out}; {words}"
    text = text if shown else f"No case waits for {by}; {options.out} has none."
    return told({"by": by, "cases": len(shown), "file": str(options.out)}, text)


def close(options: GoldenCloseOptions, *, notice: Notices, clock: Callable[[], datetime] = utc_now) -> Told:
    """Close a version of the cases whose label is settled.

    Raises
    ------
    InputError
        Nobody is named, or there is nothing new to close.

    """
    with opened_store(options.store, notice=notice, clock=clock) as store, store.writing() as writing:
        version = close_version(writing, by=person_named(options.by))
        waiting = sum(each.label is None for each in standings(writing).values())
    content = {"version": version.number, "cases": len(version.labels), "waiting": waiting, "digest": version.digest}
    others = f" {counted(waiting, 'other is', 'others are')} not settled and left out." if waiting else ""
    return told(content, f"Closed version {version.number}: {counted(len(version.labels), 'case')}.{others}")
