"""What an analysis of applicants says, in plain sentences: who is selected less, by how much, and what chance does."""

from collections.abc import Sequence

from evenhand.report.impact.beside import bound_sentences, given_sentences
from evenhand.report.impact.opening_positions import pooled_sentences, position_sentences
from evenhand.report.impact.views import (
    APART,
    RATIO,
    READ_WORDS,
    counted_names,
    definition_name,
    four_fifths_text,
    group_name,
    share_text,
    signed,
    view_name,
)
from evenhand.report.words.numbers import SIGNIFICANCE, confidence_text, count_text, p_equals
from evenhand.report.words.wording import capital, listing, sentence_case
from evenhand.tables.audit.impact import ImpactAudit
from evenhand.tables.details import ImpactRatio, MeanRatio
from evenhand.tables.finding import Finding
from evenhand.tables.grouped.impact import ImpactGroups, View
from evenhand.tables.grouped.names import IMPACT_RATIO
from evenhand.tables.impact_files import BOTTOM_LINE

__all__ = ["FLIPPED", "chance_sentence", "flagging_sentence", "impact_opening", "reading_sentences", "view_sentence"]

FLIPPED = "one changed selection reverses the direction (UGESP Q&A 21)"
#: Sentences at the top of the page; each attribute's chapter has its own as well.
MOST_SENTENCES = 12
#: Groups named in a sentence; of more the number is told.
MOST_NAMED = 4


def impact_opening(groups: ImpactGroups, audit: ImpactAudit) -> list[str]:
    """Return a paragraph per attribute, one on its other definitions of a selection, and one on positions."""
    found = []
    for first, *others in (each.views for each in groups.attributes if each.views):
        found.append(view_sentence(first, audit))
        if others and not first.crossed:
            found.append(
                f"{capital(view_name(first))}, counted otherwise: {'; '.join(_brief(each, audit) for each in others)}."
            )
    found += list(dict.fromkeys(_sentence(finding.reason) for finding in groups.alone))
    left = len(found) - MOST_SENTENCES
    told = found[:MOST_SENTENCES]
    if left > 0:
        told.append(f"{count_text(left)} more such paragraphs stand in the chapters below.")
    return [
        *told,
        *position_sentences(groups, audit),
        *pooled_sentences(groups, audit),
        *given_sentences(groups),
        *bound_sentences(groups),
    ]


def _sentence(text: str | None) -> str:
    return capital((text or "").rstrip(".")) + "."


def view_sentence(view: View, audit: ImpactAudit) -> str:
    """Return what one attribute shows under one definition of a selection."""
    known = view.known
    if not known:
        what = definition_name(view.definition, audit)
        return f"{capital(view_name(view))} ({what}): no ratio can be computed: {_reasons(view)}."
    if view.crossed:
        return _crossed(view, known, audit)
    lowest = known[0]
    parts = [_statement(view, lowest, audit), chance_sentence(lowest), *_cautions(lowest)]
    if view.means:
        parts.append("A mean ratio depends on where the scale starts; the standardised difference does not.")
    else:
        parts.append(_reading(lowest))
    parts.append(_others(view, known[1:]))
    return " ".join(part for part in parts if part)


def _reasons(view: View) -> str:
    return listing(list(dict.fromkeys(sentence_case((finding.reason or "").rstrip(".")) for finding in view.findings)))


