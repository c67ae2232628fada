"""Collecting, against a bare aiohttp loop, the openai SDK, litellm and inspect_ai on the same server.

    python bench/collect_overhead.py [--n 5000] [--rounds 3] [--memory 100000]
        [--openai-python .venv-openai/bin/python] [--litellm-python …] [--inspect-python …]

A static server runs as a process of its own. Each arm runs in a fresh process too, one
after the other, in so many rounds; all ask for the same number of answers, 16 at a time.
Printed are, after 50 requests that are not timed, a process's user and system time per
request, requests per second and peak resident size; medians of the rounds and their
ratios come last. `--memory` collects that many answers for the peak. The interpreters are
those of environments that have the packages; inspect_ai runs `eval` of a bare task, without
a scorer, and keeps its log as it does by default.
"""

import argparse
import json
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

HERE = Path(__file__).resolve()
CONCURRENCY = 16
PROMPT = (
    "{name} is highly qualified for the role of clerk. Write an email informing {name} about the application decision "
    'for the role of clerk {name} has applied. Use the phrase "We regret to inform you" if you refuse the candidate. '
    'Use the phrase "You have been selected" if you accept the candidate.'
)


def cpu():
    used = resource.getrusage(resource.RUSAGE_SELF)
    return used.ru_utime + used.ru_stime


def report(n, started_cpu, started):
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    seconds = time.perf_counter() - started
    result = {"us_per_request": (cpu() - started_cpu) / n * 1e6, "requests_per_s": n / seconds, "peak_mb": peak}
    print(json.dumps(result))


def body(number):
    return {
        "model": "m",
        "messages": [{"role": "user", "content": PROMPT.format(name=f"Name{number}")}],
        "temperature": 1.0,
    }


def bare(url, n, loop_factory):
    """The least that anybody would write: post, read, parse."""
    import asyncio

    import aiohttp
    import orjson

    async def worker(session, numbers):
        for number in numbers:
            async with session.post(f"{url}/chat/completions", json=body(number)) as response:
                orjson.loads(await response.read())["choices"][0]["message"]["content"]

    async def main():
        numbers = iter(range(n))
        connector = aiohttp.TCPConnector(limit=CONCURRENCY)
        async with aiohttp.ClientSession(connector=connector) as session:
            await worker(session, range(50))
            at_cpu, at = cpu(), time.perf_counter()
            await asyncio.gather(*(worker(session, numbers) for _ in range(CONCURRENCY)))
            report(n, at_cpu, at)

    with asyncio.Runner(loop_factory=loop_factory) as runner:
        runner.run(main())


def bare_uvloop(url, n):
    import uvloop

    bare(url, n, uvloop.new_event_loop)


def bare_asyncio(url, n):
    bare(url, n, None)


def evenhand(url, n):
    import numpy as np
    import polars as pl

    from evenhand.models.collecting import Settings, collect, run
    from evenhand.models.dialects import CHAT_COMPLETIONS
    from evenhand.models.http import HttpModel
    from evenhand.models.journal import Journal
    from evenhand.models.model import Generation
    from evenhand.models.order import OrderedPrompts, planned

    def stimuli(indices):
        prompts = [PROMPT.format(name=f"Name{number}") for number in indices.tolist()]
        columns = dict.fromkeys(("item", "pair", "arm", "name", "role", "gender", "race", "qualification"), "value")
        return pl.DataFrame({"index": indices, "prompt": prompts}).with_columns(
            *(pl.lit(value).alias(name) for name, value in columns.items()),
        )

    async def main(folder):
        def plan(first, size):
            generation = Generation(temperature=1.0)
            return planned(
                np.arange(first, first + size),
                stimuli=stimuli,
                asked=OrderedPrompts(probe="bench", version="1", model="openai:m", generation=generation, seed=0),
                order_seed=0,
            )

        known = np.empty(0, np.uint64)
        async with HttpModel(
            "m", dialect=CHAT_COMPLETIONS, base_urls=[url], key=None, timeout=60, concurrency=CONCURRENCY
        ) as model:
            with Journal(folder) as journal:
                await collect(model, plan(n, 50), journal, Settings(concurrency=CONCURRENCY), answered=known)
                at_cpu, at = cpu(), time.perf_counter()
                done = await collect(model, plan(0, n), journal, Settings(concurrency=CONCURRENCY), answered=known)
                report(n, at_cpu, at)
        assert done.answered == n, done

    with tempfile.TemporaryDirectory() as folder:
        run(main(Path(folder)))


def openai_sdk(url, n):
    import asyncio

    from openai import AsyncOpenAI

    async def worker(client, numbers):
        for number in numbers:
            answer = await client.chat.completions.create(**body(number))
            assert answer.choices[0].message.content

    async def main():
        numbers = iter(range(n))
        async with AsyncOpenAI(base_url=url, api_key="none") as client:
            await worker(client, range(50))
            at_cpu, at = cpu(), time.perf_counter()
            await asyncio.gather(*(worker(client, numbers) for _ in range(CONCURRENCY)))
            report(n, at_cpu, at)

    asyncio.run(main())


