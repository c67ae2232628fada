"""Arms for systems that nothing can be asked of."""

import zipfile
from xml.etree import ElementTree as ET

import polars as pl
import pytest

from evenhand.analyses.perturb_arms import KEY, check_written, read_applicants, write_arms
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
        assert row["file"] == f"documents/{row['id']}.docx"
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


@pytest.fixture
def documents(tmp_path, applicants):
    """Return the applicants of a folder of documents: a Word file, a PDF, a text."""
    docx = pytest.importorskip("docx")
    canvas = pytest.importorskip("reportlab.pdfgen.canvas")
    folder = tmp_path / "documents"
    folder.mkdir()
    word = docx.Document()
    word.core_properties.author = "Jane Doe"
    for text in ("Jane Doe", "jane.doe@example.org", "Nurse for ten years. She led the ward."):
        word.add_paragraph(text).runs[0].bold = text == "Jane Doe"
    word.save(folder / "Jane_Doe_CV.docx")
    page = canvas.Canvas(str(folder / "cv of John Smith.pdf"))
    for line, text in enumerate(("John Smith", "", "Nurse for two years.")):
        page.drawString(72, 800 - 18 * line, text)
    page.save()
    (folder / "ana.txt").write_text("Ana Lee\n\nCarpenter of houses.\n")
    assert applicants.positions
    return read_applicants(folder, tmp_path / "positions.jsonl")


def test_a_word_file_is_written_in_place_and_other_documents_as_their_text(layout_of, documents, tmp_path):
    docx = pytest.importorskip("docx")
    layout = layout_of("name+pronouns", "affinity", people=documents)
    told = write_arms(layout, to=tmp_path / "arms", key=tmp_path / KEY)
    assert (told.pictures, told.retyped) == (0, 1)
    key = pl.read_csv(tmp_path / KEY)
    stems = {"Jane_Doe_CV.docx": "{0}_{1}_CV", "cv of John Smith.pdf": "cv of {0} {1}", "ana.txt": "{0}"}
    for row in key.iter_rows(named=True):
        stem = stems[row["person"]].format(*row["name"].split())
        assert row["file"].casefold() == f"documents/{stem}_{row['id']}.docx".casefold()
        found = docx.Document(str(tmp_path / "arms" / row["file"]))
        text = (tmp_path / "arms" / row["file"].replace("documents/", "texts/").replace(".docx", ".txt")).read_text()
        assert "\n".join(paragraph.text for paragraph in found.paragraphs) == text.rstrip("\n")
        if row["person"].endswith("_CV.docx"):
            assert found.core_properties.author == row["name"] == found.paragraphs[0].text
            assert found.paragraphs[0].runs[0].bold
            assert found.paragraphs[-1].text.startswith("Member, ")
    assert key["file"].str.to_lowercase().is_unique().all()


def test_a_word_file_that_changes_meanwhile_is_refused(layout_of, documents, tmp_path):
    docx = pytest.importorskip("docx")
    layout = layout_of(people=documents)
    path = tmp_path / "documents" / "Jane_Doe_CV.docx"
    word = docx.Document(str(path))
    word.add_paragraph("Another line.")
    word.save(path)
    with pytest.raises(InputError, match=r"Jane_Doe_CV.docx changed while evenhand read it; nothing was written"):
        write_arms(layout, to=tmp_path / "arms", key=tmp_path / KEY)
    assert not (tmp_path / "arms").exists()
    assert not (tmp_path / KEY).exists()


@pytest.mark.parametrize("change", ["seed", "kinds", "text", "folder"])
def test_arms_of_another_experiment_are_refused(layout_of, documents, tmp_path, change):
    write_arms(layout_of(), to=tmp_path / "arms", key=tmp_path / KEY)
    check_written(layout_of(), tmp_path / "arms")
    other = {
        "seed": lambda: layout_of(seed=1),
        "kinds": lambda: layout_of("name"),
        "text": lambda: layout_of("name", "placebo", "affinity"),  # every text has a line
        "folder": lambda: layout_of(people=documents),
    }
    with pytest.raises(InputError, match=r"arms.csv was written from other people, positions, names, arms or another"):
        check_written(other[change](), tmp_path / "arms")


def test_a_folder_that_holds_something_is_left_alone(layout_of, tmp_path):
    (tmp_path / "arms").mkdir()
    (tmp_path / "arms" / "mine.txt").write_text("mine")
    with pytest.raises(InputError, match="already exists; give a new folder"):
        write_arms(layout_of(), to=tmp_path / "arms", key=tmp_path / KEY)
    assert not (tmp_path / KEY).exists()
    assert [file.name for file in (tmp_path / "arms").iterdir()] == ["mine.txt"]


def test_a_folder_that_can_not_be_made_is_told_in_one_line(layout_of, tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(InputError, match="can't be written: "):
        write_arms(layout_of(), to=tmp_path / "file" / "arms", key=tmp_path / KEY)
