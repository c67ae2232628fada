"""What an analysis of applicants says, in plain sentences: who is selected less, by how much, and what chance does."""

from collections.abc import Mapping, Sequence
from typing import Any

from evenhand.report._document import Row
from evenhand.report._impact_views import (
    APART,
    RATIO,
    READ_WORDS,
    View,
    counted_names,
    definition_of,
    four_fifths_text,
    group_name,
    is_main,
    share_text,
    signed,
    views_of,
)
from evenhand.report._numbers import SIGNIFICANCE, confidence_text, count_text, is_number, p_text
from evenhand.report._wording import capital, listing, plain, sentence_case
from evenhand.tables.impact_files import BOTTOM_LINE

__all__ = ["FLIPPED", "chance_sentence", "flagging_sentence", "impact_answers", "reading_sentences", "view_answer"]

FLIPPED = "one changed selection reverses the direction (UGESP Q&A 21)"
#: Sentences at the top of the page; each attribute's chapter has its own as well.
MOST_ANSWERS = 12


def impact_answers(rows: Sequence[Row], audit: Mapping[str, Any]) -> list[str]:
    """Return a paragraph per attribute and definition of a selection, then one on positions."""
    views = [view for view in views_of(rows) if is_main(view)]
    seen: set[tuple[str, ...]] = set()
    found = []
    for view in views:
        if view.crossed and view.attributes in seen:
            continue  # its chapter tells
        found.append(view_answer(view, audit, brief=view.attributes in seen))
        seen.add(view.attributes)
    found += list(dict.fromkeys(f"{_sentence(row.reason)}" for row in rows if _alone(row)))
    left = len(found) - MOST_ANSWERS
    shown = found[:MOST_ANSWERS]
    if left > 0:
        shown.append(f"{count_text(left)} more such paragraphs stand in the chapters below.")
    return [*shown, *_positions(rows)]


def _alone(row: Row) -> bool:
    return row.measure in {"impact_ratio", "mean_ratio"} and not row.focal


def _sentence(text: str | None) -> str:
    return capital((text or "").rstrip(".")) + "."


def view_answer(view: View, audit: Mapping[str, Any], *, brief: bool = False) -> str:
    """Return what one attribute shows under one definition of a selection.

    A brief one leaves out which test to read and what chance does to the rule of four fifths.
    """
    known = view.known
    if not known:
        reasons = listing(list(dict.fromkeys(sentence_case((row.reason or "").rstrip(".")) for row in view.rows)))
        what = definition_of(view.approach, view.cutoff, audit)
        return f"{capital(view.name)} ({what}): no ratio can be computed: {reasons}."
    if view.crossed:
        return _crossed(view, known, audit)
    lowest = known[0]
    parts = [_statement(view, lowest, audit), chance_sentence(lowest), *_cautions(lowest, brief=brief)]
    if brief:
        pass
    elif view.means:
        parts.append("A mean ratio depends on where the scale starts; the standardised difference does not.")
    else:
        parts.append(_reading(lowest))
    parts.append(_others(view, known[1:]))
    return " ".join(part for part in parts if part)


def _statement(view: View, row: Row, audit: Mapping[str, Any]) -> str:
    details, start = row.details, capital(view.name) + (", all steps together" if view.stage == BOTTOM_LINE else "")
    focal, reference = group_name(row.focal), group_name(row.reference)
    level = confidence_text(row.confidence)
    span = f" ({level} interval {RATIO.interval(row.low, row.high, apart=APART)})" if row.low is not None else ""
    ratio = f"a ratio of {RATIO.text(row.estimate, apart=APART)}{span}"
    if view.means:
        means = [signed(details.get(name), 3) for name in ("mean_focal", "mean_reference")]
        standard = signed(details.get("standardised_difference"))
        reach = (
            f" ({signed(details.get('d_low'))} to {signed(details.get('d_high'))})"
            if is_number(details.get("d_low"))
            else ""
        )
        return (
            f"{start}: the mean score of {focal} applicants is {means[0]}, that of {reference} applicants {means[1]}: "
            f"{ratio}, a standardised difference of {standard}{reach}."
        )
    rates = [
        f"{share_text(details.get(f'rate_{side}'))} of {count_text(details.get(f'n_{side}'))}"
        for side in ("focal", "reference")
    ]
    estimate = row.estimate or 0.0
    often = "as often as" if estimate == 1 else "less often than" if estimate < 1 else "more often than"
    flagged = four_fifths_text(details.get("four_fifths"))
    return (
        f"{start}: {focal} applicants {_verb(view, audit)} {often} {reference} applicants "
        f"({rates[0]} against {rates[1]}), {ratio}, {flagged}."
    )


def _verb(view: View, audit: Mapping[str, Any]) -> str:
    what = definition_of(view.approach, view.cutoff, audit)
    return "were selected" if what == "decision" else f"had a {what}"


