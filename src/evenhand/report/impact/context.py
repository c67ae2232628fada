"""The set-up, limits and terms of an analysis of applicants, and the accounting of its rows."""

from collections.abc import Iterator, Mapping
from dataclasses import replace

from evenhand.report.impact.views import people_noun
from evenhand.report.page.contents import set_up
from evenhand.report.page.parts import Part, Section, Table, table
from evenhand.report.words.numbers import count_text, counted, general_text, percent_text
from evenhand.report.words.results import capital, in_words, listing
from evenhand.results.applicant_audit import Accounting, ImpactAudit, Scores, TableAudit
from evenhand.results.impact_groups import ImpactGroups
from evenhand.results.measures import AVAILABILITY, COMMON_ODDS_RATIO, MEAN_RATIO

Definition = tuple[str, str]
CLUSTERED = "clustered"

TERMS: tuple[Definition, ...] = (
    (
        "Availability",
        "The share of a group among those who could have been there, such as the qualified people of an area. It is "
        "stated, not measured here.",
    ),
    (
        "Expected",
        "The number of a group among as many people at its stated share. The shortfall is that number minus the "
        "observed one.",
    ),
    (
        "Exact binomial test",
        "The probability, computed exactly, that as many people drawn at the stated share include a number of the "
        "group that is at most as likely as the observed one.",
    ),
    ("Selection rate", "How many of a group's applicants were selected, by a decision or by their score."),
    ("Impact ratio", "A group's selection rate divided by that of the group it is compared with."),
    (
        "Confidence interval (CI)",
        "The values that are compatible with the data. A 95 % CI is made by a method that catches the true value in 95 "
        "of 100 repetitions. That of an impact ratio is Koopman's score interval, that of a rate Wilson's; with "
        "clusters both are cluster-robust.",
    ),
    (
        "Cluster-robust",
        "An interval or a p-value that does not assume that the rows of one cluster, such as the applications to one "
        "advertisement, are independent (Cameron, Gelbach and Miller 2011).",
    ),
    (
        "Four-fifths",
        "A rule of thumb of US enforcement agencies: a rate below four fifths of the highest one is generally taken as "
        "evidence of adverse impact. It is decided on the counts, before rounding: a ratio of exactly 0.8 is not "
        "below.",
    ),
    (
        "Z",
        "The difference of the two rates in standard deviations. Beyond 1.96 it is statistically significant at "
        "0.05. The test needs enough people in each cell.",
    ),
    (
        "Fisher's exact test, mid-p",
        "The probability of a table at least as unlikely if both groups have the same chance, computed exactly for "
        "any size. The mid-p counts the table itself by half and is less conservative.",
    ),
    (
        "Statistically significant",
        "The adjusted p is below 0.05. p is the probability of a difference at least as large if there were none; "
        "the adjusted p also accounts for the number of groups and positions. A high p is not evidence of equality.",
    ),
    (
        "Minimum detectable ratio",
        "The impact ratio that groups of this size would show as a statistically significant difference with 80 % "
        "statistical power.",
    ),
    (
        "False-positive rate of the four-fifths rule",
        "The probability that the rule flags some group of a table of this size if all groups have the same chance.",
    ),
    ("Shortfall", "How many more of a group would have been selected at the rate of both groups together."),
    (
        "Cohen's h",
        "An effect size of two rates that is comparable for low and high rates; 0.2 is small, 0.8 large.",
    ),
    (
        "Odds ratio",
        "The odds of being selected in one group over those in the other; farther from 1 than the ratio of rates.",
    ),
    ("Common odds ratio", "One odds ratio for all positions, from comparisons within each (Mantel-Haenszel)."),
    ("Breslow-Day", "Tests whether the odds ratio is the same in all positions (with Tarone's correction)."),
    (
        "Flip-flop rule",
        "Whether one selection more for one group and one less for the other reverses the direction (UGESP Q&A 21).",
    ),
    (
        "Standardised difference",
        "The difference of two means in standard deviations (Hedges' g). Unlike the ratio of two means it does not "
        "depend on where the scale starts.",
    ),
)

