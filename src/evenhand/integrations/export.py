"""`evenhand export inspect`: a finished run as a log of inspect_ai, where that package is installed."""

from collections.abc import Mapping
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from evenhand.analyses.options.output import ExportOptions
from evenhand.errors import InputError
from evenhand.results.files import refuse_existing

if TYPE_CHECKING:
    from evenhand.integrations.inspect_log import Exported


def export_inspect(run: Path, options: ExportOptions, *, files: Mapping[str, Path]) -> "Exported":
    """Write an .eval file and return what it holds.

    `files` are the run's input files (`corpus`, `templates`): its manifest holds
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
    from evenhand.integrations.inspect_log import open_run, write_log

    return write_log(open_run(run, files=files), options.out, sample=options.sample, seed=options.seed)
