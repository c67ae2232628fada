"""The page of a study of scores that exist: levels, the placebo floor, units in order, rows without a score."""

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import Final

from evenhand.report.page.contents import STUDY, Definition, Page, time_text
from evenhand.report.page.parts import (
    DRAWN_RATIOS,
    Intervals,
    NextStep,
    PageSummary,
    Part,
    Section,
    Table,
    columns_of,
    interval_figure,
    interval_heading,
    intervals_of,
    table,
    table_of,
)
from evenhand.report.perturb.words import scale_for
from evenhand.report.words import numbers
from evenhand.report.words.results import (
    capital,
    corrected_p,
    group_label,
    in_words,
    listing,
    sentence_case,
    verdict_cell,
    why_not,
    widest_caution,
)
from evenhand.results.finding import Finding
from evenhand.results.study_audit import (
    ARM,
    DECISION,
    LevelDifference,
    LevelSpread,
    MissingScores,
    NoiseFloor,
    StudyAudit,
    StudyGroups,
    is_above,
)

#: Differences with a sentence of their own, rows of the table on the first screen, rows of long tables and charts.
_NAMED, _FIRST, _MOST_ROWS = 2, 14, 40
RATIO: Final = numbers.Scale(decimals=2)
NOISE: Final = "SD of noise, pooled"


def _scale(findings: Sequence[Finding]) -> numbers.Scale:
    if findings and findings[0].measured_in == "share":
        return numbers.POINTS
    return scale_for(findings)


def _level(finding: Finding) -> str:
    """Return what a finding is of: its decision, where there are several, its arm and its level."""
    parts = [f"{finding.slice[DECISION]}:" if DECISION in finding.slice else "", group_label(finding.focal)]
    return " ".join(filter(None, parts)) or "all arms"


def _against(finding: Finding) -> str:
    """Return the level or the arm that a finding is compared with."""
    return group_label(dict([list(finding.reference.items())[-1]]))


def _unit(finding: Finding, audit: StudyAudit) -> str:
    return finding.slice.get(audit.unit or "", "")


def _statistics(finding: Finding, scale: numbers.Scale, null: float = 0.0) -> str:
    """Return the interval of an estimate or why there is none, its p, and why they disagree where they do."""
    level = numbers.confidence_text(finding.confidence)
    interval = f"{level} CI {scale.interval(finding.low, finding.high, apart=(null,))}"
    if finding.low is None:
        interval = f"no {level} CI: {sentence_case(finding.reason.rstrip('.'))}" if finding.reason else ""
    p = "" if finding.claim is None or finding.claim.p is None else corrected_p(finding.claim)
    return "; ".join(part for part in (interval, p, why_not(finding)) if part)


def _verdict(finding: Finding) -> str:
    if finding.claim is None:
        return numbers.ABSENT
    words = in_words(finding.claim.verdict)
    return f"{words}, equivalent" if finding.claim.equivalent else words


def _noun(audit: StudyAudit) -> str:
    return "decisions" if audit.grades else "scores"


def _over(findings: Sequence[Finding], audit: StudyAudit) -> str:
    """Return over how many of the units comparisons are: ' over 7 to 9 of 11 models'; '' where nobody is compared."""
    all_details = [finding.details for finding in findings]
    known = [own.units for own in all_details if isinstance(own, LevelDifference | NoiseFloor) and own.units]
    if audit.unit is None or not known:
        return ""
    low, high, every = min(known), max(known), len(audit.units)
    every_one = "both" if every == 2 else f"all {every}"
    few = every_one if low == every else f"{low} of {every}" if low == high else f"{low} to {high} of {every}"
    return f" over {few} {_plural(audit.unit)}" if every > 1 else f" for one {audit.unit}"


def _plural(unit: str) -> str:
    """Return the name of a column as a noun of several.

    >>> _plural("model"), _plural("city"), _plural("survey")
    ('models', 'cities', 'surveys')
    """
    return f"{unit[:-1]}ies" if unit[-1:] == "y" and unit[-2:-1] not in "aeiou" else f"{unit}s"


