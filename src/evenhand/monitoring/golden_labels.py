"""Labels of golden cases, closed versions of the golden set, agreement between labellers, and runs of scorers.

Two people label each case without seeing each other's labels; where they differ, a third person adjudicates. Each
person knows a case by a personal code. A version has the cases with a final label and never changes once closed.
"""

import hashlib
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from itertools import combinations
from typing import Final, Literal

import numpy as np
from numpy.typing import NDArray

from evenhand.errors import InputError
from evenhand.monitoring.daily import DailyValue, known_model, save_values
from evenhand.monitoring.golden_cases import Case, cases_of, forget_expired, known_case, scale_of
from evenhand.monitoring.golden_stream import stands_for, strata_of
from evenhand.monitoring.store import Store, Writing, add_entry, canonical_json, utc_text
from evenhand.results.messages import quoted
from evenhand.stats import (
    CohensKappa,
    clustered_kappa,
    cohens_kappa,
    holm,
    mcnemar,
    multiway_variance,
    selection_rate,
    weighted_kappa,
)

#: The number of people who label a case.
LABELLERS: Final = 2
NO_TIMES: Final[Mapping[tuple[str, str], str]] = {}
#: Messages name cases by their ids.
BY_ID: Final[Mapping[str, str]] = {}


@dataclass(frozen=True, kw_only=True)
class GoldenLabel:
    """A label, who gave it and when (UTC)."""

    by: str
    label: int
    time: str


@dataclass(frozen=True, kw_only=True)
class CaseLabels:
    """The labels of a case in order of time, its adjudicated label, and the versions that contain it."""

    labels: tuple[GoldenLabel, ...] = ()
    adjudicated: GoldenLabel | None = None
    versions: tuple[int, ...] = field(default=())

    @property
    def differs(self) -> bool:
        """Say whether two labels differ, adjudicated or not."""
        return len({given.label for given in self.labels}) > 1

    @property
    def label(self) -> int | None:
        """Return the final label: the adjudicator's, or the one that both people gave; None until then."""
        if self.adjudicated is not None:
            return self.adjudicated.label
        return self.labels[0].label if len(self.labels) == LABELLERS and not self.differs else None


def case_labels(store: Store | Writing) -> dict[str, CaseLabels]:
    """Return the labels of each case, by its id."""
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
    """Add one person's labels by case; return how many are new. A label that is stored already changes nothing.

    `times` has the times of imported labels, by person and case; other labels get the current time. `called` has the
    name of a case in messages to the person, by its id.

    Raises
    ------
    InputError
        A case isn't there, has two labels, or another of this person; or a label is none of the scale's.

    """
    scale, known, new = scale_of(writing), case_labels(writing), []
    for name, label in labels.items():
        known_case(writing, name)
        number, shown_name = scale.number(label), quoted(called.get(name, name))
        before = {given.by: given.label for given in known[name].labels}
        if before.get(by) == number:
            continue
        if by in before:
            raise InputError(
                f"{by} labelled golden case {shown_name} {quoted(scale.labels[before[by]])} before, and labels "
                "can't be changed; if two annotators differ, a third person adjudicates."
            )
        if len(before) >= LABELLERS:
            full = (
                sum(other_case in known and _has_two_other_labels(known[other_case], by) for other_case in labels) - 1
            )
            more = f" {full:,} more of these have two, too; leave out their labels." if full else ""
            raise InputError(f"Golden case {shown_name} has two labels already.{more}")
        adjudicated = known[name].adjudicated
        if adjudicated is not None and adjudicated.by == by:
            raise InputError(f"{by} adjudicated golden case {shown_name}, and can't label it.")
        new.append((name, by, number, times.get((by, name), utc_text(writing.now))))
    writing.execute_each("INSERT INTO golden_labels (case_id, labeller, label, labelled) VALUES (?, ?, ?, ?)", new)
    _log_labels(writing, "golden labels", by, {name: number for name, _, number, _ in new})
    return len(new)


