"""`evenhand probe`: Run one probe: send its prompts to a model, measure the answers."""

from evenhand.results.kinds import ANSWER_FILES, OF_PROBES, RunKind, Sheet

KIND = RunKind(
    block="evenhand.results.audit:ProbeAudit",
    page="evenhand.report.probe.sections:PROBE",
    groups="evenhand.results.probe_groups:probe_groups",
    recomputed="evenhand.evidence.recompute:recomputed_probe",
    files=ANSWER_FILES,
    sheets={"Tables": Sheet(file="tables.csv"), "Words": Sheet(file="words.csv")},
    fail_on=OF_PROBES,
    one_probe=True,
    asks=True,
    command="evenhand.cli.probes:probe",
    example="probe hiring-an --model sim:masculine --sample 200 --out runs/first",
    most_used="sample everything design base_url prices max_cost resume",
)
