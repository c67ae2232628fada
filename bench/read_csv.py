"""How long a plain CSV of 10,000,000 applicants takes to open, header in its first line.

Run: python bench/read_csv.py [ROWS]
Prints seconds, seconds of processor time and peak memory, of the scan alone and of the whole.
"""

import subprocess
import sys
import tempfile
from pathlib import Path

ROWS = int(sys.argv[1]) if len(sys.argv) > 1 else 10_000_000
BLOCK = 100_000
MEASURED = """
import resource, time
from pathlib import Path
from evenhand.data.opened_text import scan_text_file
from evenhand.data.tables import open_table
path, wall, used = Path('{path}'), time.perf_counter(), time.process_time()
{call}
used, wall = time.process_time() - used, time.perf_counter() - wall
memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
print(f'{{wall:.1f}} s, {{used:.1f}} s of processor time, {{memory}} MB')
"""
CALLS = {"scan": "scan_text_file(path)", "open": "with open_table(path) as table: pass"}


def write_applicants(path: Path) -> None:
    """Write rows in blocks that repeat."""
    sexes, races = ("female", "male", "other"), ("White", "Black", "Asian", "Hispanic", "Two or More", "Native")
    block = "".join(
        f"position {n * 7919 % 2000},{races[n % 6]},{sexes[n % 3]},{'yes' if n % 5 else 'no'},{n / BLOCK:.4f}\n"
        for n in range(BLOCK)
    )
    with path.open("w", encoding="utf-8") as file:
        file.write("job,race,sex,hired,score\n")
        for _ in range(ROWS // BLOCK):
            file.write(block)


with tempfile.TemporaryDirectory() as folder:
    applicants = Path(folder, "applicants.csv")
    write_applicants(applicants)
    print(f"{ROWS:,} rows, {applicants.stat().st_size >> 20} MB")
    for name, call in CALLS.items():
        for _ in range(2):
            program = MEASURED.format(path=applicants, call=call)
            done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
            print(name, done.stdout.splitlines()[-1])
