"""The classifier of An et al. 2024's e-mails: accept, reject, or no decision.

A linear support vector machine on TF-IDF terms: stems, negated stems, pairs of them, and kinds of words.
It is stored as plain data: `classifier.csv` has a term per line with its weights, `classifier.toml` the
rest. It is trained on e-mails of our own, and on a user's labelled e-mails if there are any.
"""

import csv
import io
import tomllib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property
from importlib import resources
from io import StringIO
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from evenhand.data.folding import fold_characters
from evenhand.data.lexicons.known_names import without_name
from evenhand.data.lexicons.names import an2024_names
from evenhand.data.toml_files import json_rows
from evenhand.errors import InputError
from evenhand.patterns import WordTable
from evenhand.probes.an2024.stimuli import PARTS, labelled_letters, labelled_sentences, written_letters
from evenhand.results.files import file_bytes
from evenhand.results.messages import quoted, shortened, spelled

#: Words and patterns that e-mails are read by.
AN2024_WORDS = WordTable("evenhand.probes.an2024", "reader.toml")

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

#: Placeholders, words, marks that end a clause, and commas.
_PIECES = r"\[[^\]\n]{1,60}\]|[a-z]+(?:'[a-z]+)?|[.!?;:\n]+|,"
#: So many words after a negator are negated, in the same clause.
_SCOPE = 6
_SHORTEST = 4
_PLACEHOLDER, _NAME, _UNDECIDED = "(slot)", "(name)", "(either)"


def redacted(texts: pl.Series, names: pl.Series) -> pl.Series:
    r"""Return e-mails in plain lower case without the applicant's name, and without a quoted older message.

    The name is replaced wherever it stands as a word, so that nothing can be learnt from it.

    >>> redacted(pl.Series(["Dear Juan,\nYou're in!"]), pl.Series(["Juan"]))[0]
    "dear [name],\nyou're in!"
    """
    written = []
    for text, name in zip(texts, names, strict=True):
        plain = fold_characters(text or "")
        if name:
            plain = without_name(plain, fold_characters(name))
        if ">" in plain or "wrote" in plain or "--" in plain:
            plain = AN2024_WORDS.quoted.sub("", plain, count=1)
        written.append(plain)
    return pl.Series("text", written, dtype=pl.String)


@dataclass(frozen=True, kw_only=True)
class Terms:
    """Terms counted per e-mail, parallel arrays: e-mail, number of the term, how often; and the terms' names."""

    document: Ints
    term: Ints
    count: Floats
    names: tuple[str, ...]
    documents: int


def terms_of(texts: pl.Series) -> Terms:
    """Return the counted terms of redacted e-mails.

    >>> terms = terms_of(pl.Series(["we did not offer it"]))
    >>> sorted(terms.names[place] for place in terms.term)[:4]
    ['#not decide', 'did', 'did not', 'not']
    """
    pieces = texts.str.extract_all(_PIECES)
    lengths = pieces.list.len().fill_null(0).to_numpy().astype(np.int64)
    document = np.repeat(np.arange(len(texts)), lengths)
    words = pieces.explode().drop_nulls()
    labels = words.unique()
    code = words.cast(pl.Enum(labels)).to_physical().cast(pl.Int64).to_numpy()
    kinds = [_kind(label) for label in labels]
    stems = {stem: number for number, stem in enumerate(dict.fromkeys(stem for stem, _, _ in kinds))}
    stem = np.array([stems[kind[0]] for kind in kinds], dtype=np.int64)[code] if code.size else code
    ends = np.array([kind[1] for kind in kinds], dtype=bool)[code] if code.size else code.astype(bool)
    negates = np.array([kind[2] for kind in kinds], dtype=bool)[code] if code.size else code.astype(bool)
    negated = _negated(document, ends, negates)
    word = ~ends & (stem != stems.get(",", -1))
    return _counted(
        document=document[word],
        stem=stem[word],
        negated=negated[word],
        clause=np.cumsum(ends)[word],
        stems=tuple(stems),
        documents=len(texts),
    )


