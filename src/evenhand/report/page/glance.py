"""A run at a glance: the small table that a notebook shows."""

from collections.abc import Iterable, Sequence
from html import escape
from pathlib import Path

from evenhand.report.page.parts import mark_text, verdict_text
from evenhand.report.words.numbers import ABSENT, confidence_text, count_text, scale_of
from evenhand.report.words.wording import group_label, in_words
from evenhand.tables.audit.kinds import Audit
from evenhand.tables.finding import Finding
from evenhand.tables.messages.quoting import one_line, shortened

__all__ = ["glance_html"]

#: Rows that fit on a screen; all are in the report.
MOST = 12


def glance_html(audit: Audit, findings: Sequence[Finding], *, folder: Path) -> str:
    """Return a table of the planned findings as HTML, without a script; what others wrote is escaped."""
    planned = [row for row in findings if row.role == "planned"]
    shown = planned[:MOST]
    title = " · ".join(filter(None, (audit.title, audit.model)))
    lines = [f"<strong>{_text(title)}</strong>"]
    if audit.simulated:
        lines.append(_text(audit.simulated_note or "Simulated.", most=200))
    lines += [f"Warning: {_text(line, most=300)}" for line in audit.warnings]
    more = "" if len(planned) == len(shown) else f" {len(planned) - len(shown)} more of these are there."
    told = f"{count_text(len(findings))} findings, and report.html, are in {_text(str(folder), most=300)}.{more}"
    return f"<div>{''.join(f'<div>{line}</div>' for line in lines)}{_table(shown)}<div>{told}</div></div>"


def _table(findings: Sequence[Finding]) -> str:
    if not findings:
        return ""
    level = confidence_text(findings[0].confidence)
    heads = ("measure", "groups", "estimate", f"{level} CI", "n", "mark", "verdict")
    columns = list(zip(*map(_cells, findings), strict=True))
    kept = [place for place, cells in enumerate(columns) if set(cells) - {"", ABSENT}]
    rows = "".join(_row("td", [line[place] for place in kept]) for line in map(_cells, findings))
    return f"<table><thead>{_row('th', [heads[place] for place in kept])}</thead><tbody>{rows}</tbody></table>"


def _row(tag: str, cells: Iterable[str]) -> str:
    return f"<tr>{''.join(f'<{tag}>{_text(cell)}</{tag}>' for cell in cells)}</tr>"


def _cells(finding: Finding) -> tuple[str, ...]:
    scale = scale_of(finding)
    null = () if finding.null_value is None else (finding.null_value,)
    groups = " against ".join(group_label(each) for each in (finding.focal, finding.reference) if each)
    where = ", ".join(f"{in_words(key)} {value}" for key, value in finding.slice.items())
    return (
        in_words(finding.measure),
        f"{groups} ({where})" if groups and where else groups or where,
        scale.text(finding.estimate, apart=null),
        scale.interval(finding.low, finding.high, apart=null),
        count_text(finding.n),
        mark_text(finding),
        verdict_text(finding) if finding.estimate is not None else finding.reason or "",
    )


def _text(text: str, *, most: int = 100) -> str:
    return escape(one_line(shortened(text, most=most)))
