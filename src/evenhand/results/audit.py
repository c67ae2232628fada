"""Audit blocks of runs with models: a probe, a suite, a comparison; their measures, requests and costs."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Protocol

from evenhand.results.finding import omit_none


@dataclass(frozen=True, kw_only=True)
class Bands:
    """The mark bands of a measure: distances from the centre up to which A, B, C and D go."""

    centre: float
    edges: tuple[float, ...]
    source: str | None = None


@dataclass(frozen=True, kw_only=True)
class ReferenceValue:
    """The value that a known kind of model has by construction."""

    kind: str
    value: float | None = None


@dataclass(frozen=True, kw_only=True)
class Regression:
    """The measure whose slope is a finding, the context number that it goes along, and that number's axis."""

    measure: str | None = None
    against: str | None = None
    label: str | None = None


@dataclass(frozen=True, kw_only=True)
class Wording:
    """How a measure is told: its name in a table, what it is about, and a sentence for either side of no difference.

    `{size}` stands for the distance from no difference with its unit, `{value}` for the estimate, `{null}` for no
    difference. `larger` says what an estimate above no difference means.
    """

    heading: str
    topic: str
    higher: str
    lower: str
    larger: str


# What a block must say, a property each.
# arid: disable
class Measured(Protocol):
    """A probe's block, or the entry of a probe in a suite's or a comparison's."""

    @property
    def labels(self) -> Mapping[str, str]:
        """Return the names of measures."""

    @property
    def quantities(self) -> Mapping[str, str]:
        """Return what a contrast is a difference of."""

    @property
    def wordings(self) -> Mapping[str, Wording]:
        """Return how measures are told."""

    @property
    def success(self) -> str | None:
        """Return what a success is."""

    @property
    def subject(self) -> str:
        """Return whom a contrast compares."""

    @property
    def statuses(self) -> Mapping[str, int]:
        """Return how many answers have each status."""

    @property
    def bands(self) -> Mapping[str, Bands]:
        """Return the mark bands of measures."""

    @property
    def references(self) -> Mapping[str, tuple[ReferenceValue, ...]]:
        """Return the values of known kinds of model."""

    @property
    def headline(self) -> tuple[str, ...]:
        """Return the measures that come first."""

    @property
    def regression(self) -> Regression | None:
        """Return the regression, if there is one."""


# arid: enable


@dataclass(frozen=True, kw_only=True)
class Usage:
    """Tokens of all answers, as the server counted them; of answers without a count they are estimated."""

    input_tokens: int = 0
    output_tokens: int = 0
    answers: int = 0
    answers_without_usage: int = 0


@dataclass(frozen=True, kw_only=True)
class Stopping:
    """How --until-width ended."""

    measure: str
    until_width: float
    reached: bool
    width: float | None
    looks: int
    look_every: int
    prompts: int
    journaled: int
    planned: int
    saved: float
    fixed_sample: int | None
    sentence: str


# What a block must say, a property each.
# arid: disable
class Account(Protocol):
    """A block that says what was paid, or why that is not known."""

    @property
    def simulated(self) -> bool:
        """Say whether a simulated model answered."""

    @property
    def requests(self) -> int | None:
        """Return how many requests were sent."""

    @property
    def cost(self) -> float | None:
        """Return what was paid."""

    @property
    def currency(self) -> str | None:
        """Return its currency."""

    @property
    def cost_reason(self) -> str | None:
        """Return why the cost is not known."""

    @property
    def cost_uncertain(self) -> float | None:
        """Return what may have been paid besides."""

    @property
    def usage(self) -> Usage | None:
        """Return the tokens."""


# arid: enable


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
class CounterfactualAnswer:
    """One of two answers to prompts that differ in the name only."""

    role: str | None = omit_none()
    qualification: str | None = omit_none()
    template: int | None = omit_none()
    seed: int | None = omit_none()
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

    published: tuple[Published, ...] | None = omit_none()
    published_source: str | None = omit_none()
    classifier: Mapping[str, str | int | float] | None = omit_none()


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
    paired_design: str | None = omit_none()
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
    compat: str | None = omit_none()
    twins: tuple[CounterfactualAnswer, ...] | None = None

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
        """Say whether a prompt is put with several seeds, so that what is drawn is a prompt and its seed."""
        return "seed" in self.slices and self.attempts is not None


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


@dataclass(frozen=True, kw_only=True)
class ComparedRun:
    """The run of one model; `decoding` are parameters besides the temperature in which the runs differ."""

    model: str = ""
    folder: str = ""
    simulated: bool = False
    answers: int | None = None
    observed: int | None = None
    temperature: float | None = None
    decoding: Mapping[str, float | None] | None = omit_none()
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


@dataclass(frozen=True, kw_only=True, slots=True)
class Price:
    """Prices per million tokens of one model; `batch_discount` is the share taken off with --batch."""

    input: float
    output: float
    currency: str | None = None
    batch_discount: float = 0.0

    def cost(self, input_tokens: float, output_tokens: float, *, batch: bool = False) -> float:
        """Return what so many tokens cost.

        >>> Price(input=2.0, output=8.0).cost(1_000_000, 500_000)
        6.0
        """
        whole = (input_tokens * self.input + output_tokens * self.output) / 1_000_000
        return whole * (1 - self.batch_discount) if batch else whole
