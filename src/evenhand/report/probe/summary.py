"""The summary of a probe: headline table and chart, result sentences, unreadable answers, and next steps."""

import shlex
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from math import ceil, floor, log10
from statistics import NormalDist

from evenhand.report.page.parts import Ends, Intervals, NextStep, Table, interval_heading, table_of
from evenhand.report.words import results
from evenhand.report.words.numbers import ABSENT, confidence_text, count_text, percent_text, scale_of
from evenhand.results.audit import Measured, ProbeAudit
from evenhand.results.finding import FEWEST_PEOPLE, LEVEL, Finding, GroupRatio, Unread, VerdictBasis
from evenhand.results.measures import OTHERS
from evenhand.results.probe_groups import RACE, Headline, ProbeGroups, distance

#: Share of unreadable answers from which on the summary reports them.
NOTED_SHARE = 0.05
#: Exploratory differences of one sort that the summary names.
NAMED = 2

OBSERVED = "observed"

#: Predicates for runs in which all answers have one status: 'All 200 answers …'.
ALL_WERE = {
    "refused": "declined the task",
    "undetected": "state no decision that could be read",
    "ambiguous": "state both decisions",
    "truncated": "were cut off before a decision",
    "error": "never came, because the requests failed",
    "missing": "are missing",
}


#: Attributes of a number of unreadable answers.
UNREADABLE = {
    "undetected": "without a readable decision",
    "ambiguous": "with both decisions",
    "truncated": "cut off",
    "error": "failed",
}


@dataclass(frozen=True, kw_only=True)
class HeadlineSentences:
    """A headline finding with the audit that words it; `heading` replaces its own."""

    headline: Headline
    audit: Measured
    heading: str = ""


def headline_table(rows: Sequence[HeadlineSentences]) -> Table:
    """Return one line per headline measure: both groups, estimate, interval, mark, significance."""
    findings = [row.headline.finding for row in rows]
    groups = _group_columns(rows)
    counts = {finding.n for finding in findings}

    def of_finding(cell: Callable[[Finding], str]) -> Callable[[HeadlineSentences], str]:
        return lambda row: cell(row.headline.finding)

    columns = {
        "Measure": _heading,
        **groups,
        "Estimate" if not groups else "Difference": of_finding(_without_unit),
        interval_heading(findings): of_finding(results.interval_text),
        **({"n": of_finding(lambda finding: count_text(finding.n))} if len(counts) > 1 else {}),
        "Mark": of_finding(lambda finding: finding.mark or ABSENT),
        "Statistically significant?": of_finding(results.verdict_cell),
    }
    table = table_of(
        rows,
        columns,
        caption=f"Headline measures; differences in {results.units_of(findings)}"
        + (f" (n = {count_text(counts.pop())})" if len(counts) == 1 else ""),
    )
    return replace(table, intervals=headline_intervals(rows))


def _heading(row: HeadlineSentences) -> str:
    return row.heading or results.heading_of(row.headline.finding, row.audit)


def _group_columns(rows: Sequence[HeadlineSentences]) -> dict[str, Callable[[HeadlineSentences], str]]:
    """Return a column per group, where all measures are of the same two groups."""
    labels = {tuple(results.capital(results.group_label(group.focal)) for group in row.headline.groups) for row in rows}
    names = labels.pop() if len(labels) == 1 else ()
    return {
        name: lambda row, place=place: _without_unit(row.headline.groups[place])  # type: ignore[misc]
        for place, name in enumerate(names)
        if len(names) == 2
    }


def _without_unit(finding: Finding) -> str:
    return results.estimate_text(finding).removesuffix(" points")


def headline_intervals(rows: Sequence[HeadlineSentences | None]) -> Intervals | None:
    """Return the distances of headline measures from no difference, those that have the unit of the first."""
    findings = [None if row is None else row.headline.finding for row in rows]
    units = [results.units_of([finding]) for finding in findings if finding is not None and finding.low is not None]
    return Intervals(rows=[_distances(finding, units[0]) for finding in findings], lines=[0.0]) if units else None


def _distances(finding: Finding | None, unit: str) -> Ends:
    if finding is None or finding.low is None or results.units_of([finding]) != unit:
        return None, None, None
    factor, null = results.points_scale(finding).factor, finding.null_value or 0.0
    low, estimate, high = (
        None if value is None else factor * (value - null) for value in (finding.low, finding.estimate, finding.high)
    )
    return low, estimate, high


