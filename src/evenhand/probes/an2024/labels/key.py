"""The key of a sheet: whose each e-mail is, and what was read in it."""

import hashlib
from pathlib import Path

import polars as pl

from evenhand.errors import InputError
from evenhand.intake.text_tables import read_text_table
from evenhand.patterns import lazy_re
from evenhand.probes.an2024.classifier import DECISIONS
from evenhand.tables.csv_files import unguarded
from evenhand.tables.messages.quoting import listed, quoted

__all__ = ["fingerprints", "with_key"]

NEEDED = ("email", "race", "gender", "decision")
#: What a spreadsheet leaves of a text, whatever encoding, line breaks and quotes it prefers.
_LEFT = lazy_re("[^a-z]+")
UNKNOWN = "unknown"


def fingerprints(texts: pl.Series) -> pl.Series:
    """Return what tells the texts of a sheet apart, 12 hex digits of their letters."""
    letters = [_LEFT.sub("", text.lower()) for text in texts]
    digests = [hashlib.sha256(each.encode()).hexdigest()[:12] for each in letters]
    return pl.Series("fingerprint", digests, dtype=pl.String)


def with_key(emails: pl.DataFrame, path: Path) -> pl.DataFrame:
    """Return the e-mails of a sheet (`email, text, …`) with `race, gender, decision` of its key.

    Raises
    ------
    InputError
        The key can't be read, lacks a column or an e-mail, has an e-mail twice or a decision
        that is none, or is of another sheet.

    """
    key = read_text_table(path).frame
    missing = [name for name in NEEDED if name not in key.columns]
    if missing:
        raise InputError(
            f"{path} has no column {' or '.join(missing)}; expected the key that evenhand data label-sheet wrote. "
            f"Columns: {listed(key.columns)}."
        )
    again = (~key["email"].is_first_distinct()).arg_true()
    if len(again):
        raise InputError(f"Row {again[0] + 1} of {path} repeats the e-mail {quoted(key['email'][again[0]])}.")
    wrong = (~key["decision"].is_in(DECISIONS)).fill_null(value=True).arg_true()
    if len(wrong):
        raise InputError(
            f"Row {wrong[0] + 1} of {path}: decision is {quoted(key['decision'][wrong[0]])}; "
            f"expected {', '.join(DECISIONS)}."
        )
    groups = (pl.Series(name, [unguarded(cell or UNKNOWN) for cell in key[name]]) for name in ("race", "gender"))
    own = [name for name in ("email", "decision", "fingerprint") if name in key.columns]
    joined = emails.join(key.select(own).with_columns(*groups), on="email", how="left", maintain_order="left")
    lacking = joined["decision"].is_null().arg_true()
    if len(lacking):
        raise InputError(
            f"{path} has no e-mail {quoted(joined['email'][lacking[0]])}; it is not the key of this sheet."
        )
    if "fingerprint" in own:
        other = (joined["fingerprint"] != fingerprints(joined["text"])).arg_true()
        if len(other):
            email = quoted(joined["email"][other[0]])
            raise InputError(f"{path} is of another text of e-mail {email}; it is not the key of this sheet.")
    return joined
