"""Daily values: what a measure was on each day, for a model and a slice.

They are computed where a batch is recorded, so that checks and dashboards read numbers and count nothing.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from typing import Any, Final

import numpy as np
import orjson
from numpy.typing import NDArray

from evenhand.monitoring.history.log import canonical_json
from evenhand.monitoring.history.store import Store, Writing, utc_text

__all__ = [
    "COUNTED",
    "MASKING",
    "MEASURES",
    "DailySeries",
    "DailyValue",
    "daily_series",
    "forget_counted",
    "known_model",
    "save_values",
]

#: The measures of each day that counts tell, and what each is. Those of groups have slices such as
#: {"gender": "female"}; a log impact ratio's reference is the model's, see `reference_groups`; the worst AUC's slice
#: is {"attribute": "gender"}.
COUNTED: Final[Mapping[str, str]] = {
    "median_score": "median of the scores",
    "selection_rate": "selected, of those decided",
    "log_impact_ratio": "log of the selection rate over that of the reference group",
    "auc": "area under the ROC curve, of scores with a label",
    "worst_group_auc": "the lowest AUC of any group of an attribute, of those with 50 labels if there are any",
    "agreement": "decisions that the label agrees with",
    "latency_p50": "median of the seconds an answer took",
    "latency_p95": "95th percentile of the seconds an answer took",
    "error_rate": "judgements that failed",
    "undetected_rate": "judgements without a score or decision that can be read",
}
#: Measures that something else than the store's counts tells.
MEASURED: Final[Mapping[str, str]] = {
    "masking_recall": "of what identifies a person, the share that was masked",
    "masking_precision": "of what was masked, the share that identifies a person",
    "golden_accuracy": "golden cases judged as the people did",
    "golden_auc": "area under the ROC curve, of golden cases",
    "golden_calibration_slope": "slope of the logit of what people said on that of the score, of golden cases",
    "labeller_agreement": "labels of golden cases that are as the other person's",
}
MEASURES: Final[Mapping[str, str]] = {**COUNTED, **MEASURED}
#: Counts what was recorded of masking.
MASKING: Final = "SELECT count(*) FROM series WHERE measure LIKE 'masking%'"


@dataclass(frozen=True, kw_only=True)
class DailyValue:
    """A measure on one day (UTC): null with a reason where it can't be computed."""

    model: str
    measure: str
    day: date
    value: float | None
    n: int
    slice: Mapping[str, str] = field(default_factory=dict)
    standard_error: float | None = None
    reason: str | None = None


