"""Keeps what each command, page and call does on fixed inputs, and tells where two such snapshots differ.

    PYTHONPATH=src python scripts/snapshot.py OUT [--only PREFIX] [--jobs 2]
    python scripts/snapshot.py --compare BEFORE AFTER

A case is a few lines of CASES, run in a folder of its own in which the files of `inputs` lie. Of each line its exit
code and both streams are kept, of each case the files that it left. What follows from the clock, the process or
chance is put in a fixed form; all else is kept byte by byte, packed files as what is in them.
"""

import argparse
import datetime as dt
import hashlib
import io
import json
import os
import random
import re
import shlex
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import time
import zipfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import polars as pl

#: A folder per name; what is typed behind `evenhand`, or behind `$` in a shell.
CASES = """
[probe-hiring-an]
probe hiring-an --model 'sim:stereotyping?strength=0.3' --sample 400 --out plain
probe hiring-an --model 'sim:masculine?strength=0.5&seed=3' --sample 400 --design matched --seed 2 --out pairs
probe hiring-an --model sim:unbiased --sample 120 --repetitions 3 --redact-answers --out quiet
probe hiring-an --model sim:garbled --sample 80 --fail-on undetected:0.05 --no-report --out garbled
probe hiring-an --model sim:refusing --sample 80 --json --out refusing
probe hiring-an --model sim:feminine --sample 3000 --until-width 0.3 --quiet --out width
probe hiring-an --model sim:unbiased --sample 200 --max-requests 50 --out stopped
probe hiring-an --model sim:unbiased --sample 200 --resume --out stopped
probe hiring-an --model sim:antistereotyping --sample 200 --fail-on difference --fail-on mark:C --out fails

[probe-hiring-bloomberg]
probe hiring-bloomberg --model sim:masculine --num-reorders 5 --out plain
probe hiring-bloomberg --model sim:unbiased --num-reorders 5 --design extended --fail-on below --out extended
probe hiring-bloomberg --model sim:feminine --corpus generated --sample 200 --out generated

[probe-business-vocabulary]
probe business-vocabulary --model 'sim:stereotyping?strength=0.7' --sample 80 --out plain
probe business-vocabulary --model sim:unbiased --templates templates.toml --sample 40 --smoothing 0 --out own
probe business-vocabulary --model sim:feminine --inventories inventories.csv --sample 60 --out inventories

[probe-an2024]
probe an2024 --model 'sim:feminine?strength=0.4' --sample 600 --roles 7 --monte-carlo 100 --out plain
probe an2024 --model sim:stereotyping --roles 7 --seeds 1 --base-templates 1 --sample 400 --mixed --out mixed
probe an2024 --model sim:unbiased --roles roles.csv --sample 200 --preset llama2 --out own
probe an2024 --model sim:unbiased --labels labels.csv --sample 100 --roles 7 --out labels

[probe-resume-score]
probe resume-score --model sim:masculine --sample 200 --out plain
probe resume-score --model sim:unbiased --range 1-10 --occupations 'Registered Nurses' --sample 80 --out range
probe resume-score --model sim:feminine --names names.csv --pronouns --affinity --sample 80 --out names
probe resume-score --model sim:unbiased --resumes people.jsonl --positions positions.jsonl --sample 40 --out own
probe resume-score --model sim:unbiased --cutoff 70 --repetitions 2 --sample 64 --out repeated

[impact-counts]
impact --counts 'women=557/1835,men=1198/2691' --out plain
impact --counts 'women=0/40,men=9/40' --protected sex --fail-on below --out none
impact --counts 'a=0/10,b=0/12' --out nobody
impact --counts 'a=20/20,b=20/20' --out everybody
impact --counts 'a=9/30,b=12/31,c=3/29,d=40/90' --four-fifths two-sided --json --out four
impact counts.csv --applicants applicants --selected-count hired --protected gender --out counts
impact freq.csv --selected Admit=Admitted --protected Gender --position Dept --count Freq --out freq

[impact-rows]
impact applicants.csv --selected hired --protected gender,race --intersectional --min-share .05 --out crossed
impact applicants.csv --selected hired --protected gender --position job --given years,degree --out given
impact applicants.csv --selected hired --protected gender --reference gender=man --missing bounds --out missing
impact applicants.csv --selected hired --protected race --reference largest --reference-floor 0 --out largest
impact applicants.csv --selected outcome=offered,accepted --undecided outcome=pending --protected gender --out o
impact applicants.csv --selected hired --protected gender --where "status <> 'withdrawn'" --where 'years > 2' --out w
impact applicants.csv --selected hired --eeo1 race --age age --protected gender,race --unknown Other --out law
impact applicants.csv --selected hired --age born --age-at 2026-01-31 --fail-on difference --out born
impact - --selected hired --protected gender --no-report --out stdin < applicants.csv

[impact-clusters]
impact applicants.csv --selected hired --protected gender,race --cluster ad --block ad --out one
impact applicants.csv --selected hired --protected gender --cluster ad,job --out two
impact applicants.csv --score score --means --protected gender --block ad,job --out means

[impact-scores]
impact applicants.csv --score score --cutoff 3 --cutoff 3.5 --median --means --protected gender,race \
    --intersectional --out all
impact applicants.csv --score score --protected gender --out default
impact applicants.csv --score score --cutoff 3 --at-least --protected race --position job --out least
impact applicants.csv --score score --cutoff 3 --at-most --protected race --out most
impact applicants.csv --score score --below --median --protected gender --fail-on below --out below
impact freq.csv --score Score --means --median --protected Gender --count Freq --out freq

[impact-stages]
impact stages.csv --selected passed --protected gender --stage step=screen,interview,offer --unit person --out a
impact stages.csv --selected passed --protected race --stage step --position job --out b
impact stages.csv --score score --median --protected gender --stage step --unit person --out c

[impact-share]
impact applicants.csv --protected gender --share woman=0.42 --out plain
impact applicants.csv --protected gender,race --share shares.csv --where 'years > 2' --out table

[impact-ll144]
impact applicants.csv --score score --protected sex,race --ll144 --exclusion-reason 'few people' --tool T \
    --auditor A --audit-date 2026-11-01 --distribution-date 2026-01-01 --data-source 'own rows' --out score
impact audit.csv --applicants applicants --selected-count selected --protected sex,race --ll144 --out published

[impact-check]
impact applicants.csv --check
impact applicants.csv --check --json
impact applicants.csv --check --selected hired --protected gender --where 'years > 2'
impact stages.csv --check
impact freq.csv --check
impact counts.csv --check --json

[impact-examples]
data example berkeley-1973
data example bertrand-2004
impact berkeley-1973.csv --selected admitted --protected gender --position department --out berkeley
impact bertrand-2004.csv --selected called_back --protected race --cluster ad --block ad --out bertrand
impact bertrand-2004.csv --selected called_back --protected race,gender --cluster first_name --out names
"""

