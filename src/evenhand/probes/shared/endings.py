"""Why an answer ended, from the many names that servers have for it."""

from evenhand.word_tables import WordTable

__all__ = ["ANSWER_WORDS", "is_cut", "is_filtered"]

#: What the readers of all probes look for.
ANSWER_WORDS = WordTable("evenhand.probes.shared", "reader.toml")


def is_filtered(finish_reason: str | None) -> bool:
    """Return whether a content filter stopped the answer.

    >>> is_filtered("content_filter"), is_filtered("stop")
    (True, False)
    """
    return _plain(finish_reason) in ANSWER_WORDS.filtered


def is_cut(finish_reason: str | None) -> bool:
    """Return whether the answer ran into a limit of length.

    >>> is_cut("FinishReason.MAX_TOKENS"), is_cut(None)
    (True, False)
    """
    return _plain(finish_reason) in ANSWER_WORDS.cut_off


def _plain(finish_reason: str | None) -> str:
    # Some clients write an enumeration's name: FinishReason.MAX_TOKENS.
    return "" if finish_reason is None else finish_reason.strip().lower().rpartition(".")[2]
