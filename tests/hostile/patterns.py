"""Short texts that, repeated, have made readers slow: each alone is harmless."""

__all__ = ["COUNTER", "PATTERNS", "repeated"]

#: Stands for a number that counts up, where all repetitions would otherwise be one.
COUNTER = "\N{NUMERO SIGN}"

PATTERNS = {
    # Marks in runs: what a reader takes for an edge of a word, a rule or a heading.
    "periods": ".",
    "spaced periods": ". ",
    "letters and periods": "a.",
    "commas": ",",
    "exclamations": "!",
    "questions": "? ",
    "hyphens": "-",
    "hyphens between letters": "a-",
    "dashes": "\u2014",
    "underscores between letters": "a_",
    "colons": "a: ",
    "ampersands": "&",
    "entities": "&amp;",
    "at signs": "a@",
    "equals signs": "=",
    "hashes": "# ",
    "stars": "*",
    "bold words": "**a** ",
    "backticks": "`",
    "fences": "```\n",
    "tildes": "~~a",
    "bars": "|",
    "table rows": "| a | b |\n",
    "table rules": "|---",
    "quoted lines": "> ",
    # Brackets and quotes, nested or left open.
    "open round brackets": "(",
    "open square brackets with words": "[a ",
    "open angle brackets": "<",
    "open and closed brackets": "()",
    "brackets closed twice": "[a]]",
    "double quotes": '"',
    "quotes and commas": '",',
    "apostrophes": "'",
    "apostrophes between letters": "a'",
    "curly quotes": "\u201ca",
    "backslashes": "\\",
    "backslashes before quotes": '\\"',
    "broken escapes": "\\u00",
    # JSON, HTML and the tags of models that reason.
    "open objects": '{"a":',
    "open lists of objects": '[{"name": "a"',
    "open reasoning": "<think>",
    "closed reasoning": "</think>",
    "half a reasoning tag": "<think ",
    "open tags": "<p",
    "comments": "<!--",
    "channels": "<|channel|>",
    # Words that readers look for.
    "rejections": "we regret to inform you that ",
    "acceptances": "you have been selected. ",
    "conditions": "if you are accepted, or rejected, ",
    "refusals": "i'm sorry, but i cannot ",
    "models": "as an ai language model ",
    "unfortunately": "unfortunately, ",
    "accept": "accept",
    "reject or": "reject or ",
    "names joined": "Emily Nguyen, ",
    "ranks": "Rank 1: Emily Nguyen\n",
    "numbered names": f"{COUNTER}. Emily Nguyen\n",
    "better than": "Emily Nguyen is better than ",
    "quoted messages": "\non 1 may 2024 a wrote: ",
    # Letters, digits and white space.
    "letters": "a",
    "words": "a ",
    "digits": "1",
    "signed numbers": "-1e",
    "Chinese": "\u4e2d\u6587",
    "combining marks": "e\u0301\u0301",
    "joined emoji": "\U0001f469\u200d",
    "invisible letters": "a\u200b",
    "spaces": " ",
    "spaces before a letter": "     a",
    "line feeds": "\n",
    "carriage returns": "\r\n",
    "no-break spaces": "\u00a0",
    "separators of lines": "\u2028",
    # Tables and conditions.
    "cells": "a,b;",
    "quoted cells": '"a","b"\n',
    "headers that count up": f"c{COUNTER},",
    "rows": f"{COUNTER},a\n",
    "negated conditions": "NOT ",
    "conditions joined": "AND x = 1 ",
    "lists of values": "x in ('a', ",
}


def repeated(unit: str, size: int) -> str:
    """Return so many characters of a pattern."""
    if COUNTER not in unit:
        return (unit * (size // len(unit) + 1))[:size]
    pieces: list[str] = []
    length = 0
    while length < size:
        pieces.append(unit.replace(COUNTER, str(len(pieces) + 1)))
        length += len(pieces[-1])
    return "".join(pieces)[:size]
