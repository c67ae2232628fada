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


def whole_number(help_text: str, *, least: int = 1) -> Option:
    """Return the option of a whole number, `least` or larger."""
    return Option(help_text, check=lambda number: number >= least, expected=f"a whole number from {least}")


Seed = Annotated[int, seed_option("Seed of the random draws and of resampling.")]


Force = Annotated[
    bool, Option("Replace the run in --out; a folder without a run is never replaced.", kept=False, again=False)
]


@dataclass(frozen=True, kw_only=True)
class Output(Group):
    """The folder of a run, by default in runs/, and its seed."""

    out: Annotated[
        Path | None, Option("Folder to write the run to; default runs/<command>-<UTC time>.", kept=False, again=False)
    ] = None
    force: Force = False
    seed: Seed = 0

    def folder(self, command: str) -> Path:
        """Return the folder of a run of `command`; by default a new one in runs/, named by command and UTC time."""
        name = f"{command}-{datetime.now(UTC):%Y%m%dT%H%M%SZ}"
        path, number = self.out or Path("runs") / name, 2
        while self.out is None and path.exists():
            path, number = Path("runs") / f"{name}-{number}", number + 1
        return path


@dataclass(frozen=True, kw_only=True)
class Reported(Output):
    """The folder of a run, and whether its report is written; `evenhand report` writes it later."""

    report: Annotated[
        bool, Option("Write no report, only tables and findings, which is faster.", kept=False, again=False)
    ] = True


UnpackLimit = Annotated[
    int, Option("Largest size of an unpacked workbook or document.", metavar="MB", expected="whole megabytes")
]


Where = Annotated[
    tuple[str, ...],
    Option("Condition that rows must meet, in SQL; repeatable. The report says how many rows each one removes."),
]
Unknown = Annotated[tuple[str, ...], Option("Additional labels that mean unknown.", commas=True)]
Map = Annotated[
    tuple[str, ...],
    Option("Rename labels: COLUMN:FROM=TO,…; repeatable.", metavar="COLUMN:FROM=TO"),
]


def _kind_of_numbers() -> Any:
    return Option(
        "How the numbers are read; default: guessed from the numbers.", choices=("counts", "shares", "percents")
    )


@dataclass(frozen=True, kw_only=True)
class Replacing(Group):
    """Whether files are replaced."""

    force: Annotated[bool, Option("Replace existing files.", kept=False, again=False)] = False


@dataclass(frozen=True, kw_only=True)
class SheetOptions(Replacing):
    """The options of `evenhand data label-sheet`."""

    out: Annotated[Path, Option("CSV to write for the annotators; the key is written next to it.")]
    probe: Annotated[str | None, Option("Probe that the saved answers belong to; default: e-mails, as in an2024.")] = (
        None
    )
    sample: Annotated[int, Option("Number of answers to draw, spread over the groups.")] = 200
    seed: Annotated[int, seed_option("Seed of the draw and of its order.")] = 0


@dataclass(frozen=True, kw_only=True)
class ExportOptions(Replacing):
    """The options of `evenhand export inspect`; the sample is small, as people page through it."""

    out: Annotated[Path, Option("Log to write, FILE.eval.")]
    sample: Annotated[
        int,
        whole_number("Number of answers to write, spread over statuses and groups."),
    ] = 200
    seed: Annotated[int, seed_option("Seed of the draw.")] = 0


@dataclass(frozen=True, kw_only=True)
class NameOptions(Replacing):
    """The options of `evenhand data names`; columns and kinds of numbers are guessed if not given."""

    top: Annotated[int, Option("Number of names of each race and gender.")] = 50
    min_count: Annotated[float, Option("Keep names that occur more often than this.")] = 1000
    min_share: Annotated[float, Option("Keep names whose majority group has a larger share than this.")] = 0.5
    name_column: Annotated[str | None, Option("Column of the names.")] = None
    count_column: Annotated[str | None, Option("Column of the counts.")] = None
    race: Annotated[
        tuple[str, ...], Option("Column of a race; repeat for each race.", metavar="GROUP=COLUMN", commas=True)
    ] = ()
    gender: Annotated[
        tuple[str, ...], Option("Column of a gender; repeat for each gender.", metavar="GROUP=COLUMN", commas=True)
    ] = ()
    races_as: Annotated[str | None, _kind_of_numbers()] = None
    genders_as: Annotated[str | None, _kind_of_numbers()] = None
    out: Annotated[Path | None, Option("CSV to write; default: stdout.")] = None


@dataclass(frozen=True, kw_only=True)
class ReportOptions(Replacing):
    """The options of `evenhand report`."""

    out: Annotated[Path | None, Option("File for the page alone; by default every page of RUN is written again.")] = (
        None
    )