NAMES = [
    (first + "ab"[place], gender, race)
    for gender, names in (("female", ("Ann", "Eve", "Joy")), ("male", ("Bob", "Tom", "Max")))
    for place, race in enumerate(("white", "black"))
    for first in names
]


def rows_of(seed: int, people: int) -> Iterator[dict[str, object]]:
    """Yield people who applied, with every kind of column that a table of applicants has."""
    drawn = random.Random(seed)
    for n in range(people):
        gender = drawn.choices(["woman", "man", "Prefer not to say", ""], [48, 48, 2, 2])[0]
        race = drawn.choices(["White", "Black", "Asian", "Hispanic", "Other"], [50, 20, 18, 11, 1])[0]
        merit = drawn.gauss(0.25 * (gender == "man") - 0.2 * (race == "Black"), 1)
        hired, years = merit + drawn.gauss(0, 1) > 0.4, max(0, round(8 + 3 * merit + drawn.gauss(0, 3)))
        said = drawn.choice(["offered", "accepted"]) if hired else drawn.choice(["rejected", "rejected", "pending"])
        age = drawn.randrange(20, 66)
        yield {
            "person": f"p{n:03}",
            "ad": f"ad{n // 4}",
            "job": ("clerk", "driver", "nurse")[n % 3],
            "gender": gender,
            "sex": {"woman": "Female", "man": "Male"}.get(gender, ""),
            "race": race,
            "hired": "yes" if hired else "no",
            "outcome": said,
            "score": "" if n % 71 == 70 else f"{3 + 0.7 * merit + drawn.gauss(0, 0.3):.1f}",
            "fit": f"{1 / (1 + 2.718281828 ** -(merit + drawn.gauss(0, 0.6))):.3f}",
            "old_fit": f"{1 / (1 + 2.718281828 ** -(merit + drawn.gauss(0, 1.2))):.3f}",
            "stayed": "" if n % 53 == 52 else "yes" if merit + drawn.gauss(0, 0.8) > 0 else "no",
            "language": drawn.choice(["en", "es"]),
            "age": age,
            "born": f"{2025 - age}-0{drawn.randrange(1, 10)}-15",
            "years": years,
            "degree": drawn.choice(["BA", "MA", ""]),
            "salary": f"$ {drawn.randrange(30, 90)},{drawn.randrange(100, 999)}",
            "note": drawn.choice(["Mr Smith called.", "Her mail: jo@example.org", "Fine.", ""]),
            "status": drawn.choice(["active", "active", "withdrawn", ""]),
        }


