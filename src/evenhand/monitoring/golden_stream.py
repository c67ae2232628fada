"""Golden cases from the recorded stream: the switch, reasons to look at a case, random draws, weights, coverage.

Everybody takes part in one draw at most. Drawn are those with the smallest ids, which are keyed hashes: a random sample
that nobody can choose by drawing again.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from datetime import date
from statistics import median
from typing import Final

import orjson

from evenhand.errors import InputError
from evenhand.monitoring.alarms import alarms
from evenhand.monitoring.counts import StoredDecision, stored_decisions, unit_hashes
from evenhand.monitoring.daily import known_model
from evenhand.monitoring.golden_cases import Case, Remark
from evenhand.monitoring.store import Store, Writing, add_entry, canonical_json, utc_text
from evenhand.results.messages import quoted
from evenhand.results.score_audit import Covered
from evenhand.stats.rounding import kept_numbers

_SWITCH: Final = "golden_propose"
#: The reason of cases that were drawn at random.
RANDOM: Final = "drawn at random"
#: The share of scores nearest to the cut-off that have a low margin.
NEAR: Final = 0.1
#: A stratum gets so many cases at least; groups with fewer are one stratum together.
LEAST: Final = 2


@dataclass(frozen=True, kw_only=True)
class Switch:
    """Who allowed texts to be copied from the stream, when, and for how many days each is kept."""

    by: str
    since: str
    keep_days: int


def stream_switch(store: Store | Writing) -> Switch | None:
    """Return the switch, None where it is off."""
    rows = store.rows("SELECT value FROM settings WHERE name = ?", (_SWITCH,))
    return Switch(**orjson.loads(rows[0][0])) if rows else None


def set_switch(writing: Writing, *, by: str, keep_days: int | None) -> None:
    """Switch copying from the stream on, with days to keep a text, or off; the log tells who did."""
    writing.execute("DELETE FROM settings WHERE name = ?", (_SWITCH,))
    if keep_days is not None:
        switch = Switch(by=by, since=utc_text(writing.now), keep_days=keep_days)
        writing.execute("INSERT INTO settings (name, value) VALUES (?, ?)", (_SWITCH, canonical_json(asdict(switch))))
    add_entry(writing, "golden propose", {"by": by, "on": keep_days is not None, "keep_days": keep_days})


def kind_of(reason: str) -> str:
    """Return the kind of a reason.

    >>> kind_of("overturned: AI yes, people no"), kind_of("few of gender woman")
    ('overturned', 'thinly covered')
    """
    return "thinly covered" if reason.startswith("few of ") else reason.partition(":")[0]


@dataclass(frozen=True, kw_only=True)
class Streamed:
    """A recorded case: the id that it has as a golden case, its unit, day, position as recorded, groups and remarks."""

    id: str
    unit: bytes
    day: str
    position: str
    groups: Mapping[str, str]
    score: float | None = None
    remarks: Mapping[str, Remark] = field(default_factory=dict)


def streamed_cases(
    store: Store | Writing, model: str, wanted: Sequence[tuple[str, str, str]], *, cutoff: float | None
) -> list[Streamed | None]:
    """Return what is recorded of each unit for a position, given by its id and title; None where nothing is.

    Of several decisions the newest with a score is the case's; the others tell whether it was overturned.

    Raises
    ------
    InputError
        The store has no units of the model, or they are hashed with another key.

    """
    if not store.rows("SELECT 1 FROM decisions JOIN cells ON id = cell WHERE model = ? LIMIT 1", (model,)):
        raise InputError(f"The store has no units of {quoted(model)}; record them with evenhand monitor record --unit.")
    hashed = unit_hashes(store, model)
    units = [hashed(unit) for unit, *_ in wanted]
    by_unit: dict[bytes, list[StoredDecision]] = defaultdict(list)
    for decision in stored_decisions(store, "unit", list(dict.fromkeys(units))):
        by_unit[decision.unit].append(decision)
    groups_of = dict(store.rows("SELECT id, groups FROM cells WHERE model = ?", (model,)))
    replaced = {bytes(decision) for (decision,) in store.rows("SELECT decision FROM labels WHERE replaced IS NOT NULL")}
    rung = [alarm for alarm in alarms(store) if alarm.model == model]
    found: list[Streamed | None] = []
    for unit, (name, position, title) in zip(units, wanted, strict=True):
        places = {"", position.casefold(), title.casefold()}
        decisions = [decision for decision in by_unit[unit] if decision.place[0].casefold() in places]
        if not decisions:
            found.append(None)
            continue
        newest = max(decisions, key=lambda decision: (decision.score is not None, decision.day))
        groups = {key: value for key, value in orjson.loads(groups_of[newest.cell]).items() if value}
        cell = groups | dict(zip(("position", "stage", "decided_by"), newest.place, strict=True))
        remarks = dict(_remarks(newest, decisions, replaced))
        for alarm in rung:
            first, last = (alarm.since or alarm.day).isoformat(), alarm.day.isoformat()
            if first <= newest.day <= last and alarm.slice.items() <= cell.items():
                remarks["alarm"] = Remark(worth=1, text=f"alarm: {alarm.measure} on {newest.day}, number {alarm.id}")
        found.append(
            Streamed(
                id=f"stream-{hashed('golden', name, position).hex()}",
                unit=unit,
                day=newest.day,
                position=newest.place[0],
                groups=groups,
                score=None if newest.score is None else float(kept_numbers(newest.score)),
                remarks=remarks,
            )
        )
    return found if cutoff is None else list(_with_margins(found, cutoff))


def _remarks(
    newest: StoredDecision, decisions: Sequence[StoredDecision], replaced: Collection[bytes]
) -> Iterator[tuple[str, Remark]]:
    """Yield the reasons that lie in decisions and labels."""
    words = ("no", "yes")
    if newest.selected is not None and newest.label is not None and newest.selected != newest.label:
        text = f"label differs: decided {words[newest.selected]}, label {words[newest.label]}"
        yield "label differs", Remark(worth=1, text=text)
    known = sorted((each for each in decisions if each.selected is not None), key=lambda each: each.day)
    for place, earlier in enumerate(known):
        for later in known[place + 1 :]:
            if earlier.place[1] == later.place[1] and earlier.selected != later.selected:
                kind = "deciders differ" if earlier.day == later.day else "overturned"
                said = [
                    f"{each.place[2] or 'not named'} {words[each.selected or 0]} on {each.day}"
                    for each in (earlier, later)
                ]
                yield kind, Remark(worth=1, text=f"{kind}: {', '.join(said)}")
    if any(decision.decision in replaced for decision in decisions):
        yield "label changed", Remark(worth=1, text="label changed: another was recorded before")


def _with_margins(cases: Sequence[Streamed | None], cutoff: float) -> Iterator[Streamed | None]:
    """Yield cases with the remark of a low margin, where the score is among those nearest to the cut-off."""
    margins = sorted(abs(case.score - cutoff) for case in cases if case is not None and case.score is not None)
    widest = margins[max(int(len(margins) * NEAR) - 1, 0)] if margins else 0.0
    for case in cases:
        if case is None or case.score is None or abs(case.score - cutoff) > widest:
            yield case
            continue
        text = f"low margin: {case.score:.4g}, cut-off {cutoff:g}"
        margin = Remark(worth=1 / (1 + abs(case.score - cutoff)), text=text)
        yield replace(case, remarks={**case.remarks, "low margin": margin})


@dataclass(frozen=True, kw_only=True)
class Stratum:
    """A draw: `drawn` of `size` people of a model and of these combinations of groups, as JSON."""

    model: str
    groups: str
    size: int
    drawn: int
    proposed: str


def drawn_at_random(frame: Sequence[Streamed], n: int) -> list[tuple[list[Streamed], list[Streamed]]]:
    """Return the strata: all of each, and the drawn, by their ids; n together, in proportion to the sizes.

    Combinations of groups of which fewer than LEAST would be drawn are one stratum.
    """
    by_groups: dict[str, list[Streamed]] = defaultdict(list)
    for case in sorted(frame, key=lambda case: case.id):
        by_groups[canonical_json(case.groups)].append(case)
    n = min(n, len(frame))
    small = [key for key, members in by_groups.items() if n * len(members) < LEAST * len(frame)]
    strata = [members for key, members in sorted(by_groups.items()) if key not in small]
    rest = sorted((case for key in small for case in by_groups[key]), key=lambda case: case.id)
    if rest and strata and n * len(rest) < LEAST * len(frame):
        smallest = min(strata, key=len)
        strata = [members for members in strata if members is not smallest]
        rest = sorted([*rest, *smallest], key=lambda case: case.id)
    strata += [rest] if rest else []
    shares = [n * len(members) / len(frame) for members in strata]
    numbers = [int(share) for share in shares]
    by_remainder = sorted(range(len(strata)), key=lambda place: numbers[place] - shares[place])
    for place in by_remainder[: n - sum(numbers)]:
        numbers[place] += 1
    return [(members, members[:number]) for members, number in zip(strata, numbers, strict=True)]


def units_between(store: Store | Writing, model: str, days: Sequence[str]) -> int:
    """Return how many people of a model are recorded from the first to the last of the days."""
    if not days:
        return 0
    ((n,),) = store.rows(
        "SELECT count(DISTINCT unit) FROM decisions JOIN cells ON id = cell WHERE model = ? AND day >= ? AND day <= ?",
        (model, days[0], days[-1]),
    )
    return int(n)


def unit_keys(store: Store | Writing) -> Callable[[str], list[bytes]]:
    """Return the function that hashes a unit for every model."""
    functions = [unit_hashes(store, model) for (model,) in store.rows("SELECT name FROM models")]
    return lambda unit: [hashed(unit) for hashed in functions]


def removed_units(store: Store | Writing, units: Sequence[str]) -> set[str]:
    """Return which units have a golden case, of any model, whose text was removed."""
    removed = {bytes(unit) for (unit,) in store.rows("SELECT unit FROM golden_cases WHERE text IS NULL") if unit}
    keys = unit_keys(store)
    return {unit for unit in set(units) if not removed.isdisjoint(keys(unit))} if removed else set()


def framed(store: Store | Writing) -> set[str]:
    """Return the ids of all who took part in a draw."""
    return {name for (name,) in store.rows("SELECT id FROM golden_frame")}


def add_strata(
    writing: Writing, model: str, strata: Sequence[tuple[Sequence[Streamed], Sequence[Streamed]]]
) -> dict[str, int]:
    """Save the strata of a draw and all who took part; return the stratum of each who was drawn, by the case's id.

    Raises
    ------
    InputError
        Some took part in a draw that was saved meanwhile; nothing was saved.

    """
    if framed(writing) & {case.id for members, _ in strata for case in members}:
        raise InputError("Another proposal from these texts was saved in the meantime; run the command again.")
    of_case = {}
    for members, drawn in strata:
        groups = "[" + ",".join(sorted({canonical_json(case.groups) for case in members})) + "]"
        size, time = len(members), utc_text(writing.now)
        number = stratum_id(writing, Stratum(model=model, groups=groups, size=size, drawn=len(drawn), proposed=time))
        writing.execute_each(
            "INSERT INTO golden_frame (id, stratum) VALUES (?, ?)", [(case.id, number) for case in members]
        )
        of_case.update({case.id: number for case in drawn})
    return of_case


def stratum_id(writing: Writing, stratum: Stratum) -> int:
    """Return the number of a stratum, which is saved where it is new."""
    known = {saved: number for number, saved in strata_of(writing).items()}
    if stratum not in known:
        known_model(writing, stratum.model)
        known[stratum] = writing.next_id("golden_strata")
        writing.execute(
            "INSERT INTO golden_strata (id, model, groups, size, drawn, proposed) VALUES (?, ?, ?, ?, ?, ?)",
            (known[stratum], *vars(stratum).values()),
        )
    return known[stratum]


def strata_of(store: Store | Writing) -> dict[int, Stratum]:
    """Return the strata by their numbers."""
    columns = ("model", "groups", "size", "drawn", "proposed")
    return {
        number: Stratum(**dict(zip(columns, values, strict=True)))
        for number, *values in store.rows(f"SELECT id, {', '.join(columns)} FROM golden_strata")  # noqa: S608 - ours
    }


def stands_for(cases: Iterable[Case], strata: Mapping[int, Stratum]) -> dict[str, float]:
    """Return for how many recorded cases each case of these strata stands: the stratum's, shared among its cases.

    Cases that are not given (not settled, forgotten, without a score) are taken to be as the others of their stratum.
    """
    drawn = [(case.id, case.stratum) for case in cases if case.stratum is not None and case.stratum in strata]
    left = Counter(number for _, number in drawn)
    return {name: strata[number].size / left[number] for name, number in drawn}


def coverage(store: Store | Writing, model: str, cases: Sequence[Case], *, today: date) -> list[Covered]:
    """Return the coverage of all cases, of each group and of each position, those without a case included."""
    recorded: Counter[tuple[str, str]] = Counter()
    for position, groups, n in store.rows(
        "SELECT position, groups, sum(n) FROM counts JOIN cells ON id = cell WHERE model = ? GROUP BY position, groups",
        (model,),
    ):
        for name, value in {**orjson.loads(groups), "position": position, "": ""}.items():
            recorded[name, value or ""] += int(n)
    spellings = {(name, value.casefold()): (name, value) for name, value in recorded}
    members: dict[tuple[str, str], list[Case]] = {key: [] for key in recorded if key[1] or not key[0]}
    for case in cases:
        title, number = str(case.position["title"]), str(case.position["id"])
        place = number if ("position", number.casefold()) in spellings else title
        for name, value in {"": "", **case.groups, "position": place}.items():
            members.setdefault(spellings.get((name, value.casefold()), (name, value)), []).append(case)
    rows = []
    for (name, value), own in members.items():
        ages = [(today - date.fromisoformat(case.day)).days for case in own if case.day is not None]
        covered = Covered(
            name=name,
            value=value,
            cases=len(own),
            drawn=sum(case.stratum is not None for case in own),
            median_age=median(ages) if ages else None,
            newest_age=min(ages, default=None),
            recorded=recorded[name, value] / recorded["", ""] if (name, value) in recorded else None,
        )
        rows.append(covered)
    return sorted(rows, key=lambda row: (row.name == "position", row.name, -(row.recorded or 0), row.value))
