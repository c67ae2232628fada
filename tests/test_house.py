"""The house keeps its order: small folders, nothing private across rooms, files of a size that can be read."""

import ast
from pathlib import Path

from evenhand.report.kinds import KINDS
from evenhand.tables.run_folder import OWN_FILES

PACKAGE = Path(__file__).parents[1] / "src" / "evenhand"
#: Where each command has a file.
WIDE = {PACKAGE, PACKAGE / "cli", PACKAGE / "commands"}
MOST_ENTRIES, MOST_LINES = 12, 400
#: Rooms that are still too wide, and files that are still too long; none may be added.
TO_BE_DIVIDED = {"resumes/categories", "resumes/names", "resumes/documents"}
TO_BE_SHORTENED = {"resumes/names/standing.py"}


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


def test_no_place_but_the_registry_asks_what_kind_of_run_a_report_is_of():
    asks = [path for path in (PACKAGE / "report").rglob("*.py") if 'audit.get("kind")' in path.read_text("utf-8")]
    assert [within(path) for path in asks] == ["report/kinds.py"]


def test_every_kind_of_run_has_files_and_a_page():
    assert KINDS.keys() == OWN_FILES.keys()
