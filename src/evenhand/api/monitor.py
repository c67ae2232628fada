"""`evenhand.monitor`: the monitoring of models and people, from Python.

Names are imported on use: a service imports the recorder alone, as reading tables starts threads that break on a fork.
"""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from evenhand.api.monitor_functions import (
        acknowledge,
        check,
        golden_add,
        golden_adjudicate,
        golden_agreement,
        golden_close,
        golden_export,
        golden_forget,
        golden_import,
        golden_label,
        golden_run,
        metrics,
        record,
        status,
        verify,
    )
    from evenhand.monitoring.recorder import Recorder

__all__ = [
    "Recorder",
    "acknowledge",
    "check",
    "golden_add",
    "golden_adjudicate",
    "golden_agreement",
    "golden_close",
    "golden_export",
    "golden_forget",
    "golden_import",
    "golden_label",
    "golden_run",
    "metrics",
    "record",
    "status",
    "verify",
]


def __getattr__(name: str) -> Any:
    """Import a public name when it is first used."""
    from importlib import import_module

    if name == "Recorder":
        return import_module("evenhand.monitoring.recorder").Recorder
    if name in __all__:
        return getattr(import_module("evenhand.api.monitor_functions"), name)
    message = f"module 'evenhand.monitor' has no attribute {name!r}"
    raise AttributeError(message)


def __dir__() -> list[str]:
    return sorted(__all__)
