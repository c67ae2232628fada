"""What the auditor leaves out under Local Law 144 is left out everywhere, and what nobody is in is listed."""

import warnings

import polars as pl
import pytest

import evenhand
from evenhand.errors import InputError

#: Sex, race, applicants, selected: 20 Islanders and 25 Natives of 1,500, of whom 200 are of unknown race.
TABLE = [
    *(("Female", "White", 400, 160), ("Male", "White", 500, 210)),
    *(("Female", "Black", 170, 50), ("Male", "Black", 185, 60)),
    *(("Female", "Islander", 12, 11), ("Male", "Islander", 8, 8)),
    *(("Female", "Native", 25, 15), ("Male", "Native", 0, 0), ("Male", "Roma", 0, 0)),
    *(("Female", None, 100, 40), ("Male", None, 100, 40)),
]


def audited(folder, *, table=TABLE, **options):
    frame = pl.DataFrame(table, schema=["sex", "race", "applied", "hired"], orient="row")
    with warnings.catch_warnings(record=True) as notes:
        warnings.simplefilter("always", UserWarning)
        run = evenhand.impact(
            frame,
            protected=["sex", "race"],
            applicants="applied",
            selected_count="hired",
            ll144=True,
            out=folder / "run",
            force=True,
            **options,
        )
    return run, " ".join(str(note.message) for note in notes)


def law(run):
    rows = pl.read_csv(run.folder / "ll144.csv", infer_schema_length=None).iter_rows(named=True)
    return {(row["attribute"], row["category"]): row for row in rows}


def test_an_excluded_category_is_in_no_ratio_reference_or_gate(tmp_path):
    run, notes = audited(tmp_path, exclude={"islander": "too few", "Female x Native": "all women"})
    rows = law(run)
    out = {key: row["reason"] for key, row in rows.items() if row["excluded"]}
    crossed = {("sex x race", f"{sex} x Islander"): "too few" for sex in ("Female", "Male")}
    assert out == {("race", "Islander"): "too few", **crossed, ("sex x race", "Female x Native"): "all women"}
    assert all(row["impact_ratio"] is None and row["n"] for row in rows.values() if row["excluded"])
    # The highest of those that stay: 15 of 25 Natives, and 210 of 500 white men.
    assert rows["race", "Native"]["impact_ratio"] == 1
    assert rows["race", "White"]["impact_ratio"] == pytest.approx((370 / 900) / (15 / 25))
    assert rows["sex x race", "Male x White"]["impact_ratio"] == 1
    islander = run.rows.filter(focal="Islander").row(0, named=True)
    assert (islander["n_focal"], islander["impact_ratio"], islander["four_fifths"]) == (20, None, None)
    assert not [f for f in run.findings if f.claim and f.claim.p is not None and "Islander" in f.focal.values()]
    page = (run.folder / "ll144.html").read_text("utf-8")
    assert "too few" in page
    assert "Shares are of all people used." in page
    assert "(too few): Islander of race (20, 1.33 %)" in notes
    assert "exclusion base: all" in notes


def test_categories_of_nobody_are_listed_without_a_ratio(tmp_path):
    rows = law(audited(tmp_path)[0])
    empty = [key for key, row in rows.items() if not row["n"] and key[1] != "unknown"]
    assert empty == [("race", "Roma"), ("sex x race", "Male x Native"), ("sex x race", "Male x Roma")]
    assert all(rows[key]["impact_ratio"] is None and not rows[key]["excluded"] for key in empty)
    few = [("F", "W", 50, 20), ("M", "A", 40, 20)]
    rows = law(audited(tmp_path, table=few, eeo1="race")[0])
    races = {category: row["n"] for (attribute, category), row in rows.items() if attribute == "race"}
    assert len(races) == 8
    assert {race: n for race, n in races.items() if n} == {"White": 50, "Asian": 40}
    assert rows["sex x race", "F x Asian"]["n"] == 0


