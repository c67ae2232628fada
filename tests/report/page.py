"""A page as a list of tags, read by Python's own HTML parser."""

import re
from html.parser import HTMLParser

import orjson

from evenhand.report.page.html import report_page
from evenhand.results.result import parsed_result

#: Tables that are cut behind a sideways scroll, for a browser to find.
CUT = """() => [...document.querySelectorAll('.scroll')]
    .filter(each => each.scrollWidth > each.clientWidth + 1).map(each => each.ariaLabel)"""
TRACED = re.compile(r'<span data-finding="[^"]*" data-value="[^"]*">([^<]*)</span>')


def plain(html):
    """Return a page with ordinary spaces, and without the elements that say which finding a number is of."""
    return TRACED.sub(r"\1", html).replace("\N{NO-BREAK SPACE}", " ")


def render_report(content):
    """Return the page of the content of findings.json."""
    return report_page(parsed_result(content))


def read_findings(folder):
    """Return the content of findings.json of a run."""
    return orjson.loads((folder / "findings.json").read_bytes())


def written_page(run):
    """Return the page of a run that has none, and write it into its folder: without the workbook and the CSV."""
    page = render_report(read_findings(run.folder))
    (run.folder / "report.html").write_text(page, encoding="utf-8")
    return plain(page)


def rendered(content):
    """Return the page of the content of findings.json, with ordinary spaces."""
    return plain(render_report(content))


class Page(HTMLParser):
    """Collects tags with their attributes, the text below each of some tags, and duplicate ids."""

    def __init__(self, html):
        super().__init__()
        self.tags = []
        self._open = []
        self._text = []
        self.texts = []
        self.feed(html)

    def handle_starttag(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))
        if tag in {"p", "h1", "h2", "h3", "th", "td", "caption", "li", "blockquote", "figcaption"}:
            self._open.append((tag, len(self._text)))

    def handle_endtag(self, tag):
        if self._open and self._open[-1][0] == tag:
            _, start = self._open.pop()
            self.texts.append((tag, "".join(self._text[start:]).strip()))

    def handle_data(self, data):
        self._text.append(data)

    def named(self, tag):
        return [attributes for name, attributes in self.tags if name == tag]

    def text(self, tag):
        return [text for name, text in self.texts if name == tag]
