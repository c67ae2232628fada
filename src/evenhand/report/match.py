"""The page of match scores: a trained matcher, scored pairs, and the page of recommendations."""

import shlex
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from importlib import resources
from typing import Any, Final

from markupsafe import Markup

from evenhand.report.charts.intervals import BarRow, bar_chart
from evenhand.report.charts.lines import LinePoint, ScatterPoint, line_chart, scatter_chart
from evenhand.report.evaluate import words
from evenhand.report.features import expectations_section, proxies_section, proxy_sentences
from evenhand.report.page.contents import MATCHED, Definition, Page, set_up
from evenhand.report.page.html import page_policy, page_style, page_template
from evenhand.report.page.parts import Figure, NextStep, PageSummary, Part, Section, Table, table, table_of
from evenhand.report.words.numbers import ABSENT, MINUS, PLAIN, Scale, count_text, counted, general_text, percent_text
from evenhand.report.words.results import capital, in_words
from evenhand.results import measures, score_audit
from evenhand.results.finding import Finding
from evenhand.results.result import Result
from evenhand.results.table_groups import feature_groups


@dataclass(frozen=True, kw_only=True)
class Card:
    """A recommendation: its heading and place, the match of 5, evidence, skills, the masked text."""

    rank: int
    heading: str
    place: str
    match: float
    strong: bool
    found: Sequence[str]
    skills: Sequence[str]
    text: str = ""


@dataclass(frozen=True, kw_only=True)
class CardList:
    """The cards of a person or a position, the best first."""

    heading: str
    cards: Sequence[Card]


def cards_page(card_lists: Sequence[CardList], *, lists: int, for_people: bool) -> str:
    """Return the page of the first `card_lists`, of `lists` in all."""
    style = page_style() + (resources.files(__package__) / "cards.css").read_text("utf-8")
    ranked = "Positions, the best match first" if for_people else "Candidates, the best match first, masked"
    nouns = ("person", "people") if for_people else ("position", "positions")
    if lists > len(card_lists):
        summary = f"The first {len(card_lists):,} of {counted(lists, *nouns)}; recommendations.jsonl has all."
    else:
        summary = f"{counted(lists, *nouns)}."
    return page_template("cards.html.jinja").render(
        style=Markup(style),  # noqa: S704 - our own file
        policy=page_policy(style),
        heading="Recommended positions" if for_people else "Recommended candidates",
        introduction=f"{ranked}. {summary}",
        lists=card_lists,
        match=_match,
    )


def _match(card: Card) -> str:
    return "Strong match" if card.strong else f"Match {card.match:g} of 5"


AUC: Final = PLAIN
#: The AUC of a score without relation to the label.
CHANCE: Final = 0.5
SCORE: Final = PLAIN
_MATCHER: Final = "matcher"


def trained_summary(
    audit: score_audit.MatchAudit, trained: score_audit.TrainedOn, findings: Sequence[Finding]
) -> PageSummary:
    """Return the first screen."""
    rows = model_rows(trained)
    return PageSummary(
        sentences=[*_ranked(trained, rows), *_groups(rows, findings), *_stopping(trained), *_penalty(trained)],
        tables=[evaluation_table(rows, caption="Test pairs: how well scores rank them")],
        steps=_steps(audit, trained),
    )


def model_rows(trained: score_audit.TrainedOn, model: str = _MATCHER) -> list[score_audit.EvaluatedGroup]:
    """Return the rows of a model, that of all pairs first."""
    return [row for row in trained.evaluation if row.model == model]


def _ranked(trained: score_audit.TrainedOn, rows: Sequence[score_audit.EvaluatedGroup]) -> Iterator[str]:
    overall, parts = rows[0], trained.parts
    baseline = next((row for row in trained.evaluation if row.model != _MATCHER and not row.group), None)
    unit = "people and positions" if parts.by_position else "people"
    if overall.auc is None:
        yield f"Nothing can be said of {counted(overall.n, 'test pair')}: {overall.reason}"
        return
    if overall.auc == 0.0 or (overall.auc_high is not None and overall.auc_high < CHANCE):
        yield (
            f"The AUC of all test pairs is {AUC.number(overall.auc)}, below the 0.5 of chance: the score is probably "
            "turned round. Check which value of the label counts."
        )
    comparison = "" if baseline is None else f"; a logistic regression on the same features: {AUC.number(baseline.auc)}"
    yield (
        f"The score ranks a test pair with the label above one without it in {percent_text(overall.auc)} of cases "
        f"(AUC {AUC.number(overall.auc)}{_interval(overall)}{comparison}). The {counted(overall.n, 'test pair')} are "
        f"of {unit} that training has not seen."
    )


