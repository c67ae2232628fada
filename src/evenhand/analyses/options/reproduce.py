"""The command lines that ask the same again, or go on."""

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
    """Return the options; that the run was begun with --redact-answers is kept."""
    if options.redact_answers or not begun_with:
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
    same = replace(options, everything=False, sample=sample_size(probe, options)[1], design=design.name)
    again = option_words(besides_preset(probe, same))
    return shlex.join(["evenhand", "probe", probe.name, "--model", options.model, *again])


def suite_words(options: SuiteOptions, *, machine: bool = True) -> list[str]:
    """Return the words of the command line that puts the same suite again, with what is of one machine or without.

    >>> shlex.join(suite_words(SuiteOptions(model="sim:random", sample=40, seed=3)))
    'evenhand audit --model sim:random --suite standard --sample 40 --repetitions 1 --seed 3'
    """
    again = option_words(options, always=("suite",), machine=machine)
    return ["evenhand", "audit", "--model", options.model, *again]


def option_words(options: ProbeOptions, *, always: Collection[str] = (), machine: bool = True) -> list[str]:
    """Return all options but the model, as words of a command line; some are named `always`."""
    named = [*always, "repetitions", "seed"]
    if options.model.startswith("hf:"):
        named.append("concurrency")  # which prompts are sampled together depends on it
    return [*words(options, always=named, without=("model",), machine=machine), *setting_words(options.settings)]


def manifest_options(group: type[GroupT], kept: Mapping[str, Any]) -> GroupT:
    """Return options as a manifest keeps them; files, of which it keeps hashes only, have their defaults.

    >>> from evenhand.analyses.options.probes import CompareOptions
    >>> manifest_options(CompareOptions, {"seed": 3, "common": True})
    CompareOptions(out=None, force=False, seed=3, common=True, any_stimuli=False)
    """
    found = {}
    for each in declared(group):
        name = each.option.kept if isinstance(each.option.kept, str) else each.name
        value = kept.get(name) if each.option.kept else None
        if value is not None and each.kind is not Path:
            found[each.name] = (
                tuple(value) if each.several else date.fromisoformat(value) if each.kind is date else value
            )
    return build_group(group, found)
