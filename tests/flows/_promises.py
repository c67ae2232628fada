"""What every command promises whatever it is asked, held against each command that a test types."""

import re
from functools import cache
from pathlib import Path

import orjson

from evenhand.cli import COMMANDS, WITHIN, _loaded

FILES = Path(__file__).parents[2] / "docs" / "files.md"
OPTION = re.compile(r"(?<![\w-])--[a-z][a-z0-9-]*")
#: What a run was made with is no advice.
MADE = re.compile(r"\b(?:made|begun|run) with(?:out)? --[a-z-]+")
#: A command to copy goes on in the next line.
WRAPPED = re.compile(r" \\\n\s*")
#: Of all commands, and of programs that messages name: the viewer of inspect_ai.
OTHERS = frozenset({"--help", "--help-all", "--log-dir"})
QUIET = "Print no summary and no remarks."


@cache
def exit_codes():
    """Return the codes of docs/files.md."""
    return {int(code) for code in re.findall(r"^\| (\d+) \|", FILES.read_text("utf-8"), re.MULTILINE)}


@cache
def options():
    """Return the options of each command with their help, by the words of the command."""
    found = {}

    def walk(words, command):
        found[words] = {name: each.help for each in command.params for name in (*each.opts, *each.secondary_opts)}
        for name, each in getattr(command, "commands", {}).items():
            walk(words if words.split()[-1] == name else f"{words} {name}", each)

    for name in COMMANDS | WITHIN:
        walk(name, _loaded(name))
    return found


def command_of(args):
    """Return the words of the command that is typed, "" where none is."""
    known = sorted(options(), key=len, reverse=True)
    return next((words for words in known if args[: len(words.split())] == words.split()), "")


def broken_promises(args, code, out, err):
    """Return which promises a command with this end breaks."""
    args = [str(each) for each in args]
    command = command_of(args)
    if code not in exit_codes() or (code != 70) == ("Traceback" in err):
        yield f"exit code {code}"
    if {"--help", "--help-all", "-h"} & set(args) or not command:
        return
    if "--json" in args and code in {0, 1, 6}:
        orjson.loads(out)
    if "--quiet" in args and options()[command].get("--quiet") == QUIET and code == 0 and err:
        yield "remarks with --quiet"
    told = err if "--json" in args else f"{err}\n{out}"
    for line in MADE.sub("", WRAPPED.sub(" ", told)).splitlines():
        if not (found := OPTION.findall(line)):
            continue
        named = {words for words in options() if re.search(rf"(?<![\w-]){words.split()[-1]}(?![\w-])", line)}
        known = OTHERS.union(
            *(options()[words] for words in named | {command}), (arg.partition("=")[0] for arg in args)
        )
        yield from (f"{option} in {line!r}" for option in found if option not in known)
