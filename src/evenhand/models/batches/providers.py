"""Which models can be asked by their provider's batch API."""

from collections.abc import Mapping

from evenhand.models.batches.anthropic import ANTHROPIC
from evenhand.models.batches.openai import OPENAI
from evenhand.models.batches.service import BatchAPI, BatchService
from evenhand.models.http.model import HttpModel
from evenhand.models.model import Model

__all__ = ["BATCH_APIS", "batches_of"]

#: By the scheme of a model.
BATCH_APIS: Mapping[str, BatchAPI] = {"openai": OPENAI, "anthropic": ANTHROPIC}


def batches_of(model: Model) -> BatchService | None:
    """Return the batches of the model's provider, not yet connected; None where it has none."""
    api = BATCH_APIS.get(model.scheme) if isinstance(model, HttpModel) else None
    return BatchService(model.batch_access(), api) if isinstance(model, HttpModel) and api is not None else None
