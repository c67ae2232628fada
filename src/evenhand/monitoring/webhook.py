"""Alarms sent to a webhook: signed, with a time, and retried; the store knows which ones a receiver has."""

import hashlib
import hmac
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from http.client import HTTPConnection, HTTPException, HTTPSConnection
from typing import Final
from urllib.parse import urlsplit

import orjson

from evenhand.errors import InputError, ServiceError
from evenhand.monitoring.alarms import Alarm, alarms
from evenhand.monitoring.store import LogHead, Store, canonical_json, log_head
from evenhand.results.messages import public_url

TIMESTAMP: Final = "X-Evenhand-Timestamp"
SIGNATURE: Final = "X-Evenhand-Signature"
#: Seconds to wait before each further try.
PAUSES: Final = (1.0, 4.0, 16.0)
TIMEOUT: Final = 10.0
#: Answers after which another try may help: too many requests, and faults of the server.
_RETRIED_STATUSES: Final = frozenset({408, 425, 429, *range(500, 600)})


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
            raise InputError(f"--webhook {_host(self.url)} is not a URL with http:// or https:// and a host.")
        if urlsplit(self.url).username is not None:
            raise InputError(f"--webhook {_host(self.url)} has a user name; leave it out: alarms are signed instead.")
        if not self.secret:
            raise InputError("--webhook needs a secret for signing; set EVENHAND_WEBHOOK_SECRET.")

    def __repr__(self) -> str:
        """Return what may be shown."""
        return f"Webhook(url={_host(self.url)!r})"


def _host(url: str) -> str:
    """Return scheme and host: a path may hold what lets anybody post there."""
    return "/".join(public_url(url).split("/")[:3])


def _is_http(url: str) -> bool:
    """Say whether a URL can be asked: http or https, a host, no space and no bare letter beyond ASCII."""
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
            "alarms": [alarm.json for alarm in alarms],
            "log": {"entries": head.entries, "digest": head.digest},
        }
    ).encode()
    for pause in (*PAUSES, None):
        answered = _posted(webhook, body, timestamp=str(int(clock().timestamp())))
        if answered == "":
            return
        if pause is None or not answered.startswith("again:"):
            message = answered.removeprefix("again:")
            raise ServiceError(
                f"The webhook {_host(webhook.url)} {message}. The alarms are in the store; the next check sends them."
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
    return f"{'again:' if status in _RETRIED_STATUSES else ''}answered {status}"


def deliver(store: Store, webhook: Webhook, *, send: Callable[..., None] = send_alarms) -> int:
    """Send the alarms that changed since the last delivery to this URL; return how many.

    The first delivery has all that are firing or acknowledged. A pending one is not sent, nor one that was over
    before it fired. What was sent is noted after the receiver took it: an interrupted check sends it twice, and never
    not at all.

    Raises
    ------
    ServiceError
        The receiver can't be reached or refuses; the next delivery sends the same alarms.

    """
    head = log_head(store)
    name = f"webhook {hashlib.sha256(webhook.url.encode()).hexdigest()[:16]}"
    noted = store.rows("SELECT value FROM settings WHERE name = ?", (name,))
    chosen = _changed(store, int(noted[0][0])) if noted else alarms(store, states=("firing", "acknowledged"))
    if noted and not chosen:
        return 0
    if chosen:
        send(webhook, chosen, head)
    with store.writing() as writing:
        writing.execute(
            "INSERT INTO settings (name, value) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value",
            (name, str(head.entries)),
        )
    return len(chosen)


def _changed(store: Store, since: int) -> list[Alarm]:
    """Return the alarms of log entries after one, as they stand, but those that are or only ever were pending."""
    changed = set(_logged(store, since))
    current = [alarm for alarm in alarms(store) if alarm.id in changed and alarm.state != "pending"]
    if not any(alarm.state == "resolved" for alarm in current):
        return current
    states = _logged(store, 0)
    return [alarm for alarm in current if alarm.state != "resolved" or set(states[alarm.id][:-1]) != {"pending"}]


def _logged(store: Store, since: int) -> dict[int, list[str]]:
    """Return the states of each alarm, in the order of the log's entries after one."""
    states: dict[int, list[str]] = {}
    rows = store.rows(
        "SELECT entry FROM log WHERE number > ? AND entry LIKE ? ORDER BY number", (since, '%"kind":"alarm"%')
    )
    for (entry,) in rows:
        content = orjson.loads(entry)["content"]
        states.setdefault(content["id"], []).append(content["state"])
    return states
