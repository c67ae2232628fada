"""Each notebook of the documentation runs from a fresh kernel, offline, and stores the outputs of that run.

`make notebooks` runs them and stores their outputs anew; look at the diff.
"""

import os
from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient

NOTEBOOKS = sorted((Path(__file__).parents[1] / "docs" / "notebooks").glob("*.ipynb"))
README = (Path(__file__).parents[1] / "README.md").read_text("utf-8")
WRITE = os.environ.get("EVENHAND_NOTEBOOKS") == "write"
#: Of all notebooks together.
MOST_BYTES = 300_000


def test_there_is_a_notebook_for_each_kind_of_user_and_the_readme_leads_to_it():
    assert [path.stem for path in NOTEBOOKS] == ["engineer", "hr-analyst", "researcher", "studies"]
    assert [path.name for path in NOTEBOOKS if f"(docs/notebooks/{path.name})" not in README] == []


def test_notebooks_are_small():
    assert sum(path.stat().st_size for path in NOTEBOOKS) <= MOST_BYTES


@pytest.mark.filterwarnings("ignore::DeprecationWarning")  # of the kernel's client
@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_notebooks_run_from_a_fresh_kernel_and_show_what_they_stored(path, tmp_path, monkeypatch):
    for name in [name for name in os.environ if name.endswith("_API_KEY")]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("JUPYTER_PATH", "")
    notebook = nbformat.read(path, as_version=4)
    stored = nbformat.writes(notebook)
    NotebookClient(
        notebook,
        timeout=120,
        kernel_name="python3",
        record_timing=False,
        resources={"metadata": {"path": str(tmp_path)}},
    ).execute()
    notebook.metadata["language_info"] = {"name": "python"}  # not the version of Python
    outputs = [output for cell in notebook.cells for output in cell.get("outputs", ())]
    assert not [output for output in outputs if output.output_type == "stream" and output.name == "stderr"]
    assert any("<table" in output.data.get("text/html", "") for output in outputs if "data" in output)
    assert any("image/svg+xml" in output.data for output in outputs if "data" in output)
    assert not any("<script" in output.data.get("text/html", "") for output in outputs if "data" in output)
    if WRITE:
        nbformat.write(notebook, path)
    else:
        assert nbformat.writes(notebook) == stored
