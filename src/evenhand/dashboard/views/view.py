"""What a view returns: a page, and its numbers as a table."""

from dataclasses import dataclass

import polars as pl

from evenhand.report.page.live import LivePage

__all__ = ["View"]


@dataclass(frozen=True, kw_only=True)
class View:
    """A page, and the table that it is exported as."""

    page: LivePage
    frame: pl.DataFrame
