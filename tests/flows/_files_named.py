"""The files that documents take for given, each as small as it may be."""

import csv
import json
import math
import random
from datetime import datetime, timedelta
from pathlib import Path

import polars as pl
import xlsxwriter
from _golden import POSITIONS, golden_cases, labelled, scores
from _scored_days import scored_days

from evenhand.probes.hiring_bloomberg.corpus import builtin_corpus

RESUME = "Jane Doe\nShe leads a team of nurses.\nPhone: 020 7946 0958\n12 Main Street, Springfield\n"
ANSWERS = [
    {
        "name": name,
        "gender": gender,
        "race": "white",
        "role": "nurse",
        "qualification": "high",
        "template": "0",
        "answer": f"Dear {name}, {told}.",
    }
    for name, gender, told in (
        ("Emily Walsh", "female", "you have been selected"),
        ("Greg Baker", "male", "we regret that you have not been selected"),
        ("Greg Baker", "male", "you have been selected"),
    )
    * 20
]
EXPECTATIONS = """
[features.score]
range = [0, 5]
monotone = "rising"

[features.degree]
values = ["BA"]

[all]
proxy = 0.7

[reference.gender]
woman = 0.5
man = 0.5
"""
EMAILS = [("You have been selected.", "accept"), ("We regret that we can't offer you the job.", "reject")] * 6


def documented_design():
    """Return the design of a screening that docs/probes.md shows."""
    shown = (Path(__file__).parents[2] / "docs/probes.md").read_text("utf-8").partition("### Your own positions")[2]
    return shown.partition("```toml\n")[2].partition("```")[0]


def write_files(folder):
    """Write all files that documents name and that no command of theirs makes."""
    texts = {
        "annotated.jsonl": annotated(),
        "answers.jsonl": "".join(json.dumps(row) + "\n" for row in ANSWERS),
        "applicants.csv": applicants(),
        "funnel.csv": "gender,applied,screened,interviewed,hired\n"
        + "F,yes,yes,yes,no\nM,yes,yes,yes,yes\nF,yes,,,\n" * 20,
        "reached.csv": "gender,status\n" + "F,Applied\nM,Screened\nF,Interviewed\nM,Hired\n" * 20,
        "sample.csv": "sex,weight,hired\n" + "f,1.5,no\nm,0.8,yes\nf,2.2,yes\nm,1.1,no\n" * 20,
        **dict.fromkeys(("workforce.csv", "a.csv", "b.csv"), applicants()),
        "cases.jsonl": golden_cases(),
        "labelled.jsonl": labelled(),
        "scores.csv": scores(),
        "scores_next.csv": scores(women=0.2, seed=4),
        "positions.jsonl": POSITIONS,
        **dict.fromkeys(("cv.txt", "resume.txt"), RESUME),
        "expectations.toml": EXPECTATIONS,
        "days.csv": scored_days(),
        "decisions.csv": decisions(),
        "turned_out.csv": turned_out(),
        "recorded.jsonl": recorded_texts(),
        "names.csv": "name,count,white,black,female,male\nAnn,5000,.92,.08,980,20\n",
        "prices.toml": 'currency = "USD"\n[models."gpt-4o-mini"]\ninput = 0.15\noutput = 0.60\n',
        "resumes_to_rank.json": json.dumps(
            {role.name: {"resumes": list(role.cvs), "jd": role.ad} for role in builtin_corpus()[:4]}
        ),
        "my.toml": documented_design(),
        "templates.toml": '[[templates]]\nmale = "Praise {name}."\nfemale = "Praise {name}."\n',
        "texts.jsonl": json.dumps({"text": RESUME, "known_names": ["Jane Doe"]}) + "\n",
    }
    sheet = [f"{number},{text},{label}\n" for number, (text, label) in enumerate(EMAILS)]
    texts |= dict.fromkeys(("first.csv", "second.csv"), "".join(["email,text,label\n", *sheet]))
    for name, content in texts.items():
        (folder / name).write_text(content, encoding="utf-8")
    with xlsxwriter.Workbook(folder / "rounds.xlsx") as book:
        for name, passed in (("Sift", (70, 110)), ("Panel", (30, 66))):
            sheet = book.add_worksheet(name)
            applied = (120, 150) if name == "Sift" else (70, 110)
            sheet.write_row(0, 0, ["gender", "applied", "passed"])
            for row, group in enumerate(("women", "men")):
                sheet.write_row(row + 1, 0, [group, applied[row], passed[row]])
    (folder / "cvs").mkdir()
    (folder / "cvs" / "one.txt").write_text(RESUME, encoding="utf-8")
    word(folder / "cv.docx")


def applicants():
    """Return a row for each step of each applicant, with every column that a document names."""
    drawn, after = random.Random(7), random.Random(8)
    rows = []
    for person in range(240):
        gender = "woman" if person % 2 else "man"
        passed = drawn.random() < (0.4 if person % 2 else 0.6)
        rows.append(
            {
                "person": person,
                "ad": person // 4,
                "gender": gender,
                "sex": gender,
                "race": ("Asian", "Black", "White")[person % 3],
                "hired": "yes" if passed else "no",
                "outcome": drawn.choice(["offered", "accepted"]) if passed else drawn.choice(["rejected", "pending"]),
                "passed": "yes" if passed else "no",
                "step": drawn.choice(["screen", "interview", "offer"]),
                "score": round(drawn.gauss(3.2 if passed else 2.8, 0.6), 2),
                "years": drawn.randrange(20),
                "degree": drawn.choice(["BA", "MA"]),
                "status": drawn.choice(["active", "withdrawn", ""]),
                "decided_on": f"2024-{1 + person % 12:02}-{1 + person % 28:02}",
                "p_white": 0.7 if person % 3 == 2 else 0.2,
                "p_black": 0.2 if person % 3 == 2 else 0.5,
                **happened(after, woman=gender == "woman"),
            }
        )
    return pl.DataFrame(rows).write_csv()


