"""The block of a run of one probe: asked, or measured from saved answers."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from evenhand.tables.audit.measured import Bands, ReferenceValue, Regression, Wording
from evenhand.tables.audit.paid import Stopping, Usage
from evenhand.tables.audit.written import left_out

__all__ = ["Example", "Facts", "Matched", "ProbeAudit", "Published", "Twin"]


@dataclass(frozen=True, kw_only=True)
class Example:
    """One prompt, its answer and how it was read; `answer` is None where its text was taken away."""

    prompt: str | None = None
    answer: str | None = None
    status: str | None = None
    reading: str | None = None


@dataclass(frozen=True, kw_only=True)
class Matched:
    """What pairing did to the interval of a measure."""

    measure: str = ""
    width_ratio: float | None = None
    sentence: str = ""


@dataclass(frozen=True, kw_only=True)
class Twin:
    """One of two answers to prompts that differ in the name only."""

    role: str | None = left_out()
    qualification: str | None = left_out()
    template: int | None = left_out()
    seed: int | None = left_out()
    name: str
    gender: str
    race: str
    prompt: str
    text: str
    accepted: bool


@dataclass(frozen=True, kw_only=True)
class Published:
    """A cell of a table that a study published."""

    table: str
    model: str
    column: str
    race: str
    gender: str
    value: str


@dataclass(frozen=True, kw_only=True)
class Facts:
    """What one probe's report prints beside the run's own numbers: a study's tables, how good its reader is."""

    published: tuple[Published, ...] | None = left_out()
    published_source: str | None = left_out()
    classifier: Mapping[str, str | int | float] | None = left_out()


@dataclass(frozen=True, kw_only=True)
class ProbeAudit:
    """What the page of a probe prints besides its findings."""

    kind: str = "probe"
    probe: str = ""
    probe_version: str = ""
    title: str = "Audit"
    question: str | None = None
    success: str | None = None
    subject: str = "candidates"
    labels: Mapping[str, str] = field(default_factory=dict)
    quantities: Mapping[str, str] = field(default_factory=dict)
    wordings: Mapping[str, Wording] = field(default_factory=dict)
    settings: Mapping[str, object] = field(default_factory=dict)
    card: str = ""
    design: str | None = None
    design_note: str | None = None
    paired_design: str | None = left_out()
    model: str = ""
    returned_models: tuple[str, ...] = ()
    simulated: bool = False
    shard: str | None = None
    stopping: Stopping | None = None
    simulated_note: str | None = None
    parameters: Mapping[str, object] = field(default_factory=dict)
    requests: int | None = None
    cost: float | None = None
    currency: str | None = None
    cost_reason: str | None = None
    cost_uncertain: float | None = None
    usage: Usage | None = None
    redacted: bool = False
    example: Example | None = None
    statuses: Mapping[str, int] = field(default_factory=dict)
    reading_rules: Mapping[str, int] = field(default_factory=dict)
    attempts: int | None = None
    items: int | None = None
    bands: Mapping[str, Bands] = field(default_factory=dict)
    references: Mapping[str, tuple[ReferenceValue, ...]] = field(default_factory=dict)
    headline: tuple[str, ...] = ()
    rate: str | None = None
    groups: tuple[str, ...] = ()
    slices: tuple[str, ...] = ()
    instruction: str | None = None
    level_texts: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    regression: Regression | None = None
    matched: Matched | None = None
    limits: tuple[str, ...] = ()
    facts: Facts = field(default_factory=Facts)
    warnings: tuple[str, ...] = ()
    reproduce: str = ""
    started: str | None = None
    finished: str | None = None
    versions: Mapping[str, str] = field(default_factory=dict)
    fingerprints: Mapping[str, str] = field(default_factory=dict)
    compat: str | None = left_out()
    twins: tuple[Twin, ...] | None = None

    @property
    def sample(self) -> object:
        """Return how many prompts were drawn; None of saved answers."""
        return self.parameters.get("sample")

    @property
    def population(self) -> object:
        """Return how many prompts the design has; None of saved answers."""
        return self.parameters.get("population")

    @property
    def seeded(self) -> bool:
        """Return whether a prompt is put with several seeds, so that what is drawn is a prompt and its seed."""
        return "seed" in self.slices and self.attempts is not None
