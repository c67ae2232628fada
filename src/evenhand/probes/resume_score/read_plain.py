"""The scores of many answers at once: bare numbers and 'Score: 72' are read together, all others one by one."""

import polars as pl

from evenhand.probes.resume_score.read_answer import ScoreReading, read_score
from evenhand.tables.schemas import STATUS

__all__ = ["read_scores"]

#: What stands around the number of a plain answer: emphasis, and a label.
_PLAIN = (
    r"(?i)^(?:\*\*)?(?:(score|rating|answer|final score|overall score)(?:\*\*)?: ?(?:\*\*)?)?"
    r"([0-9]{1,9}(?:\.[0-9]{1,9})?)(?:\*\*)?\.?\n?$"
)
#: A plain answer has no more bytes.
_LONGEST = 60


def read_scores(answers: pl.DataFrame, *, low: float, high: float) -> pl.DataFrame:
    """Return the columns `status, score, reading` of answers with `text`, `finish_reason` and `error_class`.

    >>> answers = pl.DataFrame({"text": ["72", "no"], "finish_reason": None, "error_class": None})
    >>> read_scores(answers, low=0, high=100).rows()
    [('observed', 72.0, 'number'), ('undetected', None, 'no number')]
    """
    text = pl.col("text").cast(pl.String)
    finish = pl.col("finish_reason").cast(pl.String)
    error = pl.col("error_class").cast(pl.String)
    frame = answers.select(text, finish, error).with_columns(
        pl.when(error.is_null(), finish.is_null() | (finish == "stop"), text.str.len_bytes() <= _LONGEST)
        .then(text.str.extract_groups(_PLAIN))
        .alias("plain")
    )
    label, number = pl.col("plain").struct[0], pl.col("plain").struct[1].cast(pl.Float64)
    frame = frame.with_columns(
        pl.when(number.is_between(low, high)).then(number).alias("score"),
        pl.when(label.is_null()).then(pl.lit("number")).otherwise(pl.lit("labelled")).alias("reading"),
    )
    score, rule = frame["score"].to_list(), frame["reading"].to_list()
    status = ["observed"] * len(frame)
    left = frame["score"].is_null().arg_true()
    read: dict[tuple[str | None, ...], ScoreReading] = {}
    for row, given in zip(left, frame[left].select("text", "finish_reason", "error_class").iter_rows(), strict=True):
        reading = read.get(given)
        if reading is None:
            written, reason, failed = given
            reading = read[given] = read_score(written, reason, low=low, high=high, error_class=failed)
        status[row], score[row], rule[row] = reading.status, reading.score, reading.rule
    return pl.DataFrame(
        {
            "status": pl.Series(status, dtype=STATUS),
            "score": pl.Series(score, dtype=pl.Float64),
            "reading": pl.Series(rule, dtype=pl.String),
        }
    )
