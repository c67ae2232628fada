"""`evenhand compare` as a user runs it."""

import json

import pytest
from _cli import evenhand


@pytest.fixture(scope="module")
def runs(tmp_path_factory):
    folder = tmp_path_factory.mktemp("runs")
    for name, probe, model, more in (
        ("a", "hiring-bloomberg", "sim:unbiased", ()),
        ("b", "hiring-bloomberg", "sim:masculine?strength=0.6", ()),
        ("other", "hiring-bloomberg", "sim:unbiased", ("--num-reorders", "3")),
        ("an", "hiring-an", "sim:unbiased", ()),
    ):
        done = evenhand(
            "probe",
            probe,
            "--model",
            model,
            "--sample",
            "80",
            "--out",
            str(folder / name),
            "--quiet",
            *more,
            cwd=folder,
        )
        assert done.returncode == 0, done.stderr
    return folder


def test_two_models_are_put_side_by_side(runs, tmp_path):
    done = evenhand("compare", str(runs / "a"), str(runs / "b"), "--out", str(tmp_path / "c"), "--json", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    content = json.loads(done.stdout)
    names = [row["name"] for row in content["findings"]]
    assert len(set(names)) == len(names)
    row = next(row for row in content["findings"] if row["measure"] == "masculine_rate" and row["reference"])
    assert row["estimate"] < 0  # the first model is the unbiased one
    assert row["p_adjusted"] is not None
    page = (tmp_path / "c" / "report.html").read_text(encoding="utf-8")
    assert "sim:masculine?strength=0.6" in page


@pytest.mark.parametrize(
    ("names", "more", "words"),
    [
        (("a",), (), "two runs or more"),
        (("a", "a"), (), "given twice"),
        (("a", "an"), (), "share no probe"),
        (("a", "other"), (), "differ in settings"),
        (("a", "missing"), (), "no folder of an evenhand run"),
    ],
)
def test_what_cannot_be_compared_is_refused_in_one_line(runs, tmp_path, names, more, words):
    done = evenhand("compare", *(str(runs / name) for name in names), "--out", str(tmp_path / "c"), *more, cwd=tmp_path)
    assert done.returncode == 2
    assert len(done.stderr.strip().splitlines()) == 1
    assert words in done.stderr
    assert not (tmp_path / "c").exists()


def test_different_prompts_are_compared_when_told_to(runs, tmp_path):
    paths = (str(runs / "a"), str(runs / "other"))
    done = evenhand("compare", *paths, "--any-stimuli", "--out", str(tmp_path / "c"), "--quiet", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "compared unpaired" in done.stderr
