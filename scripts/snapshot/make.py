"""Writes the tables, texts and documents that cases read into a folder; they are the same each time.

python make.py FOLDER
"""

import datetime as dt
import json
import random
import sqlite3
import sys
import zipfile
from collections.abc import Iterator
from itertools import product
from pathlib import Path
from xml.sax.saxutils import escape

import duckdb
import polars as pl
import pyreadstat
import xlsxwriter
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from reportlab.pdfgen.canvas import Canvas


def applicants(people: int) -> Iterator[dict[str, object]]:
    """Yield people who applied, with every kind of column that a table of applicants has."""
    drawn = random.Random(1)
    for n in range(people):
        gender = drawn.choices(["woman", "man", "Prefer not to say", ""], [48, 48, 2, 2])[0]
        race = drawn.choices(["White", "Black", "Asian", "Hispanic", "Other"], [50, 20, 18, 11, 1])[0]
        merit = drawn.gauss(0.25 * (gender == "man") - 0.2 * (race == "Black"), 1)
        hired, age = merit + drawn.gauss(0, 1) > 0.4, drawn.randrange(20, 66)
        fit, old = (f"{1 / (1 + 2.718281828 ** -(merit + drawn.gauss(0, noise))):.3f}" for noise in (0.6, 1.2))
        yield {
            "person": f"p{n:03}",
            "ad": f"ad{n // 4}",
            "job": ("clerk", "driver", "nurse")[n % 3],
            "gender": gender,
            "sex": {"woman": "Female", "man": "Male"}.get(gender, ""),
            "race": race,
            "hired": "yes" if hired else "no",
            "outcome": drawn.choice(["offered", "accepted"] if hired else ["rejected", "rejected", "pending"]),
            "score": "" if n % 71 == 70 else f"{3 + 0.7 * merit + drawn.gauss(0, 0.3):.1f}",
            "fit": fit,
            "old_fit": old,
            "stayed": "" if n % 53 == 52 else "yes" if merit + drawn.gauss(0, 0.8) > 0 else "no",
            "language": drawn.choice(["en", "es"]),
            "age": age,
            "born": f"{2025 - age}-0{drawn.randrange(1, 10)}-15",
            "years": max(0, round(8 + 3 * merit + drawn.gauss(0, 3))),
            "degree": drawn.choice(["BA", "MA", ""]),
            "salary": f"$ {drawn.randrange(30, 90)},{drawn.randrange(100, 999)}",
            "note": drawn.choice(["Mr Smith called.", "Her mail: jo@example.org", "Fine.", ""]),
            "status": drawn.choice(["active", "active", "withdrawn", ""]),
        }


def stages(people: list[dict[str, object]]) -> Iterator[dict[str, object]]:
    """Yield a row for each step that an applicant reached."""
    drawn = random.Random(2)
    for row in people:
        for step in ("screen", "interview", "offer"):
            passed = drawn.random() < (0.7 if row["gender"] == "man" else 0.6)
            kept = {key: row[key] for key in ("person", "gender", "race", "job", "score")}
            yield kept | {"step": step, "passed": "yes" if passed else "no"}
            if not passed:
                break


