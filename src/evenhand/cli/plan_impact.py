"""The command that says how many decisions an analysis of applicants needs."""

from evenhand.cli._command import command
from evenhand.cli._options import ShownResult
from evenhand.cli._show import print_json, print_out
from evenhand.runs.options.impact import ImpactPlanOptions

__all__ = ["plan_impact"]


@command()
def plan_impact(options: ImpactPlanOptions, shown: ShownResult) -> None:
    from evenhand.commands.plan_impact import plan_decisions

    made = plan_decisions(options)
    if shown.json:
        print_json(made.json)
    elif not shown.quiet:
        print_out(made.text)
