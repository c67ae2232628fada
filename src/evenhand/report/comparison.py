"""Models side by side: each measure with an interval per model, and their differences."""

from collections.abc import Callable, Sequence
from typing import Final

from evenhand.report.charts.axes import MarkedLine
from evenhand.report.page import parts
from evenhand.report.page.contents import COMPARED, Page, comparison_parameter_rows, time_text
from evenhand.report.probe.summary import conclusion_question, larger_sample_of
from evenhand.report.words import results
from evenhand.report.words.numbers import ABSENT, MINUS, confidence_text, count_text, general_text, p_text, scale_of
from evenhand.results.audit import CompareAudit, ComparedProbe, Wording
from evenhand.results.finding import Finding
from evenhand.results.probe_groups import MODEL, ComparedMeasure, CompareGroups, compared_score, distance

Row = tuple[ComparedProbe, ComparedMeasure, Finding]
#: What a league table is of, and the measure.
League = tuple[str, ComparedMeasure]
#: Fewer models with a rank have no first and last.
FEWEST_RANKED: Final = 2


def comparison_summary(probes: Sequence[CompareGroups], score: ComparedMeasure | None) -> parts.PageSummary:
    """Return the significant differences between models; then what was not detected. Three or more have a league."""
    rows = [
        (probe.probe, measure, finding)
        for probe in probes
        for measure in probe.measures
        if measure.headline
        for finding in measure.differences
    ]
    differing = [row for row in rows if row[2].is_difference]
    # In printed units: shares in percentage points, scores in points.
    differing.sort(key=lambda row: -distance(row[2]) * results.points_scale(row[2]).factor)
    bare = [row for row in rows if row[2].estimate and row[2].low is None]
    quiet = [row for row in rows if row not in differing and row not in bare]
    leagues = [
        (results.sentence_case(_measure_wording(group.probe, measure).heading) + f" ({group.probe.title})", measure)
        for group in probes
        for measure in group.measures
        if measure.ranks
    ]
    if leagues:
        return _league_summary(leagues, [finding for *_, finding in rows], score=score)
    sentences = [_differ(*row) for row in differing] + [_without_interval(*row) for row in bare]
    sentences += _undetected_sentences(quiet)
    steps = [parts.NextStep(question=_more(quiet))] if _more(quiet) else []
    if differing:
        steps.append(
            parts.NextStep(question="Which parts of the run carry the difference? See the report of each run.")
        )
    return parts.PageSummary(sentences=sentences, tables=[_differences(rows)] if rows else [], steps=steps)


def _league_summary(
    leagues: Sequence[League], differences: Sequence[Finding], *, score: ComparedMeasure | None
) -> parts.PageSummary:
    """Return how three models or more stand, in the score or, where a model has none, in the first measure."""
    unscored = [finding.slice[MODEL] for finding in score.models if finding.estimate is None] if score else []
    if score is not None and not unscored:
        leagues = [("the mean of all measures with marks", score), *leagues]
    of, league = leagues[0]
    further = [_further(*row) for row in leagues if any(finding.is_difference for finding in row[1].distances)]
    counted = _counted(f"In {of}, which of two models lies further from no difference", league.distances)
    sentences = [*filter(None, [_ends(of, league, scored=league is score)]), counted, *further]
    sentences.append(_counted("That two models differ in a headline measure", differences))
    if unscored:
        sentences.append(
            f"{results.listing(unscored)} {'has' if len(unscored) == 1 else 'have'} no value with an interval "
            "in a measure with marks, so there are no ranks by the mean of these measures."
        )
    step = "Which measures carry the ranks? The sections below have those of each measure."
    measures = [row for row in leagues if row[1] is not score]
    return parts.PageSummary(
        sentences=sentences,
        tables=[
            _league_table(league, of, scored=league is score),
            *([_measures_table(measures)] if len(leagues) > 1 else []),
        ],
        steps=[parts.NextStep(question=step)] if len(leagues) > 1 else [],
    )


