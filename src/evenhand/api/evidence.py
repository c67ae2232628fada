"""The functions of `import evenhand` for outside auditors: bundles and their verification."""

from collections.abc import Sequence
from pathlib import Path

from evenhand.analyses.options.output import BundleOptions, VerifyOptions
from evenhand.analyses.run import Run
from evenhand.evidence.bundle import Bundled, write_bundle
from evenhand.evidence.verify import Verified, verify_bundle
from evenhand.options import from_python


@from_python()
def bundle(runs: str | Path | Run | Sequence[str | Path | Run], *, options: BundleOptions) -> Bundled:
    """Return what was written: finished runs, or their folders, in one file that an outside auditor can check.

    Raises
    ------
    InputError
        A run is unfinished or was changed, the key can't be used, or the file can't be written.

    >>> import tempfile
    >>> from evenhand import impact
    >>> folder = Path(tempfile.mkdtemp())
    >>> run = impact({"women": (557, 1835), "men": (1198, 2691)}, out=folder / "run")
    >>> written = bundle(run, out=folder / "run.zip")
    >>> written.runs, written.key is None
    (('runs/1-impact',), True)
    >>> [(run.recomputed, run.findings) for run in verify(written.path).runs]
    [(3, 3)]
    """
    several = [runs] if isinstance(runs, str | Path | Run) else runs
    return write_bundle([run.folder if isinstance(run, Run) else Path(run) for run in several], options)


@from_python()
def verify(file: str | Path, options: VerifyOptions) -> Verified:
    """Return the verification of a bundle, whose findings are recomputed from its content.

    Raises
    ------
    InputError
        The file is no bundle, unsafe, or of a newer version, or the key can't be used.
    CheckFailed
        A part of the bundle was changed; the message names the first.

    """
    return verify_bundle(Path(file), options)
