"""The header of every run, and what runs with models say besides: a probe, a suite, a comparison; their costs."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from evenhand.results.finding import as_json, omit_none
from evenhand.results.measures import MarkBands, Scored


@dataclass(frozen=True, kw_only=True)
class Header:
    """What every run says of itself, whatever its kind; a class for each kind adds its facts.

    `model` is "" where none was asked. `incomplete` says why no gate may be judged: too much has no answer.
    """

    kind: str = ""
    title: str = "Audit"
    question: str | None = None
    model: str = ""
    simulated: bool = False
    simulated_note: str | None = None
    parameters: Mapping[str, object] = field(default_factory=dict)
    limits: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()
    incomplete: str | None = omit_none()
    reproduce: str = ""
    started: str | None = None
    finished: str | None = None
    versions: Mapping[str, str] = field(default_factory=dict)
    fingerprints: Mapping[str, str] = field(default_factory=dict)

    @property
    def standing(self) -> int:
        """Return how many standing disparities the run tells of besides its findings."""
        return 0

    @property
    def sources(self) -> list[tuple[str, str]]:
        """Return title and citation of the rules that the run applies."""
        return []


@dataclass(frozen=True, kw_only=True)
class Reference:
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


@dataclass(frozen=True, kw_only=True)
class Measured:
    """What a probe declares of its measures, and its answers: in its own run, in a suite's and in a comparison's.

    `quantities` say what contrasts are differences of, `subject` whom they compare. `statuses` count answers unless
    `counted` names something else.
    """

    probe: str = ""
    title: str = ""
    question: str | None = None
    success: str | None = None
    subject: str = "candidates"
    labels: Mapping[str, str] = field(default_factory=dict)
    quantities: Mapping[str, str] = field(default_factory=dict)
    wordings: Mapping[str, Wording] = field(default_factory=dict)
    bands: Mapping[str, MarkBands] = field(default_factory=dict)
    references: Mapping[str, tuple[Reference, ...]] = field(default_factory=dict)
    headline: tuple[str, ...] = ()
    regression: Regression | None = None
    statuses: Mapping[str, int] = field(default_factory=dict)
    counted: str | None = omit_none()
    attempts: int | None = None


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


@dataclass(frozen=True, kw_only=True)
class Paid:
    """What was paid for answers (`cost_uncertain` on top), or why it is not known."""

    requests: int | None = None
    cost: float | None = None
    currency: str | None = None
    cost_reason: str | None = None
    cost_uncertain: float | None = None
    usage: Usage | None = None

    @classmethod
    def together(cls, parts: Sequence["Paid"]) -> "Paid":
        """Return what was paid for all parts; the cost is known only where every part's is.

        >>> Paid.together([Paid(requests=2, cost=0.5), Paid(requests=3, cost=0.25)]).cost
        0.75
        """
        costs, currencies = [part.cost for part in parts], {part.currency for part in parts}
        known = None not in costs and len(currencies) == 1
        other = "A part does not say what it cost." if None in costs else "The parts were paid in different currencies."
        uncertain = [part.cost_uncertain for part in parts]
        usages = [part.usage for part in parts if part.usage is not None]
        return cls(
            requests=sum(part.requests or 0 for part in parts),
            cost=sum(cost for cost in costs if cost is not None) if known else None,
            currency=currencies.pop() if known else None,
            cost_reason=None if known else next((part.cost_reason for part in parts if part.cost_reason), other),
            cost_uncertain=None if None in uncertain else sum(amount for amount in uncertain if amount is not None),
            usage=Usage(**{name: sum(getattr(usage, name) for usage in usages) for name in as_json(Usage())})
            if usages and len(usages) == len(parts)
            else None,
        )


@dataclass(frozen=True, kw_only=True)
class Account(Paid, Header):
    """The header of a run that asked a model."""


@dataclass(frozen=True, kw_only=True)
class Example:
    """One prompt, its answer and how it was read; `answer` is None where its text was taken away."""

    prompt: str | None = None
    answer: str | None = None
    status: str | None = None
    reading: str | None = None


@dataclass(frozen=True, kw_only=True)
class StepAnswer:
    """What one step was asked about a pile, and its answer; `shown` says of whom."""

    step: str
    shown: str
    prompt: str
    text: str | None = None


@dataclass(frozen=True, kw_only=True)
class ProtectedQuestion:
    """Questions of one kind that guidance says not to ask: how many there were in a step, and the first of them.

    `instead` is a lawful question; `example` is None where the text of answers was taken away.
    """

    step: str
    about: str
    guidance: str
    instead: str
    n: int = 1
    example: str | None = None


@dataclass(frozen=True, kw_only=True)
class Matched:
    """What pairing did to the interval of a measure."""

    measure: str = ""
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
class ProbeAudit(Measured, Account):
    """The facts of a probe, besides its findings; `unjudged` says why a judge gave no readings.

    Of a process in steps `steps` has the headline measures of each, `pile` the answers about one pile, `protected` the
    questions about protected facts.
    """

    kind: str = "probe"
    title: str = "Audit"
    probe_version: str = ""
    settings: Mapping[str, object] = field(default_factory=dict)
    card: str = ""
    design: str | None = None
    design_note: str | None = None
    block: int | None = omit_none()
    paired_design: str | None = omit_none()
    returned_models: tuple[str, ...] = ()
    shard: str | None = None
    stopping: Stopping | None = None
    redacted: bool = False
    example: Example | None = None
    reading_rules: Mapping[str, int] = field(default_factory=dict)
    items: int | None = None
    rate: str | None = None
    groups: tuple[str, ...] = ()
    slices: tuple[str, ...] = ()
    scored: Scored | None = omit_none()  # noqa: RUF009 - a field
    instruction: str | None = None
    level_texts: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    matched: Matched | None = None
    facts: Facts = field(default_factory=Facts)
    compat: str | None = omit_none()
    unjudged: str | None = omit_none()
    twins: tuple[CounterfactualAnswer, ...] | None = None
    steps: Mapping[str, tuple[str, ...]] | None = omit_none()
    pile: tuple[StepAnswer, ...] | None = omit_none()
    protected: tuple[ProtectedQuestion, ...] | None = omit_none()

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
class SuiteProbe(Measured):
    """One probe of a suite; `folder` holds its own run."""

    folder: str = ""


@dataclass(frozen=True, kw_only=True)
class SuiteAudit(Account):
    """The facts of a suite, besides its findings; each probe has its own question."""

    kind: str = "suite"
    suite: str = ""
    probes: tuple[SuiteProbe, ...] = ()


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
class ComparedProbe(Measured):
    """One probe of a comparison."""

    runs: tuple[ComparedRun, ...] = ()


@dataclass(frozen=True, kw_only=True)
class CompareAudit(Header):
    """The facts of a comparison, besides its findings."""

    kind: str = "compare"
    probes: tuple[ComparedProbe, ...] = ()
    headline: tuple[str, ...] = ()


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
