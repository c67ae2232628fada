"""Stopping when the answers are enough: `--until-width`.

Only completed prefixes of the shuffled order are looked at. Answers that came early were
fast, and fast answers may differ from slow ones: a refusal is shorter than an e-mail.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from pkgutil import resolve_name
from typing import Any

import numpy as np
import orjson
import polars as pl
from numpy.typing import NDArray

from evenhand.errors import InputError
from evenhand.models.journal import attempt_ids, journal_index
from evenhand.models.order import Planned
from evenhand.probes.probe import Design, Probe, shuffled_indices
from evenhand.results.measures import Contrast, Summary
from evenhand.results.schemas import CONTEXT, PROTECTED, STATUS
from evenhand.stats import MeanSequence, SequenceInterval, normal_quantile

#: Completed items (prompts or pairs) from one look to the next.
LOOK_EVERY = 100
#: Prompts that show which levels a design has; a level of one prompt in fifty is missed once in 3,000 runs.
_SOME_PROMPTS = 400
#: Values below which a mean is not taken for normal.
_FEWEST_FOR_NORMAL = 30
#: What a reader needs of an answer besides its stimulus.
_READ = {
    "index": pl.Int64,
    "attempt": pl.Int32,
    "text": pl.String,
    "finish_reason": pl.String,
    "error_class": pl.String,
}


@dataclass(frozen=True, kw_only=True)
class Watched:
    """The mean that is watched: Σ weight · the mean score of the units with `where`.

    Each entry of `strata` is a weight and a `where`. `paired` says that an item has one
    unit in each stratum; else the k-th items of all strata are taken together. `scores` gives the
    scores of observed rows with their columns, in order; each lies in `scale`.
    """

    measure: str
    strata: tuple[tuple[float, Mapping[str, str]], ...]
    paired: bool
    choice: Mapping[str, str] | None
    scores: Callable[[pl.DataFrame, "Watched"], pl.DataFrame]
    scale: tuple[float, float] = (0.0, 1.0)

    @property
    def bounds(self) -> tuple[float, float]:
        """Return between which values a weighted sum of scores lies."""
        ends = [sorted(weight * end for end in self.scale) for weight, _ in self.strata]
        return sum(low for low, _ in ends), sum(high for _, high in ends)


def watched(probe: Probe, design: Design) -> Watched:
    """Return the headline measure whose width can be watched: the first, a mean or a difference of two.

    Raises
    ------
    InputError
        The probe's headline is of another kind.
    """
    measured = probe.measured
    lead = f"--until-width can't be used with {probe.name}:"
    if measured.judgement.unwatched is not None:
        raise InputError(f"{lead} {measured.judgement.unwatched}. Leave it out.")
    if measured.pool == "trials":
        raise InputError(
            f"{lead} its measures are shares of pooled words, and confidence sequences need means of bounded "
            "scores. Leave it out."
        )
    name = measured.headline[0]
    measure = next((candidate for candidate in measured.measures if candidate.name == name), None)
    if not isinstance(measure, Contrast | Summary) or measure.statistic != "rate":
        raise InputError(f"{lead} {name} is neither a mean nor a difference of two means. Leave it out.")
    return Watched(
        measure=name,
        strata=_strata(measure, design),
        paired=design.block > 1 and not measured.judgement.whole_items,
        choice=measured.choice,
        scores=resolve_name(measured.judgement.scores),
        scale=(0.0, 1.0) if measured.scored is None else (measured.scored.low, measured.scored.high),
    )


def _strata(measure: Contrast | Summary, design: Design) -> tuple[tuple[float, Mapping[str, str]], ...]:
    if isinstance(measure, Contrast):
        return (1.0, measure.focal), (-1.0, measure.reference)
    over = measure.over
    if over is None or over.weights is None:
        return ((1.0, measure.group),)
    some = min(design.size, _SOME_PROMPTS) // design.block * design.block
    stimuli = design.stimuli(shuffled_indices(design.size, some, seed=0, block=design.block))
    present = set(stimuli[over.column].unique().to_list())
    weights = {level: weight for level, weight in over.weights.items() if level in present}
    scale = sum(map(abs, over.weights.values())) / sum(map(abs, weights.values())) if weights else 1.0
    return tuple((weight * scale, {over.column: level}) for level, weight in weights.items())


class StoppingRule:
    """Reads answers as they come and says when the interval of the watched measure is narrow enough.

    `reached` says whether it was; `attempts` and `items` count the completed prefix that
    has been looked at, `interval` is the confidence sequence at the last look and
    `narrow` that at twice the error (90 %), for equivalence.
    """

    def __init__(self, probe: Probe, design: Design, *, width: float, sample: int, confidence: float) -> None:
        self._probe, self._design = probe, design
        self.watched = watched(probe, design)
        self.width = width
        self.planned = sample
        low, high = self.watched.bounds
        # A pair is one value; of single items as many strata as there are make one.
        per_value = 1 if self.watched.paired else max(len(self.watched.strata), 1)
        settings: dict[str, Any] = {
            "lowest": low,
            "highest": high,
            "width": width,
            "horizon": max(sample // design.block // per_value, 1),
        }
        self._sequence = MeanSequence(confidence=confidence, **settings)
        self._narrow = MeanSequence(confidence=2 * confidence - 1, **settings)
        self._confidence = confidence
        self._waiting: dict[int, dict[str, Any]] = {}
        self._scores: list[list[float]] = [[] for _ in self.watched.strata]
        self._complete = 0
        self._sum = self._squares = 0.0
        self.attempts = 0
        self.looks = 0
        self.reached = False

    @property
    def items(self) -> int:
        """Return how many items of the prefix have been looked at."""
        return self.attempts // self._design.block

    @property
    def interval(self) -> SequenceInterval:
        """Return the confidence sequence at the last look."""
        return self._sequence.interval()

    @property
    def narrow(self) -> SequenceInterval:
        """Return the confidence sequence at twice the error."""
        return self._narrow.interval()

    def fixed_sample(self) -> int | None:
        """Return how many prompts a sample of a size fixed beforehand would need for the same width.

        By the normal approximation, with the variance that was seen. None where it does not
        hold: without values, without variance, and where fewer than 30 would do.
        """
        interval = self.interval
        if interval.width is None or not interval.width or interval.n < 2:
            return None
        variance = max(self._squares - self._sum**2 / interval.n, 0.0) / (interval.n - 1)
        z = normal_quantile(self._confidence)
        values = (2 * z / interval.width) ** 2 * variance
        if values < _FEWEST_FOR_NORMAL:
            return None
        return int(np.ceil(values * self.attempts / interval.n))

    def add(self, line: Mapping[str, Any]) -> str | None:
        """Take in a journaled line; return why no more answers are needed, None to go on."""
        if self.reached or line["sent_order"] < self.attempts:
            return None
        self._waiting[line["sent_order"]] = {name: line[name] for name in _READ}
        while self._complete in self._waiting:
            self._complete += 1
        step = LOOK_EVERY * self._design.block
        while not self.reached and self._complete - self.attempts >= step:
            self._look(step)
        return f"The interval of {self.watched.measure} is narrow enough." if self.reached else None

    def finish(self) -> None:
        """Look once more, at all that is complete: nothing else will come."""
        rest = (self._complete - self.attempts) // self._design.block * self._design.block
        if not self.reached and rest:
            self._look(rest)

    def replay(self, folder: Path, chunks: Iterable[list[Planned]], answered: NDArray[np.uint64]) -> None:
        """Take in what the journal in `folder` holds of the plan; only the sorted ids `answered` count."""
        index = journal_index(folder)
        by_id = np.argsort(index.ids)
        known = index.ids[by_id]
        left = int(answered.size)
        for chunk in chunks:
            if self.reached or not left:
                return
            ids = attempt_ids(chunk)
            ids = ids[np.isin(ids, answered)]
            places = by_id[np.searchsorted(known, ids)]
            left -= int(ids.size)
            for line in index.taken(places).lines():
                self.add(orjson.loads(line.content))

    def _look(self, attempts: int) -> None:
        rows = [self._waiting.pop(order) for order in range(self.attempts, self.attempts + attempts)]
        answers = pl.DataFrame(rows, schema=_READ).with_columns(pl.lit(None, pl.Datetime("us", "UTC")).alias("time"))
        stimuli = self._design.stimuli(answers["index"].to_numpy()).drop("index")
        outcomes = self._probe.read(pl.concat([answers, stimuli], how="horizontal")).outcomes
        values = _values(outcomes, self.watched, self._scores)
        self._sequence.add(values)
        self._narrow.add(values)
        self._sum += float(values.sum())
        self._squares += float((values**2).sum())
        self.attempts += attempts
        self.looks += 1
        width = self.interval.width
        self.reached = width is not None and width <= self.width


def _values(outcomes: pl.DataFrame, watched: Watched, waiting: Sequence[list[float]]) -> NDArray[np.float64]:
    """Return the weighted sums of scores that are complete now; scores without their counterparts wait."""
    weights = [weight for weight, _ in watched.strata]
    scored = watched.scores(outcomes.filter(pl.col("status") == pl.lit("observed", STATUS)), watched)
    if watched.paired:
        sides = [
            scored.filter(_is(scored, where)).select("item", pl.col("score").alias(f"score {number}"))
            for number, (_, where) in enumerate(watched.strata)
        ]
        joined = sides[0]
        for side in sides[1:]:
            joined = joined.join(side, on="item", how="inner", maintain_order="left")
        columns = [joined[f"score {number}"].to_numpy() for number in range(len(weights))]
    else:
        for scores, (_, where) in zip(waiting, watched.strata, strict=True):
            scores.extend(scored.filter(_is(scored, where))["score"].to_list())
        complete = min(map(len, waiting), default=0)
        columns = [np.array(scores[:complete], dtype=np.float64) for scores in waiting]
        for scores in waiting:
            del scores[:complete]
    if not columns:
        return np.empty(0)
    return np.asarray(sum(weight * column for weight, column in zip(weights, columns, strict=True)), dtype=np.float64)


def unit_scores(observed: pl.DataFrame, _watched: Watched) -> pl.DataFrame:
    """Return the units with their scores."""
    return observed.with_columns((pl.col("successes") / pl.col("trials")).alias("score"))


def item_means(observed: pl.DataFrame, watched: Watched) -> pl.DataFrame:
    """Return one row per item and stratum: the mean of its scores."""
    columns = dict.fromkeys(_full(observed, name) for _, where in watched.strata for name in where)
    return observed.group_by("item", *columns, maintain_order=True).agg(pl.col("score").mean())


def item_scores(observed: pl.DataFrame, watched: Watched) -> pl.DataFrame:
    """Return one row per item of choices: the share that fell on the group, and its columns."""
    ((column, level),) = (watched.choice or {}).items()
    won = (pl.col("successes") * (pl.col(_full(observed, column)) == level)).fill_null(0)
    return observed.group_by("item", maintain_order=True).agg(
        (won.sum() / pl.struct("set", "attempt").n_unique()).alias("score"),
        *(pl.col(_full(observed, name)).first() for _, where in watched.strata[:1] for name in where),
    )


def _is(frame: pl.DataFrame, where: Mapping[str, str]) -> pl.Expr:
    return pl.all_horizontal(
        pl.lit(value=True), *(pl.col(_full(frame, name)) == level for name, level in where.items())
    )


def _full(frame: pl.DataFrame, name: str) -> str:
    """Return the column of a bare name."""
    return next(full for full in (f"{PROTECTED}{name}", f"{CONTEXT}{name}") if full in frame.columns)
