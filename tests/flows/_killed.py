"""Commands in processes that can be killed at stated moments of writing, and what they leave, without times."""

import json
import os
import re
import sqlite3
import subprocess
import sys
import zipfile
from contextlib import closing
from pathlib import Path

import polars as pl
from _cli import environment

#: Imports what commands take once, then forks a command for each line that it reads.
RUNS = """
import contextlib, importlib, json, os, pkgutil, sys
import evenhand.cli, evenhand.analyses, evenhand.report.page.contents, evenhand.dashboard.app
for package in (evenhand.cli, evenhand.analyses):
    for module in pkgutil.iter_modules(package.__path__, package.__name__ + "."):
        importlib.import_module(module.name)
from asked_pages import Browser
for name in ("lightgbm", "sklearn.isotonic", "sklearn.linear_model", "markdown_it"):
    with contextlib.suppress(ImportError):
        importlib.import_module(name)
for line in sys.stdin:
    words, folder, environment, out, error = json.loads(line)
    process = os.fork()
    if not process:
        os.setsid()
        os.chdir(folder)
        os.environ.clear()
        os.environ.update(environment)
        for number, name in ((0, os.devnull), (1, out), (2, error)):
            os.dup2(os.open(name, os.O_RDWR | os.O_CREAT | os.O_TRUNC, 0o600), number)
        sys.argv = ["evenhand", *words]
        code = 70
        try:
            if words[0] == "python":
                exec(words[1])
                code = 0
            else:
                evenhand.cli.main()
        except SystemExit as end:
            code = end.code or 0
        except BaseException:
            import traceback
            traceback.print_exc()
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code)
    print(os.waitstatus_to_exitcode(os.waitpid(process, 0)[1]), flush=True)
"""


class Processes:
    """Runs commands, each in a process group of its own, from one process that has imported what they take."""

    def __init__(self, folder):
        self._printed = [str(folder / name) for name in ("out", "error")]
        path = os.pathsep.join([str(Path(__file__).parents[1]), os.environ.get("PYTHONPATH", "")])
        pipe = subprocess.PIPE
        self._server = subprocess.Popen(
            [sys.executable, "-c", RUNS],
            stdin=pipe,
            stdout=pipe,
            text=True,
            bufsize=1,
            env=environment(PYTHONPATH=path),
        )

    def __call__(self, *words, cwd, fault=None):
        """Return the finished process of `evenhand WORDS`."""
        env = environment(EVENHAND_STORE_KEY="of tests", **({} if fault is None else {"EVENHAND_FAULT": fault}))
        print(json.dumps([list(map(str, words)), str(cwd), env, *self._printed]), file=self._server.stdin)
        code = int(self._server.stdout.readline())
        return subprocess.CompletedProcess(words, code, *(Path(name).read_text("utf-8") for name in self._printed))

    def close(self):
        self._server.stdin.close()
        self._server.wait()
        self._server.stdout.close()


#: Times, and digests of what has them; the numbers of analyses are drawn.
_TIMES = re.compile(rb"\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d(\.\d+)?)?(Z|\+00:00| UTC)?|\b[0-9a-f]{64}\b")
#: What differs from process to process, what is logged again as somebody looks again, and an upload that broke off,
#: which stays for a day.
_LEFT_OUT = {".lock", "lock", "pid", "reads.jsonl", ".analysis.json.part"}
_NUMBER = re.compile(r"\b[0-9a-f]{16}\b")


def tree(folder):
    """Return what a folder holds by path, without times and what depends on them; locks are left out."""
    return {
        _NUMBER.sub("N", str(path.relative_to(folder))): content(path)
        for path in sorted(folder.rglob("*"))
        if path.is_file() and path.name not in _LEFT_OUT and not path.name.endswith(("-wal", "-shm"))
    }


def content(path):
    reader = _READERS.get(path.suffix)
    if reader is not None:
        return reader(path)
    if re.fullmatch(r"(answers|judge)-\d+\.jsonl", path.name):
        return sorted(
            re.sub(rb'"(time|latency)":("[^"]*"|[\d.e-]+)', b"", line) for line in path.read_bytes().splitlines()
        )
    return _TIMES.sub(b"T", path.read_bytes())


def _store(path):
    with closing(sqlite3.connect(path)) as store:
        lines = [line for line in store.iterdump() if '"kind":"read"' not in line]
    lines = [re.sub(r'("log" VALUES\(|"number":)\d+', r"\1n", line) for line in lines]
    # The secret of published counts is new in every store, and the keys of counts are made of it.
    lines = [line for line in lines if "'cell_secret'" not in line]
    lines = [re.sub(r"""("counts" VALUES\(\d+,'[\d-]+'(?:,\d+){9}),\d+,\d+""", r"\1", line) for line in lines]
    return sorted(_TIMES.sub(b"T", line.encode()) for line in lines)


def _archive(path):
    with zipfile.ZipFile(path) as archive:
        return {name: _TIMES.sub(b"T", archive.read(name)) for name in archive.namelist()}


_READERS = {
    ".parquet": lambda path: pl.read_parquet(path).drop("time", strict=False).rows(),
    ".db": _store,
    ".zip": _archive,
    ".xlsx": lambda path: path.stat().st_size > 0,
    ".json": lambda path: json.loads(_TIMES.sub(b"T", path.read_bytes())),
}
