"""People's labels of answers: sheets for two annotators, their agreement, the reader's accuracy by group.

Annotators see no group and no name. Of e-mails and other answers about one person they see what the classifier of
an2024 sees: lower case, without quoted older messages. In rankings the names are Candidate A, B and so on, in the order
of the prompt. What can be a label depends on what is judged: a `Vocabulary`.
"""

import hashlib
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from math import isfinite
from pathlib import Path
from statistics import stdev
from string import ascii_uppercase

import numpy as np
import polars as pl

from evenhand.data.lexicons.names import an2024_names, bloomberg_names
from evenhand.data.text_tables import TextTable, read_text_table
from evenhand.errors import InputError
from evenhand.patterns import lazy_re
from evenhand.probes.an2024.classifier import AN2024_WORDS, redacted, shipped
from evenhand.probes.an2024.names import normalised_name
from evenhand.probes.labels import DOCUMENT
from evenhand.probes.readers import answer_of
from evenhand.results.measures import DECISIONS, NONE, MeasureSet
from evenhand.results.messages import listed, quoted
from evenhand.results.result import unguarded
from evenhand.stats import Estimate
from evenhand.stats.agreement import CohensKappa, cohens_kappa, f1_score
from evenhand.stats.rates import selection_rate
from evenhand.stats.several_groups import Homogeneity, chi_square_homogeneity

#: What the groups of a sheet's answers can be by; the texts of arms are by arm.
GROUPS = ("arm", "race", "gender")
#: All but letters and digits: a spreadsheet may change encoding, line breaks and quotes of a text.
_LEFT = lazy_re("[^a-z0-9]+")
UNKNOWN = "unknown"


@dataclass(frozen=True, kw_only=True)
class Vocabulary:
    """What can be a label: `allowed` says so in each row of a sheet.

    `labels` are all labels, none where answers have different ones: then annotators agree or don't, without kappa.
    """

    allowed: str
    labels: tuple[str, ...] = ()

    def understood(self, cell: str) -> str | None:
        """Return the label that is meant, None where it is no label.

        >>> DECISION.understood("Rejected"), SCORE.understood("72.0"), FIRST.understood("b"), FIRST.understood("Ann")
        ('reject', '72', 'Candidate B', None)
        """
        word = " ".join(cell.lower().split())
        known: str | None = AN2024_WORDS.labels.get(word)
        if self is DECISION or known == NONE:
            return known
        if self is DOCUMENTS:
            return {"accept": DOCUMENT, "reject": NONE, None: DOCUMENT if word == DOCUMENT else None}[known]
        if self is PLAUSIBLE:
            return word if word in self.labels else None
        if self is FIRST:
            letter = _CANDIDATE.fullmatch(word)
            return letter and f"Candidate {letter[1].upper()}"
        return f"{float(word):.12g}" if _NUMBER.fullmatch(word) and isfinite(float(word)) else None


_CANDIDATE = lazy_re(r"(?:candidate )?([a-z])")
_NUMBER = lazy_re(r"-?\d+(?:\.\d+)?")
DECISION = Vocabulary(allowed="accept, reject or none", labels=DECISIONS)
DOCUMENTS = Vocabulary(allowed="document or none", labels=(DOCUMENT, NONE))
FIRST = Vocabulary(allowed="who is ranked first (Candidate A is the first in the prompt), or none")
SCORE = Vocabulary(allowed="the score, a number, or none")
#: Of the texts of arms: whether they would stand so in a résumé. What arms are meant to be is the decision.
PLAUSIBLE = Vocabulary(allowed="plausible, implausible or none", labels=("plausible", "implausible", NONE))
VOCABULARIES = {vocabulary.allowed: vocabulary for vocabulary in (DECISION, DOCUMENTS, FIRST, SCORE, PLAUSIBLE)}


def vocabulary_of(measured: MeasureSet) -> Vocabulary:
    """Return what labels of a probe's answers can be.

    Raises
    ------
    InputError
        An answer says something of each candidate.

    """
    if measured.steps is not None:
        raise InputError(
            "Answers to the steps of a screening judge several candidates, so one label can't describe an "
            "answer: sheets and judges don't support them."
        )
    if measured.choice is not None:
        return FIRST
    return SCORE if measured.scored is not None else DOCUMENTS if measured.aspect is not None else DECISION


