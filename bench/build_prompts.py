"""Building all 5,424,000 prompts of HiringAn: prompts per second and peak memory.

python bench/build_prompts.py [--shuffled]
"""

import argparse
import resource
import time

import numpy as np

from evenhand.probes import PROBES
from evenhand.probes.probe import shuffled_indices

CHUNK = 1 << 15


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--shuffled", action="store_true", help="in the order of sending instead of index order")
    args = parser.parse_args()
    design = PROBES["hiring-an"].designs["card"]
    started = time.perf_counter()
    indices = shuffled_indices(design.size, design.size, seed=0) if args.shuffled else None
    characters = 0
    for start in range(0, design.size, CHUNK):
        stop = min(start + CHUNK, design.size)
        chosen = np.arange(start, stop) if indices is None else indices[start:stop]
        characters += int(design.stimuli(chosen)["prompt"].str.len_bytes().sum())
    seconds = time.perf_counter() - started
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    order = "shuffled" if args.shuffled else "index"
    print(
        f"{design.size:,} prompts, {characters / 1e9:.2f} GB of text, {order} order: "
        f"{design.size / seconds:,.0f}/s, peak {peak:.0f} MB"
    )


if __name__ == "__main__":
    main()