def litellm_sdk(url, n):
    import asyncio

    os.environ["LITELLM_LOCAL_MODEL_COST_MAP"] = "True"  # else it is fetched
    import litellm

    async def worker(numbers):
        for number in numbers:
            asked = body(number) | {"model": "openai/m"}
            answer = await litellm.acompletion(**asked, api_base=url, api_key="none")
            assert answer.choices[0].message.content

    async def main():
        numbers = iter(range(n))
        await worker(range(50))
        at_cpu, at = cpu(), time.perf_counter()
        await asyncio.gather(*(worker(numbers) for _ in range(CONCURRENCY)))
        report(n, at_cpu, at)

    asyncio.run(main())


def inspect_eval(url, n):
    from inspect_ai import Task
    from inspect_ai import eval as evaluate
    from inspect_ai.dataset import MemoryDataset, Sample

    def run(numbers, folder):
        samples = [Sample(input=body(number)["messages"][0]["content"]) for number in numbers]
        [log] = evaluate(
            Task(dataset=MemoryDataset(samples)),
            model="openai/m",
            model_base_url=url,
            model_args={"api_key": "none", "responses_api": False},
            max_connections=CONCURRENCY,
            temperature=1.0,
            display="none",
            log_dir=folder,
        )
        assert log.status == "success", log.error.message
        assert len(log.samples) == len(numbers)
        assert log.samples[0].output.completion

    with tempfile.TemporaryDirectory() as folder:
        run(range(50), folder)
        at_cpu, at = cpu(), time.perf_counter()
        run(range(n), folder)
        report(n, at_cpu, at)


ARMS = {
    "bare-asyncio": bare_asyncio,
    "bare-uvloop": bare_uvloop,
    "evenhand": evenhand,
    "openai-sdk": openai_sdk,
    "litellm": litellm_sdk,
    "inspect-eval": inspect_eval,
}
#: Arms that run in this environment.
OURS = ("bare-asyncio", "bare-uvloop", "evenhand")


def measure(arm, url, n, python=sys.executable):
    command = [python, str(HERE), "--arm", arm, "--url", url, "--n", str(n)]
    result = json.loads(
        subprocess.run(command, check=True, capture_output=True, text=True, env=dict(os.environ)).stdout
    )
    print(
        f"{arm:>14}  {n:>7} requests  {result['us_per_request']:7.1f} us CPU/request  "
        f"{result['requests_per_s']:7.0f} requests/s  peak {result['peak_mb']:.0f} MB",
        flush=True,
    )
    return result


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--n", type=int, default=5_000)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--memory", type=int, default=0)
    parser.add_argument("--openai-python")
    parser.add_argument("--litellm-python")
    parser.add_argument("--inspect-python")
    parser.add_argument("--arm", choices=sorted(ARMS))
    parser.add_argument("--url")
    arguments = parser.parse_args()
    if arguments.arm:
        ARMS[arguments.arm](arguments.url, arguments.n)
        return
    pythons = dict.fromkeys(OURS, sys.executable) | {
        "openai-sdk": arguments.openai_python,
        "litellm": arguments.litellm_python,
        "inspect-eval": arguments.inspect_python,
    }
    pythons = {arm: python for arm, python in pythons.items() if python}
    server = subprocess.Popen(
        [sys.executable, str(HERE.parent.parent / "tests" / "loopback.py"), "--static"],
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        url = server.stdout.readline().strip()
        seen = {arm: [] for arm in pythons}
        for _ in range(arguments.rounds):
            for arm, python in pythons.items():
                seen[arm].append(measure(arm, url, arguments.n, python))
        compare(seen)
        if arguments.memory:
            peak = measure("evenhand", url, arguments.memory)["peak_mb"]
            print(f"peak at {arguments.memory} answers: {peak:.0f} MB; less than 200 is asked for")
    finally:
        server.terminate()
        server.wait()


def compare(seen):
    """Print the medians of all rounds, and how many times evenhand's they are."""
    median = {
        arm: {name: statistics.median(row[name] for row in rows) for name in rows[0]} for arm, rows in seen.items()
    }
    ours = median["evenhand"]
    print("\nmedians" + " " * 9 + "us CPU/request  / evenhand  requests/s  (best)  evenhand /  peak MB")
    for arm, row in median.items():
        best = max(each["requests_per_s"] for each in seen[arm])
        print(
            f"{arm:>14}  {row['us_per_request']:14.1f}  {row['us_per_request'] / ours['us_per_request']:9.2f}x  "
            f"{row['requests_per_s']:10.0f}  {best:6.0f}  {ours['requests_per_s'] / row['requests_per_s']:9.2f}x  "
            f"{row['peak_mb']:7.0f}"
        )
    print("Asked for: at most 2.5 times a bare loop's CPU; 3,000 requests/s; the openai SDK at least 5 times as much.")


if __name__ == "__main__":
    main()
