"""What a kind of run puts on its page, with the headings, limits and terms around it, and what the terminal shows.

Set-up and unreadable answers are as the pages of probes and suites share them.
"""

from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from markupsafe import Markup

from evenhand.patterns import lazy_re
from evenhand.report.page import parts as page_parts
from evenhand.report.page.parts import PageSummary, Section, Table
from evenhand.report.words.numbers import ABSENT, MINUS, count_text, general_text, p_text
from evenhand.report.words.results import capital, estimate_text, group_label, in_words, interval_text
from evenhand.results.audit import Account, CompareAudit, Example, Header, ProbeAudit, SuiteAudit, Usage
from evenhand.results.finding import Finding
from evenhand.results.kinds import loaded, run_kind
from evenhand.results.measures import UNDETECTED_RATE
from evenhand.results.messages import shortened
from evenhand.results.result import REPORT, Result
from evenhand.results.terminal import Screen

if TYPE_CHECKING:
    from evenhand.report.population import CounterfactualText
    from evenhand.results.probe_groups import ProbeGroups


Definition = tuple[str, str]

#: The page says next to the result that a disparity is no proof.
GENERAL_LIMITS = ("The measures describe this model, with these parameters, on these prompts, at the time of the run.",)

TERMS: tuple[Definition, ...] = (
    (
        "Mark",
        (
            "A letter from A (nearest) to D (farthest) for the distance of an estimate from the value that stands for "
            "no difference. It is a shorthand for size, not a legal finding. Read it with the marks within the "
            "confidence interval."
        ),
    ),
    (
        "Confidence interval (CI)",
        (
            "The range of values that are compatible with the data. The method of a 95 % CI catches the true value "
            "in 95 of 100 repetitions of the whole run. The interval accounts for variation between clusters such as "
            "names and occupations, so the result holds for others than those sampled; clusters of fewer than 10 "
            "levels are fixed. The tables of details also have other intervals."
        ),
    ),
    (
        "n and clusters",
        (
            "n is the number of units in an estimate. Answers about the same name form a cluster and carry less "
            "information than answers about as many names; the confidence interval accounts for this."
        ),
    ),
    (
        "Statistically significant",
        (
            "The confidence interval leaves out the value that stands for no difference, and, of several comparisons, "
            "the adjusted p is below 0.05. It says nothing about size."
        ),
    ),
    (
        "Equivalent",
        (
            "The 90 % confidence interval lies within the margin, which is that of mark A (two one-sided tests at 5 "
            "% each). A larger difference is not ruled out."
        ),
    ),
    (
        "p and adjusted p",
        (
            "p is the probability of a difference at least as large if there were none. The adjusted p also accounts "
            "for the number of comparisons. A high p is not evidence of equality."
        ),
    ),
    ("Percentage point", "The difference of two percentages: from 40 % to 44 % is 4 points."),
    ("Impact ratio", "A group's rate divided by the rate of the group with the highest rate."),
)
SIGNIFICANCE_MARK: Definition = (
    "Marks * and †",
    (
        "* stands for p below 0.05 and † for p below 0.01 in the study's test, one-sided in the observed direction. "
        "▲ means above and ▼ below the average of all groups. A mark shows how surprising a difference would be "
        "without any effect, not how large it is: without any effect, about one cell in ten gets one. It is not a "
        "legal finding."
    ),
)


def limits(audit: Header) -> list[str]:
    """Return the limits of this audit, the probe's own first."""
    limits_of_run = audit.limits
    return [*limits_of_run, *(limit for limit in GENERAL_LIMITS if limit not in limits_of_run)]


def definitions(marks: Container[str]) -> list[Definition]:
    """Return the terms that the report uses, in a sentence or two each.

    `marks` are those of the findings: letters, or '', * and † where a test gives them.
    """
    letters = any(letter in marks for letter in "ABCD")
    marks_used = [SIGNIFICANCE_MARK] if any(mark in marks for mark in ("", "*", "†")) else []
    return marks_used + [term for term in TERMS if letters or term[0] != "Mark"]


@dataclass(frozen=True, kw_only=True)
class PageText:
    """Headings and sentences around the sections."""

    kicker: str
    asked: str
    limits: str
    reproduce: str
    folder: str
    reading: str


