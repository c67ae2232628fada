"""The page of a perturbation test, and its sections: distributions, positions, decisions, tests, pairs, names."""

from collections.abc import Callable, Iterator, Sequence
from difflib import SequenceMatcher
from typing import Any, Final

from evenhand.patterns import lazy_re
from evenhand.report.charts.lines import Bin, distribution_chart
from evenhand.report.page.contents import PERTURBED, Page
from evenhand.report.page.parts import Figure, Part, Piece, Section, SideBySide, columns_of, table_of
from evenhand.report.perturb import words as perturb_words
from evenhand.report.perturb.summary import differences_chart, perturb_summary
from evenhand.report.words import numbers
from evenhand.report.words.results import corrected_by, group_label, in_words, listing
from evenhand.results.finding import Crossings, Finding, Flips, LeftOutReasons, Moves, PerturbedScores, Statuses
from evenhand.results.score_audit import PLACEBO, MovedPair, PerturbAudit
from evenhand.results.table_groups import PerturbGroups

#: Letters of a text on the page.
LONGEST: Final = 6_000
_WORDS: Final = lazy_re(r"\w+|\s+|[^\w\s]")


def side_by_side(pair: MovedPair, scale: numbers.Scale) -> SideBySide | None:
    """Return the texts of a pair side by side, None where they are not shown."""
    if pair.text is None or pair.reference_text is None:
        return None
    first, second = (_WORDS.findall(_cut(text)) for text in (pair.text, pair.reference_text))
    blocks = SequenceMatcher(a=first, b=second, autojunk=False).get_matching_blocks()
    return SideBySide(
        labels=(
            f"{pair.name} ({perturb_words.labelled(pair.group)}): {scale.number(abs(pair.score))}",
            f"{pair.reference_name} ({perturb_words.labelled(pair.reference)}): "
            f"{scale.number(abs(pair.reference_score))}",
        ),
        texts=(
            tuple(_pieces(first, [(block.a, block.size) for block in blocks])),
            tuple(_pieces(second, [(block.b, block.size) for block in blocks])),
        ),
    )


def _cut(text: str) -> str:
    omitted = len(text) - LONGEST
    return text if omitted <= 0 else f"{text[:LONGEST]} … ({numbers.count_text(omitted)} more letters)"


def _pieces(words: Sequence[str], blocks: Sequence[tuple[int, int]]) -> Iterator[Piece]:
    """Yield the words in pieces: the blocks that both texts share, and the marked differences between them."""
    at = 0
    for start, size in blocks:
        if start > at:
            yield Piece(text="".join(words[at:start]), marked=True)
        if size:
            yield Piece(text="".join(words[start : start + size]))
        at = start + size


#: Comparisons that are drawn in a section, and how many of them are open.
_MOST_DRAWN, _OPEN = 4, 1
#: Placebos that are drawn with a comparison.
_MOST_PLACEBOS: Final = 3
#: Rows of a chart, and of the table, of positions.
_MOST_ROWS, _MOST_POSITIONS = 60, 20
_PERCENTILES: Final = ("Least", "5 %", "25 %", "Median", "75 %", "95 %", "Largest")


def perturb_sections(groups: PerturbGroups, audit: PerturbAudit) -> list[Section]:
    """Return the sections in reading order."""
    shown = perturb_words.largest(groups)
    sections = [
        _distributions(shown, groups),
        _positions(shown, audit),
        _decisions(shown),
        _tests(shown),
        _unread(shown),
        _left_out_section(groups),
        _moved(groups, audit),
        _names(audit),
    ]
    return [section for section in sections if section is not None]


def _widest(rows: Sequence[Finding], most: int) -> list[Finding]:
    return sorted(rows, key=lambda finding: -abs(finding.estimate or 0.0))[:most]


def _figure_parts(rows: Sequence[Finding], figure: Callable[[Finding], Figure]) -> list[Part]:
    """Return the figure of each comparison, the later ones folded."""
    figures = [figure(finding) for finding in _widest(rows, _MOST_DRAWN)]
    return [
        Part(heading=drawn.title if place >= _OPEN else "", figures=[drawn], folded=place >= _OPEN)
        for place, drawn in enumerate(figures)
    ]


