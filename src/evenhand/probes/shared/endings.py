"""Why an answer ended, from the many names that servers have for it."""

__all__ = ["is_cut", "is_filtered"]

_FILTERED = frozenset(
    {"content_filter", "content_filtered", "safety", "refusal", "prohibited_content", "blocklist", "spii"}
)
_CUT = frozenset(
    {"length", "max_tokens", "max_output_tokens", "model_length", "max_length", "token_limit", "incomplete"}
)


def is_filtered(finish_reason: str | None) -> bool:
    """Return whether a content filter stopped the answer.

    >>> is_filtered("content_filter"), is_filtered("stop")
    (True, False)
    """
    return _plain(finish_reason) in _FILTERED


def is_cut(finish_reason: str | None) -> bool:
    """Return whether the answer ran into a limit of length.

    >>> is_cut("FinishReason.MAX_TOKENS"), is_cut(None)
    (True, False)
    """
    return _plain(finish_reason) in _CUT


def _plain(finish_reason: str | None) -> str:
    # Some clients write an enumeration's name: FinishReason.MAX_TOKENS.
    return "" if finish_reason is None else finish_reason.strip().lower().rpartition(".")[2]
