"""`evenhand audit`: Run several probes on a language model."""

from evenhand.results.kinds import OF_PROBES, RunKind

KIND = RunKind(
    block="evenhand.results.audit:SuiteAudit",
    page="evenhand.report.suite:PAGE",
    groups="evenhand.results.probe_groups:suite_groups",
    recomputed="evenhand.evidence.recompute:recomputed_suite",
    fail_on=OF_PROBES,
    probes_below=True,
    command="evenhand.cli.probes:audit",
    example="audit --model sim:masculine --sample 60 --out runs/audit",
    most_used="suite sample everything base_url prices max_cost resume",
)
