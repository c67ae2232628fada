"""evenhand measures discrimination in AI hiring.

>>> import evenhand as eh
>>> eh.__version__.count(".")
2
"""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from evenhand import errors, stats
    from evenhand.commands.api import audit, compare, measure, plan, probe
    from evenhand.commands.evidence.api import bundle, verify
    from evenhand.commands.impact.api import impact
    from evenhand.commands.mask_jsonl import mask
    from evenhand.commands.perturb.api import perturb

# The stub names the same.
# arid: disable
__all__ = [
    "audit",
    "bundle",
    "compare",
    "errors",
    "impact",
    "mask",
    "measure",
    "perturb",
    "plan",
    "probe",
    "stats",
    "verify",
]
# arid: enable

#: Where the public names are, so that one is imported without what the others need.
PLACES = {
    "bundle": "evenhand.commands.evidence.api",
    "impact": "evenhand.commands.impact.api",
    "mask": "evenhand.commands.mask_jsonl",
    "perturb": "evenhand.commands.perturb.api",
    "verify": "evenhand.commands.evidence.api",
}


def __getattr__(name: str) -> Any:
    """Import a public name when it is first used, so that `import evenhand` stays fast."""
    if name == "__version__":
        from importlib.metadata import version

        return version("evenhand")
    if name in __all__:
        from importlib import import_module

        if name in {"errors", "stats"}:
            return import_module(f"evenhand.{name}")
        return getattr(import_module(PLACES.get(name, "evenhand.commands.api")), name)
    message = f"module 'evenhand' has no attribute {name!r}"
    raise AttributeError(message)


def __dir__() -> list[str]:
    return sorted([*__all__, "__version__"])
