"""The conditions of `--fail-on`: a finished run that meets one exits with code 1."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from math import inf
from typing import Final

from evenhand.errors import InputError
from evenhand.results.finding import Finding, GroupRatio, ImpactRatio, PerturbedScores, PositionsBelow, VerdictBasis
from evenhand.results.measures import CHANGE, COMPARED_MEASURES, DIFFERENCE, UNDETECTED_ATTEMPTS, WORSE
from evenhand.results.messages import quoted
from evenhand.results.score_audit import VersionChange

MARKS = ("A", "B", "C", "D")
#: Marks of a test, as An et al. 2024 give them.
SIGNIFICANCE = ("", "*", "†")

#: Returns whether a finding meets a condition.
Holds = Callable[[Finding], bool]


@dataclass(frozen=True, kw_only=True)
class Condition:
    """A condition of --fail-on.

    `written` are its forms in messages. `read` parses the value after the colon ("" without one) and returns the test
    of a finding, or None for an invalid value. `told` describes the finding, `unjudged` says why findings can't be
    judged by the condition and its value.
    """

    written: tuple[str, ...]
    read: Callable[[str], Holds | None]
    told: Callable[[Finding], str] = lambda row: row.name
    unjudged: Callable[[Sequence[Finding], str], str | None] = lambda _findings, _value: None


@dataclass(frozen=True, kw_only=True)
class _FailCondition:
    """A condition as typed, and its test of a finding."""

    text: str
    value: str
    condition: Condition
    holds: Holds


def check_conditions(conditions: Sequence[str]) -> None:
    """Refuse a malformed condition before anything is run.

    >>> check_conditions(["difference", "mark:C", "undetected:0.05"])
    """
    for condition in conditions:
        _fail_condition(condition)


def conditions_met(conditions: Sequence[str], findings: Sequence[Finding]) -> list[str]:
    """Return the conditions that hold, each with the first finding that meets it.

    Raises
    ------
    InputError
        The findings can't be judged by a condition.

    """
    met = []
    for typed in map(_fail_condition, conditions):
        reason = typed.condition.unjudged(findings, typed.value)
        if reason is not None:
            raise InputError(f"--fail-on {typed.text} can't be judged: {reason}")
        row = next(filter(typed.holds, findings), None)
        if row is not None:
            met.append(f"{typed.text} ({typed.condition.told(row)})")
    return met


def _fail_condition(text: str) -> _FailCondition:
    name, _, value = text.partition(":")
    condition = CONDITIONS.get(name)
    holds = None if condition is None else condition.read(value)
    if condition is None or holds is None:
        *forms, last = (form for entry in CONDITIONS.values() for form in entry.written)
        raise InputError(f"--fail-on {quoted(text)} is not understood; expected {', '.join(forms)} or {last}.")
    return _FailCondition(text=text, value=value, condition=condition, holds=holds)


def _alone(holds: Holds) -> Callable[[str], Holds | None]:
    """Return the parser of a condition without a value."""
    return lambda value: None if value else holds


def _below(row: Finding) -> bool:
    details = row.details
    return isinstance(details, GroupRatio | ImpactRatio | PositionsBelow) and details.four_fifths == "below"


def _with_false_positives(row: Finding) -> str:
    """Return the finding's name, and the false-positive rate of the four-fifths rule."""
    details = row.details
    chance = details.over_flagging_rate if isinstance(details, GroupRatio | ImpactRatio) else None
    if chance is None:
        return row.name
    return f"{row.name}; false-positive rate of the four-fifths rule: {chance:.0%}"


def _difference(row: Finding) -> bool:
    details = row.details
    detected = (
        isinstance(details, VerdictBasis | PerturbedScores | PositionsBelow) and details.difference_detected is True
    )
    return row.role == "planned" and (row.verdict == "difference" or detected)


def _not_equivalent(row: Finding) -> bool:
    """Return whether equivalence within the margin was not shown in a planned comparison."""
    return row.role == "planned" and isinstance(row.details, PerturbedScores) and row.verdict != "equivalent"


def _no_margin(findings: Sequence[Finding], _value: str) -> str | None:
    if any(isinstance(row.details, PerturbedScores) for row in findings):
        return None
    return "it is for perturbation tests, which have a margin. The run is finished; use another condition."


