"""Packages keep their order: no circles, nothing private across packages, two folders deep, imports that do no work.

Which package may import which is checked by the contracts in pyproject.toml (`lint-imports`).
"""

import ast
import re
import subprocess
import sys
from functools import cache
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parents[1] / "src" / "evenhand"
MODULES = {
    ".".join(("evenhand", *path.relative_to(PACKAGE).with_suffix("").parts)).removesuffix(".__init__"): path
    for path in sorted(PACKAGE.rglob("*.py"))
}


@cache
def parsed(path):
    return ast.parse(path.read_text("utf-8"))


@cache
def run_at_import(path):
    """The nodes of a module that are run when it is imported: none in functions, nor what is for types only."""
    left, nodes = list(parsed(path).body), []
    while left:
        node = left.pop()
        nodes.append(node)
        if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING":
            left += node.orelse
        elif not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
            left += ast.iter_child_nodes(node)
    return nodes


def imported_at_once(path):
    """The dotted names that a module imports when it is imported itself."""
    for node in run_at_import(path):
        if isinstance(node, ast.ImportFrom) and node.module:
            yield from (f"{node.module}.{alias.name}" for alias in node.names)
        elif isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)


def module_of(name):
    """The module of the package that a dotted name is, or is in."""
    return name if name in MODULES else name.rpartition(".")[0]


def test_modules_import_each_other_in_no_circle():
    graph = {
        module: {module_of(name) for name in imported_at_once(path)} & set(MODULES) - {module}
        for module, path in MODULES.items()
    }
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        pytest.fail(" imports ".join(reversed(error.args[1])))


def test_nothing_private_is_imported_from_another_package():
    private = []
    for module, path in MODULES.items():
        package = module.split(".")[1:2]
        for name in imported_at_once(path):
            parts = name.split(".")
            if parts[0] == "evenhand" and parts[1:2] != package and any(part.startswith("_") for part in parts[1:]):
                private.append(f"{module}: {name}")
    assert private == []


def test_modules_lie_two_folders_deep_at_most():
    assert [module for module in MODULES if module.count(".") > 3] == []


def test_importing_a_module_compiles_no_pattern():
    compiled = {
        module: node.lineno
        for module, path in MODULES.items()
        for node in run_at_import(path)
        if isinstance(node, ast.Call) and ast.unparse(node.func) in {"re.compile", "regex.compile"}
    }
    assert compiled == {}


def test_importing_all_modules_opens_no_file():
    """What a module needs of its tables is read when it is used; a probe's definition is imported no earlier."""
    watched = """
import pkgutil, sys
import evenhand
opened = []
sys.addaudithook(lambda event, values: opened.append(str(values[0])) if event == "open" else None)
for module in pkgutil.walk_packages(evenhand.__path__, "evenhand."):
    needs_extras = module.name.startswith(("evenhand.__main__", "evenhand.integrations", "evenhand.models.local"))
    if not needs_extras and not module.name.endswith(".probe"):
        __import__(module.name)
package = str(evenhand.__path__[0])
print([path for path in opened if path.startswith(package) and not path.endswith((".py", ".pyc"))])
"""
    done = subprocess.run([sys.executable, "-B", "-c", watched], capture_output=True, text=True, check=False)
    assert done.stdout.strip() == "[]", done.stdout + done.stderr


def test_only_modules_of_an_extra_need_it():
    """What `pip install evenhand` alone gives imports everything else; an extra is imported where it is used."""
    blocked = """
import importlib, pkgutil, re, sys, tomllib
extras = tomllib.load(open(sys.argv[1], "rb"))["project"]["optional-dependencies"]
names = {re.match(r"[\\w-]+", line)[0].replace("-", "_") for lines in extras.values() for line in lines}
names = names - {"ibis_framework"} | {"pdfminer", "sklearn"}

class Blocked:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in names:
            raise ModuleNotFoundError(name, name=name)

sys.meta_path.insert(0, Blocked())
import evenhand
failed = []
for module in pkgutil.walk_packages(evenhand.__path__, "evenhand."):
    try:
        if not module.name.endswith("__main__"):
            importlib.import_module(module.name)
    except ModuleNotFoundError:
        failed.append(module.name)
print(*failed)
"""
    done = subprocess.run(
        [sys.executable, "-B", "-c", blocked, PACKAGE.parents[1] / "pyproject.toml"],
        capture_output=True,
        text=True,
        check=True,
    )
    needing = ("evenhand.dashboard.", "evenhand.integrations.inspect_", "evenhand.masking.documents.")
    failed = done.stdout.split()
    assert failed
    assert [module for module in failed if not module.startswith(needing)] == []


#: What a command line, or a line of Python, never imports: packages, modules of evenhand by their names in it.
WITHOUT = {
    "import evenhand.options": "polars numpy typer",
    "import evenhand; evenhand.mask": "polars numpy typer",
    "evenhand --help": "polars numpy",
    "evenhand impact --help": "polars numpy",
    "evenhand monitor record t.csv --store c.db --model m --time at --time-zone UTC --score score --selected invited": (
        "analyses.probes comparisons masking matching models probes report synthetic"
    ),
    "import evenhand; evenhand.monitor.record('t.csv', store='f.db', model='m', time='at', score='score')": (
        "analyses.probes comparisons masking matching models probes report synthetic"
    ),
    "import evenhand; evenhand.monitor.Recorder('r.db', model='m').close()": (
        "analyses cli comparisons masking matching models probes report synthetic"
    ),
}
TABLE = "at,score,invited\n2026-01-01T10:00:00Z,50,1\n2026-01-01T11:00:00Z,60,0\n"


def modules_after(line, folder):
    """Return the names of the modules that a command line, or a line of Python, has imported at its end."""
    (folder / "t.csv").write_text(TABLE, "utf-8")
    words = line.split()
    code = f"from evenhand.cli import app; app({words[1:]}, standalone_mode=False)" if words[0] == "evenhand" else line
    print_them = "import sys; print(*sys.modules, file=sys.stderr)"
    done = subprocess.run(
        [sys.executable, "-c", f"{code}\n{print_them}"], cwd=folder, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return set(done.stderr.splitlines()[-1].split())


@pytest.mark.parametrize("line", WITHOUT)
def test_a_command_imports_no_package_that_it_does_not_use(line, tmp_path):
    modules = modules_after(line, tmp_path)
    names = {f"evenhand.{name}" if f"evenhand.{name}" in MODULES else name for name in WITHOUT[line].split()}
    assert sorted(names & modules) == []


#: The most modules of evenhand that a command may enter.
RECORD = next(line for line in WITHOUT if line.startswith("evenhand monitor record"))
MOST_MODULES = {
    "evenhand impact --counts women=557/1835,men=1198/2691 --out r": 68,
    "evenhand --help": 11,
    RECORD: 65,
    "import evenhand; evenhand.mask('Jane Doe, she/her. Tel. 312-555-0188')": 24,
}


@pytest.mark.parametrize("line", MOST_MODULES)
def test_a_command_enters_few_modules(line, tmp_path):
    entered = {name for name in modules_after(line, tmp_path) if name.partition(".")[0] == "evenhand"}
    assert len(entered) <= MOST_MODULES[line], sorted(entered)


def test_the_page_on_structure_names_files_that_are_there():
    page = (Path(__file__).parents[1] / "docs" / "design" / "structure.md").read_text("utf-8")
    ways = page.partition("## Four ways")[2].partition("\n## ")[0]
    named = set(re.findall(r"`([a-z_0-9]+/[\w/]+\.py)`", ways))
    assert len(named) > 20
    assert sorted(name for name in named if not (PACKAGE / name).exists()) == []