def summary_sentences(headline: Sequence[Headline], audit: Measured) -> list[str]:
    """Return the result in sentences, the largest difference first; a majority of unreadable answers precedes them."""
    known = [row for row in headline if row.finding.estimate is not None]
    known.sort(key=lambda row: (not row.finding.is_difference, -distance(row.finding) * row.finding.is_difference))
    sentences = results.result_sentences([(row.finding, row.groups) for row in known], audit)
    sentences += results.widest_caution([row.finding for row in known])
    unknown = [row.finding for row in headline if row.finding.estimate is None]
    lacking, leads = unreadable_sentence(audit, [results.wording_of(finding, audit).topic for finding in unknown])
    # The reason behind every measure would only repeat that there are no answers.
    counts = _counts(audit)
    sentences += [] if counts and OBSERVED not in counts else unknown_sentences(unknown, audit)
    if not lacking or not headline:
        return sentences
    return [lacking, *sentences] if leads else [*sentences, lacking]


def unknown_sentences(findings: Sequence[Finding], audit: Measured) -> list[str]:
    """Return the measures that are not computed, a sentence per reason."""
    topics: dict[str, list[str]] = {}
    for finding in findings:
        topics.setdefault(results.sentence_case(finding.reason or "not computed").rstrip(". "), []).append(
            results.wording_of(finding, audit).topic
        )
    return [
        f"Nothing can be said about {' or '.join(lacking_topics)} ({reason})."
        for reason, lacking_topics in topics.items()
    ]


def unreadable_sentence(audit: Measured, topics: Sequence[str]) -> tuple[str, bool]:
    """Return how many answers are unreadable, '' for a few, and whether it comes first."""
    counts, counted = _counts(audit), audit.counted or "answers"
    requested, lacking = sum(counts.values()), sum(n for status, n in counts.items() if status != OBSERVED)
    if requested and lacking == requested:
        return _nothing(counts, requested, " or ".join(topics), counted), True
    if not requested or lacking <= NOTED_SHARE * requested:
        return "", False
    return _some(counts, requested, lacking, counted), 2 * lacking >= requested


def unread_sentences(groups: ProbeGroups, audit: ProbeAudit) -> list[str]:
    """Return where answers were unreadable more or less often than elsewhere: in roles, and in large groups.

    Levels of one column come before combinations of several, which mostly repeat them.
    """
    compared = groups.undetected_contrasts
    differences = [finding for finding in compared if finding.is_difference]
    people = {*audit.groups}
    large = [
        finding
        for finding in differences
        if finding.claim is not None and (finding.claim.is_large(finding.n) or not finding.focal.keys() <= people)
    ]
    more = [finding for finding in large if (finding.estimate or 0.0) > 0] or large
    coarsest = min((len(finding.focal) for finding in more), default=0)
    named = sorted((finding for finding in more if len(finding.focal) == coarsest), key=distance, reverse=True)[:NAMED]
    sentences = [_unread(finding, audit) for finding in named]
    rest = len(differences) - len(named)
    if rest:
        differ = f"{'more ' if named else ''}{'differ' if rest > 1 else 'differs'}"
        sentences.append(f"Of the {len(compared)} comparisons of unreadable answers {rest} {differ} significantly.")
    return sentences


def _unread(finding: Finding, audit: ProbeAudit) -> str:
    counts = Unread.of(finding)
    n = (0, 0) if finding.claim is None else (finding.claim.n_focal or 0, finding.claim.n_reference or 0)
    shares = [
        f"{count_text(unread or 0)} of {count_text(size)} ({percent_text((unread or 0) / size)})"
        for unread, size in zip((counts.unread_focal, counts.unread_reference), n, strict=True)
        if size
    ]
    where, elsewhere = (_among(group, audit) for group in (finding.focal, finding.reference))
    return (
        f"{'More' if (finding.estimate or 0.0) > 0 else 'Fewer'} answers were unreadable {where} than {elsewhere}: "
        f"{' against '.join(shares)}{results.significance(finding)}."
    )


def _among(group: Mapping[str, str], audit: ProbeAudit) -> str:
    """Return the answers of a group, or of a level of a column that is no group."""
    if set(group.values()) == {OTHERS}:
        return "in all others"
    if set(group) <= set(audit.groups):
        return f"under {results.group_label(group)} names"
    parts = [f"{results.in_words(key)} {results.in_words(level)}" for key, level in group.items()]
    return f"in prompts of {results.listing(parts)}"


