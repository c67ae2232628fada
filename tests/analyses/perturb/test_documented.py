"""What docs/perturbation.md shows can be used as it stands."""

import json
import re
from pathlib import Path

import pytest

from evenhand.models.scorer_service import PLACEHOLDERS, read_request_form

DOCUMENT = (Path(__file__).parents[3] / "docs" / "perturbation.md").read_text("utf-8")
TEMPLATES = re.findall(r"```json\n(.*?)```", DOCUMENT, re.DOTALL)


@pytest.mark.parametrize("template", TEMPLATES, ids=range(len(TEMPLATES)))
def test_templates_of_requests_are_read(template, tmp_path):
    (tmp_path / "t.json").write_text(template)
    form = read_request_form(tmp_path / "t.json", score_at=None, environ={"SCORER_KEY": "sk-1"})
    assert form.body == json.loads(template)["body"]


def test_every_placeholder_is_told():
    assert set(re.findall(r"^\|.*", DOCUMENT, re.MULTILINE))
    told = {name for row in re.findall(r"^\| `\{.*", DOCUMENT, re.MULTILINE) for name in re.findall(r"\{(\w+)\}", row)}
    assert told == set(PLACEHOLDERS)


@pytest.mark.usefixtures("applicants")
def test_the_python_is_run(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    names = {}
    for block in re.findall(r"```python\n(.*?)```", DOCUMENT, re.DOTALL):
        exec(block, names)
    assert names["run"].rows.height
    assert names["run"].report_path.is_file()
