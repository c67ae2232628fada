"""What the dashboards take under load: 50 requests a second for 30 seconds, over two years of 50 models.

    python bench/dashboards.py [--models 50] [--days 730] [--rate 50] [--seconds 30]

Each request is for a view of the next model, so none is like one before it until all models were asked for, and the
server keeps no answers. A request begins when it is due, whether or not those before it were answered; its time counts
from then. The server and this client share the machine.
"""

import argparse
import asyncio
import os
import re
import subprocess
import sys
import tempfile
import time
from datetime import date
from pathlib import Path
from urllib.parse import quote

import httpx
import numpy as np
import polars as pl

from evenhand.analyses.monitor import check
from evenhand.analyses.monitor_record import record
from evenhand.analyses.options.monitoring import CheckOptions, RecordOptions

BUDGET_MS = 200
#: Judgements of a model on a day.
A_DAY = 24
VIEWS = (
    "/",
    "/monitoring?model={}",
    "/diversity?model={}&attribute=gender",
    "/monitoring?model={}&days=all",
    "/diversity?model={}&attribute=gender&by=month",
    "/audits",
    "/monitoring?model={}&format=csv",
)


def quiet(_):
    pass


def judged(number, days):
    """Return the judgements of a model: scores, decisions, groups, seconds."""
    rng = np.random.default_rng(number)
    n = days * A_DAY
    gender = rng.choice(["female", "male"], n)
    score = rng.beta(2 + number % 3, 3, n)
    at = np.datetime64("2024-01-01T08:00:00", "ms") + np.arange(n) // A_DAY * np.timedelta64(1, "D")
    return pl.DataFrame(
        {
            "time": at + rng.integers(0, 30_000_000, n).astype("m8[ms]"),
            "gender": gender,
            "score": score,
            "selected": np.where(score > 0.5, "yes", "no"),
            "seconds": rng.gamma(2, 0.4, n),
        }
    )


def history(store, models, days):
    for number in range(models):
        options = RecordOptions(
            store=store,
            model=f"model {number:02}",
            time="time",
            time_zone="UTC",
            score="score",
            selected="selected",
            latency="seconds",
            protected=("gender",),
        )
        record(judged(number, days), options, notice=quiet)
    check(CheckOptions(store=store, as_of=date.fromordinal(date(2024, 1, 1).toordinal() + days - 1)), notice=quiet)


async def asked(address, views, rate, seconds):
    """Return how long each request took, in milliseconds, and how many failed."""
    took, failed = [], 0
    # Connections are given up before the server does it, after ten idle seconds.
    limits = httpx.Limits(max_connections=100, max_keepalive_connections=100, keepalive_expiry=2)
    async with httpx.AsyncClient(base_url=address, timeout=30, limits=limits) as http:

        async def one(due, view):
            nonlocal failed
            await asyncio.sleep(max(due - time.perf_counter(), 0))
            got = await http.get(view)
            took.append((time.perf_counter() - due) * 1000)
            failed += got.status_code != 200 or "Refresh" in got.headers

        start = time.perf_counter() + 0.1
        await asyncio.gather(*(one(start + n / rate, views[n % len(views)]) for n in range(rate * seconds)))
    return np.array(took), failed


def main():
    parser = argparse.ArgumentParser()
    for name, default in (("models", 50), ("days", 730), ("rate", 50), ("seconds", 30)):
        parser.add_argument(f"--{name}", type=int, default=default)
    parser.add_argument("--store", help="a store to keep, and to use again where it is there")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        store = given.store or str(Path(folder) / "history.db")
        if not Path(store).exists():
            began = time.perf_counter()
            history(store, given.models, given.days)
            print(f"{given.models} models of {given.days} days recorded in {time.perf_counter() - began:.0f} s")
        (Path(folder) / "runs").mkdir()
        command = [
            sys.executable,
            "-m",
            "evenhand",
            "serve",
            "--store",
            store,
            "--runs",
            f"{folder}/runs",
            "--port",
            "0",
        ]
        server = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
        try:
            address = re.search(r"http://\S+", server.stderr.readline())[0]
            names = [quote(f"model {number:02}") for number in range(given.models)]
            began = time.perf_counter()
            for name in names:
                while "Refresh" in httpx.get(f"{address}/diversity?model={name}", timeout=30).headers:
                    pass
            print(f"pages of all models ready after {time.perf_counter() - began:.1f} s")
            views = [view.format(name) for name in names for view in VIEWS]
            load = os.getloadavg()[0]
            took, failed = asyncio.run(asked(address, views, given.rate, given.seconds))
            cpu = sum(map(float, Path(f"/proc/{server.pid}/stat").read_text().split()[13:15])) / os.sysconf(
                "SC_CLK_TCK"
            )
        finally:
            ended = server.poll()
            server.terminate()
            server.wait()
            if ended is not None:
                print(f"The server ended with {ended}: {server.stderr.read()}")
    quantiles = {p: float(np.percentile(took, p)) for p in (50, 95, 99)}
    told = ", ".join(f"p{p} {value:.0f} ms" for p, value in quantiles.items())
    print(f"{took.size} requests at {given.rate} a second: {told}; {failed} failed; load before {load:.1f}; ")
    print(f"CPU seconds of the server in all {cpu:.1f}")
    return 0 if quantiles[95] < BUDGET_MS and not failed else 1


if __name__ == "__main__":
    sys.exit(main())