MODEL = PageText(
    kicker="Audit report",
    asked="Audit set-up",
    limits="Limits",
    reproduce="This command asks the same prompts in the same order:",
    folder="The run folder keeps the manifest, every raw answer, the table of readings and the findings without "
    "rounding",
    reading=(
        "Read the confidence interval before the estimate, and the estimate before the mark. A wide interval means "
        "that more answers are needed, whatever the mark. Then look at the unreadable answers: a model that declines "
        "more often for one group treats it differently, whatever the rates say."
    ),
)
SAVED = replace(
    MODEL,
    reproduce="This command computes the same findings from the same answers:",
    folder="The run folder keeps the manifest, the table of readings and the findings without rounding",
)
SUITE = replace(
    MODEL,
    folder="The run folder keeps the manifest, the findings without rounding, and a folder with the run of each probe",
)
COMPARED = replace(
    MODEL,
    kicker="Comparison of models",
    reproduce="This command compares the same runs:",
    folder="The run folder keeps the manifest and the findings without rounding",
    reading=(
        "Read each difference between models with its confidence interval and its adjusted p. Two marks may differ "
        "although no difference between the models was detected."
    ),
)
APPLICANTS = PageText(
    kicker="Analysis of applicants",
    asked="What was analysed",
    limits="Limits of the data",
    reproduce="This command makes the same analysis of the same data:",
    folder="The run folder keeps the manifest, the counts, the tables and the findings without rounding",
    reading=(
        "First check who counts as an applicant. Then read the impact ratio with its confidence interval, and the "
        "four-fifths rule together with the test. A wide interval means that there are too few people for a clear "
        "answer. If groups apply to different positions, totals mislead: read the positions and the pooled odds "
        "ratio first."
    ),
)
FEATURES = PageText(
    kicker="Features",
    asked="What was analysed",
    limits="Limits of the table",
    reproduce="This command makes the same analysis of the same table:",
    folder="The run folder keeps the manifest, features.csv, proxies.csv and the findings without rounding",
    reading=(
        "Start with the features that need a look. A feature that predicts a group is not a fault by itself: check "
        "whether the job needs it. Read an AUC with its interval, and compare each feature with all features jointly."
    ),
)
PERTURBED = PageText(
    kicker="Perturbation test",
    asked="Audit set-up",
    limits="Limits",
    reproduce="This command asks for the same scores again:",
    folder="The run folder keeps the manifest, every raw score, the table of outcomes, perturb.csv and the findings "
    "without rounding",
    reading=(
        "Compare the confidence interval of each arm with that of the placebo: other names of the same group move "
        "scores, too. The report states a difference if p, adjusted for all arms, is below 0.05, and equivalence if "
        "the 90 % interval lies within the margin, an option of this run. Otherwise the question stays open."
    ),
)
STUDY = PageText(
    kicker="Study of scores",
    asked="What was analysed",
    limits="Limits",
    reproduce="This command makes the same analysis of the same table:",
    folder="The run folder keeps the manifest and the findings without rounding",
    reading=(
        "Read the placebo first, if there is one: edits without meaning may move scores, too. A level may differ "
        "from the unchanged baseline only because the text was edited; two levels of one arm were both edited. The "
        "report states a difference if p, adjusted for all planned comparisons, is below 0.05. Otherwise the "
        "question stays open."
    ),
)
EVALUATED = PageText(
    kicker="Evaluation of a score",
    asked="What was evaluated",
    limits="Limits of the data",
    reproduce="This command makes the same evaluation of the same data:",
    folder="The run folder keeps the manifest, cutoffs.csv and the findings without rounding",
    reading=(
        "First check who is counted: the outcome is known only for people who got a chance. Read AUC and error rates "
        "of each group with their intervals, then the differences with their adjusted p. A wide interval means that "
        "there are too few people for a clear answer. Groups with different base rates cannot be equal in every "
        "criterion."
    ),
)
GOLDEN = PageText(
    kicker="Golden set",
    asked="What was scored",
    limits="Limits of golden cases",
    reproduce="This command asks for the same scores again:",
    folder="The run folder keeps the manifest, every raw score, cases.csv with labels and scores, and the findings "
    "without rounding",
    reading=(
        "Start with accuracy, the share of cases that the scorer judges as people did, and with what changed since "
        "the previous run. Then read AUC and error rates of each group with their intervals, and the differences "
        "with their adjusted p. A wide interval means that there are too few cases for a clear answer."
    ),
)
MATCHED = PageText(
    kicker="Match scores",
    asked="What was matched",
    limits="Limits",
    reproduce="This command makes the same scores of the same files:",
    folder="The run folder keeps the manifest, what the command made, and the findings without rounding",
    reading=(
        "Read the AUC of each group with its confidence interval, then compare the gap of mean scores with the gap "
        "in the labels: a model that reproduces the labels reproduces what was unfair in them. Then check for each "
        "curve why the feature should matter for the job."
    ),
)

