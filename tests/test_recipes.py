"""The recipes of docs/design/recipes.md, each carried out on a copy of the package."""

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
RECIPES = (ROOT / "docs" / "design" / "recipes.md").read_text("utf-8")
SECTIONS = dict(re.findall(r"^## (.+?)\n(.*?)(?=^## |\Z)", RECIPES, re.MULTILINE | re.DOTALL))
#: A file with what it holds, a file with what changes in it, or what is typed and what is then seen; "exit code 1"
#: is the end of a command that does not end with 0.
STEP = re.compile(r"(?:^`([\w./]+)`\n\n)?^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
#: The most files that a recipe may touch.
MOST_FILES = {"A statistic": 2, "A recogniser": 1, "An option": 2, "A kind of run": 1}


#: Types lines in one process, as importing the package takes longer than most of them, and prints what each showed.
TYPE_LINES = """
import contextlib, io, json, sys
for words in json.loads(sys.stdin.read()):
    sys.argv, shown, code = words, io.StringIO(), 0
    with contextlib.redirect_stdout(shown):
        if words[0] == "evenhand":
            from evenhand.cli import main
            try:
                main()
            except SystemExit as end:
                code = end.code or 0
        else:
            exec(words[2], {})
    print(json.dumps(f"{shown.getvalue()}\\nexit code {code}"))
"""


def carry_out(step, package):
    path, language, content = step
    if language == "diff":
        old, new = ("".join(f"{line[1:]}\n" for line in content.splitlines() if line[0] == sign) for sign in "-+")
        text = (package / path).read_text("utf-8")
        assert text.count(old) == 1, f"{path} has these lines {text.count(old)} times"
        (package / path).write_text(text.replace(old, new), "utf-8")
    else:
        (package / path).parent.mkdir(parents=True, exist_ok=True)
        (package / path).write_text(content, "utf-8")


def type_lines(consoles, package):
    """Type the first line of each console, and look for its other lines in what is shown."""
    words = [shlex.split(console.partition("\n")[0].removeprefix("$ ")) for console in consoles]
    done = subprocess.run(
        [sys.executable, "-c", TYPE_LINES],
        cwd=package.parent,
        env={**os.environ, "PYTHONPATH": str(package.parent), "COLUMNS": "120"},
        input=json.dumps(words),
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    for console, line in zip(consoles, done.stdout.splitlines(), strict=True):
        shown = json.loads(line)
        seen = console.splitlines()[1:]
        code = [] if any(line.startswith("exit code ") for line in seen) else ["exit code 0"]
        assert [line for line in (*seen, *code) if line not in shown] == [], shown + done.stderr


@pytest.mark.parametrize("name", SECTIONS)
def test_a_recipe_does_what_it_says(name, tmp_path):
    package = tmp_path / "evenhand"
    shutil.copytree(ROOT / "src" / "evenhand", package)
    steps = STEP.findall(SECTIONS[name])
    consoles = [content for _, language, content in steps if language == "console"]
    assert consoles
    assert len({path for path, _, _ in steps} - {""}) <= MOST_FILES.get(name, len(steps))
    for step in steps:
        if step[1] != "console":
            carry_out(step, package)
    type_lines(consoles, package)
