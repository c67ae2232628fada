"""What `import evenhand` offers, as somebody in a notebook meets it."""

import asyncio
import inspect
import os
import re
import signal
import subprocess
import sys
import time
import warnings
from xml.etree import ElementTree as ET

import polars as pl
import pytest

import evenhand as eh
from evenhand.errors import EvenhandError, ForeignFolder, InputError
from evenhand.models.outcomes import read_answers
from evenhand.report.files import FINDING_COLUMNS

HOSTILE = "<script>alert(1)</script>"


@pytest.fixture(scope="module")
def runs(tmp_path_factory):
    folder = tmp_path_factory.mktemp("runs")
    kinds = ("unbiased", "masculine")
    return [eh.probe("hiring-an", f"sim:{kind}", sample=200, out=folder / kind, report=False) for kind in kinds]


@pytest.fixture(scope="module")
def applicants():
    return pl.DataFrame(
        {"group": [HOSTILE, "bob"] * 50, "hired": ["yes", "no", "yes", "yes"] * 25, "score": [1.0, 2] * 50}
    )


@pytest.fixture(scope="module")
def analysed(applicants, tmp_path_factory):
    return eh.impact(
        applicants, selected="hired", protected="group", out=tmp_path_factory.mktemp("impact") / "run", report=False
    )


def test_dir_lists_what_is_public_and_nothing_else():
    assert dir(eh) == sorted([*eh.__all__, "__version__"])
    assert all(getattr(eh, name) is not None for name in dir(eh))
    with pytest.raises(AttributeError, match="no attribute 'import_module'"):
        eh.import_module  # noqa: B018


@pytest.mark.parametrize("name", sorted(set(eh.__all__) - set(eh.MODULES)))
def test_functions_show_their_options_and_tell_what_they_return(name):
    function = getattr(eh, name)
    parameters = inspect.signature(function).parameters.values()
    assert not [each for each in parameters if each.kind in {each.VAR_KEYWORD, each.VAR_POSITIONAL}]
    assert all(each.annotation is not each.empty for each in parameters)
    assert len([each for each in parameters if each.kind is each.KEYWORD_ONLY]) >= 1
    assert inspect.getdoc(function).startswith("Return ")


@pytest.mark.parametrize(
    "call",
    [
        lambda out, _: eh.audit("sim:stereotyping", sample=40, out=out, report=False).finding("diff_acceptance_rate"),
        lambda out, _: eh.probe("hiring-an", "sim:unbiased", sample=40, out=out, report=False).outcomes.height == 40,
        lambda out, runs: eh.compare([runs[0], str(runs[1].folder)], out=out).findings,
        lambda _, __: eh.plan("hiring-an", "openai:gpt-4o", sample=40)["requests"] == 40,
        lambda out, _: eh.impact({"a": (1, 9), "b": (5, 9)}, out=out, report=False).rows.height == 1,
        lambda _, __: eh.mask("Jane Doe, she/her").text == "[NAME], [GENDER]",
    ],
)
def test_functions_work_where_a_loop_is_running(call, runs, tmp_path):
    async def cell():
        return call(tmp_path / "run", runs)

    assert asyncio.run(cell())


def test_errors_of_a_run_come_out_of_the_loop_as_they_are(tmp_path):
    async def cell():
        eh.probe("hiring-an", "replay:nothing.jsonl", sample=40, out=tmp_path / "run")

    with pytest.raises(EvenhandError, match=r"nothing\.jsonl"):
        asyncio.run(cell())


CELL = """
import asyncio, sys
import evenhand as eh

async def cell():
    signal = __import__("signal")
    signal.signal(signal.SIGINT, signal.default_int_handler)  # as in a notebook
    try:
        eh.probe("hiring-an", "sim:unbiased", sample=20_000, report=False, out=sys.argv[1])
    except eh.errors.Interrupted as stopped:
        print(stopped)
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler

asyncio.run(cell())
"""


