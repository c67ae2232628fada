"""`evenhand monitor verify`: whether a store's log is as it was written."""

from evenhand.commands.monitor.told import Told
from evenhand.commands.terminal import Screen
from evenhand.errors import CheckFailed, InputError
from evenhand.monitoring.history.log import verified_log
from evenhand.monitoring.history.recording import missing_counts
from evenhand.monitoring.history.store import opened_store
from evenhand.report.words.numbers import counted
from evenhand.runs.options.monitoring.monitor import VerifyOptions
from evenhand.runs.progress import Notices

__all__ = ["verify"]


def verify(options: VerifyOptions, *, notice: Notices) -> Told:
    """Return what was found of a whole store: its file, its log, and that no judgement of the log is missing.

    Raises
    ------
    CheckFailed
        An entry was changed, taken out or put in, the head that was given is not in the log, or counts are missing.
    InputError
        There is no store, or its file is damaged.

    """
    with opened_store(options.store, notice=notice) as store:
        damage = store.connection.damage()
        if damage is not None:
            raise InputError(f"{store.place} is damaged ({damage}); restore a copy.")
        found = verified_log(store)
        if found.wrong is not None:
            raise CheckFailed(f"The log of {store.place} is not as it was written: {found.reason}.")
        if options.head is not None and not store.rows("SELECT number FROM log WHERE digest = ?", (options.head,)):
            raise CheckFailed(
                f"The log of {store.place} has no entry {options.head}: it is that of another store, or was written "
                "anew."
            )
        missing = missing_counts(store)
        if missing is not None:
            raise CheckFailed(f"The counts of {store.place} are not those of its log: {missing}.")
    screen = Screen()
    screen.say(f"The log is as it was written: {counted(found.head.entries, 'entry', 'entries')}.")
    screen.keep(f"Head: {found.head.digest}")
    screen.say("Keep the head elsewhere: it proves later, by --head, that nothing before it was changed.")
    content = {"entries": found.head.entries, "head": found.head.digest, "wrong": None}
    return Told(content=content, text=screen.text)