def _groups(rows: Sequence[score_audit.EvaluatedGroup], findings: Sequence[Finding]) -> Iterator[str]:
    known = [row for row in rows if row.group and row.auc_low is not None]
    if known:
        worst = min(known, key=lambda row: row.auc or 0.0)
        unknown = sum(row.auc_low is None for row in rows if row.group)
        few = f" {counted(unknown, 'group')} had too few pairs for an estimate." if unknown else ""
        value = f"{AUC.number(worst.auc)} ({counted(worst.n, 'pair')}{_interval(worst)})"
        if len(known) == 1:
            yield f"The AUC is known of {_named(worst)} alone: {value}.{few}"
        else:
            yield (
                f"Of the {len(known)} groups with a known AUC, it is lowest for {_named(worst)}: {value}; "
                f"{_differing(findings)}.{few}"
            )
    for attribute in dict.fromkeys(row.attribute for row in rows if row.group):
        by_score = sorted(
            (row for row in rows if row.attribute == attribute and row.mean_score is not None),
            key=lambda row: row.mean_score or 0.0,
        )
        if len(by_score) > 1:
            low, high = by_score[0], by_score[-1]
            yield (
                f"By {in_words(attribute)}, mean scores run from {SCORE.number(low.mean_score)} ({low.group}) to "
                f"{SCORE.number(high.mean_score)} ({high.group}); the share with the label from "
                f"{percent_text(low.positive / low.n)} to {percent_text(high.positive / high.n)}."
            )


def _differing(findings: Sequence[Finding]) -> str:
    """Return whether AUCs of groups were detected to differ."""
    gaps = [finding for finding in findings if finding.measure == f"{measures.DIFFERENCE}{measures.AUC}"]
    judged = [finding for finding in gaps if finding.p is not None]
    differing = [finding for finding in judged if finding.is_difference]
    largest = words.widest(differing)
    of = counted(len(judged), "comparison")
    if not judged:
        return "whether groups differ was not judged"
    if largest is None:
        return f"no statistically significant difference between groups was detected in {of}"
    between = f"{words.group_text(largest.focal)} {MINUS} {words.group_text(largest.reference)}"
    return (
        f"groups differ statistically significantly in {len(differing)} of {of}, the most {between}: "
        f"{words.difference_text(largest)}"
    )


def _interval(row: score_audit.EvaluatedGroup) -> str:
    return "" if row.auc_low is None else f", 95 % CI {AUC.interval(row.auc_low, row.auc_high)}"


def _named(row: score_audit.EvaluatedGroup) -> str:
    return f"{row.group} ({in_words(row.attribute)})"


def _widest(row: score_audit.FrontierRow) -> float:
    return max(row.gaps.values(), default=0.0)


def _penalty(trained: score_audit.TrainedOn) -> Iterator[str]:
    plain = next((row for row in trained.frontier if not row.strength), None)
    candidates = [row for row in trained.frontier if row.candidate]
    if plain is None:
        return
    if not candidates:
        yield (
            "On the validation pairs no penalty that was tried narrows the widest gap of mean scores "
            f"({SCORE.number(_widest(plain))}) at a cost of at most {AUC.number(trained.within)} of AUC."
        )
        return
    best = min(candidates, key=_widest)
    cost = plain.auc - best.auc
    yield (
        f"On the validation pairs a penalty of {best.strength:g} narrows the widest gap of mean scores from "
        f"{SCORE.number(_widest(plain))} to {SCORE.number(_widest(best))}; the AUC goes from {AUC.number(plain.auc)} "
        f"to {AUC.number(best.auc)}"
        f"{'' if cost > 0 else ', no lower'}. {counted(len(candidates), 'model')} on the frontier "
        f"{'is' if len(candidates) == 1 else 'are'} marked for counsel to weigh."
    )


