"""Computes published figures again by the commands, and writes docs/published.md: published, ours, difference.

    python scripts/published.py [--check] [--rankings rankings.jsonl]

With --check nothing is written, and it fails where the page is not what is computed now. `--rankings` are the raw
rankings of Bloomberg (2024) as `evenhand measure hiring-bloomberg` reads them, with the model's name in each line;
without them the numbers of the last time stand in the page, as tests/oracles/published.toml records them.
"""

import argparse
import contextlib
import io
import json
import os
import re
import shlex
import sys
import tempfile
import tomllib
from dataclasses import dataclass, replace
from functools import reduce
from pathlib import Path

from evenhand.cli import app

ROOT = Path(__file__).parents[1]
CASES, TWO_GROUPS = (ROOT / "tests" / "oracles" / name for name in ("published.toml", "two_groups.json"))
PAGE = ROOT / "docs" / "published.md"
#: Figures of two_groups.json: what they are, and the value of a finding.
OF_TWO_GROUPS = {
    "impact_ratio": ("impact ratio", "impact_ratio_group_focal estimate"),
    "flipped_ratio": ("impact ratio after one more and one fewer", "impact_ratio_group_focal details.flip_flop_ratio"),
    "rate_focal": ("rate, focal", "selection_rate_group_focal estimate"),
    "rate_reference": ("rate, reference", "selection_rate_group_reference estimate"),
}
HEAD = """# Published results

`make published` computes published figures again with evenhand's commands and writes this page; a test fails where a
figure changes. Bloomberg's rankings are not in the package: ours are recorded, and computed again from a copy with
`make published RANKINGS=FILE`. *Difference* is ours, rounded as the published figure is, minus the published one.
Commands are in `tests/oracles/published.toml` and `two_groups.json`. Audits of Local Law 144 are from the data of
Gerchick et al. (2025), doi:10.1145/3715275.3732004, with the final zeros of ratios that the data drop.

| case | figure | published | ours | difference |
|---|---|---|---|---|
"""


@dataclass(frozen=True)
class Row:
    """A published figure beside ours; `why` says where a difference comes from. The first of a case names it."""

    case: str
    what: str
    published: str
    ours: float
    why: str

    @property
    def decimals(self) -> int:
        return len(self.published.partition(".")[2])

    @property
    def difference(self) -> float:
        # As people round: a half goes away from zero, whatever binary fractions make of it.
        dust = 1e-12 if self.ours > 0 else -1e-12
        return round(round(self.ours + dust, self.decimals) - float(self.published), 9)

    @property
    def line(self) -> str:
        difference = f"{self.difference:+.{self.decimals}f}" if self.difference else "0"
        ours = f"{self.ours:.{min(self.decimals + 2, 9)}f}" if self.ours % 1 or self.decimals else f"{self.ours:.0f}"
        remark = f" ({self.why})" if self.why else ""
        return f"| {self.case} | {self.what} | {self.published} | {ours} | {difference}{remark} |"


def cases() -> list[dict]:
    """Return all cases: those of the TOML, and the tables of two groups with a published figure."""
    known = tomllib.loads(CASES.read_text("utf-8"))["case"]
    for case in json.loads(TWO_GROUPS.read_text("utf-8"))["cases"]:
        if not case["published"]:
            continue
        a, n, c, m = case["table"]
        figures = [
            {"what": f"{case['id']}: {OF_TWO_GROUPS[name][0]}", "published": str(value), "ours": OF_TWO_GROUPS[name][1]}
            for name, value in case["published"].items()
        ]
        command = f"impact --counts focal={a}/{n},reference={c}/{m} --reference group=reference"
        title, _, place = case["source"].partition(", ")
        known.append({"title": title, "source": place, "command": command, "figures": figures})
    return known


def value(findings: list[dict], figure: dict) -> float:
    """Return the value of a finding as the published quantity."""
    name, path = figure["ours"].split()
    finding = next(each for each in findings if each["name"] == name)
    found = reduce(lambda at, key: at[int(key)] if key.isdigit() else at[key], path.split("."), finding)
    found = 1 / found if figure.get("invert") else found
    times = figure.get("times", 1)
    found = float(found) * (finding["n"] if times == "n" else times)
    if "recorded" in figure and figure["recorded"] != round(found, 9):
        sys.exit(f"{name} is {found:g}; {CASES.name} records {figure['recorded']}.")
    return found


def rows(rankings: Path | None = None) -> list[Row]:
    """Return all figures, each computed by its command in a new folder."""
    found = []
    for case in cases():
        findings = None if case.get("answers") and rankings is None else computed(case, rankings)
        found += [
            Row(
                ""
                if figure is not case["figures"][0]
                else f"{case['title']}: {re.sub('https?://', '', case['source'])}",
                figure["what"],
                figure["published"],
                figure["recorded"] if findings is None else value(findings, figure),
                figure.get("why", ""),
            )
            for figure in case["figures"]
        ]
    return found


def computed(case: dict, rankings: Path | None) -> list[dict]:
    """Return the findings of a case's command."""
    with tempfile.TemporaryDirectory() as name, contextlib.chdir(name):
        for column, labels in case.get("table", {}).items():
            lines = [column, *(label for label, times in labels.items() for _ in range(times))]
            Path(f"{column}.csv").write_text("\n".join([*lines, ""]), "utf-8")
        if "answers" in case:
            lines = [line for line in rankings.read_text("utf-8").splitlines() if f'"{case["answers"]}' in line[:60]]
            Path("rankings.jsonl").write_text("\n".join(lines), "utf-8")
        if "example" in case:
            typed(["data", "example", case["example"]])
        typed([*shlex.split(case["command"]), "--out", "run", "--quiet", "--no-report"])
        return json.loads(Path("run", "findings.json").read_text("utf-8"))["findings"]


def typed(words: list[str]) -> None:
    """Type a command, in this process."""
    with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
        app(words, standalone_mode=False)


def page(found: list[Row]) -> str:
    """Return the page."""
    missing = tomllib.loads(CASES.read_text("utf-8"))["missing"]
    equal = sum(not row.difference for row in found)
    earlier = [row.case for row in found]
    lines = [
        *(replace(row, case="").line if row.case in earlier[:place] else row.line for place, row in enumerate(found)),
        "",
        f"{equal} of {len(found)} figures are equal; the others have their reason.",
        "\n## Not here\n",
        *(f"- {each['what']}: {each['why']}." for each in missing),
        "",
    ]
    return HEAD + "\n".join(lines)


def main() -> None:
    """Write the page, or check it."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--rankings", type=Path)
    options = parser.parse_args()
    os.environ["COLUMNS"] = "120"
    found = rows(options.rankings.resolve() if options.rankings else None)
    for row in found:
        if row.difference:
            print(row.line)
    unexplained = [row for row in found if row.difference and not row.why]
    if unexplained:
        sys.exit(f"{len(unexplained)} figures differ without a reason in {CASES.name}.")
    if options.check and page(found) != PAGE.read_text("utf-8"):
        sys.exit(f"{PAGE.name} is not what is computed now; run: make published")
    if not options.check:
        PAGE.write_text(page(found), "utf-8")


if __name__ == "__main__":
    main()
