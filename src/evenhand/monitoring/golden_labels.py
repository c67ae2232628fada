"""Cases that wait for one person: under codes of that person's own, without what others and models said.

Labels of golden cases: two people's, blind to each other, and a third's where these differ.
Versions of a golden set: the cases whose label is settled, with it; one that is closed never changes.
How far people who label golden cases agree: by group, over time, and of twins that differ in the group alone.
What scorers gave golden cases: kept by run, so that the next version can be held against the last.
"""

import hashlib
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from itertools import combinations
from typing import Final

import numpy as np

from evenhand.errors import InputError
from evenhand.monitoring.daily import DailyValue, known_model, save_values
from evenhand.monitoring.golden_cases import Case, cases_of, known_case, scale_of
from evenhand.monitoring.store import Store, Writing, add_entry, canonical_json, utc_text
from evenhand.results.messages import quoted
from evenhand.stats import CohensKappa, cohens_kappa, mcnemar, selection_rate

#: How many people label a case.
LABELLERS: Final = 2
NO_TIMES: Final[Mapping[tuple[str, str], str]] = {}
#: Cases are called by their ids.
BY_ID: Final[Mapping[str, str]] = {}


@dataclass(frozen=True, kw_only=True)
class GoldenLabel:
    """A label, who gave it and when (UTC)."""

    by: str
    label: int
    time: str


@dataclass(frozen=True, kw_only=True)
class CaseLabels:
    """What people said of a case: their labels in order of time, what was adjudicated, the versions that hold it."""

    labels: tuple[GoldenLabel, ...] = ()
    adjudicated: GoldenLabel | None = None
    versions: tuple[int, ...] = field(default=())

    @property
    def differs(self) -> bool:
        """Return whether two labels differ, adjudicated or not."""
        return len({each.label for each in self.labels}) > 1

    @property
    def label(self) -> int | None:
        """Return what the case is: what both said or the adjudicator; None until then."""
        if self.adjudicated is not None:
            return self.adjudicated.label
        return self.labels[0].label if len(self.labels) == LABELLERS and not self.differs else None


def case_labels(store: Store | Writing) -> dict[str, CaseLabels]:
    """Return what was said of each case, by its id."""
    labels: dict[str, list[GoldenLabel]] = {}
    for name, by, label, time in store.rows(
        "SELECT case_id, labeller, label, labelled FROM golden_labels ORDER BY labelled, labeller"
    ):
        labels.setdefault(name, []).append(GoldenLabel(by=by, label=label, time=time))
    adjudicated = {
        name: GoldenLabel(by=by, label=label, time=time)
        for name, by, label, time in store.rows(
            "SELECT case_id, adjudicator, label, adjudicated FROM golden_adjudications"
        )
    }
    versions: dict[str, list[int]] = {}
    for version, name in store.rows("SELECT version, case_id FROM golden_members ORDER BY version"):
        versions.setdefault(name, []).append(version)
    return {
        name: CaseLabels(
            labels=tuple(labels.get(name, ())),
            adjudicated=adjudicated.get(name),
            versions=tuple(versions.get(name, ())),
        )
        for (name,) in store.rows("SELECT id FROM golden_cases ORDER BY id")
    }


def add_labels(
    writing: Writing,
    labels: Mapping[str, str],
    *,
    by: str,
    times: Mapping[tuple[str, str], str] = NO_TIMES,
    called: Mapping[str, str] = BY_ID,
) -> int:
    """Add one person's labels by case; return how many are new. One that is there as it is changes nothing.

    `times` tells when labels that were imported were given, by person and case; others are given now. `called` is what
    the person knows a case as, by its id.

    Raises
    ------
    InputError
        A case isn't there, has two labels, or another of this person; or a label is none of the scale's.

    """
    scale, known, new = scale_of(writing), case_labels(writing), []
    for name, label in labels.items():
        known_case(writing, name)
        number, told = scale.number(label), quoted(called.get(name, name))
        before = {each.by: each.label for each in known[name].labels}
        if before.get(by) == number:
            continue
        if by in before:
            raise InputError(
                f"{by} labelled golden case {told} {quoted(scale.labels[before[by]])} before, and a label "
                "stays; where two differ, a third person adjudicates."
            )
        if len(before) >= LABELLERS:
            full = sum(each in known and _has_two_of_others(known[each], by) for each in labels) - 1
            more = f" {full:,} more of these have two, too; leave out their labels." if full else ""
            raise InputError(f"Golden case {told} has two labels; a third is not taken.{more}")
        adjudicated = known[name].adjudicated
        if adjudicated is not None and adjudicated.by == by:
            raise InputError(f"{by} adjudicated golden case {told}, and can't label it.")
        new.append((name, by, number, times.get((by, name), utc_text(writing.now))))
    writing.execute_each("INSERT INTO golden_labels (case_id, labeller, label, labelled) VALUES (?, ?, ?, ?)", new)
    _tell(writing, "golden labels", by, {name: number for name, _, number, _ in new})
    return len(new)


