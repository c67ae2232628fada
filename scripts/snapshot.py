"""Keeps what each command, page and call does on fixed inputs, and tells where two such snapshots differ.

    PYTHONPATH=src python scripts/snapshot.py OUT [--only PREFIX] [--jobs 2]
    python scripts/snapshot.py --compare BEFORE AFTER

A case is a few lines of snapshot/cases.txt, run in a folder of its own that has the files of snapshot/given and those
that snapshot/make.py writes. Of each line its exit code and both streams are kept, of a page its status, headers and
body, of each case the files that it left. What follows from the clock, the process or chance is put in a fixed form;
all else is kept byte by byte, packed files as what is in them.
"""

import argparse
import contextlib
import datetime as dt
import hashlib
import http.client
import io
import os
import re
import shlex
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
import zipfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import product
from pathlib import Path
from urllib.parse import urlencode

import polars as pl
import zipfile_zstd  # noqa: F401 - teaches zipfile what logs of inspect_ai are packed by

HERE = Path(__file__).with_suffix("")
#: Words that many lines have.
WORDS = {
    "OWN": "people.jsonl --positions positions.jsonl",
    "COMPANY": "--people company/people.jsonl --positions company/positions.jsonl --cache cache.sqlite",
    "MATCHER": "--matcher runs/match/matcher.json --people company/people.jsonl --positions company/positions.jsonl "
    "--cache cache.sqlite",
    "RECORD": "--store h.db --model screener --time at --score score --selected invited --protected gender "
    "--by department --unit case --latency seconds --stage stage --decided-by by",
}
#: Headers that tell the time or follow from the body.
UNTOLD = {"date", "content-length", "last-modified", "etag"}
#: Seconds for a page, with all that it waits for.
PATIENCE = 180
#: One line of a case that asks a page.
ASKED = re.compile(r"(?:([a-z,]+) )?(GET|POST) (\S+)(.*)")


def cases() -> dict[str, list[str]]:
    """Return the lines of each case, the help of every command among them."""
    found: dict[str, list[str]] = {}
    text = re.sub(r"\s*\\\n\s*", " ", (HERE / "cases.txt").read_text("utf-8"))
    for block in text.strip().split("\n\n")[1:]:
        name, *lines = block.splitlines()
        found[name.strip("[]")] = [each for line in lines for each in spread(line)]
    helps = (shlex.join([*each, "--help"]) for each in commands(()))
    found["help"] = ["", "--version", "-h", "plan impact --help", *helps]
    return found


def spread(line: str) -> list[str]:
    """Return a line for each visitor and each of {a,b}; lines of a shell stay as they are.

    >>> spread("ana,ben GET /{,a}")
    ['ana GET /', 'ana GET /a', 'ben GET /', 'ben GET /a']
    """
    if line.startswith(("$", "&")):
        return [line]
    asked = ASKED.fullmatch(line)
    if asked and asked[1]:
        line = f"{{{asked[1]}}} {line.partition(' ')[2]}" if "," in asked[1] else line
    pieces = re.split(r"\{([^{}]*,[^{}]*)\}", line)
    options = [piece.split(",") if n % 2 else [piece] for n, piece in enumerate(pieces)]
    return ["".join(each) for each in product(*options)]


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


class Fixed:
    """Puts what legitimately varies in a fixed form: the clock, the process, folders, and digests of what has these."""

    def __init__(self, work: Path) -> None:
        self.known: dict[str, str] = {}
        today = dt.datetime.now(dt.UTC).date()
        days = "|".join(str(today + dt.timedelta(days=n)) for n in (-1, 0, 1))
        self.rules: list[tuple[re.Pattern[str], str]] = []
        for pattern, form in (
            (re.escape(str(work)), "<work>"),
            (re.escape(str(work.parent)), "<scratch>"),
            (re.escape(sys.prefix), "<python>"),
            (rf"\b({days})([T ]\d\d:\d\d(:\d\d(\.\d+)?)?(Z|\+00:00| UTC)?)?", "<now>"),
            (rf"\b({days.replace('-', '')})T\d{{6}}Z", "<now>"),
            (r'("latency": ?)[0-9.e-]+', r"\1<seconds>"),
            (r'(name="form" value=")[0-9a-f]+', r"\1<token>"),
            (r"\brecorder-[0-9a-f]{16}\b", "recorder-<token>"),
            (r"(set-cookie: evenhand=)[0-9a-f]+", r"\1<session>"),
            (r"\S+/evenhand/[\w/]+\.py:\d+: (\w+Warning: .*)\n  .*\n", r"<place>: \1\n"),
        ):
            self.add(pattern, form)

    def add(self, pattern: str, form: str) -> None:
        """Add what is replaced."""
        self.rules.append((re.compile(pattern), form))

    def text(self, text: str) -> str:
        """Return a text in its fixed form."""
        for pattern, form in self.rules:
            text = pattern.sub(form, text)
        return re.sub(r"(?<![0-9a-f])[0-9a-f]{16,64}(?![0-9a-f])", lambda it: self.known.get(it[0], it[0]), text)

    def parts(self, name: str, content: bytes) -> Iterator[tuple[str, bytes]]:
        """Yield a file as texts that can be compared: packed ones by what is in them. Their digests are learned."""
        self.known.setdefault(hashlib.sha256(content).hexdigest(), f"<sha256 of {name}>")
        if content.startswith(b"PK\x03\x04"):
            with zipfile.ZipFile(io.BytesIO(content)) as packed:
                yield f"{name}.entries", "\n".join(packed.namelist()).encode()
                for entry in packed.namelist():
                    yield from self.parts(f"{name}/{entry}", packed.read(entry))
        elif content.startswith(b"PAR1"):
            table = pl.read_parquet(io.BytesIO(content))
            if name.endswith("words.parquet"):  # whose rows are in the order in which threads counted
                table = table.sort(table.columns)
            yield f"{name}.ndjson", f"{table.schema}\n{table.write_ndjson()}".encode()
        elif content.startswith(b"SQLite format 3"):
            yield f"{name}.sql", self.dumped(content).encode()
        elif name.endswith((".lock", "/pid")):
            yield name, re.sub(rb"\d+", b"<process>", content)
        else:
            yield name, content

    def dumped(self, content: bytes) -> str:
        """Return what a database of SQLite holds; of a store, the digests of its log are learned."""
        with tempfile.TemporaryDirectory() as folder:
            (Path(folder) / "base").write_bytes(content)
            base = sqlite3.connect(Path(folder) / "base")
            if base.execute("SELECT 1 FROM sqlite_master WHERE name = 'log'").fetchone():
                for number, digest in base.execute("SELECT number, digest FROM log"):
                    self.known.setdefault(digest, f"<digest of entry {number}>")
            told = "\n".join(base.iterdump())
            base.close()
        return told


