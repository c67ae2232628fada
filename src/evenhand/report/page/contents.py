"""What a kind of run puts on its page, with the headings, limits and terms around it, and what the terminal shows."""

from collections.abc import Callable, Container, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from markupsafe import Markup

from evenhand.patterns import lazy_re
from evenhand.report.page.parts import PageSummary, Section, Table
from evenhand.results.audit import Example, Header
from evenhand.results.finding import Finding
from evenhand.results.kinds import loaded, run_kind
from evenhand.results.messages import shortened
from evenhand.results.result import REPORT, Result
from evenhand.results.terminal import Screen

if TYPE_CHECKING:
    from evenhand.report.population import CounterfactualText

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
