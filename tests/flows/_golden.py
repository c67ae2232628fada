"""Golden cases: 60 nurses, each under two names, and people who label them by the years that their résumés tell."""

import csv
import json
import random

POSITION = {"id": "p1", "title": "Nurse", "text": "Care of patients."}
POSITIONS = json.dumps(POSITION) + "\n"
NAMES = {"female": "Emily Walsh", "male": "Greg Walsh"}
#: From so many years on each of them says yes.
FROM = {"ana": 30, "ben": 26}


def golden_cases(people=60):
    """Return the cases as JSONL."""
    rows = [
        {
            "id": f"{years}-{gender}",
            "text": f"{name}\nNurse for {years} years.",
            "known_names": [name],
            "gender": gender,
            "twin": str(years),
        }
        for years in range(people)
        for gender, name in NAMES.items()
    ]
    return "".join(json.dumps(row) + "\n" for row in rows)


def labelled():
    """Return the cases as they are exported once ana and ben labelled them; ben asks more years of women."""
    rows = []
    for line in golden_cases().splitlines():
        row = json.loads(line)
        least = {"ana": 30, "ben": 33 if row["gender"] == "female" else 26}
        label = {by: "yes" if int(row["twin"]) >= years else "no" for by, years in least.items()}
        time = "2026-03-02T10:00:00.000000Z"
        full = POSITION | {"skills": [], "location": None, "must": [], "nice": [], "years": [None, None], "columns": {}}
        rows.append(
            {
                **{key: row[key] for key in ("id", "text", "twin", "known_names")},
                "reason": "an example",
                "position": full,
                "groups": {"gender": row["gender"]},
                "labels": [{"by": by, "label": each, "time": time} for by, each in label.items()],
                "adjudicated": None,
                "scale": {"labels": ["no", "yes"], "positive": "yes"},
            }
        )
    return "".join(json.dumps(row) + "\n" for row in rows)


def scores(women=0.0, seed=3):
    """Return a CSV of scores that follow the years; those of `women` are lower by as much."""
    drawn = random.Random(seed)
    lines = ["id,score"]
    for line in golden_cases().splitlines():
        row = json.loads(line)
        score = int(row["twin"]) / 60 - (women if row["gender"] == "female" else 0) + drawn.gauss(0, 0.12)
        lines.append(f"{row['id']},{min(max(score, 0.001), 0.999):.3f}")
    return "\n".join(lines) + "\n"


def fill_in(sheet):
    """Label a sheet as the person whose name it has; carla says yes to all that is left."""
    with sheet.open(encoding="utf-8-sig", newline="") as file:
        rows = list(csv.DictReader(file))
    for row in rows:
        years = int(row["resume"].split("Nurse for ")[1].split()[0])
        row["label"] = "yes" if years >= FROM.get(sheet.stem, 0) else "no"
    with sheet.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, rows[0])
        writer.writeheader()
        writer.writerows(rows)
