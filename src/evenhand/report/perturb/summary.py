"""The first screen of a perturbation test: differences by arm next to the placebo, verdicts, next steps."""

import shlex
from collections.abc import Callable, Sequence
from dataclasses import replace

from evenhand.report.charts.axes import MarkedLine
from evenhand.report.charts.intervals import IntervalRow, interval_chart
from evenhand.report.charts.svg import Chart
from evenhand.report.page.parts import NextStep, PageSummary, Table, intervals_of, table_of
from evenhand.report.perturb import words as perturb_words
from evenhand.report.probe.summary import MOST_STEPS
from evenhand.report.words import numbers
from evenhand.report.words.results import capital, corrected_p, listing, sentence_case, why_not, widest_caution
from evenhand.results.finding import Crossings, Finding, PerturbedScores, copied
from evenhand.results.score_audit import MASKS, PLACEBO, PerturbAudit
from evenhand.results.table_groups import PerturbGroups


def differences_chart(
    findings: Sequence[Finding], scale: numbers.Scale, label: Callable[[Finding], str]
) -> Callable[[int], Chart]:
    """Return what draws the chart at a width, a row for each finding under its label."""
    rows = [
        IntervalRow(
            label=label(finding),
            **copied(finding, "estimate low high"),
            text=f"{label(finding)}: {scale.text(finding.estimate, apart=(0.0,))} "
            f"({scale.interval(finding.low, finding.high, apart=(0.0,))})",
            series="placebo" if perturb_words.kind_of(finding) == PLACEBO else "arms",
        )
        for finding in findings
    ]
    margin = PerturbedScores.of(findings[0]).margin
    lines = [MarkedLine(value=0.0, text="no difference")]
    lines += [] if margin is None else [MarkedLine(value=-margin, text="margin"), MarkedLine(value=margin)]
    title = f"difference of {perturb_words.measured(scale)},{scale.long_suffix}"
    return lambda width: interval_chart(rows, title=title, width=width, lines=lines)


#: Differences that have a sentence of their own; the table has them all.
MOST_DIFFERENCES_NAMED = 2
#: The share of unread scores from which on the first screen reports it.
MUCH_UNREAD = 0.01


def perturb_summary(groups: PerturbGroups, audit: PerturbAudit) -> PageSummary:
    """Return the first screen."""
    if not groups.whole:
        return PageSummary(sentences=["No arms can be compared: no score was requested in two of them."])
    scale = perturb_words.scale_for(groups.whole)
    sentences = [
        *_differences(groups.differences, scale),
        *_equivalent(groups.differences, scale),
        *_open(groups.differences, scale),
        *_unknown(groups.differences, scale),
        *widest_caution(groups.differences),
        *_placebo(groups.placebos, scale),
        *_decisions(groups),
        *_masked(groups.differences, audit),
        *_fixed_factors(groups.differences),
        *_unread(groups),
    ]
    return PageSummary(
        sentences=sentences,
        tables=[_table(groups, scale)],
        steps=_steps(groups, audit)[:MOST_STEPS],
    )


def _difference_clause(finding: Finding, scale: numbers.Scale) -> str:
    """Return the size and direction of a difference, with the interval in that direction."""
    first, second = perturb_words.sides(finding)
    value, low, high = finding.estimate or 0.0, finding.low, finding.high
    if value < 0 and low is not None and high is not None:
        low, high = -high, -low
    ends = "" if low is None or high is None else f" ({_level(finding)} CI {_unsigned(scale, low, high)})"
    size = scale.number(abs(value), signed=False, apart=(0.0,)) + scale.long_suffix
    verb = "ranked" if perturb_words.measured(scale) == "ranks" else "scored"
    return f"{verb} {size} {'lower' if value < 0 else 'higher'} with {first} than with {second}{ends}"


def _unsigned(scale: numbers.Scale, low: float, high: float) -> str:
    return f"{scale.number(low, signed=False)} to {scale.number(high, signed=False)}"


