import orjson
import pytest

from evenhand.errors import ForeignFolder, InputError
from evenhand.results.audit import ProbeAudit
from evenhand.results.finding import as_json
from evenhand.results.result import Result, RunFolder, manifest_values, prepare_run_folder


def with_run(path):
    folder = prepare_run_folder(path)
    folder.write_manifest({"kind": "probe"})
    (path / "answers-000.jsonl").write_text("{}\n")
    return folder


def test_a_new_folder_is_made_with_its_parents(tmp_path):
    assert prepare_run_folder(tmp_path / "a" / "b").path.is_dir()


def test_an_empty_folder_is_used(tmp_path):
    assert prepare_run_folder(tmp_path).path == tmp_path


def test_a_folder_with_other_files_is_foreign_also_with_force(tmp_path):
    (tmp_path / "x.txt").write_text("x")
    for force in (False, True):
        with pytest.raises(ForeignFolder, match="not from an evenhand run"):
            prepare_run_folder(tmp_path, force=force)


def test_a_manifest_of_another_program_does_not_make_it_ours(tmp_path):
    (tmp_path / "manifest.json").write_text('{"name": "a web app"}')
    with pytest.raises(ForeignFolder):
        prepare_run_folder(tmp_path, force=True)


def test_a_run_needs_force_or_resume(tmp_path):
    with_run(tmp_path)
    with pytest.raises(InputError, match="--resume"):
        prepare_run_folder(tmp_path, resume=False)
    assert prepare_run_folder(tmp_path, force=True).path == tmp_path
    assert prepare_run_folder(tmp_path, resume=True).path == tmp_path


def test_resume_needs_a_run(tmp_path):
    with pytest.raises(InputError, match="no run to resume"):
        prepare_run_folder(tmp_path / "nothing", resume=True)
    assert not (tmp_path / "nothing").exists()


def suite(path, *probes):
    folder = prepare_run_folder(path)
    folder.write_manifest({"kind": "suite", "probes": list(probes)})
    for name in probes:
        with_run(path / name)
    return folder


def files_in(path):
    return sorted(str(file.relative_to(path)) for file in path.rglob("*") if file.is_file())


def test_clear_removes_what_the_manifest_names_and_what_a_crash_left_of_it(tmp_path):
    folder = suite(tmp_path, "hiring-an")
    for name in (".report.html.part", ".lock", ".DS_Store", "hiring-an/.outcomes.parquet.000003", "hiring-an/.lock"):
        (tmp_path / name).write_text("")
    folder.clear()
    assert files_in(tmp_path) == [".DS_Store", ".lock", "hiring-an/.lock"]
    folder.write_manifest({"kind": "impact"})
    folder.clear()  # the folder of a probe that was cleared is in nobody's way


@pytest.mark.parametrize(
    ("kind", "name", "told"),
    [
        ("probe", "notes.txt", "notes.txt"),
        ("probe", "answers-000.jsonl.bak", "answers-000.jsonl.bak"),
        ("probe", "impact.csv", "impact.csv"),
        ("impact", "second/manifest.json", "second"),
        ("suite", "other/manifest.json", "other"),
        ("suite", "hiring-an/figure.png", "figure.png"),
        ("from the future", "findings.json", "a run of 'from the future'"),
    ],
)
def test_a_run_folder_that_holds_anything_else_is_left_alone_also_with_force(tmp_path, kind, name, told):
    folder = suite(tmp_path, "hiring-an") if kind == "suite" else prepare_run_folder(tmp_path)
    folder.write_manifest({"kind": kind, "probes": ["hiring-an"]})
    (tmp_path / name).parent.mkdir(exist_ok=True)
    (tmp_path / name).write_text('{"schema": "evenhand.run/1", "kind": "impact"}')
    before = files_in(tmp_path)
    for attempt in (lambda: prepare_run_folder(tmp_path, force=True), folder.clear):
        with pytest.raises(ForeignFolder, match=f"holds .*{told}"):
            attempt()
    assert files_in(tmp_path) == before


@pytest.mark.parametrize("place", ["link", "hiring-an", "manifest.json"])
def test_nothing_is_cleared_through_a_symbolic_link(tmp_path, place):
    elsewhere, run = tmp_path / "elsewhere", tmp_path / "run"
    with_run(elsewhere)
    suite(run)
    run.joinpath(place).unlink(missing_ok=True)
    run.joinpath(place).symlink_to(elsewhere / ("manifest.json" if place == "manifest.json" else ""))
    RunFolder(elsewhere).write_manifest({"kind": "suite", "probes": ["hiring-an"]})
    with pytest.raises(ForeignFolder, match=rf"{place}' \(a symbolic link\)"):
        prepare_run_folder(run, force=True)
    (tmp_path / "name").symlink_to(run)
    with pytest.raises(InputError, match="is a symbolic link"):
        prepare_run_folder(tmp_path / "name", force=True)
    assert files_in(elsewhere) == ["answers-000.jsonl", "manifest.json"]


def test_a_damaged_manifest_is_named_and_kept(tmp_path):
    (tmp_path / "manifest.json").write_text("{")
    with pytest.raises(InputError, match=r"manifest\.json is damaged"):
        prepare_run_folder(tmp_path, force=True)
    assert (tmp_path / "manifest.json").read_text() == "{"


def test_manifest_is_replaced_whole(tmp_path):
    folder = RunFolder(tmp_path)
    folder.write_manifest({"status": "running"})
    folder.write_manifest({"status": "finished"})
    assert manifest_values(tmp_path) == {"schema": "evenhand.run/1", "status": "finished", "files": {}}
    assert [path.name for path in tmp_path.iterdir()] == ["manifest.json"]


def test_findings_file_has_the_schema_number(tmp_path):
    audit = ProbeAudit(title="Hiring")
    RunFolder(tmp_path).write_result(Result(audit=audit, findings=[]))
    content = orjson.loads((tmp_path / "findings.json").read_bytes())
    assert (content["audit"], content["findings"]) == (as_json(audit), [])
    assert content["schema"] == "evenhand.findings/2"
