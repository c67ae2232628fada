"""Peak memory of `evenhand probe` with a million answers, phase by phase.

    python bench/million_answers.py [--sample 1000000] [--model 'sim:stereotyping?strength=0.3'] [--stub]

The command runs as a user runs it, in a process of its own. The most memory that it has held
is read when the journal grew for the last time, and when outcomes.parquet, findings.json and
report.html appear. With `--stub` the static server of the tests answers instead of a
simulated model.
"""

import argparse
import contextlib
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
#: What the folder of a run shows when a phase has ended.
PHASES = {
    "read": "outcomes.parquet",
    "measured": "findings.json",
    "drawn": "report.html",
}


def peak_of(process):
    """Return the most memory in MB that a running process has held."""
    status = Path(f"/proc/{process.pid}/status").read_text()
    return int(status.partition("VmHWM:")[2].split()[0]) / 1024


def watch(process, folder):
    started = time.perf_counter()
    left = list(PHASES.items())
    asking = size = 0
    journaled = ""

    def told(phase, peak):
        return f"{phase:>20}: {time.perf_counter() - started:7.1f} s, peak {peak:.0f} MB"

    while process.poll() is None:
        time.sleep(0.01)
        with contextlib.suppress(OSError, IndexError):  # it ends in between
            peak = peak_of(process)
            if asking is not None:
                asking = sum(file.stat().st_size for file in folder.glob("answers-*.jsonl"))
                if asking > size:
                    size, journaled = asking, told("asked and journaled", peak)
                if (folder / ".outcomes.parquet.000000").exists():
                    asking = None
                    print(journaled, f"({size / 1e6:,.0f} MB)", flush=True)
            while left and (folder / left[0][1]).exists():
                print(told(left.pop(0)[0], peak), flush=True)
    seconds, used = time.perf_counter() - started, os.times()
    cpu = used.children_user + used.children_system
    print(f"{'ended':>20}: {seconds:7.1f} s, {cpu:.0f} s of CPU, exit code {process.returncode}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sample", type=int, default=1_000_000)
    parser.add_argument("--model", default="sim:stereotyping?strength=0.3")
    parser.add_argument("--stub", action="store_true")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, contextlib.ExitStack() as stack:
        model = ["--model", arguments.model]
        if arguments.stub:
            command = [sys.executable, str(ROOT / "tests" / "loopback.py"), "--static"]
            server = stack.enter_context(subprocess.Popen(command, stdout=subprocess.PIPE, text=True))
            stack.callback(server.terminate)
            model = ["--model", "openai:m", "--base-url", server.stdout.readline().strip()]
        command = [sys.executable, "-m", "evenhand", "probe", "hiring-an", *model, "--sample", str(arguments.sample)]
        process = subprocess.Popen([*command, "--out", f"{folder}/run"], stdout=subprocess.DEVNULL)
        watch(process, Path(folder) / "run")


if __name__ == "__main__":
    main()