def _stopping(trained: score_audit.TrainedOn) -> list[str]:
    """Return when training stopped, by whose validation loss, and what the other rule would have given that group."""
    return [] if trained.stopped is None else [" ".join(_stopped_sentences(trained.stopped))]


def _stopped_sentences(stopped: score_audit.Stopped) -> Iterator[str]:
    rounds = counted(stopped.rounds, "round")
    loss = _STOPPING_LOSS["all"]
    if stopped.by is not None:
        loss = f"the highest validation loss of a group with enough pairs, here {_group(stopped.by)},"
    elif stopped.on == "worst-group":
        loss += ", as no group has enough of them,"
    if stopped.on == "none":
        yield f"Training ran for all {rounds}, whatever the validation loss."
    elif stopped.ended:
        yield f"Training kept {rounds}: {loss} did not fall in the {stopped.patience} after them."
    else:
        yield f"Training kept {rounds}, of {stopped.rounds_trained:,} at most: {loss} was lowest there."
    if stopped.on == "worst-group" and stopped.by is None:
        return
    other = _STOPPING_LOSS[stopped.other]
    if stopped.other_rounds == stopped.rounds:
        yield f"{capital(other)} would have kept as many."
        return
    yield f"{capital(other)} would have kept {stopped.other_rounds:,}."
    compared = stopped.by or stopped.groups[0]
    if compared.auc is not None:
        whom = f"{_group(compared)} in the test" if compared.group else "all test pairs"
        known = compared.low is not None
        interval = f"95 % CI {_CHANGE.interval(compared.low, compared.high)}" if known else "no interval is known"
        yield (
            f"The AUC of {whom} is {AUC.number(compared.auc)} and would have been {AUC.number(compared.auc_other)}, a "
            f"difference of {_CHANGE.number(compared.difference)} ({interval})."
        )


_CHANGE: Final = Scale(decimals=3, signed=True)
_STOPPING_LOSS: Final = {
    "worst-group": "the validation loss of the worst group",
    "all": "the validation loss of all pairs",
}


def _group(row: score_audit.StoppedGroup) -> str:
    return f"{row.group} ({in_words(row.attribute)})"


def _stopped_section(stopped: score_audit.Stopped) -> Section:
    """Return the losses of each group where training stopped, and the AUCs of the test pairs under both rules."""
    columns: dict[str, Callable[[score_audit.StoppedGroup], str]] = {
        "Pairs": lambda row: capital(row.group) if row.group else "All",
        "Validation": lambda row: count_text(row.pairs),
        "With label": lambda row: count_text(row.positive),
        "Loss": lambda row: AUC.number(row.loss),
        "Lowest in round": lambda row: count_text(row.lowest),
        "May stop": lambda row: "" if not row.group else "yes" if row.counts else "too few pairs",
        "Test": lambda row: count_text(row.n),
        "AUC": lambda row: AUC.number(row.auc),
        "AUC, other rule": lambda row: AUC.number(row.auc_other),
        "Difference": lambda row: _CHANGE.number(row.difference),
        "95 % CI": lambda row: _CHANGE.interval(row.low, row.high),
    }
    caption = (
        f"{counted(stopped.rounds, 'round')} were kept. The other rule, {_STOPPING_LOSS[stopped.other]}, would have "
        f"kept {stopped.other_rounds:,}"
    )
    text = [
        "The loss is the mean log loss of the validation pairs of a group, without the penalty. The worst group has "
        "the highest one: that may be because its labels are harder to predict. Differences are of the same test "
        "pairs, each interval of its line alone.",
    ]
    return Section(
        name="stopping",
        heading="When training stopped",
        text=text,
        parts=[Part(tables=[table_of(stopped.groups, columns, caption=caption)])],
    )


