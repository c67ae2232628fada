"""How well features predict a protected attribute: the AUC of single features, and of all of them together."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from importlib.util import find_spec
from math import exp, lgamma, log
from typing import Final

import numpy as np
import polars as pl
from numpy.typing import NDArray

from evenhand.comparisons.claims import in_families, uncorrected
from evenhand.comparisons.clusterings import LEAST_P
from evenhand.results.feature_audit import Crossed, FeatureCounts, Proxy
from evenhand.results.finding import Finding, Test, copied
from evenhand.results.measures import EFFECTIVE_SIZE, JOINT_PROXY, LABEL_POWER, PROXY
from evenhand.stats import auc, cross_fitted_auc, normal_p, normal_quantile, pooled_auc
from evenhand.stats.predictions import AUC

#: The AUC of a feature that tells nothing.
CHANCE: Final = 0.5
#: The least number of people in a group, and outside it, for the AUC of a feature.
FEWEST = 10
FOLDS: Final = 5
#: The least number of people in a group of the sample for the AUC of all features.
FEWEST_ROWS: Final = 50
#: Categories beyond these are taken together.
MOST_CATEGORIES: Final = 250
LACKING: Final = "That needs scikit-learn; install it with: pip install 'evenhand[match]'."


def proxy_findings(feature: FeatureCounts, attribute: str, *, confidence: float, seed: int) -> list[Finding]:
    """Return how well a feature predicts each group of an attribute, the best predicted group first.

    Of two groups there is one finding, for the group with the higher values.
    """
    crossed = feature.by[attribute]
    places = range(len(crossed.groups)) if len(crossed.groups) > 2 else range(1)
    results = [
        proxy_finding(
            _area(crossed, place, ordered=feature.row.numeric, confidence=confidence, seed=seed),
            measure=PROXY,
            feature=feature.row.feature,
            attribute=attribute,
            groups=crossed.groups,
            place=place,
            ordered=feature.row.numeric,
        )
        for place in places
    ]
    return _ranked(results, groups=len(crossed.groups))


def with_tests(findings: Sequence[Finding]) -> list[Finding]:
    """Return findings with the claims that a first screen makes, in one family corrected by Holm.

    They are that the AUC of a proxy is a half, and that the groups of an attribute are as stated. The test of an AUC is
    that of its interval, on the logit, by DeLong's standard error; below a half, where values have no order, it is no
    prediction. An AUC of 1 has none, and its p is the chance that all of one group stand first or last. A feature of
    one value tells nothing whatever the groups, and is no comparison.
    """
    result = []
    for finding in findings:
        details, constant = Proxy.of(finding), finding.estimate == CHANCE and finding.low in {None, finding.high}
        proxy = finding.measure in {PROXY, JOINT_PROXY} and not constant
        tests = tuple(filter(None, [_test(finding)])) if proxy else finding.tests
        if proxy or (finding.measure == EFFECTIVE_SIZE and tests):
            sizes = (details.n_group, details.n_rest)
            claim = uncorrected(next(iter(tests), None), planned=True, n=sizes, reason=finding.reason)
            result.append(replace(finding, tests=tests, claim=claim))
        else:
            result.append(finding)
    return in_families(result)


def _test(proxy: Finding) -> Test | None:
    if proxy.estimate == 1.0:
        return _perfect(Proxy.of(proxy))
    if proxy.estimate is None or proxy.low is None or proxy.high is None or not proxy.low < proxy.high:
        return None
    low, middle, high = (log(area / (1 - area)) for area in (proxy.low, proxy.estimate, proxy.high))
    z = 2 * normal_quantile(proxy.confidence) * middle / (high - low)
    return Test(name="DeLong, logit", statistic=z, p=float(normal_p(max(z, 0.0))))


def _perfect(details: Proxy) -> Test | None:
    """Return the test of an AUC of 1, in every fold where values have no order: 2 / C(n, k) of each."""
    if details.n_group is None or details.n_rest is None:
        return None
    folds = 1 if details.direction else FOLDS
    group, rest = details.n_group // folds, details.n_rest // folds
    arrangements = (lgamma(group + rest + 1) - lgamma(group + 1) - lgamma(rest + 1)) * folds
    return Test(name="perfect order, exact", statistic=None, p=min(max(2 * exp(-arrangements), LEAST_P), 1.0))


def label_finding(feature: FeatureCounts, label: str, *, confidence: float, seed: int) -> Finding | None:
    """Return how well a feature predicts the label, by its best predicted class; None without two classes."""
    crossed = feature.by.get(label)
    if crossed is None or len(crossed.groups) < 2:
        return None
    best = proxy_findings(feature, label, confidence=confidence, seed=seed)[0]
    return Finding(
        name=best.name.replace(PROXY, LABEL_POWER, 1),
        measure=LABEL_POWER,
        role="descriptive",
        confidence=confidence,
        measured_in="AUC",
        null_value=0.5,
        clusters={},
        **copied(best, "slice focal estimate low high n method reason details"),
    )


def _area(crossed: Crossed, place: int, *, ordered: bool, confidence: float, seed: int) -> AUC:
    positive = crossed.counts[:, place]
    negative = crossed.counts.sum(axis=1) - positive
    if not ordered:
        return cross_fitted_auc(positive, negative, seed=seed, confidence=confidence)
    level = np.tile(np.arange(len(positive)), 2)
    which = np.repeat([True, False], len(positive))
    return auc(level, which, n=np.concatenate([positive, negative]), confidence=confidence)


def proxy_finding(
    area: AUC, *, measure: str, feature: str, attribute: str, groups: tuple[str, ...], place: int, ordered: bool
) -> tuple[Finding, Proxy]:
    """Return an AUC as a finding: never below a half where values have an order, as low values predict as well."""
    estimate, low, high = area.estimate, area.low, area.high
    group, direction = groups[place], "higher" if ordered else ""
    reason = area.reason
    if min(area.n_positive, area.n_negative) < FEWEST:
        estimate = low = high = None
        reason = f"Fewer than {FEWEST} people are in the group, or out of it."
    if ordered and estimate is not None and estimate < 0.5:
        estimate, low, high = 1 - estimate, None if high is None else 1 - high, None if low is None else 1 - low
        if len(groups) == 2:
            group = groups[1 - place]
        else:
            direction = "lower"
    finding = Finding(
        name=f"{measure}_{feature}_{attribute}_{group}" if feature else f"{measure}_{attribute}_{group}",
        measure=measure,
        slice={"feature": feature} if feature else {},
        focal={attribute: group},
        role="planned",
        estimate=estimate,
        low=low,
        high=high,
        confidence=area.confidence,
        measured_in="AUC",
        null_value=0.5,
        n=area.n_positive + area.n_negative,
        clusters={},
        method=area.method,
        reason=reason,
    )
    n_group = area.n_positive if group == groups[place] else area.n_negative
    details = Proxy(direction=direction, n_group=n_group, n_rest=finding.n - n_group, groups=len(groups))
    return finding, details


def _ranked(results: list[tuple[Finding, Proxy]], *, groups: int) -> list[Finding]:
    """Return findings with their details, the largest AUC first."""
    results.sort(key=lambda result: -(result[0].estimate or 0.0))
    return [
        replace(finding, details=replace(details, largest=rank == 0, groups=groups))
        for rank, (finding, details) in enumerate(results)
    ]


def lacks_model() -> bool:
    """Return whether scikit-learn is missing."""
    return find_spec("sklearn") is None


def joint_findings(
    sample: pl.DataFrame,
    features: Mapping[str, bool],
    attributes: Mapping[str, Sequence[str | None]],
    *,
    seed: int,
    confidence: float,
) -> list[Finding]:
    """Return how well boosted trees predict each group from all features, out of fold.

    `sample` has a column per feature, `features` says which of them are numbers (else they are categories), and
    `attributes` has the group of each row.
    """
    matrix, categorical = _matrix(sample, features)
    findings: list[Finding] = []
    for attribute, groups in attributes.items():
        findings += _attribute_findings(matrix, categorical, attribute, groups, seed=seed, confidence=confidence)
    return with_tests(findings)


def _matrix(sample: pl.DataFrame, features: Mapping[str, bool]) -> tuple[NDArray[np.float64], list[bool]]:
    columns = []
    for name, numeric in features.items():
        column = sample[name]
        if numeric:
            columns.append(column.cast(pl.Float64).fill_null(np.nan).to_numpy())
            continue
        counts = column.drop_nulls().value_counts(sort=True)
        frequent = counts.sort(["count", name], descending=[True, False])[name].head(MOST_CATEGORIES).to_list()
        codes = {value: float(place) for place, value in enumerate(frequent)}
        columns.append(
            np.array(
                [np.nan if value is None else codes.get(value, float(len(frequent))) for value in column.to_list()]
            )
        )
    return np.column_stack(columns), [not numeric for numeric in features.values()]


def _attribute_findings(
    matrix: NDArray[np.float64],
    categorical: list[bool],
    attribute: str,
    groups: Sequence[str | None],
    *,
    seed: int,
    confidence: float,
) -> list[Finding]:
    known = [group for group in groups if group is not None]
    sizes = {group: known.count(group) for group in sorted(set(known))}
    names = tuple(group for group, n in sizes.items() if n >= FEWEST_ROWS)
    if len(names) < 2:
        group = sorted(sizes, key=lambda name: -sizes[name])[1] if len(sizes) > 1 else "any group"
        reason = f"Fewer than two groups have {FEWEST_ROWS} people in the sample."
        return [_uncomputed_finding({attribute: group}, sizes.get(group, 0), len(known), confidence, reason)]
    code = {group: place for place, group in enumerate(sizes)}
    rows = np.array([group is not None for group in groups])
    target = np.array([code[group] for group in known])
    shares, fold = _predicted(matrix[rows], target, categorical, seed=seed)
    results = []
    places = range(len(sizes)) if len(sizes) > 2 else range(1)
    reason = f"Fewer than {FEWEST_ROWS} people of the group are in the sample."
    for place in places:
        group = list(sizes)[place]
        if group not in names:
            lacking = _uncomputed_finding({attribute: group}, sizes[group], len(known), confidence, reason)
            results.append((replace(lacking, name=f"{lacking.name}_{group}"), Proxy.of(lacking)))
            continue
        parts = [auc(shares[fold == k, place], target[fold == k] == place, confidence=confidence) for k in range(FOLDS)]
        pooled = pooled_auc(parts, confidence=confidence)
        result = proxy_finding(
            pooled,
            measure=JOINT_PROXY,
            feature="",
            attribute=attribute,
            groups=tuple(sizes),
            place=place,
            ordered=False,
        )
        results.append(result)
    return _ranked(results, groups=len(sizes))


def _uncomputed_finding(focal: dict[str, str], group: int, n: int, confidence: float, reason: str) -> Finding:
    """Return the joint proxy of a group of so many of `n` people, without an estimate."""
    return Finding(
        name=f"{JOINT_PROXY}_{'_'.join(focal)}",
        measure=JOINT_PROXY,
        focal=focal,
        role="planned",
        estimate=None,
        confidence=confidence,
        measured_in="AUC",
        null_value=0.5,
        n=n,
        clusters={},
        method="not computed",
        reason=reason,
        details=Proxy(largest=True, n_group=group, n_rest=n - group),
    )


def _predicted(
    matrix: NDArray[np.float64], target: NDArray[np.int64], categorical: list[bool], *, seed: int
) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """Return the predicted share of each group for each row, by models of the other folds, and the row's fold."""
    from sklearn.ensemble import HistGradientBoostingClassifier
    from threadpoolctl import threadpool_limits

    fold = _folds(target, seed)
    shares = np.zeros((len(target), int(target.max()) + 1))
    for k in range(FOLDS):
        inside = fold == k
        model = HistGradientBoostingClassifier(
            max_iter=60,
            max_leaf_nodes=15,
            min_samples_leaf=20,
            early_stopping=False,
            categorical_features=categorical if any(categorical) else None,
            random_state=seed % 2**32,
        )
        # One thread adds up in one order: the same numbers on every machine.
        with threadpool_limits(limits=1):
            model.fit(matrix[~inside], target[~inside])
            shares[np.ix_(inside, model.classes_.astype(np.int64))] = model.predict_proba(matrix[inside])
    return shares, fold


def _folds(target: NDArray[np.int64], seed: int) -> NDArray[np.int64]:
    """Return a fold for each row, each group spread evenly."""
    rng = np.random.default_rng(seed)
    fold = np.empty(len(target), dtype=np.int64)
    for group in np.unique(target):
        members = rng.permutation(np.flatnonzero(target == group))
        fold[members] = np.arange(len(members)) % FOLDS
    return fold
