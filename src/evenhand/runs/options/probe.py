"""What a model is asked, how it is reached, and what that may cost."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any

from evenhand.errors import InputError
from evenhand.models.model import Generation
from evenhand.options import Group, Option
from evenhand.runs.options.output import Force, Reported, Seed
from evenhand.runs.options.shards import Shards

__all__ = [
    "Asked",
    "Cost",
    "MergeOptions",
    "Parts",
    "PlanOptions",
    "ProbeOptions",
    "Redacting",
    "Repetitions",
    "Service",
    "Stopping",
]


def _positive(value: float) -> bool:
    return value > 0


Repetitions = Annotated[
    int,
    Option(
        "Times each prompt is asked.",
        check=lambda times: 1 <= times <= 10_000,
        expected="a whole number from 1 to 10000",
    ),
]


@dataclass(frozen=True, kw_only=True)
class Asked(Group):
    """Which prompts a model is asked, and how it decodes; `sample` None is the probe's default.

    `settings` are those of a probe's own that were given.
    """

    model: Annotated[
        str,
        Option(
            "sim:KIND[?strength=x&seed=n], openai:NAME (key in OPENAI_API_KEY), anthropic:NAME "
            "(ANTHROPIC_API_KEY), hf:FOLDER (weights run here) or replay:FILE.",
            kept=False,
            same=True,
        ),
    ]
    everything: Annotated[bool, Option("Ask every prompt there is.", flag="--all", kept=False)] = False
    sample: Annotated[int | None, Option("Prompts to draw; default: the probe's.", kept=False)] = None
    design: Annotated[str | None, Option("A design of the probe; default: its first.", kept=False, same=True)] = None
    repetitions: Repetitions = 1
    seed: Seed = 0
    generation: Generation = field(default_factory=Generation)
    preset: Annotated[str | None, Option("A preset of the probe: decoding parameters.", kept=False)] = None
    settings: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True)
class Service(Group):
    """How a model behind HTTP is reached, and how much of it a minute may see: requests and tokens."""

    base_url: Annotated[
        tuple[str, ...],
        Option(
            "Server of an openai: or anthropic: model, /v1 included; several share the load.", commas=True, machine=True
        ),
    ] = ()
    timeout: Annotated[
        float, Option("Seconds to wait for one answer.", check=_positive, expected="seconds above 0", again=False)
    ] = 120.0
    #: Which prompts are sampled together by a model in this process depends on it.
    concurrency: Annotated[
        int,
        Option(
            "Requests under way at once.",
            check=lambda requests: 1 <= requests <= 1000,
            expected="from 1 to 1000",
            again=False,
        ),
    ] = 16
    rpm: Annotated[
        float | None,
        Option("Requests per minute, at most.", check=_positive, expected="a number above 0", kept=False, again=False),
    ] = None
    tpm: Annotated[
        float | None,
        Option("Tokens per minute, at most.", check=_positive, expected="a number above 0", kept=False, again=False),
    ] = None


@dataclass(frozen=True, kw_only=True)
class Cost(Group):
    """What a run costs."""

    prices: Annotated[Path | None, Option("TOML of prices per million tokens and model.", kept=False, again=False)] = (
        None
    )
    batch: Annotated[bool, Option("Ask by the provider's batch API: half the price, within a day.")] = False


@dataclass(frozen=True, kw_only=True)
class PlanOptions(Cost, Asked):
    """The options of `evenhand plan`."""


@dataclass(frozen=True, kw_only=True)
class Stopping(Group):
    """When asking stops."""

    max_requests: Annotated[
        int | None,
        Option(
            "Stop (exit 4) after so many requests.",
            check=lambda requests: requests >= 1,
            expected="from 1",
            kept=False,
            again=False,
        ),
    ] = None
    max_cost: Annotated[
        float | None,
        Option(
            "Stop (exit 4) before this is spent; needs --prices.",
            check=_positive,
            expected="an amount above 0",
            kept=False,
            again=False,
        ),
    ] = None
    until_width: Annotated[
        float | None,
        Option(
            "Stop asking when the headline's confidence interval is as narrow as this.",
            check=_positive,
            expected="a width above 0",
            same=True,
        ),
    ] = None


@dataclass(frozen=True, kw_only=True)
class Redacting(Group):
    """What stays of answers."""

    redact_answers: Annotated[
        bool, Option("Keep outcomes, not the text of answers, when the run is finished.", kept=False, machine=True)
    ] = False


@dataclass(frozen=True, kw_only=True)
class Parts(Group):
    """How a run is asked in parts, one after the other or on several machines."""

    resume: Annotated[
        bool, Option("Go on with the run in --out; nothing answered is asked again.", kept=False, again=False)
    ] = False
    shard: Annotated[
        Shards | None,
        Option(
            "The i-th of n parts, as in 1/4; join with: evenhand collect merge, or perturb --join.",
            read=Shards.parse,
            expected="a part and how many there are, as in '1/4'",
            kept=False,
            same=True,
            machine=True,
        ),
    ] = None


@dataclass(frozen=True, kw_only=True)
class MergeOptions(Redacting):
    """The options of `evenhand collect merge`."""

    out: Annotated[Path, Option("Folder of the whole run.", kept=False, again=False)]
    force: Force = False


@dataclass(frozen=True, kw_only=True)
class ProbeOptions(Reported, Redacting, Parts, Stopping, Cost, Service, Asked):
    """The options of `evenhand probe`."""

    def __post_init__(self) -> None:
        """Refuse numbers that make no run, and options that contradict each other."""
        super().__post_init__()
        if self.everything and self.sample is not None:
            raise InputError("--all and --sample can't be given together; leave out one of them.")
        if self.resume and self.force:
            raise InputError("--resume and --force can't be given together: one goes on, the other starts anew.")
        if self.resume and self.out is None:
            raise InputError("--resume needs --out, the folder of the run to go on with.")