def study_summary(groups: StudyGroups, audit: StudyAudit) -> PageSummary:
    """Return the first screen."""
    scale = _scale(groups.differences or groups.placebos)
    sentences = [
        *_difference_sentences(groups, audit, scale),
        *_floor_sentences(groups, audit),
        *_equivalence_sentences(groups, audit),
        *_unstable_sentences(groups, audit),
        *_unjudged(groups),
        *widest_caution(groups.differences),
        *_missing_sentences(groups, audit),
    ]
    judged = any(finding.verdict != "not_judged" for finding in groups.floors)
    first = _floor_table(groups.floors, audit) if judged else _difference_table(groups, audit, scale, most=_FIRST)
    return PageSummary(sentences=sentences, tables=[first], steps=_steps(groups, audit))


def _floor_sentences(groups: StudyGroups, audit: StudyAudit) -> list[str]:
    judged = [finding for finding in groups.floors if finding.verdict != "not_judged"]
    if not judged:
        return []
    apart = [finding for finding in judged if finding.is_difference]
    more = sorted(filter(is_above, apart), key=lambda finding: (-(finding.estimate or math.inf), -(finding.low or 0.0)))
    less = [finding for finding in apart if not is_above(finding)]
    over = _over(judged, audit)
    sentences = [
        f"{capital(_level(finding))} moved {_noun(audit)} more than the placebo (edits without meaning)"
        f"{over and f',{over}'}{_times(finding, ': {} its variance between levels')} "
        f"({_statistics(finding, RATIO, 1.0)})."
        for finding in more[:_NAMED]
    ]
    if len(more) > _NAMED:
        sentences.append(f"So did {listing([_level(finding) for finding in more[_NAMED:]])}; see the table.")
    if less:
        least = min(less, key=lambda finding: finding.estimate or 0.0)
        sentences.append(
            f"{capital(listing([_level(finding) for finding in less]))} moved {_noun(audit)} less than the placebo did"
            f"{over}{_times(least, ', the least with {} its variance' if len(less) > 1 else ', with {} its variance')} "
            f"({_statistics(least, RATIO, 1.0)})."
        )
    rest = len(judged) - len(apart)
    if rest == len(judged):
        largest = max(judged, key=lambda finding: finding.estimate or 0.0)
        ratio = "largest ratio" if rest > 1 else "ratio"
        known = f" The {ratio} of variances is {RATIO.number(largest.estimate)}, of {_level(largest)} ("
        sentences.append(
            f"No arm was detected to move {_noun(audit)} more or less than the placebo (edits without meaning)"
            f"{over and f',{over}'} ({numbers.counted(rest, 'comparison')})."
            + (f"{known}{_statistics(largest, RATIO, 1.0)})." if largest.estimate is not None else f" {largest.reason}")
        )
    elif rest:
        sentences.append(f"In {rest} of {len(judged)} comparisons no difference from the placebo was detected.")
    return sentences


def _times(finding: Finding, words: str) -> str:
    """Return words with a ratio, or the least one that the data allow; '' where there is none."""
    if finding.low is not None and finding.high is None and is_above(finding):
        return words.format(f"at least {RATIO.number(finding.low, apart=(1.0,))} times")
    return "" if finding.estimate is None else words.format(f"{RATIO.number(finding.estimate, apart=(1.0,))} times")


