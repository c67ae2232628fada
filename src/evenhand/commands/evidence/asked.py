"""What a run asked: its probe as it was set, its plan, its prompts."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Final

import numpy as np
import polars as pl

from evenhand.collect.answers import read_answers
from evenhand.options import Option, declared
from evenhand.probes.shared.probe import Design
from evenhand.runs.manifest import Manifest
from evenhand.runs.merge.parts import MergePlan, planned_again
from evenhand.runs.options.settings import find_probe
from evenhand.runs.options.shards import Shards

__all__ = [
    "STIMULI",
    "file_of_settings",
    "has_prompts",
    "part_of",
    "plan_of",
    "settings_of",
    "why_no_prompts",
    "why_other_version",
    "write_stimuli",
]

STIMULI: Final = "stimuli.jsonl"
#: Prompts that are made at a time.
_PIECE: Final = 4_096


def settings_of(manifest: Manifest) -> dict[str, Any]:
    """Return the probe's own settings but for files, of which a manifest keeps hashes only."""
    return {name: value for name, value in manifest.settings.items() if not isinstance(value, Mapping)}


def file_of_settings(manifest: Manifest, wanted: Callable[[Option], bool]) -> str | None:
    """Return what names a file that a run was asked with, by an option that is wanted; None where there is none."""
    for each in declared(find_probe(manifest.probe).settings):
        value = manifest.settings.get(each.name)
        if isinstance(value, Mapping) and wanted(each.option):
            return f"{each.flag} {value['file']}"
    return None


def why_other_version(manifest: Manifest) -> str | None:
    """Return that a run's probe is of another version than this evenhand's; None where it is not."""
    own = find_probe(manifest.probe).version
    if manifest.probe_version == own:
        return None
    return f"it is of version {manifest.probe_version} of {manifest.probe}, and this evenhand has {own}"


def why_no_prompts(manifest: Manifest) -> str | None:
    """Return why the prompts of a run can't be made again; None where they can."""
    if manifest.design is None:
        return "the saved answers are not in the bundle"
    file = file_of_settings(manifest, lambda option: option.changes == "prompts")
    if file is not None:
        return f"the prompts were made with {file}, which is not in the bundle"
    return why_other_version(manifest)


def has_prompts(manifest: Manifest) -> bool:
    """Return whether a run asked prompts that can be made again."""
    return manifest.run_kind.asks and why_no_prompts(manifest) is None


def part_of(manifest: Manifest) -> int:
    """Return the number of the part that a run is of its plan."""
    return 1 if manifest.shard is None else Shards.parse(manifest.shard).number


def plan_of(manifest: Manifest) -> MergePlan:
    """Return what a run was to ask."""
    of = 1 if manifest.shard is None else Shards.parse(manifest.shard).of
    return planned_again(manifest, settings_of(manifest), of=of)


def write_stimuli(folder: Path, design: Design, to: Path) -> None:
    """Write the prompts that have an answer in a journal, with their factors: one JSON object each, by index."""
    asked = [answers["index"].to_numpy() for answers in read_answers(folder)]
    indices = np.unique(np.concatenate([np.empty(0, dtype=np.int64), *asked]))
    with to.open("wb") as file:
        for start in range(0, indices.size, _PIECE):
            piece = indices[start : start + _PIECE]
            stimuli = design.stimuli(piece).drop("index")
            stimuli.insert_column(0, pl.Series("index", piece)).write_ndjson(file)
