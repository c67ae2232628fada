"""What a model was not sent as it was asked for: kept in the manifest, and said once."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Protocol, runtime_checkable

from evenhand.models.model import Adaptation, Model
from evenhand.runs.manifest import Manifest, is_shown
from evenhand.tables.run_folder import RunFolder

__all__ = ["adaptation_warnings", "keep_adaptations", "once"]


@runtime_checkable
class _Adapting(Protocol):
    """A model that may change requests for its server."""

    @property
    def adaptations(self) -> tuple[Adaptation, ...]: ...

    def told_to(self, tell: Callable[[str], None]) -> None: ...

    def leave_out(self, adaptations: Iterable[Adaptation], *, answered: bool = False) -> None: ...


def once(notice: Callable[[str], None]) -> Callable[[str], None]:
    """Return `notice` such that the same line is passed on the first time only.

    >>> said = once(print)
    >>> said("a"), said("a")
    a
    (None, None)
    """
    told: set[str] = set()

    def say(line: str) -> None:
        if line not in told:
            told.add(line)
            notice(line)

    return say


def keep_adaptations(
    model: Model,
    manifest: dict[str, Any],
    folder: RunFolder,
    *,
    previous: Manifest | None,
    notice: Callable[[str], None],
) -> Callable[[], None]:
    """Have the manifest say what was really sent; return what brings it up to date.

    What the earlier part of a resumed run left out is left out from the beginning, so
    that its answers stay comparable.
    """
    known = [] if previous is None else [dict(row) for row in previous.adaptations]
    manifest["adaptations"] = known
    _apply(manifest)

    def update() -> None:
        if not isinstance(model, _Adapting):
            return
        for adaptation in model.adaptations:
            if all((row["parameter"], row["sent"]) != (adaptation.parameter, adaptation.sent) for row in known):
                known.append(adaptation.record())
        _apply(manifest)

    def hear(line: str) -> None:
        before = len(known)
        update()
        if len(known) > before:
            folder.write_manifest(manifest)
        notice(f"Warning: {line}")

    if isinstance(model, _Adapting):
        fields = ("parameter", "requested", "sent", "reason", "partly")
        earlier = [Adaptation(**{name: row[name] for name in fields}) for row in known if row["sent"] is None]
        model.leave_out(earlier, answered=previous is not None and any(folder.path.glob("answers-*.jsonl")))
        model.told_to(hear)
    return update


def adaptation_warnings(manifest: Mapping[str, Any]) -> list[str]:
    """Return a sentence for each parameter that was not sent as it was asked for."""
    return [row["sentence"] for row in manifest.get("adaptations") or [] if row["sentence"]]


def _apply(manifest: dict[str, Any]) -> None:
    """Let the manifest's parameters claim nothing that was not used."""
    for row in manifest["adaptations"]:
        if is_shown(row):
            manifest["parameters"][row["parameter"]] = row["sent"]