def _has_two_of_others(standing: CaseLabels, by: str) -> bool:
    return len(standing.labels) >= LABELLERS and by not in {each.by for each in standing.labels}


def add_adjudications(
    writing: Writing,
    labels: Mapping[str, str],
    *,
    by: str,
    times: Mapping[tuple[str, str], str] = NO_TIMES,
    called: Mapping[str, str] = BY_ID,
) -> int:
    """Add what one person decides of cases whose labels differ; return how many are new; `called` as in `add_labels`.

    Raises
    ------
    InputError
        A case isn't there, has no two labels that differ, was labelled by this person, or was adjudicated; or a label
        is none of the scale's.

    """
    scale, known, new = scale_of(writing), case_labels(writing), []
    for name, label in labels.items():
        known_case(writing, name)
        number, standing, told = scale.number(label), known[name], quoted(called.get(name, name))
        if by in {each.by for each in standing.labels}:
            raise InputError(f"{by} labelled golden case {told}; somebody else adjudicates it.")
        if standing.adjudicated is not None:
            if standing.adjudicated.by == by and standing.adjudicated.label == number:
                continue
            closed = f", and version {standing.versions[0]} with it is closed" if standing.versions else ""
            raise InputError(f"Golden case {told} was adjudicated before{closed}.")
        if len(standing.labels) < LABELLERS or not standing.differs:
            why = "its labels are alike" if len(standing.labels) == LABELLERS else "it lacks a label"
            raise InputError(f"Golden case {told} has nothing to adjudicate: {why}.")
        new.append((name, by, number, times.get((by, name), utc_text(writing.now))))
    writing.execute_each(
        "INSERT INTO golden_adjudications (case_id, adjudicator, label, adjudicated) VALUES (?, ?, ?, ?)", new
    )
    _tell(writing, "golden adjudications", by, {name: number for name, _, number, _ in new})
    return len(new)


def _tell(writing: Writing, kind: str, by: str, labels: Mapping[str, int]) -> None:
    if labels:
        add_entry(writing, kind, {"by": by, "labels": labels})


@dataclass(frozen=True, kw_only=True)
class Version:
    """A closed version: its cases with their labels, and the SHA-256 of these."""

    number: int
    labels: dict[str, int]
    digest: str


def digest_of(labels: Mapping[str, int]) -> str:
    """Return the SHA-256 of cases and their labels, in any order."""
    return hashlib.sha256(canonical_json(labels).encode()).hexdigest()


def close_version(writing: Writing, *, by: str) -> Version:
    """Close a version of all cases whose label is settled and whose text is there; return it.

    Raises
    ------
    InputError
        No case is settled, or the newest version has the same cases and labels.

    """
    texts = {each.id for each in cases_of(writing) if each.text is not None}
    labels = {
        name: each.label for name, each in case_labels(writing).items() if name in texts and each.label is not None
    }
    if not labels:
        raise InputError("No golden case is settled: each needs two labels that are alike, or an adjudicator.")
    digest = digest_of(labels)
    newest = writing.rows("SELECT number, digest FROM golden_versions ORDER BY number DESC LIMIT 1")
    if newest and newest[0][1] == digest:
        raise InputError(f"Version {newest[0][0]} has these cases and labels; nothing is new to close.")
    number = newest[0][0] + 1 if newest else 1
    writing.execute(
        "INSERT INTO golden_versions (number, closed, closed_by, digest) VALUES (?, ?, ?, ?)",
        (number, utc_text(writing.now), by, digest),
    )
    writing.execute_each(
        "INSERT INTO golden_members (version, case_id, label) VALUES (?, ?, ?)",
        [(number, name, label) for name, label in labels.items()],
    )
    add_entry(writing, "golden version", {"number": number, "by": by, "cases": len(labels), "digest": digest})
    return Version(number=number, labels=labels, digest=digest)


