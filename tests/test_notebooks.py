"""The notebooks of the documentation store their outputs; `make test-notebooks` runs them and compares."""

from pathlib import Path

import nbformat
import pytest

NOTEBOOKS = sorted((Path(__file__).parents[1] / "docs" / "notebooks").glob("*.ipynb"))
README = (Path(__file__).parents[1] / "README.md").read_text("utf-8")


def test_there_is_a_notebook_for_each_kind_of_user_and_the_readme_leads_to_it():
    assert [path.stem for path in NOTEBOOKS] == ["engineer", "hr-analyst", "researcher", "studies"]
    assert [path.name for path in NOTEBOOKS if f"(docs/notebooks/{path.name})" not in README] == []


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_notebooks_store_their_outputs_and_are_small(path):
    cells = [cell for cell in nbformat.read(path, as_version=4).cells if cell.cell_type == "code"]
    assert [cell.execution_count for cell in cells] == list(range(1, len(cells) + 1))
    assert path.stat().st_size <= 80_000
