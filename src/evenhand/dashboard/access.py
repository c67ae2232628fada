"""Visitors and their roles, and the log of who read rows of people.

A visitor is known by a token, by a header that a reverse proxy sets, or by the machine they use.
"""

import hmac
import secrets
from collections.abc import Mapping
from dataclasses import dataclass, field
from hashlib import sha256
from http.cookies import CookieError, SimpleCookie
from pathlib import Path
from typing import Final, Literal, get_args

import orjson

from evenhand.errors import ServiceError
from evenhand.monitoring.store import add_entry, opened_store, store_now, utc_text
from evenhand.results.files import append_line

#: From the lowest to the highest; each may what those before it may.
Role = Literal["viewer", "labeller", "supervisor", "admin"]
#: Addresses of the machine itself.
LOOPBACK: Final = frozenset({"127.0.0.1", "::1", "localhost"})
COOKIE: Final = "evenhand"


@dataclass(frozen=True, kw_only=True)
class Visitor:
    """Somebody who may look: a name and a role.

    >>> Visitor(name="ana", role="labeller").may("viewer"), Visitor(name="ana", role="labeller").may("admin")
    (True, False)
    """

    name: str
    role: Role

    def may(self, role: Role) -> bool:
        """Return whether the role is that one or a higher one."""
        roles = get_args(Role)
        return roles.index(self.role) >= roles.index(role)


@dataclass(frozen=True, kw_only=True)
class Access:
    """Who may look: holders of the `token`; users that a proxy names in `user_header`, with a role; else this machine.

    With both, the proxy gives the token, too. A header that comes twice names nobody.

    `secret` is new with every start; forms carry what is made of it.
    """

    host: str
    token: str | None = None
    user_header: str | None = None
    roles: Mapping[str, Role] = field(default_factory=dict)
    secret: bytes = field(default_factory=lambda: secrets.token_bytes(32))

    def visitor(self, headers: Mapping[str, str]) -> Visitor | None:
        """Return the visitor by the headers of a request; None for an unknown one.

        >>> Access(host="127.0.0.1").visitor({})
        Visitor(name='local', role='admin')
        >>> Access(host="0.0.0.0", token="abc").visitor({"authorization": "Bearer abd"})
        """
        given_token = headers.get("authorization", "").removeprefix("Bearer ")
        if self.user_header is not None:
            names = [value for name, value in headers.items() if name.lower() == self.user_header.lower()]
            if len(names) != 1 or names[0] not in self.roles or not (self.token is None or self.is_token(given_token)):
                return None
            return Visitor(name=names[0], role=self.roles[names[0]])
        if self.token is None:
            return Visitor(name="local", role="admin") if self.host in LOOPBACK else None
        known = self.is_token(given_token) or hmac.compare_digest(self._cookie(headers).encode(), self.session.encode())
        return Visitor(name="token", role="admin") if known else None

    def is_token(self, token: str) -> bool:
        """Return whether it is the token."""
        return self.token is not None and hmac.compare_digest(token.encode(), self.token.encode())

    def allows_host(self, host: str) -> bool:
        """Return whether a request may name this host: on this machine only its own names, so that no other page asks.

        >>> Access(host="127.0.0.1").allows_host("127.0.0.1:8400"), Access(host="127.0.0.1").allows_host("evil.example")
        (True, False)
        """
        name = host.rsplit(":", 1)[0] if not host.endswith("]") else host
        return self.host not in LOOPBACK or self.user_header is not None or name.strip("[]") in LOOPBACK

    @property
    def session(self) -> str:
        """Return the content of a signed-in visitor's cookie."""
        return self._signature("session")

    def form_token(self, visitor: Visitor) -> str:
        """Return what a form of the visitor carries, which no other page can know."""
        return self._signature(f"form {visitor.name}")

    def is_form_token(self, visitor: Visitor, token: str) -> bool:
        """Return whether a form came from a page of ours that this visitor was shown."""
        return hmac.compare_digest(token.encode(), self.form_token(visitor).encode())

    def _signature(self, purpose: str) -> str:
        return hmac.new(self.secret, purpose.encode(), sha256).hexdigest()

    @staticmethod
    def _cookie(headers: Mapping[str, str]) -> str:
        try:
            morsel = SimpleCookie(headers.get("cookie", "")).get(COOKIE)
        except CookieError:
            return ""
        return "" if morsel is None else morsel.value


#: The file in the folder of runs.
READS: Final = "reads.jsonl"


def log_read(*, by: str, what: str, store: str | None, folder: Path | None) -> None:
    """Add who reads what. What can't be logged raises, so that nothing is shown that was not logged.

    >>> from tempfile import mkdtemp
    >>> folder = Path(mkdtemp())
    >>> log_read(by="ana", what="candidate p1", store=None, folder=folder)
    >>> orjson.loads((folder / READS).read_bytes())["by"]
    'ana'
    """
    content = {"by": by, "what": what}
    if store is not None:
        with opened_store(store) as opened, opened.writing() as writing:
            add_entry(writing, "read", content)
    elif folder is not None:
        line = orjson.dumps({"time": utc_text(store_now()), **content}, option=orjson.OPT_APPEND_NEWLINE)
        try:
            append_line(folder / READS, line)
        except OSError as error:
            raise ServiceError(f"{folder / READS} can't be written, so no rows are shown: {error.strerror}.") from error
