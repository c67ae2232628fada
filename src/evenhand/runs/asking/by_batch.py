"""`--batch`: what it can't be combined with, and the collection by a provider's batches."""

from collections.abc import Iterable
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from evenhand.collect.batches.log import BatchLog
from evenhand.collect.batches.waiting import BatchSettings, collect_batches
from evenhand.collect.collected import Collected
from evenhand.collect.journal.file import Journal
from evenhand.collect.order import Planned
from evenhand.errors import InputError
from evenhand.models.batches.providers import BATCH_APIS, batches_of
from evenhand.models.model import Model
from evenhand.runs.options.probe import ProbeOptions
from evenhand.runs.progress import Notices

__all__ = ["check_batch", "collected_by_batch", "tell_abandoned"]


def check_batch(options: ProbeOptions) -> None:
    """Refuse what makes no sense with --batch.

    Raises
    ------
    InputError
        The model has no batch API, or an option asks for what batches can't give.

    """
    if not options.batch:
        return
    if options.model.partition(":")[0] not in BATCH_APIS:
        schemes = " or ".join(f"{scheme}:" for scheme in BATCH_APIS)
        message = (
            f"--batch needs a provider with a batch API, {schemes}, and the model is {options.model!r}. "
            "Leave out --batch."
        )
        raise InputError(message)
    if len(options.base_url) > 1:
        raise InputError("--batch needs one --base-url: a batch is one server's. Leave out the others.")
    reasons = {
        "--until-width": (options.until_width, "a batch is paid as a whole, however narrow the interval becomes"),
        "--rpm": (options.rpm, "the provider sets the pace of a batch"),
        "--tpm": (options.tpm, "the provider sets the pace of a batch"),
        "--max-cost": (
            options.max_cost,
            "what a batch costs is known when it has ended. See evenhand plan, and use --max-requests",
        ),
    }
    for option, (value, reason) in reasons.items():
        if value is not None:
            raise InputError(f"{option} can't be given with --batch: {reason}. Leave out one of them.")


async def collected_by_batch(
    model: Model,
    chunks: Iterable[list[Planned]],
    journal: Journal,
    settings: BatchSettings,
    *,
    answered: NDArray[np.uint64],
) -> Collected:
    """Return counts after asking by batches all that `answered` does not hold."""
    service = batches_of(model)
    assert service is not None, "check_batch refuses other models"
    async with model, service:
        return await collect_batches(model, service, chunks, journal, settings, answered=answered)


def tell_abandoned(folder: Path, notice: Notices) -> None:
    """Say that batches of a run that is about to be replaced go on, and cost."""
    for batch in BatchLog(folder).open.values():
        name = f"batch {batch.id}" if batch.id is not None else "batch"
        notice(
            f"The {name} of {len(batch.items):,} prompts at {batch.where} belongs to the run that --force replaces; "
            "it goes on, and costs, until it is cancelled there."
        )
