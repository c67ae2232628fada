"""The engines that count: each is tested with the same tables and gives the same numbers."""

from dataclasses import dataclass

__all__ = ["ENGINES", "Engine", "not_supported"]


@dataclass(frozen=True, kw_only=True)
class Engine:
    """What users call an engine, the extra of ours that brings what it needs, and whether a URL opens it."""

    name: str
    extra: str | None = None
    by_url: bool = True


#: By what Ibis calls them.
ENGINES = {
    "duckdb": Engine(name="DuckDB"),
    "sqlite": Engine(name="SQLite", extra="sqlite"),
    "postgres": Engine(name="PostgreSQL", extra="postgres"),
    "pyspark": Engine(name="Spark", extra="spark"),
    "polars": Engine(name="Polars", by_url=False),
}


def not_supported(name: str) -> str:
    """Return why an engine is refused, and what to do instead."""
    known = ", ".join(engine.name for engine in ENGINES.values() if engine.by_url)
    return f"{name} is not supported: evenhand counts in {known}. Export the table to Parquet or CSV."
