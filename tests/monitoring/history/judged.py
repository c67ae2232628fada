"""Judgements for tests of the store, and their measures of a day by another route: row by row, from the rows."""

import math
import random
import statistics
from datetime import UTC, datetime, timedelta

from evenhand.monitoring.recorder import frame_of, row_of
from evenhand.monitoring.recording import Batch, record_batch
from evenhand.monitoring.store import opened_store

START = datetime(2026, 3, 1, tzinfo=UTC)
NOW = datetime(2026, 9, 1, tzinfo=UTC)


def clock():
    """Return the time that stores of tests are written at."""
    return NOW


def judgements(n, *, days=3, seed=0, units=False):
    """Return random judgements in which everything occurs, also what is not known."""
    drawn = random.Random(seed)
    found = []
    for number in range(n):
        score = drawn.choice([None, *(round(drawn.gauss(0.5, 0.2), 4) for _ in range(9))])
        each = {
            "time": START + timedelta(days=drawn.randrange(days), seconds=drawn.randrange(86_400)),
            "score": score,
            "selected": drawn.choice([True, False, None]),
            "label": drawn.choice([True, False, None]),
            "status": drawn.choice(["observed", "observed", "error", "refused"]),
            "latency": round(drawn.expovariate(2), 3),
            "position": drawn.choice(["nurse", "pilot", ""]),
            "stage": drawn.choice(["screen", "offer"]),
            "by": {"department": drawn.choice(["north", "south"])},
            "protected": {"gender": drawn.choice(["female", "male", None])},
        }
        found.append(each | ({"unit": f"case {number}"} if units else {}))
    return found


def frame(found):
    """Return judgements as the store takes them."""
    return frame_of([row_of(each, now=NOW) for each in found], units="unit" in found[0])


def recorded(place, found, *, name=None, model="screener", labels_only=False):
    """Record judgements, and return what became of them."""
    rows = frame(found)
    batch = Batch(model=model, name=name)
    batch.add([rows])
    with opened_store(place, create=True, clock=clock) as store:
        units = [rows] if "unit" in rows.columns else None
        return record_batch(store, batch, decisions=units, labels_only=labels_only)


def measures(found):
    """Return the measures of judgements by another route."""
    scores = [each["score"] for each in found if each["score"] is not None]
    decided = [each["selected"] for each in found if each["selected"] is not None]
    compared = [each["selected"] == each["label"] for each in found if None not in {each["selected"], each["label"]}]
    of = {True: [], False: []}
    for each in found:
        if each["score"] is not None and each["label"] is not None:
            of[each["label"]].append(each["score"])
    wins = [(high > low) + (high == low) / 2 for high in of[True] for low in of[False]]
    unread = [
        each["status"] == "refused"
        or (each["status"] == "observed" and each["score"] is None and each["selected"] is None)
        for each in found
    ]
    told = {
        "median_score": statistics.median(scores) if scores else None,
        "selection_rate": statistics.mean(decided) if decided else None,
        "agreement": statistics.mean(compared) if compared else None,
        "auc": statistics.mean(wins) if wins else None,
        "error_rate": statistics.mean(each["status"] == "error" for each in found),
        "undetected_rate": statistics.mean(unread),
        "latency_p50": statistics.median(each["latency"] for each in found),
        "latency_p95": sorted(each["latency"] for each in found)[math.ceil(0.95 * len(found)) - 1],
    }
    return {name: value for name, value in told.items() if value is not None}