def evaluation_table(rows: Sequence[score_audit.EvaluatedGroup], *, caption: str) -> Table:
    """Return a line for all pairs and one for each group."""
    columns: dict[str, Callable[[score_audit.EvaluatedGroup], str]] = {
        "Pairs": lambda row: capital(row.group) if row.group else "All",
        "n": lambda row: count_text(row.n),
        "With label": lambda row: percent_text(row.positive / row.n) if row.n else ABSENT,
        "AUC": lambda row: AUC.number(row.auc),
        "95 % CI": lambda row: AUC.interval(row.auc_low, row.auc_high),
        "Mean score": lambda row: SCORE.number(row.mean_score),
        "Brier score": lambda row: SCORE.number(row.brier),
    }
    return table_of(rows, columns, caption=caption)


def frontier_figure(trained: score_audit.TrainedOn) -> Figure:
    """Return the chart of accuracy against disparity, a point per model."""
    points = [
        ScatterPoint(
            at=_widest(row),
            estimate=row.auc,
            text=f"λ {row.strength:g}: AUC {AUC.number(row.auc)}, widest gap {SCORE.number(_widest(row))}",
            series=_series(row),
        )
        for row in trained.frontier
    ]
    return Figure(
        title="Accuracy against disparity",
        note=f"Each dot is a model with another penalty, on the validation pairs. Candidates cost at most "
        f"{AUC.number(trained.within)} of the best AUC and have a narrower gap than without a penalty.",
        chart=lambda width: scatter_chart(
            points, [], title="AUC", along="Widest gap of mean scores between groups", width=width
        ),
        tables=[],
    )


def _series(row: score_audit.FrontierRow) -> str:
    if row.chosen:
        return "this matcher"
    return "candidate for counsel to weigh" if row.candidate else "other"


def _steps(audit: score_audit.MatchAudit, trained: score_audit.TrainedOn) -> list[NextStep]:
    steps = []
    candidates = [row for row in trained.frontier if row.candidate and not row.chosen]
    if candidates:
        best = min(candidates, key=_widest)
        words = _without(shlex.split(audit.reproduce), "--fairness")
        steps.append(
            NextStep(
                question=f"What does a penalty of {best.strength:g} change in the test?",
                command=shlex.join([*words, "--fairness", f"{best.strength:g}"]),
            )
        )
    return steps


def _without(words: list[str], option: str) -> list[str]:
    if option in words:
        place = words.index(option)
        return words[:place] + words[place + 2 :]
    return words


_CONTRIBUTION: Final = Scale(decimals=2, signed=True)
#: The fewest pairs that are drawn.
FEWEST_PLOTTED: Final = 20
_PAIR_SCORE: Final = Scale(decimals=2)


def scored_summary(audit: score_audit.MatchAudit) -> PageSummary:
    """Return the first screen."""
    people = counted(audit.people, "person", "people")
    sentences = [
        f"{counted(audit.pairs, 'pair')} of {people} and {counted(audit.positions, 'position')} "
        f"{'was' if audit.pairs == 1 else 'were'} scored on masked texts."
    ]
    steps = []
    if audit.recommended is not None:
        sentences += _recommended(audit.recommended)
        steps = [_impact(audit.recommended)] if audit.recommended.attributes else []
    if audit.explained:
        sentences.append("explanations.jsonl has what each feature adds to the score of each pair, and why in words.")
    rows = list(audit.matches.items())
    pairs = table(
        "Pairs by match, 0 to 5",
        ("Match", "Pairs", "Share"),
        [(match, count_text(count), percent_text(count / audit.pairs)) for match, count in rows],
    )
    bars = [BarRow(label=match, value=float(count), text=f"{match}: {counted(count, 'pair')}") for match, count in rows]
    figure = Figure(
        title="Pairs by match",
        note="The match is the calibrated score on a scale from 0 to 5, in half steps.",
        chart=lambda width: bar_chart(bars, title="pairs", width=width),
        tables=[],
    )
    return PageSummary(
        sentences=sentences, tables=[pairs], figures=[figure] if audit.pairs >= FEWEST_PLOTTED else [], steps=steps
    )