def csv_of(rows: list[dict[str, object]]) -> str:
    """Return a table as CSV."""
    return "".join(",".join(map(_cell, row)) + "\n" for row in [list(rows[0]), *(row.values() for row in rows)])


def _cell(value: object) -> str:
    text = str(value)
    return f'"{text}"' if "," in text or "\n" in text else text


def json_lines(rows: list[dict[str, object]]) -> str:
    """Return rows as JSONL."""
    return "".join(json.dumps(row) + "\n" for row in rows)


def inputs(folder: Path) -> None:
    """Write the files that cases read; they are the same each time."""
    people = list(rows_of(1, 480))
    drawn = random.Random(2)
    stages = []
    for row in people[:200]:
        for step in ("screen", "interview", "offer"):
            passed = drawn.random() < (0.7 if row["gender"] == "man" else 0.6)
            kept = ("person", "gender", "race", "job", "score")
            stages.append({key: row[key] for key in kept} | {"step": step, "passed": "yes" if passed else "no"})
            if not passed:
                break
    freq = [
        {"Admit": admit, "Gender": gender, "Dept": dept, "Score": drawn.randrange(5), "Freq": drawn.randrange(90)}
        for admit in ("Admitted", "Rejected")
        for gender in ("Female", "Male")
        for dept in "ABC"
    ]
    audit = [
        {"sex": sex, "race": race, "applicants": of, "selected": of * 2 // 5 - drawn.randrange(of // 5)}
        for sex in ("female", "male")
        for race, of in (("Asian", 200), ("Black", 160), ("White", 450), ("Two or More Races", 9))
    ]
    emails = [("You have been selected.", "accept"), ("We regret that we can't offer you the job.", "reject")] * 6
    texts = {
        "applicants.csv": csv_of(people),
        "stages.csv": csv_of(stages),
        "counts.csv": "gender,applicants,hired\nwomen,1835,557\nmen,2691,1198\nothers,14,0\n",
        "freq.csv": csv_of(freq),
        "audit.csv": csv_of(audit),
        "shares.csv": "attribute,group,share\ngender,woman,.5\nrace,Black,.25\nrace,Asian,.1\n",
        "templates.toml": '[[templates]]\nmale = "Praise {name}."\nfemale = "Praise {name}."\n',
        "inventories.csv": "inventory,gender,term\nown,male,strong\nown,female,kind\nown,male,bold\nown,female,warm\n",
        "roles.csv": "role\nbaker\npilot\n",
        "labels.csv": csv_of([{"text": text, "label": label} for text, label in emails]),
        "names.csv": "name,gender,race\n" + "".join(f"{n} Lee,{g},{r}\n" for n, g, r in NAMES),
        "people.jsonl": json_lines(
            [
                {"id": "p1", "text": "Jane Doe\njane.doe@example.org\n\nNurse. She led the ward.", "gender": "female"}
                | {"known_names": ["Jane Doe"]},
                {"id": "p2", "text": "John Smith\n\nBaker for two years. He bakes bread.", "gender": "male"}
                | {"known_names": ["John Smith"]},
                {"id": "p3", "text": "Ana Lee\n\nCarpenter of houses.", "known_names": ["Ana Lee"]},
            ]
        ),
        "positions.jsonl": json_lines(
            [
                {"id": "n", "title": "Nurse", "text": "Cares for patients."},
                {"id": "b", "title": "Baker", "text": "Bakes bread and rolls."},
            ]
        ),
    }
    for name, text in texts.items():
        (folder / name).write_text(text, "utf-8")


class Fixed:
    """Puts what legitimately varies in a fixed form: the clock, the process, folders, and digests of what has these."""

    def __init__(self, work: Path) -> None:
        self.digests: dict[str, str] = {}
        now = dt.datetime.now(dt.UTC).date()
        days = "|".join(str(now + dt.timedelta(days=n)) for n in (-1, 0, 1))
        clock = r"\d\d:?\d\d(:?\d\d(\.\d+)?)?"
        self.rules = [
            (re.compile(pattern), form)
            for pattern, form in (
                (re.escape(str(work)), "<work>"),
                (re.escape(str(work.parent)), "<tmp>"),
                (re.escape(sys.prefix), "<python>"),
                (rf"\b({days})([T ]{clock}(Z|\+00:00| UTC)?)?", "<now>"),
                (rf"\b({days.replace('-', '')})T{clock}Z", "<now>"),
                (r'"latency":[0-9.e-]+', '"latency":<seconds>'),
            )
        ]

    def text(self, text: str) -> str:
        """Return the text in its fixed form."""
        for pattern, form in self.rules:
            text = pattern.sub(form, text)
        return re.sub(r"\b[0-9a-f]{64}\b", lambda found: self.digests.get(found[0], found[0]), text)

    def parts(self, name: str, content: bytes) -> Iterator[tuple[str, bytes]]:
        """Yield a file as texts that can be compared: packed ones by what is in them. Their digests are learned."""
        self.digests.setdefault(hashlib.sha256(content).hexdigest(), f"<sha256 of {name}>")
        if content.startswith(b"PK\x03\x04"):
            with zipfile.ZipFile(io.BytesIO(content)) as packed:
                yield f"{name}.entries", "\n".join(packed.namelist()).encode()
                for entry in packed.namelist():
                    yield from self.parts(f"{name}/{entry}", packed.read(entry))
        elif content.startswith(b"PAR1"):
            table = pl.read_parquet(io.BytesIO(content))
            if name.endswith("words.parquet"):  # whose rows are in the order in which threads counted
                table = table.sort(table.columns)
            for column in table.columns:
                if table[column].dtype.is_temporal() or column in {"time", "latency"}:
                    table = table.with_columns(
                        pl.when(pl.col(column).is_not_null()).then(pl.lit("<time>")).alias(column)
                    )
            yield f"{name}.ndjson", f"{table.schema}\n{table.write_ndjson()}".encode()
        elif content.startswith(b"SQLite format 3"):
            with tempfile.NamedTemporaryFile() as file:
                Path(file.name).write_bytes(content)
                store = sqlite3.connect(file.name)
                yield f"{name}.sql", "\n".join(store.iterdump()).encode()
                store.close()
        elif name.endswith(".lock"):
            yield name, re.sub(rb"\d+", b"<process>", content)
        else:
            yield name, content


def environment(work: Path) -> dict[str, str]:
    """Return an environment without keys and without a terminal, in which `evenhand` is the package on PYTHONPATH."""
    tools = work.parent / "bin"
    tools.mkdir()
    shim = tools / "evenhand"
    shim.write_text(f'#!/bin/sh\nexec {sys.executable} -m evenhand "$@"\n', "utf-8")
    shim.chmod(0o755)
    paths = [str(Path(each).resolve()) for each in os.environ.get("PYTHONPATH", "").split(os.pathsep) if each]
    return {
        "PATH": f"{tools}:{Path(sys.executable).parent}:{os.environ['PATH']}",
        "PYTHONPATH": os.pathsep.join(paths),
        "PYTHONHASHSEED": "0",
        "PYTHONDONTWRITEBYTECODE": "1",
        "HOME": str(work.parent),
        "TMPDIR": str(work.parent / "tmp"),
        "LANG": "C.UTF-8",
        "TZ": "UTC",
        "NO_COLOR": "1",
    }


def keep(name: str, lines: list[str], out: Path) -> float:
    """Run a case, and keep what it told and left; return how many seconds that took."""
    begun = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="snapshot") as scratch:
        work = Path(scratch).resolve() / "work"
        work.mkdir()
        (work.parent / "tmp").mkdir()
        inputs(work)
        given = {path: path.read_bytes() for path in work.rglob("*") if path.is_file()}
        fixed, env, told = Fixed(work), environment(work), {}
        for number, line in enumerate(lines, 1):
            typed = line[2:] if line.startswith("$ ") else f"evenhand {line}"
            done = subprocess.run(
                ["/bin/sh", "-c", typed], cwd=work, env=env, capture_output=True, stdin=subprocess.DEVNULL, check=False
            )
            told[f"{number:02}.exit"] = f"{typed}\n{done.returncode}\n".encode()
            told |= {f"{number:02}.stdout": done.stdout, f"{number:02}.stderr": done.stderr}
        for path in sorted(work.rglob("*")):
            if path.is_file() and given.get(path) != (content := path.read_bytes()):
                told |= fixed.parts(f"files/{path.relative_to(work)}", content)
        for file, content in told.items():
            kept = out / name / file
            kept.parent.mkdir(parents=True, exist_ok=True)
            try:
                kept.write_text(fixed.text(content.decode("utf-8")), "utf-8", newline="")
            except UnicodeDecodeError:
                kept.write_bytes(content)
    return time.monotonic() - begun


