"""evenhand mask from documents to documents, as a user runs it."""

import fcntl
import io
import json
import os
import shutil
import signal
import stat
import subprocess
import sys
import time

import docx
import pdfplumber
import pytest
from _cli import environment, evenhand, own_process, refused, words_of
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
    done = evenhand("mask Ngozi_Okafor.txt --out masked.txt", cwd=folder)
    assert (folder / "masked.txt").read_text() == MASKED
    assert done.stdout == "Ngozi_Okafor.txt → masked.txt\n"
    assert "EMAIL 1, GENDER 1, NAME 2" in done.stderr


def test_options_reach_the_rules(folder):
    (folder / "cv.txt").write_text("Ngozi Okafor\nTel. 312-555-0188\n\nShe led Wambui.\n")
    asked = ("--optional", "phone", "--pronouns", "neutral", "--known-name", "Wambui")
    evenhand("mask cv.txt", *asked, "--out", "masked.txt", cwd=folder)
    assert (folder / "masked.txt").read_text() == "[NAME]\nTel. [PHONE]\n\nThey led [NAME].\n"


def test_known_names_that_are_not_found_are_a_note_and_under_strict_a_failure(folder):
    asked = words_of("mask Ngozi_Okafor.txt --known-name 'Ngozi Okafor' --known-name Wambui --out masked.txt")
    done = evenhand(*asked, cwd=folder)
    assert done.stderr.count("known names that are not in the text: 1") == 1
    (folder / "masked.txt").unlink()
    done = evenhand(*asked, "--strict", cwd=folder, code=5)
    assert done.stderr.startswith("Ngozi_Okafor.txt: Known name 2 of 2 not found in it, so nothing was written.")
    assert not (folder / "masked.txt").exists()


def test_a_document_may_unpack_to_what_is_allowed(folder):
    word(folder / "cv.docx", "Ngozi Okafor", "Led the audit team. " * 100_000)
    done = evenhand("mask cv.docx --unpack-limit 1 --out masked.docx", cwd=folder, code=2)
    assert (
        done.stderr.splitlines()[0] == "cv.docx unpacks to more than 1 MB; if you trust the file, raise --unpack-limit."
    )
    done = evenhand("mask cv.docx --unpack-limit 0 --out masked.docx", cwd=folder, code=2)
    assert done.stderr == "--unpack-limit is 0; expected megabytes from 1, such as 256.\n"


def test_a_folder_is_masked_in_parallel_and_bad_files_stop_no_other(folder):
    people = folder / "people"
    (people / "more").mkdir(parents=True)
    for number, name in enumerate(("Ngozi Okafor", "Siiri Ekstrand", "Wambui Kariuki")):
        (people / f"{name}.txt").write_text(f"{name}\nEXPERIENCE\nLed team {number}.\n")
    word(people / "more" / "Priya Raman.docx", "Priya Raman", "priya@example.org", "Led the audit.")
    (people / "more" / "Broken Okafor.docx").write_bytes(b"PK\x03\x04")
    (people / "~$Okafor.docx").write_bytes(b"lock")
    (people / "photo.png").write_bytes(b"photo")
    done = evenhand("mask people --out masked --json", cwd=folder, code=2)
    told = json.loads(done.stdout)
    assert (told["masked"], told["unreadable"], told["leak"]) == (4, 1, 0)
    written = sorted(path.name for path in (folder / "masked").iterdir())
    assert sorted(os.path.basename(row["output"]) for row in told["files"] if row["output"]) == written  # noqa: PTH119 - text
    assert all(name.startswith("resume-") and name[7].isdecimal() for name in written)
    assert not any("[NAME]" not in (folder / "masked" / name).read_text() for name in written if name.endswith("txt"))
    (line,) = done.stderr.splitlines()
    assert line.startswith("people/more/Broken Okafor.docx can't be read as a Word document")


