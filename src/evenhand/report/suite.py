"""The summary of a suite: a line per probe, and a chapter per probe with the way to its own report."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Final
from urllib.parse import quote

from evenhand.report.page.contents import SUITE, Page, other_parameters, suite_parameter_rows
from evenhand.report.page.parts import NextStep, PageSummary, Part, Section, Table, interval_heading, table_of
from evenhand.report.population import population_sentences, population_tables
from evenhand.report.probe import summary
from evenhand.report.probe.headline import chart_note, headline_part
from evenhand.report.words import results
from evenhand.report.words.numbers import ABSENT, count_text
from evenhand.results.audit import SuiteAudit
from evenhand.results.finding import Finding
from evenhand.results.probe_groups import RACE, Headline, SuiteGroups, distance
from evenhand.results.result import REPORT


def _suite_summary(probes: Sequence[SuiteGroups], audit: SuiteAudit) -> PageSummary:
    rows = [_Row(groups=groups, headline=_most_telling(groups)) for groups in probes]
    texts = [(f"{_title(groups)}: ", *_sentences(groups)) for groups in probes]
    sentences = [title + " ".join(found) for title, found, _ in texts if found]
    sentences += [title + quiet for title, _, quiet in texts if quiet]
    if len(probes) > 1 and any(finding.is_difference for groups in probes for finding in _planned(groups)):
        sentences.append(
            "Each p is corrected over the planned comparisons of its probe; --fail-on difference corrects over those "
            "of all probes."
        )
    return PageSummary(
        sentences=sentences,
        tables=[_table(rows)] if rows else [],
        steps=_steps(probes, audit),
    )


def _planned(groups: SuiteGroups) -> list[Finding]:
    return [row.finding for row in _measures(groups) if row.finding.claim is not None and row.finding.claim.planned]


def _title(groups: SuiteGroups) -> str:
    return groups.probe.title or groups.probe.probe


@dataclass(frozen=True, kw_only=True)
class _Row:
    """A probe and its representative measure; None where nothing was measured."""

    groups: SuiteGroups
    headline: summary.HeadlineSentences | None

    @property
    def computed(self) -> list[Finding]:
        """Return the computed headline measures, or those of groups against the average."""
        return [row.finding for row in _measures(self.groups) if row.finding.estimate is not None]


def _measures(groups: SuiteGroups) -> list[Headline]:
    cells = [] if groups.population is None else [finding for finding in groups.population.whole.cells if finding.focal]
    return [*groups.headline, *(Headline(finding=finding, groups=()) for finding in cells)]


def _most_telling(groups: SuiteGroups) -> summary.HeadlineSentences | None:
    """Return the representative measure of a probe."""
    known = [row for row in _measures(groups) if row.finding.estimate is not None]
    if not known:
        return None
    most = max(known, key=_telling)
    heading = results.heading_of(most.finding, groups.probe)
    if groups.population is not None and most.finding.focal:
        heading = f"{results.capital(results.group_label(most.finding.focal))} names, against the average of all groups"
    return summary.HeadlineSentences(headline=most, audit=groups.probe, heading=f"{_title(groups)}: {heading}")


def _telling(headline: Headline) -> tuple[bool, str, float]:
    """Return the sort key of a measure: significance, then mark, then distance."""
    return results.is_significant(headline.finding), _letter(headline.finding), distance(headline.finding)


def _letter(finding: Finding) -> str:
    """Return the mark where it is a letter; "" sorts before all."""
    return finding.mark if finding.mark and finding.mark.isalpha() else ""


def _table(rows: Sequence[_Row]) -> Table:
    known = [row.headline.headline.finding for row in rows if row.headline]

    def of_finding(cell: Callable[[Finding], str], otherwise: str = ABSENT) -> Callable[[_Row], str]:
        return lambda row: cell(row.headline.headline.finding) if row.headline else otherwise

    columns = {
        "Probe: measure": lambda row: row.headline.heading if row.headline else _title(row.groups),
        "Estimate": of_finding(results.estimate_text, "not computed"),
        interval_heading(known): of_finding(results.interval_text),
        "n": of_finding(lambda finding: count_text(finding.n)),
        "Worst mark": _worst,
        "Statistically significant?": _significant,
    }
    table = table_of(
        rows,
        columns,
        caption="The strongest measure of each probe: by significance, then mark, then size",
    )
    return replace(table, intervals=summary.headline_intervals([row.headline for row in rows]))


def _worst(row: _Row) -> str:
    """Return the worst mark of the probe's measures, and whether the measure of this line has it."""
    if row.headline is None:
        return ABSENT
    worst, headline_letter = max(_letter(finding) for finding in row.computed), _letter(row.headline.headline.finding)
    return worst if worst == headline_letter and worst else f"{worst} (of another measure)" if worst else ABSENT


