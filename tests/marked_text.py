"""Sentences with their masked stretches in double brackets: `Born to [[Kenyan]] parents`."""

import re

_MARK = re.compile(r"\[\[(.*?)\]\]", re.DOTALL)


def unmarked(marked):
    """Return the sentence, and where its marked stretches stand."""
    text, spans, done = "", [], 0
    for match in _MARK.finditer(marked):
        text += marked[done : match.start()]
        spans.append((len(text), len(text) + len(match.group(1))))
        text += match.group(1)
        done = match.end()
    return text + marked[done:], spans
