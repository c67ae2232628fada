"""The recipes of docs/design/recipes.md, each carried out on a copy of the package."""

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


def carry_out(step, package):
    path, language, content = step
    if language == "diff":
        old, new = ("".join(f"{line[1:]}\n" for line in content.splitlines() if line[0] == sign) for sign in "-+")
        text = (package / path).read_text("utf-8")
        assert text.count(old) == 1, f"{path} has these lines {text.count(old)} times"
        (package / path).write_text(text.replace(old, new), "utf-8")
    elif language == "console":
        run(content, package)
    else:
        (package / path).parent.mkdir(parents=True, exist_ok=True)
        (package / path).write_text(content, "utf-8")


def run(console, package):
    typed, *seen = console.splitlines()
    words = shlex.split(typed.removeprefix("$ "))
    command = [sys.executable, "-m", "evenhand", *words[1:]] if words[0] == "evenhand" else [sys.executable, *words[1:]]
    environment = {**os.environ, "PYTHONPATH": str(package.parent), "COLUMNS": "120"}
    done = subprocess.run(command, cwd=package.parent, env=environment, capture_output=True, text=True, check=False)
    code = next((line for line in seen if line.startswith("exit code ")), "exit code 0")
    assert f"exit code {done.returncode}" == code, done.stderr
    missing = [line for line in seen if line != code and line not in done.stdout]
    assert not missing, done.stdout


@pytest.mark.parametrize("name", SECTIONS)
def test_a_recipe_does_what_it_says(name, tmp_path):
    package = tmp_path / "evenhand"
    shutil.copytree(ROOT / "src" / "evenhand", package)
    steps = STEP.findall(SECTIONS[name])
    assert [language for _, language, _ in steps].count("console") >= 1
    assert len({path for path, _, _ in steps} - {""}) <= MOST_FILES.get(name, len(steps))
    for step in steps:
        carry_out(step, package)
