"""What the joined parts of a run cost together; nothing that several folders hold is counted twice."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

from evenhand.collect.cost.totals import Share, journaled_shares
from evenhand.runs.manifest import Manifest
from evenhand.tables.audit.paid import Usage

__all__ = ["Paying", "merged_account"]


@dataclass(frozen=True, kw_only=True)
class Paying:
    """A folder whose answers are joined, and what its manifest says of their cost.

    `joined` is true of the target of an earlier merge, whose manifest counts the parts
    of that merge as well.
    """

    folder: Path
    manifest: Manifest
    joined: bool = False


def merged_account(folders: Sequence[Paying], *, overlaps: bool, prompt: Callable[[], float]) -> dict[str, Any]:
    """Return the account of all folders; the cost is known only where that of every one is.

    A line that several folders hold (the same attempt, at the same time) was paid once:
    with `overlaps` a later folder brings what its own lines show. `prompt` gives the
    tokens of a prompt, estimated, for answers without usage.
    """
    told: list[_Paid] = [_whole(each.manifest) for each in folders]
    if overlaps:
        shares = journaled_shares([each.folder for each in folders])
        told = [own for each, share in zip(folders, shares, strict=True) for own in _own(each, share, prompt=prompt)]
    costs = [each.cost for each in told]
    currencies = {each.currency for each in told}
    known = None not in costs and len(currencies) == 1
    reasons = [each.cost_reason for each in told if each.cost_reason]
    other = "The parts were paid in different currencies." if None not in costs else "A part does not say what it cost."
    uncertain = [each.cost_uncertain for each in told]
    usages = [each.usage for each in told if each.usage is not None]
    return {
        "requests": sum(each.requests for each in told),
        "cost": sum(cost for cost in costs if cost is not None) if known else None,
        "currency": currencies.pop() if known else None,
        "cost_reason": None if known else next(iter(reasons), other),
        "cost_uncertain": None if None in uncertain else sum(each for each in uncertain if each is not None),
        "usage": {each.name: sum(getattr(usage, each.name) for usage in usages) for each in fields(Usage)}
        if usages and len(usages) == len(told)
        else None,
    }


@dataclass(frozen=True, kw_only=True)
class _Paid:
    """What one folder adds to the account."""

    requests: int
    cost: float | None
    currency: str | None
    cost_reason: str | None
    cost_uncertain: float | None
    usage: Usage | None


def _whole(manifest: Manifest) -> _Paid:
    """Return all that a manifest accounts for."""
    return _Paid(
        requests=manifest.requests or 0,
        cost=manifest.cost,
        currency=manifest.currency,
        cost_reason=manifest.cost_reason,
        cost_uncertain=manifest.cost_uncertain,
        usage=manifest.usage,
    )


def _own(paying: Paying, share: Share, *, prompt: Callable[[], float]) -> list[_Paid]:
    """Return what a folder adds; nothing where it is a copy of those before it."""
    manifest = paying.manifest
    if not share.copied and not paying.joined:
        return [_whole(manifest)]
    before = manifest.merged
    requests, uncertain = manifest.requests or 0, manifest.cost_uncertain
    if paying.joined and before is not None and before.requests is not None:
        requests -= before.requests
        counted = before.cost_uncertain
        uncertain = None if uncertain is None or counted is None else max(0.0, uncertain - counted)
    else:
        requests -= share.copied_tries
    if not share.lines and (requests <= 0 or not paying.joined):
        return []
    used, price = share.usage, manifest.price
    return [
        _Paid(
            requests=max(requests, share.tries),
            cost=None if price is None else used.cost(price, prompt=prompt() if used.uncounted else 0.0),
            currency=None if price is None else price.currency,
            cost_reason=manifest.cost_reason,
            cost_uncertain=uncertain,
            usage=None
            if manifest.usage is None
            else Usage(
                input_tokens=used.input_tokens,
                output_tokens=used.output_tokens,
                answers=used.answers,
                answers_without_usage=used.uncounted,
            ),
        )
    ]
