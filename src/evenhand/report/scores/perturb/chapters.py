"""The chapters of a perturbation test."""

from collections.abc import Mapping, Sequence
from typing import Final

from evenhand.report.charts import Bin, distribution_chart
from evenhand.report.page.parts import Column, Figure, Part, Section, Table
from evenhand.report.scores.perturb.beside import texts_beside
from evenhand.report.scores.perturb.told import ARMS as ARM_WORDS
from evenhand.report.scores.perturb.told import (
    comparison,
    groups_told,
    interval_of,
    kind_of,
    labelled,
    measured,
    scale_for,
    verdict_words,
)
from evenhand.report.words.numbers import ABSENT, MINUS, Scale, confidence_text, count_text, counted, p_text, scale_of
from evenhand.report.words.wording import in_words, listing
from evenhand.tables.audit.perturb import PLACEBO, PerturbAudit, group_label
from evenhand.tables.details import Flips, LeftOutReasons, Moves, PerturbedScores, Statuses
from evenhand.tables.finding import Finding
from evenhand.tables.grouped.perturb import PerturbGroups

__all__ = ["perturb_chapters"]

#: Comparisons whose distribution stands open; more are folded.
_MOST_OPEN: Final = 3
#: Comparisons whose distribution is drawn.
_MOST_DRAWN: Final = 8
#: Rows of the table of positions.
_MOST_ROWS: Final = 60
_TEXTS: Final = frozenset(
    {"Arm", "Comparison", "Group", "Names", "Note", "Position", "Reasons", "Test", "Verdict", "Why"}
)


def perturb_chapters(groups: PerturbGroups, audit: PerturbAudit) -> list[Section]:
    """Return the chapters in the order that one reads them."""
    found = [
        _distributions(groups),
        _positions(groups, audit),
        _decisions(groups),
        _tests(groups),
        _unread(groups),
        _left_out(groups),
        _moved(groups, audit),
        _names(audit),
    ]
    return [section for section in found if section is not None]


def _table(caption: str, columns: Mapping[str, Sequence[str]], *, folded: bool = False) -> Table:
    """Return a table of columns by their headings, the first one names the row."""
    heads = [Column(label=name, numeric=place > 0 and name not in _TEXTS) for place, name in enumerate(columns)]
    return Table(caption=caption, columns=heads, rows=list(zip(*columns.values(), strict=True)), folded=folded)


def _distributions(groups: PerturbGroups) -> Section | None:
    rows = [each for each in groups.differences if PerturbedScores.of(each).shares]
    if not rows:
        return None
    scale = scale_for(groups.whole)
    parts = []
    for number, each in enumerate(rows[:_MOST_DRAWN]):
        beside = [placebo for placebo in groups.placebos if placebo.focal in (each.focal, each.reference)]
        figure = _distribution([each, *beside], scale)
        folded = number >= _MOST_OPEN
        parts.append(Part(heading=figure.title if folded else "", figures=[figure], folded=folded))
    parts.append(Part(tables=[_spread(groups, scale)]))
    told = "Each pair is one résumé for one position under two matched names."
    if groups.placebos:
        told += (
            " Where the outline of the arms lies on that of the placebo, names move scores by no more than names of "
            "one group do."
        )
    if len(rows) > _MOST_DRAWN:
        told += f" Drawn are {_MOST_DRAWN} of {len(rows)} comparisons; findings.json has the shares of all."
    return Section(name="distributions", heading="How single pairs differ", text=[told], parts=parts)


def _series(finding: Finding) -> str:
    told = groups_told(finding)
    return f"placebo: {told}" if kind_of(finding) == PLACEBO else told


def _distribution(rows: Sequence[Finding], scale: Scale) -> Figure:
    drawn = [
        Bin(
            low=low,
            high=high,
            value=100 * share,
            text=f"{_series(each)}, {scale.interval(low, high)}{scale.suffix}: {100 * share:.1f} % of pairs",
            series=_series(each),
        )
        for each in rows
        for details in (PerturbedScores.of(each),)
        for low, high, share in zip(details.edges[:-1], details.edges[1:], details.shares, strict=True)
    ]
    return Figure(
        title=comparison(rows[0]),
        note="What lies beyond is in the first and the last bin.",
        chart=lambda width: distribution_chart(
            drawn, title="% of pairs", along=f"difference of {measured(scale)},{scale.long_suffix}", width=width
        ),
        tables=[],
    )


def _spread(groups: PerturbGroups, scale: Scale) -> Table:
    rows = [each for each in groups.whole if PerturbedScores.of(each).spread]
    spreads = [PerturbedScores.of(each).spread for each in rows]
    heads = ("Least", "5 %", "25 %", "Median", "75 %", "95 %", "Largest")
    columns: dict[str, Sequence[str]] = {"Comparison": [comparison(each) for each in rows]}
    for place, name in enumerate(heads):
        columns[name] = [scale.number(spread[place]) for spread in spreads]
    return _table(f"Percentiles of the pairs' differences,{scale.long_suffix}", columns, folded=True)


