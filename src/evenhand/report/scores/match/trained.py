"""How the page of a matcher opens: how it does for all and for each group, and what a penalty would change."""

import shlex
from collections.abc import Iterator, Sequence
from typing import Final

from evenhand.report.charts import ScatterPoint, scatter_chart
from evenhand.report.page.parts import Column, Figure, NextStep, Opening, Table
from evenhand.report.words.numbers import ABSENT, Scale, count_text, counted
from evenhand.report.words.wording import capital, in_words
from evenhand.tables.audit.applicants.match import EvaluatedGroup, FrontierRow, MatchAudit, TrainedOn

__all__ = ["AUC", "SCORE", "evaluation_table", "frontier_figure", "own_rows", "trained_opening"]

AUC: Final = Scale(decimals=3)
SCORE: Final = Scale(decimals=3)
_MATCHER: Final = "matcher"


def trained_opening(audit: MatchAudit, trained: TrainedOn) -> Opening:
    """Return the first screen."""
    rows = own_rows(trained)
    return Opening(
        sentences=[*_ranked(trained, rows), *_groups(rows), *_penalty(trained)],
        tables=[evaluation_table(rows, caption="Test pairs: how well scores rank them")],
        figures=[frontier_figure(trained)],
        steps=_steps(audit, trained),
    )


def own_rows(trained: TrainedOn, model: str = _MATCHER) -> list[EvaluatedGroup]:
    """Return the rows of a model, that of all pairs first."""
    return [row for row in trained.evaluation if row.model == model]


def _ranked(trained: TrainedOn, rows: Sequence[EvaluatedGroup]) -> Iterator[str]:
    every, parts = rows[0], trained.parts
    baseline = next((row for row in trained.evaluation if row.model != _MATCHER and not row.group), None)
    seen = "people and positions" if parts.by_position else "people"
    if every.auc is None:
        yield f"Nothing can be said of {counted(every.n, 'test pair')}: {every.reason}"
        return
    beside = "" if baseline is None else f"; a logistic regression on the same features: {AUC.number(baseline.auc)}"
    yield (
        f"Of two test pairs, one with the label and one without, the first had the higher score in "
        f"{100 * every.auc:.1f} % of cases (AUC {AUC.number(every.auc)}{_interval(every)}{beside}). The "
        f"{counted(every.n, 'test pair')} are of {seen} that training has not seen."
    )


def _groups(rows: Sequence[EvaluatedGroup]) -> Iterator[str]:
    known = [row for row in rows if row.group and row.auc_low is not None]
    if known:
        worst = min(known, key=lambda row: row.auc or 0.0)
        unknown = sum(row.auc_low is None for row in rows if row.group)
        few = f" {counted(unknown, 'group')} had too few pairs to tell." if unknown else ""
        yield (
            f"The AUC is lowest for {_named(worst)}: {AUC.number(worst.auc)} ({counted(worst.n, 'pair')}"
            f"{_interval(worst)}).{few}"
        )
    for attribute in dict.fromkeys(row.attribute for row in rows if row.group):
        own = sorted(
            (row for row in rows if row.attribute == attribute and row.mean_score is not None),
            key=lambda row: row.mean_score or 0.0,
        )
        if len(own) > 1:
            low, high = own[0], own[-1]
            yield (
                f"By {in_words(attribute)}, mean scores run from {SCORE.number(low.mean_score)} ({low.group}) to "
                f"{SCORE.number(high.mean_score)} ({high.group}); the share with the label from "
                f"{100 * low.positive / low.n:.1f} % to {100 * high.positive / high.n:.1f} %."
            )


def _interval(row: EvaluatedGroup) -> str:
    return "" if row.auc_low is None else f", 95 % CI {AUC.interval(row.auc_low, row.auc_high)}"


def _named(row: EvaluatedGroup) -> str:
    return f"{row.group} ({in_words(row.attribute)})"


def _widest(row: FrontierRow) -> float:
    return max(row.gaps.values(), default=0.0)


def _penalty(trained: TrainedOn) -> Iterator[str]:
    plain = next((row for row in trained.frontier if not row.strength), None)
    candidates = [row for row in trained.frontier if row.candidate]
    if plain is None:
        return
    if not candidates:
        yield (
            f"No penalty that was tried narrows the gap between groups ({SCORE.number(_widest(plain))}) at a cost of "
            f"at most {AUC.number(trained.within)} of AUC."
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


def evaluation_table(rows: Sequence[EvaluatedGroup], *, caption: str) -> Table:
    """Return a line for all pairs and one for each group."""
    columns = {
        "Pairs": [capital(row.group) if row.group else "All" for row in rows],
        "n": [count_text(row.n) for row in rows],
        "With label": [f"{100 * row.positive / row.n:.1f} %" if row.n else ABSENT for row in rows],
        "AUC": [AUC.number(row.auc) for row in rows],
        "95 % CI": [AUC.interval(row.auc_low, row.auc_high) for row in rows],
        "Mean score": [SCORE.number(row.mean_score) for row in rows],
        "Brier score": [SCORE.number(row.brier) for row in rows],
    }
    return Table(
        caption=caption,
        columns=[Column(label=name, numeric=name != "Pairs") for name in columns],
        rows=list(zip(*columns.values(), strict=True)),
    )


def frontier_figure(trained: TrainedOn) -> Figure:
    """Return accuracy against disparity, a point per model."""
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


def _series(row: FrontierRow) -> str:
    if row.chosen:
        return "this matcher"
    return "candidate for counsel to weigh" if row.candidate else "other"


def _steps(audit: MatchAudit, trained: TrainedOn) -> list[NextStep]:
    found = []
    candidates = [row for row in trained.frontier if row.candidate and not row.chosen]
    if candidates:
        best = min(candidates, key=_widest)
        words = _without(shlex.split(audit.reproduce), "--fairness")
        found.append(
            NextStep(
                question=f"What does a penalty of {best.strength:g} change in the test?",
                command=shlex.join([*words, "--fairness", f"{best.strength:g}"]),
            )
        )
    return found


def _without(words: list[str], option: str) -> list[str]:
    if option in words:
        place = words.index(option)
        return words[:place] + words[place + 2 :]
    return words