def test_files_of_other_kinds_links_to_nowhere_and_closed_folders_are_told(folder):
    people = folder / "people"
    (people / "closed").mkdir(parents=True)
    (people / "cv.txt").write_text(RESUME)
    for name in ("old.doc", "older.DOC", "photo.png", "CV of Okafor", "cv.Okafor", ".DS_Store", "~$cv.docx"):
        (people / name).write_bytes(b"x")
    (people / "gone.pdf").symlink_to("nowhere.pdf")
    for force in ((), ("--force",)):
        done = evenhand("mask people --out masked", *force, cwd=folder, code=2)
        assert done.stderr.splitlines() == [
            "No file people/gone.pdf.",
            "1 of 2 files written; masked: EMAIL 1, GENDER 1, NAME 2. "
            "Left out, because they are not documents:  .doc 2, .png 1, others 2.",
        ]
    if os.geteuid() != 0:  # root may read everything
        (people / "closed").chmod(0)
        done = evenhand("mask people --out again", cwd=folder)
        (people / "closed").chmod(stat.S_IRWXU)
        assert "The folder people/closed can't be read: Permission denied." in done.stderr.splitlines()


def test_a_folder_with_one_document_and_a_file_given_twice_are_masked_into_a_new_folder(folder):
    (folder / "people").mkdir()
    (folder / "people" / "cv.txt").write_text(RESUME)
    for number, asked in enumerate((["people"], ["people/cv.txt", "./people/cv.txt"])):
        evenhand("mask", *asked, "--out", f"masked{number}", cwd=folder)
        assert [path.name for path in (folder / f"masked{number}").iterdir()] == ["resume-1.txt"]


def test_a_file_that_is_missing_or_of_another_kind_stops_no_other(folder):
    (folder / "cv.doc").write_bytes(b"x")
    os.mkfifo(folder / "pipe.txt")
    done = evenhand("mask missing.txt cv.doc pipe.txt Ngozi_Okafor.txt --out masked", cwd=folder, code=2)
    assert [line.partition(";")[0] for line in done.stderr.splitlines()[:3]] == [
        "No file missing.txt.",
        "cv.doc can't be masked",
        "pipe.txt is not a file.",
    ]
    assert (folder / "masked" / "resume-1.txt").read_text() == MASKED
    evenhand("mask missing.txt cv.doc --out none", cwd=folder, code=2)
    assert not (folder / "none").exists()


def test_an_output_of_an_earlier_run_is_told_where_nothing_is_written(folder):
    (folder / "cv.json").write_text(json.dumps({"basics": {"name": "Ngozi Okafor"}}))
    evenhand("mask cv.json --out o.json", cwd=folder)
    (folder / "cv.json").write_text(json.dumps({"basics": {"name": "Ngozi Okafor"}, "about Okafor": 1}))
    done = evenhand("mask cv.json --out o.json --force", cwd=folder, code=5)
    assert "o.json is of an earlier run." in done.stderr


def test_names_of_files_that_hold_anything_are_told_on_one_line(folder):
    people = folder / "people"
    people.mkdir()
    for name in (b"new\nline.txt", b"esc\x1b[31m.txt", b"latin\xff.txt"):
        with open(os.path.join(os.fsencode(people), name), "w") as file:  # noqa: PTH118, PTH123 - bytes
            file.write(RESUME)
    done = evenhand("mask people --out masked", cwd=folder)
    told = sorted(line.partition(" → ")[0] for line in done.stdout.splitlines())
    assert told == ["people/esc\\x1b[31m.txt", "people/latin\\xff.txt", "people/new\\nline.txt"]
    done = evenhand("mask people --out masked --force --json", cwd=folder)
    assert "people/latin\\xff.txt" in [file["input"] for file in json.loads(done.stdout)["files"]]


def test_numbers_follow_the_contents_and_not_the_names(folder):
    for order in (("a", "b", "c"), ("c", "a", "b")):
        into = folder / "".join(order)
        into.mkdir()
        for name, text in zip(order, ("One", "Two", "Three"), strict=True):
            (into / f"{name}.txt").write_text(f"Ngozi Okafor\n\n{text} team led.\n")
        evenhand("mask", into, "--out", folder / f"{into.name}-out", cwd=folder)
    first, second = (
        {path.name: path.read_text() for path in (folder / name).iterdir()} for name in ("abc-out", "cab-out")
    )
    assert first == second
    assert len(first) == 3


def test_a_leak_ends_with_5_writes_nothing_and_stops_no_other(folder):
    (folder / "leak.json").write_text(json.dumps({"basics": {"name": "Ngozi Okafor"}, "about Okafor": 1}))
    (folder / "bad.json").write_text("{")
    done = evenhand("mask leak.json bad.json Ngozi_Okafor.txt --out masked", cwd=folder, code=5)
    assert [path.suffix for path in (folder / "masked").iterdir()] == [".txt"]
    leak = next(line for line in done.stderr.splitlines() if line.startswith("leak.json"))
    assert "NAME" in leak
    assert "Okafor" not in leak


