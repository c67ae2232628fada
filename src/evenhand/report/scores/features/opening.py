"""How the page of a table of features opens: the features that need a look, and why."""

from collections import Counter
from collections.abc import Sequence
from shlex import quote
from typing import Final

from evenhand.report.page.parts import NextStep, Opening
from evenhand.report.probe.steps import MOST_STEPS
from evenhand.report.scores.features.told import AREA, TELLS, percent, proxies_figure, table_of, telling, which_end
from evenhand.report.words.numbers import Scale, counted, p_equals
from evenhand.report.words.wording import listing
from evenhand.tables.audit.features.block import FeaturesAudit, FreeText
from evenhand.tables.audit.features.details import Drifted, Expected, Represented
from evenhand.tables.finding import Finding
from evenhand.tables.grouped.features import FeatureGroups, feature_of

__all__ = ["MOVED", "features_opening", "jointly", "reasons_of", "strongest"]

#: The usual rule of thumb: an index from here on is a moderate change, where chance alone does not make it.
MOVED: Final = 0.1
#: Rows of the opening's table, and intervals drawn there.
MOST_ROWS: Final = 12
MOST_DRAWN: Final = 10
INDEX: Final = Scale(decimals=3)
#: The AUC of what tells nothing.
CHANCE: Final = 0.5
LEVEL: Final = 0.05
#: Verdicts on a feature, the worst first, and how many have it.
_VERDICTS: Final = {
    "violates": "violated by",
    "not shown": "not shown for",
    "meets": "met by",
    "not checked": "not checked for",
}


def features_opening(groups: FeatureGroups, audit: FeaturesAudit) -> Opening:
    """Return the first screen."""
    reasons = reasons_of(groups, audit)
    shown = list(reasons.items())[:MOST_ROWS]
    left = len(reasons) - len(shown)
    more = f" {left} more are in the chapters." if left else ""
    tables = []
    if shown:
        columns = {
            "Feature": [name for name, _ in shown],
            "Needs a look because": ["; ".join(told) for _, told in shown],
        }
        tables.append(table_of(f"{counted(len(reasons), 'feature')} to look at first", columns))
    sentences = [
        f"{_counted(groups, audit, len(reasons))}{more}",
        *strongest(groups, told=[name for name, _ in shown]),
        *jointly(groups, audit),
        *_free_text(audit),
        *_represented(groups),
    ]
    drawn = [each for each in (*groups.joint, *groups.proxies) if each.estimate is not None][:MOST_DRAWN]
    figures = [proxies_figure(drawn, title="What tells protected attributes")] if drawn else []
    return Opening(sentences=sentences, tables=tables, figures=figures, steps=_steps(groups, audit)[:MOST_STEPS])


def reasons_of(groups: FeatureGroups, audit: FeaturesAudit) -> dict[str, list[str]]:
    """Return why features need a look, those that violate expectations first, then the strongest proxies."""
    found: dict[str, list[str]] = {}
    told_by_rule = {(feature_of(each), each.estimate) for each in groups.violated if each.slice["rule"] == "proxy"}
    for each in groups.violated:
        details = Expected.of(each)
        stated = f"{each.slice['rule']} {details.observed}, expected {details.expected}"
        why = f", {details.why}" if details.why else ""
        found.setdefault(feature_of(each), []).append(stated if details.stated else f"{details.observed}{why}")
    for each in groups.stated:
        if Expected.of(each).judged == "not shown":
            details = Expected.of(each)
            found.setdefault(feature_of(each), []).append(f"expected {details.expected}, {details.observed}")
    for each in _best(groups.proxies, groups.other_proxies):
        if _strong(each) and (feature_of(each), each.estimate) not in told_by_rule:
            end = f", {which_end(each)}" if which_end(each) else ""
            found.setdefault(feature_of(each), []).append(f"tells {telling(each)}{end}")
    for name, (index, _) in groups.drift.items():
        if Drifted.of(index).beyond_chance and (index.estimate or 0.0) >= MOVED:
            found.setdefault(name, []).append(f"moved from {audit.compared_with}, PSI {INDEX.number(index.estimate)}")
    for text in audit.free_text:
        if text.touched:
            found.setdefault(text.feature, []).append(f"masking finds {_categories(text)} in its text")
    return found


def _strong(proxy: Finding) -> bool:
    """Return whether a feature tells a group beyond doubt; without an interval the estimate decides."""
    least = proxy.estimate if proxy.low is None else proxy.low
    return least is not None and least > TELLS


def _categories(text: FreeText) -> str:
    return listing([name for name, _ in sorted(text.found.items(), key=lambda each: -each[1])][:4])


def _counted(groups: FeatureGroups, audit: FeaturesAudit, looks: int) -> str:
    """Return how many features there are, and the verdicts."""
    of = f"{counted(len(audit.features), 'feature')} of {counted(audit.rows, 'row')}"
    need = f"{looks or 'none'} of them {'need' if looks > 1 else 'needs'} a look"
    if not groups.stated:
        return f"{of}: {need}. No expectations were stated, so what is told is what was checked without them."
    by_feature: dict[str, set[str | None]] = {}
    for each in groups.stated:
        by_feature.setdefault(feature_of(each), set()).add(Expected.of(each).judged)
    worst = Counter(next(each for each in _VERDICTS if each in told) for told in by_feature.values())
    verdicts = [f"{words} {worst[each]}" for each, words in _VERDICTS.items() if worst[each]]
    return f"{of}: {need}. Expectations: {', '.join(verdicts)}."