def version_of(store: Store | Writing, number: int | None = None) -> Version:
    """Return a version, the newest unless it is named.

    Raises
    ------
    InputError
        There is no such version, or it is not as it was closed.

    """
    found = store.rows("SELECT number, digest FROM golden_versions ORDER BY number")
    if not found:
        raise InputError("No version of the golden set is closed yet; evenhand monitor golden close does it.")
    digests = dict(found)
    chosen = found[-1][0] if number is None else number
    if chosen not in digests:
        raise InputError(f"There is no version {chosen} of the golden set; the newest is {found[-1][0]}.")
    labels = dict(store.rows("SELECT case_id, label FROM golden_members WHERE version = ? ORDER BY case_id", (chosen,)))
    if digest_of(labels) != digests[chosen]:
        raise InputError(f"Version {chosen} of the golden set is not as it was closed: its SHA-256 is another.")
    return Version(number=chosen, labels=labels, digest=digests[chosen])


#: Under which name the labellers' measures stand among those of models.
GOLDEN = "golden labels"


@dataclass(frozen=True, kw_only=True)
class GroupKappa:
    """Cohen's kappa of the cases of a group (all cases: no group), plain and with quadratic weights."""

    group: Mapping[str, str]
    plain: CohensKappa
    weighted: CohensKappa


@dataclass(frozen=True, kw_only=True)
class CounterfactualLabels:
    """What one person made of twins that differ in a group: how many pairs, and how often each got the higher label.

    `share` of pairs were labelled differently, with its Wilson interval; `p` is McNemar's of no preference.
    """

    labeller: str
    attribute: str
    groups: tuple[str, str]
    pairs: int
    higher_first: int
    higher_second: int
    share: float
    low: float
    high: float
    p: float | None


def kappas(store: Store | Writing) -> list[GroupKappa]:
    """Return kappa of the cases with two labels: of all, then of each group of each attribute.

    The rows of the table are the labeller whose name comes first.
    """
    size = len(scale_of(store).labels)
    both = [(case, each) for case, each in _labelled(store) if len(each.labels) == LABELLERS]
    groups = sorted({item for case, _ in both for item in case.groups.items()})
    found = []
    for group in (None, *groups):
        table = np.zeros((size, size), dtype=np.int64)
        for case, standing in both:
            if group is None or group in case.groups.items():
                first, second = sorted(standing.labels, key=lambda each: each.by)
                table[first.label, second.label] += 1
        found.append(
            GroupKappa(
                group={} if group is None else dict([group]),
                plain=cohens_kappa(table),
                weighted=cohens_kappa(table, weights="quadratic"),
            )
        )
    return found


def counterfactual_labels(store: Store | Writing) -> list[CounterfactualLabels]:
    """Return how each labeller treated twins, by the attribute and the groups in which these differ."""
    twins: dict[tuple[str, str], list[tuple[Case, int]]] = defaultdict(list)
    for case, standing in _labelled(store):
        for given in standing.labels if case.twin is not None else ():
            twins[given.by, str(case.twin)].append((case, given.label))
    counted: dict[tuple[str, str, tuple[str, str]], list[int]] = defaultdict(lambda: [0, 0, 0])
    for (labeller, _), labelled in twins.items():
        for attribute, groups, first, second in _pairs(labelled):
            count = counted[labeller, attribute, groups]
            count[0] += 1
            count[1] += first > second
            count[2] += second > first
    found = []
    for (labeller, attribute, groups), (pairs, first, second) in sorted(counted.items()):
        share = selection_rate(first + second, pairs)
        found.append(
            CounterfactualLabels(
                labeller=labeller,
                attribute=attribute,
                groups=groups,
                pairs=pairs,
                higher_first=first,
                higher_second=second,
                share=share.estimate,
                low=share.low,
                high=share.high,
                p=mcnemar(first, second, pairs).p,
            )
        )
    return found