def _has_two_other_labels(case: CaseLabels, by: str) -> bool:
    return len(case.labels) >= LABELLERS and by not in {given.by for given in case.labels}


def add_adjudications(
    writing: Writing,
    labels: Mapping[str, str],
    *,
    by: str,
    times: Mapping[tuple[str, str], str] = NO_TIMES,
    called: Mapping[str, str] = BY_ID,
) -> int:
    """Add one person's final labels of cases whose labels differ; return how many are new; `called` as in `add_labels`.

    Raises
    ------
    InputError
        A case isn't there, has no two labels that differ, was labelled by this person, or was adjudicated; or a label
        is none of the scale's.

    """
    scale, known, new = scale_of(writing), case_labels(writing), []
    for name, label in labels.items():
        known_case(writing, name)
        number, current, shown_name = scale.number(label), known[name], quoted(called.get(name, name))
        if by in {given.by for given in current.labels}:
            raise InputError(f"{by} labelled golden case {shown_name}; another person must adjudicate it.")
        if current.adjudicated is not None:
            if current.adjudicated.by == by and current.adjudicated.label == number:
                continue
            closed = f", and version {current.versions[0]} with it is closed" if current.versions else ""
            raise InputError(f"Golden case {shown_name} was adjudicated before{closed}.")
        if len(current.labels) < LABELLERS or not current.differs:
            reason = "its labels agree" if len(current.labels) == LABELLERS else "it lacks a label"
            raise InputError(f"Golden case {shown_name} has nothing to adjudicate: {reason}.")
        new.append((name, by, number, times.get((by, name), utc_text(writing.now))))
    writing.execute_each(
        "INSERT INTO golden_adjudications (case_id, adjudicator, label, adjudicated) VALUES (?, ?, ?, ?)", new
    )
    _log_labels(writing, "golden adjudications", by, {name: number for name, _, number, _ in new})
    return len(new)


def _log_labels(writing: Writing, kind: str, by: str, labels: Mapping[str, int]) -> None:
    if labels:
        add_entry(writing, kind, {"by": by, "labels": labels})


@dataclass(frozen=True, kw_only=True)
class Version:
    """A closed version: its cases with their labels, and the SHA-256 of both."""

    number: int
    labels: dict[str, int]
    digest: str


def digest_of(labels: Mapping[str, int]) -> str:
    """Return the SHA-256 of cases and their labels, in any order."""
    return hashlib.sha256(canonical_json(labels).encode()).hexdigest()


def close_version(writing: Writing, *, by: str) -> Version:
    """Close a version of all cases with a final label and a text; return it.

    Raises
    ------
    InputError
        No case has a final label, or the newest version has the same cases and labels.

    """
    forget_expired(writing)
    texts = {case.id for case in cases_of(writing) if case.text is not None}
    labels = {
        name: case.label for name, case in case_labels(writing).items() if name in texts and case.label is not None
    }
    if not labels:
        raise InputError("No golden case is settled: a case needs two equal labels, or an adjudicator.")
    digest = digest_of(labels)
    newest = writing.rows("SELECT number, digest FROM golden_versions ORDER BY number DESC LIMIT 1")
    if newest and newest[0][1] == digest:
        raise InputError(f"Version {newest[0][0]} has the same cases and labels; there is nothing new to close.")
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
        There is no such version, or it was changed after closing.

    """
    rows = store.rows("SELECT number, digest FROM golden_versions ORDER BY number")
    if not rows:
        raise InputError("No version of the golden set is closed yet; run evenhand monitor golden close.")
    digests = dict(rows)
    chosen = rows[-1][0] if number is None else number
    if chosen not in digests:
        raise InputError(f"There is no version {chosen} of the golden set; the newest is {rows[-1][0]}.")
    labels = dict(store.rows("SELECT case_id, label FROM golden_members WHERE version = ? ORDER BY case_id", (chosen,)))
    if digest_of(labels) != digests[chosen]:
        raise InputError(f"Version {chosen} of the golden set was changed after it was closed: its SHA-256 differs.")
    return Version(number=chosen, labels=labels, digest=digests[chosen])


#: The name of the labellers' measures among those of models.
GOLDEN = "golden labels"


@dataclass(frozen=True, kw_only=True)
class GroupKappa:
    """Cohen's kappa for the cases of a group (empty: all cases), plain and with quadratic weights.

    `drawn`: estimated for all recorded cases, from the cases drawn at random.
    """

    group: Mapping[str, str]
    plain: CohensKappa
    weighted: CohensKappa
    drawn: bool = False


@dataclass(frozen=True, kw_only=True)
class CounterfactualLabels:
    """One person's labels of counterfactual pairs: the number of pairs, and how often each group got the higher label.

    `share` of pairs were labelled differently, with its Wilson interval; `p` is McNemar's of no preference, and
    `p_adjusted` Holm's over the `comparisons` of all labellers.
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
    p_adjusted: float | None = None
    comparisons: int = 1


