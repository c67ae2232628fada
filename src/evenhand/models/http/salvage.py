"""Reads the beginning of a body that was cut off."""

import re
from dataclasses import replace
from typing import Any

from pydantic_core import from_json

from evenhand.models.model import Answer
from evenhand.patterns import lazy_re

__all__ = ["as_cut", "cut_json"]

# Reasons to end that say more than that the text was cut.
_KEPT_ENDINGS = frozenset({"refusal", "content_filter"})
# Every escape of two halves of an emoji, of one half alone, and of anything else.
_ESCAPE = lazy_re(r"\\(?:u[dD][89abAB]\w\w\\u[dD][c-fC-F]\w\w|(?P<half>u[dD][89a-fA-F]\w\w)|.)", re.DOTALL)


def cut_json(body: bytes) -> Any:
    """Return the JSON that the cut body begins with, a text that was cut within included; None where it is none.

    >>> cut_json(b'{"a": {"text": "one two th')
    {'a': {'text': 'one two th'}}
    >>> cut_json(b'{"a": {"text": "one", "b": tr')
    {'a': {'text': 'one'}}
    """
    text = body.decode("utf-8", "ignore")
    # The reader refuses half an emoji, which is no reason to lose an answer.
    for each in (text, _ESCAPE.sub(lambda escape: r"\ufffd" if escape["half"] else escape[0], text)):
        try:
            return from_json(each, allow_partial="trailing-strings")
        except ValueError:
            continue
    return None


def as_cut(answer: Answer) -> Answer:
    """Return an answer marked as cut, unless it ended for a reason that says more."""
    return answer if answer.finish_reason in _KEPT_ENDINGS else replace(answer, finish_reason="incomplete")
