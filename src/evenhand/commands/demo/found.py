"""What was found at each stage of the demo, beside what was injected."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from math import log
from operator import itemgetter
from pathlib import Path
from typing import Any, Final

import orjson
import polars as pl

from evenhand.stats import auc, selection_rate

__all__ = ["FOUND", "Finds", "Row"]

#: As in steps.toml: the strength of the simulated model, the points that the simulated scorer takes, the day of change.
STRENGTH: Final = 0.3
SHIFT: Final = -5.0
_SINCE: Final = "2025-01-01"


@dataclass(frozen=True, kw_only=True)
class Row:
    """A measure: its value by what was injected, what was found, its interval; dates are texts and have none.

    `expected` is a text where what was injected fixes no value; `reason` says why there is no interval, or what else
    must be known.
    """

    label: str
    unit: str
    expected: float | str | None
    estimate: float | str | None
    low: float | None = None
    high: float | None = None
    reason: str | None = None

    @property
    def holds(self) -> bool | None:
        """Return whether the interval has the value to expect, None where there is no interval or no value."""
        if self.low is None or self.high is None or not isinstance(self.expected, int | float):
            return None
        return self.low <= self.expected <= self.high


@dataclass(frozen=True)
class Finds:
    """Where the demo is, and what its last command printed."""

    out: Path
    printed: str

    @cached_property
    def company(self) -> dict[str, Any]:
        """Return company.json."""
        read: dict[str, Any] = orjson.loads((self.out / "company" / "company.json").read_bytes())
        return read

    @cached_property
    def truth(self) -> pl.DataFrame:
        """Return truth.parquet, whose rows are those of pairs.csv."""
        return pl.read_parquet(self.out / "company" / "truth.parquet")

    @cached_property
    def pairs(self) -> pl.DataFrame:
        """Return pairs.csv."""
        return pl.read_csv(self.out / "company" / "pairs.csv")

    def row(self, run: str, name: str, **told: Any) -> Row:
        """Return a finding of a run as a row."""
        rows = orjson.loads((self.out / run / "findings.json").read_bytes())["findings"]
        finding = next(each for each in rows if each["name"] == name)
        return Row(**{key: finding[key] for key in ("unit", "estimate", "low", "high", "reason")} | told)

    def proxy(self, run: str, feature: str) -> Mapping[str, Any]:
        """Return how well a feature tells women."""
        table = pl.read_csv(self.out / run / "proxies.csv")
        return table.row(by_predicate=(pl.col("feature") == feature) & (pl.col("attribute") == "gender"), named=True)

    @property
    def break_auc(self) -> float:
        """Return how well a break tells women: those of both sexes last as long."""
        breaks = self.company["career_breaks"]
        return float(0.5 + (breaks["female"] - breaks["male"]) / 2)


def _probes(finds: Finds) -> Sequence[Row]:
    """Return the slope of the probe of hiring e-mails: men's and women's move apart by twice the strength."""
    label = "Men's less women's acceptance rate, from an occupation all of women to one all of men"
    return [finds.row("probes/hiring-an", "diff_regression", label=label, expected=2 * STRENGTH)]


def _mask(finds: Finds) -> Sequence[Row]:
    """Return in how many masked résumés the person's name still stands."""
    people = [orjson.loads(line) for line in (finds.out / "company" / "people.jsonl").read_bytes().splitlines()]
    masked = [orjson.loads(line)["text"] for line in (finds.out / "masked.jsonl").read_bytes().splitlines()]
    left = sum(
        any(name.casefold() in text.casefold() for name in person["known_names"])
        for person, text in zip(people, masked, strict=True)
    )
    rate = selection_rate(left, len(masked))
    label = "Résumés in which the person's full name can still be read"
    return [Row(label=label, unit="share", expected=0.0, estimate=rate.estimate, low=rate.low, high=rate.high)]


def _features(finds: Finds) -> Sequence[Row]:
    """Return how well the career break tells women."""
    found = finds.proxy("features", "career_break_months")
    return [_area("AUC of the career break for women", found, expected=finds.break_auc)]


def _match(finds: Finds) -> Sequence[Row]:
    """Return how well the score ranks, and how well the gap that it reads in masked texts tells women."""
    best = auc(finds.truth["chance_advanced"].to_numpy(), (finds.pairs["advanced"] == "yes").to_numpy()).estimate
    gap = finds.proxy("match", "gap")
    label = "AUC of the trained score, on people and positions held out"
    return [
        finds.row("match", "auc", label=label, expected=f"at most {best:.3f}"),
        _area("AUC of the gap, as read in masked texts, for women", gap, expected=finds.break_auc),
    ]


