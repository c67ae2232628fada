"""The conditions of `--fail-on`: a finished run that meets one exits with code 1, one that can't be judged with 6.

`difference` holds the chance of failing where nothing differs at 5 %, over all planned comparisons of the run;
`adverse-impact` asks for such a difference besides a ratio under four fifths. The others compare estimates with limits
and control no error rate.
"""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import inf
from typing import Final

from evenhand.analyses.options.conditions import CONDITIONS, MARKS, conditions_of
from evenhand.errors import InputError
from evenhand.results.finding import LEVEL, Claim, Finding, GroupRatio, ImpactRatio, PerturbedScores, PositionsBelow
from evenhand.results.measures import CHANGE, COMPARED_MEASURES, DIFFERENCE, UNDETECTED_ATTEMPTS, WORSE, MeasureSet
from evenhand.results.messages import quoted
from evenhand.results.score_audit import VersionChange
from evenhand.results.study_audit import LevelDifference, NoiseFloor, is_above
from evenhand.stats import holm

#: Marks of a test, as An et al. 2024 give them.
SIGNIFICANCE = ("", "*", "†")
#: A change of exactly the limit is not more than it, whatever binary fractions make of it.
ROUNDING = 1e-9
MOST_NAMED = 3


@dataclass(frozen=True)
class Described:
    """A finding, and what a condition says of it; without one where it says it of a whole probe."""

    finding: Finding | None
    text: str


@dataclass(frozen=True, kw_only=True)
class Judgement:
    """What a condition found: findings that meet it, those it looked at, by which rule, and which can't be judged.

    `described` meet it; `unjudged` and `small` could not be judged, with the reason, the latter of groups that are too
    small for a condition to wait for them. `needs` is what there must be to judge.
    """

    described: Sequence[Described]
    judged: Sequence[Finding]
    rule: str
    unjudged: Sequence[Described] = ()
    small: Sequence[Described] = ()
    needs: str = "there is nothing to judge"


@dataclass(frozen=True)
class GateResult:
    """What each condition found, by its text."""

    judgements: Mapping[str, Judgement]

    @property
    def exit_code(self) -> int:
        """Return the exit code of all conditions together."""
        codes = {exit_code(judgement) for judgement in self.judgements.values()}
        return 1 if 1 in codes else max(codes, default=0)

    @property
    def lines(self) -> list[str]:
        """Return a line for each condition."""
        return [_line(*judged) for judged in self.judgements.items()]


#: Judges all findings of a run.
Judge = Callable[[Sequence[Finding]], Judgement]


def check_conditions(
    conditions: Sequence[str], kind: str | None = None, *, without: Collection[str] = frozenset()
) -> None:
    """Refuse a condition that is malformed, or that a kind of run can't have, before anything is run.

    `without` are conditions that one probe can't have.

    >>> check_conditions(["difference", "mark:C", "undetected:0.05"], "probe")
    """
    for condition in conditions:
        _judge(condition, kind, without)


def conditions_without(measured: MeasureSet) -> frozenset[str]:
    """Return the conditions that a probe with these measures can't have: it has no ratios of groups, or no marks."""
    ratios = measured.impact_ratios and measured.population is None
    return frozenset(
        {*(() if ratios else ("adverse-impact", "below")), *(() if measured.bands else ("mark", "mark-estimate"))}
    )


def gate(conditions: Sequence[str], findings: Sequence[Finding], kind: str | None = None) -> GateResult:
    """Return what each condition finds: whether it holds, or can't be judged.

    Raises
    ------
    InputError
        A condition is not understood, or the kind of run can't have it.

    """
    return GateResult({text: _judge(text, kind)(findings) for text in conditions})


def exit_code(judgement: Judgement) -> int:
    """Return the exit code of one condition: 1 where it holds, 6 where it can't be judged."""
    if judgement.described:
        return 1
    return 6 if judgement.unjudged or not judgement.judged else 0


