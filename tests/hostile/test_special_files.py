"""What has no end or is no file is refused in one line wherever a path is given: nothing is waited for."""

import os
import re
import resource
import socket
import subprocess
import sys
from pathlib import Path

import numpy as np
import orjson
import pytest

from evenhand.matching.features import NAMES
from evenhand.matching.matcher import Calibration, Curve, Matcher, matcher_json
from evenhand.matching.terms import Terms, Vocabulary

#: Seconds for a line; a device without end or a pipe without a writer would take all.
LONGEST = 20
MEMORY = 8 << 30

ENDINGS = (
    *("csv", "tsv", "jsonl", "parquet", "feather", "xlsx", "ods", "sav", "csv.gz", "txt", "md", "json", "docx", "pdf"),
    *("html", "odt", "rtf", "toml", "zip", "db", "pub"),
)
#: Each place where a path is read; FILE.csv stands for what is given there.
LINES = (
    *(f"impact FILE.{ending} --protected sex --selected hired" for ending in ENDINGS[:9]),
    "impact FILE.xlsx --check --protected sex --selected hired",
    "impact table.csv --protected sex --share FILE.csv",
    "features FILE.csv --protected sex",
    "features table.csv --protected sex --expect FILE.toml",
    "features table.csv --protected sex --compare-with FILE.csv",
    "evaluate FILE.csv --protected sex --label hired --score score",
    "monitor record FILE.csv --model m --store store.db --time day --protected sex --score score",
    "monitor record FILE.json --model m --store store.db",
    "monitor check --store FILE.db",
    "monitor check --store store.db --rules FILE.toml",
    "monitor golden import FILE.jsonl --store store.db",
    "monitor golden import FILE.csv --store store.db",
    *(f"mask FILE.{ending} --out out" for ending in ENDINGS[9:17]),
    "mask --jsonl FILE.jsonl --out out.jsonl",
    "mask --evaluate FILE.jsonl",
    "mask table.txt --out out.txt --mapping FILE.jsonl",
    "match train FILE.csv --people people.jsonl --positions positions.jsonl --label label --protected sex",
    "match score --matcher FILE.json --people people.jsonl --positions positions.jsonl",
    "match score --matcher matcher.json --people FILE.jsonl --positions positions.jsonl",
    "match score --matcher matcher.json --people people.jsonl --positions FILE.jsonl",
    "match score --matcher matcher.json --people people.jsonl --positions FILE.csv",
    "match score --matcher matcher.json --people people.jsonl --positions positions.jsonl --pairs FILE.csv",
    "perturb FILE.jsonl --positions positions.jsonl --scorer sim:unbiased --margin 2",
    "perturb people.jsonl --positions FILE.jsonl --scorer sim:unbiased --margin 2",
    "perturb people.jsonl --positions positions.jsonl --scorer sim:unbiased --margin 2 --names FILE.csv",
    "perturb people.jsonl --positions positions.jsonl --margin 2 --scorer scores:FILE.csv",
    "perturb people.jsonl --positions positions.jsonl --margin 2 --scorer https://127.0.0.1:1 --request FILE.json",
    "plan hiring-an --model openai:gpt-4o --prices FILE.toml",
    "plan an2024 --model sim:unbiased --roles FILE.csv",
    "probe an2024 --model sim:unbiased --labels FILE.csv",
    "probe an2024 --model sim:unbiased --labels FILE.jsonl",
    "probe business-vocabulary --model sim:unbiased --templates FILE.toml",
    "probe business-vocabulary --model sim:unbiased --templates FILE.json",
    "probe business-vocabulary --model sim:unbiased --inventories FILE.csv",
    "probe hiring-bloomberg --model sim:unbiased --corpus FILE.json",
    "probe resume-score --model sim:unbiased --resumes FILE.jsonl --positions positions.jsonl",
    "probe resume-score --model sim:unbiased --resumes people.jsonl --positions positions.jsonl --names FILE.csv",
    "probe hiring-an --model replay:FILE.jsonl",
    "measure hiring-an FILE.jsonl",
    "measure hiring-an FILE.parquet",
    "measure hiring-an FILE.csv",
    "compare FILE.csv FILE.tsv",
    "report FILE.csv",
    "bundle FILE.csv --out out.zip",
    "verify FILE.zip",
    "verify FILE.zip --public-key FILE.pub",
    "serve --store FILE.db --port 0",
    "serve --runs FILE.csv/runs --port 0",
    "collect merge FILE.csv FILE.tsv --out merged",
    "export inspect FILE.csv --out out.eval",
)
KINDS = ("device", "pipe", "folder", "socket", "empty")
STORE = "monitor record table.csv --model m --store store.db --time day --protected sex --score score"
EXPECTS = "features table.csv --protected sex --expect FILE.toml"
PEOPLE = [{"id": "1", "text": "Jane Doe\nNurse for wound care\n", "known_names": ["Jane Doe"]}]
MATCHER = Matcher(
    base=0.0,
    curves=(Curve(edges=(), values=(0.0,), missing=0.0),) * len(NAMES),
    vocabulary=Vocabulary(words=("care",), weights=np.array([1.0]), terms=Terms()),
    pooled=Calibration(method="platt", pairs=0),
    families={},
    as_of=2026.0,
    card={},
)
PROGRAM = """
import os, sys
from evenhand.__main__ import main
for line in sys.stdin.read().splitlines():
    kind, _, words = line.partition(" ")
    os.chdir(kind)
    sys.stderr.write(f"\\n$ {line}\\n")
    sys.stderr.flush()
    sys.argv = ["evenhand", *words.split()]
    try:
        main()
    except SystemExit as end:
        sys.stderr.write(f"\\nexit {end.code}\\n")
    os.chdir("..")
"""


