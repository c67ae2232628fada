"""Masking, measured on annotated résumés: `make bench-masking`.

    PYTHONPATH=bench python -m masking [--per-origin 600] [--seed 7] [--set held] [--misses FILE] [--fewer 2200]

Prints Markdown. Misses of the open set can be written out; of the other sets only counts are shown.
"""

import argparse
import json
from collections import Counter
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from pathlib import Path

from evenhand.resumes.mask import MaskOptions, mask_text
from evenhand.resumes.spans import OPTIONAL as OPTIONS
from masking.generate import resumes
from masking.marked import ALWAYS, OPTIONAL
from masking.residual import masked_by, told
from masking.scores import OWN, Score, score
from masking.tables import by_category, chance, grouped, over, rate, widest_gap

EVERY = frozenset(OPTIONS)
#: Arm → (options, name given).
ALL_RESUMES = {"name not given": (MaskOptions(), False), "name given": (MaskOptions(), True)}
SOME_RESUMES = {
    "all optional categories": (MaskOptions(optional=EVERY), False),
    "strict": (MaskOptions(strict=True), False),
}
ARMS = ALL_RESUMES | SOME_RESUMES
DESIGN = {
    "open": "open to the rules' author",
}


def _measured(row: dict, arms: dict) -> tuple[dict[str, Score], dict[str, str]]:
    scores, texts = {}, {}
    for arm, (options, given) in arms.items():
        masked = mask_text(row["text"], known_names=row["known_names"] if given else (), options=options)
        spans = [(span.start, span.end, span.category) for span in masked.spans]
        # What is scored is what is left: the spans must tell how the output came about.
        assert masked_by(row["text"], spans, frozenset((*ALWAYS, *OPTIONAL))) == masked.text, row["id"]
        wanted = frozenset((*ALWAYS, *OPTIONAL)) if options.optional else frozenset(ALWAYS)
        scores[arm], texts[arm] = score(row, spans, wanted), masked.text
    return scores, texts


def _leaks(scores: Sequence[Score], form: str = "leak") -> str:
    return rate(sum(getattr(each, form) for each in scores), len(scores), 2)


def _own(each: Score) -> tuple[int, int]:
    return each.found[OWN], each.spans[OWN]


def _leaked(each: Score) -> tuple[int, int]:
    return int(each.leak), 1


def _residual(rows: list[dict], texts: list[dict[str, str]]) -> None:
    every = frozenset((*ALWAYS, *OPTIONAL))
    arms = {
        "before": [row["text"] for row in rows],
        **{arm: [each[arm] for each in texts] for arm in ARMS},
        "annotations, always": [masked_by(row["text"], row["spans"], frozenset(ALWAYS)) for row in rows],
        "annotations, with optional": [masked_by(row["text"], row["spans"], every) for row in rows],
    }
    print("\n| masked by | gender, AUC | origin, accuracy % (chance 9.1) |\n|---|---|---|")
    for arm, each in arms.items():
        answer = told(rows, each)
        print(f"| {arm} | {answer['gender']} | {answer['origin']} |", flush=True)


def _report(which: str, rows: list[dict], scores: dict[str, list[Score]]) -> None:
    words = sorted(each.words for each in scores["name given"])
    print(f"\n### {which}: {DESIGN[which]}\n")
    print(
        f"{len(rows):,} résumés, {words[0]} to {words[-1]} words (median {words[len(words) // 2]}); "
        f"{len(scores['strict']):,} of them with options.\n"
    )
    columns = ("arm", "a word of the name left, % of résumés", "nickname, former name, own script included")
    print(f"| {' | '.join(columns)} | over-masked per 1,000 characters | per 1,000 words |")
    print("|---|---|---|---|---|")
    for arm, each in scores.items():
        per_characters, per_words = over(each)
        print(f"| {arm} | {_leaks(each)} | {_leaks(each, 'leak_any_form')} | {per_characters:.2f} | {per_words:.1f} |")
    print("\nBy default, name not given:\n")
    print(by_category(scores["name not given"]))
    print("\nName given:\n")
    print(by_category(scores["name given"], ("NAME", OWN, "EMAIL", "URL")))
    print("\nAll optional categories asked for:\n")
    print(by_category(scores["all optional categories"], OPTIONAL))
    print("\nWidest gaps between origins:\n")
    for arm in ("name not given", "name given"):
        print(f"- recall of the own name, {arm}: {widest_gap(rows, scores[arm], _own)}")
        print(f"- résumés with a leak, {arm}: {widest_gap(rows, scores[arm], _leaked)}; {chance(rows, scores[arm])}")
    for key in ("origin", "layout"):
        print(f"\n{grouped(rows, scores, key)}")


def _write_misses(path: Path, rows: list[dict], scores: dict[str, list[Score]]) -> None:
    counts: Counter = Counter()
    for arm in ("name not given", "name given", "all optional categories"):
        for row, each in zip(rows, scores[arm], strict=False):
            for kind, before, missed in each.missed:
                counts[arm, "missed", kind, row["layout"], before[-25:] + "⟦" + missed + "⟧"] += 1
            for kind, seen in each.needless:
                counts[arm, "needless", kind, row["layout"], seen] += 1
    with path.open("w", encoding="utf-8") as file:
        for (arm, what, kind, layout, seen), count in counts.most_common():
            file.write(json.dumps([count, arm, what, kind, layout, seen], ensure_ascii=False) + "\n")


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--per-origin", type=int, default=600)
    parser.add_argument("--set", choices=list(DESIGN), action="append", help="one set only")
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--misses", type=Path, help="a file for what was missed or masked for nothing in the open set")
    parser.add_argument("--fewer", type=int, default=2200, help="résumés per set with options and in the residual test")
    parser.add_argument("--no-residual", action="store_true")
    args = parser.parse_args()
    for which in args.set or DESIGN:
        rows = list(resumes(which, per_origin=args.per_origin, seed=args.seed))
        some = rows[: args.fewer]
        with ProcessPoolExecutor() as pool:
            full = list(pool.map(partial(_measured, arms=ARMS), some, chunksize=50))
            rest = list(pool.map(partial(_measured, arms=ALL_RESUMES), rows[args.fewer :], chunksize=50))
        scores = {arm: [each[arm] for each, _ in full] for arm in ARMS}
        for arm in ALL_RESUMES:
            scores[arm] += [each[arm] for each, _ in rest]
        _report(which, rows, scores)
        if which == "open" and args.misses:
            _write_misses(args.misses, rows, scores)
        if not args.no_residual:
            print(f"\nWhat a classifier tells from {len(some):,} of the texts ({which}):")
            _residual(some, [texts for _, texts in full])


if __name__ == "__main__":
    main()
