"""`evenhand monitor golden agreement`: how far labellers agree, and how each treats twins."""

from collections.abc import Callable
from dataclasses import asdict
from datetime import datetime
from typing import Any

from evenhand.commands.monitor.told import Told
from evenhand.commands.terminal import Screen
from evenhand.monitoring.golden.agreement import GroupKappa, TwinLabels, kappas, twin_labels
from evenhand.monitoring.golden.cases import scale_of
from evenhand.monitoring.history.store import opened_store, utc_now
from evenhand.report.page.parts import Column, Table
from evenhand.report.words.numbers import ABSENT, Scale, p_text
from evenhand.runs.options.monitoring.monitor import StoreOptions
from evenhand.runs.progress import Notices
from evenhand.stats import CohensKappa

__all__ = ["agreement"]

DEPENDENT = "The intervals take cases as independent, which twins are not: they may be too narrow."
_KAPPA = Scale(decimals=3)
_SHARE = Scale(factor=100, suffix=" %", decimals=1)


def agreement(options: StoreOptions, *, notice: Notices, clock: Callable[[], datetime] = utc_now) -> Told:
    """Return kappa by group, and how twins were labelled.

    Raises
    ------
    InputError
        There is no golden set.

    """
    with opened_store(options.store, notice=notice, clock=clock) as store:
        found, twins, ordered = kappas(store), twin_labels(store), len(scale_of(store).labels) > 2
    screen = Screen()
    screen.draw(_kappa_table(found, ordered=ordered))
    if twins:
        screen.say(DEPENDENT)
        screen.say()
        screen.draw(_twin_table(twins))
    content: dict[str, Any] = {
        "kappa": [
            {"group": dict(each.group), "plain": asdict(each.plain), "weighted": asdict(each.weighted)}
            for each in found
        ],
        "twins": [asdict(each) for each in twins],
    }
    return Told(content=content, text=screen.text)


def _kappa_table(found: list[GroupKappa], *, ordered: bool) -> Table:
    columns = [Column(label="Group", numeric=False), Column(label="n"), Column(label="Agree"), Column(label="Kappa")]
    columns += [Column(label="95 % CI")]
    columns += [Column(label="Weighted kappa"), Column(label="95 % CI")] if ordered else []
    rows = []
    for each in found:
        name = ", ".join(f"{attribute} {value}" for attribute, value in each.group.items()) or "All"
        agree = ABSENT if each.plain.agreement is None or not each.plain.n else _SHARE.text(each.plain.agreement)
        cells = [*_cells(each.plain), *(_cells(each.weighted) if ordered else ())]
        rows.append([name, f"{each.plain.n:,}", agree, *cells])
    return Table(
        caption="How far two labels of a case agree, before adjudication (Cohen's kappa"
        + ("; weighted by the squared distance):" if ordered else "):"),
        columns=columns,
        rows=rows,
    )


def _cells(kappa: CohensKappa) -> tuple[str, str]:
    if kappa.estimate is None:
        return ABSENT, ABSENT
    return _KAPPA.text(kappa.estimate), _KAPPA.interval(kappa.low, kappa.high)


def _twin_table(twins: list[TwinLabels]) -> Table:
    labels = ("Labeller", "Groups", "Twins", "First higher", "Second higher", "Differ", "95 % CI", "p")
    rows = [
        [
            each.labeller,
            f"{each.groups[0]}, {each.groups[1]}",
            f"{each.pairs:,}",
            f"{each.higher_first:,}",
            f"{each.higher_second:,}",
            _SHARE.text(each.share),
            _SHARE.interval(each.low, each.high),
            p_text(each.p),
        ]
        for each in twins
    ]
    return Table(
        caption="Twins, which differ in the group alone, as each labelled them; p of no preference (McNemar, exact):",
        columns=[Column(label=label, numeric=place > 1) for place, label in enumerate(labels)],
        rows=rows,
    )
