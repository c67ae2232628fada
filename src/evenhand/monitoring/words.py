"""Sentences and tables of monitoring: alarms, labels of golden cases, and scores of models."""

import math
from collections.abc import Mapping, Sequence
from datetime import date
from typing import Any, Final

from evenhand.monitoring.alarms import Action, Alarm, Episode, Watched
from evenhand.monitoring.golden_labels import CounterfactualLabels
from evenhand.monitoring.rules import RATES, TIMES, Described
from evenhand.monitoring.state import Gap
from evenhand.monitoring.units import DAY, JUDGEMENT, LATELY
from evenhand.report.impact.views import ratio_text
from evenhand.report.page.parts import Table, headings
from evenhand.report.words.numbers import ABSENT, Scale, confidence_text, count_text, counted, named_p, p_text
from evenhand.report.words.results import corrected_p, in_words
from evenhand.results.finding import Finding, ImpactRatio
from evenhand.results.messages import listed, shortened
from evenhand.results.result import read_rows
from evenhand.stats.change_detection import RATE_DAYS, SEASONS

_SHARE, _SECONDS = Scale(factor=100, suffix=" %", decimals=1), Scale(suffix=" s", decimals=2)
_SCALES: Final[Mapping[str, Scale]] = {
    **dict.fromkeys(RATES, _SHARE),
    **dict.fromkeys(TIMES, _SECONDS),
    "median_score": Scale(decimals=4),
}
_PLAIN: Final = Scale(decimals=3)
#: What tables of a model's last day call its measures, in their order.
LAST_DAY: Final = {
    "median_score": "Median score",
    "selection_rate": "Selection rate",
    "agreement": "Agreement",
    "undetected_rate": "Unreadable",
    "error_rate": "Errors",
    "masking_recall": "Masking recall",
    "golden_accuracy": "Golden accuracy",
    "labeller_agreement": "Labels agree",
    "latency_p95": "Latency, 95th percentile",
}
#: Models that a sentence names.
MOST_NAMED: Final = 4


def alarm_text(alarm: Alarm, *, values: bool = True) -> str:
    """Return an alarm as a sentence: what changed, by when it rang, and its state; with the `values` or without."""
    by = f" by {shortened(alarm.acknowledged_by)}" if alarm.acknowledged_by and alarm.state == "acknowledged" else ""
    note = "" if not alarm.note else f": {shortened(alarm.note)}"
    found = "" if alarm.finding is None else f"; found on {alarm.day}"
    state = f"{alarm_state(alarm)}{by}{note}{_handling(alarm)}"
    return f"{shortened(alarm.model)}: {alarm_subject(alarm, values=values)}{found} ({state})."


def alarm_state(alarm: Alarm) -> str:
    """Return the severity and the state of an alarm, and when it was over."""
    return f"{alarm.severity}, {alarm.state}{'' if alarm.ended is None else f' on {alarm.ended}'}"


def alarm_subject(alarm: Alarm, *, values: bool = True) -> str:
    """Return what an alarm is of, and what changed; with the `values` or without.

    A standing disparity is named by its group and place, and its values are those of the finding.
    """
    subject = f"{alarm_name(alarm)}{slice_text(alarm.slice)}"
    if alarm.finding is not None:
        return subject + (f": {_disparity_text(*read_rows([alarm.finding], source='alarm'))}" if values else "")
    side = ""
    if values and alarm.value is not None and alarm.threshold is not None:
        side = "above" if alarm.value > alarm.threshold else "below"
        side = f", {side} the limit of {value_text(alarm.measure, alarm.threshold)}"
    value = f": {value_text(alarm.measure, alarm.value)}" if values else ""
    since = "" if alarm.since in {None, alarm.day} else f"; changed about {alarm.since}"
    units = {None: "on", DAY.name: "on", JUDGEMENT.name: f"from {alarm.since} to"}
    on = units.get(alarm.unit, f"in the {alarm.unit} to")
    return f"{subject}{value} {on} {alarm.day}{side}{since}"