def cases() -> dict[str, list[str]]:
    """Return the lines of each case, the help of every command among them."""
    found: dict[str, list[str]] = {}
    for block in CASES.replace("\\\n", " ").strip().split("\n\n"):
        name, *lines = block.splitlines()
        found[name.strip("[]")] = lines
    found["help"] = [
        "",
        "--version",
        "-h",
        "plan impact --help",
        *(shlex.join([*each, "--help"]) for each in commands(())),
    ]
    return found


def commands(above: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
    """Yield the words of a command and of all below it, as their helps list them."""
    yield above
    command = [sys.executable, "-m", "evenhand", *above, "--help"]
    told = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    if " COMMAND " in told.splitlines()[0]:
        for heading, listed in re.findall(r"^([A-Z][^\n]*):\n((?:  .*\n)+)", told, re.MULTILINE):
            if heading != "Options":
                for word in re.findall(r"^  ([a-z][a-z0-9-]*)  ", listed, re.MULTILINE):
                    yield from commands((*above, word))


def compare(before: Path, after: Path) -> int:
    """Print each file that differs with the first line that does; return how many there are."""
    names = {str(path.relative_to(top)) for top in (before, after) for path in top.rglob("*") if path.is_file()}
    differing = 0
    for name in sorted(names):
        pair = [(top / name).read_bytes() if (top / name).is_file() else None for top in (before, after)]
        if pair[0] == pair[1]:
            continue
        differing += 1
        if None in pair:
            print(f"{name}: only in {before if pair[1] is None else after}")
            continue
        left, right = (each.decode("utf-8", "replace").splitlines() for each in pair if each is not None)
        at = next((n for n, both in enumerate(zip(left, right, strict=False)) if both[0] != both[1]), None)
        if at is None:
            print(f"{name}: {len(left)} lines, then {len(right)}")
            continue
        same = next(n for n in range(len(left[at]) + 1) if left[at][: n + 1] != right[at][: n + 1])
        shown = slice(max(same - 60, 0), same + 120)
        print(f"{name}:{at + 1}:{same + 1}\n  - {left[at][shown]}\n  + {right[at][shown]}")
    print(f"{differing} of {len(names)} files differ")
    return differing


def main() -> int:
    """Take a snapshot, or compare two."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("out", nargs="?", type=Path)
    parser.add_argument("--compare", nargs=2, type=Path, metavar=("BEFORE", "AFTER"))
    parser.add_argument("--only", default="", help="cases whose name begins so")
    parser.add_argument("--jobs", type=int, default=2)
    given = parser.parse_args()
    if given.compare:
        return int(compare(*given.compare) > 0)
    if given.out is None:
        parser.error("give OUT, or --compare BEFORE AFTER")
    chosen = {name: lines for name, lines in cases().items() if name.startswith(given.only)}
    with ThreadPoolExecutor(given.jobs) as pool:
        for name in chosen:
            shutil.rmtree(given.out / name, ignore_errors=True)
        for name, done in {name: pool.submit(keep, name, lines, given.out) for name, lines in chosen.items()}.items():
            print(f"{done.result():6.1f} s  {name}", file=sys.stderr)
    return 0


if __name__ == "__main__":
    sys.exit(main())
