"""Options of where results are written, and of commands around runs: data, reports, bundles, dashboards."""

from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from ipaddress import ip_address
from pathlib import Path
from typing import Annotated, Any

from evenhand.options import Group, Option

#: Servers take 64-bit seeds, and each repetition adds one.
LARGEST_SEED = 2**53


def seed_option(help_text: str) -> Option:
    """Return the option of a seed."""
    return Option(
        help_text,
        check=lambda seed: 0 <= seed <= LARGEST_SEED,
        expected=f"a whole number from 0 to {LARGEST_SEED}",
        same=True,
    )


Seed = Annotated[int, seed_option("Fixes which prompts are drawn, their order, and all resampling.")]


Force = Annotated[
    bool, Option("Replace a run that --out holds; other folders are left alone.", kept=False, again=False)
]


@dataclass(frozen=True, kw_only=True)
class Output(Group):
    """The folder of a run, by default in runs/, and its seed."""

    out: Annotated[
        Path | None, Option("Folder of the run; default runs/<command>-<UTC time>.", kept=False, again=False)
    ] = None
    force: Force = False
    seed: Seed = 0

    def folder(self, command: str) -> Path:
        """Return the folder of a run of `command`."""
        return self.out if self.out is not None else default_out(command)


@dataclass(frozen=True, kw_only=True)
class Reported(Output):
    """The folder of a run, and whether its report is written; `evenhand report` writes it later."""

    report: Annotated[bool, Option("Write tables and findings only, which is faster.", kept=False, again=False)] = True


def default_out(command: str, *, now: datetime | None = None, runs: Path = Path("runs")) -> Path:
    """Return a new folder in runs/, named by command and UTC time."""
    moment = (now if now is not None else datetime.now(UTC)).strftime("%Y%m%dT%H%M%SZ")
    path, number = runs / f"{command}-{moment}", 2
    while path.exists():
        path, number = runs / f"{command}-{moment}-{number}", number + 1
    return path


UnpackLimit = Annotated[
    int, Option("Megabytes that a workbook or document may unpack to.", metavar="MB", expected="whole megabytes")
]


Where = Annotated[tuple[str, ...], Option("Condition on the rows, in SQL; repeatable, each is counted.")]
Unknown = Annotated[tuple[str, ...], Option("Further labels that mean: not known.", commas=True)]
Map = Annotated[
    tuple[str, ...],
    Option("What labels of a column stand for: COLUMN:FROM=TO,…; repeatable.", metavar="COLUMN:FROM=TO"),
]


def _kind_of_numbers() -> Any:
    return Option("Default: what they look like.", choices=("counts", "shares", "percents"))


@dataclass(frozen=True, kw_only=True)
class Replacing(Group):
    """Whether files are replaced."""

    force: Annotated[bool, Option("Replace files that are there already.", kept=False, again=False)] = False


@dataclass(frozen=True, kw_only=True)
class SheetOptions(Replacing):
    """The options of `evenhand data label-sheet`."""

    out: Annotated[Path, Option("CSV for the annotators; the key is written beside it.")]
    probe: Annotated[
        str | None, Option("Of saved answers: the probe that they answer; default: e-mails as an2024 has them.")
    ] = None
    sample: Annotated[int, Option("Answers to draw, spread over the groups.")] = 200
    seed: Annotated[int, seed_option("Fixes which answers are drawn, and their order.")] = 0


@dataclass(frozen=True, kw_only=True)
class ExportOptions(Replacing):
    """The options of `evenhand export inspect`; the sample is small, as people page through it."""

    out: Annotated[Path, Option("The log to write, FILE.eval.")]
    sample: Annotated[
        int,
        Option(
            "Answers to write, spread over statuses and groups.",
            check=lambda answers: answers >= 1,
            expected="a whole number from 1",
        ),
    ] = 200
    seed: Annotated[int, seed_option("Fixes which answers are drawn.")] = 0


@dataclass(frozen=True, kw_only=True)
class NameOptions(Replacing):
    """The options of `evenhand data names`; columns and kinds of numbers are guessed if not given."""

    top: Annotated[int, Option("Names per race and gender.")] = 50
    min_count: Annotated[float, Option("A name occurs more often than this.")] = 1000
    min_share: Annotated[float, Option("Majorities are larger than this.")] = 0.5
    name_column: Annotated[str | None, Option("Column of the names.")] = None
    count_column: Annotated[str | None, Option("Column of the counts.")] = None
    race: Annotated[tuple[str, ...], Option("Column of a race; give each.", metavar="GROUP=COLUMN", commas=True)] = ()
    gender: Annotated[
        tuple[str, ...], Option("Column of a gender; give each.", metavar="GROUP=COLUMN", commas=True)
    ] = ()
    races_as: Annotated[str | None, _kind_of_numbers()] = None
    genders_as: Annotated[str | None, _kind_of_numbers()] = None
    out: Annotated[Path | None, Option("CSV to write; default: stdout.")] = None


@dataclass(frozen=True, kw_only=True)
class ReportOptions(Replacing):
    """The options of `evenhand report`."""

    out: Annotated[Path | None, Option("A file for the page alone; without it all of RUN is drawn again.")] = None


