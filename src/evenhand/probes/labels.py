"""What was read in an answer, in the words in which people label it; and how well the readers read labelled answers."""

import tomllib
from dataclasses import dataclass
from functools import cache
from importlib import resources

import polars as pl

from evenhand.results.measures import ACCEPT, NONE, REJECT, MeasureSet

DOCUMENT = "document"


def read_labels(outcomes: pl.DataFrame, measured: MeasureSet) -> pl.DataFrame:
    """Return `item, prompt, attempt, label` of each answer: a decision, who is first, a score, or a document.

    The label is none where nothing was read.
    """
    prompt = pl.coalesce("set", "unit").alias("prompt")
    found = pl.col("successes") > 0
    label: pl.Expr
    if measured.choice is not None:
        label = pl.when(found).then("context.name")
    elif measured.scored is not None:
        label = pl.col("score").map_elements(lambda score: f"{score:.12g}", return_dtype=pl.String)
    elif measured.aspect is not None:
        label = pl.when(pl.col("status") == "observed").then(pl.lit(DOCUMENT))
    else:
        label = pl.when(found).then(pl.lit(ACCEPT)).when(~found).then(pl.lit(REJECT))
    labelled = outcomes.select("item", prompt, "attempt", label.alias("label"))
    answers = labelled.group_by("item", "prompt", "attempt", maintain_order=True)
    return answers.agg(pl.col("label").drop_nulls().first().fill_null(NONE))


@dataclass(frozen=True, kw_only=True)
class Readings:
    """How many labelled answers of one sort a reader read rightly, gave another value, and left unread."""

    answers: int
    right: int
    wrong: int
    unread: int


@dataclass(frozen=True, kw_only=True)
class ReaderAccuracy:
    """How well a probe's reader reads answers that people labelled, ordinary and hard ones, measured on a date."""

    date: str
    ordinary: Readings
    hard: Readings

    @property
    def sentence(self) -> str:
        """Return the accuracy in a sentence, with where to measure that on other answers."""
        answers, right, wrong, unread = (
            getattr(self.ordinary, name) + getattr(self.hard, name) for name in ("answers", "right", "wrong", "unread")
        )
        return (
            f"The reader of this probe read {right} of {answers} labelled answers correctly, {wrong} incorrectly, "
            f"and left {unread} unread (our own texts, {self.date}). To measure it on this model's answers, label "
            "some of them: evenhand data label-sheet."
        )


@cache
def reader_accuracy() -> dict[str, ReaderAccuracy]:
    """Return the accuracy of each probe's reader on our held-out answers, by `make reader-accuracy`."""
    text = resources.files("evenhand.probes").joinpath("reader_accuracy.toml").read_text(encoding="utf-8")
    return {
        probe: ReaderAccuracy(date=row["date"], ordinary=Readings(**row["ordinary"]), hard=Readings(**row["hard"]))
        for probe, row in tomllib.loads(text).items()
    }
