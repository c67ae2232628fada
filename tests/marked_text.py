"""Sentences with their masked stretches in double brackets: `Born to [[Kenyan]] parents`.

In double braces stand words that are masked too where the caller told the name they are part of: `taught {{Law}}`.
"""

import re

_MARK = re.compile(r"\[\[(.*?)\]\]|\{\{(.*?)\}\}", re.DOTALL)


def unmarked(marked, *, told=True):
    """Return the sentence, and where its marked stretches stand; without those in braces where no name is told."""
    text, spans, done = "", [], 0
    for match in _MARK.finditer(marked):
        text += marked[done : match.start()]
        stretch = match.group(1) if match.group(1) is not None else match.group(2)
        if told or match.group(1) is not None:
            spans.append((len(text), len(text) + len(stretch)))
        text += stretch
        done = match.end()
    return text + marked[done:], spans
