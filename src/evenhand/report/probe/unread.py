"""What headline comparisons would be if unread answers were taken either way, or as a judge reads them."""

from collections.abc import Mapping, Sequence

from evenhand.report.page.parts import Table, table_of
from evenhand.report.words import results
from evenhand.report.words.numbers import count_text, scale_of
from evenhand.results.audit import Measured
from evenhand.results.finding import AsJudged, Finding, UnreadBounds, Verdict
from evenhand.results.measures import ACCEPT, NONE, REJECT
from evenhand.results.probe_groups import Bounded, Headline, ProbeGroups
from evenhand.results.schemas import UNREAD


def with_bounds(sentences: Sequence[str], groups: ProbeGroups, audit: Measured) -> list[str]:
    """Return the sentences of results, and behind them, or behind that of the one comparison, its bounds."""
    own = [
        results.result_sentence(row.finding, audit, row.groups)
        for row in groups.headline
        if [bounds.headline.name for bounds in groups.bounded] == [row.finding.name]
    ]
    place = next((place for place, text in enumerate(sentences, 1) if text in own), len(sentences))
    return [*sentences[:place], *bounds_sentences(groups.bounded, audit, groups.headline), *sentences[place:]]


def bounds_sentences(bounded: Sequence[Bounded], audit: Measured, headline: Sequence[Headline] = ()) -> list[str]:
    """Return what the comparison would be at both ends; of several comparisons, which could turn out otherwise.

    It ends with those of a headline that have no bounds, such as slopes.
    """
    if not bounded:
        return []
    names = {row.headline.name for row in bounded}
    others = [row.finding for row in headline if row.finding.name not in names]
    topics = [results.wording_of(finding, audit).topic for finding in others if finding.estimate is not None]
    first, *more = _at_both_ends(bounded, audit)
    return [f"{first} There are no such bounds for {results.listing(topics)}." if topics else first, *more]


def _at_both_ends(bounded: Sequence[Bounded], audit: Measured) -> list[str]:
    if len(bounded) > 1:
        judges = {AsJudged.of(row.judged).judge for row in bounded if row.judged is not None}
        also = [
            f"The differences as {judge} reads the unread answers are in findings.json (as_judged)."
            for judge in sorted(judges)
        ]
        return [_several(bounded), *also]
    (row,) = bounded
    open_ = ((_turns(row.bounds), "its direction"), (_is_open(row.bounds), "whether it is statistically significant"))
    depending = results.capital(results.listing([what for is_so, what in open_ if is_so]))
    them = "them" if UnreadBounds.of(row.bounds).unread > 1 else "it"
    depends = f" {depending} depend{'' if ' and ' in depending else 's'} on {them}." if depending else ""
    judged = [] if row.judged is None else [_as_judged(row.judged, audit)]
    return [f"{_ends(row.bounds, audit)}{depends}", *judged]


def _as_judged(finding: Finding, audit: Measured) -> str:
    """Return what the comparison would be as the judge reads the unread answers, with its readings by group."""
    details, quantity = AsJudged.of(finding), "difference" if finding.reference else "share"
    readings = _readings(finding, f" {audit.subject}" if finding.reference else " candidates")
    answers = _answers(details.unread, "the")
    start = f"As {details.judge} reads {answers} ({readings})"
    if finding.estimate is None:
        return f"{start}, the {quantity} can't be computed."
    text = scale_of(finding).text(finding.estimate, apart=results.apart(finding))
    return f"{start}, the {quantity} would be {text}. It was not tested, and changes no finding."


def _readings(finding: Finding, subject: str) -> str:
    """Return how many answers the judge read as what, by group."""
    details = AsJudged.of(finding)
    what = "first place" if not finding.reference else "decision" if finding.measured_in == "share" else "score"
    words = {"first": "first", "score": "scored", ACCEPT: "accepted", REJECT: "rejected"}
    words |= {NONE: f"no {what}", UNREAD[0]: "not read"}

    def counts(labels: Mapping[str, int]) -> str:
        return ", ".join(f"{count_text(labels[label])} {word}" for label, word in words.items() if label in labels)

    within = set(finding.reference) <= set(finding.focal) and finding.reference
    reference = f"{results.group_label(finding.reference)}{subject}" if within else "others"
    sides = (
        (f"{results.group_label(finding.focal)}{subject}", details.labels_focal),
        (reference, details.labels_reference),
    )
    parts = [f"{group}: {counts(labels)}" for group, labels in sides if labels]
    return "; ".join([*parts, *filter(None, [counts(details.labels)])])


