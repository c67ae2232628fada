"""What every command shares: groups of options as parameters that typer reads, and output.

Results go to stdout, progress and remarks to stderr; the exit code says what held.
"""

import inspect
import os
import sys
from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass
from datetime import date, datetime
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from evenhand.errors import EvenhandError, Incomplete, InputError, flag, with_options
from evenhand.options import Declared, Group, Option, TakenApart
from evenhand.results.kinds import loaded, run_kind
from evenhand.results.messages import Notices, one_line, shortened, spelled, spelled_json

if TYPE_CHECKING:
    from evenhand.analyses.ci_files import CiFiles
    from evenhand.analyses.run import Run


@dataclass(frozen=True, kw_only=True)
class CiOptions(Group):
    """Files for a CI system."""

    junit: Annotated[
        Path | None, Option("Write each claim as a test case: a failure where --fail-on holds.", metavar="FILE")
    ] = None
    markdown: Annotated[
        Path | None, Option("Write a summary for a pull request: the answer and a table of claims.", metavar="FILE")
    ] = None


@dataclass(frozen=True, kw_only=True)
class RunOutputOptions(CiOptions):
    """The output of a run, and the conditions of failure."""

    fail_on: Annotated[
        tuple[str, ...],
        Option(
            "Exit with 1 if the condition (below) holds, and with 6 if it can't be judged.",
            commas=True,
            metavar="CONDITION",
        ),
    ] = ()
    json: Annotated[bool, Option("Print findings.json on stdout, and nothing else.")] = False
    quiet: Annotated[bool, Option("Print no summary and no progress.")] = False


@dataclass(frozen=True, kw_only=True)
class AsJson(Group):
    """Whether a result is printed as JSON."""

    json: Annotated[bool, Option("Print the result as JSON on stdout, and nothing else.")] = False


@dataclass(frozen=True, kw_only=True)
class ResultOutputOptions(AsJson):
    """The output of a result other than a run."""

    quiet: Annotated[bool, Option("Print no summary and no remarks.")] = False


def command(
    *, settings: Iterable[Declared] = (), without: Collection[str] = ()
) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Return a decorator that turns the function's groups into options of the command line."""

    def decorate(function: Callable[..., None]) -> Callable[..., None]:
        apart = TakenApart(function, settings=settings, without=without)
        options = {field.name: field for field in apart.parameters if isinstance(field, Declared)}

        def flag_of(field: str, value: str) -> str:
            return f"{options[field].flag} {value}".rstrip() if field in options else flag(field, value)

        def called(**typed: Any) -> None:
            values = {name: _value(options[name], value) if name in options else value for name, value in typed.items()}
            try:
                apart.call(values)
            except EvenhandError as error:
                error.args = (with_options(str(error.args[0]) if error.args else "", flag_of),)
                raise

        called.__signature__ = inspect.Signature(list(map(_parameter, apart.parameters)))  # type: ignore[attr-defined]
        called.__name__, called.__doc__ = function.__name__, function.__doc__
        return called

    return decorate


def _parameter(parameter: inspect.Parameter | Declared) -> inspect.Parameter:
    if isinstance(parameter, inspect.Parameter):
        return parameter.replace(kind=inspect.Parameter.KEYWORD_ONLY)
    info: Any = (
        typer.Argument(help=parameter.option.help, metavar=parameter.flag, show_default=False)
        if not parameter.flag.startswith("-")
        else typer.Option(
            parameter.flag,
            help=parameter.option.help,
            metavar=parameter.option.metavar,
            formats=["%Y-%m-%d"] if parameter.kind is date else None,
        )
    )
    default = (
        inspect.Parameter.empty
        if parameter.required
        else parameter.default or None
        if parameter.several
        else parameter.default
    )
    if parameter.kind is bool:
        default = False
    return inspect.Parameter(
        parameter.name, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=Annotated[_typed(parameter), info]
    )


