"""Every relative link of the documentation leads to a file, and to a heading that is in it."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PAGES = sorted(
    {
        *ROOT.glob("*.md"),
        *ROOT.glob("docs/**/*.md"),
        *ROOT.glob("bench/*.md"),
        *ROOT.glob("deploy/*.md"),
        *ROOT.glob("src/evenhand/probes/*/README.md"),
    }
)
LINK = re.compile(r"\[[^\]]*\]\(([^)\s]+)\)")


def without_code(text):
    return re.sub(r"^```.*?^```$|`[^`\n]*`", "", text, flags=re.MULTILINE | re.DOTALL)


def anchors(text):
    """Return the anchors of a page's headings, as GitHub makes them."""
    headings = re.findall(r"^#+ (.+)$", re.sub(r"^```.*?^```$", "", text, flags=re.MULTILINE | re.DOTALL), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def broken(page, text):
    """Return the links of a page that lead nowhere."""
    lost = []
    for link in LINK.findall(without_code(text)):
        if re.match(r"[a-z]+:", link):
            continue
        path, _, anchor = link.partition("#")
        target = (page.parent / path).resolve() if path else page
        if not target.exists() or (anchor and anchor not in anchors(target.read_text("utf-8"))):
            lost.append(link)
    return lost


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_links_lead_somewhere(page):
    assert broken(page, page.read_text("utf-8")) == []


def test_every_page_can_be_reached_from_the_readme():
    linked = {(ROOT / link.partition("#")[0]).resolve() for link in LINK.findall((ROOT / "README.md").read_text())}
    assert set((ROOT / "docs").glob("*.md")) - linked == set()


def test_the_readme_is_short():
    assert len((ROOT / "README.md").read_text("utf-8").splitlines()) <= 130


@pytest.mark.parametrize(
    ("link", "lost"),
    [
        ("[a](GLOSSARY.md)", []),
        ("[a](docs/files.md#exit-codes)", []),
        ("[a](https://example.org/#b)", []),
        ("`[a](b.md)`", []),
        ("[a](docs/none.md)", ["docs/none.md"]),
        ("[a](docs/files.md#none)", ["docs/files.md#none"]),
        ("[a](#none)", ["#none"]),
    ],
)
def test_a_broken_link_is_found(link, lost):
    assert broken(ROOT / "README.md", link) == lost
