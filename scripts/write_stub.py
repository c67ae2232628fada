"""Write src/evenhand/__init__.pyi, the signatures that type checkers and editors see, from the declared options.

    python scripts/write_stub.py [--check]

With --check nothing is written; the exit code is 1 where the stub is not up to date.
"""

import inspect
import re
import sys
from pathlib import Path

import evenhand

STUB = Path(evenhand.__file__).with_suffix(".pyi")


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
    text = stub()
    if "--check" in sys.argv[1:]:
        sys.exit(int(not STUB.is_file() or STUB.read_text("utf-8") != text))
    STUB.write_text(text, encoding="utf-8")
