"""Train the e-mail classifier: on e-mails of our own, and on those that a user has labelled."""

import csv
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import polars as pl

from evenhand.errors import InputError
from evenhand.probes.an2024.classifier import DECISIONS, Classifier, metrics, weighted
from evenhand.probes.an2024.features import AN2024_WORDS, redacted, terms_of
from evenhand.probes.an2024.letters import PARTS, labelled_letters, labelled_sentences, written_letters
from evenhand.probes.an2024.stimuli import names
from evenhand.tables.messages.quoting import quoted, shortened, spelled

__all__ = ["read_labels", "retrained", "train"]

#: A term must stand in so many e-mails.
FEWEST = 2
#: Penalty of the support vector machine.
C = 1.0
#: An e-mail that was written as one counts as much as so many that were put together.
WRITTEN_WEIGHT = 2.0
#: What the figures of a user's own labels are called.
KEPT_BACK = "labelled e-mails kept back"
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
    kept = frequency >= FEWEST
    # Sorted, since the machine's last digits depend on the order.
    order = sorted(np.flatnonzero(kept).tolist(), key=counted.names.__getitem__)
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
        found = _with_zone(classifier, least).decide(texts, names)
        both = metrics(found, labels)
        none = [(decision is None, label == "none") for decision, label in zip(found, labels, strict=True)]
        hits, all_of = sum(a and b for a, b in none), sum(a + b for a, b in none)
        return (both["F1 accept"] + both["F1 reject"] + (2 * hits / all_of if all_of else 0.0)) / 3

    scores = {least: score(least) for least in ZONES}
    best = max(scores.values())
    return _with_zone(classifier, min(least for least, value in scores.items() if value >= best - SPARED))


def _with_zone(classifier: Classifier, least: float) -> Classifier:
    return replace(classifier, least=least)


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

    A fifth of the labelled e-mails is kept back: the report's figures are those on them.
    """
    labelled = read_labels(path)
    order = np.random.default_rng(0).permutation(labelled.height)
    kept_back = max(labelled.height // 5, 1)
    test, own = labelled[order[:kept_back]], labelled[order[kept_back:]]
    own = own.with_columns(pl.lit(USERS_WEIGHT).alias("weight")).select("text", "name", "decision", "weight")
    validation = labelled_letters("validation", PARTS["validation"]).with_columns(pl.lit("").alias("name"))
    found = zoned(train(pl.concat([our_letters(), own]), report={}), validation)
    report = {"trained on": f"our e-mails and {own.height} labelled ones of {path.name}"}
    return replace(found, report={**report, **_figures(found, test)})


def _figures(classifier: Classifier, test: pl.DataFrame) -> dict[str, float]:
    """Return how well e-mails kept back are read, all of them and those of each group whose names we know."""
    known = test.join(names(), on="name", how="left", maintain_order="left").with_columns(
        group=pl.concat_str("race", "gender", separator=" ")
    )
    parts = {KEPT_BACK: known}
    parts |= {f"{KEPT_BACK}, {key}": part for (key,), part in sorted(known.drop_nulls("group").group_by("group"))}
    found: dict[str, float] = {}
    for where, part in parts.items():
        figures = metrics(classifier.decide(part["text"], part["name"]), part["decision"].to_list())
        found[f"{where}: e-mails"] = part.height
        found |= {f"{where}: {key}": round(value, 4) for key, value in figures.items() if np.isfinite(value)}
    return found


def read_labels(path: Path) -> pl.DataFrame:
    """Return `text, name, decision` of a CSV or JSONL with the columns `text` and `label` (and `name`).

    Raises
    ------
    InputError
        The file can't be read, a column is missing, a label is unknown, or a decision has
        fewer than five e-mails.

    """
    rows = _rows(path)
    missing = [name for name in ("text", "label") if rows and name not in rows[0]]
    if missing or not rows:
        raise InputError(
            f"{path} has no column {' or '.join(missing) or 'text'}; expected text, label and, if known, name."
        )
    decisions = []
    for line, row in enumerate(rows, start=1):
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
        if not path.read_bytes().strip():
            return []
        if path.suffix.lower() in {".jsonl", ".ndjson"}:
            frame = pl.read_ndjson(path, infer_schema_length=None)
            return frame.to_dicts()
        with path.open(encoding="utf-8-sig", newline="") as file:
            return [dict(row) for row in csv.DictReader(file)]
    except (OSError, UnicodeDecodeError, csv.Error, pl.exceptions.PolarsError) as error:
        first = spelled(shortened(str(error).splitlines()[0], most=200))
        raise InputError(f"The labels in {path} can't be read ({first}).") from error
