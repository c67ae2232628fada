"""Text for messages: safe on a terminal and on one line, without secrets of URLs, with options in Python's words.

A label, a column, a model's name or an answer may hold escape sequences that rewrite the screen, and marks that change
the order of letters. Escaped they do nothing. Of a connection URL only host and database are shown.
"""

import json
import re
from collections.abc import Callable, Collection, Iterator, Mapping
from itertools import islice
from typing import Any, Final
from urllib.parse import unquote, unquote_plus

from evenhand.errors import with_options
from evenhand.patterns import lazy_re

#: Takes one-line remarks for the user.
Notices = Callable[[str], None]
#: Characters of a label that a message repeats.
LONGEST_QUOTE: Final = 60
#: Names that a list in a message has.
MOST_LISTED: Final = 20
#: Controls but tab and newline; separators of lines and paragraphs; marks that turn, hide or join; halves of
#: surrogate pairs. Joiners (U+200C, U+200D) stay: Persian, Indic scripts and emoji are written with them.
_ACTING = lazy_re(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\xad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f"
    "\ufeff\ufff9-\ufffb\U000e0001-\U000e007f\ud800-\udfff]"
)

_ESCAPED = json.JSONEncoder(ensure_ascii=True)


def spelled(text: str) -> str:
    r"""Return a text in which nothing acts on a terminal: such signs are spelled out, tabs and newlines stay.

    >>> print(spelled("\x1b[31mred\x1b[0m \u202egnp.exe"))
    \x1b[31mred\x1b[0m \u202egnp.exe
    """
    return _ACTING.sub(lambda match: ascii(match[0])[1:-1], text)


def one_line(text: str) -> str:
    r"""Return a text on one line: `spelled`, its newlines and tabs as well.

    >>> print(one_line("a\nb"))
    a\nb
    """
    return spelled(text).replace("\n", "\\n").replace("\t", "\\t")


def spelled_json(text: str) -> str:
    r"""Return JSON that means the same and in which nothing acts on a terminal.

    >>> print(spelled_json('{"group": "\u202ea"}'))
    {"group": "\u202ea"}
    """
    return _ACTING.sub(lambda match: _ESCAPED.encode(match[0])[1:-1], text)


def shortened(text: str, *, most: int = LONGEST_QUOTE) -> str:
    """Return a text of at most `most` characters, with an ellipsis where it was longer.

    >>> shortened("a" * 100, most=5)
    'aaaa…'
    """
    return text if len(text) <= most else text[: most - 1] + "…"


def quoted(value: Any, *, most: int = LONGEST_QUOTE) -> str:
    r"""Return a label in quotation marks for a message: on one line, and cut at 60 characters.

    >>> print(quoted("Two or more\n"), quoted("x" * 1_000_000)[-4:], quoted(3))
    'Two or more\n' xx…' 3
    """
    if isinstance(value, str):
        return spelled(repr(shortened(value, most=most)))
    try:
        return shortened(spelled(repr(value)), most=most)
    except RecursionError:
        return type(value).__name__


def listed(names: Collection[Any], *, most: int = MOST_LISTED, quotes: bool = False) -> str:
    """Return names for a message, each of at most 60 characters: the first ones, and how many more there are.

    >>> listed(["gender", "race"]), listed(["gender", "race"], quotes=True), listed(range(1000), most=3)
    ('gender, race', "'gender', 'race'", '0, 1, 2 and 997 more')
    """
    first = ", ".join(quoted(name) if quotes else one_line(shortened(str(name))) for name in islice(names, most))
    return first + (f" and {len(names) - most:,} more" if len(names) > most else "")


def number_of(count: int, noun: str, several: str = "") -> str:
    """Return a count with its noun.

    >>> number_of(1, "position"), number_of(1200, "position"), number_of(2, "person", "people")
    ('1 position', '1,200 positions', '2 people')
    """
    return f"{count:,} {noun if count == 1 else several or f'{noun}s'}"