def _ends(of: str, league: ComparedMeasure, *, scored: bool) -> str:
    """Return which models have the first and the last rank, with their values; several where they are equal."""
    ranks = {row.slice[MODEL]: league.ranks[row.slice[MODEL]].estimate for row in league.models}
    known = [rank for rank in ranks.values() if rank is not None]
    if len(known) < FEWEST_RANKED:
        return ""
    share = ", as shares of the largest possible distance" if scored else ""
    if min(known) == max(known):
        return f"In {of}, all models are equally far from no difference{share}."
    texts = {row.slice[MODEL]: f"{row.slice[MODEL]} ({results.estimate_text(row)})" for row in league.models}
    nearest, furthest = (
        [texts[model] for model, rank in ranks.items() if rank == end] for end in (min(known), max(known))
    )
    lies = "lies" if len(nearest) == 1 else "lie"
    return (
        f"In {of}, {results.listing(nearest)} {lies} nearest to no difference and {results.listing(furthest)} "
        f"furthest{share}."
    )


def _measures_table(leagues: Sequence[League]) -> parts.Table:
    """Return a row for each measure, with the value and the possible ranks of each model."""
    models = [row.slice[MODEL] for row in leagues[0][1].models]

    def cell(league: ComparedMeasure, model: str) -> str:
        value = next((row for row in league.models if row.slice[MODEL] == model), None)
        if value is None or value.estimate is None:
            return ABSENT
        possible = (
            f" (rank {results.interval_text(league.ranks[model])})" if league.ranks[model].low is not None else ""
        )
        return f"{results.estimate_text(value)}{possible}"

    return parts.table_of(
        leagues,
        {
            "Measure": lambda row: row[0],
            **{model: lambda row, model=model: cell(row[1], model) for model in models},  # type: ignore[misc]
        },
        caption="Values in each headline measure, with the ranks that are possible in all measures together",
    )


def _further(of: str, measure: ComparedMeasure) -> str:
    """Return which models were shown to lie further from no difference than which others."""
    further: dict[str, list[str]] = {}
    for finding in measure.distances:
        if finding.is_difference:
            ends = finding.focal[MODEL], finding.reference[MODEL]
            farther, nearer = ends if (finding.estimate or 0) > 0 else ends[::-1]
            further.setdefault(farther, []).append(nearer)
    than = [
        f"{model} than {results.listing(others)}"
        for model, others in sorted(further.items(), key=lambda item: -len(item[1]))
    ]
    return f"In {of}, one model lies further from no difference than another: {'; '.join(than)}."


def _counted(what: str, findings: Sequence[Finding]) -> str:
    """Return in how many pairs of models something was detected, was not, and could not be judged."""
    verdicts = [finding.verdict for finding in findings]
    detected, unjudged = verdicts.count("difference"), verdicts.count("not_judged")
    judged = len(verdicts) - unjudged
    if not judged:
        return f"{what} could not be judged in any of {unjudged} pairs."
    rest = f"; {unjudged} {'was' if unjudged == 1 else 'were'} not judged" if unjudged else ""
    return f"{what} was detected in {detected} of {judged} pair{'' if judged == 1 else 's'}{rest}."


def _league_table(measure: ComparedMeasure, of: str, *, scored: bool) -> parts.Table:
    """Return the models of a measure by rank; a score is a distance already."""
    last = len(measure.models) + 1
    what = (
        "distances from no difference, as shares of the largest possible; intervals and possible ranks each hold for "
        "all models together"
        if scored
        else "rank 1 is nearest to no difference; intervals hold for each model alone, possible ranks for all models "
        "and measures together"
    )
    return parts.estimate_table(
        sorted(measure.models, key=lambda row: measure.ranks[row.slice[MODEL]].estimate or last),
        caption=f"League table of {of}: {what}",
        first="Model",
        label=lambda row: row.slice[MODEL],
        extra=_rank_columns(measure),
        without=(*(["n"] if scored else []), "Mark", "Verdict", "p", "p, adjusted"),
    )


def _rank_columns(measure: ComparedMeasure) -> dict[str, Callable[[Finding], str]]:
    """Return the columns of ranks; those that a model may have hold together for all models."""
    if not measure.ranks:
        return {}
    return {
        "Rank": lambda row: results.estimate_text(measure.ranks[row.slice[MODEL]]),
        "Possible ranks": lambda row: results.interval_text(measure.ranks[row.slice[MODEL]]),
    }