def chance_sentence(row: Row) -> str:
    """Return whether chance explains a difference, and if it may, what would have been found."""
    p = row.p_adjusted
    if p is None:
        return ""
    text = p_text(p)
    bracket = f"adjusted p {text if text.startswith('<') else f'= {text}'}" + (
        f"; {row.adjustment}" if row.adjustment else ""
    )
    if p < SIGNIFICANCE:
        return f"Chance alone does not explain this difference ({bracket})."
    missed = row.details.get("detectable_ratio")
    found = (
        f" With so many people, a ratio of {RATIO.text(missed, apart=APART)} or lower would be detected four "
        "times in five."
        if is_number(missed)
        else " How large a difference would have been found can't be told."
        if row.measure == "impact_ratio"
        else ""
    )
    return f"No difference was detected: chance alone may explain this one ({bracket}).{found}"


def _cautions(row: Row, *, brief: bool) -> list[str]:
    found = []
    if row.details.get("flip_flop_reverses") is True:
        found.append(f"{capital(FLIPPED)}.")
    if not brief and row.details.get("four_fifths") in {"below", "above"}:
        found.append(flagging_sentence(row))
    return found


def flagging_sentence(row: Row) -> str:
    """Return how often the rule of four fifths flags this very table without a cause."""
    share = row.details.get("over_flagging_rate")
    if not is_number(share):
        return ""
    percent = 100 * float(share or 0)
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


def _reading(row: Row) -> str:
    words = READ_WORDS.get(str(row.details.get("read_with")))
    reason = row.details.get("read_reason")
    return f"At this size, read {words}: {sentence_case(str(reason))}" if words and reason else ""


def reading_sentences(rows: Sequence[Row]) -> list[str]:
    """Return, for each advice on which test to read, the groups it holds for and its reason."""
    found: dict[tuple[str, str], list[str]] = {}
    for row in rows:
        words = READ_WORDS.get(str(row.details.get("read_with")))
        if words:
            found.setdefault((words, str(row.details.get("read_reason") or "")), []).append(group_name(row.focal))
    everybody = len(found) == 1
    return [
        f"{'All groups' if everybody and len(groups) > 1 else capital(listing(groups))}: read {words}. {reason}"
        for (words, reason), groups in found.items()
    ]


def _others(view: View, rows: Sequence[Row]) -> str:
    if not rows:
        return ""
    found = f"Of the other {count_text(len(rows))} groups" if len(rows) > 1 else "Of the other group"
    return f"{found}: {_summary(view, rows)}."


def _crossed(view: View, known: Sequence[Row], audit: Mapping[str, Any]) -> str:
    against = list(dict.fromkeys(group_name(row.reference) for row in known))
    compared = f"{count_text(len(known))} groups compared with {listing(against)}"
    start = f"{capital(view.name)} ({definition_of(view.approach, view.cutoff, audit)}), {compared}"
    return f"{start}: {_summary(view, known)}. {flagging_sentence(known[0]) if not view.means else ''}".rstrip()


def _summary(view: View, rows: Sequence[Row]) -> str:
    outside = [row for row in rows if row.details.get("four_fifths") in {"below", "above"}]
    unexplained = [row for row in rows if row.p_adjusted is not None and row.p_adjusted < SIGNIFICANCE]
    parts = []
    if not view.means:
        parts.append(
            f"{count_text(len(outside))} below four-fifths ({counted_names(outside)})"
            if outside and all(row.details.get("four_fifths") == "below" for row in outside)
            else f"{count_text(len(outside))} outside four-fifths to five-fourths ({counted_names(outside)})"
            if outside
            else "none below four-fifths"
        )
    tested = [row for row in rows if row.p_adjusted is not None]
    if tested:
        parts.append(
            f"{count_text(len(unexplained)) if unexplained else 'none'} with a difference that chance alone does "
            "not explain" + (f" ({counted_names(unexplained)})" if unexplained else "")
        )
    return "; ".join(parts)


def _positions(rows: Sequence[Row]) -> list[str]:
    """Return in how many positions some group is below four fifths, for the first definition of each attribute."""
    found: dict[str, str] = {}
    for row in rows:
        if row.measure != "positions_below" or row.estimate is None:
            continue
        details = row.details
        attribute = " \N{MULTIPLICATION SIGN} ".join(plain(part) for part in str(details.get("attribute")).split(" x "))
        below = round(row.estimate * row.n)
        found.setdefault(
            attribute,
            f"{capital(attribute)}, position by position: in {count_text(below)} of {count_text(row.n)} positions a "
            f"group is below four-fifths. Of {count_text(details.get('comparisons'))} comparisons, "
            f"{_shown(details.get('significant_adjusted'))} a difference that chance alone does not explain "
            "(adjusted p < .05). Small positions fall below four-fifths by chance.",
        )
    return list(found.values())


def _shown(count: object) -> str:
    return f"{count_text(count)} {'shows' if count == 1 else 'show'}" if count else "none shows"