def strongest(groups: FeatureGroups, *, told: Sequence[str] = ()) -> list[str]:
    """Return the strongest proxy of each attribute, but where it is among the features that are told of already."""
    found, seen = [], set()
    for each in _best(groups.proxies, groups.other_proxies):
        attribute = next(iter(each.focal))
        if attribute in seen:
            continue
        seen.add(attribute)
        end = f"; {which_end(each)}" if which_end(each) else ""
        if _strong(each) and feature_of(each) in told:
            continue
        if _tells(each):
            found.append(f"{feature_of(each)} tells {telling(each)}{end}.")
        else:
            found.append(
                f"No single feature was detected to tell {attribute} (p adjusted by Holm); the strongest is "
                f"{feature_of(each)}, AUC {AREA.number(each.estimate)}{_ends(each)}."
            )
    return found


def _ends(finding: Finding) -> str:
    return "" if finding.low is None else f" ({AREA.interval(finding.low, finding.high)})"


def jointly(groups: FeatureGroups, audit: FeaturesAudit) -> list[str]:
    """Return how well all features together tell groups, or why that is not told."""
    known = _best(groups.joint, groups.other_joint)
    if not known:
        reason = audit.joint.reason or next((each.reason for each in groups.joint), None)
        return [f"How well all features jointly tell a group was not computed. {reason}"] if audit.attributes else []
    rows = "Each row" if audit.joint.rows == audit.rows else f"Each of {audit.joint.rows:,} sampled rows"
    features = counted(len(audit.joint.features), "feature")
    clear = [telling(each) for each in known if _tells(each)]
    unclear = [telling(each) for each in known if not _tells(each)]
    told = [f"{features} jointly tell {listing(clear)}"] if clear else []
    if unclear:
        told.append(f"{'' if clear else f'{features} jointly: '}no more than chance was detected of {listing(unclear)}")
    return [f"{'; '.join(told)}. {rows} was predicted by a model that had not seen it."]


def _best(told_best: Sequence[Finding], others: Sequence[Finding]) -> list[Finding]:
    """Return of each feature and attribute the group that is told best, one that is told beyond chance before others.

    A small group may have the largest AUC by chance alone.
    """
    known = [each for each in (*told_best, *others) if each.estimate is not None]
    found: dict[tuple[str, str], Finding] = {}
    for each in sorted(known, key=lambda each: (not _strong(each), not _tells(each), -(each.estimate or 0.0))):
        found.setdefault((feature_of(each), next(iter(each.focal))), each)
    return list(found.values())


def _tells(finding: Finding) -> bool:
    """Return whether more than chance was detected; of an AUC of 1 there is no interval, and it is."""
    if (finding.estimate or 0.0) <= CHANCE:
        return False
    if finding.p_adjusted is not None:
        return finding.p_adjusted < LEVEL
    return finding.low is None or finding.low > CHANCE


def _free_text(audit: FeaturesAudit) -> list[str]:
    touched = [each for each in audit.free_text if each.touched]
    if not audit.free_text:
        return []
    scanned = listing([each.feature for each in audit.free_text][:5])
    if not touched:
        cells = max(each.cells for each in audit.free_text)
        return [f"Masking found nothing to keep out in up to {counted(cells, 'cell')} of {scanned}."]
    worst = max(touched, key=lambda each: each.touched / each.cells)
    return [
        f"Masking would keep {_categories(worst)} out of {worst.feature} (in {worst.touched:,} of "
        f"{counted(worst.cells, 'cell')} scanned)."
    ]


def _represented(groups: FeatureGroups) -> list[str]:
    """Return of each attribute the group that differs most from the share that it should have."""
    told = []
    for attribute, rows in groups.shares.items():
        test = groups.sizes[attribute].tests
        if not test or test[0].p is None:
            continue
        off = max(rows, key=lambda each: abs((each.estimate or 0.0) - (each.null_value or 0.0)))
        group = off.focal[attribute]
        share = percent(Represented.of(off).stated_share)
        if test[0].p < 0.05:
            told.append(
                f"{group}: {percent(off.estimate)} of the rows, {share} in the reference; the groups of {attribute} "
                f"differ from it statistically significantly (p {p_equals(test[0].p)})."
            )
        else:
            told.append(f"No difference of {attribute} from its reference was detected (p {p_equals(test[0].p)}).")
    return told


def _steps(groups: FeatureGroups, audit: FeaturesAudit) -> list[NextStep]:
    found = []
    strong = [each for each in _best(groups.proxies, groups.other_proxies) if _strong(each)]
    if strong:
        name = feature_of(strong[0])
        found.append(
            NextStep(
                question=f"How well are the groups told without {name}? Leave it out.",
                command=f"{audit.reproduce} --without {quote(name)}" if "--without" not in audit.reproduce else "",
            )
        )
    if not audit.attributes:
        found.append(NextStep(question="Do features tell a protected group? Name its column with --protected."))
    if not groups.stated:
        found.append(NextStep(question="What should each feature look like? Write it down, and give it with --expect."))
    if audit.compared_with is None:
        found.append(NextStep(question="Have the features moved since? Give an earlier table with --compare-with."))
    return found
