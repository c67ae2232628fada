"""The part of an answer that is the answer, without the model's reasoning before it."""

from evenhand.patterns import lazy_re

__all__ = ["without_reasoning"]

_REASONING = lazy_re(
    r"[<◁](/?)(?:seed:)?(?:think|thinking|thoughts?|reasoning|reflection|scratchpad"
    r"|analysis)[^\w<>◁▷\n][^<>◁▷\n]{0,20}[>▷]"
    r"|[<◁](/?)(?:seed:)?(?:think|thinking|thoughts?|reasoning|reflection|scratchpad|analysis)[>▷]"
    r"|\[(/?)think\]|<\|(?:begin|(end)) of (?:thought|thinking)\|>"
)
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
    for match in _REASONING.finditer(text):
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
