"""Entry point of inspect_ai: the tasks, solvers, scorers and metrics that it finds by name."""

from evenhand.integrations.inspect_tasks import TASKS, ask, findings, reading

__all__ = ["TASKS", "ask", "findings", "reading"]