def _brief(view: View, audit: ImpactAudit) -> str:
    """Return one definition of a selection in a clause: the group furthest behind."""
    what = definition_name(view.definition, audit)
    if not view.known:
        return f"{what}: no ratio ({_reasons(view)})"
    finding = view.known[0]
    details, means = ImpactRatio.of(finding), MeanRatio.of(finding)
    values = (
        [signed(mean, 3) for mean in (means.mean_focal, means.mean_reference)]
        if view.means
        else [share_text(rate) for rate in (details.rate_focal, details.rate_reference)]
    )
    ratio = f"ratio {RATIO.text(finding.estimate, apart=APART)}"
    if finding.low is not None:
        ratio += f" ({RATIO.interval(finding.low, finding.high, apart=APART)})"
    parts = [
        f"{what}: {group_name(finding.focal)} {values[0]} against {group_name(finding.reference)} {values[1]}",
        ratio,
        "" if view.means else four_fifths_text(details.four_fifths),
        FLIPPED if details.flip_flop_reverses else "",
        _brief_chance(finding),
    ]
    return ", ".join(part for part in parts if part)


def _brief_chance(finding: Finding) -> str:
    p = finding.p_adjusted
    if p is None:
        return ""
    p_told = f"adjusted p {p_equals(p)}"
    if p < SIGNIFICANCE:
        return f"not explained by chance alone ({p_told})"
    missed = ImpactRatio.of(finding).detectable_ratio
    found = f"; {RATIO.text(missed, apart=APART)} or lower would be" if missed is not None else ""
    return f"no difference detected ({p_told}{found})"


def _statement(view: View, finding: Finding, audit: ImpactAudit) -> str:
    details, start = (
        finding.details,
        capital(view_name(view)) + (", all steps together" if view.definition.stage == BOTTOM_LINE else ""),
    )
    focal, reference = group_name(finding.focal), group_name(finding.reference)
    level = confidence_text(finding.confidence)
    span = (
        f" ({level} interval {RATIO.interval(finding.low, finding.high, apart=APART)})"
        if finding.low is not None
        else ""
    )
    ratio = f"a ratio of {RATIO.text(finding.estimate, apart=APART)}{span}"
    if view.means:
        found = MeanRatio.of(finding)
        means = [signed(mean, 3) for mean in (found.mean_focal, found.mean_reference)]
        standard = signed(found.standardised_difference)
        reach = f" ({signed(found.d_low)} to {signed(found.d_high)})" if found.d_low is not None else ""
        return (
            f"{start}: the mean score of {focal} applicants is {means[0]}, that of {reference} applicants {means[1]}: "
            f"{ratio}, a standardised difference of {standard}{reach}."
        )
    details = ImpactRatio.of(finding)
    rates = [
        f"{share_text(rate)} of {count_text(n)}"
        for rate, n in ((details.rate_focal, details.n_focal), (details.rate_reference, details.n_reference))
    ]
    estimate = finding.estimate or 0.0
    often = "as often as" if estimate == 1 else "less often than" if estimate < 1 else "more often than"
    flagged = four_fifths_text(details.four_fifths)
    return (
        f"{start}: {focal} applicants {_verb(view, audit)} {often} {reference} applicants "
        f"({rates[0]} against {rates[1]}), {ratio}, {flagged}."
    )


def _verb(view: View, audit: ImpactAudit) -> str:
    what = definition_name(view.definition, audit)
    return "were selected" if what == "decision" else f"had a {what}"


def chance_sentence(finding: Finding) -> str:
    """Return whether chance explains a difference, and if it may, what would have been found."""
    p = finding.p_adjusted
    if p is None:
        return ""
    bracket = f"adjusted p {p_equals(p)}" + (f"; {finding.adjustment}" if finding.adjustment else "")
    if p < SIGNIFICANCE:
        return f"Chance alone does not explain this difference ({bracket})."
    missed = ImpactRatio.of(finding).detectable_ratio
    found = (
        f" With this many people, a ratio of {RATIO.text(missed, apart=APART)} or lower would be detected four "
        "times in five."
        if missed is not None
        else " How large a difference would have been found can't be told."
        if finding.measure == IMPACT_RATIO
        else ""
    )
    return f"No difference was detected: chance alone may explain this one ({bracket}).{found}"


def _cautions(finding: Finding) -> list[str]:
    found = []
    if ImpactRatio.of(finding).flip_flop_reverses:
        found.append(f"{capital(FLIPPED)}.")
    if ImpactRatio.of(finding).four_fifths in {"below", "above"}:
        found.append(flagging_sentence(finding))
    return found