def _differ(probe: ComparedProbe, measure: ComparedMeasure, finding: Finding) -> str:
    """Return the sentence of a significant difference, with both values."""
    interval = f"{confidence_text(finding.confidence)} CI {results.interval_text(finding)}"
    sentences = (
        f"{_values(probe, measure, finding)} ({interval}), statistically significant ({results.p_with_test(finding)})."
    )
    return sentences.replace(" ()", "")


def _without_interval(probe: ComparedProbe, measure: ComparedMeasure, finding: Finding) -> str:
    """Return the sentence of a difference without a confidence interval."""
    reason = f": {finding.reason[:1].lower()}{finding.reason[1:]}" if finding.reason else "."
    judged = ", not judged" if finding.verdict == "not_judged" else ""
    return f"{_values(probe, measure, finding)}{judged}. There is no confidence interval{reason}"


def _values(probe: ComparedProbe, measure: ComparedMeasure, finding: Finding) -> str:
    """Return the measure of two models, both values, and the difference; that they differ where the claim says so."""
    by_model = {finding.slice[MODEL]: finding for finding in measure.models}
    first, second = finding.focal[MODEL], finding.reference[MODEL]
    values = [results.estimate_text(by_model[model]) for model in (first, second) if model in by_model]
    comparison = f"{values[0]} against {values[1]}, " if len(values) == 2 else ""
    heading = results.sentence_case(_measure_wording(probe, measure).heading)
    models = f"{first} and {second}{' differ in' if finding.is_difference else ','} {heading} ({probe.title})"
    return f"{models}: {comparison}a difference of {results.estimate_text(finding)}"


def _measure_wording(probe: ComparedProbe, measure: ComparedMeasure) -> Wording:
    return results.wording_of((measure.models or measure.differences)[0], probe)


def _undetected_sentences(rows: Sequence[Row]) -> list[str]:
    """Return one sentence per pair of models: where no difference was detected, or could not be computed."""
    pairs: dict[str, list[str]] = {}
    unknown: dict[str, list[str]] = {}
    for probe, measure, finding in rows:
        target = unknown if finding.verdict == "not_judged" else pairs
        target.setdefault(_models(finding), []).append(f"{_measure_wording(probe, measure).topic} ({probe.title})")
    return [
        f"No statistically significant difference between {models} was detected in {results.listing(topics)}."
        for models, topics in pairs.items()
    ] + [
        f"{models} were not judged in {results.listing(topics)}; the table says why."
        for models, topics in unknown.items()
    ]


def _models(finding: Finding) -> str:
    return f"{finding.focal[MODEL]} and {finding.reference[MODEL]}"


def _more(quiet: Sequence[Row]) -> str:
    """Return how many answers of each model a conclusion needs; '' where that is not known."""
    for probe, measure, finding in quiet:
        answers = max((run.answers or 0 for run in probe.runs), default=0)
        more = larger_sample_of(finding, answers)
        if more:
            heading = results.sentence_case(_measure_wording(probe, measure).heading)
            return conclusion_question(finding, more, of=f" for each model ({probe.title}: {heading})")
    return ""


def _differences(rows: Sequence[Row]) -> parts.Table:
    """Return one line per headline measure and pair of models."""
    pairs = {(finding.focal[MODEL], finding.reference[MODEL]) for *_, finding in rows}
    columns: dict[str, Callable[[Row], str]] = {
        "Measure": lambda row: f"{row[0].title}: {_measure_wording(row[0], row[1]).heading}",
        "Models": lambda row: _less(row[2]),
        "Difference": lambda row: results.estimate_text(row[2]).removesuffix(" points"),
        parts.interval_heading([finding for *_, finding in rows]): lambda row: results.interval_text(row[2]),
        "p": lambda row: p_text(_p(row[2])),
        "Statistically significant?": lambda row: (
            "yes" if row[2].is_difference else "no" if row[2].p_adjusted is not None else "not judged"
        ),
    }
    caption = "Differences between models"
    if len(pairs) == 1:
        del columns["Models"]
        caption = f"Differences, {_less(rows[0][2])},"
    adjusted = results.corrected_by([finding for *_, finding in rows])
    return parts.table_of(
        rows,
        columns,
        caption=f"{caption} in {results.units_of([finding for *_, finding in rows])}"
        + (f"; p is corrected: {adjusted}" if adjusted else ""),
    )


