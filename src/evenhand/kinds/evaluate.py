"""`evenhand evaluate`: Compare scores with outcomes: AUC, errors, calibration by group."""

from evenhand.results.kinds import RunKind, Sheet

KIND = RunKind(
    block="evenhand.results.score_audit:EvaluateAudit",
    page="evenhand.report.evaluate.sections:PAGE",
    groups="evenhand.results.table_groups:evaluate_groups",
    options="evenhand.analyses.options.scores:EvaluateOptions",
    run="evenhand.analyses.evaluate:run_evaluate",
    recomputed="evenhand.evidence.recompute:recomputed_evaluate",
    outside="the rows that were counted",
    sheets={"Cut-offs": Sheet(file="cutoffs.csv")},
    fail_on=("difference", "adverse-impact", "below", "gap", "worse"),
    example="evaluate compas-2016.csv --label reoffended --score decile_score --cutoff 4 --protected race "
    "--count people --out runs/evaluate",
    most_used="label score cutoff protected reference against cluster count",
)