def _typed(field: Declared) -> Any:
    if field.several:
        return list[str] | None
    kind: Any = field.kind
    choice_of: Any = StrEnum
    if field.option.choices:
        kind = choice_of(field.name, {choice: choice for choice in field.option.choices})
    elif field.option.read is not None:
        kind = str
    elif field.kind is date:
        kind = datetime
    return kind | None if field.default is None else kind


def _value(field: Declared, typed: Any) -> Any:
    """Return a typed value as the value of the group's field."""
    if isinstance(typed, StrEnum):
        return typed.value
    if isinstance(typed, datetime):
        return typed.date()
    if field.kind is bool:
        return typed is not field.default
    if field.option.commas and typed is not None:
        typed = split(typed)
    if field.several and field.kind is float:
        typed = [_number(field, part) for part in typed or ()]
    return field.value(typed, named=field.flag)


def _number(field: Declared, text: str) -> float:
    try:
        return float(text)
    except ValueError as error:
        raise InputError(f"{field.flag} is {text!r}; expected {field.option.expected}.") from error


def kind_command(kind: str) -> Any:
    """Return the command that makes runs of a kind: its own function, or one made of its options and what it reads."""
    declared = run_kind(kind)
    if declared.command is not None:
        return loaded(declared.command)

    def made(source: Any, options: Any, output: RunOutputOptions) -> None:
        from evenhand.analyses.run import run_analysis

        show(lambda _: run_analysis(kind, source, options, notice=notice), output, kind)

    argument = typer.Argument(metavar=declared.metavar, help=declared.reads)
    typed: Any = list[Path] if declared.several else str
    made.__annotations__ |= {"source": Annotated[typed, argument], "options": loaded(declared.options)}
    return command()(made)


LONGEST_NOTICE = 2000


def show(make: Any, output: RunOutputOptions, kind: str, *, without: frozenset[str] = frozenset()) -> None:
    """Make a run of a kind, print its result, and exit with 1 if a condition of --fail-on holds, 6 if none can.

    `without` are conditions that this run can't have.
    """
    files = begun_files(output, kind)
    judge = _gate(list(output.fail_on), kind, without=without)
    run: Run = with_progress(make, output)
    if output.json:
        print_json((run.folder / "findings.json").read_text("utf-8"), run)
    elif output.quiet:
        print_out(str(run.folder), run)
    else:
        from evenhand.report.page.contents import run_text

        print_out(f"{run_text(run, run.folder)}\n{run.folder}", run)
    missing = _missing(run, kind)
    result = None if judge is None or run.audit.incomplete else judge(run.findings)
    if files is not None:
        from evenhand.analyses.ci_files import run_summary

        files.write(run_summary(run, run.folder, result, missing or run.audit.incomplete or ""))
    if missing:
        raise Incomplete(missing)
    if run.audit.incomplete and judge is not None:
        notice("--fail-on can't be judged: too many answers are missing.")
        raise typer.Exit(6)
    if result is not None:
        for line in result.lines:
            notice(line)
        if result.exit_code:
            raise typer.Exit(result.exit_code)


def _missing(run: "Run", kind: str) -> str:
    """Return why a run ends with the exit code of an incomplete one, "" where it doesn't."""
    if run.audit.incomplete and kind in {"probe", "suite"}:
        redacted = getattr(run.audit, "redacted", False)
        again = "Ask all again, as texts were removed: --force" if redacted else "Ask again: --resume --retry-errors"
        return f"Too many answers are missing. {again} --out {run.folder}."
    if getattr(run.audit, "unjudged", None):
        return "The judge has not read all answers; the findings were computed without it."
    return ""


def begun_files(output: CiOptions, command: str) -> "CiFiles | None":
    """Return the files for a CI system, which say that the command has not finished; None where none is wanted."""
    if output.junit is None and output.markdown is None:
        return None
    from evenhand.analyses.ci_files import CiFiles

    files = CiFiles(junit=output.junit, markdown=output.markdown)
    files.begin(command)
    return files


