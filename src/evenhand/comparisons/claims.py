"""Families of claims: what one run compares is corrected for the number of its comparisons."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from math import exp, inf, log
from statistics import NormalDist
from types import MappingProxyType
from typing import Any, Final

from evenhand import stats
from evenhand.results.finding import LEVEL, Claim, Finding, ImpactRatio, PooledOdds, Test, copied, verdict_of

#: The family of all planned comparisons of a run, which --fail-on difference counts.
PLANNED: Final = "planned comparisons of this run"
HOLM: Final = "Holm"
#: Cautions that are warnings of a run.
MOST_CAUTIONS: Final = 5
BENJAMINI_HOCHBERG: Final = "Benjamini-Hochberg"


def in_families(
    findings: Sequence[Finding], *, unseen: Mapping[str, Sequence[float]] = MappingProxyType({})
) -> list[Finding]:
    """Return findings whose claims are corrected within their families, with the verdicts that follow.

    `unseen` has, by family, the p of comparisons that nobody reads but that the data could have chosen: with k groups
    of which the best is the reference there are k(k - 1)/2 pairs and k - 1 claims. A p that isn't known is given as 1,
    the largest. Claims that are corrected already stay as they are.

    >>> test = Test(name="Fisher exact", statistic=None, p=0.02)
    >>> claim = uncorrected(test, planned=False, family="f", correction=HOLM)
    >>> given = {"measure": "m", "role": "planned", "estimate": 0.5, "n": 9, "clusters": {}, "method": "", "name": "m"}
    >>> claim = in_families([Finding(claim=claim, **given)], unseen={"f": [1.0, 1.0]})[0].claim
    >>> claim.p_adjusted, claim.verdict, claim.corrected_over
    (0.06, 'no_difference_detected', 'Holm over 3 comparisons')
    """
    result = list(findings)
    families: dict[str, dict[int, Claim]] = {}
    for place, finding in enumerate(findings):
        if finding.claim is not None and finding.claim.p_adjusted is None:
            families.setdefault(finding.claim.family, {})[place] = finding.claim
    for name, claims in families.items():
        judged = {place: claim.p for place, claim in claims.items() if claim.p is not None}
        corrections = {claims[place].correction for place in judged} or {HOLM}
        adjust = stats.holm if corrections == {HOLM} else stats.benjamini_hochberg
        over = adjust([*judged.values(), *unseen.get(name, ())])
        p_adjusted = dict(zip(judged, over.p.tolist(), strict=False))
        for place, claim in claims.items():
            known = corrected(claim, p_adjusted.get(place), size=over.family, correction=over.method)
            result[place] = replace(result[place], claim=known)
    return result


def with_margin_claims(findings: Sequence[Finding]) -> list[Finding]:
    """Return findings whose ratios of rates were, or were not, shown to be above and within the margin.

    All planned ones of a run are one family (Holm), whatever estimates them; crossed groups are one by attributes.
    """
    result = list(findings)
    families: dict[str, list[int]] = {}
    for place, finding in enumerate(findings):
        details = finding.details
        if finding.claim is None or not isinstance(details, ImpactRatio | PooledOdds) or details.p_above_margin is None:
            continue
        families.setdefault("" if finding.claim.planned else finding.claim.family, []).append(place)
    for places in families.values():
        for name in ("above", "within"):
            p = [getattr(result[place].details, f"p_{name}_margin", None) for place in places]
            judged = [(place, value) for place, value in zip(places, p, strict=True) if value is not None]
            # Those that have no such p count on, so that a ratio's two p are corrected over one number.
            corrected = stats.holm([*(value for _, value in judged), *[1.0] * (len(places) - len(judged))]).p
            for (place, _), value in zip(judged, corrected.tolist(), strict=False):
                finding = result[place]
                known: dict[str, Any] = {f"p_{name}_adjusted": value, "margin_comparisons": len(places)}
                field = "above_margin" if name == "above" else "equivalent"
                assert finding.claim is not None
                result[place] = replace(
                    finding,
                    details=replace(finding.details, **known),
                    claim=replace(finding.claim, **{field: value < LEVEL}),
                )
    return result


def joined(findings: Sequence[Finding], more: Sequence[Finding]) -> list[Finding]:
    """Return the findings of one analysis and `more` of another, their planned claims in one family.

    What the first one counted besides its own claims counts on; of the other one `more` are all that is reported.
    """
    claims = [finding.claim for finding in findings if finding.claim is not None and finding.claim.planned]
    size = max((claim.family_size for claim in claims), default=0)
    unseen = max(size - sum(claim.p is not None for claim in claims), 0)
    reopened = [
        finding
        if finding.claim is None or not finding.claim.planned
        else replace(finding, claim=replace(finding.claim, correction=HOLM, p_adjusted=None))
        for finding in (*findings, *more)
    ]
    return in_families(reopened, unseen={PLANNED: [1.0] * unseen})


def uncorrected(
    test: Test | None,
    *,
    planned: bool,
    family: str = PLANNED,
    df: float | None = None,
    n: tuple[int | None, int | None] = (None, None),
    equivalent: bool | None = None,
    correction: str | None = None,
    reason: str | None = None,
    caution: str | None = None,
) -> Claim:
    """Return the claim of a test that `in_families` has yet to correct; `n` are the focal and the reference group's.

    Planned claims are of the family of these, whatever `family` is given. Unless another `correction` is, they are
    corrected by Holm's method, others by Benjamini and Hochberg's. A `reason` precedes that of the test.
    """
    tested = test or Test(name="", statistic=None, p=None)
    return Claim(
        test=None if test is None else test.name,
        df=df,
        family=PLANNED if planned else family,
        family_size=1,
        correction=correction or (HOLM if planned else BENJAMINI_HOCHBERG),
        verdict="not_judged",
        equivalent=equivalent,
        planned=planned,
        n_focal=n[0],
        n_reference=n[1],
        reason=None if tested.p is not None else reason or tested.reason,
        caution=caution,
        **copied(tested, "statistic p"),
    )


def few_clusters(
    label: str,
    of_groups: Mapping[str, int],
    df: float | None,
    *,
    detectable: float | None = None,
    most: float = inf,
    of: str = "",
    unit: str = "",
) -> str | None:
    """Return the caution that there are few clusters, with their number in each group; None with `FEW_DF` or more.

    It says which difference `of` a measure is `detectable`, or that none is where differences are `most` at most.

    >>> few_clusters("job", {"a": 2, "b": 9}, 1.2, detectable=116, most=63, unit=" percentage points")
    'Few clusters by job: 2 of a, 9 of b. No difference between them would be found with 80 % statistical power.'
    """
    if not has_few_clusters(df):
        return None
    few = _few(label, of_groups)
    if detectable is None:
        return few
    between = f"difference between them{of}"
    found = f"No {between}" if detectable > most else f"Only a {between} of {detectable:.3g}{unit} or more"
    return f"{few} {found} would be found with 80 % statistical power."


def has_few_clusters(df: float | None) -> bool:
    """Return whether a comparison rests on so few clusters that only large differences would be found."""
    return df is not None and df < stats.FEW_DF


#: Beyond it no odds ratio is named.
LARGEST_ODDS: Final = 1000.0


def with_detectable(finding: Finding) -> Finding:
    """Return an odds ratio or a difference whose claim says which one its test finds, at the level of its family.

    That is below none, with 80 % power, where no difference was detected; a caution of few clusters says it, too. The
    standard error is that of the interval; without one the claim stays as it is.
    """
    claim, low, high, is_ratio = finding.claim, finding.low, finding.high, finding.measured_in == "ratio"
    if claim is None or low is None or high is None or claim.df == 0 or (is_ratio and not low):
        return finding
    span, df = log(high / low) if is_ratio else high - low, claim.df or None
    quantile = NormalDist().inv_cdf((1 + finding.confidence) / 2)
    if df is not None:
        quantile = stats.t_interval(0.0, 1.0, df, confidence=finding.confidence).high or inf
    found: float | None = stats.detectable_difference(
        span / (2 * quantile), df=df, confidence=1 - LEVEL / claim.family_size
    ).estimate
    if found is None:
        return finding
    caution, detectable = claim.caution, exp(-found) if is_ratio else -found
    if caution is not None and is_ratio:
        only = f"Not even an odds ratio of {LARGEST_ODDS:,.0f} would"
        if found < log(LARGEST_ODDS):
            only = f"Only an odds ratio of {exp(found):.3g} or more, or {exp(-found):.3g} or less, would"
        caution = f"{caution} {only} be found with 80 % statistical power."
    undetected = claim.verdict == "no_difference_detected"
    return replace(finding, claim=replace(claim, caution=caution, detectable=detectable if undetected else None))


def without_certainty(rate: float, n: float) -> float:
    """Return a rate with one decision reversed where it is 0 or 1, as the test of few clusters counts it.

    >>> without_certainty(0.0, 20), without_certainty(1.0, 20), without_certainty(0.4, 20)
    (0.05, 0.95, 0.4)
    """
    return min(max(rate, 1 / n), 1 - 1 / n) if rate in {0.0, 1.0} else rate


def few_to_permute(label: str, of_groups: Mapping[str, int]) -> str | None:
    """Return the caution that permuting so few clusters can give no p below the level; None where it can.

    >>> few_to_permute("job", {"a": 3, "b": 3})
    'Few clusters by job: 3 of a, 3 of b. So few of them can give no p below 0.100.'
    """
    least = float(stats.smallest_permutation_p(*of_groups.values()))
    return f"{_few(label, of_groups)} So few of them can give no p below {least:.3f}." if least > LEVEL else None


def _few(label: str, of_groups: Mapping[str, int]) -> str:
    return f"Few clusters by {label}: {', '.join(f'{n} of {group}' for group, n in of_groups.items())}."


def cautions_of(findings: Sequence[Finding]) -> list[str]:
    """Return the cautions of planned comparisons, each once with the slices that it is of; the first few, and how many.

    A caution that another one begins with is left out: both are of the same clusters.
    """
    planned = [finding for finding in findings if finding.claim is not None and finding.claim.planned]
    slices: dict[str, dict[str, None]] = {}
    for finding in planned:
        caution = None if finding.claim is None else finding.claim.caution
        if caution is not None:
            slices.setdefault(caution, {})[" ".join(finding.slice.values())] = None
    lines = [text for text in slices if not any(other != text and other.startswith(text) for other in slices)]
    shown = [": ".join(filter(None, (", ".join(filter(None, slices[text])), text))) for text in lines[:MOST_CAUTIONS]]
    omitted = len(lines) - len(shown)
    return [*shown, f"{omitted} more comparisons have few clusters: see their caution."] if omitted > 0 else shown


def corrected(claim: Claim, p_adjusted: float | None, *, size: int, correction: str) -> Claim:
    """Return a claim with a p that another way corrected, over `size` comparisons."""
    return replace(
        claim,
        family_size=size,
        correction=correction if size > 1 else None,
        p_adjusted=p_adjusted,
        verdict=verdict_of(p_adjusted),
    )
