"""Visitors and their roles, and the log of who read rows of people.

A visitor is known by a token, by a header that a reverse proxy sets, or by the machine they use.
"""

import hmac
import secrets
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from hashlib import sha256
from http.cookies import CookieError, SimpleCookie
from pathlib import Path
from typing import Final, Literal, get_args

import orjson

from evenhand.dashboard.connections import Throttle
from evenhand.errors import ServiceError
from evenhand.monitoring.store import add_entry, opened_store, store_now, utc_text
from evenhand.results.files import append_line

#: From the lowest to the highest; each may what those before it may.
Role = Literal["viewer", "labeller", "supervisor", "admin"]
#: Addresses of the machine itself.
LOOPBACK: Final = frozenset({"127.0.0.1", "::1", "localhost"})
#: What whoever uses the machine itself is called.
LOCAL: Final = "local"
#: Seconds after which a visitor signs in again.
_SESSION_SECONDS: Final = 12 * 3_600


@dataclass(frozen=True, kw_only=True)
class Visitor:
    """Somebody who may look: a name and a role, and the session of whoever signed in.

    >>> Visitor(name="ana", role="labeller").may("viewer"), Visitor(name="ana", role="labeller").may("admin")
    (True, False)
    """

    name: str
    role: Role
    session: str = field(default="", repr=False)

    def may(self, role: Role) -> bool:
        """Return whether the role is that one or a higher one."""
        roles = get_args(Role)
        return roles.index(self.role) >= roles.index(role)


@dataclass(frozen=True, kw_only=True)
class Access:
    """Who may look: holders of the `token`; users that a proxy names in `user_header`, with a role; else this machine.

    With both, the proxy gives the token, too. A header that comes twice names nobody.

    Where tables are taken on this machine without either, the token is a random one (`local`): other accounts can reach
    the port, too. A ticket lets in once; the browser gets one, as its command line is no secret.

    `secret` is new with every start; forms and sessions carry what is made of it. `ended` are the sessions that were
    signed out, by when they would have ended.
    """

    host: str
    token: str | None = None
    local: bool = False
    tickets: set[str] = field(default_factory=set, repr=False)
    user_header: str | None = None
    roles: Mapping[str, Role] = field(default_factory=dict)
    secret: bytes = field(default_factory=lambda: secrets.token_bytes(32))
    throttle: Throttle = field(default_factory=Throttle)
    clock: Callable[[], float] = time.time
    ended: dict[str, float] = field(default_factory=dict)

    def visitor(self, headers: Mapping[str, str]) -> Visitor | None:
        """Return the visitor by the headers of a request; None for an unknown one.

        >>> Access(host="127.0.0.1").visitor({})
        Visitor(name='local', role='admin')
        >>> Access(host="0.0.0.0", token="abc").visitor({"authorization": "Bearer abd"})
        """
        given_token = bearer(headers)
        if self.user_header is not None:
            names = [value for name, value in headers.items() if name.lower() == self.user_header.lower()]
            if len(names) != 1 or names[0] not in self.roles or not (self.token is None or self.is_token(given_token)):
                return None
            return Visitor(name=names[0], role=self.roles[names[0]])
        if self.token is None:
            return Visitor(name=LOCAL, role="admin") if self.host in LOOPBACK else None
        name, session = LOCAL if self.local else "token", self._cookie(headers)
        if self.is_session(session):
            return Visitor(name=name, role="admin", session=session)
        return Visitor(name=name, role="admin") if self.is_token(given_token) else None

    def is_token(self, token: str) -> bool:
        """Return whether it is the token."""
        return self.token is not None and hmac.compare_digest(token.encode(), self.token.encode())

    def for_this_machine(self) -> "Access":
        """Return the access with a random token where it has none, for whoever started the server alone.

        >>> access = Access(host="127.0.0.1").for_this_machine()
        >>> access.visitor({}), access.visitor({"authorization": f"Bearer {access.token}"}).name
        (None, 'local')
        """
        if self.token is not None or self.user_header is not None:
            return self
        return replace(self, token=secrets.token_urlsafe(24), local=True)

    def new_ticket(self) -> str:
        """Return a text that lets in once.

        >>> access = Access(host="127.0.0.1", token="abc")
        >>> ticket = access.new_ticket()
        >>> access.takes_ticket(ticket), access.takes_ticket(ticket)
        (True, False)
        """
        ticket = secrets.token_urlsafe(24)
        self.tickets.add(ticket)
        return ticket

    def takes_ticket(self, ticket: str) -> bool:
        """Return whether it is a ticket that was not used yet; it is used now."""
        known = ticket in self.tickets
        self.tickets.discard(ticket)
        return known

    def allows_host(self, host: str) -> bool:
        """Return whether a request may name this host: on this machine only its own names, so that no other page asks.

        No other page knows a token, and a proxy passes its own name on.

        >>> Access(host="127.0.0.1").allows_host("127.0.0.1:8400"), Access(host="127.0.0.1").allows_host("evil.example")
        (True, False)
        """
        name = host.rsplit(":", 1)[0] if not host.endswith("]") else host
        known = self.user_header is not None or (self.token is not None and not self.local)
        return self.host not in LOOPBACK or known or name.strip("[]") in LOOPBACK

    def new_session(self) -> str:
        """Return the content of the cookie of somebody who signs in.

        >>> access = Access(host="127.0.0.1", token="abc", clock=lambda: 0.0)
        >>> session = access.new_session()
        >>> access.is_session(session), access.is_session(session + "a")
        (True, False)
        >>> access.end_session(session)
        >>> access.is_session(session)
        False
        """
        content = f"{secrets.token_hex(16)}.{self.clock() + _SESSION_SECONDS:.0f}"
        return f"{content}.{self._signature(f'session {content}')}"

    def is_session(self, session: str) -> bool:
        """Return whether it is a session that was begun here and is not over."""
        content, _, signature = session.rpartition(".")
        if not hmac.compare_digest(signature.encode(), self._signature(f"session {content}").encode()):
            return False
        return session not in self.ended and self.clock() < float(content.partition(".")[2])

    def end_session(self, session: str) -> None:
        """Accept a session no longer."""
        now = self.clock()
        for other in [other for other, end in self.ended.items() if end <= now]:
            del self.ended[other]
        self.ended[session] = now + _SESSION_SECONDS

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
            morsel = SimpleCookie(headers.get("cookie", "")).get(cookie_name(headers))
        except CookieError:
            return ""
        return "" if morsel is None else morsel.value


def cookie_name(headers: Mapping[str, str]) -> str:
    """Return the name of the cookie with the session: by port, as browsers share the cookies of a host's servers.

    >>> cookie_name({"host": "127.0.0.1:8400"}), cookie_name({"host": "bias.example.org"})
    ('evenhand-8400', 'evenhand')
    """
    port = headers.get("host", "").rpartition(":")[2]
    return f"evenhand-{port}" if port.isdecimal() else "evenhand"


def bearer(headers: Mapping[str, str]) -> str:
    """Return the token that a program sends.

    >>> bearer({"authorization": "Bearer abc"}), bearer({"authorization": "Basic YTpi"})
    ('abc', '')
    """
    scheme, _, token = headers.get("authorization", "").partition(" ")
    return token.strip() if scheme.lower() == "bearer" else ""


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
