"""What a probe run is asked to do: options, checked, and what follows from them."""

import shlex
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field, replace
from datetime import UTC, datetime
from difflib import get_close_matches
from pathlib import Path
from typing import Any

from evenhand.errors import InputError
from evenhand.models.model import Generation
from evenhand.probes import PROBES, Design, Probe
from evenhand.tables.fingerprints import sha256_of
from evenhand.tables.shown import quoted

__all__ = [
    "LARGEST_SEED",
    "ProbeOptions",
    "Service",
    "Shards",
    "configured",
    "default_out",
    "find_probe",
    "keeping_redaction",
    "machine_words",
    "reproduce_line",
    "resume_words",
    "sample_size",
    "setting_words",
    "settings_block",
    "suite_words",
    "with_preset",
]


#: Servers take 64-bit seeds, and each repetition adds one.
LARGEST_SEED = 2**53


@dataclass(frozen=True, kw_only=True)
class Service:
    """How a model behind HTTP is reached, and how much of it a minute may see: requests and tokens."""

    base_urls: tuple[str, ...] = ()
    timeout: float = 120.0
    concurrency: int = 16
    rpm: float | None = None
    tpm: float | None = None


@dataclass(frozen=True, kw_only=True)
class Shards:
    """The part of a run that one machine asks: the `number`-th of `of`, counted from 1."""

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
        number, slash, of = text.partition("/")
        digits = text.isascii() and number.isdecimal() and of.isdecimal()
        if not (slash and digits and 1 <= int(number) <= int(of) <= 10_000):
            raise InputError(
                f"--shard is {quoted(text)}; expected the number of a part and how many there are, as in 1/4."
            )
        return cls(number=int(number), of=int(of))

    def __str__(self) -> str:
        return f"{self.number}/{self.of}"


@dataclass(frozen=True, kw_only=True)
class ProbeOptions:
    """The options of `evenhand probe`; `sample` None is the probe's default.

    `settings` are those that only some probes have (`num_reorders`, `corpus`, …);
    `preset` names decoding parameters of the probe's study.
    """

    model: str
    sample: int | None = None
    everything: bool = False
    design: str | None = None
    repetitions: int = 1
    seed: int = 0
    generation: Generation = field(default_factory=Generation)
    service: Service = field(default_factory=Service)
    max_requests: int | None = None
    max_cost: float | None = None
    prices: Path | None = None
    until_width: float | None = None
    batch: bool = False
    shard: Shards | None = None
    redact_answers: bool = False
    out: Path | None = None
    force: bool = False
    resume: bool = False
    settings: Mapping[str, Any] = field(default_factory=dict)
    preset: str | None = None

    def __post_init__(self) -> None:
        """Refuse numbers that make no run."""
        checks: Mapping[str, tuple[Any, bool, str]] = {
            "--repetitions": (self.repetitions, 1 <= self.repetitions <= 10_000, "a whole number from 1 to 10000"),
            "--seed": (self.seed, 0 <= self.seed <= LARGEST_SEED, f"a whole number from 0 to {LARGEST_SEED}"),
            "--temperature": (
                self.generation.temperature,
                self.generation.temperature is None or 0 <= self.generation.temperature <= 2,
                "a number from 0 to 2",
            ),
            "--max-tokens": (
                self.generation.max_tokens,
                self.generation.max_tokens is None or self.generation.max_tokens >= 1,
                "a whole number from 1",
            ),
            "--timeout": (self.service.timeout, self.service.timeout > 0, "seconds above 0"),
            "--concurrency": (self.service.concurrency, 1 <= self.service.concurrency <= 1000, "from 1 to 1000"),
            "--max-requests": (self.max_requests, self.max_requests is None or self.max_requests >= 1, "from 1"),
            "--max-cost": (self.max_cost, self.max_cost is None or self.max_cost > 0, "an amount above 0"),
            "--rpm": (self.service.rpm, self.service.rpm is None or self.service.rpm > 0, "a number above 0"),
            "--tpm": (self.service.tpm, self.service.tpm is None or self.service.tpm > 0, "a number above 0"),
            "--until-width": (self.until_width, self.until_width is None or self.until_width > 0, "a width above 0"),
        }
        for option, (value, fine, expected) in checks.items():
            if not fine:
                message = f"{option} is {value}; expected {expected}."
                raise InputError(message)
        if self.everything and self.sample is not None:
            raise InputError("--all and --sample can't be given together; leave out one of them.")
        if self.resume and self.force:
            raise InputError("--resume and --force can't be given together: one goes on, the other starts anew.")
        if self.resume and self.out is None:
            raise InputError("--resume needs --out, the folder of the run to go on with.")


