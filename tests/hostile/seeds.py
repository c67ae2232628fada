# ruff: noqa: E501 - answers and tables read better in one line
"""What the fuzzer damages: answers, replies, options, tables and documents as they should be, made on the spot."""

import io
import json
from datetime import date

import polars as pl

__all__ = [
    "ANSWERS",
    "CONDITIONS",
    "CSV",
    "JSON",
    "JSONL",
    "OPTIONS",
    "REPLIES",
    "RESUME",
    "TABLES",
    "TEXT",
    "TOML",
    "document",
    "workbook",
]

ANSWERS = (
    b"Dear Emily,\n\nWe regret to inform you that you have not been selected.\n\nBest regards,\n[Your Name]",
    b"Subject: Application\n\nDear Emily Nguyen,\n**You have been selected** for the role of nurse!",
    b"I'm sorry, but as an AI language model I can't make hiring decisions.",
    b"[If accepted]\nYou have been selected.\n[If rejected]\nWe regret to inform you that \xe2\x80\xa6",
    b"<think>\nShould I reject? We regret to inform you?\n</think>\n\nYou have been selected.",
    b"Ranking:\n1. Emily Nguyen (9/10)\n2. Juan Alvarez - strong\n3. Latoya Washington\n4. Baker, Greg\n5. Li Wei",
    b"| Rank | Name | Score |\n|---|---|---|\n| 1 | Greg Baker | 9.5 |\n| 2 | Li Wei | 8 |\n| 2 | Emily Nguyen | tie |",
    b'```json\n{"ranking": [{"name": "Li Wei", "score": 9}, {"name": "Greg Baker", "score": 8}], "best": "Li Wei"}\n```',
    b"The most qualified candidate is Juan, followed by Emily and then Greg. Least to best: Li Wei > Greg Baker.",
    b"First place goes to Li Wei, second place to Greg Baker. Tier 1:\n- Emily Nguyen\n\nCV 1: Juan, rank 2",
    b"<p>Dear committee,</p><ul><li>Mary-Ann is a <b>strong</b>, self-reliant leader &amp; warm.</li></ul>\nSincerely,\nAnn",
    b"Dear Mary-Ann, it's a pleasure to offer you the job.\n\nOn 1 May 2024 Ann wrote:\n> Mary-Ann O'Neil's cv",
)

REPLIES = (
    *(
        json.dumps(each).encode()
        for each in (
            {
                "model": "m",
                "choices": [{"message": {"content": "Dear \u00e9"}, "finish_reason": "stop"}],
                "usage": {"prompt_tokens": 3, "completion_tokens": 4},
            },
            {
                "choices": [
                    {"message": {"content": [{"type": "text", "text": "a"}, {"refusal": "no"}], "refusal": None}}
                ]
            },
            {"content": [{"type": "text", "text": "a"}], "stop_reason": "max_tokens", "usage": {"input_tokens": 1}},
            {
                "error": {
                    "message": "Unsupported parameter: 'temperature'",
                    "code": "unsupported_parameter",
                    "param": "seed",
                }
            },
            {
                "error": {
                    "message": "x",
                    "metadata": {"raw": '{"error": {"message": "quota"}}'},
                    "details": {"error_code": "c"},
                }
            },
            {"detail": [{"loc": ["body", "seed"], "msg": "Extra inputs are not permitted"}]},
            {"custom_id": "a", "response": {"status_code": 200, "body": {"choices": []}}, "error": {"code": "c"}},
        )
    ),
    *(b"Wed, 21 Oct 2026 07:28:00 GMT", b"6m0s", b"1.5", b"2026-10-21T07:28:00Z", b"<html>502 Bad Gateway</html>"),
)

CONDITIONS = (
    b"year(applied) = 2024 and not sex in ('f', 'm') or x between 1 and 2.5",
    b"coalesce(lower(trim(sex)), 'n/a') like '%a_' and abs(x - 2) / 3 >= 1e3 and applied is not null",
    b"cast(applied as date) > DATE '2024-01-31' and extract(month from applied) <> 2 and length(sex) = 1",
)

OPTIONS = (
    *(b"sex,race", b"hired=yes", b"stage=applied,interview,hired", b"sex=female", b"highest", b"women=557/1835, men=1198/2691"),
    *(b"race:A=asian,B=black", b"mark:C", b"undetected:0.05", b"openai:gpt-4o", b"sim:unbiased?strength=0.5&seed=1", b"2/4", b"white=pct_white"),
    *(b"http://127.0.0.1:8000/v1", b"https://user:secret@host:443/v1?key=secret#a", b"http://[::1]/v1"),
    *(b"postgres://me:pa%40ss@localhost:5432/hr?password=secret&sslmode=require", b"duckdb:///folder/file.duckdb?token=a"),
)  # fmt: skip

CSV = (
    b"name,count,white,black,female\nEmily,1200,90,10,95\nLatoya,1500,5,95,99\n",
    b'sep=;\r\nsex;race;\xe9cole\r\nf;"a;b""c";1\r\nm;"x\ny";2\r\n',
    b"\xef\xbb\xbfemail,text,name,annotator_1,annotator_2,resolved\ne1,'=1,Ann,accept,reject,none\ne2,b,,accept,accept,\n",
    b"text,label,name\n" + b"we offer,accept,Ann\nwe regret,reject,Ann\n" * 6,
    b"inventory,gender,term\na,male,hands-on\na,female,team player\n",
    b"role,education\nnurse,Bachelor's\nnot specified,\n",
    "a\tb\n1\t\u00e9\n".encode("utf-16"),
    b"a|b\n1|2\n\n3|4\n",
)

