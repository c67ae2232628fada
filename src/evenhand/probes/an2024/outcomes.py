"""E-mails of An et al. 2024 as outcomes, and saved answers as stimuli."""

from collections.abc import Sequence

import polars as pl

from evenhand.data.folding import fold_text
from evenhand.data.lexicons.names import an2024_names
from evenhand.errors import InputError
from evenhand.probes import readers
from evenhand.probes.an2024.classifier import AN2024_WORDS, Classifier
from evenhand.probes.an2024.stimuli import NOT_SPECIFIED, Role
from evenhand.probes.probe import APPLICANT, INSTRUCTIONS, QUALIFICATIONS, ReadAnswers
from evenhand.results.messages import quoted
from evenhand.results.schemas import AS_GIVEN, STATUS, conform_outcomes

_YES = ("true", "1", "1.0", "yes", "y", "t")
_NO = ("false", "0", "0.0", "no", "n", "f")
#: A model that declines says so at the start.
_HEAD = 600


def outcomes(answers: pl.DataFrame, *, classifier: Classifier) -> ReadAnswers:
    """Return one outcomes row per row of stimuli joined with answers.

    A column `accepted` holds decisions that are known; every other answer is classified.
    """
    cells = answers["accepted"] if "accepted" in answers.columns else None
    if cells is None:
        cells = pl.repeat(None, answers.height, dtype=pl.Boolean, eager=True)
    # What failed has no decision, whatever the column says.
    known = cells.is_not_null() & answers["error_class"].is_null()
    status, accepted, rule = _read(answers, known, classifier=classifier)
    frame = answers.with_columns(
        pl.when(known).then(cells).otherwise(accepted).alias("accepted"),
        pl.when(known).then(pl.lit("observed")).otherwise(status).alias("status"),
        pl.when(known).then(pl.lit(AS_GIVEN[0])).otherwise(rule).alias("reading"),
    )
    return ReadAnswers(
        outcomes=conform_outcomes(
            frame.select(
                "item",
                "unit",
                "attempt",
                "pair",
                pl.col("accepted").cast(pl.Int32).alias("successes"),
                pl.when(pl.col("accepted").is_not_null()).then(1).cast(pl.Int32).alias("trials"),
                pl.col("status").cast(STATUS),
                "reading",
                "time",
                *APPLICANT,
                pl.col("education").alias("context.education"),
                pl.col("qualification").alias("context.qualification"),
                pl.col("template").cast(pl.String).alias("context.template"),
                pl.col("seed").cast(pl.String).alias("context.seed"),
            )
        )
    )


def _read(answers: pl.DataFrame, known: pl.Series, *, classifier: Classifier) -> tuple[pl.Series, pl.Series, pl.Series]:
    """Return status, decision and rule of each row; of those with a known decision nothing is read."""
    rows = (~known).arg_true()
    statuses: list[str | None] = [None] * answers.height
    decisions: list[bool | None] = [None] * answers.height
    rules: list[str | None] = [None] * answers.height
    if len(rows):
        chosen = answers[rows]
        given = [readers.answer_of(*row) for row in chosen.select("text", "finish_reason", "error_class").iter_rows()]
        texts = pl.Series([readers.document_of(answer.text) or answer.text for answer in given], dtype=pl.String)
        predicted = classifier.decide(texts, chosen["name"])
        for place, answer, decision in zip(rows, given, predicted, strict=True):
            if answer.status is not None:
                statuses[place], rules[place] = answer.status, answer.rule
            elif _is_either(answer.text):
                statuses[place], rules[place] = "ambiguous", "alternatives"
            elif decision is None:
                statuses[place], rules[place] = _undecided(answer)
            else:
                statuses[place], rules[place] = "observed", f"classifier, {'accepts' if decision else 'rejects'}"
                decisions[place] = decision
    return (
        pl.Series(statuses, dtype=pl.String),
        pl.Series(decisions, dtype=pl.Boolean),
        pl.Series(rules, dtype=pl.String),
    )


def _is_either(text: str) -> bool:
    """Return whether a text has drafts for both outcomes, or a placeholder for either."""
    folded = fold_text(text)
    return None not in readers.branch_labels(folded) or AN2024_WORDS.choice.search(folded) is not None


def _undecided(answer: readers.Answer) -> tuple[str, str]:
    """Return status and rule of an answer in which no decision was found."""
    if readers.declines_task(" ".join(answer.text[:_HEAD].lower().split())):
        return "refused", "declined"
    return ("truncated", "cut off") if answer.cut else ("undetected", "states no decision")


