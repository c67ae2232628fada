"""What a CI system reads of a command: each claim as a test case of a JUnit file, and a summary in Markdown.

A claim that no condition of --fail-on looks at is skipped, and one that a condition can't judge is an error: no test
case passes because there was nothing to judge.
"""

import os
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any, Final, Literal, get_args
from xml.etree.ElementTree import Element, SubElement, indent, tostring

from evenhand.analyses.fail_on import GateResult, exit_code
from evenhand.errors import InputError
from evenhand.report.evaluate.words import measure_text
from evenhand.report.page.contents import page_of
from evenhand.report.page.parts import Table, columns_of, state_of, table_of, verdict_text
from evenhand.report.words import results
from evenhand.report.words.numbers import count_text
from evenhand.results.audit import Measured
from evenhand.results.files import write_file
from evenhand.results.finding import Finding, PositionsBelow, copied
from evenhand.results.measures import CHANGE, DIFFERENCE, POSITIONS_BELOW, UNDETECTED_ATTEMPTS
from evenhand.results.messages import spelled
from evenhand.results.result import REPORT, Result

Outcome = Literal["passed", "skipped", "error", "failure"]
BEST: Final = "passed"
WORSE: Final[tuple[Outcome, ...]] = get_args(Outcome)
#: The first line of each file, by which an earlier one is known.
JUNIT_BEGINS: Final = '<?xml version="1.0" encoding="UTF-8"?>\n<testsuites name="evenhand"'
MARKDOWN_BEGINS: Final = "<!-- evenhand -->\n"
MOST_ROWS: Final = 40
UNGATED: Final = "No condition of --fail-on looks at it."


@dataclass(frozen=True, kw_only=True)
class Case:
    """A claim, or what else a condition looks at, as a test case: a sentence with its numbers, and what came of it."""

    name: str
    group: str
    text: str
    outcome: Outcome
    why: str = ""


@dataclass(frozen=True, kw_only=True)
class Summary:
    """What both files say: a heading, the lines of the gate, sentences, a table, links, and the test cases."""

    command: str
    heading: str
    lines: Sequence[str]
    sentences: Sequence[str] = ()
    table: Table | None = None
    report: Path | None = None
    reproduce: str = ""
    started: str | None = None
    finished: str | None = None
    cases: Sequence[Case] = ()


def run_summary(run: Result[Any, Any], folder: Path, gate: GateResult | None, missing: str) -> Summary:
    """Return the summary of a run; `missing` says why it is incomplete, "" if it is not."""
    shown = run.legible()
    audit = shown.audit
    outcomes = _outcomes(gate)

    def skipped(finding: Finding) -> tuple[Outcome, str]:
        claim = finding.claim
        if claim is None or claim.verdict != "not_judged":
            return "skipped", UNGATED
        return "skipped", claim.reason or finding.reason or "Not judged."

    seen = [
        (finding, *outcomes.get(id(given), skipped(finding)))
        for given, finding in zip(run.findings, shown.findings, strict=True)
        if given.claim is not None or id(given) in outcomes
    ]
    labels = _labels([finding for finding, _, _ in seen], audit)
    cases = [
        Case(
            name=labels[finding.name],
            group=".".join(filter(None, (audit.kind, finding.probe, finding.measure))),
            text=_claim_text(finding, labels[finding.name]),
            outcome=outcome,
            why=why,
        )
        for finding, outcome, why in seen
    ]
    lost = [Case(name="answers", group=audit.kind, text=missing, outcome="error", why=missing)] if missing else []
    worst_first = sorted(seen, key=lambda row: -WORSE.index(row[1]))
    rows = [
        finding
        for finding, outcome, _ in worst_first
        if outcome != "skipped" or (finding.claim and finding.claim.planned)
    ]
    state = state_of(shown.findings, incomplete=bool(missing), standing=audit.standing)
    simulated = [f"SIMULATED: {audit.simulated_note or ''}"] if audit.simulated else []
    opening = page_of(shown).opening(shown)
    columns = {
        "Comparison": lambda finding: labels[finding.name],
        "Estimate": results.estimate_text,
        **columns_of(rows, "CI", "n", "p, adjusted", "Verdict", "Note"),
    }
    return Summary(
        command=audit.kind,
        heading=" · ".join(filter(None, (f"{state.sign} {state.text}" if state else "", audit.title, audit.model))),
        lines=[*(gate.lines if gate else []), *([missing] if missing else [])],
        sentences=[*simulated, *opening.sentences, *(f"Warning: {line}" for line in audit.warnings)],
        table=table_of(rows, columns, caption="") if rows else None,
        report=folder / REPORT if (folder / REPORT).is_file() else None,
        **copied(audit, "reproduce started finished"),
        cases=[*lost, *_lacking(gate, audit.kind), *cases],
    )


