"""Résumés per second on one core.

    PYTHONPATH=bench python -m masking.speed [--count 40]

A process of its own, pinned to one core, one thread, best of three passes.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from masking.generate import resumes

ONE = {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", "MKL_NUM_THREADS": "1"}


def pinned() -> None:
    """Keep this process on one core, the last it may use."""
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})


def ours(path: Path, passes: int) -> None:
    from evenhand.masking.mask import mask_text

    pinned()
    rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    mask_text(rows[0]["text"])
    for given in (False, True):
        wall, cpu = [], []
        for _ in range(passes):
            started, used = time.perf_counter(), time.process_time()
            for row in rows:
                mask_text(row["text"], known_names=row["known_names"] if given else ())
            wall.append(time.perf_counter() - started)
            cpu.append(time.process_time() - used)
        name = "name given" if given else "name not given"
        _tell(f"evenhand, {name}", len(rows), min(wall), min(cpu))


def _tell(arm: str, count: int, wall: float, cpu: float) -> None:
    print(
        json.dumps(
            {"arm": arm, "résumés/s": round(count / wall, 1), "per CPU second": round(count / cpu, 1)},
            ensure_ascii=False,
        )
    )


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--count", type=int, default=40, help="résumés per origin")
    parser.add_argument("--passes", type=int, default=3)
    parser.add_argument("--arm", type=Path, help=argparse.SUPPRESS)
    args = parser.parse_args()
    if args.arm:
        ours(args.arm, args.passes)
        return
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "resumes.jsonl"
        rows = list(resumes("open", per_origin=args.count, seed=13))
        path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
        print(
            f"{len(rows)} résumés, {sum(len(row['text'].split()) for row in rows) // len(rows)} words each on average"
        )
        command = [sys.executable, "-m", "masking.speed", "--arm", str(path), "--passes", str(args.passes)]
        subprocess.run(command, check=True, env=os.environ | ONE)


if __name__ == "__main__":
    main()
