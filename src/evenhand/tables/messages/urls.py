"""Connection URLs without what is secret in them: host and database stay, user, password and parameters go."""

import re
from collections.abc import Iterator
from typing import Final
from urllib.parse import unquote, unquote_plus

from evenhand.patterns import lazy_re

__all__ = ["is_ambiguous", "public_url", "without_secrets"]

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
    scheme, separator, rest = url.partition("://")
    if not separator:
        scheme, rest = "", url
    elif _SCHEME.fullmatch(scheme) is None:
        return "…"
    if scheme.lower() in _FILES:
        return without_secrets(f"{scheme}://{rest.partition('?')[0]}")
    hidden = f"{scheme}{separator}…"
    head, *tail = re.split(r"[?#]", rest, maxsplit=1)
    if tail and "@" in tail[0]:
        return hidden  # a password may hold a question mark, a parameter an @
    found = _PLACE.match(head.rpartition("@")[2])
    place = found[0] if found is not None else ""
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
    scheme, _, rest = url.partition("://")
    if scheme.lower() not in _FILES:
        yield from _spellings(rest.rpartition("@")[0].partition(":")[2])
    for parameter in re.split(r"[&;]", re.split(r"[?#]", rest, maxsplit=1)[-1]):
        name, _, value = parameter.partition("=")
        if _SECRET_NAME.search(unquote(name)):
            yield from _spellings(value)


def _spellings(secret: str) -> Iterator[str]:
    """Yield a secret as it is, decoded, without its quotation marks, and the pieces that a parser may cut it into."""
    for each in (secret, unquote(secret), unquote_plus(secret), *re.split(r"[/?#@:]", secret)):
        yield from (found for found in (each, each.strip("'\"")) if found.strip())
