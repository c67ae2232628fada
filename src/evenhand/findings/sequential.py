"""The interval of a measure that was watched while answers came in."""

from dataclasses import dataclass, replace

from evenhand.findings.declared.estimates import Estimated

__all__ = ["Sequential", "with_sequence"]


@dataclass(frozen=True, kw_only=True)
class Sequential:
    """A confidence sequence when asking stopped: it holds although the answers said when.

    `narrow` is the one at 90 % that the verdict on equivalence reads. `width` is what was asked for,
    `reached` whether it was, after `looks` looks at `n` items.
    """

    measure: str
    low: float
    high: float
    narrow: tuple[float, float]
    method: str
    reached: bool
    n: int
    width: float
    looks: int


def with_sequence(found: Estimated, sequential: Sequential) -> Estimated:
    """Return an estimate with the confidence sequence in place of the bootstrap's interval.

    After optional stopping the bootstrap would be too certain. The cluster-robust
    interval stays beside it, as it lets names vary: a difference has to show in both.
    The sequence is that of items read in full; should the estimate of all that was read
    lie outside, the interval is stretched to it.
    """
    if found.estimate is None:
        return found
    equivalence = sequential.narrow
    for other in found.alternatives:
        # Its 90 % twin is not kept; the 95 % one is wider.
        if other.low is not None and other.high is not None:
            equivalence = min(equivalence[0], other.low), max(equivalence[1], other.high)
    return replace(
        found,
        low=min(sequential.low, found.estimate),
        high=max(sequential.high, found.estimate),
        equivalence=equivalence,
        method=sequential.method,
        reason=None,
        details=replace(
            found.details,
            until_width=sequential.width,
            sequence_reached=sequential.reached,
            sequence_n=sequential.n,
            looks=sequential.looks,
        ),
    )
