"""Gender-coded terms counted in documents: inventories of terms, phrases, and NLTK's way of counting.

`nltk_terms` counts as NLTK's word_tokenize would, without NLTK and its data. NLTK 3.10 splits a text into
sentences (Punkt), and sentences into tokens (Penn Treebank). A term counts when a token equals it in
lower case, so only this matters: is the term cut off from what stands on its left and right? Most marks
are split off wherever they stand. A period is split off only at the end of a sentence; Punkt ends one
after a word with a period before white space or a closing mark, unless the word is an abbreviation or
the pair a collocation that it knows, and no term is either. Hyphens and slashes keep a term glued to its
neighbour.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from importlib import resources
from pathlib import Path

import numpy as np
import polars as pl
from numpy.typing import NDArray

from evenhand.data.text_tables import read_text_table
from evenhand.errors import InputError
from evenhand.patterns import WordTable, lazy_re
from evenhand.results.messages import listed, quoted
from evenhand.results.result import unguarded

DOCUMENT_WORDS = WordTable("evenhand.probes.business_vocabulary", "reader.toml")

#: Those of the card, in its order.
INVENTORIES = ("bsri", "epaq", "gaucher", "gest", "nicolas", "wan")


@dataclass(frozen=True, kw_only=True, eq=False)
class Inventories:
    """Inventories by `names`, in the order of reports; `table` has `inventory, gender, term`."""

    names: tuple[str, ...]
    table: pl.DataFrame

    @cached_property
    def singles(self) -> pl.DataFrame:
        """Return the rows of the table with a term of one word."""
        return self.table.filter(~pl.col("term").str.contains(" ", literal=True))

    def labels(self) -> dict[str, str]:
        """Return what each single-word term stands for.

        >>> card_inventories().labels()["leader"]
        'male in gaucher'
        """
        sides: dict[str, dict[str, list[str]]] = {}
        for inventory, gender, term in self.singles.iter_rows():
            sides.setdefault(term, {}).setdefault(gender, []).append(inventory)
        return {
            term: "; ".join(
                f"{gender} in {', '.join(names)}" for gender, names in sorted(by_gender.items(), reverse=True)
            )
            for term, by_gender in sides.items()
        }


@cache
def card_inventories() -> Inventories:
    """Return the six inventories of the card."""
    return Inventories(names=INVENTORIES, table=inventory_table().drop("in_genderbench"))


@cache
def inventory_table() -> pl.DataFrame:
    """Return the card's `inventory, gender, term, in_genderbench`, one row per term of an inventory.

    >>> inventory_table().filter(term="self-reliant").row(0)
    ('bsri', 'male', 'self-reliant', True)
    """
    with resources.as_file(resources.files("evenhand.probes.business_vocabulary") / "inventories.csv") as path:
        table = pl.read_csv(path)
    return table.with_columns(pl.col("in_genderbench") == 1)


#: Between the words of a phrase: a space, a line break, the marks of Markdown.
_GAP = r"[*_#\s]+"
#: Words that begin a phrase in a questionnaire, and may be absent in a letter.
_LEAD = lazy_re(r"^(?:is(?: a| an)? |can )")
_SELF = r"(?:(?:one|him|her|my|your|it)self|(?:them|your|our)selves|self)"


@dataclass(frozen=True, kw_only=True)
class Phrase:
    """A term of several words: the pattern that counts it, and a word that every match has.

    `male` and `female` are what a match adds to the counts: one on its side, less the
    terms of the same inventory inside it, which are counted as words already.
    """

    inventory: str
    term: str
    pattern: str
    anchor: str
    male: int
    female: int


@cache
def phrases(inventories: Inventories) -> tuple[Phrase, ...]:
    """Return all terms of several words, and hyphenated ones written apart ('self reliant')."""
    rows = list(inventories.table.iter_rows())
    words = {(inventory, term): gender for inventory, gender, term in rows}
    result = []
    for inventory, gender, term in rows:
        if " " not in term and "-" not in term:
            continue
        apart = _LEAD.sub("", term.replace("-", " ")).split()
        pattern, anchor = _matcher(apart) if " " in term else (" ".join(apart), apart[-1])
        inner = [words.get((inventory, word)) for word in apart]
        result.append(
            Phrase(
                inventory=inventory,
                term=term,
                pattern=rf"(?:\b|_){pattern.replace(' ', _GAP)}(?:\b|_)",
                anchor=anchor,
                male=(gender == "male") - inner.count("male"),
                female=(gender == "female") - inner.count("female"),
            )
        )
    return tuple(result)


def _matcher(words: list[str]) -> tuple[str, str]:
    """Return the pattern of a phrase, a space for each gap, and a word that every match has."""
    head = 1 if words[0] == "never" else 0
    parts = []
    for place, word in enumerate(words):
        if word == "not" and words[place - 1] == "does":
            continue  # in the verb's own pattern
        if word in {"self", "oneself"} and place:
            parts.append(_SELF)
        elif place == head and _is_verb(word, words):
            parts.append(_inflected(word))
        else:
            parts.append((DOCUMENT_WORDS.determiner.pattern if place else "") + re.escape(word))
    fixed = [word for word in words[head + 1 :] if word not in {"self", "oneself", "not"}] or words
    # A term of two words may be written with a hyphen: 'soft-spoken'.
    joint = "(?: |-)" if len(parts) == 2 and not _is_verb(words[0], words) else " "
    return joint.join(parts), max(fixed, key=len)


def _is_verb(word: str, words: list[str]) -> bool:
    return word in DOCUMENT_WORDS.irregular or (word.endswith("s") and len(words) > 1)


def _inflected(word: str) -> str:
    """Return a pattern of the forms of a verb in the third person.

    >>> _inflected("loves"), _inflected("acts")
    ('lov(?:e|es|ed|ing)', 'act(?:s|ed|ing)?')
    """
    irregular: dict[str, str] = DOCUMENT_WORDS.irregular
    if word in irregular:
        return irregular[word]
    stem = word.removesuffix("s")
    return f"{stem[:-1]}(?:e|es|ed|ing)" if stem.endswith("e") else f"{stem}(?:s|ed|ing)?"


_RUN = lazy_re(r"[^\W\d_]+(?:-[^\W\d_]+)*")
#: Marks that Treebank's rules put spaces around wherever they stand.
_SPLIT = frozenset('\xab\u201c\u2018\u201e\xbb\u201d\u2019`"()[]{}<>;@#$%&?!*\u2012\u2013\u2014\u2015')
#: Marks after which Punkt looks for the end of a sentence although no space follows.
_CLOSING = frozenset(")\";}]*:@'({[!?\u2018\u2019\u201c\u201d\xab\xbb")
_LATER_END = lazy_re(r"[.?!](?=[)\";}\]*:@'({\[!?\u2018\u2019\u201c\u201d\xab\xbb]|\s+\S)")
#: Marks that may stand between the last period of a sentence and its end.
_AFTER_PERIOD = frozenset("])}>\"'\xbb\u201d\u2019 ")
_MOVED = lazy_re(r"(\s+)([\"')\]}]+?)(?:\s|--|$)")
_ASCII_SPACE = frozenset(" \t\n\r\v\f")
_CLITICS = ("'s", "'S", "'m", "'M", "'d", "'D", "'ll", "'LL", "'re", "'RE", "'ve", "'VE", "'")


def nltk_terms(text: str, terms: Mapping[str, object]) -> list[str]:
    """Return the terms of a text, in order, that are tokens of their own for NLTK.

    >>> nltk_terms("A leader. (Leader) leader's, co-leader leader/boss", {"leader": 0})
    ['leader', 'leader', 'leader']
    """
    matches = []
    for match in _RUN.finditer(text):
        word = match.group().lower()
        end = match.end()
        if word not in terms and word.endswith("n") and text.startswith(("'t ", "'T "), end):
            word, end = word[:-1], end - 1  # 'n't' is split off
        if word in terms and _cut_left(text, match.start()) and (end < match.end() or _cut_right(text, end, word)):
            matches.append(word)
    return matches


def _cut_left(text: str, start: int) -> bool:
    if start == 0:
        return True
    before = text[start - 1]
    if before.isspace() or before in _SPLIT or before in ",:":
        return True
    if before == "'":
        # An opening quote: nothing that belongs to a word stands before it.
        return start < 2 or not (text[start - 2].isalnum() or text[start - 2] == "_")
    if before not in ".-":
        return False
    run = _run_length(text, start - 1, -1)
    # Dots are split off as a run; dashes in pairs from the left, so that an odd one stays.
    return run >= 2 if before == "." else run % 2 == 0


def _cut_right(text: str, end: int, word: str) -> bool:
    if end == len(text):
        return True
    after = text[end]
    if after.isspace() or after in _SPLIT:
        return True
    if after in ",:":
        return end + 1 == len(text) or not text[end + 1].isdigit()
    if after == "-":
        return text.startswith("--", end)
    if after == "'":
        return _clitic(text, end) or (
            word == "more" and re.match(r"'n\b", text[end : end + 3], re.IGNORECASE) is not None
        )
    return after == "." and (text.startswith("..", end) or _ends_sentence(text, end))


def _run_length(text: str, at: int, step: int) -> int:
    mark, length = text[at], 0
    while 0 <= at < len(text) and text[at] == mark:
        length, at = length + 1, at + step
    return length


def _clitic(text: str, at: int) -> bool:
    """Return whether an apostrophe begins an ending that is split off: 's, 'll or a bare quote.

    The rules want a blank behind it, which is what most marks and a sentence's end become.
    """
    if text.startswith("''", at):
        return True
    for clitic in _CLITICS:
        if text.startswith(clitic, at):
            end = at + len(clitic)
            if end == len(text) or text[end].isspace() or text[end] in _SPLIT:
                return True
            if text[end] in ",:" and not (end + 1 < len(text) and text[end + 1].isdigit()):
                return True
            if text[end] == "." and (text.startswith("..", end) or _ends_sentence(text, end)):
                return True
            if text.startswith("--", end):
                return True
    return False


def _ends_sentence(text: str, at: int) -> bool:
    """Return whether the single period at `at` is the last of its sentence.

    Of several ends within one run without white space, Punkt sees the last only; its
    white space there is ASCII.
    """
    end = at + 1
    rest = text[end:].lstrip()
    if not rest:
        return True
    if text[end].isspace() or text[end] in _CLOSING:
        stop = next((place for place in range(end, len(text)) if text[place] in _ASCII_SPACE), len(text))
        later = _LATER_END.search(text, end)
        return (later is None or later.start() >= stop) and not _is_moved_inside(text, end)
    # A closing mark that Punkt does not know ends a sentence only at the end of the text.
    return not rest.lstrip("".join(_AFTER_PERIOD)).strip()


def _is_moved_inside(text: str, end: int) -> bool:
    """Return whether closing marks behind a blank are drawn into the sentence so that its period is not the last.

    Punkt moves a closing mark that stands alone into the sentence before it. Treebank then
    looks through blanks and closing marks for the period, but not through other white space,
    nor through a double quote behind a blank, which it has taken for an opening one.
    """
    moved = _MOVED.match(text, end)
    if moved is None:
        return False
    return moved[1].strip(" ") != "" or moved[2].startswith(('"', "''"))


#: A word: letters, with apostrophes and hyphens inside ('self-reliant', "don't").
WORD = r"\p{L}+(?:['-]\p{L}+)*"
POSSESSIVE = r"'s?$"
#: The marks of a typeset text, as they would be typed. A dash parts words, a hyphen joins them.
_TYPED = {
    **dict.fromkeys("\u2018\u2019\u201b\u02bc\u2032\u00b4`", "'"),
    **dict.fromkeys("\u2010\u2011", "-"),
    **dict.fromkeys("\u2012\u2013\u2014\u2015", "--"),
    **dict.fromkeys("\u201c\u201d\u201e", '"'),
    **dict.fromkeys("\u00ad\u200b\u200c\u200d\u2060\ufeff", ""),
    "\u00a0": " ",
    "\u2022": "*",
    "\u2026": "...",
}


@dataclass(frozen=True, kw_only=True)
class TermCounts:
    """What was counted in documents 0, 1, ….

    `terms` has `document, inventory, male, female`, no row where both are 0; `lengths` the
    number of words per document; `words` one row per document and distinct word: `document,
    word, n`, the candidate's own name left out.
    """

    terms: pl.DataFrame
    lengths: pl.Series
    words: pl.DataFrame


def count_terms(
    texts: pl.Series, names: pl.Series | None = None, *, inventories: Inventories | None = None
) -> TermCounts:
    """Return the terms and words of `texts`; `names` are the candidates', one per text, `inventories` else the card's.

    Words are compared without regard to case; a possessive 's is left off. A hyphenated
    word counts as a whole. A part of the candidate's own name is no term.

    >>> counts = count_terms(pl.Series(["She's Ambitious, ambitious and **gentle**."]))
    >>> counts.terms.filter(inventory="bsri").row(0), counts.lengths.to_list()
    ((0, 'bsri', 2, 1), [5])
    """
    listing = inventories if inventories is not None else card_inventories()
    folded = normalised_texts(texts)
    tokens = folded.str.extract_all(WORD)
    lengths = tokens.list.len()
    document = np.repeat(np.arange(len(texts)), lengths.fill_null(0))
    spelled = tokens.explode().drop_nulls()
    del tokens  # as large as all that is counted from it
    words = _words(document, spelled, None if names is None else _name_parts(names))
    terms = pl.concat([_single_terms(words, listing), _phrase_terms(folded, phrases(listing))])
    summed = (
        terms.group_by("document", "inventory")
        .agg(pl.col("male").sum(), pl.col("female").sum())
        .sort("document", "inventory")
    )
    return TermCounts(terms=summed, lengths=lengths, words=words)


def normalised_texts(texts: pl.Series) -> pl.Series:
    """Return texts in lower case, with the marks of a keyboard and letters in one form."""
    typed = texts.fill_null("")
    foreign = _foreign(typed)
    if foreign.any():
        typed = typed.str.replace_many(list(_TYPED), list(_TYPED.values()))
        foreign = _foreign(typed)
    if foreign.any():
        # Few are left: letters with accents, ligatures, bold letters of mathematics.
        typed = typed.scatter(foreign.arg_true(), typed.filter(foreign).str.normalize("NFKC"))
    return typed.str.to_lowercase()


def _foreign(texts: pl.Series) -> pl.Series:
    return texts.str.len_bytes() != texts.str.len_chars()


def _words(document: NDArray[np.int64], tokens: pl.Series, own: pl.DataFrame | None) -> pl.DataFrame:
    """Return `document, word, n` of tokens and their documents but for its `own` words; possessives join their word."""
    # Sorting whole numbers takes a fifth of the time that grouping by text does. The categories are this call's
    # own, as those of all calls together would grow with every document of a run.
    coded = tokens.cast(pl.Categorical(pl.Categories.random()))
    spelled = coded.unique()
    plain = spelled.cast(pl.String).str.replace(POSSESSIVE, "")
    words = plain.unique().sort()  # so that the rows have one order
    number = np.zeros(len(spelled), dtype=np.int64)
    number[spelled.to_physical().to_numpy()] = plain.replace_strict(words, np.arange(len(words)), return_dtype=pl.Int64)
    keys = document << 32 | number[coded.to_physical().to_numpy()]
    keys.sort()
    starts = np.flatnonzero(np.diff(keys, prepend=-1))
    distinct, n = keys[starts], np.diff(starts, append=len(keys))
    if own is not None and len(distinct):
        numbers = own["word"].replace_strict(words, np.arange(len(words)), default=None, return_dtype=pl.Int64)
        there = numbers.is_not_null()
        named = own["document"].filter(there).to_numpy().astype(np.int64) << 32 | numbers.filter(there).to_numpy()
        places = np.searchsorted(distinct, named)
        places = places[distinct.take(places, mode="clip") == named]
        distinct, n = np.delete(distinct, places), np.delete(n, places)
    return pl.DataFrame(
        {
            "document": (distinct >> 32).astype(np.uint32),
            "word": words.gather(distinct & 0xFFFFFFFF),
            "n": n.astype(np.int32),
        }
    )


def _name_parts(names: pl.Series) -> pl.DataFrame:
    """Return `document, word`: each part of a name, and the halves of a double name too."""
    folded = normalised_texts(names)
    document = pl.int_range(len(names), dtype=pl.UInt32, eager=True)
    parts = pl.concat(
        [
            pl.DataFrame({"document": document, "word": spelled.str.extract_all(WORD)})
            for spelled in (folded, folded.str.replace_all("-", " ", literal=True))
        ]
    )
    return parts.explode("word").drop_nulls("word")


@cache
def _singles(inventories: Inventories) -> pl.DataFrame:
    """Return `word, inventory, male, female` of the terms of one word."""
    return inventories.singles.select(
        pl.col("term").alias("word"),
        "inventory",
        (pl.col("gender") == "male").cast(pl.Int32).alias("male"),
        (pl.col("gender") == "female").cast(pl.Int32).alias("female"),
    )


def _single_terms(words: pl.DataFrame, inventories: Inventories) -> pl.DataFrame:
    matches = words.join(_singles(inventories), on="word")
    return matches.select("document", "inventory", pl.col("male") * pl.col("n"), pl.col("female") * pl.col("n"))


def _phrase_terms(folded: pl.Series, wanted: Sequence[Phrase]) -> pl.DataFrame:
    """Return `document, inventory, male, female` of the terms of several words."""
    schema = {"document": pl.UInt32, "inventory": pl.String, "male": pl.Int32, "female": pl.Int32}
    if not wanted:
        return pl.DataFrame(schema=schema)
    # Most phrases are rare, and looking for all their anchors at once is one pass.
    anchored = folded.str.contains_any(list({phrase.anchor for phrase in wanted}))
    texts, documents = folded.filter(anchored), anchored.arg_true()
    parts = [pl.DataFrame(schema=schema)]
    for phrase in wanted:
        n = texts.str.count_matches(phrase.pattern).cast(pl.Int32)
        present = n > 0
        if present.any():
            part = {
                "document": documents.filter(present),
                "inventory": pl.repeat(phrase.inventory, int(present.sum()), eager=True),
                "male": n.filter(present) * phrase.male,
                "female": n.filter(present) * phrase.female,
            }
            parts.append(pl.DataFrame(part, schema=schema))
    return pl.concat(parts)


COLUMNS = ("inventory", "gender", "term")
#: A column of our own table that a user's file may have; it is ignored.
PASSED_OVER = "in_genderbench"
GENDERS = ("male", "female")
#: `mean_male` is the mean over inventories.
RESERVED = "mean"
_NAME = lazy_re(r"[^\W\d_](?:-?[^\W_])*")


def read_inventories(path: Path) -> Inventories:
    """Return the inventories of a CSV with `inventory, gender, term`, in the order of the file.

    Terms are normalised as documents are: small letters, plain apostrophes and hyphens, single spaces.

    Raises
    ------
    InputError
        The file can't be read, has another column, a cell that is no inventory, gender or term, a
        row twice, or an inventory without terms of both genders; rows are counted from 1.

    """
    frame = read_text_table(path).frame
    _check_columns(frame.columns, path)
    folded = normalised_texts(pl.Series([unguarded(term or "") for term in frame["term"]]))
    table = frame.select(
        pl.col("inventory").str.strip_chars(),
        pl.col("gender").str.strip_chars().str.to_lowercase(),
        folded.str.replace_all(r"\s+", " ").str.strip_chars().replace("", None).alias("term"),
    )
    wrong = next(_wrong(table, frame), None)
    if wrong is not None:
        row, problem = wrong
        raise InputError(f"Row {row + 1} of {path}: {problem}.")
    for inventory, genders in table.group_by("inventory", maintain_order=True).agg("gender").iter_rows():
        for gender in GENDERS:
            if gender not in genders:
                raise InputError(
                    f"The inventory {quoted(inventory)} of {path} has no {gender} term; it needs both genders."
                )
    return Inventories(names=tuple(table["inventory"].unique(maintain_order=True)), table=table)


def _check_columns(columns: list[str], path: Path) -> None:
    expected = f"expected {', '.join(COLUMNS)}"
    missing = [name for name in COLUMNS if name not in columns]
    if missing:
        raise InputError(f"{path} has no column {' and '.join(missing)}; {expected}. Columns: {listed(columns)}.")
    unknown = [name for name in columns if name not in {*COLUMNS, PASSED_OVER}]
    if unknown:
        raise InputError(f"{path} has the unknown column {quoted(unknown[0])}; {expected}.")


def _wrong(table: pl.DataFrame, given: pl.DataFrame) -> Iterator[tuple[int, str]]:
    """Yield the rows that can't be used, from 0, and why."""
    countable = table["term"].str.contains(rf"^{WORD}(?: {WORD})*$") & (
        table["term"].str.contains(" ", literal=True) | ~table["term"].str.contains(POSSESSIVE)
    )
    repeated = table.select(~pl.struct(pl.all()).is_first_distinct()).to_series()
    for row, (inventory, gender, term) in enumerate(table.iter_rows()):
        if inventory is None or gender is None or term is None:
            yield row, f"there is no {next(name for name in COLUMNS if table[name][row] is None)}"
        elif not _NAME.fullmatch(inventory) or inventory.lower() == RESERVED:
            yield (
                row,
                f"the inventory is called {quoted(inventory)}; expected letters, digits and -, and not {RESERVED}",
            )
        elif gender not in GENDERS:
            yield row, f"gender is {quoted(given['gender'][row])}; expected male or female"
        elif not countable[row]:
            yield row, f"the term {quoted(given['term'][row])} is never counted; expected words of letters, ' and -"
        elif repeated[row]:
            yield row, f"{quoted(term)} is there twice as {gender} in {inventory}"
