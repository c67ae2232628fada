"""What masking keeps unless it is asked for, and documents that come by standard input."""

import json
import subprocess
import sys
from pathlib import Path

import pytest
from _cli import environment, evenhand

KEPT = "Jane Doe\r\n12 Elm Street, Springfield, IL 62704\r\nTel. 312-555-0188\r\nDate of birth: 3 May 1990\r\n"
RESUME = {
    "basics": {"name": "Jane Doe", "phone": "312-555-0188", "location": {"city": "Springfield"}},
    "education": [{"institution": "Elm College", "endDate": "2014"}],
}


@pytest.mark.parametrize(
    ("name", "content", "asked", "told"),
    [
        ("cv.txt", KEPT, (), "masked: NAME 1; kept: phone 1, address 1, dob 1; add --optional phone,address,dob."),
        (
            "cv.txt",
            KEPT,
            ("--optional", "phone"),
            "masked: NAME 1, PHONE 1; kept: address 1, dob 1; add --optional address,dob.",
        ),
        ("cv.md", KEPT, ("--optional", "phone,address,dob"), "masked: ADDRESS 1, DOB 1, NAME 1, PHONE 1."),
        ("cv.txt", "Nothing at all\n", (), "masked: nothing."),
        ("cv.txt", "Call 312-555-0188\n", (), "masked: nothing; kept: phone 1; add --optional phone."),
        (
            "cv.json",
            json.dumps(RESUME),
            (),
            "masked: NAME 1; kept: phone 1, address 1, graduation_year 1, school 1; "
            "add --optional phone,address,graduation_year,school.",
        ),
    ],
)
def test_the_summary_says_what_is_kept_unless_it_is_asked_for(tmp_path, name, content, asked, told):
    (tmp_path / name).write_bytes(content.encode())
    out = f"out{Path(name).suffix}"
    done = evenhand("mask", name, "--out", out, *asked, cwd=tmp_path)
    assert done.stderr == f"1 of 1 files written; {told}\n"
    # What was kept is what its options mask.
    kept = [word.split()[0] for word in told.partition("kept: ")[2].partition(";")[0].split(", ") if word]
    everything = ",".join(kept + list(asked[1:]))
    again = evenhand(
        "mask", name, "--out", out, "--force", *(("--optional", everything) if everything else ()), cwd=tmp_path
    )
    assert "kept" not in again.stderr


def piped(content, *, cwd):
    """Run `evenhand mask -` on what is written to its standard input."""
    command = [sys.executable, "-m", "evenhand", "mask", "-"]
    return subprocess.run(
        command, input=content, capture_output=True, cwd=cwd, env=environment(), timeout=120, check=False
    )


@pytest.mark.parametrize("codec", ["utf-16", "cp1252"])
def test_standard_input_goes_to_standard_output_byte_by_byte(tmp_path, codec):
    text = "Zoë Doe\r\nzoe@example.org\r\nRan the team at Café Müller, 3 years.\r\n"
    done = piped(text.encode(codec), cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert done.stdout.decode(codec) == "[NAME]\r\n[EMAIL]\r\nRan the team at Café Müller, 3 years.\r\n"
    assert done.stderr.decode() == "1 of 1 files written; masked: EMAIL 1, NAME 1.\n"
    assert not list(tmp_path.iterdir())


def test_standard_input_is_written_to_out_in_the_format_of_its_ending(tmp_path):
    asked = ("mask", "-", "--out", "out.json")
    typed = json.dumps(RESUME).encode()
    done = evenhand(*asked, "--quiet", cwd=tmp_path, typed=typed)
    assert (done.stdout, done.stderr) == ("- → out.json\n", "")
    assert json.loads((tmp_path / "out.json").read_text())["basics"]["name"] == "[NAME]"
    shown = evenhand(*asked, "--json", "--force", cwd=tmp_path, typed=typed)
    assert json.loads(shown.stdout)["files"][0]["spans"] == {"NAME": 1}


@pytest.mark.parametrize(
    ("arguments", "content", "code", "told"),
    [
        ((), b"", 2, "Standard input is empty."),
        ((), b"%PDF-1.7 ...", 2, "Standard input has the content of PDF; rename it, or save it as text."),
        (("--json",), b"Jane Doe", 2, "--json needs --out FILE"),
        (("other.txt",), b"Jane Doe", 2, "Standard input (-) can't be masked with other inputs"),
        (("--out", "there.txt"), b"Jane Doe", 2, "Use --force to replace it"),
        (("--out", "out.doc"), b"Jane Doe", 2, "out.doc can't be masked"),
        (("--out", "out.odt"), b"Jane Doe", 2, "out.odt can't be written as .odt; give a file with .md or .docx."),
        (("--mapping", "map.jsonl"), b"Jane Doe", 2, "--mapping is for documents"),
        (("--strict", "--known-name", "Bob Roe"), b"Jane Doe led it.", 5, "Known name 1 of 1 not found"),
    ],
)
def test_what_is_wrong_with_standard_input_is_told_in_one_line(tmp_path, arguments, content, code, told):
    (tmp_path / "there.txt").write_text("old")
    done = evenhand("mask -", *arguments, cwd=tmp_path, typed=content, code=code)
    assert done.stdout == ""
    assert told in done.stderr
    assert done.stderr.count("\n") == 1
    assert [path.read_text() for path in tmp_path.iterdir()] == ["old"]
