"""The manifest of a run (manifest.json): reading it, and the versions, fingerprints and times in it."""

import platform
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import cache
from importlib.metadata import PackageNotFoundError, requires, version
from importlib.resources import files
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter, ValidationError

from evenhand.errors import InputError
from evenhand.results.audit import Paid, Price, Stopping
from evenhand.results.files import sha256_of
from evenhand.results.kinds import RunKind, run_kind
from evenhand.results.result import FINISHED, manifest_values


@dataclass(frozen=True, kw_only=True)
class Merged:
    """The account of the parts alone, in a run joined from them."""

    requests: int | None = None
    cost_uncertain: float | None = None


@dataclass(frozen=True, kw_only=True)
class Manifest(Paid):
    """A manifest; values that are absent or null are empty or None.

    `as_written` is the whole content, for writing it anew: when a run is resumed, or its parts are joined. `asked_by`
    is the person who had the run made, if given. `files` are the hashes of a finished run's files, `input` the columns
    and rows of its table. `shard` to `merged` and what was paid belong to runs that query a model, `probes` to
    `reproduce` to suites.
    """

    as_written: Mapping[str, Any]
    kind: object = None
    status: object = None
    asked_by: str | None = None
    model: str = ""
    simulated: bool = False
    versions: Mapping[str, str] = field(default_factory=dict)
    fingerprints: Mapping[str, str] = field(default_factory=dict)
    files: Mapping[str, str] = field(default_factory=dict)
    input: Mapping[str, Any] = field(default_factory=dict)
    started: str | None = None
    finished: str | None = None
    probe: str = ""
    probe_version: str = ""
    design: str | None = None
    settings: Mapping[str, Any] = field(default_factory=dict)
    compat: str | None = None
    parameters: Mapping[str, Any] = field(default_factory=dict)
    adaptations: tuple[Mapping[str, Any], ...] = ()
    redact_answers: bool = False
    redacted: bool = False
    shard: str | None = None
    stopping: Stopping | None = None
    price: Price | None = None
    merged: Merged | None = None
    suite: str = ""
    probes: tuple[str, ...] = ()
    asked: tuple[str, ...] = ()
    reproduce: str = ""

    @property
    def run_kind(self) -> RunKind:
        """Return the facts on its kind of run."""
        return run_kind(self.kind)

    @property
    def is_finished(self) -> bool:
        """Return whether the run is finished."""
        return self.status == FINISHED

    @property
    def is_running(self) -> bool:
        """Return whether the run is under way, or was killed."""
        return self.status == "running"

    @property
    def requested(self) -> Mapping[str, Any]:
        """Return the whole content, and at its top level the parameters as requested."""
        return {**self.as_written, **self.requested_parameters}

    @property
    def requested_parameters(self) -> dict[str, Any]:
        """Return the parameters as requested; a server may have been sent others."""
        requested = {row["parameter"]: row["requested"] for row in self.adaptations if is_recorded_as_sent(row)}
        return {**self.parameters, **requested}


def is_recorded_as_sent(adaptation: Mapping[str, Any]) -> bool:
    """Return whether the manifest's parameters hold the value sent instead of the value requested."""
    # The run's seed draws the prompts as well, and another name for a parameter changes nothing of its value.
    return adaptation["parameter"] != "seed" and not isinstance(adaptation["sent"], str)


def manifest_of(values: Mapping[str, Any], *, source: object = "The manifest") -> Manifest:
    """Return the manifest with these values; `source` names it in messages.

    Raises
    ------
    InputError
        A value has the wrong type.

    >>> manifest_of({"kind": "suite", "probes": ["hiring-an"], "status": "finished", "model": None}).probes
    ('hiring-an',)
    """
    present = {name: value for name, value in values.items() if value is not None}
    try:
        return _adapter().validate_python({**present, "as_written": values})
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(map(str, first["loc"]))
        raise InputError(f"{source} is damaged ({place}: {first['msg']}); nothing was changed.") from error


def read_manifest(folder: Path) -> Manifest | None:
    """Return the manifest of a folder; None if there is none of evenhand.

    Raises
    ------
    InputError
        There is a manifest.json, but it is damaged.

    """
    values = manifest_values(folder)
    return None if values is None else manifest_of(values, source=folder / "manifest.json")


@cache
def _adapter() -> TypeAdapter[Manifest]:
    return TypeAdapter(Manifest)


def lexicon_fingerprints() -> dict[str, str]:
    """Return the sha256 of each table that probes use, by its path in the package."""
    package = Path(str(files("evenhand")))
    tables = (
        "data/lexicons/*.csv",
        "probes/*/*.csv",
        "probes/*/corpus/*.toml",
        "synthetic/careers.csv",
        "synthetic/verbs.csv",
        "synthetic/wording.toml",
    )
    paths = sorted(path for pattern in tables for path in package.glob(pattern))
    return {path.relative_to(package).as_posix(): sha256_of(path) for path in paths}


def utc_now() -> str:
    """Return the time as ISO 8601, to the second."""
    return datetime.now(UTC).isoformat(timespec="seconds")


def begun(manifest: Mapping[str, Any], **computed_by: Mapping[str, str]) -> dict[str, Any]:
    """Return the manifest of a run that begins; `computed_by` are versions and fingerprints."""
    return {**manifest, **computed_by, "status": "running", "started": utc_now(), "finished": None}


PACKAGES = ("evenhand", "numpy", "scipy", "polars", "aiohttp")

#: Packages that compute the answers of a model in this process.
LOCAL_PACKAGES = ("torch", "transformers")


_version = cache(version)


def package_versions(*, model: str = "") -> dict[str, str]:
    """Return the versions of the packages behind the numbers and, for an hf: or st: model, the answers.

    >>> sorted(package_versions())[0]
    'Python'
    """
    packages = (*PACKAGES, *LOCAL_PACKAGES) if model.startswith(("hf:", "st:")) else PACKAGES
    return {"Python": platform.python_version(), **{name: _version(name) for name in packages}}


def installed_versions() -> dict[str, str]:
    """Return the versions of Python, evenhand and its installed requirements, extras included.

    >>> {"Python", "evenhand", "orjson"} <= installed_versions().keys()
    True
    """
    from packaging.requirements import Requirement  # noqa: PLC0415 - only bundles list what is installed

    versions = package_versions()
    for name in {Requirement(requirement).name for requirement in requires("evenhand") or ()}:
        try:
            versions[name] = _version(name)
        except PackageNotFoundError:  # of an extra
            continue
    return dict(sorted(versions.items()))