def _recommended(recommended: score_audit.Recommended) -> Iterator[str]:
    ranks = "Rank 1 counts" if recommended.top == 1 else f"Ranks 1 to {recommended.top:,} count"
    if recommended.ranked == "people":
        yield "Each person got positions, the best match first: recommendations.html shows them as cards."
        yield (
            f"{ranks} as a success in outcomes.parquet. Everybody has as many successes, so groups can differ in "
            "which positions they are shown, not in how many."
        )
        return
    yield "Each position has its masked candidates, the best match first; recommendations.html shows them as cards."
    yield f"{ranks} as a success in outcomes.parquet."


def _impact(recommended: score_audit.Recommended) -> NextStep:
    command = f"evenhand impact . --protected {shlex.quote(','.join(recommended.attributes))}"
    if recommended.ranked == "people":
        question = "Which positions are shown to which groups?"
        return NextStep(question=question, command=f"{command} --position position", folder=".")
    return NextStep(question="How often is each group among them?", command=command, folder=".")


def explained_section(pairs: Sequence[score_audit.ExplainedPair]) -> Section:
    """Return the contributions of the first explained scores."""
    text = [
        "A margin is the base plus what each feature adds. The base is the mean margin of the pairs that the model "
        "was fitted on; a feature with its usual value adds 0."
    ]
    return Section(
        name="explained", heading="Contributions of the features", text=text, parts=[_pair(pair) for pair in pairs]
    )


def _pair(pair: score_audit.ExplainedPair) -> Part:
    rows = [
        ("Base", "", _CONTRIBUTION.number(pair.base)),
        *((reason.feature, reason.text, _CONTRIBUTION.number(reason.contribution)) for reason in pair.reasons),
        ("Margin", "the sum", _CONTRIBUTION.number(pair.margin)),
    ]
    caption = f"Match {pair.match:g} of 5, score {_PAIR_SCORE.number(pair.score)}"
    adds = table(caption, ("Feature", "In words", "Adds"), rows)
    return Part(heading=f"{pair.person}, position {pair.position}", tables=[adds])


_PRECISE_CONTRIBUTION: Final = Scale(decimals=3, signed=True)
_ALONG: Final = {
    "share": "share",
    "years": "years",
    "times": "years found divided by the years required",
    "levels": "levels found minus levels required",
    "cosine": "cosine",
}


def training_sections(trained: score_audit.TrainedOn, findings: Sequence[Finding]) -> list[Section]:
    """Return the sections; `findings` are those of the run."""
    return [
        _frontier(trained),
        *(() if trained.stopped is None else (_stopped_section(trained.stopped),)),
        _features(trained),
        *_vetting(trained, findings),
        _curves(trained),
        _baseline(trained),
        _data(trained),
        _card(trained),
    ]


def _frontier(trained: score_audit.TrainedOn) -> Section:
    columns: dict[str, Callable[[score_audit.FrontierRow], str]] = {
        "λ": lambda row: f"{row.strength:g}",
        "AUC": lambda row: AUC.number(row.auc),
        "AUC of the worst group": lambda row: AUC.number(row.worst_auc),
        **{
            f"Gap by {in_words(name)}": lambda row, name=name: SCORE.number(row.gaps.get(name))  # type: ignore[misc]
            for name in trained.groups
        },
        "Trees": lambda row: count_text(row.rounds),
        "Model": lambda row: "this one" if row.chosen else "candidate" if row.candidate else "",
    }
    models = table_of(
        trained.frontier, columns, caption="Models by the strength of the penalty, on the validation pairs"
    )
    text = [
        "The gap is the difference between the highest and the lowest mean score of a group, before calibration. A "
        "penalty asks for equal mean scores, whatever the labels; where groups differ in what the label rests on, it "
        "costs accuracy.",
        f"Candidates cost at most {AUC.number(trained.within)} of the best AUC. Whether one of them is an alternative "
        "in the sense of 42 U.S.C. 2000e-2(k) is for counsel to weigh.",
    ]
    parts = [Part(figures=[frontier_figure(trained)], tables=[models])]
    return Section(name="frontier", heading="Accuracy against disparity", text=text, parts=parts)


