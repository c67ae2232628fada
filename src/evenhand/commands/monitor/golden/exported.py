"""`evenhand monitor golden export` and `import`: the set as JSONL or CSV, labels included."""

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any, Final

import orjson
import polars as pl

from evenhand.commands.monitor.golden.exported_rows import NESTED, read_exported
from evenhand.commands.monitor.told import Told, told
from evenhand.errors import InputError
from evenhand.monitoring.golden.agreement import save_labeller_values
from evenhand.monitoring.golden.cases import Case, Scale, add_cases, cases_of, scale_of
from evenhand.monitoring.golden.labels import Given, Standing, add_adjudications, add_labels, standings
from evenhand.monitoring.history.log import canonical_json
from evenhand.monitoring.history.store import opened_store, utc_now
from evenhand.report.words.numbers import counted
from evenhand.runs.options.monitoring.golden import GoldenExportOptions
from evenhand.runs.options.monitoring.monitor import StoreOptions
from evenhand.runs.progress import Notices
from evenhand.tables.csv_files import csv_bytes
from evenhand.tables.files import refuse_existing, write_file

__all__ = ["export", "import_cases"]

_COLUMNS: Final = ("id", "text", "twin", "reason", "label", *NESTED)


def export(options: GoldenExportOptions, *, notice: Notices, clock: Callable[[], datetime] = utc_now) -> Told:
    """Write all cases with what was said of them.

    Raises
    ------
    InputError
        There is no golden set, or the file can't be written.

    """
    if options.out.suffix.lower() not in {".jsonl", ".csv"}:
        raise InputError(f"--out {options.out} has another ending; expected .jsonl or .csv.")
    refuse_existing(options.out, force=options.force)
    with opened_store(options.store, notice=notice, clock=clock) as store:
        scale, known = scale_of(store), standings(store)
        rows = [_row(case, known[case.id], scale) for case in cases_of(store)]
    write_file(options.out, _written(rows, options.out))
    return told({"cases": len(rows), "file": str(options.out)}, f"{counted(len(rows), 'case')} in {options.out}.")


def _row(case: Case, said: Standing, scale: Scale) -> dict[str, Any]:
    def given(each: Given) -> dict[str, str]:
        return {"by": each.by, "label": scale.labels[each.label], "time": each.time}

    return {
        "id": case.id,
        "text": case.text,
        "twin": case.twin,
        "reason": case.reason,
        "label": None if said.label is None else scale.labels[said.label],
        "known_names": case.known_names,
        "position": case.position,
        "groups": case.groups,
        "labels": [given(each) for each in said.labels],
        "adjudicated": None if said.adjudicated is None else given(said.adjudicated),
        "versions": said.versions,
        "scale": {"labels": scale.labels, "positive": scale.positive},
    }


def import_cases(
    source: Path, options: StoreOptions, *, notice: Notices, clock: Callable[[], datetime] = utc_now
) -> Told:
    """Add cases that were exported, with their labels; versions are closed anew.

    Raises
    ------
    InputError
        The file is none of `export`'s, or holds what contradicts the store.

    """
    found = read_exported(source)
    with opened_store(options.store, create=True, notice=notice, clock=clock) as store, store.writing() as writing:
        new = add_cases(writing, found.cases, found.scale)
        labels = sum(add_labels(writing, each, by=by, times=found.times) for by, each in found.labels.items())
        labels += sum(add_adjudications(writing, each, by=by, times=found.times) for by, each in found.decided.items())
        save_labeller_values(writing)
    left = found.left_out
    without = f" {counted(left, 'case has', 'cases have')} no text and stayed out." if left else ""
    content = {"new": new, "labels": labels, "left_out": left}
    return told(content, f"Added {counted(new, 'case')} and {counted(labels, 'label')}.{without}")


def _written(rows: Sequence[Mapping[str, Any]], path: Path) -> bytes:
    if path.suffix.lower() == ".jsonl":
        return b"".join(orjson.dumps(row) + b"\n" for row in rows)
    flat = [{name: canonical_json(row[name]) if name in NESTED else row[name] for name in _COLUMNS} for row in rows]
    return csv_bytes(pl.DataFrame(flat, schema=dict.fromkeys(_COLUMNS, pl.String)), mark=True)