def save_labeller_values(writing: Writing) -> None:
    """Keep how often labels agree with the other of the same case: of each labeller by day, and of all cases.

    A case counts on the day of a labeller's own label; of all cases, on that of its second.
    """
    alike: dict[tuple[str, str | None], list[bool]] = defaultdict(list)
    for _, standing in _labelled(writing):
        if len(standing.labels) == LABELLERS:
            for given in standing.labels:
                alike[given.time[:10], given.by].append(not standing.differs)
            alike[standing.labels[-1].time[:10], None].append(not standing.differs)
    if not alike:
        return
    known_model(writing, GOLDEN)
    values = []
    for (day, labeller), each in alike.items():
        share = sum(each) / len(each)
        values.append(
            DailyValue(
                model=GOLDEN,
                measure="labeller_agreement",
                day=date.fromisoformat(day),
                value=share,
                n=len(each),
                slice={} if labeller is None else {"labeller": labeller},
                standard_error=(share * (1 - share) / len(each)) ** 0.5 or None,
            )
        )
    save_values(writing, values)


def _labelled(store: Store | Writing) -> Iterator[tuple[Case, CaseLabels]]:
    known = case_labels(store)
    return ((case, known[case.id]) for case in cases_of(store, with_texts=False))


def _pairs(labelled: Sequence[tuple[Case, int]]) -> Iterator[tuple[str, tuple[str, str], int, int]]:
    """Yield attribute, groups and labels of each pair of twins that differ in one attribute; groups by alphabet."""
    for pair in combinations(labelled, 2):
        attributes = {name for case, _ in pair for name in case.groups}
        differing = [name for name in attributes if len({case.groups.get(name, "") for case, _ in pair}) > 1]
        if len(differing) == 1:
            (attribute,) = differing
            first, second = sorted(pair, key=lambda each: each[0].groups.get(attribute, ""))
            groups = first[0].groups.get(attribute, ""), second[0].groups.get(attribute, "")
            yield attribute, groups, first[1], second[1]


@dataclass(frozen=True, kw_only=True)
class Scored:
    """A run of a scorer on the cases of a version: what it gave each, and above which score it says yes."""

    model: str
    scorer: str
    version: int
    cutoff: float
    started: str
    scores: Mapping[str, float]


def last_run(store: Store | Writing, model: str, *, before: Scored | None = None) -> Scored | None:
    """Return a model's last run, of those that started no later than the run `before`, which is none of them."""
    own = ("9999", "", 0, "")
    if before is not None:
        own = (before.started, before.scorer, before.version, before.started)
    found = store.rows(
        "SELECT id, scorer, version, cutoff, started FROM golden_runs "
        "WHERE model = ? AND started <= ? AND NOT (scorer = ? AND version = ? AND started = ?) "
        "ORDER BY started DESC, id DESC LIMIT 1",
        (model, *own),
    )
    if not found:
        return None
    number, scorer, version, cutoff, started = found[0]
    scores = dict(store.rows("SELECT case_id, score FROM golden_scores WHERE run = ?", (number,)))
    return Scored(model=model, scorer=scorer, version=version, cutoff=cutoff, started=started, scores=scores)


def record_scored(writing: Writing, run: Scored, values: Sequence[DailyValue]) -> None:
    """Keep a run's scores, and the measures of its day; one that is there already is left as it is."""
    known_model(writing, run.model)
    told = {"model": run.model, "scorer": run.scorer, "version": run.version, "cutoff": run.cutoff}
    there = (run.model, run.scorer, run.version, run.started)
    if writing.rows("SELECT id FROM golden_runs WHERE model = ? AND scorer = ? AND version = ? AND started = ?", there):
        return
    number = writing.next_id("golden_runs")
    writing.execute(
        "INSERT INTO golden_runs (id, model, scorer, version, cutoff, started, recorded) VALUES (?, ?, ?, ?, ?, ?, ?)",
        (number, *told.values(), run.started, utc_text(writing.now)),
    )
    writing.execute_each(
        "INSERT INTO golden_scores (run, case_id, score) VALUES (?, ?, ?)",
        [(number, name, score) for name, score in run.scores.items()],
    )
    save_values(writing, values)
    add_entry(writing, "golden run", {**told, "cases": len(run.scores)})


