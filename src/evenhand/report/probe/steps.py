"""What to look at next: questions that a probe's result suggests, most with a command that answers them."""

import shlex
from collections.abc import Sequence
from math import ceil, floor, log10

from evenhand.report.page.parts import NextStep
from evenhand.report.probe.opening import largest_part
from evenhand.report.words.numbers import count_text
from evenhand.report.words.results import is_significant, points_scale, points_text, wording_of
from evenhand.report.words.wording import capital, group_label, in_words, sentence_case
from evenhand.tables.audit.probe import ProbeAudit
from evenhand.tables.details import Judged
from evenhand.tables.finding import Finding
from evenhand.tables.grouped.exploratory import distance
from evenhand.tables.grouped.probe import ProbeGroups

__all__ = ["MOST_STEPS", "SAMPLE", "conclusion_question", "larger_sample_of", "probe_steps", "with_option"]

MOST_STEPS = 3
#: (1.96 + 0.84)² / 1.96²: how many times the n whose interval just leaves out no difference a power of 80 % needs.
POWER = 2.04
#: From this n on, a difference that was seen is taken for one that there could be.
ENOUGH = 100
#: Below which adjusted p a word is one that differs.
LEVEL = 0.05
#: What is worth detecting where a measure has no marks.
MARGIN = 0.05
SAMPLE = "--sample"


def probe_steps(groups: ProbeGroups, audit: ProbeAudit) -> list[NextStep]:
    """Return at most three questions; a command runs as it is printed, one on this run in the folder of the report."""
    known = [each.finding for each in groups.headline if each.finding.estimate is not None]
    unclear = [each for each in known if not is_significant(each) and each.verdict != "equivalent"]
    found = [
        *_unreadable(audit),
        *(_more(unclear, audit)),
        *(_paired(audit) if any(each.low is not None for each in unclear) else ()),
        *_largest(groups, audit),
        *_words(groups),
        *_by_race(audit),
        *_other_model(audit),
    ]
    return found[:MOST_STEPS]


def _unreadable(audit: ProbeAudit) -> list[NextStep]:
    observed = audit.statuses.get("observed", 0)
    if observed or not sum(audit.statuses.values()):
        return []
    if audit.statuses.get("truncated") and with_option(audit.reproduce, "--max-tokens", "1024"):
        question = "Do longer answers state a decision?"
        return [NextStep(question=question, command=with_option(audit.reproduce, "--max-tokens", "1024"))]
    return [NextStep(question="What do the answers say? Read some: they are kept in the run folder, answers-*.jsonl.")]


def _more(unclear: Sequence[Finding], audit: ProbeAudit) -> list[NextStep]:
    """Return the sample with which a difference would be detected, for the first measure that is not clear."""
    for finding in unclear:
        sample = _larger_sample(finding, audit)
        if sample is None:
            continue
        question = conclusion_question(finding, sample)
        return [NextStep(question=question, command=with_option(audit.reproduce, SAMPLE, str(sample)))]
    return []


def conclusion_question(finding: Finding, sample: int, *, of: str = "") -> str:
    """Return how many prompts a conclusion needs; `of` says of which probe or model."""
    scale = points_scale(finding)
    size = f"{scale.number(_target(finding), signed=False)}{scale.long_suffix}"
    return (
        f"How many prompts until a conclusion? About {count_text(sample)}{of} give a statistical power of 80 % for a "
        f"difference of {size}."
    )


def _target(finding: Finding) -> float:
    """Return the difference to be detected: the one that was seen, or the edge of mark A if that is larger."""
    margin = Judged.of(finding).margin
    seen = distance(finding) if finding.n >= ENOUGH else 0.0
    return max(seen, MARGIN if margin is None else margin)


def _needed(finding: Finding) -> int | None:
    """Return the n with a statistical power of 80 % for a difference of the target's size, rounded up."""
    if finding.low is None or finding.high is None or not finding.n:
        return None
    half = (finding.high - finding.low) / 2
    return rounded_up(finding.n * POWER * (half / _target(finding)) ** 2)


