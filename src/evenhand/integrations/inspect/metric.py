"""The metric: our findings, computed from all scores at once."""

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
import polars as pl
from inspect_ai.scorer import Metric, SampleScore, Value, metric

from evenhand.collect.order import Asked, planned
from evenhand.errors import InputError
from evenhand.findings.documents.words import word_findings, word_table
from evenhand.findings.measure import measure_outcomes
from evenhand.integrations.inspect._asked import configured_probe
from evenhand.models.model import Generation
from evenhand.probes.shared.probe import Design, Probe
from evenhand.runs.sample import chosen_design
from evenhand.tables.finding import Finding
from evenhand.tables.grouped.names import UNDETECTED_ATTEMPTS, UNDETECTED_ITEMS
from evenhand.tables.schemas import ANSWERS

__all__ = ["SHOWN", "findings", "joined", "main_findings", "measured_answers", "values"]

#: What `show` takes: the findings that answer the probe's question, or every one.
SHOWN = ("main", "all")


@metric(scores="unreduced")
def findings(
    probe: str,
    design: str | None = None,
    seed: int = 0,
    show: str = "main",
    settings: dict[str, Any] | None = None,
) -> Metric:
    """Return a metric whose values are the findings that `evenhand probe` gets from the same answers.

    `seed` is that of the draw; it fixes resamples and permutations too. Findings that are null are left out.
    """
    if show not in SHOWN:
        raise InputError(f"show is {show!r}; expected one of {', '.join(SHOWN)}.")

    def compute(scores: list[SampleScore]) -> Value:
        if not scores:
            return {}
        asked = configured_probe(probe, settings or {})
        layout = chosen_design(asked, design)
        answers = _in_sending_order([_answer(each) for each in scores], seed=seed)
        found = measured_answers(asked, joined(answers, layout), seed=seed)
        return dict(values(found if show == "all" else main_findings(found, asked)))

    return compute


def joined(answers: list[dict[str, Any]], design: Design) -> pl.DataFrame:
    """Return answers with their stimuli, as the probe's reader takes them."""
    columns = {name: dtype for name, dtype in ANSWERS.items() if name in {*answers[0], "time"}}
    frame = pl.DataFrame([{**row, "time": None} for row in answers], schema=columns)
    stimuli = design.stimuli(np.asarray(frame["index"], dtype=np.int64)).drop("index")
    return pl.concat([frame, stimuli], how="horizontal")


def measured_answers(probe: Probe, answers: pl.DataFrame, *, seed: int) -> list[Finding]:
    """Return all findings of answers joined with their stimuli, in the order of findings.json."""
    read = probe.read(answers)
    outcomes = read.outcomes.lazy()
    found = measure_outcomes(outcomes, probe.measured, seed=seed)
    if read.words is not None:
        table = word_table(outcomes, read.words.lazy(), probe.measured, seed=seed)
        found += [] if table is None else word_findings(table)
    return found


def main_findings(found: Iterable[Finding], probe: Probe) -> list[Finding]:
    """Return the planned findings, the card's measures over all answers, and the rates of unreadable answers."""
    measured = probe.measured
    overall = {*(each.name for each in measured.measures), measured.rate, UNDETECTED_ATTEMPTS, UNDETECTED_ITEMS}
    return [row for row in found if row.role == "planned" or row.name in overall]


def values(found: Iterable[Finding]) -> Mapping[str, float]:
    """Return estimates and limits of intervals by the finding's name, planned ones first; null ones are left out."""
    numbers: dict[str, float] = {}
    for row in sorted(found, key=lambda row: row.role != "planned"):
        interval = {row.name: row.estimate, f"{row.name}_low": row.low, f"{row.name}_high": row.high}
        if row.estimate is not None:
            numbers |= {name: value for name, value in interval.items() if value is not None}
    return numbers


def _answer(score: SampleScore) -> dict[str, Any]:
    kept = score.score.metadata or {}
    names = ("index", "attempt", "sent_order", "finish_reason", "error_class")
    return {**{name: kept[name] for name in names}, "text": score.score.answer}


def _in_sending_order(answers: list[dict[str, Any]], *, seed: int) -> list[dict[str, Any]]:
    """Return answers in the order in which `evenhand probe` sends their prompts.

    Resamples are drawn from rows in this order. `sent_order` comes in as the prompt's
    place among the prompts and goes out as the attempt's place among the attempts.
    """
    attempts = planned(
        np.arange(max(row["sent_order"] for row in answers) + 1),
        stimuli=lambda places: pl.DataFrame({"prompt": [""] * len(places)}),
        asked=Asked(probe="", version="", model="", generation=Generation(), seed=None),
        order_seed=seed,
        repetitions=max(row["attempt"] for row in answers) + 1,
    )
    place = {(each.index, each.request.attempt): each.sent_order for chunk in attempts for each in chunk}
    placed = [{**row, "sent_order": place[row["sent_order"], row["attempt"]]} for row in answers]
    return sorted(placed, key=lambda row: row["sent_order"])
