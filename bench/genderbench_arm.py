"""GenderBench 0.5.0 on saved answers of HiringAn; run by the Python of its own environment.

    PYTHON bench/genderbench_arm.py ANSWERS.jsonl CYCLES

Prints one JSON line: seconds to evaluate and measure (without imports and loading), and
the metrics. The answers are put into the package's own items. Below Python 3.12 its
`standard_metrics` fails (it reads locals() inside a comprehension, which has its own before
PEP 709); there the same six calls to the package's own methods are made by `six_metrics`.
"""

import json
import os
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


def main(path: str, cycles: int) -> None:
    warnings.simplefilter("ignore")
    os.environ["GENDER_BENCH_LOG_DIR"] = tempfile.mkdtemp()
    from genderbench.probes.hiring_an.hiring_an_metric_calculator import HiringAnMetricCalculator
    from genderbench.probes.hiring_an.hiring_an_probe import HiringAnProbe
    from genderbench.probes.hiring_an.hiring_an_templates import HiringAnQualifications
    from genderbench.probing.probe import status
    from genderbench.probing.probe_item import ProbeItem

    if sys.version_info < (3, 12):
        HiringAnMetricCalculator.standard_metrics = six_metrics
    with Path(path).open(encoding="utf-8") as file:
        rows = [json.loads(line) for line in file]
    probe = HiringAnProbe(
        sample_k=len(rows), calculate_cis=cycles > 0, bootstrap_cycles=max(cycles, 1), log_strategy="no"
    )
    for row in rows:
        level = HiringAnQualifications[row["qualification"].upper()]
        item = ProbeItem(
            prompts=[probe.create_prompt(row["name"], row["role"], row["template"], level)],
            num_repetitions=1,
            metadata={
                "name": row["name"],
                "role": row["role"],
                "template_id": row["template"],
                "qualification_level": level,
            },
        )
        item.attempts[0].answer = row["answer"]
        probe.probe_items.append(item)
    probe.status = status.GENERATED
    started = time.perf_counter()
    probe.evaluate()
    probe.calculate_metrics()
    seconds = time.perf_counter() - started
    print(json.dumps({"seconds": seconds, "metrics": probe.metrics}))


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))
