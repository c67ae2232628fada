"""What is chosen of a table, from the fields of a form, and the words of the command that it makes."""

import re
from collections.abc import Mapping, Sequence
from typing import Any, Final

from starlette.exceptions import HTTPException

from evenhand.dashboard.analyses.kept import Analysis
from evenhand.report.page.live import Boxes, Choice, Field, Input
from evenhand.tables.audit.applicants.looked import LookedColumn, LookedTable
from evenhand.tables.messages.quoting import one_line, shortened

__all__ = [
    "MEANINGS",
    "chosen_columns",
    "chosen_meanings",
    "columns_inputs",
    "decision_of",
    "in_this_form",
    "meanings_inputs",
    "words_of",
]

#: What a value of the decision can mean.
MEANINGS: Final = {"selected": "selected", "not": "not selected", "none": "no decision: in no count"}
_NOTHING: Final = {"": "nothing"}
#: Options that take one column, and how they are asked for.
_SELECTED: Final = "selected"
_LABELS: Final = {
    "selected": "Says who was selected",
    "position": "Position, within which groups are compared",
    "score": "Score, where selected are those with high scores",
    "age": "Age in years: adds the groups 40 or older and under 40",
    "unit": "Applicant: repeated rows of one count once",
    "count": "How many people a row is",
    "applicants": "A row is a group: how many applied",
    "selected_count": "… and how many of them were selected",
}
GROUPS: Final = "Groups that are compared"
_FIRST: Final = ("selected", "position")


def columns_inputs(looked: LookedTable, choices: Mapping[str, Any]) -> tuple[list[Input], list[Input], bool]:
    """Return what asks which column is for what: what is asked always, the rest, and whether something stands there.

    Guesses stand there as long as nothing is chosen.
    """
    groups = {f"protected{n}": each.name for n, each in enumerate(looked.columns) if each.values}
    guessed = choices or {}
    if not choices:
        guessed = {"protected": [each.name for each in looked.columns if each.role == "protected"]}
        guessed |= {each.role: each.name for each in looked.columns if each.role and each.role != "protected"}
    reasons = {} if choices else {each.name: each.reason for each in looked.columns if each.role}
    own = guessed.get("protected", [])
    first = Boxes(
        label=GROUPS,
        options={field: one_line(shortened(name)) for field, name in groups.items()},
        ticked=[field for field, name in groups.items() if name in own],
        hint=_guessed([f"{one_line(shortened(name))}: {reasons[name]}" for name in own if name in reasons]),
    )
    asked: dict[str, Input] = {option: _select(option, looked, guessed.get(option), reasons) for option in _LABELS}
    cutoff = Field(
        name="cutoff",
        label="Selected are scores above (empty: above the median)",
        value=choices.get("cutoff", ""),
        required=False,
    )
    crossed = Boxes(
        label="Groups of several columns",
        options={"intersectional": "Cross them, too"},
        ticked=["intersectional"] if choices.get("intersectional") else [],
    )
    score, *others = (asked[option] for option in _LABELS if option not in _FIRST)
    is_open = "intersectional" in choices or any(option in guessed for option in _LABELS if option not in _FIRST)
    return [first, *(asked[option] for option in _FIRST)], [score, cutoff, *others, crossed], is_open


def _select(option: str, looked: LookedTable, name: str | None, reasons: Mapping[str, str]) -> Choice:
    fitting = {str(n): each.name for n, each in enumerate(looked.columns) if _fits(option, each)}
    return Choice(
        name=option,
        label=_LABELS[option],
        options=_NOTHING | {n: one_line(shortened(each)) for n, each in fitting.items()},
        chosen=next((n for n, each in fitting.items() if each == name), ""),
        hint=_guessed([reasons[name]] if name is not None and name in reasons else []),
    )


def _fits(option: str, column: LookedColumn) -> bool:
    if option in {"score", "age", "count", "applicants", "selected_count"}:
        # many texts may be numbers with decimal commas: who chooses them is told so
        return column.holds in {"number", "yes/no"} or (
            option == "score" and column.holds == "text" and not column.values
        )
    return column.different is None or column.different > 1


def _guessed(reasons: Sequence[str]) -> str:
    """Return why something stands in a field before anybody chose it."""
    return f"A guess. {' '.join(reasons)}" if reasons else ""