def kappas(store: Store | Writing) -> list[GroupKappa]:
    """Return kappa for the cases with two labels: for all, then for each group of each attribute.

    The rows of the table are the labels of the person whose name comes first. Cases of one counterfactual pair are a
    cluster: their labels depend on one résumé. Where cases were drawn at random their estimate comes first.
    """
    size = len(scale_of(store).labels)
    double_labelled = [(case, labels) for case, labels in _labelled(store) if len(labels.labels) == LABELLERS]
    groups = sorted({item for case, _ in double_labelled for item in case.groups.items()})
    results = []
    weights = stands_for((case for case, _ in double_labelled), strata_of(store))
    if weights:
        drawn = [
            sorted(labels.labels, key=lambda given: given.by) for case, labels in double_labelled if case.id in weights
        ]
        rows, columns = ([given.label for given in each] for each in zip(*drawn, strict=True))
        plain, weighted = (
            weighted_kappa(rows, columns, list(weights.values()), labels=size, weights=kind)
            for kind in ("none", "quadratic")
        )
        results.append(GroupKappa(group={}, plain=plain, weighted=weighted, drawn=True))
    for group in (None, *groups):
        members = [(case, labels) for case, labels in double_labelled if group is None or group in case.groups.items()]
        place = {pair: number for number, pair in enumerate(sorted({case.cluster for case, _ in members}))}
        tables = np.zeros((len(place), size, size), dtype=np.int64)
        for case, labels in members:
            first, second = sorted(labels.labels, key=lambda given: given.by)
            tables[place[case.cluster], first.label, second.label] += 1
        results.append(
            GroupKappa(
                group={} if group is None else dict([group]),
                plain=_kappa(tables, "none"),
                weighted=_kappa(tables, "quadratic"),
            )
        )
    return results


def _kappa(tables: NDArray[np.int64], weights: Literal["none", "quadratic"]) -> CohensKappa:
    """Return kappa; where cases share a counterfactual pair, by pairs."""
    table = tables.sum(axis=0)
    if int(table.sum()) == len(tables):
        return cohens_kappa(table, weights=weights)
    return clustered_kappa(tables, weights=weights)