def saved_stimuli(saved: pl.DataFrame, *, roles: Sequence[Role], names: pl.DataFrame | None = None) -> pl.DataFrame:
    """Return the stimuli columns of saved answers, in the rows' order.

    Expects `name, role, qualification, template, seed` and takes `gender, race` and
    `accepted` where they are given.

    Raises
    ------
    InputError
        A column is missing, a name or level is unknown, a seed is no whole number, or
        a row repeats the item and seed of another; the row is named.

    """
    readers.require_columns(saved, ("name", "role", "qualification", "template", "seed"), probe="an2024")
    people = readers.known_groups(saved, table=an2024_names() if names is None else names)
    frame = pl.DataFrame(
        {
            "name": people["name"],
            "gender": people["gender"],
            "race": people["race"],
            "qualification": readers.text_column(saved, "qualification", allowed=tuple(QUALIFICATIONS)),
            "template": readers.code_column(saved, "template", size=len(INSTRUCTIONS)),
            "seed": _seeds(saved["seed"]),
            "accepted": stated_decisions(saved),
        }
    ).hstack(_roles(saved, roles))
    key = ("name", "gender", "race", "role", "qualification", "template", "seed")
    unit = pl.concat_str([pl.col(name).cast(pl.String) for name in key], separator="\x1f")
    frame = frame.with_columns(unit.alias("unit"))
    _refuse_repeats(saved, frame["unit"])
    return frame


def _refuse_repeats(saved: pl.DataFrame, unit: pl.Series) -> None:
    """Refuse rows of one prompt and seed, unless they are attempts with numbers of their own."""
    attempt = saved["attempt"].cast(pl.String).fill_null("")
    repeated = (~pl.select(pl.concat_str(unit, attempt, separator="\x1f")).to_series().is_first_distinct()).arg_true()
    if len(repeated):
        row = repeated[0]
        key = ("name", "role", "qualification", "template", "seed")
        name, role, qualification, template, seed = (quoted(saved[column][row]) for column in key)
        raise InputError(
            f"Row {row + 1} repeats another: name {name}, role {role}, qualification {qualification}, template "
            f"{template} and seed {seed} occur twice. If they are repetitions, number them in a column attempt."
        )


def _roles(saved: pl.DataFrame, known: Sequence[Role]) -> pl.DataFrame:
    """Return `role` and `education`; a blank role is 'not specified'."""
    table = pl.DataFrame(
        {
            "key": [role.name.lower() for role in known],
            "known": [role.name for role in known],
            "education": pl.Series([role.education for role in known], dtype=pl.String),
        }
    ).unique("key", keep="first")
    cells = saved.select(pl.col("role").cast(pl.String).str.strip_chars().replace("", None).alias("role"))
    distinct = (
        cells.unique(maintain_order=True)
        .with_columns(readers.normalised(pl.col("role")).alias("key"))
        .join(table, on="key", how="left", maintain_order="left")
        # One role in several spellings is called as it comes first.
        .with_columns(pl.coalesce("known", pl.col("role").first().over("key")).alias("known"))
    )
    joined = cells.join(distinct, on="role", how="left", maintain_order="left", nulls_equal=True)
    return joined.select(pl.coalesce("known", "role", pl.lit(NOT_SPECIFIED)).alias("role"), "education")


def _seeds(column: pl.Series) -> pl.Series:
    numbers = column.cast(pl.Float64, strict=False)
    seeds = numbers.cast(pl.Int64, strict=False)
    wrong = (seeds.is_null() | (seeds.cast(pl.Float64) != numbers)).fill_null(value=True).arg_true()
    if len(wrong):
        raise InputError(f"Row {wrong[0] + 1}: seed {quoted(column[wrong[0]])} is not a whole number.")
    return seeds


def stated_decisions(saved: pl.DataFrame) -> pl.Series:
    """Return the column `accepted` as booleans; null where the e-mail is to be classified."""
    if "accepted" not in saved.columns:
        return pl.repeat(None, saved.height, dtype=pl.Boolean, eager=True)
    cells = saved["accepted"]
    if cells.dtype == pl.Boolean:
        return cells
    if cells.dtype.is_nested():
        raise InputError("The column accepted holds lists or objects; expected true or false, or nothing.")
    words = cells.cast(pl.String).str.strip_chars().str.to_lowercase()
    decided = words.is_in(_YES).fill_null(value=False)
    wrong = (words.is_not_null() & (words != "") & ~decided & ~words.is_in(_NO)).arg_true()
    if len(wrong):
        raise InputError(
            f"Row {wrong[0] + 1}: accepted {quoted(cells[wrong[0]])} is not a decision; expected true or false, "
            "or nothing."
        )
    blank = words.is_null() | (words == "")
    return pl.select(pl.when(blank).then(None).otherwise(decided))[:, 0].cast(pl.Boolean)