def _gate(conditions: list[str], kind: str, *, without: frozenset[str]) -> Callable[[Any], Any] | None:
    """Return what holds findings against the conditions of --fail-on, once they are known to be possible."""
    if not conditions:
        return None
    from evenhand.analyses.fail_on import check_conditions, gate

    check_conditions(conditions, kind, without=without)
    return lambda findings: gate(conditions, findings, kind)


def with_progress(make: Callable[[Any], Any], output: RunOutputOptions | ResultOutputOptions) -> Any:
    """Return the result of `make`, drawing its progress if stderr is a terminal."""
    if output.quiet or not sys.stderr.isatty():
        return make(None)
    from evenhand.cli.progress import progress_bar

    with progress_bar() as progress:
        return make(progress)


def print_result(
    result: Any, output: RunOutputOptions | ResultOutputOptions, *, path: os.PathLike[str] | None = None
) -> None:
    """Print a result with `json` and `text`, as its options say; with --quiet the `path` of what was written."""
    if output.json:
        print_json(result.json)
    elif not output.quiet:
        print_out(result.text)
    elif path is not None:
        print_out(str(path))


def print_written(path: os.PathLike[str], output: ResultOutputOptions, *, json: str, text: str) -> None:
    """Print what was written, as JSON or as a text, and the path of it."""
    if output.json:
        print_json(json)
        return
    if not output.quiet:
        print_out(text)
    print_out(str(path))


def print_path(path: os.PathLike[str], output: ResultOutputOptions) -> None:
    """Print the path of what was written, as JSON where its options say so."""
    if output.json:
        import orjson

        print_json(orjson.dumps({"path": str(path)}).decode())
    else:
        print_out(str(path))


def print_out(text: str, run: "Run | None" = None) -> None:
    """Write a text to stdout, with control characters escaped."""
    _write(spelled(text), run)


def print_json(text: str, run: "Run | None" = None) -> None:
    """Write JSON to stdout, with control characters escaped, which changes no value."""
    _write(spelled_json(text), run)


def print_data(text: str) -> None:
    """Write a table to stdout, unchanged to a file or program."""
    _write(spelled(text) if sys.stdout.isatty() else text, None)


def print_bytes(content: bytes) -> None:
    """Write bytes to stdout, unchanged to a file or program."""
    if sys.stdout.isatty():
        _write(spelled(content.decode(errors="replace")), None)
        return
    sys.stdout.flush()
    sys.stdout.buffer.write(content)
    sys.stdout.buffer.flush()


def _write(text: str, run: "Run | None") -> None:
    """Write to stdout; a closed pipe or a full disk does not lose the run."""
    try:
        sys.stdout.write(f"{text}\n")
        sys.stdout.flush()
    except OSError as error:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        if not isinstance(error, BrokenPipeError):
            location = f"; the run is in {run.folder}" if run is not None else ""
            notice(f"The result can't be written to stdout ({error.strerror}){location}.")
            raise typer.Exit(3) from error


def split(values: list[str]) -> list[str]:
    """Return a list option's values, also separated at commas."""
    return [part.strip() for value in values for part in value.split(",") if part.strip()]


def notice(line: str) -> None:
    """Write a remark to stderr: one line of at most 2,000 characters, wrapped on a terminal."""
    text = shortened(one_line(line), most=LONGEST_NOTICE)
    if sys.stderr.isatty():
        from evenhand.results.terminal import Screen

        screen = Screen()
        screen.say(text)
        text = screen.text
    sys.stderr.write(f"{text}\n")  # not by typer, which would write into a line of progress
    sys.stderr.flush()


def silent(_: str) -> None:
    """Say nothing."""


def notices(output: ResultOutputOptions) -> Notices:
    """Return what takes remarks: `notice`, or nothing with --quiet."""
    return silent if output.quiet else notice