# 25 of 1,500 are 1.67 %; of the 1,300 whose race is known they are 1.92 %. 27 of 1,302 are 2.07 %.
@pytest.mark.parametrize(
    ("more", "base", "excluded"), [(0, "all", True), (0, "known", True), (2, "all", True), (2, "known", False)]
)
def test_the_base_of_the_two_percent_is_said(tmp_path, more, base, excluded):
    table = [*TABLE, ("Female", "Native", more, 0)]
    if not excluded:
        with pytest.raises(InputError, match=r"Native of race has 27 of the 1,302 people whose category is known"):
            audited(tmp_path, table=table, exclude="Native=few", exclusion_base=base)
        return
    run, notes = audited(tmp_path, table=table, exclude="Native=few", exclusion_base=base)
    row = law(run)["race", "Native"]
    assert (row["excluded"], row["share_of"]) == (True, base)
    assert row["share"] == pytest.approx((25 + more) / (1500 + more if base == "all" else 1300))
    assert f"exclusion base: {base}" in notes


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"exclude": "Black=few"}, r"Black of race has 355 of the 1,500 people used, 23.7 %; only .* less than 2 %"),
        ({"exclude": "Foo=few"}, r"no category 'Foo'. Categories: Female, Male, Black, Islander, Native, White, Roma"),
        ({"exclude": "Islander"}, r"has no reason.*Islander=REASON"),
        ({"exclude": ["Islander=few", "race:islander=small"]}, r"names 'race:islander' twice"),
        ({"exclude": "X=few", "table": [*TABLE, ("X", "X", 1, 1)]}, r"category of sex, race; give one of: .*sex:X=few"),
        ({"exclude": "Native=few", "reference": "race=Native"}, r"can't be the reference"),
    ],
)
def test_what_can_not_be_left_out_is_refused(tmp_path, options, message):
    with pytest.raises(InputError, match=message):
        audited(tmp_path, **options)


PUBLISHED = {
    "sex": "sex,applied,hired\nFemale,400,160\nMale,500,210\n",
    "race": "race,applied,hired\nWhite,610,260\nBlack,280,100\nIslander,9,9\n",
    "crossed": "sex,race,applied,hired\nFemale,White,270,112\nMale,White,330,141\nFemale,Black,120,42\n"
    "Male,Black,150,56\nFemale,Islander,9,9\n",
}


def published(folder, names=("crossed", "sex", "race"), **options):
    for name, text in PUBLISHED.items():
        (folder / f"{name}.csv").write_text(text, encoding="utf-8")
    options = {
        "protected": ["sex", "race"],
        "applicants": "applied",
        "selected_count": "hired",
        "ll144": True,
    } | options
    with warnings.catch_warnings(record=True) as notes:
        warnings.simplefilter("always", UserWarning)
        run = evenhand.impact(ll144_tables=[str(folder / f"{n}.csv") for n in names], out=folder / "run", **options)
    return run, " ".join(str(note.message) for note in notes)


def test_three_published_tables_are_each_used_for_their_part(tmp_path):
    run, notes = published(tmp_path, intersectional=True, exclude="Islander=few")
    rows = law(run)
    people = {"sex": 900, "race": 899, "sex x race": 879}
    assert {name: sum(row["n"] for key, row in rows.items() if key[0] == name) for name in people} == people
    assert "sex has 900, race 899, crossed 879 people" in notes
    assert "Female 160 of 400 and 163 of 399" in notes
    assert rows["sex", "Female"]["impact_ratio"] == pytest.approx(0.4 / 0.42)
    assert rows["race", "Black"]["impact_ratio"] == pytest.approx((100 / 280) / (260 / 610))
    assert rows["sex x race", "Female x Black"]["impact_ratio"] == pytest.approx(0.35 / (141 / 330))
    assert rows["sex x race", "Female x Islander"]["reason"] == "few"
    assert run.rows.filter(attribute="race", focal="Black")["impact_ratio"].item() == pytest.approx(
        (100 / 280) / (260 / 610)
    )
    assert run.rows.filter(attribute="sex x race", focal="Female x Black")["n_focal"].item() == 120
    assert "different numbers of people (sex 900, race 899, sex by race 879)" in (run.folder / "ll144.html").read_text()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"names": ("sex", "race")}, "names 2 tables; give three"),
        ({"names": ("sex", "race", "race")}, "race.csv and race.csv are both by race"),
        ({"ll144": False}, "needs ll144"),
        ({"selected_count": None, "applicants": None, "selected": "hired"}, "needs applicants"),
        ({"where": "applied > 1"}, "ll144_tables and where are both given"),
        (
            {"protected": ["sex", "ethnicity"], "names": ("sex", "race", "crossed")},
            "race.csv of ll144_tables has neither",
        ),
    ],
)
def test_other_tables_are_refused(tmp_path, options, message):
    with pytest.raises(InputError) as refused:
        published(tmp_path, **options)
    assert message in str(refused.value)
