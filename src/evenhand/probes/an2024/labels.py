"""Human labels of e-mails: sheets for two annotators, their agreement, the classifier's accuracy by group.

Annotators see what the classifier sees: e-mails without the applicant's name, in lower
case, without quoted older messages. They see no group, and no name.
"""

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from statistics import stdev

import numpy as np
import polars as pl

from evenhand.data.lexicons.names import bloomberg_names
from evenhand.data.text_tables import TextTable, read_text_table
from evenhand.errors import InputError
from evenhand.patterns import lazy_re
from evenhand.probes.an2024.classifier import AN2024_WORDS, DECISIONS, redacted, shipped
from evenhand.probes.an2024.names import normalised_name
from evenhand.probes.an2024.stimuli import names
from evenhand.results.messages import listed, quoted
from evenhand.results.result import unguarded
from evenhand.stats.agreement import F1, CohensKappa, cohens_kappa, f1_score
from evenhand.stats.rates import SelectionRate, selection_rate
from evenhand.stats.several_groups import Homogeneity, chi_square_homogeneity

NEEDED = ("email", "race", "gender", "decision")
#: All but letters: a spreadsheet may change encoding, line breaks and quotes of a text.
_LEFT = lazy_re("[^a-z]+")
UNKNOWN = "unknown"


def fingerprints(texts: pl.Series) -> pl.Series:
    """Return fingerprints of a sheet's texts, 12 hex digits of their letters."""
    letters = [_LEFT.sub("", text.lower()) for text in texts]
    digests = [hashlib.sha256(text.encode()).hexdigest()[:12] for text in letters]
    return pl.Series("fingerprint", digests, dtype=pl.String)


