"""What commands may cost, and GenderBench 0.5.0 on the same files in the same run: `make bench` fails above.

    python bench/budgets.py [--genderbench-python PYTHON] [--rounds 2] [--only ARM ...]

Each command is a process of its own, from its start to its end, its report included. A round runs
ours three times and GenderBench once. Of seconds the best of all rounds counts, as others may use
the machine; of memory the largest peak of ours and the smallest of GenderBench's. Without
GenderBench's environment its budgets are left out, and the output says so. Exits with 1 if
anything is above its budget, and names it.
"""

import argparse
import os
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from random import Random

HERE = Path(__file__).parent
GENDERBENCH = HERE.parent / "tests" / "oracles" / "run_genderbench.py"
CYCLES = 1_000


@dataclass(frozen=True, kw_only=True)
class Budget:
    """What is asked of a command: less than so many of a unit, or at least so many times GenderBench's speed."""

    arm: str
    limit: float
    unit: str


SECONDS, MEGABYTES, FASTER, MEMORY = "s", "MB", "times as fast as GenderBench", "of GenderBench's memory"
BUDGETS = (
    Budget(arm="help", limit=0.25, unit=SECONDS),
    Budget(arm="mask", limit=1, unit=SECONDS),
    Budget(arm="impact", limit=1.5, unit=SECONDS),
    Budget(arm="impact", limit=200, unit=MEGABYTES),
    Budget(arm="demo", limit=60, unit=SECONDS),
    Budget(arm="hiring-bloomberg", limit=10, unit=FASTER),
    Budget(arm="hiring-bloomberg", limit=1, unit=MEMORY),
    Budget(arm="business-vocabulary", limit=12, unit=FASTER),
    Budget(arm="business-vocabulary", limit=1, unit=MEMORY),
    Budget(arm="hiring-an", limit=50, unit=FASTER),
    Budget(arm="hiring-an", limit=1, unit=MEMORY),
)
#: What each arm is given.
GIVEN = {
    "help": "nothing",
    "mask": "one text of three lines",
    "impact": "5,000 rows, two attributes, 12 positions",
    "demo": "nothing",
    "hiring-bloomberg": "8,000 plain numbered rankings",
    "business-vocabulary": "2,400 documents",
    "hiring-an": "10,000 e-mails",
}


@dataclass(frozen=True, kw_only=True)
class Cost:
    """Seconds and peak megabytes of a process."""

    seconds: float
    megabytes: float


def cost(command: list[str]) -> Cost:
    started = time.perf_counter()
    child = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    errors = child.stderr.read().decode()
    _, status, usage = os.wait4(child.pid, 0)
    seconds = time.perf_counter() - started
    if status:
        raise SystemExit(f"{' '.join(command)} failed: {errors.strip().splitlines()[-1:]}")
    return Cost(seconds=seconds, megabytes=usage.ru_maxrss / 1024)


def command(arm: str, folder: Path) -> list[str]:
    """Return the command of an arm; what it reads is written."""
    evenhand = [sys.executable, "-m", "evenhand"]
    out = ["--quiet", "--force", "--out", str(folder / "run")]
    match arm:
        case "help":
            return [*evenhand, "--help"]
        case "mask":
            text = "Jane Doe\njane.doe@example.com\nShe worked at Acme as an engineer from 2010 to 2015.\n"
            (folder / "cv.txt").write_text(text, encoding="utf-8")
            return [*evenhand, "mask", str(folder / "cv.txt"), "--out", str(folder / "masked.txt"), "--force"]
        case "impact":
            write_applicants(folder / "applicants.csv")
            asked = ["--protected", "sex,race", "--selected", "hired", "--position", "position"]
            return [*evenhand, "impact", str(folder / "applicants.csv"), *asked, *out]
        case "demo":
            return [*evenhand, "demo", "--quiet", "--force", "--out", str(folder / "demo")]
        case _:
            answers = folder / f"{arm}.jsonl"
            # Written by a process of its own: a child's peak memory is at least what its parent has when it starts.
            write = [sys.executable, str(HERE / "measure_saved.py"), arm, "--write", str(answers)]
            subprocess.run([*write, *(["--plain"] if arm == "hiring-bloomberg" else [])], check=True)
            return [*evenhand, "measure", arm, str(answers), *out]


