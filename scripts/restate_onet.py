"""Restate occupations of O*NET 29.2 as small tables of our own.

    python scripts/restate_onet.py FOLDER

FOLDER has the tables occupations.csv (soc, title, job_zone), tasks.csv (soc, task, kind), technology_skills.csv
(soc, skill, category, hot, in_demand) and reported_titles.csv (soc, title), each row as O*NET publishes it. Which
occupations, and what is left out of each, stands in scripts/onet_chosen.toml. The tables go to
src/evenhand/data/lexicons/;
their sha256 and row counts belong into SOURCES.toml beside them.

Rules
- Tasks: the first ten of at most 135 characters in O*NET's order, core ones before the others, that begin with a verb
  of synthetic/verbs.csv, have no pronoun, bracket or choice that depends ('either', 'if'), tell nothing that
  could be read as being about a candidate, and were not left out by a reader, because the rule of
  synthetic/positions.py makes no good English of them or a résumé would not say them.
- Technology: what is in demand, in O*NET's order, then up to four hot technologies, hot medical software and the
  others, each in the order of how many occupations have it; twelve at most.
- Titles: the first five that workers report, without what stands in brackets and without titles that name a gender.

What may be a verb that kept its form is printed behind a task, for the reader.
"""

import csv
import re
import sys
import tomllib
from collections import Counter, defaultdict
from pathlib import Path

import polars as pl

from evenhand.synthetic.positions import _forms, _may_go_on, _verbs, past, present

HERE = Path(__file__).parent
LEXICONS = HERE.parent / "src" / "evenhand" / "lexicons"
MOST_TASKS, MOST_CHARACTERS, FEWEST_WORDS = 10, 135, 5
MOST_TECHNOLOGY, MOST_HOT, MOST_TITLES = 12, 4, 5


def rows(folder, name):
    with (Path(folder) / name).open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def by_code(table):
    found = defaultdict(list)
    for row in table:
        found[row["soc"]].append(row)
    return found


def tasks_of(table, left_out, words):
    order = {"core": 0, "supplemental": 1}
    refused = re.compile(rf"\b(?:{'|'.join(words)})\b|[()/;:]", re.IGNORECASE)
    return [
        row["task"].removesuffix(".")
        for row in sorted(table, key=lambda row: order.get(row["kind"], 0))
        if len(row["task"]) <= MOST_CHARACTERS
        and len(row["task"].split()) >= FEWEST_WORDS
        and past(row["task"]) != row["task"].removesuffix(".")
        and past(row["task"]).split()[0] != row["task"].split()[0]
        and not refused.search(row["task"])
        and not any(row["task"].startswith(start) for start in left_out)
    ]


def technology_of(table, popular, left_out):
    known = [row for row in table if row["skill"] not in left_out]
    demanded = [row["skill"] for row in known if row["in_demand"] == "Y"]
    others = sorted((row for row in known if row["in_demand"] != "Y"), key=lambda row: -popular[row["skill"]])
    hot = [row["skill"] for row in others if row["hot"] == "Y"][:MOST_HOT]
    medical = [row["skill"] for row in others if row["hot"] == "Y" and row["category"] == "Medical software"]
    rest = [row["skill"] for row in others if row["hot"] != "Y"]
    return list(dict.fromkeys([*demanded, *hot, *medical, *rest]))[:MOST_TECHNOLOGY]


def titles_of(table, gendered):
    refused = re.compile("|".join(gendered), re.IGNORECASE)
    plain = dict.fromkeys(re.sub(r"\s*\(.*?\)", "", row["title"]).strip() for row in table)
    return [title for title in plain if not refused.search(title) and not title.isupper()][:MOST_TITLES]


def write(name, header, lines):
    pl.DataFrame(lines, schema=header, orient="row").write_csv(LEXICONS / name)


def doubtful(task):
    """Return the words of a task that may be verbs whose form `past` keeps, for whoever chooses tasks."""
    words = present(task).split(" ")
    forms, known = _forms(words), _verbs()
    starts = [place for place in range(1, len(words)) if _may_go_on(words, place)]
    return [words[place].rstrip(",") for place in starts if words[place].rstrip(",") in known and place not in forms]


def main(folder):
    chosen = tomllib.loads((HERE / "onet_chosen.toml").read_text("utf-8"))
    codes = [code for codes in chosen["occupations"].values() for code in codes]
    occupations = {row["soc"]: row for row in rows(folder, "occupations.csv")}
    skills = rows(folder, "technology_skills.csv")
    popular = Counter(row["skill"] for row in skills)
    tasks, technology = by_code(rows(folder, "tasks.csv")), by_code(skills)
    titles = by_code(rows(folder, "reported_titles.csv"))
    tables = {"occupations": [], "tasks": [], "technology": [], "titles": []}
    for code in sorted(codes):
        left_out = chosen["tasks_left_out"].get(code, [])
        found = tasks_of(tasks[code], left_out, chosen["task_words"])
        print(f"## {code} {occupations[code]['title']} {len(found)}")
        for task in found[:MOST_TASKS]:
            told = ",".join(doubtful(task))
            print("-", past(task), f"   <<{told}>>" if told else "")
        tables["occupations"].append((code, occupations[code]["title"], occupations[code]["job_zone"]))
        tables["tasks"] += [(code, task) for task in found[:MOST_TASKS]]
        unused = {*chosen["technology_left_out"], *chosen["technology_left_out_of"].get(code, [])}
        tables["technology"] += [(code, skill) for skill in technology_of(technology[code], popular, unused)]
        tables["titles"] += [(code, title) for title in titles_of(titles[code], chosen["title_words"])]
    write("onet_occupations.csv", ("code", "title", "zone"), tables["occupations"])
    write("onet_tasks.csv", ("code", "task"), tables["tasks"])
    write("onet_technology.csv", ("code", "technology"), tables["technology"])
    write("onet_titles.csv", ("code", "title"), tables["titles"])


if __name__ == "__main__":
    main(*sys.argv[1:])
