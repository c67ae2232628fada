"""Whether an e-mail accepts or rejects the applicant, or states no decision.

A linear support vector machine on TF-IDF terms, stored as two files of plain data:
`classifier.csv` has a term per line with its weights, `classifier.toml` the rest.
"""

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from importlib import resources
from io import StringIO
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from evenhand.probes.an2024.features import Terms, redacted, terms_of

__all__ = ["DECISIONS", "Classifier", "shipped", "weighted"]

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

DECISIONS = ("accept", "reject", "none")
#: E-mails whose terms are held at once.
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


def metrics(found: Sequence[bool | None], labels: Sequence[str]) -> dict[str, float]:
    """Return precision, recall and F1 of both decisions, and how many of the decisions were taken for none.

    `validity` is the share of e-mails in which a decision was found (table 5).

    >>> metrics([True, None, False], ["accept", "accept", "reject"])["recall accept"]
    0.5
    """
    result: dict[str, float] = {}
    scores = []
    for name, value in (("accept", True), ("reject", False)):
        said = sum(decision is value for decision in found)
        true = sum(label == name for label in labels)
        both = sum(decision is value and label == name for decision, label in zip(found, labels, strict=True))
        precision = both / said if said else float("nan")
        recall = both / true if true else float("nan")
        result |= {f"precision {name}": precision, f"recall {name}": recall}
        scores.append(2 * both / (said + true) if said + true else float("nan"))
        result[f"F1 {name}"] = scores[-1]
    result["F1"] = float(np.mean(scores))
    result["validity"] = sum(decision is not None for decision in found) / max(len(found), 1)
    return result