def _handling(alarm: Alarm, today: date | None = None) -> str:
    """Return to whom an alarm is assigned and until when it is muted, or was before today."""
    assigned = "" if alarm.assigned_to is None else f"; assigned to {shortened(alarm.assigned_to)}"
    was = "" if today is None or alarm.muted(today) else "was "
    return f"{assigned}{'' if alarm.muted_until is None else f'; {was}muted until {alarm.muted_until}'}"


def handling_text(alarm: Alarm, today: date) -> str:
    """Return the state of an alarm, who looks after it, and that it is muted."""
    by = f" by {shortened(alarm.acknowledged_by)}" if alarm.state == "acknowledged" and alarm.acknowledged_by else ""
    return f"{alarm.state}{by}{_handling(alarm, today)}"


def action_text(action: Action) -> str:
    """Return what somebody did about an alarm, and when.

    >>> action_text(Action(kind="muted", by="ana", at="2026-03-05T09:30:00.000000Z", note="Audit", until="2026-04-01"))
    '2026-03-05 09:30 UTC, muted until 2026-04-01 by ana: Audit'
    """
    whom = f" to {shortened(action.to)}" if action.to else ""
    until = f" until {action.until}" if action.until else ""
    note = f": {shortened(action.note)}" if action.note else ""
    moment = action.at[:16].replace("T", " ")
    return f"{moment} UTC, {action.kind}{whom}{until} by {shortened(action.by)}{note}"


def alarm_name(alarm: Alarm) -> str:
    """Return what an alarm is of: a measure in words, or a standing disparity."""
    return "standing disparity" if alarm.finding is not None else measure_name(alarm.measure)


def disparity_text(episode: Episode) -> str:
    """Return a standing disparity as it stood at the last look: its place, its counts, since when, and its end."""
    (finding,) = read_rows([episode.finding], source="a standing disparity")
    over = "" if episode.ended is None else f", no longer shown on {episode.ended}"
    place = slice_text(episode.series.slice).removeprefix(" of ")
    return f"{place}: {_disparity_text(finding)}; found on {episode.day}{over}."


def _disparity_text(finding: Finding) -> str:
    """Return how many of both groups were selected in which months, their ratio and p."""
    details = ImpactRatio.of(finding)
    against = ", ".join(f"{name} = {shortened(group)}" for name, group in finding.reference.items())
    p = "" if finding.claim is None else f", {corrected_p(finding.claim)}"
    return (
        f"{_SHARE.text(details.rate_focal)} selected ({count_text(details.selected_focal)} of "
        f"{count_text(details.n_focal)}), against {_SHARE.text(details.rate_reference)} of {against} "
        f"({count_text(details.selected_reference)} of {count_text(details.n_reference)}), in "
        f"{finding.slice['months']}, impact ratio {ratio_text(finding.estimate)} "
        f"({confidence_text(finding.confidence)} CI {_PLAIN.interval(finding.low, finding.high)}{p})"
    )


def unwatched_text(models: Sequence[str], watched: Sequence[str] | None) -> str:
    """Return which models the last check did not watch, "" where it watched all or that isn't known.

    >>> unwatched_text(["a", "b"], ["b"])
    ' Not watched, as too few judgements are recorded or no rule applies: a.'
    """
    unwatched = [] if watched is None else [shortened(model) for model in models if model not in watched]
    names = listed(unwatched, most=MOST_NAMED)
    return f" Not watched, as too few judgements are recorded or no rule applies: {names}." if unwatched else ""


