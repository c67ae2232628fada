"""A plan, a model and a journal as small as they can be."""

import signal
import sys
from datetime import UTC, datetime
from pathlib import Path

import numpy as np
import polars as pl
import pytest

from evenhand.models.collecting import Settings, collect
from evenhand.models.dialects import CHAT_COMPLETIONS
from evenhand.models.http import HttpModel
from evenhand.models.journal import Journal
from evenhand.models.limits import Backoff
from evenhand.models.model import Generation
from evenhand.models.order import OrderedPrompts, planned

sys.path.insert(0, str(Path(__file__).parent))

QUICK = Backoff(first=0.005, longest=0.02, longest_named=60.0)


@pytest.fixture
def plan():
    """Return a function that plans prompts 'ask 0', 'ask 1', … in the order given."""

    def make(indices, *, template="ask {}", **options):
        def stimuli(wanted):
            return pl.DataFrame({"index": wanted, "prompt": [template.format(index) for index in wanted.tolist()]})

        same = {"probe": "p", "version": "1", "model": "openai:m", "generation": Generation(), "seed": 0}
        asked = OrderedPrompts(**{name: options.pop(name, value) for name, value in same.items()})
        options = {"order_seed": 0} | options
        return planned(np.array(list(indices), dtype=np.int64), stimuli=stimuli, asked=asked, **options)

    return make


@pytest.fixture
def line():
    """Return a function that makes a journal line."""

    def make(number, **changes):
        return {
            "id": f"{number:016x}",
            "index": number,
            "attempt": 0,
            "sent_order": number,
            "text": f"text {number}",
            "finish_reason": "stop",
            "returned_model": "m",
            "input_tokens": 1,
            "output_tokens": 2,
            "latency": 0.5,
            "retries": 0,
            "error_class": None,
            "time": datetime(2025, 1, 2, 3, 4, 5, tzinfo=UTC),
        } | changes

    return make


@pytest.fixture
def gather(tmp_path):
    """Return a function that collects a plan from a URL into one folder, resuming what is there."""

    async def run(url, chunks, *, concurrency=4, patience=5.0, retry_errors=True, **options):
        async with HttpModel(
            "m", dialect=CHAT_COMPLETIONS, base_urls=[url], key=None, timeout=patience, concurrency=concurrency
        ) as model:
            with Journal(tmp_path) as journal:
                known = journal.answered(retry_errors=retry_errors)
                settings = {"backoff": QUICK, "grace": 1.0} | options
                return await collect(
                    model, chunks, journal, Settings(concurrency=concurrency, **settings), answered=known
                )

    return run


@pytest.fixture
def interrupts_are_heard():
    """Hear SIGINT also where the tests run in the background of a shell, which has it ignored."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)
