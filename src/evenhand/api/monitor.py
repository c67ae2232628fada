"""`evenhand.monitor`: the monitoring of models and people, from Python.

Names are imported on use: a service imports the recorder alone, as reading tables starts threads that break on a fork.
"""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from evenhand.api.golden import (
        golden_add,
        golden_adjudicate,
        golden_agreement,
        golden_close,
        golden_export,
        golden_forget,
        golden_import,
        golden_label,
        golden_propose,
        golden_run,
    )
    from evenhand.api.monitor_functions import (
        acknowledge,
        alarms,
        assign,
        backup,
        check,
        metrics,
        mute,
        report,
        restore,
        status,
        verify,
    )
    from evenhand.api.recording import record
    from evenhand.monitoring.recorder import Recorder

__all__ = [
    "Recorder",
    "acknowledge",
    "alarms",
    "assign",
    "backup",
    "check",
    "golden_add",
    "golden_adjudicate",
    "golden_agreement",
    "golden_close",
    "golden_export",
    "golden_forget",
    "golden_import",
    "golden_label",
    "golden_propose",
    "golden_run",
    "metrics",
    "mute",
    "record",
    "report",
    "restore",
    "status",
    "verify",
]
#: Where names are that don't need what the others do.
_PLACES = {
    **{name: "evenhand.api.golden" for name in __all__ if name.startswith("golden_")},
    "Recorder": "evenhand.monitoring.recorder",
    "record": "evenhand.api.recording",
}


def __getattr__(name: str) -> Any:
    """Import a public name when it is first used."""
    from importlib import import_module

    if name in __all__:
        return getattr(import_module(_PLACES.get(name, "evenhand.api.monitor_functions")), name)
    raise AttributeError(f"module 'evenhand.monitor' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted(__all__)
