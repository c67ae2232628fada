"""The summary of a suite: a line per probe, and a chapter per probe with the way to its own report."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final
from urllib.parse import quote

from evenhand.report.page.contents import Page
from evenhand.report.page.context import other_parameters, suite_parameter_rows
from evenhand.report.page.document import REPORT
from evenhand.report.page.parts import Column, NextStep, PageSummary, Part, Section, Table
from evenhand.report.page.text import SUITE
from evenhand.report.population import population_figure, population_sentences
from evenhand.report.probe import summary
from evenhand.report.probe.headline import chart_note, headline_part
from evenhand.report.words import results
from evenhand.report.words.numbers import ABSENT, confidence_text, count_text
from evenhand.results.audit import SuiteAudit
from evenhand.results.finding import Finding
from evenhand.results.probe_groups import RACE, Headline, SuiteGroups, distance


def _suite_summary(probes: Sequence[SuiteGroups], audit: SuiteAudit) -> PageSummary:
    rows = [_Row(groups=each, told=_most_telling(each)) for each in probes]
    table = _table(rows)
    figure = summary.headline_figure([row.told for row in rows if row.told is not None], table)
    return PageSummary(
        sentences=[f"{_title(each)}: {' '.join(told)}" for each in probes if (told := _sentences(each))],
        tables=[table] if rows and not figure else [],
        figures=[figure] if figure else [],
        steps=_steps(probes, audit),
    )


def _title(groups: SuiteGroups) -> str:
    return groups.probe.title or groups.probe.probe


@dataclass(frozen=True, kw_only=True)
class _Row:
    """A probe, and the measure that says most of it; None where nothing was measured."""

    groups: SuiteGroups
    told: summary.HeadlineSentences | None

    @property
    def found(self) -> list[Finding]:
        """Return what the probe's question is answered by: headline measures, or groups against the average."""
        return [each.finding for each in _measures(self.groups) if each.finding.estimate is not None]


def _measures(groups: SuiteGroups) -> list[Headline]:
    cells = [] if groups.population is None else [each for each in groups.population.whole.cells if each.focal]
    return [*groups.headline, *(Headline(finding=each, groups=()) for each in cells)]


def _most_telling(groups: SuiteGroups) -> summary.HeadlineSentences | None:
    """Return the measure that a probe's line has."""
    known = [each for each in _measures(groups) if each.finding.estimate is not None]
    if not known:
        return None
    most = max(known, key=_telling)
    heading = results.heading_of(most.finding, groups.probe)
    if groups.population is not None and most.finding.focal:
        heading = f"{results.capital(results.group_label(most.finding.focal))} names, against the average of all groups"
    return summary.HeadlineSentences(headline=most, audit=groups.probe, heading=f"{_title(groups)}: {heading}")


def _telling(headline: Headline) -> tuple[bool, str, float]:
    """Return what sorts a significant measure behind others, then the worst mark, then the largest distance."""
    return results.is_significant(headline.finding), _letter(headline.finding), distance(headline.finding)


def _letter(finding: Finding) -> str:
    """Return the mark where it is a letter; "" sorts before all."""
    return finding.mark if finding.mark and finding.mark.isalpha() else ""


def _table(rows: Sequence[_Row]) -> Table:
    """Return one line per probe."""
    findings = [row.told.headline.finding if row.told else None for row in rows]
    level = {confidence_text(each.confidence) for each in findings if each is not None}
    columns = {
        "Probe: measure": [row.told.heading if row.told else _title(row.groups) for row in rows],
        "Estimate": ["not computed" if each is None else results.points_text(each) for each in findings],
        f"{level.pop()} CI" if len(level) == 1 else "CI": [
            ABSENT if each is None else results.points_interval(each) for each in findings
        ],
        "n": [ABSENT if each is None else count_text(each.n) for each in findings],
        "Worst mark": [_worst(row) for row in rows],
        "Statistically significant?": [_significant(row) for row in rows],
    }
    words = {"Worst mark", "Statistically significant?"}
    return Table(
        caption="The most telling measure of each probe: a statistically significant one, then that of the worst mark",
        columns=[Column(label=label, numeric=place > 0 and label not in words) for place, label in enumerate(columns)],
        rows=list(zip(*columns.values(), strict=True)),
    )


def _worst(row: _Row) -> str:
    """Return the worst mark of the probe's measures, and whether the measure of this line has it."""
    if row.told is None:
        return ABSENT
    worst, own = max(_letter(each) for each in row.found), _letter(row.told.headline.finding)
    return worst if worst == own and worst else f"{worst} (of another measure)" if worst else ABSENT


