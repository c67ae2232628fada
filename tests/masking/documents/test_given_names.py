"""A given name in any case goes out of every format of documents, and out of names of files."""

import io
import json
import re
import zipfile
from itertools import product

import pytest
from _pdf import raw

from evenhand.masking.documents.blocks import paragraphs_of
from evenhand.masking.documents.formats import document_text, masked_content
from evenhand.masking.documents.request import Request
from evenhand.masking.documents.word_writing import docx_bytes

NAMES = ("Anand krishnan", "do Thanh", "HOPE price", "Joost van der Berg", "siobhan o'brien")
#: Words of these are ordinary, too: no mask stands for them here but the name's.
LINES = ("{name}", "Tester in Milton", "The board thanked {name} in 2019.", "{last}'s audit of Bosch.")


def pdf(lines):
    shown = "".join(f"BT /F1 11 Tf 60 {780 - 20 * number} Td ({line}) Tj ET\n" for number, line in enumerate(lines))
    return raw(shown.encode("cp1252"))


def resume(lines):
    basics = {"name": lines[0], "label": lines[1], "summary": lines[2]}
    return json.dumps({"basics": basics, "work": [{"company": "Bosch", "summary": lines[3]}]}).encode()


FORMATS = {
    ".txt": lambda lines: "\n".join(lines).encode(),
    ".md": lambda lines: "\n\n".join([f"# {lines[0]}", *lines[1:]]).encode(),
    ".html": lambda lines: "".join([f"<h1>{lines[0]}</h1>", *(f"<p>{line}</p>" for line in lines[1:])]).encode(),
    ".rtf": lambda lines: (r"{\rtf1\ansi " + r"\par ".join(lines) + "}").encode(),
    ".json": resume,
    ".docx": lambda lines: docx_bytes(paragraphs_of("\n".join(lines))),
    ".pdf": pdf,
}

#: What these are written as.
WRITTEN = {".html": ".md", ".rtf": ".md"}


def words_left(name, file):
    """The words of a name that a result still has, in its text or anywhere in a Word file."""
    content = file.read_bytes()
    texts = [document_text(file).text]
    if content.startswith(b"PK"):
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            texts += [archive.read(member).decode("utf-8", "replace") for member in archive.namelist()]
    words = [word for word in name.split(" ") if word.lower() not in {"van", "der", "do"}]
    return [word for word in words if any(re.search(rf"\b{re.escape(word)}\b", text, re.IGNORECASE) for text in texts)]


@pytest.mark.parametrize("ending", FORMATS)
def test_a_given_name_goes_out_of_every_format(ending, tmp_path):
    left = []
    for name in NAMES:
        for cases in product((str.lower, str.title, str.upper), repeat=2):
            first, *rest = name.split(" ")
            written = " ".join([cases[0](first), *rest[:-1], cases[1](rest[-1])])
            last = written.split(" ")[-1]
            content = FORMATS[ending]([line.format(name=written, last=last.capitalize()) for line in LINES])
            request = Request(known_names=(written,), file_name=f"{written.replace(' ', '_')}_cv{ending}")
            done = masked_content(content, ending, request, source="A document")
            result = tmp_path / f"result{WRITTEN.get(ending, ending)}"
            result.write_bytes(done.content)
            left += [(written, word) for word in words_left(written, result)]
    assert left == []
