"""What documents say to type: their command lines, what they show of the answer, and the files that they name."""

import fcntl
import os
import pty
import re
import shlex
import struct
import subprocess
import sys
import termios
from dataclasses import dataclass
from pathlib import Path

import typer
from _cli import environment

from evenhand.cli import app

COMMAND = typer.main.get_command(app)

#: A block of a document, with the file that the line above it names.
BLOCK = re.compile(
    r"(?:^(?P<before>[^\n]+)\n\n)?^```(?P<language>\w*)\n(?P<content>.*?)^```$", re.MULTILINE | re.DOTALL
)
FILE = re.compile(r"`([\w-]+\.(?:csv|jsonl|toml|txt))`[^`]*$")
CONTROLS = re.compile(r"\x1b\[[\d?;]*[a-zA-Z]")
#: What begins a command line.
PROGRAMS = {"evenhand", "export", "inspect", "make", "pip", "python", "vllm"}


@dataclass(frozen=True)
class Typed:
    """A line to type, and the lines that the document shows below it."""

    line: str
    shown: tuple[str, ...] = ()

    @property
    def words(self):
        """Return the words of the command, without what the document remarks on it."""
        return shlex.split(self.line, comments=True)


def read(document):
    """Return the lines that a document says to type, and the files whose content it shows."""
    typed, files = [], {}
    text, end = document.read_text("utf-8"), 0
    for found in BLOCK.finditer(text):
        follows, end = not text[end : found.start()].strip(), found.end()
        lines = found["content"].splitlines()
        if found["language"] not in {"", "sh", "console"} or not lines:
            continue
        named = FILE.search(found["before"] or "")
        if lines[0].removeprefix("$ ").split()[0] in PROGRAMS:
            typed += [Typed(line.removeprefix("$ ")) for line in lines if line.strip()]
        elif named:
            files[named[1]] = found["content"]
        elif follows and typed:
            typed[-1] = Typed(typed[-1].line, tuple(lines))
    return typed, files


def understood(words):
    """Return the options of a command line as the program understands them, without running it."""
    command, name, rest = COMMAND, "evenhand", list(words)
    context = command.make_context(name, rest)
    rest = [*context._protected_args, *context.args]
    while rest and hasattr(command, "resolve_command"):
        name, command, rest = command.resolve_command(context, rest)
        context = command.make_context(name, list(rest), parent=context)
        rest = [*getattr(context, "_protected_args", ()), *context.args]
    return context.params


def in_a_terminal(line, *, cwd, columns=80, rows=24):
    """Return the exit code of a line typed in a shell, and the lines that its terminal was sent."""
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
    bare = {name: value for name, value in environment().items() if name not in {"COLUMNS", "LINES", "NO_COLOR"}}
    path = os.pathsep.join([str(Path(sys.executable).parent), bare.get("PATH", "")])
    process = subprocess.Popen(
        ["sh", "-c", line],
        cwd=cwd,
        env={**bare, "PATH": path, "TERM": "xterm-256color"},
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
        start_new_session=True,
    )
    os.close(theirs)
    sent = bytearray()
    while piece := _piece(ours):
        sent += piece
    os.close(ours)
    lines = re.split(r"\r\n|\r|\n|\x1b\[1A|\x1b\[2K", sent.decode())
    return process.wait(timeout=60), [CONTROLS.sub("", each).rstrip() for each in lines]


def _piece(descriptor):
    """Return what a terminal was sent next, nothing when nobody has it open any more."""
    try:
        return os.read(descriptor, 65536)
    except OSError:
        return b""