def _positions(groups: PerturbGroups, audit: PerturbAudit) -> Section | None:
    rows = [each for each in groups.single if each.slice.get("arm") != PLACEBO]
    if not rows:
        return None
    scale = scale_for(rows)
    rows = sorted(rows, key=lambda each: -abs(each.estimate or 0.0))
    positions = len({each.slice["position"] for each in rows})
    left = len(rows) - _MOST_ROWS
    rows = rows[:_MOST_ROWS]
    columns = {
        "Position": [_title(each.slice["position"], audit) for each in rows],
        "Comparison": [comparison(each) for each in rows],
        "Difference": [scale.number(each.estimate, apart=(0.0,)) for each in rows],
        f"{confidence_text(rows[0].confidence)} CI": [interval_of(each, scale) for each in rows],
        "Pairs": [count_text(each.n) for each in rows],
        "p, adjusted": [p_text(each.p_adjusted) for each in rows],
        "Verdict": [verdict_words(each) for each in rows],
    }
    table = _table(f"Differences in single positions,{scale.long_suffix}, the largest first", columns)
    more = f" {count_text(left)} smaller differences are in perturb.csv." if left > 0 else ""
    adjusted = next((each.adjustment for each in rows if each.adjustment), "")
    return Section(
        name="positions",
        heading="Positions",
        text=[f"Exploratory: p is adjusted over all positions and arms ({adjusted}).{more}"],
        parts=[Part(heading=counted(positions, "position"), tables=[table], folded=True)],
    )


def _title(position: str, audit: PerturbAudit) -> str:
    return audit.titles.get(position) or position


def _decisions(groups: PerturbGroups) -> Section | None:
    parts = []
    if groups.flips and groups.cutoff is not None:
        cutoff = groups.cutoff
        value = scale_of(cutoff).number(cutoff.estimate)
        details = [Flips.of(each) for each in groups.flips]
        scale = scale_of(groups.flips[0])
        columns = {
            "Comparison": [comparison(each) for each in groups.flips],
            "Selected more or less often": [scale.text(each.estimate, apart=(0.0,)) for each in groups.flips],
            f"{confidence_text(groups.flips[0].confidence)} CI": [interval_of(each, scale) for each in groups.flips],
            "Only as the group": [count_text(each.only_focal or 0) for each in details],
            "Only as the reference": [count_text(each.only_reference or 0) for each in details],
            "Flip rate": [_percent(each.flip_rate) for each in details],
            "p": [p_text(each.tests[0].p if each.tests else None) for each in groups.flips],
            "p, McNemar": [p_text(each.p_mcnemar) for each in details],
        }
        parts.append(
            Part(
                heading="At a cut-off",
                text=[
                    f"Counted as selected: {'a rank up to' if cutoff.measured_in == 'places' else 'a score above'} "
                    f"{value} ({cutoff.method}). McNemar's p takes all pairs as independent; the first p lets résumés, "
                    "and from 10 names on names, vary."
                ],
                tables=[_table("Decisions that flip with the arm", columns)],
            )
        )
    known = [each for each in groups.moves if Moves.of(each).n_places]
    if known:
        moves = [Moves.of(each) for each in known]
        top = moves[0].top
        ranks = Scale(decimals=2, signed=True)
        columns = {
            "Comparison": [comparison(each) for each in known],
            "Places gained": [ranks.number(each.estimate, apart=(0.0,)) for each in known],
            f"{confidence_text(known[0].confidence)} CI": [interval_of(each, ranks) for each in known],
            "Moved": [f"{count_text(each.moved or 0)} of {count_text(each.n_places or 0)}" for each in moves],
            "Largest move": [ranks.number(each.largest_move, signed=False) for each in moves],
            f"Into the top {top}": [count_text(each.entered or 0) for each in moves],
            f"Out of the top {top}": [count_text(each.left or 0) for each in moves],
        }
        text = "By how many places somebody rises among the others of the position, who keep their scores."
        parts.append(Part(heading="Ranks", text=[text], tables=[_table("Ranks that move with the arm", columns)]))
    return Section(name="decisions", heading="Decisions and ranks", parts=parts) if parts else None


def _percent(share: float | None) -> str:
    return ABSENT if share is None else f"{100 * share:.1f} %"


def _tests(groups: PerturbGroups) -> Section | None:
    rows = [(each, test) for each in groups.whole for test in each.tests]
    if not rows:
        return None
    columns = {
        "Comparison": [comparison(each) for each, _ in rows],
        "Test": [test.name for _, test in rows],
        "Statistic": [Scale(decimals=3).number(test.statistic) for _, test in rows],
        "p": [p_text(test.p) for _, test in rows],
    }
    if any(test.reason for _, test in rows):
        columns["Note"] = [test.reason or "" for _, test in rows]
    methods = listing(list(dict.fromkeys(each.method for each in groups.whole)))
    return Section(
        name="tests",
        heading="Tests beside each other",
        text=[
            f"The verdicts follow the first one of each comparison ({methods}). The pooled t test of independent "
            "samples is the one that studies of this kind publish: it ignores that both arms hold the same résumés."
        ],
        parts=[Part(heading="Every test, before p is adjusted", tables=[_table("Tests", columns)], folded=True)],
    )