@dataclass(frozen=True, kw_only=True)
class BundleOptions(Replacing):
    """The options of `evenhand bundle`."""

    out: Annotated[Path, Option("The bundle to write, FILE.zip.", metavar="FILE.zip")]
    key: Annotated[Path | None, Option("Private key that signs it; see evenhand keys new.", metavar="FILE")] = None
    redact_answers: Annotated[bool, Option("Put hashes in the place of what a model wrote.")] = False
    files: Annotated[
        tuple[Path, ...],
        Option("A file that a run was made from, to go inside: answers, prompts, names; repeat.", flag="--with"),
    ] = ()
    auditor: Annotated[str | None, Option("Who made the runs, for the audit protocol.", metavar="TEXT")] = None
    store: Annotated[
        str | None, Option("Store of evenhand monitor whose log's head goes inside.", metavar="FILE|URL")
    ] = None


@dataclass(frozen=True, kw_only=True)
class VerifyOptions(Group):
    """The options of `evenhand verify`."""

    public_key: Annotated[Path | None, Option("Public key of who should have signed it.", metavar="FILE")] = None


@dataclass(frozen=True, kw_only=True)
class KeyOptions(Group):
    """The options of `evenhand keys new`."""

    out: Annotated[Path, Option("Private key to write; the public key is written beside it, FILE.pub.")] = Path(
        "evenhand.key"
    )


@dataclass(frozen=True, kw_only=True)
class AgreementOptions(Replacing):
    """The options of `evenhand data agreement`."""

    key: Annotated[
        Path | None, Option("The sheet's key: how well the reader reads, per group; not for annotators.")
    ] = None
    out: Annotated[Path | None, Option("CSV or JSONL of labels, for --labels.")] = None


@dataclass(frozen=True, kw_only=True)
class ExampleOptions(Replacing):
    """The options of `evenhand data example`."""

    out: Annotated[Path | None, Option("File to write; default: EXAMPLE.csv, or .parquet.")] = None


def _count(help_text: str, most: int) -> Option:
    return Option(
        help_text, metavar="N", check=lambda count: 1 <= count <= most, expected=f"a whole number from 1 to {most:,}"
    )


@dataclass(frozen=True, kw_only=True)
class CompanyOptions(Group):
    """The options of `evenhand data company`."""

    out: Annotated[Path, Option("Folder to write.")]
    people: Annotated[int, _count("People who apply.", 100_000)] = 2_000
    positions: Annotated[int, _count("Positions.", 10_000)] = 60
    pairs: Annotated[
        int | None, _count("Applications: pairs of a person and a position; default: four per person.", 1_000_000)
    ] = None
    seed: Annotated[int, seed_option("Fixes all that is drawn.")] = 0
    force: Annotated[
        bool, Option("Replace a company that --out holds; other folders are left alone.", kept=False, again=False)
    ] = False


def _is_address(text: str) -> bool:
    with suppress(ValueError):
        return bool(ip_address(text))
    return False


@dataclass(frozen=True, kw_only=True)
class ServeOptions(Group):
    """The options of `evenhand serve`."""

    store: Annotated[str | None, Option("Store of evenhand monitor to show.", metavar="FILE|URL")] = None
    runs: Annotated[Path | None, Option("Folder with finished runs to show.", metavar="DIR")] = None
    analyses: Annotated[
        Path | None, Option("Private folder for tables that are analysed from the page New analysis.", metavar="DIR")
    ] = None
    upload_limit: Annotated[
        int,
        Option(
            "Megabytes that a table may have there.",
            metavar="MB",
            check=lambda megabytes: megabytes > 0,
            expected="a number from 1",
        ),
    ] = 1024
    keep_days: Annotated[
        int | None,
        Option(
            "Days after which tables and their analyses are removed: 7 with --analyses, else they are kept.",
            check=lambda days: days > 0,
            expected="a number from 1",
        ),
    ] = None
    cutoffs: Annotated[
        tuple[float, ...],
        Option(
            "Cut-offs of scores that Bias shows to everybody beside the decisions, five at most.",
            commas=True,
            check=lambda cutoff: round(cutoff, 4) == cutoff,
            expected="numbers of at most four decimals, such as .5,.7",
        ),
    ] = ()
    host: Annotated[
        str, Option("Address to listen at; other than this machine's needs EVENHAND_TOKEN or --user-header.")
    ] = "127.0.0.1"
    port: Annotated[
        int, Option("Port to listen at.", check=lambda port: 0 <= port < 65_536, expected="a number from 0 to 65535")
    ] = 8400
    browser: Annotated[bool, Option("Don't open a browser where no store, runs or folder is given.")] = True
    proxy: Annotated[
        tuple[str, ...],
        Option(
            "Address of a reverse proxy, whose X-Forwarded-Proto and X-Forwarded-For are believed; cookies are Secure "
            "where it says https.",
            metavar="IP",
            commas=True,
            check=_is_address,
            expected="an address, such as 127.0.0.1",
        ),
    ] = ()
    access_log: Annotated[
        Path | None, Option("File for a line of JSON about every request; - is stderr.", metavar="FILE")
    ] = None
    check_config: Annotated[bool, Option("Check all options, say what would be served, and end.")] = False
    user_header: Annotated[
        str | None, Option("Header with the user's name that a reverse proxy sets, and takes out of what it is sent.")
    ] = None
    roles: Annotated[
        Path | None,
        Option('TOML with a line per user: ana = "viewer", "labeller", "supervisor" or "admin".', metavar="FILE"),
    ] = None