#: Terms that are listed only with their measure.
NEEDED = {
    "Common odds ratio": COMMON_ODDS_RATIO,
    "Breslow-Day": COMMON_ODDS_RATIO,
    "Standardised difference": MEAN_RATIO,
    "Cluster-robust": CLUSTERED,
    **dict.fromkeys(("Availability", "Expected", "Exact binomial test"), AVAILABILITY),
}
#: Terms of a comparison with stated shares.
OF_SHARES = (
    *("Availability", "Expected", "Exact binomial test", "Confidence interval (CI)", "Z", "Statistically significant"),
)


#: Meanings of terms for stated shares.
SHARES: dict[str, str] = {
    "Confidence interval (CI)": "The values that are compatible with the data. A 95 % CI is made by a method that "
    "catches the true value in 95 of 100 repetitions. That of a share is Wilson's.",
    "Z": "How many standard deviations the number of a group is from the expected one, if people were drawn at the "
    "stated share; below 0 they are fewer. Needs enough people.",
    "Statistically significant": "The adjusted p is below 0.05. p is that of the exact binomial test; the adjusted p "
    "also takes into account how many groups were compared. A high p is not evidence of equality.",
}


def impact_definitions(measures: set[str], *, clustered: bool = False) -> list[Definition]:
    """Return the terms that the page uses; `measures` are those of the findings."""
    if AVAILABILITY in measures:
        return [(term, SHARES.get(term, meaning)) for term, meaning in TERMS if term in OF_SHARES]
    used = {"", *measures} | ({CLUSTERED} if clustered else set())
    return [term for term in TERMS if NEEDED.get(term[0], "") in used]


Line = tuple[str, str]
#: Options as the page names them; others by their own name.
OPTIONS = {
    "protected": "Groups by",
    "selected": "Selected, by the column",
    "undecided": "No decision",
    "count": "People in each row, by the column",
    "applicants": "Applicants of each row, by the column",
    "selected_count": "Selected of each row, by the column",
    "selection_rate": "Share selected of each row, by the column",
    "counts": "Selected / applicants",
    "totals": "Rows that are totals",
    "suppressed": "Counts that are not shown are",
    "score": "Score",
    "cutoffs": "Selected above the score",
    "median": "Selected above the median",
    "share": "Stated shares",
    "means": "Mean scores compared",
    "at_least": "A score equal to the cut-off is selected",
    "at_most": "Low scores are good, and one equal to the cut-off is selected",
    "below": "Low scores are good",
    "position": "Position",
    "references": "Compared with",
    "intersectional": "Attributes crossed",
    "reference_floor": "Smallest share of all applicants to be the reference",
    "min_share": "Smallest share of all applicants to be judged",
    "four_fifths": "Four-fifths rule",
    "stage": "Stage",
    "funnel": "Stages, by the columns",
    "furthest": "Furthest stage, by the column",
    "sheets": "Stages, by the sheets",
    "unit": "Applicant",
    "where": "Only rows where",
    "given": "Qualifications adjusted for",
    "cluster": "Rows are not independent within",
    "block": "Compared within",
    "missing": "Unknown groups",
    "eeo1": "EEO-1 categories from",
    "age": "Age from",
    "age_at": "Age on the day",
    "label": "What happened, by the column",
    "cutoff": "Selected above the score",
    "top": "Selected up to the rank",
    "against": "Previous version's score",
    "against_cutoff": "… selected above",
    "by": "Looked at one by one",
    "similar": "Similar people, by",
    "similar_within": "… no farther apart than",
    "unknown": "Labels that mean: not known",
    "ll144": "Tables of Local Law 144",
    "ll144_tables": "Published tables",
    "exclude": "Small categories left out",
    "exclusion_reason": "Reason to leave out small categories",
    "exclusion_base": "Small categories are under 2 % of the people",
}
OF_LOW = {"cutoffs": "Selected below the score", "median": "Selected below the median"}
HIGHEST = "the group with the highest rate, in each comparison"
FLOOR = "the highest rate of groups of {:g} % and 30 people or more"
WHO_COUNTS = (
    "The author of the table and the options of this run decide who counts as an applicant. Another decision gives "
    "other rates."
)
#: Merged spellings and counted labels that are listed.
MOST_LISTED = 12


