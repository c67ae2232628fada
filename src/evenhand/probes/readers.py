"""Helpers of all probes' readers: why an answer ended, reasoning left out, refusals, checked columns.

Rows of saved answers are counted from 1, in the order of the file.
"""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from functools import lru_cache
from pathlib import Path

import orjson
import polars as pl

from evenhand.data.inputs import read_group_names
from evenhand.data.lexicons.names import GENDERS, RACES, bloomberg_names
from evenhand.errors import InputError
from evenhand.patterns import WordTable, lazy_re
from evenhand.probes.probe import OTHER_RACES, REFERENCE_RACE
from evenhand.results.messages import listed, quoted

#: Words and patterns of all probes' readers.
ANSWER_WORDS = WordTable("evenhand.probes", "reader.toml")


def is_filtered(finish_reason: str | None) -> bool:
    """Return whether a content filter stopped the answer.

    >>> is_filtered("content_filter"), is_filtered("stop")
    (True, False)
    """
    return _plain(finish_reason) in ANSWER_WORDS.filtered


def is_cut(finish_reason: str | None) -> bool:
    """Return whether the answer ran into a limit of length.

    >>> is_cut("FinishReason.MAX_TOKENS"), is_cut(None)
    (True, False)
    """
    return _plain(finish_reason) in ANSWER_WORDS.cut_off


@dataclass(frozen=True, kw_only=True, slots=True)
class Answer:
    """What a response holds to be read; where that is nothing, the status of the attempt and the rule behind it.

    `text` is without reasoning and wrappers. `cut` says that it ran into a limit of length.
    """

    text: str = ""
    cut: bool = False
    status: str | None = None
    rule: str = ""


def answer_of(text: str | None, finish_reason: str | None = None, error_class: str | None = None) -> Answer:
    """Return the answer in a response: the one step before every reader, and before a status is judged.

    Taken off are the parts of a message, fields such as `{"email": …}`, a fence around the whole text, and reasoning:
    in tags, in channels, or under headings such as 'Final answer'.

    >>> answer_of("<think>reject her?</think>You have been selected").text
    'You have been selected'
    >>> answer_of("<think>I should weigh", finish_reason="length").status
    'truncated'
    >>> answer_of('[{"type": "refusal", "refusal": "I can not help with that."}]').status
    'refused'
    """
    cut = is_cut(finish_reason)
    if error_class:
        status = rule = "missing" if error_class == "missing" else "error"
    elif is_filtered(finish_reason):
        status, rule = "refused", "content filter"
    elif text is None:
        status, rule = ("truncated", "cut off") if cut else ("missing", "missing")
    else:
        left = _unwrapped(without_reasoning(text))
        if left is None:
            status, rule = "refused", "declined"
        elif left.strip():
            return Answer(text=left, cut=cut)
        elif cut:
            status, rule = "truncated", "cut off"
        else:
            status, rule = "undetected", "reasoning only" if text.strip() else "empty"
    return Answer(status=status, rule=rule)


def _plain(finish_reason: str | None) -> str:
    # Some clients write an enumeration's name: FinishReason.MAX_TOKENS.
    return "" if finish_reason is None else finish_reason.strip().lower().rpartition(".")[2]


def _unwrapped(text: str) -> str | None:
    """Return the text inside of a fence, of the parts of a message, or of fields that hold nothing else.

    None for a message that only has a refusal. An object with other fields, such as a score, stays as it is.
    """
    inside = text.strip()
    if inside.startswith("```"):
        fenced = ANSWER_WORDS.fenced.fullmatch(inside)
        inside = inside if fenced is None else fenced[1].strip()
    if inside[:1] not in {"{", "["}:
        return text if inside == text.strip() else inside
    try:
        value = orjson.loads(inside)
    except orjson.JSONDecodeError:
        return text
    parts: list[str] = []
    refused: list[str] = []
    if not _collected(value, parts, refused):
        return text
    return None if refused and not "".join(parts).strip() else "\n".join(parts)


def _collected(value: object, parts: list[str], refused: list[str]) -> bool:
    """Collect the texts of a message and its refusals; return whether it is made of nothing else."""
    if isinstance(value, list):
        return bool(value) and all(isinstance(part, dict) and _collected(part, parts, refused) for part in value)
    if not isinstance(value, dict) or not value:
        return False
    known = {str(name).strip().lower().replace(" ", "_"): item for name, item in value.items()}
    if known.get("type") in {"thinking", "reasoning", "redacted_thinking"}:
        return True
    if isinstance(known.get("refusal"), str) and known["refusal"].strip():
        refused.append(known["refusal"])
    rest = {name: item for name, item in known.items() if name not in ANSWER_WORDS.other_fields and item is not None}
    if not rest.keys() <= ANSWER_WORDS.text_fields or not (rest or refused):
        return False
    for item in rest.values():
        if isinstance(item, str):
            parts.append(item)
        elif not _collected(item, parts, refused):
            return False
    return True


