"""The query of an applicant table, and its result: applicants as counts, with who was counted and who was not."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from typing import Any

import numpy as np
import polars as pl

from evenhand.data.group_labels import group_labels, label_rules
from evenhand.data.labels import EMPTY, MOST_VALUES, NO, YES, Labels, as_typed, fold
from evenhand.data.totals import CountRows, stacked_notes
from evenhand.errors import InputError, option_text
from evenhand.results import applicant_audit
from evenhand.results.applicant_audit import Accounting
from evenhand.results.messages import listed, quoted, shortened
from evenhand.results.schemas import PROTECTED

#: 29 U.S.C. 631(a): the ADEA protects from 40 years of age on.
ADEA_AGE = 40


@dataclass(frozen=True, kw_only=True)
class ApplicantQuery:
    """The query of an applicant table; column names as typed.

    `people` counts people only, without a selection. `selected` is a decision column, `selected_value` the value that
    means selected where its values are not yes and no, `undecided` the values that mean no decision.
    With `bounds` people without a decision are counted by group. `weight` is a column of sampling weights; `membership`
    an attribute of which a row has the probability of each group, in the columns of `members`, (label, column).
    `count` is a column with the number of people of each row; `no_count` says that a row is one person. `applicants`
    and `selected_count` are the columns of a table with a row per group.
    `funnel` are the columns of stages in order; `furthest` is a column with the furthest stage, of `furthest_order`;
    `undecided_at` has columns of either and values that are no decision.
    `score` with `cutoffs`, `median` and `means` gives Approaches 1, 2 and 3. With `at_least` a score equal to a cut-off
    passes (never one equal to the median). With `low` low scores pass: scores and cut-offs change their sign.
    `sweep` is the number of cut-offs at equally spaced ranks of all scores.
    `clusters` are one or two columns within whose values rows are not independent; estimates are adjusted for `blocks`.
    `period` is a column of dates, cut by `period_unit` (year, quarter or month), or of labels.
    `eeo1` names the race column and, if known, that of Hispanic ethnicity; `age` a column of years, or of dates of
    birth, which need `age_at` or `age_at_column`; its groups begin at `age_bands`. With `nobody` groups without people
    are named. With `outcome` the decision is what happened afterwards; `against` is a second score, `cluster` a column
    of shared clusters, `similar` are the columns by which people count as similar.
    """

    protected: tuple[str, ...]
    people: bool = False
    selected: str | None = None
    selected_value: str | None = None
    undecided: tuple[str, ...] = ()
    bounds: bool = False
    weight: str | None = None
    membership: str | None = None
    members: tuple[tuple[str, str], ...] = ()
    count: str | None = None
    no_count: bool = False
    applicants: str | None = None
    selected_count: str | None = None
    selection_rate: str | None = None
    totals: str | None = None
    suppressed: tuple[int, int] | None = None
    wide: tuple[tuple[str, str, str], ...] = ()
    score: str | None = None
    cutoffs: tuple[float, ...] = ()
    median: bool = False
    means: bool = False
    at_least: bool = False
    low: bool = False
    sweep: int = 0
    position: str | None = None
    stage: str | None = None
    stages: tuple[str, ...] = ()
    funnel: tuple[str, ...] = ()
    furthest: str | None = None
    furthest_order: tuple[str, ...] = ()
    undecided_at: tuple[tuple[str, str], ...] = ()
    unit: str | None = None
    clusters: tuple[str, ...] = ()
    blocks: tuple[str, ...] = ()
    period: str | None = None
    period_unit: str = ""
    where: tuple[str, ...] = ()
    given: tuple[str, ...] = ()
    eeo1: tuple[str, str | None] | None = None
    age: str | None = None
    age_at: date | None = None
    age_at_column: str | None = None
    age_bands: tuple[int, ...] = (ADEA_AGE,)
    unknown: tuple[str, ...] = ()
    mapped: tuple[str, ...] = ()
    nobody: bool = False
    outcome: bool = False
    against: str | None = None
    cluster: str | None = None
    similar: tuple[str, ...] = ()

    @property
    def apart(self) -> tuple[tuple[str, str], ...]:
        """Return the columns by which counts are split, each with its option: clusters, blocks, then the period."""
        several = {"--cluster": self.clusters, "--block": self.blocks, "--period": filter(None, [self.period])}
        return tuple((name, option) for option, names in several.items() for name in names)

    @property
    def is_weighted(self) -> bool:
        """Say whether rows count by weights or probabilities, and each is a cluster where no column says otherwise."""
        return self.weight is not None or bool(self.members)

    @property
    def cluster_names(self) -> tuple[str, ...]:
        """Return the columns of clusters, those of weighted rows being the rows themselves."""
        return self.clusters or (("row",) if self.is_weighted else ())

    @property
    def mapped_columns(self) -> tuple[str, ...]:
        """Return the columns whose labels `mapped` may explain: those of groups, but ages, and those of a funnel."""
        return (*(name for name in self.protected if name != self.age), *self.funnel)

    @property
    def is_funnel(self) -> bool:
        """Say whether each row has all its stages."""
        return bool(self.funnel) or self.furthest is not None

    def signed(self, score: float) -> float:
        """Return a score with its sign changed where low scores pass; the same call changes it back.

        >>> ApplicantQuery(protected=(), low=True).signed(2.5)
        -2.5
        """
        return 0.0 - score if self.low else score


@dataclass(frozen=True, kw_only=True)
class ClusterCounts:
    """The counts and the scores of `Applicants` by cluster and block, with a column of codes for each.

    `cluster_0`, `cluster_1` … have the codes of `names`, then those of `blocks`; `sizes` are the numbers of clusters.
    With sampling weights n and successes are sums of weights, scaled to a mean of 1, and there are their `squares`; of
    `probable` groups a row counts in each.
    With --period the counts have the label of each, in `period`.
    """

    names: tuple[str, ...]
    blocks: tuple[str, ...]
    sizes: tuple[int, ...]
    probable: bool = False
    counts: pl.DataFrame
    scores: pl.DataFrame | None


@dataclass(frozen=True, kw_only=True)
class CountBounds:
    """The counts of `Applicants` with the lowest and with the highest selection rates that they may have.

    `suppressed`: the counts that differ are not shown, and no number stands for them; else rates are rounded.
    """

    suppressed: bool
    lowest: pl.DataFrame
    highest: pl.DataFrame


@dataclass(frozen=True, kw_only=True)
class Applicants:
    """Applicants as counts.

    `counts` has `approach` (selected, cutoff, median), `cutoff`, `stage` ('' without
    stages, or 'bottom line'), `position`, `protected.*` (null: unknown), `n`, `successes`,
    joint over all attributes. `scores` (Approach 3) has `stage`, `position`, `protected.*`,
    `n`, `mean`, `squares` = Σ(x − mean)². `sweep` has `cutoff`, `protected.*`, `n`,
    `successes`; `given` has these keys, `given.*`, `n`, `successes`; `undecided` those of
    `counts` and the `n` people without a decision. `periods` are the counts by `period`,
    `ages` those by `years` of age. `accounting` says
    who was counted and who was not.
    """

    attributes: tuple[str, ...]
    counts: pl.DataFrame
    scores: pl.DataFrame | None
    sweep: pl.DataFrame | None
    given: pl.DataFrame | None
    stages: tuple[str, ...]
    accounting: Accounting
    clustered: ClusterCounts | None = None
    periods: pl.DataFrame | None = None
    ages: pl.DataFrame | None = None
    bounds: CountBounds | None = None
    undecided: pl.DataFrame | None = None

    @property
    def tables(self) -> dict[str, pl.DataFrame]:
        """Return the tables from which findings are computed, by name."""
        names = ("counts", "scores", "sweep", "given", "undecided", "periods", "ages")
        named = {name: getattr(self, name) for name in names}
        if self.bounds is not None:
            named |= {"counts_lowest": self.bounds.lowest, "counts_highest": self.bounds.highest}
        return {name: table for name, table in named.items() if table is not None}


#: What became of the people of a count.
SELECTED, NOT_SELECTED = "selected", "not selected"
#: Whole numbers up to here are exact in every engine and in the statistics.
MOST_PEOPLE = 2**53
_MOST_LISTED = 6
_MOST_TOTALS = 3
_VALUE_ORDER = ("selected", "not selected", "without a decision", "yes", "no", "unknown")
#: The most characters of a condition that a note quotes.
LONGEST_CONDITION = 300


def accounting_notes(accounting: applicant_audit.Accounting) -> list[str]:
    """Return one line for each thing that a reader should know about the rows."""
    return [*_left_out_notes(accounting), *_understood(accounting)]


def _left_out_notes(accounting: applicant_audit.Accounting) -> list[str]:
    """Return notes on rows that are in no count, with the reason."""
    noun = accounting.noun
    notes = [
        f"{_rows(entry.rows_left_out, noun)} left out by --where "
        f"{quoted(entry.expression, most=LONGEST_CONDITION)}{_empty(entry.of_these_empty)}."
        for entry in accounting.where
        if entry.rows_left_out
    ]
    unit = accounting.unit
    if unit is not None and (unit.repeated_rows or unit.units < unit.counted):
        conflicts = f"; in {unit.conflicts:,} they disagree on a group, which is unknown then" if unit.conflicts else ""
        outcome = accounting.decisions is not None and accounting.decisions.outcome
        rule = ", with the highest score, and the outcome if any of its rows has it" if outcome else ""
        notes.append(
            f"{unit.rows:,} rows are {unit.counted:,} by {_listed(unit.by)}, each counted once{rule}{conflicts}. "
            f"There are {unit.units:,} different values of {quoted(unit.column)}."
        )
    if unit is not None and unit.with_several_positions:
        n = unit.with_several_positions
        have = "1 has" if n == 1 else f"{n:,} have"
        notes.append(
            f"Of {unit.units:,} by {quoted(unit.column)}, {have} several positions. Among all applicants they are "
            "counted in each, and the tests take that for different people unless --cluster names the column."
        )
    for n, lacking in (
        (accounting.missing_position, "a position"),
        (accounting.missing_stage, "a stage"),
        (
            accounting.decision_unknown,
            "what happened" if accounting.decisions and accounting.decisions.outcome else "a decision",
        ),
    ):
        if n:
            labelled = lacking == "a position" or (lacking == "a stage" and accounting.at_all_stages)
            filled = _filled_down(accounting) if labelled else ""
            notes.append(f"{_rows(n, noun)} not counted: without {lacking}.{filled}")
    scores = accounting.scores or applicant_audit.Scores()
    kinds = {"none": scores.null, "NaN": scores.not_a_number, "infinite": scores.infinite}
    unusable = [f"{n:,} {word}" for word, n in kinds.items() if n]
    if unusable:
        notes.append(f"Scores that are not numbers are not counted: {', '.join(unusable)}.")
    if accounting.without_previous:
        notes.append(f"{_rows(accounting.without_previous, noun)} not counted: without the previous version's score.")
    for name, n in accounting.stages_left_out.items():
        notes.append(f"{_rows(n, noun)} not counted: at the stage {quoted(name)}, which the order given leaves out.")
    return notes


def label_notes(labels: Mapping[str, Labels], *, recorded: bool = False) -> list[str]:
    """Return what a reader should know of how the labels of columns became groups; `recorded` in a store."""
    unknown = {name: sum(of.unknown.values()) for name, of in labels.items()}
    return _understood(Accounting(unknown=unknown, **label_accounts(labels)), recorded=recorded)


def label_accounts(labels: Mapping[str, Labels]) -> dict[str, Any]:
    """Return the entries of an accounting that say how the labels of columns became groups."""
    return {
        "unknown_labels": {name: dict(of.unknown) for name, of in labels.items()},
        "unsure": {name: dict(of.unsure) for name, of in labels.items() if of.unsure},
        "folded": merged_spellings(*labels.items()),
    }


def merged_spellings(*columns: tuple[str | None, Labels]) -> tuple[applicant_audit.MergedSpellings, ...]:
    """Return the labels of columns that were merged."""
    return tuple(applicant_audit.MergedSpellings(column=name, **entry) for name, of in columns for entry in of.folded)


def _understood(accounting: applicant_audit.Accounting, *, recorded: bool = False) -> list[str]:
    """Return notes on how stages, groups and spellings were parsed; those `recorded` have no reference here."""
    notes = [counted_note(accounting)] if accounting.count else []
    if accounting.decisions and _has_other_values(accounting.decisions):
        notes.append(value_note(accounting.decisions))
    order = accounting.stage_order
    if order is not None and order.how != "given":
        notes.append(f"Stages were taken {order.how}: {listed(order.stages)}. Give the order to change it.")
    counted = "people counted" if accounting.count else "rows counted"
    counted += " at all stages together" if accounting.at_all_stages else ""
    for name, n in accounting.unknown.items():
        if n:
            labels = listed(accounting.unknown_labels[name], most=_MOST_LISTED, quotes=True)
            notes.append(
                f"{shortened(name)} is unknown in {n:,} of the {counted}"
                + (f" (among them {labels})." if labels else f".{_filled_down(accounting)}")
            )
    for name, unsure in accounting.unsure.items():
        named = listed([f"{quoted(label)} ({n:,})" for label, n in unsure.items()], most=_MOST_LISTED)
        what = "may mean unknown, but is a group" if len(unsure) == 1 else "may mean unknown, but are groups"
        reference = (
            ", and no reference beside others" if recorded else ", and not the reference unless --reference names it"
        )
        left_out = as_typed(f"{name}:{next(iter(unsure))}=") if recorded else as_typed(next(iter(unsure)))
        notes.append(
            f"{named} of {shortened(name)} {what} here{reference}; {'--map' if recorded else '--unknown'} {left_out} "
            "leaves the people out."
        )
    categories: dict[str, list[str]] = {}
    for entry in accounting.eeo1:
        label = quoted(entry.label) + (f" with {quoted(entry.hispanic)}" if entry.hispanic else "")
        categories.setdefault(entry.category, []).append(f"{label} ({entry.n:,})")
    for category, entries in categories.items():
        notes.append(f"Counted as {quoted(category)} of the EEO-1: {_first(entries)}.")
    merged: dict[str, list[str]] = {}
    for spelt in accounting.folded:
        labels = listed([f"{quoted(label)} ({n:,})" for label, n in spelt.merged.items()], most=_MOST_LISTED)
        merged.setdefault(spelt.column or "", []).append(f"{labels} as {quoted(spelt.kept)}")
    for name, entries in merged.items():
        notes.append(f"Labels of {shortened(name)} were taken together: {_first(entries, '; ')}.")
    return notes


def total_notes(accounting: applicant_audit.Accounting, choice: str | None) -> list[str]:
    """Return sentences about totals: first those left out, then those that were kept."""
    totals = accounting.totals
    left_out = [entry for entry in totals if entry.left_out]
    notes = []
    if len(left_out) == 1 and left_out[0].rows == 1:
        (entry,) = left_out
        of = "is a total" if entry.by == "name" else f"is{_as_known(entry)} the sum of {entry.of or 'the others'}"
        row = quoted(entry.label) if entry.label.strip() else f"with a blank {shortened(entry.column)}"
        again = "" if entry.label.strip() else "; --totals keep counts it"
        notes.append(f"The row {row} {of} and was left out{again}.")
    elif left_out:
        labels: dict[str, int] = {}
        for entry in left_out:
            label = _label_of(entry)
            labels[label] = labels.get(label, 0) + entry.rows
        entries = [f"{label} ({n:,})" for label, n in labels.items()]
        number = sum(labels.values())
        sums = [entry for entry in left_out if entry.by != "name"]
        what = "are totals" if len(sums) < len(left_out) else "are sums of others"
        known = next((_as_known(entry) for entry in sums if entry.possible), "")
        notes.append(f"{number:,} rows {what}{known} and were left out: {listed(entries, most=2 * _MOST_TOTALS)}.")
        if any(not entry.label.strip() for entry in left_out):
            notes[-1] = f"{notes[-1][:-1]}; --totals keep counts them."
    kept = [entry for entry in totals if not entry.left_out]
    notes += [
        f"Rows with {_label_of(entry)} ({entry.rows:,}) are{_as_known(entry)} sums of others and counted all the same, "
        "as --totals keep says."
        for entry in kept
        if entry.by != "sum" and not entry.label.strip()
    ]
    named = [quoted(entry.label) for entry in kept if entry.by != "sum" and entry.label.strip()]
    if named:
        notes.append(
            f"{listed(named, most=_MOST_TOTALS)} {'is' if len(named) == 1 else 'are'} named like a total and kept as "
            f"{'a group' if len(named) == 1 else 'groups'}, as --totals keep says."
        )
    for entry in [entry for entry in kept if entry.by == "sum" and choice is None][:_MOST_TOTALS]:
        of = entry.of or "other rows"
        notes.append(
            f"The counts of {_label_of(entry)} are{_as_known(entry)} the sum of {of}, "
            "which may be chance: it is kept; --totals drop leaves it out."
        )
    return notes


def _label_of(entry: applicant_audit.TotalRows) -> str:
    column = shortened(entry.column)
    return f"{quoted(entry.label)} of {column}" if entry.label.strip() else f"a blank {column}"


def _as_known(entry: applicant_audit.TotalRows) -> str:
    return ", as far as counts are known," if entry.possible else ""


def uncertain_notes(accounting: applicant_audit.Accounting, suppressed: tuple[int, int] | None) -> list[str]:
    """Return what is not known exactly of the counts, and the range of each group."""
    uncertain = accounting.uncertain
    if uncertain is None:
        return []
    notes = []
    if suppressed is not None and uncertain.suppressed:
        are = "1 count is" if uncertain.suppressed == 1 else f"{uncertain.suppressed:,} counts are"
        fewest = "; numbers of people are the fewest that there can be"
        of_people = fewest if any(entry.n[0] < entry.n[1] for entry in uncertain.ranges) else ""
        notes.append(
            f"{are} not shown and may be {suppressed[0]:,} to {suppressed[1]:,}, as --suppressed says{of_people}."
        )
    else:
        notes.append("The people selected are the applicants times the rate, rounded to whole numbers.")
    parts = []
    for entry in uncertain.ranges:
        name = (shortened(entry.group) or "unknown") + (f" at {shortened(entry.stage)}" if entry.stage else "")
        low, high = entry.selected
        if low < high:
            parts.append(f"selected of {name}: {low:,} to {high:,}")
        if entry.n[0] < entry.n[1]:
            parts.append(f"applicants of {name}: {entry.n[0]:,} to {entry.n[1]:,}")
    if parts:
        reason = "" if uncertain.suppressed else ", as the rates are rounded"
        text = _first(parts, "; ")
        notes.append(f"{text[:1].upper()}{text[1:]}{reason}.")
    return notes


def counted_note(accounting: Accounting) -> str:
    """Return a sentence with the number of people in a table of counts; with stages, first that of the first one."""
    count = accounting.count or applicant_audit.CountColumns(column="")
    columns = quoted(count.column) + (f" and {quoted(count.selected_column)}" if count.selected_column else "")
    rows = "1 row is" if count.rows == 1 else f"{count.rows:,} rows are"
    people = "1 person" if count.people == 1 else f"{count.people:,} people"
    if accounting.at_all_stages and accounting.stage_order is not None:
        stage, first = next(iter(accounting.stage_order.rows.items()))
        people = f"{first:,} people at {quoted(stage)}, the first stage, and {count.people:,} at all stages together"
    return f"{rows} {people}, by {columns}."


def _has_other_values(decisions: applicant_audit.Decisions) -> bool:
    """Say whether the decision column holds other values than yes, no and empty."""
    plain = YES | NO | EMPTY | {"1.0", "0.0", SELECTED, NOT_SELECTED}
    return not {fold(value) for value in decisions.counts} <= plain


def value_note(decisions: applicant_audit.Decisions) -> str:
    """Return a sentence with the meaning and the frequency of each value of the decision."""
    means: dict[str, list[str]] = {}
    for value, n in sorted(decisions.counts.items(), key=lambda item: _VALUE_ORDER.index(decisions.meaning(item[0]))):
        means.setdefault(decisions.meaning(value), []).append(f"{quoted(value) if value else 'empty'} ({n:,})")
    parts = [f"{meaning}: {_first(values)}" for meaning, values in means.items()]
    return f"{shortened(decisions.column or '')}: {'; '.join(parts)}."


def _first(entries: Sequence[str], sign: str = ", ") -> str:
    """Return the first entries whole, and how many more there are."""
    more = f" and {len(entries) - _MOST_LISTED} more" if len(entries) > _MOST_LISTED else ""
    return f"{sign.join(entries[:_MOST_LISTED])}{more}"


def _listed(names: Sequence[str]) -> str:
    texts = [quoted(name) for name in names]
    return " and ".join([", ".join(texts[:-1]), texts[-1]]) if len(texts) > 1 else texts[0]


def _empty(n: int) -> str:
    """Return the clause about rows for which a condition is neither true nor false."""
    if not n:
        return ""
    return f"; in {n:,} of them a cell that it uses is empty (to keep such rows add: COLUMN is null or …)"


def _filled_down(accounting: Accounting) -> str:
    """Return the repair of labels that a table of counts writes once, in the first row of several."""
    if accounting.count is None:
        return ""
    return " If a blank cell stands for the label above it, fill the labels down: write each in every row."


def _rows(n: int, noun: str) -> str:
    if n == 1:
        return "1 row was" if noun == "rows" else "1 person was"
    return f"{n:,} {noun} were"


def given_applicants(
    counts: Sequence[tuple[str, int, int]],
    *,
    attribute: str,
    unknown: tuple[str, ...] = (),
    mapped: tuple[str, ...] = (),
) -> Applicants:
    """Return applicants of whom only counts are given: group, selected and applicants of each.

    They are those of a table with a row per group, which `count_applicants` would count.

    Raises
    ------
    InputError
        There are more groups, or more people, than can be.

    >>> applicants = given_applicants([("women", 3, 10), ("men", 4, 8), ("n/a", 0, 1)], attribute="gender")
    >>> applicants.counts.select("protected.gender", "n", "successes").rows()
    [('men', 8, 4), ('women', 10, 3), (None, 1, 0)]
    >>> applicants.accounting.notes
    ("gender is unknown in 1 of the people counted (among them 'n/a').",)
    """
    if len(counts) > MOST_VALUES:
        raise InputError(
            f"{option_text('counts')} has {len(counts):,} groups, more than the {MOST_VALUES:,} that are compared."
        )
    people, selected = sum(n for _, _, n in counts), sum(chosen for _, chosen, _ in counts)
    if people > MOST_PEOPLE:
        raise InputError(
            f"{option_text('counts')} has more than {MOST_PEOPLE:,} people in all; expected numbers of people."
        )
    labels = group_labels(
        attribute, [(group, n) for group, _, n in counts], label_rules(unknown, mapped, columns=[attribute])
    )
    name = PROTECTED + attribute
    rows = [("selected", None, "", "", labels.of[group], n, chosen) for group, chosen, n in counts]
    kinds = {"approach": pl.String, "cutoff": pl.Float64, "stage": pl.String, "position": pl.String, name: pl.String}
    frame = pl.DataFrame(rows, schema={**kinds, "n": pl.Int64, "successes": pl.Int64}, orient="row")
    count = applicant_audit.CountColumns(
        column="applicants", selected_column="selected", rows=len(counts), people=people
    )
    accounting = applicant_audit.Accounting(
        rows_read=people,
        count=count,
        decisions=applicant_audit.Decisions(
            column="selected", selected_values=(SELECTED,), counts={SELECTED: selected, NOT_SELECTED: people - selected}
        ),
        unknown={attribute: int(frame.filter(pl.col(name).is_null())["n"].sum())},
        rows_used=people,
        **label_accounts({attribute: labels}),
    )
    given = np.array([(n, chosen) for _, chosen, n in counts], dtype=np.int64).reshape(-1, 2)
    keys, attributes = {attribute: [group for group, _, _ in counts]}, frozenset({attribute})
    table = CountRows(keys=keys, groups=attributes, in_header=attributes, context={}, low=given, high=given)
    notes = stacked_notes(table, np.zeros(len(counts), dtype=np.bool_), place="")
    notes += [line for line in accounting_notes(accounting) if line != counted_note(accounting)]
    return Applicants(
        attributes=(attribute,),
        counts=frame.group_by(*kinds, maintain_order=True).sum().sort(name, nulls_last=True),
        scores=None,
        sweep=None,
        given=None,
        stages=(),
        accounting=replace(accounting, notes=tuple(notes)),
    )