def impact_parameter_rows(audit: ImpactAudit) -> list[Line]:
    """Return the set-up, as pairs of a term and its value."""
    share = audit.reference_floor.share
    compared = FLOOR.format(100 * share) if share else HIGHEST
    known = {"references", "share"} & set(audit.parameters)
    if audit.monitored is not None:  # the columns of a store's counts are named by its report
        shown = {name: value for name, value in audit.parameters.items() if name not in {"selected", "count", "stage"}}
        audit = replace(audit, parameters=shown)
    return table_parameter_rows(audit, {} if known else {OPTIONS["references"]: compared})


def table_parameter_rows(audit: TableAudit, more: Mapping[str, str]) -> list[Line]:
    """Return the options of an analysis of a table as pairs of a term and its value, and `more` after them."""
    rows = [("Data", audit.source)]
    labels = OPTIONS | (OF_LOW if isinstance(audit, ImpactAudit) and audit.low else {})
    rows += [(labels.get(key, capital(in_words(key))), general_text(value)) for key, value in audit.parameters.items()]
    rows += [
        *more.items(),
        ("Counted by", audit.accounting.engine or ""),
        *((f"SHA-256 of {name}", digest) for name, digest in audit.fingerprints.items()),
    ]
    return set_up(rows, audit)


def counted_section(
    accounting: Accounting, *, heading: str = "Who counts as an applicant", told: str = WHO_COUNTS
) -> Section | None:
    """Return the accounting of all rows of the table; None without any."""
    lines = list(_lines(accounting))
    if not lines:
        return None
    noun, together = accounting.noun.split(" ", 1)[0], ", at all stages together" * accounting.at_all_stages
    caption = f"{capital(noun)} of the table{together}, and what became of them"
    tables = [table(caption, ("What", capital(noun)), lines)]
    extra = [
        folded
        for folded in (_decisions(accounting), _unknown(accounting), _merged_spellings(accounting))
        if folded is not None
    ]
    text = [told, *accounting.notes]
    return Section(name="counted", heading=heading, text=text, parts=[Part(tables=[*tables, *extra])])


def _lines(accounting: Accounting) -> Iterator[Line]:
    def line(words: str, count: int | None, *, always: bool = False) -> Iterator[Line]:
        if count is not None and (count or always):
            yield words, count_text(count)

    yield from line("Read", accounting.rows_read, always=True)
    yield from line("Blank rows, left out", accounting.blank_rows)
    for condition in accounting.where:
        yield from line(f"Left out by --where {condition.expression}", condition.rows_left_out, always=True)
    unit = accounting.unit
    if unit is not None:
        yield from line(f"Repeated rows of one {unit.column}, counted once", unit.repeated_rows, always=True)
        yield from line(f"Applicants: different values of {unit.column}", unit.units, always=True)
        yield from line("Of them with rows that contradict each other", unit.conflicts)
    outcome = accounting.decisions is not None and accounting.decisions.outcome
    column = "What happened" if outcome else "Decision"
    yield from line(f"{column} not known, in no rate", accounting.decision_unknown)
    scores = accounting.scores or Scores()
    for count, words in (
        (scores.null, "missing"),
        (scores.not_a_number, "not a number"),
        (scores.infinite, "infinite"),
    ):
        yield from line(f"Score {words}, in no rate", count)
    yield from line("Previous version's score missing or no number, in no rate", accounting.without_previous)
    yield from line("Used", accounting.rows_used, always=True)
    for attribute, number in accounting.unknown.items():
        yield from line(f"Of those used, {in_words(attribute)} not known", number, always=True)
    yield from line("Without a position, among all applicants only", accounting.missing_position)
    yield from line("Positions", accounting.positions)


