"""A process that is killed while the provider is at work: the next one goes on, and nothing is paid twice."""

import asyncio
import os
import signal
import subprocess
import sys

import pytest
from _batch_run import PROMPTS, all_answered, each_paid_once

from evenhand.models.batch_log import BatchLog
from evenhand.models.limits import Patience
from evenhand.results.result import RunLock

#: Imports once what a run takes, then is a run of its own for each line that it reads.
RUNS = """
import os
import sys
from pathlib import Path
import numpy as np
import polars as pl
from evenhand.models.batch_log import BatchLog
from evenhand.models.batches import BatchSettings, collect_batches
from evenhand.models.journal import Journal
from evenhand.models.limits import Patience
from evenhand.results.result import RunLock
from evenhand.models.collecting import run
from evenhand.models.order import OrderedPrompts, planned
from evenhand.models.model import Generation
from evenhand.models.batch_apis import batches_of
from evenhand.models.dialects import DIALECTS
from evenhand.models.http import HttpModel

def stimuli(indices):
    return pl.DataFrame({"index": indices, "prompt": [f"ask {index}" for index in indices.tolist()]})

async def main(kind, url, folder, prompts):
    plan = planned(np.arange(int(prompts)), stimuli=stimuli,
                   asked=OrderedPrompts(probe="p", version="1", model="openai:m", generation=Generation(), seed=0),
                   order_seed=0)
    model = HttpModel("m", dialect=DIALECTS[kind], base_urls=[url])
    patience = Patience(first=0.01, longest=0.05, settled=0.5)
    async with model, batches_of(model) as service:
        service.most_requests = 5
        with RunLock(Path(folder)), Journal(Path(folder)) as journal:
            known = journal.answered(retry_errors=True)
            return await collect_batches(
                model, service, plan, journal, BatchSettings(at_once=2, patience=patience), answered=known
            )

for line in sys.stdin:
    process = os.fork()
    if not process:
        run(main(*line.rstrip("\\n").split("\\t")))
        os._exit(0)
    print(process, flush=True)
    print(os.waitstatus_to_exitcode(os.waitpid(process, 0)[1]), flush=True)
"""


@pytest.fixture(scope="module")
def runs():
    pipe = subprocess.PIPE
    with subprocess.Popen([sys.executable, "-c", RUNS], stdin=pipe, stdout=pipe, text=True, bufsize=1) as process:
        yield process
        process.stdin.close()


#: Requests at which the process is killed while the server is still at work on them.
POINTS = {
    "openai": [
        "POST /v1/files",
        "POST /v1/batches",
        "GET /v1/batches/batch_0",
        "GET /v1/batches/batch_1",
        "GET /v1/files/output_file_id-batch_0/content",
    ],
    "anthropic": [
        "POST /v1/messages/batches",
        "GET /v1/messages/batches/batch_0",
        "GET /v1/messages/batches/batch_1",
        "GET /v1/messages/batches/batch_0/results",
    ],
}


@pytest.mark.parametrize(("kind", "point"), [(name, point) for name, points in POINTS.items() for point in points])
@pytest.mark.parametrize("goes_on", [True, False], ids=["server goes on", "server forgets"])
async def test_after_kill_9_nothing_is_paid_twice(tmp_path, runs, provider, ask, kind, *, point, goes_on):
    # Held requests of a client that is gone are worked off by the one kind of server and dropped by the other.
    provider.hold = {point.partition(" ")[2]}
    print(kind, provider.url, tmp_path, PROMPTS, sep="\t", file=runs.stdin)
    process = int(runs.stdout.readline())
    await provider.asked_for(point)
    os.kill(process, signal.SIGKILL)
    assert int(runs.stdout.readline()) == -signal.SIGKILL
    provider.hold = set()
    if goes_on:
        provider.release.set()
        await asyncio.sleep(0.05)
        assert sum(provider.paid.values()) > 1 or point == "POST /v1/files"
    else:
        provider.down = True
        provider.release.set()
        await asyncio.sleep(0.05)
        provider.down = False
    with RunLock(tmp_path):
        done = await ask(most=5, at_once=2, patience=Patience(first=0.01, longest=0.05, settled=0.5))
    assert done.stopped is None
    assert each_paid_once(provider)
    assert all_answered(tmp_path)
    assert not BatchLog(tmp_path).open
