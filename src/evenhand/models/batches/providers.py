"""Which models can be asked by their provider's batch API."""

from evenhand.models.batches.anthropic import AnthropicBatches
from evenhand.models.batches.batch import BatchService
from evenhand.models.batches.openai import OpenAIBatches
from evenhand.models.http.model import HttpModel
from evenhand.models.model import Model

__all__ = ["batches_of"]


def batches_of(model: Model) -> BatchService | None:
    """Return the batches of the model's provider, not yet connected; None where it has none."""
    if not isinstance(model, HttpModel):
        return None
    access = model.batch_access()
    return AnthropicBatches(access) if model.scheme == "anthropic" else OpenAIBatches(access)
