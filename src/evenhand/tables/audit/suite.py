"""The block of a suite: what its summary prints of each probe."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from evenhand.tables.audit.measured import Bands, ReferenceValue, Regression, Wording
from evenhand.tables.audit.paid import Usage

__all__ = ["SuiteAudit", "SuiteProbe"]


@dataclass(frozen=True, kw_only=True)
class SuiteProbe:
    """One probe of a suite; `folder` holds its own run."""

    probe: str = ""
    title: str = ""
    question: str | None = None
    folder: str = ""
    headline: tuple[str, ...] = ()
    labels: Mapping[str, str] = field(default_factory=dict)
    quantities: Mapping[str, str] = field(default_factory=dict)
    wordings: Mapping[str, Wording] = field(default_factory=dict)
    subject: str = "candidates"
    bands: Mapping[str, Bands] = field(default_factory=dict)
    references: Mapping[str, tuple[ReferenceValue, ...]] = field(default_factory=dict)
    attempts: int | None = None
    success: str | None = None
    statuses: Mapping[str, int] = field(default_factory=dict)
    regression: Regression | None = None


@dataclass(frozen=True, kw_only=True)
class SuiteAudit:
    """What the summary of a suite prints besides the findings."""

    kind: str = "suite"
    suite: str = ""
    title: str = "Audit"
    model: str = ""
    simulated: bool = False
    simulated_note: str | None = None
    parameters: Mapping[str, object] = field(default_factory=dict)
    probes: tuple[SuiteProbe, ...] = ()
    requests: int | None = None
    cost: float | None = None
    currency: str | None = None
    cost_reason: str | None = None
    cost_uncertain: float | None = None
    usage: Usage | None = None
    warnings: tuple[str, ...] = ()
    limits: tuple[str, ...] = ()
    reproduce: str = ""
    versions: Mapping[str, str] = field(default_factory=dict)
    started: str | None = None
    finished: str | None = None

    @property
    def question(self) -> None:
        """Return no question: each probe has its own."""
        return
