"""`evenhand.bundle` and `evenhand.verify`: evidence for outside auditors from Python."""

from collections.abc import Sequence
from pathlib import Path

from evenhand.commands.evidence.bundle import Bundled, write_bundle
from evenhand.commands.evidence.verify import Verified, verify_bundle
from evenhand.options import from_python
from evenhand.runs.finished_run import Run
from evenhand.runs.options.files import BundleOptions, VerifyOptions

__all__ = ["bundle", "verify"]


@from_python()
def bundle(runs: str | Path | Run | Sequence[str | Path | Run], *, options: BundleOptions) -> Bundled:
    """Return what was written: finished runs, or their folders, as one file that an outside auditor can check.

    Raises
    ------
    InputError
        A run is not finished or was changed since, the key is none, or the file can't be written.

    >>> import tempfile
    >>> from evenhand import impact
    >>> folder = Path(tempfile.mkdtemp())
    >>> run = impact({"women": (557, 1835), "men": (1198, 2691)}, out=folder / "run")
    >>> written = bundle(run, out=folder / "run.zip")
    >>> written.runs, written.key is None
    (('runs/1-impact',), True)
    >>> [(each.recomputed, each.findings) for each in verify(written.path).runs]
    [(3, 3)]
    """
    several = [runs] if isinstance(runs, str | Path | Run) else runs
    return write_bundle([each.folder if isinstance(each, Run) else Path(each) for each in several], options)


@from_python()
def verify(file: str | Path, options: VerifyOptions) -> Verified:
    """Return what was checked of a bundle; its findings are computed again from what is in it.

    Raises
    ------
    InputError
        It is no bundle, or an unsafe one, one of a newer version, or the key is none.
    CheckFailed
        Something in it is not as it was made; the first such thing is named.

    """
    return verify_bundle(Path(file), options)
