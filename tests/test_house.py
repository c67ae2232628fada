"""The house keeps its order: small folders, nothing private across rooms, files and functions that can be read."""

import ast
import re
import subprocess
import sys
from collections import Counter
from functools import cache
from pathlib import Path
from pkgutil import resolve_name

import pytest

from evenhand.report.page.contents import Page
from evenhand.tables.audit.kinds import RUN_KINDS
from evenhand.tables.grouped import names

PACKAGE = Path(__file__).parents[1] / "src" / "evenhand"
#: Where each command has a file.
WIDE = {PACKAGE, PACKAGE / "cli", PACKAGE / "commands"}
MOST_ENTRIES, MOST_LINES, MOST_LINES_OF_A_FUNCTION, MOST_PARAMETERS = 12, 400, 60, 8


def within(path):
    return path.relative_to(PACKAGE).as_posix()


@cache
def parsed(path):
    return ast.parse(path.read_text("utf-8"))


@cache
def nodes(tree):
    """All nodes of a file: many tests look at them."""
    return tuple(ast.walk(tree))


def entries(folder):
    """The modules and folders of a folder; data and what Python leaves there are none."""
    return [
        each
        for each in folder.iterdir()
        if each.name not in {"__init__.py", "__pycache__"} and (each.suffix == ".py" or each.is_dir())
    ]


def imported(tree):
    for node in nodes(tree):
        if isinstance(node, ast.ImportFrom) and node.module and not node.level:
            yield from (f"{node.module}.{alias.name}" for alias in node.names)
        elif isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)


def test_folders_have_a_dozen_entries_at_most():
    folders = [PACKAGE, *(each for each in PACKAGE.rglob("*") if each.is_dir() and each.name != "__pycache__")]
    full = {within(folder) for folder in folders if folder not in WIDE and len(entries(folder)) > MOST_ENTRIES}
    assert full == set()


def test_three_files_with_one_prefix_become_a_folder():
    found = []
    for folder in (PACKAGE, *PACKAGE.rglob("*/")):
        prefixes = Counter(path.stem.strip("_").partition("_")[0] for path in folder.glob("*.py"))
        found += [f"{within(folder)}/{prefix}" for prefix, files in prefixes.items() if files > 2]
    assert found == []


def test_nothing_private_is_imported_from_another_room():
    found = []
    for path in PACKAGE.rglob("*.py"):
        room = path.relative_to(PACKAGE).parts[0]
        for name in imported(parsed(path)):
            parts = name.split(".")
            if parts[0] == "evenhand" and parts[1:2] != [room] and any(part.startswith("_") for part in parts[1:]):
                found.append(f"{within(path)}: {name}")
    assert found == []


def test_files_have_four_hundred_lines_at_most():
    long = {within(path) for path in PACKAGE.rglob("*.py") if len(path.read_text("utf-8").splitlines()) > MOST_LINES}
    assert long == set()


def functions():
    for path in PACKAGE.rglob("*.py"):
        for node in nodes(parsed(path)):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                yield f"{within(path)}:{node.name}", node


def test_functions_have_sixty_lines_at_most_besides_what_describes_them():
    long = set()
    for name, node in functions():
        described = len((ast.get_docstring(node, clean=False) or "").splitlines())
        if node.end_lineno - node.lineno + 1 - described > MOST_LINES_OF_A_FUNCTION:
            long.add(name)
    assert long == set()


def test_functions_have_eight_parameters_at_most():
    many = set()
    for name, node in functions():
        given = [each.arg for each in (*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs)]
        if len([each for each in given if each not in {"self", "cls"}]) > MOST_PARAMETERS:
            many.add(name)
    assert {name for name in many if not name.startswith("stats/")} == set()  # they have those of their formula


def naming(pattern):
    """Return the files of the package that a pattern is found in."""
    return {within(path) for path in PACKAGE.rglob("*.py") if re.search(pattern, path.read_text("utf-8"))}


def names_a_kind(node):
    """Say whether a part of a comparison or of a match is the name of a kind of run, or holds one."""
    return any(isinstance(each, ast.Constant) and each.value in RUN_KINDS for each in ast.walk(node))


def compared_kinds(tree):
    sides = [
        *(side for node in nodes(tree) if isinstance(node, ast.Compare) for side in (node.left, *node.comparators)),
        *(node.pattern for node in nodes(tree) if isinstance(node, ast.match_case)),
    ]
    plain = (ast.Constant, ast.Tuple, ast.List, ast.Set, ast.pattern)
    return [side.lineno for side in sides if isinstance(side, plain) and names_a_kind(side)]


@pytest.mark.parametrize(
    ("line", "found"),
    [
        ('if manifest["kind"] == "suite": pass', True),
        ('if "suite" == kind: pass', True),
        ('if run.audit.kind in {"probe", "measure"}: pass', True),
        ('match kind:\n    case "impact": pass', True),
        ('told = quoted(manifest.get("kind"))', False),
        ('kind = RUN_KINDS["suite"]', False),
    ],
)
def test_a_comparison_of_kinds_is_found(line, found):
    assert bool(compared_kinds(ast.parse(line))) is found


