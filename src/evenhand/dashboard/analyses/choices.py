"""What is chosen of a table, from the fields of a form, and the words of the command that it makes."""

import re
from collections.abc import Mapping, Sequence
from typing import Any, Final

from starlette.exceptions import HTTPException

from evenhand.dashboard.analyses.kept import Analysis
from evenhand.report.page.live import Field
from evenhand.tables.audit.applicants.looked import LookedColumn, LookedTable
from evenhand.tables.messages.quoting import one_line, shortened

__all__ = [
    "MEANINGS",
    "chosen_columns",
    "chosen_meanings",
    "columns_fields",
    "decision_of",
    "in_this_form",
    "meanings_fields",
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


def columns_fields(looked: LookedTable, choices: Mapping[str, Any]) -> tuple[list[Field], list[Field]]:
    """Return the fields that ask which column is for what, those asked always and the others.

    Guesses stand there as long as nothing is chosen.
    """
    groups = {f"protected{n}": each.name for n, each in enumerate(looked.columns) if each.values}
    shown = {field: one_line(shortened(name)) for field, name in groups.items()}
    guessed = choices or {}
    if not choices:
        guessed = {"protected": [each.name for each in looked.columns if each.role == "protected"]}
        guessed |= {each.role: each.name for each in looked.columns if each.role and each.role != "protected"}
    reasons = {each.name: each.reason for each in looked.columns if each.role}
    own = guessed.get("protected", [])
    first = Field(
        name="protected",
        label=GROUPS,
        kind="checks",
        options=shown,
        chosen=[field for field, name in groups.items() if name in own],
        hint=_guessed([f"{one_line(shortened(name))}: {reasons[name]}" for name in own if name in reasons], choices),
    )
    asked = {option: _select(option, looked, guessed, choices, reasons) for option in _LABELS}
    crossed = Field(
        name="intersectional",
        label="Groups of several columns",
        kind="checks",
        options={"intersectional": "Cross them, too"},
        chosen=["intersectional"] if choices.get("intersectional") else [],
    )
    cutoff = Field(
        name="cutoff",
        label="Selected are scores above (empty: above the median)",
        chosen=[choices["cutoff"]] if choices.get("cutoff") else [],
        required=False,
    )
    more = [asked.pop(option) for option in _LABELS if option not in _FIRST]
    return [first, *asked.values()], [more[0], cutoff, *more[1:], crossed]


def _select(
    option: str,
    looked: LookedTable,
    guessed: Mapping[str, Any],
    choices: Mapping[str, Any],
    reasons: Mapping[str, str],
) -> Field:
    name = str(guessed.get(option, ""))
    fitting = {str(n): each.name for n, each in enumerate(looked.columns) if _fits(option, each)}
    return Field(
        name=option,
        label=_LABELS[option],
        kind="select",
        options=_NOTHING | {n: one_line(shortened(each)) for n, each in fitting.items()},
        chosen=[n for n, each in fitting.items() if each == name],
        hint=_guessed([reasons[name]] if name in reasons else [], choices),
    )


def _fits(option: str, column: LookedColumn) -> bool:
    if option in {"score", "age", "count", "applicants", "selected_count"}:
        return column.holds in {"number", "yes/no"}
    return column.different is None or column.different > 1


def _guessed(reasons: Sequence[str], choices: Mapping[str, Any]) -> str:
    """Return why something stands in a field before anybody chose it."""
    return "" if choices or not reasons else f"A guess. {' '.join(reasons)}"


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
    return [
        f"{option} is the field '{label}'."
        for option, label in named.items()
        if re.search(rf"{option}\b(?!-)", message)
    ]


def decision_of(looked: LookedTable, choices: Mapping[str, Any]) -> LookedColumn | None:
    """Return the column that says who was selected, where its values must be given a meaning; None of yes and no."""
    return next(
        (each for each in looked.columns if each.name == choices.get(_SELECTED) and not each.plain and each.meanings),
        None,
    )


def meanings_fields(column: LookedColumn, meanings: Mapping[str, str]) -> list[Field]:
    """Return the fields that ask what each value of a decision means."""
    return [
        Field(
            name=f"value{n}",
            label=f"{one_line(shortened(label))} ({column.values[label]:,})",
            kind="select",
            options=MEANINGS,
            chosen=[meanings.get(label, "not")],
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
            words += [
                f"--undecided={name}={label}" for label in column.meanings if analysis.meanings.get(label) == "none"
            ]
        words.append(f"--{option.replace('_', '-')}={value}")
    if "score" in choices and "selected" not in choices:
        words.append(f"--cutoff={choices['cutoff']}" if "cutoff" in choices else "--median")
    if choices.get("intersectional"):
        words.append("--intersectional")
    return words