def fingerprints(texts: pl.Series) -> pl.Series:
    """Return fingerprints of a sheet's texts, 12 hex digits of their letters and digits."""
    letters = [_LEFT.sub("", text.lower()) for text in texts]
    digests = [hashlib.sha256(text.encode()).hexdigest()[:12] for text in letters]
    return pl.Series("fingerprint", digests, dtype=pl.String)


def with_key(emails: pl.DataFrame, path: Path, vocabulary: Vocabulary = DECISION) -> pl.DataFrame:
    """Return the e-mails of a sheet (`email, text, …`) with `race, gender` or `arm`, and `decision` of its key.

    Raises
    ------
    InputError
        The key can't be read, lacks a column or an e-mail, has an e-mail twice or a decision
        that is none, or is of another sheet.

    """
    key = read_text_table(path).frame
    needed = ("email", *(("arm",) if "arm" in key.columns else ("race", "gender")), "decision")
    missing = [name for name in needed if name not in key.columns]
    if missing:
        raise InputError(
            f"{path} has no column {' or '.join(missing)}; expected the key that evenhand data label-sheet wrote. "
            f"Columns: {listed(key.columns)}."
        )
    _refuse_repeats(key, path)
    wrong = [row for row, cell in enumerate(key["decision"]) if cell is None or vocabulary.understood(cell) != cell]
    if wrong:
        raise InputError(
            f"Row {wrong[0] + 1} of {path}: decision is {quoted(key['decision'][wrong[0]])}; "
            f"expected {vocabulary.allowed}."
        )
    groups = (pl.Series(name, [unguarded(cell or UNKNOWN) for cell in key[name]]) for name in needed[1:-1])
    columns = [name for name in ("email", "decision", "fingerprint") if name in key.columns]
    joined = emails.join(key.select(columns).with_columns(*groups), on="email", how="left", maintain_order="left")
    lacking = joined["decision"].is_null().arg_true()
    if len(lacking):
        raise InputError(
            f"{path} has no e-mail {quoted(joined['email'][lacking[0]])}; it is not the key of this sheet."
        )
    if "fingerprint" in columns:
        other = (joined["fingerprint"] != fingerprints(joined["text"])).arg_true()
        if len(other):
            email = quoted(joined["email"][other[0]])
            raise InputError(f"{path} belongs to another text of e-mail {email}; it is not the key of this sheet.")
    return joined


def _refuse_repeats(frame: pl.DataFrame, path: Path) -> None:
    repeated = (~frame["email"].is_first_distinct()).arg_true()
    if len(repeated):
        raise InputError(f"Row {repeated[0] + 1} of {path} repeats the e-mail {quoted(frame['email'][repeated[0]])}.")


#: E-mails on a sheet; the study checked 180 per model.
SAMPLE = 200
ANNOTATORS = ("annotator_1", "annotator_2")
#: The longest cell that Excel keeps whole.
LONGEST_CELL = 32_000
_WORD = lazy_re(r"[^\W\d_]+")
_SLOT = "[name]"


@dataclass(frozen=True, kw_only=True)
class LabelSheet:
    """E-mails to label, in random order, and the key that says whose they are.

    `sheet` has `email, text, allowed, annotator_1, annotator_2, resolved`; `key` has `email, answer,
    name, race, gender, decision, fingerprint`, and is not for annotators: `decision` is what was
    read in the e-mail, `fingerprint` tells which text it is of; texts of arms have `arm` for race and gender.
    `groups` counts e-mails per group; `passed_over` counts those left out, by reason.
    """

    sheet: pl.DataFrame
    key: pl.DataFrame
    groups: Mapping[str, int]
    passed_over: Mapping[str, int]


