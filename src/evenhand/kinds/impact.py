"""`evenhand impact`: Measure adverse impact of decisions: rates, ratios, significance."""

from evenhand.results.kinds import RunKind, Sheet

_TYPES = "evenhand.results.schemas"
KIND = RunKind(
    block="evenhand.results.applicant_audit:ImpactAudit",
    page="evenhand.report.impact.sections:PAGE",
    groups="evenhand.results.impact_groups:impact_groups",
    recomputed="evenhand.evidence.recompute:recomputed_impact",
    outside="the rows that were counted",
    files=r"(counts(_lowest|_highest)?|scores|sweep|given|undecided|periods|ages|people)\.parquet|"
    r"standing(_people|_others|_rules)?\.parquet",
    drawn=r"ll144\.html",
    sheets={
        "Impact": Sheet(file="impact.csv", columns=f"{_TYPES}:IMPACT_BY_CLUSTER"),
        "Availability": Sheet(file="availability.csv", columns=f"{_TYPES}:AVAILABILITY"),
        "Pooled": Sheet(file="pooled.csv", columns=f"{_TYPES}:POOLED"),
        "Positions": Sheet(file="positions.csv", columns=f"{_TYPES}:POSITIONS"),
        "Periods": Sheet(file="periods.csv", columns=f"{_TYPES}:PERIODS"),
        "Pools": Sheet(file="pools.csv", columns=f"{_TYPES}:POOLS"),
        "Age": Sheet(file="age.csv", columns=f"{_TYPES}:AGES"),
        "Ladder": Sheet(file="ladder.csv", columns=f"{_TYPES}:LADDER"),
        "Local Law 144": Sheet(file="ll144.csv", columns=f"{_TYPES}:LL144"),
        "Local Law 144, periods": Sheet(file="ll144_periods.csv", columns=f"{_TYPES}:LL144_PERIODS"),
    },
    fail_on=("difference", "adverse-impact", "below", "not-equivalent", "not-above"),
    command="evenhand.cli.impact:impact",
    example="impact --counts women=557/1835,men=1198/2691 --out runs/impact",
    most_used="protected selected counts score cutoff reference position cluster",
)
