"""Reading the journal of a stopped run: a million answered prompts.

    python bench/resume_scan.py [--lines 1000000]

Lines are those of the collector, with e-mails of the simulated model. Printed are the seconds
until `--resume` knows what was answered, and the peak memory of that process.
"""

import argparse
import subprocess
import sys
import tempfile
from datetime import UTC, datetime
from pathlib import Path
from random import Random

from evenhand.models.journal import Journal
from evenhand.probes.an2024.stimuli import letter

SCAN = """
import resource, sys, time
from pathlib import Path
from evenhand.models.journal import Journal
started, cpu = time.perf_counter(), time.process_time()
with Journal(Path(sys.argv[1])) as journal:
    known = journal.answered(retry_errors=True)
    seconds = time.perf_counter() - started
used = time.process_time() - cpu
peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
print(f"{known.size:,} answers known after {seconds:.2f} s ({used:.2f} s of CPU), peak {peak:.0f} MB")
"""


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--lines", type=int, default=1_000_000)
    lines = parser.parse_args().lines
    rng = Random(0)
    texts = [letter(("accept", "reject")[n % 2], "train", rng) for n in range(500)]
    with tempfile.TemporaryDirectory() as folder:
        with Journal(Path(folder)) as journal:
            for number in range(lines):
                journal.append(
                    {
                        "id": f"{number * 11400714819323198485 % 2**64:016x}",
                        "index": number,
                        "attempt": 0,
                        "sent_order": number,
                        "text": texts[number % 500],
                        "finish_reason": "stop",
                        "returned_model": "m",
                        "input_tokens": 40,
                        "output_tokens": 120,
                        "latency": 0.5,
                        "retries": 0,
                        "error_class": None,
                        "time": datetime.now(UTC),
                    }
                )
        size = sum(path.stat().st_size for path in Path(folder).glob("answers-*.jsonl")) / 1e6
        print(f"{lines:,} lines, {size:,.0f} MB")
        subprocess.run([sys.executable, "-c", SCAN, folder], check=True)


if __name__ == "__main__":
    main()
