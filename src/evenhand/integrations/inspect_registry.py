"""What inspect_ai finds by name: its entry point loads this module."""

from evenhand.integrations.inspect_tasks import TASKS, ask, findings, reading

__all__ = ["TASKS", "ask", "findings", "reading"]
