"""`evenhand demo` from the shell: what was injected is found, and every printed command runs on the files it leaves."""

import json
import re
import shlex
from html import unescape
from pathlib import Path

import pytest
from _cli import evenhand, refused

from evenhand.analyses.demo import STAGE_RESULTS, Demo, Finds, Row, Stage, check_text, demo_page, demo_text, steps


@pytest.mark.slow
def test_what_was_injected_is_found_and_each_command_runs_as_printed(tmp_path):
    evenhand("demo --out demo", cwd=tmp_path)
    stages = json.loads((tmp_path / "demo" / "demo.json").read_bytes())["stages"]
    rows = {row["label"]: row for stage in stages for row in stage["found"]}
    with_interval = [row for row in rows.values() if row["low"] is not None and isinstance(row["expected"], float)]
    assert len(with_interval) == 8
    assert sum(row["low"] <= row["expected"] <= row["high"] for row in with_interval) >= 7
    step = rows["Alarm: step in the median score since"]
    assert step["expected"] == step["estimate"]
    for stage in stages:
        assert not stage["skipped"]
        for link in stage["step"]["pages"].values():
            assert (tmp_path / "demo" / link).is_file()
        for command in stage["step"]["commands"]:
            evenhand(*shlex.split(command)[1:], cwd=tmp_path)


#: What makes the demo's own steps cheap; nothing else of them is changed.
SMALLER = {
    "--pairs 30000": "--people 60 --positions 10 --pairs 500",
    "--sample 1000": "--sample 8",
    "--sample 12 --names-per-group 4": "--sample 2 --names-per-group 2",
}


def test_each_step_runs_as_printed_on_what_those_before_it_left(tmp_path):
    pytest.importorskip("lightgbm")
    (tmp_path / "demo").mkdir()
    stages = []
    for step in steps(Path("demo"), seed=0, matched=True):
        for printed in step.commands:
            command = printed
            for old, new in SMALLER.items():
                command = command.replace(old, new)
            done = evenhand(*shlex.split(command)[1:], cwd=tmp_path)
        found = STAGE_RESULTS[step.name](Finds(tmp_path / "demo", done.stdout))
        assert bool(found) is (step.name not in {"company", "pipeline"})
        assert all((tmp_path / "demo" / link).is_file() for link in step.pages.values())
        stages.append(Stage(step=step, found=found))
    expected = {row.label: row.expected for stage in stages for row in stage.found}
    # By hand: a model at .3 of full strength moves men up and women down by .3; 5 points are .4 of 12.5.
    assert expected[next(label for label in expected if label.startswith("Acceptance, men"))] == 0.6
    assert expected["Simulated score of one résumé: women's − men's names"] == -5
    again, of = (int(number.replace(",", "")) for number in stages[-2].found[0].estimate.split(" of "))
    assert 0 < again < of


def row(label, **told):
    return Row(
        **({"label": label, "unit": "share", "expected": 0.1, "estimate": 0.12, "low": 0.05, "high": 0.2} | told)
    )


def test_the_page_says_first_what_was_found_and_then_whether_it_is_true():
    found = {
        "probes": [row("held", direction="women lower", answer="It selects women at {} of the rate of men")],
        "mask": [row("missed", expected=0.3)],
        "features": [row("no interval", low=None, high=None, reason="All rows are one.")],
        "match": [row("bounded", expected="at most 0.9")],
    }
    stages = [
        Stage(step=step, found=found.get(step.name, ()), skipped="It lacks a package." * (step.name == "evaluate"))
        for step in steps(Path("my demo"), seed=3, matched=True)
    ]
    page = unescape(demo_page(stages).decode()).replace("\xa0", " ")
    checked = "1 of the 2 confidence intervals with a known true value contains it. Outside: missed."
    assert checked in page
    assert page.index("It selects women at 12.00 % of the rate of men (95 % CI 5.00 to 20.00).") < page.index(checked)
    cells = [re.findall(r"<t[hd][^>]*>(.*?)</t[hd]>", line) for line in re.findall(r"<tr.*?</tr>", page)]
    assert [row for row in cells if row[0] != "Measure"] == [
        ['<a href="#probes">held</a>', "12.00 %", "5.00 to 20.00", "women lower", "10.00", "yes"],
        ['<a href="#mask">missed</a>', "12.00 %", "5.00 to 20.00", "–", "30.00", "no"],
        ['<a href="#features">no interval</a>', "12.00 %", "–", "–", "10.00", "–"],
        ['<a href="#match">bounded</a>', "12.00 %", "5.00 to 20.00", "–", "at most 0.9", "–"],
    ]
    for words in ("Found: held: 12.00 % (95 % CI 5.00 to 20.00); true value 10.00.", "value 10.00. All rows are one."):
        assert words in page
    assert "It lacks a package." in page
    typed = re.sub(r" \\\s+", " ", page)
    for stage in stages:
        assert f'id="{stage.step.name}"' in page
        assert all(f'href="{link}"' in page for link in stage.step.pages.values())
        assert all(command in typed for command in stage.step.commands), stage.step.commands
    text = demo_text(Demo(path=Path("my demo"), stages=stages))
    assert text.splitlines()[-1] == "Open my demo/index.html, which has each stage's commands and report."
    assert checked in " ".join(text.split())


@pytest.mark.parametrize(
    ("expected", "words"),
    [
        ([0.1], "The confidence interval with a known true value contains it."),
        ([0.1, 0.15, None], "All 2 confidence intervals with a known true value contain it."),
        ([0.3, 0.4], "0 of the 2 confidence intervals with a known true value contain it. Outside: 0; 1."),
        ([None], "No confidence interval has a known true value."),
    ],
)
def test_the_check_counts_intervals_with_a_known_true_value(expected, words):
    (step, *_) = steps(Path("demo"), seed=0, matched=True)
    rows = [row(str(place), expected=value) for place, value in enumerate(expected)]
    assert check_text([Stage(step=step, found=rows)]) == words


@pytest.mark.parametrize("matched", [True, False])
def test_every_stage_has_commands_that_write_below_its_folder_and_what_reads_them(matched):
    found = steps(Path("my demo"), seed=3, matched=matched)
    assert [step.name for step in found] == list(STAGE_RESULTS)
    for step in found:
        for command in step.commands:
            words = shlex.split(command)
            assert words[0] == "evenhand"
            assert "{" not in command
            assert any(word.startswith("my demo") for word in words)
            places = [word for word in words if word.startswith("my demo/match")]
            assert step.needs or bool(places) is (matched and words[1] == "bundle")


def test_a_folder_that_can_not_be_made_is_told_in_a_line(tmp_path):
    (tmp_path / "file").write_text("mine", encoding="utf-8")
    done = evenhand("demo --out file/demo", cwd=tmp_path, code=2)
    assert done.stderr == "--out file/demo can't be made: Not a directory.\n"


@pytest.mark.parametrize(
    ("content", "args", "words"),
    [
        (None, [], "demo is not a folder"),
        ("notes.txt", [], "demo holds no demo; nothing was changed"),
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
    refused("demo --out demo", *args, told=words, cwd=tmp_path)
    assert content is None or [path.name for path in place.iterdir()] == [content]