def in_python(text: str, options: Mapping[str, tuple[str, str | None]]) -> str:
    """Return a message in which options are called as Python's keywords, with their values as Python has them.

    `options` has, by the command line's name, that of Python, and the value that a flag without one stands for. What
    is no option of theirs stays as it is.

    >>> options = {"--out": ("out", None), "--force": ("force", "True"), "--age-at": ("age_at", None)}
    >>> in_python("Use --force to replace it, or another --out.", options)
    'Use force=True to replace it, or another out.'
    >>> in_python("--out is 3; say the day with --age-at 2024-12-31; go on with --force --out 'my run'.", options)
    "out is 3; say the day with age_at=2024-12-31; go on with force=True, out='my run'."
    >>> in_python("Give --protected gender,race.", {"--protected": ("protected", None)})
    'Give protected=["gender", "race"].'
    >>> from evenhand.errors import option_text
    >>> in_python(f"Give {option_text('protected', 'gender,race')}, or {option_text('force')}.", options)
    'Give protected=["gender", "race"], or force=True.'
    """

    def keyword(field: str, value: str) -> str:
        of_flags = dict(options.values())
        if of_flags.get(field) is not None:
            return f"{field}={of_flags[field]}" + (f" {value}" if value else "")
        return f"{field}={_value(value)}" if value else field

    def replacement(match: re.Match[str]) -> str:
        flag, value = match["flag"], match["value"]
        if flag not in options:
            return match[0]
        name, stands_for = options[flag]
        if stands_for is not None:
            return f"{name}={stands_for}" + ("" if value is None else f" {value}")
        return name if value is None else f"{name}={_value(value)}"

    return _ROW.sub(r"\1, ", _FLAG.sub(replacement, with_options(text, keyword)))


def _value(typed: str) -> str:
    if typed[0] in "\"'" or _BARE.fullmatch(typed):
        return typed
    if "," in typed and "=" not in typed:
        return "[" + ", ".join(f'"{value.strip()}"' for value in typed.split(",")) + "]"
    return f'"{typed}"'


#: What may follow a flag besides its value: the sentence goes on.
_SENTENCE = (
    "a|all|allows|alone|and|any|are|as|belongs|besides|by|can't|compares?|does|for|first|gives?|goes|has|have|holds?|if|"
    "in|instead|is|it|lies|means|must|names?|needs|nor|of|on|only|or|says|takes|that|the|there|to|too|twice|was|where|"
    "which|with|without|would"
)
_FLAG = lazy_re(
    rf"(?P<flag>--[a-z][a-z0-9]*(?:-[a-z0-9]+)*)(?:[ ](?!(?:{_SENTENCE})\b|--|<|\()"
    r"""(?P<value>"[^"]*"|'[^']*'|[^\s;:()"']*[^\s,;:().…?!"']))?"""
)
#: A keyword with its value before another, as options follow each other on a command line.
_ROW = lazy_re(r"""(\b[a-z_0-9]+=(?:"[^"]*"|'[^']*'|[^\s"',]+))[ ](?=[a-z_0-9]+=)""")
#: Numbers, dates and placeholders of one letter.
_BARE = lazy_re(r"-?\d+(?:\.\d+)?|\d{4}-\d\d-\d\d|[A-Z]")

#: Schemes whose rest is the path of a file.
_FILES: Final = frozenset({"duckdb", "sqlite"})
_SCHEME = lazy_re(r"[a-z][a-z0-9+.:-]*", re.IGNORECASE)
#: What a host, a port, a database and a path are written with; what follows anything else is not shown.
_PLACE = lazy_re(r"[\w.,:\[\]%~$+-]*(?:/[\w./%~$ -]*)?")
_HOST = lazy_re(r"(\[[\w:.%]*\]|[^:\[\]]*)(:\d*)?")
_LONGEST = 200
#: Characters of a driver's message that are looked at; the rest is cut off.
_LONGEST_MESSAGE = 4000
_CALLED = r"pass|pwd|token|secret|key|credential|auth|session|signature"
_SECRET_NAME = lazy_re(_CALLED, re.IGNORECASE)
#: A secret by its name, its value bare or in quotation marks.
_NAMED = lazy_re(
    rf"""(?ix) ( (?:{_CALLED}) [\w.-]{{0,40}} ["']? \s{{0,9}} [=:] \s{{0,9}} )
    ( " (?:[^"\\]|\\.)* " | ' (?:[^'\\]|\\.)* ' | [^\s,;&"']+ )"""
)
_USER = lazy_re(r"(://)\S*@")
_SHORT = 4