def _level(finding: Finding) -> str:
    return numbers.confidence_text(finding.confidence)


def _p(finding: Finding) -> str:
    """Return the decisive p, alone and over its family."""
    return "" if finding.claim is None or finding.claim.p is None else corrected_p(finding.claim)


def _differences(findings: Sequence[Finding], scale: numbers.Scale) -> list[str]:
    """Return the largest differences, and how many more there are."""
    differing = sorted(
        (finding for finding in findings if finding.is_difference and not _is_equivalent(finding)),
        key=lambda finding: -abs(finding.estimate or 0.0),
    )
    sentences = [
        f"The same résumés were {_difference_clause(finding, scale)}, statistically significant "
        f"({'; '.join(part for part in (_p(finding), why_not(finding)) if part)})."
        for finding in differing[:MOST_DIFFERENCES_NAMED]
    ]
    omitted = len(differing) - MOST_DIFFERENCES_NAMED
    if omitted > 0:
        more = "1 more comparison differs" if omitted == 1 else f"{omitted:,} more comparisons differ"
        sentences.append(f"{more} statistically significantly, and equivalence was not shown; see the table.")
    return sentences


def _is_equivalent(finding: Finding) -> bool:
    return finding.claim is not None and bool(finding.claim.equivalent)


def _equivalent(findings: Sequence[Finding], scale: numbers.Scale) -> list[str]:
    equivalent = [finding for finding in findings if _is_equivalent(finding)]
    if not equivalent:
        return []
    first, second = perturb_words.sides(equivalent[0])
    details = PerturbedScores.of(equivalent[0])
    margin = (
        "the margin"
        if details.margin is None
        else perturb_words.margin_label(details.margin, scale) + scale.long_suffix
    )
    if len(equivalent) > 1:
        detected = [finding for finding in equivalent if finding.is_difference]
        differ = (
            "one of them differs"
            if len(detected) == 1
            else f"{'all' if detected == equivalent else len(detected)} of them differ"
        )
        small = f"; {differ} statistically significantly, by less than that" if detected else ""
        still = [finding for finding in equivalent if finding.estimate == 0.0 and finding.low is None]
        inside = f"their {_ninety(equivalent[0])} CIs lie inside"
        shown = inside if not still else f"no score changed in {_pairs(still)}"
        if still and len(still) < len(equivalent):
            shown = f"{shown}; of the others, {inside}"
        return [
            f"Equivalent within {margin}: the mean {perturb_words.measured(scale)} of {_share(equivalent, findings)} "
            f"({shown}){small}."
        ]
    ends = details.equivalence_interval
    interval = f" ({_ninety(equivalent[0])} CI {scale.interval(*ends, apart=(0.0,))})" if ends else ""
    if ends is None and equivalent[0].estimate == 0.0:
        interval = f": no score changed in {_pairs(equivalent)}"
    size = scale.text(equivalent[0].estimate, apart=(0.0,))
    detected_too = (
        f" The difference of {size} is statistically significant ({_p(equivalent[0])}), and smaller than the margin."
        if equivalent[0].is_difference
        else ""
    )
    return [
        f"The mean {perturb_words.measured(scale)} with {first} and with {second} are equivalent within "
        f"{margin}{interval}.{detected_too}"
    ]


def _pairs(findings: Sequence[Finding]) -> str:
    return numbers.counted(sum(finding.n for finding in findings), "pair")


def _share(subset: Sequence[Finding], findings: Sequence[Finding]) -> str:
    return (
        f"all {len(findings)} comparisons between groups"
        if len(subset) == len(findings)
        else f"{len(subset)} of {len(findings)} comparisons between groups"
    )


def _ninety(finding: Finding) -> str:
    return numbers.confidence_text(round(2 * finding.confidence - 1, 9))