def made(kind: str, folder: Path) -> Path:
    """Return a path of a kind; sockets and pipes have short names elsewhere."""
    path = folder / "special"
    if kind == "pipe":
        os.mkfifo(path)
    elif kind == "folder":
        path.mkdir()
    elif kind == "empty":
        path.touch()
    elif kind == "socket":
        with socket.socket(socket.AF_UNIX) as listening:
            listening.bind(str(path))
    else:
        return Path("/dev/zero")
    return path


#: A line that opens what has no end never returns; other kinds show that each line looks before it reads.
LINES_OF = {kind: LINES if place < 2 else LINES[place - 2 :: 3] for place, kind in enumerate(KINDS)}


@pytest.fixture(scope="module")
def told(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """Return what each line says where each kind is given, typed in a folder of the kind; one process types all."""
    place = tmp_path_factory.mktemp("kinds")
    for kind in KINDS:
        (folder := place / kind).mkdir()
        for ending in ENDINGS:
            (folder / f"FILE.{ending}").symlink_to(made(kind, folder) if ending == "csv" else folder / "FILE.csv")
        (folder / "people.jsonl").write_bytes(b"".join(orjson.dumps(row) + b"\n" for row in PEOPLE))
        (folder / "positions.jsonl").write_bytes(orjson.dumps({"id": "1", "title": "Nurse", "text": "wound care"}))
        (folder / "table.csv").write_text("day,sex,hired,score\n2026-01-01,f,1,2\n2026-01-01,m,0,3\n", "utf-8")
        (folder / "table.txt").write_text("Jane Doe", "utf-8")
        (folder / "matcher.json").write_bytes(matcher_json(MATCHER))
        (folder / "out").mkdir()
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM],
        input="\n".join(f"{kind} {line}" for kind in KINDS for line in (STORE, *LINES_OF[kind])),
        cwd=place,
        capture_output=True,
        text=True,
        timeout=LONGEST * 15,
        check=False,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY)),
    )
    assert "Traceback" not in done.stderr
    return dict(part.split("\n", 1) for part in done.stderr.split("\n$ ")[1:])


@pytest.mark.parametrize("kind", KINDS)
def test_what_is_no_file_is_refused_in_one_line_wherever_it_is_given(kind, told):
    refused = re.compile(r"[^\n]*FILE[^\n]*\n(0 of 1 files written[^\n]*\n)?\nexit 2\n?")
    other = {line: told[f"{kind} {line}"] for line in LINES_OF[kind]}
    other = {line: words for line, words in other.items() if not refused.fullmatch(words)}
    assert other == ({EXPECTS: "\nexit 0\n"} if kind == "empty" and EXPECTS in LINES_OF[kind] else {})
