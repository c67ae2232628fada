"""Each notebook of the documentation runs from a fresh kernel, offline, and stores no outputs."""

import os
from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient

NOTEBOOKS = sorted((Path(__file__).parents[1] / "docs" / "notebooks").glob("*.ipynb"))
README = (Path(__file__).parents[1] / "README.md").read_text("utf-8")


def test_there_is_a_notebook_for_each_kind_of_user_and_the_readme_leads_to_it():
    assert [path.stem for path in NOTEBOOKS] == ["engineer", "hr-analyst", "researcher", "studies"]
    assert [path.name for path in NOTEBOOKS if f"(docs/notebooks/{path.name})" not in README] == []


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_notebooks_store_no_outputs(path):
    cells = nbformat.read(path, as_version=4).cells
    assert not [cell for cell in cells if cell.get("outputs") or cell.get("execution_count")]


@pytest.mark.filterwarnings("ignore::DeprecationWarning")  # of the kernel's client
@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_notebooks_run_from_a_fresh_kernel(path, tmp_path, monkeypatch):
    for name in [name for name in os.environ if name.endswith("_API_KEY")]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("JUPYTER_PATH", "")
    notebook = nbformat.read(path, as_version=4)
    NotebookClient(
        notebook, timeout=120, kernel_name="python3", resources={"metadata": {"path": str(tmp_path)}}
    ).execute()
    outputs = [output for cell in notebook.cells for output in cell.get("outputs", ())]
    assert not [output for output in outputs if output.output_type == "stream" and output.name == "stderr"]
    shown = [output.data["text/html"] for output in outputs if "text/html" in output.get("data", {})]
    assert any("<table" in each for each in shown)
    assert not any("<script" in each for each in shown)
