"""`evenhand export inspect`: some answers of a run, and its findings, for inspect_ai's viewer."""

from collections.abc import Mapping
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from evenhand.errors import InputError
from evenhand.runs.options import LARGEST_SEED
from evenhand.tables.files import refuse_existing

if TYPE_CHECKING:
    from evenhand.integrations.inspect.export import Exported

__all__ = ["SAMPLE", "export_inspect"]

#: So many answers are looked through in a viewer; more are for a script.
SAMPLE = 200


def export_inspect(
    run: Path, *, out: Path, sample: int = SAMPLE, seed: int = 0, force: bool = False, files: Mapping[str, Path | None]
) -> "Exported":
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
    if out.suffix != ".eval":
        raise InputError(f"--out is {out}; expected a file that ends in .eval.")
    if sample < 1:
        raise InputError(f"--sample is {sample}; expected a whole number from 1.")
    if not 0 <= seed <= LARGEST_SEED:
        raise InputError(f"--seed is {seed}; expected a whole number from 0 to {LARGEST_SEED}.")
    refuse_existing(out, force=force)
    from evenhand.integrations.inspect.export import write_log
    from evenhand.integrations.inspect.run import open_run

    given = {name: path for name, path in files.items() if path is not None}
    return write_log(open_run(run, files=given), out, sample=sample, seed=seed)