def _mark(value: str) -> Holds | None:
    """Test for this mark or a worse one in planned findings; every finding has A or worse."""
    if value not in MARKS[1:]:
        return None
    failing = MARKS[MARKS.index(value) :]
    return lambda row: row.role == "planned" and row.mark in failing


def _with_verdict(row: Finding) -> str:
    return row.name if row.verdict is None else f"{row.name}, verdict {row.verdict}"


def _unmarked(findings: Sequence[Finding], _value: str) -> str | None:
    if not any(row.role == "planned" and row.mark in SIGNIFICANCE for row in findings):
        return None
    return "this probe's marks are of significance, not A to D. The run is finished; use --fail-on difference."


def _undetected(value: str) -> Holds | None:
    """Test for a larger share of answers that could not be read."""
    limit = _share(value)
    if limit is None:
        return None
    return lambda row: (
        row.measure == UNDETECTED_ATTEMPTS
        and not row.focal
        and not row.slice
        and row.estimate is not None
        and row.estimate > limit
    )


def _measure_limit(value: str, measures: Sequence[str]) -> tuple[str, float] | None:
    """Return measure and limit of a text such as auc=.01; None for another measure, or no number."""
    name, _, typed = value.partition("=")
    try:
        limit = float(typed)
    except ValueError:
        return None
    return (name, limit) if name in measures and 0 <= limit < inf else None


def _gap(value: str) -> Holds | None:
    """Test whether a group differs from its reference by more than a limit."""
    parsed = _measure_limit(value, COMPARED_MEASURES)
    if parsed is None:
        return None
    name, limit = parsed
    return lambda row: (
        row.measure == f"{DIFFERENCE}{name}"
        and row.role == "planned"
        and row.estimate is not None
        and abs(row.estimate) > limit
    )


def _worse(value: str) -> Holds | None:
    """Test whether the new version is worse by more than a limit, for all people or a group."""
    parsed = _measure_limit(value, WORSE)
    if parsed is None:
        return None
    name, limit = parsed
    return lambda row: (
        row.measure == f"{CHANGE}{name}" and row.role == "planned" and (VersionChange.of(row).worse_by or 0.0) > limit
    )


def _with_size(row: Finding) -> str:
    return f"{row.name} {row.estimate:+.4f}, n = {row.n:,}"


def _unknown(begins: str, option: str) -> Callable[[Sequence[Finding], str], str | None]:
    """Return a function that says why no difference in the measure of a condition is known."""

    def unjudged(findings: Sequence[Finding], value: str) -> str | None:
        name = value.partition("=")[0]
        rows = [row for row in findings if row.measure == f"{begins}{name}" and row.role == "planned"]
        if any(row.estimate is not None for row in rows):
            return None
        reason = rows[0].reason if rows else f"there is no difference in {name}; it needs {option}."
        return f"{reason} The run is finished."

    return unjudged


def _share(text: str) -> float | None:
    try:
        share = float(text)
    except ValueError:
        return None
    return share if 0 <= share <= 1 else None


#: The conditions by the name before the colon; a new one is an entry here.
CONDITIONS: Final[Mapping[str, Condition]] = {
    "below": Condition(written=("below",), read=_alone(_below), told=_with_false_positives),
    "difference": Condition(written=("difference",), read=_alone(_difference)),
    "mark": Condition(
        written=tuple(f"mark:{mark}" for mark in MARKS[1:]), read=_mark, told=_with_verdict, unjudged=_unmarked
    ),
    "not-equivalent": Condition(
        written=("not-equivalent",), read=_alone(_not_equivalent), told=_with_verdict, unjudged=_no_margin
    ),
    "gap": Condition(
        written=("gap:MEASURE=LIMIT",),
        read=_gap,
        told=_with_size,
        unjudged=_unknown(DIFFERENCE, "--protected, and of decisions --cutoff"),
    ),
    "worse": Condition(
        written=("worse:MEASURE=LIMIT",),
        read=_worse,
        told=_with_size,
        unjudged=_unknown(CHANGE, "--against (of golden cases an earlier run), and of decisions --cutoff"),
    ),
    "undetected": Condition(written=("undetected:SHARE",), read=_undetected),
}
