"""Sections of the report of a period that a store holds: composition, standing disparities, alarms, and labels."""

from evenhand.report.impact.views import columns_table
from evenhand.report.page.parts import Part, Section
from evenhand.report.words.numbers import ABSENT, Scale, count_text, counted, percent_text
from evenhand.report.words.results import in_words
from evenhand.results.applicant_audit import GroupQuality, Monitored

_AUC = Scale(decimals=3)


def monitored_sections(monitored: Monitored) -> list[Section]:
    """Return the sections."""
    sections = [_composition(monitored), _standing(monitored), _alarms(monitored)]
    return sections + ([_labels(monitored)] if monitored.quality else [])


def monitored_sentence(monitored: Monitored) -> str:
    """Return how many standing disparities and alarms there were, and the first disparity that is not over."""
    found, first = "no standing disparity was open", ""
    if monitored.standing:
        found = f"{counted(len(monitored.standing), 'standing disparity was', 'standing disparities were')} open"
        first = f" Standing: {min(monitored.standing, key=lambda text: ', over on ' in text)}"
    seen = sum(alarm.acknowledged_by is not None for alarm in monitored.alarms)
    rang = f"{counted(len(monitored.alarms), 'alarm')} rang in it or {'were' if len(monitored.alarms) > 1 else 'was'}"
    alarms = f"; {rang} still open, {count_text(seen) if seen else 'none'} acknowledged"
    return f"In the period {found}{alarms if monitored.alarms else ''}.{first}"


def _composition(monitored: Monitored) -> Section:
    """Return how many of each group were decided on at each stage."""
    stages = list(dict.fromkeys(row.stage for row in monitored.composition))
    by_group: dict[tuple[str, str], dict[str, str]] = {}
    for row in monitored.composition:
        text = f"{count_text(row.n)} ({percent_text(row.share)})"
        by_group.setdefault((row.attribute, row.group), {})[row.stage] = text
    table = columns_table(
        {stage or "Decisions": [cells.get(stage, ABSENT) for cells in by_group.values()] for stage in stages},
        caption="Decisions by group and stage, and the share of those whose group is known",
        first="Group",
        labels=[f"{in_words(attribute)}: {group}" for attribute, group in by_group],
    )
    return Section(name="composition", heading="Who was decided on", parts=[Part(tables=[table])])


def _standing(monitored: Monitored) -> Section:
    """Return the standing disparities, which look at months before the period as well."""
    looked = f"At the last look, {monitored.last}, {counted(monitored.compared, 'pair')} of groups were compared over "
    looked += "up to 12 months; where nothing differs at most 5 % of years find any standing disparity in the store."
    if not monitored.compared:
        looked = "No two groups had enough decisions at the last look to be compared."
    text = [looked] if monitored.standing else [f"No standing disparity was open. {looked}"]
    return Section(name="standing", heading="Standing disparities", text=[*text, *monitored.standing])


def _alarms(monitored: Monitored) -> Section:
    """Return the alarms that rang in the period or were still open, and who has seen them."""
    if monitored.checked is None:
        return Section(name="alarms", heading="Alarms, and what was done", text=["No check of the store was made."])
    as_of = f"As of the last check of the store, up to {monitored.checked} (UTC)."
    if not monitored.alarms:
        text = [f"No alarm rang in the period or was open. {as_of}"]
        return Section(name="alarms", heading="Alarms, and what was done", text=text)
    table = columns_table(
        {
            "Alarm": [alarm.text for alarm in monitored.alarms],
            "State": [alarm.state for alarm in monitored.alarms],
            "Seen by": [alarm.acknowledged_by or ABSENT for alarm in monitored.alarms],
            "What was done": [alarm.note or ABSENT for alarm in monitored.alarms],
        },
        caption="Alarms that rang in the period, or were open",
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
        caption="Scores and decisions beside their labels, by group; described, not compared",
        first="Group",
        labels=[
            f"{f'{row.model}, ' if len(monitored.models) > 1 else ''}{in_words(row.attribute)}: {row.group}"
            for row in rows
        ],
    )
    return Section(name="labels", heading="Scores and decisions beside the labels", parts=[Part(tables=[table])])


def _auc(row: GroupQuality) -> str:
    if row.auc is None:
        return ABSENT
    interval = _AUC.interval(row.auc_low, row.auc_high)
    return _AUC.number(row.auc) if interval == ABSENT else f"{_AUC.number(row.auc)} ({interval})"
