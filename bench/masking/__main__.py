"""Masking, measured on annotated synthetic résumés: `make bench-masking`.

    PYTHONPATH=bench python -m masking [--per-origin 100] [--seed 7] [--set open] [--misses FILE]

Prints one table in Markdown; masking.real prints the same rows for real résumés. Misses of the set `open` can be
written out; of `unseen` only counts are shown, since rules must not be made for it.
"""

import argparse
import json
from collections import Counter
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from evenhand.masking.mask import mask_text
from evenhand.masking.pronouns import OPTIONAL as OPTIONS
from evenhand.masking.pronouns import MaskOptions
from evenhand.stats import selection_rate
from masking.generate import resumes
from masking.marked import ALWAYS, OPTIONAL
from masking.names import SETS
from masking.scores import OTHERS, OWN, Score, score

EVERY = MaskOptions(optional=tuple(OPTIONS))
CATEGORIES = frozenset((*ALWAYS, *OPTIONAL))
ROWS = (OWN, OTHERS, *ALWAYS[1:], *OPTIONAL)


@dataclass(frozen=True, slots=True)
class Arms:
    """A résumé's scores with the name given and without, all optional categories asked for."""

    blind: Score
    given: Score


def _measured(row: dict) -> Arms:
    found = []
    for names in ((), row["known_names"]):
        masked = mask_text(row["text"], known_names=names, options=EVERY)
        found.append(score(row, [(span.start, span.end, span.category) for span in masked.spans], CATEGORIES))
    return Arms(*found)


def rate(part: int, whole: int, places: int = 1) -> str:
    """Return a share in percent with its Wilson interval."""
    if not whole:
        return "–"
    wilson = selection_rate(part, whole)
    return f"{100 * part / whole:.{places}f} ({100 * wilson.low:.{places}f} to {100 * wilson.high:.{places}f})"


def _total(scores: Sequence[Score], name: str) -> Counter:
    return sum((getattr(each, name) for each in scores), Counter())


def widest_gap(rows: Sequence[dict], parts: Sequence[int], wholes: Sequence[int], per: int = 100) -> str:
    """Return how far apart the two origins are with the highest and the lowest share, in `per`."""
    sizes, counts = Counter(), Counter()
    for row, part, whole in zip(rows, parts, wholes, strict=True):
        sizes[row["origin"]] += whole
        counts[row["origin"]] += part
    shares = {origin: per * counts[origin] / size for origin, size in sizes.items()}
    most, least = max(shares, key=shares.__getitem__), min(shares, key=shares.__getitem__)
    return f"{shares[most] - shares[least]:.1f} ({most}, {least})"


def column(rows: Sequence[dict], arms: Sequence[Arms]) -> dict[str, str]:
    """Return what is measured of a set, by the names of the table's rows."""
    blind, given = [each.blind for each in arms], [each.given for each in arms]
    leaks = [each.leak for each in blind]
    found = {
        "résumés": f"{len(rows):,}",
        "a part of the name left, % of résumés": rate(sum(leaks), len(leaks)),
        "the same, name given": rate(sum(each.leak for each in given), len(given)),
        "widest gap between origins, points": widest_gap(rows, leaks, [1] * len(rows)),
    }
    needless, words = sum(each.needless_words for each in blind), sum(each.words for each in blind)
    found["words masked for nothing, per 1,000"] = f"{1000 * needless / words:.1f}"
    lost, sizes = [each.needless_words for each in given], [each.words for each in given]
    found["the same, name given: widest gap between origins"] = widest_gap(rows, lost, sizes, per=1000)
    spans, reached = _total(blind, "spans"), _total(blind, "found")
    predicted, right = _total(blind, "predicted"), _total(blind, "right")
    for kind in ROWS:
        precision = f"; precision {100 * right[kind] / predicted[kind]:.0f}" if predicted[kind] else ""
        found[f"{kind}: recall, %"] = rate(reached[kind], spans[kind]) + precision
    return found


def _write_misses(path: Path, arms: Sequence[Arms]) -> None:
    counts: Counter = Counter()
    for each in arms:
        counts.update(("missed", kind, before[-25:] + "⟦" + missed + "⟧") for kind, before, missed in each.blind.missed)
        counts.update(("needless", kind, seen) for kind, seen in each.blind.needless)
    with path.open("w", encoding="utf-8") as file:
        file.writelines(json.dumps([count, *key], ensure_ascii=False) + "\n" for key, count in counts.most_common())


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--per-origin", type=int, default=100)
    parser.add_argument("--set", choices=SETS, action="append", help="one set only")
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--misses", type=Path, help="a file for what was missed or masked for nothing in `open`")
    args = parser.parse_args()
    columns = {}
    for which in args.set or SETS:
        rows = list(resumes(which, per_origin=args.per_origin, seed=args.seed))
        with ProcessPoolExecutor() as pool:
            arms = list(pool.map(_measured, rows, chunksize=20))
        columns[which] = column(rows, arms)
        if which == "open" and args.misses:
            _write_misses(args.misses, arms)
    print(f"| | {' | '.join(columns)} |\n|---|{'---|' * len(columns)}")
    for name in next(iter(columns.values())):
        print(f"| {name} | {' | '.join(each[name] for each in columns.values())} |")


if __name__ == "__main__":
    main()