def _significant(row: _Row) -> str:
    """Return whether a measure of the probe is significant, and how many of them are."""
    if row.told is None:
        return ABSENT
    if all(each.low is None for each in row.found):
        return "no interval"
    count, of = sum(map(results.is_significant, row.found)), len(row.found)
    what = "groups" if row.groups.population is not None else "measures"
    return f"yes, {count} of {of} {what}" if count and of > 1 else "yes" if count else "no"


def _sentences(groups: SuiteGroups) -> list[str]:
    """Return what a probe found: each difference, then in one sentence where none was detected."""
    probe = groups.probe
    told = [] if groups.population is None else population_sentences(groups.population, probe)
    found = [
        each
        for each in groups.headline
        if results.is_significant(each.finding) or results.is_contradicted(each.finding)
    ]
    found.sort(key=_telling, reverse=True)
    told += [results.result_sentence(each.finding, probe, each.groups) for each in found]
    quiet = [each for each in groups.headline if _is_quiet(each)]
    unknown = [each for each in groups.headline if each.finding.low is None]
    lacking, leads = summary.unreadable_sentence(
        probe, [results.wording_of(each.finding, probe).topic for each in unknown]
    )
    if quiet:
        topics = ", or in ".join(results.wording_of(each.finding, probe).topic for each in quiet)
        told.append(f"No statistically significant difference was detected in {topics}.")
    if not (lacking and leads):
        told += results.result_sentences([(each.finding, each.groups) for each in unknown], probe)
    of_race = [each for each in groups.parts if set(each.slice) == {RACE}]
    told += summary.exploratory_sentences(groups.race, of_race, groups.headline, probe)
    told = [lacking, *told] if leads else [*told, lacking]
    return [sentence for sentence in told if sentence]


def _is_quiet(headline: Headline) -> bool:
    finding = headline.finding
    return finding.low is not None and not results.is_significant(finding) and not results.is_contradicted(finding)


def _steps(probes: Sequence[SuiteGroups], audit: SuiteAudit) -> list[NextStep]:
    """Return what to look at next; a command on a run of the suite is for the folder of the report."""
    found = []
    quiet = [(each, headline.finding) for each in probes for headline in each.headline if _is_quiet(headline)]
    for each, finding in quiet:
        sample = summary.larger_sample_of(finding, each.probe.attempts)
        command = summary.with_option(audit.reproduce, summary.SAMPLE, str(sample)) if sample else ""
        if command:
            question = summary.conclusion_question(finding, sample or 0, of=f" in {_title(each)}")
            found.append(NextStep(question=question, command=command))
            break
    by_race = next((each for each in probes if each.probe.success == "accepted" and each.headline), None)
    if by_race is not None and any(each.finding.estimate is not None for each in by_race.headline):
        question = f"What are the acceptance rates by race in {_title(by_race)}?"
        command = f"evenhand impact {quote(by_race.probe.folder)} --protected race"
        found.append(NextStep(question=question, command=command, folder=by_race.probe.folder))
    if any(each.finding.estimate is not None for probe in probes for each in probe.headline):
        found.append(
            NextStep(question="Do other models do the same? Put the suite to one of them and compare the runs.")
        )
    return found[: summary.MOST_STEPS]


def _probe_sections(probes: Sequence[SuiteGroups]) -> list[Section]:
    """Return one chapter per probe, with the way to its report; how charts are read stands in the first one."""
    noted = next((each for each in probes if each.headline), None)
    return [
        Section(
            name=f"probe-{number}",
            heading=each.probe.title or each.probe.probe or each.probe.folder,
            text=[
                *([each.probe.question] if each.probe.question else []),
                *([chart_note(each.headline, each.probe)] if each is noted else []),
            ],
            parts=_parts(each),
        )
        for number, each in enumerate(probes, start=1)
    ]


def _parts(groups: SuiteGroups) -> list[Part]:
    entry = groups.probe
    rows = [summary.HeadlineSentences(headline=each, audit=entry) for each in groups.headline]
    figure = None if groups.population is None else population_figure(groups.population)
    return [
        Part(
            link=quote(f"{entry.folder}/{REPORT}") if entry.folder else None,
            tables=[summary.headline_table(rows)] if len(rows) > 1 else [],
            figures=[figure] if figure else [],
        ),
        *(headline_part(finding, entry) for finding in groups.headline or groups.others),
    ]


PAGE: Final[Page[SuiteAudit, tuple[SuiteGroups, ...]]] = Page(
    opening=lambda content: _suite_summary(content.groups, content.audit),
    chapters=lambda content: _probe_sections(content.groups),
    asked=lambda content: suite_parameter_rows(content.audit),
    other=lambda content: other_parameters(content.audit),
    text=SUITE,
)