A = TypeVar("A", bound=Header)
G = TypeVar("G")


def _limits(content: Result[Header, Any]) -> list[str]:
    return limits(content.audit)


def _terms(content: Result[Header, Any]) -> list[Definition]:
    return definitions({finding.mark for finding in content.findings if finding.mark is not None})


def _nothing(_content: Result[Header, Any]) -> None:
    return None


def _none(_content: Result[Header, Any]) -> Sequence[Any]:
    return ()


def _no_card(_content: Result[Header, Any]) -> Markup:
    return Markup()


@dataclass(frozen=True, kw_only=True)
class Page(Generic[A, G]):
    """What the page of a kind of run shows, in the order of the page.

    `asked` is its set-up, `other` less important parameters. `everything` are the rows of the table of all findings;
    findings.csv has the others, too. `files` are those of its folder, by name, that only this kind has.
    """

    opening: Callable[[Result[A, G]], PageSummary]
    chapters: Callable[[Result[A, G]], list[Section]]
    asked: Callable[[Result[A, G]], list[Definition]]
    other: Callable[[Result[A, G]], Sequence[Definition]] = _none
    example: Callable[[Result[A, G]], Example | None] = _nothing
    twins: "Callable[[Result[A, G]], Sequence[CounterfactualText]]" = _none
    card: Callable[[Result[A, G]], Markup] = _no_card
    limits: Callable[[Result[A, G]], list[str]] = _limits
    definitions: Callable[[Result[A, G]], list[Definition]] = _terms
    everything: Callable[[Result[A, G]], Sequence[Finding]] = lambda content: content.findings
    files: Callable[[Result[A, G]], Mapping[str, bytes]] = lambda _content: {}
    text: PageText = MODEL


def page_of(content: Result[Header, Any]) -> Page[Any, Any]:
    """Return the page of the kind of run that a document is of."""
    page: Page[Any, Any] = loaded(run_kind(content.audit.kind).page)
    return page


MOST_ROWS = 40
_LONG_WORD = lazy_re(r"\S{61,}")


def run_text(result: Result[Any, Any], folder: Path) -> str:
    """Return the summary of the run in a folder: tables and sentences from the top of its page, and next steps."""
    content = result.legible()
    audit, screen = content.audit, Screen()
    if audit.simulated:
        screen.say(f"SIMULATED: {audit.simulated_note or ''}")
    screen.say(" · ".join(_short(part) for part in (audit.title, audit.model) if part))
    opening = page_of(content).opening(content)
    for table in [*opening.tables, *(table for figure in opening.figures for table in figure.tables)]:
        _draw(table, screen)
    for sentence in (*opening.sentences, *(f"Warning: {line}" for line in audit.warnings)):
        screen.say()
        screen.say(_short(sentence))
    if opening.steps:
        screen.say("\nWhat to look at next:")
    for step in opening.steps:
        screen.say(_short(step.question), bullet="- ")
        if step.command:
            screen.type(step.command_in(folder))
    if (folder / REPORT).is_file():
        screen.say()
        screen.keep(f"Open {folder / REPORT}")
    return screen.text


def _short(text: str) -> str:
    """Return the text with long words cut: a label may be as long as a page.

    >>> len(_short("Group " + "x" * 1000))
    66
    """
    return _LONG_WORD.sub(lambda word: shortened(word[0]), text)


def _draw(table: Table, screen: Screen) -> None:
    screen.say()
    rows = [[_short(cell) for cell in row] for row in table.rows[:MOST_ROWS]]
    screen.draw(replace(table, caption=_short(table.caption), rows=rows))
    if len(table.rows) > MOST_ROWS:
        screen.say(f"{len(table.rows) - MOST_ROWS} more are in findings.json.")


OBSERVED = "observed"
READ_ONLY = "Only answers that could be read enter the results above. All others are counted here."
STATUS_WORDS = {
    OBSERVED: "observed: a decision was read",
    "refused": "refused: the model declined to answer",
    "undetected": "undetected: no decision could be read",
    "ambiguous": "ambiguous: both decisions stand in the answer",
    "truncated": "truncated: the answer was cut off",
    "error": "error: the request failed for good",
    "missing": "missing: there is no answer",
}

