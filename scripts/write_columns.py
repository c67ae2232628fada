"""Write the table of the columns of impact.csv into docs/impact.md; with --check, fail if it is another."""

import sys
from itertools import groupby
from pathlib import Path

from evenhand.results.schemas import IMPACT_COLUMNS

PAGE = Path(__file__).parents[1] / "docs" / "impact.md"
HEAD = "| column of impact.csv | definition |\n|---|---|\n"


def main() -> None:
    """Put the lines of the columns with a text in place of those under the head of the table."""
    described = groupby((column for column in IMPACT_COLUMNS if column.text), lambda column: column.text)
    lines = [f"| {', '.join(f'`{column.name}`' for column in columns)} | {text} |\n" for text, columns in described]
    page = PAGE.read_text("utf-8")
    before, _, after = page.partition(HEAD)
    written = before + HEAD + "".join(lines) + "\n" + after.partition("\n\n")[2]
    if "--check" not in sys.argv[1:]:
        PAGE.write_text(written, "utf-8")
    elif written != page:
        sys.exit("The columns in docs/impact.md are not those of impact.csv; run python scripts/write_columns.py.")


if __name__ == "__main__":
    main()