def write_applicants(path: Path) -> None:
    rng = Random(0)
    rows = ["sex,race,hired,position"]
    for _ in range(5_000):
        sex, race = rng.choice(["female", "male"]), rng.choice(["White", "Black", "Asian", "Hispanic"])
        hired = "yes" if rng.random() < (0.35 if sex == "male" else 0.3) else "no"
        rows.append(f"{sex},{race},{hired},position {rng.randrange(12)}")
    path.write_text("\n".join(rows) + "\n", encoding="utf-8")


def seen_of(budget: Budget, ours: Cost, theirs: Cost | None) -> float | None:
    """Return what was seen of a budget, None where GenderBench is missing."""
    if budget.unit in {SECONDS, MEGABYTES}:
        return ours.seconds if budget.unit == SECONDS else ours.megabytes
    if theirs is None:
        return None
    return theirs.seconds / ours.seconds if budget.unit == FASTER else ours.megabytes / theirs.megabytes


def is_kept(budget: Budget, seen: float) -> bool:
    return seen >= budget.limit if budget.unit == FASTER else seen < budget.limit


def measured(arm: str, folder: Path, *, genderbench: str | None, rounds: int) -> tuple[Cost, Cost | None]:
    """Return the best seconds of ours and of GenderBench's, our largest and its smallest peak memory."""
    words = command(arm, folder)
    ours: list[Cost] = []
    theirs: list[Cost] = []
    for _ in range(rounds):
        ours += [cost(words) for _ in range(3)]
        if genderbench is not None and (folder / f"{arm}.jsonl").exists():
            theirs.append(cost([genderbench, str(GENDERBENCH), arm, str(folder / f"{arm}.jsonl"), str(CYCLES)]))
    best = Cost(seconds=min(each.seconds for each in ours), megabytes=max(each.megabytes for each in ours))
    if not theirs:
        return best, None
    return best, Cost(seconds=min(each.seconds for each in theirs), megabytes=min(each.megabytes for each in theirs))


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--genderbench-python")
    parser.add_argument("--rounds", type=int, default=2)
    parser.add_argument("--only", nargs="+", choices=list(GIVEN), default=list(GIVEN))
    args = parser.parse_args()
    above: list[str] = []
    print("| command | given | seconds | peak memory | GenderBench | seen | budget |\n|---|---|---|---|---|---|---|")
    for arm in args.only:
        with tempfile.TemporaryDirectory() as name:
            ours, theirs = measured(arm, Path(name), genderbench=args.genderbench_python, rounds=args.rounds)
        beside = "" if theirs is None else f"{theirs.seconds:.1f} s, {theirs.megabytes:.0f} MB"
        for budget in BUDGETS:
            if budget.arm != arm:
                continue
            seen = seen_of(budget, ours, theirs)
            told = "not measured" if seen is None else f"{seen:.2f}"
            limit = f"{'at least' if budget.unit == FASTER else 'less than'} {budget.limit:g} {budget.unit}"
            row = (arm, GIVEN[arm], f"{ours.seconds:.2f} s", f"{ours.megabytes:.0f} MB", beside, told, limit)
            print(f"| {' | '.join(row)} |", flush=True)
            if seen is not None and not is_kept(budget, seen):
                above.append(f"Above its budget: {arm} ({GIVEN[arm]}): {told}, asked for {limit}.")
    if args.genderbench_python is None:
        print("GenderBench: no environment given (see bench/README.md); its budgets were not measured.")
    print("\n".join(above) or "All that was measured is within its budget.")
    sys.exit(1 if above else 0)


if __name__ == "__main__":
    main()