def _ends(finding: Finding, audit: Measured) -> str:
    """Return both ends in the words of the comparison: of two groups, of scores, or of a share of first places."""
    unread, (low, high) = UnreadBounds.of(finding).unread, _printed(finding)
    others = finding.reference if set(finding.reference) <= set(finding.focal) else {"population": "all other"}
    focal, reference = (f"{results.group_label(group)} {audit.subject}" for group in (finding.focal, others))
    answers = _answers(unread, "all")
    if not finding.reference:
        return (
            f"If a {results.group_label(finding.focal)} candidate came first in {answers}, the share would be {high}; "
            f"if {'in none of them' if unread > 1 else 'not'}, {low}."
        )
    if finding.measured_in == "share":
        return f"If {answers} were read against {reference}, the difference would be {high}; against {focal}, {low}."
    return (
        f"If {answers} had the lowest score under {reference} and the highest under {focal}, the difference would be "
        f"{high}; the other way round, {low}."
    )


def _answers(unread: int, determiner: str) -> str:
    return f"{determiner} {count_text(unread)} unread answers" if unread > 1 else "the one unread answer"


def _several(bounded: Sequence[Bounded]) -> str:
    unread = max(UnreadBounds.of(row.bounds).unread for row in bounded)
    start, differences = (
        f"If {_answers(unread, 'the')} were taken either way",
        f"the {len(bounded)} differences with them",
    )
    changes = [
        f"the {what} of {n}"
        for what, could in (("direction", _turns), ("significance", _is_open))
        if (n := sum(could(row.bounds) for row in bounded))
    ]
    if not changes:
        return f"{start}, each of {differences} would keep its direction and significance at both ends."
    changing = f"{results.listing(changes)} of {differences}"
    return f"{start}, {changing} could change."


def bounds_table(bounded: Sequence[Bounded], audit: Measured) -> Table | None:
    """Return each headline comparison as measured and at both ends, with its verdict there; None without any."""
    if not bounded:
        return None
    columns = {
        "Comparison": lambda row: _label(row, audit),
        "Unread answers": _counts,
        "As measured": lambda row: _cell(results.estimate_text(row.headline), row.headline.verdict),
        "Lowest": lambda row: _cell(_printed(row.bounds)[0], UnreadBounds.of(row.bounds).verdict_low),
        "Highest": lambda row: _cell(_printed(row.bounds)[1], UnreadBounds.of(row.bounds).verdict_high),
    }
    judges = sorted({AsJudged.of(row.judged).judge for row in bounded if row.judged is not None})
    for judge in judges:
        columns |= {
            f"As {judge} reads them": lambda row: row.judged and results.estimate_text(row.judged),
            "Its readings": lambda row: row.judged and _readings(row.judged, ""),
        }
    caption = "Headline comparisons if every unread answer were read for one group, or for the other"
    return table_of(bounded, columns, caption=caption)


def _label(row: Bounded, audit: Measured) -> str:
    if set(row.headline.reference) <= set(row.headline.focal):
        return results.heading_of(row.headline, audit)
    return f"{results.capital(results.group_label(row.headline.focal))} {audit.subject}"


def _counts(row: Bounded) -> str:
    details = UnreadBounds.of(row.bounds)
    if details.unread_focal is None or details.unread_reference is None:
        return count_text(details.unread)
    reference = row.bounds.reference if set(row.bounds.reference) <= set(row.bounds.focal) else {"": "others"}
    sides = ((row.bounds.focal, details.unread_focal), (reference, details.unread_reference))
    return ", ".join(f"{count_text(n)} {results.group_label(group)}" for group, n in sides)


def _cell(text: str, verdict: Verdict | None) -> str:
    significant = {"difference": ", significant", "no_difference_detected": ", not significant"}
    return text + significant.get(verdict or "", ", not judged")


def _printed(finding: Finding) -> tuple[str, str]:
    """Return both ends with their unit."""
    scale, apart = scale_of(finding), results.apart(finding)
    low, high = (scale.text(value, apart=apart) for value in (finding.low, finding.high))
    return low, high


def _turns(finding: Finding) -> bool:
    """Return whether the ends lie on either side of no difference."""
    null, low, high = finding.null_value or 0.0, finding.low or 0.0, finding.high or 0.0
    return low < null < high


def _is_open(finding: Finding) -> bool:
    """Return whether the verdict at an end is another one."""
    details = UnreadBounds.of(finding)
    return {details.verdict} != {details.verdict_low, details.verdict_high}