def test_json_tells_of_one_file(folder):
    done = evenhand("mask Ngozi_Okafor.txt --out masked.txt --json", cwd=folder)
    (file,) = json.loads(done.stdout)["files"]
    assert file == {
        "input": "Ngozi_Okafor.txt",
        "output": "masked.txt",
        "status": "masked",
        "spans": {"EMAIL": 1, "GENDER": 1, "NAME": 2},
        "kept": {},
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
        (("Ngozi_Okafor.txt", "--out", "there.txt"), "already exists"),
        (("Ngozi_Okafor.txt", "--out", "o.docx"), "not converted"),
        (("Ngozi_Okafor.txt", "--out", "masked"), "a file with .txt, or an existing folder"),
        (("Ngozi_Okafor.txt", "there.txt", "--out", "old", "--force"), "is a file to mask"),
        (("Ngozi_Okafor.txt", "--out", "no/o.txt"), "no folder"),
        (("photo.png", "--out", "o.png"), "expected .txt"),
        (("Ngozi_Okafor.txt", "there.txt", "--out", "third.txt"), "expected a folder"),
        (
            ("Ngozi_Okafor.txt", "there.txt", "--out", "both.txt"),
            "looks like a file; expected a folder for several inputs",
        ),
        ((".", "--out", "out"), "give a folder outside it"),
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
    (folder / "old").mkdir()
    (folder / "old" / "resume-1.txt").hardlink_to(folder / "there.txt")
    before = sorted(folder.rglob("*"))
    done = evenhand("mask", *asked, cwd=folder, code=2)
    (line,) = done.stderr.splitlines()
    assert message in line
    assert sorted(folder.rglob("*")) == before
    assert (folder / "there.txt").read_text() == "old"


def test_force_replaces_an_output(folder):
    (folder / "there.txt").write_text("old")
    evenhand("mask Ngozi_Okafor.txt --out there.txt --force", cwd=folder)
    assert (folder / "there.txt").read_text() == MASKED


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may write everywhere")
def test_a_folder_that_cannot_be_written_to_is_told(folder):
    closed = folder / "closed"
    closed.mkdir()
    closed.chmod(stat.S_IRUSR | stat.S_IXUSR)
    done = evenhand("mask Ngozi_Okafor.txt --out closed/o.txt", cwd=folder, code=2)
    closed.chmod(stat.S_IRWXU)
    assert "can't be written" in done.stderr


def test_without_the_extra_word_is_refused_in_one_line_and_text_is_masked(folder):
    # A package of this name that fails to import is what a missing one looks like.
    (folder / "lxml").mkdir()
    (folder / "lxml" / "__init__.py").write_text("raise ModuleNotFoundError('No module named lxml', name='lxml')\n")
    word(folder / "cv.docx", "Ngozi Okafor")
    (folder / "cv.json").write_text(json.dumps({"basics": {"name": "Ngozi Okafor"}}))
    (folder / "cv.md").write_text("# Ngozi Okafor\n")
    path = os.pathsep.join([str(folder), *filter(None, [os.environ.get("PYTHONPATH")])])
    done = own_process("mask cv.docx --out o.docx", cwd=folder, env=environment(PYTHONPATH=path))
    assert done.returncode == 2
    assert "pip install 'evenhand[documents]'" in done.stderr
    asked = ("mask", "cv.json", "cv.md", "--out", "masked")
    assert own_process(*asked, cwd=folder, env=environment(PYTHONPATH=path)).returncode == 0, sys.version


def test_word_documents_are_masked_from_the_command_line(folder):
    word(folder / "Wambui_Ekstrand.docx", "CURRICULUM VITAE", "Led by Wambui Ekstrand.")
    evenhand("mask Wambui_Ekstrand.docx --out o.docx", cwd=folder)
    assert [each.text for each in docx.Document(folder / "o.docx").paragraphs] == ["CURRICULUM VITAE", "Led by [NAME]."]


def test_a_page_is_masked_as_markdown_or_word_and_as_nothing_else(folder):
    page = "<html><title>Wambui</title><h1>Wambui Ekstrand</h1><ul><li>Led by Wambui.</ul>"
    people = folder / "people"
    people.mkdir()
    for name, text in (("Wambui_Ekstrand.html", page), ("cv.rtf", r"{\rtf1 Wambui Ekstrand\par Welder}")):
        (people / name).write_text(text)
    one = "people/Wambui_Ekstrand.html"
    for out, given in (("o.md", one), ("o.docx", one), ("all", "people")):
        done = evenhand("mask", given, "--out", out, cwd=folder)
    assert (folder / "o.md").read_text() == "# [NAME]\n\n- Led by [NAME].\n"
    assert [each.text for each in docx.Document(folder / "o.docx").paragraphs] == ["[NAME]", "Led by [NAME]."]
    assert sorted(path.name for path in (folder / "all").iterdir()) == ["resume-1.md", "resume-2.md"]
    done = evenhand("mask people/cv.rtf --out o.rtf", cwd=folder, code=2)
    assert (
        done.stderr
        == "--out o.rtf has another extension than cv.rtf; .rtf is written as Markdown or Word. Give a file with .md "
        "or .docx, or an existing folder.\n"
    )


def test_pdf_documents_are_masked_from_the_command_line(folder):
    page = canvas.Canvas(str(folder / "Ngozi_Okafor.pdf"))
    page.drawString(60, 780, "Ngozi Okafor")
    page.drawString(60, 720, "Led the audit.")
    page.save()
    evenhand("mask Ngozi_Okafor.pdf --out o.pdf", cwd=folder)
    with pdfplumber.open(folder / "o.pdf") as read:
        assert read.pages[0].extract_text() == "[NAME]\nLed the audit."


def test_an_interrupt_ends_with_130_and_leaves_whole_files(folder):
    people = folder / "people"
    people.mkdir()
    word(people / "0.docx", "Ngozi Okafor", *(f"Led audit {line}." for line in range(200)))
    for number in range(1, 60):
        shutil.copy(people / "0.docx", people / f"{number}.docx")
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
    mapped, told = process.communicate(timeout=120)
    assert process.returncode == 130
    interruption, summary = told.splitlines()
    written = list((folder / "masked").iterdir())
    assert 0 < len(written) < 60
    assert interruption == f"Interrupted, {60 - len(written)} files were not reached; what was written is whole."
    assert summary.startswith(f"{len(written)} of 60 files written;")
    assert {folder / line.partition(" \u2192 ")[2] for line in mapped.splitlines()} == set(written)
    for path in written:
        assert docx.Document(path).paragraphs[0].text == "[NAME]"


def test_a_killed_run_goes_on_where_it_was_and_writes_nothing_twice(folder):
    people = folder / "people"
    people.mkdir()
    for number in range(40):  # so many that it is killed before it ends, on a busy machine too
        (people / f"Ngozi Okafor {number}.txt").write_text(f"{RESUME}Led audit {number}.\n" * 100)
    command = ("mask", "people", "--out", "masked", "--jobs", "2", "--known-name", "Ngozi Okafor")
    process = subprocess.Popen(
        [sys.executable, "-m", "evenhand", *command],
        cwd=folder,
        env=environment(),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    unfinished = folder / ".masked.unfinished"
    while process.poll() is None and len(list(folder.glob("masked/*.txt"))) < 2:
        time.sleep(0.005)
    process.kill()
    process.wait()
    told = unfinished.read_bytes()
    assert not any(word in told for word in (b"Ngozi", b"Okafor"))
    rows = [json.loads(line) for line in told.splitlines(keepends=True)[1:] if line.endswith(b"\n")]
    whole = [row["output"] for row in rows if row["status"] == "masked"]
    before = {name: (folder / name).stat().st_mtime_ns for name in whole}
    with unfinished.open("ab") as file:
        file.write(b'{"output": "masked/resu')  # the line at which it was killed
    (people / "more.txt").write_text(f"{RESUME}Led audit 99.\n")
    done = evenhand(*command, "--json", cwd=folder)
    read = json.loads(done.stdout)
    assert (read["masked"], read["earlier"]) == (41, len(whole))
    assert {name: (folder / name).stat().st_mtime_ns for name in whole} == before
    outputs = {file["input"]: file["output"] for file in read["files"]}
    assert len(set(outputs.values())) == len(list((folder / "masked").glob("*.txt"))) == 41
    for source, output in outputs.items():
        assert (folder / output).read_text().splitlines()[-1] == (folder / source).read_text().splitlines()[-1]
    assert not unfinished.exists()
    refused(*command, told="already exists", cwd=folder)


def test_a_mapping_names_inputs_and_counts_and_no_masked_word_and_is_gone_on_from(folder):
    people = folder / "people"
    people.mkdir()
    (people / "a.txt").write_text(RESUME)
    (people / "b.txt").write_text(f"{RESUME}Second.\n")
    (people / "bad.json").write_text("{")
    command = ("mask", "people", "--out", "masked", "--mapping", "map.jsonl")
    done = evenhand(*command, cwd=folder, code=2)
    head, *rows = [json.loads(line) for line in (folder / "map.jsonl").read_text().splitlines()]
    assert head == {"schema": "evenhand.mask_journal/1"}
    assert [(row["input"], row["status"]) for row in rows] == [
        ("people/a.txt", "masked"),
        ("people/b.txt", "masked"),
        ("people/bad.json", "unreadable"),
    ]
    assert rows[0]["spans"] == {"EMAIL": 1, "GENDER": 1, "NAME": 2}
    assert (folder / rows[0]["output"]).read_text() == MASKED
    assert "Okafor" not in (folder / "map.jsonl").read_text()
    (people / "bad.json").write_text(json.dumps({"basics": {"name": "Ngozi Okafor"}}))
    (people / "b.txt").write_text(f"{RESUME}Changed.\n")
    done = evenhand(*command, cwd=folder)
    assert "3 of 3 files written, 1 of them by an earlier run; masked: EMAIL 2, GENDER 2, NAME 5." in done.stderr
    assert (folder / rows[0]["output"]).read_text() == MASKED
    rows_of = map(json.loads, (folder / "map.jsonl").read_text().splitlines()[1:])
    mapped = {row["input"]: row["output"] for row in rows_of}
    assert mapped["people/a.txt"] == rows[0]["output"]
    assert (folder / mapped["people/b.txt"]).read_text() == f"{MASKED}Changed.\n"
    other = evenhand(*command, "--optional", "phone", cwd=folder)
    assert "earlier run" not in other.stderr
    evenhand("mask people/a.txt --out o.txt --mapping one.jsonl", cwd=folder)
    assert len((folder / "one.jsonl").read_text().splitlines()) == 2


@pytest.mark.parametrize(
    ("asked", "message"),
    [
        (("--mapping", "there.txt"), "there.txt already exists and is not a mapping of evenhand mask."),
        (("--mapping", "masked/map.jsonl"), "--mapping masked/map.jsonl lists the inputs and lies in --out masked;"),
        (("--mapping", "people/a.txt", "--force"), "--mapping people/a.txt is a file to mask; give another."),
        (("--mapping", "no/map.jsonl"), "no/map.jsonl can't be written"),
        (("--jobs", "0"), "--jobs"),
    ],
)
def test_a_mapping_that_cannot_be_is_refused_in_a_line(folder, asked, message):
    (folder / "people").mkdir()
    (folder / "people" / "a.txt").write_text(RESUME)
    (folder / "there.txt").write_text("old")
    done = evenhand("mask people --out masked", *asked, cwd=folder, code=2)
    (line,) = done.stderr.splitlines()
    assert message in line
    assert ((folder / "there.txt").read_text(), (folder / "people" / "a.txt").read_text()) == ("old", RESUME)
    assert not list(folder.glob("masked/resume*"))


def test_one_process_at_a_time_masks_into_a_folder(folder):
    (folder / "second.txt").write_text(RESUME)
    masked = folder / "masked"
    masked.mkdir()
    descriptor = os.open(masked, os.O_RDONLY)
    fcntl.flock(descriptor, fcntl.LOCK_EX)
    asked = ("mask", "Ngozi_Okafor.txt", "second.txt", "--out", "masked")
    done = evenhand(*asked, cwd=folder, code=2)
    assert done.stderr == "masked is being written by another process; wait until it ends.\n"
    assert list(masked.iterdir()) == []
    os.close(descriptor)
    evenhand(*asked, cwd=folder)
