"""`evenhand report`: what follows from the findings of a run is written again, and nothing else is touched."""

import pytest
from _cli import evenhand, refused
from _files_named import write_files

ONE = "probe hiring-an --model sim:masculine --sample 60 --quiet --out {}"
#: Files that follow from findings and tables; the others are what they follow from.
DRAWN = {"report.html", "findings.csv", "tables.csv", "tables.xlsx", "ll144.html"}
RUNS = {
    "impact": ["impact applicants.csv --selected hired --protected gender,race --position degree --quiet --out run"],
    "local law 144": ["impact applicants.csv --score score --protected sex,race --ll144 --quiet --out run"],
    "formulas": ["impact --counts '=1+1=5/20,-2=9/20' --quiet --out run"],
    "words": ["probe business-vocabulary --model sim:stereotyping --sample 120 --quiet --out run"],
    "study, redacted": [
        "probe an2024 --model sim:feminine --sample 200 --roles 7 --monte-carlo 50 --redact-answers --quiet --out run"
    ],
    "suite": ["audit --model sim:masculine --sample 16 --quiet --out run"],
    "perturbation": [
        "perturb --scorer 'sim:shift?female=1' --margin 2 --sample 3 --names-per-group 2 "
        "--arms name,name+pronouns,affinity,combined --quiet --out run"
    ],
    "comparison": [ONE.format("one"), ONE.format("other"), "compare one other --quiet --out run"],
}


def content(folder):
    return {path: path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}


@pytest.mark.parametrize("name", RUNS)
def test_all_that_follows_from_findings_is_written_again_as_it_was(name, tmp_path):
    write_files(tmp_path)
    for line in RUNS[name]:
        done = evenhand(line, cwd=tmp_path)
    before = content(tmp_path / "run")
    drawn = {path for path in before if path.name in DRAWN}
    assert {"report.html", "findings.csv"} <= {path.name for path in drawn}
    for number, path in enumerate(sorted(drawn)):
        if number % 2:
            path.write_text("old")
        else:
            path.unlink()
    done = evenhand("report run", cwd=tmp_path)
    assert done.stdout == "run/report.html\n"
    assert content(tmp_path / "run") == before


def test_with_out_the_page_alone_is_written(tmp_path):
    evenhand("impact --counts women=5/20,men=9/20 --quiet --out run", cwd=tmp_path)
    before = content(tmp_path / "run")
    assert evenhand("report run --out page.html", cwd=tmp_path).stdout == "page.html\n"
    refused("report run --out page.html", told="page.html already exists. Use --force to replace it", cwd=tmp_path)
    evenhand("report run --out page.html --force", cwd=tmp_path)
    assert (tmp_path / "page.html").read_bytes() == (tmp_path / "run" / "report.html").read_bytes()
    assert content(tmp_path / "run") == before
