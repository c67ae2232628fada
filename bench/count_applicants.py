"""How much counting applicants costs beyond the engine's own group by, at 10,000,000 rows.

Run: python bench/count_applicants.py [ROWS]
Prints seconds and peak memory of DuckDB's bare `group by` on the same columns, and of what `evenhand impact` counts.
"""

import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROWS = int(sys.argv[1]) if len(sys.argv) > 1 and sys.argv[1].isdigit() else 10_000_000
POSITIONS = 2000

MAKE = """
import duckdb, sys
duckdb.sql(f'''COPY (SELECT
  (random() * {positions})::int AS i, 'position ' || (random() * {positions})::int::varchar AS job,
  ['White', 'Black', 'Asian', 'Hispanic', 'Two or More', 'Native'][1 + (random() * 6)::int % 6] AS race,
  ['female', 'male', 'other'][1 + (random() * 3)::int % 3] AS gender,
  random() < .2 AS hired, random() AS score
  FROM range({rows})) TO '{path}' (FORMAT parquet)''')
"""
BARE = """
import duckdb
duckdb.execute("SET memory_limit = '1GB'")
duckdb.sql("SELECT job, race, gender, hired, count(*) FROM '{path}' GROUP BY ALL").fetch_arrow_table()
"""
OURS = """
from pathlib import Path
from evenhand.data.tables import open_table
from evenhand.data import ApplicantQuery, count_applicants
with open_table(Path('{path}')) as table:
    count_applicants(table, ApplicantQuery(protected=('race', 'gender'), position='job', {asked}))
"""
CASES = {
    "imports only": "import evenhand.data, evenhand.data.tables",
    "bare group by": BARE,
    "decisions": OURS.replace("{asked}", "selected='hired'"),
    "10 cut-offs": OURS.replace("{asked}", "score='score', cutoffs=tuple(k / 11 for k in range(1, 11))"),
    "median": OURS.replace("{asked}", "score='score', median=True"),
    "means": OURS.replace("{asked}", "score='score', means=True"),
    "sweep of 100": OURS.replace("{asked}", "score='score', cutoffs=(.5,), sweep=100"),
}


def measured(code: str) -> tuple[float, int]:
    """Return seconds and peak memory in MB of a fresh process."""
    program = f"{code}\nimport resource\nprint(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024)"
    start = time.perf_counter()
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    return time.perf_counter() - start, int(done.stdout.split()[-1])


with tempfile.TemporaryDirectory() as folder:
    path = Path(folder, "applicants.parquet")
    subprocess.run([sys.executable, "-c", MAKE.format(positions=POSITIONS, rows=ROWS, path=path)], check=True)
    print(f"{ROWS:,} rows, {path.stat().st_size // 2**20} MB of Parquet")
    for name, code in CASES.items():
        seconds, memory = min(measured(code.replace("{path}", str(path))) for _ in range(2))
        print(f"{name:15} {seconds:6.1f} s {memory:6} MB")