def exploratory_sentences(
    race: Sequence[Finding], parts: Sequence[Finding], headline: Sequence[Headline], audit: Measured
) -> list[str]:
    """Return the differences between races, and those within parts of the run that the headline doesn't have.

    Of each the first is named, one in the other direction or else the second, and how many more there are.
    """
    news = [part for part in parts if not _known(part, headline)]
    sentences = []
    for differences, sentence in ((race, _race), (news, _part)):
        named = sorted(differences[1:], key=lambda finding: _direction(finding) == _direction(differences[0]))
        named = [*differences[:1], *named][:NAMED]
        sentences += [f"Exploratory: {sentence(finding, audit)}" for finding in named]
        rest = len(differences) - len(named)
        if rest:
            more = "difference" if rest == 1 else "differences"
            sentences.append(f"The tables have {rest} more such {more} in groups of at least {FEWEST_PEOPLE}.")
    return sentences


def _known(part: Finding, headline: Sequence[Headline]) -> bool:
    """Return whether the whole run has a difference in the same direction."""
    overall = next((row.finding for row in headline if row.finding.measure == part.measure), None)
    if overall is None or not results.is_significant(overall):
        return False
    return _direction(overall) == _direction(part)


def _direction(finding: Finding) -> bool:
    return (finding.estimate or 0.0) > (finding.null_value or 0.0)


def _race(finding: Finding, audit: Measured) -> str:
    ratio = GroupRatio.of(finding)
    rates = [percent_text(rate) for rate in (ratio.rate_focal, ratio.rate_reference) if rate is not None]
    scale = scale_of(finding)
    names = [results.capital(results.group_label(group)) for group in (finding.focal, finding.reference)]
    interval = f"{confidence_text(finding.confidence)} CI {scale.interval(finding.low, finding.high, apart=(1.0,))}"
    four_fifths = (
        f"{results.in_words(ratio.four_fifths)} four-fifths, " if ratio.four_fifths in {"below", "not_below"} else ""
    )
    return (
        f"{names[0]} {audit.subject} were {audit.success or 'selected'} at a rate of {rates[0]}, {names[1]} "
        f"{audit.subject} at {rates[1]} ({_sizes(finding)}): impact ratio "
        f"{scale.text(finding.estimate, apart=(0.8, 1.0))} ({interval}), {four_fifths}statistically significant "
        f"({results.p_with_test(finding)})."
    )


def _part(finding: Finding, audit: Measured) -> str:
    parts = [
        f"{results.group_label({key: level})} names"
        if key == RACE
        else f"prompts of {results.in_words(key)} {results.in_words(level)}"
        for key, level in finding.slice.items()
    ]
    return (
        f"among {results.listing(parts)}, {results.statement(finding, audit)} ({_sizes(finding)}; "
        f"{results.bracket(finding, audit)}){results.significance(finding)}."
    )


def _sizes(finding: Finding) -> str:
    """Return the n of both groups, or of the one group."""
    sides = [] if finding.claim is None else [finding.claim.n_focal, finding.claim.n_reference]
    known = [count_text(n) for n in sides if n is not None]
    return f"n = {results.listing(known or [count_text(finding.n)])}"


@dataclass(frozen=True, kw_only=True)
class LargestPart:
    """The part of a run with the largest difference, and the whole run's."""

    part: Finding
    whole: Finding


def largest_part(parts: Sequence[Finding], headline: Sequence[Headline]) -> LargestPart | None:
    """Return the part whose interval excludes the whole run's smaller difference, the largest one."""
    wholes = {row.finding.measure: row.finding for row in headline}
    candidates = [
        LargestPart(part=part, whole=wholes[part.measure])
        for part in parts
        if len(part.slice) == 1 and _known(part, headline) and _beyond(part, wholes[part.measure])
    ]
    return max(candidates, key=lambda candidate: distance(candidate.part), default=None)


def _beyond(part: Finding, whole: Finding) -> bool:
    if part.low is None or part.high is None or whole.estimate is None:
        return False
    return part.low > whole.estimate if _direction(whole) else part.high < whole.estimate


def _counts(audit: Measured) -> dict[str, int]:
    return {status: n for status, n in audit.statuses.items() if n > 0}


