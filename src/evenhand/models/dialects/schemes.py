"""The dialects, each by the scheme of the models that are asked in it."""

from collections.abc import Mapping

from evenhand.models.dialects.anthropic import MESSAGES
from evenhand.models.dialects.dialect import Dialect
from evenhand.models.dialects.openai import CHAT_COMPLETIONS

__all__ = ["DIALECTS"]

DIALECTS: Mapping[str, Dialect] = {dialect.scheme: dialect for dialect in (CHAT_COMPLETIONS, MESSAGES)}
