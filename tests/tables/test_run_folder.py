import orjson
import pytest

from evenhand.errors import ForeignFolder, InputError
from evenhand.tables.run_folder import RunFolder, prepare_run_folder, read_manifest


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
        prepare_run_folder(tmp_path)
    assert prepare_run_folder(tmp_path, force=True).path == tmp_path
    assert prepare_run_folder(tmp_path, resume=True).path == tmp_path


def test_resume_needs_a_run(tmp_path):
    with pytest.raises(InputError, match="no run to resume"):
        prepare_run_folder(tmp_path / "nothing", resume=True)
    assert not (tmp_path / "nothing").exists()


def test_clear_removes_our_files_only_also_below(tmp_path):
    folder = with_run(tmp_path)
    (tmp_path / "notes.txt").write_text("mine")
    (tmp_path / "answers-000.jsonl.bak").write_text("mine")
    with_run(tmp_path / "hiring-an")
    (tmp_path / "hiring-an" / "figure.png").write_text("mine")
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "findings.json").write_text("mine")
    folder.clear()
    left = sorted(str(path.relative_to(tmp_path)) for path in tmp_path.rglob("*") if path.is_file())
    assert left == ["answers-000.jsonl.bak", "hiring-an/figure.png", "notes.txt", "other/findings.json"]


def test_a_damaged_manifest_is_named_and_kept(tmp_path):
    (tmp_path / "manifest.json").write_text("{")
    with pytest.raises(InputError, match=r"manifest\.json is damaged"):
        prepare_run_folder(tmp_path, force=True)
    assert (tmp_path / "manifest.json").read_text() == "{"


def test_manifest_is_replaced_whole(tmp_path):
    folder = RunFolder(tmp_path)
    folder.write_manifest({"status": "running"})
    folder.write_manifest({"status": "finished"})
    assert read_manifest(tmp_path) == {"schema": "evenhand.run/1", "status": "finished"}
    assert [path.name for path in tmp_path.iterdir()] == ["manifest.json"]


def test_findings_file_has_the_schema_number(tmp_path):
    content = RunFolder(tmp_path).write_findings({"kind": "probe"}, [])
    assert orjson.loads((tmp_path / "findings.json").read_bytes()) == content
    assert content["schema"] == "evenhand.findings/1"
