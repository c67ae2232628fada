"""A scorer that is a Python function, good and bad."""

import asyncio
import sys
import time

import pytest

from evenhand.errors import InputError
from evenhand.models.model import Failure
from evenhand.models.scorers import open_function
from loopback_scorer import request

MODULE = """
import asyncio, threading, time
import numpy as np

calls, threads = [], set()

def lengths(pairs):
    calls.append(len(pairs)); threads.add(threading.get_ident())
    return [len(resume) for resume, position in pairs]

def array(pairs):
    return np.array([len(resume) / 4 for resume, _ in pairs])

async def waits(pairs):
    await asyncio.sleep(0.001)
    return [len(resume) for resume, _ in pairs]

def odd(pairs):
    return [float("nan"), None, "good", True, np.float32(0.5)][:len(pairs)]

def short(pairs):
    return [1.0]

def generator(pairs):
    return (len(resume) for resume, _ in pairs)

def one_number(pairs):
    return 3.0

def picky(pairs):
    if any("bad" in resume for resume, _ in pairs):
        raise ValueError(f"can't read {pairs}")
    return [1.0] * len(pairs)

def leaves(pairs):
    raise SystemExit(3)

def hangs(pairs):
    time.sleep(30)

class Scorer:
    def __call__(self, pairs):
        return [2.0] * len(pairs)

scorer = Scorer()
number = 3
"""


@pytest.fixture
def module(tmp_path, monkeypatch):
    """Return the name of a module in the current folder."""
    name = f"scorer_{tmp_path.name}".replace("-", "_")
    (tmp_path / f"{name}.py").write_text(MODULE)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [*sys.path, str(tmp_path)])
    yield name
    sys.modules.pop(name, None)


async def given(spec, resumes, *, concurrency=4, patience=5.0):
    async with open_function(spec, concurrency=concurrency, timeout=patience) as scorer:
        asked = [scorer.answer(request(number, resume)) for number, resume in enumerate(resumes)]
        found = await asyncio.gather(*asked, return_exceptions=True)
    return [each.error_class if isinstance(each, Failure) else each.text for each in found]


@pytest.mark.parametrize(
    ("function", "expected"),
    [
        ("lengths", ["1", "2", "3", "4", "5"]),
        ("array", ["0.25", "0.5", "0.75", "1.0", "1.25"]),
        ("waits", ["1", "2", "3", "4", "5"]),
        ("generator", ["1", "2", "3", "4", "5"]),
        ("scorer", ["2.0"] * 5),
        ("odd", ["NaN", "null", "good", "true", "0.5"]),
    ],
)
async def test_pairs_go_in_and_numbers_come_out(module, function, expected):
    assert await given(f"python:{module}:{function}", ["a" * n for n in range(1, 6)], concurrency=5) == expected


async def test_pairs_are_gathered_and_scored_in_one_thread(module):
    await given(f"python:{module}:lengths", ["a"] * 10, concurrency=4)
    assert sys.modules[module].calls == [4, 4, 2]
    assert len(sys.modules[module].threads) == 1


@pytest.mark.parametrize(
    ("function", "expected"),
    [
        ("picky", ["1.0", "exception", "1.0", "1.0"]),
        ("short", ["wrong_length"] * 4),  # which number is whose can't be known
        ("one_number", ["wrong_length"] * 4),
        ("leaves", ["exception"] * 4),
    ],
)
async def test_where_a_function_fails_each_pair_has_its_own_status(module, function, expected):
    assert await given(f"python:{module}:{function}", ["a", "bad", "c", "d"]) == expected


async def test_what_a_function_says_of_a_resume_is_in_no_message(module):
    async with open_function(f"python:{module}:picky", concurrency=1, timeout=5) as scorer:
        with pytest.raises(Failure) as caught:
            await scorer.answer(request(resume="bad Jane"))
    assert "raised ValueError (scorer_" in str(caught.value)
    assert "Jane" not in str(caught.value)


async def test_a_function_that_hangs_ends_the_run(module):
    begun = time.monotonic()
    async with open_function(f"python:{module}:hangs", concurrency=1, timeout=0.2) as scorer:
        with pytest.raises(Failure) as caught:
            await scorer.answer(request())
    assert (caught.value.kind, caught.value.error_class) == ("fatal", "timeout")
    assert time.monotonic() - begun < 5


@pytest.mark.parametrize(
    ("spec", "told"),
    [
        ("python:", "names no function; expected python:module:function"),
        ("python:json", "names no function"),
        ("python:json:", "names no function"),
        ("python:a/b.py:f", "names no function"),
        ("python:no_such_module:f", "there is no module no_such_module, neither installed nor in the current folder"),
        ("python:json.nothing:f", "there is no module json.nothing"),
        ("python:json:nothing", "'nothing' does not exist in the module json"),
        ("python:MODULE:number", "'number' is not a function in the module"),
        ("python:broken:f", "importing broken raised SyntaxError"),
        ("python:lacking:f", "the module lacking needs not_installed, which is not installed"),
        ("python:leaving:f", "importing leaving raised SystemExit (leaving.py, line 1)"),
    ],
)
def test_a_function_that_is_not_there_is_told_in_one_line(module, tmp_path, spec, told):
    (tmp_path / "broken.py").write_text("def f(:\n")
    (tmp_path / "lacking.py").write_text("import not_installed\n")
    (tmp_path / "leaving.py").write_text("raise SystemExit\n")
    with pytest.raises(InputError) as caught:
        open_function(spec.replace("MODULE", module), concurrency=1, timeout=1)
    assert told in str(caught.value)
    assert "\n" not in str(caught.value)