def with_key(emails: pl.DataFrame, path: Path) -> pl.DataFrame:
    """Return the e-mails of a sheet (`email, text, …`) with `race, gender, decision` of its key.

    Raises
    ------
    InputError
        The key can't be read, lacks a column or an e-mail, has an e-mail twice or a decision
        that is none, or is of another sheet.

    """
    key = read_text_table(path).frame
    missing = [name for name in NEEDED if name not in key.columns]
    if missing:
        raise InputError(
            f"{path} has no column {' or '.join(missing)}; expected the key that evenhand data label-sheet wrote. "
            f"Columns: {listed(key.columns)}."
        )
    repeated = (~key["email"].is_first_distinct()).arg_true()
    if len(repeated):
        raise InputError(f"Row {repeated[0] + 1} of {path} repeats the e-mail {quoted(key['email'][repeated[0]])}.")
    wrong = (~key["decision"].is_in(DECISIONS)).fill_null(value=True).arg_true()
    if len(wrong):
        raise InputError(
            f"Row {wrong[0] + 1} of {path}: decision is {quoted(key['decision'][wrong[0]])}; "
            f"expected {', '.join(DECISIONS)}."
        )
    groups = (pl.Series(name, [unguarded(cell or UNKNOWN) for cell in key[name]]) for name in ("race", "gender"))
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
            raise InputError(f"{path} is of another text of e-mail {email}; it is not the key of this sheet.")
    return joined


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

    `sheet` has `email, text, annotator_1, annotator_2, resolved`; `key` has `email, answer,
    name, race, gender, decision, fingerprint`, and is not for annotators: `decision` is what was
    read in the e-mail, `fingerprint` tells which text it is of. `groups` counts e-mails per
    race × gender; `passed_over` counts those left out, by reason.
    """

    sheet: pl.DataFrame
    key: pl.DataFrame
    groups: Mapping[str, int]
    passed_over: Mapping[str, int]


def label_sheet(answers: pl.DataFrame, *, sample: int = SAMPLE, seed: int = 0) -> LabelSheet:
    """Return a sheet of `sample` e-mails, as many of each race × gender as possible.

    `answers` has `answer` (an id), `text`, `name` and, if known, `race` and `gender`, else
    they are looked up, and `decision`, what was read in the text; where there is none the
    classifier reads it. E-mails that read the same without their names are shown once.

    Raises
    ------
    InputError
        No e-mail has a text, a name is blank, or the sample is none.

    """
    if sample < 1:
        raise InputError(f"--sample is {sample}; expected a whole number from 1.")
    frame = _with_groups(answers)
    blank = frame["name"].is_null() | (frame["name"].str.strip_chars() == "")
    if blank.any():
        raise InputError(f"Row {blank.arg_true()[0] + 1} has no name, so it can't be redacted.")
    written = frame.filter(pl.col("text").fill_null("").str.strip_chars() != "")
    if not written.height:
        raise InputError("No answer has a text to label.")
    rng = np.random.default_rng(seed)
    shuffled = written[rng.permutation(written.height)]
    places, texts, repeats, long = _sampled_rows(shuffled, sample, rng)
    order = rng.permutation(len(places))
    rows = shuffled[[places[place] for place in order]]
    width = max(3, len(str(len(places))))
    emails = pl.Series("email", [f"e{number:0{width}d}" for number in range(1, len(places) + 1)], dtype=pl.String)
    blank_column = pl.lit(None, pl.String)
    redacted_texts = pl.Series("text", [texts[place] for place in order], dtype=pl.String)
    sheet = pl.DataFrame([emails, redacted_texts]).with_columns(
        *(blank_column.alias(name) for name in (*ANNOTATORS, "resolved"))
    )
    return LabelSheet(
        sheet=sheet,
        key=pl.DataFrame([emails]).hstack(
            [*rows.select("answer", "name", "race", "gender"), _decisions(rows), fingerprints(redacted_texts)]
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
    known = pl.concat([names(), bloomberg_names().select("name", "gender", "race")])
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
    shuffled: pl.DataFrame, sample: int, rng: np.random.Generator
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
                text = _without_name(texts[place], people[place])
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


def _without_name(text: str, name: str) -> str:
    """Return the e-mail as the classifier reads it, and without parts and accents of the name.

    >>> _without_name("Dear Ms. Li,", "Abigail Li"), _without_name("Querido José,", "Jose")
    ('dear ms. [name],', 'querido [name],')
    """
    plain: str = redacted(pl.Series([text]), pl.Series([name]))[0]
    parts = {part for part in _WORD.findall(normalised_name(name)) if len(part) > 1}
    return _WORD.sub(lambda match: _SLOT if normalised_name(match.group()) in parts else match.group(), plain)


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


def agreement(sheet: pl.DataFrame) -> Agreement:
    """Return the agreement on a sheet of `email, text, name, annotator_1, annotator_2, resolved`.

    Labels are accept, reject or none, null where there is none.
    """
    first, second = (pl.col(name) for name in ANNOTATORS)
    both = sheet.filter(first.is_not_null() & second.is_not_null())
    counts = _counts(both, ANNOTATORS)
    columns = {name: [row[place] for row in counts] for place, name in enumerate(DECISIONS)}
    return Agreement(
        kappa=cohens_kappa(counts),
        table=pl.DataFrame({ANNOTATORS[0]: list(DECISIONS), **columns}),
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


def joined_sheets(paths: Sequence[Path]) -> tuple[pl.DataFrame, list[str]]:
    """Return one sheet as `agreement` takes it, from one file or one per annotator, and remarks.

    Raises
    ------
    InputError
        A file can't be read or lacks a column, an e-mail is there twice or with two texts,
        a label is none, or it is unclear which column has an annotator's labels.

    """
    notes: list[str] = []
    sheets = []
    for path in paths:
        table = read_text_table(path)
        if table.notes:
            notes.append(f"{path} was read {' and '.join(table.notes)}.")
        sheets.append(_sheet(table, path, alone=len(paths) == 1))
    if len(sheets) == 1:
        return sheets[0], notes
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
    return joined.with_columns(columns).select("email", "text", "name", *ANNOTATORS, "resolved"), notes


def _sheet(table: TextTable, path: Path, *, alone: bool) -> pl.DataFrame:
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
    repeated = (~frame["email"].is_first_distinct()).arg_true()
    if len(repeated):
        raise InputError(f"Row {repeated[0] + 1} of {path} repeats the e-mail {quoted(frame['email'][repeated[0]])}.")
    if not alone and not any(name in frame.columns for name in LABEL_COLUMNS):
        raise InputError(f"{path} has no column of labels; expected one of {', '.join(LABEL_COLUMNS)}.")
    labels = [name for name in (*LABEL_COLUMNS, "resolved") if name in frame.columns]
    for name in ("name", "resolved"):
        if name not in frame.columns:
            frame = frame.with_columns(pl.lit(None, pl.String).alias(name))
    return frame.with_columns(
        *(pl.Series(name, [unguarded(text) for text in frame[name]], dtype=pl.String) for name in ("email", "text")),
        pl.Series("name", [unguarded(name or "") for name in frame["name"]], dtype=pl.String),
        *(_labels(frame[name], path) for name in labels),
    )


def _labels(cells: pl.Series, path: Path) -> pl.Series:
    """Return a column of labels as accept, reject, none, or null."""
    read: list[str | None] = []
    for row, cell in enumerate(cells, start=1):
        word = " ".join((cell or "").lower().split())
        if word and word not in AN2024_WORDS.labels:
            expected = ", ".join(dict.fromkeys(AN2024_WORDS.labels.values()))
            raise InputError(f"Row {row} of {path}: {cells.name} is {quoted(cell)}; expected {expected}, or nothing.")
        read.append(AN2024_WORDS.labels[word] if word else None)
    return pl.Series(cells.name, read, dtype=pl.String)


def _label_column(sheet: pl.DataFrame, path: Path) -> str:
    """Return the one column with labels on one annotator's sheet."""
    there = [name for name in LABEL_COLUMNS if name in sheet.columns]
    filled = [name for name in there if sheet[name].null_count() < sheet.height]
    if len(filled) > 1:
        raise InputError(
            f"{path} has labels under {' and '.join(filled)}; of two sheets each holds one annotator's. "
            "Give a sheet with both annotators alone."
        )
    return filled[0] if filled else there[0]


