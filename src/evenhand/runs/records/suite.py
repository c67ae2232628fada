"""The manifest of a suite, its audit block, and how it is finished."""

import shlex
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from evenhand.report import write_files
from evenhand.runs.finished_run import ProbeRun, Run
from evenhand.runs.manifest import Manifest, manifest_of
from evenhand.runs.options.again import suite_words
from evenhand.runs.options.suite import SUITES, SuiteOptions
from evenhand.runs.records.stamps import utc_now
from evenhand.runs.records.versions import package_versions
from evenhand.tables.audit.paid import Usage
from evenhand.tables.audit.probe import ProbeAudit
from evenhand.tables.audit.suite import SuiteAudit, SuiteProbe
from evenhand.tables.finding import Finding
from evenhand.tables.run_folder import RunFolder

__all__ = ["finish_suite", "suite_findings", "suite_manifest"]

#: Parameters that all probes of a suite share; those of the second row are told where they are given.
SHARED = ("seed", "temperature", "max_tokens", "base_url")
WHERE_GIVEN = ("top_p", "frequency_penalty", "presence_penalty")


def suite_manifest(options: SuiteOptions) -> dict[str, Any]:
    """Return what is asked; written before the first request."""
    return {
        "kind": "suite",
        "suite": options.suite,
        "probes": list(SUITES[options.suite]),
        "model": options.model,
        "redact_answers": options.redact_answers,
        "asked": suite_words(options, machine=False),
        "reproduce": shlex.join(suite_words(options)),
        "versions": package_versions(),
        "status": "running",
        "started": utc_now(),
        "finished": None,
    }


def finish_suite(
    folder: RunFolder, manifest: Mapping[str, Any], runs: dict[str, ProbeRun], *, with_report: bool = True
) -> Run:
    """Write the findings of all probes and, unless it is not wanted, the summary report of a suite; return its run."""
    findings = suite_findings({name: run.findings for name, run in runs.items()})
    audit = _block(manifest_of(manifest), runs)
    folder.write_findings(audit, findings)
    if with_report:
        write_files(folder.path)
    folder.write_manifest({**manifest, "status": "finished", "finished": audit.finished})
    return Run(folder=folder.path, audit=audit, findings=findings, runs=runs)


def suite_findings(by_probe: Mapping[str, Sequence[Finding]]) -> list[Finding]:
    """Return the findings of all probes, each name once.

    A name that several probes have (`undetected_rate_attempts`) gets its probe's before it.
    """
    seen = Counter(row.name for findings in by_probe.values() for row in findings)
    return [
        replace(row, probe=name, name=row.name if seen[row.name] == 1 else f"{name.replace('-', '_')}_{row.name}")
        for name, findings in by_probe.items()
        for row in findings
    ]


def _block(manifest: Manifest, runs: Mapping[str, ProbeRun]) -> SuiteAudit:
    """Return what the summary report prints besides the findings."""
    audits = [run.audit for run in runs.values()]
    parameters = audits[0].parameters
    costs = [audit.cost for audit in audits]
    known = [cost for cost in costs if cost is not None]
    uncertain = [audit.cost_uncertain for audit in audits]
    return SuiteAudit(
        suite=manifest.suite,
        title=f"Suite {manifest.suite}",
        model=manifest.model,
        simulated=any(audit.simulated for audit in audits),
        simulated_note=audits[0].simulated_note,
        parameters={key: parameters[key] for key in SHARED}
        | {key: parameters[key] for key in WHERE_GIVEN if parameters[key] is not None},
        probes=tuple(_probe(name, run.audit) for name, run in runs.items()),
        requests=sum(audit.requests or 0 for audit in audits),
        # A cost that one of them lacks is unknown.
        cost=sum(known) if len(known) == len(costs) else None,
        currency=next((audit.currency for audit in audits if audit.currency), None),
        cost_reason=next((audit.cost_reason for audit in audits if audit.cost is None), None),
        cost_uncertain=None if None in uncertain else sum(each for each in uncertain if each is not None),
        usage=_usage([audit.usage for audit in audits if audit.usage is not None]),
        warnings=tuple(dict.fromkeys(line for audit in audits for line in audit.warnings)),
        limits=tuple(dict.fromkeys(line for audit in audits for line in audit.limits)),
        reproduce=manifest.reproduce,
        versions=manifest.versions,
        started=manifest.started,
        finished=utc_now(),
    )


def _usage(usages: Sequence[Usage]) -> Usage | None:
    """Return the tokens of all probes together."""
    if not usages:
        return None
    return Usage(
        input_tokens=sum(each.input_tokens for each in usages),
        output_tokens=sum(each.output_tokens for each in usages),
        answers=sum(each.answers for each in usages),
        answers_without_usage=sum(each.answers_without_usage for each in usages),
    )


def _probe(name: str, audit: ProbeAudit) -> SuiteProbe:
    return SuiteProbe(
        probe=name,
        title=audit.title,
        question=audit.question,
        folder=name,
        headline=audit.headline,
        labels=audit.labels,
        quantities=audit.quantities,
        wordings=audit.wordings,
        subject=audit.subject,
        bands=audit.bands,
        references=audit.references,
        attempts=audit.attempts,
        success=audit.success,
        statuses=audit.statuses,
        regression=audit.regression,
    )