def flagging_sentence(finding: Finding) -> str:
    """Return how often the rule of four fifths flags this very table without a cause."""
    share = ImpactRatio.of(finding).over_flagging_rate
    if share is None:
        return ""
    percent = 100 * share
    text = (
        "less than 0.1 %"
        if percent < 0.1
        else "more than 99.9 %"
        if percent > 99.9
        else f"{percent:.1f} %"
        if percent < 10
        else f"{percent:.0f} %"
    )
    return f"By chance alone, a rule of four fifths would flag {text} of even-handed draws of this table."


def _reading(finding: Finding) -> str:
    words = READ_WORDS.get(ImpactRatio.of(finding).read_with or "")
    reason = ImpactRatio.of(finding).read_reason
    return f"At this size, read {words}: {sentence_case(reason)}" if words and reason else ""


def reading_sentences(findings: Sequence[Finding]) -> list[str]:
    """Return, for each advice on which test to read, the groups it holds for and its reason."""
    found: dict[tuple[str, str], list[str]] = {}
    for finding in findings:
        words = READ_WORDS.get(ImpactRatio.of(finding).read_with or "")
        if words:
            found.setdefault((words, ImpactRatio.of(finding).read_reason or ""), []).append(group_name(finding.focal))
    return [
        f"{_who(groups, everybody=len(found) == 1)}: read {words}. {reason}"
        for (words, reason), groups in found.items()
    ]


def _who(groups: Sequence[str], *, everybody: bool) -> str:
    if everybody and len(groups) > 1:
        return "All groups"
    return f"{count_text(len(groups))} groups" if len(groups) > MOST_NAMED else capital(listing(groups))


def _others(view: View, findings: Sequence[Finding]) -> str:
    if not findings:
        return ""
    if len(findings) > 1:
        return f"Of the other {count_text(len(findings))} groups: {_summary(view, findings)}."
    finding = findings[0]
    flagged = "" if view.means else f", {four_fifths_text(ImpactRatio.of(finding).four_fifths)}"
    chance = _brief_chance(finding)
    return (
        f"The other group, {group_name(finding.focal)}: a ratio of {RATIO.text(finding.estimate, apart=APART)}{flagged}"
        + (f", {chance}." if chance else ".")
    )


def _crossed(view: View, known: Sequence[Finding], audit: ImpactAudit) -> str:
    against = list(dict.fromkeys(group_name(finding.reference) for finding in known))
    compared = f"{count_text(len(known))} groups compared with {listing(against)}"
    start = f"{capital(view_name(view))} ({definition_name(view.definition, audit)}), {compared}"
    return f"{start}: {_summary(view, known)}. {flagging_sentence(known[0]) if not view.means else ''}".rstrip()


def _summary(view: View, findings: Sequence[Finding]) -> str:
    outside = [finding for finding in findings if ImpactRatio.of(finding).four_fifths in {"below", "above"}]
    unexplained = [
        finding for finding in findings if finding.p_adjusted is not None and finding.p_adjusted < SIGNIFICANCE
    ]
    parts = []
    if not view.means:
        parts.append(
            f"{count_text(len(outside))} below four-fifths ({counted_names(outside)})"
            if outside and all(ImpactRatio.of(finding).four_fifths == "below" for finding in outside)
            else f"{count_text(len(outside))} outside four-fifths to five-fourths ({counted_names(outside)})"
            if outside
            else "none below four-fifths"
        )
    tested = [finding for finding in findings if finding.p_adjusted is not None]
    if tested:
        parts.append(
            f"{count_text(len(unexplained)) if unexplained else 'none'} with a difference that chance alone does "
            "not explain" + (f" ({counted_names(unexplained)})" if unexplained else "")
        )
    return "; ".join(parts)
