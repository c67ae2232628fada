"""A matcher, trained on pairs, and what it scores, explains and recommends (`evenhand match`)."""

from evenhand.results.kinds import RunKind, Sheet

KIND = RunKind(
    block="evenhand.results.score_audit:MatchAudit",
    page="evenhand.report.match:PAGE",
    recomputed="evenhand.evidence.recompute:recomputed_match",
    outside="the texts of people and positions",
    files=r"matcher\.json|(scores|pairs)\.csv|outcomes\.parquet|(explanations|recommendations)\.jsonl|"
    r"recommendations\.html",
    sheets={
        "Features": Sheet(file="features.csv"),
        "Proxies": Sheet(file="proxies.csv", columns="evenhand.results.schemas:PROXIES"),
        "Evaluation": Sheet(file="evaluation.csv"),
        "Frontier": Sheet(file="frontier.csv"),
        "Stopping": Sheet(file="stopping.csv"),
    },
    fail_on=("difference", "gap"),
)