def counterfactual_labels(store: Store | Writing) -> list[CounterfactualLabels]:
    """Return each labeller's results on counterfactual pairs, by the attribute and the groups that differ."""
    pairs_by_labeller: dict[tuple[str, str], list[tuple[Case, int]]] = defaultdict(list)
    for case, labels in _labelled(store):
        for given in labels.labels:
            pairs_by_labeller[given.by, case.cluster].append((case, given.label))
    counted: dict[tuple[str, str, tuple[str, str]], list[int]] = defaultdict(lambda: [0, 0, 0])
    for (labeller, _), labelled in pairs_by_labeller.items():
        for attribute, groups, first, second in _pairs(labelled):
            count = counted[labeller, attribute, groups]
            count[0] += 1
            count[1] += first > second
            count[2] += second > first
    results = []
    for (labeller, attribute, groups), (pairs, first, second) in sorted(counted.items()):
        share = selection_rate(first + second, pairs)
        results.append(
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
    over = holm([labels.p for labels in results if labels.p is not None])
    p_adjusted = iter(over.p.tolist())
    return [
        replace(labels, p_adjusted=None if labels.p is None else next(p_adjusted), comparisons=over.family)
        for labels in results
    ]


def save_labeller_values(writing: Writing) -> None:
    """Save the share of labels that agree with the other label of the case, by labeller and day, and for all cases.

    A case counts on the day of the labeller's label; among all cases, on the day of the second label.
    """
    agreements: dict[tuple[str, str | None], list[tuple[str, bool]]] = defaultdict(list)
    for case, labels in _labelled(writing):
        if len(labels.labels) == LABELLERS:
            agreed = (case.cluster, not labels.differs)
            for given in labels.labels:
                agreements[given.time[:10], given.by].append(agreed)
            agreements[labels.labels[-1].time[:10], None].append(agreed)
    if not agreements:
        return
    known_model(writing, GOLDEN)
    values = []
    for (day, labeller), cases in agreements.items():
        agreements_of = np.array([agrees for _, agrees in cases])
        share = float(agreements_of.mean())
        clusters = np.unique([cluster for cluster, _ in cases], return_inverse=True)[1]
        spread = multiway_variance((agreements_of - share) / len(cases), [clusters]).variance
        values.append(
            DailyValue(
                model=GOLDEN,
                measure="labeller_agreement",
                day=date.fromisoformat(day),
                value=share,
                n=len(cases),
                slice={} if labeller is None else {"labeller": labeller},
                standard_error=None if not spread else spread**0.5,
            )
        )
    save_values(writing, values)


def _labelled(store: Store | Writing) -> Iterator[tuple[Case, CaseLabels]]:
    known = case_labels(store)
    return ((case, known[case.id]) for case in cases_of(store, with_texts=False))


def _pairs(labelled: Sequence[tuple[Case, int]]) -> Iterator[tuple[str, tuple[str, str], int, int]]:
    """Yield attribute, groups and labels of each pair that differs in one attribute; groups in alphabetical order."""
    for pair in combinations(labelled, 2):
        attributes = {name for case, _ in pair for name in case.groups}
        differing = [name for name in attributes if len({case.groups.get(name, "") for case, _ in pair}) > 1]
        if len(differing) == 1:
            (attribute,) = differing
            first, second = sorted(pair, key=lambda member: member[0].groups.get(attribute, ""))
            groups = first[0].groups.get(attribute, ""), second[0].groups.get(attribute, "")
            yield attribute, groups, first[1], second[1]


@dataclass(frozen=True, kw_only=True)
class Scored:
    """A run of a scorer on the cases of a version: the score of each case, and the cut-off above which it means yes."""

    model: str
    scorer: str
    version: int
    cutoff: float
    started: str
    scores: Mapping[str, float]


def last_run(store: Store | Writing, model: str, *, before: Scored | None = None) -> Scored | None:
    """Return a model's last run; with `before`, the last other run that started no later."""
    excluded = ("9999", "", 0, "")
    if before is not None:
        excluded = (before.started, before.scorer, before.version, before.started)
    rows = store.rows(
        "SELECT id, scorer, version, cutoff, started FROM golden_runs "
        "WHERE model = ? AND started <= ? AND NOT (scorer = ? AND version = ? AND started = ?) "
        "ORDER BY started DESC, id DESC LIMIT 1",
        (model, *excluded),
    )
    if not rows:
        return None
    number, scorer, version, cutoff, started = rows[0]
    scores = dict(store.rows("SELECT case_id, score FROM golden_scores WHERE run = ?", (number,)))
    return Scored(model=model, scorer=scorer, version=version, cutoff=cutoff, started=started, scores=scores)


def record_scored(writing: Writing, run: Scored, values: Sequence[DailyValue]) -> None:
    """Save a run's scores, and the measures of its day; a run that is stored already is left unchanged."""
    known_model(writing, run.model)
    content = {"model": run.model, "scorer": run.scorer, "version": run.version, "cutoff": run.cutoff}
    key = (run.model, run.scorer, run.version, run.started)
    if writing.rows("SELECT id FROM golden_runs WHERE model = ? AND scorer = ? AND version = ? AND started = ?", key):
        return
    number = writing.next_id("golden_runs")
    writing.execute(
        "INSERT INTO golden_runs (id, model, scorer, version, cutoff, started, recorded) VALUES (?, ?, ?, ?, ?, ?, ?)",
        (number, *content.values(), run.started, utc_text(writing.now)),
    )
    writing.execute_each(
        "INSERT INTO golden_scores (run, case_id, score) VALUES (?, ?, ?)",
        [(number, name, score) for name, score in run.scores.items()],
    )
    save_values(writing, values)
    add_entry(writing, "golden run", {**content, "cases": len(run.scores)})


@dataclass(frozen=True, kw_only=True)
class OpenCase:
    """A case as one person sees it; `code` names it for that person alone and reveals nothing.

    `said` has the two labels that differ, the lower first, where the person adjudicates; else it is empty.
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
    """Return the cases that one person may label or adjudicate, in that person's order, at most the first `most`.

    `resume` returns the text for the person, masked or unchanged.

    Raises
    ------
    InputError
        Nobody is named, or somebody whose name differs from a known one by capitals alone; or there is no golden set.

    """
    by, labels, labels_by_case = _person_known(store, by), scale_of(store).labels, case_labels(store)
    waiting = [
        (case_code(case.id, by), case)
        for case in cases_of(store)
        if case.text is not None and _is_open(labels_by_case[case.id], by, adjudicating=adjudicating)
    ]
    return [
        OpenCase(
            code=code,
            position="\n\n".join(filter(None, (case.position["title"], case.position["text"]))),
            resume=resume(case),
            said=tuple(labels[number] for number in sorted(given.label for given in labels_by_case[case.id].labels))
            if adjudicating
            else (),
        )
        for code, case in sorted(waiting, key=lambda item: item[0])[:most]
    ]


def take_labels(writing: Writing, labels: Mapping[str, str], *, by: str, adjudicating: bool) -> int:
    """Save one person's labels of cases, by their codes or ids; return how many labels are new.

    Raises
    ------
    InputError
        Nobody is named as known, a case isn't there, or `add_labels` or `add_adjudications` refuses one; nothing was
        kept.

    """
    by = _person_known(writing, by)
    ids = [name for (name,) in writing.rows("SELECT id FROM golden_cases")]
    names = {case_code(case_id, by): case_id for case_id in ids} | {case_id: case_id for case_id in ids}
    for code in labels:
        if code not in names:
            raise InputError(
                f"There is no golden case {quoted(code)} for {by}: use the codes of the sheet of that person."
            )
    by_case = {names[code]: label for code, label in labels.items()}
    if len(by_case) < len(labels):
        raise InputError("A golden case is given twice, by its code and by its id; give it once.")
    called = {names[code]: code for code in labels}
    new = (add_adjudications if adjudicating else add_labels)(writing, by_case, by=by, called=called)
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
        raise InputError("--by is blank; give a name.")
    return by.strip()


def _person_known(store: Store | Writing, by: str) -> str:
    """Return a person's name, stripped; refuse one that differs from a known one by capitals alone."""
    by = person_named(by)
    for (name,) in store.rows("SELECT labeller FROM golden_labels UNION SELECT adjudicator FROM golden_adjudications"):
        if name != by and name.casefold() == by.casefold():
            raise InputError(
                f"{quoted(name)} labelled before, and {quoted(by)} would count as another person; use the same name."
            )
    return by


def case_code(case: str, by: str) -> str:
    """Return the code of a case for one person."""
    return "g" + hashlib.blake2b(canonical_json([by, case]).encode(), digest_size=6).hexdigest()


def _is_open(case: CaseLabels, by: str, *, adjudicating: bool) -> bool:
    if by in {given.by for given in case.labels}:
        return False
    if adjudicating:
        return case.differs and case.adjudicated is None
    return len(case.labels) < LABELLERS
