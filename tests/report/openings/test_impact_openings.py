"""How the report of an analysis of applicants opens: reviewed sentences, numbers recomputed, steps that run."""

import re
import subprocess
import tomllib
from pathlib import Path

import polars as pl
import pytest
from impact_cases import COUNTS, TABLES
from scipy.stats import fisher_exact
from sqlglot import parse_one
from sqlglot.dialects.duckdb import DuckDB
from sqlglot.expressions import Column

import evenhand
from evenhand.report.impact.summary import condition
from evenhand.report.page.contents import page_of
from evenhand.results.result import read_result
from flows._cli import evenhand as cli

pytestmark = pytest.mark.filterwarnings("ignore::UserWarning")  # remarks stand on the page
REVIEWED = tomllib.loads(Path(__file__).with_name("reviewed.toml").read_text("utf-8"))["impact"]
SENTENCES, STEPS = REVIEWED["sentences"], REVIEWED["steps"]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("openings")


@pytest.fixture(scope="module")
def openings(folder):
    """Return how the page of each case opens; the runs lie where their commands can be typed."""
    found = {}
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        for name, (source, options) in (COUNTS | TABLES).items():
            table = source
            if name in TABLES:
                table = f"{name.replace(' ', '-')}.csv"
                pl.DataFrame(source).write_csv(table)
            run = evenhand.impact(table, out=folder / name, report=False, **options)
            content = read_result(run.folder)
            found[name] = page_of(content).opening(content)
    return found


def counts_of(name):
    """Return selected and applicants by group, counted here."""
    if name in COUNTS:
        return COUNTS[name][0]
    rows, options = TABLES[name]
    (attribute,) = options["protected"]
    people = {}
    for row in rows:
        if row.get("step") == "screen" and row["hired"]:
            continue  # selected over all stages are those whom the last one selects
        hit = row["score"] > options["cutoff"][0] if "cutoff" in options else row[options["selected"]] in {"yes", True}
        selected, n = people.get(row[attribute], (0, 0))
        people[row[attribute]] = (selected + hit, n + 1)
    return people


@pytest.mark.parametrize("name", SENTENCES)
def test_the_sentences_are_those_that_were_reviewed(openings, name):
    assert list(openings[name].sentences) == SENTENCES[name]


def test_every_case_has_its_reviewed_sentences(openings):
    assert set(SENTENCES) == set(openings)


RATIO = (
    r"impact ratio (?P<ratio>[\d.]+) \(95 % CI (?P<low>[\d.]+)–(?P<high>[\d.]+)\), "
    r"(?P<rule>not below|below) four-fifths, (?:Cohen's h \S+, )?"
    r"(?P<chance>not statistically|statistically) significant "
    r"\(Fisher's exact test: (?P<p>[^)]*)"
)
#: A group as people, or with its attribute.
GROUP = r"(?:\w+ = )?(?P<{}>\w+)(?: people)?"
#: Labels of the tables by how sentences name them.
LABELS = {"women": "female", "men": "male", "Black": "black", "White": "white"}
TOLD = (
    r"rate was (?P<rate>[\d.]+) % for {focal} and (?P<other>[\d.]+) % for {reference}: " + RATIO,
    r"Over all positions.*? (?:for|between) {focal} (?:than for|and) {reference}\b.*"
    r"Together: (?P<rate>[\d.]+) % against (?P<other>[\d.]+) %, " + RATIO,
)


def named_groups(pattern):
    """Return a pattern of sentences with those of its two groups."""
    for side in ("focal", "reference"):
        pattern = pattern.replace(f"{{{side}}}", GROUP.format(side))
    return pattern


TWO_GROUPS = [name for name in SENTENCES if name in COUNTS or len(TABLES[name][1]["protected"]) == 1]


