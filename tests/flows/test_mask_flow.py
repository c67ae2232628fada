"""evenhand mask from documents to documents, as a user runs it."""

import io
import json
import os
import signal
import stat
import subprocess
import sys
import time

import docx
import pdfplumber
import pytest
from _cli import environment, evenhand
from reportlab.pdfgen import canvas

RESUME = "Ngozi Okafor\nn.okafor@example.org\n\nEXPERIENCE\nMs Okafor led the audit team.\n"
MASKED = "[NAME]\n[EMAIL]\n\nEXPERIENCE\n[GENDER] [NAME] led the audit team.\n"


def word(path, *paragraphs):
    made = docx.Document()
    for text in paragraphs:
        made.add_paragraph(text)
    file = io.BytesIO()
    made.save(file)
    path.write_bytes(file.getvalue())


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "Ngozi_Okafor.txt").write_text(RESUME)
    return tmp_path


def test_one_file_is_masked_to_the_file_that_was_asked_for(folder):
    done = evenhand("mask", "Ngozi_Okafor.txt", "--out", "masked.txt", cwd=folder)
    assert done.returncode == 0, done.stderr
    assert (folder / "masked.txt").read_text() == MASKED
    assert done.stdout == "Ngozi_Okafor.txt → masked.txt\n"
    assert "EMAIL 1, GENDER 1, NAME 2" in done.stderr


def test_options_reach_the_rules(folder):
    (folder / "cv.txt").write_text("Ngozi Okafor\nTel. 312-555-0188\n\nShe led Wambui.\n")
    asked = ("--optional", "phone", "--pronouns", "neutral", "--known-name", "Wambui")
    done = evenhand("mask", "cv.txt", *asked, "--out", "masked.txt", cwd=folder)
    assert done.returncode == 0, done.stderr
    assert (folder / "masked.txt").read_text() == "[NAME]\nTel. [PHONE]\n\nThey led [NAME].\n"


def test_a_folder_is_masked_in_parallel_and_bad_files_stop_no_other(folder):
    people = folder / "people"
    (people / "more").mkdir(parents=True)
    for number, name in enumerate(("Ngozi Okafor", "Siiri Ekstrand", "Wambui Kariuki")):
        (people / f"{name}.txt").write_text(f"{name}\nEXPERIENCE\nLed team {number}.\n")
    word(people / "more" / "Priya Raman.docx", "Priya Raman", "priya@example.org", "Led the audit.")
    (people / "more" / "Broken Okafor.docx").write_bytes(b"PK\x03\x04")
    (people / "~$Okafor.docx").write_bytes(b"lock")
    (people / "photo.png").write_bytes(b"photo")
    done = evenhand("mask", "people", "--out", "masked", "--json", cwd=folder)
    assert done.returncode == 2
    told = json.loads(done.stdout)
    assert (told["masked"], told["unreadable"], told["leak"]) == (4, 1, 0)
    written = sorted(path.name for path in (folder / "masked").iterdir())
    assert sorted(os.path.basename(row["output"]) for row in told["files"] if row["output"]) == written  # noqa: PTH119 - text
    assert all(name.startswith("resume-") and name[7].isdecimal() for name in written)
    assert not any("[NAME]" not in (folder / "masked" / name).read_text() for name in written if name.endswith("txt"))
    (line,) = done.stderr.splitlines()
    assert line.startswith("people/more/Broken Okafor.docx is no Word document that can be read")


def test_numbers_follow_the_contents_and_not_the_names(folder):
    for order in (("a", "b", "c"), ("c", "a", "b")):
        into = folder / "".join(order)
        into.mkdir()
        for name, text in zip(order, ("One", "Two", "Three"), strict=True):
            (into / f"{name}.txt").write_text(f"Ngozi Okafor\n\n{text} team led.\n")
        assert evenhand("mask", into, "--out", folder / f"{into.name}-out", cwd=folder).returncode == 0
    first, second = (
        {path.name: path.read_text() for path in (folder / name).iterdir()} for name in ("abc-out", "cab-out")
    )
    assert first == second
    assert len(first) == 3


def test_a_leak_ends_with_5_writes_nothing_and_stops_no_other(folder):
    (folder / "leak.json").write_text(json.dumps({"basics": {"name": "Ngozi Okafor"}, "about Okafor": 1}))
    (folder / "bad.json").write_text("{")
    done = evenhand("mask", "leak.json", "bad.json", "Ngozi_Okafor.txt", "--out", "masked", cwd=folder)
    assert done.returncode == 5
    assert [path.suffix for path in (folder / "masked").iterdir()] == [".txt"]
    leak = next(line for line in done.stderr.splitlines() if line.startswith("leak.json"))
    assert "NAME" in leak
    assert "Okafor" not in leak


def test_json_tells_of_one_file(folder):
    done = evenhand("mask", "Ngozi_Okafor.txt", "--out", "masked.txt", "--json", cwd=folder)
    (file,) = json.loads(done.stdout)["files"]
    assert file == {
        "input": "Ngozi_Okafor.txt",
        "output": "masked.txt",
        "status": "masked",
        "spans": {"EMAIL": 1, "GENDER": 1, "NAME": 2},
        "notes": [],
        "problem": None,
    }
    assert done.stderr == ""