def label_sheet(
    answers: pl.DataFrame, *, sample: int = SAMPLE, seed: int = 0, vocabulary: Vocabulary = DECISION
) -> LabelSheet:
    """Return a sheet of `sample` e-mails, as many of each race × gender as possible.

    `answers` has `answer` (an id), `text`, `name` and, if known, `race` and `gender`, else
    they are looked up, and `decision`, what was read in the text; where no decision was, the
    classifier reads it. The `name` of a ranking is the names of all candidates, a line each.
    Answers that read the same without their names are shown once.

    Raises
    ------
    InputError
        No e-mail has a text, a name is blank, or the sample is none.

    """
    if sample < 1:
        raise InputError(f"--sample is {sample}; expected a whole number from 1.")
    by = GROUPS[:1] if vocabulary is PLAUSIBLE else GROUPS[1:]
    frame = answers.with_columns(pl.col("arm").alias("group")) if vocabulary is PLAUSIBLE else _with_groups(answers)
    blank = frame["name"].is_null() | (frame["name"].str.strip_chars() == "")
    if blank.any():
        raise InputError(f"Row {blank.arg_true()[0] + 1} has no name, so it can't be redacted.")
    written = frame.filter(pl.col("text").fill_null("").str.strip_chars() != "")
    if not written.height:
        raise InputError("No answer has a text to label.")
    if vocabulary is FIRST:
        written = written.with_columns(_lettered(written))
    rng = np.random.default_rng(seed)
    shuffled = written[rng.permutation(written.height)]
    places, texts, repeats, long = _sampled_rows(shuffled, sample, rng, redactor(vocabulary))
    order = rng.permutation(len(places))
    rows = shuffled[[places[place] for place in order]]
    width = max(3, len(str(len(places))))
    emails = pl.Series("email", [f"e{number:0{width}d}" for number in range(1, len(places) + 1)], dtype=pl.String)
    blank_column = pl.lit(None, pl.String)
    redacted_texts = pl.Series("text", [texts[place] for place in order], dtype=pl.String)
    sheet = pl.DataFrame([emails, redacted_texts]).with_columns(
        pl.lit(vocabulary.allowed).alias("allowed"), *(blank_column.alias(name) for name in (*ANNOTATORS, "resolved"))
    )
    return LabelSheet(
        sheet=sheet,
        key=pl.DataFrame([emails]).hstack(
            [
                *rows.select("answer", pl.col("name").str.replace_all("\n", "; "), *by),
                _decisions(rows) if vocabulary is DECISION else rows["decision"],
                fingerprints(redacted_texts),
            ]
        ),
        groups=dict(sorted(rows["group"].value_counts().iter_rows())),
        passed_over={
            "have no text": frame.height - written.height,
            "read the same as one on the sheet": repeats,
            "are too long for a cell": long,
        },
    )


def _decisions(rows: pl.DataFrame) -> pl.Series:
    """Return accept, reject or none for each e-mail."""
    words = {True: "accept", False: "reject", None: "none"}
    predicted = pl.Series("decision", map(words.get, shipped().decide(rows["text"], rows["name"])), dtype=pl.String)
    return rows.select(pl.coalesce("decision", predicted)).to_series()


def _with_groups(answers: pl.DataFrame) -> pl.DataFrame:
    """Return the answers with race, gender and group; what their rows say wins over our tables."""
    known = pl.concat([an2024_names(), bloomberg_names().select("name", "gender", "race")])
    known = known.with_columns(pl.Series("key", [normalised_name(name) for name in known["name"]])).unique(
        "key", keep="first"
    )
    frame = answers.with_columns(
        pl.col(name).cast(pl.String) if name in answers.columns else pl.lit(None, pl.String).alias(name)
        for name in ("text", "name", "race", "gender", "decision")
    )
    keys = pl.Series("key", [normalised_name(name or "") for name in frame["name"]], dtype=pl.String)
    looked_up = pl.DataFrame([keys]).join(
        known.select("key", pl.col("race").alias("known_race"), pl.col("gender").alias("known_gender")),
        on="key", how="left", maintain_order="left",
    )  # fmt: skip
    return frame.hstack(looked_up.drop("key")).with_columns(
        pl.coalesce("race", "known_race").alias("race"), pl.coalesce("gender", "known_gender").alias("gender")
    ).with_columns(
        pl.concat_str(pl.col("race", "gender").fill_null(UNKNOWN), separator=" ").alias("group")
    )  # fmt: skip


