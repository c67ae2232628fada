"""`evenhand measure`: Measure answers to a probe that another tool saved."""

from dataclasses import replace

from evenhand.kinds import probe

KIND = replace(
    probe.KIND,
    page="evenhand.report.probe.sections:SAVED",
    outside="the saved answers",
    asks=False,
    command="evenhand.cli.probes:measure",
    example="measure hiring-an answers.jsonl --out runs/measured",
    most_used="judge compat map range labels cutoff",
)