#: How requests are sent, which no answer depends on.
SENDING = frozenset({"timeout", "concurrency", "batch", "rpm", "tpm"})


def parameter_rows(audit: ProbeAudit, *, saved: bool = False) -> list[Definition]:
    """Return the audit set-up, as pairs of a term and its value; `saved`: of answers given elsewhere."""
    returned = [name for name in audit.returned_models if name]
    version = f"version {audit.probe_version}" if audit.probe_version else ""
    counts = _counts(audit, saved=saved)
    values = {"items": audit.items, "sample": audit.sample, "population": audit.population, "answers": audit.attempts}
    rows = [
        ("Model", audit.model),
        ("Model named by the server", general_text(returned) if returned != [audit.model] else ""),
        ("Probe", " ".join(part for part in (audit.probe, version) if part)),
        ("Design", ": ".join(part for part in (audit.design, audit.design_note) if part)),
        *_files(audit.settings),
        *counts,
        *(
            _parameter(key, value)
            for key, value in audit.parameters.items()
            if _is_displayed(key, value) and (not counts or value != values.get(key))  # the counts above say it
        ),
        ("Part", audit.shard),
        ("Stopping", None if audit.stopping is None else audit.stopping.sentence),
        ("Answers kept", "outcomes only: the text of answers was redacted" if audit.redacted else ""),
        ("Cost", cost_text(audit)),
    ]
    return set_up(rows, audit)


def set_up(rows: Iterable[tuple[str, str | None]], audit: Header) -> list[Definition]:
    """Return terms with their values, those that have one, and when the run began and ended."""
    ends = (("Started", time_text(audit.started)), ("Finished", time_text(audit.finished)))
    return [(term, value) for term, value in (*rows, *ends) if value]


def suite_parameter_rows(audit: SuiteAudit) -> list[Definition]:
    """Return the set-up of a suite: model, parameters, cost of all probes."""
    return _run_parameter_rows(audit, [("Cost", cost_text(audit))])


def comparison_parameter_rows(audit: CompareAudit) -> list[Definition]:
    """Return the set-up of a comparison of runs."""
    return _run_parameter_rows(audit, [])


def other_parameters(audit: ProbeAudit | SuiteAudit) -> list[Definition]:
    """Return the parameters that were not given, and how requests were sent."""
    return [_parameter(key, value) for key, value in audit.parameters.items() if not _is_displayed(key, value)]


def _is_displayed(key: str, value: object) -> bool:
    return value is not None and key not in SENDING


def _run_parameter_rows(
    audit: SuiteAudit | CompareAudit, specific_rows: Sequence[tuple[str, str | None]]
) -> list[Definition]:
    rows = [
        ("Model", audit.model),
        *(_parameter(key, value) for key, value in audit.parameters.items() if _is_displayed(key, value)),
        *specific_rows,
    ]
    return set_up(rows, audit)


def _files(settings: Mapping[str, object]) -> list[Definition]:
    """Return the files of a probe's settings: names and the start of their SHA-256."""
    files = [(key, value) for key, value in settings.items() if isinstance(value, Mapping)]
    return [_parameter(key, f"{value.get('file')}, sha256 {str(value.get('sha256'))[:12]}…") for key, value in files]


def _parameter(key: str, value: object) -> Definition:
    return capital(in_words(key)).replace(" url", " URL"), general_text(value)


def _counts(audit: ProbeAudit, *, saved: bool) -> list[Definition]:
    """Return how many prompts, items and answers there are; equal numbers in one line."""
    items, answers, seeded = audit.items, audit.attempts, ", a prompt counting once per seed" if audit.seeded else ""
    if seeded and (saved or audit.sample is None):
        return [("Answers", f"{count_text(answers)}{seeded}")]
    if saved and items == answers:
        return [("Items", f"{count_text(items)}, one answer each")] if items is not None else []
    drawn = None if saved else audit.sample
    once = drawn == answers == items and not seeded
    lines = [
        ("Prompts drawn", _sample_text(audit) + (", each asked once" if once else seeded) if drawn else ""),
        ("Items", count_text(items) if items not in {None, drawn} and not seeded else ""),
        ("Answers" if saved else "Answers requested", count_text(answers) if answers not in {None, drawn} else ""),
    ]
    return [(term, value) for term, value in lines if value]


def _sample_text(audit: ProbeAudit) -> str:
    """Return the sample size, and the number of prompts it was drawn from."""
    sample, size = count_text(audit.sample), count_text(audit.population)
    return sample if audit.population is None else f"all {sample}" if sample == size else f"{sample} of {size}"