def chosen_columns(form: Mapping[str, str], looked: LookedTable) -> dict[str, Any]:
    """Return the columns by the option they are for.

    Raises
    ------
    HTTPException
        A field has what was not offered.

    """
    names = {str(n): each.name for n, each in enumerate(looked.columns)}
    chosen: dict[str, Any] = {"protected": [name for n, name in names.items() if f"protected{n}" in form]}
    for option in _LABELS:
        given = form.get(option, "")
        if given:
            if given not in names:
                raise HTTPException(400, "The form names a column that the table does not have; choose again.")
            chosen[option] = names[given]
    if "," in form.get("cutoff", ""):
        raise HTTPException(400, "A cut-off has a point before its decimals, such as 3.5; go back and write it so.")
    if form.get("cutoff", "").strip():
        chosen["cutoff"] = form["cutoff"].strip()
    if "intersectional" in form:
        chosen["intersectional"] = True
    if not chosen["protected"] and "age" not in chosen:
        raise HTTPException(400, f"Nobody is compared yet: go back and tick a column under '{GROUPS}'.")
    if not {"selected", "score", "applicants"} & set(chosen):
        raise HTTPException(400, f"It is not known who was selected: go back and choose '{_LABELS[_SELECTED]}'.")
    return chosen


def in_this_form(message: str) -> list[str]:
    """Return how the fields of the form are called whose options a message of the command names."""
    named = {f"--{option.replace('_', '-')}": label for option, label in _LABELS.items()} | {"--protected": GROUPS}
    limit = ["--unpack-limit is fixed here: save the sheet as CSV, and bring that."]
    return [
        f"{option} is the field '{label}'."
        for option, label in named.items()
        if re.search(rf"{option}\b(?!-)", message)
    ] + (limit if "--unpack-limit" in message else [])


def decision_of(looked: LookedTable, choices: Mapping[str, Any]) -> LookedColumn | None:
    """Return the column that says who was selected, where its values must be given a meaning; None of yes and no."""
    return next(
        (each for each in looked.columns if each.name == choices.get(_SELECTED) and not each.plain and each.meanings),
        None,
    )


def meanings_inputs(column: LookedColumn, meanings: Mapping[str, str]) -> list[Input]:
    """Return the fields that ask what each value of a decision means."""
    return [
        Choice(
            name=f"value{n}",
            label=f"{one_line(shortened(label))} ({column.values[label]:,})",
            options=MEANINGS,
            chosen=meanings.get(label, "not"),
        )
        for n, label in enumerate(column.meanings)
    ]


def chosen_meanings(form: Mapping[str, str], column: LookedColumn) -> dict[str, str]:
    """Return what each value of a decision means.

    Raises
    ------
    HTTPException
        A field has what was not offered.

    """
    found = {label: form.get(f"value{n}", "") for n, label in enumerate(column.meanings)}
    if not set(found.values()) <= set(MEANINGS):
        raise HTTPException(400, "The form lacks the meaning of a value; choose again.")
    return found


def words_of(analysis: Analysis, looked: LookedTable) -> list[str]:
    """Return the words of `evenhand impact` for what was chosen, options with their values in one word."""
    choices = analysis.choices
    words = [] if analysis.sheet is None else [f"--sheet={analysis.sheet}"]
    words += [f"--protected={name}" for name in choices.get("protected", ())]
    for option in _LABELS:
        name = choices.get(option)
        if name is None:
            continue
        value = name
        column = decision_of(looked, choices) if option == _SELECTED else None
        if column is not None:
            own = [label for label in column.meanings if analysis.meanings.get(label) == "selected"]
            value = f"{name}={','.join(own)}"
            none = [label for label in column.meanings if analysis.meanings.get(label) == "none"]
            doubted = [label for label, likely in column.meanings.items() if likely == "none"]
            closed = [""] if any(analysis.meanings.get(label) == "not" for label in doubted) else []
            words += [f"--undecided={name}={label}" for label in [*none, *closed]]
        words.append(f"--{option.replace('_', '-')}={value}")
    if "score" in choices and "selected" not in choices:
        words.append(f"--cutoff={choices['cutoff']}" if "cutoff" in choices else "--median")
    if choices.get("intersectional"):
        words.append("--intersectional")
    return words
