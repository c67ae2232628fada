"""What stands on a real terminal: remarks and progress beside each other, errors in lines that it can hold."""

from _typed import in_a_terminal

from evenhand.report.page.parts import table
from evenhand.results.terminal import Screen


def test_a_remark_stands_in_lines_of_its_own_beside_the_progress(tmp_path):
    line = "evenhand probe hiring-an --model sim:masculine --sample 60 --shard 1/2 --out run"
    code, lines = in_a_terminal(line, cwd=tmp_path)
    assert code == 0
    told = ["Warning: This is part 1 of 2: 30 of 60 attempts. Join the parts with evenhand", "collect merge."]
    assert "\n".join(told) in "\n".join(lines)
    drawn = [each for each in lines if each.startswith("hiring-an: ")]
    assert {each.split()[1] for each in drawn} >= {"asking", "measuring"}
    assert max(map(len, lines)) <= 80
    assert lines[-2:] == ["run", ""]


def test_an_error_is_broken_between_words(tmp_path):
    code, lines = in_a_terminal("evenhand probe hiring-an --model sim:biased", cwd=tmp_path)
    assert code == 2
    assert max(map(len, lines)) <= 80
    told = " ".join(lines)
    assert "expected one of unbiased, random, masculine, feminine, stereotyping," in told
    assert "Traceback" not in told


def test_a_narrow_terminal_gets_a_block_for_each_row(tmp_path):
    code, lines = in_a_terminal(
        "evenhand impact --counts 'women=557/1835,men=1198/2691' --out run", cwd=tmp_path, columns=40
    )
    assert code == 0
    assert max(len(line) for line in lines if not line.startswith("Open ")) <= 40
    assert {"women", "  n: 1,835", "  Selection rate: 30.4 %", "  Four-fifths: below"} <= set(lines)


def test_a_last_column_without_room_stands_below_the_rows_that_have_it():
    screen = Screen(width=20)
    screen.draw(
        table("", ("Group", "n", "Remark"), [("women", "1,835", ""), ("men", "6", "No variation between people")])
    )
    assert screen.text.splitlines() == [
        "Group      n", "women  1,835", "men        6", "  Remark: No", "  variation between", "  people"
    ]  # fmt: skip
