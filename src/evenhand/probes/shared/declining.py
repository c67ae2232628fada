"""Whether a sentence declines the task: the model speaks of itself, and of what it was asked."""

from evenhand.probes.shared.endings import ANSWER_WORDS

__all__ = ["declines_task"]


def declines_task(sentence: str, *, informed: bool = False) -> bool:
    """Tell whether a sentence declines to write; `informed`: it follows 'inform you'."""
    if informed:
        return ANSWER_WORDS.informed.search(sentence) is not None
    return ANSWER_WORDS.declining.search(sentence) is not None and ANSWER_WORDS.superlative.search(sentence) is None
