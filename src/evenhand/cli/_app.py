"""The command line as typer sees it: the names of the commands, each imported when it is called."""

from importlib import import_module
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from evenhand.cli._command import family
from evenhand.cli._examples import example
from evenhand.cli._show import print_out

__all__ = ["COMMANDS", "app"]

#: Each command, by what a person wants to do: the module beside this one that holds it, and what it does.
GROUPS = {
    "Ask a language model": {
        "demo": ("runs", "A synthetic company through every stage: the whole tour."),
        "audit": ("probes", "Put a suite of probes to a model."),
        "probe": ("probes", "Put one probe to a model."),
        "plan": ("probes", "Estimate cost and the minimum detectable effect beforehand."),
        "measure": ("measure", "Compute findings from answers that exist."),
        "compare": ("runs", "Put models side by side, on the same prompts."),
    },
    "Analyse whom a process selects": {
        "impact": ("impact", "Adverse impact: selection rates, impact ratios, significance."),
        "features": ("features", "Vet features: distributions, expectations, proxies, drift."),
        "serve": ("serve", "Dashboards of a store and of finished runs, on this machine."),
        "monitor": ("monitor", "What models and people decide by day, with alarms."),
    },
    "Work with résumés and scores": {
        "mask": ("mask", "Mask names, gender, ethnicity and other protected facts."),
        "evaluate": ("evaluate", "Scores beside what happened: AUC, errors, calibration by group."),
        "match": ("match", "A match score that can be read: train, score, explain, recommend."),
        "perturb": ("perturb", "Perturbation test: the same résumés under other names, scored."),
    },
    "Runs and data": {
        "report": ("runs", "Write the report of a finished run again."),
        "bundle": ("evidence", "Write runs into one file that an auditor can check."),
        "verify": ("evidence", "Check such a file, and compute its findings again."),
        "keys": ("evidence", "Make keys that sign such files."),
        "data": ("data", "Example tables, a synthetic company, names, e-mails to label."),
        "collect": ("collect", "Join the parts that several machines asked."),
        "export": ("export", "Write a run in the shape of another package."),
    },
}
#: What has options of its own under the name of another command.
WITHIN = {"plan impact": ("plan_impact", "How many decisions until an impact ratio of a size would be detected.")}
COMMANDS = {name: entry for group in GROUPS.values() for name, entry in group.items()}


class _Commands(TyperGroup):
    """Commands that are known by name and by what they do, until one is called."""

    def format_commands(self, ctx: Any, formatter: Any) -> None:  # noqa: ARG002 - click calls it so
        """Write the commands under what a person wants to do."""
        for heading, group in GROUPS.items():
            with formatter.section(heading):
                formatter.write_dl([(name, told) for name, (_, told) in group.items()])

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """Return the command that is called, with its options."""
        name, found, rest = super().resolve_command(ctx, args)
        if name is not None and rest and f"{name} {rest[0]}" in WITHIN:
            name, rest = f"{name} {rest[0]}", rest[1:]
        return name, found if name is None else _loaded(name), rest


def _loaded(name: str) -> Any:
    module, told = (COMMANDS | WITHIN)[name]
    found = getattr(import_module(f"evenhand.cli.{module}"), name.replace(" ", "_"))
    if isinstance(found, typer.Typer):
        found.info.help = told
        _tell_examples(found, name)
        return typer.main.get_command(found)
    alone = family()
    alone.command(name, help=told, epilog=example(name))(found)
    return typer.main.get_command(alone)


def _tell_examples(within: typer.Typer, name: str) -> None:
    """Put an example at the end of each command's help, in the families within a family, too."""
    for each in within.registered_commands:
        each.epilog = example(f"{name} {each.name}")
    for inner in within.registered_groups:
        if inner.typer_instance is not None:
            _tell_examples(inner.typer_instance, f"{name} {inner.name}")


def _named() -> None:
    """Stand for a command in the list of all."""


app = family(
    name="evenhand",
    cls=_Commands,
    help="Measure discrimination in AI hiring.",
    epilog="Each command has its own --help, with an example. Begin with: evenhand demo",
    add_completion=True,
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
