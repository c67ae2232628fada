"""Sheets of cases for people who label: masked, in an order of their own, without what others said."""

from collections.abc import Sequence
from pathlib import Path
from typing import Final

import polars as pl

from evenhand.errors import InputError
from evenhand.intake.text_tables import read_text_table
from evenhand.monitoring.golden.cases import Case
from evenhand.monitoring.golden.open_cases import OpenCase
from evenhand.resumes.mask import mask_text
from evenhand.tables.csv_files import csv_bytes, unguarded
from evenhand.tables.files import write_file
from evenhand.tables.messages.quoting import listed

__all__ = ["masked_resume", "read_sheet", "unmasked_resume", "write_sheet"]

_SAID: Final = ("one said", "the other said")


def masked_resume(case: Case) -> str:
    """Return a case's text without what tells who the person is."""
    return mask_text(case.text or "", known_names=case.known_names).text


def unmasked_resume(case: Case) -> str:
    """Return a case's text as it is."""
    return case.text or ""


def write_sheet(cases: Sequence[OpenCase], path: Path, *, adjudicating: bool) -> None:
    """Write cases to be labelled by one person; who adjudicates sees both labels."""
    beside = _SAID if adjudicating else ()
    rows = [
        {
            "case": each.code,
            "label": None,
            **dict(zip(beside, each.said, strict=True)),
            "position": each.position,
            "resume": each.resume,
        }
        for each in cases
    ]
    columns = ("case", "label", *beside, "position", "resume")
    write_file(path, csv_bytes(pl.DataFrame(rows, schema=dict.fromkeys(columns, pl.String)), mark=True))


def read_sheet(path: Path) -> dict[str, str]:
    """Return the labels of a sheet by case; rows without one are passed over.

    Raises
    ------
    InputError
        The sheet can't be read, or a case stands in it twice.

    """
    frame = read_text_table(path).frame
    if not {"case", "label"} <= set(frame.columns):
        raise InputError(f"{path} has no columns case and label. Columns: {listed(frame.columns)}.")
    found: dict[str, str] = {}
    for number, (case, label) in enumerate(frame.select("case", "label").iter_rows(), 1):
        if label is None:
            continue
        code = unguarded((case or "").strip())
        if code in found:
            raise InputError(f"Row {number} of {path} is about a case that stands there already.")
        found[code] = unguarded(label)
    return found
