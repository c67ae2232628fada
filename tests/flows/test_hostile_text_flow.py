"""What others wrote never acts on the terminal: labels, columns, names of models, answers."""

import json
import re

import orjson
import pytest
from _cli import evenhand

from evenhand.results.messages import LONGEST_QUOTE

#: Characters of a label that somebody filled with a file.
LONG = 2**17
HOSTILE = "\x1b]0;owned\x07\x1b[2J\x9b31m\u202egnp\u2066"
ACTING = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")


def quiet_on_the_terminal(done):
    assert not ACTING.search(done.stdout + done.stderr), (done.stdout, done.stderr)
    return done


def applicants(folder, label, column="sex"):
    rows = "".join(f"{group},{place % 5 < cut}\n" for group, cut in ((label, 2), ("men", 4)) for place in range(50))
    (folder / "t.csv").write_text(f"{column},hired\n{rows}")


@pytest.mark.parametrize("more", [(), ("--json",), ("--reference", "sex=nobody")])
def test_labels_of_a_table(tmp_path, more):
    applicants(tmp_path, f"w{HOSTILE}")
    done = evenhand(
        "impact t.csv --selected hired --protected sex --out r",
        *more,
        cwd=tmp_path,
        code=2 if "--reference" in more else 0,
    )
    quiet_on_the_terminal(done)
    if more == ("--json",):
        assert json.loads(done.stdout) == orjson.loads((tmp_path / "r" / "findings.json").read_bytes())
        assert f"w{HOSTILE}" in done.stdout.encode().decode("unicode_escape")
    if not more:
        assert "w\N{SYMBOL FOR ESCAPE}]" in done.stdout


def test_columns_and_values_that_messages_quote(tmp_path):
    applicants(tmp_path, "women", column=f"sex{HOSTILE}")
    for asked in (("--protected", "race"), ("--protected", f"sex{HOSTILE}", "--position", "nowhere")):
        done = quiet_on_the_terminal(evenhand("impact t.csv --selected hired", *asked, cwd=tmp_path, code=2))
        assert len(done.stderr.splitlines()) == 1


def test_a_label_without_end_is_cut(tmp_path):
    applicants(tmp_path, "w" * LONG)
    done = evenhand("impact t.csv --selected hired --protected sex --no-report", cwd=tmp_path)
    assert len(done.stdout + done.stderr) < 5_000
    assert "w" * (LONGEST_QUOTE - 1) + "…" in re.sub(r"[^w…]", "", done.stdout)


def test_a_report_with_labels_without_end_draws_their_beginnings(tmp_path):
    rows = "".join(
        f"{'w' * LONG}{group},{place < hired}\n" for group, hired in (("a", 4), ("b", 9)) for place in range(9)
    )
    (tmp_path / "t.csv").write_text(f"sex,hired\n{rows}")
    evenhand("impact t.csv --selected hired --protected sex --out r", cwd=tmp_path)
    charts = re.findall(r"<svg.*?</svg>", (tmp_path / "r" / "report.html").read_text("utf-8"), re.DOTALL)
    shown = [text for chart in charts for text in re.findall(r">([^<]+)", chart)]
    assert any("www" in text for text in shown)
    assert all(len(text) <= 500 for text in shown)


def test_models_answers_and_names(tmp_path):
    rows = [
        {"name": "Abigail Li", "role": "nurse", "qualification": "high", "template": 0, "answer": HOSTILE},
        {"name": f"Nobody{HOSTILE}", "role": "nurse", "qualification": "high", "template": 0, "answer": "x"},
    ]
    for number, count in enumerate((1, 2)):
        (tmp_path / f"a{number}.jsonl").write_bytes(b"\n".join(orjson.dumps(row) for row in rows[:count]))
        quiet_on_the_terminal(evenhand("measure hiring-an", f"a{number}.jsonl", "--no-report", cwd=tmp_path, code=None))
    for asked in (
        ("probe", "hiring-an", "--model", f"sim:{HOSTILE}"),
        ("plan", "hiring-an", "--model", f"openai:{HOSTILE}"),
        ("compare", f"r{HOSTILE}", "s"),
        ("data", "example", HOSTILE),
    ):
        done = quiet_on_the_terminal(evenhand(*(word.replace("\0", "") for word in asked), cwd=tmp_path, code=None))
        assert "Traceback" not in done.stderr