def happened(drawn, *, woman):
    """Return two versions of a score, and whether somebody stayed; of women with a high score fewer are scored high."""
    merit = drawn.gauss(0, 1)
    fit, old = (1 / (1 + math.exp(-(merit + drawn.gauss(-0.5 * woman, noise)))) for noise in (0.6, 1.2))
    stayed = "yes" if drawn.random() < 1 / (1 + math.exp(-1.5 * merit)) else "no"
    return {"fit": round(fit, 3), "old_fit": round(old, 3), "stayed": stayed, "language": drawn.choice(["en", "es"])}


def annotated():
    """Return short résumés with what tells who the person is; one name is no name to the rules."""
    rows = []
    for name, origin in (("Emily Walsh", "English"), ("Nguyen Thi Lan", "Vietnamese"), ("Priya Raman", "Indian")) * 4:
        text = f"{name}\n{name.split()[0].lower()}@example.org\nShe led a team of nurses.\nFluent in Rust and Ruby.\n"
        at = text.index("@") - len(name.split()[0])
        spans = [[0, len(name), "NAME"], [at, text.index("\n", at), "EMAIL"]]
        spans += [[text.index("She"), text.index("She") + 3, "GENDER"]]
        rows.append({"text": text, "spans": spans, "origin": origin})
    rows.append({"text": "Prefers tea.\n", "spans": [[8, 11, "NAME"]], "origin": "English"})
    return "".join(json.dumps(row) + "\n" for row in rows)


def decisions():
    """Return what a scorer judged over thirty days, at times without a zone."""
    drawn = random.Random(11)
    start = datetime(2024, 3, 1)  # noqa: DTZ001 - the zone is given where it is read
    rows = []
    for case in range(600):
        gender = drawn.choice(["woman", "man"])
        score = min(max(drawn.gauss(0.55 if gender == "man" else 0.52, 0.12), 0), 1)
        rows.append(
            {
                "decided_at": start + timedelta(minutes=72 * case),
                "case": f"c{case}",
                "position": drawn.choice(["nurse", "pilot"]),
                "department": drawn.choice(["north", "south"]),
                "gender": gender,
                "score": None if case % 97 == 96 else round(score, 3),
                "invited": "yes" if score > 0.6 else "no",
                "seconds": round(drawn.uniform(0.2, 1.4), 2),
            }
        )
    return pl.DataFrame(rows).write_csv(datetime_format="%Y-%m-%d %H:%M:%S")


def recorded_texts():
    """Return texts of the people who were decided on."""
    rows = [
        {"id": f"c{case}", "text": f"Emily Walsh\nNurse for {case % 40} years.", "known_names": ["Emily Walsh"]}
        for case in range(600)
    ]
    return "".join(json.dumps(row) + "\n" for row in rows)


def turned_out():
    """Return what became of some of these cases, weeks later."""
    rows = [{"known_on": "2024-05-01", "case": f"c{case}", "hired": "yes" if case % 3 else "no"} for case in range(40)]
    return pl.DataFrame(rows).write_csv()


def word(path):
    """Write a résumé as a Word document."""
    import docx

    made = docx.Document()
    for line in RESUME.splitlines():
        made.add_paragraph(line)
    made.save(path)


def counted_admissions(people, out):
    """Write R's UCBAdmissions, a row for each count, from the applicants that `evenhand data example` writes."""
    table = pl.read_csv(people).select(
        Admit=pl.when(pl.col("admitted") == "yes").then(pl.lit("Admitted")).otherwise(pl.lit("Rejected")),
        Gender=pl.col("gender").str.to_titlecase(),
        Dept="department",
    )
    table.group_by("Admit", "Gender", "Dept").len("Freq").sort("Admit", "Gender", "Dept").write_csv(out)


def answer_requests(folder):
    """Answer the requests of a batch in a folder, as the provider would have."""
    chosen = {"finish_reason": "stop", "message": {"role": "assistant", "content": "You have been selected."}}
    answered = {"error": None, "response": {"status_code": 200, "body": {"choices": [chosen]}}}
    requests = map(json.loads, (folder / "requests.jsonl").read_text("utf-8").splitlines())
    rows = [json.dumps({"custom_id": request["custom_id"], **answered}) for request in requests]
    (folder / "output.jsonl").write_text("\n".join(rows), "utf-8")


def score_arms(folder):
    """Score the arms of a folder, as a system without an interface would have."""
    with (folder / "arms" / "arms.csv").open(encoding="utf-8-sig", newline="") as file:
        rows = [f"{row['document']},{row['title']},{len(row['document']) % 7}" for row in csv.DictReader(file)]
    (folder / "scores.csv").write_text("\n".join(["file,position,score", *rows]), "utf-8")


def label(folder):
    """Fill in a sheet that was drawn from a run, one file per annotator."""
    with (folder / "sheet.csv").open(encoding="utf-8-sig", newline="") as file:
        rows = list(csv.DictReader(file))
    for number, name in enumerate(("first.csv", "second.csv"), start=1):
        with (folder / name).open("w", encoding="utf-8", newline="") as file:
            written = csv.DictWriter(file, ("email", "text", f"annotator_{number}"))
            written.writeheader()
            for place, row in enumerate(rows):
                said = "accept" if place % 2 else "reject"
                written.writerow({"email": row["email"], "text": row["text"], f"annotator_{number}": said})
