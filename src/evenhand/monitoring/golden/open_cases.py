"""Cases that wait for one person: under codes of that person's own, without what others and models said."""

import hashlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from evenhand.errors import InputError
from evenhand.monitoring.golden.agreement import save_labeller_values
from evenhand.monitoring.golden.cases import Case, cases_of, scale_of
from evenhand.monitoring.golden.labels import LABELLERS, Standing, add_adjudications, add_labels, standings
from evenhand.monitoring.history.log import canonical_json
from evenhand.monitoring.history.store import Store, Writing
from evenhand.tables.messages.quoting import quoted

__all__ = ["OpenCase", "open_cases", "person_named", "take_labels"]


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
    by, labels, said = _person_known(store, by), scale_of(store).labels, standings(store)
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


def _is_open(standing: Standing, by: str, *, adjudicating: bool) -> bool:
    if by in {each.by for each in standing.labels}:
        return False
    if adjudicating:
        return standing.differs and standing.adjudicated is None
    return len(standing.labels) < LABELLERS
