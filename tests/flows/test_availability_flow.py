"""`evenhand impact --share`: people against stated shares, without a decision."""

import polars as pl
import pytest
from _cli import evenhand, findings, refused

from evenhand.stats import availability

JURORS = "origin,people\nMexican American,339\nother,531\nunknown,4\n"


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "jurors.csv").write_text(JURORS, encoding="utf-8")
    people = [("f", "Two, or more"), ("f", "White"), ("m", "White"), ("m", "White")] * 25
    pl.DataFrame(people, ["sex", "race"], orient="row").write_csv(tmp_path / "people.csv")
    return tmp_path


def test_castaneda_by_counts(folder):
    asked = ("--count", "people", "--protected", "origin", "--share", "mexican american=0.791")
    done = evenhand("impact jurors.csv", *asked, "--out", "run", cwd=folder)
    assert "339 of 870 people, 39.0 %; 349.2 fewer than the 688.2 expected" in " ".join(done.stdout.split())
    row = pl.read_csv(folder / "run" / "availability.csv").row(0, named=True)
    known = availability(339, 870, 0.791)
    documented = ["attribute", "group", "n", "expected", "share", "stated_share", "z", "p_exact", "shortfall"]
    assert list(row)[:9] == documented
    assert (row["group"], row["n"], row["of"], row["stated_share"]) == ("Mexican American", 339, 870, 0.791)
    assert (row["z"], row["p_exact"], row["low"]) == pytest.approx((known.statistic, known.p, known.low))
    found, audit = findings(folder / "run")
    one = found["availability_origin_Mexican_American"]
    assert (one["null_value"], one["claim"]["verdict"], one["claim"]["p_adjusted"]) == (
        0.791,
        "difference",
        one["tests"][1]["p"],
    )
    assert audit["accounting"]["unknown"] == {"origin": 4}
    assert not (folder / "run" / "impact.csv").exists()
    evenhand("impact jurors.csv", *asked, "--out", "run", "--force", "--fail-on", "difference", cwd=folder, code=1)


def test_the_shares_of_several_attributes_are_one_family(folder):
    shares = 'attribute,group,share\nsex,F,.6\nsex,m,.4\nrace,White,.6\nrace,"Two, or more",.3\n'
    (folder / "shares.csv").write_text(shares, encoding="utf-8")
    asked = ("--protected", "sex,race", "--share", "shares.csv", "--out", "run", "--quiet")
    evenhand("impact people.csv", *asked, cwd=folder)
    assert set(findings(folder / "run")[1]["fingerprints"]) == {"people.csv", "shares.csv"}
    rows = {row["group"]: row for row in pl.read_csv(folder / "run" / "availability.csv").iter_rows(named=True)}
    # Two groups that are all people are one comparison; with those of race there are three, by Holm.
    assert rows["f"]["p_exact"] == pytest.approx(rows["m"]["p_exact"])
    ranked = sorted((rows["f"], rows["White"], rows["Two, or more"]), key=lambda row: row["p_exact"])
    below = 0.0
    for number, row in enumerate(ranked):
        below = max(below, min(1.0, (3 - number) * row["p_exact"]))
        assert row["p_adjusted"] == pytest.approx(below)


def test_of_several_shares_the_first_sentence_has_the_one_that_differs(folder):
    people = pl.DataFrame({"race": ["a"] * 30 + ["b"] * 30 + ["c"] * 60, "hired": [1, 0] * 60})
    people.write_csv(folder / "hired.csv")
    asked = (
        "--selected",
        "hired",
        "--protected",
        "race",
        "--availability",
        "a=.26,b=.5",
        "--no-report",
        "--out",
        "run",
    )
    done = evenhand("impact hired.csv", *asked, cwd=folder)
    assert "Applicants against availability: race = b: 30 of 120 people" in " ".join(done.stdout.split())


def test_a_group_without_anyone_is_compared(folder):
    (folder / "none.csv").write_text("sex,n\nwomen,0\nmen,7\n", encoding="utf-8")
    asked = ("--count", "n", "--protected", "sex", "--share", "women=.4", "--out", "run")
    evenhand("impact none.csv", *asked, cwd=folder)
    # scipy.stats.binom: nobody (.028), and what is not likelier, 6 and 7 of 7.
    row = pl.read_csv(folder / "run" / "availability.csv").row(0, named=True)
    assert (row["n"], row["of"], row["p_exact"]) == (0, 7, pytest.approx(0.0468352))
    page = (folder / "run" / "report.html").read_text("utf-8")
    assert "0.0 to 35.4" in page  # a share of the people, no difference in points
    assert "points" not in page
    assert "Koopman" not in page


def test_python_takes_shares_as_a_mapping(folder):
    import evenhand as eh

    frame = pl.read_csv(folder / "people.csv")
    run = eh.impact(frame, protected=["race"], share={"Two, or more": 0.3}, out=folder / "run")
    assert run.rows["group"].to_list() == ["Two, or more"]
    assert run.finding("availability_race_Two,_or_more").estimate == 0.25


@pytest.mark.parametrize(
    ("args", "told"),
    [
        (["--share", "women=.4"], "--share: the table has no 'women'. Groups: 'f', 'm', 'Two, or"),
        (["--share", "shares"], "--share 'shares' is not a file; expected GROUP=SHARE, such as women=0.42, or a table"),
        (["--share", "f=42"], "--share: 'f' has '42'; expected a share between 0 and 1, such as 0.42. Write"),
        (["--share", "f=a"], "--share: 'f' has 'a'; expected a share between 0 and 1"),
        (["--share", "f=.4,f=.5"], "--share: 'f' has two shares; give each group one."),
        (["--share", "f=.6,m=.5"], "--share: the shares of sex add up to 1.1; expected 1 at most."),
        (["--share", "w" * 5000], "is not a file; expected GROUP=SHARE"),
        (["--share", "f=.5 m=.4"], "is not understood; expected GROUP=SHARE"),
        (["--share", "=.5"], "--share '=.5' is not understood; expected GROUP=SHARE"),
        (["--share", "f=.4", "--selected", "sex"], "--share and --selected are both given"),
        (["--share", "f=.4", "--cluster", "sex"], "--share and --cluster are both given"),
        (["--share", "people.csv"], "--share: no column 'group' in people.csv; expected group and share"),
        (["--share", "twice.csv"], "--share, row 1 of twice.csv: 'age' is not in --protected sex,race."),
    ],
)  # fmt: skip
def test_wrong_shares_are_told_in_one_line(folder, args, told):
    (folder / "twice.csv").write_text("attribute,group,share\nage,f,.4\n", encoding="utf-8")
    refused("impact people.csv --protected sex,race", *args, "--out", "wrong", told=told, cwd=folder)
