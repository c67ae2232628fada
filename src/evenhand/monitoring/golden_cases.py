"""Golden cases: a résumé for a position, the choice of cases worth labelling, and how a text is forgotten."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import count
from typing import Any, Final

import numpy as np
import orjson

from evenhand.errors import InputError
from evenhand.monitoring.store import Store, Writing, add_entry, canonical_json, utc_text
from evenhand.results.messages import listed, quoted

#: What tables of cases have besides their groups: no attribute is called that.
CASE_COLUMNS: Final = ("case", "twin", "label", "yes", "score", "previous", "reason", "stands_for")

#: The table that holds texts and names, and nothing else does.
TEXTS: Final = "golden_texts"
_SCALE: Final = "golden_scale"


@dataclass(frozen=True, kw_only=True)
class Scale:
    """The labels that a case may get, from the lowest; from `positive` on they count as yes."""

    labels: tuple[str, ...]
    positive: str

    def __post_init__(self) -> None:
        """Refuse a scale that can't tell yes from no.

        Raises
        ------
        InputError
            There are fewer than two labels, one stands twice, in whatever capitals, or nothing counts as no.

        """
        if len({label.strip().casefold() for label in self.labels}) != len(self.labels) or len(self.labels) < 2:
            raise InputError(
                f"The labels {listed(self.labels)}: expected two or more, each once, such as no,yes; case "
                "doesn't distinguish labels."
            )
        if self.positive not in self.labels[1:]:
            raise InputError(
                f"The first label that counts as yes is {quoted(self.positive)}; expected one of "
                f"{listed(self.labels[1:])}: the lowest label must count as no."
            )

    def number(self, label: str) -> int:
        """Return the place of a label, from 0.

        Raises
        ------
        InputError
            It is none of the scale's.

        >>> Scale(labels=("no", "yes"), positive="yes").number(" Yes")
        1
        """
        casefolded = [label.casefold() for label in self.labels]
        if label.strip().casefold() not in casefolded:
            raise InputError(f"The label {quoted(label)} is not one of {listed(self.labels)}.")
        return casefolded.index(label.strip().casefold())

    def is_yes(self, number: int) -> bool:
        """Say whether a label counts as yes."""
        return number >= self.labels.index(self.positive)


@dataclass(frozen=True, kw_only=True)
class Case:
    """A résumé for a position: text None once forgotten.

    `twin` is what cases share that differ in the group alone; it may be the id of one of them, which needs none then.
    The last four are of cases from the recorded stream: the stratum they were drawn from at random, the hash of the
    unit, the day of the decision, and the time from which the text counts as forgotten.
    """

    id: str
    text: str | None = field(repr=False)
    known_names: tuple[str, ...] = field(default=(), repr=False)
    position: Mapping[str, Any]
    groups: Mapping[str, str] = field(default_factory=dict)
    twin: str | None = None
    reason: str
    stratum: int | None = None
    unit: bytes | None = field(default=None, repr=False)
    day: str | None = None
    keep_until: str | None = None

    @property
    def cluster(self) -> str:
        """What the case shares with its twins, whose labels and scores depend on one résumé."""
        return self.id if self.twin is None else self.twin


def scale_of(store: Store | Writing) -> Scale:
    """Return the scale of a store's golden set.

    Raises
    ------
    InputError
        There is no golden set yet.

    """
    rows = store.rows("SELECT value FROM settings WHERE name = ?", (_SCALE,))
    if not rows:
        raise InputError("The store has no golden cases yet; evenhand monitor golden add adds them.")
    stored = orjson.loads(rows[0][0])
    return Scale(labels=tuple(stored["labels"]), positive=stored["positive"])


def add_cases(writing: Writing, cases: Sequence[Case], scale: Scale | None) -> int:
    """Add cases that are not there yet; return how many are new. The first ones fix the scale.

    A line break of a text is one character, as it is in a CSV that was read.

    Raises
    ------
    InputError
        A case is there with another text, position or twin, an attribute has the name of a column of ours, or the
        scale is another.

    """
    _store_scale(writing, scale)
    forget_expired(writing)  # no new case shares a text that is to go
    existing = {case.id: case for case in cases_of(writing)}
    texts = {(text.text, text.known_names): number for number, text in _texts(writing).items()}
    positions = {content: number for number, content in writing.rows("SELECT id, content FROM golden_positions")}
    free_text, free_position = count(writing.next_id("golden_texts")), count(writing.next_id("golden_positions"))
    added = []
    for new_case in cases:
        text = new_case.text and new_case.text.replace("\r\n", "\n").replace("\r", "\n")
        case = replace(new_case, text=text)
        for name in sorted(case.groups.keys() & CASE_COLUMNS):
            raise InputError(f"A protected attribute can't be called {name!r}, which a run has; rename the key.")
        if case.id in existing:
            _refuse_another(existing[case.id], case)
            continue
        text_key, position = (case.text or "", case.known_names), canonical_json(case.position)
        if text_key not in texts:
            texts[text_key] = next(free_text)
            writing.execute(
                "INSERT INTO golden_texts (id, text, known_names) VALUES (?, ?, ?)",
                (texts[text_key], case.text, canonical_json(case.known_names)),
            )
        if position not in positions:
            positions[position] = next(free_position)
            writing.execute("INSERT INTO golden_positions (id, content) VALUES (?, ?)", (positions[position], position))
        writing.execute(
            "INSERT INTO golden_cases "
            "(id, text, position, groups, twin, reason, stratum, unit, day, keep_until, added) "
            "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (
                case.id, texts[text_key], positions[position], canonical_json(case.groups), case.twin, case.reason,
                case.stratum, case.unit, case.day, case.keep_until, utc_text(writing.now),
            ),
        )  # fmt: skip
        existing[case.id] = case
        added.append({"id": case.id, "reason": case.reason})
    if added:
        add_entry(writing, "golden cases", {"cases": added})
    return len(added)


def cases_of(store: Store | Writing, *, with_texts: bool = True) -> list[Case]:
    """Return all cases by their ids; without texts they are as if forgotten, and read faster.

    A text that is no longer to be kept is as if forgotten before it is removed.
    """
    texts, now = _texts(store) if with_texts else {}, _now(store)
    positions = {
        number: orjson.loads(content) for number, content in store.rows("SELECT id, content FROM golden_positions")
    }
    return [
        Case(
            id=name,
            text=texts[text].text if text in texts and (keep_until or now) >= now else None,
            known_names=texts[text].known_names if text in texts else (),
            position=positions[position],
            groups=orjson.loads(groups),
            twin=twin,
            reason=reason,
            stratum=stratum,
            unit=None if unit is None else bytes(unit),
            day=day,
            keep_until=keep_until,
        )
        for name, text, position, groups, twin, reason, stratum, unit, day, keep_until in store.rows(
            "SELECT id, text, position, groups, twin, reason, stratum, unit, coalesce(day, substr(added, 1, 10)), "
            "keep_until FROM golden_cases ORDER BY id"
        )
    ]


def _now(store: Store | Writing) -> str:
    return utc_text(store.now if isinstance(store, Writing) else store.clock())


def known_case(writing: Writing, name: str) -> None:
    """Refuse the id of a case that isn't there.

    Raises
    ------
    InputError
        There is no such case.

    """
    if not writing.rows("SELECT id FROM golden_cases WHERE id = ?", (name,)):
        raise InputError(f"There is no golden case {quoted(name)}.")


def forget_case(writing: Writing, name: str) -> list[str]:
    """Remove the text and the names of a case; return the cases that lost their text: all that had the same.

    What people and models said of the case stays: labels, scores, versions. The log tells which cases were forgotten,
    and nothing of the text.

    Raises
    ------
    InputError
        There is no such case, or it was forgotten before.

    """
    known_case(writing, name)
    ids = _forget_texts(writing, "id = ?", [name])
    if not ids:
        raise InputError(f"The text of golden case {quoted(name)} was already forgotten.")
    return ids


def forget_unit(writing: Writing, hashes: Sequence[bytes]) -> list[str]:
    """Remove the texts of all cases of one unit, by its hashes for the models; return the cases that lost theirs."""
    return _forget_texts(writing, f"unit IN ({', '.join('?' * len(hashes))})", hashes)


def forget_expired(writing: Writing) -> list[str]:
    """Remove the texts that are no longer to be kept; return the cases that lost theirs."""
    return _forget_texts(writing, "keep_until < ?", [_now(writing)])


def _forget_texts(writing: Writing, condition: str, values: Sequence[Any]) -> list[str]:
    """Remove the texts of the cases that meet a condition; return all that had them."""
    found = f"SELECT text FROM golden_cases WHERE text IS NOT NULL AND {condition}"  # noqa: S608 - ours
    rows = writing.rows(f"SELECT id, text FROM golden_cases WHERE text IN ({found}) ORDER BY id", values)  # noqa: S608 - ours
    ids, texts = [name for name, _ in rows], [(text,) for text in {text for _, text in rows}]
    writing.execute_each("UPDATE golden_cases SET text = NULL WHERE text = ?", texts)
    writing.execute_each("DELETE FROM golden_texts WHERE id = ?", texts)
    if ids:
        add_entry(writing, "golden forgotten", {"cases": ids})
    return ids


@dataclass(frozen=True, kw_only=True)
class _Text:
    text: str = field(repr=False)
    known_names: tuple[str, ...] = field(repr=False)


def _texts(store: Store | Writing) -> dict[int, _Text]:
    return {
        number: _Text(text=text, known_names=tuple(orjson.loads(names)))
        for number, text, names in store.rows("SELECT id, text, known_names FROM golden_texts")
    }


def _store_scale(writing: Writing, scale: Scale | None) -> None:
    """Keep the scale of the first cases; refuse another later."""
    rows = writing.rows("SELECT value FROM settings WHERE name = ?", (_SCALE,))
    if rows:
        stored = scale_of(writing)
        if scale is not None and scale != stored:
            raise InputError(
                f"The golden set has the labels {listed(stored.labels)}, of which {quoted(stored.positive)} and higher "
                f"ones count as yes; leave out --labels and --positive."
            )
        return
    chosen = scale or Scale(labels=("no", "yes"), positive="yes")
    writing.execute(
        "INSERT INTO settings (name, value) VALUES (?, ?)",
        (_SCALE, canonical_json({"labels": chosen.labels, "positive": chosen.positive})),
    )


def _refuse_another(stored: Case, new_case: Case) -> None:
    positions = canonical_json(stored.position), canonical_json(new_case.position)
    twin = new_case.twin in {None, stored.twin}
    equal = positions[0] == positions[1] and twin and stored.text in {None, new_case.text}
    if not equal:
        raise InputError(
            f"The golden case {quoted(new_case.id)} exists with another text, position or twin; give this one "
            "its own id."
        )


_MIDDLE: Final = 0.5


@dataclass(frozen=True, kw_only=True)
class Remark:
    """A reason to look at a case: how good it is, above 0, and its text."""

    worth: float
    text: str


@dataclass(frozen=True, kw_only=True)
class Candidate:
    """A case that may be chosen: its groups, what models scored it, and what people decided (None: not known).

    `remarks` are further reasons, by their kind.
    """

    id: str
    groups: Mapping[str, str]
    scores: Mapping[str, float] = field(default_factory=dict)
    decided: bool | None = None
    remarks: Mapping[str, Remark] = field(default_factory=dict)


def chosen(candidates: Sequence[Candidate], n: int, *, there: Iterable[Mapping[str, str]] = ()) -> dict[str, str]:
    """Return up to n ids with the reason for each; `there` has the groups of the cases that the set has.

    What is asked for takes turns: the candidates' remarks of each kind, the widest disagreement between models, the
    widest between a model and people, and the rarest group, in the set and the chosen together; a reason that is true
    of nobody is passed over. Scores count by their ranks, so their scales need not be alike: a model disagrees with
    people who said no where the rank is in the upper half, and with a yes in the lower. Where two are equal the first
    is taken.

    >>> some = [Candidate(id=str(n), groups={}, scores={"a": n, "b": b}) for n, b in enumerate((0, 3, 2, 1))]
    >>> chosen(some, 1)
    {'1': 'models disagree: a 1, b 3'}
    """
    ranks = _ranks(candidates)
    counts = Counter(item for groups in there for item in groups.items())
    counts.update(dict.fromkeys({item for candidate in candidates for item in candidate.groups.items()}, 0))
    places = range(len(candidates))

    def between_models(place: int) -> float:
        return max(ranks[place], default=0.0) - min(ranks[place], default=0.0)

    def with_people(place: int) -> float:
        decided = candidates[place].decided
        apart = 0.0 if decided is None else max((abs(rank - decided) for rank in ranks[place]), default=0.0)
        return apart if apart > _MIDDLE else 0.0

    def rarity(place: int) -> float:
        groups = candidates[place].groups.items()
        return 1 / (1 + min(counts[item] for item in groups)) if groups else 0.0

    criteria: list[tuple[Callable[[int], float], Callable[[Candidate], str]]] = []
    if any(len(candidate.scores) > 1 for candidate in candidates):
        criteria.append((between_models, lambda candidate: f"models disagree: {_scores_text(candidate)}"))
    if any(candidate.scores and candidate.decided is not None for candidate in candidates):
        criteria.append(
            (
                with_people,
                lambda candidate: f"people said {'yes' if candidate.decided else 'no'}: {_scores_text(candidate)}",
            )
        )
    criteria += [
        _by_remark(candidates, kind) for kind in dict.fromkeys(kind for each in candidates for kind in each.remarks)
    ]
    if counts:
        criteria.append((rarity, lambda candidate: f"few of {_rarest(candidate, counts)}"))
    reasons: dict[str, str] = {}
    remaining, turn = list(places), 0
    while remaining and criteria and len(reasons) < n:
        worth, reason = criteria[turn % len(criteria)]
        best = max(remaining, key=worth)
        if not worth(best):  # nobody is left whom this reason is true of
            del criteria[turn % len(criteria)]
            continue
        turn += 1
        remaining.remove(best)
        reasons[candidates[best].id] = reason(candidates[best])
        counts.update(candidates[best].groups.items())
    return reasons


def _by_remark(candidates: Sequence[Candidate], kind: str) -> tuple[Callable[[int], float], Callable[[Candidate], str]]:
    worth = [candidate.remarks[kind].worth if kind in candidate.remarks else 0.0 for candidate in candidates]
    return worth.__getitem__, lambda candidate: candidate.remarks[kind].text


def _ranks(candidates: Sequence[Candidate]) -> list[list[float]]:
    """Return the ranks of each candidate's scores, from 0 to 1, ties at their middle."""
    ranks: list[list[float]] = [[] for _ in candidates]
    for name in sorted({name for candidate in candidates for name in candidate.scores}):
        have = [place for place, candidate in enumerate(candidates) if name in candidate.scores]
        scores = np.array([candidates[place].scores[name] for place in have])
        ordered = np.sort(scores)
        middle = (np.searchsorted(ordered, scores) + np.searchsorted(ordered, scores, side="right") - 1) / 2
        for place, rank in zip(have, middle / max(len(have) - 1, 1), strict=True):
            ranks[place].append(float(rank))
    return ranks


def _scores_text(candidate: Candidate) -> str:
    return ", ".join(f"{name} {score:.3g}" for name, score in candidate.scores.items())


def _rarest(candidate: Candidate, counts: Mapping[tuple[str, str], int]) -> str:
    name, value = min(candidate.groups.items(), key=lambda item: counts[item], default=("", ""))
    return f"{name} {value}"
