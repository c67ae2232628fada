"""`evenhand monitor golden label`, `adjudicate`, `close`: what people say of cases, and versions that hold it."""

from collections.abc import Callable
from datetime import datetime
from pathlib import Path

from evenhand.commands.monitor.golden.sheets import read_sheet, write_sheet
from evenhand.commands.monitor.told import Told, told
from evenhand.errors import InputError
from evenhand.monitoring.golden.agreement import save_labeller_values
from evenhand.monitoring.golden.cases import cases_of, scale_of
from evenhand.monitoring.golden.labels import LABELLERS, Standing, add_adjudications, add_labels, standings
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
    by = _named(options.by)
    if (sheet is None) == (options.out is None):
        raise InputError("Give --out FILE.csv to get the cases to label, or the sheet with labels; one of them.")
    if options.out is not None:
        refuse_existing(options.out, force=options.force)
    with opened_store(options.store, notice=notice, clock=clock) as store:
        cases = {each.id: each for each in cases_of(store)}
        labels = scale_of(store).labels
        if sheet is not None:
            given = read_sheet(sheet, list(cases), by=by)
            with store.writing() as writing:
                new = (add_adjudications if adjudicating else add_labels)(writing, given, by=by)
                save_labeller_values(writing)
            return told({"by": by, "new": new, "given": len(given)}, f"Took {counted(new, 'new label')} of {by}.")
        assert options.out is not None
        is_open = _to_adjudicate if adjudicating else _to_label
        said = {name: each for name, each in standings(store).items() if cases[name].text and is_open(each, by)}
        shown = {
            name: (cases[name], tuple(sorted(labels[one.label] for one in each.labels)) if adjudicating else ())
            for name, each in said.items()
        }
        beside = ("one said", "the other said") if adjudicating else ()
        write_sheet(shown, options.out, by=by, unmasked=options.unmasked, beside=beside)
    words = f"fill in the column label: {', '.join(labels)}."
    text = f"{counted(len(shown), 'case is', 'cases are')} in {options.out}; {words}"
    return told({"by": by, "cases": len(shown), "file": str(options.out)}, text)


def close(options: GoldenCloseOptions, *, notice: Notices, clock: Callable[[], datetime] = utc_now) -> Told:
    """Close a version of the cases whose label is settled.

    Raises
    ------
    InputError
        Nobody is named, or there is nothing new to close.

    """
    with opened_store(options.store, notice=notice, clock=clock) as store, store.writing() as writing:
        version = close_version(writing, by=_named(options.by))
    content = {"version": version.number, "cases": len(version.labels), "digest": version.digest}
    return told(content, f"Closed version {version.number}: {counted(len(version.labels), 'case')}.")


def _named(by: str) -> str:
    if not by.strip():
        raise InputError("--by is blank; name who it is.")
    return by.strip()


def _to_label(standing: Standing, by: str) -> bool:
    return len(standing.labels) < LABELLERS and by not in {each.by for each in standing.labels}


def _to_adjudicate(standing: Standing, by: str) -> bool:
    return standing.differs and standing.adjudicated is None and by not in {each.by for each in standing.labels}
