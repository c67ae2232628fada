"""Lists what a core install weighs, each dependency with its reason, and fails above the most that it may.

    python scripts/weight.py [--most 600]

Only what the core requirements bring is weighed, whatever else is installed beside it. Reasons are those of the
table in docs/design/dependencies.md; a dependency that isn't in it fails too.
"""

import argparse
import re
import sys
from importlib import metadata
from importlib.util import cache_from_source
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

TABLE = Path(__file__).parents[1] / "docs" / "design" / "dependencies.md"
PACKAGE = "evenhand"
#: Megabytes, as `du` counts them.
MOST = 600


def reasons(table: Path = TABLE) -> dict[str, str]:
    """Return what each dependency is for: the beginning of the last column, by the names in the first one."""
    rows = [row.strip("|").split("|") for row in table.read_text("utf-8").splitlines() if row.startswith("| ")]
    told = {}
    for names, _, reason in rows:
        for name in names.split(","):
            told[canonicalize_name(name.strip())] = re.split(r"[:;.] ", reason.strip())[0]
    return told


def required(name: str, extras: frozenset[str] = frozenset()) -> list[Requirement]:
    """Return what a package requires here, of its extras those asked for."""
    found = map(Requirement, metadata.requires(name) or [])
    wanted = extras or {""}
    return [each for each in found if each.marker is None or any(each.marker.evaluate({"extra": e}) for e in wanted)]


def brought(requirement: Requirement, known: set[str]) -> list[str]:
    """Return the packages that come with a requirement and are not known yet, itself first."""
    name = canonicalize_name(requirement.name)
    names = [] if name in known else [name]
    known.add(name)
    for each in required(name, frozenset(requirement.extras)):
        if canonicalize_name(each.name) not in known:
            names += brought(each, known)
    return names


def size(name: str) -> float:
    """Return the megabytes of a package on disk, bytecode included."""
    files = {Path(str(file.locate())) for file in metadata.files(name) or []}
    files |= {Path(cache_from_source(str(file))) for file in files if file.suffix == ".py"}
    return sum(file.stat().st_blocks for file in files if file.is_file()) * 512 / 2**20


def main() -> int:
    """Print a line for each core dependency, with what it brings that no other does."""
    options = argparse.ArgumentParser(description="Weighs a core install.")
    options.add_argument("--most", type=float, default=MOST, help="megabytes (default: %(default)s)")
    most = options.parse_args().most
    core = required(PACKAGE)
    known = {canonicalize_name(each.name) for each in core}
    lines, told, total = [], reasons(), 0.0
    for each in core:
        name = canonicalize_name(each.name)
        others = brought(each, known)
        weight = size(name) + sum(map(size, others))
        total += weight
        with_others = f", with {', '.join(sorted(others))}" if others else ""
        lines.append((weight, f"{weight:7.1f} MB  {name}: {told.get(name, 'NO REASON')}{with_others}"))
    print(*(line for _, line in sorted(lines, reverse=True)), sep="\n")
    print(f"{total:7.1f} MB in all")
    unexplained = sorted({canonicalize_name(each.name) for each in core} - told.keys())
    if unexplained:
        print(f"No reason for {', '.join(unexplained)}; add a row to the table in {TABLE.name}.", file=sys.stderr)
    if total > most:
        print(f"A core install weighs {total:,.0f} MB, more than {most:,.0f} MB.", file=sys.stderr)
    return int(bool(unexplained) or total > most)


if __name__ == "__main__":
    sys.exit(main())