def _unread(groups: PerturbGroups) -> Section | None:
    if not groups.unread or not groups.unread[0].estimate:
        return None
    scale = scale_of(groups.unread[0])
    arms = {
        "Arm": [each.slice.get("arm", "all") for each in groups.unread],
        "Without a score": [scale.text(each.estimate) for each in groups.unread],
        "Answers": [count_text(each.n) for each in groups.unread],
        "Why": [
            listing([f"{in_words(name)} {count_text(n)}" for name, n in Statuses.of(each).statuses.items()]) or ABSENT
            for each in groups.unread
        ],
    }
    rows = groups.unread_differences
    tables = [_table("Answers without a score, by arm", arms)]
    if rows:
        own = scale_of(rows[0])
        differences = {
            "Comparison": [comparison(each) for each in rows],
            "Difference": [own.text(each.estimate, apart=(0.0,)) for each in rows],
            f"{confidence_text(rows[0].confidence)} CI": [interval_of(each, own) for each in rows],
            "p": [p_text(each.tests[0].p if each.tests else None) for each in rows],
        }
        tables.append(_table("Is a score lacking more often in one arm?", differences))
    return Section(
        name="unread",
        heading="Unread scores",
        text=[
            "Pairs of which one side has no score stand in no difference. Where scores are lacking in one arm more "
            "often, that is a finding of its own."
        ],
        parts=[Part(tables=tables)],
    )


def _left_out(groups: PerturbGroups) -> Section | None:
    if not groups.left_out or not groups.left_out[0].estimate:
        return None
    every = groups.left_out[0]
    scale = scale_of(every)
    columns = {
        "Group": [
            group_label(tuple(each.focal.values())) or ("all" if each is every else "unknown")
            for each in groups.left_out
        ],
        "Left out": [scale.text(each.estimate) for each in groups.left_out],
        "Résumés": [count_text(each.n) for each in groups.left_out],
        "Reasons": [
            listing([f"{reason} ({count_text(n)})" for reason, n in LeftOutReasons.of(each).reasons.items()]) or ABSENT
            for each in groups.left_out
        ],
    }
    return Section(
        name="left-out",
        heading="Résumés left out",
        text=["A résumé in which a word of the name could remain can't be shown under another name."],
        parts=[Part(tables=[_table("Résumés left out, by group", columns)])],
    )


def _moved(groups: PerturbGroups, audit: PerturbAudit) -> Section | None:
    if not audit.pairs:
        return None
    scale = scale_for(groups.whole)
    plain = Scale(decimals=scale.decimals)
    rows = audit.pairs
    columns = {
        "Names": [f"{each.name} {MINUS} {each.reference_name}" for each in rows],
        "Position": [_title(each.position, audit) for each in rows],
        "Arm": [
            f"{ARM_WORDS.get(each.kind, each.kind)}: {labelled({}, each.group)} {MINUS} {labelled({}, each.reference)}"
            for each in rows
        ],
        "Scores": [f"{plain.number(abs(each.score))} and {plain.number(abs(each.reference_score))}" for each in rows],
        "Difference": [scale.number(each.score - each.reference_score) for each in rows],
    }
    beside = [shown for shown in (texts_beside(each, plain) for each in rows) if shown is not None]
    texts = [
        Part(heading=f"{' and '.join(shown.labels)}, side by side", beside=[shown], folded=place > 0)
        for place, shown in enumerate(beside)
    ]
    return Section(
        name="moved",
        heading="The pairs that moved most",
        text=[
            "Extremes are no evidence: among many pairs some differ widely by chance. They show what a scorer reacts "
            "to."
        ],
        parts=[Part(tables=[_table("The same résumé under two names, the widest differences first", columns)]), *texts],
    )


def _names(audit: PerturbAudit) -> Section | None:
    if not audit.names:
        return None
    rows = sorted(audit.names, key=lambda each: (each.shown_in, each.matched, each.group))
    columns = {
        "Names": [each.name for each in rows],
        "Group": [labelled({}, each.group) for each in rows],
        "Stands in": [each.shown_in for each in rows],
        "Matched set": [count_text(each.matched + 1) for each in rows],
        "Letters": [count_text(each.length) for each in rows],
    }
    note = f" {audit.names_note[:1].upper()}{audit.names_note[1:]}." if audit.names_note else ""
    return Section(
        name="names",
        heading="Names",
        text=[f"Names of a set are alike in {listing(list(audit.matched_on))}, one of each group.{note}"],
        parts=[Part(heading=f"The {len(rows):,} names", tables=[_table("Names chosen", columns)], folded=True)],
    )
