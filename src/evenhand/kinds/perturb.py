"""`evenhand perturb`: Perturbation test: score the same résumés under other names."""

from evenhand.results.kinds import ANSWER_FILES, RunKind, Sheet

KIND = RunKind(
    block="evenhand.results.score_audit:PerturbAudit",
    page="evenhand.report.perturb.sections:PAGE",
    groups="evenhand.results.table_groups:perturb_groups",
    recomputed="evenhand.evidence.recompute:recomputed_perturb",
    outside="the texts of résumés and positions",
    files=ANSWER_FILES,
    sheets={"Perturbation": Sheet(file="perturb.csv", columns="evenhand.results.schemas:PERTURB")},
    fail_on=("difference", "not-equivalent", "undetected"),
    command="evenhand.cli.scores:perturb",
    example="perturb --scorer sim:unbiased --margin 2 --sample 12 --out runs/perturb",
    most_used="scorer positions sample by arms names margin scores",
)
