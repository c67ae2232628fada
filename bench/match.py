"""`evenhand match` at size: training, lists for everybody, memory; and beside it an explainable boosting machine.

    python bench/match.py [--people 10000] [--positions 1000] [--pairs 200000] [--folder DIR] [--interpret PYTHON]

A synthetic company is made, and its texts are masked first, told but not counted: what is measured takes them from the
cache. Each command is a process of its own, its start and report included. PYTHON has interpret (and NumPy): its
ExplainableBoostingClassifier gets the same features of the same pairs, an oracle of what an additive model can reach. A
folder that holds a company is used as it is.
"""

import argparse
import os
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import polars as pl

from evenhand.analyses.match_people import masked_texts
from evenhand.data.inputs import read_positions
from evenhand.masking.people import read_people
from evenhand.matching.features import pair_features, people_facts, position_facts, position_labels
from evenhand.matching.matcher import read_matcher
from evenhand.matching.texts import lines_of
from evenhand.matching.training import split_pairs
from evenhand.stats import auc

TRAIN, RECOMMEND, MEMORY = 30.0, 60.0, 4096.0
WHOM = ("--people", "company/people.jsonl", "--positions", "company/positions.jsonl")
EBM = """
import sys, numpy as np
from interpret.glassbox import ExplainableBoostingClassifier
held = np.load(sys.argv[1])
model = ExplainableBoostingClassifier(interactions=0, random_state=0, n_jobs=2).fit(held["fit"], held["fit_label"])
np.save(sys.argv[2], model.predict_proba(held["test"])[:, 1])
"""


@dataclass(frozen=True, kw_only=True)
class Cost:
    seconds: float
    cpu: float
    megabytes: float


def typed(folder: Path, *args: object) -> Cost:
    """Return what `evenhand ARGS` costs."""
    start = time.perf_counter()
    command = [sys.executable, "-m", "evenhand", *map(str, args)]
    with subprocess.Popen(command, cwd=folder, stdout=subprocess.DEVNULL) as child:
        _, status, usage = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode:
        sys.exit(f"{' '.join(command)} ended with {child.returncode}.")
    cpu = usage.ru_utime + usage.ru_stime
    return Cost(seconds=time.perf_counter() - start, cpu=cpu, megabytes=usage.ru_maxrss / 1024)


def beside(folder: Path, python: str) -> float | None:
    """Return the AUC of an explainable boosting machine on the test pairs."""
    people, positions = read_people(folder / "company/people.jsonl"), read_positions(folder / "company/positions.jsonl")
    texts = masked_texts(people, folder / "runs/masked.sqlite")
    frame = pl.read_csv(folder / "company/pairs.csv")
    rows, columns = (
        frame[name].replace_strict({each.id: at for at, each in enumerate(own)}, return_dtype=pl.Int64).to_numpy()
        for name, own in (("person", people), ("position", positions))
    )
    label = (frame["performed_well"] == "yes").to_numpy().astype(float)
    matcher = read_matcher(folder / "match/matcher.json")
    labels, lines = position_labels(positions, matcher.vocabulary), [lines_of(text) for text in texts]
    facts = people_facts(lines, labels, matcher.vocabulary, as_of=matcher.as_of)
    features = pair_features(facts, position_facts(positions, labels, matcher.vocabulary), rows, columns)
    split = split_pairs(rows, columns, test_share=0.2, rng=np.random.default_rng(0))
    held = {"fit": features[split.fit], "fit_label": label[split.fit], "test": features[split.test]}
    np.savez(folder / "held.npz", **held)
    subprocess.run([python, "-c", EBM, folder / "held.npz", folder / "ebm.npy"], check=True)
    return auc(np.load(folder / "ebm.npy"), label[split.test]).estimate


def measured(folder: Path, args: argparse.Namespace) -> bool:
    size = ("--people", args.people, "--positions", args.positions, "--pairs", args.pairs)
    if not (folder / "company").exists():
        typed(folder, "data", "company", *size, "--out", "company")
    start = time.perf_counter()
    masked_texts(read_people(folder / "company/people.jsonl"), folder / "runs/masked.sqlite")
    print(f"masking {args.people:,} people, not counted: {time.perf_counter() - start:.0f} s")
    label = ("--label", "performed_well", "--protected", "gender,race")
    trained = typed(folder, "match", "train", "company/pairs.csv", *WHOM, *label, "--out", "match", "--force")
    lists = typed(folder, "match", "recommend", "--matcher", "match/matcher.json", *WHOM, "--out", "lists", "--force")
    print(
        f"load {os.getloadavg()[0]:.1f}\n\n"
        "| | seconds | budget | CPU | peak memory | budget |\n|---|---|---|---|---|---|"
    )
    for name, cost, budget in (
        (f"training on {args.pairs:,} pairs", trained, TRAIN),
        (f"{args.positions:,} positions recommended to {args.people:,} people", lists, RECOMMEND),
    ):
        print(
            f"| {name} | {cost.seconds:.1f} | {budget:.0f} | {cost.cpu:.1f} | {cost.megabytes:,.0f} MB | "
            f"{MEMORY:,.0f} MB |"
        )
    evaluation = pl.read_csv(folder / "match/evaluation.csv").filter(pl.col("group").fill_null("") == "")
    print(
        "\nAUC of the test pairs: " + ", ".join(f"{row[0]} {row[1]:.4f}" for row in evaluation["model", "auc"].rows())
    )
    if args.interpret:
        print(f"explainable boosting, the same features: {beside(folder, args.interpret):.4f}")
    return trained.seconds < TRAIN and lists.seconds < RECOMMEND and max(trained.megabytes, lists.megabytes) < MEMORY


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--people", type=int, default=10_000)
    parser.add_argument("--positions", type=int, default=1_000)
    parser.add_argument("--pairs", type=int, default=200_000)
    parser.add_argument("--folder", type=Path)
    parser.add_argument("--interpret")
    args = parser.parse_args()
    if args.folder is not None:
        args.folder.mkdir(parents=True, exist_ok=True)
        sys.exit(not measured(args.folder, args))
    with tempfile.TemporaryDirectory() as folder:
        sys.exit(not measured(Path(folder), args))


if __name__ == "__main__":
    main()
