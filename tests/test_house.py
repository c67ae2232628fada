"""The house keeps its order: small folders, nothing private across rooms, files and functions that can be read."""

import ast
import re
from pathlib import Path

from evenhand.report.kinds import KINDS
from evenhand.tables.run_folder import OWN_FILES

PACKAGE = Path(__file__).parents[1] / "src" / "evenhand"
#: Where each command has a file.
WIDE = {PACKAGE, PACKAGE / "cli", PACKAGE / "commands"}
MOST_ENTRIES, MOST_LINES, MOST_LINES_OF_A_FUNCTION, MOST_PARAMETERS = 12, 400, 60, 8
#: Rooms that are still too wide, files and functions that are still too long; none may be added.
TO_BE_DIVIDED = {"resumes/categories", "resumes/names", "resumes/documents"}
TO_BE_SHORTENED: set[str] = set()
LONG_FUNCTIONS = {
    "cli/impact.py:impact",
    "commands/audit.py:run_audit",
    "commands/probe.py:run_probe",
    "findings/compare.py:_difference",
    "findings/declared/group_rates.py:_ratio",
    "findings/impact/analysis.py:measure_impact",
    "findings/impact/findings.py:_ratio",
    "findings/population/mixed.py:_odds_ratios",
    "findings/population/rates.py:against_population",
    "report/charts/bands.py:band_chart",
    "report/charts/ratios.py:ratio_chart",
    "resumes/names/reading.py:_in_a_sentence",
    "resumes/names/slots.py:before_score",
    "runs/audit_block.py:audit_block",
}
#: The commands' functions are their options; statistics may have as many parameters as their formula.
MANY_PARAMETERS = {
    "commands/api.py:measure",
    "commands/measure.py:measure_saved",
    "integrations/inspect/tasks.py:an2024",
    "report/charts/bands.py:band_chart",
    "runs/finish.py:finish_run",
}


def within(path):
    return path.relative_to(PACKAGE).as_posix()


def entries(folder):
    """The modules and folders of a folder; data and what Python leaves there are none."""
    return [
        each
        for each in folder.iterdir()
        if each.name not in {"__init__.py", "__pycache__"} and (each.suffix == ".py" or each.is_dir())
    ]


def imported(tree):
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.module and not node.level:
            yield from (f"{node.module}.{alias.name}" for alias in node.names)
        elif isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)


def test_folders_have_a_dozen_entries_at_most():
    folders = [PACKAGE, *(each for each in PACKAGE.rglob("*") if each.is_dir() and each.name != "__pycache__")]
    full = {within(folder) for folder in folders if folder not in WIDE and len(entries(folder)) > MOST_ENTRIES}
    assert full == TO_BE_DIVIDED


def test_nothing_private_is_imported_from_another_room():
    found = []
    for path in PACKAGE.rglob("*.py"):
        room = path.relative_to(PACKAGE).parts[0]
        for name in imported(ast.parse(path.read_text(encoding="utf-8"))):
            parts = name.split(".")
            if parts[0] == "evenhand" and parts[1:2] != [room] and any(part.startswith("_") for part in parts[1:]):
                found.append(f"{within(path)}: {name}")
    assert found == []


def test_files_have_four_hundred_lines_at_most():
    long = {within(path) for path in PACKAGE.rglob("*.py") if len(path.read_text("utf-8").splitlines()) > MOST_LINES}
    assert long == TO_BE_SHORTENED


def functions():
    for path in PACKAGE.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                yield f"{within(path)}:{node.name}", node


def test_functions_have_sixty_lines_at_most_besides_what_describes_them():
    long = set()
    for name, node in functions():
        described = len((ast.get_docstring(node, clean=False) or "").splitlines())
        if node.end_lineno - node.lineno + 1 - described > MOST_LINES_OF_A_FUNCTION:
            long.add(name)
    assert long == LONG_FUNCTIONS


def test_functions_have_eight_parameters_at_most():
    many = set()
    for name, node in functions():
        given = [each.arg for each in (*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs)]
        if len([each for each in given if each not in {"self", "cls"}]) > MOST_PARAMETERS:
            many.add(name)
    assert {name for name in many if not name.startswith(("cli/", "stats/"))} == MANY_PARAMETERS


def test_no_place_but_the_registry_asks_what_kind_of_run_a_report_is_of():
    asks = re.compile(r"audit(?:\.get\(|\[)[\"']kind[\"']")
    found = {within(path) for path in (PACKAGE / "report").rglob("*.py") if asks.search(path.read_text("utf-8"))}
    assert found == {"report/kinds.py"}


def test_every_kind_of_run_has_files_and_a_page():
    assert KINDS.keys() == OWN_FILES.keys()
