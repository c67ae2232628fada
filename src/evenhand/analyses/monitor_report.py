"""`evenhand monitor report`: the decisions of a period that a store holds, as a run of `evenhand impact` with more.

The store's counts are a table of counts, analysed as any other; the report adds who was decided on, standing
disparities, alarms and what was done about them, and how scores and decisions agree with labels, by group. `verify`
recomputes the findings from the counts.
"""

import shlex
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime
from typing import Any, Final

import numpy as np
import orjson
import polars as pl

from evenhand import stats
from evenhand.analyses.finish import rewrite_report
from evenhand.analyses.impact import ImpactRun, analyse_impact, counted_source
from evenhand.analyses.options.impact import Against, ImpactOptions
from evenhand.analyses.options.monitoring import ReportOptions
from evenhand.analyses.run import opened_run, write_at_once
from evenhand.errors import InputError
from evenhand.monitoring.alarms import alarms, last_check
from evenhand.monitoring.counts import COUNTS, CellCounts, summed, unpacked
from evenhand.monitoring.rules import read_rules
from evenhand.monitoring.standing import standing_disparities
from evenhand.monitoring.state import decided_models, month_end, month_name, monthly_counts
from evenhand.monitoring.store import Store, opened_store, store_now
from evenhand.monitoring.words import alarm_text, disparity_text
from evenhand.options import declared, words
from evenhand.patterns import lazy_re
from evenhand.results.applicant_audit import (
    Accounting,
    GroupQuality,
    GroupShare,
    ImpactAudit,
    Monitored,
    MonitoredAlarm,
)
from evenhand.results.files import refuse_existing
from evenhand.results.messages import Notices, listed, quoted, shortened
from evenhand.results.result import Result
from evenhand.results.schemas import BOTTOM_LINE, BREAKDOWN, PROTECTED, RECRUITER

QUESTION: Final = "Which groups did this process select less often in the period, by how much, and what was done?"
INDEPENDENT: Final = (
    "Decisions are taken as independent, also several on one person; for standing disparities people are clusters, "
    "where the store knows whose decisions they are."
)
LIMITS: Final = (
    "The figures tell whom a process selected, not why. They don't know qualifications, withdrawals or openings.",
    "Counts are those of decisions with a day in the period, at each stage by itself: a person may be at one stage in "
    "it and at the next one after it.",
    "The four-fifths rule ignores chance and the tests ignore size: read both.",
)
UNCHECKED: Final = (
    "The store was last checked up to {}, before the period ended: later alarms are not here. Run evenhand monitor "
    "check, and report again."
)
_SHAPE: Final = "2026-Q3, 2026, 2026-07 or 2026-07..2026-09"
_PERIOD: Final = lazy_re(r"(\d{4})(?:-Q([1-4])|-(0[1-9]|1[0-2]))?")
_MONTH: Final = f"{BREAKDOWN}month"
_POSITION: Final = "position"


@dataclass(frozen=True, kw_only=True)
class Period:
    """A period of whole months, by their numbers, and its name as it was typed."""

    name: str
    first: int
    last: int

    @property
    def ends(self) -> date:
        """Return its last day."""
        return month_end(self.last)

    @property
    def months(self) -> tuple[str, str]:
        """Return its first and its last month."""
        return month_name(self.first), month_name(self.last)


def read_period(typed: str, *, today: date) -> Period:
    """Return the period of a text.

    Raises
    ------
    InputError
        It names no months, ends before it begins, or is not over.

    >>> period = read_period("2026-Q3", today=date(2026, 10, 1))
    >>> period.months, str(period.ends)
    (('2026-07', '2026-09'), '2026-09-30')
    """
    parts = [_months(part) for part in typed.strip().upper().split("..")]
    spans = [span for span in parts if span is not None]
    if len(spans) < len(parts) or len(parts) > 2:
        raise InputError(f"--period is {quoted(typed)}; expected {_SHAPE}.")
    period = Period(name=typed.strip(), first=spans[0][0], last=spans[-1][1])
    if period.first > period.last:
        raise InputError(f"--period {shortened(typed)} ends before it begins; expected {_SHAPE}.")
    if period.ends >= today:
        raise InputError(
            f"--period {shortened(typed)} is not over: its last day is {period.ends}. Expected months up to "
            f"{month_name(today.year * 12 + today.month - 2)} (UTC)."
        )
    return period


def _months(typed: str) -> tuple[int, int] | None:
    """Return the numbers of the first and the last month of a year, a quarter or a month; None for other texts."""
    match = _PERIOD.fullmatch(typed.strip())
    if match is None or match[1] == "0000":
        return None
    january = int(match[1]) * 12
    if match[2] is not None:
        return january + int(match[2]) * 3 - 3, january + int(match[2]) * 3 - 1
    return (january, january + 11) if match[3] is None else (january + int(match[3]) - 1,) * 2


