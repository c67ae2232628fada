"""Write the stubs that type checkers and editors see: of evenhand, from the declared options, and of evenhand.stats.

    python scripts/write_stub.py [--check]

With --check nothing is written; the exit code is 1 where the stub is not up to date.
"""

import inspect
import re
import sys
from pathlib import Path

import evenhand

STUB = Path(evenhand.__file__).with_suffix(".pyi")
STATS_STUB = Path(evenhand.stats.__file__).with_suffix(".pyi")


def stub():
    """Return the text of the stub."""
    functions = "\n".join(_function(name) for name in evenhand.__all__ if not _is_module(name))
    modules = sorted(_imported(name) for name in evenhand.__all__ if _is_module(name))
    found = {}
    for module, name in re.findall(r"\b([a-z_][\w.]*)\.(\w+)", functions):
        found.setdefault(module, set()).add(name)
    lines = [f"from {module} import {', '.join(sorted(names))}" for module, names in sorted(found.items())]
    lines = sorted(modules + lines, key=lambda line: (line.split()[1], line))
    imports = [line for ours in (False, True) for line in [*(x for x in lines if (" evenhand" in x) is ours), ""]]
    names = evenhand.__all__
    public = [", ".join(f'"{name}"' for name in names[at : at + 7]) for at in range(0, len(names), 7)]
    return "\n".join(
        [
            "# The public functions; scripts/write_stub.py writes this from the declared options.",
            "",
            *imports,
            "\n__all__ += ".join(["__all__ = [" + public[0] + "]", *(f"[{each}]" for each in public[1:])]),
            "",
            "__version__: str",
            "",
            re.sub(r"\b[a-z_][\w.]*\.(?=\w+)", "", functions),
            "",
        ]
    )


def stats_stub():
    """Return the text of the stub of evenhand.stats: its names, and where they are."""
    modules = {}
    for name, module in evenhand.stats._PLACES.items():  # noqa: SLF001 - the stub is made from it
        modules.setdefault(module, []).append(name)
    lines = [
        f"from evenhand.stats.{module} import {name} as {name}"
        for module in sorted(modules)
        for name in modules[module]
    ]
    return "\n".join(["# The public names; scripts/write_stub.py writes this.", "", *lines, ""])


def _imported(name):
    package, _, module = getattr(evenhand, name).__name__.rpartition(".")
    return f"from {package} import {module} as {name}"


def _is_module(name):
    return inspect.ismodule(getattr(evenhand, name))


def _function(name):
    signature = inspect.signature(getattr(evenhand, name), eval_str=True)
    lines, before = [f"def {name}("], None
    for parameter in signature.parameters.values():
        if parameter.kind is parameter.KEYWORD_ONLY and before is not parameter.KEYWORD_ONLY:
            lines.append("    *,")
        before = parameter.kind
        shown = "..." if isinstance(parameter.default, Path) else repr(parameter.default).replace("'", '"')
        default = "" if parameter.default is parameter.empty else f" = {shown}"
        lines.append(f"    {parameter.name}: {inspect.formatannotation(parameter.annotation)}{default},")
    return "\n".join([*lines, f") -> {inspect.formatannotation(signature.return_annotation)}: ..."])


if __name__ == "__main__":
    stubs = {STUB: stub(), STATS_STUB: stats_stub()}
    if "--check" in sys.argv[1:]:
        sys.exit(int(any(not path.is_file() or path.read_text("utf-8") != text for path, text in stubs.items())))
    for path, text in stubs.items():
        path.write_text(text, encoding="utf-8")
