"""Processes that are killed or interrupted while they collect."""

import asyncio
import json
import os
import signal
import sys

import pytest

from evenhand.models.outcomes import read_answers
from loopback import Loopback, answer_to

pytestmark = pytest.mark.usefixtures("interrupts_are_heard")

PROMPTS = 150
CONCURRENCY = 4

RUN = """
import json, sys
from dataclasses import asdict
from pathlib import Path
import numpy as np
import polars as pl
from evenhand.models.collecting import Settings, collect
from evenhand.models.journal import Journal
from evenhand.results.result import RunLock
from evenhand.models.collecting import run
from evenhand.models.order import OrderedPrompts, planned
from evenhand.models.model import Generation
from evenhand.models.dialects import CHAT_COMPLETIONS
from evenhand.models.http import HttpModel

url, folder, prompts, concurrency = sys.argv[1], Path(sys.argv[2]), int(sys.argv[3]), int(sys.argv[4])

def stimuli(indices):
    return pl.DataFrame({"index": indices, "prompt": [f"ask {index}" for index in indices.tolist()]})

async def main():
    plan = planned(np.arange(prompts), stimuli=stimuli,
                   asked=OrderedPrompts(probe="p", version="1", model="openai:m", generation=Generation(), seed=0),
                   order_seed=0)
    async with HttpModel("m", dialect=CHAT_COMPLETIONS, base_urls=[url], concurrency=concurrency) as model:
        with RunLock(folder), Journal(folder) as journal:
            known = journal.answered(retry_errors=True)
            return await collect(model, plan, journal, Settings(concurrency=concurrency), answered=known)

print(json.dumps(asdict(run(main()))))
"""


async def start(url, folder):
    arguments = [url, str(folder), str(PROMPTS), str(CONCURRENCY)]
    return await asyncio.create_subprocess_exec(sys.executable, "-c", RUN, *arguments, stdout=asyncio.subprocess.PIPE)


async def answered_more_than(server, process, count):
    while sum(server.answered.values()) < count:
        assert process.returncode is None
        await asyncio.sleep(0.002)


def prompts_in(folder):
    return {f"ask {row['index']}": row["text"] for frame in read_answers(folder) for row in frame.iter_rows(named=True)}


async def test_kill_9_loses_nothing_that_was_answered_and_asks_nothing_twice(tmp_path):
    async with Loopback(delay=0.003) as server:
        process = await start(server.url, tmp_path)
        await answered_more_than(server, process, 60)
        process.send_signal(signal.SIGKILL)
        await process.wait()
        asked = dict(server.asked)
        kept = prompts_in(tmp_path)
        # What the server answered is in the journal, but for the requests then under way.
        assert len(set(server.answered) - set(kept)) <= CONCURRENCY
        process = await start(server.url, tmp_path)
        output, _ = await process.communicate()
    done = json.loads(output)
    assert (done["stopped"], done["skipped"], done["answered"]) == (None, len(kept), PROMPTS - len(kept))
    assert prompts_in(tmp_path) == {prompt: answer_to(prompt) for prompt in (f"ask {n}" for n in range(PROMPTS))}
    assert all(server.asked[prompt] == asked[prompt] for prompt in kept)
    assert sum(server.asked.values()) <= PROMPTS + CONCURRENCY


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
async def test_an_interrupted_run_keeps_the_requests_under_way(tmp_path, plan, gather, number):
    before = signal.getsignal(number)
    async with Loopback(delay=0.02) as server:
        task = asyncio.ensure_future(gather(server.url, plan(range(PROMPTS))))
        await server.asked_for(20)
        os.kill(os.getpid(), number)
        done = await task
    assert done.stopped == "interrupted"
    assert done.answered == done.asked < PROMPTS
    assert set(prompts_in(tmp_path)) == set(server.asked)
    assert signal.getsignal(number) == before


async def test_a_second_interrupt_does_not_wait_for_answers(tmp_path, plan, gather):
    async with Loopback(then="slow:60") as server:
        task = asyncio.ensure_future(gather(server.url, plan(range(PROMPTS)), patience=120, grace=60.0))
        await server.asked_for(CONCURRENCY)
        os.kill(os.getpid(), signal.SIGINT)
        await asyncio.sleep(0.05)
        assert not task.done()
        os.kill(os.getpid(), signal.SIGINT)
        done = await asyncio.wait_for(task, 5)
    assert done.stopped == "interrupted"
    assert prompts_in(tmp_path) == {}