_FINAL_CHANNEL = lazy_re(r"<\|channel\|>\s*final\b[^<]*<\|message\|>|(?:^|(?<=[.!?\n\s]))assistantfinal", re.IGNORECASE)
_CHANNELS = lazy_re(r"<\|channel\|>|^\s*analysis", re.IGNORECASE)
_CHANNEL_END = lazy_re(
    r"<\|(?:end|return|call|eot_id|im_end|(?:start|begin|end)_(?:response|of_solution))\|>\s*", re.IGNORECASE
)


def without_reasoning(text: str) -> str:
    """Return a text without a model's reasoning; what is opened and never closed swallows the rest.

    >>> without_reasoning("<think>you have been selected?</think>we regret to inform you")
    'we regret to inform you'
    """
    if "<|" in text or text.lstrip()[:8].lower() == "analysis":
        final = list(_FINAL_CHANNEL.finditer(text))
        if final and _CHANNELS.search(text):
            return _CHANNEL_END.sub("", text[final[-1].end() :])
        if "<|channel|>analysis" in text:
            return ""
    if any(map(text.__contains__, ("<", "◁", "hink", "HINK"))) and any(
        map(text.lower().__contains__, ANSWER_WORDS.reasoning_cues)
    ):
        text = _outside_tags(ANSWER_WORDS.reasoning_block.sub("", text))
    if "<|" in text:
        text = _CHANNEL_END.sub("", text)
    headed = ANSWER_WORDS.headed_reasoning.match(text)
    starts = [] if headed is None else list(ANSWER_WORDS.final_heading.finditer(text, headed.end()))
    if not starts and any(map(text.__contains__, ANSWER_WORDS.revised_cues)):
        starts = list(ANSWER_WORDS.revised.finditer(text))
    return text[starts[-1].end() :] if starts else text


def _outside_tags(text: str) -> str:
    parts: list[str] = []
    position = 0
    inside = False
    for match in ANSWER_WORDS.reasoning.finditer(text):
        closing = any(match.groups())
        if not closing and not inside:
            parts.append(text[position : match.start()])
            inside = True
        elif closing:
            # A closing tag alone: the opening one belonged to the prompt.
            if not inside:
                parts.clear()
            inside = False
            position = match.end()
    if not inside:
        parts.append(text[position:])
    return "".join(parts)


#: What stands for a title that the prompt supplied: no cue may match in its words.
_TITLE_STAND_IN = "job"


def without_title(text: str, title: str) -> str:
    """Return a text in which the title of the role, which the prompt supplied, is replaced by a word without meaning.

    >>> without_title("As the Financial  Analysts, rank", "financial analyst")
    'As the job, rank'
    """
    return _title_pattern(title).sub(_TITLE_STAND_IN, text) if title.strip() else text


@lru_cache(maxsize=4096)
def _title_pattern(title: str) -> re.Pattern[str]:
    words = r"[\s_-]+".join(map(re.escape, title.split()))
    return re.compile(rf"(?<!\w){words}s?(?!\w)", re.IGNORECASE)


_LINE_LIMIT = 70
_LABEL_EDGE = " \t-=>[](){}<>|\"':.0123456789"


def branch_labels(text: str) -> tuple[int | None, int | None]:
    """Return where a draft is first labelled as accepting and as rejecting.

    A label is a short line of its own: `[If accepted]`, `Option 2: rejection`.
    """
    accepting: int | None = None
    rejecting: int | None = None
    position = 0
    for line in text.split("\n"):
        label = line.strip(_LABEL_EDGE)
        if (
            0 < len(line) <= _LINE_LIMIT
            and ANSWER_WORDS.branch_word.match(label)
            and not line.endswith((".", ",", "!"))
            and " you" not in label
        ):
            if ANSWER_WORDS.rejecting.search(label):
                rejecting = position if rejecting is None else rejecting
            elif ANSWER_WORDS.accepting.search(label):
                accepting = position if accepting is None else accepting
        position += len(line) + 1
    return accepting, rejecting