def _difference_sentences(groups: StudyGroups, audit: StudyAudit, scale: numbers.Scale) -> list[str]:
    judged, placebos = (
        [finding for finding in findings if finding.verdict != "not_judged"]
        for findings in (groups.differences, groups.placebos)
    )
    if not judged or not placebos:
        return _level_sentences(judged, "", audit, scale) or _level_sentences(placebos, "placebo ", audit, scale)
    sentences = _level_sentences(judged, "", audit, scale)
    moved = _largest_first(finding for finding in placebos if finding.is_difference)
    over = _over(placebos, audit)
    over = "" if over == _over(judged, audit) else over
    apart = {_against(finding) for finding in judged if finding.is_difference}
    noun, every = _levels_noun(len(placebos), audit, "placebo "), len(placebos)
    if not moved:
        none = f"Of {every} {noun}{over} none was" if every > 1 else f"The one {noun}{over} was not"
        return [*sentences, *([f"{none} detected to differ."] if apart else [])]
    most = moved[0]
    some = f"{len(moved)} of {every} {noun}{over}" if every > 1 else f"the one {noun}{over}"
    do = (
        f"So {'do' if len(moved) > 1 else 'does'} {some}"
        if apart
        else f"{capital(some)} {_differ(len(moved))} statistically significantly"
    )
    size = f"by at most {_size(most, scale)}, {_level(most)}" if len(moved) > 1 else f"by {_size(most, scale)}"
    sentences.append(f"{do}, {size} ({_statistics(most, scale)}): an edit alone moves these {_noun(audit)}.")
    if _against(most) in apart:
        sentences.append(f"A difference from {_against(most)} need not be due to what the level means.")
    return sentences


def _largest_first(findings: Iterable[Finding]) -> list[Finding]:
    return sorted(findings, key=lambda finding: -abs(finding.estimate or 0.0))


def _level_sentences(judged: Sequence[Finding], which: str, audit: StudyAudit, scale: numbers.Scale) -> list[str]:
    """Return how many levels differ, and the largest difference."""
    if not judged:
        return []
    over, largest = _over(judged, audit), "the largest" if len(judged) > 1 else ""
    apart = _largest_first(finding for finding in judged if finding.is_difference)
    if not apart:
        widest = _largest_first(judged)[0]
        return [
            f"No statistically significant difference was detected in {_any_of(len(judged), audit, which)} "
            f"compared{over}; {largest or 'it'} is {_size(widest, scale)}, {_level(widest)} {numbers.MINUS} "
            f"{_against(widest)} ({_statistics(widest, scale)})."
        ]
    first = apart[0]
    return [
        f"{_of(len(apart), len(judged), audit, which)} compared{over} {_differ(len(apart))} statistically "
        f"significantly; {largest or 'the'} difference is {_size(first, scale)}: {_direction(first, audit)} "
        f"({_statistics(first, scale)})."
    ]


def _levels_noun(count: int, audit: StudyAudit, which: str = "") -> str:
    """Return what is compared: levels; of several decisions, each of which is compared, pairs of both."""
    if len(audit.grades) > 1:
        return f"pair{'' if count == 1 else 's'} of decision and {which}level"
    return f"{which}level{'' if count == 1 else 's'}"


def _size(finding: Finding, scale: numbers.Scale) -> str:
    return scale.number(finding.estimate, apart=(0.0,)) + scale.long_suffix


def _of(count: int, every: int, audit: StudyAudit, which: str = "") -> str:
    noun = _levels_noun(every, audit, which)
    if count < every:
        return f"{count} of the {every} {noun}"
    return f"The one {noun}" if every == 1 else f"Both {noun}" if every == 2 else f"All {every} {noun}"


def _any_of(count: int, audit: StudyAudit, which: str = "") -> str:
    one, many = (_levels_noun(number, audit, which) for number in (1, 2))
    return {1: f"the one {one}", 2: f"either {one}"}.get(count, f"any of the {count} {many}")


def _is(count: int) -> str:
    return "is" if count == 1 else "are"


def _differ(count: int) -> str:
    return "differs" if count == 1 else "differ"


def _direction(finding: Finding, audit: StudyAudit) -> str:
    level, higher = group_label(finding.focal), (finding.estimate or 0.0) > 0
    if not audit.grades:
        return f"{level} scored {'higher' if higher else 'lower'} than {_against(finding)}"
    decision = finding.slice.get(DECISION, audit.grades[0])
    return (
        f"'{decision}' was {'more' if higher else 'less'} often the outcome with {level} than with {_against(finding)}"
    )


