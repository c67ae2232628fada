"""What the package says of itself: metadata, citation, and the sizes of its extras."""

import re
import tomllib
from pathlib import Path

from evenhand.analyses.doctor import UNLOCKS

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
ROW = re.compile(r"^\| `(\w+)` \| (\d+|< 1) \| (.+) \|$", re.MULTILINE)


def test_who_cites_it_names_the_version_that_is_installed():
    cited = dict(re.findall(r"^([\w-]+): (.+)$", (ROOT / "CITATION.cff").read_text("utf-8"), re.MULTILINE))
    assert (cited["title"], cited["version"]) == (PROJECT["name"], PROJECT["version"])
    assert {cited["url"]} == set(PROJECT["urls"].values())
    assert set(re.findall(r"^  - ([\w ]+)$", (ROOT / "CITATION.cff").read_text("utf-8"), re.MULTILINE)) <= set(
        PROJECT["keywords"]
    )


def test_the_changelog_has_a_section_of_the_version():
    assert f"\n## [{PROJECT['version']}] - " in (ROOT / "CHANGELOG.md").read_text("utf-8")


def test_every_extra_has_its_size_and_its_purpose():
    rows = ROW.findall((ROOT / "docs" / "install.md").read_text("utf-8"))
    assert {name: purpose for name, _, purpose in rows} == UNLOCKS
    assert UNLOCKS.keys() == PROJECT["optional-dependencies"].keys()
