"""What chance alone does to several groups: the same number of selections, permuted over all people."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from evenhand.stats._arrays import Floats, Ints, check_selected, read_counts
from evenhand.stats.two_groups.four_fifths import FOUR_FIFTHS
from evenhand.stats.two_groups.rates import selection_rate

__all__ = ["FourFifthsFalsePositives", "MaximumRange", "four_fifths_false_positives", "maximum_range_p"]

DRAWS = 10_000
#: Draws are made and looked at in blocks of about this many numbers.
BLOCK = 1 << 20
#: NumPy's hypergeometric generator takes fewer people than this in each of its two kinds.
MOST_PEOPLE = 10**9
#: Differences of rates this much below the observed one are rounding.
ROUNDING = 1e-12


@dataclass(frozen=True, kw_only=True)
class FourFifthsFalsePositives:
    """The false-positive rate of the four-fifths rule; the limits are those of the simulation."""

    estimate: float | None
    low: float | None
    high: float | None
    draws: int
    seed: int
    groups: int
    n: int
    method: str
    reason: str | None


@dataclass(frozen=True, kw_only=True)
class MaximumRange:
    """Adjusted p of every pair of groups, shape (groups, groups); NaN on the diagonal and for empty groups.

    `overall` is that of the two rates furthest apart. `family` is the number of pairs.
    """

    p: Floats
    overall: float | None
    family: int
    draws: int
    seed: int
    n: int
    method: str
    reason: str | None


def four_fifths_false_positives(
    n_groups: ArrayLike,
    selected: int,
    *,
    references: ArrayLike | None = None,
    draws: int = DRAWS,
    seed: int = 0,
) -> FourFifthsFalsePositives:
    """Return the false-positive rate of the four-fifths rule: how often chance puts some group below it.

    Formula: the share of draws in which 5·a_g·n_h < 4·a_h·n_g, h the group with the highest rate
    and g the one with the lowest. With `references`, a flag per group, h is the highest of
    those only. Each draw permutes `selected` selections over all people, so that the groups' counts
    are multivariate hypergeometric. Whole numbers decide.
    Assumes that everybody has the same chance. Empty groups are left out.
    Fails: null with fewer than two groups, where nobody or everybody is selected, and with a
    thousand million people or more.

    Reference: Roth, Bobko and Switzer (2006), Journal of Applied Psychology 91, 507-522.

    Two people, one selected: the other's group always has a ratio of 0.

    >>> four_fifths_false_positives([1, 1], 1, draws=100).estimate
    1.0
    """
    sizes, total, reason = _groups(n_groups, selected, draws)
    _, (group_sizes,) = read_counts(n_groups=n_groups)
    may_be = (
        np.ones(group_sizes.shape, dtype=np.bool_) if references is None else np.asarray(references, dtype=np.bool_)
    )
    if may_be.shape != group_sizes.shape:
        message = f"references must have a flag per group, got shape {may_be.shape} for {group_sizes.shape}."
        raise ValueError(message)
    may_be = may_be[group_sizes > 0]
    if reason is None and not may_be.any():
        reason = "No group that has anybody in it may be the reference."
    estimate = low = high = None
    if reason is None:
        flagged = sum(int(_below(drawn, sizes, may_be).sum()) for drawn in _permuted(sizes, selected, draws, seed))
        rate = selection_rate(flagged, draws)
        estimate, low, high = rate.estimate, rate.low, rate.high
    return FourFifthsFalsePositives(
        estimate=estimate,
        low=low,
        high=high,
        draws=draws,
        seed=seed,
        groups=sizes.size,
        n=total,
        method="permuted selections, Wilson limits of the simulation",
        reason=reason,
    )


def maximum_range_p(
    n_groups: ArrayLike,
    selected_groups: ArrayLike,
    *,
    draws: int = DRAWS,
    seed: int = 0,
    studentized: bool = False,
) -> MaximumRange:
    """Return p of every difference between two groups, adjusted for all pairs of them.

    Formula: p = (b + 1)/(B + 1), b the number of B permutations with the same margins whose
    largest difference between two groups' rates is at least that of the pair. With
    `studentized` differences are divided by √(1/n_g + 1/n_h), so that one small group,
    whose rate varies most, doesn't hide differences between large ones.
    Holds the chance of any false finding where all groups are treated alike; also for
    the comparison of each group with the highest, where Holm on the groups less one errs.
    Assumes that everybody has the same chance. Ties count as at least.
    Fails: null with fewer than two groups, where nobody or everybody was selected, and with a
    thousand million people or more.

    Reference: Westfall and Young (1993), Resampling-Based Multiple Testing, chapter 2;
    Phipson and Smyth (2010), Statistical Applications in Genetics and Molecular Biology 9:39.

    Two groups of one, one selected: every draw has the same range.

    >>> maximum_range_p([1, 1], [1, 0], draws=99).overall
    1.0
    """
    _, (all_sizes, all_selected) = read_counts(n_groups=n_groups, selected_groups=selected_groups)
    check_selected(all_selected, all_sizes, "selected_groups", "n_groups")
    selected = int(all_selected.sum())
    sizes, total, reason = _groups(n_groups, selected, draws)
    p = np.full((all_sizes.size, all_sizes.size), np.nan)
    overall = None
    if reason is None:
        scale = np.sqrt(1 / sizes[:, None] + 1 / sizes) if studentized else np.ones((sizes.size, sizes.size))
        used = all_sizes > 0
        apart = _apart(all_selected[used] / sizes, scale)
        largest = np.concatenate(
            [
                _largest(drawn / sizes, scale, studentized=studentized)
                for drawn in _permuted(sizes, selected, draws, seed)
            ]
        )
        largest.sort()
        at_least = draws - np.searchsorted(largest, apart * (1 - ROUNDING) - ROUNDING)
        own = (at_least + 1) / (draws + 1)
        np.fill_diagonal(own, np.nan)
        p[np.ix_(used, used)] = own
        overall = float(np.nanmin(own))
    return MaximumRange(
        p=p,
        overall=overall,
        family=sizes.size * (sizes.size - 1) // 2,
        draws=draws,
        seed=seed,
        n=total,
        method="largest " + ("studentized " if studentized else "") + "difference of rates, permuted",
        reason=reason,
    )


def _groups(n_groups: ArrayLike, selected: int, draws: int) -> tuple[Ints, int, str | None]:
    """Return the sizes of the groups that have anybody in them, how many that are, and why nothing can be drawn."""
    _, (sizes,) = read_counts(n_groups=n_groups)
    if sizes.ndim > 1 or draws < 1:
        message = f"n_groups must be one list and draws at least 1, got shape {sizes.shape} and {draws}."
        raise ValueError(message)
    sizes = sizes[sizes > 0]
    total = int(sizes.sum())
    if not 0 <= selected <= total:
        message = f"selected must lie between 0 and the {total} people there are, got {selected}."
        raise ValueError(message)
    if sizes.size < 2:
        return sizes, total, "Fewer than two groups have anybody in them."
    if selected in {0, total}:
        return sizes, total, f"{'Nobody' if selected == 0 else 'Everybody'} was selected, so the rates do not vary."
    if total >= MOST_PEOPLE:
        return sizes, total, "There are too many people to simulate: a thousand million or more."
    return sizes, total, None


def _permuted(sizes: Ints, selected: int, draws: int, seed: int) -> Iterator[Ints]:
    """Yield blocks of shape (some draws, groups): how many of each group were selected."""
    rng = np.random.default_rng(seed)
    at_once = max(BLOCK // sizes.size**2, 1)
    for start in range(0, draws, at_once):
        yield rng.multivariate_hypergeometric(sizes, selected, size=min(at_once, draws - start), method="marginals")


def _below(drawn: Ints, sizes: Ints, may_be: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Return in which draws the lowest rate is below four-fifths of the highest; products stay below 2^63."""
    first = int(np.flatnonzero(may_be)[0])
    high, low = drawn[:, first], drawn[:, 0]
    n_high, n_low = np.full(high.shape, sizes[first]), np.full(low.shape, sizes[0])
    for own, size, reference in zip(drawn.T, sizes, may_be, strict=True):
        above, under = reference & (own * n_high > high * size), own * n_low < low * size
        high, n_high = np.where(above, own, high), np.where(above, size, n_high)
        low, n_low = np.where(under, own, low), np.where(under, size, n_low)
    top, bottom = FOUR_FIFTHS.numerator, FOUR_FIFTHS.denominator
    return np.asarray(bottom * low * n_high < top * high * n_low, dtype=np.bool_)


def _apart(rates: Floats, scale: Floats) -> Floats:
    return np.asarray(np.abs(rates[..., :, None] - rates[..., None, :]) / scale)


def _largest(rates: Floats, scale: Floats, *, studentized: bool) -> Floats:
    """Return each draw's largest difference of two rates."""
    if not studentized:
        return np.asarray(rates.max(axis=1) - rates.min(axis=1))
    return np.asarray(_apart(rates, scale).max(axis=(1, 2)))
