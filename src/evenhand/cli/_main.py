"""Run the command line; turn errors into one line and an exit code."""

import atexit
import gc
import os
import sys
from typing import Any

import typer

from evenhand.cli._app import app
from evenhand.cli._show import notice
from evenhand.errors import EvenhandError
from evenhand.results.messages import spelled

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
    except Exception:  # noqa: BLE001 - a bug: show where, and say so by the exit code
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
