"""Whether runs asked the same prompts, and what they answered to those that all have."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from itertools import combinations
from pathlib import Path

import polars as pl

from evenhand.runs.manifest import Manifest
from evenhand.runs.options.settings import find_probe, own_settings
from evenhand.runs.records.compare import Compared
from evenhand.tables.schemas import CONTEXT, PROTECTED

__all__ = ["PromptDifference", "outcomes_in_common", "prompt_differences"]

#: Which prompt a row is of: a choice has a row per candidate.
PROMPT = pl.coalesce("set", "unit")


@dataclass(frozen=True, kw_only=True)
class PromptDifference:
    """In which way the prompts of two runs differ.

    `common` counts those of both; it is None where designs or settings differ.
    """

    told: str
    common: int | None = None


def prompt_differences(runs: Sequence[Compared]) -> list[PromptDifference]:
    """Return in which way the prompts of two runs differ, one per pair of runs that do."""
    prompts = [_prompts(run.folder.outcomes) for run in runs]
    computing = own_settings(find_probe(runs[0].manifest.probe), changing="numbers")
    found = []
    for first, second in combinations(range(len(runs)), 2):
        one, other = runs[first], runs[second]
        said = f"{one.label} and {other.label}"
        before, now = (_prompted(run.manifest, without=computing) for run in (one, other))
        differing = next((name for name in before if before[name] != now[name]), None)
        if differing is not None:
            told = f"{said} differ in {differing} ({_told(before[differing])} and {_told(now[differing])})"
            found.append(PromptDifference(told=told))
            continue
        both = _count(_common(prompts[first], prompts[second]))
        union = _count(prompts[first]) + _count(prompts[second]) - both
        if both < union:
            told = f"{said} have {both:,} of {union:,} prompts in common"
            found.append(PromptDifference(told=told, common=both))
    return found


def _prompted(manifest: Manifest, *, without: Collection[str]) -> dict[str, Mapping[str, object]]:
    """Return what two runs must share for their prompts to be the same; the rest is what is compared."""
    settings = {name: value for name, value in manifest.settings.items() if name not in without}
    return {
        "probe version": {"": manifest.probe_version},
        "design": {"": manifest.design},
        "settings": settings,
    }


def _told(value: Mapping[str, object]) -> str:
    return ", ".join(f"{key} {each}".strip() for key, each in value.items()) or "none"


def outcomes_in_common(outcomes: Sequence[Path]) -> tuple[list[pl.LazyFrame], int]:
    """Return each run's outcomes of the prompts that all runs have, and how many prompts these are."""
    prompts = [_prompts(path) for path in outcomes]
    common = reduce(_common, prompts)
    return [_of(path, common) for path in outcomes], _count(common)


def _of(path: Path, common: pl.DataFrame) -> pl.LazyFrame:
    outcomes = pl.scan_parquet(path)
    texts = outcomes.with_row_index("row").with_columns(pl.col(name).cast(pl.String) for name in common.columns)
    kept = texts.join(common.lazy(), on=common.columns, how="semi", nulls_equal=True).select("row")
    return outcomes.with_row_index("row").join(kept, on="row", how="semi", maintain_order="left").drop("row")


def _common(one: pl.DataFrame, other: pl.DataFrame) -> pl.DataFrame:
    return one.join(other, on=one.columns, how="semi", nulls_equal=True)


def _count(prompts: pl.DataFrame) -> int:
    return prompts.select("item", PROMPT).n_unique()


def _prompts(outcomes: Path) -> pl.DataFrame:
    """Return a row per prompt, or candidate of a prompt, with all that is known about whom it is about, as text."""
    frame = pl.scan_parquet(outcomes)
    names = [name for name in frame.collect_schema().names() if name.startswith((PROTECTED, CONTEXT))]
    return frame.select(pl.col("item", "unit", "set", *names).cast(pl.String)).unique().collect()
