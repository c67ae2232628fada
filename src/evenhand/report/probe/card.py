"""A probe's card, from Markdown to blocks that a template can print."""

import re
from dataclasses import dataclass, field

__all__ = ["CardBlock", "card_blocks"]

_INLINE = re.compile(r"(`[^`]+`|\*\*[^*]+\*\*|\*(?![\s*])[^*]*[^\s*]\*)")
_ITEM = re.compile(r"\s*(?:[-*•]|\d+\.)\s+")


@dataclass(kw_only=True)
class CardBlock:
    """A heading, paragraph, code block, or list item of the card.

    `spans` are pairs of a kind (text, code, strong, emphasis) and a text.
    """

    kind: str
    spans: list[tuple[str, str]] = field(default_factory=list)


def card_blocks(card: str) -> list[CardBlock]:
    r"""Return the blocks of a card: the little Markdown that cards use, nothing else.

    >>> [block.kind for block in card_blocks("# Card\n\nOne line.\n\n- item")]
    ['heading', 'text', 'item']
    """
    blocks: list[tuple[str, list[str]]] = []
    fenced = False
    for line in card.splitlines():
        if line.strip().startswith("```"):
            fenced = not fenced
            blocks.append(("code" if fenced else "gap", []))
        elif fenced:
            blocks[-1][1].append(line)
        elif not line.strip():
            blocks.append(("gap", []))
        elif line.startswith("#"):
            blocks.append(("heading", [line.lstrip("#").strip()]))
        elif line.lstrip().startswith("|"):
            _append(blocks, "code", line)
        elif _ITEM.match(line):
            blocks.append(("item", [_ITEM.sub("", line, count=1)]))
        elif blocks and blocks[-1][0] in {"text", "item"}:
            blocks[-1][1].append(line.strip())
        else:
            blocks.append(("text", [line.strip()]))
    return [_block(kind, lines) for kind, lines in blocks if kind != "gap" and lines]


def _append(blocks: list[tuple[str, list[str]]], kind: str, line: str) -> None:
    if not blocks or blocks[-1][0] != kind:
        blocks.append((kind, []))
    blocks[-1][1].append(line)


def _block(kind: str, lines: list[str]) -> CardBlock:
    if kind == "code":
        return CardBlock(kind=kind, spans=[("text", "\n".join(lines))])
    spans = []
    for piece in _INLINE.split(" ".join(lines)):
        if len(piece) > 1 and piece.startswith("`"):
            spans.append(("code", piece[1:-1]))
        elif len(piece) > 4 and piece.startswith("**"):
            spans.append(("strong", piece[2:-2]))
        elif len(piece) > 2 and piece.startswith("*"):
            spans.append(("emphasis", piece[1:-1]))
        elif piece:
            spans.append(("text", piece))
    return CardBlock(kind=kind, spans=spans)
