"""Read HTML as blocks, without what a browser doesn't show.

That are scripts, styles, comments, values of forms, alternative texts, deletions, elements with `hidden` or a style
that hides, and those that a style sheet hides by tag, class or id. Names in title and `meta` go along as properties.
"""

import codecs
import re
from collections.abc import Iterator
from typing import Any

from lxml import etree

from evenhand.errors import InputError
from evenhand.masking.documents.block_reader import READER_WORDS, Blocks, Role, outside, read_tree
from evenhand.masking.documents.text import decoded
from evenhand.patterns import lazy_re

_PICTURES = frozenset({"img", "svg", "picture", "canvas", "object", "embed", "video"})
_LISTS = frozenset({"ul", "ol", "menu", "dir"})
_KINDS = {"li": "item", "table": "table", "tr": "row", "td": "cell", "th": "cell", "br": "line"}
_HEADING = lazy_re(r"h[1-6]")
_CHARSET = lazy_re(rb"<meta[^>]{0,200}?charset\s*=\s*[\"']?\s*([\w.:-]{1,40})", re.IGNORECASE)
_CODECS = frozenset({"utf-8", "utf-16", "utf-16-le", "utf-16-be"})
_HIDES = lazy_re(
    r"(?:^|[;{\s])(?:display\s*:\s*none|visibility\s*:\s*(?:hidden|collapse)|font-size\s*:\s*0(?![\d.]))", re.IGNORECASE
)
_SIMPLE = lazy_re(r"(?P<tag>[a-z][a-z0-9]*)?(?P<marks>(?:[.#][\w-]+)*)", re.IGNORECASE)
_COMMENT = lazy_re(r"/\*.*?(?:\*/|$)", re.DOTALL)
_NAMING = frozenset({"author", "creator", "dc.creator", "og:title", "twitter:title", "profile:first_name", "title"})
_LONGEST = 100


def read_html(content: bytes, blocks: Blocks) -> None:
    """Read a page into blocks.

    Raises
    ------
    InputError
        It has no encoding that is known, or is nested too deeply.

    """
    parser = etree.HTMLParser(encoding="utf-8", remove_comments=True, remove_pis=True, no_network=True, huge_tree=True)
    root = etree.fromstring(_decoded(content).encode(), parser)
    if root is None:
        return
    if any("depth" in entry.message for entry in parser.error_log.filter_from_fatals()):
        raise InputError("is nested too deeply; save it as text.")
    named = [(element.text or "") for element in root.iter("title")]
    named += [
        meta.get("content") or ""
        for meta in root.iter("meta")
        if (meta.get("name") or meta.get("property") or "").lower() in _NAMING
    ]
    blocks.metadata += [" ".join(name.split()) for name in named if 0 < len(name) <= _LONGEST]
    hidden = {selector for sheet in root.iter("style") for selector in _hiding(sheet.text or "")}

    def role_of(element: Any) -> Role:
        tag = element.tag
        blocks.tally.note("pictures removed", tag in _PICTURES)
        if tag in READER_WORDS.html_unseen:
            return Role("skip", text=" " if tag in {"button", "select", "textarea"} else "")
        if "hidden" in element.attrib or _HIDES.search(element.get("style") or "") or _is_hidden(element, hidden):
            blocks.tally.note("hidden elements removed")
            return Role("skip")
        if _HEADING.fullmatch(tag):
            return Role("heading", level=int(tag[1]))
        if tag in _LISTS:
            return Role("list", ordered=tag == "ol")
        if tag == "a":
            return Role(target=outside(element.get("href")))
        return Role(
            _KINDS.get(tag, "block" if tag in READER_WORDS.html_blocks or tag == "pre" else "inline"),
            lines=tag == "pre",
        )

    read_tree(etree.iterwalk(root, events=("start", "end")), role_of, blocks)


def _decoded(content: bytes) -> str:
    """Return the text of a page in the encoding that it declares, or that of any text."""
    declared = _CHARSET.search(content[:4096])
    if declared is not None and not content.startswith((codecs.BOM_UTF8, codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        try:
            codec = codecs.lookup(declared.group(1).decode("ascii", "replace")).name
            codec = "cp1252" if codec in {"iso8859-1", "ascii"} else codec  # as browsers read them
            if codec not in _CODECS:
                return content.decode(codec).replace("\0", "")
        except (LookupError, UnicodeDecodeError, TypeError):
            pass
    return decoded(content).text


def _hiding(sheet: str) -> Iterator[tuple[str, frozenset[str]]]:
    """Yield the tag, and the classes and ids, of what the rules of a style sheet hide; not those for a medium."""
    sheet = _COMMENT.sub("", sheet)
    depth, begun, selectors = 0, 0, ""
    for mark in re.finditer("[{}]", sheet):
        if mark.group() == "{":
            selectors = sheet[begun : mark.start()] if not depth else ""
            depth += 1
        elif mark.group() == "}":
            depth = max(depth - 1, 0)
            if not depth and _HIDES.search(sheet[begun : mark.start()]):
                for selector in selectors.split(","):
                    simple = _SIMPLE.fullmatch(selector.strip())
                    if simple is not None and simple.group():
                        yield (simple["tag"] or "").lower(), frozenset(re.findall(r"[.#][\w-]+", simple["marks"]))
        begun = mark.end()


def _is_hidden(element: Any, hidden: set[tuple[str, frozenset[str]]]) -> bool:
    if not hidden:
        return False
    marks = {f".{name}" for name in (element.get("class") or "").split()} | {f"#{element.get('id')}"}
    return any(tag in {"", element.tag} and named <= marks for tag, named in hidden)
