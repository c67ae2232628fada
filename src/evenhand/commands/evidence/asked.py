"""What a run was made from: its probe as it was set, its plan, its prompts, the files that were given."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
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
from evenhand.tables.fingerprints import sha256_of

__all__ = ["GIVEN", "STIMULI", "AskedRun", "given_below", "hashes_of", "write_stimuli"]

STIMULI: Final = "stimuli.jsonl"
#: The folder of the files that a run was made from, where they are put into a bundle.
GIVEN: Final = "given"
#: Prompts that are made at a time.
_PIECE: Final = 4_096


@dataclass(frozen=True, kw_only=True)
class AskedRun:
    """The manifest of a run, and the files that it was made from, as far as they are `given`, by their sha256."""

    manifest: Manifest
    given: Mapping[str, Path] = field(default_factory=dict)

    @property
    def settings(self) -> dict[str, Any]:
        """Return the probe's own settings; a manifest keeps hashes of files, which are left out where not given."""
        found = {}
        for name, value in self.manifest.settings.items():
            if not isinstance(value, Mapping):
                found[name] = value
            elif value.get("sha256") in self.given:
                found[name] = self.given[value["sha256"]]
        return found

    @property
    def source(self) -> Path | None:
        """Return the saved answers, or the table of applicants, that were read, if they are given."""
        return self.read[0] if self.read else None

    @property
    def read(self) -> tuple[Path | None, ...]:
        """Return the files that were read, None where they are not given, in the order of the manifest."""
        hashes = [sha for name, sha in self.manifest.fingerprints.items() if "/" not in name]
        return tuple(self.given.get(sha) for sha in hashes)

    def option(self, name: str) -> Path | None:
        """Return the file that an option named, if it is given."""
        kept = self.manifest.parameters.get(name)
        return self.given.get(kept["sha256"]) if isinstance(kept, Mapping) else None

    @property
    def number(self) -> int:
        """Return the number of the part that the run is of its plan."""
        return 1 if self.manifest.shard is None else Shards.parse(self.manifest.shard).number

    @property
    def plan(self) -> MergePlan:
        """Return what the run was to ask."""
        of = 1 if self.manifest.shard is None else Shards.parse(self.manifest.shard).of
        return planned_again(self.manifest, self.settings, of=of)

    @property
    def has_prompts(self) -> bool:
        """Return whether the run asked prompts that can be made again."""
        return self.manifest.run_kind.asks and self.why_no_prompts is None

    @property
    def why_other_version(self) -> str | None:
        """Return that the run's probe is of another version than this evenhand's; None where it is not."""
        manifest = self.manifest
        own = find_probe(manifest.probe).version
        if manifest.probe_version == own:
            return None
        return f"it is of version {manifest.probe_version} of {manifest.probe}, and this evenhand has {own}"

    @property
    def why_no_prompts(self) -> str | None:
        """Return why the prompts of the run can't be made again; None where they can."""
        return self.lacking(lambda option: option.changes == "prompts", "the prompts were made") or (
            self.why_other_version
        )

    @property
    def why_unread(self) -> str | None:
        """Return why answers can't be read again; None where they can."""
        if self.manifest.redacted:
            return "their text was taken away"
        if self.manifest.design is None and self.source is None:
            return "the saved answers are not in the bundle"
        return self.why_no_prompts or self.lacking(lambda option: option.changes == "reading", "they were read")

    @property
    def why_unmeasured(self) -> str | None:
        """Return why nothing of the run can be measured again; None where it can."""
        return self.why_other_version or self.lacking(lambda option: option.shared, "it was measured")

    def lacking(self, wanted: Callable[[Option], bool], told: str) -> str | None:
        """Return that a file is lacking by which something was `told` to be done; None where none is."""
        for each in declared(find_probe(self.manifest.probe).settings):
            value = self.manifest.settings.get(each.name)
            if isinstance(value, Mapping) and each.name not in self.settings and wanted(each.option):
                return f"{told} with {each.flag} {value['file']}, which is not in the bundle"
        return None


def hashes_of(manifest: Manifest, decided: Mapping[str, Any]) -> set[str]:
    """Return the sha256 of all files that a run was made from; `decided` is what its audit block says was set."""
    kept = (*manifest.settings.values(), *manifest.parameters.values(), *decided.values())
    found = [value.get("sha256") for value in kept if isinstance(value, Mapping)]
    return {sha for sha in (*found, *manifest.fingerprints.values()) if isinstance(sha, str)}


def given_below(folder: Path) -> dict[str, Path]:
    """Return the files that a run in a bundle was made from, by their sha256."""
    files = (folder / GIVEN).iterdir() if (folder / GIVEN).is_dir() else ()
    return {sha256_of(file): file for file in files}


def write_stimuli(folder: Path, design: Design, to: Path) -> None:
    """Write the prompts that have an answer in a journal, with their factors: one JSON object each, by index."""
    asked = [answers["index"].to_numpy() for answers in read_answers(folder)]
    indices = np.unique(np.concatenate([np.empty(0, dtype=np.int64), *asked]))
    with to.open("wb") as file:
        for start in range(0, indices.size, _PIECE):
            piece = indices[start : start + _PIECE]
            stimuli = design.stimuli(piece).drop("index")
            stimuli.insert_column(0, pl.Series("index", piece)).write_ndjson(file)
