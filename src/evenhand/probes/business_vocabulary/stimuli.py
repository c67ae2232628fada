"""The prompts of BusinessVocabulary, addressable by index: template, then name, the name running fastest."""

from collections.abc import Sequence

import numpy as np
import polars as pl
from numpy.typing import NDArray

from evenhand.lexicons.names import bloomberg_names
from evenhand.probes.business_vocabulary.templates import SLOT, TEMPLATES, Template
from evenhand.probes.shared.probe import Design

__all__ = ["CARD", "design"]

NAMES = 800


def design(templates: Sequence[Template]) -> Design:
    """Return the card's layout over any templates: every template with every name.

    >>> design(TEMPLATES).stimuli(np.array([800]))["prompt"][0][:20]
    'My name is Abigail L'
    """
    known = tuple(templates)
    return Design(
        name="card",
        size=len(known) * NAMES,
        block=1,
        stimuli=lambda indices: _stimuli(indices, known),
        note=f"Each of the {len(known)} templates is asked for each of {NAMES} names.",
    )


def _stimuli(indices: NDArray[np.int64], templates: Sequence[Template]) -> pl.DataFrame:
    template, name = np.divmod(np.asarray(indices, dtype=np.int64), NAMES)
    people = bloomberg_names()[name]
    frame = pl.DataFrame(
        {
            "index": indices,
            "item": pl.Series(indices).cast(pl.String),
            "unit": pl.Series(indices).cast(pl.String),
            "pair": pl.Series([None] * len(people), dtype=pl.String),
            "name": people["name"],
            "gender": people["gender"],
            "race": people["race"],
            "template": template.astype(np.int32),
        }
    )
    texts = pl.DataFrame(
        [
            {"template": number, "gender": gender, "wording": getattr(each, gender)}
            for number, each in enumerate(templates)
            for gender in ("male", "female")
        ],
        schema={"template": pl.Int32, "gender": pl.String, "wording": pl.String},
    )
    worded = frame.join(texts, on=["template", "gender"], how="left", maintain_order="left")
    prompt = pl.col("wording").str.replace_all(SLOT, pl.col("name"), literal=True)
    return worded.with_columns(prompt.alias("prompt")).drop("wording")


CARD = design(TEMPLATES)
