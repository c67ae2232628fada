"""`evenhand features`: Check features by group: distributions, proxies, drift."""

from evenhand.results.kinds import RunKind, Sheet

KIND = RunKind(
    block="evenhand.results.feature_audit:FeaturesAudit",
    page="evenhand.report.features:PAGE",
    groups="evenhand.results.table_groups:feature_groups",
    options="evenhand.analyses.options.scores:FeatureOptions",
    analyse="evenhand.analyses.features:analyse_features",
    run="evenhand.analyses.features:run_features",
    recomputed="evenhand.evidence.recompute:recomputed_features",
    outside="the rows that were counted",
    sheets={
        "Features": Sheet(file="features.csv", columns="evenhand.results.schemas:FEATURES"),
        "Proxies": Sheet(file="proxies.csv", columns="evenhand.results.schemas:PROXIES"),
    },
    example="features bertrand-2004.csv --protected race,gender --sample 1000 --out runs/features",
    most_used="protected label without expect compare_with age",
)
