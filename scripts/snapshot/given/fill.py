"""Fills in a column of a sheet: the value of a row follows from its years, or its place."""

import csv
import re
import sys
from pathlib import Path

name, column, least, *values = sys.argv[1:]
with Path(name).open(encoding="utf-8-sig", newline="") as file:
    rows = list(csv.DictReader(file))
for place, row in enumerate(rows):
    years = re.search(r"for (\d+) years", str(row))
    number = int(years[1]) if years else place * 7 % 40
    row[column] = values[min(number // int(float(least)), len(values) - 1)]
with Path(name).open("w", encoding="utf-8", newline="") as file:
    writer = csv.DictWriter(file, rows[0])
    writer.writeheader()
    writer.writerows(rows)
