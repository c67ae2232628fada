"""DuckDB as Ibis asks it, without PyArrow: tables go to Polars and come from it by Arrow's C interface."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import duckdb
import polars as pl
from ibis.backends.duckdb import Backend
from ibis.common.exceptions import TableNotFound
from ibis.expr.schema import Schema
from ibis.formats.polars import PolarsType

__all__ = ["DuckDB", "Rows"]


@dataclass(frozen=True)
class Rows:
    """Rows in memory as DuckDB reads them; a frame of Polars itself it would take to PyArrow first."""

    frame: pl.DataFrame

    def __arrow_c_stream__(self, requested_schema: Any = None) -> Any:
        """Return the rows once more for each question."""
        return self.frame.__arrow_c_stream__(requested_schema)


class DuckDB(Backend):  # type: ignore[misc]
    """Ibis's DuckDB; what Ibis asks PyArrow for is asked otherwise."""

    def get_schema(self, table_name: str, *, catalog: str | None = None, database: str | None = None) -> Schema:
        """Return the columns of a table and their types."""
        place = ".".join('"' + part.replace('"', '""') + '"' for part in (catalog, database, table_name) if part)
        try:
            columns = self.con.execute(f"DESCRIBE {place}").fetchall()
        except duckdb.CatalogException as error:
            raise TableNotFound(table_name) from error
        kind = self.compiler.type_mapper.from_string
        return Schema({name: kind(told, nullable=null == "YES") for name, told, null, *_ in columns})

    def list_tables(self) -> list[str]:
        """Return the names of the tables and views in the schema that is looked in first."""
        named = "SELECT DISTINCT table_name FROM information_schema.tables WHERE table_schema = current_schema()"
        found = self.con.execute(f"{named} AND table_catalog IN (current_database(), 'temp')")
        return [name for (name,) in found.fetchall()]

    def to_polars(
        self,
        expr: Any,
        /,
        *,
        params: Mapping[Any, Any] | None = None,
        limit: int | str | None = None,
        **_: Any,
    ) -> pl.DataFrame:
        """Return rows with the types that Ibis tells: a sum of whole numbers is wider in DuckDB, an enum is text."""
        table = expr.as_table()
        # Polars has no spans of months and days, and no bits, which Ibis doesn't know either.
        foreign = [name for name, kind in table.schema().items() if kind.is_interval() or kind.is_unknown()]
        table = table.mutate(**{name: table[name].cast("string") for name in foreign}) if foreign else table
        frame = pl.DataFrame(self.con.sql(self.compile(table, params=params, limit=limit)))
        kinds = {
            name: PolarsType.from_ibis(kind)
            for name, kind in table.schema().items()
            if kind.is_numeric() or kind.is_string()
        }
        return frame.cast(kinds)
