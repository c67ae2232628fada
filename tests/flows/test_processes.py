"""A process of its own ends as a command line in the process of the tests does."""

from functools import partial

import pytest
from _cli import evenhand, own_process

PROBE = ("probe", "hiring-an", "--sample", 40, "--out", "run")


@pytest.mark.parametrize(
    ("args", "code"),
    [
        ((*PROBE, "--model", "sim:masculine", "--fail-on", "difference"), 1),
        ((*PROBE, "--model", "sim:unbiased", "--nothing"), 2),
        ((*PROBE, "--model", "openai:m", "--base-url", "http://127.0.0.1:9/v1"), 4),
        (("impact", "--counts", "women=5/60,men=40/60", "--out", "run"), 0),
    ],
)
def test_exit_code_and_streams_are_the_same(tmp_path, args, code):
    ended = []
    here = partial(evenhand, code=code)
    for run, folder in ((here, tmp_path / "here"), (own_process, tmp_path / "own")):
        folder.mkdir()
        done = run(*args, cwd=folder)
        files = {path.relative_to(folder) for path in folder.rglob("*")}
        ended.append((done.returncode, done.stdout, done.stderr.replace("python -m evenhand", "evenhand"), files))
    assert ended[0] == ended[1]
    assert ended[0][0] == code