def test_nobody_compares_the_kind_of_a_run():
    found = {within(path): compared_kinds(parsed(path)) for path in PACKAGE.rglob("*.py")}
    assert {path: lines for path, lines in found.items() if lines} == {}


def test_nobody_asks_of_which_kind_measures_are():
    assert naming(r"(?<!assert )\bmeasured\.(choice|population|aspect) is\b") == set()


def test_audit_blocks_and_details_are_read_by_attributes():
    read = naming(r"\b(?:audit|details|accounting|shown)(?:\.get\(|\[)[fr]?[\"']")
    rooms = {"cli", "commands", "findings", "report", "runs"}
    assert {path for path in read if path.partition("/")[0] in rooms} == set()


def test_the_report_names_no_measure():
    measures = {getattr(names, each) for each in names.__all__}
    found = {
        within(path): measures & {node.value for node in nodes(parsed(path)) if is_text(node)}
        for path in (PACKAGE / "report").rglob("*.py")
    }
    assert {path: texts for path, texts in found.items() if texts} == {}


def is_text(node):
    return isinstance(node, ast.Constant) and isinstance(node.value, str)


def test_only_runs_writes_manifests_locks_and_audit_blocks():
    blocks = "|".join(kind.block.__name__ for kind in RUN_KINDS.values())
    changed = r"\bmanifest\s*\|=|\bmanifest\[[^\]]*\]\s*\|?=[^=]|\{\*\*manifest\b"
    made = rf"(?<!class )\b(?:RunLock|prepare_run_folder|{blocks})\((?!\))"
    written = naming(rf"\.write_(?:manifest|findings)\(|{made}|{changed}")
    # Where the folder itself is prepared.
    assert {path for path in written if not path.startswith("runs/")} == {"tables/run_folder.py"}


def read_by_key(tree):
    """The lines that read a manifest as a mapping, or hand on the plain values of one."""
    looked = [node.value for node in nodes(tree) if isinstance(node, ast.Subscript)]
    looked += [node.value for node in nodes(tree) if isinstance(node, ast.Attribute) and node.attr == "get"]
    named = [node for node in looked if re.search(r"(^|[._])manifest$", ast.unparse(node))]
    plain = [
        node
        for node in nodes(tree)
        if isinstance(node, ast.Name | ast.Attribute | ast.alias)
        and {getattr(node, name, "") for name in ("id", "attr", "name")} & {"manifest_values", "as_written"}
    ]
    return [node.lineno for node in (*named, *plain)]


@pytest.mark.parametrize(
    ("line", "found"),
    [
        ('probe = manifest["probe"]', True),
        ('probe = run.manifest.get("probe")', True),
        ('probe = manifest.as_written["probe"]', True),
        ("from evenhand.tables.run_folder import RunFolder, manifest_values", True),
        ("probe = manifest.probe", False),
        ('seed = manifest.parameters["seed"]', False),
    ],
)
def test_a_manifest_that_is_read_by_key_is_found(line, found):
    assert bool(read_by_key(ast.parse(line))) is found


def test_only_runs_reads_manifests_by_key():
    found = {within(path): read_by_key(parsed(path)) for path in PACKAGE.rglob("*.py")}
    # Where the folder itself is prepared.
    others = {path for path, lines in found.items() if lines and not path.startswith("runs/")}
    assert others == {"tables/run_folder.py"}


@pytest.mark.parametrize("kind", RUN_KINDS.values(), ids=RUN_KINDS)
def test_every_kind_of_run_has_a_page(kind):
    assert isinstance(resolve_name(kind.page_at), Page)


def compiled_at_import(tree):
    later = {node for each in nodes(tree) if isinstance(each, ast.FunctionDef) for node in ast.walk(each)}
    calls = [node for node in nodes(tree) if isinstance(node, ast.Call) and node not in later]
    return [call.lineno for call in calls if ast.unparse(call.func) in {"re.compile", "regex.compile"}]


def test_importing_a_room_compiles_no_pattern():
    found = {within(path): compiled_at_import(parsed(path)) for path in PACKAGE.rglob("*.py")}
    assert {path: lines for path, lines in found.items() if lines} == {}


def test_importing_all_rooms_opens_no_file():
    """What a room needs of its tables is read when it is asked for; a probe's definition is imported no earlier."""
    watched = """
import pkgutil, sys
import evenhand
opened = []
sys.addaudithook(lambda event, given: opened.append(str(given[0])) if event == "open" else None)
for module in pkgutil.walk_packages(evenhand.__path__, "evenhand."):
    needs_extras = module.name.startswith(("evenhand.__main__", "evenhand.integrations", "evenhand.models.local"))
    if not needs_extras and not module.name.endswith(".probe"):
        __import__(module.name)
own = str(evenhand.__path__[0])
print([each for each in opened if each.startswith(own) and not each.endswith((".py", ".pyc"))])
"""
    done = subprocess.run([sys.executable, "-B", "-c", watched], capture_output=True, text=True, check=False)
    assert done.stdout.strip() == "[]", done.stdout + done.stderr