def _line(text: str, judgement: Judgement) -> str:
    held, of = len(judgement.described), f"{len(judgement.judged):,} judged"
    if held:
        said = f"holds for {held:,} of {of}: {_listed(judgement.described)} ({judgement.rule})."
        said += f" Not judged: {_listed(judgement.unjudged)}." if judgement.unjudged else ""
    elif judgement.unjudged or not judgement.judged:
        unjudged = _listed(judgement.unjudged)
        needs = "no comparison could be" if judgement.small else judgement.needs
        said = f"can't be judged for {unjudged}." if unjudged else f"can't be judged: {needs}."
        said += f" It holds for none of {of} ({judgement.rule})." if judgement.judged else ""
    else:
        said = f"holds for none of {of} ({judgement.rule})."
    if judgement.small:
        said += f" Not judged, with fewer than 30 or 2 % on one side: {_listed(judgement.small)}."
    return f"--fail-on {text} {said}"


def _listed(parts: Sequence[Described]) -> str:
    more = f" and {len(parts) - MOST_NAMED} more" if len(parts) > MOST_NAMED else ""
    return f"{', '.join(part.text for part in parts[:MOST_NAMED])}{more}"


def _judge(text: str, kind: str | None, without: Collection[str] = frozenset()) -> Judge:
    name, _, value = text.partition(":")
    known = conditions_of(None if kind is None else {kind})
    possible = {key: condition for key, condition in known.items() if key not in without}
    condition = possible.get(name)
    judge = None if condition is None else _READERS[name](value)
    if condition and condition.measures and value.partition("=")[0].lower() not in condition.measures:
        judge = None
    if judge is None:
        *forms, last = [form for other in possible.values() for form in other.written] or ["none"]
        expected = f"{', '.join(forms)} or {last}" if forms else last
        what = (
            f"is not a condition of {'this probe' if name in without else {'suite': 'audit'}.get(kind or '', kind)}"
            if name in CONDITIONS and name not in possible
            else "is not understood"
        )
        measures = f" MEASURE is {', '.join(condition.measures)}." if condition and condition.measures else ""
        raise InputError(f"--fail-on {quoted(text)} {what}; expected {expected}.{measures}")
    return judge


def _alone(judge: Judge) -> Callable[[str], Judge | None]:
    """Return the parser of a condition without a value."""
    return lambda value: None if value else judge


def planned_claims(findings: Sequence[Finding]) -> dict[int, Claim]:
    """Return the planned claims by the place of their findings."""
    return {
        place: finding.claim
        for place, finding in enumerate(findings)
        if finding.claim is not None and finding.claim.planned
    }


def corrected_over_run(findings: Sequence[Finding]) -> dict[int, float]:
    """Return the p of planned claims, by place, corrected over those of all probes of a run (Holm).

    Within one analysis it is the claims' own; over the probes of a suite the families are joined.
    """
    claims, sizes = planned_claims(findings), _family_sizes(findings)
    if len(sizes) <= 1:
        return {place: claim.p_adjusted for place, claim in claims.items() if claim.p_adjusted is not None}
    judged = {place: claim.p for place, claim in claims.items() if claim.p is not None}
    unseen = max(sum(sizes.values()) - len(judged), 0)
    corrected = holm([*judged.values(), *[1.0] * unseen]).p
    return dict(zip(judged, corrected.tolist(), strict=False))


def _family_sizes(findings: Sequence[Finding]) -> dict[tuple[str | None, str], int]:
    """Return how many planned comparisons there are by probe and family."""
    return {
        (findings[place].probe, claim.family): claim.family_size for place, claim in planned_claims(findings).items()
    }


def _not_judged(lacking: Iterable[Finding], findings: Sequence[Finding]) -> dict[str, list[Described]]:
    """Return what can't be judged, in words with the reason: of groups of some size, and of small ones."""
    named: dict[str, list[Described]] = {"unjudged": [], "small": []}
    for finding in lacking:
        details = finding.details
        undetermined = isinstance(details, ImpactRatio | PositionsBelow) and details.four_fifths == "not_determined"
        otherwise = "counts that are not known leave it open" if undetermined else "it could not be computed"
        reason = (finding.claim and finding.claim.reason) or finding.reason or otherwise
        place = "unjudged" if _is_large(finding, findings) else "small"
        named[place].append(Described(finding, f"{finding.name} ({reason.rstrip('.')})"))
    return named