def gap_text(gap: Gap, *, least: int = 1) -> str:
    """Return on how many days a model has too few judgements, and the longest time of such days.

    >>> gone = Gap(model="m", until=date(2026, 3, 9), missing=3, days=65, first=date(2026, 3, 8), last=date(2026, 3, 9))
    >>> gap_text(gone)
    'm: no data on 3 of the 65 days to 2026-03-09, the longest gap since 2026-03-08.'
    """
    few = f"fewer than {least} judgements" if least > 1 else "no data"
    span = f"since {gap.first}" if gap.last == gap.until else f"from {gap.first} to {gap.last}"
    longest = "" if gap.first == gap.last and gap.missing > 1 else f", the longest gap {span}"
    longest = longest.replace("the longest gap ", "") if gap.missing == (gap.last - gap.first).days + 1 else longest
    return f"{shortened(gap.model)}: {few} on {gap.missing} of the {gap.days} days to {gap.until}{longest}."


_LEVEL: Final = (
    "If the new level is right, acknowledge the alarm and restart the model's baseline in the rules ([baseline] from). "
    "If it is not, fix the cause; the alarm ends when the level is back."
)
_GROUPS: Final = (
    "Compare these groups on the linked page: at which stage, in which places and with which deciders do they differ? "
    "Check what may explain it: criteria, deciders, the version of a model, where applicants come from."
)
_SCORER: Final = "Check whether the version of the model, its input or the mix of positions changed about then."
_SERVICE: Final = "Ask the operator of the service what changed; scores are not affected."
#: What to do about an alarm, by its measure.
_ADVICE: Final[Mapping[str, str]] = {
    "impact_ratio": f"{_GROUPS} Note what justifies the difference, or what you change. The alarm ends when at two "
    "month ends in a row the ratio is not below the limit, uncorrected p is .05 or more, or a group has few decisions.",
    "log_impact_ratio": f"{_GROUPS} {_LEVEL}",
    "selection_rate": f"Check whether more or other people applied, openings ended, or a cut-off moved. {_LEVEL}",
    "median_score": f"{_SCORER} {_LEVEL}",
    "auc": f"{_SCORER} Compare scores and labels of the time before and after: evenhand evaluate.",
    "worst_group_auc": f"{_SCORER} Compare scores and labels by group: evenhand evaluate --protected.",
    "agreement": "Read cases from before and after that day in which decision and label differ.",
    "error_rate": "Read the log of the service from that day on; failed judgements count in no other rate.",
    "undetected_rate": "Look at the unreadable answers: did the version of the model or the prompt change?",
    **dict.fromkeys(TIMES, _SERVICE),
    "masking_recall": "See what was not masked (evenhand mask --evaluate), and share no masked text until then.",
}
_ANY: Final = f"Check what changed about then. {_LEVEL}"


def advice(alarm: Alarm) -> str:
    """Return what to do about an alarm."""
    return _ADVICE.get(alarm.measure, _ANY)


#: Series that are named one by one where they are not watched; of more, those that lack the same share a line.
MOST_LACKING: Final = 8


def lack_texts(series: Sequence[Mapping[str, Any]], *, exact: bool = True) -> list[str]:
    """Return what series lack that are not watched (`Watched.json`), and from when they could be.

    If not `exact`, without what they have.

    >>> lack = {"unit": "month", "minimum_n": 20, "needed": 8, "has": 3, "a_month": 31.0, "day": "2026-12-01"}
    >>> slow = {"model": "m", "measure": "log_impact_ratio", "slice": {"g": "woman"}, "lack": lack}
    >>> for part in lack_texts([slow])[0].split("; "):
    ...     print(part)
    impact ratio of g = woman of m has 3 of the 8 months with 20 judgements of each group that it needs
    at the present volume it can be watched from about 2026-12-01.
    """
    if len(series) <= MOST_LACKING:
        return [
            _lack_text(_series_name(one["measure"], one["slice"], one["model"]), [one], exact=exact) for one in series
        ]
    kinds: dict[tuple[str, str, int], list[Mapping[str, Any]]] = {}
    for one in series:
        kinds.setdefault((one["measure"], one["lack"]["unit"], one["lack"]["minimum_n"]), []).append(one)
    texts = []
    for (measure, _, _), same in kinds.items():
        models = listed(sorted({shortened(one["model"]) for one in same}), most=MOST_NAMED)
        texts.append(
            _lack_text(
                f"{counted(len(same), 'series', 'series')} ({measure_name(measure)} of {models})", same, exact=exact
            )
        )
    return texts