def _distributions(groups: PerturbGroups, all_groups: PerturbGroups) -> Section | None:
    rows = [finding for finding in groups.differences if PerturbedScores.of(finding).shares]
    if not rows:
        return None
    scale = perturb_words.scale_for(groups.whole)

    def figure(finding: Finding) -> Figure:
        sides = (finding.reference.items(), finding.focal.items())
        placebos = [placebo for placebo in groups.placebos if any(placebo.reference.items() <= side for side in sides)]
        return _distribution([finding, *placebos[:_MOST_PLACEBOS]], scale)

    spreads: dict[str, Callable[[Finding], str]] = {"Comparison": perturb_words.comparison}
    for place, name in enumerate(_PERCENTILES):
        spreads[name] = lambda finding, place=place: scale.number(PerturbedScores.of(finding).spread[place])  # type: ignore[misc]
    spread = [finding for finding in groups.whole if PerturbedScores.of(finding).spread]
    caption = f"Percentiles of the pairs' differences,{scale.long_suffix}"
    sentences = ["Each pair is one résumé for one position in two arms, under matched names or one name."]
    if groups.placebos:
        sentences.append(
            "If the outlines coincide, the group moves single scores no more than the placebo does (other names or a "
            "neutral text)."
        )
    if len(all_groups.differences) > len(groups.differences):
        sentences.append(
            f"This and the next chapters show the {len(groups.differences)} largest differences of "
            f"{len(all_groups.differences)} between groups; perturb.csv has all."
        )
    elif len(rows) > _MOST_DRAWN:
        sentences.append(f"Drawn are the {_MOST_DRAWN} comparisons with the largest differences.")
    parts = [*_figure_parts(rows, figure), Part(tables=[table_of(spread, spreads, caption=caption, folded=True)])]
    return Section(
        name="distributions", folded=True, heading="How single pairs differ", text=[" ".join(sentences)], parts=parts
    )


def _series(finding: Finding) -> str:
    label = perturb_words.comparison(finding)
    return label[:1].lower() + label[1:] if perturb_words.kind_of(finding) == PLACEBO else label


def _distribution(rows: Sequence[Finding], scale: numbers.Scale) -> Figure:
    drawn = [
        Bin(
            low=low,
            high=high,
            value=100 * share,
            text=f"{_series(finding)}, {scale.interval(low, high)}{scale.suffix}: {numbers.percent_text(share)} of "
            "pairs",
            series=_series(finding),
        )
        for finding in rows
        for details in (PerturbedScores.of(finding),)
        for low, high, share in zip(details.edges[:-1], details.edges[1:], details.shares, strict=True)
    ]
    return Figure(
        title=perturb_words.comparison(rows[0]),
        note="The first and the last bin include what lies beyond them.",
        chart=lambda width: distribution_chart(
            drawn,
            title="% of pairs",
            along=f"difference of {perturb_words.measured(scale)},{scale.long_suffix}",
            width=width,
        ),
        tables=[],
    )


