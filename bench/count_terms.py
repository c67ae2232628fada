"""Counting terms and words of documents on one core: tokens per second.

    python bench/count_terms.py [--documents 4096] [--repeats 5]

The documents are drawn from the inventories and from words of random letters, 300 words each,
5 % of them terms, in paragraphs with headings; half of the documents have the quotes and dashes of
a typesetter. What is timed is all that a run does with them: terms of all inventories,
phrases, and the table of words.
"""

import argparse
import os
import time
from random import Random

os.environ["POLARS_MAX_THREADS"] = "1"

import polars as pl

from evenhand.probes.business_vocabulary.counting import count_terms, inventory_table


def documents(n: int) -> pl.Series:
    rng = Random(1)
    terms = inventory_table()["term"].to_list()
    common = ["the", "of", "and", "to", "a", "in", "with", "for"] * 400
    words = ["".join(rng.choices("abcdefghijklmnopqrstuvwxyz", k=rng.randint(2, 9))) for _ in range(4000)] + common
    texts = []
    for _ in range(n):
        drawn = [rng.choice(terms) if rng.random() < 0.05 else rng.choice(words) for _ in range(300)]
        text = " ".join(drawn).replace(" the", ", the").replace(" of ", ".\n\n**Of** ").replace(" for ", "'s ")
        if rng.random() < 0.5:
            text = text.replace("'", "\u2019").replace(" with ", "\u2014with ")
        texts.append(text)
    return pl.Series(texts)


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--documents", type=int, default=4096)
    parser.add_argument("--repeats", type=int, default=5)
    args = parser.parse_args()
    texts = documents(args.documents)
    names = pl.Series(["Jane Li"] * len(texts))
    count_terms(texts[:10], names[:10])
    best, tokens = float("inf"), 0
    for _ in range(args.repeats):
        started = time.perf_counter()
        counts = count_terms(texts, names)
        best = min(best, time.perf_counter() - started)
        tokens = int(counts.lengths.sum())
    print(f"{tokens / best / 1e6:.2f} million tokens/s on one core ({tokens:,} tokens, best of {args.repeats})")


if __name__ == "__main__":
    main()
