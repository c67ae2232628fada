"""What a person sees who asks the command line for help: in one screen, with an example that runs."""

import os
import re
import shlex
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest
from _cli import environment, evenhand
from _promises import options
from typer.testing import CliRunner

from evenhand.cli import COMMANDS, GROUPS, app
from evenhand.cli._help import EXAMPLES as OTHER_EXAMPLES
from evenhand.cli._help import FEW, KINDS, MOST_USED, ONE_PANEL, PANELS, example_of, most_used
from evenhand.errors import InputError

EXAMPLES = {command: example_of(command) for command in (*KINDS, *OTHER_EXAMPLES)}
NARROW = environment(COLUMNS="80")


def commands_below(name):
    """Return the commands that a name stands for: itself, or those of a family."""
    return [command for command in EXAMPLES if command.split()[0] == name]


@pytest.mark.parametrize("args", [[], ["--help"]])
def test_the_program_alone_lists_all_commands_in_one_screen(args, tmp_path):
    done = evenhand(*args, cwd=tmp_path, env=NARROW)
    assert done.stderr == ""
    lines = done.stdout.splitlines()
    assert len(lines) <= 43
    assert max(map(len, lines)) <= 80
    assert not any(line.endswith("...") for line in lines[1:])
    for heading, group in GROUPS.items():
        place = lines.index(f"{heading}:")
        assert [line.split()[0] for line in lines[place + 1 : place + 1 + len(group)]] == list(group)


@pytest.mark.parametrize("name", COMMANDS)
def test_each_command_has_an_example(name, tmp_path):
    assert commands_below(name)
    for command in commands_below(name):
        done = evenhand(command, "--help", cwd=tmp_path, env=NARROW)
        assert f"Example: evenhand {EXAMPLES[command]}" in " ".join(done.stdout.split())
        assert max(map(len, done.stdout.splitlines())) <= 80


@cache
def help_of(command, option="--help"):
    """Return the help of a command: the options under each heading, by their first names."""
    text = CliRunner().invoke(app, [*command.split(), option], prog_name="evenhand", env={"COLUMNS": "80"}).output
    headings = {}
    for line in re.split(r"\n  (?:More options|Example): ", text)[0].splitlines():
        if line.endswith(":") and not line.startswith(" "):
            members = headings.setdefault(line.removesuffix(":"), [])
        elif (name := re.match(r"  (-h, )?(\S+)", line)) and not line.startswith("   ") and headings:
            members.append(name[2])
    return text, headings


def options_in(headings):
    return [name for members in headings.values() for name in members if name.startswith("--")]


@pytest.mark.parametrize("command", EXAMPLES)
def test_help_shows_the_most_used_options_and_help_all_every_one_in_a_panel(command):
    text, first = help_of(command)
    full_text, full = help_of(command, "--help-all")
    every, shown = options_in(full), options_in(first)
    assert sorted(every) == sorted(set(every))
    assert set(shown) <= set(every)
    assert len(shown) <= FEW
    more = f"More options: evenhand {command} --help-all"
    assert ((more in " ".join(text.split())), more in full_text) == (len(every) > FEW + 1, False)
    assert len(every) <= FEW + 1 or {"--out", "--fail-on"} & set(every) <= set(shown)
    if len(every) > ONE_PANEL:
        assert len(full) >= 3
        assert "Options" not in full
        assert list(first) == [heading for heading in full if heading in first]
    else:
        assert "Options" in full


@pytest.mark.parametrize("name", ["", "monitor", "monitor golden"])
def test_commands_with_commands_below_them_have_help_all_too(name):
    assert help_of(name, "--help-all") == help_of(name)


def test_the_tables_of_the_help_name_each_option_once_and_none_that_is_gone():
    panels = [name for names in PANELS.values() for name in names]
    assert sorted(panels) == sorted(set(panels))
    flags = {
        command: {flag.strip("-") for flag in options_in(help_of(command, "--help-all")[1])} for command in EXAMPLES
    }
    renamed = {"everything": "all", "ranked": "for", "known_names": "known-name", "placebo": "no-placebo"}
    renamed |= {"report": "no-report", "browser": "no-browser"}
    spelled = lambda name: renamed.get(name, name.replace("_", "-"))  # noqa: E731
    assert not {spelled(name) for name in panels} - set().union(*flags.values())
    for command in (*KINDS, *MOST_USED):
        assert {spelled(name) for name in most_used(command)} <= flags[command], command


@pytest.mark.parametrize("command", [command for command in EXAMPLES if "--fail-on" in options()[command]])
def test_help_names_the_conditions_that_the_command_accepts(command, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    listed = help_of(command)[1].get("Conditions of --fail-on", ["alarm"])
    done = CliRunner().invoke(app, [*shlex.split(EXAMPLES[command]), "--fail-on", "nonsense"])
    assert isinstance(done.exception, InputError)
    accepted = re.findall(r"[a-z-]+(?::[A-Z=]+)?", str(done.exception).partition("expected ")[2].replace(" or ", ", "))
    assert [form for form in accepted if form[-2:] not in {":C", ":D"}] == [form.partition("|")[0] for form in listed]


@pytest.mark.parametrize(
    ("typed", "offered"), [("pr", "probe"), ("probe hiring-an --sam", "--sample"), ("data ex", "example")]
)
def test_what_is_typed_is_completed(typed, offered):
    words = f"evenhand {typed}"
    asked = {"_EVENHAND_COMPLETE": "complete_bash", "COMP_WORDS": words, "COMP_CWORD": str(len(words.split()) - 1)}
    program = Path(sys.executable).with_name("evenhand")
    done = subprocess.run([program], env=os.environ | asked, capture_output=True, text=True, check=False, timeout=60)
    assert offered in done.stdout.split(), done.stderr