def _sampled_rows(
    shuffled: pl.DataFrame, sample: int, rng: np.random.Generator, without_names: Callable[[str, str], str]
) -> tuple[list[int], list[str], int, int]:
    """Return rows and redacted texts, group by group in turn, and how many repeats and long ones were passed over."""
    waiting = {
        str(key[0]): list(reversed(part["place"].to_list()))
        for key, part in shuffled.with_row_index("place").group_by("group", maintain_order=True)
    }
    turn = sorted(waiting)
    rng.shuffle(turn)
    texts, people = shuffled["text"], shuffled["name"]
    places: list[int] = []
    chosen: dict[str, int] = {}
    repeats = long = 0
    while turn and len(places) < sample:
        for group in list(turn):
            while waiting[group]:
                place = waiting[group].pop()
                text = without_names(answer_of(texts[place]).text or texts[place], people[place])
                if text in chosen:
                    repeats += 1
                elif len(text) > LONGEST_CELL:
                    long += 1
                else:
                    chosen[text] = place
                    places.append(place)
                    break
            else:
                turn.remove(group)
            if len(places) == sample:
                break
    return places, list(chosen), repeats, long


def people_of(stimuli: pl.DataFrame) -> pl.Expr:
    """Return the names of those whom an answer is about: of several candidates a line each."""
    if "candidates" in stimuli.columns:
        return pl.col("candidates").list.eval(pl.element().struct.field("name")).list.join("\n").alias("name")
    return pl.col("name")


def redactor(vocabulary: Vocabulary) -> Callable[[str, str], str]:
    """Return what takes the names of the people out of an answer, as annotators see it; those of arms stay."""
    if vocabulary is PLAUSIBLE:
        return lambda text, _: text
    return _without_names if vocabulary is FIRST else _without_name


def _without_name(text: str, name: str) -> str:
    """Return the e-mail as the classifier reads it, and without parts and accents of the name.

    >>> _without_name("Dear Ms. Li,", "Abigail Li"), _without_name("Querido José,", "Jose")
    ('dear ms. [name],', 'querido [name],')
    """
    plain: str = redacted(pl.Series([text]), pl.Series([name]))[0]
    parts = {part for part in _WORD.findall(normalised_name(name)) if len(part) > 1}
    return _WORD.sub(lambda match: _SLOT if normalised_name(match.group()) in parts else match.group(), plain)


def _lettered(rankings: pl.DataFrame) -> pl.Series:
    """Return who was ranked first as a letter, by the order of the names."""
    letters = [
        NONE if first not in (people := names.split("\n")) else f"Candidate {ascii_uppercase[people.index(first)]}"
        for first, names in rankings.select("decision", "name").iter_rows()
    ]
    return pl.Series("decision", letters, dtype=pl.String)


def _without_names(text: str, people: str) -> str:
    r"""Return a ranking with letters for the candidates, whose names are a line each.

    A part of a name that several candidates have tells of none of them.

    >>> _without_names("1. Ann Li\n2. WONG, José (not Bo or Li)", "Ann Li\nJose Wong\nBo Li")
    '1. Candidate A\n2. Candidate B, Candidate B (not Candidate C or [name])'
    """
    parts = [_WORD.findall(normalised_name(name)) for name in people.split("\n")]
    letters = [f"Candidate {letter}" for letter, _ in zip(ascii_uppercase, parts, strict=False)]
    shared = Counter(part for name in parts for part in set(name))
    of_part = {
        part: letter if shared[part] == 1 else _SLOT
        for name, letter in zip(parts, letters, strict=True)
        for part in name
        if len(part) > 1
    }
    found = list(_WORD.finditer(text))
    words = [normalised_name(match.group()) for match in found]
    pieces, end, place = [], 0, 0
    while place < len(found):
        whole = next((n for n, name in enumerate(parts) if name and words[place : place + len(name)] == name), None)
        size, written = (1, None) if whole is None else (len(parts[whole]), letters[whole])
        # A first name such as Will or May is a name where it has a capital.
        if written is None and found[place].group()[0].isupper():
            written = of_part.get(words[place])
        if written is not None:
            pieces += [text[end : found[place].start()], written]
            end = found[place + size - 1].end()
        place += size
    return "".join([*pieces, text[end:]])


#: Names of the label column on a sheet of one annotator.
LABEL_COLUMNS = (*ANNOTATORS, "annotator", "label")


@dataclass(frozen=True, kw_only=True)
class Agreement:
    """What two annotators' labels say.

    `table` counts e-mails that both labelled, a row per label of the first. `disagreements`
    has `email, annotator_1, annotator_2, resolved`. `labels` has `text, name, label`:
    e-mails on which both agree, and those with a label in `resolved`, which wins.
    `unlabelled` counts e-mails that one of them, or both, left blank.
    """

    kappa: CohensKappa
    table: pl.DataFrame
    disagreements: pl.DataFrame
    labels: pl.DataFrame
    emails: int
    unlabelled: int
    resolved: int