def _equivalence_sentences(groups: StudyGroups, audit: StudyAudit) -> list[str]:
    judged = [row for row in groups.differences if row.claim is not None and row.claim.equivalent is not None]
    equal = [row for row in judged if row.claim is not None and row.claim.equivalent]
    if not judged:
        return []
    within = f"within ±{audit.parameters['margin']}"
    if not equal:
        return [f"Equivalence {within} was not shown for {_any_of(len(judged), audit)} compared."]
    both = sum(finding.is_difference for finding in equal)
    subject = "It" if len(equal) == 1 else f"{both} of them"
    also = f" {subject} {_differ(both)} statistically significantly, by less." if both else ""
    return [
        f"{_of(len(equal), len(judged), audit)} compared {_is(len(equal))} equivalent to "
        f"{'its' if len(equal) == 1 else 'their'} reference {within} (two one-sided tests at 5 % each).{also}"
    ]


def _unstable_sentences(groups: StudyGroups, audit: StudyAudit) -> list[str]:
    names = groups.unstable(audit)
    if not names:
        return []
    several = len(names) > 1
    return [
        f"Exploratory: {listing(list(names))} {_is(len(names))} unstable: edits without meaning move "
        f"{'their' if several else 'its'} {_noun(audit)} beyond noise, and no arm was detected to move them more. That "
        "shows neither bias nor its absence."
    ]


def _unjudged(groups: StudyGroups) -> list[str]:
    rows = [finding for finding in (*groups.floors, *groups.differences) if finding.verdict == "not_judged"]
    reasons = list(dict.fromkeys(sentence_case((row.reason or "it was not computed").rstrip(".")) for row in rows))
    if not rows:
        return []
    of = len(groups.floors) + len(groups.differences)
    return [
        f"{len(rows)} of {numbers.counted(of, 'planned comparison')} {_is(len(rows))} not judged: {'; '.join(reasons)}."
    ]


def _missing_sentences(groups: StudyGroups, audit: StudyAudit) -> list[str]:
    overall = next((finding for finding in groups.missing if not finding.slice), None)
    if overall is None or not _share_missing(overall):
        return []
    details = MissingScores.of(overall)
    lacking, cells = details.missing or 0, details.without_row or 0
    has = [f"{'has' if count == 1 else 'have'} no" for count in (lacking, cells)]
    rows = f"{numbers.counted(lacking, 'row')} of {numbers.count_text(overall.n)} {has[0]} {_noun(audit)[:-1]}"
    parts = [rows] * bool(lacking) + [f"{numbers.counted(cells, 'cell')} {has[1]} row"] * bool(cells)
    by = _missing_by(groups)
    often = [
        finding.slice[by]
        for finding in groups.missing
        if finding.is_difference and _share_missing(finding) > _share_missing(overall)
    ]
    return [" and ".join(parts) + (f", more often in {listing(often)} than in other {by}s." if often else ".")]


def _missing_by(groups: StudyGroups) -> str:
    """Return of what rows without a score are counted: arms, or the levels of the only one."""
    return next(iter(groups.missing[-1].slice))


def _share_missing(finding: Finding) -> float:
    """Return the share of rows without a score, a cell without a row counted as one."""
    details = MissingScores.of(finding)
    cells = details.without_row or 0
    return ((details.missing or 0) + cells) / (finding.n + cells)


def _floor_columns(rows: Sequence[Finding], *, placebo: bool = True) -> dict[str, Callable[[Finding], str]]:
    columns: dict[str, Callable[[Finding], str]] = {"SD": lambda row: _sd(row, NoiseFloor.of(row).variance)}
    if placebo:
        columns["SD, placebo"] = lambda row: _sd(row, NoiseFloor.of(row).variance_placebo)
    return {
        **columns,
        "Ratio": lambda row: RATIO.number(row.estimate, apart=(1.0,)),
        interval_heading(rows): lambda row: RATIO.interval(row.low, row.high, apart=(1.0,)),
        **columns_of((), "p, adjusted"),
        "Different": lambda row: verdict_cell(row if row.p is None else replace(row, estimate=row.estimate or 0.0)),
    }