def _open(findings: Sequence[Finding], scale: numbers.Scale) -> list[str]:
    """Return the comparisons that show neither a difference nor equivalence."""
    inconclusive = [
        finding for finding in findings if finding.verdict == "no_difference_detected" and not _is_equivalent(finding)
    ]
    if not inconclusive:
        return []
    margin = PerturbedScores.of(inconclusive[0]).margin
    within = (
        "; equivalence can't be judged, as the scores do not vary"
        if margin is None
        else f"; equivalence within {perturb_words.margin_label(margin, scale)}{scale.long_suffix} was not shown either"
    )
    if (
        all(finding.claim is None or finding.claim.equivalent is None for finding in inconclusive)
        and margin is not None
    ):
        within = "; whether scores are equivalent can't be judged of so few résumés"
    if len(inconclusive) > 1 and all(finding.estimate == 0.0 and finding.low is None for finding in inconclusive):
        return [f"No score changed in {_pairs(inconclusive)} of {_share(inconclusive, findings)}{within}."]
    if len(inconclusive) > 1:
        scope = (
            "any comparison between groups" if len(inconclusive) == len(findings) else _share(inconclusive, findings)
        )
        widest = max(inconclusive, key=lambda finding: abs(finding.estimate or 0.0))
        largest = f"the largest is {scale.text(widest.estimate, apart=(0.0,))}, {perturb_words.comparison(widest)}"
        return [f"No statistically significant difference was detected in {scope} ({largest}){within}."]
    (single,) = inconclusive
    first, second = perturb_words.sides(single)
    if single.low is None and single.estimate == 0.0:
        return [f"No score changed in {_pairs([single])} with {first} in place of {second}{within}."]
    size = scale.text(single.estimate, apart=(0.0,))
    statistics = _statistics(single, scale)
    return [
        f"No statistically significant difference between {first} and {second} was detected: {size} "
        f"({statistics}){within}."
    ]


def _unknown(findings: Sequence[Finding], scale: numbers.Scale) -> list[str]:
    """Return the comparisons without a verdict, and why."""
    unjudged = [finding for finding in findings if finding.verdict == "not_judged" and not _is_equivalent(finding)]
    if not unjudged:
        return []
    reasons = listing(
        list(dict.fromkeys(sentence_case(finding.reason or "it was not computed").rstrip(".") for finding in unjudged))
    )
    if len(unjudged) == 1 and unjudged[0].estimate:
        return [
            f"In these scores, the same résumés were {_difference_clause(unjudged[0], scale)}. There is no "
            f"verdict: {reasons}."
        ]
    if len(unjudged) == len(findings) and all(finding.estimate == 0.0 for finding in unjudged):
        return [f"There is no verdict: {reasons}."]
    scope = "these scores" if len(unjudged) == len(findings) else _share(unjudged, findings)
    return [f"Nothing can be said about {scope}: {reasons}."]


def _statistics(finding: Finding, scale: numbers.Scale) -> str:
    """Return the interval of a difference, its p, and why they disagree where they do."""
    interval = (
        "" if finding.low is None else f"{_level(finding)} CI {scale.interval(finding.low, finding.high, apart=(0.0,))}"
    )
    return "; ".join(part for part in (interval, _p(finding), why_not(finding)) if part)


