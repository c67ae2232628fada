"""Every exception that evenhand raises on purpose, and the exit code of each.

    EvenhandError
    ├── InputError            2   what the user gave: options, files, names
    │   ├── ForeignFolder     2   a folder that no evenhand run made
    │   └── NoSuchFinding     2   no finding of a run has this name; also a KeyError
    ├── ServiceError          3   a model, server or database failed
    ├── Incomplete            4   stopped before the end; --resume goes on
    ├── Interrupted         130   stopped by the user; what was answered is kept
    └── CheckFailed           5   a result failed its own check; nothing was written

A message is one line: what was given, what was expected, how to repair it. Any other exception is a bug in evenhand
and shows its traceback (exit code 70).
"""

from typing import ClassVar


class EvenhandError(Exception):
    """Root of the tree; the command line exits with `exit_code`."""

    exit_code: ClassVar[int] = 70


class InputError(EvenhandError):
    """The user's input or options can't be used."""

    exit_code = 2


class ForeignFolder(InputError):
    """The folder holds files that evenhand did not write, so it is left alone."""


class NoSuchFinding(InputError, KeyError):
    """No finding of the run has this name."""

    def __str__(self) -> str:
        """Return the message without the quotation marks of KeyError."""
        return str(self.args[0])


class ServiceError(EvenhandError):
    """An outside service failed, or every attempt did."""

    exit_code = 3


class Incomplete(EvenhandError):
    """The run stopped early; what was answered is kept and can be resumed."""

    exit_code = 4


class Interrupted(EvenhandError):
    """The user stopped the run; what was answered is kept and can be resumed."""

    exit_code = 130


class CheckFailed(EvenhandError):
    """A result failed its own check; nothing was written."""

    exit_code = 5