def test_ctrl_c_in_a_notebook_stops_the_run_and_keeps_the_answers(tmp_path):
    command = [sys.executable, "-c", CELL, str(tmp_path / "run")]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        journal = tmp_path / "run" / "answers-000.jsonl"
        while not (journal.is_file() and journal.stat().st_size):
            assert process.poll() is None
            time.sleep(0.01)
        os.kill(process.pid, signal.SIGINT)
        told, _ = process.communicate(timeout=60)
    assert process.returncode == 0
    kept = sum(frame.height for frame in read_answers(tmp_path / "run"))
    assert told == (
        f'Interrupted. {kept:,} answers are kept in {tmp_path}/run; continue with resume=True, out="{tmp_path}/run".\n'
    )
    assert kept


def frame_with(**columns):
    return pl.DataFrame({"sex": ["f", "m"] * 20, "hired": ["yes", "no"] * 20, **columns})


@pytest.mark.parametrize(
    ("call", "told"),
    [
        (eh.audit, "audit: missing a required argument: 'model'"),
        (lambda: eh.audit("sim:unbiased", "standard"), "audit: too many positional arguments"),
        (lambda: eh.probe("hiring-an", "sim:unbiased", smaple=3), "probe has no option 'smaple'. Did you mean sample?"),
        (
            lambda: eh.probe("hiring-an", "sim:unbiased", sample=3, everything=True),
            "everything=True and sample can't be given together: drop one of them.",
        ),
        (lambda: eh.probe("hiring-an", "sim:unbiased", sample=0), "sample is 0; "),
        (lambda: eh.probe("hiring-an", "sim:unbiased", resume=True), "resume=True needs out, the folder"),
        (lambda: eh.probe("hiring-an", "sim:unbiased", max_cost=3.0), 'add prices="FILE", a TOML'),
        (lambda: eh.probe("hiring-an", "sim:unbiased", base_url="http://x/v1"), "base_url belongs to"),
        (lambda: eh.probe("hiring-an", "openai:m", base_url="x://y"), "base_url='x://y' is not an HTTP address"),
        (lambda: eh.audit("sim:unbiased", suite="standart"), "suite='standart' is unknown; expected one of"),
        (lambda: eh.compare("runs/a"), "runs is one string; expected several runs or folders: compare(['runs/a', …])."),
        (lambda: eh.compare(["a"]), "compare takes two runs or more, got 1."),
        (lambda: eh.compare(["a", "b"]), "a is not a folder of an evenhand run; expected that of a run of probe"),
        (lambda: eh.impact(frame_with()), 'give the columns with the groups, such as protected=["gender", "race"].'),
        (lambda: eh.impact(frame_with(), protected="sex"), 'give selected="COLUMN"; score="COLUMN" with cutoff=T'),
        (lambda: eh.impact(frame_with(), protected="sx", selected="hired"), 'Did you mean protected="sex"?'),
        (
            lambda: eh.impact(frame_with(hired=["maybe", "no"] * 20), protected="sex", selected="hired"),
            'Give the value that means selected: selected="hired=VALUE".',
        ),
        (
            lambda: eh.impact(frame_with(), protected="sex", selected="hired", reference="sex=x"),
            'reference="sex=x": sex has no such group; its groups are f, m.',
        ),
        (lambda: eh.impact(frame_with(), protected="sex", selected="hired", where="a ="), "where='a =': it is no"),
        (lambda: eh.mask("x", optional="fone"), "optional is 'fone'; expected some of phone"),
        (lambda: eh.plan("hiring-an", "sim:unbiased", sample=-1), "sample is -1; "),
    ],
)
def test_what_is_wrong_is_told_in_the_words_of_python(call, told, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(InputError) as refused:
        call()
    assert told in str(refused.value)
    assert "--" not in str(refused.value)
    assert not list(tmp_path.iterdir())


def test_a_folder_that_is_taken_is_told_in_the_words_of_python(runs, tmp_path):
    (tmp_path / "mine.txt").write_text("")
    with pytest.raises(
        InputError, match=r"Use resume=True to continue it, force=True to replace it, or another out\.$"
    ):
        eh.probe("hiring-an", "sim:unbiased", out=runs[0].folder)
    with pytest.raises(ForeignFolder, match=r"Choose another out\.$"):
        eh.probe("hiring-an", "sim:unbiased", out=tmp_path)


def test_remarks_are_warnings_in_the_words_of_python(tmp_path):
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        eh.impact(frame_with(score=[1.0, None] * 20), protected="sex", score="score", cutoff=0.5, out=tmp_path / "run")
    assert caught
    assert not [each for each in caught if "--" in str(each.message)]


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("diff_aceptance_rate", "Did you mean diff_acceptance_rate"),
        ("regression", "diff_regression"),
        ("qqq", "There are "),
        (3, "Did you mean template_3_"),
    ],
)
def test_a_finding_that_is_not_there_names_close_ones(runs, name, told):
    with pytest.raises(KeyError) as missing:
        runs[0].finding(name)
    assert str(missing.value).startswith(f"No finding is called {name!r}. ")
    assert told in str(missing.value)
    assert isinstance(missing.value, EvenhandError)


