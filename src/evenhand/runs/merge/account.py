"""What the joined parts of a run cost together; nothing that several folders hold is counted twice."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from evenhand.collect.cost.prices import Price
from evenhand.collect.cost.totals import Share, journaled_shares

__all__ = ["Paying", "merged_account"]

_USAGE = {
    "input_tokens": "input_tokens",
    "output_tokens": "output_tokens",
    "answers": "answers",
    "answers_without_usage": "uncounted",
}


@dataclass(frozen=True, kw_only=True)
class Paying:
    """A folder whose answers are joined, and what its manifest says of their cost.

    `joined` is true of the target of an earlier merge, whose manifest counts the parts
    of that merge as well.
    """

    folder: Path
    manifest: Mapping[str, Any]
    joined: bool = False


def merged_account(folders: Sequence[Paying], *, overlaps: bool, prompt: Callable[[], float]) -> dict[str, Any]:
    """Return the account of all folders; the cost is known only where that of every one is.

    A line that several folders hold (the same attempt, at the same time) was paid once:
    with `overlaps` a later folder brings what its own lines show. `prompt` gives the
    tokens of a prompt, estimated, for answers without usage.
    """
    told: list[Mapping[str, Any]] = [each.manifest for each in folders]
    if overlaps:
        shares = journaled_shares([each.folder for each in folders])
        told = [own for each, share in zip(folders, shares, strict=True) for own in _own(each, share, prompt=prompt)]
    costs = [each.get("cost") for each in told]
    currencies = {each.get("currency") for each in told}
    known = None not in costs and len(currencies) == 1
    reasons = [each["cost_reason"] for each in told if each.get("cost_reason")]
    other = "The parts were paid in different currencies." if None not in costs else "A part does not say what it cost."
    uncertain = [each.get("cost_uncertain") for each in told]
    usages = [each["usage"] for each in told if each.get("usage")]
    return {
        "requests": sum(each.get("requests") or 0 for each in told),
        "cost": sum(float(cost) for cost in costs if cost is not None) if known else None,
        "currency": currencies.pop() if known else None,
        "cost_reason": None if known else next(iter(reasons), other),
        "cost_uncertain": None if None in uncertain else sum(float(each) for each in uncertain if each is not None),
        "usage": {name: sum(each[name] for each in usages) for name in usages[0]}
        if usages and len(usages) == len(told)
        else None,
    }


def _own(paying: Paying, share: Share, *, prompt: Callable[[], float]) -> list[Mapping[str, Any]]:
    """Return what a folder adds; nothing where it is a copy of those before it."""
    manifest = paying.manifest
    if not share.copied and not paying.joined:
        return [manifest]
    before: Mapping[str, Any] = manifest.get("merged") or {}
    requests, uncertain = manifest.get("requests") or 0, manifest.get("cost_uncertain")
    if paying.joined and "requests" in before:
        requests -= before["requests"]
        counted = before.get("cost_uncertain")
        uncertain = None if uncertain is None or counted is None else max(0.0, uncertain - counted)
    else:
        requests -= share.copied_tries
    if not share.lines and (requests <= 0 or not paying.joined):
        return []
    usage = share.usage
    price = manifest.get("price")
    cost = None
    if price is not None:
        cost = usage.cost(Price(**price), prompt=prompt() if usage.uncounted else 0.0)
    counts = asdict(usage)
    return [
        {
            "requests": max(requests, share.tries),
            "cost": cost,
            "currency": None if price is None else price["currency"],
            "cost_reason": manifest.get("cost_reason"),
            "cost_uncertain": uncertain,
            "usage": {name: counts[own] for name, own in _USAGE.items()} if manifest.get("usage") else None,
        }
    ]
