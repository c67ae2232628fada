"""evenhand measures discrimination in AI hiring.

>>> import evenhand as eh
>>> eh.__version__.count(".")
2
"""

from typing import Any

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
MODULES = {"errors": "evenhand.errors", "monitor": "evenhand.api.monitor", "stats": "evenhand.stats"}
#: Where the public names are, so that one is imported without what the others need.
PLACES = {
    **dict.fromkeys(("evaluate", "features", "impact"), "evenhand.api.tables"),
    **dict.fromkeys(
        ("match_explain", "match_recommend", "match_score", "match_train", "perturb"), "evenhand.api.scores"
    ),
    **dict.fromkeys(("bundle", "verify"), "evenhand.api.evidence"),
    "mask": "evenhand.masking.mask",
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
        return getattr(import_module(PLACES.get(name, "evenhand.api.runs")), name)
    from evenhand.results.kinds import kind_commands

    if name in kind_commands():
        from evenhand.api.tables import function_of

        return function_of(kind_commands()[name][0])
    message = f"module 'evenhand' has no attribute {name!r}"
    raise AttributeError(message)


def __dir__() -> list[str]:
    return sorted([*__all__, "__version__"])