def public_url(url: str) -> str:
    """Return a URL with its host, database and nothing else; where that can't be told from a password, neither.

    >>> public_url("postgres://me:p@ss/word@localhost:5432/hr?sslmode=require&password=x")
    'postgres://localhost:5432/hr'
    >>> public_url("mysql://me:what?@host/hr"), public_url("duckdb:///data/hr.duckdb?token=x")
    ('mysql://…', 'duckdb:///data/hr.duckdb')
    """
    scheme, separator, remainder = url.partition("://")
    if not separator:
        scheme, remainder = "", url
    elif _SCHEME.fullmatch(scheme) is None:
        return "…"
    if scheme.lower() in _FILES:
        return without_secrets(f"{scheme}://{remainder.partition('?')[0]}")
    hidden = f"{scheme}{separator}…"
    head, *tail = re.split(r"[?#]", remainder, maxsplit=1)
    if tail and "@" in tail[0]:
        return hidden  # a password may hold a question mark, a parameter an @
    match = _PLACE.match(head.rpartition("@")[2])
    place = match[0] if match is not None else ""
    if not all(_HOST.fullmatch(host) for host in place.partition("/")[0].split(",")):
        return hidden  # no port, but maybe a password that no host follows
    return f"{scheme}{separator}{place}"[:_LONGEST]


def is_ambiguous(url: str) -> bool:
    """Say whether a password can't be told from what stands around it: signs in it have to be percent-encoded.

    >>> is_ambiguous("postgres://me:a/b@host/hr"), is_ambiguous("postgres://me:a%2Fb@host/hr")
    (True, False)
    """
    return re.search(r"[/?#@]", url.partition("://")[2].rpartition("@")[0]) is not None


def without_secrets(text: str, url: str = "") -> str:
    """Return a message without passwords and tokens: those in `url`, and any that stand behind their name.

    >>> without_secrets("no route to postgres://me:secret@host/db; password = 'a b' refused")
    'no route to postgres://…@host/db; password = … refused'
    >>> without_secrets('role "hunter" has no access', "postgres://me@host/db?password=hunter")
    'role "…" has no access'
    """
    text = text[:_LONGEST_MESSAGE]
    for secret in sorted(set(_secrets(url)), key=len, reverse=True):
        bare = re.escape(secret)
        text = re.sub(bare if len(secret) >= _SHORT else rf"(?<!\w){bare}(?!\w)", "…", text)
    return _NAMED.sub(r"\1…", _USER.sub(r"\1…@", text))


def _secrets(url: str) -> Iterator[str]:
    """Yield the secrets of a URL as they stand there, and decoded."""
    scheme, _, remainder = url.partition("://")
    if scheme.lower() not in _FILES:
        yield from _spellings(remainder.rpartition("@")[0].partition(":")[2])
    for parameter in re.split(r"[&;]", re.split(r"[?#]", remainder, maxsplit=1)[-1]):
        name, _, value = parameter.partition("=")
        if _SECRET_NAME.search(unquote(name)):
            yield from _spellings(value)


def _spellings(secret: str) -> Iterator[str]:
    """Yield a secret as it is, decoded, without its quotation marks, and the pieces that a parser may cut it into."""
    for spelling in (secret, unquote(secret), unquote_plus(secret), *re.split(r"[/?#@:]", secret)):
        yield from (part for part in (spelling, spelling.strip("'\"")) if part.strip())


_URL = lazy_re(r"[a-z][a-z0-9+]*://", re.IGNORECASE)


def is_url(source: str) -> bool:
    """Say whether a source is a connection URL rather than a path.

    >>> is_url("postgres://me@host/db"), is_url("C:/data/applicants.csv")
    (True, False)
    """
    return _URL.match(source) is not None
