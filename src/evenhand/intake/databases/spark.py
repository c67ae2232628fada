"""A Spark session: the one that runs already, or one of our own."""

import os
import shutil
from contextlib import ExitStack
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, urlsplit

import ibis

from evenhand.errors import InputError

__all__ = ["spark_connection"]


def spark_connection(rest: str, closing: ExitStack) -> Any:
    """Return Ibis's connection to Spark; `rest` is what follows `pyspark://`.

    A path is the warehouse folder, and parameters are Spark's own settings
    (`pyspark:///data/warehouse?spark.master=local[4]`). A session that is active
    already, as in a notebook, is used as it is and left running.

    Raises
    ------
    ImportError
        PySpark is not installed.
    InputError
        There is no Java.

    """
    from pyspark.sql import SparkSession

    session = SparkSession.getActiveSession()
    if session is None:
        home = os.environ.get("JAVA_HOME")
        if shutil.which("java") is None and (home is None or not Path(home, "bin", "java").exists()):
            raise InputError("Spark needs Java 17 or newer; install it, or name its folder in JAVA_HOME.")
        parts = urlsplit(f"pyspark://{rest}")
        settings = dict(parse_qsl(parts.query))
        if parts.path.strip("/"):
            settings.setdefault("spark.sql.warehouse.dir", parts.path)
        builder = SparkSession.builder.appName("evenhand").config("spark.ui.enabled", "false")
        builder = builder.config("spark.ui.showConsoleProgress", "false")
        for name, value in settings.items():
            builder = builder.config(name, value)
        session = builder.getOrCreate()
        session.sparkContext.setLogLevel("ERROR")
        closing.callback(session.stop)
    return ibis.pyspark.connect(session)
