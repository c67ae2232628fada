"""A provider of batches on this machine, and a function that asks it."""

import pytest
from _batch_run import PROMPTS, QUICK

from evenhand.models.batch_apis import batches_of
from evenhand.models.batches import BatchSettings, collect_batches
from evenhand.models.dialects import DIALECTS
from evenhand.models.http import HttpModel
from evenhand.models.journal import Journal
from loopback_batches import Provider


@pytest.fixture(params=DIALECTS)
def kind(request):
    return request.param


@pytest.fixture
async def provider():
    async with Provider() as server:
        yield server


@pytest.fixture
def ask(tmp_path, plan, kind, provider):
    """Return a function that asks a plan by batches in one folder, resuming what is there."""

    async def run(chunks=None, *, retry_errors=True, key=None, most=None, tell=None, told=None, **options):
        chunks = plan(range(PROMPTS)) if chunks is None else chunks
        model = HttpModel("m", dialect=DIALECTS[kind], base_urls=[provider.url], key=key, timeout=5)
        async with model, batches_of(model) as service:
            if told is not None:
                model.told_to(told.append)
            if most is not None:
                service.most_requests = most
            with Journal(tmp_path) as journal:
                known = journal.answered(retry_errors=retry_errors)
                settings = {"patience": QUICK, "grace": 1.0} | options
                settings = BatchSettings(notice=tell, **settings)
                return await collect_batches(model, service, chunks, journal, settings, answered=known)

    return run