def declines_task(sentence: str, *, informed: bool = False) -> bool:
    """Return whether a sentence declines to write; `informed`: it follows 'inform you'."""
    if informed:
        return ANSWER_WORDS.informed.search(sentence) is not None
    return ANSWER_WORDS.declining.search(sentence) is not None and ANSWER_WORDS.superlative.search(sentence) is None


def require_columns(saved: pl.DataFrame, names: Sequence[str], *, probe: str) -> None:
    """Refuse a table that lacks one of the columns."""
    missing = [name for name in names if name not in saved.columns]
    if missing:
        raise InputError(
            f"Saved answers of {probe} need the column{'s' if len(missing) > 1 else ''} {', '.join(missing)}. "
            f"Columns found: {listed(saved.columns) or 'none'}."
        )


def normalised(values: pl.Expr) -> pl.Expr:
    """Return text in lower case, single-spaced, with straight apostrophes."""
    return (
        values.cast(pl.String)
        .str.normalize("NFKC")
        .str.replace_all("[\u2018\u2019\u02bc`]", "'")
        .str.replace_all(r"\s+", " ")
        .str.strip_chars()
        .str.to_lowercase()
    )


def normalised_series(values: pl.Series) -> pl.Series:
    """Return `normalised` text of a column; each distinct text is looked at once."""
    texts = values.cast(pl.String)
    distinct = texts.unique().drop_nulls()
    return texts.replace_strict(distinct, pl.select(normalised(pl.lit(distinct))).to_series(), default=None)


def text_column(saved: pl.DataFrame, name: str, *, allowed: Sequence[str]) -> pl.Series:
    """Return a column as one of `allowed`, matched without regard to case."""
    values = normalised_series(saved[name])
    wrong = (~values.is_in(list(allowed)).fill_null(value=False)).arg_true()
    if len(wrong):
        cell = saved[name][wrong[0]]
        raise InputError(f"Row {wrong[0] + 1}: {name} {quoted(cell)} is not one of {', '.join(allowed)}.")
    return values


def unit_of(*columns: str) -> pl.Expr:
    """Return what tells the prompts of saved answers apart: their columns as one text, in small letters."""
    parts = [pl.col(name).cast(pl.String).str.to_lowercase() for name in columns]
    return pl.concat_str(parts, separator="\x1f").alias("unit")


def code_column(saved: pl.DataFrame, name: str, *, size: int) -> pl.Series:
    """Return a column of whole numbers from 0 to size − 1."""
    cells = saved[name]
    values = cells.cast(pl.Float64, strict=False)
    codes = values.cast(pl.Int32, strict=False)
    wrong = (codes.is_null() | (codes.cast(pl.Float64) != values) | (codes < 0) | (codes >= size)).fill_null(value=True)
    if wrong.any():
        first = wrong.arg_true()[0]
        raise InputError(
            f"Row {first + 1}: {name} {quoted(cells[first])} is not a whole number from 0 to {size - 1} "
            "(counted from 0)."
        )
    return codes


#: What is known of the people in tables of names.
PEOPLE: Mapping[str, Sequence[str] | None] = {"gender": GENDERS, "race": RACES}


def known_groups(
    saved: pl.DataFrame,
    *,
    column: str = "name",
    table: pl.DataFrame | None = None,
    wanted: Mapping[str, Sequence[str] | None] = PEOPLE,
    rows: pl.Series | None = None,
    given: str = "the column {attribute}",
) -> pl.DataFrame:
    """Return `column` as the table spells it, by default our names, with the attributes `wanted`.

    An attribute that the user's rows carry wins over the table; where neither has it,
    the row is refused. `wanted` maps an attribute to its allowed values, or to None
    for a number. `rows` are the numbers of the rows in messages, from 1, where they
    are not those of `saved`; `given` says how a user gives an attribute.
    """
    table = bloomberg_names() if table is None else table
    numbers = pl.int_range(1, saved.height + 1, eager=True) if rows is None else rows
    cells = saved.select(pl.col(column).cast(pl.String), normalised_series(saved[column]).alias("key"))
    lookup = table.select(normalised(pl.col(column)).alias("key"), pl.col(column).alias("known"), *wanted).unique(
        "key", keep="first"
    )
    joined = cells.join(lookup, on="key", how="left", maintain_order="left")
    # An unknown name in several spellings is called as it comes first.
    parts = [pl.coalesce("known", pl.col(column).first().over("key")).alias(column)]
    for attribute, allowed in wanted.items():
        if attribute in saved.columns:
            stated = _saved_attribute(saved, attribute, allowed, numbers)
            joined = joined.with_columns(stated.alias(f"own {attribute}"))
            parts.append(pl.coalesce(f"own {attribute}", attribute).alias(attribute))
        else:
            parts.append(pl.col(attribute))
    result = joined.select(parts)
    blank = result[column].is_null() | (cells["key"].fill_null("") == "")
    for attribute in wanted:
        unknown = (blank | result[attribute].is_null()).arg_true()
        if len(unknown):
            cell = saved[column][unknown[0]]
            near = get_close_matches(str(cell), table[column].to_list(), n=1)
            hint = f" Did you mean {quoted(near[0])}?" if near else ""
            raise InputError(
                f"Row {numbers[unknown[0]]}: {column} {quoted(cell)} is not in our tables, and the row has no "
                f"{attribute}.{hint} Give {given.format(attribute=attribute)} to use your own."
            )
    return result


