"""Set-up, unreadable answers, limits and terms that the pages of probes and suites share."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from evenhand.report.page import parts as page_parts
from evenhand.report.page.contents import Definition
from evenhand.report.words.numbers import ABSENT, MINUS, count_text, general_text, p_text
from evenhand.report.words.results import capital, estimate_text, group_label, in_words, interval_text
from evenhand.results.audit import Account, CompareAudit, Header, ProbeAudit, SuiteAudit, Usage
from evenhand.results.finding import Finding
from evenhand.results.measures import UNDETECTED_RATE

if TYPE_CHECKING:
    from evenhand.results.probe_groups import ProbeGroups

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
