"""Findings over all positions of an attribute: in how many the rule of four fifths is not met."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from evenhand.tables.finding import Finding

__all__ = ["position_findings"]


def position_findings(positions: Sequence[Mapping[str, Any]]) -> Iterator[Finding]:
    """Yield the share of positions in which some group is below four fifths.

    Each position's own numbers stand in impact.csv. With many small positions some are below by
    chance alone; `significant_adjusted` in the details counts comparisons that chance does not explain.
    """
    for each in positions:
        if each["approach"] == "means":
            continue
        suffix = [each["approach"]] if each["approach"] != "selected" else []
        if each["cutoff"] is not None and each["approach"] == "cutoff":
            suffix.append(f"{each['cutoff']:g}")
        suffix += [each["stage"]] if each["stage"] else []
        computed = each["positions_computed"]
        yield Finding(
            name="_".join(
                "_".join(str(part).split()) for part in ["positions_below", _plain(each["attribute"]), *suffix]
            ),
            measure="positions_below",
            slice={name: str(each[name]) for name in ("approach", "stage") if each[name]},
            role="exploratory" if " x " in each["attribute"] else "planned",
            estimate=each["positions_below"] / computed if computed else None,
            n=computed,
            clusters=computed,
            method="positions with a group below four fifths over positions with a ratio; no sampling error",
            reason=None if computed else "No position has two groups that can be compared.",
            details={
                "attribute": each["attribute"],
                "positions": each["positions"],
                "comparisons": each["comparisons"],
                "significant": each["significant"],
                "significant_adjusted": each["significant_adjusted"],
                "four_fifths": "below" if each["positions_below"] else "not_below" if computed else "not_computable",
                "difference_detected": each["significant_adjusted"] > 0,
            },
        )


def _plain(text: str) -> str:
    return text.replace(" x ", "_")
