"""A provider of models in virtual time: it has limits, refuses what is above them, and keeps count."""

import random
from collections import Counter

from evenhand.models.model import Answer, Failure, ReportedLimit


class Bucket:
    """So many requests a second, and so many saved up; `tells` what is left, as OpenAI and Anthropic do."""

    def __init__(self, rate, size, *, tells=False):
        self.rate, self.size, self.tells = rate, size, tells
        self.level, self.at = size, 0.0

    def takes(self, now, _under_way):
        self.level = min(self.size, self.level + (now - self.at) * self.rate)
        self.at = now
        if self.level < 1:
            return False
        self.level -= 1
        return True

    def told(self, _now):
        if not self.tells:
            return ()
        reset = (self.size - self.level) / self.rate
        return (ReportedLimit(kind="requests", remaining=float(int(self.level)), reset=reset, limit=self.size),)


class EachMinute(Bucket):
    """So many requests in each minute of the clock; what is left is told with the minute's end."""

    def __init__(self, size, *, tells=False):
        super().__init__(0.0, size, tells=tells)
        self.minute = 0

    def takes(self, now, _under_way):
        if now // 60 != self.minute:
            self.minute, self.level = now // 60, self.size
        taken = self.level > 0
        self.level -= taken
        return taken

    def told(self, now):
        if not self.tells:
            return ()
        return (ReportedLimit(kind="requests", remaining=self.level, reset=60 - now % 60, limit=self.size),)


class AtOnce:
    """So many requests under way."""

    def __init__(self, most):
        self.most = most

    def takes(self, _now, under_way):
        return under_way < self.most

    def told(self, _now):
        return ()


class Sporadic(AtOnce):
    """Refuses a share of all requests, however few there are."""

    def __init__(self, share, seed=0):
        self.share, self.random = share, random.Random(seed)

    def takes(self, _now, _under_way):
        return self.random.random() >= self.share


class Provider:
    """Answers by `limit`, which may be replaced while time passes; several models may share it."""

    name = "openai:m"
    simulated = False

    def __init__(self, time, limit, *, latency=0.3, refusal=0.02, retry_after=None, spread=0.0):
        self.time, self.limit, self.latency, self.refusal, self.retry_after = time, limit, latency, refusal, retry_after
        self.random = random.Random(1)
        self.spread = spread
        self.under_way = self.open = self.most_open = 0
        self.arrivals, self.refusals = [], []
        self.answered = Counter()
        self.not_before = {}
        self.too_early = 0

    async def answer(self, request):
        now, prompt = self.time.clock(), request.id
        self.arrivals.append(now)
        self.too_early += now < self.not_before.get(prompt, 0.0) - 1e-9
        self.open += 1
        self.most_open = max(self.most_open, self.open)
        try:
            return await self._answer(now, prompt)
        finally:
            self.open -= 1

    async def _answer(self, now, prompt):
        if not self.limit.takes(now, self.under_way):
            told = self.limit.told(now)
            self.refusals.append(now)
            await self.time.sleep(self.refusal)
            if self.retry_after is not None:
                self.not_before[prompt] = self.time.clock() + self.retry_after
            raise Failure("retry", "rate_limit", "busy", retry_after=self.retry_after, limits=told)
        told = self.limit.told(now)
        self.under_way += 1
        try:
            await self.time.sleep(self.latency * self.random.lognormvariate(0, self.spread))
        finally:
            self.under_way -= 1
        self.answered[prompt] += 1
        return Answer(text="yes", finish_reason="stop", input_tokens=100, output_tokens=50, limits=told)
