"""What all commands have in common; `evenhand` of _cli.py holds each command that a test types against the rest."""

import ast
from pathlib import Path

import pytest
from _cli import refused
from _promises import OPTION, OTHERS, broken_promises, options

SOURCE = Path(__file__).parents[2] / "src" / "evenhand"
#: Commands that do something, not those that hold others.
COMMANDS = sorted(words for words in options() if not any(each.startswith(f"{words} ") for each in options()))


@pytest.mark.parametrize("words", COMMANDS)
def test_a_command_prints_json_is_quiet_and_refuses_other_options_in_one_line(words, tmp_path):
    assert words == "serve" or {"--json", "--quiet"} <= options()[words].keys()
    refused(words, "--no-such-option", told="--no-such-option", cwd=tmp_path)


def test_no_sentence_of_the_source_names_an_option_that_no_command_has():
    known = OTHERS.union(*options().values())
    texts = [path.read_text("utf-8") for path in SOURCE.rglob("*.py")]
    named = {
        option
        for text in texts
        if {*OPTION.findall(text)} - known
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
        for option in OPTION.findall(node.value)
    }
    # How a flag is taken back, an example in a docstring, and a font of the pages.
    assert named - known == {"--no-", "--tries", "--sans"}


@pytest.mark.parametrize(
    ("line", "code", "out", "err", "broken"),
    [
        ("impact a.csv", 2, "", "Choose it with --top.\n", ["--top in 'Choose it with --top.'"]),
        ("impact a.csv", 2, "", "Choose it with evaluate --top, --selected.\n", []),
        ("impact a.csv --odd", 2, "", "No option --odd.\n", []),
        ("report run", 2, "", "The run was made with --redact-answers.\n", []),
        ("data example a --quiet", 0, "", "Rows of an example.\n", ["remarks with --quiet"]),
        ("impact a.csv --quiet", 0, "", "2 rows were left out.\n", []),
        ("impact a.csv", 7, "", "", ["exit code 7"]),
        ("impact a.csv", 2, "", "Traceback (most recent call last):\n", ["exit code 2"]),
    ],
)
def test_broken_promises_are_found(line, code, out, err, broken):
    assert list(broken_promises(line.split(), code, out, err)) == broken
