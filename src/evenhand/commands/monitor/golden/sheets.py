"""Sheets of cases for people who label: masked, in an order of their own, without what others said."""

import hashlib
from collections.abc import Mapping
from pathlib import Path

import polars as pl

from evenhand.errors import InputError
from evenhand.intake.text_tables import read_text_table
from evenhand.monitoring.golden.cases import Case
from evenhand.monitoring.history.log import canonical_json
from evenhand.resumes.mask import mask_text
from evenhand.tables.csv_files import csv_bytes, unguarded
from evenhand.tables.files import write_file
from evenhand.tables.messages.quoting import listed, quoted

__all__ = ["read_sheet", "write_sheet"]


def write_sheet(
    cases: Mapping[str, tuple[Case, tuple[str, ...]]], path: Path, *, by: str, unmasked: bool, beside: tuple[str, ...]
) -> None:
    """Write cases to be labelled by one person, each with what stands `beside` it.

    A case is named by a code of its own for each person, which tells nothing; the order follows from it.
    """
    rows = []
    for case, told in cases.values():
        text = case.text or ""
        shown = text if unmasked else mask_text(text, known_names=case.known_names).text
        position = "\n\n".join(filter(None, (case.position["title"], case.position["text"])))
        row = {"case": _code(case.id, by), "label": None, **dict(zip(beside, told, strict=True))}
        rows.append({**row, "position": position, "resume": shown})
    rows.sort(key=lambda row: str(row["case"]))
    columns = ("case", "label", *beside, "position", "resume")
    write_file(path, csv_bytes(pl.DataFrame(rows, schema=dict.fromkeys(columns, pl.String)), mark=True))


def read_sheet(path: Path, cases: list[str], *, by: str) -> dict[str, str]:
    """Return the labels of a sheet by case; rows without one are passed over.

    Raises
    ------
    InputError
        The sheet can't be read, or a row is about no case, or one that was there already.

    """
    frame = read_text_table(path).frame
    if not {"case", "label"} <= set(frame.columns):
        raise InputError(f"{path} has no columns case and label. Columns: {listed(frame.columns)}.")
    names = {_code(each, by): each for each in cases} | {each: each for each in cases}
    found: dict[str, str] = {}
    for number, (code, label) in enumerate(frame.select("case", "label").iter_rows(), 1):
        if label is None:
            continue
        name = names.get(unguarded((code or "").strip()))
        if name is None:
            raise InputError(
                f"Row {number} of {path} is about {quoted(code or '')}, no golden case of {by}'s sheet: a sheet is "
                "taken from the person it was written for."
            )
        if name in found:
            raise InputError(f"Row {number} of {path} is about a case that stands there already.")
        found[name] = unguarded(label)
    return found


def _code(case: str, by: str) -> str:
    """Return a case's name in one person's sheet."""
    return "g" + hashlib.blake2b(canonical_json([by, case]).encode(), digest_size=6).hexdigest()