def _features(trained: score_audit.TrainedOn) -> Section:
    used = sorted((row for row in trained.features if row.used), key=lambda row: -(row.weight or 0.0))
    bars = [BarRow(label=row.title, value=row.weight, text=f"{row.title}: {SCORE.number(row.weight)}") for row in used]
    figure = Figure(
        title="How much features change the margin",
        note="The mean size of what each adds, over all pairs for fitting.",
        chart=lambda width: bar_chart(bars, title="mean size of the contribution", width=width),
        tables=[],
    )
    listed = table(
        "Features, and what is none",
        ("Feature", "Source", "Used", "Why"),
        [(row.title, row.source, "yes" if row.used else "no", row.why) for row in trained.features],
    )
    text = [
        "All features come from texts in which every category was masked. They contain nothing that was masked; what "
        "was not masked, such as a gap between jobs, may be a proxy for a group.",
    ]
    return Section(name="features", heading="Features", text=text, parts=[Part(figures=[figure], tables=[listed])])


def _vetting(trained: score_audit.TrainedOn, findings: Sequence[Finding]) -> list[Section]:
    """Return how well features predict protected groups, and whether they are as expected."""
    if trained.vetting is None:
        return []
    groups = feature_groups(findings, trained.vetting)
    drawn = (
        f"One pair of each person was drawn ({counted(trained.vetting.rows, 'pair')}), so that rows are independent "
        "people; positions recur."
    )
    declared = (
        "The direction in which a score may move with a feature is declared, whatever the pairs show. The verdict is "
        "about the feature alone, not adjusted for the others."
    )
    sections = [(drawn, proxies_section(groups, trained.vetting)), (declared, expectations_section(groups))]
    return [replace(section, text=[first, *section.text]) for first, section in sections if section is not None]


def _curves(trained: score_audit.TrainedOn) -> Section:
    text = [
        "A score is the sum of these curves: each tree has one feature. A curve shows what a value adds to the "
        "margin, compared with the mean of the pairs that the model was fitted on."
    ]
    parts = [
        Part(heading=curve.title, figures=[_curve(curve)], folded=place > 0)
        for place, curve in enumerate(trained.curves)
    ]
    return Section(name="curves", heading="Curves", text=text, parts=parts)


def _curve(curve: score_audit.FeatureCurve) -> Figure:
    ends = [curve.lowest, *curve.edges, _end(curve)]
    points = [
        LinePoint(at=at, value=value, text=f"{at:g}: {_PRECISE_CONTRIBUTION.number(value)}", mark=False)
        for place, value in enumerate(curve.values)
        for at in (ends[place], ends[place + 1])
    ]
    missing = f" Where it is unknown: {_PRECISE_CONTRIBUTION.number(curve.missing)}."
    return Figure(
        title=curve.title,
        note=f"What a value adds to the margin.{missing}",
        chart=lambda width: line_chart(points, title="added to the margin", along=_ALONG[curve.unit], width=width),
        tables=[],
    )


def _end(curve: score_audit.FeatureCurve) -> float:
    """Return how far the last step is drawn."""
    if not curve.edges:
        return curve.highest
    return min(curve.highest, curve.edges[-1] + max((curve.edges[-1] - curve.edges[0]) / 10, 1e-3))


def _baseline(trained: score_audit.TrainedOn) -> Section:
    models = list(dict.fromkeys(row.model for row in trained.evaluation))
    return Section(
        name="baseline",
        heading="Comparison with a logistic regression",
        text=["A logistic regression on the same standardised features shows what curves gain over straight lines."],
        parts=[
            Part(tables=[evaluation_table(model_rows(trained, model), caption=capital(model))])
            for model in models
            if model != _MATCHER
        ],
    )


