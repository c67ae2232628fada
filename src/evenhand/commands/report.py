"""`evenhand report`: the report of a finished run, written again."""

from pathlib import Path

from evenhand import report
from evenhand.errors import InputError
from evenhand.report.page.document import document_of
from evenhand.tables.audit.suite import SuiteAudit
from evenhand.tables.files import refuse_existing

__all__ = ["write_again"]


def write_again(run: Path, out: Path | None, *, force: bool) -> Path:
    """Write what follows from the findings of a run, or its page into another file; return the path of the page.

    Of a suite, the files of its probes are written again, too.

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
    path = report.write_files(run)
    suite = document_of(SuiteAudit, run)
    for probe in () if suite is None else suite.audit.probes:
        report.write_files(run / probe.folder)
    return path
