"""Measure how the probes' readers read labelled answers, and write src/evenhand/probes/reader_accuracy.toml.

Answers are held out in tests/probes/labelled/held_out/PROBE.jsonl: saved answers with `item`, `set` (ordinary or hard),
`right` and `also`, other readings that count as right. Those of screening have a step and what is read of candidates.
--check fails if the table is another; --failures PROBE prints what is not read rightly in
tests/probes/labelled/PROBE.jsonl, the answers to develop with.
"""

import json
import sys
from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path

import polars as pl

from evenhand.analyses.options.probes import configured, find_probe
from evenhand.analyses.probes import joined_answers
from evenhand.data.inputs import read_saved_answers
from evenhand.data.toml_files import json_rows
from evenhand.probes import NAMES
from evenhand.probes.labels import read_labels, reader_accuracy
from evenhand.probes.screening.reading import read
from evenhand.results.measures import NONE

ROOT = Path(__file__).parents[1]
LABELLED = ROOT / "tests" / "probes" / "labelled"
HELD_OUT = LABELLED / "held_out"
TABLE = ROOT / "src" / "evenhand" / "probes" / "reader_accuracy.toml"
INVENTORY = "bsri"  # a document's label is its terms of this inventory
SETS = ("ordinary", "hard")
COUNTS = ("answers", "right", "wrong", "unread")
PROBES = tuple(dict.fromkeys((*NAMES, "screening")))


def judged(name, path):
    """Yield each labelled row with the value read, None where there is none, and whether it is right."""
    if name == "screening":
        yield from judged_steps(path)
        return
    probe, outcomes = find_probe(name), outcomes_of(name, read_saved_answers(path))
    read = dict(read_labels(outcomes, probe.measured).select("item", "label").iter_rows())
    statuses, counts = dict(outcomes.select("item", "status").iter_rows()), {}
    if probe.measured.aspect is not None:
        of_inventory = outcomes.filter(aspect=INVENTORY).select("item", "successes", "trials")
        counts = {item: [male, trials - male] for item, male, trials in of_inventory.drop_nulls().iter_rows()}
    for _, row in json_rows(path, expected="a labelled answer"):
        item = row["item"]
        value = None if read[item] == NONE else read[item]
        expected = [row["right"], *row["also"]]
        if probe.measured.aspect is not None:
            value = None if value is None else ["observed", *counts[item]]
            right = (value or [statuses[item], None, None]) in expected
        else:
            if probe.measured.scored is not None and value is not None:
                value = float(value)
            right = value in expected
        yield row, value, right


def judged_steps(path):
    """Yield the same of answers to the steps of screening; of questions their number is compared."""
    for _, row in json_rows(path, expected="a labelled answer"):
        reading = asdict(read(row["step"], row["answer"], row["candidates"], row["names"]))
        reading["questions"] = {who: len(questions) for who, questions in reading["questions"].items()}
        value = json.loads(json.dumps({field: reading[field] for field in row["right"]}))
        is_right = reading["status"] == row["right"]["status"] and value in [row["right"], *row["also"]]
        yield row, value if reading["status"] == "read" else None, is_right


def outcomes_of(name, saved):
    """Return what the probe reads; scores are read range by range."""
    if "low" not in saved.columns:
        probe = find_probe(name)
        return probe.read(joined_answers(saved, probe.saved(saved))).outcomes
    parts = []
    for (low, high), rows in saved.group_by("low", "high", maintain_order=True):
        probe = configured(find_probe(name), {"range": f"{low:g}-{high:g}"})
        parts.append(probe.read(joined_answers(rows, probe.saved(rows))).outcomes)
    return pl.concat(parts)


def measured(name):
    """Return the counts of a probe's held-out answers, by set."""
    table = {kind: dict.fromkeys(COUNTS, 0) for kind in SETS}
    for row, value, right in judged(name, HELD_OUT / f"{name}.jsonl"):
        counts = table[row["set"]]
        counts["answers"] += 1
        counts["right" if right else "unread" if value is None else "wrong"] += 1
    return table


def tabulated(*, today):
    """Return the table of all probes; a date stays where the counts do."""
    known = reader_accuracy() if TABLE.is_file() else {}
    sections = []
    for name in PROBES:
        counts = measured(name)
        before = known.get(name)
        same = before is not None and all(vars(getattr(before, kind)) == counts[kind] for kind in SETS)
        lines = [f"[{name}]", f'date = "{before.date if same else today}"']
        lines += [f"{kind} = {{{', '.join(f'{key} = {n}' for key, n in counts[kind].items())}}}" for kind in SETS]
        sections.append("\n".join(lines) + "\n")
    return "# Written by make reader-accuracy.\n" + "\n".join(sections)


def main() -> None:
    """Write the table, check it, or print failures."""
    match sys.argv[1:]:
        case []:
            TABLE.write_text(tabulated(today=f"{datetime.now(UTC):%Y-%m-%d}"), "utf-8")
            print(TABLE.read_text("utf-8"), end="")
        case ["--check"]:
            if tabulated(today="today") != TABLE.read_text("utf-8"):
                sys.exit("The readers read the held-out answers otherwise than the table; run make reader-accuracy.")
        case ["--failures", name]:
            for row, value, right in judged(name, LABELLED / f"{name}.jsonl"):
                if not right:
                    print(f"{row['item']} ({row['set']}, {row.get('why', '')}): right {row['right']!r}, read {value!r}")
        case _:
            sys.exit(__doc__)


if __name__ == "__main__":
    main()
