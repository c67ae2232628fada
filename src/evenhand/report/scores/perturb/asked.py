"""What a perturbation test was asked, and the words that its page uses."""

from collections.abc import Mapping
from typing import Final

from evenhand.report.page.context import Definition, cost_text, time_text
from evenhand.report.scores.perturb.told import ARMS, labelled
from evenhand.report.words.numbers import count_text, general_text
from evenhand.report.words.wording import capital, in_words, listing
from evenhand.tables.audit.perturb import PerturbAudit, group_label

__all__ = ["perturb_asked", "perturb_definitions"]

#: What other lines of the set-up tell, or the chapters.
_TOLD: Final = frozenset(
    {
        "resumes",
        "positions",
        "names",
        "by",
        "reference",
        "arms",
        "placebo",
        "sample",
        "population",
        "names_per_group",
        "design",
    }
)
_SENDING: Final = frozenset({"timeout", "concurrency", "batch", "rpm", "tpm"})
_DEFINITIONS: Final = (
    (
        "Arm",
        "A version of every résumé that shows a group by other names, pronouns or a line of membership. All arms are "
        "filled from one template, that of the person's own group included, so that traces of editing cancel.",
    ),
    (
        "Affinity, combined",
        "Affinity is a line of membership that tells the group, held against a neutral line under the same names. "
        "Combined holds name, pronouns and line of a group against name and pronouns of the reference group with the "
        "neutral line.",
    ),
    (
        "Placebo",
        "An arm whose names are others of the same group. Its difference is no discrimination: it tells how far any "
        "change of names moves scores, and stands outside the adjustment.",
    ),
    (
        "Difference",
        "The score as the group less that as the reference, of the same résumé for the same position, under matched "
        "names.",
    ),
    (
        "Margin, equivalent",
        "The difference that counts as none, fixed before scores were seen. Scores are equivalent where the 90 % "
        "confidence interval lies within the margin (two one-sided tests).",
    ),
    (
        "Confidence interval (CI)",
        "Values that are compatible with the data. It lets résumés and names vary. Fewer than 10 names are held fixed, "
        "and fewer than 10 résumés where names vary: the result is then about these alone.",
    ),
    (
        "p, adjusted",
        "How often a difference at least as large would be seen if the group made none; adjusted by Holm's method for "
        "all comparisons over all positions.",
    ),
)


def perturb_asked(audit: PerturbAudit) -> list[Definition]:
    """Return the set-up as pairs of a term and its value."""
    given = audit.parameters
    experiment = audit.experiment
    groups = listing([labelled(group_label(group)) for group in experiment.groups])
    arms = listing([ARMS[kind].lower() for kind in audit.arms])
    synthetic = " (synthetic)" if audit.synthetic else ""
    rows = [
        ("Scorer", audit.model),
        ("Résumés", f"{count_text(audit.people)}{synthetic}{_file(given.get('resumes'))}"),
        ("Positions", f"{count_text(audit.positions)}{synthetic}{_file(given.get('positions'))}"),
        ("Groups", f"{groups}, by {listing(list(experiment.by))}"),
        ("Reference group", labelled(group_label(experiment.groups[0])) if experiment.groups else ""),
        ("Arms", capital(arms)),
        ("Names", _names(audit)),
        ("Scores asked for", count_text(audit.attempts or 0)),
        *(
            (capital(in_words(key)), general_text(value))
            for key, value in {**audit.settings, **given}.items()
            if value is not None and key not in _TOLD | _SENDING | {"experiment"} and not isinstance(value, Mapping)
        ),
        ("Cost", cost_text(audit)),
        ("Started", time_text(audit.started)),
        ("Finished", time_text(audit.finished)),
    ]
    return [(term, str(value)) for term, value in rows if value]


def perturb_definitions() -> list[Definition]:
    """Return the words that the page uses."""
    return list(_DEFINITIONS)


def _file(value: object) -> str:
    return f", {value.get('file')}" if isinstance(value, Mapping) else ""


def _names(audit: PerturbAudit) -> str:
    """Return how many names a résumé has of each group, of whom, and how they are matched."""
    file = _file(audit.parameters.get("names"))
    return f"{audit.names_per_group} of each group{file}, matched on {listing(list(audit.matched_on))}"
