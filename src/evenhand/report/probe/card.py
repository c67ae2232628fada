"""A probe's card, from Markdown to the page's HTML."""

from functools import cache, lru_cache

from markdown_it import MarkdownIt
from markdown_it.token import Token
from markupsafe import Markup

__all__ = ["card_html"]

#: The card lies below a heading of the second level.
_ABOVE, _DEEPEST = 2, 6
WEB = ("https://", "http://")


@lru_cache(maxsize=8)
def card_html(card: str) -> Markup:
    r"""Return a card as HTML: no tags of its own, links with their addresses to be seen, no pictures.

    >>> print(card_html("# Card\n\nSee [the study](https://example.org) & <b>more</b>."), end="")
    <h3>Card</h3>
    <p>See the study (<a href="https://example.org">https://example.org</a>) &amp; &lt;b&gt;more&lt;/b&gt;.</p>
    """
    parser = _parser()
    tokens = parser.parse(card)
    for token in tokens:
        _fit(token)
    # Without HTML of the card's own, all that is written is tags of Markdown and escaped text.
    return Markup(parser.renderer.render(tokens, parser.options, {}))  # noqa: S704


@cache
def _parser() -> MarkdownIt:
    return MarkdownIt("commonmark", {"html": False, "xhtmlOut": False}).enable("table").disable("image")


def _fit(token: Token) -> None:
    """Change a token to what the page has: headings of its levels, classes for styles, addresses for links."""
    if token.type in {"heading_open", "heading_close"}:
        token.tag = f"h{min(int(token.tag[1:]) + _ABOVE, _DEEPEST)}"
    elif token.type in {"th_open", "td_open"}:
        # The page's policy allows no styles in tags.
        is_number = "right" in str(token.attrs.pop("style", ""))
        token.attrs |= ({"class": "number"} if is_number else {}) | ({"scope": "col"} if token.tag == "th" else {})
    elif token.type == "fence":
        token.info = ""
    elif token.children:
        token.children = _with_addresses(token.children)


def _with_addresses(children: list[Token]) -> list[Token]:
    """Return the tokens with each link as its words and, in brackets, its address: nobody follows one unseen."""
    kept: list[Token] = []
    address, bare = "", False
    for child in children:
        if child.type == "link_open":
            address, bare = str(child.attrGet("href") or ""), child.info == "auto"
        elif child.type == "link_close":
            kept += _linked(address) if bare else [_text(" ("), *_linked(address), _text(")")]
            bare = False
        elif not bare:
            kept.append(child)
    return kept


def _linked(address: str) -> list[Token]:
    """Return an address that leads there, if it is one of the web."""
    if not address.startswith(WEB):
        return [_text(address)]
    return [Token("link_open", "a", 1, attrs={"href": address}), _text(address), Token("link_close", "a", -1)]


def _text(content: str) -> Token:
    return Token("text", "", 0, content=content)