def _kind(label: str) -> tuple[str, bool, bool]:
    """Return the stem of a word, whether it ends a clause, and whether it negates."""
    if label[0] == "[":
        inside = label[1:-1]
        either = AN2024_WORDS.either.search(inside) is not None
        return (_NAME if inside == "name" else _UNDECIDED if either else _PLACEHOLDER), False, False
    if not label[0].isalpha():
        return (",", False, False) if label == "," else (".", True, False)
    if label in AN2024_WORDS.negators or label.endswith("n't"):
        return "not", False, True
    for suffix in AN2024_WORDS.suffixes:
        if label.endswith(suffix) and len(label) - len(suffix) >= _SHORTEST:
            return label[: -len(suffix)], False, False
    return label, False, False


def _negated(document: Ints, ends: NDArray[np.bool_], negates: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Return which words stand within the scope of a negator of their clause."""
    place = np.arange(document.size)
    if not place.size:
        return ends
    starts = np.r_[True, document[1:] != document[:-1]]
    last_not = np.maximum.accumulate(np.where(negates, place, -1))
    last_end = np.maximum.accumulate(np.where(ends | starts, place, -1))
    inside = (last_not >= last_end) & (last_not >= 0) & (place - last_not <= _SCOPE)
    return np.asarray(inside & ~negates)


def _counted(
    *, document: Ints, stem: Ints, negated: NDArray[np.bool_], clause: Ints, stems: Sequence[str], documents: int
) -> Terms:
    """Return the counts of single words, of pairs within a clause, and of kinds of words, by parallel arrays."""
    names: list[str] = []
    owners, terms = [], []

    def add(owner: Ints, codes: Ints, label: Callable[[int], str]) -> None:
        present, inverse = np.unique(codes, return_inverse=True)
        terms.append(inverse + len(names))
        owners.append(owner)
        names.extend(label(int(value)) for value in present)

    single = stem * 2 + negated

    def name(value: int) -> str:
        return ("not_" if value % 2 else "") + stems[value // 2]

    add(document, single, name)
    width = 2 * len(stems) + 1
    joined = (document[1:] == document[:-1]) & (clause[1:] == clause[:-1])
    pairs = single[:-1][joined] * width + single[1:][joined]
    add(document[1:][joined], pairs, lambda value: f"{name(value // width)} {name(value % width)}")
    kinds = _word_kinds()
    numbers = {kind: place for place, kind in enumerate(dict.fromkeys(kinds.values()))}
    of_stem = np.array([numbers.get(kinds.get(label, ""), -1) for label in stems], dtype=np.int64)
    kind = of_stem[stem] if stem.size else stem
    known = kind >= 0
    labels = list(numbers)
    add(
        document[known],
        (kind * 2 + negated)[known],
        lambda value: f"#{'not ' if value % 2 else ''}{labels[value // 2]}",
    )
    owner, term = np.concatenate(owners), np.concatenate(terms)
    keys, counts = np.unique(owner * max(len(names), 1) + term, return_counts=True)
    letter, which = np.divmod(keys, max(len(names), 1))
    return Terms(document=letter, term=which, count=counts.astype(np.float64), names=tuple(names), documents=documents)


@cache
def _word_kinds() -> dict[str, str]:
    """Return the kind of each stem that has one: words that express decisions."""
    text = (resources.files("evenhand.probes.an2024") / "word_kinds.toml").read_text(encoding="utf-8")
    return {_kind(word)[0]: kind for kind, words in tomllib.loads(text).items() for word in words.split()}


DECISIONS = ("accept", "reject", "none")
#: E-mails whose terms are in memory at once.
PIECE = 4_096


@dataclass(frozen=True, kw_only=True)
class Classifier:
    """Weights of terms for accept, reject and none (terms, 3), their idf, the biases, and how it came about.

    `least` is the abstain zone: an e-mail whose margins for accept and reject differ by
    less states no decision, and so does one for which `none` has the largest margin.
    """

    terms: tuple[str, ...]
    idf: Floats
    weights: Floats
    bias: Floats
    least: float
    report: Mapping[str, Any]

    @cached_property
    def numbers(self) -> dict[str, int]:
        """The number of each term."""
        return {term: number for number, term in enumerate(self.terms)}

    def margins(self, texts: pl.Series, names: pl.Series) -> Floats:
        """Return the margins for accept, reject and none, (e-mails, 3); names are redacted first."""
        parts = [np.empty((0, len(DECISIONS)))]
        for start in range(0, len(texts), PIECE):
            plain = redacted(texts.slice(start, PIECE), names.slice(start, PIECE))
            counted = terms_of(plain)
            document, term, value = weighted(counted, self.numbers, self.idf)
            sums = [
                np.bincount(document, weights=value * self.weights[term, column], minlength=counted.documents)
                for column in range(len(DECISIONS))
            ]
            parts.append(np.stack(sums, axis=1) + self.bias)
        return np.concatenate(parts)

    def decide(self, texts: pl.Series, names: pl.Series) -> list[bool | None]:
        """Return True for accept, False for reject, None where no decision is stated.

        >>> texts = pl.Series(["We are pleased to offer you the job.", "We have received your application."])
        >>> shipped().decide(texts, pl.Series(["Juan", "Juan"]))
        [True, None]
        """
        margins = self.margins(texts, names)
        accept, reject, none = margins.T
        stated = (np.maximum(accept, reject) > none) & (np.abs(accept - reject) >= self.least)
        return [bool(up) if sure else None for up, sure in zip(accept > reject, stated, strict=True)]

    def files(self) -> dict[str, str]:
        """Return the two files that hold the classifier, by name."""
        frame = pl.DataFrame(
            {"term": self.terms, "idf": self.idf}
            | {name: self.weights[:, column] for column, name in enumerate(DECISIONS)}
        )
        numbers = [f"{name} = {value:.6f}" for name, value in zip(DECISIONS, self.bias, strict=True)]
        lines = [f"least = {self.least:.4f}", "", "[bias]", *numbers, "", "[report]"]
        lines += [f'"{key}" = {_toml(value)}' for key, value in self.report.items()]
        table = frame.with_columns(pl.exclude("term").round(4)).write_csv()
        return {"classifier.csv": table, "classifier.toml": "\n".join(lines) + "\n"}


def _toml(value: Any) -> str:
    return f'"{value}"' if isinstance(value, str) else str(value).lower() if isinstance(value, bool) else str(value)


def classifier_of(table: str, rest: str) -> Classifier:
    """Return a classifier from the text of its two files."""
    frame = pl.read_csv(StringIO(table), schema_overrides={"term": pl.String})
    settings = tomllib.loads(rest)
    return Classifier(
        terms=tuple(frame["term"].to_list()),
        idf=frame["idf"].to_numpy(),
        weights=frame.select(DECISIONS).to_numpy(),
        bias=np.array([settings["bias"][name] for name in DECISIONS]),
        least=settings["least"],
        report=settings["report"],
    )


@cache
def shipped() -> Classifier:
    """Return the classifier that comes with the package."""
    folder = resources.files("evenhand.probes.an2024")
    table, rest = (folder.joinpath(name).read_text(encoding="utf-8") for name in ("classifier.csv", "classifier.toml"))
    return classifier_of(table, rest)


def weighted(counted: Terms, numbers: Mapping[str, int], idf: Floats) -> tuple[Ints, Ints, Floats]:
    """Return e-mail, term and TF-IDF of the known terms: (1 + log tf) idf, of length 1 per e-mail."""
    known = np.array([numbers.get(name, -1) for name in counted.names], dtype=np.int64)
    term = known[counted.term]
    inside = term >= 0
    document, term = counted.document[inside], term[inside]
    value = (1.0 + np.log(counted.count[inside])) * idf[term]
    length = np.sqrt(np.bincount(document, weights=value * value, minlength=counted.documents))
    return document, term, value / length[document]


def metrics(decisions: Sequence[bool | None], labels: Sequence[str]) -> dict[str, float]:
    """Return precision, recall and F1 of both decisions, and how many of the decisions were taken for none.

    `validity` is the share of e-mails in which a decision was found (table 5).

    >>> metrics([True, None, False], ["accept", "accept", "reject"])["recall accept"]
    0.5
    """
    result: dict[str, float] = {}
    scores = []
    for name, value in (("accept", True), ("reject", False)):
        predicted = sum(decision is value for decision in decisions)
        true = sum(label == name for label in labels)
        both = sum(decision is value and label == name for decision, label in zip(decisions, labels, strict=True))
        precision = both / predicted if predicted else float("nan")
        recall = both / true if true else float("nan")
        result |= {f"precision {name}": precision, f"recall {name}": recall}
        scores.append(2 * both / (predicted + true) if predicted + true else float("nan"))
        result[f"F1 {name}"] = scores[-1]
    result["F1"] = float(np.mean(scores))
    result["validity"] = sum(decision is not None for decision in decisions) / max(len(decisions), 1)
    return result


#: A term must stand in so many e-mails.
FEWEST = 2
#: Penalty of the support vector machine.
C = 1.0
#: An e-mail that was written as one counts as much as so many that were put together.
WRITTEN_WEIGHT = 2.0
#: Prefix of the report's figures on a user's held-out labels.
HELD_OUT = "labelled e-mails kept back"
#: A user's e-mail counts as much as so many of ours: it is of the kind that is to be read.
USERS_WEIGHT = 5.0
#: Widths of the abstain zone that are tried on the validation e-mails.
ZONES = tuple(np.round(np.arange(0.05, 0.65, 0.05), 2).tolist())
#: A zone is nearly the best with a mean F1 that is lower by no more than this.
SPARED = 0.01


def train(letters: pl.DataFrame, *, report: dict[str, float | int | str]) -> Classifier:
    """Return the classifier of e-mails `text, name, decision, weight`; the abstain zone is still empty.

    Raises
    ------
    InputError
        scikit-learn is not installed.

    """
    try:
        from scipy.sparse import csr_array
        from sklearn.svm import LinearSVC
    except ImportError as error:
        raise InputError("Training needs scikit-learn: install evenhand[train].") from error
    counted = terms_of(redacted(letters["text"], letters["name"]))
    n = counted.documents
    frequency = np.bincount(counted.term, minlength=len(counted.names))
    frequent = frequency >= FEWEST
    # Sorted, since the machine's last digits depend on the order.
    order = sorted(np.flatnonzero(frequent).tolist(), key=counted.names.__getitem__)
    terms = tuple(counted.names[place] for place in order)
    idf = np.log((1 + n) / (1 + frequency[order])) + 1.0
    document, term, value = weighted(counted, {name: number for number, name in enumerate(terms)}, idf)
    matrix = csr_array((value, (document.astype(np.int32), term.astype(np.int32))), shape=(n, len(terms)))
    machine = LinearSVC(C=C, class_weight="balanced", random_state=0)
    machine.fit(matrix, letters["decision"].to_list(), sample_weight=letters["weight"].to_numpy())
    columns = [list(machine.classes_).index(name) for name in DECISIONS]
    weights, bias = machine.coef_[columns].T, machine.intercept_[columns]
    return Classifier(terms=terms, idf=idf, weights=weights, bias=bias, least=0.0, report=report)


def zoned(classifier: Classifier, validation: pl.DataFrame) -> Classifier:
    """Return the classifier with the narrowest abstain zone that is nearly the best on the validation e-mails.

    The best has the highest mean F1 over accept, reject and none.
    """
    texts, names, labels = validation["text"], validation["name"], validation["decision"].to_list()

    def score(least: float) -> float:
        decisions = replace(classifier, least=least).decide(texts, names)
        both = metrics(decisions, labels)
        none = [(decision is None, label == "none") for decision, label in zip(decisions, labels, strict=True)]
        hits, all_of = sum(a and b for a, b in none), sum(a + b for a, b in none)
        return (both["F1 accept"] + both["F1 reject"] + (2 * hits / all_of if all_of else 0.0)) / 3

    scores = {least: score(least) for least in ZONES}
    best = max(scores.values())
    return replace(classifier, least=min(least for least, value in scores.items() if value >= best - SPARED))


def our_letters() -> pl.DataFrame:
    """Return what the shipped classifier is trained on: `text, name, decision, weight`.

    These are the grammar's training part, its decisions as single sentences, and e-mails
    that were written one by one.
    """
    grammar = labelled_letters("train", PARTS["train"])
    sentences = labelled_sentences("train")
    made = pl.concat([grammar, sentences]).with_columns(pl.lit("").alias("name"), pl.lit(1.0).alias("weight"))
    written = written_letters().with_columns(pl.lit(WRITTEN_WEIGHT).alias("weight"))
    return pl.concat([frame.select("text", "name", "decision", "weight") for frame in (made, written)])


def retrained(path: Path) -> Classifier:
    """Return a classifier trained on a user's labels besides our e-mails.

    A fifth of the labelled e-mails is held out: the report's figures are those on them.
    """
    labelled = read_labels(path)
    order = np.random.default_rng(0).permutation(labelled.height)
    held_out = max(labelled.height // 5, 1)
    test, training = labelled[order[:held_out]], labelled[order[held_out:]]
    training = training.with_columns(pl.lit(USERS_WEIGHT).alias("weight")).select("text", "name", "decision", "weight")
    validation = labelled_letters("validation", PARTS["validation"]).with_columns(pl.lit("").alias("name"))
    classifier = zoned(train(pl.concat([our_letters(), training]), report={}), validation)
    report = {"trained on": f"our e-mails and {training.height} labelled ones of {path.name}"}
    return replace(classifier, report={**report, **_figures(classifier, test)})


def _figures(classifier: Classifier, test: pl.DataFrame) -> dict[str, float]:
    """Return how well held-out e-mails are read, all of them and those of each group whose names we know."""
    known = test.join(an2024_names(), on="name", how="left", maintain_order="left").with_columns(
        group=pl.concat_str("race", "gender", separator=" ")
    )
    parts = {HELD_OUT: known}
    parts |= {f"{HELD_OUT}, {key}": part for (key,), part in sorted(known.drop_nulls("group").group_by("group"))}
    result: dict[str, float] = {}
    for where, part in parts.items():
        figures = metrics(classifier.decide(part["text"], part["name"]), part["decision"].to_list())
        result[f"{where}: e-mails"] = part.height
        result |= {f"{where}: {key}": round(value, 4) for key, value in figures.items() if np.isfinite(value)}
    return result


def read_labels(path: Path) -> pl.DataFrame:
    """Return `text, name, decision` of a CSV or JSONL with the columns `text` and `label` (and `name`).

    Raises
    ------
    InputError
        The file can't be read, a column is missing, a label is unknown, or a decision has
        fewer than five e-mails.

    """
    rows = _rows(path)
    decisions = []
    for line, row in enumerate(rows or [{}], start=1):
        missing = [name for name in ("text", "label") if name not in row]
        if missing:
            raise InputError(
                f"Row {line} of {path} has no {' or '.join(missing)}; expected text, label and, if known, name."
            )
        label = " ".join(str(row["label"] or "").lower().split())
        if label not in AN2024_WORDS.labels:
            raise InputError(f"Row {line} of {path}: label {quoted(row['label'])}; expected accept, reject or none.")
        decisions.append(AN2024_WORDS.labels[label])
    for decision in ("accept", "reject"):
        if decisions.count(decision) < 5:
            raise InputError(f"{path} has {decisions.count(decision)} e-mails labelled {decision}; expected 5 or more.")
    return pl.DataFrame(
        {
            "text": [str(row["text"] or "") for row in rows],
            "name": [str(row.get("name") or "") for row in rows],
            "decision": decisions,
        }
    )


def _rows(path: Path) -> Sequence[dict[str, object]]:
    try:
        content = file_bytes(path)
        if path.suffix.lower() in {".jsonl", ".ndjson"} and content.strip():
            return [row for _, row in json_rows(path, expected="text, label and, if known, name")]
        return [dict(row) for row in csv.DictReader(io.StringIO(content.decode("utf-8-sig"), newline=""))]
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        first = spelled(shortened(str(error).splitlines()[0], most=200))
        raise InputError(f"The labels in {path} can't be read ({first}).") from error