def report(options: ReportOptions, *, notice: Notices, clock: Callable[[], datetime] = store_now) -> ImpactRun:
    """Return the finished report of a period; an --out that ends in .html is its page, beside the folder of the run.

    Raises
    ------
    InputError
        There is no store, or period, model or breakdown can't be reported.

    """
    period = read_period(options.period, today=clock().date())
    folder, page = options.folder("report"), None
    if folder.suffix.lower() == ".html":
        folder, page = folder.with_suffix(""), folder
        refuse_existing(page, force=options.force)
    with opened_store(options.store, notice=notice, clock=clock) as store:
        model = _model(store, options.model)
        rows = _rows(store, model, period)
        attributes = [name.removeprefix(PROTECTED) for name in rows.columns if name.startswith(PROTECTED)]
        if not attributes:
            raise InputError(f"No groups of {shortened(model)} were recorded: evenhand monitor record --help.")
        by = _breakdown(rows, options.by)
        monitored = _monitored(store, model, period, rows, attributes)
        place = store.place
    table, asked = _count_table(rows, attributes, by)
    asked = replace(asked, **{option.name: option.of(options) for option in declared(Against)}, seed=options.seed)
    counted = counted_source(table, asked)
    # Who was at a later stage in the period need not have been at an earlier one in it: there is no bottom line.
    applicants = replace(
        counted.applicants,
        counts=counted.applicants.counts.filter(pl.col("stage") != BOTTOM_LINE),
        accounting=Accounting(rows_used=int(rows["decided"].sum()), unknown=counted.applicants.accounting.unknown),
    )
    source = f"{shortened(model)} of {place}, {period.name}"
    counted = replace(counted, applicants=applicants, fingerprints={}, columns={}, source=source)
    result = of_period(analyse_impact(counted, asked), monitored)
    reproduce = shlex.join(["evenhand", "monitor", "report", *words(options)])
    with opened_run(folder, force=options.force) as opened:
        for line in unchecked(monitored):
            notice(line)
        result = replace(result, audit=replace(result.audit, reproduce=reproduce))
        run = write_at_once(ImpactRun, opened.folder, result, with_report=options.report)
    if page is not None:
        rewrite_report(folder, page, force=options.force)
    return run


def of_period(result: Result[ImpactAudit, Any], monitored: Monitored) -> Result[ImpactAudit, Any]:
    """Return the analysis of a period's counts as its report."""
    title = f"Decisions of {monitored.model}, {monitored.period}"
    warnings = (*result.audit.warnings, INDEPENDENT, *unchecked(monitored))
    audit = replace(result.audit, title=title, question=QUESTION, monitored=monitored, warnings=warnings, limits=LIMITS)
    return replace(result, audit=audit)


def unchecked(monitored: Monitored) -> list[str]:
    """Return that the store was not checked up to the end of the period; nothing where it was."""
    if monitored.checked is None:
        return ["No check of the store was made, so no alarm is here: evenhand monitor check makes one."]
    return [UNCHECKED.format(monitored.checked)] if monitored.checked < monitored.last else []


def _model(store: Store, named: str | None) -> str:
    models = decided_models(store)
    if not models:
        raise InputError(f"{store.place} has no decisions: evenhand monitor record --help.")
    if named is None and len(models) > 1:
        raise InputError(f"{store.place} has decisions of {listed(models, quotes=True)}; name one with --model.")
    if named is not None and named not in models:
        raise InputError(f"--model {quoted(named)} has no decisions in {store.place}; there are {listed(models)}.")
    return models[0] if named is None else named


def _rows(store: Store, model: str, period: Period) -> pl.DataFrame:
    """Return the counts of a period."""
    rows = monthly_counts(store, model).filter(pl.col("decided") > 0)
    first, last = period.months
    inside = rows.filter(pl.col(_MONTH).is_between(pl.lit(first), pl.lit(last)))
    if not inside.height:
        months = sorted(rows[_MONTH])
        raise InputError(
            f"{shortened(model)} has no decisions in {period.name}; it has some from {months[0]} to {months[-1]}."
        )
    return inside


def _breakdown(rows: pl.DataFrame, named: str | None) -> str | None:
    """Return the column of the values within which groups are compared; None where there is none."""
    columns = [name for name in rows.columns if name.startswith(BREAKDOWN) and name not in {_MONTH, RECRUITER}]
    names = [name.removeprefix(BREAKDOWN) for name in columns if rows[name].replace("", None).count()]
    if named is not None and named not in names:
        known = f"there are {', '.join(names)}" if names else "none was recorded"
        raise InputError(f"--by {quoted(named)} is no breakdown of these decisions; {known}.")
    name = named if named is not None else _POSITION if _POSITION in names else None
    return None if name is None else BREAKDOWN + name