@dataclass(frozen=True, kw_only=True)
class DailySeries:
    """A measure of a model and slice over its days, which ascend and may have gaps.

    `days` are datetime64[D]; `value` and `standard_error` are NaN where they are not known; all are of one length.
    """

    model: str
    measure: str
    slice: Mapping[str, str]
    days: NDArray[np.datetime64]
    value: NDArray[np.float64]
    standard_error: NDArray[np.float64]
    n: NDArray[np.int64]

    def moving_median(self, days: int) -> NDArray[np.float64]:
        """Return, for each day, the median of the values known on it and the `days` - 1 days before it.

        >>> week = np.arange("2026-01-01", "2026-01-05", dtype="datetime64[D]")
        >>> made = DailySeries(model="m", measure="auc", slice={}, days=week, value=np.array([1, 9, np.nan, 2.0]),
        ...     standard_error=np.full(4, np.nan), n=np.ones(4, dtype=np.int64))
        >>> made.moving_median(2)
        array([1., 5., 9., 2.])
        """
        places = (self.days - self.days[0]).astype(np.int64)
        values = np.full(places[-1] + days, np.nan)
        values[places + days - 1] = self.value
        windows = np.sort(np.lib.stride_tricks.sliding_window_view(values, days)[places], axis=1)
        known = np.isfinite(windows).sum(axis=1)
        at = np.arange(places.size)
        low, high = (windows[at, np.maximum(middle, 0)] for middle in ((known - 1) // 2, known // 2))
        return np.asarray(np.where(known > 0, (low + np.where(known > 0, high, 0)) / 2, np.nan))

    def without_small(self, least: int) -> "DailySeries":
        """Return it without the days on which counts of fewer than `least` judgements tell it."""
        kept = (self.n >= least) | (self.measure not in COUNTED)
        return replace(
            self,
            days=self.days[kept],
            value=self.value[kept],
            standard_error=self.standard_error[kept],
            n=self.n[kept],
        )


def daily_series(
    store: Store | Writing,
    *,
    models: Sequence[str] = (),
    measures: Sequence[str] = (),
    since: date | None = None,
    until: date | None = None,
) -> list[DailySeries]:
    """Return the series of models and measures (empty: all) over days, both included, by model, measure and slice."""
    wanted: list[str] = []
    given: list[Any] = []
    for column, names in (("model", models), ("measure", measures)):
        if names:
            wanted.append(f"{column} IN ({', '.join('?' * len(names))})")
            given += names
    chosen = f" WHERE {' AND '.join(wanted)}" if wanted else ""
    found = []
    for number, model, measure, slice_ in store.rows(
        f"SELECT id, model, measure, slice FROM series{chosen} ORDER BY model, measure, slice",  # noqa: S608 - columns of ours
        given,
    ):
        rows = store.rows(
            "SELECT day, value, standard_error, n FROM daily_values WHERE series = ? AND day >= ? AND day <= ? "
            "ORDER BY day",
            (number, "" if since is None else since.isoformat(), "9999" if until is None else until.isoformat()),
        )
        if rows:
            days, values, errors, n = zip(*rows, strict=True)
            found.append(
                DailySeries(
                    model=model,
                    measure=measure,
                    slice=orjson.loads(slice_),
                    days=np.array(days, dtype="datetime64[D]"),
                    value=np.array(values, dtype=np.float64),
                    standard_error=np.array(errors, dtype=np.float64),
                    n=np.array(n, dtype=np.int64),
                )
            )
    return found


def save_values(writing: Writing, values: Sequence[DailyValue]) -> None:
    """Write values of days; what was there for the same model, measure, slice and day is replaced."""
    known = {
        (model, measure, slice_): number
        for number, model, measure, slice_ in writing.rows("SELECT id, model, measure, slice FROM series")
    }
    free = max(known.values(), default=0) + 1
    rows = []
    for each in values:
        key = (each.model, each.measure, canonical_json(each.slice))
        if key not in known:
            known[key] = free
            writing.execute("INSERT INTO series (id, model, measure, slice) VALUES (?, ?, ?, ?)", (free, *key))
            free += 1
        rows.append((known[key], each.day.isoformat(), each.value, each.standard_error, each.n, each.reason))
    writing.execute_each(
        "INSERT INTO daily_values (series, day, value, standard_error, n, reason) VALUES (?, ?, ?, ?, ?, ?) "
        "ON CONFLICT (series, day) DO UPDATE SET value = excluded.value, standard_error = excluded.standard_error, "
        "n = excluded.n, reason = excluded.reason",
        rows,
    )


def forget_counted(writing: Writing, model: str, day: str) -> None:
    """Take out the values of a model's day that counts tell, before they are computed anew."""
    writing.execute(
        "DELETE FROM daily_values WHERE day = ? AND series IN "  # noqa: S608 - marks
        f"(SELECT id FROM series WHERE model = ? AND measure IN ({', '.join('?' * len(COUNTED))}))",
        (day, model, *COUNTED),
    )


def known_model(writing: Writing, model: str) -> None:
    """Add a model where the store does not have it."""
    writing.execute(
        "INSERT INTO models (name, since) VALUES (?, ?) ON CONFLICT (name) DO NOTHING", (model, utc_text(writing.now))
    )