def _is_large(finding: Finding, findings: Sequence[Finding]) -> bool:
    """Return whether both groups of a comparison have 30 people and 2 % of all; so are groups of unknown size."""
    claim = finding.claim
    if claim is None or claim.n_focal is None or claim.n_reference is None:
        return True
    if not finding.reference or set(finding.reference.values()) <= {"all", "others"}:
        return claim.is_large(claim.n_focal + claim.n_reference)
    focal = [
        other.claim.n_focal or 0
        for other in findings
        if other.claim is not None
        and (other.probe, other.measure, other.slice, other.focal.keys())
        == (finding.probe, finding.measure, finding.slice, finding.focal.keys())
    ]
    return claim.is_large(sum(focal) + claim.n_reference)


def _difference(findings: Sequence[Finding]) -> Judgement:
    p = corrected_over_run(findings)
    size = sum(_family_sizes(findings).values())
    more = ", those with another reference included," if size > len(planned_claims(findings)) else ""
    return Judgement(
        described=[_difference_in_words(findings[place]) for place, value in p.items() if value < LEVEL],
        judged=[findings[place] for place in p],
        rule=f"Holm over {size:,} planned comparison{'' if size == 1 else 's'}{more} at {100 * LEVEL:.0f} %",
        **_not_judged(
            (findings[place] for place, claim in planned_claims(findings).items() if claim.p is None), findings
        ),
        needs="there is no planned comparison of groups",
    )


def _difference_in_words(finding: Finding) -> Described:
    side = f" ({'more' if is_above(finding) else 'less'} than the placebo)"
    return Described(finding, finding.name + (side if isinstance(finding.details, NoiseFloor) else ""))


def _ratios(findings: Sequence[Finding]) -> list[tuple[Finding, str | None]]:
    """Return the ratios that the four-fifths rule is for, each with its verdict, and the shares of positions."""
    return [
        (finding, "not_determined" if _reference_may_be_under(finding) else finding.details.four_fifths)
        for finding in findings
        if isinstance(finding.details, GroupRatio)
        or (isinstance(finding.details, ImpactRatio | PositionsBelow) and finding.role == "planned")
    ]


#: Verdicts of the four-fifths rule on a ratio that can be computed.
FOUR_FIFTHS: Final = ("below", "not_below", "above")
#: Of a ratio above it the reference is under four fifths.
FIVE_FOURTHS: Final = 1.25
NO_RATIOS: Final = "there is no ratio of selection rates between groups"


def _adverse_impact(findings: Sequence[Finding]) -> Judgement:
    ratios = [finding for finding, _ in _ratios(findings)]
    judged = [finding for finding, verdict in _ratios(findings) if verdict in FOUR_FIFTHS and finding.p is not None]
    over_run = corrected_over_run(findings)
    different = {findings[place].name for place, p in over_run.items() if p < LEVEL}
    return Judgement(
        described=[
            _below_in_words(finding)
            for finding in judged
            if _is_below(finding)
            and (finding.name in different or (finding.is_difference and not _is_planned(finding)))
        ],
        judged=judged,
        rule="ratios under four fifths whose difference is statistically significant after correction",
        **_not_judged((finding for finding in ratios if finding.claim and finding not in judged), findings),
        needs=NO_RATIOS,
    )


def _is_planned(finding: Finding) -> bool:
    return finding.claim is not None and finding.claim.planned


def _is_below(finding: Finding) -> bool:
    """Return whether a group, or the reference itself, is under four fifths; of positions, whether one that differs."""
    details = finding.details
    if isinstance(details, PositionsBelow):
        return bool(details.below_significant)
    return _is_under(finding) or _is_reference_under(finding)


def _is_under(finding: Finding) -> bool:
    details = finding.details
    return isinstance(details, GroupRatio | ImpactRatio | PositionsBelow) and details.four_fifths == "below"


def _is_reference_under(finding: Finding) -> bool:
    """Return whether the rate of the reference, one of the user's choice, is under four fifths of the group's."""
    details = finding.details
    if not isinstance(details, GroupRatio | ImpactRatio) or details.four_fifths not in FOUR_FIFTHS:
        return False
    if isinstance(details, ImpactRatio) and details.rate_bounds is not None:
        return finding.low is not None and finding.low > FIVE_FOURTHS + ROUNDING
    counts = details.rate_reference, details.n_reference, details.rate_focal, details.n_focal
    if None in counts:
        return False
    reference, n, focal, m = (float(count or 0) for count in counts)
    # Whole numbers decide, whatever binary fractions make of them.
    return 5 * round(reference * n) * m < 4 * round(focal * m) * n