def find_probe(name: str) -> Probe:
    """Return the probe called `name`.

    Raises
    ------
    InputError
        There is none; the nearest name is offered.

    >>> find_probe("hiring-an").title
    'HiringAn'
    """
    if name in PROBES:
        return PROBES[name]
    near = get_close_matches(name.replace("_", "-").lower(), PROBES, n=1, cutoff=0.5)
    hint = f" Did you mean {near[0]}?" if near else ""
    message = f"There is no probe {quoted(name)}; expected one of {', '.join(PROBES)}.{hint}"
    raise InputError(message)


def configured(probe: Probe, settings: Mapping[str, Any], *, command: str = "probe") -> Probe:
    """Return the probe with the settings that were given; None means not given.

    Raises
    ------
    InputError
        The probe has no such setting, or refuses its value.

    """
    given = {name: value for name, value in settings.items() if value is not None}
    for name in given:
        if name not in probe.settings:
            owners = [other.name for other in PROBES.values() if name in other.settings]
            message = (
                f"--{name.replace('_', '-')} is no option of {command} {probe.name}; it belongs to {', '.join(owners)}."
            )
            raise InputError(message)
    return probe.configure(given) if given and probe.configure is not None else probe


def with_preset(probe: Probe, options: ProbeOptions) -> ProbeOptions:
    """Return the options with the decoding parameters of their preset; what was given itself stays.

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
    own = asdict(options.generation)
    preset = probe.presets[options.preset]
    values: dict[str, Any] = {name: preset.get(name) if value is None else value for name, value in own.items()}
    return replace(options, generation=Generation(**values))


def settings_block(settings: Mapping[str, Any]) -> dict[str, Any]:
    """Return the given settings as the manifest keeps them: files by name and fingerprint."""
    return {
        name: {"file": value.name, "sha256": sha256_of(value)} if isinstance(value, Path) else value
        for name, value in settings.items()
        if value is not None
    }


def sample_size(probe: Probe, options: ProbeOptions) -> tuple[Design, int]:
    """Return the design and how many of its prompts are asked.

    Raises
    ------
    InputError
        An unknown design, or a sample that the design can't give.

    """
    name = options.design if options.design is not None else next(iter(probe.designs))
    if name not in probe.designs:
        message = f"--design {quoted(name)} is unknown to {probe.name}; expected one of {', '.join(probe.designs)}."
        raise InputError(message)
    design = probe.designs[name]
    if options.everything:
        _check_shard(options, design, design.size)
        return design, design.size
    default = probe.default_sample if probe.default_sample is not None else design.size
    sample = options.sample if options.sample is not None else min(default, design.size)
    if not 1 <= sample <= design.size:
        message = (
            f"--sample is {sample}; {probe.name} with the design {name} has {design.size:,} prompts, "
            f"so expected a number from {design.block} to {design.size}."
        )
        raise InputError(message)
    if sample % design.block:
        message = f"--sample is {sample}; the design {name} asks in blocks of {design.block}, so expected a multiple."
        raise InputError(message)
    _check_shard(options, design, sample)
    return design, sample


def _check_shard(options: ProbeOptions, design: Design, sample: int) -> None:
    """Refuse more parts than there are blocks to share out, and what a part can't do."""
    if options.shard is None:
        return
    blocks = sample // design.block
    if options.shard.of > blocks:
        what = "prompts" if design.block == 1 else f"blocks of {design.block} prompts"
        raise InputError(f"--shard is {options.shard}; the sample has {blocks:,} {what}, so expected as many at most.")
    if options.redact_answers:
        raise InputError(
            "--redact-answers can't be given with --shard: the parts are joined from their answers. "
            "Give it to evenhand collect merge, and delete the parts."
        )
    if options.until_width is not None:
        raise InputError(
            "--until-width can't be given with --shard: no machine sees the answers that come first. "
            "Leave out one of them."
        )