def _placebo(findings: Sequence[Finding], scale: numbers.Scale) -> list[str]:
    """Return how far names of one group move scores: the noise floor."""
    judged = [finding for finding in findings if finding.verdict not in {None, "not_judged"}]
    if not judged:
        return []
    moved = [finding for finding in judged if finding.is_difference]
    widest = max(moved or judged, key=lambda finding: abs(finding.estimate or 0.0))
    kinds = {"names" if finding.focal == finding.reference else "texts" for finding in judged}
    words = {"names": "other names of the same group", "texts": "another neutral text of the same kind"}
    care = f"{'names' if kinds == {'names'} else 'such changes'} {_CARE}"
    what = " or ".join(words[kind] for kind in sorted(kinds))
    lead = f"The placebo, {what},"
    if all(finding.estimate == 0.0 and finding.low is None for finding in judged):
        return [f"{lead} changed no score in {_pairs(judged)}."]
    size = f"{scale.text(widest.estimate, apart=(0.0,))} ({_statistics(widest, scale)})"
    if len(judged) == 1:
        sentence = f"{lead} moved mean {perturb_words.measured(scale)} by {size}"
        if not moved:
            return [f"{sentence}, not statistically significant."]
        return [f"{sentence}, statistically significant: {care}"]
    which = perturb_words.comparison(widest).partition(": ")[2]
    if not moved:
        return [
            f"Of the {len(judged)} placebos compared, {what}, none was detected to move "
            f"mean {perturb_words.measured(scale)}; the largest is {size}, {which}."
        ]
    return [
        f"Of the {len(judged)} placebos compared, {what}, {len(moved)} moved "
        f"mean {perturb_words.measured(scale)} statistically significantly, the most {which} by {size}: {care}"
    ]


_CARE = "alone may move scores, so read the other differences with care."


def _decisions(groups: PerturbGroups) -> list[str]:
    """Return the differences in selection rates and ranks of arms whose mean scores show none, or equivalence.

    Who is in the first places is named of all arms: a ranking is used by its top.
    """

    def arms(finding: Finding) -> tuple[object, ...]:
        return perturb_words.kind_of(finding), *finding.focal.values(), "−", *finding.reference.values()

    named = {arms(finding) for finding in groups.whole if finding.is_difference and not _is_equivalent(finding)}
    top = next((Crossings.of(finding).top for finding in groups.tops), None)
    sentences = []
    for noun, scale, findings in (
        ("selection rates at the cut-off", numbers.POINTS, groups.flips),
        ("ranks", perturb_words.PLACES, groups.moves),
        (f"shares in the top {top} of all résumés for a position", numbers.POINTS, groups.tops),
    ):
        passed_over = set() if findings is groups.tops else named
        differing = [finding for finding in findings if finding.is_difference and arms(finding) not in passed_over]
        if differing:
            most = max(differing, key=lambda finding: abs(finding.estimate or 0.0))
            sentences.append(
                f"Exploratory: {noun} differ statistically significantly in {len(differing)} of {len(findings)} "
                f"comparisons{', placebos included' if groups.placebos else ''}; the largest difference is "
                f"{scale.number(most.estimate)}{scale.long_suffix}, {perturb_words.comparison(most)} "
                f"({_statistics(most, scale)})."
            )
    return sentences


def _masked(findings: Sequence[Finding], audit: PerturbAudit) -> list[str]:
    """Return what masking by the scorer itself means for the result."""
    known = [finding.estimate for finding in findings if finding.estimate is not None]
    if not known or not audit.settings.get(MASKS):
        return []
    if any(known):
        return ["This scorer masks texts before it scores them: what masking left of the group moved scores."]
    return [
        "This scorer masks texts before it scores them, and that is why no score moved: what the arms change is taken "
        "out. It says nothing of what masking leaves, such as gaps between jobs."
    ]


def _fixed_factors(findings: Sequence[Finding]) -> list[str]:
    """Return the factors with too few levels to vary: the result holds for these alone."""
    known = [finding for finding in findings if finding.low is not None]
    resumes = [finding for finding in known if "resume" not in finding.clusters]
    names = [finding for finding in known if {"name", "text"}.isdisjoint(finding.clusters)]
    fixed = []
    if resumes and len(resumes) == len(known):
        people = max(PerturbedScores.of(finding).n_people or 0 for finding in resumes)
        fixed.append("one résumé" if people == 1 else f"{people} résumés")
    if names:
        fixed.append("one name of a group")
    if not fixed:
        return []
    scope = "This holds" if not names or len(names) == len(known) else f"{capital(_share(names, known))} hold"
    return [f"{scope} for the {' and '.join(fixed)} shown here; others may be scored differently."]


