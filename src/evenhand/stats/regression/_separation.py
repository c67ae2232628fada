"""Cells whose outcome a logistic regression predicts perfectly, so that some coefficient has no limit."""

import numpy as np

from evenhand.stats._arrays import Flags, Floats

__all__ = ["independent_columns", "row_space", "separated_rows"]

#: What is left of a column (a row) of length 1 when it is a combination of others.
NEGLIGIBLE = 1e-9
#: A linear program's solution is right to about this much.
SOLVED = 1e-6


def independent_columns(design: Floats) -> Flags:
    """Return which columns are no combination of the columns before them.

    >>> independent_columns(np.array([[1.0, 2.0, 0.0], [1.0, 2.0, 1.0]])).tolist()
    [True, False, True]
    """
    kept = np.zeros(design.shape[1], dtype=np.bool_)
    basis = np.zeros((design.shape[0], 0))
    for place, column in enumerate(design.T):
        size = np.linalg.norm(column)
        if size == 0:
            continue
        rest = column / size
        for _ in range(2):  # once leaves rounding of the size of the basis
            rest = rest - basis @ (basis.T @ rest)
        left = np.linalg.norm(rest)
        if left > NEGLIGIBLE:
            kept[place] = True
            basis = np.column_stack([basis, rest / left])
    return kept


def row_space(design: Floats) -> Floats:
    """Return orthonormal columns that span the rows; none for an empty design."""
    if not design.size:
        return np.zeros((design.shape[1], 0))
    _, values, directions = np.linalg.svd(design, full_matrices=False)
    return np.asarray(directions[values > NEGLIGIBLE * values.max(initial=0.0) * np.sqrt(design.shape[0])].T)


def separated_rows(design: Floats, successes: Floats, trials: Floats) -> Flags:
    """Return the rows that are predicted perfectly as some coefficients go to infinity.

    A direction in which the log odds grow nowhere with failures, fall nowhere with
    successes, and move somewhere. Rows with both outcomes can't move, so the direction is
    sought among those that leave them as they are: mostly there is none, and no linear
    program is solved. (Albert and Anderson 1984, Biometrika 71, 1-10; Konis 2007,
    dissertation, University of Oxford, chapter 4.)

    >>> one_column = np.ones((2, 1))
    >>> separated_rows(one_column, np.array([3.0, 2.0]), np.array([3.0, 2.0])).tolist()
    [True, True]
    >>> separated_rows(one_column, np.array([3.0, 0.0]), np.array([3.0, 2.0])).tolist()
    [False, False]
    """
    won, lost = successes == trials, successes == 0
    free = _complement(row_space(design[~(won | lost)]))
    found = np.zeros(trials.shape, dtype=np.bool_)
    pushed = np.where(won, 1.0, -1.0)[:, None] * (design @ free)
    sizes = np.linalg.norm(pushed, axis=1)
    movable = (won | lost) & (sizes > NEGLIGIBLE * np.linalg.norm(design, axis=1))
    while free.shape[1] and (movable & ~found).any():
        # Few tables have such cells, and this takes a while to load.
        from scipy.optimize import linprog  # noqa: PLC0415

        rows = np.flatnonzero(movable & ~found)
        along = pushed[rows] / sizes[rows][:, None]
        solved = linprog(-along.sum(axis=0), A_ub=-along, b_ub=np.zeros(rows.size), bounds=(-1, 1), method="highs")
        moved = rows[along @ solved.x > SOLVED]
        if not moved.size:
            break
        # Rows found may move back in the next direction: it is taken with a lesser weight than this one.
        found[moved] = True
    return found


def _complement(basis: Floats) -> Floats:
    """Return orthonormal columns that span what the given ones don't."""
    whole, _ = np.linalg.qr(basis, mode="complete")
    return np.asarray(whole[:, basis.shape[1] :])
