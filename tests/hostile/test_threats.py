import ast
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
NAMED = re.findall(r"(tests/[\w/]+\.py)::(\w+)", (ROOT / "docs" / "threats.md").read_text("utf-8"))


def test_every_threat_has_a_test():
    lines = (ROOT / "docs" / "threats.md").read_text("utf-8").splitlines()
    rows = [line for line in lines if line.startswith("| ") and not line.startswith("| threat |")]
    assert rows
    assert all("::" in row for row in rows)


@pytest.mark.parametrize(("file", "name"), NAMED)
def test_the_test_of_a_threat_is_there(file, name):
    tree = ast.parse((ROOT / file).read_text("utf-8"))
    assert name in {each.name for each in ast.walk(tree) if isinstance(each, ast.FunctionDef | ast.AsyncFunctionDef)}
