"""Answers of screening as outcomes, one row per candidate that was shown; and saved answers as stimuli."""

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import Any, Final

import orjson
import polars as pl

from evenhand.errors import InputError
from evenhand.probes.business_vocabulary.counting import Inventories, card_inventories, count_terms
from evenhand.probes.probe import ReadAnswers
from evenhand.probes.readers import answer_of, known_groups, require_columns, text_column, unit_of
from evenhand.probes.screening.piles import PILE, PLAIN, QUALITIES, SURVIVORS, reading_of
from evenhand.probes.screening.questions import question_kinds, unlawful_kind
from evenhand.probes.screening.reading import Reading
from evenhand.probes.screening.settings import STEPS
from evenhand.results.audit import ProtectedQuestion
from evenhand.results.measures import TEXT_CODED, TEXT_WORDS
from evenhand.results.messages import quoted
from evenhand.results.schemas import CONTEXT, conform_outcomes

_ROW: Final = {
    **dict.fromkeys(("item", "unit", "set", "arm"), pl.String()),
    "attempt": pl.Int32(),
    "successes": pl.Int32(),
    "trials": pl.Int32(),
    "score": pl.Float64(),
    "status": pl.String(),
    "reading": pl.String(),
    "protected.gender": pl.String(),
    "protected.race": pl.String(),
    **{f"context.{name}": pl.String() for name in ("name", "resume", "position", "quality")},
    "context.merit": pl.Float64(),
    **{f"context.{name}": pl.String() for name in ("number", "step", "shown", "pile", "matched")},
    "text": pl.String(),
}


def outcomes(answers: pl.DataFrame) -> ReadAnswers:
    """Return one row per candidate shown, of stimuli joined with answers: what the step says of this candidate.

    The score is the candidate's score, or 1 for a shortlist, an offer, or an unlawful question, else 0. Of a reason or
    an e-mail there is what was counted, never the text.
    """
    protected: list[ProtectedQuestion] = []
    rows = [row for answer in answers.iter_rows(named=True) for row in _rows(answer, protected)]
    frame = pl.DataFrame(rows, schema=_ROW, orient="row")
    times = answers.select("item", "unit", "attempt", "time").unique(["item", "unit", "attempt"], keep="first")
    times = times.rename({"unit": "set"})
    frame = frame.join(times, on=["item", "set", "attempt"], how="left", maintain_order="left")
    counted = frame.drop("text").hstack(text_counts(frame["text"]))
    return ReadAnswers(outcomes=conform_outcomes(counted), protected=protected)


@cache
def _coded() -> Inventories:
    """Return the terms of all inventories of BusinessVocabulary as one: coded male, coded female, or both."""
    table = card_inventories().table.with_columns(pl.lit("any").alias("inventory")).unique(maintain_order=True)
    return Inventories(names=("any",), table=table)


def text_counts(texts: pl.Series) -> pl.DataFrame:
    """Return the words of texts, and the share of male-coded ones among their coded terms, null where there is none."""
    counts = count_terms(texts, inventories=_coded())
    coded = pl.col("male") + pl.col("female")
    shares = pl.DataFrame({"document": pl.int_range(len(texts), dtype=pl.UInt32, eager=True)}).join(
        counts.terms.filter(coded > 0).select("document", (pl.col("male") / coded).alias(CONTEXT + TEXT_CODED)),
        on="document",
        how="left",
        maintain_order="left",
    )
    words = pl.select(pl.when(texts.is_not_null()).then(counts.lengths.cast(pl.Float64)).alias(CONTEXT + TEXT_WORDS))
    return words.hstack(shares.drop("document"))


def _protected(reading: Reading, step: str) -> Iterator[ProtectedQuestion]:
    """Yield the questions about protected facts, with what guidance says."""
    for number, places in reading.unlawful.items():
        for place in places:
            question = reading.questions[number][place - 1]
            kind = unlawful_kind(question)
            if kind is not None:
                known = question_kinds()[kind]
                example = question[:1].upper() + question[1:]
                yield ProtectedQuestion(
                    step=step, about=known.about, guidance=known.guidance, instead=known.instead, example=example
                )


def _rows(answer: Mapping[str, Any], protected: list[ProtectedQuestion]) -> Iterator[tuple[Any, ...]]:
    """Yield a row per candidate shown; questions about protected facts are added to `protected`."""
    step, shown = answer["step"], tuple(answer["offered"].split())
    taken = answer_of(answer["text"], answer["finish_reason"], answer["error_class"])
    reading = None
    if taken.status is None:
        names = tuple((one["number"], one["name"]) for one in answer["candidates"] if one["number"] in shown)
        reading = reading_of(step, taken.text, names)
        protected += _protected(reading, step)
    for one in answer["candidates"]:
        number = one["number"]
        if number not in shown:
            continue
        value, status, rule = None, taken.status, taken.rule
        if reading is not None:
            value = _value(step, reading, number)
            refused, cut = reading.status == "refused", taken.cut and value is None
            status = "observed" if value is not None else "refused" if refused else "truncated" if cut else "undetected"
            rule = f"{step} {'read' if value is not None else reading.status if reading.status != 'read' else 'unread'}"
        decided = None if value is None or step == "scores" else int(value)
        yield (
            *(answer["item"], f"{answer['unit']}/{number}", answer["unit"], answer["arm"], answer["attempt"]),
            *(decided, None if decided is None else 1, value, status, rule, one["gender"], one["race"]),
            *(one["name"], one["resume"], answer["position"], one["quality"], QUALITIES.get(one["quality"])),
            *(number, step, answer["shown"], answer["item"], f"{answer['block']}/{number}"),
            None if reading is None else reading.texts.get(number),
        )