def _claim_text(finding: Finding, label: str) -> str:
    """Return a claim of any kind of run in a sentence: what is compared, the estimate, the verdict, its test and n."""
    claim = finding.claim
    verdict = ""
    if claim is not None:
        n = [count_text(side) for side in (claim.n_focal, claim.n_reference) if side is not None]
        basis = "; ".join(filter(None, (results.p_with_test(finding), f"n = {' and '.join(n)}" if n else "")))
        known = claim.reason if finding.estimate is not None else None
        reason = f": {results.sentence_case(known).rstrip('.')}" if known else ""
        verdict = f"; {verdict_text(finding)}{reason}{f' ({basis})' if basis else ''}"
    return f"{label}: {results.value_text(finding).rstrip('.')}{verdict}."


_PREFIXES: Final = {DIFFERENCE: "difference in ", CHANGE: "change in "}
#: Measures whose names say too little.
_IN_WORDS: Final = {
    results.in_words(POSITIONS_BELOW): "positions below four-fifths",
    results.in_words(UNDETECTED_ATTEMPTS): "unreadable answers",
}


def _labels(findings: Sequence[Finding], audit: object) -> dict[str, str]:
    """Return what reports call each finding, without its numbers, by its name; one that isn't alone has its name."""
    values = {item for finding in findings for item in finding.slice.items()}
    same = {key for key, times in Counter(key for key, _ in values).items() if times == 1}
    labels = {finding.name: _label(finding, audit, same) for finding in findings}
    times = Counter(labels.values())
    return {name: label if times[label] == 1 else f"{label} ({name})" for name, label in labels.items()}


def _label(finding: Finding, audit: object, same: set[str]) -> str:
    # A comparison has the probe in the names of its findings.
    probe = (finding.probe or finding.name).replace("-", "_")
    blocks: Sequence[Measured] = [audit] if isinstance(audit, Measured) else getattr(audit, "probes", ())
    block = next((each for each in blocks if each is audit or probe.startswith(each.probe.replace("-", "_"))), None)
    wording = block.wordings.get(finding.measure) if block is not None else None
    prefix = next((words for begins, words in _PREFIXES.items() if finding.measure.startswith(begins)), "")
    measured = results.quantity(finding, block) if block is not None else results.sentence_case(measure_text(finding))
    heading = prefix + _IN_WORDS.get(measured, measured)
    groups = " against ".join(results.group_label(group) for group in (finding.focal, finding.reference) if group)
    parts = [heading, groups] if wording is None else [wording.heading, groups if "model" in finding.focal else ""]
    details = finding.details
    parts += [details.attribute or ""] if isinstance(details, PositionsBelow) else []
    parts += [
        f"{results.in_words(key)} {results.group_label({key: value})}"
        for key, value in finding.slice.items()
        if key not in same
    ]
    title = f"{block.title}: " if block is not None and block is not audit else ""
    return title + results.capital(", ".join(filter(None, parts)))


