"""A perturbation study of scores that exist (`evenhand perturb --scores`)."""

from evenhand.results.kinds import RunKind

KIND = RunKind(
    block="evenhand.results.study_audit:StudyAudit",
    page="evenhand.report.study:PAGE",
    groups="evenhand.results.study_audit:study_groups",
    options="evenhand.analyses.options.scores:StudyOptions",
    analyse="evenhand.analyses.study:analyse_study",
    outside="the rows of the table",
    fail_on=("difference", "not-equivalent", "undetected"),
)