def _sd(finding: Finding, variance: float | None) -> str:
    """Return the standard deviation between levels of the arm, or of the placebo."""
    share = NoiseFloor.of(finding).measured_in == "share"
    scale = numbers.Scale(factor=100.0 if share else 1.0, decimals=1 if share else 2)
    return numbers.ABSENT if variance is None else scale.number(max(variance, 0.0) ** 0.5)


def _floor_table(rows: Sequence[Finding], audit: StudyAudit) -> Table:
    over = _over(rows, audit)
    points = numbers.POINTS.long_suffix if audit.grades else ""
    placebos = list(dict.fromkeys(_sd(row, NoiseFloor.of(row).variance_placebo) for row in rows))
    known = f"; SD of the placebo {placebos[0]}{points}" if len(placebos) == 1 else ""
    in_points = f"; SD in{points}" if points and not known else ""
    caption = (
        f"Variance of {_noun(audit)} between levels beyond noise, over that of the placebo{over and f',{over}'}{known}"
        f"{in_points}"
    )
    columns = {"Arm": _level, **_floor_columns(rows, placebo=not known)}
    return replace(table_of(rows, columns, caption=caption), intervals=_ratio_intervals(rows))


def _ratio_intervals(rows: Sequence[Finding]) -> Intervals | None:
    """Return the intervals of ratios; what reaches to 0 is drawn to the edge of the axis."""
    least = DRAWN_RATIOS[0]
    return intervals_of([row if row.low is None else replace(row, low=max(row.low, least)) for row in rows])


def _difference_columns(rows: Sequence[Finding], scale: numbers.Scale) -> dict[str, Callable[[Finding], str]]:
    return {
        "Level": _level,
        "Compared with": _against,
        "Difference": lambda row: scale.number(row.estimate, apart=(0.0,)),
        interval_heading(rows): lambda row: scale.interval(row.low, row.high, apart=(0.0,)),
        "n": lambda row: numbers.count_text(row.n),
        **columns_of((), "p", "p, adjusted"),
        "Verdict": _verdict,
    }


def _within(audit: StudyAudit) -> str:
    return "within items" if audit.clusters else "of summaries"


def _difference_table(
    groups: StudyGroups, audit: StudyAudit, scale: numbers.Scale, *, most: int = _MOST_ROWS, folded: bool = False
) -> Table:
    rows = [*groups.differences, *groups.placebos]
    shown = _largest_first(rows)[:most] if len(rows) > most else rows
    if not shown:
        return table("Levels compared", ("Level",), [])
    few = f", the {most} largest of {len(rows)}; findings.csv has all" if len(rows) > most else ""
    caption = f"Differences {_within(audit)}, in{scale.long_suffix}{few}"
    drawn = table_of(shown, _difference_columns(shown, scale), caption=caption, folded=folded)
    return replace(drawn, intervals=intervals_of(shown))


def _steps(groups: StudyGroups, audit: StudyAudit) -> list[NextStep]:
    steps = []
    if audit.baseline is not None and not audit.references:
        steps.append(
            NextStep(
                question=f"Do levels of one arm differ from each other, rather than from {audit.baseline}? Give "
                "--reference LEVEL."
            )
        )
    if not any(LevelDifference.of(finding).margin for finding in groups.differences):
        steps.append(NextStep(question="Which differences are small enough not to matter? Fix one with --margin."))
    return steps[:2]


def study_sections(groups: StudyGroups, audit: StudyAudit) -> list[Section]:
    """Return the sections in reading order."""
    sections = [
        _levels(groups, audit),
        _floor(groups, audit),
        _league(groups, audit),
        _single_units(groups, audit),
        _missing(groups, audit),
    ]
    return [section for section in sections if section is not None]


