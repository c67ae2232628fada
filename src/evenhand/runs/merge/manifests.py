"""The manifests of a run or a suite whose parts are joined."""

import shlex
from collections.abc import Mapping, Sequence
from typing import Any

from evenhand.collect.journal.joined import Joined
from evenhand.options import words
from evenhand.runs.merge.parts import Machine, MergePlan
from evenhand.runs.options.probe import ProbeOptions
from evenhand.runs.records.stamps import lexicon_fingerprints
from evenhand.runs.records.versions import package_versions
from evenhand.tables.run_folder import RunFolder

__all__ = ["leave_incomplete", "merged_manifest", "merged_suite_manifest"]


#: Ids of answers that contradict each other, as many as the manifest lists.
LISTED = 100


def merged_manifest(
    plan: MergePlan, machines: Sequence[Machine], joined: Joined, *, paid: Mapping[str, Any], own: Mapping[str, Any]
) -> dict[str, Any]:
    """Return the manifest of the whole run: that of a part, but for what is of a part only.

    `paid` is the account of all that was asked, `own` that of the parts alone.
    """
    first = machines[0].manifest.as_written
    adaptations: list[Mapping[str, Any]] = []
    for each in machines:
        adaptations += [row for row in each.manifest.adaptations if row not in adaptations]
    return {
        **first,
        "shard": None,
        "parameters": {**first["parameters"], "base_url": ", ".join(plan.options.base_url) or None},
        "adaptations": adaptations,
        "redact_answers": plan.options.redact_answers,
        "versions": package_versions(),
        "fingerprints": lexicon_fingerprints(),
        "merged": {
            "parts": [{"shard": str(each.shard), "folder": each.path.name} for each in machines],
            "answers": joined.lines,
            "overlaps": joined.overlaps,
            "conflicts": len(joined.conflicts),
            "conflicting_ids": list(joined.conflicts[:LISTED]),
            "requests": own["requests"],
            "cost_uncertain": own["cost_uncertain"],
        },
        "status": "running",
        "started": _earliest(machines),
        "finished": None,
        **paid,
    }


def merged_suite_manifest(machines: Sequence[Machine], plans: Sequence[MergePlan], *, redact: bool) -> dict[str, Any]:
    """Return the manifest of the whole suite: that of a part, but for what is of a part only."""
    first = machines[0].manifest
    addresses = dict.fromkeys(address for plan in plans for address in plan.options.base_url)
    own = ProbeOptions(model=first.model, base_url=tuple(addresses), redact_answers=redact)
    return {
        **first.as_written,
        "redact_answers": redact,
        "reproduce": shlex.join(
            [*(first.asked or ("evenhand", "audit", "--model", first.model)), *words(own, without=("model",))]
        ),
        "versions": package_versions(),
        "status": "running",
        "started": _earliest(machines),
    }


def _earliest(machines: Sequence[Machine]) -> str:
    return min(each.manifest.started or "" for each in machines)


def leave_incomplete(folder: RunFolder, manifest: Mapping[str, Any]) -> None:
    """Say in the manifest that answers are lacking."""
    folder.write_manifest({**manifest, "status": "incomplete"})
