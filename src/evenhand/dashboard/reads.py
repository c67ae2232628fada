"""Who read rows of people: an entry in the store's log, or a line of a file beside the runs where there is no store."""

from pathlib import Path
from typing import Final

import orjson

from evenhand.errors import ServiceError
from evenhand.monitoring.history.log import add_entry
from evenhand.monitoring.history.store import opened_store, utc_now, utc_text

__all__ = ["READS", "log_read"]

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
        line = orjson.dumps({"time": utc_text(utc_now()), **content}, option=orjson.OPT_APPEND_NEWLINE)
        try:
            with (folder / READS).open("ab") as file:
                file.write(line)
        except OSError as error:
            raise ServiceError(f"{folder / READS} can't be written, so no rows are shown: {error.strerror}.") from error
