"""The summary of a suite: a line per headline measure, and a chart per probe with the way to its own report."""

from collections.abc import Sequence
from typing import Final
from urllib.parse import quote

from evenhand.report.page.contents import Page
from evenhand.report.page.context import asked_of_suite
from evenhand.report.page.document import REPORT
from evenhand.report.page.parts import NextStep, Opening, Part, Section
from evenhand.report.population.opening import population_opening
from evenhand.report.probe.headline import headline_part
from evenhand.report.probe.opening import (
    Told,
    exploratory_sentences,
    headline_figure,
    headline_table,
    unreadable_sentence,
)
from evenhand.report.probe.steps import MOST_STEPS, SAMPLE, conclusion_question, larger_sample_of, with_option
from evenhand.report.words.results import is_significant, result_sentence, wording_of
from evenhand.tables.audit.suite import SuiteAudit
from evenhand.tables.grouped.probe import Headline
from evenhand.tables.grouped.suite import SuiteGroups

__all__ = ["PAGE"]


def _opening(probes: Sequence[SuiteGroups], audit: SuiteAudit) -> Opening:
    rows = [
        Told(headline=headline, audit=each.probe, probe=_title(each)) for each in probes for headline in each.headline
    ]
    known = [each for each in rows if each.headline.finding.estimate is not None]
    figure = headline_figure(rows)
    return Opening(
        sentences=[sentence for each in probes for sentence in _sentences(each)],
        tables=[headline_table(rows)] if known and not figure else [],
        figures=[figure] if figure else [],
        steps=_steps(probes, audit),
    )


def _title(groups: SuiteGroups) -> str:
    return groups.probe.title or groups.probe.probe


def _sentences(groups: SuiteGroups) -> list[str]:
    """Return what a probe found, named with it: each difference, then in one sentence where none was detected."""
    probe = groups.probe
    told = [] if groups.population is None else population_opening(groups.population, probe)
    told += [
        result_sentence(each.finding, probe, each.groups) for each in groups.headline if is_significant(each.finding)
    ]
    quiet = [each for each in groups.headline if _is_quiet(each)]
    unknown = [each for each in groups.headline if each.finding.low is None]
    lacking, leads = unreadable_sentence(probe, [wording_of(each.finding, probe).topic for each in unknown])
    if quiet:
        topics = ", or in ".join(wording_of(each.finding, probe).topic for each in quiet)
        told.append(f"No statistically significant difference was detected in {topics}.")
    if not (lacking and leads):
        told += [result_sentence(each.finding, probe, each.groups) for each in unknown]
    told += exploratory_sentences(groups.race, groups.parts, groups.headline, probe)
    told = [lacking, *told] if leads else [*told, lacking]
    return [f"{_title(groups)}: {sentence}" for sentence in told if sentence]


def _is_quiet(headline: Headline) -> bool:
    return headline.finding.low is not None and not is_significant(headline.finding)


def _steps(probes: Sequence[SuiteGroups], audit: SuiteAudit) -> list[NextStep]:
    """Return what to look at next; a command on a run of the suite is for the folder of the report."""
    found = []
    quiet = [(each, headline.finding) for each in probes for headline in each.headline if _is_quiet(headline)]
    for each, finding in quiet:
        sample = larger_sample_of(finding, each.probe.attempts)
        command = with_option(audit.reproduce, SAMPLE, str(sample)) if sample else ""
        if command:
            question = conclusion_question(finding, sample or 0, of=f" in {_title(each)}")
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
    return found[:MOST_STEPS]


def _chapters(probes: Sequence[SuiteGroups]) -> list[Section]:
    """Return one chapter per probe: its headline findings, and the way to its report."""
    sections = []
    for number, each in enumerate(probes):
        entry = each.probe
        sections.append(
            Section(
                name=f"probe-{number + 1}",
                heading=entry.title or entry.probe or entry.folder,
                text=[entry.question] if entry.question else [],
                parts=[
                    Part(link=quote(f"{entry.folder}/{REPORT}") if entry.folder else None),
                    *(headline_part(finding, entry) for finding in each.headline or each.others),
                ],
            )
        )
    return sections


PAGE: Final[Page[SuiteAudit, tuple[SuiteGroups, ...]]] = Page(
    opening=lambda content: _opening(content.groups, content.audit),
    chapters=lambda content: _chapters(content.groups),
    asked=lambda content: asked_of_suite(content.audit),
)
