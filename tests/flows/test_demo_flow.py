"""`evenhand demo` from the shell: what was injected is found, and every printed command runs on the files it leaves."""

import json
import shlex
from pathlib import Path

import pytest
from _cli import evenhand

from evenhand.commands.demo.found import FOUND
from evenhand.commands.demo.steps import steps


def demo(folder, *args):
    return evenhand("demo", "--out", "demo", *args, cwd=folder)


@pytest.mark.slow
def test_what_was_injected_is_found_and_each_command_runs_as_printed(tmp_path):
    done = demo(tmp_path)
    assert done.returncode == 0, done.stderr
    stages = json.loads((tmp_path / "demo" / "demo.json").read_bytes())["stages"]
    rows = {row["label"]: row for stage in stages for row in stage["found"]}
    page = (tmp_path / "demo" / "index.html").read_text("utf-8")
    assert all(label in page.replace("&#39;", "'") for label in rows)
    with_interval = [row for row in rows.values() if row["low"] is not None and row["expected"] != "below 0"]
    assert len(with_interval) == 8
    assert sum(row["low"] <= row["expected"] <= row["high"] for row in with_interval) >= 7
    assert rows["Share selected of those who perform well: women less men"]["high"] < 0
    step = rows["Step in the median score, since about"]
    assert step["expected"] == step["estimate"]
    for stage in stages:
        assert not stage["skipped"]
        for link in stage["step"]["pages"].values():
            assert (tmp_path / "demo" / link).is_file()
        for command in stage["step"]["commands"]:
            again = evenhand(*shlex.split(command)[1:], cwd=tmp_path)
            assert again.returncode == 0, (command, again.stderr)


@pytest.mark.parametrize("matched", [True, False])
def test_every_stage_has_commands_that_write_below_its_folder_and_what_reads_them(matched):
    found = steps(Path("my demo"), seed=3, matched=matched)
    assert [step.name for step in found] == list(FOUND)
    for step in found:
        for command in step.commands:
            words = shlex.split(command)
            assert words[0] == "evenhand"
            assert "{" not in command
            assert any(word.startswith("my demo") for word in words)
            places = [word for word in words if word.startswith("my demo/match")]
            assert step.needs or bool(places) is (matched and words[1] == "bundle")


@pytest.mark.parametrize(
    ("content", "args", "words"),
    [
        (None, [], "demo is no folder"),
        ("notes.txt", [], "demo is there already. Use --force"),
        ("notes.txt", ["--force"], "demo holds no demo; nothing was changed"),
        ("manifest.json", ["--force"], "demo holds no demo; nothing was changed"),
    ],
)
def test_other_folders_are_left_alone(tmp_path, content, args, words):
    place = tmp_path / "demo"
    if content is None:
        place.write_text("mine", encoding="utf-8")
    else:
        place.mkdir()
        (place / content).write_text("{}", encoding="utf-8")
    done = demo(tmp_path, *args)
    assert (done.returncode, done.stdout, len(done.stderr.splitlines())) == (2, "", 1)
    assert words in done.stderr
    assert content is None or [path.name for path in place.iterdir()] == [content]
