"""Twice as much of one thing takes twice the time: nobody's answer or table keeps a reader busy for hours."""

import gc
import time
from collections.abc import Callable
from contextlib import suppress
from math import inf

import pytest

from evenhand.data.table_shapes import Layout, table_shape
from evenhand.errors import EvenhandError
from evenhand.masking.documents.request import Request
from evenhand.masking.documents.text import masked_plain
from evenhand.masking.mask import mask_text
from evenhand.masking.people import Person
from evenhand.masking.pronouns import OPTIONAL, MaskOptions
from evenhand.models.model import Failure
from evenhand.synthetic.templates import template_of
from hostile.patterns import PATTERNS, repeated
from hostile.readers import ANSWERS, FILES, OPTIONS, REPLIES

#: Characters of the longer text, the shorter is half of it. Options come from a command line, which is short.
LONG, LONG_OPTION, LONG_RESUME = 50_000, 6_000, 5_000
#: An eighth shows growth, and no reader cuts so little off; what shows in the whole only, `make test-slow` looks for.
PARTS = [8, pytest.param(1, marks=pytest.mark.slow)]
#: Linear time doubles; what a reader looks at only once costs less, and memory that is not in the cache more.
MOST = 2.6
#: Seconds below which a clock tells nothing of growth.
FLOOR = 0.02
TIMES = 3
#: DuckDB takes seconds for each thousand columns, and threads of its own; tomllib is not linear in dotted keys.
ELSEWHERE = {"CSV, counted", "templates, TOML", "prices"}
SLOW = {"dated judgements"}
READERS_OF_FILES = [
    pytest.param(name, marks=pytest.mark.slow) if name in SLOW else name for name in FILES if name not in ELSEWHERE
]


def seconds(read: Callable[[str], object], text: str) -> float:
    """Return the CPU time of one reading, whether or not it was refused."""
    gc.disable()
    start = time.process_time()
    with suppress(EvenhandError, Failure):
        read(text)
    taken = time.process_time() - start
    gc.enable()
    return taken


def growth(read: Callable[[str], object], pattern: str, size: int) -> float:
    """Return how many times longer the longer text takes: the best of three, or the first that is not too much."""
    long, short = repeated(pattern, size), repeated(pattern, size // 2)
    least = inf
    for _ in range(TIMES):
        # Side by side, since a machine that others use is fast and slow by turns.
        taken, half = seconds(read, long), seconds(read, short)
        least = min(least, taken / half) if taken > FLOOR else 0.0
        if least <= MOST:
            break
    return least


def superlinear(read: Callable[[str], object], size: int = LONG) -> dict[str, float]:
    """Return the patterns that a reader takes more than twice the time for, with how many times it is."""
    # What is read for the first time is compiled.
    seconds(read, "Dear Emily,")
    found = {}
    for name, pattern in PATTERNS.items():
        long = seconds(read, repeated(pattern, size))
        if long <= FLOOR or long <= MOST * seconds(read, repeated(pattern, size // 2)):
            continue
        # Another algorithm from some size on is a step, not growth: both doublings have to show it.
        if growth(read, pattern, size) > MOST and (again := growth(read, pattern, 2 * size)) > MOST:
            found[name] = round(again, 1)
    return found


@pytest.mark.parametrize("part", PARTS)
@pytest.mark.parametrize("reader", ANSWERS)
def test_reading_an_answer_takes_linear_time(reader, part):
    assert superlinear(ANSWERS[reader], LONG // part) == {}


@pytest.mark.parametrize("reader", REPLIES)
def test_reading_a_servers_reply_takes_linear_time(reader):
    assert superlinear(lambda text: REPLIES[reader](text.encode())) == {}


@pytest.mark.parametrize("part", PARTS)
@pytest.mark.parametrize("reader", OPTIONS)
def test_reading_an_option_takes_linear_time(reader, part):
    assert superlinear(OPTIONS[reader], LONG_OPTION // part) == {}


@pytest.mark.parametrize("part", PARTS)
@pytest.mark.parametrize("reader", READERS_OF_FILES)
def test_reading_a_file_takes_linear_time(tmp_path, reader, part):
    ending, read = FILES[reader]

    def written(text: str) -> object:
        (tmp_path / f"file{ending}").write_bytes(text.encode())
        return read(tmp_path / f"file{ending}")

    assert superlinear(written, LONG // part) == {}


def test_looking_for_footnotes_takes_linear_time():
    def looked(text: str) -> object:
        return table_shape([["sex", "hired"], ["f", "1"], [text, "0"]], None, Layout(), source="a.csv")

    assert superlinear(looked) == {}


@pytest.mark.parametrize("known_names", [[], ["Jane Doe"]])
def test_masking_takes_linear_time(known_names):
    every = MaskOptions(optional=tuple(OPTIONAL))
    assert superlinear(lambda text: mask_text(text, known_names=known_names, options=every), LONG_RESUME) == {}


def test_masking_a_text_below_a_name_takes_linear_time():
    request = Request(options=MaskOptions(optional=tuple(OPTIONAL)), known_names=("Jane Doe",))
    assert superlinear(lambda text: masked_plain(f"Jane Doe\n{text}".encode(), request), LONG_RESUME) == {}


def test_making_a_template_takes_linear_time():
    def made(text: str) -> object:
        return template_of(Person(id="1", text=f"Jane Doe\n{text}", known_names=("Jane Doe",)))

    assert superlinear(made, LONG_RESUME) == {}
