"""The attack on what is published: rows as anybody reads them, their sums by label, and bounds of what is not told.

It knows nothing of how the cube is made. Who attacks knows which cells there are and how they add up, which values
are parts of others (a position of one department), that a stage goes on with those whom another selected where that
is so, that selected are some of those decided on, that stages stand in the order of how many were decided on, and
what the words 'fewer than 5' and 'withheld' mean.
"""

from itertools import pairwise

import numpy as np
from scipy.optimize import linprog
from scipy.sparse import csr_array, vstack

from evenhand.dashboard.disclosure import disclosed_cells

__all__ = ["bounds", "published"]


def published(found, *, exact=False):
    """Return every cell that can be asked for: (stage, groups, by, value, which count) and what is told of it."""
    rows = {}
    for crossed, by in found.cube.tables:
        for cutoff in (None, *found.cube.cutoffs):
            for cell in disclosed_cells(found, crossed, by, exact=exact, cutoff=cutoff):
                stage = cell.stage if cutoff is None else f"{cell.stage} above {cutoff}"
                groups = tuple(sorted(zip(crossed, cell.groups, strict=True)))
                for kind in ("decided", "selected"):
                    rows[stage, groups, by, cell.value, kind] = getattr(cell, kind).text
    return rows


def bounds(rows, *, least=5, parts=(), follows=(), alike=(), below=(), some=None, enough=np.inf):
    """Return the least and the largest value of each count told as small; `some` of them, where that is given.

    Where values that are `enough` apart were met on the way to the ends of others, these are returned.

    `parts` are (by, value, within, values): a value is made of values of another breakdown. `follows` are (stage,
    stage before, breakdowns): in these as many are decided on as were selected before. Of stages that are `alike` as
    many are decided on in every cell. `below` are ((stage, kind), (stage, kind)): the first is at most the second.
    """
    names = list(rows)
    place = {name: at for at, name in enumerate(names)}
    limits = [(at, place[(*name[:4], "decided")]) for name, at in place.items() if name[4] == "selected"]
    limits += [(place[after], place[before]) for before, after in pairwise(_wholes(rows))]
    sums = list(_sums(rows, place, parts, follows))
    for first, second in (*(((one, "decided"), (other, "decided")) for one, other in alike), *below):
        pairs = [(at, place[second[0], *name[1:4], second[1]]) for name, at in place.items() if name[::4] == first]
        if (first, second) not in below:
            sums += [(at, [other]) for at, other in pairs]
        else:
            limits += pairs
    matrix = vstack([_row(whole, of, len(names)) for whole, of in sums]).tocsc()
    told = np.array([float(text.replace(",", "")) if text[0].isdigit() else np.nan for text in rows.values()])
    unknown = np.flatnonzero(np.isnan(told))
    right = -(matrix[:, np.flatnonzero(~np.isnan(told))] @ told[~np.isnan(told)])
    limited = vstack([_row(at, [other], len(names)) for at, other in limits]).tocsc()
    slack = -(limited[:, np.flatnonzero(~np.isnan(told))] @ told[~np.isnan(told)])
    more = {"A_ub": limited[:, unknown], "b_ub": slack}
    small = np.array([rows[names[at]].startswith("fewer") for at in unknown], dtype=bool)
    within = np.stack([np.where(small, 0, least), np.where(small, least - 1, np.inf)], axis=1)
    low, high = np.full(unknown.size, np.inf), np.full(unknown.size, -np.inf)
    found = {}
    for at in np.flatnonzero(small) if some is None else some(np.flatnonzero(small)):
        if high[at] - low[at] < enough:
            aim = np.zeros(unknown.size)
            aim[at] = 1
            for sign in (1, -1):
                end = linprog(sign * aim, A_eq=matrix[:, unknown], b_eq=right, bounds=within, **more).x
                low, high = np.minimum(low, end), np.maximum(high, end)
        found[names[unknown[at]]] = low[at], high[at]
    return found


def _wholes(rows):
    """Return how many were decided on at each stage, in the order in which a page has the stages."""
    return [name for name in rows if name[1:] == ((), "", "", "decided") and " above " not in name[0]]


def _sums(rows, place, parts, follows):
    """Yield which cell is the sum of which others."""
    wholes = {}
    for name in rows:
        stage, groups, by, value, kind = name
        if by:
            wholes.setdefault((place[stage, groups, "", "", kind], by), []).append(place[name])
        for attribute, group in groups:
            rest = tuple(each for each in groups if each != (attribute, group))
            wholes.setdefault((place[stage, rest, by, value, kind], attribute), []).append(place[name])
        for of, whole, within, values in parts:
            if (by, value) == (of, whole):
                yield place[name], [place[stage, groups, within, each, kind] for each in values]
        for after, before, breakdowns in follows:
            if (stage, kind) == (after, "decided") and by in breakdowns:
                yield place[name], [place[before, groups, by, value, "selected"]]
    yield from ((whole, of) for (whole, _), of in wholes.items())


def _row(whole, of, size):
    return csr_array(([1.0, *[-1.0] * len(of)], ([0] * (1 + len(of)), [whole, *of])), shape=(1, size))
