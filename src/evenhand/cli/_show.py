"""Output: results on stdout, progress and remarks on stderr, the exit code."""

import os
import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import typer

from evenhand.probes import PROBES
from evenhand.results.messages import one_line, shortened, spelled, spelled_json

if TYPE_CHECKING:
    from evenhand.analyses.run import Run
    from evenhand.cli._command import ResultOutputOptions, RunOutputOptions

LONGEST_NOTICE = 2000


def show(make: Any, output: "RunOutputOptions", kind: str | None = None, *, probe: str | None = None) -> None:
    """Make a run of a kind, print its result, and exit with 1 if a condition of --fail-on holds, 6 if none can."""
    from evenhand.analyses.fail_on import check_conditions, conditions_without, gate

    conditions = list(output.fail_on)
    without = conditions_without(PROBES[probe].measured) if probe is not None and probe in PROBES else frozenset[str]()
    check_conditions(conditions, kind, without=without)
    run: Run = with_progress(make, output)
    if output.json:
        print_json((run.folder / "findings.json").read_text("utf-8"), run)
    elif output.quiet:
        print_out(str(run.folder), run)
    else:
        from evenhand.cli.screen import run_text

        print_out(f"{run_text(run, run.folder)}\n{run.folder}", run)
    result = gate(conditions, run.findings, kind)
    for line in result.lines:
        notice(line)
    if result.exit_code:
        raise typer.Exit(result.exit_code)


def with_progress(make: Callable[[Any], Any], output: "RunOutputOptions | ResultOutputOptions") -> Any:
    """Return the result of `make`, drawing its progress if stderr is a terminal."""
    if output.quiet or not sys.stderr.isatty():
        return make(None)
    from evenhand.cli.screen import progress_bar

    with progress_bar() as progress:
        return make(progress)


def print_result(result: Any, output: "ResultOutputOptions") -> None:
    """Print a result with `json` and `text`, as its options say."""
    if output.json:
        print_json(result.json)
    elif not output.quiet:
        print_out(result.text)


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
        from evenhand.report.terminal import Screen

        screen = Screen()
        screen.say(text)
        text = screen.text
    sys.stderr.write(f"{text}\n")  # not by typer, which would write into a line of progress
    sys.stderr.flush()


def silent(_: str) -> None:
    """Say nothing."""
