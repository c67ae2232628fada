"""The pipelines of docs/ci.md: files that GitHub and GitLab accept, with a gate that does what the page says."""

import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
from _cli import evenhand

yaml = pytest.importorskip("yaml", reason="PyYAML is not installed: make test")

PAGE = (Path(__file__).parents[2] / "docs" / "ci.md").read_text("utf-8")
PIPELINES = dict(re.findall(r"^`(\.\S+)`\n\n```yaml\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL))
SCHEMAS = {
    ".github/workflows/hiring-gate.yml": ("vendor.github-workflows",),
    ".gitlab-ci.yml": ("vendor.gitlab-ci", "--data-transform", "gitlab-ci"),
}
DECISIONS = "gender,invited\n" + "women,yes\n" * 20 + "women,no\n" * 80 + "men,yes\n" * 50 + "men,no\n" * 50


def lines(node):
    """Return all texts of a YAML document that begin a command of evenhand."""
    if isinstance(node, dict | list):
        return [line for inner in (node.values() if isinstance(node, dict) else node) for line in lines(inner)]
    return [node] if isinstance(node, str) and node.startswith("evenhand ") else []


@pytest.mark.parametrize("name", SCHEMAS)
def test_a_pipeline_is_as_its_ci_system_wants_it(name, tmp_path):
    pytest.importorskip("check_jsonschema", reason="check-jsonschema is not installed: make test")
    (tmp_path / "pipeline.yml").write_text(PIPELINES[name], "utf-8")
    command = [sys.executable, "-m", "check_jsonschema", "--builtin-schema", *SCHEMAS[name], "pipeline.yml"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout


@pytest.mark.parametrize("name", SCHEMAS)
def test_the_gate_of_a_pipeline_writes_what_the_pipeline_keeps(name, tmp_path):
    (tmp_path / "decisions.csv").write_text(DECISIONS, "utf-8")
    (command,) = lines(yaml.safe_load(PIPELINES[name]))
    evenhand(*shlex.split(command)[1:], cwd=tmp_path, code=1)
    kept = set(re.findall(r"\b(?:gate\.\w+|runs/gate)$", PIPELINES[name], re.MULTILINE))
    assert {"runs/gate", "gate.xml"} <= kept
    assert all((tmp_path / path).exists() for path in (*kept, "gate.md"))
