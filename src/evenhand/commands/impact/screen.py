"""What a person sees in the terminal of an analysis of applicants."""

from collections.abc import Iterator

from rich.table import Table

from evenhand.commands.terminal import Screen
from evenhand.hiring.accounting import value_note
from evenhand.runs.finished_run import ImpactRun
from evenhand.tables.details import AdjustedOdds, ImpactRatio, MeanRatio, PooledOdds, PositionsBelow
from evenhand.tables.finding import Finding
from evenhand.tables.messages.quoting import one_line, shortened

__all__ = ["impact_text"]

MOST_ROWS = 40
#: Columns of a terminal that has room for which test applies.
WIDE = 110
SHOWN = ("impact_ratio", "mean_ratio", "common_odds_ratio", "adjusted_odds_ratio")


def impact_text(run: ImpactRun) -> str:
    """Return ratios of all applicants, pooled and adjusted odds ratios, and how many positions are below."""
    rows = [row for row in run.findings if row.measure in SHOWN]
    screen = Screen()
    table = Table(title=f"{run.audit.title} · {run.audit.source}", title_justify="left")
    wide = screen.width >= WIDE
    table.add_column("group against reference", overflow="fold", min_width=10)
    table.add_column("rates", justify="right", no_wrap=True)
    table.add_column("ratio (95 %)", justify="right", no_wrap=True)
    table.add_column("four-fifths")
    table.add_column("adjusted p", justify="right", no_wrap=True)
    if wide:
        table.add_column("test at this size")
    for row in rows[:MOST_ROWS]:
        table.add_row(*_cells(row)[: len(table.columns)])
    screen.print(table)
    if len(rows) > MOST_ROWS:
        screen.print(f"{len(rows) - MOST_ROWS} more are in findings.json.")
    for row in run.findings:
        if row.measure == "positions_below" and row.estimate is not None:
            details = PositionsBelow.of(row)
            expected = details.expected_by_chance
            by_chance = "" if expected is None else f" (false positives to expect: about {round(expected * row.n)})"
            screen.print(
                f"{shortened(details.attribute or '')}: in {round(row.estimate * row.n)} of {row.n} positions a "
                f"group is below four-fifths{by_chance}; statistically significant: {details.significant_adjusted} of "
                f"{details.comparisons} comparisons (adjusted p < .05).",
            )
    for line in _below(run):
        screen.print(line)
    for line in run.audit.warnings:
        screen.print(f"Warning: {line}")
    screen.print("A difference is no proof of discrimination; that none was detected is no proof of its absence.")
    return screen.text


def _below(run: ImpactRun) -> Iterator[str]:
    """Yield what stands below the table: what the values of the decision mean, and what the reference floor changed."""
    accounting = run.audit.accounting
    decisions, two_counts = accounting.decisions, accounting.count is not None and accounting.count.selected_column
    # Values other than yes and no were told before.
    if decisions and not two_counts and value_note(decisions) not in accounting.notes:
        yield value_note(decisions)
    notes = run.audit.reference_floor.notes
    yield from (f"{' × '.join(map(_label, note.attributes))}: {note.text}" for note in notes)
    if any("too small" in note.text for note in notes):
        yield "With --reference-floor 0 any group may be the reference."


def _cells(row: Finding) -> list[str]:
    label = " against ".join(" × ".join(map(_label, group.values())) for group in (row.focal, row.reference))
    parts = [_label(str(value)) for name, value in row.slice.items() if name != "approach" or value != "cutoff"]
    if row.measure != "impact_ratio":
        parts.append(
            {"mean_ratio": "means", "common_odds_ratio": "pooled odds"}.get(row.measure, "odds, given qualifications")
        )
    if not row.focal:
        return [shortened(row.name), "", row.reason or "", "", "", ""]
    details, share = ImpactRatio.of(row), row.measure != "mean_ratio"
    shown = " / ".join(
        "none" if value is None else f"{value:.1%}" if share else f"{value:.3f}" for value in _rates(row)
    )
    if row.estimate is None:
        ratio = row.reason or ""
    else:
        ratio = f"{row.estimate:.3f}"
        ratio += "" if row.low is None or row.high is None else f" ({row.low:.2f}–{row.high:.2f})"
    p = row.p_adjusted if row.p_adjusted is not None else next((test.p for test in row.tests), None)
    return [
        label + (f" ({', '.join(parts)})" if parts else ""),
        shown,
        ratio,
        (details.four_fifths or "").replace("_", " "),
        "" if p is None else "< .0001" if p < 0.0001 else f"{p:.4f}",
        details.read_with or "",
    ]


def _rates(row: Finding) -> tuple[float | None, float | None]:
    """Return the rates of both groups, or their mean scores."""
    details = row.details
    if isinstance(details, MeanRatio):
        return details.mean_focal, details.mean_reference
    if isinstance(details, ImpactRatio | PooledOdds | AdjustedOdds):
        return details.rate_focal, details.rate_reference
    return None, None


def _label(text: str) -> str:
    return one_line(shortened(text))