def agreement(sheet: pl.DataFrame, vocabulary: Vocabulary = DECISION) -> Agreement:
    """Return the agreement on a sheet of `email, text, name, annotator_1, annotator_2, resolved`.

    Labels are those of the vocabulary, null where there is none.
    """
    first, second = (pl.col(name) for name in ANNOTATORS)
    both = sheet.filter(first.is_not_null() & second.is_not_null())
    labels, counts = _counts(both, ANNOTATORS, vocabulary)
    return Agreement(
        kappa=cohens_kappa(counts),
        table=_table(ANNOTATORS[0], labels, counts),
        disagreements=both.filter(first != second).select("email", *ANNOTATORS, "resolved"),
        labels=with_labels(sheet).drop_nulls("label").select("text", "name", "label"),
        emails=sheet.height,
        unlabelled=sheet.height - both.height,
        resolved=sheet.height - sheet["resolved"].null_count(),
    )


def with_labels(sheet: pl.DataFrame) -> pl.DataFrame:
    """Return a sheet with a column `label`: what was resolved, else what both annotators say, else null."""
    first, second = (pl.col(name) for name in ANNOTATORS)
    label = pl.coalesce("resolved", pl.when(first == second).then(first))
    return sheet.with_columns(label.alias("label"))


@dataclass(frozen=True, kw_only=True)
class JoinedSheets:
    """The sheet of both annotators as `agreement` takes it, what its labels can be, and remarks on the files."""

    sheet: pl.DataFrame
    vocabulary: Vocabulary
    notes: Sequence[str]


def joined_sheets(paths: Sequence[Path]) -> JoinedSheets:
    """Return one sheet from one file or one per annotator; without a column `allowed`, labels are decisions.

    Raises
    ------
    InputError
        A file can't be read or lacks a column, an e-mail is there twice or with two texts,
        a label is none, or it is unclear which column has an annotator's labels.

    """
    notes: list[str] = []
    sheets, vocabularies = [], []
    for path in paths:
        table = read_text_table(path)
        if table.notes:
            notes.append(f"{path} was read {' and '.join(table.notes)}.")
        vocabularies.append(_vocabulary(table.frame, path))
        sheets.append(_sheet(table, path, vocabularies[-1], alone=len(paths) == 1))
    if len(sheets) == 1:
        return JoinedSheets(sheet=sheets[0], vocabulary=vocabularies[0], notes=notes)
    if vocabularies[0] is not vocabularies[1]:
        raise InputError(
            f"Labels in {paths[0]} are {vocabularies[0].allowed}, in {paths[1]} {vocabularies[1].allowed}; "
            "expected two copies of one sheet."
        )
    renamed = [
        sheet.select("email", "text", "name", pl.col(_label_column(sheet, path)).alias(name), "resolved")
        for sheet, path, name in zip(sheets, paths, ANNOTATORS, strict=True)
    ]
    joined = renamed[0].join(
        renamed[1], on="email", how="full", coalesce=True, suffix="_2", maintain_order="left_right"
    )
    for column, what in (("text", "the text"), ("resolved", "the label under resolved")):
        differ = joined.filter(pl.col(column) != pl.col(f"{column}_2"))
        if differ.height:
            raise InputError(f"E-mail {quoted(differ['email'][0])}: {what} differs between {paths[0]} and {paths[1]}.")
    columns = (pl.coalesce(name, f"{name}_2").alias(name) for name in ("text", "name", "resolved"))
    sheet = joined.with_columns(columns).select("email", "text", "name", *ANNOTATORS, "resolved")
    return JoinedSheets(sheet=sheet, vocabulary=vocabularies[0], notes=notes)


def _vocabulary(frame: pl.DataFrame, path: Path) -> Vocabulary:
    """Return what labels can be, by the column `allowed` of a sheet."""
    column = next((name for name in frame.columns if name.lower() == "allowed"), None)
    texts = [] if column is None else frame[column].drop_nulls().unique(maintain_order=True).to_list()
    unknown = [text for text in texts if text not in VOCABULARIES]
    if unknown or len(texts) > 1:
        raise InputError(
            f"Column {column!r} of {path} has {listed(unknown or texts, quotes=True)}; expected one of "
            f"{listed(list(VOCABULARIES), quotes=True)} in all rows, as evenhand data label-sheet wrote it."
        )
    return VOCABULARIES[texts[0]] if texts else DECISION