def _evaluate(finds: Finds) -> Sequence[Row]:
    """Return how much less often women who would perform well are selected.

    The share to expect weighs each pair's chance of a score above the cut-off with its chance of performing well.
    """
    truth, injected = finds.company["truth"], finds.company["injected"]
    limit = log(truth["cutoff"] / (1 - truth["cutoff"]))
    fit = pl.col("fit") + injected["break_effect"] * (pl.col("career_break_months") > 0)
    fit += injected["step"] * (pl.col("time").str.slice(0, 10) >= injected["step_day"])
    above = 1 / (1 + ((limit - fit) / truth["noise"]).exp())
    pairs = finds.truth.with_columns(finds.pairs["time"])
    share = (above * pl.col("true_score")).sum() / pl.col("true_score").sum()
    shares = dict(pairs.group_by("gender").agg(share).iter_rows())
    label = "Share selected of those who perform well: women less men"
    expected = shares["female"] - shares["male"]
    return [finds.row("evaluate", "diff_tpr_gender_female", label=label, expected=expected, unit="difference")]


def _perturb(finds: Finds, *, run: str, of: str, expected: float) -> Sequence[Row]:
    """Return the difference of scores under women's names."""
    label = f"{of} of the same résumé: women's names less men's"
    return [finds.row(run, "name_female_male_score_difference", label=label, expected=expected)]


def _impact(finds: Finds) -> Sequence[Row]:
    """Return the impact ratios at both stages; those to expect follow from the chances that were drawn with."""
    pairs = finds.truth
    table = pl.scan_csv(finds.out / "company" / "applications.csv")
    late = table.filter((pl.col("stage") == "interviewed") & (pl.col("day") >= _SINCE)).select("person", "position")
    there = pairs.join(late.collect(), on=["person", "position"])
    return [
        finds.row(
            "stages",
            "impact_ratio_gender_female_applied",
            label="Impact ratio when applications are read: women to men",
            expected=_ratio(pairs, "chance_advanced", "gender", "female", "male"),
        ),
        finds.row(
            "interviews",
            "impact_ratio_race_black",
            label="Impact ratio at interviews since 2025: black to white",
            expected=_ratio(there, "chance_offer", "race", "black", "white"),
        ),
    ]


def _monitor(finds: Finds) -> Sequence[Row]:
    """Return since when each change is dated."""
    alarms = [each for each in orjson.loads(finds.printed)["alarms"] if each["measure"] == "median_score"]
    since = {each["model"]: each["since"] for each in sorted(alarms, key=itemgetter("since"))}
    injected = finds.company["injected"]
    return [
        Row(
            label="Step in the median score, since about",
            unit="date",
            expected=injected["step_day"],
            estimate=since.get("score"),
            reason="An alarm names a day.",
        ),
        Row(
            label="Drift of the other model's median score, since about",
            unit="date",
            expected=f"after {injected['drift_since']}",
            estimate=since.get("score_previous"),
            reason="A slow drift is seen when it has grown.",
        ),
    ]


def _verify(finds: Finds) -> Sequence[Row]:
    """Return how many findings are the same when they are computed again."""
    runs = orjson.loads(finds.printed)["runs"]
    again, of = (sum(each[name] for each in runs) for name in ("recomputed", "findings"))
    left = [f"{each['what']}, as {each['why']}" for run in runs for each in run["not_recomputed"] if each["findings"]]
    return [
        Row(
            label="Findings that are the same when computed again",
            unit="count",
            expected=None,
            estimate=f"{again:,} of {of:,}",
            reason=f"Not computed again: {'; '.join(left)}." if left else None,
        )
    ]


def _area(label: str, found: Mapping[str, Any], *, expected: float) -> Row:
    return Row(label=label, unit="AUC", expected=expected, estimate=found["auc"], low=found["low"], high=found["high"])


def _ratio(pairs: pl.DataFrame, chance: str, attribute: str, focal: str, reference: str) -> float | None:
    means = dict(pairs.group_by(attribute).agg(pl.col(chance).mean()).iter_rows())
    return means[focal] / means[reference] if means.get(focal) and means.get(reference) else None


FOUND: Final[Mapping[str, Callable[[Finds], Sequence[Row]]]] = {
    "company": lambda _: (),
    "probes": _probes,
    "mask": _mask,
    "features": _features,
    "match": _match,
    "evaluate": _evaluate,
    "perturb": partial(_perturb, run="perturb", of="Simulated score", expected=SHIFT),
    "perturb-matcher": partial(_perturb, run="perturb-matcher", of="Trained score", expected=0.0),
    "impact": _impact,
    "monitor": _monitor,
    "bundle": _verify,
    "pipeline": lambda _: (),
}