def _significant(row: _Row) -> str:
    """Return how many measures of the probe are significant."""
    if row.headline is None:
        return ABSENT
    if all(finding.low is None for finding in row.computed):
        return "no interval"
    judged = [finding for finding in row.computed if finding.verdict not in {None, "not_judged"}]
    if not judged:
        return "not judged"
    count, total = sum(map(results.is_significant, judged)), len(judged)
    noun = "groups" if row.groups.population is not None else "measures"
    return f"yes, {count} of {total} {noun}" if count and total > 1 else "yes" if count else "no"


def _sentences(groups: SuiteGroups) -> tuple[list[str], str]:
    """Return the result of a probe; below its differences, if any, one sentence of where none was detected."""
    probe = groups.probe
    sentences = [] if groups.population is None else population_sentences(groups.population, probe)
    rows = [row for row in groups.headline if results.is_significant(row.finding)]
    rows.sort(key=lambda row: distance(row.finding), reverse=True)
    sentences += [results.result_sentence(row.finding, probe, row.groups) for row in rows]
    quiet = [row for row in groups.headline if _is_quiet(row)]
    unknown = [row for row in groups.headline if row.finding.low is None]
    lacking, leads = summary.unreadable_sentence(
        probe, [results.wording_of(row.finding, probe).topic for row in unknown]
    )
    topics = ", or in ".join(results.wording_of(row.finding, probe).topic for row in quiet)
    undetected = f"No statistically significant difference was detected in {topics}." if quiet else ""
    below = undetected if rows else ""
    sentences += [] if rows or not undetected else [undetected]
    if not (lacking and leads):
        sentences += results.result_sentences([(row.finding, row.groups) for row in unknown], probe)
    of_race = [part for part in groups.parts if set(part.slice) == {RACE}]
    sentences += summary.exploratory_sentences(groups.race, of_race, groups.headline, probe)
    sentences = [lacking, *sentences] if leads else [*sentences, lacking]
    return [sentence for sentence in sentences if sentence], below


def _is_quiet(headline: Headline) -> bool:
    finding = headline.finding
    return finding.low is not None and not results.is_significant(finding)


def _steps(probes: Sequence[SuiteGroups], audit: SuiteAudit) -> list[NextStep]:
    """Return the next steps; commands on a run of the suite are for the folder of the report."""
    steps = []
    quiet = [(groups, headline.finding) for groups in probes for headline in groups.headline if _is_quiet(headline)]
    for groups, finding in quiet:
        sample = summary.larger_sample_of(finding, groups.probe.attempts)
        command = summary.with_option(audit.reproduce, summary.SAMPLE, str(sample)) if sample else ""
        if command:
            question = summary.conclusion_question(finding, sample or 0, of=f" in {_title(groups)}")
            steps.append(NextStep(question=question, command=command))
            break
    by_race = next((groups for groups in probes if groups.probe.success == "accepted" and groups.headline), None)
    if by_race is not None and any(row.finding.estimate is not None for row in by_race.headline):
        question = f"What are the acceptance rates by race in {_title(by_race)}?"
        command = f"evenhand impact {quote(by_race.probe.folder)} --protected race"
        steps.append(NextStep(question=question, command=command, folder=by_race.probe.folder))
    if any(row.finding.estimate is not None for probe in probes for row in probe.headline):
        steps.append(
            NextStep(question="Do other models do the same? Put the suite to one of them and compare the runs.")
        )
    return steps[: summary.MOST_STEPS]


def _probe_sections(probes: Sequence[SuiteGroups]) -> list[Section]:
    """Return one section per probe, with a link to its report; the first has the note on charts."""
    noted = next((groups for groups in probes if groups.headline), None)
    return [
        Section(
            name=f"probe-{number}",
            heading=groups.probe.title or groups.probe.probe or groups.probe.folder,
            text=[
                *([groups.probe.question] if groups.probe.question else []),
                *([chart_note(groups.headline, groups.probe)] if groups is noted else []),
            ],
            parts=_parts(groups),
            folded=True,
        )
        for number, groups in enumerate(probes, start=1)
    ]


def _parts(groups: SuiteGroups) -> list[Part]:
    entry = groups.probe
    rows = [summary.HeadlineSentences(headline=row, audit=entry) for row in groups.headline]
    tables = [summary.headline_table(rows)] if len(rows) > 1 else []
    tables += [] if groups.population is None else population_tables(groups.population)
    return [
        Part(
            link=quote(f"{entry.folder}/{REPORT}") if entry.folder else None,
            tables=tables,
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
