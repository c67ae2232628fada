"""How the scores of models moved, as a table."""

from collections.abc import Sequence

from evenhand.monitoring.alarms.described import Described
from evenhand.report.page.parts import Column, Table
from evenhand.report.words.numbers import ABSENT, Scale
from evenhand.tables.messages.quoting import shortened

__all__ = ["scores_table"]


def scores_table(scores: Sequence[Described]) -> Table:
    """Return how the scores of each model moved."""
    number, distance = Scale(decimals=4, signed=True), Scale(decimals=3)
    columns = [Column(label="Model", numeric=False), Column(label="Slope in 30 days"), Column(label="95 % CI")]
    columns += [Column(label=label) for label in ("PSI", "Its limit", "KS", "Its limit")]
    rows = []
    for each in scores:
        cells = [number.number(each.slope.estimate), number.interval(each.slope.low, each.slope.high)]
        for found in (each.psi, each.ks):
            values = (None, None) if found is None else (found.estimate, found.limit)
            cells += [ABSENT if value is None else distance.number(value) for value in values]
        rows.append([shortened(each.model), *cells])
    return Table(
        caption="Scores, described; no alarm follows from this. Slope of the daily median over 90 days; PSI and KS "
        "hold the last 28 days against the baseline, and pass their limit in 1 of 20 where single scores vary by "
        "chance alone:",
        columns=columns,
        rows=rows,
    )