def _lack_text(subject: str, series: Sequence[Mapping[str, Any]], *, exact: bool) -> str:
    lacks = [one["lack"] for one in series]
    first, has = lacks[0], sorted({lack["has"] for lack in lacks})
    days = sorted(lack["day"] for lack in lacks if lack["day"] is not None)
    verb, they, need = ("have", "they", "need") if len(series) > 1 else ("has", "it", "needs")
    number = str(has[0]) if len(has) == 1 else f"{has[0]} to {has[-1]}"
    units, groups = (
        counted(first["needed"], first["unit"]),
        " of each group" if series[0]["measure"] == "log_impact_ratio" else "",
    )
    single = first["unit"] == JUDGEMENT.name
    when = (
        f"the beginning is unknown, as the last {LATELY} days have none"
        if single
        else "not even a quarter has as many: a lower minimum_n (--rules) helps"
    )
    if days:
        some = they if len(days) == len(lacks) else f"{len(days):,} of them"
        when = f"{some} can be watched from about {days[0]}{' at the earliest' if days[-1] > days[0] else ''}"
    enough = f"{units}{groups}" if single else f"{units} with {counted(first['minimum_n'], 'judgement')}{groups}"
    lack = f"{verb} {number} of the {enough} that {they} {need}" if exact else f"{need} {enough}"
    return f"{subject} {lack}; at the present volume {when}."


def measure_name(measure: str) -> str:
    """Return a measure in words."""
    return measure.replace("_", " ").removeprefix("log ")


def _series_name(measure: str, slice_: Mapping[str, str], model: str) -> str:
    return f"{measure_name(measure)}{slice_text(slice_)} of {shortened(model)}"


def units_text(watched: Sequence[Watched]) -> str:
    """Return which series are watched by week, month, quarter or judgement, "" where all are by day."""
    by_unit: dict[str, list[str]] = {}
    for one in watched:
        if one.unit is not DAY:
            series = one.series
            by_unit.setdefault(one.unit.name, []).append(_series_name(series.measure, series.slice, series.model))
    parts = [f"{len(names):,} by {unit} ({listed(names, most=MOST_NAMED)})" for unit, names in by_unit.items()]
    return f" As days have too few judgements, {'; '.join(parts)}." if parts else ""


