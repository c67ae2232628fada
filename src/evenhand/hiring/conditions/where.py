"""--where: which rows are counted, as a condition in SQL that means the same on every engine.

The condition is parsed, and only what is known is taken over into an expression: columns of the
table, constants, comparisons and some functions. No text of the user's ever reaches an engine as SQL.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import ibis
from ibis.common.exceptions import IbisError

from evenhand.errors import InputError
from evenhand.hiring.conditions.reader import Reader
from evenhand.hiring.counting.people import people
from evenhand.intake.tables import OpenTable
from evenhand.tables.messages.quoting import listed

__all__ = ["Kept", "kept_rows"]


@dataclass(frozen=True, kw_only=True)
class Kept:
    """Rows for which every condition is true, and how many each left out, in order.

    An entry of `left_out` has `expression`, `rows_left_out`, and `of_these_empty`: those for
    which the condition is neither true nor false, as a cell that decides it is empty.
    """

    expr: Any
    left_out: tuple[dict[str, Any], ...]


def kept_rows(table: OpenTable, conditions: Sequence[str], weight: Any = None) -> Kept:
    """Return the rows for which all conditions are true; false and null leave a row out.

    `weight` is how many people a row is; those that are left out are counted by it.

    Raises
    ------
    InputError
        A condition is no expression in SQL, names an unknown column, or uses something
        that is not taken over.

    """
    if not conditions:
        return Kept(expr=table.expr, left_out=())
    tests = [Reader(table, condition).test() for condition in conditions]
    # 2k: the condition k is false; 2k + 1: it is null. (Ibis writes `(not x) is null` without the brackets.)
    cases = [
        (~ibis.coalesce(test, ibis.literal(value=decided)), 2 * k + (not decided))
        for k, test in enumerate(tests)
        for decided in (True, False)
    ]
    failed = ibis.cases(*cases, else_=2 * len(tests)).cast("int32")
    try:
        rows = table.expr.select(failed=failed, **({} if weight is None else {"weight": weight}))
        counted = table.fetch(rows.group_by("failed").aggregate(n=people(rows)))
    except (IbisError, RecursionError) as error:
        raise InputError(f"{table.engine} can't take the conditions of --where; write them more simply.") from error
    numbers = dict(counted.select("failed", "n").iter_rows())
    left_out = tuple(
        {
            "expression": condition,
            "rows_left_out": numbers.get(2 * k, 0) + numbers.get(2 * k + 1, 0),
            "of_these_empty": numbers.get(2 * k + 1, 0),
        }
        for k, condition in enumerate(conditions)
    )
    if not numbers.get(2 * len(tests)):
        raise InputError(f"No row of {table.name} is left by --where {listed(conditions, quotes=True)}.")
    return Kept(expr=table.expr.filter(tests), left_out=left_out)