def _data(trained: score_audit.TrainedOn) -> Section:
    parts = trained.parts
    rows = [
        ("Fitting", count_text(parts.fit)),
        ("Validation: when to stop, the frontier, calibration", count_text(parts.validation)),
        ("Test", count_text(parts.test)),
        ("Left out: they share a person or a position with the test", count_text(parts.left_out)),
        ("Without a label", count_text(parts.unlabelled)),
    ]
    split = table("Pairs", ("Part", "Pairs"), rows)
    groups = table(
        "Pairs by group",
        ("Attribute", "Group", "Pairs"),
        [
            (capital(in_words(attribute)), capital(group), count_text(count))
            for attribute, levels in trained.groups.items()
            for group, count in levels.items()
        ],
    )
    calibration = table("Calibration by family of positions", ("Family", "Method"), trained.calibrations.items())
    separation = (
        "No person and no position of the test part is in another part; fitting and validation share positions, not "
        "people."
        if parts.by_position
        else "Nobody of the test is in another part; positions are too few to hold some out."
    )
    return Section(name="data", heading="Data", text=[separation], parts=[Part(tables=[split, groups, calibration])])


def _card(trained: score_audit.TrainedOn) -> Section:
    return Section(
        name="card",
        heading="Card of the matcher",
        text=[
            "After Mitchell et al. (2019). It is kept in matcher.json; its data, evaluation and features stand above, "
            "with the association of features with groups."
        ],
        parts=[
            Part(heading=capital(in_words(name)), text=list(_setting_texts(value)))
            for name, value in trained.card.items()
            if name not in _ABOVE
        ],
    )


_ABOVE: Final = frozenset({"data", "evaluation", "features", "frontier", "reference", "stopping", "vetting"})


def _setting_texts(value: Any) -> Iterator[str]:
    if isinstance(value, Mapping):
        yield "; ".join(f"{in_words(str(name))}: {general_text(setting)}" for name, setting in value.items())
    else:
        yield str(value)


_DEFINITIONS: Final = (
    (
        "AUC",
        "The probability that a pair with the label has a higher score than a pair without it; ties count half. 0.5 "
        "is chance, 1 a perfect ranking.",
    ),
    (
        "Margin, contribution",
        "A score before calibration is logistic(margin). The margin is the base plus what each feature adds; the base "
        "is the mean margin of the pairs that the model was fitted on.",
    ),
    (
        "Penalty (λ)",
        "What training adds to the log loss: λ times the squared difference of mean scores between two groups, "
        "averaged over pairs of groups, summed over attributes.",
    ),
    ("Match", "The calibrated score on a scale from 0 to 5, in half steps."),
    (
        "Calibrated",
        "Of pairs with a score of 0.7, about 70 % should have the label. It is fitted on validation pairs, by family "
        "of O*NET occupations where there are enough; never by group.",
    ),
)


def _match_summary(content: Result[score_audit.MatchAudit, Any]) -> PageSummary:
    if content.audit.trained is not None:
        opening = trained_summary(content.audit, content.audit.trained, content.findings)
        vetting = content.audit.trained.vetting
        if vetting is None:
            return opening
        groups = feature_groups(content.findings, vetting)
        sentences = [
            "One pair of each person was drawn to vet the features.",
            *proxy_sentences(groups, vetting),
        ]
        return replace(opening, sentences=[*opening.sentences, " ".join(sentences)])
    return scored_summary(content.audit)


def _match_sections(content: Result[score_audit.MatchAudit, Any]) -> list[Section]:
    audit = content.audit
    if audit.trained is not None:
        return training_sections(audit.trained, content.findings)
    return [explained_section(audit.explained)] if audit.explained else []


def _parameter_rows(content: Result[score_audit.MatchAudit, Any]) -> list[Definition]:
    audit = content.audit
    rows = [
        ("Matcher", audit.model),
        ("People", count_text(audit.people)),
        ("Positions", count_text(audit.positions)),
        ("Pairs", count_text(audit.pairs)),
        *(
            (capital(in_words(name)), str(value["file"]) if isinstance(value, dict) else general_text(value))
            for name, value in audit.parameters.items()
            if name not in _SIZES
        ),
    ]
    return set_up(rows, audit)


_SIZES: Final = frozenset({"people", "positions", "pairs", "matcher"})


PAGE: Final[Page[score_audit.MatchAudit, Any]] = Page(
    opening=_match_summary,
    chapters=_match_sections,
    asked=_parameter_rows,
    limits=lambda content: list(content.audit.limits),
    definitions=lambda _content: list(_DEFINITIONS),
    text=MATCHED,
)
