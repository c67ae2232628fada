"""Whether scores mean what they say: reliability curves by group, intercept and slope."""

from collections.abc import Mapping
from typing import Final

from evenhand.report.charts import LinePoint, line_chart
from evenhand.report.page.parts import Figure, Part, Section, Table
from evenhand.report.scores.evaluate.told import attributes_told, by_columns, happened, with_interval
from evenhand.report.words.numbers import Scale, count_text
from evenhand.report.words.wording import capital
from evenhand.tables.audit.applicants.evaluate import EvaluateAudit
from evenhand.tables.audit.applicants.predictions import Probabilities
from evenhand.tables.finding import Finding
from evenhand.tables.grouped.evaluate import EvaluateGroups
from evenhand.tables.grouped.names import BRIER, CALIBRATION_INTERCEPT, CALIBRATION_SLOPE

__all__ = ["calibration_section"]

#: Groups whose curves are drawn.
MOST_SERIES: Final = 6
RIGHT: Final = "as scored"
_SHARE, _PART = Scale(factor=100, suffix=" %", decimals=1), Scale(decimals=4)


def calibration_section(groups: EvaluateGroups, audit: EvaluateAudit) -> Section | None:
    """Return the chapter; of scores that are no probabilities, that there is none."""
    if BRIER not in groups.everybody:
        why = audit.decided.no_probabilities
        text = [f"No calibration and no Brier score: {why}."] if why else []
        return Section(name="calibration", heading="Calibration", text=text) if text else None
    parts = [_part(f"All {audit.whom}", {"all": groups.everybody[BRIER]}, audit)]
    for view in groups.views:
        if not view.crossed and BRIER in view.values:
            curves = {" × ".join(group): finding for group, finding in view.values[BRIER].items()}
            parts.append(_part(f"By {attributes_told(view.attributes)}", curves, audit, folded=len(parts) > 1))
    intercept, slope = (
        with_interval(groups.everybody.get(name)) for name in (CALIBRATION_INTERCEPT, CALIBRATION_SLOPE)
    )
    return Section(
        name="calibration",
        heading="Calibration",
        text=[
            "A score that is read as a probability should come true as often as it says. Each point is a tenth of the "
            f"{audit.whom}, in order of their scores. An intercept below 0 says that outcomes are rarer than promised, "
            "a slope below 1 that high scores are too high and low ones too low; 0 and 1 are right.",
            f"All {audit.whom}: intercept {intercept}, slope {slope}.",
        ],
        parts=parts,
    )


def _part(heading: str, curves: Mapping[str, Finding], audit: EvaluateAudit, *, folded: bool = False) -> Part:
    drawn = {group: Probabilities.of(finding).bins for group, finding in list(curves.items())[:MOST_SERIES]}
    points = [
        LinePoint(
            at=_SHARE.shown(each.mean_score),
            value=_SHARE.shown(each.share),
            low=_SHARE.shown(each.low),
            high=_SHARE.shown(each.high),
            series=group,
            text=f"{group}, mean score {_SHARE.text(each.mean_score)}: {_SHARE.text(each.share)} of {each.n:,} "
            f"({_SHARE.interval(each.low, each.high)})",
        )
        for group, bins in drawn.items()
        for each in bins
    ]
    ends = [each.at for each in points]
    points += [
        LinePoint(at=end, value=end, series=RIGHT, text="the share equals the score", mark=False)
        for end in ((min(ends), max(ends)) if ends else ())
    ]
    more = f" The first {MOST_SERIES} of {len(curves)} groups." if len(curves) > MOST_SERIES else ""
    figure = Figure(
        title=f"Reliability, {heading[:1].lower()}{heading[1:]}",
        note=f"On the line '{RIGHT}' scores come true as often as they say.{more}",
        chart=lambda width: line_chart(
            points, title=f"% with {happened(audit.decided)}", along="mean score, %", width=width
        ),
        tables=[_bins(drawn, audit.whom)],
    )
    return Part(heading=heading, figures=[figure] if ends else [], tables=[_scores(curves)], folded=folded)


def _bins(drawn: Mapping[str, tuple[object, ...]], whom: str) -> Table:
    rows = [(group, each) for group, bins in drawn.items() for each in bins]
    return by_columns(
        "Shares with the outcome by score",
        {
            "Group": [group for group, _ in rows],
            "Mean score": [_SHARE.text(each.mean_score) for _, each in rows],  # type: ignore[attr-defined]
            "With the outcome": [_SHARE.text(each.share) for _, each in rows],  # type: ignore[attr-defined]
            "95 % CI": [_SHARE.interval(each.low, each.high) for _, each in rows],  # type: ignore[attr-defined]
            capital(whom): [count_text(each.n) for _, each in rows],  # type: ignore[attr-defined]
        },
        folded=True,
    )


def _scores(curves: Mapping[str, Finding]) -> Table:
    details = {group: Probabilities.of(finding) for group, finding in curves.items()}
    return by_columns(
        "Brier score and what it is made of: reliability − resolution + uncertainty + within bins",
        {
            "Group": list(curves),
            "Brier score": [with_interval(each) for each in curves.values()],
            "Reliability": [_PART.text(each.reliability) for each in details.values()],
            "Resolution": [_PART.text(each.resolution) for each in details.values()],
            "Uncertainty": [_PART.text(each.uncertainty) for each in details.values()],
            "Within bins": [_PART.text(each.within_bins) for each in details.values()],
            "Note": [each.reason or "" for each in curves.values()],
        },
    )
