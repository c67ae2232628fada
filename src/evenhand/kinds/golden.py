"""A scorer on golden cases, which people labelled (`evenhand monitor golden run`)."""

from evenhand.results.kinds import ANSWER_FILES, RunKind

KIND = RunKind(
    block="evenhand.results.score_audit:GoldenAudit",
    page="evenhand.report.evaluate.golden:PAGE",
    groups="evenhand.results.table_groups:evaluate_groups",
    recomputed="evenhand.evidence.recompute:recomputed_golden",
    outside="the texts of résumés and positions",
    files=rf"{ANSWER_FILES}|cases\.csv",
    fail_on=("difference", "gap", "worse", "undetected"),
)
