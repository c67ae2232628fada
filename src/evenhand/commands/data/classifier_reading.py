"""What `evenhand data agreement --key` says: how well the classifier reads, by people's labels."""

from collections.abc import Sequence
from typing import Any

import polars as pl

from evenhand.commands.terminal import Screen
from evenhand.probes.an2024.classifier import DECISIONS
from evenhand.probes.an2024.labels.reading import GroupReading, Reading, Share
from evenhand.report.page.parts import Column, Table
from evenhand.report.words.numbers import ABSENT, Scale, count_text, counted, p_equals
from evenhand.report.words.wording import capital
from evenhand.stats.agreement import F1, CohensKappa
from evenhand.stats.several_groups.homogeneity import Homogeneity
from evenhand.stats.two_groups.rates import SelectionRate

__all__ = ["confusion_table", "kappa_json", "reading_json", "say_reading"]

#: Below so many expected e-mails of a kind in a group the chi-square test is rough (Cochran 1954).
FEW_EXPECTED = 5


def reading_json(found: Reading) -> dict[str, Any]:
    """Return the reading as JSON has it."""
    return {
        "confusion": {row[0]: dict(zip(DECISIONS, row[1:], strict=True)) for row in found.table.iter_rows()},
        **_group_json(found.overall),
        "accuracy": _share_json(found.accuracy),
        "scores": {
            decision: {
                "precision": _share_json(score.precision),
                "recall": _share_json(score.recall),
                "f1": _estimate_json(score.f1),
            }
            for decision, score in found.scores.items()
        },
        "groups": [{**group.group, **_group_json(group)} for group in found.groups],
        "valid_std": found.std,
        "valid_differs": _test_json(found.validity_differs),
        "alike_differs": _test_json(found.alike_differs),
    }


def kappa_json(kappa: CohensKappa) -> dict[str, Any]:
    """Return kappa as JSON has it."""
    return {
        "estimate": kappa.estimate,
        "low": kappa.low,
        "high": kappa.high,
        "confidence": kappa.confidence,
        "standard_error": kappa.standard_error,
        "expected_agreement": kappa.expected_agreement,
        "method": kappa.method,
        "reason": kappa.reason,
    }


def _group_json(group: GroupReading) -> dict[str, Any]:
    return {
        "emails": group.emails,
        "valid": _share_json(group.valid),
        "alike": _share_json(group.alike),
        "kappa": kappa_json(group.kappa),
        "annotators": {**_share_json(group.annotators), "kappa": kappa_json(group.annotators_kappa)},
    }


def _share_json(share: Share) -> dict[str, Any]:
    return {"count": share.count, **_estimate_json(share.rate)}


def _estimate_json(rate: SelectionRate | F1) -> dict[str, Any]:
    return {
        "n": rate.n,
        "estimate": rate.estimate,
        "low": rate.low,
        "high": rate.high,
        "confidence": rate.confidence,
        "method": rate.method,
        "reason": rate.reason,
    }


def _test_json(test: Homogeneity) -> dict[str, Any]:
    return {
        "method": test.method,
        "statistic": test.statistic,
        "df": test.df,
        "p": test.p,
        "smallest_expected": test.smallest_expected,
        "reason": test.reason,
    }


def confusion_table(table: pl.DataFrame, first: str, second: str) -> Table:
    """Return how many e-mails have which label of the first and of the second reader."""
    heads = (first, *(f"{second}: {label}" for label in DECISIONS))
    return Table(
        caption=f"E-mails by the labels of {first} and {second}",
        columns=[Column(label=capital(label), numeric=place > 0) for place, label in enumerate(heads)],
        rows=[(row[0], *(count_text(count) for count in row[1:])) for row in table.iter_rows()],
    )


def say_reading(screen: Screen, found: Reading) -> None:
    """Add how well the classifier reads."""
    overall = found.overall
    screen.say()
    screen.draw(confusion_table(found.table, "people", "classifier"))
    screen.say()
    for what, told in (
        ("Read alike", _told(overall.alike)),
        ("Cohen's kappa", _interval(overall.kappa)),
        ("Valid (people find a decision)", _told(overall.valid)),
        ("Valid and read alike", _told(found.accuracy)),
    ):
        screen.say(f"{what}: {told}.")
    screen.say()
    scores = [
        (decision, _told(score.precision), _told(score.recall), _interval(score.f1))
        for decision, score in found.scores.items()
    ]
    screen.draw(_table("Of valid e-mails, with 95 % CI", ("Decision", "Precision", "Recall", "F1"), scores))
    groups = [(" ".join(each.group.values()), each) for each in found.groups]
    for caption, heads, rows in (
        (
            "People and classifier, per group of names, with 95 % CI",
            ("Group", "Valid", "Read alike", "Cohen's kappa"),
            [(name, _told(each.valid), _told(each.alike), _interval(each.kappa)) for name, each in groups],
        ),
        (
            "Both annotators, per group of names, with 95 % CI",
            ("Group", "Alike", "Cohen's kappa"),
            [(name, _told(each.annotators), _interval(each.annotators_kappa)) for name, each in groups],
        ),
    ):
        screen.say()
        screen.draw(_table(caption, heads, rows))
    screen.say()
    if found.std is not None:
        screen.say(f"Standard deviation of the groups' valid shares: {100 * found.std:.1f} percentage points.")
    for what, test in (("valid", found.validity_differs), ("read alike", found.alike_differs)):
        screen.say(f"Do groups differ in the share {what}? {_tested(test)}")


def _table(caption: str, heads: Sequence[str], rows: Sequence[Sequence[str]]) -> Table:
    columns = [Column(label=label, numeric=place > 0) for place, label in enumerate(heads)]
    return Table(caption=caption, columns=columns, rows=rows)


def _told(share: Share) -> str:
    rate = share.rate
    if rate.estimate is None:
        return f"{share.count} of {rate.n}"
    return f"{share.count} of {rate.n}, {100 * rate.estimate:.1f} % ({100 * rate.low:.1f} to {100 * rate.high:.1f})"


def _interval(rate: F1 | CohensKappa) -> str:
    if rate.estimate is None:
        return ABSENT
    scale = Scale(decimals=3)
    return f"{scale.text(rate.estimate)} ({scale.interval(rate.low, rate.high)})"


def _tested(test: Homogeneity) -> str:
    if test.p is None:
        return f"Not tested: {test.reason}"
    rough = " (rough: few are expected in a group)" if test.smallest_expected < FEW_EXPECTED else ""
    return f"{test.method} {test.statistic:.2f}, {counted(test.df, 'degree')} of freedom, p {p_equals(test.p)}{rough}."