@pytest.mark.parametrize("name", [name for name in TWO_GROUPS if "impact ratio 0" in str(SENTENCES[name])])
def test_the_numbers_of_the_sentences_are_those_of_the_table(name):
    said, groups = " ".join(SENTENCES[name]), counts_of(name)
    told = next(found for pattern in TOLD if (found := re.search(named_groups(pattern), said)))
    focal, reference = (groups.get(told[side]) or groups[LABELS[told[side]]] for side in ("focal", "reference"))
    rates = focal[0] / focal[1], reference[0] / reference[1]
    assert float(told["rate"]) == pytest.approx(100 * rates[0], abs=0.0501)
    assert float(told["other"]) == pytest.approx(100 * rates[1], abs=0.0501)
    assert float(told["ratio"]) == pytest.approx(rates[0] / rates[1], abs=0.00501)
    assert float(told["low"]) < rates[0] / rates[1] < float(told["high"])
    assert (told["rule"] == "below") is (5 * focal[0] * reference[1] < 4 * reference[0] * focal[1])
    p = fisher_exact([[focal[0], focal[1] - focal[0]], [reference[0], reference[1] - reference[0]]]).pvalue
    assert (told["chance"] == "statistically") is bool(p < 0.05)
    sign, shown = re.search(r"p ([=<]) ([\d.]+)", told["p"]).groups()
    assert p < float(shown) if sign == "<" else float(shown) == pytest.approx(p, abs=0.000501)


def mantel_haenszel(rows, attribute, focal, selected, position):
    """Return the odds ratio over all positions, from its definition."""
    above = below = 0.0
    for place in {row[position] for row in rows}:
        own = [row for row in rows if row[position] == place]
        hit = [row[selected] in {"yes", True} for row in own]
        mine = [row[attribute] == focal for row in own]
        cells = [
            sum(h is x and m is y for h, m in zip(hit, mine, strict=True)) for y in (True, False) for x in (True, False)
        ]
        above += cells[0] * cells[3] / len(own)
        below += cells[1] * cells[2] / len(own)
    return above / below


@pytest.mark.parametrize("name", [name for name in TABLES if re.search(r"common odds ratio \d", str(SENTENCES[name]))])
def test_the_odds_ratio_within_positions_is_that_of_the_table(name):
    rows, options = TABLES[name]
    (attribute,) = options["protected"]
    said = " ".join(SENTENCES[name])
    named = re.search(r"for (?:\w+ = )?(\w+) (?:than for|and)|between (?:\w+ = )?(\w+) and", said)
    focal = next(LABELS.get(group, group) for group in named.groups() if group)
    expected = mantel_haenszel(rows, attribute, focal, options["selected"], options["position"])
    assert float(re.search(r"common odds ratio ([\d.]+)", said)[1]) == pytest.approx(expected, abs=0.00501)


def test_the_reversal_is_told_first(openings):
    first = openings["reversal"].sentences[0]
    assert first.index("rate was lower") < first.index("within positions no difference was detected")


@pytest.mark.parametrize("name", SENTENCES)
def test_the_table_has_each_group_but_the_reference_which_stands_in_the_caption(openings, name):
    opening = openings[name]
    for table in opening.tables:
        if "Selection rate" in [column.label for column in table.columns]:
            (group,) = re.findall(r"Reference: ([^,]+), n [\d,]+, selection rate [\d.]+ %", table.caption)
            assert group not in [row[0] for row in table.rows]


@pytest.mark.parametrize("name", STEPS)
def test_the_next_steps_are_those_that_were_reviewed(openings, name):
    assert [[step.question, step.command] for step in openings[name].steps] == STEPS[name]


def test_there_are_three_steps_at_most(openings):
    assert max(len(opening.steps) for opening in openings.values()) == 3


def test_every_word_of_sql_can_be_the_name_of_a_column():
    words = {word.lower() for word in DuckDB.Tokenizer.KEYWORDS if word.isidentifier()} | {"job title", 'the "job"'}
    for word in words:
        read = parse_one(condition(word, "=", "men's wear"), read="duckdb")
        assert isinstance(read.this, Column)
        assert (read.this.name.lower(), read.expression.name) == (word, "men's wear")


def test_every_command_runs_as_it_is_printed(openings, folder):
    commands = {step.command for opening in openings.values() for step in opening.steps if step.command}
    assert len(commands) > 5
    for number, line in enumerate(sorted(commands)):
        read = subprocess.run(
            ["bash", "-c", f"evenhand() {{ printf '%s\\0' \"$@\"; }}; {line}"],
            capture_output=True,
            text=True,
            check=True,
        )
        cli(*read.stdout.split("\0")[:-1], "--no-report", "--out", f"again/{number}", cwd=folder)