@pytest.mark.parametrize(
    ("asked", "message"),
    [
        (("--out", "o.txt"), "Give documents or folders"),
        (("missing.txt", "--out", "o.txt"), "No file missing.txt"),
        (("Ngozi_Okafor.txt", "--out", "Ngozi_Okafor.txt"), "is a file to mask"),
        (("Ngozi_Okafor.txt", "--out", "link.txt", "--force"), "is a file to mask"),
        (("Ngozi_Okafor.txt", "--out", "there.txt"), "there already"),
        (("Ngozi_Okafor.txt", "--out", "o.docx"), "not converted"),
        (("Ngozi_Okafor.txt", "--out", "no/o.txt"), "no folder"),
        (("photo.png", "--out", "o.png"), "expected .txt"),
        (("Ngozi_Okafor.txt", "there.txt", "--out", "third.txt"), "expected a folder"),
        ((".", "--out", "out"), "give one beside it"),
        (("empty", "--out", "out"), "holds no file"),
        (("Ngozi_Okafor.txt", "--jsonl", "x", "--out", "o.txt"), "Give documents or folders"),
        (("Ngozi_Okafor.txt", "--optional", "shoe", "--out", "o.txt"), "shoe"),
    ],
)
def test_wrong_input_is_one_line_and_writes_nothing(folder, asked, message):
    (folder / "there.txt").write_text("old")
    (folder / "third.txt").write_text("old")
    (folder / "photo.png").write_text("x")
    (folder / "empty").mkdir()
    (folder / "link.txt").symlink_to("Ngozi_Okafor.txt")
    before = sorted(folder.rglob("*"))
    done = evenhand("mask", *asked, cwd=folder)
    assert done.returncode == 2
    (line,) = done.stderr.splitlines()
    assert message in line
    assert sorted(folder.rglob("*")) == before
    assert (folder / "there.txt").read_text() == "old"


def test_force_replaces_an_output(folder):
    (folder / "there.txt").write_text("old")
    assert evenhand("mask", "Ngozi_Okafor.txt", "--out", "there.txt", "--force", cwd=folder).returncode == 0
    assert (folder / "there.txt").read_text() == MASKED


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may write everywhere")
def test_a_folder_that_cannot_be_written_to_is_told(folder):
    closed = folder / "closed"
    closed.mkdir()
    closed.chmod(stat.S_IRUSR | stat.S_IXUSR)
    done = evenhand("mask", "Ngozi_Okafor.txt", "--out", "closed/o.txt", cwd=folder)
    closed.chmod(stat.S_IRWXU)
    assert done.returncode == 2
    assert "can't be written" in done.stderr


def test_without_the_extra_word_is_refused_in_one_line_and_text_is_masked(folder):
    # A package of this name that fails to import is what a missing one looks like.
    (folder / "lxml").mkdir()
    (folder / "lxml" / "__init__.py").write_text("raise ModuleNotFoundError('No module named lxml', name='lxml')\n")
    word(folder / "cv.docx", "Ngozi Okafor")
    (folder / "cv.json").write_text(json.dumps({"basics": {"name": "Ngozi Okafor"}}))
    (folder / "cv.md").write_text("# Ngozi Okafor\n")
    path = os.pathsep.join([str(folder), *filter(None, [os.environ.get("PYTHONPATH")])])
    done = evenhand("mask", "cv.docx", "--out", "o.docx", cwd=folder, env=environment(PYTHONPATH=path))
    assert done.returncode == 2
    assert "pip install 'evenhand[documents]'" in done.stderr
    for ending in ("json", "md"):
        asked = ("mask", f"cv.{ending}", "--out", f"o.{ending}")
        assert evenhand(*asked, cwd=folder, env=environment(PYTHONPATH=path)).returncode == 0, sys.version


def test_word_documents_are_masked_from_the_command_line(folder):
    word(folder / "Wambui_Ekstrand.docx", "CURRICULUM VITAE", "Led by Wambui Ekstrand.")
    done = evenhand("mask", "Wambui_Ekstrand.docx", "--out", "o.docx", cwd=folder)
    assert done.returncode == 0, done.stderr
    assert [each.text for each in docx.Document(folder / "o.docx").paragraphs] == ["CURRICULUM VITAE", "Led by [NAME]."]


def test_pdf_documents_are_masked_from_the_command_line(folder):
    page = canvas.Canvas(str(folder / "Ngozi_Okafor.pdf"))
    page.drawString(60, 780, "Ngozi Okafor")
    page.drawString(60, 720, "Led the audit.")
    page.save()
    done = evenhand("mask", "Ngozi_Okafor.pdf", "--out", "o.pdf", cwd=folder)
    assert done.returncode == 0, done.stderr
    with pdfplumber.open(folder / "o.pdf") as read:
        assert read.pages[0].extract_text() == "[NAME]\nLed the audit."


def test_an_interrupt_ends_with_130_and_leaves_whole_files(folder):
    people = folder / "people"
    people.mkdir()
    for number in range(60):
        word(people / f"{number}.docx", "Ngozi Okafor", *(f"Led audit {line} of {number}." for line in range(200)))
    prelude = "import signal; signal.signal(signal.SIGINT, signal.default_int_handler)"
    command = f"{prelude}; import sys; sys.argv[0] = 'evenhand'; from evenhand.cli import main; main()"
    process = subprocess.Popen(
        [sys.executable, "-c", command, "mask", "people", "--out", "masked"],
        cwd=folder,
        env=environment(),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    while process.poll() is None and not list(folder.glob("masked/*.docx")):
        time.sleep(0.02)
    process.send_signal(signal.SIGINT)
    _, told = process.communicate(timeout=120)
    assert process.returncode == 130
    (line,) = told.splitlines()
    assert line.startswith("Interrupted after ")
    written = list((folder / "masked").iterdir())
    assert 0 < len(written) < 60
    for path in written:
        assert docx.Document(path).paragraphs[0].text == "[NAME]"
