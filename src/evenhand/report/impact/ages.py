"""Selection by years of age on the page: the curve with its band, and what its tests find."""

from evenhand.report.charts.lines import LinePoint, line_chart
from evenhand.report.impact import views as impact_views
from evenhand.report.page.parts import Figure, Part, Section, table_of
from evenhand.report.words.numbers import count_text, named_p, percent_text
from evenhand.report.words.results import corrected_p
from evenhand.results.applicant_audit import AgeRate, ImpactAudit
from evenhand.results.finding import AgeCurve
from evenhand.results.impact_groups import ImpactGroups
from evenhand.results.measures import AGE_ASSOCIATION

TEXT = (
    "A natural cubic spline of age in a logistic regression shows whether the selection rate changes at some age other "
    "than 40, or steadily. It explores: the groups by age are the planned comparison. It does not adjust for positions "
    "or qualifications."
)


def age_section(groups: ImpactGroups, audit: ImpactAudit) -> Section | None:
    """Return the curve; None without ages in years."""
    if not groups.ages:
        return None
    of_measure = {finding.measure: finding for finding in groups.ages}
    association = of_measure[AGE_ASSOCIATION]
    if association.reason is not None:
        return Section(name="age", heading="Selection by years of age", text=[TEXT, association.reason])
    rows = audit.shown.ages
    points = [
        LinePoint(
            at=row.years,
            value=100 * row.rate,
            low=100 * row.low,
            high=100 * row.high,
            text=f"{row.years} years: {percent_text(row.rate)}, {count_text(row.selected)} of {count_text(row.n)}",
        )
        for row in rows
    ]
    table = table_of(
        rows,
        {
            "Years": lambda row: str(row.years),
            "Selected": lambda row: f"{count_text(row.selected)} of {count_text(row.n)}",
            "Curve (95 % band)": _band,
        },
        caption="Selection rate by years of age",
        folded=True,
    )
    figure = Figure(
        title="Selection rate by years of age",
        note="The vertical lines are the 95 % band of the curve at each year of age.",
        chart=lambda width: line_chart(points, title="% selected", along="years of age", width=width, zero=True),
        tables=[table],
    )
    text, parts = [TEXT, *age_sentences(groups)], [Part(figures=[figure])]
    return Section(name="age", heading="Selection by years of age", text=text, parts=parts)


def age_sentences(groups: ImpactGroups) -> list[str]:
    """Return whether the rate varies with age, by how much in ten years, and whether in a straight line."""
    known = [finding for finding in groups.ages if finding.claim is not None and finding.estimate is not None]
    sentences = []
    for finding in known:
        details, p = AgeCurve.of(finding), corrected_p(finding.claim) if finding.claim is not None else ""
        if finding.measure == AGE_ASSOCIATION:
            found = "The selection rate varies with age"
            found = found if finding.is_difference else "No association of the selection rate with age was detected"
            sentences.append(
                f"{found} ({p}): the curve is highest at {details.age_highest:.0f} years "
                f"({percent_text(details.highest)}) and lowest at {details.age_lowest:.0f} "
                f"({percent_text(details.lowest)})."
            )
            sentences += [
                f"Another shape than a straight line in the log odds: {named_p(test.p)}, not corrected."
                for test in finding.tests[1:]
                if test.p is not None
            ]
        else:
            odds = impact_views.short_ratio(finding, impact_views.ODDS_APART, level=True)
            sentences.append(f"In a straight line ten years more multiply the odds by {odds}, {p}.")
    return sentences


def _band(row: AgeRate) -> str:
    return f"{percent_text(row.rate)} ({impact_views.PERCENT.interval(row.low, row.high)})"