def _positions(groups: PerturbGroups, audit: PerturbAudit) -> Section | None:
    rows = [finding for finding in groups.single if perturb_words.kind_of(finding) != PLACEBO]
    if not rows:
        return None
    scale = perturb_words.scale_for(rows)

    def title(finding: Finding) -> str:
        return _title(finding.slice["position"], audit)

    def figure(finding: Finding) -> Figure:
        arm = perturb_words.kind_of(finding), finding.focal, finding.reference
        arm_rows = [other for other in rows if (perturb_words.kind_of(other), other.focal, other.reference) == arm]
        most = f"the {_MOST_POSITIONS} largest of {len(arm_rows)}, " if len(arm_rows) > _MOST_POSITIONS else ""
        return Figure(
            title=f"{perturb_words.comparison(finding)}, in each position",
            note=f"Dots are differences, lines their confidence intervals; {most}the largest first.",
            chart=differences_chart(_widest(arm_rows, _MOST_POSITIONS), scale, title),
            tables=[],
        )

    columns = {
        "Position": title,
        **perturb_words.differences(rows, scale, "Difference"),
        "Pairs": lambda finding: numbers.count_text(finding.n),
        **columns_of((), "p, adjusted"),
        "Verdict": perturb_words.verdict_words,
    }
    table = table_of(
        _widest(rows, _MOST_ROWS),
        columns,
        caption=f"Differences in single positions,{scale.long_suffix}, the largest first",
    )
    more = (
        f" {numbers.count_text(len(rows) - _MOST_ROWS)} smaller ones are in perturb.csv."
        if len(rows) > _MOST_ROWS
        else ""
    )
    adjusted = corrected_by(rows)
    positions = numbers.counted(len({finding.slice["position"] for finding in rows}), "position")
    return Section(
        name="positions",
        heading="Positions",
        text=[f"Exploratory: p is corrected over all positions and arms ({adjusted or 'one comparison'}).{more}"],
        parts=[*_figure_parts(groups.differences, figure), Part(heading=positions, tables=[table], folded=True)],
    )


def _title(position: str, audit: PerturbAudit) -> str:
    return audit.titles.get(position) or position


def _decisions(groups: PerturbGroups) -> Section | None:
    parts = []
    if groups.flips and groups.cutoff is not None:
        cutoff = groups.cutoff
        ranked = cutoff.measured_in == "places"
        value = f"{cutoff.estimate:g}" if ranked else numbers.scale_of(cutoff).number(cutoff.estimate)
        columns = {
            **perturb_words.differences(groups.flips, numbers.POINTS, "Selected more or less often"),
            "Only as the group": lambda finding: numbers.count_text(Flips.of(finding).only_focal or 0),
            "Only as the reference": lambda finding: numbers.count_text(Flips.of(finding).only_reference or 0),
            "Flip rate": lambda finding: numbers.percent_text(Flips.of(finding).flip_rate),
            **columns_of((), "p, adjusted"),
            "p, McNemar": lambda finding: numbers.p_text(Flips.of(finding).p_mcnemar),
        }
        table = table_of(
            groups.flips,
            columns,
            caption="Decisions that flip with the arm; differences of shares in percentage points",
        )
        text = (
            f"Counted as selected: {'a rank up to' if ranked else 'a score above'} {value} ({cutoff.method}). "
            "McNemar's test assumes independent pairs; the first p accounts for variation between résumés and "
            "names, and is corrected for the comparisons of this table (Benjamini-Hochberg)."
        )
        parts.append(Part(heading="At a cut-off", text=[text], tables=[table]))
    known = [finding for finding in groups.moves if Moves.of(finding).n_places]
    if known:
        columns = {
            **perturb_words.differences(known, perturb_words.PLACES, "Places gained"),
            "Moved": lambda finding: (
                f"{numbers.count_text(Moves.of(finding).moved or 0)} of "
                f"{numbers.count_text(Moves.of(finding).n_places or 0)}"
            ),
            "Largest move": lambda finding: perturb_words.PLACES.number(Moves.of(finding).largest_move, signed=False),
        }
        text = "The number of places that a person rises among the others of the position, who keep their scores."
        table = table_of(known, columns, caption="Ranks that move with the arm")
        parts.append(Part(heading="Ranks", text=[text], tables=[table]))
    parts += _top_places([finding for finding in groups.tops if finding.n])
    return Section(name="decisions", heading="Decisions and ranks", parts=parts) if parts else None