def _less(finding: Finding) -> str:
    return f"{finding.focal[MODEL]} {MINUS} {finding.reference[MODEL]}"


def _p(finding: Finding) -> float | None:
    if finding.p_adjusted is not None:
        return finding.p_adjusted
    return next((test.p for test in finding.tests if test.p is not None), None)


def comparison_sections(probes: Sequence[CompareGroups]) -> list[parts.Section]:
    """Return one section per probe: the parameters of each run, and each measure for all models."""
    sections = []
    for number, probe in enumerate(probes):
        block = probe.probe
        figures = [_figure(measure, block) for measure in probe.measures if measure.models]
        sections.append(
            parts.Section(
                name=f"probe-{number + 1}",
                heading=block.title or block.probe,
                text=[block.question] if block.question else [],
                parts=[parts.Part(tables=[_runs_table(block)]), parts.Part(figures=figures)],
            )
        )
    return sections


def _runs_table(block: ComparedProbe) -> parts.Table:
    """Return the parameters of each model's run, a line per run."""
    differing = list(block.runs[0].decoding or {}) if block.runs else []
    decoding = [results.capital(results.in_words(name)) for name in differing]
    observed = f"Observed {block.counted}" if block.counted else "Observed"
    labels = ("Answers", observed, "Temperature", *decoding, "Seed", "Finished", "Simulated")
    lines = [
        [
            run.model,
            count_text(run.answers),
            count_text(run.observed),
            general_text(run.temperature),
            *(general_text((run.decoding or {}).get(name)) for name in differing),
            str(run.seed),
            time_text(run.finished),
            "yes" if run.simulated else "no",
        ]
        for run in block.runs
    ]
    return parts.table("What was asked of each model", ("Model", *labels), lines)


def _figure(measure: ComparedMeasure, block: ComparedProbe) -> parts.Figure:
    models, differences = measure.models, measure.differences
    label = results.heading_of(models[0], block)

    def model(finding: Finding) -> str:
        return finding.slice[MODEL]

    tables = [
        parts.estimate_table(
            models,
            caption=f"{label}: each model's own value",
            first="Model",
            label=model,
            extra={**_rank_columns(measure), **parts.columns_of(models, "Verdict")},
            folded=True,
        )
    ]
    if differences:
        adjustment = results.corrected_by(differences)
        tables.append(
            parts.estimate_table(
                differences,
                caption="Differences between models" + (f"; p is corrected: {adjustment}" if adjustment else ""),
                first="Models",
                label=_less,
                extra=parts.columns_of(differences, "Verdict"),
                folded=True,
            )
        )
    return parts.interval_figure(
        models,
        title=results.capital(label),
        note="One line per model: estimate and interval. Dashed lines are the value without a difference and the edges "
        "of mark A, where there are marks."
        if _edges(models, block)
        else "One line per model: estimate and interval.",
        label=model,
        tables=tables,
        lines=_lines(models, block),
    )


def _edges(models: Sequence[Finding], block: ComparedProbe) -> tuple[float, float] | None:
    """Return the edges of mark A, where every model's value has marks."""
    all_bands = [results.bands_of(finding, block) for finding in models]
    bands = all_bands[0]
    if bands is None or None in all_bands:
        return None
    return bands.centre - bands.edges[0], bands.centre + bands.edges[0]


def _lines(models: Sequence[Finding], block: ComparedProbe) -> list[MarkedLine]:
    scale, lines = scale_of(models[0]), parts.null_lines(models)
    return lines + [MarkedLine(value=scale.shown(edge)) for edge in _edges(models, block) or ()]


PAGE: Final[Page[CompareAudit, tuple[CompareGroups, ...]]] = Page(
    opening=lambda content: comparison_summary(content.groups, compared_score(content.findings)),
    chapters=lambda content: comparison_sections(content.groups),
    asked=lambda content: comparison_parameter_rows(content.audit),
    text=COMPARED,
)
