"""The command line as typer sees it: the names of the commands, each imported when it is called."""

from importlib import import_module
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from evenhand.cli._command import family
from evenhand.cli._show import print_out

__all__ = ["COMMANDS", "app"]

#: Each command: the module beside this one that holds it, and what it does.
COMMANDS = {
    "demo": ("runs", "Audit a simulated, stereotyping model: the whole tour without a key."),
    "audit": ("probes", "Put a suite of probes to a model; one folder per probe and a summary report."),
    "probe": ("probes", "Put one probe to a model."),
    "plan": ("probes", "Estimate requests, tokens, cost and the minimum detectable effect; nothing is asked."),
    "measure": ("probes", "Compute findings from answers that exist."),
    "compare": ("runs", "Put models side by side: confidence intervals, marks, differences."),
    "impact": (
        "impact",
        "Adverse impact of a selection process: who is selected less, and is it statistically significant?",
    ),
    "mask": (
        "mask",
        "Mask names, gender, ethnicity, religion, disability, family status, orientation, e-mails and URLs.",
    ),
    "report": ("runs", "Write the report of a finished run again."),
    "data": ("data", "Data in this package; names to choose, e-mails to label."),
    "collect": ("collect", "Answers that several machines collected."),
    "export": ("export", "Runs in the shapes of other packages."),
}


class _Commands(TyperGroup):
    """Commands that are known by name and by what they do, until one is called."""

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """Return the command that is called, with its options."""
        name, found, rest = super().resolve_command(ctx, args)
        return name, found if name is None else _loaded(name), rest


def _loaded(name: str) -> Any:
    module, told = COMMANDS[name]
    found = getattr(import_module(f"evenhand.cli.{module}"), name)
    several = found if isinstance(found, typer.Typer) else family()
    several.info.help = told
    if several is not found:
        several.command(name, help=told)(found)
    return typer.main.get_command(several)


def _named() -> None:
    """Stand for a command in the list of all."""


app = family(
    name="evenhand",
    cls=_Commands,
    help="Measure discrimination in AI hiring.",
    no_args_is_help=True,
    context_settings={"help_option_names": ["-h", "--help"]},
)
for _name, (_, _told) in COMMANDS.items():
    app.command(_name, help=_told)(_named)


@app.callback(invoke_without_command=True)
def root(
    ctx: typer.Context,
    version: Annotated[bool, typer.Option("--version", help="Print the version and exit.")] = False,
) -> None:
    """Measure discrimination in AI hiring."""
    if version:
        from importlib.metadata import version as installed

        print_out(f"evenhand {installed('evenhand')}")
        raise typer.Exit
    if ctx.invoked_subcommand is None:
        print_out(ctx.get_help())
        raise typer.Exit(2)
