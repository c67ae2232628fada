"""Runs the notebooks of the documentation, each in a folder of its own.

Fails where one does, warns, or shows other things than it stores.

    python scripts/run_notebooks.py [--write]

`make test-notebooks` calls it in an environment that holds the core package and what runs notebooks, nothing else;
`make notebooks` with --write, which stores the outputs anew: look at the diff.
"""

import argparse
import os
import sys
import tempfile
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

import nbformat
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError

NOTEBOOKS = Path(__file__).parents[1] / "docs" / "notebooks"
#: Packages of extras and of developers: with one of them here, nothing is told of a fresh environment.
OTHERS = ("hypothesis", "pandas", "pyarrow", "pytest", "sklearn", "statsmodels")


def what_is_wrong(notebook: nbformat.NotebookNode) -> Iterator[str]:
    """Yield what a reader should not see, or misses, in what the cells put out."""
    outputs = [output for cell in notebook.cells for output in cell.get("outputs", ())]
    yield from (output.text for output in outputs if output.get("name") == "stderr")
    shown = [output.data["text/html"] for output in outputs if "text/html" in output.get("data", {})]
    if not any("<table" in each for each in shown):
        yield "No table is shown."
    if not any("image/svg+xml" in output.get("data", {}) for output in outputs):
        yield "No chart is shown."
    if any("<script" in each for each in shown):
        yield "A script is shown."


def main() -> int:
    """Run every notebook; return 1 where one fails, 2 where the environment is not fresh."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--write", action="store_true")
    write = parser.parse_args().write
    found = [name for name in OTHERS if find_spec(name)]
    if found:
        print(f"Not a fresh environment: {', '.join(found)} can be imported.", file=sys.stderr)
        return 2
    for name in [name for name in os.environ if name.endswith("_API_KEY")]:
        del os.environ[name]
    failed = False
    for path in sorted(NOTEBOOKS.glob("*.ipynb")):
        with tempfile.TemporaryDirectory() as folder:
            notebook = nbformat.read(path, as_version=4)
            stored = nbformat.writes(notebook)
            client = NotebookClient(
                notebook,
                timeout=120,
                kernel_name="python3",
                record_timing=False,
                resources={"metadata": {"path": folder}},
            )
            try:
                client.execute()
            except CellExecutionError as error:
                print(f"{path.name}: {error}", file=sys.stderr)
                failed = True
                continue
        notebook.metadata["language_info"] = {"name": "python"}  # not the version of Python
        wrong = list(what_is_wrong(notebook))
        if write:
            nbformat.write(notebook, path)
        elif nbformat.writes(notebook) != stored:
            wrong.append("It shows other outputs than it stores; `make notebooks` stores them.")
        print(f"{path.name} ran.", *wrong, sep="\n", file=sys.stderr if wrong else sys.stdout)
        failed = failed or bool(wrong)
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
