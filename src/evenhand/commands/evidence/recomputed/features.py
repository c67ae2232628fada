"""The vetting of features: from their table."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from evenhand.commands.evidence.asked import AskedRun, given_below
from evenhand.commands.features.run import vetted
from evenhand.errors import InputError
from evenhand.evidence.recomputed import Recomputed
from evenhand.findings.scores.features.joint import lacks_model
from evenhand.runs.manifest import Manifest
from evenhand.runs.options.again import options_again
from evenhand.runs.options.scores.features import FeatureOptions
from evenhand.runs.records.scores.features import vetting_block
from evenhand.tables.audit.features.block import FeaturesAudit
from evenhand.tables.audit.reading import read_found

__all__ = ["recomputed"]


def recomputed(folder: Path, manifest: Manifest, *, beside: Sequence[Path]) -> Recomputed:  # noqa: ARG001
    """Return the findings and tables of a vetting, from its rows."""
    content = read_found(folder)
    audit = content.audit
    if not isinstance(audit, FeaturesAudit):
        raise InputError(f"{folder / 'findings.json'} is of another kind of run.")
    asked = AskedRun(manifest=manifest, given=given_below(folder))
    why = _why_not(asked, audit)
    if why is not None:
        return Recomputed(findings=[], source="", without={finding.name: why for finding in content.findings})
    options = options_again(FeatureOptions, manifest.parameters)
    compared = None if options.compare_with is None else str(asked.read[-1])
    again, _ = vetted(asked.source, replace(options, expect=asked.option("expect"), compare_with=compared))
    made = vetting_block(again)
    same = ("rows", "rows_compared", "features", "attributes", "label", "free_text", "joint", "notes")
    return Recomputed(
        findings=again.findings,
        source="the rows that were counted",
        audit=replace(audit, **{name: getattr(made, name) for name in same}),
        tables={"features.csv": again.features, "proxies.csv": again.proxies},
    )


def _why_not(asked: AskedRun, audit: FeaturesAudit) -> str | None:
    """Return why findings can't be computed from what a bundle holds; None where they can."""
    if asked.source is None:
        return "the rows that were counted are not in the bundle"
    if audit.expectations is not None and asked.option("expect") is None:
        return "the file of expectations is not in the bundle"
    if audit.compared_with is not None and asked.read[-1] is None:
        return "the table that they were compared with is not in the bundle"
    if audit.joint.features and lacks_model():
        return "scikit-learn is not installed, which all features jointly need"
    return None