def _top_places(findings: Sequence[Finding]) -> list[Part]:
    """Return who is among the first places as the group and not as the reference, or the other way round."""
    if not findings:
        return []
    top, pools = Crossings.of(findings[0]).top, [Crossings.of(finding).pools or (0, 0) for finding in findings]
    smallest, largest = min(low for low, _ in pools), max(high for _, high in pools)
    sizes = f"{smallest:,}" if smallest == largest else f"{smallest:,} to {largest:,}"

    def crossed(finding: Finding) -> str:
        crossings = Crossings.of(finding)
        if crossings.crossed_low is None or crossings.crossed_high is None:
            return numbers.percent_text(crossings.crossed)
        ends = (numbers.percent_text(end) for end in (crossings.crossed_low, crossings.crossed_high))
        return f"{numbers.percent_text(crossings.crossed)} ({' to '.join(ends)})"

    columns = {
        **perturb_words.differences(findings, numbers.POINTS, "In the top more or less often"),
        "Pairs that cross": crossed,
        "Into it": lambda finding: numbers.count_text(Crossings.of(finding).entered or 0),
        "Out of it": lambda finding: numbers.count_text(Crossings.of(finding).left or 0),
        **columns_of((), "p, adjusted"),
        "Verdict": perturb_words.verdict_words,
    }
    text = (
        f"The pool is all résumés with a score for a position ({sizes}); the others keep their mean scores as the "
        f"reference. A pair crosses if the résumé is among the first {top} in one arm only. Résumés and names vary in "
        "the intervals, and positions from ten on; p is corrected for the comparisons of this table "
        "(Benjamini-Hochberg)."
    )
    caption = f"Places in the top {top} as the group minus those as the reference, in percentage points"
    return [Part(heading=f"The top {top}", text=[text], tables=[table_of(findings, columns, caption=caption)])]


def _tests(groups: PerturbGroups) -> Section | None:
    rows = [(finding, test) for finding in groups.whole for test in finding.tests]
    if not rows:
        return None
    columns: dict[str, Callable[[Any], str]] = {
        "Comparison": lambda row: perturb_words.comparison(row[0]),
        "Test": lambda row: _accented(row[1].name),
        "Statistic": lambda row: numbers.Scale(decimals=3).number(row[1].statistic),
        "p": lambda row: numbers.p_text(row[1].p),
    }
    if any(test.reason for _, test in rows):
        columns["Note"] = lambda row: row[1].reason or ""
    methods = listing(list(dict.fromkeys(_accented(finding.method) for finding in groups.whole)))
    return Section(
        name="tests",
        heading="Tests side by side",
        text=[
            f"'Difference' follows the first test of each comparison ({methods}), 'equivalent' the two one-sided "
            "tests. The pooled t test of independent samples is the one that studies of this kind publish: it ignores "
            "that both arms hold the same résumés, and that a résumé has several scores."
        ],
        parts=[
            Part(
                heading="Every test, before p is adjusted",
                tables=[table_of(rows, columns, caption="Tests")],
                folded=True,
            )
        ],
    )


def _accented(method: str) -> str:
    return method.replace("resume", "résumé")


def _unread(groups: PerturbGroups) -> Section | None:
    if not groups.unread or not groups.unread[0].estimate:
        return None
    scale = numbers.scale_of(groups.unread[0])
    arms = {
        "Arm": lambda finding: finding.slice.get("arm", "all"),
        "Without a score": lambda finding: scale.text(finding.estimate),
        "Answers": lambda finding: numbers.count_text(finding.n),
        "Why": lambda finding: _counts(Statuses.of(finding).statuses.items()),
    }
    tables = [table_of(groups.unread, arms, caption="Answers without a score, by arm")]
    rows = groups.unread_differences
    if rows:
        caption = "Is a score lacking more often in one arm? Differences of shares in percentage points"
        tables.append(
            table_of(
                rows,
                {
                    **perturb_words.differences(rows, numbers.POINTS, "Difference"),
                    **columns_of((), "p, adjusted"),
                },
                caption=caption,
            )
        )
    return Section(
        name="unread",
        heading="Unread scores",
        text=[
            "Pairs of which one side has no score are left out of differences. Where scores are lacking in one arm "
            "more "
            "often, that is a finding of its own."
        ],
        parts=[Part(tables=tables)],
    )


def _counts(counts: Any) -> str:
    return listing([f"{in_words(name)} ({numbers.count_text(n)})" for name, n in counts]) or numbers.ABSENT