def _count_table(rows: pl.DataFrame, attributes: Sequence[str], by: str | None) -> tuple[pl.DataFrame, ImpactOptions]:
    """Return the counts as a table of counts, and the options of `impact` that read it."""
    taken = set(attributes)

    def free(name: str) -> str:
        while name in taken:
            name += "_"
        taken.add(name)
        return name

    decision, people, stage = free("decision"), free("decisions"), free("stage")
    place = None if by is None else free(by.removeprefix(BREAKDOWN))
    renamed = {PROTECTED + name: name for name in attributes} | {"stage": stage}
    renamed |= {} if by is None or place is None else {by: place}
    wide = rows.with_columns(yes=pl.col("selected"), no=pl.col("decided") - pl.col("selected")).rename(renamed)
    table = wide.unpivot(["yes", "no"], index=list(renamed.values()), variable_name=decision, value_name=people)
    table = table.group_by([*renamed.values(), decision]).agg(pl.col(people).sum()).filter(pl.col(people) > 0)
    staged = bool(rows["stage"].replace("", None).count())
    options = ImpactOptions(
        protected=tuple(attributes),
        selected=f"{decision}=yes",
        count=people,
        stage=stage if staged else None,
        position=place,
    )
    return table.sort(list(renamed.values())), options


def _monitored(store: Store, model: str, period: Period, rows: pl.DataFrame, attributes: Sequence[str]) -> Monitored:
    """Return what the store knows of the period besides the counts of decisions."""
    first, last = (f"{period.months[0]}-01", period.ends.isoformat())
    standing = standing_disparities(store, read_rules().levels, as_of=period.ends)
    mine = [episode for episode in standing.episodes if episode.series.model == model]
    checked = last_check(store)
    found = [
        alarm
        for alarm in alarms(store)
        if alarm.model == model
        and alarm.day.isoformat() <= last
        and (alarm.state != "resolved" or max(alarm.day.isoformat(), alarm.changed) >= first)
    ]
    return Monitored(
        model=model,
        period=period.name,
        first=first,
        last=last,
        composition=tuple(_composition(rows, attributes)),
        standing=tuple(
            disparity_text(episode) for episode in mine if episode.ended is None or first <= episode.ended.isoformat()
        ),
        compared=standing.compared.get(model, 0),
        alarms=tuple(
            MonitoredAlarm(
                # A standing disparity's counts are those of the period, which have a section of their own.
                text=alarm_text(alarm, values=alarm.finding is None).removeprefix(f"{shortened(model)}: "),
                day=alarm.day.isoformat(),
                severity=alarm.severity,
                state=alarm.state,
                acknowledged_by=alarm.acknowledged_by,
                note=alarm.note,
            )
            for alarm in found
        ),
        checked=None if checked is None else checked.isoformat(),
        quality=tuple(_quality(store, model, first, last)),
    )


def _composition(rows: pl.DataFrame, attributes: Sequence[str]) -> list[GroupShare]:
    shares = []
    for attribute in attributes:
        known = rows.rename({PROTECTED + attribute: "group"}).filter(pl.col("group").replace("", None).is_not_null())
        counts = known.group_by("stage", "group").agg(n=pl.col("decided").sum())
        counts = counts.with_columns(share=pl.col("n") / pl.col("n").sum().over("stage"))
        in_order = counts.sort(-pl.col("n").sum().over("stage"), "stage", "group")
        shares += [GroupShare(attribute=attribute, **row) for row in in_order.iter_rows(named=True)]
    return shares


def _quality(store: Store, model: str, first: str, last: str) -> list[GroupQuality]:
    """Return how scores and decisions agree with labels, by group; nothing without labels."""
    columns = ", ".join(COUNTS)
    parts: dict[tuple[str, str], list[CellCounts]] = {}
    for groups, *row in store.rows(
        f"SELECT groups, {columns} FROM counts JOIN cells ON id = cell WHERE model = ? AND day >= ? AND day <= ?",  # noqa: S608 - columns of ours
        (model, first, last),
    ):
        counts = unpacked(row)
        if counts.compared or counts.scores_true.n or counts.scores_false.n:
            known: Mapping[str, str | None] = orjson.loads(groups)
            for attribute, group in known.items():
                if group:
                    parts.setdefault((attribute, group), []).append(counts)
    return [_group_quality(attribute, group, summed(of)) for (attribute, group), of in sorted(parts.items())]


def _group_quality(attribute: str, group: str, counts: CellCounts) -> GroupQuality:
    sides = counts.scores_true, counts.scores_false
    auc = stats.auc(
        np.concatenate([side.values for side in sides]),
        np.repeat([True, False], [side.values.size for side in sides]),
        n=np.concatenate([side.counts for side in sides]),
    )
    return GroupQuality(
        attribute=attribute,
        group=group,
        labelled=sum(side.n for side in sides),
        auc=auc.estimate,
        auc_low=auc.low,
        auc_high=auc.high,
        compared=counts.compared,
        agreement=counts.agreed / counts.compared if counts.compared else None,
    )