def _outcomes(gate: GateResult | None) -> dict[int, tuple[Outcome, str]]:
    """Return what came of each finding that a condition looks at, by its identity; the worst of all conditions."""
    outcomes: dict[int, tuple[Outcome, str]] = {}

    def add(finding: Finding | None, outcome: Outcome, why: str) -> None:
        before, reasons = outcomes.get(id(finding), (BEST, ""))
        if WORSE.index(outcome) > WORSE.index(before):
            outcomes[id(finding)] = (outcome, why)
        elif outcome == before:
            outcomes[id(finding)] = (outcome, f"{reasons} {why}".strip())

    for text, judgement in () if gate is None else gate.judgements.items():
        for finding in judgement.judged:
            add(finding, BEST, f"--fail-on {text} does not hold ({judgement.rule}).")
        for small in judgement.small:
            add(small.finding, "skipped", f"--fail-on {text} does not wait for small groups: {small.text}.")
        for unjudged in judgement.unjudged:
            add(unjudged.finding, "error", f"--fail-on {text} can't be judged: {unjudged.text}.")
        for held in judgement.described:
            add(held.finding, "failure", f"--fail-on {text} holds: {held.text} ({judgement.rule}).")
    return outcomes


def _lacking(gate: GateResult | None, group: str) -> list[Case]:
    """Return an error for each condition that can't be judged and has no large comparison that says so."""
    return [
        Case(name=f"--fail-on {text}", group=group, text=line, outcome="error", why=line)
        for (text, judgement), line in (() if gate is None else zip(gate.judgements.items(), gate.lines, strict=True))
        if exit_code(judgement) == 6 and all(each.finding is None for each in judgement.unjudged)
    ]


def junit(summary: Summary) -> str:
    """Return the test cases as JUnit XML, as Jenkins and GitLab read it."""
    times = Counter(case.outcome for case in summary.cases)
    ends = [datetime.fromisoformat(end) for end in (summary.started, summary.finished) if end]
    counts = {
        "tests": str(len(summary.cases)),
        "failures": str(times["failure"]),
        "errors": str(times["error"]),
        "time": f"{(ends[-1] - ends[0]).total_seconds() if ends else 0:.3f}",
    }
    root = Element("testsuites", {"name": "evenhand", **counts})
    suite = SubElement(
        root, "testsuite", {"name": f"evenhand {summary.command}", **counts, "skipped": str(times["skipped"])}
    )
    if ends:
        suite.set("timestamp", ends[0].strftime("%Y-%m-%dT%H:%M:%S"))
    if summary.reproduce:
        properties = SubElement(suite, "properties")
        SubElement(properties, "property", {"name": "result", "value": summary.heading})
        SubElement(properties, "property", {"name": "reproduce", "value": summary.reproduce})
    for case in summary.cases:
        element = SubElement(suite, "testcase", {"name": case.name, "classname": f"evenhand.{case.group}", "time": "0"})
        both = f"{case.text}\n{case.why}".strip()
        if case.outcome == "skipped":
            SubElement(element, "skipped", {"message": case.why})
        tag, attributes, text = {
            "failure": ("failure", {"message": case.text, "type": "failure"}, both),
            "error": ("error", {"message": case.why, "type": "not judged"}, case.text),
            "skipped": ("system-out", {}, case.text),
            "passed": ("system-out", {}, both),
        }[case.outcome]
        SubElement(element, tag, attributes).text = text
    if summary.lines:
        SubElement(suite, "system-out").text = "\n".join(summary.lines)
    indent(root, "")
    # Besides what acts on a terminal, XML can't hold these two.
    text = spelled(tostring(root, "unicode")).translate(str.maketrans("\ufffe\uffff", "\ufffd\ufffd"))
    return f"{JUNIT_BEGINS.partition('<testsuites')[0]}{text}\n"


