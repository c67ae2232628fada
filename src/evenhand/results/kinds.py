"""Kinds of run: what each declares, in its module of `evenhand.kinds`, and how it is found there by its name."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules, resolve_name
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from evenhand.results.audit import Header
    from evenhand.results.finding import Finding

_ALWAYS = r"manifest\.json|findings\.(json|csv)|report\.html|tables\.xlsx"
_RENDERED_FILES = r"report\.html|findings\.csv|tables\.(csv|xlsx)"
#: The files of a run that has answers of a model.
ANSWER_FILES = r"((answers|judge)-\d+|batches|embeddings)\.jsonl|(outcomes|words|judged)\.parquet|(words|tables)\.csv"
#: The conditions of --fail-on that a run with probes can have.
OF_PROBES = ("difference", "adverse-impact", "below", "mark", "mark-estimate", "undetected")


def loaded(value: Any) -> Any:
    """Return a value that a kind declares, imported if it is the name of its place, 'module:name'."""
    return resolve_name(value) if isinstance(value, str) else value


@dataclass(frozen=True, kw_only=True)
class Sheet:
    """A table of a run that is a sheet of its workbook: its file, and of which type its columns are."""

    file: str
    columns: Any = None


_TABLE = ".csv, .parquet or .xlsx; or a connection URL with --table (duckdb://, sqlite://, postgres://, pyspark://)."


@dataclass(frozen=True, kw_only=True)
class RunKind:
    """A kind of run; what other modules define may be named as 'module:name', and is imported when it is used.

    `block` is the class of its audit block, `page` what its report shows of it (the terminal shows how it opens), and
    `groups` groups its findings for the page. `files` are those that it writes into its folder besides findings,
    report and sheets: --force removes these and nothing else. `sheets` are tables among them; `drawn` are further files
    that `evenhand report` writes again. `fail_on` are the conditions that it can be judged by.

    `analyse` makes a result of what is read and of `options`; `run` also writes it, by default at once. `recomputed`
    makes it again of what a bundle holds, by default with `analyse`. `outside` is what such a run was made from and
    does not keep.
    With `probes_below` the run of each of its probes lies in a folder of its own. `one_probe` says that it holds
    outcomes of one probe, `asks` that it asked a model for them and keeps the answers.

    Its command, if it has one (see `kind_commands`), is a function, `command`, or made of `options` and of an argument,
    which is what `run` or `analyse` reads: `reads` is its help, and it may be `several`. Of many options --help shows
    those that are `most_used`.
    """

    block: Any
    page: Any
    groups: Any = None
    files: str = ""
    drawn: str = ""
    sheets: Mapping[str, Sheet] = field(default_factory=dict)
    fail_on: tuple[str, ...] = ("difference",)
    options: Any = None
    analyse: Any = None
    run: Any = None
    recomputed: Any = "evenhand.evidence.recompute:recomputed_source"
    outside: str | None = None
    probes_below: bool = False
    one_probe: bool = False
    asks: bool = False
    command: str | None = None
    reads: str = _TABLE
    metavar: str = "TABLE"
    several: bool = False
    example: str = ""
    most_used: str = ""

    @property
    def all_files(self) -> str:
        """Return the pattern of the names of its files."""
        sheets = (re.escape(sheet.file) for sheet in self.sheets.values())
        return "|".join(filter(None, (_ALWAYS, self.files, self.drawn, *sheets)))

    @property
    def all_drawn(self) -> str:
        """Return the pattern of the names of files that are drawn from the others."""
        return "|".join(filter(None, (_RENDERED_FILES, self.drawn)))

    def grouped(self, findings: "Sequence[Finding]", audit: "Header") -> Any:
        """Return its findings as they are told."""
        return findings if self.groups is None else loaded(self.groups)(findings, audit)


#: The folder of the modules, by whose names kinds are known.
_FOLDER: Final = Path(__file__).parents[1] / "kinds"


@cache
def kind_names() -> tuple[str, ...]:
    """Return the names of all kinds of run."""
    return tuple(module.name for module in iter_modules([str(_FOLDER)]))


def kind_commands() -> dict[str, tuple[str, str]]:
    """Return the commands that make runs of one kind, by name, with the kind and the summary of the command.

    The first lines of the kinds' modules have both, `evenhand NAME`: SUMMARY; they are read, and no module is imported.

    >>> kind_commands()["audit"]
    ('suite', 'Run several probes on a language model.')
    """
    found = {}
    for path in sorted(_FOLDER.glob("*.py")):
        with path.open(encoding="utf-8") as file:
            first = re.match(r'"""`evenhand ([\w-]+)`: ([^"]+)', file.readline())
        if first:
            found[first[1]] = (path.stem, first[2].strip())
    return found


#: A kind of run that this version doesn't know: a probe's page is tried, and nothing is taken for granted. Parts that
#: `collect merge` joins are judged as it is, before it is known of which kind they are.
UNKNOWN: Final = RunKind(
    block="evenhand.results.audit:ProbeAudit",
    page="evenhand.report.probe.sections:PROBE",
    groups="evenhand.results.probe_groups:probe_groups",
    fail_on=OF_PROBES,
)


def run_kind(kind: object) -> RunKind:
    """Return what is known of a kind of run, by the name that manifests give it; its module is imported.

    >>> run_kind("suite").probes_below, run_kind("another") is UNKNOWN
    (True, True)
    """
    return import_module(f"evenhand.kinds.{kind}").KIND if kind in kind_names() else UNKNOWN
