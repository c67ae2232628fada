"""Print the lines of code of each package, and fail where one has more than size.toml allows.

    python scripts/size.py [--write]

A line of code holds something besides blanks, comments and docstrings. With --write, size.toml takes the lines that
there are: it is meant to go down.
"""

import argparse
import ast
import io
import sys
import tokenize
import tomllib
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).parents[1]
LIMITS = ROOT / "size.toml"
TREES = {"src": ROOT / "src" / "evenhand", "tests": ROOT / "tests"}
_LAYOUT = {
    tokenize.COMMENT,
    tokenize.NL,
    tokenize.NEWLINE,
    tokenize.INDENT,
    tokenize.DEDENT,
    tokenize.ENCODING,
    tokenize.ENDMARKER,
}
_DOCUMENTED = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)


def code_lines(text):
    """Return how many lines of a module hold code."""
    lines = set()
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type not in _LAYOUT:
            lines.update(range(token.start[0], token.end[0] + 1))
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, _DOCUMENTED) and ast.get_docstring(node, clean=False) is not None:
            lines -= set(range(node.body[0].lineno, node.body[0].end_lineno + 1))
    return len(lines)


def import_lines(text):
    """Return how many lines of a module its imports take."""
    nodes = [node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Import | ast.ImportFrom)]
    return sum(node.end_lineno - node.lineno + 1 for node in nodes)


def sizes(tree):
    """Return the lines of code of each package of a tree, and with them its modules and its lines of imports."""
    found = Counter()
    for path in tree.rglob("*.py"):
        text = path.read_text("utf-8")
        found[path.relative_to(tree).parts[0].removesuffix(".py").strip("_")] += code_lines(text)
        found["(modules)"] += 1
        found["(imports)"] += import_lines(text)
    found["(total)"] = sum(lines for name, lines in found.items() if not name.startswith("("))
    return dict(sorted(found.items()))


def main():
    """Print a line for each package; return 1 where one is above its limit."""
    options = argparse.ArgumentParser(description="Counts lines of code.")
    options.add_argument("--write", action="store_true", help="let size.toml have the lines that there are")
    write = options.parse_args().write
    found = {name: sizes(tree) for name, tree in TREES.items()}
    if write:
        tables = (f"[{name}]\n" + "".join(f'"{part}" = {n}\n' for part, n in found[name].items()) for name in found)
        LIMITS.write_text(
            "# The most lines of code that each package may have; `make check` fails above, scripts/size.py counts.\n\n"
            + "\n".join(tables),
            "utf-8",
        )
    limits = tomllib.loads(LIMITS.read_text("utf-8"))
    over = []
    for tree, parts in found.items():
        for part, lines in parts.items():
            limit = limits[tree].get(part, 0)
            print(f"{lines:7,} of {limit:7,}  {tree}/{part}")
            if lines > limit:
                over.append(f"{tree}/{part} has {lines:,}, {lines - limit:,} more than {LIMITS.name} allows.")
    print(*over, sep="\n", file=sys.stderr)
    return int(bool(over))


if __name__ == "__main__":
    sys.exit(main())