def _sheet(table: TextTable, path: Path, vocabulary: Vocabulary, *, alone: bool) -> pl.DataFrame:
    """Return one file's columns, texts as they were and labels in our words."""
    frame = table.frame.rename({name: name.lower() for name in table.frame.columns})
    if len(set(frame.columns)) < frame.width:
        raise InputError(f"{path} has two columns that differ in case only: {listed(table.frame.columns)}.")
    needed = ("email", "text", *(ANNOTATORS if alone else ()))
    missing = [name for name in needed if name not in frame.columns]
    if missing:
        hint = " Give the second annotator's sheet as well, if there is one." if alone and "text" not in missing else ""
        raise InputError(f"{path} has no column {' or '.join(missing)}. Columns: {listed(table.frame.columns)}.{hint}")
    for column in ("email", "text"):
        blank = frame[column].is_null().arg_true()
        if len(blank):
            raise InputError(f"Row {blank[0] + 1} of {path} has no {column}.")
    _refuse_repeats(frame, path)
    if not alone and not any(name in frame.columns for name in LABEL_COLUMNS):
        raise InputError(f"{path} has no column of labels; expected one of {', '.join(LABEL_COLUMNS)}.")
    labels = [name for name in (*LABEL_COLUMNS, "resolved") if name in frame.columns]
    for name in ("name", "resolved"):
        if name not in frame.columns:
            frame = frame.with_columns(pl.lit(None, pl.String).alias(name))
    return frame.with_columns(
        *(pl.Series(name, [unguarded(text) for text in frame[name]], dtype=pl.String) for name in ("email", "text")),
        pl.Series("name", [unguarded(name or "") for name in frame["name"]], dtype=pl.String),
        *(_labels(frame[name], path, vocabulary) for name in labels),
    )


def _labels(cells: pl.Series, path: Path, vocabulary: Vocabulary) -> pl.Series:
    """Return a column of labels as the vocabulary has them, or null."""
    read: list[str | None] = []
    for row, cell in enumerate(cells, start=1):
        label = vocabulary.understood(cell) if cell and cell.strip() else None
        if label is None and cell and cell.strip():
            raise InputError(
                f"Row {row} of {path}: {cells.name} is {quoted(cell)}; expected {vocabulary.allowed}, or nothing."
            )
        read.append(label)
    return pl.Series(cells.name, read, dtype=pl.String)


def _label_column(sheet: pl.DataFrame, path: Path) -> str:
    """Return the one column with labels on one annotator's sheet."""
    there = [name for name in LABEL_COLUMNS if name in sheet.columns]
    filled = [name for name in there if sheet[name].null_count() < sheet.height]
    if len(filled) > 1:
        raise InputError(
            f"{path} has labels under {' and '.join(filled)}; with two sheets, each must hold one annotator's "
            "labels. Give a sheet with both annotators alone."
        )
    return filled[0] if filled else there[0]


PEOPLE_AND_CLASSIFIER = ("label", "decision")


@dataclass(frozen=True, kw_only=True)
class Share:
    """A share with interval, and the count it is of."""

    count: int
    rate: Estimate


@dataclass(frozen=True, kw_only=True)
class Score:
    """How well one decision is found among e-mails in which people find one."""

    precision: Share
    recall: Share
    f1: Estimate


@dataclass(frozen=True, kw_only=True)
class GroupEvaluation:
    """The labelled e-mails of one group, or of all.

    `valid` are those in which people find a decision, `alike` those that the classifier labels
    as people do, with `kappa` beyond chance; none is a label, too. `annotators` are those on
    which both annotators agree, of all that both label, with `annotators_kappa`.
    """

    group: Mapping[str, str] = field(default_factory=dict)
    emails: int
    valid: Share
    alike: Share
    kappa: CohensKappa
    annotators: Share
    annotators_kappa: CohensKappa