def _nothing(counts: Mapping[str, int], requested: int, topics: str, counted: str) -> str:
    conclusion = f"nothing can be said about {topics}" if topics else "nothing can be said"
    answers = f"{count_text(requested)} of {count_text(requested)} {counted}"
    if len(counts) == 1:
        (status,) = counts
        return f"{answers} {ALL_WERE.get(status, f'are unreadable ({status})')}, so {conclusion}."
    return f"{answers} are unreadable ({_kinds(counts)}), so {conclusion}."


def _some(counts: Mapping[str, int], requested: int, lacking: int, counted: str) -> str:
    share = percent_text(lacking / requested)
    return (
        f"{count_text(lacking)} of {count_text(requested)} {counted} ({share}) {'is' if lacking == 1 else 'are'} "
        f"unreadable: {_kinds(counts)}. "
        f"The rates rest on the other {count_text(requested - lacking)}."
    )


def _kinds(counts: Mapping[str, int]) -> str:
    kinds = sorted(((n, status) for status, n in counts.items() if status != OBSERVED), key=lambda kind: -kind[0])
    return results.listing([f"{count_text(n)} {UNREADABLE.get(status, status)}" for n, status in kinds])


MOST_STEPS = 3
#: Statistical power of the samples that are proposed.
POWER = 0.8
#: The difference to detect in a share that has no marks.
MARGIN = 0.05
SAMPLE = "--sample"


def probe_steps(groups: ProbeGroups, audit: ProbeAudit) -> list[NextStep]:
    """Return at most three questions; a command runs as it is printed, one on this run in the folder of the report."""
    known = [row.finding for row in groups.headline if row.finding.estimate is not None]
    unclear = [
        finding
        for finding in known
        if not results.is_significant(finding) and not (finding.claim and finding.claim.equivalent)
    ]
    steps = [
        *_unreadable(audit),
        *(_more(unclear, audit)),
        *(_paired(audit) if any(finding.low is not None for finding in unclear) else ()),
        *_largest(groups, audit),
        *_words(groups),
        *_by_race(audit),
        *_other_model(audit),
    ]
    return steps[:MOST_STEPS]


def _unreadable(audit: ProbeAudit) -> list[NextStep]:
    observed = audit.statuses.get("observed", 0)
    if observed or not sum(audit.statuses.values()):
        return []
    if audit.statuses.get("truncated") and with_option(audit.reproduce, "--max-tokens", "1024"):
        question = "Do longer answers state a decision?"
        return [NextStep(question=question, command=with_option(audit.reproduce, "--max-tokens", "1024"))]
    return [NextStep(question="What do the answers say? Read some: they are kept in the run folder, answers-*.jsonl.")]


def _more(unclear: Sequence[Finding], audit: ProbeAudit) -> list[NextStep]:
    """Return the sample with which a difference would be detected, for the first measure that is not clear."""
    for finding in unclear:
        sample = _larger_sample(finding, audit)
        if sample is None:
            continue
        # Of many comparisons the one that is meant.
        of = f" ({results.sentence_case(results.heading_of(finding, audit))})" if audit.steps else ""
        question = conclusion_question(finding, sample, of=of)
        return [NextStep(question=question, command=with_option(audit.reproduce, SAMPLE, str(sample)))]
    return []


def conclusion_question(finding: Finding, sample: int, *, of: str = "") -> str:
    """Return how many prompts a conclusion needs; `of` names the probe or model."""
    scale = results.points_scale(finding)
    size = f"{scale.number(_smallest_that_matters(finding) or 0.0, signed=False)}{scale.long_suffix}"
    edge = "" if VerdictBasis.of(finding).margin is None else ", the edge of mark A"
    return (
        f"How many prompts until a conclusion? About {count_text(sample)}{of} give a statistical power of 80 % for a "
        f"difference of {size}{edge}, if answers vary as these do."
    )


def _smallest_that_matters(finding: Finding) -> float | None:
    """Return the difference to be detected, which never depends on the estimate; None where no margin is stated."""
    margin = VerdictBasis.of(finding).margin
    return MARGIN if margin is None and finding.measured_in == "share" else margin


