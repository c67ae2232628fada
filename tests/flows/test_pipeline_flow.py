"""`evenhand report` of a folder with runs below it: which stage of the pipeline has evidence, and which has none."""

import re
from zipfile import ZipFile

from _cli import environment, evenhand
from _files_named import write_files

RUNS = (
    ("impact", "--counts", "women=557/1835,men=1198/2691", "--out", "runs/first"),
    ("impact", "--counts", "women=557/1835,men=1198/2691", "--out", "runs/second"),
    ("features", "applicants.csv", "--protected", "gender", "--sample", "0", "--out", "runs/features"),
    ("audit", "--model", "sim:unbiased", "--sample", "16", "--out", "runs/suite"),
)
PARTS = 11
#: The suite asks four probes, each in a run of its own.
PROTOCOLS = 8


def evidence(page):
    """Return the links of each part of the pipeline, none where the page says that there is none."""
    found = {}
    section = page.partition('<section id="pipeline"')[2].partition("</section>")[0]
    for part, told in re.findall(r"<dt>(.+?)</dt><dd>(.+?)</dd>", section.replace("\xa0", " ")):
        found[part] = re.findall(r'href="(.+?)"', told)
        assert bool(found[part]) is not ("No evidence here." in told)
    return found


def test_each_stage_leads_to_its_runs_and_says_where_there_are_none(tmp_path):
    write_files(tmp_path)
    for args in RUNS:
        evenhand(*args, "--quiet", cwd=tmp_path, env=environment(EVENHAND_AUDITOR="A. Auditor"))
    evenhand("bundle runs/first --out runs/a.zip", cwd=tmp_path)
    for line in (
        "mask --evaluate annotated.jsonl --out masking.json",
        "monitor record masking.json --store runs/history.db --quiet",
        "bundle runs/first --store runs/history.db --out logged.zip --quiet",
    ):
        evenhand(line, cwd=tmp_path)
    for name in ("other.zip", "other.db"):
        (tmp_path / "runs" / name).write_text("something else", encoding="utf-8")
    done = evenhand("report runs", cwd=tmp_path)
    assert (done.stdout, done.stderr) == ("runs/pipeline.html\n", "")
    page = (tmp_path / "runs" / "pipeline.html").read_text("utf-8")
    assert (
        page.count("<summary>Audit protocol</summary>")
        == page.count("<dt>Asked by</dt><dd>A. Auditor</dd>")
        == PROTOCOLS
    )
    found = evidence(page)
    assert len(found) == PARTS
    assert {part: links for part, links in found.items() if links} == {
        "Candidate masking": ["history.db"],
        "Feature distributions": ["features/report.html"],
        "Model evaluation": ["suite/report.html"],
        "Adverse impact analysis": ["first/report.html", "second/report.html"],
        "Perturbation testing": ["suite/resume-score/report.html"],
        "External audits": ["a.zip"],
        "Active monitoring": ["history.db"],
    }
    assert all((tmp_path / "runs" / link).is_file() for links in found.values() for link in links)
    with ZipFile(tmp_path / "logged.zip") as archive:
        assert evidence(archive.read("index.html").decode())["Candidate masking"] == ["#check"]
    again = evenhand("report runs", cwd=tmp_path, code=2)
    assert len(again.stderr.splitlines()) == 1
    evenhand("report runs --out page.html", cwd=tmp_path)
    links = evidence((tmp_path / "page.html").read_text("utf-8"))
    assert links["Feature distributions"] == ["runs/features/report.html"]