def _left_out_section(groups: PerturbGroups) -> Section | None:
    if not groups.left_out or not groups.left_out[0].estimate:
        return None
    overall = groups.left_out[0]
    scale = numbers.scale_of(overall)
    columns = {
        "Group": lambda finding: group_label(finding.focal) or ("all" if finding is overall else "unknown"),
        "Left out": lambda finding: scale.text(finding.estimate),
        "Résumés": lambda finding: numbers.count_text(finding.n),
        "Reasons": lambda finding: _counts(LeftOutReasons.of(finding).reasons.items()),
    }
    return Section(
        name="left-out",
        heading="Résumés left out",
        text=["A résumé in which a word of the name could remain can't be shown under another name."],
        parts=[Part(tables=[table_of(groups.left_out, columns, caption="Résumés left out, by group")])],
    )


def _moved(groups: PerturbGroups, audit: PerturbAudit) -> Section | None:
    if not audit.pairs:
        return None
    scale = perturb_words.scale_for(groups.whole)
    plain = numbers.Scale(decimals=scale.decimals)

    def scores(pair: MovedPair) -> str:
        return f"{plain.number(abs(pair.score))} and {plain.number(abs(pair.reference_score))}"

    columns = {
        "Names": lambda pair: f"{pair.name} {numbers.MINUS} {pair.reference_name}",
        "Position": lambda pair: _title(pair.position, audit),
        "Arm": lambda pair: (
            f"{perturb_words.arm_label(pair.kind)}: {perturb_words.labelled(pair.group)} {numbers.MINUS} "
            f"{perturb_words.labelled(pair.reference)}"
        ),
        "Scores": scores,
        "Difference": lambda pair: scale.number(pair.score - pair.reference_score),
    }
    table = table_of(audit.pairs, columns, caption="The same résumé in two arms, the widest differences first")
    comparisons = [
        comparison for comparison in (side_by_side(pair, plain) for pair in audit.pairs) if comparison is not None
    ]
    texts = [
        Part(heading=f"{' and '.join(comparison.labels)}, side by side", beside=[comparison], folded=place > 0)
        for place, comparison in enumerate(comparisons)
    ]
    caution = (
        "Extremes are not evidence: among many pairs some differ widely by chance. They show what a scorer reacts to."
    )
    return Section(
        name="moved",
        folded=True,
        heading="The pairs that moved most",
        text=[caution],
        parts=[Part(tables=[table]), *texts],
    )


def _names(audit: PerturbAudit) -> Section | None:
    if not audit.names:
        return None
    rows = sorted(audit.names, key=lambda row: (row.shown_in, row.matched, row.group))
    columns = {
        "Names": lambda row: row.name,
        "Group": lambda row: perturb_words.labelled(row.group),
        "Stands in": lambda row: row.shown_in,
        "Matched set": lambda row: numbers.count_text(row.matched + 1),
        "Letters": lambda row: numbers.count_text(row.length),
    }
    note = f" {audit.names_note[:1].upper()}{audit.names_note[1:]}." if audit.names_note else ""
    return Section(
        name="names",
        folded=True,
        heading="Names",
        text=[f"Names of a set match in {listing(list(audit.matched_on))}, one of each group.{note}"],
        parts=[
            Part(
                heading=f"The {len(rows):,} names",
                tables=[table_of(rows, columns, caption="Names chosen")],
                folded=True,
            )
        ],
    )


#: Rows of the table of all findings, above which those of single positions are in findings.csv only.
_MOST_PAIR_ROWS: Final = 200


def _displayed_findings(findings: Sequence[Finding]) -> list[Finding]:
    short = len(findings) <= _MOST_PAIR_ROWS
    return [finding for finding in findings if short or "position" not in finding.slice]


PAGE: Final[Page[PerturbAudit, PerturbGroups]] = Page(
    opening=lambda content: perturb_summary(content.groups, content.audit),
    chapters=lambda content: perturb_sections(content.groups, content.audit),
    asked=lambda content: perturb_words.perturb_parameter_rows(content.audit),
    limits=lambda content: list(content.audit.limits),
    definitions=lambda _content: list(perturb_words.DEFINITIONS),
    everything=lambda content: _displayed_findings(content.findings),
    text=PERTURBED,
)
