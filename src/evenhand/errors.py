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

import re
from collections.abc import Callable
from typing import ClassVar

#: Around the name of an option in a message, and before the value that is said of it.
_BEGIN, _VALUE, _END = "\ue010\ue011\ue012"


def option_text(field: str, value: object = "") -> str:
    """Return an option as a message has it, by its field: the command line and Python write it in their own words.

    >>> str(InputError(f"No column 'sex'. Did you mean {option_text('protected', 'gender')}?"))
    "No column 'sex'. Did you mean --protected gender?"
    """
    return f"{_BEGIN}{field}{_VALUE}{value}{_END}"


def with_options(text: str, write: Callable[[str, str], str]) -> str:
    """Return a message with its options as `write` has them, by field and value ("" where none is said)."""
    if _BEGIN not in text:
        return text
    return re.sub(f"{_BEGIN}([^{_VALUE}]*){_VALUE}([^{_END}]*){_END}", lambda match: write(match[1], match[2]), text)


def flag(field: str, value: str = "") -> str:
    """Return an option in the words of the command line.

    >>> flag("age_at", "2024-12-31"), flag("force")
    ('--age-at 2024-12-31', '--force')
    """
    return f"--{field.replace('_', '-')} {value}".rstrip()


class EvenhandError(Exception):
    """Root of the tree; the command line exits with `exit_code`.

    Options in the message (see `option_text`) are written as on the command line, by functions of Python as keywords.
    """

    exit_code: ClassVar[int] = 70

    def __str__(self) -> str:
        """Return the message, with options as on the command line."""
        return with_options(super().__str__(), flag)


class InputError(EvenhandError):
    """The user's input or options can't be used."""

    exit_code = 2


class ForeignFolder(InputError):
    """The folder holds files that evenhand did not write, so it is left alone."""


class NoSuchFinding(InputError, KeyError):
    """No finding of the run has this name."""

    def __str__(self) -> str:
        """Return the message without the quotation marks of KeyError."""
        return with_options(str(self.args[0]), flag)


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