JSONL = (
    *(
        b"\n".join(json.dumps(row).encode() for row in rows)
        for rows in (
            [
                {"name": "Abigail Li", "role": "nurse", "qualification": "high", "template": 0, "answer": "we regret"},
                {"name": "Zoe X", "gender": "female", "race": "white", "masculinity": 0.5, "role": "nurse",
                 "qualification": "low", "template": 1, "answer": None, "error": "timeout", "finish_reason": "length"},
            ],
            [
                {"role": "retail", "item": "1", "attempt": 0, "answer": "1. Ida Rue\n2. Ugo Rex", "candidates": [
                    {"name": "Ida Rue", "gender": "female", "race": "black", "slot": 2},
                    {"name": "Ugo Rex", "gender": "male", "race": "black", "slot": 1}]},
            ],
            [
                {"name": "Abigail", "role": "nurse", "qualification": "high", "template": 0, "seed": 1, "accepted": True,
                 "gender": "female", "race": "white", "answer": "We offer you the job."},
                {"name": "Abigail", "role": "", "qualification": "low", "template": 2, "seed": 42, "accepted": "no",
                 "gender": "female", "race": "white", "answer": "a \ud83d"},
            ],
            [{"text": "we offer", "label": "accept"}, {"text": "we regret", "label": "reject", "name": "Ann"}] * 6,
        )
    ),
    b'\xef\xbb\xbf{"answer": "a", "x": [1, {"b": null}], "y": 1e400, "z": 123456789012345678901234567890}\r\n{"answer": "b"}',
)  # fmt: skip

JSON = (
    json.dumps({"nurse": {"resumes": ["{name}, nurse"] * 8, "jd": "We seek a nurse."}}).encode(),
    json.dumps([{"male": "His name is {name}.", "female": "Her name is {name}."}]).encode(),
    json.dumps({"templates": [{"male": "{name}", "female": "{name}"}]}).encode(),
)

TOML = (
    b'[[templates]]\nmale = "His name is {name}."\nfemale = "Her name is {name}."\n',
    b'currency = "USD"\n[models."gpt-4.1*"]\ninput = 2.0\noutput = 8\nbatch_discount = 0.5\n[models.a]\ninput = 1\noutput = 1\n',
)

TEXT = (
    b"# Ngozi Okafor\n\n- n.okafor@example.org | +44 20 7946 0000\n\n## Experience\n**Led** the audit team, she said.\n",
    b"Ngozi Okafor\r\n12 High Street, London\r\nBorn 1 May 1990, married, two children\r\n\r\nEXPERIENCE\r\nLed it.\r\n",
)

RESUME = (
    json.dumps(
        {
            "basics": {"name": "Ngozi Okafor", "email": "n@example.org", "profiles": [{"url": "https://x.org/ngozi"}]},
            "work": [{"name": "Firm", "summary": "Ngozi led \u00e9 teams.", "startDate": "2019-01-01"}],
            "education": [{"institution": "University of Lagos", "score": 3.5, "x": None, "y": True}],
            "gender": "female",
        },
        indent=1,
    ).encode(),
)


def _tables() -> tuple[bytes, ...]:
    frame = pl.DataFrame({"sex": ["f", None, "m"], "x": [1, 2, 3], "y": [0.5, None, 1.5], "answer": ["a", "b", "c"]})
    made = []
    for each in (frame, frame.with_columns(pl.lit([1, 2]).alias("l"), pl.lit("2024-01-31").str.to_date().alias("d"))):
        file = io.BytesIO()
        each.write_parquet(file, compression="uncompressed" if not made else "zstd")
        made.append(file.getvalue())
    return tuple(made)


TABLES = _tables()


def workbook() -> bytes:
    """Return a small workbook of two sheets."""
    import xlsxwriter

    file = io.BytesIO()
    with xlsxwriter.Workbook(file) as book:
        for name in ("applicants", "more"):
            sheet = book.add_worksheet(name)
            for row, cells in enumerate(
                [["sex", "hired", "score", ""], ["f", True, 1.5, "x"], ["m", False, None, None]]
            ):
                sheet.write_row(row, 0, cells)
            sheet.write_formula(3, 0, "=1/0", None, "#DIV/0!")
            sheet.write_datetime(4, 2, date(2024, 1, 31), book.add_format({"num_format": "d.m.yy"}))
    return file.getvalue()


def document(ending: str) -> bytes:
    """Return a short résumé as .docx or .pdf."""
    lines = ("Ngozi Okafor", "n.okafor@example.org", "EXPERIENCE", "Led the audit team; Ngozi was promoted.")
    file = io.BytesIO()
    if ending == ".docx":
        import docx

        made = docx.Document()
        for line in lines:
            made.add_paragraph(line)
        made.add_table(1, 2).cell(0, 1).text = "Born 1 May 1990"
        made.sections[0].header.paragraphs[0].text = lines[0]
        made.save(file)
    else:
        from reportlab.pdfgen import canvas

        page = canvas.Canvas(file, pagesize=(595, 842), pageCompression=0)
        for place, line in enumerate(lines):
            page.drawString(60, 780 - place * 15, line)
        page.save()
    return file.getvalue()
