"""The interval of a measure that was watched while answers came in."""

from dataclasses import dataclass, replace

from evenhand.findings.declared.estimates import Estimated
from evenhand.tables.finding import Alternative

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
    """Return an estimate whose interval holds both the confidence sequence and its own interval.

    The sequence holds although the answers said when to stop; the cluster-robust interval lets names vary,
    and what is said has to hold of other names too. The sequence is that of items read in
    full; should the estimate of all that was read lie outside, the interval is stretched to it.
    """
    if found.estimate is None:
        return found
    ends = [sequential.low, sequential.high, found.estimate]
    inner = list(sequential.narrow)
    method, beside = sequential.method, found.alternatives
    if found.low is not None and found.high is not None and found.equivalence is not None:
        ends += [found.low, found.high]
        inner += found.equivalence
        method = f"{sequential.method}, and {found.method}: the outer limits"
        own = Alternative(method=found.method, low=found.low, high=found.high, clusters=found.clusters)
        sequence = Alternative(method=sequential.method, low=sequential.low, high=sequential.high)
        beside = (sequence, own)
    return replace(
        found,
        low=min(ends),
        high=max(ends),
        equivalence=(min(inner), max(inner)),
        method=method,
        alternatives=beside,
        reason=None,
        details=replace(
            found.details,
            until_width=sequential.width,
            sequence_reached=sequential.reached,
            sequence_n=sequential.n,
            looks=sequential.looks,
        ),
    )
