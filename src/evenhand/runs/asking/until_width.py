"""`--until-width`: what may be watched, when asking stopped, and what that saved."""

from collections.abc import Iterable, Iterator
from typing import Any

from evenhand.collect.enough import LOOK_EVERY, Enough, watched
from evenhand.collect.order import Planned
from evenhand.errors import InputError
from evenhand.findings.measure import CONFIDENCE
from evenhand.findings.sequential import Sequential
from evenhand.probes.shared.probe import Design, Probe
from evenhand.runs.options.probe import ProbeOptions

__all__ = ["first_attempts", "open_enough", "sequential_of", "stopping_block", "stopping_warnings"]


def open_enough(probe: Probe, design: Design, options: ProbeOptions, *, sample: int) -> Enough | None:
    """Return what watches the answers; None without --until-width.

    Raises
    ------
    InputError
        The probe's headline can't be watched, or not while it is asked in this way, or any data is enough.
    """
    if options.until_width is None:
        return None
    if options.batch:
        raise InputError(
            "--until-width can't be given with --batch: a batch is paid as a whole, so nothing is saved by stopping. "
            "Leave out one of them."
        )
    if options.repetitions > 1:
        raise InputError(
            f"--until-width can't be given with --repetitions {options.repetitions}: the repetitions of a prompt are "
            "spread over the run, so prompts are complete at its end only. Leave out one of them."
        )
    measure = watched(probe, design)
    low, high = measure.bounds
    if not options.until_width < high - low:
        raise InputError(
            f"--until-width is {options.until_width:g}; {measure.measure} lies between {low:g} and {high:g}, so "
            f"expected a width below {high - low:g}."
        )
    return Enough(probe, design, width=options.until_width, sample=sample, confidence=CONFIDENCE)


def first_attempts(chunks: Iterable[list[Planned]], attempts: int) -> Iterator[list[Planned]]:
    """Yield the plan up to its first `attempts`."""
    left = attempts
    for chunk in chunks:
        if not left:
            return
        yield chunk[:left]
        left -= len(chunk[:left])


def sequential_of(enough: Enough | None) -> Sequential | None:
    """Return the interval of the measure that was watched, for findings; None where there is none."""
    if enough is None:
        return None
    interval, narrow = enough.interval, enough.narrow
    if interval.low is None or interval.high is None or narrow.low is None or narrow.high is None:
        return None
    return Sequential(
        measure=enough.watched.measure,
        low=interval.low,
        high=interval.high,
        narrow=(narrow.low, narrow.high),
        method=interval.method,
        reached=enough.reached,
        n=interval.n,
        width=enough.width,
        looks=enough.looks,
    )


def stopping_block(enough: Enough | None, *, journaled: int) -> dict[str, Any] | None:
    """Return what manifest and audit block say about stopping; None without --until-width."""
    if enough is None:
        return None
    saved = 1 - enough.attempts / enough.planned
    return {
        "measure": enough.watched.measure,
        "until_width": enough.width,
        "reached": enough.reached,
        "width": enough.interval.width,
        "looks": enough.looks,
        "look_every": LOOK_EVERY,
        "prompts": enough.attempts,
        "journaled": journaled,
        "planned": enough.planned,
        "saved": saved,
        "fixed_sample": enough.fixed_sample(),
        "sentence": _sentence(enough, saved),
    }


def _sentence(enough: Enough, saved: float) -> str:
    measure, width = enough.watched.measure, enough.interval.width
    if not enough.reached:
        reason = "no value was complete" if width is None else f"it is {width:.4f} wide"
        return (
            f"--until-width {enough.width:g} was not reached: the interval of {measure} was looked at {enough.looks:,} "
            f"times, and after all {enough.planned:,} prompts {reason}. Nothing was saved."
        )
    fixed = enough.fixed_sample()
    beforehand = (
        "" if fixed is None else f" A sample fixed beforehand would need about {fixed:,} prompts for the same width."
    )
    return (
        f"--until-width {enough.width:g} was reached: after {enough.attempts:,} of {enough.planned:,} prompts the "
        f"interval of {measure} is {width:.4f} wide, at look {enough.looks:,}. That saved {saved:.0%} of the prompts "
        f"planned.{beforehand}"
    )


def stopping_warnings(enough: Enough | None) -> list[str]:
    """Return what must be said of measures that nobody watched."""
    if enough is None or not enough.reached or enough.attempts >= enough.planned:
        return []
    return [
        f"Asking stopped when the interval of {enough.watched.measure} was narrow enough. All other measures were not "
        "planned for stopping early: their intervals and p-values take the number of prompts as fixed."
    ]
