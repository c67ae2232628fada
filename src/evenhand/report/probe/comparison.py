"""Models side by side: each measure with an interval per model, and their differences."""

from collections.abc import Sequence
from typing import Final

from evenhand.report.charts import MarkedLine
from evenhand.report.page.contents import Page
from evenhand.report.page.context import asked_of_comparison
from evenhand.report.page.parts import Column, Figure, Part, Section, Table, estimate_table, verdict_text, widest_text
from evenhand.report.probe.interval_figure import interval_figure
from evenhand.report.words.numbers import ABSENT, count_text, general_text, p_text, scale_of
from evenhand.report.words.wording import bands_of, capital, listing, measure_label, sentence_case
from evenhand.tables.audit.compare import CompareAudit, ComparedProbe
from evenhand.tables.finding import Finding

__all__ = ["PAGE", "comparison_opening", "comparison_sections"]

MODEL = "model"


def comparison_opening(rows: Sequence[Finding], audit: CompareAudit) -> list[str]:
    """Return one sentence per probe and headline measure: what differs, or that nothing was detected."""
    sentences = []
    for block in audit.probes:
        for measure in block.headline:
            own = [row for row in _of(rows, block) if row.measure == measure]
            differences = [row for row in own if MODEL in row.reference]
            if differences:
                label = sentence_case(_label(own[0], block))
                sentences.append(f"{block.title}: {_sentence(differences, label)}")
    return sentences


def _sentence(differences: Sequence[Finding], label: str) -> str:
    found = [row for row in differences if row.verdict == "difference"]
    if not found:
        pairs = "the two models" if len(differences) == 1 else f"any of the {len(differences)} pairs of models"
        widest = ", ".join(f"{_models(row)}: {_difference(row)}" for row in differences[:3])
        return f"no difference between {pairs} was detected in the {label} ({widest})."
    told = [f"{_models(row)} differ by {_difference(row)}, {_adjusted_p(row)}" for row in found]
    rest = len(differences) - len(found)
    missed = f" In {rest} other pair{'s' if rest > 1 else ''} no difference was detected." if rest else ""
    return f"in the {label}, {listing(told)}.{missed}"


def _adjusted_p(row: Finding) -> str:
    text = p_text(row.p_adjusted)
    return f"adjusted p {text}" if text.startswith("<") else f"adjusted p = {text}"


def _models(row: Finding) -> str:
    return f"{row.focal[MODEL]} and {row.reference[MODEL]}"


def _difference(row: Finding) -> str:
    if row.estimate is None:
        return f"not computed ({row.reason})"
    scale = scale_of(row)
    widest = widest_text(row)
    interval = widest if widest != ABSENT else scale.interval(row.low, row.high)
    return f"{scale.text(row.estimate)} (95 % interval {interval})"


def comparison_sections(rows: Sequence[Finding], audit: CompareAudit) -> list[Section]:
    """Return one chapter per probe: what each run was asked, and each measure for all models."""
    sections = []
    for number, block in enumerate(audit.probes):
        own = _of(rows, block)
        measures = list(dict.fromkeys([*block.headline, *(row.measure for row in own)]))
        figures = [figure for measure in measures if (figure := _figure(own, measure, block)) is not None]
        sections.append(
            Section(
                name=f"probe-{number + 1}",
                heading=block.title or block.probe,
                text=[block.question] if block.question else [],
                parts=[Part(tables=[_asked(block)]), Part(figures=figures)],
            )
        )
    return sections


def _of(rows: Sequence[Finding], block: ComparedProbe) -> list[Finding]:
    prefix = block.probe.replace("-", "_") + "_"
    return [row for row in rows if row.name.startswith(prefix)]


def _label(row: Finding, block: ComparedProbe) -> str:
    """Return the measure as the probe's own report calls it; `row` is a model's own value."""
    return measure_label(row, block)


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


def _figure(rows: Sequence[Finding], measure: str, block: ComparedProbe) -> Figure | None:
    models = [row for row in rows if row.measure == measure and MODEL in row.slice]
    differences = [row for row in rows if row.measure == measure and MODEL in row.reference]
    if not models:
        return None
    first = models[0]
    label = _label(first, block)
    tables = [
        estimate_table(
            models,
            caption=f"{label}: each model's own value",
            first="Model",
            labels=[row.slice[MODEL] for row in models],
            extra={"Verdict": [verdict_text(row) for row in models]},
        )
    ]
    if differences:
        adjustment = next((row.adjustment for row in differences if row.adjustment), None)
        tables.append(
            estimate_table(
                differences,
                caption="Differences between models" + (f"; p is adjusted by {adjustment}" if adjustment else ""),
                first="Models",
                labels=[f"{row.focal[MODEL]} less {row.reference[MODEL]}" for row in differences],
                extra={
                    "Widest interval": [widest_text(row) for row in differences],
                    "Verdict": [verdict_text(row) for row in differences],
                },
            )
        )
    return interval_figure(
        models,
        title=capital(label),
        note="One line per model: estimate and interval. Dashed lines are the value without a difference and the edges "
        "of mark A, where there are marks."
        if _edges(models, block)
        else "One line per model: estimate and interval.",
        labels=[row.slice[MODEL] for row in models],
        tables=tables,
        lines=_lines(models, block),
    )


def _edges(models: Sequence[Finding], block: ComparedProbe) -> tuple[float, float] | None:
    """Return the edges of mark A, where every model's value has marks."""
    all_bands = [bands_of(row, block) for row in models]
    bands = all_bands[0]
    if bands is None or None in all_bands:
        return None
    return bands.centre - bands.edges[0], bands.centre + bands.edges[0]


def _lines(models: Sequence[Finding], block: ComparedProbe) -> list[MarkedLine]:
    scale, nulls = scale_of(models[0]), {row.null_value for row in models if row.estimate is not None}
    lines = [MarkedLine(value=scale.shown(value)) for value in nulls if value is not None and len(nulls) == 1]
    return lines + [MarkedLine(value=scale.shown(edge)) for edge in _edges(models, block) or ()]


PAGE: Final[Page[CompareAudit]] = Page(
    opening=lambda content: comparison_opening(content.rows, content.audit),
    chapters=lambda content: comparison_sections(content.rows, content.audit),
    asked=lambda content: asked_of_comparison(content.audit),
)