def rate_text(rates: Mapping[str, float | None]) -> str:
    """Return how many alarms models have without a change, or that it is not known yet.

    >>> rate_text({"m": 0.42})
    ' If nothing changes, about 0.4 alarms a year are expected over all its series, estimated from its history.'
    >>> rate_text({"m": None}).partition(": ")[2]
    'it needs 180 days.'
    """
    known = sorted(rate for rate in rates.values() if rate is not None)
    unknown = len(rates) - len(known)
    text = ""
    if known:
        low, middle, high = (
            _RATE.text(known[place]) if known[place] >= _FEWEST else f"fewer than {_FEWEST}"
            for place in (0, len(known) // 2, -1)
        )
        if len(known) == 1:
            whom = "" if not unknown else " for one model"
            number = low if known[0] < _FEWEST else f"about {low}"
        else:
            whom, number = f" for a model (median {middle})", f"{low} to {high}"
        over = "over all its series, estimated from its history"
        text = f" If nothing changes, {number} alarms a year are expected{whom} {over}."
    if unknown:
        whom = "" if unknown == len(rates) == 1 else f" for {counted(unknown, 'model')}"
        text += f" The expected number of false alarms{whom} is not known yet: it needs {RATE_DAYS} days."
    return text


def season_text(watched: Sequence[Watched]) -> str:
    """Return that a yearly season can't be told from a change yet, "" where it can in all series that are watched."""
    changes = [one for one in watched if one.rule.comparison == "changes" and one.series.days.size]
    short = [one for one in changes if one.unit is not DAY or one.series.days[-1] - one.series.days[0] < SEASONS * 365]
    if not short:
        return ""
    whose = "" if len(short) == len(changes) else f" in {len(short):,} of the series"
    return f" A yearly season can't be distinguished from a change{whose}: that takes {SEASONS} years of days."


_RATE, _FEWEST = Scale(decimals=1), 0.1


def slice_text(slice_: Mapping[str, str]) -> str:
    """Return a slice as it follows a measure.

    >>> slice_text({"stage": "screen", "gender": "female"}), slice_text({"attribute": "race"})
    (' of stage = screen, gender = female', ' by race')
    """
    levels = [f"{name} = {shortened(value)}" for name, value in slice_.items() if name != "attribute"]
    by = f" by {shortened(slice_['attribute'])}" if "attribute" in slice_ else ""
    return f"{' of ' if levels else ''}{', '.join(levels)}{by}"


def value_text(measure: str, value: float | None) -> str:
    """Return a value of a measure; a log impact ratio as the ratio.

    >>> value_text("selection_rate", 0.251), value_text("log_impact_ratio", -0.2231), value_text("auc", None)
    ('25.1 %', '0.800', '–')
    """
    if value is None:
        return ABSENT
    if measure == "log_impact_ratio":
        value = math.exp(value)
    return _SCALES.get(measure, _PLAIN).text(value)


_PRECISE_SHARE: Final = Scale(factor=100, suffix=" %", decimals=1)


def counterfactual_pairs_text(labels: CounterfactualLabels) -> str:
    """Return in how many pairs of twins a person gave different labels, and to whom the higher.

    >>> twins = CounterfactualLabels(
    ...     labeller="ben", attribute="gender", groups=("man", "woman"), pairs=200, higher_first=30, higher_second=2,
    ...     share=0.16, low=0.116, high=0.217, p=2.5e-7,
    ... )
    >>> counterfactual_pairs_text(twins).partition(": ")[2]
    'man higher in 30, woman in 2 (p < 0.001 of no preference).'
    """
    first, second = (group or "unknown" for group in labels.groups)
    differ = labels.higher_first + labels.higher_second
    over = (
        f" alone, {p_text(labels.p_adjusted)} over {labels.comparisons:,} comparisons" if labels.comparisons > 1 else ""
    )
    p = "" if labels.p is None else f" ({named_p(labels.p)} of no preference{over})"
    return (
        f"{shortened(labels.labeller)} labelled {differ:,} of {labels.pairs:,} twins by "
        f"{in_words(labels.attribute)} differently ({_PRECISE_SHARE.text(labels.share)}, 95 % CI "
        f"{_PRECISE_SHARE.interval(labels.low, labels.high)}): {first} higher in {labels.higher_first:,}, {second} in "
        f"{labels.higher_second:,}{p}."
    )


def scores_table(scores: Sequence[Described]) -> Table:
    """Return how the scores of each model moved."""
    number, distance = Scale(decimals=4, signed=True), Scale(decimals=3)
    columns = headings("Model", "Slope in 30 days", "95 % CI", "PSI", "PSI limit", "KS", "KS limit")
    rows = []
    for scores_of_model in scores:
        cells = [
            number.number(scores_of_model.slope.estimate),
            number.interval(scores_of_model.slope.low, scores_of_model.slope.high),
        ]
        for statistic in (scores_of_model.psi, scores_of_model.ks):
            values = (None, None) if statistic is None else (statistic.estimate, statistic.limit)
            cells += [ABSENT if value is None else distance.number(value) for value in values]
        rows.append([shortened(scores_of_model.model), *cells])
    return Table(
        caption="Score drift, which raises no alarm. Slope of the daily median over 90 days; PSI and KS compare the "
        "last 28 days with the baseline and exceed their limits in 1 of 20 cases where scores vary by chance alone:",
        columns=columns,
        rows=rows,
    )
