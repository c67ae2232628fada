"""Arms for systems that nothing can be asked of."""

import zipfile
from xml.etree import ElementTree as ET

import polars as pl
import pytest

from evenhand.analyses.perturb_arms import KEY, write_arms
from evenhand.errors import InputError


@pytest.fixture
def written(layout_of, tmp_path):
    layout = layout_of("name", "affinity", "placebo")
    told = write_arms(layout, to=tmp_path / "arms", key=tmp_path / KEY)
    return layout, told, tmp_path


def test_a_row_is_a_document_and_a_position_and_names_files_that_are_there(written):
    layout, told, folder = written
    table = pl.read_csv(folder / "arms" / "arms.csv")
    assert (told.documents, told.positions, told.rows) == (len({*layout.document_names().values()}), 2, layout.size)
    assert table.height == layout.size
    for column in ("document", "text", "position_text"):
        assert all((folder / "arms" / name).is_file() for name in table[column])
    assert table["id"].is_sorted()


def test_nothing_but_the_texts_says_what_a_document_is(written):
    _, _, folder = written
    table = (folder / "arms" / "arms.csv").read_text().lower()
    assert not any(word in table for word in ("female", "placebo", "names ", "p1", "jane"))
    assert {file.name for file in (folder / "arms").iterdir()} == {"arms.csv", "documents", "texts", "positions"}
    with zipfile.ZipFile(next((folder / "arms" / "documents").iterdir())) as archive:
        assert set(archive.namelist()) == {"[Content_Types].xml", "_rels/.rels", "word/document.xml"}
        assert {entry.date_time for entry in archive.infolist()} == {(1980, 1, 1, 0, 0, 0)}


def test_the_key_says_what_each_document_is(written):
    layout, _, folder = written
    key = pl.read_csv(folder / KEY)
    known = {document.id: document for document in layout.documents()}
    assert set(key["id"]) == set(known)
    for row in key.iter_rows(named=True):
        document = known[row["id"]]
        assert (row["arm"], row["name"]) == (document.arm.label, document.text.name.name.text)
        assert (folder / "arms" / "texts" / f"{row['id']}.txt").read_text() == document.text.text


def test_a_word_document_holds_the_text(written):
    layout, _, folder = written
    document = next(layout.documents())
    with zipfile.ZipFile(folder / "arms" / "documents" / f"{document.id}.docx") as archive:
        tree = ET.fromstring(archive.read("word/document.xml"))
    word = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
    lines = ["".join(text.text or "" for text in each.iter(f"{word}t")) for each in tree.iter(f"{word}p")]
    assert lines == document.text.text.splitlines()


def test_a_word_document_is_read_by_word_s_reader(written):
    docx = pytest.importorskip("docx")
    layout, _, folder = written
    document = next(layout.documents())
    found = docx.Document(str(folder / "arms" / "documents" / f"{document.id}.docx"))
    assert [each.text for each in found.paragraphs] == document.text.text.splitlines()


def test_a_folder_that_holds_something_is_left_alone(layout_of, tmp_path):
    (tmp_path / "arms").mkdir()
    (tmp_path / "arms" / "mine.txt").write_text("mine")
    with pytest.raises(InputError, match="is there already; give a new folder"):
        write_arms(layout_of(), to=tmp_path / "arms", key=tmp_path / KEY)
    assert not (tmp_path / KEY).exists()
    assert [file.name for file in (tmp_path / "arms").iterdir()] == ["mine.txt"]


def test_a_folder_that_can_not_be_made_is_told_in_one_line(layout_of, tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(InputError, match="can't be written: "):
        write_arms(layout_of(), to=tmp_path / "file" / "arms", key=tmp_path / KEY)