@dataclass(frozen=True, kw_only=True)
class ClassifierEvaluation:
    """What people's labels say of a reader, as An et al. 2024 have it of their classifier in tables 5 and 6.

    `table` has a row per label of people and a column per one of the reader. `scores`,
    by label, and `accuracy` are of valid answers, as in table 5. `std` is the standard
    deviation of the groups' shares of valid e-mails, n - 1 below, as in table 6.
    """

    table: pl.DataFrame
    overall: GroupEvaluation
    accuracy: Share
    scores: Mapping[str, Score]
    groups: tuple[GroupEvaluation, ...]
    std: float | None
    validity_differs: Homogeneity
    alike_differs: Homogeneity


def classifier_evaluation(emails: pl.DataFrame, vocabulary: Vocabulary = DECISION) -> ClassifierEvaluation:
    """Return how well the `decision` that was read agrees with people's `label`, overall and by group.

    `emails` also has `race, gender` or `arm`, and `annotator_1, annotator_2`. Annotators' labels and `label`
    are null where there is none.
    """
    labels, counts = _counts(emails, PEOPLE_AND_CLASSIFIER, vocabulary)
    valid = [place for place, label in enumerate(labels) if label != NONE]
    by = [name for name in GROUPS if name in emails.columns]
    groups = [
        _group(part, dict(zip(by, map(str, key), strict=True)), vocabulary)
        for key, part in sorted(emails.group_by(by), key=lambda entry: entry[0])
    ]
    rates = [group.valid.rate.estimate for group in groups if group.emails]
    return ClassifierEvaluation(
        table=_table("people", labels, counts),
        overall=_group(emails, {}, vocabulary),
        accuracy=_share(sum(counts[place][place] for place in valid), sum(sum(counts[place]) for place in valid)),
        scores={
            labels[place]: _score(
                both=counts[place][place],
                other=sum(counts[row][place] for row in valid if row != place),
                missed=sum(counts[place]) - counts[place][place],
            )
            for place in valid
            if vocabulary.labels
        },
        groups=tuple(groups),
        std=stdev(rates) if len(rates) > 1 else None,
        validity_differs=_differs(groups, [group.valid for group in groups]),
        alike_differs=_differs(groups, [group.alike for group in groups]),
    )


def _counts(
    emails: pl.DataFrame, columns: Sequence[str], vocabulary: Vocabulary
) -> tuple[Sequence[str], list[list[int]]]:
    """Return the labels, and how often each of one column meets each of the other, of answers that have both."""
    pairs = Counter(emails.select(columns).drop_nulls().iter_rows())
    labels = vocabulary.labels or (*sorted({label for pair in pairs for label in pair} - {NONE}), NONE)
    return labels, [[pairs[row, column] for column in labels] for row in labels]


def _table(first: str, labels: Sequence[str], counts: Sequence[Sequence[int]]) -> pl.DataFrame:
    columns = {name: [row[place] for row in counts] for place, name in enumerate(labels)}
    return pl.DataFrame({first: list(labels), **columns})


def _group(emails: pl.DataFrame, group: Mapping[str, str], vocabulary: Vocabulary) -> GroupEvaluation:
    (labels, counts), (_, annotated) = (
        _counts(emails, columns, vocabulary) for columns in (PEOPLE_AND_CLASSIFIER, ANNOTATORS)
    )
    labelled = sum(map(sum, counts))
    return GroupEvaluation(
        group=group,
        emails=labelled,
        valid=_share(labelled - sum(counts[labels.index(NONE)]), labelled),
        alike=_share(_diagonal(counts), labelled),
        kappa=cohens_kappa(counts),
        annotators=_share(_diagonal(annotated), sum(map(sum, annotated))),
        annotators_kappa=cohens_kappa(annotated),
    )


def _diagonal(counts: Sequence[Sequence[int]]) -> int:
    return sum(counts[place][place] for place in range(len(counts)))


def _share(count: int, n: int) -> Share:
    return Share(count=count, rate=selection_rate(count, n))


def _score(*, both: int, other: int, missed: int) -> Score:
    """Return the score of a decision that the classifier gave `both` rightly and to `other` e-mails, and `missed`."""
    return Score(
        precision=_share(both, both + other), recall=_share(both, both + missed), f1=f1_score(both, other, missed)
    )


def _differs(groups: Sequence[GroupEvaluation], shares: Sequence[Share]) -> Homogeneity:
    """Return the test that all groups have one share."""
    counts = [[share.count, group.emails - share.count] for group, share in zip(groups, shares, strict=True)]
    return chi_square_homogeneity(counts or [[0, 0]])
