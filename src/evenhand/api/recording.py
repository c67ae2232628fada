"""`evenhand monitor record` as a function, without what the other commands of monitoring need."""

from typing import Any

from evenhand.analyses.monitor_record import record as record_source
from evenhand.analyses.options import monitoring
from evenhand.api import warner
from evenhand.options import from_python


@from_python()
def record(frame: Any, options: monitoring.RecordOptions) -> dict[str, Any]:
    """Record a table of judgements, or a finished run; options as in `evenhand monitor record`.

    `frame` is a pandas, polars or pyarrow table, an Ibis table, a path, a connection URL, or the folder of a run.
    Remarks come as Python warnings, failures as `evenhand.errors.EvenhandError`.

    >>> import polars as pl, tempfile
    >>> frame = pl.DataFrame({"at": ["2026-03-01T10:00:00Z"] * 3, "match": [0.25, 0.5, 0.75]})
    >>> store = tempfile.mkdtemp() + "/history.db"
    >>> record(frame, store=store, model="screener", time="at", score="match")["n"]
    3
    """
    return dict(record_source(frame, options, notice=warner(monitoring.RecordOptions, stacklevel=4)).content)
