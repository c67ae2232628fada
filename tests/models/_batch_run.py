"""What tests of batches share: a plan of a dozen prompts, and what a provider and a run folder hold afterwards."""

import asyncio
import json

from _kept import rows

from evenhand.models.limits import Patience
from loopback import answer_to

PROMPTS = 12


QUICK = Patience(first=0.005, longest=0.02, tries=6, settled=0.0)


PATIENT = Patience(first=0.005, longest=0.02, tries=200, settled=0.0)


def states(folder):
    return [json.loads(line)["state"] for line in (folder / "batches.jsonl").read_text().splitlines()]


def all_answered(folder, count=PROMPTS):
    return {f"ask {row['index']}": row["text"] for row in rows(folder)} == {
        f"ask {number}": answer_to(f"ask {number}") for number in range(count)
    }


def each_paid_once(provider, count=PROMPTS):
    return provider.paid == dict.fromkeys((f"ask {number}" for number in range(count)), 1)


async def until(condition):
    while not condition():  # noqa: ASYNC110 - conditions are many and short
        await asyncio.sleep(0.002)