def _levels(groups: StudyGroups, audit: StudyAudit) -> Section | None:
    rows = [*groups.differences, *groups.placebos]
    if not rows:
        return None
    scale = _scale(groups.differences or rows)
    widest = _largest_first(rows)[:_MOST_ROWS]
    drawn = [row for row in rows if row in widest]
    figure = interval_figure(
        drawn,
        title=f"Levels of each arm, compared with {listing(list(dict.fromkeys(map(_against, drawn))))}",
        note=f"Dots are differences {_within(audit)}, lines their confidence intervals.",
        label=_level,
        series=lambda row: "placebo" if row.focal[ARM] in audit.placebo else "arms",
        tables=[_difference_table(groups, audit, scale, folded=True)],
    )
    adjusted = "p is adjusted over all planned comparisons (Holm)" + (
        ", that of placebo levels over as many." if groups.placebos else "."
    )
    vary = _varying(rows, audit)
    if audit.clusters:
        runs = "" if audit.runs == (1, 1) else " Repetitions are averaged."
        text = (
            f"A difference is the mean {'share' if audit.grades else 'score'} under a level minus that under the one "
            f"compared with, of the same {listing([*([audit.unit] if audit.unit else []), *audit.clusters])}.{runs} "
            f"{vary} n counts items. {adjusted}"
        )
    else:
        text = (
            f"A difference is between two groups of rows, each of which is many {_noun(audit)}. {vary} n counts "
            f"{_noun(audit)}. {adjusted}"
        )
    return Section(name="levels", heading="Levels", text=[text], parts=[Part(figures=[figure])])


def _varying(rows: Sequence[Finding], audit: StudyAudit) -> str:
    """Return what the intervals of differences let vary."""
    named = audit.name is not None and any("name" in row.clusters for row in rows)
    vary = [*audit.clusters, *(["names"] if named else [])]
    if not vary:
        return f"{capital(_noun(audit))} of a row are taken as independent."
    return f"The interval accounts for variation between {listing(vary)}."


def _floor(groups: StudyGroups, audit: StudyAudit) -> Section | None:
    rows = [*groups.spreads]
    if not rows:
        return None
    scale = numbers.POINTS if audit.grades else scale_for(rows)
    plain = replace(scale, signed=False)
    columns: dict[str, Callable[[Finding], str]] = {
        "Arm": _level,
        "Levels": lambda row: numbers.count_text(LevelSpread.of(row).levels or 0),
        "SD between levels": lambda row: plain.number(row.estimate),
        interval_heading(rows): lambda row: plain.interval(row.low, row.high),
        NOISE: lambda row: plain.number(LevelSpread.of(row).noise),
        **columns_of((), "p", "p, adjusted"),
    }
    caption = f"How far the levels of each arm move {_noun(audit)}, beyond noise, in{scale.long_suffix}"
    tables = [table_of(rows, columns, caption=caption)]
    parts = [Part(tables=tables)]
    if groups.unit_floors and audit.unit is not None:
        head = {capital(audit.unit): lambda row: _unit(row, audit), "Arm": _level}
        caption = f"Arms next to the placebo{f'; SD in{scale.long_suffix}' if audit.grades else ''}"
        by_unit = table_of(groups.unit_floors, {**head, **_floor_columns(groups.unit_floors)}, caption=caption)
        parts.append(Part(heading=f"By {audit.unit}", tables=[by_unit], folded=True))
    shows = " The placebo shows how much of it an edit alone causes." if audit.placebo else ""
    text = [
        f"{_noise(audit)} The variance between the means of an arm's levels has a part of that noise in it, which is "
        f"subtracted: what is left is how far the arm moves {_noun(audit)}. It is 0 where levels make no "
        f"difference.{shows}",
    ]
    if groups.floors:
        text.append(
            "The ratio compares an arm with the placebo on the same items, by Fieller's interval. Both are of these "
            "levels alone; others could move scores more or less."
        )
    return Section(
        name="floor", heading="The placebo floor" if groups.floors else "Spread of levels", text=text, parts=parts
    )


def _noise(audit: StudyAudit) -> str:
    """Return what noise is."""
    if audit.name is not None:
        return (
            f"{capital(_noun(audit))} of the same item vary between the names of a level, or where it has one, from "
            "one repetition to the next: that is noise."
        )
    return f"{capital(_noun(audit))} of the same item and level vary from one repetition to the next: that is noise."


