"""The chapters on a matcher: the frontier, features, their curves, data, and the card."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

from evenhand.report.charts import BarRow, LinePoint, bar_chart, line_chart
from evenhand.report.page.parts import Column, Figure, Part, Section, Table
from evenhand.report.scores.features.chapters import expectations_section, proxies_section
from evenhand.report.scores.match.trained import AUC, SCORE, evaluation_table, own_rows
from evenhand.report.words.numbers import Scale, count_text, counted, general_text
from evenhand.report.words.wording import capital, in_words
from evenhand.tables.audit.applicants.match import CurveShown, TrainedOn
from evenhand.tables.finding import Finding
from evenhand.tables.grouped.features import feature_groups

__all__ = ["training_chapters"]

_ADDED: Final = Scale(decimals=3, signed=True)
_ALONG: Final = {
    "share": "share",
    "years": "years",
    "times": "years found, as a multiple of the years asked",
    "levels": "levels found less levels asked",
    "cosine": "cosine",
}


def training_chapters(trained: TrainedOn, findings: Sequence[Finding]) -> list[Section]:
    """Return the chapters; `findings` are those of the run."""
    return [
        _frontier(trained),
        _features(trained),
        *_vetting(trained, findings),
        _curves(trained),
        _baseline(trained),
        _data(trained),
        _card(trained),
    ]


def _frontier(trained: TrainedOn) -> Section:
    attributes = list(trained.groups)
    columns = [
        "λ",
        "AUC",
        "AUC of the worst group",
        *(f"Gap by {in_words(name)}" for name in attributes),
        "Trees",
        "Model",
    ]
    rows = [
        [
            f"{row.strength:g}",
            AUC.number(row.auc),
            AUC.number(row.worst_auc),
            *(SCORE.number(row.gaps.get(name)) for name in attributes),
            count_text(row.rounds),
            "this one" if row.chosen else "candidate" if row.candidate else "",
        ]
        for row in trained.frontier
    ]
    table = Table(
        caption="Models by the strength of the penalty, on the validation pairs",
        columns=[Column(label=name, numeric=name != "Model") for name in columns],
        rows=rows,
    )
    text = [
        "The gap is the difference between the highest and the lowest mean score of a group, before calibration. A "
        "penalty asks for equal mean scores, whatever the labels; where groups differ in what the label rests on, it "
        "costs accuracy.",
        f"Candidates cost at most {AUC.number(trained.within)} of the best AUC. Whether one of them is an alternative "
        "in the sense of 42 U.S.C. 2000e-2(k) is for counsel to weigh.",
    ]
    return Section(name="frontier", heading="Accuracy against disparity", text=text, parts=[Part(tables=[table])])


def _features(trained: TrainedOn) -> Section:
    used = sorted((row for row in trained.features if row.used), key=lambda row: -(row.weight or 0.0))
    bars = [BarRow(label=row.title, value=row.weight, text=f"{row.title}: {SCORE.number(row.weight)}") for row in used]
    figure = Figure(
        title="How much features change the margin",
        note="The mean size of what each adds, over all pairs for fitting.",
        chart=lambda width: bar_chart(bars, title="mean size of the contribution", width=width),
        tables=[],
    )
    table = Table(
        caption="Features, and what is none",
        columns=[Column(label=name, numeric=False) for name in ("Feature", "Source", "Used", "Why")],
        rows=[(row.title, row.source, "yes" if row.used else "no", row.why) for row in trained.features],
    )
    text = [
        "All features are made of texts in which every category was masked. What was masked can't enter "
        "them; what was not, such as a gap between jobs, may stand for a group.",
    ]
    return Section(name="features", heading="Features", text=text, parts=[Part(figures=[figure], tables=[table])])


def _vetting(trained: TrainedOn, findings: Sequence[Finding]) -> list[Section]:
    """Return what features tell of protected groups, and whether they are as expected."""
    if trained.vetting is None:
        return []
    groups = feature_groups(findings, trained.vetting)
    drawn = (
        f"Of each person one pair was drawn ({counted(trained.vetting.rows, 'pair')}), so that rows are independent "
        "people; positions recur."
    )
    declared = (
        "That a score may only rise or fall with a feature is declared, whatever the pairs show. The verdict is of the "
        "feature alone, not beside the others."
    )
    found = [(drawn, proxies_section(groups, trained.vetting)), (declared, expectations_section(groups))]
    return [replace(each, text=[first, *each.text]) for first, each in found if each is not None]


def _curves(trained: TrainedOn) -> Section:
    text = [
        "A score is the sum of these curves: each tree has one feature. A curve says what a value adds to the margin, "
        "compared with the mean of the pairs that the model was fitted on."
    ]
    parts = [
        Part(heading=curve.title, figures=[_curve(curve)], folded=place > 0)
        for place, curve in enumerate(trained.curves)
    ]
    return Section(name="curves", heading="Curves", text=text, parts=parts)


def _curve(curve: CurveShown) -> Figure:
    ends = [curve.lowest, *curve.edges, _end(curve)]
    points = [
        LinePoint(at=at, value=value, text=f"{at:g}: {_ADDED.number(value)}", mark=False)
        for place, value in enumerate(curve.values)
        for at in (ends[place], ends[place + 1])
    ]
    missing = f" Where it is unknown: {_ADDED.number(curve.missing)}."
    return Figure(
        title=curve.title,
        note=f"What a value adds to the margin.{missing}",
        chart=lambda width: line_chart(points, title="added to the margin", along=_ALONG[curve.unit], width=width),
        tables=[],
    )


def _end(curve: CurveShown) -> float:
    """Return how far the last step is drawn."""
    if not curve.edges:
        return curve.highest
    return min(curve.highest, curve.edges[-1] + max((curve.edges[-1] - curve.edges[0]) / 10, 1e-3))


def _baseline(trained: TrainedOn) -> Section:
    models = list(dict.fromkeys(row.model for row in trained.evaluation))
    return Section(
        name="baseline",
        heading="Beside a logistic regression",
        text=["The same features, standardised, in a logistic regression: what curves gain over straight lines."],
        parts=[
            Part(tables=[evaluation_table(own_rows(trained, model), caption=capital(model))])
            for model in models
            if model != "matcher"
        ],
    )


def _data(trained: TrainedOn) -> Section:
    parts = trained.parts
    rows = [
        ("Fitting", count_text(parts.fit)),
        ("Validation: when to stop, the frontier, calibration", count_text(parts.validation)),
        ("Test", count_text(parts.test)),
        ("Left out: they share a person or a position with the test", count_text(parts.left_out)),
        ("Without a label", count_text(parts.unlabelled)),
    ]
    split = Table(caption="Pairs", columns=[Column(label="Part", numeric=False), Column(label="Pairs")], rows=rows)
    groups = Table(
        caption="Pairs by group",
        columns=[Column(label="Attribute", numeric=False), Column(label="Group", numeric=False), Column(label="Pairs")],
        rows=[
            (capital(in_words(attribute)), capital(group), count_text(count))
            for attribute, levels in trained.groups.items()
            for group, count in levels.items()
        ],
    )
    calibration = Table(
        caption="Calibration by family of positions",
        columns=[Column(label="Family", numeric=False), Column(label="Method", numeric=False)],
        rows=list(trained.calibrations.items()),
    )
    held = (
        "Nobody and no position of the test is in another part; fitting and validation share positions, not people."
        if parts.by_position
        else "Nobody of the test is in another part; positions are too few to hold some out."
    )
    return Section(name="data", heading="Data", text=[held], parts=[Part(tables=[split, groups, calibration])])


def _card(trained: TrainedOn) -> Section:
    return Section(
        name="card",
        heading="Card of the matcher",
        text=[
            "After Mitchell et al. (2019). It is kept in matcher.json; its data, evaluation and features stand above, "
            "with what features tell of groups."
        ],
        parts=[
            Part(heading=capital(in_words(name)), text=list(_told(value)))
            for name, value in trained.card.items()
            if name not in _ABOVE
        ],
    )


_ABOVE: Final = frozenset({"data", "evaluation", "features", "frontier", "reference", "vetting"})


def _told(value: Any) -> Iterator[str]:
    if isinstance(value, Mapping):
        yield "; ".join(f"{in_words(str(name))}: {general_text(each)}" for name, each in value.items())
    else:
        yield str(value)
