"""The options of a run's probe: which probe it is, and what is set of those options that only some probes have."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict, replace
from difflib import get_close_matches
from pathlib import Path
from typing import TYPE_CHECKING, Any

from evenhand.errors import InputError
from evenhand.models.model import Generation
from evenhand.options import Declared, declared, json_value, spelled_out
from evenhand.probes import PROBES, SETTINGS
from evenhand.runs.options.probe import ProbeOptions
from evenhand.tables.fingerprints import sha256_of
from evenhand.tables.messages.quoting import quoted

if TYPE_CHECKING:
    from evenhand.probes.shared.probe import Probe

__all__ = [
    "besides_preset",
    "configured",
    "find_probe",
    "offered",
    "own_settings",
    "setting_words",
    "settings_again",
    "settings_block",
    "with_preset",
]


def find_probe(name: str) -> "Probe":
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


def own_settings(probe: "Probe", *, changing: str | None = None) -> tuple[str, ...]:
    """Return the names of the options that belong to a probe, all or those that change prompts, reading or numbers.

    >>> own_settings(PROBES["business-vocabulary"])
    ('templates', 'inventories', 'smoothing')
    """
    return tuple(each.name for each in declared(probe.settings) if changing in {None, each.option.changes})


def offered(
    probes: Iterable[str] = PROBES, *, where: Callable[[Declared], bool] = lambda _: True
) -> tuple[Declared, ...]:
    """Return the options that belong to some of these probes, each once.

    >>> [each.flag for each in offered(where=lambda each: each.option.changes == "numbers")]
    ['--smoothing', '--mixed', '--monte-carlo', '--cutoff']
    """
    every = [each for name in probes for each in declared(SETTINGS[name]) if where(each)]
    return tuple({each.name: each for each in every}.values())


def configured(probe: "Probe", settings: Mapping[str, Any], *, command: str = "probe") -> "Probe":
    """Return the probe with the settings that were given; None means not given.

    Raises
    ------
    InputError
        The probe has no such setting, or refuses its value.

    """
    chosen = {name: value for name, value in settings.items() if value is not None}
    own = own_settings(probe)
    for name in chosen:
        if name not in own:
            owners = [each for each, other in SETTINGS.items() if name in {own.name for own in declared(other)}]
            message = (
                f"--{name.replace('_', '-')} is no option of {command} {probe.name}; it belongs to {', '.join(owners)}."
            )
            raise InputError(message)
    return probe.with_settings(chosen)


def with_preset(probe: "Probe", options: ProbeOptions) -> ProbeOptions:
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


def besides_preset(probe: "Probe", options: ProbeOptions) -> ProbeOptions:
    """Return the options without those decoding parameters that their preset gives anyway."""
    preset = probe.presets.get(options.preset or "", {})
    own = asdict(options.generation)
    left = {name: None if value == preset.get(name) else value for name, value in own.items()}
    return replace(options, generation=Generation(**left))


def settings_block(settings: Mapping[str, Any]) -> dict[str, Any]:
    """Return the given settings as the manifest keeps them: files by name and fingerprint."""
    return {name: json_value(value) for name, value in settings.items() if value is not None}


def settings_again(kept: Mapping[str, Any], files: Mapping[str, Path], *, asked: str) -> dict[str, Any]:
    """Return the settings that a manifest keeps, with the files it has fingerprints of, which are given again.

    `asked` is what a message calls whoever was asked with them.

    Raises
    ------
    InputError
        A file is not given, it is another one, or no setting takes it.

    >>> settings_again({"smoothing": 5.0}, {}, asked="the run was")
    {'smoothing': 5.0}
    """
    settings: dict[str, Any] = {}
    for name, value in kept.items():
        option = f"--{name.replace('_', '-')}"
        if not isinstance(value, Mapping):
            if files.get(name, value) != value:
                raise InputError(f"{asked.capitalize()} asked with {option} {value}, not with {files[name]}.")
            settings[name] = value
            continue
        if name not in files:
            raise InputError(f"{asked.capitalize()} asked with {option} {value['file']}; give that file again.")
        given = Path(files[name])
        if not given.exists() or sha256_of(given) != value["sha256"]:
            raise InputError(f"{option} {given} is not the file that {asked} asked with.")
        settings[name] = given
    for name in files:
        if name not in kept:
            raise InputError(f"{asked.capitalize()} asked without --{name.replace('_', '-')}; leave it out.")
    return settings


def setting_words(settings: Mapping[str, Any]) -> list[str]:
    """Return settings as words of a command line.

    >>> setting_words({"num_reorders": 25, "corpus": None, "mixed": True})
    ['--num-reorders', '25', '--mixed']
    """
    chosen = {name: value for name, value in settings.items() if value is not None and value is not False}
    return [word for name, value in chosen.items() for word in spelled_out(f"--{name.replace('_', '-')}", value)]
