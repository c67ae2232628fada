"""What a view is: an address, what answers there, and for whom."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Literal

import polars as pl
from starlette.responses import Response

from evenhand.dashboard.access import Role
from evenhand.dashboard.asked import Asked
from evenhand.dashboard.forms import LONGEST_FORM
from evenhand.report.page.live import LivePage

__all__ = ["Address", "View"]


@dataclass(frozen=True, kw_only=True)
class View:
    """A page, and the table that it is exported as; without columns it is not exported.

    `exact_link`: the same with exact numbers is offered to those with access to the rows. `of_company`: it shows the
    store or the runs, those of the synthetic company where that is shown.
    """

    page: LivePage
    frame: pl.DataFrame = field(default_factory=pl.DataFrame)
    exact_link: bool = False
    of_company: bool = True


@dataclass(frozen=True, kw_only=True)
class Address:
    """What `answer` shows or does at a path, for a visitor of this role or a higher one.

    An address with a title stands in the navigation. A POST is answered only where the form is of a page of ours; its
    body has at most `longest` bytes, or with `takes_file` a file of the size that the server allows. What can't be
    answered raises starlette's HTTPException, with a sentence.
    """

    path: str
    answer: Callable[[Asked], View | Response]
    title: str = ""
    role: Role = "viewer"
    method: Literal["GET", "POST"] = "GET"
    longest: int = LONGEST_FORM
    takes_file: bool = False
