import stat

import pytest

from evenhand.errors import InputError
from evenhand.results.files import (
    LONGEST_FILE,
    file_bytes,
    scratch_folder,
    take_name,
    write_file,
    written,
    written_folder,
)


def test_a_file_that_is_being_written_is_refused_to_others_and_comes_whole(tmp_path):
    path = tmp_path / "page.html"
    path.write_bytes(b"earlier")
    with written(path) as first:
        first.write(b"one")
        with pytest.raises(InputError, match=r"page\.html is being written by another process; wait until it ends\."):
            write_file(path, b"two")
        assert path.read_bytes() == b"earlier"
    assert path.read_bytes() == b"one"
    assert list(tmp_path.iterdir()) == [path]


def test_a_folder_is_filled_by_one_process_and_what_a_killed_one_left_is_gone(tmp_path):
    out = tmp_path / "arms"
    left = tmp_path / ".arms.part" / "texts"
    left.mkdir(parents=True)
    (left / "of a killed process.txt").write_bytes(b"half")
    with written_folder(out) as part:
        assert not any(part.iterdir())
        (part / "arms.csv").write_bytes(b"id\n")
        with pytest.raises(InputError, match="arms is being written by another process"), written_folder(out):
            pass
        take_name(part, out)
    assert [path.name for path in tmp_path.rglob("*")] == ["arms", "arms.csv"]


def test_what_a_killed_process_left_of_a_file_is_written_over_and_a_private_one_is_read_by_nobody_else(tmp_path):
    left = tmp_path / ".evenhand.key.part"
    left.write_bytes(b"a longer leftover")
    left.chmod(0o644)
    with written(tmp_path / "evenhand.key", private=True) as file:
        file.write(b"secret")
    key = tmp_path / "evenhand.key"
    assert (key.read_bytes(), stat.S_IMODE(key.stat().st_mode)) == (b"secret", 0o600)
    assert not left.exists()
    left.symlink_to(tmp_path / "elsewhere")
    with pytest.raises(InputError, match="can't be written"):
        write_file(key, b"other")
    assert not (tmp_path / "elsewhere").exists()


def test_temporary_files_go_where_there_is_room(monkeypatch):
    with scratch_folder(room=1 << 60) as folder:  # nowhere; then where they usually go, and the disk says so
        assert folder.is_dir()
    monkeypatch.setattr("evenhand.results.files._MEMORY", "")
    monkeypatch.setattr("tempfile.tempdir", "/no/such/folder")
    with pytest.raises(
        InputError, match="No folder for temporary files; free some space, or set TMPDIR to a writable folder"
    ):
        scratch_folder().__enter__()


def test_what_memory_may_not_take_is_refused_by_its_size(tmp_path):
    with (tmp_path / "a.json").open("wb") as file:
        file.truncate(LONGEST_FILE + 1)
    with pytest.raises(OSError, match="larger than 1,024 MB"):
        file_bytes(tmp_path / "a.json")