def rounded_up(count: float) -> int:
    """Return a count rounded up to two digits.

    >>> rounded_up(3214.2), rounded_up(7)
    (3300, 7)
    """
    step = 10 ** max(floor(log10(max(count, 1))) - 1, 0)
    return int(ceil(count / step) * step)


def _larger_sample(finding: Finding, audit: ProbeAudit) -> int | None:
    """Return how many prompts to draw; None where the sample is not the user's to choose or is large enough."""
    sample, population = audit.sample, audit.population
    if not isinstance(sample, int) or not with_option(audit.reproduce, SAMPLE, ""):
        return None
    more = larger_sample_of(finding, sample)
    return None if more is not None and isinstance(population, int) and more > population else more


def larger_sample_of(finding: Finding, sample: int | None) -> int | None:
    """Return how many prompts instead of `sample` are needed; None where these are enough."""
    n = _needed(finding)
    if n is None or not sample:
        return None
    more = rounded_up(sample * n / finding.n)
    return more if more > sample else None


def with_option(command: str, option: str, value: str) -> str:
    """Return a command line with another value of an option; '' for an option that it can't have.

    >>> with_option("evenhand probe hiring-an --sample 40 --seed 0", "--sample", "80")
    'evenhand probe hiring-an --sample 80 --seed 0'
    """
    words = shlex.split(command)
    if option in words:
        place = words.index(option) + 1
        return shlex.join([*words[:place], value, *words[place + 1 :]])
    can_have = option != SAMPLE and command.startswith("evenhand probe ")
    return shlex.join([*words, option, value]) if can_have else ""


def _paired(audit: ProbeAudit) -> list[NextStep]:
    if not audit.paired_design or audit.design == audit.paired_design:
        return []
    command = with_option(audit.reproduce, "--design", audit.paired_design)
    question = "Is the interval narrower if both groups are put to the very same prompts?"
    return [NextStep(question=question, command=command)] if command else []


def _largest(groups: ProbeGroups, audit: ProbeAudit) -> list[NextStep]:
    found = largest_part(groups.parts, groups.headline)
    if found is None:
        return []
    ((key, level),) = found.part.slice.items()
    values = [points_text(each) for each in (found.part, found.whole)]
    heading = sentence_case(wording_of(found.whole, audit).heading)
    question = (
        f"Which {in_words(key)} carries the difference? {capital(group_label({key: level}))}: {values[0]} against "
        f"{values[1]} in the whole run ({heading}). See Within parts of the run."
    )
    return [NextStep(question=question)]


def _words(groups: ProbeGroups) -> list[NextStep]:
    surest = [each for each in groups.words if each.p_adjusted is not None and each.p_adjusted < LEVEL]
    if not surest or not any(is_significant(each.finding) for each in groups.headline):
        return []
    most = max(surest, key=distance)
    others = f"; {count_text(len(surest) - 1)} others differ after adjustment, too" if len(surest) > 1 else ""
    return [
        NextStep(
            question=f"Which words carry the difference? Most of all “{most.slice['word']}”"
            f"{others}. See Words of the documents."
        )
    ]


def _by_race(audit: ProbeAudit) -> list[NextStep]:
    if (
        not audit.statuses.get("observed")
        or "race" not in audit.groups
        or not audit.success
        or audit.rate != "acceptance_rate"
    ):
        return []
    question = "What are acceptance rates and impact ratios by race?"
    return [NextStep(question=question, command="evenhand impact . --protected race", folder=".")]


def _other_model(audit: ProbeAudit) -> list[NextStep]:
    if not audit.statuses.get("observed") or not with_option(audit.reproduce, SAMPLE, ""):
        return []
    return [NextStep(question="Do other models do the same? Put these prompts to one of them and compare the runs.")]