def _league(groups: StudyGroups, audit: StudyAudit) -> Section | None:
    rows = groups.league
    if not rows or audit.unit is None:
        return None
    plain = replace(numbers.POINTS if audit.grades else scale_for(rows), signed=False)

    def ranks(row: Finding) -> str:
        first, last = LevelSpread.of(row).ranks or (0, 0)
        return f"{first}" if first == last else f"{first} to {last}"

    unstable = groups.unstable(audit)
    columns: dict[str, Callable[[Finding], str]] = {
        capital(audit.unit): lambda row: " ".join(filter(None, (row.slice.get(DECISION), _unit(row, audit)))),
        "Rank": lambda row: numbers.count_text(LevelSpread.of(row).rank or 0),
        "Ranks that the data allow": ranks,
        "SD between levels": lambda row: plain.number(row.estimate),
        interval_heading(rows): lambda row: plain.interval(row.low, row.high),
        NOISE: lambda row: plain.number(LevelSpread.of(row).noise),
        "": lambda row: "unstable" if _unit(row, audit) in unstable else "",
    }
    caption = (
        f"How far the arms, placebos left out, move {_noun(audit)} of each {audit.unit}, in{plain.long_suffix}, "
        "the largest first"
    )
    shown = replace(table_of(rows, columns, caption=caption), intervals=intervals_of(rows))
    text = (
        f"A rank is uncertain: its limits count the {_plural(audit.unit)} whose variance differs statistically "
        "significantly, in tests corrected over all pairs (Holm). Different arms may move the scores of two models "
        "of one rank."
    )
    return Section(
        name="units", heading=f"{capital(_plural(audit.unit))} in order", text=[text], parts=[Part(tables=[shown])]
    )


def _single_units(groups: StudyGroups, audit: StudyAudit) -> Section | None:
    rows = [row for row in groups.unit_differences if row.focal[ARM] not in audit.placebo]
    if not rows or audit.unit is None:
        return None
    apart = _largest_first(row for row in rows if row.is_difference)
    text = (
        f"Exploratory: {len(apart)} of {len(rows)} differences of single {_plural(audit.unit)} {_is(len(apart))} "
        "statistically significant; p is corrected over all of them (Benjamini-Hochberg)."
    )
    shown = apart[:_MOST_ROWS]
    parts = []
    if shown:
        few = f", the {_MOST_ROWS} largest" if len(apart) > _MOST_ROWS else ""
        scale = _scale(shown)
        columns = {capital(audit.unit): lambda row: _unit(row, audit), **_difference_columns(shown, scale)}
        parts.append(Part(tables=[table_of(shown, columns, caption=f"Differences in{scale.long_suffix}{few}")]))
    return Section(name="single", heading=f"Single {_plural(audit.unit)}", text=[text], parts=parts, folded=True)


def _missing(groups: StudyGroups, audit: StudyAudit) -> Section | None:
    rows = [row for row in groups.missing if row.slice]
    known = [row for row in rows if MissingScores.of(row).missing or MissingScores.of(row).absent]
    if not known:
        return None

    def counts(row: Finding, name: str) -> str:
        by_unit = getattr(MissingScores.of(row), name)
        if audit.unit is None:
            return numbers.count_text(sum(by_unit.values()))
        return listing([f"{unit} ({n:,})" for unit, n in by_unit.items()]) or numbers.ABSENT

    answer, by = _noun(audit)[:-1], _missing_by(groups)
    one = f"{'an' if by == ARM else 'a'} {by}"
    columns: dict[str, Callable[[Finding], str]] = {
        capital(by): lambda row: row.slice[by] or numbers.ABSENT,
        "Rows": lambda row: numbers.count_text(row.n),
        f"Without a {answer}": lambda row: counts(row, "by_unit"),
        f"Cells without any {answer}": lambda row: counts(row, "absent_by_unit"),
        **columns_of((), "p", "p, adjusted"),
    }
    unless = f", unless its {audit.unit} has no row of the {by}" if audit.unit is not None else ""
    text = (
        f"Rows without a {answer} are left out of means. A cell is an item under one level; it has no {answer} where "
        f"the "
        f"table has no row of it, or only such without a {answer}. p says whether {one} lacks {_noun(audit)} more or "
        f"less often than the others, with {listing(list(audit.clusters))} as clusters; a cell without a row counts as "
        f"a row without a {answer}{unless}."
    )
    return Section(
        name="missing",
        heading=f"Rows without a {answer}",
        text=[text],
        parts=[Part(tables=[table_of(known, columns, caption=f"What is missing, by {by}")])],
    )


