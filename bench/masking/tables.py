"""Many scores as tables in Markdown."""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import fields

import numpy as np

from evenhand.stats import maximum_range_p, selection_rate
from masking.marked import ALWAYS, OPTIONAL
from masking.scores import OTHERS, OWN, Score

ORDER = ("NAME", OWN, OTHERS, *ALWAYS[1:], *OPTIONAL)


def rate(part: int, whole: int, places: int = 1) -> str:
    """Return a share in percent with its Wilson interval."""
    if not whole:
        return "–"
    wilson = selection_rate(part, whole)
    return f"{100 * part / whole:.{places}f} ({100 * wilson.low:.{places}f} to {100 * wilson.high:.{places}f})"


def total(scores: Iterable[Score], name: str) -> Counter:
    summed: Counter = Counter()
    for each in scores:
        summed.update(getattr(each, name))
    return summed


def by_category(scores: Sequence[Score], only: Sequence[str] = ORDER) -> str:
    sums = {each.name: total(scores, each.name) for each in fields(Score) if each.default_factory is Counter}
    lines = [
        "| category | spans | recall % (95 %) | under its own name % | characters left % | precision % "
        "| right category % |",
        "|---|---|---|---|---|---|---|",
    ]
    for kind in only:
        spans = sums["spans"][kind]
        if not spans:
            continue
        named = sums["predicted"][kind]
        precision = (
            f"{100 * sums['right'][kind] / named:.1f} | {100 * sums['right_typed'][kind] / named:.1f}"
            if named
            else "– | –"
        )
        lines.append(
            f"| {kind} | {spans:,} | {rate(sums['found'][kind], spans)} | {100 * sums['typed'][kind] / spans:.1f} "
            f"| {100 * sums['left'][kind] / sums['letters'][kind]:.2f} | {precision} |"
        )
    return "\n".join(lines)


def over(scores: Sequence[Score]) -> tuple[float, float]:
    """Return characters masked for nothing, per 1,000 characters and per 1,000 words."""
    masked = sum(each.over for each in scores)
    return 1000 * masked / sum(each.characters for each in scores), 1000 * masked / sum(each.words for each in scores)


def grouped(rows: Sequence[dict], scores: dict[str, Sequence[Score]], key: str) -> str:
    """Return a table by origin or layout: the person's own name, leaks with and without it known, over-masking."""
    lines = [
        f"| {key} | résumés | own name, recall % | any leak %, name not given | any leak %, name given "
        "| over-masked per 1,000 characters |",
        "|---|---|---|---|---|---|",
    ]
    for value in dict.fromkeys(row[key] for row in rows):
        places = [place for place, row in enumerate(rows) if row[key] == value]
        blind, known = ([scores[arm][place] for place in places] for arm in ("name not given", "name given"))
        found, spans = total(blind, "found")[OWN], total(blind, "spans")[OWN]
        leaks = [rate(sum(each.leak for each in arm), len(arm)) for arm in (blind, known)]
        lines.append(
            f"| {value} | {len(places)} | {100 * found / spans:.2f} | {leaks[0]} | {leaks[1]} | {over(blind)[0]:.2f} |"
        )
    return "\n".join(lines)


def widest_gap(
    rows: Sequence[dict], scores: Sequence[Score], parts: Callable[[Score], tuple[int, int]], *, draws: int = 2000
) -> str:
    """Return the widest difference between two origins, with a bootstrap interval over résumés for that pair."""
    rng = np.random.default_rng(5)
    counted = {}
    for row, each in zip(rows, scores, strict=True):
        counted.setdefault(row["origin"], []).append(parts(each))
    shares, drawn = {}, {}
    for origin, pairs in counted.items():
        table = np.array(pairs, dtype=float)
        shares[origin] = table[:, 0].sum() / table[:, 1].sum()
        sums = table[rng.integers(0, len(table), (draws, len(table)))].sum(axis=1)
        drawn[origin] = sums[:, 0] / sums[:, 1]
    low, high = min(shares, key=shares.__getitem__), max(shares, key=shares.__getitem__)
    limits = np.percentile(100 * (drawn[high] - drawn[low]), [2.5, 97.5])
    gap = 100 * (shares[high] - shares[low])
    return (
        f"{gap:.2f} points ({limits[0]:.2f} to {limits[1]:.2f}): "
        f"{high} {100 * shares[high]:.2f} %, {low} {100 * shares[low]:.2f} %"
    )


def chance(rows: Sequence[dict], scores: Sequence[Score]) -> str:
    """Return how likely so wide a gap in leaks between any two origins is when all origins leak alike."""
    sizes, leaks = Counter(row["origin"] for row in rows), Counter()
    for row, each in zip(rows, scores, strict=True):
        leaks[row["origin"]] += each.leak
    overall = maximum_range_p(list(sizes.values()), [leaks[origin] for origin in sizes]).overall
    return f"p {overall:.4f} if all origins leaked alike" if overall is not None else "no leak at all"
