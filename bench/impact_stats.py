"""Tests of many selection tables: seconds of CPU per table, SciPy's for comparison, and errors against mpmath."""

import time

import mpmath
import numpy as np
from numpy.typing import NDArray
from scipy import stats  # noqa: TID251 - what is compared with

from evenhand.stats import (
    breslow_day,
    cohens_h,
    fisher_exact,
    flip_flop,
    four_fifths,
    four_fifths_false_positives,
    impact_ratio,
    mantel_haenszel,
    odds_ratio,
    recommended_test,
    z_test,
)

Tables = tuple[NDArray[np.int64], ...]


def tables(number: int, people: float, *, spread: float, gap: float, seed: int) -> Tables:
    """Return selected and n of two groups: sizes around `people` (log-normal), rates of 5 to 60 %, `gap` apart."""
    rng = np.random.default_rng(seed)
    n1, n2 = (np.maximum(np.round(people * np.exp(spread * rng.normal(size=number))), 2).astype(int) for _ in range(2))
    rate = rng.uniform(0.05, 0.6, number)
    return rng.binomial(n1, rate), n1, rng.binomial(n2, np.clip(rate + gap * rng.normal(size=number), 0, 1)), n2


def cpu(call, *args) -> float:
    """Return the least CPU seconds of three calls."""
    seconds = []
    for _ in range(3):
        begin = time.process_time()
        call(*args)
        seconds.append(time.process_time() - begin)
    return min(seconds)


def exact_p(a: int, n1: int, c: int, n2: int) -> float:
    """Return Fisher's p at 40 digits, from the table outwards until terms vanish."""
    with mpmath.workdps(40):
        selected = a + c
        choose = [(n1, a), (n2, c), (n1 + n2, selected)]
        logs = [mpmath.loggamma(n + 1) - mpmath.loggamma(k + 1) - mpmath.loggamma(n - k + 1) for n, k in choose]
        total, tiny = mpmath.mpf(1), mpmath.mpf(10) ** -30
        for direction in (1, -1):
            k, share, last = a, mpmath.mpf(1), mpmath.mpf(0)
            edge = min(selected, n1) if direction == 1 else max(0, selected - n2)
            while k != edge and not (share < last and share < tiny):
                last = share
                down = k if direction == 1 else k - 1
                step = mpmath.mpf((n1 - down) * (selected - down)) / ((down + 1) * (n2 - selected + down + 1))
                share = share * step if direction == 1 else share / step
                k += direction
                total += share if share <= 1 + tiny else 0
        return float(mpmath.exp(logs[0] + logs[1] - logs[2]) * total)


def worst_error(given: Tables, rows: int) -> float:
    """Return the largest relative error of some rows' p."""
    p = fisher_exact(*given).p
    some = np.linspace(0, p.size - 1, rows).astype(int)
    exact = np.array([exact_p(*(int(column[row]) for column in given)) for row in some])
    kept = exact > 1e-300
    return float(np.abs(p[some][kept] / exact[kept] - 1).max())


def main() -> None:
    """Print every figure."""
    wide = tables(10_000, 3000, spread=1.6, gap=0.03, seed=1)
    wide = tuple(np.minimum(column, 100_000) for column in wide)
    ours = cpu(fisher_exact, *wide)
    begin = time.process_time()
    theirs = np.array(
        [stats.fisher_exact([[a, n1 - a], [c, n2 - c]]).pvalue for a, n1, c, n2 in zip(*wide, strict=True)]
    )
    loop = time.process_time() - begin
    p = fisher_exact(*wide).p
    kept = theirs > 1e-290
    print(f"Fisher, 10,000 tables, groups of {min(wide[1])} to {max(wide[1])}: {ours:.3f} s, SciPy {loop:.2f} s,")
    print(f"  {loop / ours:.0f} times; largest difference to SciPy {np.abs(p[kept] / theirs[kept] - 1).max():.1e},")
    print(f"  relative error against mpmath (300 of them) {worst_error(wide, 300):.1e}")
    huge = tables(200, 1e8, spread=0.3, gap=1e-4, seed=2)
    seconds = cpu(fisher_exact, *huge)
    print(f"Fisher, 200 tables around 1e8: {1e3 * seconds / 200:.2f} ms each, error of 6 {worst_error(huge, 6):.1e}")
    for gap in (0.0, 0.1):
        usual = tables(300_000, 277, spread=0.06, gap=gap, seed=3)
        print(f"300,000 tables of some 277 people a group, rates {gap} apart:")
        for name, test in (
            ("Fisher", fisher_exact),
            ("impact ratio, Koopman and Katz", impact_ratio),
            ("four-fifths", four_fifths),
            ("Z", z_test),
            ("flip-flop", flip_flop),
            ("odds ratio, Cornfield", odds_ratio),
            ("Cohen's h", cohens_h),
            ("which to read", recommended_test),
        ):
            seconds = cpu(test, *usual)
            print(f"  {name:32} {seconds:.3f} s, {1e6 * seconds / 300_000:.2f} µs each")
    strata = tuple(column.reshape(1000, 300) for column in usual)
    print(f"Mantel-Haenszel, 1,000 × 300 strata: {cpu(mantel_haenszel, *strata):.3f} s")
    print(f"Breslow-Day, 1,000 × 300 strata: {cpu(breslow_day, *strata):.3f} s")
    sizes = np.full(8, 125)
    seconds = cpu(lambda: four_fifths_false_positives(sizes, 500))
    print(f"false-positive rate of four-fifths, 8 groups, 10,000 permutations: {seconds:.4f} s")


if __name__ == "__main__":
    main()
