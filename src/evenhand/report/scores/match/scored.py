"""How the page of scored pairs opens, and what some scores are made of."""

import shlex
from collections.abc import Iterator, Sequence
from typing import Final

from evenhand.report.charts import BarRow, bar_chart
from evenhand.report.page.parts import Column, Figure, NextStep, Opening, Part, Section, Table
from evenhand.report.words.numbers import Scale, count_text, counted, share_points
from evenhand.tables.audit.applicants.match import ExplainedPair, MatchAudit, Recommended

__all__ = ["explained_section", "scored_opening"]

_ADDED: Final = Scale(decimals=2, signed=True)
#: The fewest pairs that are drawn.
FEWEST_DRAWN: Final = 20
_SCORE: Final = Scale(decimals=2)


def scored_opening(audit: MatchAudit) -> Opening:
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
    return Opening(
        sentences=sentences, tables=[table], figures=[figure] if audit.pairs >= FEWEST_DRAWN else [], steps=steps
    )


def _recommended(of: Recommended) -> Iterator[str]:
    ranks = "Rank 1 counts" if of.top == 1 else f"Ranks 1 to {of.top:,} count"
    if of.ranked == "people":
        yield "Each person got positions, the best match first: recommendations.html shows them as cards."
        yield (
            f"{ranks} as a success in outcomes.parquet. Everybody has as many successes, so groups can differ in "
            "which positions they are shown, not in how many."
        )
        return
    yield "Each position got candidates, masked, the best match first: recommendations.html shows them as cards."
    yield f"{ranks} as a success in outcomes.parquet."


def _impact(of: Recommended) -> NextStep:
    command = f"evenhand impact . --protected {shlex.quote(','.join(of.attributes))}"
    if of.ranked == "people":
        question = "Which positions are shown to which groups?"
        return NextStep(question=question, command=f"{command} --position position", folder=".")
    return NextStep(question="How often does each group get there?", command=command, folder=".")


def explained_section(pairs: Sequence[ExplainedPair]) -> Section:
    """Return what the first scores are made of."""
    text = [
        "A margin is the base plus what each feature adds. The base is the mean margin of the pairs that the model was "
        "fitted on; a feature that is as usual adds 0."
    ]
    return Section(
        name="explained", heading="What scores are made of", text=text, parts=[_pair(pair) for pair in pairs]
    )


def _pair(pair: ExplainedPair) -> Part:
    rows = [
        ("Base", "", _ADDED.number(pair.base)),
        *((reason.feature, reason.text, _ADDED.number(reason.contribution)) for reason in pair.reasons),
        ("Margin", "the sum", _ADDED.number(pair.margin)),
    ]
    table = Table(
        caption=f"Match {pair.match:g} of 5, score {_SCORE.number(pair.score)}",
        columns=[Column(label="Feature", numeric=False), Column(label="In words", numeric=False), Column(label="Adds")],
        rows=rows,
    )
    return Part(heading=f"{pair.person}, position {pair.position}", tables=[table])