def judged_days() -> Iterator[dict[str, object]]:
    """Yield what a model judged on sixty days; from the fortieth on it scores women lower."""
    drawn = random.Random(3)
    for day, n in product(range(60), range(40)):
        score = min(max(drawn.gauss(0.55, 0.12) - (0.12 if n % 2 and day >= 40 else 0), 0), 1)
        yield {
            "at": (dt.datetime(2025, 1, 5, 8, tzinfo=dt.UTC) + dt.timedelta(days=day, minutes=9 * n)).isoformat(),
            "case": f"c{day}-{n}",
            "department": ("north", "south")[n // 2 % 2],
            "stage": ("screen", "offer")[n % 5 == 0],
            "by": ("AI", "people")[n % 3 == 0],
            "gender": ("man", "woman")[n % 2],
            "score": "" if n == 39 else f"{score:.3f}",
            "invited": "yes" if score > 0.6 else "no",
            "seconds": f"{drawn.uniform(0.2, 1.4):.2f}",
        }


def golden(people: int) -> list[dict[str, object]]:
    """Return cases for people to label: nurses, each under two names."""
    names = (("female", "Emily Walsh"), ("male", "Greg Walsh"))
    return [
        {"id": f"{years}-{gender}", "text": f"{name}\nNurse for {years} years.", "known_names": [name]}
        | {"gender": gender, "twin": str(years)}
        for years, (gender, name) in product(range(people), names)
    ]


def answers() -> dict[str, list[dict[str, object]]]:
    """Return saved answers to each probe."""
    drawn = random.Random(4)
    ranked = [
        {"name": f"{first} {last}", "gender": gender, "race": race}
        for first, gender in (("Ada", "female"), ("Ben", "male"))
        for last, race in (("Reed", "white"), ("Stone", "black"))
    ]
    mails = ("you have been selected", "we regret that you were not selected", "thank you for your mail")
    named = [("Emily Walsh", "female", "A"), ("Greg Baker", "male", "B"), ("Ann Lee", "female", "white")]
    mail = [
        {
            "name": name,
            "gender": gender,
            "race": race,
            "role": drawn.choice(["nurse", "pilot"]),
            "qualification": "high",
        }
        | {"template": n % 2, "answer": f"Dear {name}, {drawn.choice(mails)}.", "seed": n}
        for n, (name, gender, race) in product(range(30), named)
    ]
    words = ("ambitious and bold", "gentle and kind", "strong", "warm and helpful")
    letter = "Dear committee, I have known the student for three years and found the work to be {}."
    return {
        "mapped": mail,
        "answers": [row | {"race": "white" if row["race"] == "white" else "black"} for row in mail],
        "letters": [
            {"name": name, "template": n % 3, "answer": letter.format(drawn.choice(words))}
            for n, name in product(range(20), ("Adam Erickson", "Abby Schmidt"))
        ],
        "rankings": [
            {"role": ("Retail", "HR specialist")[n % 2], "candidates": ranked}
            | {"answer": f"1. {drawn.choice(ranked)['name']}"}
            for n in range(60)
        ],
        "numbers": [
            {"name": name, "gender": gender, "race": "white", "resume": f"r{n}", "position": "p", "wording": "number"}
            | {"answer": str(drawn.randrange(40, 90)) if n % 9 else "I can't say."}
            for n, (name, gender, _) in product(range(30), named)
        ],
    }


def annotated() -> Iterator[dict[str, object]]:
    """Yield short résumés with what tells who the person is; one name is no name to the rules."""
    people = (("Emily Walsh", "English"), ("Nguyen Thi Lan", "Vietnamese"), ("Priya Raman", "Indian"))
    for name, origin in people * 4:
        text = f"{name}\n{name.split()[0].lower()}@example.org\nShe led a team of nurses.\nFluent in Rust and Ruby.\n"
        at, she = text.index("\n") + 1, text.index("She")
        spans = [[0, len(name), "NAME"], [at, text.index("\n", at), "EMAIL"], [she, she + 3, "GENDER"]]
        yield {"text": text, "spans": spans, "origin": origin}
    yield {"text": "Prefers tea.\n", "spans": [[8, 11, "NAME"]], "origin": "English"}


def word(path: Path, lines: list[str]) -> None:
    """Write a document of Word: a paragraph a line, the first also as the author."""
    space = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'
    types = "http://schemas.openxmlformats.org/package/2006/content-types"
    relations = "http://schemas.openxmlformats.org/package/2006/relationships"
    office = "http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument"
    main = "application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"
    shown = "".join(f'<w:p><w:r><w:t xml:space="preserve">{escape(line)}</w:t></w:r></w:p>' for line in lines)
    parts = {
        "[Content_Types].xml": f'<Types xmlns="{types}"><Default Extension="rels" ContentType="application/vnd.'
        'openxmlformats-package.relationships+xml"/>'
        f'<Override PartName="/word/document.xml" ContentType="{main}"/></Types>',
        "_rels/.rels": f'<Relationships xmlns="{relations}"><Relationship Id="r1" Type="{office}" '
        'Target="word/document.xml"/></Relationships>',
        "word/document.xml": f"<w:document {space}><w:body>{shown}</w:body></w:document>",
    }
    with zipfile.ZipFile(path, "w") as packed:
        for name, part in parts.items():
            packed.writestr(zipfile.ZipInfo(name), '<?xml version="1.0" encoding="UTF-8"?>\n' + part)


def documents(folder: Path) -> None:
    """Write the résumé as documents, and a key that is known to everybody."""
    lines = (folder / "cv.txt").read_text("utf-8").splitlines()
    word(folder / "cv.docx", lines)
    page = Canvas(str(folder / "cv.pdf"), invariant=1)
    for n, line in enumerate(lines):
        page.drawString(60, 760 - 18 * n, line)
    page.save()
    (folder / "cvs" / "more").mkdir(parents=True)
    for path in ("cvs/one.txt", "cvs/more/two.txt", "cvs/table.csv"):
        (folder / path).write_text("\n".join(lines[len(path) % 3 :]), "utf-8")
    key = Ed25519PrivateKey.from_private_bytes(bytes(range(32)))
    own = serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    (folder / "fixed.key").write_bytes(key.private_bytes(*own))
    public = serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo
    (folder / "fixed.key.pub").write_bytes(key.public_key().public_bytes(*public))


def tables(folder: Path, people: list[dict[str, object]]) -> None:
    """Write the applicants in each format that is read."""
    frame = pl.DataFrame(people)
    frame.write_parquet(folder / "applicants.parquet")
    frame.write_ndjson(folder / "applicants.jsonl")
    frame.write_ipc(folder / "applicants.feather")
    pyreadstat.write_dta(frame, str(folder / "applicants.dta"))
    with xlsxwriter.Workbook(folder / "applicants.xlsx") as book:
        book.set_properties({"created": dt.datetime(2025, 1, 1, tzinfo=dt.UTC)})
        book.add_worksheet("Cover").write(3, 3, "Applicants of 2025")
        sheet = book.add_worksheet("People")
        for n, row in enumerate([frame.columns, *frame.iter_rows()]):
            sheet.write_row(n, 0, row)
    with duckdb.connect(folder / "people.duckdb") as base:
        base.execute("CREATE TABLE people AS SELECT * FROM frame")
    base = sqlite3.connect(folder / "people.sqlite")
    base.execute(f"CREATE TABLE people ({', '.join(frame.columns)})")
    base.executemany(f"INSERT INTO people VALUES ({', '.join('?' * frame.width)})", frame.iter_rows())
    base.commit()
    base.close()


def main(folder: Path) -> None:
    """Write all files."""
    people, drawn = list(applicants(480)), random.Random(5)
    frequencies = [
        {"Admit": admit, "Gender": gender, "Dept": dept, "Score": drawn.randrange(5), "Freq": drawn.randrange(90)}
        for admit, gender, dept in product(("Admitted", "Rejected"), ("Female", "Male"), "ABC")
    ]
    audit = [
        {"sex": sex, "race": race, "applicants": of, "selected": of * 2 // 5 - drawn.randrange(of // 5 + 1)}
        for sex in ("female", "male")
        for race, of in (("Asian", 200), ("Black", 160), ("White", 450), ("Two or More Races", 9))
    ]
    mails = [("You have been selected.", "accept"), ("We regret that we can't offer you the job.", "reject")] * 6
    cases = golden(40)
    scored = [
        {"id": case["id"], "current": n % 40 / 40, "next": (n * 7) % 40 / 40, "hired": "yes" if n % 3 else "no"}
        | {
            "text": str(case["text"]).replace("\n", ", "),
            "known_names": "Emily Walsh;Greg Walsh",
            "gender": case["gender"],
        }
        for n, case in enumerate(cases)
    ]
    found = {
        "applicants": people,
        "stages": list(stages(people[:200])),
        "days": list(judged_days()),
        "later": [{"known": "2025-04-01", "case": f"c{n}-3", "hired": "yes" if n % 3 else "no"} for n in range(60)],
        "freq": frequencies,
        "audit": audit,
        "labels": [{"text": text, "label": label} for text, label in mails],
        "names": [
            {"name": f"{first} {last}", "gender": gender, "race": race}
            for gender, firsts in (("female", ("Ann", "Eve", "Joy")), ("male", ("Bob", "Tom", "Max")))
            for last, race in (("Lee", "white"), ("Day", "black"))
            for first in firsts
        ],
        "rows": scored,
    } | {
        f"golden{n}": [
            {"id": case["id"], "score": f"{min(max(int(str(case['twin'])) / 40 + drawn.gauss(-less, 0.12), 0), 1):.3f}"}
            for case in cases
            for less in [low if case["gender"] == "female" else 0]
        ]
        for n, low in ((1, 0.0), (2, 0.2))
    }
    for name, rows in found.items():
        pl.DataFrame(rows).write_csv(folder / f"{name}.csv")
    for name, rows in ({"cases": cases, "annotated": list(annotated())} | answers()).items():
        (folder / f"{name}.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    tables(folder, people)
    documents(folder)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
