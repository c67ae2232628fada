"""Documents per second on one core, by format: read, masked, written and read again.

    PYTHONPATH=bench python -m masking.documents [--count 33]

The same generated résumés as text, Markdown, DOCX (a paragraph a line, python-docx's template) and PDF (reportlab),
each masked by the engine that `evenhand mask` uses, with the name given, best of three passes.
"""

import argparse
import html
import io
import time
from collections.abc import Callable

import docx
from reportlab.lib.styles import getSampleStyleSheet
from reportlab.platypus import Paragraph, SimpleDocTemplate

from evenhand.errors import EvenhandError
from evenhand.masking.documents import pdf, word
from evenhand.masking.documents import text as markdown
from evenhand.masking.documents import text as plain_text
from evenhand.masking.documents.request import MaskedDocument, Request
from masking.generate import resumes
from masking.speed import pinned


def as_word(text: str) -> bytes:
    document, file = docx.Document(), io.BytesIO()
    for line in text.splitlines():
        document.add_paragraph(line)
    document.save(file)
    return file.getvalue()


def as_pdf(text: str) -> bytes:
    file, style = io.BytesIO(), getSampleStyleSheet()["Normal"]
    SimpleDocTemplate(file).build([Paragraph(html.escape(line) or "&nbsp;", style) for line in text.splitlines()])
    return file.getvalue()


FORMATS: dict[str, tuple[Callable[[str], bytes], Callable[[bytes, Request], MaskedDocument]]] = {
    "text": (str.encode, plain_text.masked_plain),
    "Markdown": (str.encode, markdown.masked_markdown),
    "DOCX": (as_word, word.masked_word),
    "PDF": (as_pdf, pdf.masked_pdf),
}


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--count", type=int, default=3, help="résumés per origin")
    args = parser.parse_args()
    pinned()
    rows = list(resumes("open", per_origin=args.count, seed=13))
    print("| format | documents per second | refused |\n|---|---|---|")
    for name, (written, masked) in FORMATS.items():
        documents = [(written(row["text"]), Request(known_names=tuple(row["known_names"]))) for row in rows]
        walls = []
        for _ in range(3):
            refused, started = 0, time.perf_counter()
            for content, request in documents:
                try:
                    masked(content, request)
                except EvenhandError:  # letters that no font has, a check that found something
                    refused += 1
            walls.append(time.perf_counter() - started)
        print(f"| {name} | {len(documents) / min(walls):.1f} | {refused} of {len(documents)} |")


if __name__ == "__main__":
    main()