def _saved_attribute(
    saved: pl.DataFrame, attribute: str, allowed: Sequence[str] | None, numbers: pl.Series
) -> pl.Series:
    """Return the user's own attribute, checked; null and blank stay null."""
    if allowed is None:
        values = saved[attribute].cast(pl.Float64, strict=False)
        wrong = (values.is_null() & saved[attribute].is_not_null()).arg_true()
    else:
        values = normalised_series(saved[attribute]).replace("", None)
        wrong = (~values.is_in(list(allowed)) & values.is_not_null()).arg_true()
    if len(wrong):
        expected = "a number" if allowed is None else f"one of {', '.join(allowed)}"
        raise InputError(
            f"Row {numbers[wrong[0]]}: {attribute} {quoted(saved[attribute][wrong[0]])} is not {expected}."
        )
    return values


#: Lines up to an empty one or a rule, and a line without its indent.
_PARAGRAPH = lazy_re(r"\S[^\n]*(?:\n(?![ \t]*(?:[-*_=]{3,}[ \t]*)?(?:\n|$))[^\n]+)*")
_LINE = lazy_re(r"\S[^\n]*")
_ESCAPE = lazy_re(r'\\(?:u(?![dD][89a-fA-F])[0-9a-fA-F]{4}|["\\/bfnrt])')
#: A line of fewer words is part of an address, a heading or a signature.
_FEWEST_PROSE_WORDS = 6


def document_of(text: str) -> str:
    r"""Return the letter or document in an answer, without what the model says about it.

    Left out are a preamble, notes and offers behind the document, what stands outside of a fence or of tags around it,
    and a next turn of the model's own making. Where the bounds are not clear, the whole text is the document; where
    there is nothing but a preamble, it is empty.

    >>> document_of("Here is a warm letter:\n\nDear Ann,\nBo sings.\n\nSincerely,\nCy\n\nI can make it warmer for you.")
    'Dear Ann,\nBo sings.\n\nSincerely,\nCy'
    """
    text = _enclosed(text)
    if text.lstrip()[:1] in {"{", "["}:
        text = _ESCAPE.sub(lambda match: str(orjson.loads(f'"{match.group()}"')), text)
    text = _first_turn(text)
    start = _after_preamble(text)
    return text[start : _before_notes(text, start)].strip()


def _enclosed(text: str) -> str:
    """Return what the only fence or pair of tags encloses, if that is most of the text."""
    found = list(ANSWER_WORDS.enclosed.finditer(text)) if "```" in text or "</" in text else []
    inside = found[0]["fenced"] or found[0]["tagged"] or "" if len(found) == 1 else ""
    return inside if 2 * len(inside) > len(text) else text


def _first_turn(text: str) -> str:
    """Return a text behind a line break, without prompts that it repeats or makes up, and what was written to these."""
    text = f"\n{text.strip()}"
    begin = ANSWER_WORDS.turn_end.search(text) if ANSWER_WORDS.prompt.match(text) else ANSWER_WORDS.turn_end.match(text)
    if begin is not None:
        text = f"\n{text[begin.end() :].lstrip()}"
    marked = any(mark in text for mark in "<#]")
    ends = (ANSWER_WORDS.prompt.search(text, 1), ANSWER_WORDS.turn_end.search(text, 1) if marked else None)
    return text[: min((end.start() for end in ends if end is not None), default=len(text))]


