"""Where results and remarks go: stdout, stderr, the exit code."""

import os
import sys
from typing import TYPE_CHECKING, Any

import typer

from evenhand.results.messages import one_line, shortened, spelled, spelled_json

if TYPE_CHECKING:
    from evenhand.analyses.run import Run
    from evenhand.cli._command import RunOutputOptions

LONGEST_NOTICE = 2000


def show(make: Any, shown: "RunOutputOptions") -> None:
    """Make the run, print its result, and exit with 1 if a condition holds."""
    from evenhand.analyses.fail_on import check_conditions, conditions_met

    conditions = list(shown.fail_on)
    check_conditions(conditions)
    run: Run = make(None) if shown.quiet or not sys.stderr.isatty() else with_progress(make)
    if shown.json:
        print_json((run.folder / "findings.json").read_text("utf-8"), run)
    elif shown.quiet:
        print_out(str(run.folder), run)
    else:
        from evenhand.cli.screen import run_text

        print_out(f"{run_text(run)}\n{run.folder}", run)
    met = conditions_met(conditions, run.findings)
    if met:
        notice(f"--fail-on holds: {'; '.join(met)}")
        raise typer.Exit(1)


def with_progress(make: Any) -> Any:
    """Return what is made, while its progress is drawn on stderr."""
    from evenhand.cli.screen import progress_bar

    with progress_bar() as progress:
        return make(progress)


def print_out(text: str, run: "Run | None" = None) -> None:
    """Write the result to stdout; what it quotes of others can't act on the terminal."""
    _write(spelled(text), run)


def print_json(text: str, run: "Run | None" = None) -> None:
    """Write JSON to stdout: signs that act on a terminal are escaped, which changes no value."""
    _write(spelled_json(text), run)


def print_data(text: str) -> None:
    """Write a table to stdout, to a file or program as it is."""
    _write(spelled(text) if sys.stdout.isatty() else text, None)


def print_bytes(content: bytes) -> None:
    """Write a text to stdout: to a file or program byte by byte, in whatever encoding it is."""
    if sys.stdout.isatty():
        _write(spelled(content.decode(errors="replace")), None)
        return
    sys.stdout.flush()
    sys.stdout.buffer.write(content)
    sys.stdout.buffer.flush()


def _write(text: str, run: "Run | None") -> None:
    """Write to stdout; that nobody reads it, or that it is full, spoils no run."""
    try:
        sys.stdout.write(f"{text}\n")
        sys.stdout.flush()
    except OSError as error:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        if not isinstance(error, BrokenPipeError):
            where = f"; the run is in {run.folder}" if run is not None else ""
            notice(f"The result can't be written to stdout ({error.strerror}){where}.")
            raise typer.Exit(3) from error


def split(values: list[str]) -> list[str]:
    """Return a list option's values; commas separate like repetition does."""
    return [part.strip() for value in values for part in value.split(",") if part.strip()]


def notice(line: str) -> None:
    """Write a remark to stderr: one line, at most 2,000 characters; a terminal gets it in lines that it can hold."""
    told = shortened(one_line(line), most=LONGEST_NOTICE)
    if sys.stderr.isatty():
        from evenhand.report.terminal import Screen

        screen = Screen()
        screen.say(told)
        told = screen.text
    sys.stderr.write(f"{told}\n")  # not by typer, which would write into a line of progress
    sys.stderr.flush()


def silent(_: str) -> None:
    """Say nothing."""