@dataclass(frozen=True, kw_only=True)
class BundleOptions(Replacing):
    """The options of `evenhand bundle`."""

    out: Annotated[Path, Option("Bundle to write, FILE.zip.", metavar="FILE.zip")]
    key: Annotated[
        Path | None, Option("Private key to sign the bundle with; evenhand keys new makes one.", metavar="FILE")
    ] = None
    redact_answers: Annotated[bool, Option("Replace the text of the model's answers with hashes.")] = False
    files: Annotated[
        tuple[Path, ...],
        Option("Add an input file of a run, such as answers, prompts or names; repeatable.", flag="--with"),
    ] = ()
    auditor: Annotated[str | None, Option("Person who made the runs, for the audit protocol.", metavar="TEXT")] = None
    store: Annotated[
        str | None, Option("Store of evenhand monitor; the bundle records the head of its log.", metavar="FILE|URL")
    ] = None


@dataclass(frozen=True, kw_only=True)
class VerifyOptions(Group):
    """The options of `evenhand verify`."""

    public_key: Annotated[Path | None, Option("Public key of the expected signer.", metavar="FILE")] = None


@dataclass(frozen=True, kw_only=True)
class KeyOptions(Group):
    """The options of `evenhand keys new`."""

    out: Annotated[Path, Option("Private key to write; the public key is written to FILE.pub.")] = Path("evenhand.key")


@dataclass(frozen=True, kw_only=True)
class AgreementOptions(Replacing):
    """The options of `evenhand data agreement`."""

    key: Annotated[
        Path | None,
        Option("Key of the sheet: adds the accuracy of evenhand's own reading, by group. Annotators must not see it."),
    ] = None
    out: Annotated[Path | None, Option("CSV or JSONL file of the agreed labels to write, for --labels.")] = None


@dataclass(frozen=True, kw_only=True)
class ExampleOptions(Replacing):
    """The options of `evenhand data example`."""

    out: Annotated[Path | None, Option("File to write; default: EXAMPLE.csv or EXAMPLE.parquet.")] = None


def _count(help_text: str, most: int) -> Option:
    return Option(
        help_text, metavar="N", check=lambda count: 1 <= count <= most, expected=f"a whole number from 1 to {most:,}"
    )


@dataclass(frozen=True, kw_only=True)
class CompanyOptions(Group):
    """The options of `evenhand data company`."""

    out: Annotated[Path, Option("Folder to write.")]
    people: Annotated[int, _count("Number of people who apply.", 100_000)] = 2_000
    positions: Annotated[int, _count("Positions.", 10_000)] = 60
    pairs: Annotated[int | None, _count("Number of applications; default: four per person.", 1_000_000)] = None
    seed: Annotated[int, seed_option("Seed of the random draws.")] = 0
    force: Annotated[
        bool, Option("Replace the company in --out; a folder without one is never replaced.", kept=False, again=False)
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
        Path | None, Option("Private folder for the tables and reports of the page New analysis.", metavar="DIR")
    ] = None
    upload_limit: Annotated[
        int,
        Option(
            "Largest size of a table that is uploaded on that page.",
            metavar="MB",
            check=lambda megabytes: megabytes > 0,
            expected="a number from 1",
        ),
    ] = 1024
    keep_days: Annotated[
        int | None,
        Option(
            "Days to keep those tables and reports; default: 7 with --analyses, without it forever.",
            check=lambda days: days > 0,
            expected="a number from 1",
        ),
    ] = None
    cutoffs: Annotated[
        tuple[float, ...],
        Option(
            "Cut-offs of scores, five at most, that the page Bias compares with the decisions.",
            commas=True,
            check=lambda cutoff: round(cutoff, 4) == cutoff,
            expected="numbers of at most four decimals, such as .5,.7",
        ),
    ] = ()
    host: Annotated[
        str, Option("Address to listen on; one that other machines reach needs EVENHAND_TOKEN or --user-header.")
    ] = "127.0.0.1"
    port: Annotated[
        int, Option("Port to listen on.", check=lambda port: 0 <= port < 65_536, expected="a number from 0 to 65535")
    ] = 8400
    browser: Annotated[bool, Option("Don't open a browser, as serve does without --store, --runs and --analyses.")] = (
        True
    )
    proxy: Annotated[
        tuple[str, ...],
        Option(
            "Address of a trusted reverse proxy: evenhand reads its X-Forwarded-Proto and X-Forwarded-For, and "
            "marks cookies Secure behind https.",
            metavar="IP",
            commas=True,
            check=_is_address,
            expected="an address, such as 127.0.0.1",
        ),
    ] = ()
    access_log: Annotated[
        Path | None, Option("File to log requests to, one line of JSON each; - is stderr.", metavar="FILE")
    ] = None
    check_config: Annotated[bool, Option("Check the options, print what would be served, and exit.")] = False
    user_header: Annotated[
        str | None,
        Option(
            "Header in which the reverse proxy passes the user's name; it must remove this header from incoming "
            "requests."
        ),
    ] = None
    roles: Annotated[
        Path | None,
        Option(
            'TOML file with a line for each user: ana = "viewer", "labeller", "supervisor" or "admin".', metavar="FILE"
        ),
    ] = None