def _needed(finding: Finding) -> int | None:
    """Return the n whose test, at the level of its family, finds it with this power, rounded up; the variance stays."""
    target = _smallest_that_matters(finding)
    if target is None or finding.low is None or finding.high is None or not finding.n:
        return None
    quantile, family = NormalDist().inv_cdf, finding.claim.family_size if finding.claim is not None else 1
    error = (finding.high - finding.low) / 2 / quantile((1 + finding.confidence) / 2)
    detectable = (quantile(1 - LEVEL / max(family, 1) / 2) + quantile(POWER)) * error
    return rounded_up(finding.n * (detectable / target) ** 2)


def rounded_up(count: float) -> int:
    """Return a count rounded up to two digits.

    >>> rounded_up(3214.2), rounded_up(7)
    (3300, 7)
    """
    step = 10 ** max(floor(log10(max(count, 1))) - 1, 0)
    return int(ceil(count / step) * step)


def _larger_sample(finding: Finding, audit: ProbeAudit) -> int | None:
    """Return how many prompts to draw; None where the sample is not the user's to choose or is large enough."""
    sample, population = audit.sample, audit.population
    if not isinstance(sample, int) or not with_option(audit.reproduce, SAMPLE, ""):
        return None
    more = larger_sample_of(finding, sample)
    if more is not None and audit.block is not None:
        more = ceil(more / audit.block) * audit.block
    return None if more is not None and isinstance(population, int) and more > population else more


def larger_sample_of(finding: Finding, sample: int | None) -> int | None:
    """Return how many prompts instead of `sample` are needed; None where these are enough."""
    n = _needed(finding)
    if n is None or not sample:
        return None
    more = rounded_up(sample * n / finding.n)
    return more if more > sample else None


def with_option(command: str, option: str, value: str) -> str:
    """Return a command line with another value of an option; '' for an option that it can't have.

    >>> with_option("evenhand probe hiring-an --sample 40 --seed 0", "--sample", "80")
    'evenhand probe hiring-an --sample 80 --seed 0'
    """
    words = shlex.split(command)
    if option in words:
        place = words.index(option) + 1
        return shlex.join([*words[:place], value, *words[place + 1 :]])
    can_have = option != SAMPLE and command.startswith("evenhand probe ")
    return shlex.join([*words, option, value]) if can_have else ""


def _paired(audit: ProbeAudit) -> list[NextStep]:
    if not audit.paired_design or audit.design == audit.paired_design:
        return []
    command = with_option(audit.reproduce, "--design", audit.paired_design)
    question = "Is the interval narrower if both groups are put to the very same prompts?"
    return [NextStep(question=question, command=command)] if command else []


def _largest(groups: ProbeGroups, audit: ProbeAudit) -> list[NextStep]:
    largest = largest_part(groups.parts, groups.headline)
    if largest is None:
        return []
    ((key, level),) = largest.part.slice.items()
    values = [results.estimate_text(finding) for finding in (largest.part, largest.whole)]
    heading = results.sentence_case(results.wording_of(largest.whole, audit).heading)
    question = (
        f"Which {results.in_words(key)} carries the difference? "
        f"{results.capital(results.group_label({key: level}))}: {values[0]} against "
        f"{values[1]} in the whole run ({heading}). See Within parts of the run."
    )
    return [NextStep(question=question)]


def _words(groups: ProbeGroups) -> list[NextStep]:
    surest = [word for word in groups.words if word.p_adjusted is not None and word.p_adjusted < LEVEL]
    if not surest or not any(results.is_significant(row.finding) for row in groups.headline):
        return []
    most = max(surest, key=distance)
    others = f"; {count_text(len(surest) - 1)} others differ after adjustment, too" if len(surest) > 1 else ""
    return [
        NextStep(
            question=f"Which words carry the difference? Most of all “{most.slice['word']}”"
            f"{others}. See Words of the documents."
        )
    ]


def _by_race(audit: ProbeAudit) -> list[NextStep]:
    if (
        not audit.statuses.get("observed")
        or "race" not in audit.groups
        or not audit.success
        or audit.rate != "acceptance_rate"
    ):
        return []
    question = "What are acceptance rates and impact ratios by race?"
    return [NextStep(question=question, command="evenhand impact . --protected race", folder=".")]


def _other_model(audit: ProbeAudit) -> list[NextStep]:
    if not audit.statuses.get("observed") or not with_option(audit.reproduce, SAMPLE, ""):
        return []
    return [NextStep(question="Do other models do the same? Put these prompts to one of them and compare the runs.")]
