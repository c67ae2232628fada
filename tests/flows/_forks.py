"""Runs command lines in forks of one process that has the libraries loaded, so that a test doesn't wait for imports.

Each line on stdin asks for one: its words, its folder, its environment, and files for its two streams. Its exit code
is the answer. The fork is a process of its own that ends as any other; our own modules it imports itself.
Polars is not loaded here: it has threads from its import on, and threads don't survive a fork.
"""

import importlib
import json
import os
import sys

LIBRARIES = (
    *("aiohttp", "jinja2", "numpy", "orjson", "pydantic", "rich.console", "rich.progress", "scipy.optimize"),
    *("scipy.special", "typer", "uvloop"),
)


def load():
    for name in LIBRARIES:
        try:
            importlib.import_module(name)
        except ImportError:  # uvloop is not for all systems
            continue


def become(request):
    """Become the process that was asked for."""
    os.chdir(request["cwd"])
    os.environ.clear()
    os.environ.update(request["env"])
    for stream, path in ((0, os.devnull), (1, request["out"]), (2, request["err"])):
        file = os.open(path, (os.O_RDWR | os.O_CREAT | os.O_TRUNC) if stream else os.O_RDONLY, 0o600)
        os.dup2(file, stream)
        os.close(file)
    sys.stdin, sys.stdout = open(0, encoding="utf-8"), open(1, "w", encoding="utf-8")  # noqa: SIM115
    sys.stderr = open(2, "w", encoding="utf-8", buffering=1)  # noqa: SIM115
    sys.argv = ["evenhand", *request["args"]]


def main():
    load()
    for line in sys.stdin:
        request = json.loads(line)
        child = os.fork()
        if not child:
            become(request)
            importlib.import_module("evenhand.__main__").main()
            return
        print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), flush=True)


if __name__ == "__main__":
    main()
