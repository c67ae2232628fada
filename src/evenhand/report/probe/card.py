"""A probe's card, from Markdown to the page's HTML."""

from functools import cache

from markdown_it import MarkdownIt
from markdown_it.token import Token
from markupsafe import Markup

__all__ = ["card_html"]

#: The card lies below a heading of the second level.
_ABOVE, _DEEPEST = 2, 6


def card_html(card: str) -> Markup:
    r"""Return a card as HTML: no tags of its own, no links but their addresses, no pictures.

    >>> print(card_html("# Card\n\nSee [the study](https://example.org) & <b>more</b>."), end="")
    <h3>Card</h3>
    <p>See the study (https://example.org) &amp; &lt;b&gt;more&lt;/b&gt;.</p>
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
    """Change a token to what the page has: headings of its levels, classes for styles, text for links."""
    if token.type in {"heading_open", "heading_close"}:
        token.tag = f"h{min(int(token.tag[1:]) + _ABOVE, _DEEPEST)}"
    elif token.type in {"th_open", "td_open"}:
        # The page's policy allows no styles in tags.
        is_number = "right" in str(token.attrs.pop("style", ""))
        token.attrs |= ({"class": "number"} if is_number else {}) | ({"scope": "col"} if token.tag == "th" else {})
    elif token.type == "fence":
        token.info = ""
    elif token.children:
        token.children = _without_links(token.children)


def _without_links(children: list[Token]) -> list[Token]:
    kept: list[Token] = []
    address = ""
    for child in children:
        if child.type == "link_open":
            address = "" if child.info == "auto" else str(child.attrGet("href") or "")
        elif child.type == "link_close":
            kept += [Token("text", "", 0, content=f" ({address})")] if address else []
        else:
            kept.append(child)
    return kept