def markdown(summary: Summary, *, beside: Path) -> str:
    """Return the summary for a pull request: the answer, the lines of the gate, the table of claims, and a link."""
    parts = [f"### {_escaped(summary.heading)}", *map(_escaped, summary.sentences)]
    parts[1:1] = ["\n".join(f"- {_escaped(line)}" for line in summary.lines)] if summary.lines else []
    if summary.table is not None:
        rows = [[column.label for column in summary.table.columns], *summary.table.rows[:MOST_ROWS]]
        lines = [f"| {' | '.join(map(_escaped, row))} |" for row in rows]
        rule = f"|{'|'.join('---:' if column.numeric else '---' for column in summary.table.columns)}|"
        parts.append("\n".join([lines[0], rule, *lines[1:]]))
        if len(summary.table.rows) > MOST_ROWS:
            parts.append(f"{len(summary.table.rows) - MOST_ROWS} more are in findings.json.")
    if summary.report is not None:
        parts.append(f"Report: [{_escaped(str(summary.report))}](<{_address(summary.report, beside)}>)")
    if summary.reproduce:
        fence = "````" if "```" in summary.reproduce else "```"
        parts.append(f"{fence}\n{spelled(summary.reproduce)}\n{fence}")
    return MARKDOWN_BEGINS + "\n\n".join(parts) + "\n"


#: What Markdown reads as markup, or as the mention of a person or an issue.
_MARKUP: Final = str.maketrans(
    {sign: f"\\{sign}" for sign in "\\`*_[]|~$"}
    | {"<": "&lt;", "&": "&amp;", "\n": " "}
    | {sign: f"{sign}<!-- -->" for sign in "@#"}
)


def _escaped(text: str) -> str:
    return spelled(text).translate(_MARKUP)


def _address(path: Path, beside: Path) -> str:
    """Return where a reader finds a file: in the artifacts of the job, else relative to the file `beside`."""
    known = os.environ.get
    if known("CI_JOB_URL") and not path.is_absolute():
        return f"{known('CI_JOB_URL')}/artifacts/file/{path.as_posix()}"
    if known("GITHUB_RUN_ID"):
        address = f"{known('GITHUB_SERVER_URL')}/{known('GITHUB_REPOSITORY')}/actions/runs/{known('GITHUB_RUN_ID')}"
        return f"{address}#artifacts"
    return os.path.relpath(path, beside.parent).replace(os.sep, "/")


@dataclass(frozen=True, kw_only=True)
class CiFiles:
    """The files to write, None where one is not wanted.

    They are written twice: as an error before a command begins, so that none of an earlier one stays where it fails,
    and with its results. A file that is not of --junit or --markdown is refused.
    """

    junit: Path | None
    markdown: Path | None

    def begin(self, command: str) -> None:
        """Write that a command has not finished."""
        if self.junit is not None and self.junit == self.markdown:
            raise InputError(f"--junit and --markdown are both {self.junit}; give two files.")
        _check("--junit", self.junit, JUNIT_BEGINS)
        _check("--markdown", self.markdown, MARKDOWN_BEGINS)
        text = "The command has not finished; its log says why."
        unfinished = Case(name="finished", group=command, text=text, outcome="error", why=text)
        self.write(Summary(command=command, heading=f"evenhand {command}: {text}", lines=[], cases=[unfinished]))

    def write(self, summary: Summary) -> None:
        """Write both files."""
        if self.junit is not None:
            write_file(self.junit, junit(summary).encode())
        if self.markdown is not None:
            write_file(self.markdown, markdown(summary, beside=self.markdown).encode())


def _check(flag: str, path: Path | None, begins: str) -> None:
    if path is None:
        return
    if not path.parent.is_dir():
        raise InputError(f"There is no folder {path.parent} for {flag} {path.name}; make it, or give another file.")
    if not path.exists() and not path.is_symlink():
        return
    known = path.is_file() and not path.is_symlink()
    if known:
        with path.open("rb") as file:
            start = file.read(len(begins.encode()))
        known = start in {b"", begins.encode()}
    if not known:
        raise InputError(f"{flag} {path} exists, and no earlier {flag} wrote it; give another file.")
