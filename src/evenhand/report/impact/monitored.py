"""Sections of the report of a period that a store holds: composition, standing disparities, alarms, and labels."""

from evenhand.report.impact.views import columns_table
from evenhand.report.page.parts import Part, Section
from evenhand.report.words.numbers import ABSENT, Scale, count_text, counted, percent_text
from evenhand.report.words.results import in_words
from evenhand.results.applicant_audit import GroupQuality, Monitored

_AUC = Scale(decimals=3)


def monitored_sections(monitored: Monitored) -> list[Section]:
    """Return the sections."""
    sections = [_standing(monitored), _alarms(monitored), _composition(monitored)]
    return sections + ([_labels(monitored)] if monitored.quality else [])


def monitored_sentence(monitored: Monitored) -> str:
    """Return how many standing disparities there were and the largest that is open, and how many alarms."""
    n, seen = len(monitored.standing), sum(alarm.acknowledged_by is not None for alarm in monitored.alarms)
    found = _none_standing(monitored)
    if monitored.standing:
        found = counted(n, "standing disparity", "standing disparities")
        found += f" in the period{'' if n == 1 else ', the largest'}: {monitored.standing[0]}"
    if not monitored.alarms:
        return found
    were = "was" if len(monitored.alarms) == 1 else "were"
    included = " (standing disparities included)" if monitored.standing else ""
    rang = f"{counted(len(monitored.alarms), 'alarm')}{included} fired in the period or {were} open in it"
    return f"{found} {rang}, {count_text(seen) if seen else 'none'} acknowledged."


def _none_standing(monitored: Monitored) -> str:
    if not monitored.months:
        return "The rules look for no standing disparities."
    until = f"enough decisions in the {counted(monitored.months, 'month')} up to"
    if not monitored.compared:
        return f"No two groups had {until} the end of the period to be compared."
    pairs = f"{counted(monitored.compared, 'pair')} of groups had {until} its end."
    return f"No standing disparity was open in the period; {pairs}"


def _composition(monitored: Monitored) -> Section:
    """Return how many of each group were decided on at each stage."""
    cells = {
        (row.stage or "Decisions", f"{in_words(row.attribute)}: {row.group}"): (
            f"{count_text(row.n)} ({percent_text(row.share)})"
        )
        for row in monitored.composition
    }
    stages, groups = (list(dict.fromkeys(place)) for place in zip(*cells, strict=True))
    # What there is less of lies across, so that many processes fit.
    down, across = (stages, groups) if len(stages) > len(groups) else (groups, stages)
    table = columns_table(
        {column: [cells.get((row, column), cells.get((column, row), ABSENT)) for row in down] for column in across},
        caption="Decisions by group and stage, and the share of those whose group is known",
        first="Stage" if down is stages else "Group",
        labels=down,
    )
    return Section(name="composition", heading="Who was decided on", parts=[Part(tables=[table])])


def _standing(monitored: Monitored) -> Section:
    """Return the standing disparities, which look at months before the period as well."""
    pairs = f"{counted(monitored.compared, 'pair')} of groups {'was' if monitored.compared == 1 else 'were'} compared"
    looked = (
        f"At the last look, {monitored.last}, {pairs} over up to 12 months: the groups with enough decisions, as a "
    )
    looked += "whole and within each position, decider and breakdown. Where nothing differs at most 5 % of years find "
    looked += "any standing disparity in the store, unless people have several decisions and were "
    looked += "recorded without a unit."
    none = [] if monitored.standing else [_none_standing(monitored)]
    text = [*monitored.standing, *none, *([looked] if monitored.compared else [])]
    return Section(name="standing", heading="Standing disparities", text=text)


def _alarms(monitored: Monitored) -> Section:
    """Return the alarms that fired in the period or were still open, and who has seen them."""
    if monitored.checked is None:
        return Section(name="alarms", heading="Alarms, and what was done", text=["No check of the store was made."])
    as_of = f"As of the last check of the store, up to {monitored.checked} (UTC)."
    if not monitored.alarms:
        text = [f"No alarm fired in the period or was open. {as_of}"]
        return Section(name="alarms", heading="Alarms, and what was done", text=text)
    table = columns_table(
        {
            "Alarm": [alarm.text for alarm in monitored.alarms],
            "State": [alarm.state for alarm in monitored.alarms],
            "Seen by": [alarm.acknowledged_by or ABSENT for alarm in monitored.alarms],
            "What was done": ["; ".join(alarm.done) or alarm.note or ABSENT for alarm in monitored.alarms],
        },
        caption="Alarms that fired in the period, or were open",
        first="Found on",
        labels=[alarm.day for alarm in monitored.alarms],
        words=["Alarm", "State", "Seen by", "What was done"],
    )
    return Section(name="alarms", heading="Alarms, and what was done", text=[as_of], parts=[Part(tables=[table])])


def _labels(monitored: Monitored) -> Section:
    """Return how scores and decisions agree with labels, by group; described, not compared."""
    rows = monitored.quality
    table = columns_table(
        {
            "Scores with a label": [count_text(row.labelled) if row.labelled else ABSENT for row in rows],
            "AUC (95 % CI)": [_auc(row) for row in rows],
            "Decisions with a label": [count_text(row.compared) if row.compared else ABSENT for row in rows],
            "Agree": [ABSENT if row.agreement is None else percent_text(row.agreement) for row in rows],
        },
        caption="Scores, decisions and labels, by group; described, not compared",
        first="Group",
        labels=[
            f"{f'{row.model}, ' if len(monitored.models) > 1 else ''}{in_words(row.attribute)}: {row.group}"
            for row in rows
        ],
    )
    return Section(name="labels", heading="Scores, decisions and labels", parts=[Part(tables=[table])])


def _auc(row: GroupQuality) -> str:
    if row.auc is None:
        return ABSENT
    interval = _AUC.interval(row.auc_low, row.auc_high)
    return _AUC.number(row.auc) if interval == ABSENT else f"{_AUC.number(row.auc)} ({interval})"
