"""What the report prints about a run besides its findings."""

import platform
from collections.abc import Mapping, Sequence
from importlib.metadata import version
from typing import Any

from evenhand.collect.outcomes import OutcomeSummary
from evenhand.measures import MeasureSet
from evenhand.probes import Design, Probe
from evenhand.tables.finding import Finding

__all__ = ["audit_block", "package_versions"]

PACKAGES = ("evenhand", "numpy", "scipy", "polars", "aiohttp")

#: What computes the answers of a model in this process.
LOCAL_PACKAGES = ("torch", "transformers")


def package_versions(*, model: str = "") -> dict[str, str]:
    """Return the versions of what computed the numbers, for an hf: model also the answers.

    >>> sorted(package_versions())[0]
    'Python'
    """
    packages = (*PACKAGES, *LOCAL_PACKAGES) if model.startswith("hf:") else PACKAGES
    return {"Python": platform.python_version(), **{name: version(name) for name in packages}}


def audit_block(
    probe: Probe,
    design: Design | None,
    manifest: Mapping[str, Any],
    summary: OutcomeSummary,
    findings: Sequence[Finding],
    *,
    warnings: Sequence[str],
    reproduce: str,
) -> dict[str, Any]:
    """Return the audit block of findings.json: a report needs nothing besides it."""
    measured = probe.measured
    return {
        "kind": manifest["kind"],
        "probe": probe.name,
        "probe_version": probe.version,
        "title": probe.title,
        "question": probe.question,
        "success": probe.success,
        "subject": probe.subject,
        "labels": dict(probe.labels),
        "quantities": dict(probe.quantities),
        "settings": manifest.get("settings") or {},
        "card": probe.card(),
        "design": manifest.get("design"),
        "design_note": design.note if design is not None else "Saved answers, laid out as they were collected.",
        "model": manifest["model"],
        "returned_models": sorted(summary.returned_models),
        "simulated": manifest["simulated"],
        "shard": manifest.get("shard"),
        "stopping": manifest.get("stopping"),
        "simulated_note": (
            "The answers come from a simulated model with a known bias, not from a language model."
            if manifest["simulated"]
            else None
        ),
        "parameters": manifest["parameters"],
        "requests": manifest.get("requests"),
        "cost": manifest.get("cost"),
        "currency": manifest.get("currency"),
        "cost_reason": manifest.get("cost_reason"),
        "cost_uncertain": manifest.get("cost_uncertain"),
        "usage": manifest.get("usage"),
        "redacted": manifest.get("redacted", False),
        "example": summary.example or None,
        "statuses": dict(sorted(summary.statuses.items())),
        "reading_rules": dict(summary.rules.most_common()),
        "attempts": summary.attempts,
        "items": next((row.n for row in findings if row.name == "undetected_rate_items"), None),
        "bands": _bands(measured),
        "references": {
            name: [{"kind": row.kind, "value": row.value} for row in rows] for name, rows in probe.references.items()
        },
        "headline": list(measured.headline),
        "rate": measured.rate,
        "groups": list(measured.groups),
        "slices": list(measured.slice_columns()),
        "instruction": measured.instruction,
        "level_texts": {column: dict(texts) for column, texts in probe.level_texts.items()},
        "regression": (
            {"measure": measured.rate, "against": measured.against, "label": probe.against_label}
            if measured.against
            else None
        ),
        "matched": _matched(findings),
        "limits": list(probe.limits),
        "facts": dict(probe.facts()),
        "warnings": list(warnings),
        "reproduce": reproduce,
        "started": manifest["started"],
        "finished": manifest["finished"],
        "versions": manifest["versions"],
        "fingerprints": manifest["fingerprints"],
    }


def _bands(measured: MeasureSet) -> dict[str, Any]:
    return {
        name: {"centre": bands.centre, "edges": list(bands.edges), "source": bands.source}
        for name, bands in measured.bands.items()
    }


def _matched(findings: Sequence[Finding]) -> dict[str, Any] | None:
    """Return what pairing did to the interval of the first headline measure that has it."""
    for finding in findings:
        ratio = finding.details.get("width_ratio_to_unpaired")
        if ratio is not None:
            share = f"{abs(1 - ratio):.0%}"
            if round(ratio, 2) == 1:
                change = "as wide as"
            else:
                change = f"{share} narrower than" if ratio < 1 else f"{share} wider than"
            sentence = (
                f"With pairs, the interval of {finding.name} is {change} that of as many unmatched prompts, "
                "computed from the same answers with the pairing ignored."
            )
            return {"measure": finding.name, "width_ratio": ratio, "sentence": sentence}
    return None
