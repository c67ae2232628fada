"""What the manifest of a run says: manifest.json, read once."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter, ValidationError

from evenhand.collect.cost.price import Price
from evenhand.errors import InputError
from evenhand.tables.audit.kinds import RunKind, run_kind
from evenhand.tables.audit.paid import Stopping, Usage
from evenhand.tables.run_folder import FINISHED, manifest_values

__all__ = ["Manifest", "Merged", "is_shown", "manifest_of", "read_manifest"]


@dataclass(frozen=True, kw_only=True)
class Merged:
    """What the parts alone account for, of a run that was joined from them."""

    requests: int | None = None
    cost_uncertain: float | None = None


@dataclass(frozen=True, kw_only=True)
class Manifest:
    """What a manifest says of a run; what it does not say, or says as null, is empty or None.

    `as_written` is all of it, for those who write it again: when a run goes on, or its parts are joined.
    `asked_by` is who had the run made, where that was said. `files` are the hashes of what a finished run left,
    `input` the columns and rows of the table that it read. `shard` to `merged` are of a run that asked a model,
    `probes` to `reproduce` of a suite.
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
    requests: int | None = None
    cost: float | None = None
    currency: str | None = None
    cost_reason: str | None = None
    cost_uncertain: float | None = None
    price: Price | None = None
    usage: Usage | None = None
    merged: Merged | None = None
    suite: str = ""
    probes: tuple[str, ...] = ()
    asked: tuple[str, ...] = ()
    reproduce: str = ""

    @property
    def run_kind(self) -> RunKind:
        """Return what is known of its kind of run."""
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
        """Return all of it, and beside it the parameters as they were asked for."""
        return {**self.as_written, **self.requested_parameters}

    @property
    def requested_parameters(self) -> dict[str, Any]:
        """Return the parameters as they were asked for, though a server may have been sent others."""
        asked = {row["parameter"]: row["requested"] for row in self.adaptations if is_shown(row)}
        return {**self.parameters, **asked}


def is_shown(adaptation: Mapping[str, Any]) -> bool:
    """Return whether the manifest's parameters say what was sent instead of what was asked for."""
    # The run's seed draws the prompts as well, and another name for a parameter changes nothing of its value.
    return adaptation["parameter"] != "seed" and not isinstance(adaptation["sent"], str)


def manifest_of(values: Mapping[str, Any], *, source: object = "The manifest") -> Manifest:
    """Return what the values of a manifest say; `source` is what a message calls it.

    Raises
    ------
    InputError
        A value is not of its type.

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
    """Return the manifest of a folder, None where there is none of ours.

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
