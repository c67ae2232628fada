"""Words and tables of a perturbation test: arms, groups, differences, its set-up and terms."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from math import floor, log10
from typing import Any, Final

from evenhand.report.page.contents import Definition, cost_text, set_up
from evenhand.report.words.numbers import MINUS, Scale, confidence_text, count_text, general_text, scale_of
from evenhand.report.words.results import capital, group_label, in_words, listing
from evenhand.results.finding import Finding
from evenhand.results.score_audit import PLACEBO, PerturbAudit, arm_group_label
from evenhand.results.table_groups import PerturbGroups

ARMS: Final = {
    "name": "Name",
    "name+pronouns": "Name and pronouns",
    "affinity": "Affinity",
    "combined": "Combined",
    "explicit": "Explicit",
    PLACEBO: "Placebo",
}
_SIDES: Final = {
    "name": ("{} names", "{} names"),
    "name+pronouns": ("{} names and pronouns", "{} names and pronouns"),
    "affinity": ("a line of membership that reveals {}", "a {} in its place"),
    "combined": ("{} names, pronouns and line of membership", "{} names and pronouns and a neutral line"),
    "explicit": ("{} names and a statement that says so", "{} names and such a statement"),
    PLACEBO: ("other {} names", "{} names"),
}
_VERDICTS: Final = {
    "difference": "difference",
    "no_difference_detected": "no difference detected",
    "not_judged": "not judged",
}
#: How places that somebody rises are printed.
PLACES: Final = Scale(decimals=2, signed=True, suffix=" places", long_suffix=" places")
#: Comparisons of arms, and of placebos, that tables and charts show: those with the largest differences.
_MOST, _MOST_PLACEBOS = 12, 4


def kind_of(finding: Finding) -> str:
    """Return the arm of a finding: how it shows the group."""
    return str(finding.slice.get("arm", ""))


def means_of(kind: str) -> tuple[str, list[str]]:
    """Return by what an arm shows names' groups, "" where it doesn't, and the identities that it shows.

    >>> means_of("name+pronouns+age"), means_of("religion")
    (('name+pronouns', ['age']), ('', ['religion']))
    """
    base = max((known for known in ARMS if f"{kind}+".startswith(f"{known}+")), key=len, default="")
    return base, [part for part in kind[len(base) :].split("+") if part]


def arm_label(kind: str) -> str:
    """Return an arm as rows and legends name it.

    >>> arm_label("name+age"), arm_label("age-experience")
    ('Name and age', 'Age-experience')
    """
    base, identities = means_of(kind)
    return capital(" and ".join([*([ARMS[base]] if base else []), *identities]))


def sides(finding: Finding) -> tuple[str, str]:
    """Return how both sides of a comparison were shown.

    >>> from evenhand.results.finding import Finding
    >>> given = dict(name="", measure="", role="planned", estimate=0.0, n=1, clusters={}, method="")
    >>> sides(Finding(slice={"arm": "name"}, focal={"race": "black"}, reference={"race": "white"}, **given))
    ('Black names', 'White names')
    """
    base, identities = means_of(kind_of(finding))
    first, second = (
        " and ".join(
            [
                *([words.format(group_label({by: of[by] for by in of if by not in identities}))] if words else []),
                *(f"{identity} '{of[identity]}'" for identity in identities),
            ]
        )
        for words, of in zip(_SIDES.get(base, ("", "")), (finding.focal, finding.reference), strict=True)
    )
    return first, second


def comparison(finding: Finding) -> str:
    """Return the arm and its groups, as rows and legends name them."""
    focal, reference = group_label(finding.focal), group_label(finding.reference)
    groups = f"{focal}, other names" if finding.focal == finding.reference else f"{focal} {MINUS} {reference}"
    return f"{arm_label(kind_of(finding))}: {groups}"


def labelled(label: str) -> str:
    """Return a group's label as the block of the audit has it, in words: 'female × black' as 'female Black'."""
    return group_label({part: part for part in label.split(" × ")})


def largest(groups: PerturbGroups) -> PerturbGroups:
    """Return the comparisons with the largest differences, if there are too many to show."""

    def size(finding: Finding) -> float:
        return -abs(finding.estimate or 0.0)

    def compared(finding: Finding) -> tuple[Any, ...]:
        return kind_of(finding), *finding.focal.values(), "−", *finding.reference.values()

    shown = sorted(groups.differences, key=size)[:_MOST] + sorted(groups.placebos, key=size)[:_MOST_PLACEBOS]
    chosen = {compared(finding) for finding in shown}

    def of_chosen(findings: Sequence[Finding]) -> tuple[Finding, ...]:
        return tuple(finding for finding in findings if compared(finding) in chosen)

    return replace(
        groups,
        differences=of_chosen(groups.differences),
        placebos=of_chosen(groups.placebos),
        single=of_chosen(groups.single),
        flips=of_chosen(groups.flips),
        moves=of_chosen(groups.moves),
        tops=of_chosen(groups.tops),
        unread_differences=of_chosen(groups.unread_differences),
    )


def differences(rows: Sequence[Finding], scale: Scale, heading: str) -> dict[str, Callable[[Finding], str]]:
    """Return the first columns of a table of comparisons: the comparison, the estimate, its interval."""
    return {
        "Comparison": comparison,
        heading: lambda finding: scale.number(finding.estimate, apart=(0.0,)),
        f"{confidence_text(rows[0].confidence)} CI": lambda finding: scale.interval(
            finding.low, finding.high, apart=(0.0,)
        ),
    }


