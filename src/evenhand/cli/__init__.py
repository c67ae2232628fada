"""The command line: arguments only. Each command is imported when it is called."""

from evenhand.cli._app import app
from evenhand.cli._main import main

__all__ = ["app", "main"]
