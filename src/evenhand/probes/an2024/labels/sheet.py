"""Sheets on which two people label e-mails.

Annotators see what the classifier sees: e-mails without the applicant's name, in lower
case, without quoted older messages. They see no group, and no name.
"""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import polars as pl

from evenhand.errors import InputError
from evenhand.lexicons.names import bloomberg_names
from evenhand.patterns import lazy_re
from evenhand.probes.an2024.classifier import shipped
from evenhand.probes.an2024.features import redacted
from evenhand.probes.an2024.labels.key import fingerprints
from evenhand.probes.an2024.names.columns import folded_name
from evenhand.probes.an2024.stimuli import names

__all__ = ["ANNOTATORS", "SAMPLE", "LabelSheet", "label_sheet"]

#: E-mails on a sheet; the study checked 180 per model.
SAMPLE = 200
ANNOTATORS = ("annotator_1", "annotator_2")
#: The longest cell that Excel keeps whole.
LONGEST_CELL = 32_000
UNKNOWN = "unknown"
_WORD = lazy_re(r"[^\W\d_]+")
_SLOT = "[name]"


@dataclass(frozen=True, kw_only=True)
class LabelSheet:
    """E-mails to label, in random order, and the key that says whose they are.

    `sheet` has `email, text, annotator_1, annotator_2, resolved`; `key` has `email, answer,
    name, race, gender, decision, fingerprint`, and is not for annotators: `decision` is what was
    read in the e-mail, `fingerprint` tells which text it is of. `groups` counts e-mails per
    race × gender; `passed_over` counts those left out, by reason.
    """

    sheet: pl.DataFrame
    key: pl.DataFrame
    groups: Mapping[str, int]
    passed_over: Mapping[str, int]


def label_sheet(answers: pl.DataFrame, *, sample: int = SAMPLE, seed: int = 0) -> LabelSheet:
    """Return a sheet of `sample` e-mails, as many of each race × gender as possible.

    `answers` has `answer` (an id), `text`, `name` and, if known, `race` and `gender`, else
    they are looked up, and `decision`, what was read in the text; where there is none the
    classifier reads it. E-mails that read the same without their names are shown once.

    Raises
    ------
    InputError
        No e-mail has a text, a name is blank, or the sample is none.

    """
    if sample < 1:
        raise InputError(f"--sample is {sample}; expected a whole number from 1.")
    frame = _with_groups(answers)
    blank = frame["name"].is_null() | (frame["name"].str.strip_chars() == "")
    if blank.any():
        raise InputError(f"Row {blank.arg_true()[0] + 1} has no name, so it can't be redacted.")
    written = frame.filter(pl.col("text").fill_null("").str.strip_chars() != "")
    if not written.height:
        raise InputError("No answer has a text to label.")
    rng = np.random.default_rng(seed)
    shuffled = written[rng.permutation(written.height)]
    places, texts, repeats, long = _drawn(shuffled, sample, rng)
    order = rng.permutation(len(places))
    rows = shuffled[[places[place] for place in order]]
    width = max(3, len(str(len(places))))
    emails = pl.Series("email", [f"e{number:0{width}d}" for number in range(1, len(places) + 1)], dtype=pl.String)
    blank_column = pl.lit(None, pl.String)
    shown = pl.Series("text", [texts[place] for place in order], dtype=pl.String)
    sheet = pl.DataFrame([emails, shown]).with_columns(
        *(blank_column.alias(name) for name in (*ANNOTATORS, "resolved"))
    )
    return LabelSheet(
        sheet=sheet,
        key=pl.DataFrame([emails]).hstack(
            [*rows.select("answer", "name", "race", "gender"), _decisions(rows), fingerprints(shown)]
        ),
        groups=dict(sorted(rows["group"].value_counts().iter_rows())),
        passed_over={
            "have no text": frame.height - written.height,
            "read the same as one on the sheet": repeats,
            "are too long for a cell": long,
        },
    )


def _decisions(rows: pl.DataFrame) -> pl.Series:
    """Return accept, reject or none for each e-mail."""
    words = {True: "accept", False: "reject", None: "none"}
    found = pl.Series("decision", map(words.get, shipped().decide(rows["text"], rows["name"])), dtype=pl.String)
    return rows.select(pl.coalesce("decision", found)).to_series()


def _with_groups(answers: pl.DataFrame) -> pl.DataFrame:
    """Return the answers with race, gender and group; what their rows say wins over our tables."""
    known = pl.concat([names(), bloomberg_names().select("name", "gender", "race")])
    known = known.with_columns(pl.Series("key", [folded_name(name) for name in known["name"]])).unique(
        "key", keep="first"
    )
    frame = answers.with_columns(
        pl.col(name).cast(pl.String) if name in answers.columns else pl.lit(None, pl.String).alias(name)
        for name in ("text", "name", "race", "gender", "decision")
    )
    keys = pl.Series("key", [folded_name(name or "") for name in frame["name"]], dtype=pl.String)
    looked_up = pl.DataFrame([keys]).join(
        known.select("key", pl.col("race").alias("known_race"), pl.col("gender").alias("known_gender")),
        on="key", how="left", maintain_order="left",
    )  # fmt: skip
    return frame.hstack(looked_up.drop("key")).with_columns(
        pl.coalesce("race", "known_race").alias("race"), pl.coalesce("gender", "known_gender").alias("gender")
    ).with_columns(
        pl.concat_str(pl.col("race", "gender").fill_null(UNKNOWN), separator=" ").alias("group")
    )  # fmt: skip


def _drawn(shuffled: pl.DataFrame, sample: int, rng: np.random.Generator) -> tuple[list[int], list[str], int, int]:
    """Return rows and redacted texts, group by group in turn, and how many repeats and long ones were passed over."""
    waiting = {
        str(key[0]): list(reversed(part["place"].to_list()))
        for key, part in shuffled.with_row_index("place").group_by("group", maintain_order=True)
    }
    turn = sorted(waiting)
    rng.shuffle(turn)
    texts, people = shuffled["text"], shuffled["name"]
    places: list[int] = []
    found: dict[str, int] = {}
    repeats = long = 0
    while turn and len(places) < sample:
        for group in list(turn):
            while waiting[group]:
                place = waiting[group].pop()
                text = _without_name(texts[place], people[place])
                if text in found:
                    repeats += 1
                elif len(text) > LONGEST_CELL:
                    long += 1
                else:
                    found[text] = place
                    places.append(place)
                    break
            else:
                turn.remove(group)
            if len(places) == sample:
                break
    return places, list(found), repeats, long


def _without_name(text: str, name: str) -> str:
    """Return the e-mail as the classifier reads it, and without parts and accents of the name.

    >>> _without_name("Dear Ms. Li,", "Abigail Li"), _without_name("Querido José,", "Jose")
    ('dear ms. [name],', 'querido [name],')
    """
    plain: str = redacted(pl.Series([text]), pl.Series([name]))[0]
    parts = {part for part in _WORD.findall(folded_name(name)) if len(part) > 1}
    return _WORD.sub(lambda match: _SLOT if folded_name(match.group()) in parts else match.group(), plain)
