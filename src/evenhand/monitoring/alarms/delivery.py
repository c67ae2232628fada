"""Which alarms a webhook has not had yet: kept in the store, so that none is lost when its receiver is away."""

import hashlib
from collections.abc import Callable

import orjson

from evenhand.monitoring.alarms.webhook import Webhook, send_alarms
from evenhand.monitoring.history.alarms import Alarm, alarms
from evenhand.monitoring.history.log import log_head
from evenhand.monitoring.history.store import Store

__all__ = ["deliver"]


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
    found = _changed(store, int(noted[0][0])) if noted else alarms(store, states=("firing", "acknowledged"))
    if noted and not found:
        return 0
    if found:
        send(webhook, found, head)
    with store.writing() as writing:
        writing.execute(
            "INSERT INTO settings (name, value) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value",
            (name, str(head.entries)),
        )
    return len(found)


def _changed(store: Store, since: int) -> list[Alarm]:
    """Return the alarms of log entries after one, as they stand, but those that are or only ever were pending."""
    changed = set(_logged(store, since))
    found = [each for each in alarms(store) if each.id in changed and each.state != "pending"]
    if not any(each.state == "resolved" for each in found):
        return found
    states = _logged(store, 0)
    return [each for each in found if each.state != "resolved" or set(states[each.id][:-1]) != {"pending"}]


def _logged(store: Store, since: int) -> dict[int, list[str]]:
    """Return the states of each alarm, in the order of the log's entries after one."""
    found: dict[int, list[str]] = {}
    rows = store.rows(
        "SELECT entry FROM log WHERE number > ? AND entry LIKE ? ORDER BY number", (since, '%"kind":"alarm"%')
    )
    for (entry,) in rows:
        content = orjson.loads(entry)["content"]
        found.setdefault(content["id"], []).append(content["state"])
    return found