class Site:
    """What listens on this machine, and what is asked of it."""

    def __init__(self, command: str, work: Path, env: dict[str, str]) -> None:
        self.work, self.cookies, self.hidden, self.last = work, dict[str, str](), dict[str, dict[str, str]](), "/"
        self.told = work.parent / "listening"
        with self.told.open("wb") as file:
            self.process = subprocess.Popen(
                ["/bin/sh", "-c", command],
                cwd=work,
                env=env,
                stdout=file,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )
        end = time.monotonic() + PATIENCE
        while not (found := re.search(r"http://(127\.0\.0\.1:\d+)", self.told.read_text("utf-8"))):
            if self.process.poll() is not None or time.monotonic() > end:
                raise RuntimeError(f"{command} does not listen: {self.told.read_text('utf-8')}")
            time.sleep(0.05)
        self.address = found[1]

    def asked(self, who: str, method: str, path: str, words: list[str]) -> tuple[str, bytes]:
        """Return status and headers of an answer, and its body, once it is one that stays."""
        path = path.replace("@", self.last)
        fields = self.hidden.get(who, {}) | dict(word.split("=", 1) for word in words)
        end = time.monotonic() + PATIENCE
        while True:
            headers, body = _form(fields, self.work) if method == "POST" else ({}, b"")
            headers |= {"X-User": who} if who else {}
            headers |= {"Cookie": f"evenhand={self.cookies[who]}"} if who in self.cookies else {}
            link = http.client.HTTPConnection(self.address, timeout=PATIENCE)
            link.request(method, path, body, headers)
            answer = link.getresponse()
            content, told = answer.read(), {name.lower(): value for name, value in answer.getheaders()}
            link.close()
            if "refresh" not in told or time.monotonic() > end:
                break
            time.sleep(0.2)
        text = content.decode("utf-8", "replace")
        if inputs := re.findall(r'<input type="hidden" name="([^"]+)" value="([^"]*)"', text):
            self.hidden[who] = dict(inputs)
        if given := re.match(r"evenhand=([^;]+)", told.get("set-cookie", "")):
            self.cookies[who] = given[1]
        self.last = told.get("location", self.last)
        kept = [f"{name}: {value}" for name, value in sorted(told.items()) if name not in UNTOLD]
        return "\n".join([str(answer.status), *kept, ""]), content

    def ended(self) -> bytes:
        """Return what it printed, once it is stopped."""
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self.process.pid, signal.SIGINT)
        self.process.wait(30)
        return self.told.read_bytes()


def _form(fields: dict[str, str], work: Path) -> tuple[dict[str, str], bytes]:
    """Return the headers and the body of a form that is sent; a value that begins with @ is a file."""
    if not any(value.startswith("@") for value in fields.values()):
        return {"Content-Type": "application/x-www-form-urlencoded"}, urlencode(fields).encode()
    body = b""
    for name, value in sorted(fields.items(), key=lambda each: each[1].startswith("@")):
        told, content = f'name="{name}"', value.encode()
        if value.startswith("@"):
            told, content = f'{told}; filename="{value[1:]}"', (work / value[1:]).read_bytes()
        body += f"--part\r\nContent-Disposition: form-data; {told}\r\n\r\n".encode() + content + b"\r\n"
    return {"Content-Type": "multipart/form-data; boundary=part"}, body + b"--part--\r\n"