def default_out(command: str, *, now: datetime | None = None, runs: Path = Path("runs")) -> Path:
    """Return a folder below runs/ that is not there yet, named by command and UTC time."""
    moment = (now if now is not None else datetime.now(UTC)).strftime("%Y%m%dT%H%M%SZ")
    path, number = runs / f"{command}-{moment}", 2
    while path.exists():
        path, number = runs / f"{command}-{moment}-{number}", number + 1
    return path


def keeping_redaction(
    options: ProbeOptions, previous: Mapping[str, Any] | None, notice: Callable[[str], None]
) -> ProbeOptions:
    """Return the options; what the manifest before says of taking the text of answers away is kept."""
    if options.redact_answers or not (previous or {}).get("redact_answers"):
        return options
    notice("The text of answers is taken away at the end: the run was begun with --redact-answers.")
    return replace(options, redact_answers=True)


def resume_words(out: Path, *, redact: bool) -> str:
    """Return the options that go on with a run.

    >>> resume_words(Path("runs/first"), redact=True)
    '--resume --out runs/first --redact-answers'
    """
    return f"--resume --out {shlex.quote(str(out))}" + (" --redact-answers" if redact else "")


def reproduce_line(probe: Probe, design: Design, options: ProbeOptions) -> str:
    """Return the command line that asks the same again."""
    words = ["evenhand", "probe", probe.name, "--model", options.model]
    words += ["--sample", str(sample_size(probe, options)[1])]
    words += ["--design", design.name, *_asked_words(options)]
    return shlex.join([*words, *setting_words(options.settings)])


def suite_words(suite: str, options: ProbeOptions) -> list[str]:
    """Return the words of the command line that puts the same suite again.

    >>> shlex.join(suite_words("standard", ProbeOptions(model="sim:random", sample=40, seed=3)))
    'evenhand audit --model sim:random --suite standard --sample 40 --repetitions 1 --seed 3'
    """
    words = ["evenhand", "audit", "--model", options.model, "--suite", suite]
    if options.everything:
        words += ["--all"]
    if options.sample is not None:
        words += ["--sample", str(options.sample)]
    if options.design is not None:
        words += ["--design", options.design]
    return [*words, *_asked_words(options), *setting_words(options.settings)]


def _asked_words(options: ProbeOptions) -> list[str]:
    """Return the options that probes and suites share, as words of a command line."""
    words = ["--repetitions", str(options.repetitions), "--seed", str(options.seed)]
    if options.generation.temperature is not None:
        words += ["--temperature", f"{options.generation.temperature:g}"]
    if options.generation.max_tokens is not None:
        words += ["--max-tokens", str(options.generation.max_tokens)]
    if options.model.startswith("hf:"):
        # Which prompts are sampled together depends on it.
        words += ["--concurrency", str(options.service.concurrency)]
    if options.preset is not None:
        words += ["--preset", options.preset]
    if options.shard is not None:
        words += ["--shard", str(options.shard)]
    if options.batch:
        words += ["--batch"]
    if options.until_width is not None:
        words += ["--until-width", f"{options.until_width:g}"]
    return [*words, *machine_words(options)]


def machine_words(options: ProbeOptions) -> list[str]:
    """Return the options that parts of a run may differ in, and that say what is kept of answers."""
    words = [word for address in options.service.base_urls for word in ("--base-url", address)]
    return [*words, *(["--redact-answers"] if options.redact_answers else [])]


def setting_words(settings: Mapping[str, Any]) -> list[str]:
    """Return settings as words of a command line.

    >>> setting_words({"num_reorders": 25, "corpus": None, "mixed": True})
    ['--num-reorders', '25', '--mixed']
    """
    words = []
    for name, value in settings.items():
        if value is None or value is False:
            continue
        words.append(f"--{name.replace('_', '-')}")
        if value is not True:
            words.append(str(value))
    return words