def _reference_may_be_under(finding: Finding) -> bool:
    """Return whether the reference is under four fifths by some counts that are possible, and not by others."""
    details = finding.details
    if not isinstance(details, ImpactRatio) or details.rate_bounds is None or _is_under(finding):
        return False
    return not _is_reference_under(finding) and (finding.high is None or finding.high > FIVE_FOURTHS + ROUNDING)


def _below_in_words(finding: Finding) -> Described:
    side = " (its reference is the group below)" if _is_reference_under(finding) else ""
    return Described(finding, finding.name + side)


def _below(findings: Sequence[Finding]) -> Judgement:
    ratios = _ratios(findings)
    held = [finding for finding, _ in ratios if _is_under(finding) or _is_reference_under(finding)]
    rates = [
        finding.details.over_flagging_rate
        for finding, verdict in ratios
        if verdict in FOUR_FIFTHS and isinstance(finding.details, GroupRatio | ImpactRatio)
    ]
    known = {rate for rate in rates if rate is not None}
    least = "at least " if len(known) > 1 else ""
    chance = (
        f"its false-positive rate with these numbers is {least}{100 * max(known):.0f} %"
        if known
        else "it ignores chance, and its false-positive rate with these numbers is not known"
    )
    if known and any(isinstance(finding.details, PositionsBelow) for finding, _ in ratios):
        chance += " among all applicants, and higher over all positions"
    return Judgement(
        described=[_below_in_words(finding) for finding in held],
        judged=[finding for finding, verdict in ratios if verdict in FOUR_FIFTHS],
        rule=f"the four-fifths rule alone; {chance}",
        **_not_judged(
            (finding for finding, verdict in ratios if finding.claim and verdict not in FOUR_FIFTHS), findings
        ),
        needs=NO_RATIOS,
    )


def _mark(value: str, *, of_interval: bool) -> Judge | None:
    """Judge planned findings: a mark this bad or worse, of the estimate or of the whole interval."""
    if value not in MARKS[1:]:
        return None
    failing = MARKS[MARKS.index(value) :]

    def judge(findings: Sequence[Finding]) -> Judgement:
        planned = [finding for finding in findings if finding.role == "planned"]
        marked = [finding for finding in planned if finding.mark in MARKS]
        judged = [finding for finding in marked if finding.marks_touched or not of_interval]
        lacking = [Described(finding, f"{finding.name} (no interval)") for finding in marked if finding not in judged]
        lacking += [
            Described(finding, f"{finding.name} ({finding.reason.rstrip('.')})")
            for finding in planned
            if finding.mark is None and finding.estimate is None and finding.reason
        ]
        if any(finding.mark in SIGNIFICANCE for finding in planned):
            of_tests = "a probe whose marks are of significance, not A to D (use --fail-on difference)"
            lacking.append(Described(None, of_tests))
        return Judgement(
            described=[
                Described(finding, f"{finding.name} (mark {finding.mark})")
                for finding in judged
                if (finding.marks_touched[0] if of_interval else finding.mark) in failing
            ],
            judged=judged,
            rule="marks of the whole interval" if of_interval else "marks of estimates, which ignore chance",
            unjudged=lacking,
            needs="no planned finding has a mark",
        )

    return judge


def _not_shown(findings: Sequence[Finding], *, above: bool = False) -> Judgement:
    """Judge planned comparisons that were not shown to be within the margin, or ratios not shown to be `above` it."""
    kinds = ImpactRatio if above else PerturbedScores | LevelDifference | ImpactRatio
    planned = [finding for finding in findings if finding.role == "planned" and isinstance(finding.details, kinds)]
    judged = [
        (finding, finding.claim and (finding.claim.above_margin if above else finding.claim.equivalent))
        for finding in planned
    ]
    ratios = {finding.details.margin for finding in planned if isinstance(finding.details, ImpactRatio)}
    margin = f"the margin ({', '.join(f'{value:g}' for value in ratios)})" if ratios - {None} else "the margin"
    what = f"ratios not shown to be above {margin}" if above else f"comparisons not shown to be within {margin}"
    return Judgement(
        described=[Described(finding, finding.name) for finding, shown in judged if shown is False],
        judged=[finding for finding, shown in judged if shown is not None],
        rule=f"{what}, at 5 % {'over all of them (Holm)' if ratios else 'each'}",
        **_not_judged((finding for finding, shown in judged if shown is None), findings),
        needs=NO_RATIOS if above else "there is no planned comparison with a margin",
    )


