"""What `evenhand serve` is asked: what is shown, where, and to whom."""

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

from evenhand.options import Group, Option

__all__ = ["ServeOptions"]


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
        int,
        Option(
            "Days after which tables and their analyses are removed.",
            check=lambda days: days > 0,
            expected="a number from 1",
        ),
    ] = 7
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
    user_header: Annotated[
        str | None, Option("Header with the user's name that a reverse proxy sets, and takes out of what it is sent.")
    ] = None
    roles: Annotated[
        Path | None, Option('TOML with a line per user: ana = "viewer", "labeller" or "admin".', metavar="FILE")
    ] = None
