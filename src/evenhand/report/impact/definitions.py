"""The words of an analysis of applicants, each in a sentence or two."""

from evenhand.tables.grouped.names import AVAILABILITY, COMMON_ODDS_RATIO, MEAN_RATIO

__all__ = ["impact_definitions"]

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
        "The number of a group that its stated share gives among as many people. The shortfall is that number less "
        "those who are there.",
    ),
    (
        "Exact binomial test",
        "How often as many people, drawn at the stated share, hold a number of the group that is no likelier than the "
        "one here, counted exactly.",
    ),
    ("Selection rate", "How many of a group's applicants were selected, by a decision or by their score."),
    ("Impact ratio", "A group's selection rate divided by that of the group it is compared with."),
    (
        "Confidence interval (CI)",
        "The values that are compatible with the data. A 95 % CI is made by a method that catches the true value in 95 "
        "of 100 repetitions. That of the impact ratio is Koopman's score interval, that of a rate Wilson's; with "
        "clusters both let them vary.",
    ),
    (
        "Cluster-robust",
        "Of an interval or a p that lets clusters vary: rows of one cluster, such as the applications to one "
        "advertisement, are not taken as independent (Cameron, Gelbach and Miller 2011).",
    ),
    (
        "Four-fifths",
        "A rule of thumb of US enforcement agencies: a rate below four fifths of the highest one is generally taken as "
        "evidence of adverse impact. It is decided on the counts, before rounding: a ratio of exactly 0.8 is not "
        "below.",
    ),
    (
        "Z",
        "How many standard deviations the two rates are apart, if both groups had the same chance. Beyond 1.96 the "
        "difference is statistically significant at .05. Needs enough people in each cell.",
    ),
    (
        "Fisher's exact test, mid-p",
        "How often a table at least as unlikely comes about where both groups have the same chance, counted exactly, "
        "for any size. The mid-p counts the table itself by half and errs less on the safe side.",
    ),
    (
        "Statistically significant",
        "The adjusted p is below .05. p tells how often groups with the same chance would differ as much; the adjusted "
        "p also takes into account how many groups and positions were compared. A high p is no evidence of equality.",
    ),
    (
        "Minimum detectable ratio",
        "The impact ratio that groups of this size would show as a statistically significant difference with 80 % "
        "statistical power.",
    ),
    (
        "False-positive rate of the four-fifths rule",
        "How often the rule flags some group of a table of this size although all groups have the same chance.",
    ),
    ("Shortfall", "How many more of a group would have been selected at the rate of both groups together."),
    (
        "Cohen's h",
        "The distance of two rates on a scale on which it does not matter where they lie; 0.2 is small, 0.8 large.",
    ),
    (
        "Odds ratio",
        "The odds of being selected in one group over those in the other; farther from 1 than the ratio of rates.",
    ),
    ("Common odds ratio", "One odds ratio for all positions, from comparisons within each (Mantel-Haenszel)."),
    ("Breslow-Day", "Tests whether the odds ratio is the same in all positions (with Tarone's correction)."),
    (
        "Flip-flop rule",
        "Whether one selection more for one group and one less for the other turns the direction around "
        "(UGESP Q&A 21).",
    ),
    (
        "Standardised difference",
        "The difference of two means in standard deviations (Hedges' g). Unlike the ratio of two means it does not "
        "depend on where the scale starts.",
    ),
)

#: Terms that stand only where the measure does.
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


#: What terms mean there.
SHARES: dict[str, str] = {
    "Confidence interval (CI)": "The values that are compatible with the data. A 95 % CI is made by a method that "
    "catches the true value in 95 of 100 repetitions. That of a share is Wilson's.",
    "Z": "How many standard deviations the number of a group is from the expected one, if people were drawn at the "
    "stated share; below 0 they are fewer. Needs enough people.",
    "Statistically significant": "The adjusted p is below .05. p is that of the exact binomial test; the adjusted p "
    "also takes into account how many groups were compared. A high p is no evidence of equality.",
}


def impact_definitions(measures: set[str], *, clustered: bool = False) -> list[Definition]:
    """Return the terms that the page uses; `measures` are those of the findings."""
    if AVAILABILITY in measures:
        return [(term, SHARES.get(term, meaning)) for term, meaning in TERMS if term in OF_SHARES]
    used = {"", *measures} | ({CLUSTERED} if clustered else set())
    return [term for term in TERMS if NEEDED.get(term[0], "") in used]