def _decisions(accounting: Accounting) -> Table | None:
    decisions, uncertain = accounting.decisions, accounting.uncertain
    if decisions is None or not decisions.counts or (uncertain is not None and uncertain.suppressed):
        return None
    noun = "People" if accounting.count else "Rows"
    rows = [
        (value or "(empty)", count_text(count), decisions.meaning(value))
        for value, count in list(decisions.counts.items())[:MOST_LISTED]
    ]
    return table(f"Values of {decisions.column}", ("Value", noun, "Counted as"), rows, folded=True)


def _unknown(accounting: Accounting) -> Table | None:
    lines = [
        (in_words(attribute), label, count_text(count))
        for attribute, labels in accounting.unknown_labels.items()
        for label, count in labels.items()
    ]
    if not lines:
        return None
    caption = "Labels that were taken to say: not known"
    return table(caption, ("Column", "Label", "Rows"), lines[:MOST_LISTED], folded=True)


def _merged_spellings(accounting: Accounting) -> Table | None:
    spellings = accounting.folded
    if not spellings:
        return None
    return table(
        "Spellings that were counted as one group (blanks at the ends and case are ignored)",
        ("Column", "Counted as", "Also written"),
        [
            (
                in_words(spelling.column or ""),
                spelling.kept,
                listing([f"“{text}” ({count_text(n)})" for text, n in [*spelling.merged.items()][:MOST_LISTED]]),
            )
            for spelling in spellings[:MOST_LISTED]
        ],
        folded=True,
    )


def impact_limits(groups: ImpactGroups, audit: ImpactAudit) -> list[str]:
    """Return the limits of these data, those of this run first."""
    used = audit.accounting.rows_used or 0
    noun = people_noun(audit)
    limits = [
        f"The {in_words(attribute)} of {count_text(count)} {noun} ({percent_text(count / used)}) is not known. No "
        f"rate by {in_words(attribute)} counts them; if all were of one group, the ratio could be different."
        for attribute, count in audit.accounting.unknown.items()
        if count and used
    ]
    if groups.availability and not groups.views:
        return [*audit.limits, *limits]
    undetected = [
        finding
        for view in groups.views
        for finding in view.findings
        if not view.crossed and finding.verdict == "no_difference_detected"
    ]
    if undetected:
        limits.append(
            f"In {counted(len(undetected), 'comparison')} of all applicants no difference was detected. That does not "
            "show that there is none"
            + (
                "."
                if any(finding.tests and "weighted" in finding.method for finding in undetected)
                else ": the minimum detectable ratio, in the tables of tests and stages, is the largest that would "
                "have been found with 80 % statistical power."
            )
        )
    if groups.unseen:
        limits.append(
            f"The data chose the reference, so p is also corrected over {counted(groups.unseen, 'comparison')} that "
            "another reference would have made. They are neither shown nor gated; --reference names a group."
        )
    if audit.parameters.get("cluster"):
        limits.append(
            "Every interval and p of these groups is cluster-robust. What takes people as independent (Z, Fisher's "
            "exact test, the four-fifths rule's false-positive rate) is left out."
        )
    given, position = ("", "") if audit.monitored else (" (--given)", " (--position)")
    if not groups.adjusted:
        limits.append(
            f"The analysis did not adjust for qualifications{given}: they may explain a difference or hide one."
        )
    if not groups.pooled:
        limits.append(
            f"Positions were not distinguished{position}: if groups apply to different positions, totals can show a "
            "difference that no position has, or hide one that every position has."
        )
    limits.append("People who did not apply, or who gave up before the first stage of the table, are missing.")
    return [*audit.limits, *(limit for limit in limits if limit not in audit.limits)]
