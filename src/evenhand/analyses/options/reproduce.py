"""Command lines that reproduce or resume a run."""

import shlex
from collections.abc import Callable, Collection, Mapping
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import Any, TypeVar

from evenhand.analyses.options.probes import ProbeOptions, SuiteOptions, besides_preset, setting_words
from evenhand.analyses.sample import sample_size
from evenhand.options import build_group, declared, words
from evenhand.probes.probe import Design, Probe

ProbeOptionsT = TypeVar("ProbeOptionsT", bound=ProbeOptions)
GroupT = TypeVar("GroupT")


def keeping_redaction(options: ProbeOptionsT, notice: Callable[[str], None], *, begun_with: bool) -> ProbeOptionsT:
    """Return the options, with --redact-answers if the run was begun with it."""
    if options.redact_answers or not begun_with:
        return options
    notice("The text of the answers is deleted at the end: the run was begun with --redact-answers.")
    return replace(options, redact_answers=True)


def resume_words(out: Path, *, redact: bool) -> str:
    """Return the options that resume a run.

    >>> resume_words(Path("runs/first"), redact=True)
    '--resume --out runs/first --redact-answers'
    """
    return f"--resume --out {shlex.quote(str(out))}" + (" --redact-answers" if redact else "")


def reproduce_line(probe: Probe, design: Design, options: ProbeOptions) -> str:
    """Return the command line that reproduces the run of a probe."""
    exact = replace(options, everything=False, sample=sample_size(probe, options)[1], design=design.name)
    repeated = option_words(besides_preset(probe, exact))
    return shlex.join(["evenhand", "probe", probe.name, "--model", options.model, *repeated])


def suite_words(options: SuiteOptions, *, machine: bool = True) -> list[str]:
    """Return the words of the command line that reproduces a suite, with or without options of one machine.

    >>> shlex.join(suite_words(SuiteOptions(model="sim:random", sample=40, seed=3)))
    'evenhand audit --model sim:random --suite standard --sample 40 --repetitions 1 --seed 3'
    """
    repeated = option_words(options, always=("suite",), machine=machine)
    return ["evenhand", "audit", "--model", options.model, *repeated]


def option_words(options: ProbeOptions, *, always: Collection[str] = (), machine: bool = True) -> list[str]:
    """Return all options but the model as words of a command line; `always` names those to include in any case."""
    named = [*always, "repetitions", "seed"]
    if options.model.startswith("hf:"):
        named.append("concurrency")  # which prompts are sampled together depends on it
    return [*words(options, always=named, without=("model",), machine=machine), *setting_words(options.settings)]


def manifest_options(group: type[GroupT], stored: Mapping[str, Any]) -> GroupT:
    """Return the options in a manifest; files, stored as hashes only, have their defaults.

    >>> from evenhand.analyses.options.probes import CompareOptions
    >>> manifest_options(CompareOptions, {"seed": 3, "common": True})
    CompareOptions(out=None, force=False, seed=3, common=True, any_stimuli=False)
    """
    values = {}
    for field in declared(group):
        name = field.option.kept if isinstance(field.option.kept, str) else field.name
        value = stored.get(name) if field.option.kept else None
        if value is not None and field.kind is not Path:
            values[field.name] = (
                tuple(value) if field.several else date.fromisoformat(value) if field.kind is date else value
            )
    return build_group(group, values)
