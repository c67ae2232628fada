"""What a person sees who asks the command line for help: in one screen, with an example that runs."""

import os
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
from _cli import environment, evenhand
from _files_named import answer_requests, decisions
from _golden import POSITIONS, golden_cases, labelled
from _scored_days import scored_days

from evenhand.cli import COMMANDS, EXAMPLES, GROUPS

NARROW = environment(COLUMNS="80")
FIRST = "probe hiring-an --model sim:masculine --sample 200 --quiet --out"
#: What the examples take for given.
BEFORE = (
    f"{FIRST} runs/first",
    f"{FIRST} runs/second",
    f"{FIRST} runs/part-1 --shard 1/2",
    f"{FIRST} runs/part-2 --shard 2/2",
    "data example compas-2016",
    "probe an2024 --model sim:feminine --sample 60 --roles 7 --quiet --out runs/an2024",
    "data example bertrand-2004",
    "data company --people 80 --positions 20 --pairs 800 --out company",
    "monitor record days.csv --store history.db --model ranker --time decided_at --score score --selected invited "
    "--protected gender",
    "monitor check --store history.db",
    "monitor backup --store history.db --out backup.db",
    "bundle runs/first --quiet --out evidence.zip",
    "data prompts hiring-an --sample 40 --format openai-batch --model gpt-4o --out requests.jsonl",
)


@pytest.fixture(scope="module")
def given(tmp_path_factory):
    folder = tmp_path_factory.mktemp("given")
    (folder / "days.csv").write_text(scored_days(), encoding="utf-8")
    (folder / "cases.jsonl").write_text(golden_cases(), encoding="utf-8")
    (folder / "positions.jsonl").write_text(POSITIONS, encoding="utf-8")
    (folder / "labelled.jsonl").write_text(labelled(), encoding="utf-8")
    for line in BEFORE:
        assert evenhand(*shlex.split(line), cwd=folder).returncode == 0
    answer_requests(folder)
    answer = '{"model": "m", "prompt": "An email to Emily Walsh", "name": "Emily Walsh", "role": "nurse", '
    answer += '"gender": "female", "race": "white", "qualification": "high", "template": "0", '
    answer += '"answer": "You have been selected."}'
    (folder / "answers.jsonl").write_text(answer + "\n", encoding="utf-8")
    (folder / "decisions.csv").write_text(decisions(), encoding="utf-8")
    (folder / "resume.txt").write_text("Emily Walsh\nNurse since 2015.\n", encoding="utf-8")
    (folder / "names.csv").write_text("name,count,white,black,female,male\nAnn,5000,.92,.08,980,20\n", encoding="utf-8")
    for name in ("first.csv", "second.csv"):
        sheet = "email,text,label\n1,You are hired.,accept\n2,We regret to inform you.,reject\n"
        (folder / name).write_text(sheet, encoding="utf-8")
    return folder


def commands_below(name):
    """Return the commands that a name stands for: itself, or those of a family."""
    return [command for command in EXAMPLES if command.split()[0] == name]


@pytest.mark.parametrize("args", [[], ["--help"]])
def test_the_program_alone_lists_all_commands_in_one_screen(args, tmp_path):
    done = evenhand(*args, cwd=tmp_path, env=NARROW)
    assert (done.returncode, done.stderr) == (0, "")
    lines = done.stdout.splitlines()
    assert len(lines) <= 42
    assert max(map(len, lines)) <= 80
    assert not any(line.endswith("...") for line in lines[1:])
    for heading, group in GROUPS.items():
        place = lines.index(f"{heading}:")
        assert [line.split()[0] for line in lines[place + 1 : place + 1 + len(group)]] == list(group)


@pytest.mark.parametrize("name", COMMANDS)
def test_each_command_has_an_example(name, tmp_path):
    assert commands_below(name)
    for command in commands_below(name):
        done = evenhand(*command.split(), "--help", cwd=tmp_path, env=NARROW)
        assert f"Example: evenhand {EXAMPLES[command]}" in " ".join(done.stdout.split())
        assert max(map(len, done.stdout.splitlines())) <= 80


@pytest.mark.parametrize("command", [each for each in EXAMPLES if each not in {"demo", "serve"}])
def test_each_example_runs(command, given):
    extra = ["--force"] if command in {"audit", "probe", "data company", "data prompts", "monitor backup"} else []
    done = evenhand(*shlex.split(EXAMPLES[command]), *extra, cwd=given)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize(
    ("typed", "offered"), [("pr", "probe"), ("probe hiring-an --sam", "--sample"), ("data ex", "example")]
)
def test_what_is_typed_is_completed(typed, offered):
    words = f"evenhand {typed}"
    asked = {"_EVENHAND_COMPLETE": "complete_bash", "COMP_WORDS": words, "COMP_CWORD": str(len(words.split()) - 1)}
    program = Path(sys.executable).with_name("evenhand")
    done = subprocess.run([program], env=os.environ | asked, capture_output=True, text=True, check=False, timeout=60)
    assert offered in done.stdout.split(), done.stderr
