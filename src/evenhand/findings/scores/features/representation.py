"""How many people of each group a table has, beside the shares that the user gives."""

from collections.abc import Mapping

from evenhand.stats import effective_sample_size, goodness_of_fit, selection_rate
from evenhand.tables.audit.features.details import Represented
from evenhand.tables.finding import Finding, Test
from evenhand.tables.grouped.names import EFFECTIVE_SIZE, GROUP_SHARE

__all__ = ["representation_findings"]


def representation_findings(
    attribute: str, counts: Mapping[str, int], shares: Mapping[str, float] | None, *, confidence: float, seed: int
) -> list[Finding]:
    """Return each group's share with its interval, and how many people the table is worth when weighted.

    Weighted to the shares given, else so that all groups count alike; spellings of groups differ in case at most.
    """
    stated = None if shares is None else {key.casefold(): share for key, share in shares.items()}
    wanted = [1 / len(counts) if stated is None else stated[group.casefold()] for group in counts]
    n = sum(counts.values())
    test = None if stated is None else goodness_of_fit(list(counts.values()), wanted, seed=seed)
    found = []
    for place, (group, people) in enumerate(counts.items()):
        rate = selection_rate(people, n, confidence=confidence)
        p = test.p_each[place] if test is not None and test.p_each else None
        found.append(
            Finding(
                name=f"{GROUP_SHARE}_{attribute}_{group}",
                measure=GROUP_SHARE,
                focal={attribute: group},
                role="descriptive",
                estimate=rate.estimate,
                low=rate.low,
                high=rate.high,
                confidence=confidence,
                null_value=None if stated is None else wanted[place],
                n=n,
                clusters={},
                method=rate.method,
                tests=() if p is None else (Test(name="exact binomial, twice the smaller tail", statistic=None, p=p),),
                reason=rate.reason,
                details=Represented(people=people, stated_share=None if stated is None else wanted[place], p_exact=p),
            )
        )
    size = effective_sample_size(list(counts.values()), wanted)
    tests = () if test is None or test.p is None else (Test(name=test.method, statistic=test.statistic, p=test.p),)
    found.append(
        Finding(
            name=f"{EFFECTIVE_SIZE}_{attribute}",
            measure=EFFECTIVE_SIZE,
            slice={"attribute": attribute},
            role="descriptive",
            estimate=size,
            measured_in="people",
            n=n,
            clusters={},
            method="Kish, groups weighted " + ("alike" if stated is None else "to the shares given"),
            tests=tests,
            reason=None if size is not None else "There are no people.",
        )
    )
    return found