def scale_for(findings: Sequence[Finding]) -> Scale:
    """Return the scale of differences: two digits of the narrowest interval."""
    widths = [
        finding.high - finding.low for finding in findings if finding.low is not None and finding.high is not None
    ]
    sizes = [abs(finding.estimate) for finding in findings if finding.estimate]
    least = min([width for width in widths if width > 0] or sizes or [1.0])
    unit = " places" if any(finding.measured_in == "places" for finding in findings) else " points"
    scale = scale_of(findings[0]) if findings else Scale()
    decimals = max(1, min(5, 1 - floor(log10(least))))
    return replace(scale, decimals=decimals, suffix=unit, long_suffix=unit, signed=True)


def measured(scale: Scale) -> str:
    """Return the noun of the differences by their unit: scores or ranks."""
    return "ranks" if scale.long_suffix.strip() == "places" else "scores"


def margin_label(margin: float, scale: Scale) -> str:
    """Return a margin without trailing zeros.

    >>> margin_label(2.0, Scale(decimals=2)), margin_label(2.4837, Scale(decimals=2))
    ('±2', '±2.48')
    """
    text = scale.number(margin, signed=False)
    return f"±{text.rstrip('0').rstrip('.') if '.' in text else text}"


def verdict_words(finding: Finding) -> str:
    """Return the verdict in words."""
    if finding.claim is None:
        return "not computed"
    if finding.claim.equivalent:
        return "difference, equivalent" if finding.is_difference else "equivalent"
    return _VERDICTS[finding.claim.verdict]


#: Parameters that other lines of the set-up, or the sections, list.
_LISTED_ELSEWHERE: Final = frozenset(
    {
        "resumes",
        "positions",
        "names",
        "by",
        "reference",
        "arms",
        "placebo",
        "sample",
        "population",
        "names_per_group",
        "design",
    }
)
_SENDING: Final = frozenset({"timeout", "concurrency", "batch", "rpm", "tpm"})
DEFINITIONS: Final = (
    (
        "Arm",
        "A version of every résumé that shows a group by other names, pronouns, dates or a line. All arms are "
        "filled from one template, that of the person's own group included, so that traces of editing cancel.",
    ),
    (
        "Affinity, combined",
        "Affinity is a line of membership that reveals the group, compared with a neutral line under the same names. "
        "Combined compares name, pronouns and line of a group with name and pronouns of the reference group with the "
        "neutral line.",
    ),
    (
        "Placebo",
        "An arm whose names are others of the same group, or whose text is another neutral one of the same kind. Its "
        "difference is not discrimination: it shows how far any such change moves scores. Its p is corrected for as "
        "many comparisons as there are between groups.",
    ),
    (
        "Difference",
        "The score of a résumé as the group minus its score as the reference group, for the same position and under "
        "matched names.",
    ),
    (
        "Margin, equivalent",
        "The difference that counts as none, an option of this run. Scores are equivalent where the 90 % confidence "
        "interval lies within the margin (two one-sided tests).",
    ),
    (
        "Confidence interval (CI)",
        "The range of values that are compatible with the data. It accounts for variation between résumés and names "
        "(or texts of an arm); few of these make it wide. One name of a group is fixed, and so are fewer than 10 "
        "résumés where names vary, and fewer than 10 positions: the result is about these alone.",
    ),
    (
        "p, adjusted",
        "The probability of a difference at least as large if the group made none; adjusted by Holm's method for all "
        "comparisons over all positions.",
    ),
)


def perturb_parameter_rows(audit: PerturbAudit) -> list[Definition]:
    """Return the set-up as pairs of a term and its value."""
    parameters = audit.parameters
    experiment = audit.experiment
    groups = listing([labelled(arm_group_label(group)) for group in experiment.groups])
    arms = listing([arm_label(kind).lower() for kind in audit.arms])
    named = any(means_of(kind)[0] not in {"", PLACEBO} for kind in audit.arms)
    synthetic = " (synthetic)" if audit.synthetic else ""
    rows = [
        ("Scorer", audit.model),
        ("Résumés", f"{count_text(audit.people)}{synthetic}{_file(parameters.get('resumes'))}"),
        ("Positions", f"{count_text(audit.positions)}{synthetic}{_file(parameters.get('positions'))}"),
        ("Groups", f"{groups}, by {listing(list(experiment.by))}" if named else ""),
        ("Reference group", labelled(arm_group_label(experiment.groups[0])) if experiment.groups and named else ""),
        ("Arms", capital(arms)),
        ("Names", _names(audit)),
        ("Scores requested", count_text(audit.attempts or 0)),
        *(
            (capital(in_words(key)), general_text(value))
            for key, value in {**audit.settings, **parameters}.items()
            if value is not None
            and key not in _LISTED_ELSEWHERE | _SENDING | {"experiment"}
            and not isinstance(value, Mapping)
        ),
        ("Cost", cost_text(audit)),
    ]
    return set_up(rows, audit)


def _file(value: object) -> str:
    return f", {value.get('file')}" if isinstance(value, Mapping) else ""


def _names(audit: PerturbAudit) -> str:
    """Return the names per group, their file, and the matching."""
    file = _file(audit.parameters.get("names"))
    return f"{audit.names_per_group} of each group{file}, matched on {listing(list(audit.matched_on))}"
