"""`evenhand compare`: Compare models on the same prompts."""

from evenhand.results.kinds import RunKind, Sheet

KIND = RunKind(
    block="evenhand.results.audit:CompareAudit",
    page="evenhand.report.comparison:PAGE",
    groups="evenhand.results.probe_groups:compare_groups",
    options="evenhand.analyses.options.probes:CompareOptions",
    run="evenhand.analyses.compare_runs:compare",
    recomputed="evenhand.evidence.recompute:recomputed_compare",
    sheets={"League": Sheet(file="league.csv")},
    reads="Folders of finished runs.",
    metavar="RUN RUN…",
    several=True,
    example="compare runs/first runs/second --out runs/compared",
)