def _unread(groups: PerturbGroups) -> list[str]:
    if not groups.unread:
        return []
    overall = groups.unread[0]
    lacking = round((overall.estimate or 0.0) * overall.n)
    if not lacking or lacking < MUCH_UNREAD * overall.n:
        return []
    apart = [finding for finding in groups.unread_differences if finding.is_difference]
    more = " More often in one arm than in another: see Unread scores." if apart else ""
    return [f"{lacking:,} of {overall.n:,} answers ({numbers.percent_text(lacking / overall.n)}) held no score.{more}"]


def _table(groups: PerturbGroups, scale: numbers.Scale) -> Table:
    shown = perturb_words.largest(groups)
    corrected = any(finding.claim is not None and finding.claim.family_size > 1 for finding in shown.whole)
    adjusted = "p, adjusted" if corrected else "p"
    columns = {
        **perturb_words.differences(shown.whole, scale, "Difference"),
        "Résumés": lambda finding: numbers.count_text(PerturbedScores.of(finding).n_people or 0),
        "Pairs": lambda finding: numbers.count_text(finding.n),
        adjusted: lambda finding: numbers.p_text(finding.p_adjusted),
        "Verdict": perturb_words.verdict_words,
    }
    margin = PerturbedScores.of(groups.whole[0]).margin
    suffix = "" if margin is None else f"; margin {perturb_words.margin_label(margin, scale)}"
    omitted = [
        f"the {len(few)} largest of {len(every)} {noun}"
        for noun, few, every in (
            ("differences between groups", shown.differences, groups.differences),
            ("placebos", shown.placebos, groups.placebos),
        )
        if len(few) < len(every)
    ]
    if omitted:
        suffix += f"; {listing(omitted)}, perturb.csv has all"
    caption = (
        f"Difference of {perturb_words.measured(scale)} in{scale.long_suffix}, the same résumés in two arms{suffix}"
    )
    margins = [] if margin is None else [-margin, margin]
    intervals = intervals_of(shown.whole, [*margins, 0.0])
    return replace(table_of(shown.whole, columns, caption=caption), intervals=intervals)


def _steps(groups: PerturbGroups, audit: PerturbAudit) -> list[NextStep]:
    steps: list[NextStep] = []
    known = [finding for finding in groups.differences if finding.verdict != "not_judged"]
    differs = [finding for finding in known if finding.is_difference]
    unclear = [finding for finding in known if not finding.is_difference and not _is_equivalent(finding)]
    if unclear and not differs:
        people = max(PerturbedScores.of(finding).n_people or 0 for finding in unclear)
        drawn = audit.parameters.get("sample")
        command = (
            _with_option(audit.reproduce, "--sample", str(4 * people)) if audit.synthetic and 4 * people <= 246 else ""
        )
        halved = any(finding.low is not None for finding in unclear)
        question = (
            f"Would more than {numbers.counted(people, 'résumé')} decide it?"
            f"{' Four times as many about halve their part of the intervals.' if halved else ''}"
        )
        steps.append(NextStep(question=question, command=command if drawn or audit.synthetic else ""))
    closed = audit.model.startswith("replay:")
    if "placebo" not in audit.arms:
        again = "Write the arms, and have them scored," if closed else "Run it again"
        steps.append(NextStep(question=f"How far do names move scores within a group? {again} without --no-placebo."))
    if set(audit.arms) <= {"name", PLACEBO} and "gender" in audit.experiment.by and not closed:
        question = "Do pronouns or a line of membership move scores, too?"
        command = _with_option(audit.reproduce, "--arms", "name,name+pronouns,affinity,combined")
        steps.append(NextStep(question=question, command=command))
    if differs:
        steps.append(
            NextStep(
                question="In which positions is the difference largest? See Positions, and the pairs that moved most."
            )
        )
    return steps


def _with_option(command: str, option: str, value: str) -> str:
    words = shlex.split(command)
    while option in words:
        place = words.index(option)
        del words[place : place + 2]
    return shlex.join([*words, option, value])
