"""Time that passes only while everybody sleeps, and a model that answers in it."""

import asyncio
import heapq
from contextlib import asynccontextmanager
from itertools import count

from evenhand.models.model import Answer, Failure


class VirtualTime:
    """A clock and a sleep for one event loop; hours pass in milliseconds."""

    def __init__(self, start=0.0):
        self.now = start
        self._waiting = []
        self._order = count()

    def clock(self):
        return self.now

    async def sleep(self, seconds):
        done = asyncio.get_running_loop().create_future()
        heapq.heappush(self._waiting, (self.now + seconds, next(self._order), done))
        await done

    @asynccontextmanager
    async def passing(self):
        """Let time pass inside this block."""
        pump = asyncio.ensure_future(self._pump())
        try:
            yield self
        finally:
            pump.cancel()

    async def _pump(self):
        while True:
            for _ in range(20):  # everybody who can go on does
                await asyncio.sleep(0)
            if self._waiting:
                self.now, _, done = heapq.heappop(self._waiting)
                if not done.done():
                    done.set_result(None)


class TimedModel:
    """Answers after `latency` virtual seconds, and notes when it was asked what."""

    name = "openai:m"
    simulated = False

    def __init__(self, time, *, latency=1.0, usage=(100, 50), faults=(), output=None):
        self.time = time
        self.latency = latency
        self.usage = usage
        self.faults = list(faults)
        self.output = output
        self.sent = []
        self.at_once = self.most_at_once = 0

    async def answer(self, request):
        number = len(self.sent)
        self.sent.append((self.time.clock(), request.messages[0]["content"]))
        self.at_once += 1
        self.most_at_once = max(self.most_at_once, self.at_once)
        try:
            await self.time.sleep(self.latency)
        finally:
            self.at_once -= 1
        if number < len(self.faults) and self.faults[number]:
            raise Failure("retry", self.faults[number], "busy")
        used, made = self.usage if self.usage is not None else (None, None)
        if self.output is not None:
            made = self.output(number)
        return Answer(text="yes", finish_reason="stop", input_tokens=used, output_tokens=made)
