"""Alarms sent to a webhook: signed, with a time, tried again."""

import hashlib
import hmac
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from http.client import HTTPConnection, HTTPException, HTTPSConnection
from typing import Final
from urllib.parse import urlsplit

from evenhand.errors import InputError, ServiceError
from evenhand.monitoring.history.alarms import Alarm
from evenhand.monitoring.history.log import LogHead, canonical_json
from evenhand.tables.messages.urls import public_url

__all__ = ["SIGNATURE", "TIMESTAMP", "Webhook", "send_alarms", "signature"]

TIMESTAMP: Final = "X-Evenhand-Timestamp"
SIGNATURE: Final = "X-Evenhand-Signature"
#: Seconds to wait before each further try.
PAUSES: Final = (1.0, 4.0, 16.0)
TIMEOUT: Final = 10.0
#: Answers after which another try may help: too many requests, and faults of the server.
_AGAIN: Final = frozenset({408, 425, 429, *range(500, 600)})


@dataclass(frozen=True, kw_only=True)
class Webhook:
    """Where alarms are sent, and the secret that signs them; neither is shown in full."""

    url: str
    secret: str

    def __post_init__(self) -> None:
        """Check both.

        Raises
        ------
        InputError
            No http or https URL, one with a user, or no secret.

        """
        if not _is_http(self.url):
            raise InputError(f"--webhook {_host(self.url)} is no URL with http:// or https:// and a host.")
        if urlsplit(self.url).username is not None:
            raise InputError(f"--webhook {_host(self.url)} has a user, which is not sent: alarms are signed instead.")
        if not self.secret:
            raise InputError("--webhook needs a secret to sign with; set EVENHAND_WEBHOOK_SECRET.")

    def __repr__(self) -> str:
        """Return what may be shown."""
        return f"Webhook(url={_host(self.url)!r})"


def _host(url: str) -> str:
    """Return scheme and host: a path may hold what lets anybody post there."""
    return "/".join(public_url(url).split("/")[:3])


def _is_http(url: str) -> bool:
    """Return whether a URL can be asked: http or https, a host, no space and no bare letter beyond ASCII."""
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError:
        return False
    plain = url.isascii() and url.isprintable() and " " not in url
    return plain and parts.scheme in {"http", "https"} and bool(parts.hostname) and port != 0


def signature(secret: str, timestamp: str, body: bytes) -> str:
    """Return HMAC-SHA256 over the timestamp, a full stop and the body, as the header has it.

    A receiver computes the same, compares in constant time, and refuses a timestamp that is minutes old.

    >>> signature("secret", "1767225600", b"{}")
    'sha256=fa7eaa06bf97d7815f3f456e97cde70c9e50cb005f01660c8d10b10c21964887'
    """
    return f"sha256={hmac.new(secret.encode(), timestamp.encode() + b'.' + body, hashlib.sha256).hexdigest()}"


def send_alarms(
    webhook: Webhook,
    alarms: Sequence[Alarm],
    head: LogHead,
    *,
    clock: Callable[[], datetime] = lambda: datetime.now(UTC),
    sleep: Callable[[float], None] = time.sleep,
) -> None:
    """Send alarms in one POST, with the head of the log, and try again after 1, 4 and 16 seconds.

    Raises
    ------
    ServiceError
        The receiver can't be reached or refuses, after all tries.

    """
    body = canonical_json(
        {
            "schema": "evenhand.alarms/1",
            "alarms": [each.json for each in alarms],
            "log": {"entries": head.entries, "digest": head.digest},
        }
    ).encode()
    for pause in (*PAUSES, None):
        answered = _posted(webhook, body, timestamp=str(int(clock().timestamp())))
        if answered == "":
            return
        if pause is None or not answered.startswith("again:"):
            told = answered.removeprefix("again:")
            raise ServiceError(
                f"The webhook {_host(webhook.url)} {told}. The alarms are in the store; the next check sends them."
            )
        sleep(pause)


def _posted(webhook: Webhook, body: bytes, *, timestamp: str) -> str:
    """Return '' where it was taken, else what happened, with 'again:' before it where another try may help."""
    parts = urlsplit(webhook.url)
    opened = HTTPSConnection if parts.scheme == "https" else HTTPConnection
    headers = {
        "Content-Type": "application/json",
        "User-Agent": "evenhand",
        TIMESTAMP: timestamp,
        SIGNATURE: signature(webhook.secret, timestamp, body),
    }
    try:
        connection = opened(str(parts.hostname), parts.port, timeout=TIMEOUT)
        try:
            connection.request("POST", f"{parts.path or '/'}{'?' + parts.query if parts.query else ''}", body, headers)
            status = connection.getresponse().status
        finally:
            connection.close()
    except (OSError, HTTPException) as error:
        return f"again:can't be reached ({type(error).__name__})"
    if 200 <= status < 300:
        return ""
    return f"{'again:' if status in _AGAIN else ''}answered {status}"
