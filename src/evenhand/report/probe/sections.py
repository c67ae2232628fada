"""The page of one probe: its summary and its sections.

Each section takes the findings it needs from `ProbeGroups` and is absent where there are none. The probe's card is
rendered from Markdown.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache, partial
from math import inf
from typing import Final

from markdown_it import MarkdownIt
from markdown_it.token import Token
from markupsafe import Markup

from evenhand.report import population
from evenhand.report.charts.axes import MarkedLine
from evenhand.report.charts.lines import FittedLine, ScatterPoint, scatter_chart
from evenhand.report.page import parts as page_parts
from evenhand.report.page.contents import MODEL, Page, PageText, other_parameters, parameter_rows, undetected_section
from evenhand.report.page.contents import SAVED as OF_SAVED
from evenhand.report.probe import summary, unread
from evenhand.report.probe.headline import headline_part, headline_section, instruction_section, slice_section
from evenhand.report.words import results
from evenhand.report.words.numbers import (
    ABSENT,
    PERCENT,
    Scale,
    count_text,
    p_text,
    percent_text,
    scale_of,
    simulated_share,
)
from evenhand.results import measures as results_measures
from evenhand.results.audit import ProbeAudit, ProtectedQuestion, Regression
from evenhand.results.finding import Bin, Finding, GroupRatio, Word
from evenhand.results.probe_groups import SLOT, Fit, Headline, ProbeGroups, Scores, StepGroups
from evenhand.results.result import Result

#: The card lies below a heading of the second level.
_ABOVE, _DEEPEST = 2, 6
WEB = ("https://", "http://")


@lru_cache(maxsize=8)
def card_html(card: str) -> Markup:
    r"""Return a card as HTML: no tags of its own, links with their addresses to be seen, no pictures.

    >>> print(card_html("# Card\n\nSee [the study](https://example.org) & <b>more</b>."), end="")
    <h3>Card</h3>
    <p>See the study (<a href="https://example.org">https://example.org</a>) &amp; &lt;b&gt;more&lt;/b&gt;.</p>
    """
    parser = MarkdownIt("commonmark", {"html": False, "xhtmlOut": False}).enable("table").disable("image")
    tokens = parser.parse(card)
    for token in tokens:
        _fit(token)
    # Without HTML of the card's own, all that is written is tags of Markdown and escaped text.
    return Markup(parser.renderer.render(tokens, parser.options, {}))  # noqa: S704


def _fit(token: Token) -> None:
    """Change a token to what the page has: headings of its levels, classes for styles, addresses for links."""
    if token.type in {"heading_open", "heading_close"}:
        token.tag = f"h{min(int(token.tag[1:]) + _ABOVE, _DEEPEST)}"
    elif token.type in {"th_open", "td_open"}:
        # The page's policy allows no styles in tags.
        is_number = "right" in str(token.attrs.pop("style", ""))
        token.attrs |= ({"class": "number"} if is_number else {}) | ({"scope": "col"} if token.tag == "th" else {})
    elif token.type == "fence":
        token.info = ""
    elif token.children:
        token.children = _with_addresses(token.children)


def _with_addresses(children: list[Token]) -> list[Token]:
    """Return the tokens with each link as its words and, in brackets, its address, so that it is visible."""
    fitted: list[Token] = []
    address, bare = "", False
    for child in children:
        if child.type == "link_open":
            address, bare = str(child.attrGet("href") or ""), child.info == "auto"
        elif child.type == "link_close":
            fitted += _linked(address) if bare else [_text(" ("), *_linked(address), _text(")")]
            bare = False
        elif not bare:
            fitted.append(child)
    return fitted


def _linked(address: str) -> list[Token]:
    """Return an address as a link, if it is one of the web."""
    if not address.startswith(WEB):
        return [_text(address)]
    return [Token("link_open", "a", 1, attrs={"href": address}), _text(address), Token("link_close", "a", -1)]


def _text(content: str) -> Token:
    return Token("text", "", 0, content=content)


WORD = "word"
#: Words drawn per direction; the table below the chart has all that are findings.
MOST_WORDS_PLOTTED = 15


def word_section(groups: ProbeGroups) -> page_parts.Section | None:
    """Return the words that differ, and length and refusals per group; None without documents."""
    words, coded = groups.words, groups.coded_words
    parts = []
    if words:
        parts.append(
            page_parts.Part(
                heading="All words", figures=[_figure(_plotted_words(words), words, "Words that differ most")]
            )
        )
        if coded:
            title = "Terms of the inventories that differ most"
            parts.append(
                page_parts.Part(
                    heading="Terms of the inventories", figures=[_figure(_plotted_words(coded), coded, title)]
                )
            )
    for findings, heading in ((groups.lengths, "Length in words"), (groups.refusals, "Refusals")):
        if findings:
            table = page_parts.estimate_table(findings, caption=heading, first="Documents of")
            parts.append(page_parts.Part(tables=[table]))
    if not parts:
        return None
    text = [
        "The log odds ratio shows how much more one group's documents use a word; it is drawn to 0 by what both use "
        "together (Monroe, Colaresi and Quinn 2008). Names and pronouns are left out, documents are resampled. The "
        "words were chosen post hoc; the adjusted p takes all words that were tested into account."
    ]
    return page_parts.Section(
        name="words", folded=True, heading="Words of the documents", text=text if words else [], parts=parts
    )


def _plotted_words(findings: Sequence[Finding]) -> list[Finding]:
    """Return the words farthest from 0 on each side, in the order of the table."""
    order = sorted(findings, key=lambda finding: finding.estimate or 0.0, reverse=True)
    if len(order) <= 2 * MOST_WORDS_PLOTTED:
        return order
    return [*order[:MOST_WORDS_PLOTTED], *order[-MOST_WORDS_PLOTTED:]]


def _figure(drawn: Sequence[Finding], findings: Sequence[Finding], title: str) -> page_parts.Figure:
    focal, reference = results.group_label(drawn[0].focal), results.group_label(drawn[0].reference)
    full = sorted(findings, key=lambda finding: finding.estimate or 0.0, reverse=True)

    def word(finding: Finding) -> str:
        return finding.slice[WORD]

    table = page_parts.estimate_table(
        full,
        caption=title,
        first="Word",
        label=word,
        extra={
            f"In {focal} documents": lambda finding: count_text(Word.of(finding).count_focal),
            f"In {reference} documents": lambda finding: count_text(Word.of(finding).count_reference),
            "Coded": lambda finding: Word.of(finding).coded or "",
        },
        folded=True,
    )
    return page_parts.interval_figure(
        drawn,
        title=title,
        note=f"Right of 0: more in documents for {focal} names; left: for {reference} names.",
        label=word,
        tables=[table],
        lines=[MarkedLine(value=0.0)],
        axis="log odds ratio",
    )


def ranking_section(groups: ProbeGroups) -> page_parts.Section | None:
    """Return how candidates fare by place in the prompt and by rank, or None where nothing is ranked."""
    parts = []
    if groups.slots:
        parts.append(page_parts.Part(heading="By place in the prompt", figures=[_slots(groups.slots)]))
    if groups.ranges:
        parts.append(
            page_parts.Part(heading="Tests over all groups and slots at once", tables=[_range_table(groups.ranges)])
        )
    for findings, heading, note in (
        (groups.ranks, "Mean rank", "1 is the best rank. Only rankings that name every candidate are used."),
        (
            groups.unranked,
            "Candidates left out of rankings",
            "A candidate that an answer leaves out has no rank, not the last.",
        ),
    ):
        if findings:
            parts.append(
                page_parts.Part(
                    heading=heading, text=[note], tables=[page_parts.estimate_table(findings, caption=heading)]
                )
            )
    if not parts:
        return None
    return page_parts.Section(name="rankings", folded=True, heading="Ranks and places", parts=parts)


def _slots(findings: Sequence[Finding]) -> page_parts.Figure:
    chance = 1 / len(findings)
    return page_parts.interval_figure(
        findings,
        title="Share of prompts won, by place in the prompt",
        note="The dashed line is an equal share. Where prompts are mirrored, both genders hold every place in turn, so "
        "an effect of the place does not pass for one of gender.",
        first="Place",
        label=lambda finding: f"Place {finding.slice[SLOT]}",
        lines=[MarkedLine(value=scale_of(findings[0]).shown(chance))],
    )


def _range_table(findings: Sequence[Finding]) -> page_parts.Table:
    lines = []
    for finding in findings:
        test = finding.tests[0] if finding.tests else None
        points = scale_of(finding).number(finding.estimate)
        sentence = f"{results.capital(_label(finding.focal))} {points} points above {_label(finding.reference)}"
        statistic = ABSENT if test is None or test.statistic is None else f"{test.statistic:.2f}"
        name = "" if test is None else test.name + (f" ({test.reason})" if test.reason else "")
        lines.append([sentence, name, statistic, p_text(test.p if test else None)])
    return page_parts.table(
        "The largest difference was chosen post hoc; the test takes all differences at once",
        ("Widest gap of win rates", "Test", "F", "p"),
        lines,
    )


def _label(group: Mapping[str, str]) -> str:
    return f"place {group[SLOT]}" if SLOT in group else results.group_label(group)


def trend_section(groups: ProbeGroups, audit: ProbeAudit) -> page_parts.Section | None:
    """Return the share along a context number with each group's line, or None."""
    regression = audit.regression or Regression()
    against, measure = regression.against, regression.measure
    bins, fits = groups.bins, groups.fits
    if not bins and not fits:
        return None
    label, heading = (
        regression.label or results.in_words(str(against)),
        results.capital(results.in_words(measure or "share")),
    )
    known = [finding for finding in bins if finding.estimate is not None]
    points = [
        ScatterPoint(
            at=Bin.of(finding).mean or 0.0,
            estimate=100 * (finding.estimate or 0.0),
            low=PERCENT.shown(finding.low),
            high=PERCENT.shown(finding.high),
            series=results.capital(results.group_label(finding.focal)),
            text=f"{results.group_label(finding.focal)}, {next(iter(finding.slice.values()))}: "
            f"{results.value_text(finding)}",
        )
        for finding in known
    ]
    ends = [end for finding in bins for end in (Bin.of(finding).low, Bin.of(finding).high) if end is not None]
    domain = (min(ends, default=0.0), max(ends, default=1.0))
    lines = [_line(fit, domain) for fit in fits]
    tables = []
    if bins:
        by = results.in_words(str(against))
        tables.append(replace(_bin_table(bins, caption=f"{heading} by {by}", first=results.capital(by)), folded=True))
    if fits:
        tables.append(_fit_table(groups, against=results.in_words(str(against))))
    if not points and not lines:
        return None
    note = "Dots are the shares within a band of the scale, drawn at its mean, with their intervals."
    if lines:
        note += " The straight lines are each group's least-squares fit to the single items, not to the dots."
    figure = page_parts.Figure(
        title=f"{heading} by {results.in_words(str(against))}",
        note=note,
        chart=lambda width: scatter_chart(
            points, lines, title=f"{heading}, %", along=label, domain=domain, width=width
        ),
        tables=tables,
    )
    return page_parts.Section(
        name="trend",
        heading=f"{heading} by {results.in_words(str(against))}",
        folded=True,
        parts=[page_parts.Part(figures=[figure])],
    )


def _bin_table(bins: Sequence[Finding], *, caption: str, first: str) -> page_parts.Table:
    """Return one line per bin, with the estimate, interval and n of each group side by side."""
    groups = list(dict.fromkeys(results.group_label(finding.focal) for finding in bins))
    cells: dict[str, dict[str, list[str]]] = {}
    for finding in bins:
        scale = scale_of(finding)
        texts = [scale.text(finding.estimate), scale.interval(finding.low, finding.high), count_text(finding.n)]
        cells.setdefault(next(iter(finding.slice.values())), {})[results.group_label(finding.focal)] = texts
    heads = [first]
    for name in map(results.capital, groups):
        heads += [name, f"{name}, {page_parts.interval_heading(bins)}", f"{name}, n"]
    lines = [
        [label, *(cell for group in groups for cell in group_cells.get(group, [ABSENT] * 3))]
        for label, group_cells in cells.items()
    ]
    return page_parts.table(caption, heads, lines)


def _line(fit: Fit, domain: tuple[float, float]) -> FittedLine:
    slope, intercept = fit.slope, fit.intercept
    start, end = ((intercept.estimate or 0.0) + (slope.estimate or 0.0) * at for at in domain)
    return FittedLine(
        series=results.capital(results.group_label(slope.focal)),
        at=domain[0],
        estimate=100 * start,
        end_at=domain[1],
        end=100 * end,
        text=f"{results.group_label(slope.focal)}, fitted line: slope {results.value_text(slope)}",
    )


def _fit_table(groups: ProbeGroups, *, against: str) -> page_parts.Table:
    slopes, contrast = [fit.slope for fit in groups.fits], groups.slope_contrast
    findings = [*slopes, *([contrast] if contrast else [])]
    intercepts = {fit.slope.name: fit.intercept for fit in groups.fits}
    return page_parts.estimate_table(
        findings,
        caption=f"Slopes on {against}: the change of the share from 0 to 1 on the scale",
        label=lambda finding: (
            "Difference" if finding is contrast else results.capital(results.group_label(finding.focal))
        ),
        estimate="Slope",
        extra={"Intercept": lambda finding: results.estimate_text(intercepts.get(finding.name))},
    )


STANDARDISED = (
    "A difference over the standard deviation of the scores within the groups; by Cohen's convention 0.2 is small, "
    "0.5 medium and 0.8 large."
)
INTERACTION = (
    "The difference among the best qualified minus that among the least qualified: where it is not 0, the name counts "
    "more for some applicants than for others."
)
RANKS = (
    "The share of the other scores for the same {position} that are lower; ties count half. Without a difference both "
    "groups have one half."
)
NOISE = "The standard deviation of repeated scores of the same prompt: the random variation of a single score."


def score_section(groups: ProbeGroups, audit: ProbeAudit) -> page_parts.Section | None:
    """Return the section, or None where nothing is scored."""
    scores = groups.scores
    if scores is None:
        return None
    position = "position" if audit.scored is None else results.in_words(audit.scored.ranked_within)
    parts = [
        _part("Standardised differences", STANDARDISED, scores.standardized),
        _part(f"Rank within the {position}", RANKS.format(position=position), scores.outranked),
        _part("By qualification", INTERACTION, scores.interactions),
        _part("Repetitions", NOISE, scores.repetitions),
    ]
    return page_parts.Section(
        name="scores",
        folded=True,
        heading="Reference values of the differences",
        parts=[part for part in parts if part is not None],
    )


def cutoff_sentence(scores: Scores) -> list[str]:
    """Return what a score must exceed to count as selected."""
    if scores.cutoff is None:
        return []
    value = scale_of(scores.cutoff).text(scores.cutoff.estimate)
    return [f"Counted as selected: a score above {value} ({scores.cutoff.method})."]


def _part(heading: str, text: str, findings: Sequence[Finding]) -> page_parts.Part | None:
    return (
        page_parts.Part(
            heading=heading,
            text=[text],
            tables=[page_parts.estimate_table(findings, caption=heading, first="Names")],
            folded=True,
        )
        if findings
        else None
    )


FOUR_FIFTHS_LINE = 0.8  # drawn only; the verdict 'below' comes with each finding (29 CFR 1607.4(D))
#: What groups are compared on, by the column of its sets where that says too little.
SETS = {"matched": "matched applications"}
FOUR_FIFTHS_WORDS = {
    "below": "below 0.8",
    "not_below": "not below 0.8",
    "above": "above 1.25",
    "not_computable": "not computable",
}


def paired_sentences(groups: ProbeGroups, audit: ProbeAudit) -> list[str]:
    """Return on what the differences between groups rest: on sets with both, or on all scores."""
    if audit.scored is None:
        return []
    sets = results.listing([SETS.get(column, results.in_words(column)) for column in audit.scored.sets])
    computed = [headline.finding for headline in groups.headline if headline.finding.estimate is not None]
    unpaired = [finding for finding in computed if results_measures.NOT_PAIRED in finding.method]
    paired = (
        f"Groups are compared on the same {sets}. Their difference is free of the variation between these, which the "
        "interval of a mean includes."
    )
    not_paired = f"“not paired” stands where the same {sets} never came with both groups: all scores are compared."
    return [*([paired] if not computed or len(unpaired) < len(computed) else []), *([not_paired] if unpaired else [])]


def group_section(groups: ProbeGroups, audit: ProbeAudit) -> page_parts.Section | None:
    """Return rates and impact ratios of intersections, or None."""
    parts = [page_parts.Part(figures=[_rates(findings, measure)]) for measure, findings in groups.rates.items()]
    if groups.ratios:
        parts.append(page_parts.Part(figures=[_ratios(groups.ratios)]))
    if not parts:
        return None
    keys = list(next(iter((*groups.rates.values(), groups.ratios)))[0].focal)
    heading = f"By {results.listing([results.in_words(key) for key in keys])}"
    text = [] if groups.scores is None else [*cutoff_sentence(groups.scores), *paired_sentences(groups, audit)]
    return page_parts.Section(name="groups", heading=heading, text=text, parts=parts)


def _rates(findings: Sequence[Finding], measure: str) -> page_parts.Figure:
    keys = list(findings[0].focal)
    title = results.capital(
        f"{results.in_words(measure)} by {results.listing([results.in_words(key) for key in keys])}"
    )
    table = page_parts.estimate_table(findings, caption=title, folded=True)
    return page_parts.interval_figure(
        findings,
        title=title,
        note="Each dot is one group, with its interval. The axis need not begin at 0.",
        label=lambda finding: results.capital(results.in_words(finding.focal.get(keys[0], ""))),
        series=lambda finding: results.capital(
            " ".join(results.in_words(finding.focal.get(key, "")) for key in keys[1:])
        ),
        tables=[table],
    )


def _ratios(findings: Sequence[Finding]) -> page_parts.Figure:
    reference = next((results.group_label(finding.reference) for finding in findings if finding.reference), "")
    title = "Impact ratio by group" + (f", against {reference} (the highest rate)" if reference else "")
    correction = results.corrected_by(findings)

    def group(finding: Finding) -> str:
        return results.capital(results.group_label(finding.focal))

    highest = percent_text(GroupRatio.of(findings[0]).rate_reference)
    table = page_parts.estimate_table(
        findings,
        caption=f"The group's rate divided by the highest rate, {highest}"
        + (f". p is corrected: {correction}" if correction else ""),
        label=group,
        extra={
            "Rate": lambda finding: percent_text(GroupRatio.of(finding).rate_focal),
            "Four-fifths": lambda finding: _four_fifths(GroupRatio.of(finding).four_fifths),
        },
        without={"Clusters"},
        folded=True,
    )
    return page_parts.interval_figure(
        findings,
        title=title,
        note=(
            "The dashed line at 0.8 is the four-fifths rule of thumb of US enforcement agencies (29 CFR 1607.4(D)). "
            "Whether a ratio is below it is decided on the counts, before rounding."
        )
        + _false_positives(findings),
        label=group,
        tables=[table],
        lines=[MarkedLine(value=FOUR_FIFTHS_LINE, text="0.8"), MarkedLine(value=1.0, text="1")],
        axis="Impact ratio",
    )


def _false_positives(findings: Sequence[Finding]) -> str:
    """Return the false-positive rate of the four-fifths rule on this table."""
    rate = next((r for finding in findings if (r := GroupRatio.of(finding).over_flagging_rate) is not None), None)
    if rate is None:
        return ""
    return (
        f" The false-positive rate of the rule on this table is {simulated_share(rate)}: so often some group falls "
        "below 0.8 when decisions are permuted at random."
    )


def _four_fifths(verdict: str | None) -> str:
    return "" if verdict is None else FOUR_FIFTHS_WORDS.get(verdict, verdict)


def _compatible_summary(findings: Sequence[Finding], package: str) -> page_parts.PageSummary:
    """Return the measures of the whole run under another package's names."""
    whole = [finding for finding in findings if not finding.slice]
    omitted = len(findings) - len(whole)
    table = page_parts.estimate_table(
        whole,
        caption=f"By the definitions of {package}",
        first="Measure",
        label=lambda finding: finding.name,
        without={"p", "p, adjusted", page_parts.CLUSTERS},
    )
    more = [f"{count_text(omitted)} more, of parts of the run, are in findings.json."] if omitted else []
    return page_parts.PageSummary(sentences=more, tables=[table])


def probe_summary(content: Result[ProbeAudit, ProbeGroups]) -> page_parts.PageSummary:
    """Return the first screen: figures, sentences, next steps."""
    groups, audit = content.groups, content.audit
    if audit.compat:
        return _compatible_summary(content.findings, audit.compat)
    steps = summary.probe_steps(groups, audit)
    if groups.population:
        against = groups.population
        return page_parts.PageSummary(
            sentences=[
                *population.population_sentences(against, audit),
                *summary.unread_sentences(groups, audit),
                *unread.bounds_sentences(groups.bounded, audit),
            ],
            tables=population.population_tables(against),
            steps=steps,
        )
    if groups.steps:
        return steps_summary(groups, audit)
    rows = [summary.HeadlineSentences(headline=headline, audit=audit) for headline in groups.headline]
    known = [row for row in rows if row.headline.finding.estimate is not None]
    return page_parts.PageSummary(
        sentences=[
            *unread.with_bounds(summary.summary_sentences(groups.headline, audit), groups, audit),
            *summary.unread_sentences(groups, audit),
            *summary.exploratory_sentences(groups.race, groups.parts, groups.headline, audit),
        ],
        tables=[summary.headline_table(rows)] if known else [],
        steps=steps,
    )


def steps_summary(groups: ProbeGroups, audit: ProbeAudit) -> page_parts.PageSummary:
    """Return the first screen of a process in steps: the differences, and one line per step in the table."""
    first = {step.headline[0].finding.name for step in groups.steps if step.headline}
    rows = [summary.HeadlineSentences(headline=headline, audit=audit) for headline in groups.headline]
    known = [row for row in rows if row.headline.finding.estimate is not None]
    telling = [row.headline for row in known if row.headline.finding.is_difference]
    written = [
        Headline(finding=finding, groups=())
        for step in groups.steps
        for finding in step.texts
        if finding.claim is not None and finding.is_difference and finding.claim.is_large(finding.n)
    ]
    lacking, leads = summary.unreadable_sentence(audit, ["what the steps do"])
    unjudged = [row for row in rows if row.headline.finding.verdict == "not_judged"]
    quiet, compared = len(rows) - len(telling) - len(unjudged), f"of the {len(rows)} comparisons of the whole pile"
    fixed = _held_fixed([row.headline.finding for row in known])
    others = f"{'the other ' if telling and not unjudged else ''}{quiet} {compared} no"
    sentences = [
        *summary.summary_sentences(telling, replace(audit, statuses={})),
        *([f"In {others} statistically significant difference was detected.{fixed}"] if 0 < quiet < len(rows) else []),
        *(
            [f"In none {compared} was a statistically significant difference detected.{fixed}"]
            if quiet == len(rows)
            else []
        ),
        *([f"{len(unjudged)} {compared} could not be judged."] if unjudged and not leads else []),
        *_arm_sentences(groups, audit),
        *(
            f"Exploratory: {sentence[:1].lower()}{sentence[1:]}"
            for sentence in summary.summary_sentences(written, replace(audit, statuses={}))
        ),
        *summary.unread_sentences(groups, audit),
    ]
    if lacking:
        sentences.insert(0 if leads else len(sentences), lacking)
    # One unit a table, so that each row has its interval.
    tables = [
        replace(summary.headline_table(part), folded=folded)
        for folded in (False, True)
        for unit in dict.fromkeys(row.headline.finding.measured_in for row in known)
        if (
            part := [
                row
                for row in known
                if (row.headline.finding.measured_in, row.headline.finding.name not in first) == (unit, folded)
            ]
        )
    ]
    return page_parts.PageSummary(
        sentences=sentences,
        tables=tables,
        steps=summary.probe_steps(groups, audit),
    )


#: What may be held fixed, by its name as a cluster.
FIXED = {"pile": "piles", "resume": "résumés", "position": "positions"}


def _held_fixed(findings: Sequence[Finding]) -> str:
    """Return in a sentence what none of the intervals lets vary; nothing where all do, or where there is none."""
    varying = {name for finding in findings if finding.low is not None for name in finding.clusters}
    fixed = [label for name, label in FIXED.items() if name not in varying]
    if not varying or not fixed:
        return ""
    held = results.capital(results.listing(fixed))
    return f" {held} are fixed: the intervals don't include how a difference varies between them."


#: How known quality is recognised, in a sentence.
QUALITIES = {results_measures.QUALITY_SLOPE: "slope", results_measures.QUALITY_AUC: "AUC"}
#: How an arm begins a sentence.
WITH_ARM = {"instructed": "With an instruction not to discriminate", "masked": "With masked applications"}


def _arm_sentences(groups: ProbeGroups, audit: ProbeAudit) -> list[str]:
    """Return in a sentence what each arm changed in the comparisons, or which change would have been found."""
    plain = {row.finding.measure: row.finding for row in groups.headline}
    changes: dict[str, list[Finding]] = {}
    quality: dict[str, list[Finding]] = {}
    own: dict[tuple[str, str, str], Finding] = {}
    for finding in (finding for step in groups.steps for finding in step.arms):
        arm, step = finding.focal.get(results_measures.ARM), finding.slice[results_measures.STEP]
        if arm is None or not finding.reference:
            own[arm or finding.slice[results_measures.ARM], step, finding.measure] = finding
        elif finding.measure in plain:
            changes.setdefault(arm, []).append(finding)
        elif finding.measure in QUALITIES:
            quality.setdefault(arm, []).append(finding)

    def value(arm: str, row: Finding) -> str:
        return results.estimate_text(own[arm, row.slice[results_measures.STEP], row.measure])

    sentences = []
    for arm, findings in changes.items():
        named = [
            f"{results.sentence_case(results.heading_of(row, audit))}, "
            f"from {results.estimate_text(plain[row.measure])} to {value(arm, row)} ({results.change_text(row)})"
            for row in _changed(findings)
        ]
        text = f"{_of_changes(findings, 'differences', named)}{_found(_quiet(findings), plain, audit)}"
        sentence = f"{WITH_ARM.get(arm, f'In the arm {arm}')}, {text}."
        if rows := quality.get(arm):
            named = [
                f"the {QUALITIES[row.measure]} in the step {row.slice[results_measures.STEP]}, to {value(arm, row)} "
                f"({results.change_text(row)})"
                for row in _changed(rows)
            ]
            text = _of_changes(rows, "slopes and AUCs on known quality", named)
            sentence += f" {results.capital(text)}{_auc_found(_quiet(rows))}."
        sentences.append(sentence)
    return sentences


def _changed(findings: Sequence[Finding]) -> list[Finding]:
    return sorted((row for row in findings if row.is_difference), key=_strength, reverse=True)


def _quiet(findings: Sequence[Finding]) -> list[Finding]:
    return [row for row in findings if row.verdict == "no_difference_detected"]


def _of_changes(findings: Sequence[Finding], what: str, named: Sequence[str]) -> str:
    """Return how many of some comparisons an arm changed, naming the largest."""
    quiet, of = len(_quiet(findings)), f"of the {len(findings)} {what}"
    unjudged, more = len(findings) - len(named) - quiet, len(named) - summary.NAMED
    shown = f"{len(named)} {of} changed: {'; '.join(named[: summary.NAMED])}"
    text = [f"{shown}{f'; {more} more' if more > 0 else ''}"] if named else []
    others = f"the other {quiet}" if named else f"{quiet} {of}" if unjudged else f"any {of}"
    text += [f"no change was detected in {others}"] if quiet else []
    text += [f"{unjudged} could not be judged"] if unjudged else []
    return ", and ".join(text)


def _strength(finding: Finding) -> float:
    return abs((finding.claim.statistic if finding.claim is not None else None) or 0.0)


def _found(quiet: Sequence[Finding], plain: Mapping[str, Finding], audit: ProbeAudit) -> str:
    """Return which change of the first comparison of a step would have been found, the largest of each unit."""
    sizes: dict[str, str] = {}
    beyond: dict[str, str] = {}
    pairs = {tuple(map(results.group_label, (row.focal, row.reference))): None for row in plain.values()}
    first = next(iter(pairs), None)
    known = [
        (-row.claim.detectable, row)
        for row in quiet
        if row.claim is not None
        and row.claim.detectable is not None
        and tuple(map(results.group_label, (plain[row.measure].focal, plain[row.measure].reference))) == first
    ]
    for size, row in sorted(known, key=lambda pair: pair[0]):
        scale, most = results.points_scale(row), 1.0 if row.measured_in == "share" else inf
        number = f"{scale.number(min(size, most), signed=False)}{scale.long_suffix}"
        (sizes if size <= most else beyond)[row.measured_in] = f"{number} ({audit.quantities[row.measure]})"
    if not known or first is None:
        return ""
    between, not_even = " and ".join(first), f"not even a change of {' or '.join(beyond.values())}"
    power = f"between {between} names would be detected with 80 % statistical power"
    if not sizes:
        return f"; {not_even} {power}"
    found = f"; a change of {' or '.join(sizes.values())} {power}"
    return f"{found}, and {not_even}" if beyond else found


def _auc_found(quiet: Sequence[Finding]) -> str:
    """Return which change of the AUC would have been found in each step where none was."""
    known = [
        -row.claim.detectable
        for row in quiet
        if row.measure == results_measures.QUALITY_AUC and row.claim is not None and row.claim.detectable is not None
    ]
    if not known:
        return ""
    size = Scale(decimals=3).number(max(known))
    return f"; a change of an AUC by {size} would be detected with 80 % statistical power"


#: What is said of the parts of a step.
SURVIVORS = (
    "The later steps for those whom the model itself shortlisted, with its own answers so far. The shortlist decided "
    "who is left, so the claims are about the whole pile."
)
QUALITY = (
    "How well known quality (clear 1, borderline 0.5, none 0) is recognised in each group: the slope of the judgements "
    "on it, and the probability that a clear application is judged above an unqualified one (AUC)."
)
PROTECTED = (
    "Guidance says not to ask these. US federal law prohibits, with exceptions, questions about disability before an "
    "offer (42 U.S.C. 12112(d)(2)) and requests for genetic information, which includes family medical history "
    "(42 U.S.C. 2000ff-1(b)). "
    "Most of the others alone break no federal law but may be evidence of discrimination; laws of states and other "
    "countries may prohibit them. Examples are from the answers, without names."
)
AGREEMENT = "The share of pairs of answers to the same prompt that agree on an application."
TEXTS = (
    "The number of words in the reasons or e-mails, without names, and the share of male-coded terms among the "
    "gender-coded ones (inventories of business-vocabulary), in texts that have such terms. Texts on the "
    "same application with the same decision are compared."
)
ARMS = "What an arm changes on the same piles, and how it recognises quality."


def step_section(step: StepGroups, audit: ProbeAudit) -> page_parts.Section:
    """Return what one step does, among the whole pile and among survivors."""
    further = [
        group_section(step.groups, audit),
        score_section(step.groups, audit),
        slice_section(step.groups.slices, audit),
    ]
    tables = (
        ("How quality is recognised", QUALITY, step.quality),
        ("Among the survivors of the shortlist", SURVIVORS, step.survivors),
        ("Length and words of the texts", TEXTS, step.texts),
        ("What the arms change", ARMS, step.arms),
        ("Repetitions", AGREEMENT, step.repetitions),
    )
    parts = [
        *(
            replace(headline_part(headline, audit), heading=results.heading_of(headline.finding, audit), folded=True)
            for headline in step.headline
        ),
        *(part for section in further if section is not None for part in section.parts),
        *(
            page_parts.Part(
                heading=heading,
                text=[text],
                tables=[
                    page_parts.estimate_table(
                        findings, caption=heading, first="Measure", label=partial(_step_label, audit)
                    )
                ],
                folded=True,
            )
            for heading, text, findings in tables
            if findings
        ),
    ]
    protected = [kind for kind in audit.protected or () if kind.step == step.step]
    if protected:
        parts.insert(0, _protected_part(protected))
    return page_parts.Section(name=f"step-{step.step}", heading=f"Step: {step.step}", parts=parts, folded=True)


def _protected_part(kinds: Sequence[ProtectedQuestion]) -> page_parts.Part:
    """Return what was asked about protected facts, and why not to ask it."""
    columns: dict[str, Callable[[ProtectedQuestion], str]] = {
        "About": lambda kind: results.capital(kind.about),
        "Questions": lambda kind: count_text(kind.n),
        "For example": lambda kind: kind.example or ABSENT,
        "Guidance": lambda kind: kind.guidance,
        "Lawful instead": lambda kind: kind.instead,
    }
    table = page_parts.table_of(kinds, columns, caption="Questions about protected facts, in all answers to this step")
    return page_parts.Part(heading="Questions about protected facts", text=[PROTECTED], tables=[table])


def _step_label(audit: ProbeAudit, finding: Finding) -> str:
    arm = finding.slice.get(results_measures.ARM)
    if results_measures.ARM in finding.focal and finding.measure in audit.wordings:
        # Two arms differ in a difference of groups, so the row names all four.
        return f"{results.heading_of(finding, audit)}: {page_parts.row_label(finding).lower()}"
    label = results.in_words(finding.measure.removeprefix(results_measures.DIFFERENCE))
    return f"{results.capital(label)}: {page_parts.row_label(finding)}{f' ({arm})' if arm else ''}"


def pile_sections(audit: ProbeAudit) -> list[page_parts.Section]:
    """Return one pile with the answers of all steps; nothing without them."""
    if not audit.pile:
        return []
    whole = {
        "pile": "the whole pile",
        "survivors": "whom the model shortlisted",
    }
    parts = [
        page_parts.Part(
            heading="The pile, and what the first step was asked", verbatim=audit.pile[0].prompt, folded=True
        )
    ]
    parts += [
        page_parts.Part(
            heading=f"{results.capital(answer.step)}, of {whole.get(answer.shown, answer.shown)}",
            verbatim=answer.text or "No answer came.",
        )
        for answer in audit.pile
    ]
    return [page_parts.Section(name="pile", heading="One pile with its answers", parts=parts, folded=True)]


def probe_sections(groups: ProbeGroups, audit: ProbeAudit) -> list[page_parts.Section]:
    """Return the sections that the findings give, in reading order."""
    unreadable = undetected_section(groups, audit, unread.bounds_table(groups.bounded, audit))
    if groups.population:
        more = [population.mixed_section(groups), unreadable]
        return [
            *population.population_sections(groups.population, audit),
            *(section for section in more if section is not None),
        ]
    if groups.steps:
        parts = [step_section(step, audit) for step in groups.steps]
        return [*parts, *pile_sections(audit), *([unreadable] if unreadable is not None else [])]
    sections = [
        headline_section(groups, audit),
        trend_section(groups, audit),
        group_section(groups, audit),
        ranking_section(groups),
        score_section(groups, audit),
        slice_section(groups.slices, audit),
        instruction_section(groups, audit),
        word_section(groups),
        unreadable,
    ]
    return [section for section in sections if section is not None]


def _page(text: PageText, *, saved: bool) -> Page[ProbeAudit, ProbeGroups]:
    return Page(
        opening=probe_summary,
        chapters=lambda content: probe_sections(content.groups, content.audit),
        asked=lambda content: parameter_rows(content.audit, saved=saved),
        other=lambda content: other_parameters(content.audit),
        example=lambda content: content.audit.example,
        twins=lambda content: population.counterfactual_texts(content.audit),
        card=lambda content: card_html(content.audit.card),
        text=text,
        files=lambda content: population.study_files(content.groups, content.audit),
    )


PROBE: Final = _page(MODEL, saved=False)
SAVED: Final = _page(OF_SAVED, saved=True)
