"""The part of an answer that is the answer, without the model's reasoning before it."""

from evenhand.probes.shared.endings import ANSWER_WORDS

__all__ = ["without_reasoning"]

_FINAL_CHANNEL = ("<|channel|>final<|message|>", "assistantfinal")


def without_reasoning(text: str) -> str:
    """Return a folded text without reasoning blocks; an unclosed block swallows the rest.

    >>> without_reasoning("<think>you have been selected?</think>we regret to inform you")
    'we regret to inform you'
    """
    for mark in _FINAL_CHANNEL:
        if mark in text and ("<|channel|>" in text or text.lstrip().startswith("analysis")):
            return text[text.rindex(mark) + len(mark) :]
    if "<|channel|>analysis" in text:
        return ""
    kept: list[str] = []
    position = 0
    inside = False
    for match in ANSWER_WORDS.reasoning.finditer(text):
        closing = any(match.groups())
        if not closing and not inside:
            kept.append(text[position : match.start()])
            inside = True
        elif closing:
            # A closing tag alone: the opening one belonged to the prompt.
            if not inside:
                kept.clear()
            inside = False
            position = match.end()
    if not inside:
        kept.append(text[position:])
    return "".join(kept)
