"""Names that one command writes are read by every command that takes names, and so are those of the package."""

import polars as pl
import pytest
from _cli import evenhand, findings, refused

from evenhand.data.lexicons.names import an2024_names

TABLE = """first_name,n,white,black,female
Una,2000,.9,.1,.98
Ida,3000,.8,.2,.97
Ivo,4000,.9,.1,.01
Ugo,2500,.7,.3,.02
Zora,2600,.1,.9,.99
Imani,2700,.2,.8,.98
Kofi,2800,.1,.9,.03
Kwame,2900,.05,.95,.01
"""
UNBIASED = ("--model", "sim:unbiased", "--no-report")
COMMANDS = {
    "perturb": ("perturb", "--scorer", "sim:unbiased", "--margin", "2", "--sample", "3", "--names-per-group", "2"),
    "resume-score": ("probe", "resume-score", *UNBIASED, "--sample", "48"),
    "hiring-an": ("probe", "hiring-an", *UNBIASED, "--sample", "40", "--design", "matched"),
    "an2024": ("probe", "an2024", *UNBIASED, "--sample", "40"),
}


@pytest.mark.parametrize(
    ("command", "names"), [*((each, "chosen.csv") for each in COMMANDS), ("hiring-an", "an2024"), ("perturb", "an2024")]
)
def test_names_that_data_names_writes_and_those_of_the_package_are_taken(tmp_path, command, names):
    if names == "chosen.csv":
        (tmp_path / "table.csv").write_text(TABLE, encoding="utf-8")
        evenhand("data names table.csv --out chosen.csv", cwd=tmp_path)
    evenhand(*COMMANDS[command], "--names", names, "--out", "run", "--quiet", cwd=tmp_path)
    known = set(an2024_names()["name"] if names == "an2024" else pl.read_csv(tmp_path / "chosen.csv")["name"])
    shown = set(pl.read_parquet(tmp_path / "run/outcomes.parquet")["context.name"])
    assert shown <= known
    assert len(shown) > 2
    _, audit = findings(tmp_path / "run")
    assert f"--names {names}" in audit["reproduce"]


def test_names_of_one_gender_of_a_race_are_refused_by_hiring_an(tmp_path):
    rows = ("Una,female,white", "Ida,female,white", "Ivo,male,black", "Ugo,male,black")
    (tmp_path / "names.csv").write_text("\n".join(["name,gender,race", *rows]), encoding="utf-8")
    line = (*COMMANDS["hiring-an"], "--names", "names.csv", "--out", "run")
    refused(*line, told="has black names of one gender only", cwd=tmp_path)
