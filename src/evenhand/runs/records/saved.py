"""The manifest of answers that were given elsewhere."""

from pathlib import Path
from typing import Any

import polars as pl

from evenhand.probes.shared.probe import Probe
from evenhand.runs.options.measuring import MeasureOptions
from evenhand.runs.options.settings import settings_block
from evenhand.runs.records.stamps import lexicon_fingerprints, utc_now
from evenhand.runs.records.versions import package_versions
from evenhand.tables.fingerprints import sha256_of

__all__ = ["saved_manifest"]


def saved_manifest(probe: Probe, answers: Path, saved: pl.DataFrame, options: MeasureOptions) -> dict[str, Any]:
    """Return what is measured: the file `answers`, which holds the rows `saved`."""
    return {
        "kind": "measure",
        "probe": probe.name,
        "probe_version": probe.version,
        "design": None,
        "settings": settings_block(options.settings),
        "compat": options.compat,
        "model": f"saved answers in {answers.name}",
        "simulated": False,
        "input": {"rows": saved.height, "columns": {name: str(kind) for name, kind in saved.schema.items()}},
        "parameters": {
            "answers": saved.height,
            "items": saved["item"].n_unique(),
            "seed": options.seed,
            **({"map_values": list(options.map_values)} if options.map_values else {}),
        },
        "clusters": list(probe.measured.clusters),
        "versions": package_versions(),
        "fingerprints": {**lexicon_fingerprints(), answers.name: sha256_of(answers)},
        "status": "running",
        "started": utc_now(),
        "finished": None,
    }
