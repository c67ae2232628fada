"""What `evenhand data agreement --key` says: how well the classifier reads, by people's labels."""

from typing import Any

import polars as pl

from evenhand.probes.an2024.classifier import DECISIONS
from evenhand.probes.an2024.labels.reading import GroupReading, Reading, Share
from evenhand.stats.agreement import F1, CohensKappa
from evenhand.stats.several_groups.homogeneity import Homogeneity
from evenhand.stats.two_groups.rates import SelectionRate

__all__ = ["confusion_lines", "kappa_json", "reading_json", "reading_lines"]

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


def confusion_lines(table: pl.DataFrame, heading: str, *, width: int) -> list[str]:
    """Return a confusion table as lines of text, the first column of that width."""
    rows = [(heading, *DECISIONS), *((label, *(f"{count:,}" for count in row)) for label, *row in table.iter_rows())]
    return [f"{label:<{width}}" + "".join(f"{cell:>8}" for cell in cells) for label, *cells in rows]


def reading_lines(found: Reading) -> list[str]:
    """Return the reading as lines of text."""
    overall = found.overall
    lines = [
        f"The classifier, against the people's labels of {overall.emails:,} e-mails (95% intervals in brackets)",
        *confusion_lines(found.table, "people \\ classifier", width=20),
        "",
        f"read alike           {_told(overall.alike)}",
        f"Cohen's kappa        {_interval(overall.kappa)}",
        f"valid                {_told(overall.valid)}; people find a decision in them",
        f"of these read alike  {_told(found.accuracy)}",
        "",
        f"{'of valid e-mails':<20} {'precision':<30} {'recall':<30} F1",
    ]
    for decision, score in found.scores.items():
        lines.append(f"{decision:<20} {_told(score.precision):<30} {_told(score.recall):<30} {_interval(score.f1)}")
    lines += ["", f"{'group':<20} {'valid':<30} {'read alike':<30} Cohen's kappa"]
    for each in found.groups:
        name = " ".join(each.group.values())
        lines.append(f"{name:<20} {_told(each.valid):<30} {_told(each.alike):<30} {_interval(each.kappa)}")
    lines += ["", f"{'group':<20} {'annotators alike':<30} Cohen's kappa"]
    for each in found.groups:
        name = " ".join(each.group.values())
        lines.append(f"{name:<20} {_told(each.annotators):<30} {_interval(each.annotators_kappa)}")
    lines.append("")
    if found.std is not None:
        lines.append(f"Standard deviation of the groups' valid shares: {found.std:.3f}")
    for what, test in (("valid", found.validity_differs), ("read alike", found.alike_differs)):
        lines.append(f"Do groups differ in the share {what}? {_tested(test)}")
    return lines


def _told(share: Share) -> str:
    return f"{share.count}/{share.rate.n} {_interval(share.rate)}"


def _interval(rate: SelectionRate | F1 | CohensKappa) -> str:
    if rate.estimate is None:
        return "none"
    return f"{rate.estimate:.3f} ({rate.low:.3f} to {rate.high:.3f})"


def _tested(test: Homogeneity) -> str:
    if test.p is None:
        return f"Not tested: {test.reason}"
    rough = " (rough: few are expected in a group)" if test.smallest_expected < FEW_EXPECTED else ""
    return f"{test.method} {test.statistic:.2f}, {test.df} degrees of freedom, p = {test.p:.3f}{rough}"