def _undetected(value: str) -> Judge | None:
    """Judge the share of answers that could not be read."""
    limit = _share(value)
    if limit is None:
        return None

    def judge(findings: Sequence[Finding]) -> Judgement:
        shares = [
            finding
            for finding in findings
            if finding.measure == UNDETECTED_ATTEMPTS and not finding.focal and not finding.slice
        ]
        return Judgement(
            described=[
                Described(finding, f"{finding.name} {finding.estimate:.1%}")
                for finding in shares
                if finding.estimate is not None and finding.estimate > limit + ROUNDING
            ],
            judged=[finding for finding in shares if finding.estimate is not None],
            rule="the share of answers that could not be read",
            **_not_judged((finding for finding in shares if finding.estimate is None), findings),
            needs="there are no answers",
        )

    return judge


def _measure_limit(value: str, measures: Collection[str]) -> tuple[str, float] | None:
    """Return measure and limit of a text such as auc=.01; None for another measure, or no number."""
    name, _, typed = value.partition("=")
    name = name.lower()
    try:
        limit = float(typed)
    except ValueError:
        return None
    return (name, limit) if name in measures and 0 <= limit < inf else None


def _against_limit(
    value: str, measures: Collection[str], *, begins: str, size: Callable[[Finding], float], needs: str
) -> Judge | None:
    """Judge estimates of a measure, of all people by at most one attribute, against a limit."""
    parsed = _measure_limit(value, measures)
    if parsed is None:
        return None
    name, limit = parsed

    def judge(findings: Sequence[Finding]) -> Judgement:
        rows = [
            finding
            for finding in findings
            if finding.measure == f"{begins}{name}" and not finding.slice and len(finding.focal) < 2
        ]
        known = [finding for finding in rows if finding.estimate is not None]
        return Judgement(
            described=[
                Described(finding, f"{finding.name} {finding.estimate:+.4f} (n = {finding.n:,})")
                for finding in known
                if size(finding) > limit + ROUNDING
            ],
            judged=known,
            rule="estimates against the limit, which ignore chance",
            **_not_judged((finding for finding in rows if finding.estimate is None), findings),
            needs=f"there is no difference in {name}; it needs {needs}",
        )

    return judge


def _gap(value: str) -> Judge | None:
    return _against_limit(
        value,
        COMPARED_MEASURES,
        begins=DIFFERENCE,
        size=lambda finding: abs(finding.estimate or 0.0),
        needs="--protected, for decisions --cutoff, and for brier and calibration scores that are probabilities",
    )


def _worse(value: str) -> Judge | None:
    return _against_limit(
        value,
        WORSE,
        begins=CHANGE,
        size=lambda finding: VersionChange.of(finding).worse_by or 0.0,
        needs="--against (for golden cases an earlier run), and for decisions --cutoff",
    )


def _share(text: str) -> float | None:
    try:
        share = float(text)
    except ValueError:
        return None
    return share if 0 <= share <= 1 else None


#: By the name of a condition, what parses the value after its colon ("" without one): the judge of all findings, or
#: None for an invalid value.
_READERS: Final[Mapping[str, Callable[[str], Judge | None]]] = {
    "difference": _alone(_difference),
    "adverse-impact": _alone(_adverse_impact),
    "below": _alone(_below),
    "mark": lambda value: _mark(value, of_interval=True),
    "mark-estimate": lambda value: _mark(value, of_interval=False),
    "not-equivalent": _alone(_not_shown),
    "not-above": _alone(lambda findings: _not_shown(findings, above=True)),
    "gap": _gap,
    "worse": _worse,
    "undetected": _undetected,
}