def test_runs_and_findings_are_shown_in_one_line(runs, analysed):
    assert (
        repr(runs[1]) == f"<ProbeRun: HiringAn · sim:masculine, {len(runs[1].findings)} findings in {runs[1].folder}>"
    )
    assert repr(analysed).startswith("<ImpactRun: Adverse impact, ")
    rate = runs[1].finding("diff_acceptance_rate")
    numbers = f"1 share ({rate.low:.4g} to 1), p {rate.p:.3g}, verdict difference, n 200"
    assert repr(rate) == f"<Finding diff_acceptance_rate: {numbers}>"
    assert f"<tr><th>p</th><td>{rate.p:.3g}</td></tr>" in rate._repr_html_()
    assert repr(runs[1].finding("diff_regression")).endswith("n 200>")
    for row in analysed.findings:
        assert ("p adjusted" in repr(row)) is (row.p_adjusted not in {None, row.p})
    masked = eh.mask("Jane Doe, she/her <b>")
    assert repr(masked) == "<Masked: NAME 1, GENDER 1>"
    assert masked._repr_html_().endswith(">[NAME], [GENDER] &lt;b&gt;</pre>")


def test_notebooks_show_a_small_table_without_a_script(runs, analysed, tmp_path):
    compared = eh.compare(runs, out=tmp_path / "compared")
    for run in (*runs, compared, analysed):
        shown = run._repr_html_()
        assert shown.count("<tr>") == 1 + sum(row.role == "planned" for row in run.findings) > 1
        assert "<script" not in shown
        assert len(shown) < 5_000
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in analysed._repr_html_()
    assert "simulated model with a known bias" in runs[0]._repr_html_()


def test_a_chart_of_a_measure_is_an_image_that_stands_alone(runs, analysed):
    chart = analysed.plot()
    assert chart == chart._repr_svg_()
    image = ET.fromstring(chart)
    assert image.tag == "{http://www.w3.org/2000/svg}svg"
    style = image.find("{http://www.w3.org/2000/svg}style").text
    assert set(re.findall(r"var\((--\w+)\)", style)) <= set(re.findall(r"(--[\w-]+):", style))
    assert "impact ratio (ratio)" in set(image.itertext())
    assert " against " in "".join(image.itertext())
    assert "acceptance rate (%)" in runs[1].plot("acceptance_rate")
    with pytest.raises(InputError, match="No finding of the measure 'age' has an interval; measures that have: "):
        runs[1].plot("age")


def test_findings_are_a_frame_with_the_columns_of_the_csv(runs, analysed):
    for run in (*runs, analysed):
        frame = run.findings_frame
        assert sorted(frame.columns) == sorted(FINDING_COLUMNS)
        assert frame.columns[:5] == ["name", "focal", "reference", "slice", "estimate"]
        assert frame["name"].to_list() == [row.name for row in run.findings]
        assert frame["estimate"].to_list() == [row.estimate for row in run.findings]
