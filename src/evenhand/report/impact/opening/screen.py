"""The first screen of an analysis: tables and a chart of selection rates, the result in sentences, next steps."""

from evenhand.report.impact.beside import block_sentences, bound_sentences, given_sentences
from evenhand.report.impact.comparison import cautions, view_sentence
from evenhand.report.impact.opening.availability import availability_opening
from evenhand.report.impact.opening.figures import rates_figure
from evenhand.report.impact.opening.steps import next_steps
from evenhand.report.impact.opening.tables import definitions_table, rates_table
from evenhand.report.impact.opening.within import reversal_sentences, reversals, within_sentence
from evenhand.report.impact.views import by_problem
from evenhand.report.page.parts import Opening
from evenhand.report.words.wording import capital
from evenhand.tables.audit.impact import ImpactAudit
from evenhand.tables.grouped.impact import ImpactGroups, View

__all__ = ["MOST_TABLES", "impact_opening", "led_by"]

#: Attributes whose table stands open, and sentences.
MOST_TABLES, MOST_SENTENCES = 3, 5
#: Attributes that have a sentence.
MOST_TOLD = 3


def impact_opening(groups: ImpactGroups, audit: ImpactAudit) -> Opening:
    """Return the first screen."""
    if groups.availability:
        return availability_opening(groups.availability)
    views = led_by(groups)
    tables = [rates_table(view, audit, folded=place >= MOST_TABLES) for place, view in enumerate(views)]
    others = definitions_table(groups, audit)
    figure = rates_figure([view for view in views if view.rates and not view.means][:MOST_TABLES], audit)
    return Opening(
        tables=[*tables, *([others] if others else [])],
        figures=[figure] if figure else [],
        sentences=_sentences(groups, views, audit),
        steps=next_steps(groups, views, audit),
    )


def led_by(groups: ImpactGroups) -> list[View]:
    """Return the view of each single attribute that its result is told by, the largest problem first."""
    single = [view for view in groups.leading if not view.crossed]
    worst = {view.attributes: by_problem(view.findings)[0] for view in single}
    order = by_problem(list(worst.values()))
    return sorted(single, key=lambda view: order.index(worst[view.attributes]))


def _sentences(groups: ImpactGroups, views: list[View], audit: ImpactAudit) -> list[str]:
    """Return the result in sentences, a reversal first; what is left out stands in the chapters."""
    turned = reversals(groups)
    told = [text for each in turned[:1] for text in reversal_sentences(each, audit)]
    said = {tuple(each.whole.focal) for each in turned[:1]}
    rest = [view for view in views if view.attributes not in said][:MOST_TOLD]
    for place, view in enumerate(rest):
        told.append(view_sentence(view, audit, again=place > 0 and view.definition == rest[0].definition))
        if place == 0 and not view.means and view.known:
            told.append(" ".join(cautions(by_problem(view.findings)[0])))
    told += [capital((finding.reason or "").rstrip(".")) + "." for finding in groups.alone]
    told += [within_sentence(groups), *block_sentences(groups), *given_sentences(groups), *bound_sentences(groups)]
    told += [view_sentence(view, audit) for view in groups.leading if view.crossed]
    return [text for text in dict.fromkeys(told) if text][:MOST_SENTENCES]