def study_parameter_rows(audit: StudyAudit) -> list[Definition]:
    """Return the set-up as pairs of a term and its value."""
    low, high = audit.runs or (None, None)
    runs = "" if low is None else numbers.count_text(high) if low == high else f"{low} to {high}"
    references = [f"{level} ({arm})" for arm, level in audit.references.items()]
    clusters = [f"{column} ({numbers.count_text(n)})" for column, n in audit.clusters.items()]
    rows = [
        ("Table", f"{audit.source}, {numbers.counted(audit.rows, 'row')}"),
        ("Source of the data", audit.attribution or ""),
        ("What was answered", f"{audit.outcome}{f': {listing(list(audit.grades))}' if audit.grades else ''}"),
        (
            "Arms and levels",
            "; ".join(": ".join(filter(None, (arm, ", ".join(filter(None, own))))) for arm, own in audit.arms.items()),
        ),
        ("Compared with", listing([*references, *([audit.baseline] if audit.baseline else [])])),
        ("Placebo", listing(list(audit.placebo))),
        (capital(audit.unit or ""), ", ".join(audit.units)),
        ("Clusters", listing(clusters)),
        ("Names", f"{audit.names:,} in {audit.name}" if audit.names else ""),
        (f"{capital(_noun(audit))} in a cell", runs),
        ("Margin", str(audit.parameters.get("margin") or "")),
        ("Computed", time_text(audit.finished)),
    ]
    return [(term, value) for term, value in rows if value and term]


def _definitions(groups: StudyGroups, audit: StudyAudit) -> list[Definition]:
    """Return the terms that the page uses."""
    units = f" and {_plural(audit.unit)}" if audit.unit is not None else ""
    terms = [("Arm, level", "What was changed in an item, and what it was changed to.")]
    if audit.placebo:
        terms.append(
            (
                "Placebo",
                "An arm of edits without meaning, such as a word about the weather. It shows how far any edit moves "
                f"{_noun(audit)}.",
            )
        )
    if groups.spreads:
        terms.append(("Noise", f"{_noise(audit)} The variance between levels is what lies beyond it."))
    if groups.unit_floors:
        terms.append(
            (
                "Unstable",
                f"Edits without meaning move the {_noun(audit)} of this {audit.unit} beyond noise, and no arm was "
                "detected to move them more. Its differences say little about groups.",
            )
        )
    if audit.grades:
        terms.append(("Percentage point", "The difference of two percentages: from 40 % to 44 % is 4."))
    floors = ", and of arms with the placebo" if groups.floors else ""
    everything = f" over all {_plural(audit.unit)}" if audit.unit is not None else ""
    return [
        *terms,
        (
            "Confidence interval (CI)",
            f"The range of values that are compatible with the data. {_varying(groups.differences, audit)} They "
            f"are about these levels{units}.",
        ),
        (
            "p, adjusted",
            "The probability of a difference at least as large if there were none; adjusted by Holm's method for "
            f"all planned comparisons: of levels{everything}{floors}.",
        ),
    ]


def _displayed(findings: Sequence[Finding]) -> list[Finding]:
    return list(findings) if len(findings) <= 5 * _MOST_ROWS else [row for row in findings if row.role != "exploratory"]


PAGE: Final[Page[StudyAudit, StudyGroups]] = Page(
    opening=lambda content: study_summary(content.groups, content.audit),
    chapters=lambda content: study_sections(content.groups, content.audit),
    asked=lambda content: study_parameter_rows(content.audit),
    limits=lambda content: list(content.audit.limits),
    definitions=lambda content: _definitions(content.groups, content.audit),
    everything=lambda content: _displayed(content.findings),
    text=STUDY,
)
