"""`evenhand report`: the report of a finished run, written again."""

from pathlib import Path

from evenhand import report
from evenhand.errors import InputError
from evenhand.tables.files import refuse_existing

__all__ = ["write_again"]


def write_again(run: Path, out: Path | None, *, force: bool) -> Path:
    """Write a run's report, its own or another file; return the path.

    Raises
    ------
    InputError
        There is no finished run, or the other file is there already or is one of the run.

    """
    if out is not None:
        refuse_existing(out, force=force)
        if out.name != "report.html" and out.exists() and out.resolve().parent == run.resolve():
            raise InputError(f"--out {out} is a file of the run; choose another.")
    return report.write_report(run, out)
