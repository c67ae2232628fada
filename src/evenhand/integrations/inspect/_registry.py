"""What inspect_ai finds by name: its entry point loads this module."""

from evenhand.integrations.inspect.ask import ask
from evenhand.integrations.inspect.metric import findings
from evenhand.integrations.inspect.scorer import reading
from evenhand.integrations.inspect.tasks import an2024, business_vocabulary, hiring_an, hiring_bloomberg

__all__ = ["an2024", "ask", "business_vocabulary", "findings", "hiring_an", "hiring_bloomberg", "reading"]