ACCEPT, REJECT, NONE = DECISIONS
PEOPLE_AND_CLASSIFIER = ("label", "decision")


@dataclass(frozen=True, kw_only=True)
class Share:
    """A share with interval, and the count it is of."""

    count: int
    rate: SelectionRate


@dataclass(frozen=True, kw_only=True)
class Score:
    """How well one decision is found among e-mails in which people find one."""

    precision: Share
    recall: Share
    f1: F1


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
    """What people's labels say of the classifier, the counts as An et al. 2024 have them in tables 5 and 6.

    `table` has a row per label of people and a column per one of the classifier. `scores`,
    by decision, and `accuracy` are of valid e-mails, as in table 5. `std` is the standard
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


def classifier_evaluation(emails: pl.DataFrame) -> ClassifierEvaluation:
    """Return how well the classifier's `decision` agrees with people's `label`, overall and by group.

    `emails` also has `race, gender, annotator_1, annotator_2`. Annotators' labels and `label`
    are null where there is none.
    """
    counts = _counts(emails, PEOPLE_AND_CLASSIFIER)
    (aa, ar, an), (ra, rr, rn), _ = counts
    groups = [
        _group(part, {"race": str(key[0]), "gender": str(key[1])})
        for key, part in sorted(emails.group_by("race", "gender"), key=lambda entry: entry[0])
    ]
    columns = {name: [row[place] for row in counts] for place, name in enumerate(DECISIONS)}
    rates = [group.valid.rate.estimate for group in groups if group.emails]
    return ClassifierEvaluation(
        table=pl.DataFrame({"people": list(DECISIONS), **columns}),
        overall=_group(emails, {}),
        accuracy=_share(aa + rr, aa + ar + an + ra + rr + rn),
        scores={
            ACCEPT: _score(both=aa, other=ra, missed=ar + an),
            REJECT: _score(both=rr, other=ar, missed=ra + rn),
        },
        groups=tuple(groups),
        std=stdev(rates) if len(rates) > 1 else None,
        validity_differs=_differs(groups, [group.valid for group in groups]),
        alike_differs=_differs(groups, [group.alike for group in groups]),
    )


def _counts(emails: pl.DataFrame, columns: Sequence[str]) -> list[list[int]]:
    """Return how often each label of one column meets each of the other, of e-mails that have both."""
    pairs = dict.fromkeys(((row, column) for row in DECISIONS for column in DECISIONS), 0)
    for pair in emails.select(columns).drop_nulls().iter_rows():
        pairs[pair] += 1
    return [[pairs[row, column] for column in DECISIONS] for row in DECISIONS]


def _group(emails: pl.DataFrame, group: Mapping[str, str]) -> GroupEvaluation:
    counts, annotated = _counts(emails, PEOPLE_AND_CLASSIFIER), _counts(emails, ANNOTATORS)
    labelled = sum(map(sum, counts))
    return GroupEvaluation(
        group=group,
        emails=labelled,
        valid=_share(sum(map(sum, counts[:2])), labelled),
        alike=_share(_diagonal(counts), labelled),
        kappa=cohens_kappa(counts),
        annotators=_share(_diagonal(annotated), sum(map(sum, annotated))),
        annotators_kappa=cohens_kappa(annotated),
    )


def _diagonal(counts: Sequence[Sequence[int]]) -> int:
    return sum(counts[place][place] for place in range(len(DECISIONS)))


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
