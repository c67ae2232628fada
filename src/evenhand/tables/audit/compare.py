"""The block of a comparison: what its page prints of each probe, and of each model's run."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from evenhand.tables.audit.measured import Bands, ReferenceValue, Regression, Wording
from evenhand.tables.audit.written import left_out

__all__ = ["CompareAudit", "ComparedProbe", "ComparedRun"]


@dataclass(frozen=True, kw_only=True)
class ComparedRun:
    """The run of one model; `decoding` are parameters besides the temperature in which the runs differ."""

    model: str = ""
    folder: str = ""
    simulated: bool = False
    answers: int | None = None
    observed: int | None = None
    temperature: float | None = None
    decoding: Mapping[str, float | None] | None = left_out()
    seed: int | None = None
    finished: str | None = None


@dataclass(frozen=True, kw_only=True)
class ComparedProbe:
    """One probe of a comparison."""

    probe: str = ""
    title: str = ""
    question: str | None = None
    success: str | None = None
    subject: str = "candidates"
    labels: Mapping[str, str] = field(default_factory=dict)
    quantities: Mapping[str, str] = field(default_factory=dict)
    wordings: Mapping[str, Wording] = field(default_factory=dict)
    bands: Mapping[str, Bands] = field(default_factory=dict)
    references: Mapping[str, tuple[ReferenceValue, ...]] = field(default_factory=dict)
    regression: Regression | None = None
    limits: tuple[str, ...] = ()
    headline: tuple[str, ...] = ()
    runs: tuple[ComparedRun, ...] = ()

    @property
    def statuses(self) -> Mapping[str, int]:
        """Return no statuses: each run has its own."""
        return {}


@dataclass(frozen=True, kw_only=True)
class CompareAudit:
    """What the page of a comparison prints besides the findings."""

    kind: str = "compare"
    title: str = "Audit"
    model: str = ""
    question: str | None = None
    simulated: bool = False
    simulated_note: str | None = None
    parameters: Mapping[str, object] = field(default_factory=dict)
    probes: tuple[ComparedProbe, ...] = ()
    headline: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()
    limits: tuple[str, ...] = ()
    reproduce: str = ""
    versions: Mapping[str, str] = field(default_factory=dict)
    started: str | None = None
    finished: str | None = None