class Case:
    """A case: a folder of its own, what is typed there, what was told and what is left."""

    def __init__(self, scratch: Path, given: Path) -> None:
        self.work = scratch / "work"
        shutil.copytree(given, self.work)
        self.fixed, self.told = Fixed(self.work), dict[str, bytes]()
        self.given = {path: path.read_bytes() for path in self.work.rglob("*") if path.is_file()}
        self.site: Site | None = None
        for folder in ("tmp", "bin"):
            (scratch / folder).mkdir()
        shim = scratch / "bin" / "evenhand"
        shim.write_text(f'#!/bin/sh\nexec {sys.executable} -m evenhand "$@"\n', "utf-8")
        shim.chmod(0o755)
        paths = (str(Path(each).resolve()) for each in os.environ.get("PYTHONPATH", "").split(os.pathsep) if each)
        self.env = {
            **WORDS,
            "PATH": f"{scratch / 'bin'}:{Path(sys.executable).parent}:{os.environ['PATH']}",
            "PYTHONPATH": os.pathsep.join(paths),
            "PYTHONHASHSEED": "0",
            "HOME": str(scratch),
            "TMPDIR": str(scratch / "tmp"),
            "LANG": "C.UTF-8",
            "TZ": "UTC",
            "EVENHAND_STORE_KEY": "a key of units that stays",
        }

    def type(self, number: str, line: str) -> None:
        """Do what a line says, and keep what is told."""
        if line.startswith("& "):
            self.stop(number)
            self.site = Site(line[2:], self.work, self.env)
            self.fixed.add(re.escape(self.site.address), "<address>")
        elif asked := ASKED.fullmatch(line):
            assert self.site is not None
            told, body = self.site.asked(asked[1] or "", asked[2], asked[3], shlex.split(asked[4]))
            if found := re.search(r"/analyses/([0-9a-f]{16})\n", told):
                self.fixed.known.setdefault(found[1], f"<analysis {number}>")
            self.told[f"{number}.asked"] = f"{line}\n{told}".encode()
            self.told |= self.fixed.parts(f"{number}.body", body)
        else:
            typed = line[2:] if line.startswith("$ ") else f"evenhand {line}"
            done = subprocess.run(
                ["/bin/sh", "-c", typed.replace("{url}", f"http://{self.site.address}" if self.site else "")],
                cwd=self.work,
                env=self.env,
                capture_output=True,
                stdin=subprocess.DEVNULL,
                check=False,
            )
            self.told[f"{number}.exit"] = f"{typed}\n{done.returncode}\n".encode()
            self.told |= {f"{number}.stdout": done.stdout, f"{number}.stderr": done.stderr}

    def stop(self, number: str) -> None:
        """Stop what listens."""
        if self.site is not None:
            self.told[f"{number}.listening"] = self.site.ended()
            self.site = None

    def keep(self, out: Path) -> None:
        """Write what was told and what is left, all in its fixed form."""
        for path in sorted(self.work.rglob("*")):
            if path.is_file() and path.parent.name != "__pycache__":
                parts = dict(self.fixed.parts(f"files/{path.relative_to(self.work)}", path.read_bytes()))
                self.told |= parts if self.given.get(path) != path.read_bytes() else {}
        for file, content in self.told.items():
            kept = out / self.fixed.text(file)
            kept.parent.mkdir(parents=True, exist_ok=True)
            try:
                kept.write_text(self.fixed.text(content.decode("utf-8")), "utf-8", newline="")
            except UnicodeDecodeError:
                kept.write_bytes(content)


def run(name: str, lines: list[str], given: Path, out: Path) -> float:
    """Run a case; return how many seconds it took."""
    begun = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="snapshot") as scratch:
        case = Case(Path(scratch).resolve(), given)
        try:
            for number, line in enumerate(lines, 1):
                case.type(f"{number:03}", line)
        finally:
            case.stop("last")
        case.keep(out / name)
    return time.monotonic() - begun


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
    parser.add_argument("--only", default="", help="cases whose name begins so; commas between several")
    parser.add_argument("--jobs", type=int, default=2)
    asked = parser.parse_args()
    if asked.compare:
        return int(compare(*asked.compare) > 0)
    if asked.out is None:
        parser.error("give OUT, or --compare BEFORE AFTER")
    with tempfile.TemporaryDirectory() as made, ThreadPoolExecutor(asked.jobs) as pool:
        given = Path(made) / "given"
        shutil.copytree(HERE / "given", given)
        subprocess.run([sys.executable, HERE / "make.py", given], check=True)
        chosen = {name: lines for name, lines in cases().items() if name.startswith(tuple(asked.only.split(",")))}
        for name in chosen:
            shutil.rmtree(asked.out / name, ignore_errors=True)
        running = {name: pool.submit(run, name, lines, given, asked.out) for name, lines in chosen.items()}
        for name, done in running.items():
            told = f"{done.result():6.1f} s" if done.exception() is None else f"failed: {done.exception()}"
            print(f"{name:26}{told}", file=sys.stderr, flush=True)
    return int(any(done.exception() for done in running.values()))


if __name__ == "__main__":
    sys.exit(main())
