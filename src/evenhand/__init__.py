"""evenhand measures discrimination in AI hiring.

>>> import evenhand as eh
>>> eh.__version__.count(".")
2
"""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from evenhand import errors, stats
    from evenhand.commands.api import audit, compare, measure, plan, probe
    from evenhand.commands.evaluate.api import evaluate
    from evenhand.commands.evidence.api import bundle, verify
    from evenhand.commands.features.api import features
    from evenhand.commands.impact.api import impact
    from evenhand.commands.mask_jsonl import mask
    from evenhand.commands.match.api import match_explain, match_recommend, match_score, match_train
    from evenhand.commands.monitor import api as monitor
    from evenhand.commands.perturb.api import perturb

__all__ = [
    "audit",
    "bundle",
    "compare",
    "errors",
    "evaluate",
    "features",
    "impact",
    "mask",
    "match_explain",
    "match_recommend",
    "match_score",
    "match_train",
    "measure",
    "monitor",
    "perturb",
    "plan",
    "probe",
    "stats",
    "verify",
]

#: Names that are modules.
MODULES = {"errors": "evenhand.errors", "monitor": "evenhand.commands.monitor.api", "stats": "evenhand.stats"}
#: Where the public names are, so that one is imported without what the others need.
PLACES = {
    "bundle": "evenhand.commands.evidence.api",
    "evaluate": "evenhand.commands.evaluate.api",
    "features": "evenhand.commands.features.api",
    "impact": "evenhand.commands.impact.api",
    "mask": "evenhand.commands.mask_jsonl",
    **dict.fromkeys(("match_explain", "match_recommend", "match_score", "match_train"), "evenhand.commands.match.api"),
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

        if name in MODULES:
            return import_module(MODULES[name])
        return getattr(import_module(PLACES.get(name, "evenhand.commands.api")), name)
    message = f"module 'evenhand' has no attribute {name!r}"
    raise AttributeError(message)


def __dir__() -> list[str]:
    return sorted([*__all__, "__version__"])