def cost_text(audit: Account) -> str | None:
    """Return the cost and the tokens; None for a simulated model without prices."""
    cost, usage = audit.cost, audit.usage or Usage()
    tokens = ""
    if usage.answers:
        tokens = f"{count_text(usage.input_tokens)} tokens in, {count_text(usage.output_tokens)} out"
    if cost is None:
        reason = None if audit.simulated else audit.cost_reason
        return " ".join(part for part in (reason and f"not known. {reason}", tokens and f"{tokens}.") if part) or None
    parts = [f"{cost:.4f} {audit.currency or ''}".strip()]
    if tokens:
        parts.append(tokens)
    if usage.answers_without_usage:
        parts.append(f"estimated for {count_text(usage.answers_without_usage)} answers without usage")
    if audit.cost_uncertain:
        parts.append(f"and up to {audit.cost_uncertain:.4f} more for tries without an answer")
    return "; ".join(parts)


def time_text(value: str | None) -> str:
    """Return an ISO time to the second."""
    text = value or ""
    date, separator, rest = text.partition("T")
    if not separator:
        return text
    clock = rest.partition(".")[0].removesuffix("Z").partition("+")[0]
    return f"{date} {clock} UTC" if rest.endswith(("Z", "+00:00")) else text


def undetected_section(
    unread: "ProbeGroups", audit: ProbeAudit, bounds: page_parts.Table | None = None
) -> page_parts.Section | None:
    """Return the unreadable answers: counts by status, rates by group, or None; folded where there are none.

    `bounds` are headline comparisons if unread answers were taken either way.
    """
    tables = [] if bounds is None else [bounds]
    statuses, counted = {key: count for key, count in audit.statuses.items() if count}, audit.counted or "answers"
    if statuses:
        lines = [(STATUS_WORDS.get(key, in_words(key)), count_text(count)) for key, count in statuses.items()]
        tables.append(page_parts.table(f"{capital(counted)} by status", ("Status", "Answers"), lines))
    rules = audit.reading_rules
    if rules:
        lines = [(in_words(rule), count_text(count)) for rule, count in rules.items()]
        tables.append(page_parts.table(f"{capital(counted)} by the rule that read them", ("Rule", "Answers"), lines))
    overall, groups, tests = unread.undetected, unread.undetected_groups, unread.undetected_contrasts
    if overall:
        tables.append(
            page_parts.estimate_table(
                overall,
                caption="Unreadable answers over the whole run",
                first="Rate of",
                label=lambda row: capital(
                    f"unreadable {in_words(row.measure.removeprefix(UNDETECTED_RATE)) or 'answers'}"
                ),
                without={"p"},  # their test compares the groups, and stands below
            )
        )
    figures = []
    if groups:
        figures.append(page_parts.interval_figure(groups, title="Unreadable answers, by group", axis="% of answers"))
    if tests or any(row.tests for row in overall):
        tables.append(replace(_differences(tests, overall), folded=True))
    if not tables and not figures:
        return None
    readable = set(statuses) == {OBSERVED}
    return page_parts.Section(
        name="undetected",
        heading="Unreadable answers",
        text=[f"All {count_text(statuses[OBSERVED])} {counted} were read." if readable else READ_ONLY],
        parts=[
            page_parts.Part(
                heading="Counts and rates" if readable else "", figures=figures, tables=tables, folded=readable
            )
        ],
    )


def _differences(contrasts: Sequence[Finding], overall: Sequence[Finding]) -> page_parts.Table:
    """Return the tests that the groups have one rate: pairs of groups, then all."""
    lines = [
        [
            f"{group_label(row.focal)} {MINUS} {group_label(row.reference)}",
            estimate_text(row) if row.estimate is not None else f"not computed: {row.reason}",
            interval_text(row),
            test.name + (f" ({test.reason})" if test.reason else ""),
            p_text(test.p),
            p_text(row.p_adjusted),
        ]
        for row in contrasts
        for test in row.tests
    ]
    lines += [
        ["All groups", ABSENT, ABSENT, test.name + (f" ({test.reason})" if test.reason else ""), p_text(test.p), ABSENT]
        for row in overall
        for test in row.tests
    ]
    heads = (
        "Comparison",
        "Difference",
        page_parts.interval_heading([*contrasts, *overall]),
        "Test",
        "p",
        "p, adjusted",
    )
    return page_parts.table("Tests that the groups have the same rate", heads, lines)
