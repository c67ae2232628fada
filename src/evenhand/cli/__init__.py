"""The command line: names, summaries and examples of the commands, each imported when it is called; `main` runs it."""

import atexit
import gc
import os
import sys
from importlib import import_module
from typing import Annotated, Any

import typer

from evenhand.cli._command import kind_command, notice, print_out
from evenhand.cli._help import EXAMPLES, KINDS, Group, family
from evenhand.errors import EvenhandError
from evenhand.results.messages import spelled

__all__ = ["EXAMPLES", "app", "main"]

#: The commands by purpose, in the order of the help; kinds of run that it doesn't name end the second list.
GROUPS = {
    "Test a language model": ["demo", "audit", "probe", "plan", "measure", "compare"],
    "Analyse a selection process": ["impact", "features", "serve", "monitor"],
    "Work with résumés and scores": ["mask", "evaluate", "match", "perturb"],
    "Runs and data": ["doctor", "report", "bundle", "verify", "keys", "data", "collect", "export"],
}
#: Commands that no kind of run declares: the module of `evenhand.cli` with the command, and its summary.
OTHERS = {
    "demo": ("runs", "Take a tour: run the analyses on a synthetic company."),
    "plan": ("probes", "Estimate the cost and the minimum detectable effect of a probe."),
    "serve": ("runs", "Show dashboards of a store and of finished runs in the browser."),
    "monitor": ("monitor", "Monitor the decisions of models and people by day, with alarms."),
    "mask": ("mask", "Mask names, gender, ethnicity and other protected attributes."),
    "match": ("scores", "Train an interpretable match score; score, explain, recommend."),
    "doctor": ("runs", "Show which extras are installed, and which model servers answer."),
    "report": ("runs", "Write the report of a finished run again."),
    "bundle": ("evidence", "Write runs into one bundle that an auditor can verify."),
    "verify": ("evidence", "Verify a bundle and recompute its findings."),
    "keys": ("evidence", "Make keys that sign bundles."),
    "data": ("data", "Example tables, a synthetic company, names, e-mails to label."),
    "collect": ("runs", "Join the parts of a run from several machines."),
    "export": ("runs", "Write a run in the format of another package."),
}
#: Commands below the name of another command, with options of their own.
WITHIN = {
    "plan impact": ("impact", "Estimate how many decisions are needed to detect an impact ratio."),
    "monitor golden": ("golden", "Golden cases: people label them, and models are compared with the labels."),
}
COMMANDS = {name: summary for name, (_, summary) in (OTHERS | KINDS).items()}
_PLACED = [name for names in GROUPS.values() for name in names]
GROUPS["Analyse a selection process"] += [name for name in KINDS if name not in _PLACED]


class _Commands(Group):
    """Commands known by name and summary until they are called."""

    def format_commands(self, ctx: Any, formatter: Any) -> None:  # noqa: ARG002 - click calls it so
        """Write the commands under their purposes."""
        for heading, group in GROUPS.items():
            with formatter.section(heading):
                formatter.write_dl([(name, COMMANDS[name]) for name in group])

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """Return the called command, imported."""
        name, resolved, rest = super().resolve_command(ctx, args)
        if name is not None and rest and f"{name} {rest[0]}" in WITHIN:
            name, rest = f"{name} {rest[0]}", rest[1:]
        return name, resolved if name is None else _loaded(name), rest


def _loaded(name: str) -> Any:
    if name in KINDS:
        kind, summary = KINDS[name]
        member = kind_command(kind)
    else:
        module, summary = (OTHERS | WITHIN)[name]
        member = getattr(import_module(f"evenhand.cli.{module}"), name.replace(" ", "_"))
    if isinstance(member, typer.Typer):
        member.info.help = summary
        return typer.main.get_command(member)
    alone = family()
    alone.command(name, help=summary)(member)
    return typer.main.get_command(alone)


def _named() -> None:
    """Stand for a command in the list of commands."""


app = family(
    name="evenhand",
    cls=_Commands,
    help="Measure discrimination in AI hiring.",
    epilog="--help after a command shows its most used options, --help-all every option. Begin with: evenhand demo",
    add_completion=True,
    context_settings={"help_option_names": ["-h", "--help"]},
)
for _name, _summary in COMMANDS.items():
    app.command(_name, help=_summary)(_named)


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


#: Polars' allocator returns memory soon; kept for ten seconds, it is a fifth of the peak of a short command.
_GIVE_BACK = "dirty_decay_ms:20,muzzy_decay_ms:0"

#: Our matrices are small: more threads of OpenBLAS wait, at full speed, longer than they multiply. And sums whose order
#: does not depend on the machine's cores come out the same everywhere.
_ONE_THREAD = "1"

# The root of usage errors. Some releases of typer bring their own click, so it is found by way of typer.
_CLICK_ERROR: type[Exception] = next(cls for cls in typer.BadParameter.__mro__ if cls.__name__ == "ClickException")


def main() -> None:
    """Run the command line and exit with its code."""
    # Importing and reading make many objects and hardly any cycles; a tenth of a short command went into looking.
    gc.set_threshold(1_000_000, 20, 20)
    atexit.register(gc.freeze)  # and as much again into looking once more at the end
    # Read when Polars and NumPy are imported, which no command is before.
    os.environ.setdefault("_RJEM_MALLOC_CONF", _GIVE_BACK)
    os.environ.setdefault("OPENBLAS_NUM_THREADS", _ONE_THREAD)
    try:
        code = app(standalone_mode=False)
    except (typer.Abort, KeyboardInterrupt):
        notice("Interrupted.")
        sys.exit(130)
    except _CLICK_ERROR as error:
        notice(_usage(error))
        sys.exit(2)
    except EvenhandError as error:
        notice(" ".join(str(error).split()))
        sys.exit(error.exit_code)
    except Exception as error:  # noqa: BLE001 - a bug: show where, and say so by the exit code
        from evenhand.results.files import disk_refusal

        if reason := disk_refusal(error):
            notice(f"{getattr(error, 'filename', None) or 'A temporary file'} can't be written: {reason}.")
            sys.exit(2)
        import traceback

        sys.stderr.write(spelled(traceback.format_exc()))
        sys.exit(70)
    sys.exit(code if isinstance(code, int) else 0)


def _usage(error: Any) -> str:
    """Return a usage error as one line: the problem, the value given, the help to see."""
    context, parameter = getattr(error, "ctx", None), getattr(error, "param", None)
    path = context.command_path if context is not None else "evenhand"
    message = " ".join(error.format_message().split()).rstrip(".")
    typed = _option_value(getattr(parameter, "opts", []), message)
    hint = f" Given: {typed!r}." if typed is not None else ""
    return f"{message}.{hint} See {path} --help."


def _option_value(names: list[str], message: str) -> str | None:
    """Return the value of an option on the command line, None without one.

    Of several values, the one that the message quotes, else the last.
    """
    values = []
    for word, following in zip(sys.argv, [*sys.argv[1:], None], strict=True):
        name, equals, value = word.partition("=")
        if word in names and following is not None:
            values.append(following)
        elif equals and name in names:
            values.append(value)
    quoted = [value for value in values if repr(value) in message]
    return next(reversed(quoted or values), None)
