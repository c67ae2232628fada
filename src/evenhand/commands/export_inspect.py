"""`evenhand export inspect`: some answers of a run, and its findings, for inspect_ai's viewer."""

from collections.abc import Mapping
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from evenhand.errors import InputError
from evenhand.runs.options.files import ExportOptions
from evenhand.tables.files import refuse_existing

if TYPE_CHECKING:
    from evenhand.integrations.inspect.export import Exported

__all__ = ["export_inspect"]


def export_inspect(run: Path, options: ExportOptions, *, files: Mapping[str, Path]) -> "Exported":
    """Write an .eval file and return what it holds.

    `files` are those the run was asked with (`corpus`, `templates`): its manifest holds
    their fingerprints only.

    Raises
    ------
    InputError
        inspect_ai is not installed, the run can't be exported, or the file not written.

    """
    if find_spec("inspect_ai") is None:
        raise InputError("export inspect needs inspect_ai, which is not installed; install evenhand[inspect].")
    if options.out.suffix != ".eval":
        raise InputError(f"--out is {options.out}; expected a file that ends in .eval.")
    refuse_existing(options.out, force=options.force)
    from evenhand.integrations.inspect.export import write_log
    from evenhand.integrations.inspect.run import open_run

    return write_log(open_run(run, files=files), options.out, sample=options.sample, seed=options.seed)
