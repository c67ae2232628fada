"""How the page of scored pairs opens: how many there are of each match."""

from evenhand.report.charts import BarRow, bar_chart
from evenhand.report.page.parts import Column, Figure, Opening, Table
from evenhand.report.words.numbers import count_text, counted, share_points
from evenhand.tables.audit.applicants.match import MatchAudit

__all__ = ["scored_opening"]


def scored_opening(audit: MatchAudit) -> Opening:
    """Return the first screen."""
    people = counted(audit.people, "person", "people")
    sentences = [
        f"{counted(audit.pairs, 'pair')} of {people} and {counted(audit.positions, 'position')} "
        f"{'was' if audit.pairs == 1 else 'were'} scored on masked texts."
    ]
    if audit.recommended is not None:
        whom = "person got positions" if audit.recommended.ranked == "people" else "position got candidates"
        ranks = "rank 1" if audit.recommended.top == 1 else f"ranks 1 to {audit.recommended.top}"
        sentences.append(
            f"Each {whom}, the best first; {ranks} count as a success in outcomes.parquet, so that `evenhand impact` "
            "compares how often groups get there."
        )
    rows = list(audit.matches.items())
    table = Table(
        caption="Pairs by match, 0 to 5",
        columns=[Column(label="Match", numeric=False), Column(label="Pairs"), Column(label="Share")],
        rows=[(match, count_text(count), share_points(count, audit.pairs)) for match, count in rows],
    )
    bars = [BarRow(label=match, value=float(count), text=f"{match}: {counted(count, 'pair')}") for match, count in rows]
    figure = Figure(
        title="Pairs by match",
        note="The match is the calibrated score on a scale from 0 to 5, in half steps.",
        chart=lambda width: bar_chart(bars, title="pairs", width=width),
        tables=[],
    )
    return Opening(sentences=sentences, tables=[table], figures=[figure] if bars else [])
