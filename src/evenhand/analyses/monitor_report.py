"""`evenhand monitor report`: the decisions of a period that a store holds, as a run of `evenhand impact` with more.

The store's counts are a table of counts, analysed as any other, clustered by person where the store has units; several
processes are stages of it, so that all their comparisons are one family. The report adds who was decided on, standing
disparities, alarms and what was done about them, and how scores and decisions agree with labels, by group. `verify`
recomputes findings, composition and standing disparities from the counts.
"""

import shlex
from collections.abc import Callable, Iterator, Mapping, Sequence
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
from evenhand.data.applicant_query import Applicants, ClusterCounts
from evenhand.errors import InputError
from evenhand.monitoring.alarms import alarms, last_check
from evenhand.monitoring.counts import COUNTS, CellCounts, summed, unpacked
from evenhand.monitoring.rules import read_rules
from evenhand.monitoring.standing import PERSON, Looks, store_looks
from evenhand.monitoring.state import NUMBERS, decided_models, decided_people, month_end, month_name, monthly_counts
from evenhand.monitoring.store import Store, opened_store, store_now
from evenhand.monitoring.words import action_text, alarm_state, alarm_subject, disparity_text
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

QUESTION: Final = "Which groups were selected less often in the period, by how much, and what was done?"
OF_PROCESSES: Final = (
    "A stage is a process here, or a stage of one. The comparisons of all processes are one family: with more "
    "processes a difference has to be larger to count."
)
INDEPENDENT: Final = "Decisions are taken as independent, also several on one person"
LIMITS: Final = (
    "The figures show whom a process selected, not why. They don't know qualifications, withdrawals or openings.",
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
_UNIT: Final = "unit"


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
            f"--period {shortened(typed)} is not complete: its last day is {period.ends}. Expected months up to "
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
        models = _models(store, options.model)
        rows = _rows(store, models, period)
        attributes = [name.removeprefix(PROTECTED) for name in rows.columns if name.startswith(PROTECTED)]
        if not attributes:
            raise InputError(f"No groups of {listed(models)} were recorded; see evenhand monitor record --help.")
        by = _breakdown(rows, options.by)
        looks = store_looks(store, read_rules(options.rules).levels, as_of=period.ends)
        monitored = _monitored(store, models, period, every=options.model is None)
        monitored = replace(monitored, cautions=tuple(_cautions(rows, models, attributes, period)))
        place = store.place
    table, asked = _count_table(rows, attributes, by)
    asked = replace(asked, **{option.name: option.of(options) for option in declared(Against)}, seed=options.seed)
    counted = counted_source(table, asked)
    # Who was at a later stage in the period need not have been at an earlier one in it: there is no bottom line.
    at_stages = pl.col("stage") != BOTTOM_LINE
    clustered, model_of = counted.applicants.clustered, dict(rows.select("stage", "model").iter_rows())
    applicants = replace(
        counted.applicants,
        stages=tuple(sorted(counted.applicants.stages, key=lambda stage: models.index(model_of.get(stage, models[0])))),
        counts=counted.applicants.counts.filter(at_stages),
        clustered=None if clustered is None else replace(clustered, counts=clustered.counts.filter(at_stages)),
        accounting=Accounting(rows_used=int(rows["decided"].sum()), unknown=counted.applicants.accounting.unknown),
    )
    source = f"{listed([shortened(model) for model in models])} of {place}, {period.name}"
    counted = replace(counted, applicants=applicants, fingerprints={}, columns={}, source=source)
    result = of_period(analyse_impact(counted, asked), applicants, monitored, looks)
    tables = looks.saved(models)
    tables |= {} if applicants.clustered is None else {"people": alike_people(applicants.clustered)}
    result = replace(result, tables={**result.tables, **{f"{name}.parquet": each for name, each in tables.items()}})
    reproduce = shlex.join(["evenhand", "monitor", "report", *words(options)])
    with opened_run(folder, force=options.force) as opened:
        for line in unchecked(monitored):
            notice(line)
        result = replace(result, audit=replace(result.audit, reproduce=reproduce))
        run = write_at_once(ImpactRun, opened.folder, result, with_report=options.report)
    if page is not None:
        rewrite_report(folder, page, force=options.force)
    return run


def of_period(
    result: Result[ImpactAudit, Any], applicants: Applicants, monitored: Monitored, looks: Looks
) -> Result[ImpactAudit, Any]:
    """Return the analysis of a period's counts as its report."""
    standing = looks.standing
    mine = [episode for episode in standing.episodes if episode.series.model in monitored.models]
    # What is open stands first, the lowest ratio of it at the head.
    mine.sort(key=lambda episode: (episode.ended is not None, episode.value))
    several = len(monitored.models) > 1
    monitored = replace(
        monitored,
        composition=tuple(_composition(applicants)),
        standing=tuple(
            f"{f'{shortened(episode.series.model)}, ' if several else ''}{disparity_text(episode)}"
            for episode in mine
            if episode.ended is None or monitored.first <= episode.ended.isoformat()
        ),
        months=looks.months,
        compared=sum(standing.compared.get(model, 0) for model in monitored.models),
    )
    of = f"{len(monitored.models)} processes" if several else monitored.models[0]
    title = f"Decisions of {of}, {monitored.period}"
    warnings = (*monitored.cautions, *result.audit.warnings, *unchecked(monitored))
    limits = (*LIMITS, *([OF_PROCESSES] if several else []))
    audit = replace(result.audit, title=title, question=QUESTION, monitored=monitored, warnings=warnings, limits=limits)
    return replace(result, audit=audit)


def unchecked(monitored: Monitored) -> list[str]:
    """Return that the store was not checked up to the end of the period; nothing where it was."""
    if monitored.checked is None:
        return ["No check of the store was made, so no alarm is here: evenhand monitor check makes one."]
    return [UNCHECKED.format(monitored.checked)] if monitored.checked < monitored.last else []


def _models(store: Store, named: str | None) -> list[str]:
    """Return the processes to report, all that have decisions unless one is named."""
    models = decided_models(store)
    if not models:
        raise InputError(f"{store.place} has no decisions; see evenhand monitor record --help.")
    if named is not None and named not in models:
        raise InputError(f"--model {quoted(named)} has no decisions in {store.place}; there are {listed(models)}.")
    return models if named is None else [named]


def _rows(store: Store, models: Sequence[str], period: Period) -> pl.DataFrame:
    """Return the counts of a period, those of each person (`unit`) of processes that were recorded with units.

    With several processes, a stage is a process or a stage of one.
    """
    first, last = period.months
    tables, months = [], set[str]()
    for number, model in enumerate(models):
        people = decided_people(store, model)
        rows = monthly_counts(store, model)
        if people is not None:
            decided = people.filter(pl.col("selected").is_not_null())
            kept = [name for name in rows.columns if name not in NUMBERS]
            rows = decided.group_by(*kept, _UNIT).agg(decided=pl.len().cast(pl.Int64), selected=pl.sum("selected"))
            # A person of two processes is at two stages.
            rows = rows.with_columns(pl.col(_UNIT) * len(models) + number)
        rows = rows.filter(pl.col("decided") > 0).with_columns(model=pl.lit(model))
        months |= {*rows[_MONTH]}
        tables.append(rows.filter(pl.col(_MONTH).is_between(pl.lit(first), pl.lit(last))))
    inside = pl.concat(tables, how="diagonal_relaxed")
    if not inside.height:
        raise InputError(
            f"{listed([shortened(model) for model in models])} {'has' if len(models) == 1 else 'have'} no "
            f"decisions in {period.name}; there are decisions from {min(months)} to {max(months)}."
        )
    if len(models) == 1:
        return inside
    place = pl.when(pl.col("stage") == "").then("model").otherwise(pl.format("{}: {}", "model", "stage"))
    return inside.with_columns(place.alias("stage"))


def _cautions(rows: pl.DataFrame, models: Sequence[str], attributes: Sequence[str], period: Period) -> Iterator[str]:
    """Yield which processes have no decisions or groups, and of which decisions are taken as independent."""
    months = [month_name(month) for month in range(period.first, period.last + 1)]
    with_decisions = {*rows.select("model", _MONTH).iter_rows()}
    without: dict[str, list[str]] = {}
    for model in models:
        empty = [month for month in months if (model, month) not in with_decisions]
        if empty:
            without.setdefault("the period" if empty == months else listed(empty), []).append(shortened(model))
    yield from (f"Without decisions in {when}: {listed(lacking)}." for when, lacking in without.items())
    decided = [model for model in models if model in set(rows["model"])]
    grouped = pl.any_horizontal(pl.col(PROTECTED + name).replace("", None).is_not_null() for name in attributes)
    of_groups = {*rows.filter(grouped)["model"]}
    lacking = [shortened(model) for model in decided if model not in of_groups]
    if lacking:
        yield f"Without groups, so not compared: {listed(lacking)}."
    known = {*rows.filter(pl.col(_UNIT).is_not_null())["model"]} if _UNIT in rows.columns else set()
    unknown = [shortened(model) for model in decided if model not in known]
    if unknown:
        of = f", of {listed(unknown)}" if known else ""
        yield f"{INDEPENDENT}{of}: they were recorded without a unit, so each counts as a person."


def _breakdown(rows: pl.DataFrame, named: str | None) -> str | None:
    """Return the column of the values within which groups are compared; None where there is none."""
    columns = [name for name in rows.columns if name.startswith(BREAKDOWN) and name not in {_MONTH, RECRUITER}]
    names = [name.removeprefix(BREAKDOWN) for name in columns if rows[name].replace("", None).count()]
    if named is not None and named not in names:
        known = f"there are {', '.join(names)}" if names else "none was recorded"
        raise InputError(f"--by {quoted(named)} is not a breakdown of these decisions; {known}.")
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
    person = free(PERSON) if _UNIT in rows.columns else None
    renamed = {PROTECTED + name: name for name in attributes} | {"stage": stage}
    renamed |= {} if by is None or place is None else {by: place}
    renamed |= {} if person is None else {_UNIT: person}
    wide = rows.with_columns(yes=pl.col("selected"), no=pl.col("decided") - pl.col("selected")).rename(renamed)
    table = wide.unpivot(["yes", "no"], index=list(renamed.values()), variable_name=decision, value_name=people)
    table = table.group_by([*renamed.values(), decision]).agg(pl.col(people).sum()).filter(pl.col(people) > 0)
    if person is not None and table[person].null_count():
        # Whose decisions are not known, each is on a person of its own.
        unknown = table.filter(pl.col(person).is_null()).with_columns(pl.lit(1).repeat_by(people).alias(people))
        unknown = unknown.explode(people).with_columns((-1 - pl.int_range(pl.len())).alias(person))
        table = pl.concat([table.drop_nulls(person), unknown], how="vertical_relaxed")
    staged = bool(rows["stage"].replace("", None).count())
    options = ImpactOptions(
        protected=tuple(attributes),
        selected=decision,
        count=people,
        stage=stage if staged else None,
        position=place,
        cluster=() if person is None else (person,),
    )
    return table.sort(list(renamed.values())), options


def _monitored(store: Store, models: Sequence[str], period: Period, *, every: bool) -> Monitored:
    """Return the alarms of processes in a period, and how they agree with labels; of `every` model of the store."""
    first, last = (f"{period.months[0]}-01", period.ends.isoformat())
    checked = last_check(store)
    found = [
        alarm
        for alarm in alarms(store)
        if (every or alarm.model in models)
        and alarm.day.isoformat() <= last
        and (alarm.state != "resolved" or (str(alarm.ended) if alarm.ended else alarm.changed) >= first)
    ]
    return Monitored(
        models=tuple(models),
        period=period.name,
        first=first,
        last=last,
        alarms=tuple(
            MonitoredAlarm(
                # A standing disparity's counts are those of the period, which have a section of their own.
                text=("" if models == [alarm.model] else f"{shortened(alarm.model)}: ")
                + alarm_subject(alarm, values=alarm.finding is None),
                day=alarm.day.isoformat(),
                state=alarm_state(alarm),
                acknowledged_by=alarm.acknowledged_by,
                note=alarm.note,
                done=tuple(map(action_text, alarm.actions)),
            )
            for alarm in found
        ),
        checked=None if checked is None else checked.isoformat(),
        quality=tuple(quality for model in models for quality in _quality(store, model, first, last)),
    )


def _composition(applicants: Applicants) -> list[GroupShare]:
    shares = []
    for attribute in applicants.attributes:
        known = applicants.counts.rename({PROTECTED + attribute: "group"}).drop_nulls("group")
        counts = known.group_by("stage", "group").agg(pl.sum("n"))
        counts = counts.with_columns(share=pl.col("n") / pl.col("n").sum().over("stage"))
        in_order = counts.sort(-pl.col("n").sum().over("stage"), "stage", "group")
        shares += [GroupShare(attribute=attribute, **row) for row in in_order.iter_rows(named=True)]
    return shares


def alike_people(clustered: ClusterCounts) -> pl.DataFrame:
    """Return how many people had the same decisions at a stage, each kind of them with a number.

    No number stands for a person, and nobody is followed from stage to stage.

    >>> cells = {"stage": ["", "", ""], "protected.sex": ["f", "f", "m"], "cluster_0": [7, 8, 9]}
    >>> counts = pl.DataFrame(cells | {"n": [2, 2, 1], "successes": [1, 1, 0]})
    >>> people = ClusterCounts(names=("person",), blocks=(), sizes=(3,), counts=counts, scores=None)
    >>> alike_people(people)["people"].to_list()
    [2, 1]
    """
    columns = [name for name in clustered.counts.columns if name != "cluster_0"]
    rows = clustered.counts.sort(columns).with_columns(decisions=pl.struct(columns).struct.json_encode())
    person = pl.col("decisions").str.join().over("stage", "cluster_0")
    alike = rows.with_columns(kind=person.rank("dense").cast(pl.Int64))
    people = alike.group_by("kind").agg(people=pl.col("cluster_0").n_unique().cast(pl.Int64))
    return alike.unique(["kind", "decisions"]).join(people, on="kind").select("kind", "people", *columns).sort(pl.all())


def people_as_clusters(people: pl.DataFrame) -> ClusterCounts:
    """Return the people of `alike_people` as clusters."""
    first = people.unique("kind").sort("kind").select("kind", start=pl.cum_sum("people") - pl.col("people"))
    each = people.join(first, on="kind").with_columns(place=pl.int_ranges(pl.col("people"))).explode("place")
    counts = each.with_columns(cluster_0=pl.col("start") + pl.col("place")).drop("kind", "people", "start", "place")
    sizes = (counts["cluster_0"].n_unique(),)
    return ClusterCounts(names=(PERSON,), blocks=(), sizes=sizes, counts=counts, scores=None)


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
    return [_group_quality(model, attribute, group, summed(of)) for (attribute, group), of in sorted(parts.items())]


def _group_quality(model: str, attribute: str, group: str, counts: CellCounts) -> GroupQuality:
    sides = counts.scores_true, counts.scores_false
    auc = stats.auc(
        np.concatenate([side.values for side in sides]),
        np.repeat([True, False], [side.values.size for side in sides]),
        n=np.concatenate([side.counts for side in sides]),
    )
    return GroupQuality(
        model=model,
        attribute=attribute,
        group=group,
        labelled=sum(side.n for side in sides),
        auc=auc.estimate,
        auc_low=auc.low,
        auc_high=auc.high,
        compared=counts.compared,
        agreement=counts.agreed / counts.compared if counts.compared else None,
    )