@dataclass(frozen=True, kw_only=True)
class OpenCase:
    """A case as one person is shown it; `code` names it for that person alone and tells nothing.

    `said` are the two labels that differ, from the lower, where the person adjudicates; else it is empty.
    """

    code: str
    position: str
    resume: str = field(repr=False)
    said: tuple[str, ...] = ()


def open_cases(
    store: Store | Writing,
    *,
    by: str,
    adjudicating: bool,
    resume: Callable[[Case], str],
    most: int | None = None,
) -> list[OpenCase]:
    """Return the cases that one person may label, or adjudicate, in that person's own order; `most`: the first ones.

    `resume` gives the text that the person is shown, masked or as it is.

    Raises
    ------
    InputError
        Nobody is named, or somebody whose name differs from a known one by capitals alone; or there is no golden set.

    """
    by, labels, said = _person_known(store, by), scale_of(store).labels, case_labels(store)
    waiting = [
        (case_code(case.id, by), case)
        for case in cases_of(store)
        if case.text is not None and _is_open(said[case.id], by, adjudicating=adjudicating)
    ]
    return [
        OpenCase(
            code=code,
            position="\n\n".join(filter(None, (case.position["title"], case.position["text"]))),
            resume=resume(case),
            said=tuple(labels[each] for each in sorted(given.label for given in said[case.id].labels))
            if adjudicating
            else (),
        )
        for code, case in sorted(waiting, key=lambda each: each[0])[:most]
    ]


def take_labels(writing: Writing, labels: Mapping[str, str], *, by: str, adjudicating: bool) -> int:
    """Keep what one person said of cases, by their codes or ids; return how many labels are new.

    Raises
    ------
    InputError
        Nobody is named as known, a case isn't there, or `add_labels` or `add_adjudications` refuses one; nothing was
        kept.

    """
    by = _person_known(writing, by)
    ids = [name for (name,) in writing.rows("SELECT id FROM golden_cases")]
    names = {case_code(each, by): each for each in ids} | {each: each for each in ids}
    for code in labels:
        if code not in names:
            raise InputError(
                f"There is no golden case {quoted(code)} for {by}: codes are those of the person whom they were shown."
            )
    told = {names[code]: label for code, label in labels.items()}
    if len(told) < len(labels):
        raise InputError("A golden case is named twice, by its code and its id; name it once.")
    called = {names[code]: code for code in labels}
    new = (add_adjudications if adjudicating else add_labels)(writing, told, by=by, called=called)
    save_labeller_values(writing)
    return new


def person_named(by: str) -> str:
    """Return a person's name without spaces around it.

    Raises
    ------
    InputError
        It is blank.

    """
    if not by.strip():
        raise InputError("--by is blank; name who it is.")
    return by.strip()


def _person_known(store: Store | Writing, by: str) -> str:
    """Return a person's name without spaces around it; refuse one that differs from a known one by capitals alone."""
    by = person_named(by)
    for (name,) in store.rows("SELECT labeller FROM golden_labels UNION SELECT adjudicator FROM golden_adjudications"):
        if name != by and name.casefold() == by.casefold():
            raise InputError(f"{quoted(name)} labelled here before, and {quoted(by)} would count as another person.")
    return by


def case_code(case: str, by: str) -> str:
    """Return a case's name for one person."""
    return "g" + hashlib.blake2b(canonical_json([by, case]).encode(), digest_size=6).hexdigest()


def _is_open(standing: CaseLabels, by: str, *, adjudicating: bool) -> bool:
    if by in {each.by for each in standing.labels}:
        return False
    if adjudicating:
        return standing.differs and standing.adjudicated is None
    return len(standing.labels) < LABELLERS