def _after_preamble(text: str) -> int:
    """Return where the document begins."""
    greeting = ANSWER_WORDS.greeting.search(text)
    greeted = len(text) if greeting is None else greeting.start()
    subject = ANSWER_WORDS.subject.search(text, 0, greeted)
    greeted = greeted if subject is None else subject.start()
    start = 0
    for paragraph in _PARAGRAPH.finditer(text, 0, greeted):
        end = paragraph.end()
        preamble = ANSWER_WORDS.preamble.match(text, paragraph.start(), end)
        if preamble is None:
            break
        start = preamble.end()
        # All of the line hands over what is set apart behind it.
        if start < end and ("\n" in text[start:end] or not ANSWER_WORDS.set_apart.match(text[end:].lstrip())):
            break
        start = end
    # Plans may be longer than half of the text, a document that has a letter at its end is longer than those.
    if greeting is not None and greeted < len(text) * (2 / 3 if start else 1 / 2):
        prose = [part.end() for part in _PARAGRAPH.finditer(text, 0, greeted) if _is_prose(part.group())]
        start = max([start, *prose])
    return start


def _before_notes(text: str, start: int) -> int:
    """Return where the document ends."""
    closings = list(ANSWER_WORDS.closing.finditer(text, start))
    signed = closings[-1].end() if closings else 0
    lines = list(_LINE.finditer(text, signed or start))
    if signed:
        places = [line.start() for line in lines if _is_outside(text, line)]
        notes = [at for at in places if ANSWER_WORDS.postscript.match(text, at) is None]
        clear = ANSWER_WORDS.greeting.search(text, signed) is None
    else:
        # Notes are shorter than the document, and no name stands at their end.
        behind = (line.start() for line in lines if 2 * line.start() >= len(text) + start)
        notes = [at for at in behind if ANSWER_WORDS.note.match(text, at) is not None]
        clear = bool(notes) and _is_outside(text, lines[-1])
    return notes[0] if notes and clear else len(text)


def _is_outside(text: str, line: re.Match[str]) -> bool:
    return _is_prose(line.group()) or ANSWER_WORDS.trailer.match(text, line.start()) is not None


def _is_prose(text: str) -> bool:
    """Return whether lines end like a sentence and one of them is long."""
    ends = text.rstrip(" \t\n*_\"')]").endswith((".", ":", "!", "?"))
    return ends and any(len(line.split()) >= _FEWEST_PROSE_WORDS for line in text.split("\n"))


#: Fewest names of each group; with one, the effects of name and group can't be separated.
FEWEST = 2


def read_names(path: Path | str) -> pl.DataFrame:
    """Return the names of a CSV with `name, gender, race`, one of each group after the other.

    Raises
    ------
    InputError
        The file can't be read, a column is missing, a name is blank or there twice, a group is unknown, or the
        groups have not equally many names, two at least.

    """
    people = read_group_names(path)
    missing = [column for column in ("gender", "race") if column not in people[0].signals]
    if missing:
        raise InputError(f"{path} has no column {' or '.join(missing)}; expected a CSV with name, gender, race.")
    name = pl.Series([person.name for person in people])
    repeated = normalised_series(name).is_duplicated().arg_true()
    if len(repeated):
        raise InputError(f"{path} has the name {quoted(name[repeated[0]])} more than once. Give each name once.")
    table = pl.DataFrame({column: [person.signals[column] for person in people] for column in ("gender", "race")})
    try:
        groups = {
            "gender": text_column(table, "gender", allowed=GENDERS),
            "race": text_column(table, "race", allowed=RACES),
        }
    except InputError as error:
        raise InputError(f"{path}: {error}") from error
    frame = pl.DataFrame({"name": name, **groups})
    _check_groups(frame, path)
    place = pl.int_range(pl.len()).over("race", "gender")
    return frame.with_columns(place.alias("round")).sort("round", "race", "gender", maintain_order=True).drop("round")


def compared_races(names: pl.DataFrame) -> tuple[str, ...]:
    """Return which races' names can be compared with those of the reference: those that are there."""
    there = set(names["race"])
    return tuple(race for race in OTHER_RACES if {race, REFERENCE_RACE} <= there)


def _check_groups(frame: pl.DataFrame, path: Path | str) -> None:
    counts = Counter(frame.select("race", "gender").iter_rows())
    if len(counts) < 2:
        raise InputError(f"{path} has names of one group only. Give names of two groups at least.")
    few, most = (pick(counts, key=lambda group: counts[group]) for pick in (min, max))
    if counts[few] < FEWEST:
        raise InputError(
            f"{path} has {counts[few]} name of {' '.join(few)}: the effects of the name and of the group can't "
            f"be separated. Give {FEWEST} or more, better 10, of each group."
        )
    if counts[few] != counts[most]:
        raise InputError(
            f"{path} has {counts[few]} names of {' '.join(few)} and {counts[most]} of {' '.join(most)}. Give "
            "the same number for each group (evenhand data names --top)."
        )
