"""Models side by side: each measure with an interval per model, and their differences."""

from collections.abc import Sequence
from typing import Final

from evenhand.report.charts import MarkedLine
from evenhand.report.page.contents import Page
from evenhand.report.page.context import asked_of_comparison
from evenhand.report.page.parts import Column, Figure, Opening, Part, Section, Table, estimate_table, verdict_text
from evenhand.report.probe.interval_figure import interval_figure
from evenhand.report.words.numbers import count_text, general_text, p_text, scale_of
from evenhand.report.words.wording import bands_of, capital, listing, measure_label, sentence_case
from evenhand.tables.audit.compare import CompareAudit, ComparedProbe
from evenhand.tables.finding import Finding
from evenhand.tables.grouped.compare import MODEL, ComparedMeasure, CompareGroups

__all__ = ["PAGE", "comparison_opening", "comparison_sections"]


def comparison_opening(probes: Sequence[CompareGroups]) -> list[str]:
    """Return one sentence per probe and headline measure: what differs, or that nothing was detected."""
    sentences = []
    for each in probes:
        for measure in each.measures:
            if measure.headline and measure.differences:
                # As the probe's own report calls it: the label of a model's own value.
                label = sentence_case(measure_label((measure.models or measure.differences)[0], each.probe))
                sentences.append(f"{each.probe.title}: {_sentence(measure.differences, label)}")
    return sentences


def _sentence(differences: Sequence[Finding], label: str) -> str:
    found = [finding for finding in differences if finding.verdict == "difference"]
    if not found:
        pairs = "the two models" if len(differences) == 1 else f"any of the {len(differences)} pairs of models"
        shown = ", ".join(f"{_models(finding)}: {_difference(finding)}" for finding in differences[:3])
        return f"no difference between {pairs} was detected in the {label} ({shown})."
    told = [f"{_models(finding)} differ by {_difference(finding)}, {_adjusted_p(finding)}" for finding in found]
    rest = len(differences) - len(found)
    missed = f" In {rest} other pair{'s' if rest > 1 else ''} no difference was detected." if rest else ""
    return f"in the {label}, {listing(told)}.{missed}"


def _adjusted_p(finding: Finding) -> str:
    text = p_text(finding.p_adjusted)
    return f"adjusted p {text}" if text.startswith("<") else f"adjusted p = {text}"


def _models(finding: Finding) -> str:
    return f"{finding.focal[MODEL]} and {finding.reference[MODEL]}"


def _difference(finding: Finding) -> str:
    if finding.estimate is None:
        return f"not computed ({finding.reason})"
    scale = scale_of(finding)
    return f"{scale.text(finding.estimate)} (95 % interval {scale.interval(finding.low, finding.high)})"


def comparison_sections(probes: Sequence[CompareGroups]) -> list[Section]:
    """Return one chapter per probe: what each run was asked, and each measure for all models."""
    sections = []
    for number, each in enumerate(probes):
        block = each.probe
        figures = [_figure(measure, block) for measure in each.measures if measure.models]
        sections.append(
            Section(
                name=f"probe-{number + 1}",
                heading=block.title or block.probe,
                text=[block.question] if block.question else [],
                parts=[Part(tables=[_asked(block)]), Part(figures=figures)],
            )
        )
    return sections


def _asked(block: ComparedProbe) -> Table:
    """Return what was asked of each model, a line per run."""
    labels = ("Answers", "Observed", "Temperature", "Seed", "Finished", "Simulated")
    lines = [
        [
            run.model,
            count_text(run.answers),
            count_text(run.observed),
            general_text(run.temperature),
            str(run.seed),
            (run.finished or "").replace("T", " ").replace("+00:00", " UTC"),
            "yes" if run.simulated else "no",
        ]
        for run in block.runs
    ]
    columns = [Column(label="Model", numeric=False)]
    columns += [Column(label=label, numeric=label in {"Answers", "Observed"}) for label in labels]
    return Table(caption="What was asked of each model", columns=columns, rows=lines)


def _figure(measure: ComparedMeasure, block: ComparedProbe) -> Figure:
    models, differences = measure.models, measure.differences
    label = measure_label(models[0], block)
    tables = [
        estimate_table(
            models,
            caption=f"{label}: each model's own value",
            first="Model",
            labels=[finding.slice[MODEL] for finding in models],
            extra={"Verdict": [verdict_text(finding) for finding in models]},
        )
    ]
    if differences:
        adjustment = next((finding.adjustment for finding in differences if finding.adjustment), None)
        tables.append(
            estimate_table(
                differences,
                caption="Differences between models" + (f"; p is adjusted by {adjustment}" if adjustment else ""),
                first="Models",
                labels=[f"{finding.focal[MODEL]} less {finding.reference[MODEL]}" for finding in differences],
                extra={"Verdict": [verdict_text(finding) for finding in differences]},
            )
        )
    return interval_figure(
        models,
        title=capital(label),
        note="One line per model: estimate and interval. Dashed lines are the value without a difference and the edges "
        "of mark A, where there are marks."
        if _edges(models, block)
        else "One line per model: estimate and interval.",
        labels=[finding.slice[MODEL] for finding in models],
        tables=tables,
        lines=_lines(models, block),
    )


def _edges(models: Sequence[Finding], block: ComparedProbe) -> tuple[float, float] | None:
    """Return the edges of mark A, where every model's value has marks."""
    all_bands = [bands_of(finding, block) for finding in models]
    bands = all_bands[0]
    if bands is None or None in all_bands:
        return None
    return bands.centre - bands.edges[0], bands.centre + bands.edges[0]


def _lines(models: Sequence[Finding], block: ComparedProbe) -> list[MarkedLine]:
    scale, nulls = scale_of(models[0]), {finding.null_value for finding in models if finding.estimate is not None}
    lines = [MarkedLine(value=scale.shown(value)) for value in nulls if value is not None and len(nulls) == 1]
    return lines + [MarkedLine(value=scale.shown(edge)) for edge in _edges(models, block) or ()]


PAGE: Final[Page[CompareAudit, tuple[CompareGroups, ...]]] = Page(
    opening=lambda content: Opening(sentences=comparison_opening(content.groups)),
    chapters=lambda content: comparison_sections(content.groups),
    asked=lambda content: asked_of_comparison(content.audit),
)
