"""What inspect_ai finds by name: its entry point loads this module."""

from evenhand.integrations.inspect.ask import ask
from evenhand.integrations.inspect.metric import findings
from evenhand.integrations.inspect.scorer import reading
from evenhand.integrations.inspect.tasks import TASKS

__all__ = ["TASKS", "ask", "findings", "reading"]