def _value(step: str, reading: Reading, number: str) -> float | None:
    """Return what a step says of a candidate, as a number; None where nothing was read."""
    if reading.status != "read" or number in reading.unread:
        return None
    if step == "shortlist":
        return float(number in reading.selected)
    if step == "questions":
        return float(bool(reading.unlawful.get(number))) if number in reading.questions else None
    if step == "scores":
        return reading.scores.get(number)
    decision = reading.decisions.get(number)
    return None if decision is None else float(decision == "accepted")


#: Columns of saved answers: what was asked, and who was in the pile, as 'résumé: name | résumé: name'.
SAVED_KEY: Final = ("position", "step", "shown", "arm", "lineup")


def saved_stimuli(saved: pl.DataFrame, *, names: pl.DataFrame | None = None) -> pl.DataFrame:
    """Return the stimuli columns of saved answers, in the rows' order.

    Expects `position, step, lineup` and takes `shown, arm, offered, quality, candidates`: of the survivors of a
    shortlist `offered` has their numbers, `quality` that of each application, both with blanks between, and
    `candidates` is a list with `name`, `gender`, `race`. Names that are not there are looked up in `names`, by default
    our own.

    Raises
    ------
    InputError
        A column is missing, a step is unknown, or a name is unknown; the row is named.

    """
    require_columns(saved, ("position", "step", "lineup"), probe="screening")
    step = text_column(saved, "step", allowed=STEPS)
    people = [_people(line, row) for row, line in enumerate(saved["lineup"].cast(pl.String), 1)]
    groups = _groups(saved, people, names)

    def texts(name: str, default: str) -> list[str]:
        return saved[name].cast(pl.String).fill_null(default).to_list() if name in saved.columns else [
            default
        ] * saved.height  # fmt: skip

    rows = []
    positions, arms, shown = texts("position", ""), texts("arm", PLAIN), texts("shown", PILE)
    offered, qualities = texts("offered", ""), texts("quality", "")
    for place, line in enumerate(people):
        stated = qualities[place].split()
        candidates = [
            {
                "number": str(number),
                **next(groups),
                "resume": resume,
                "quality": stated[number - 1] if len(stated) == len(line) else None,
            }
            for number, (resume, _) in enumerate(line, 1)
        ]
        rows.append(
            {
                "position": positions[place],
                "step": step[place],
                "shown": shown[place],
                "arm": arms[place],
                "lineup": saved["lineup"][place],
                # Piles of the same applications in one order are matched.
                "block": f"{positions[place]}/{' '.join(resume for resume, _ in line)}",
                "candidates": candidates,
                "offered": offered[place] or " ".join(one["number"] for one in candidates),
            }
        )
        if shown[place] not in {PILE, SURVIVORS}:
            raise InputError(f"Row {place + 1}: shown is {shown[place]!r}; expected {PILE} or {SURVIVORS}.")
    frame = pl.DataFrame(rows, infer_schema_length=None)
    return frame.with_columns(unit_of(*SAVED_KEY))


def _groups(
    saved: pl.DataFrame, people: Sequence[Sequence[tuple[str, str]]], names: pl.DataFrame | None
) -> Iterator[dict[str, Any]]:
    """Yield the name, gender and race of each candidate of all rows."""
    stated = saved["candidates"] if "candidates" in saved.columns else [None] * saved.height
    flat = [
        {"name": name, "gender": one.get("gender"), "race": one.get("race"), "row": row}
        for row, (line, cell) in enumerate(zip(people, stated, strict=True), 1)
        for by_name in [_by_name(cell, row)]
        for _, name in line
        for one in [by_name.get(name, {})]
    ]
    frame = pl.DataFrame(flat, schema={**dict.fromkeys(("name", "gender", "race"), pl.String()), "row": pl.Int64()})
    return known_groups(
        frame,
        table=names,
        rows=frame["row"],
        given="--names FILE, or candidates with a {attribute},",
    ).iter_rows(named=True)


def _by_name(cell: Any, row: int) -> dict[str, Mapping[str, Any]]:
    """Return the candidates of a row, a list or its JSON, by name."""
    try:
        candidates = orjson.loads(cell) if isinstance(cell, str) else cell
        return {one["name"]: one for one in candidates} if candidates is not None else {}
    except (ValueError, TypeError, KeyError) as error:
        raise InputError(
            f"Row {row}: candidates is {quoted(str(cell))}; expected a list of objects with name, gender and race."
        ) from error


def _people(line: str | None, row: int) -> Sequence[tuple[str, str]]:
    """Return résumé and name of each candidate in a line of saved answers."""
    pairs = [part.rpartition(":") for part in (line or "").split("|")]
    if not all(resume.strip() and name.strip() for resume, _, name in pairs):
        raise InputError(f"Row {row}: lineup is {line!r}; expected 'RÉSUMÉ: NAME | RÉSUMÉ: NAME', all of the pile.")
    return [(resume.strip(), name.strip()) for resume, _, name in pairs]
