"""The notebooks of the documentation store no outputs; `make test-notebooks` runs them."""

from pathlib import Path

import nbformat
import pytest

NOTEBOOKS = sorted((Path(__file__).parents[1] / "docs" / "notebooks").glob("*.ipynb"))
README = (Path(__file__).parents[1] / "README.md").read_text("utf-8")


def test_there_is_a_notebook_for_each_kind_of_user_and_the_readme_leads_to_it():
    assert [path.stem for path in NOTEBOOKS] == ["engineer", "hr-analyst", "researcher", "studies"]
    assert [path.name for path in NOTEBOOKS if f"(docs/notebooks/{path.name})" not in README] == []


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_notebooks_store_no_outputs(path):
    cells = nbformat.read(path, as_version=4).cells
    assert not [cell for cell in cells if cell.get("outputs") or cell.get("execution_count")]
