"""The page of a table of features."""

from typing import Final

from evenhand.report.page.contents import Page
from evenhand.report.page.context import Definition, time_text
from evenhand.report.page.text import FEATURES
from evenhand.report.scores.features.chapters import features_chapters
from evenhand.report.scores.features.opening import features_opening
from evenhand.report.words.numbers import count_text, general_text
from evenhand.report.words.wording import capital, in_words, listing
from evenhand.tables.audit.features.block import FeaturesAudit
from evenhand.tables.grouped.features import FeatureGroups

__all__ = ["PAGE"]

_TOLD: Final = frozenset({"protected", "expect", "label", "compare_with"})
_TERMS: Final = (
    (
        "AUC",
        "The area under the ROC curve: the chance that somebody of the group has a higher value than somebody else.",
    ),
    ("Confidence interval (CI)", "Values that are compatible with the data (DeLong); they take rows as independent."),
    (
        "Proxy",
        "A feature that tells a protected attribute, so that a model can act on the attribute without having it.",
    ),
    ("PSI", "The population stability index: how far a distribution has moved; 0.1 is often called a moderate change."),
)


def _asked(audit: FeaturesAudit) -> list[Definition]:
    """Return what was vetted, as pairs of a term and its value."""
    rows = [
        ("Table", f"{audit.source}, {count_text(audit.rows)} rows"),
        ("Features", count_text(len(audit.features))),
        ("Protected attributes", listing([each.attribute for each in audit.attributes])),
        ("Label", audit.label or ""),
        ("Expectations", audit.expectations or ""),
        ("Compared with", audit.compared_with or ""),
        *(
            (capital(in_words(key)), general_text(value))
            for key, value in audit.parameters.items()
            if key not in _TOLD and value is not None
        ),
        ("Started", time_text(audit.started)),
        ("Finished", time_text(audit.finished)),
    ]
    return [(term, str(value)) for term, value in rows if value]


PAGE: Final[Page[FeaturesAudit, FeatureGroups]] = Page(
    opening=lambda content: features_opening(content.groups, content.audit),
    chapters=lambda content: features_chapters(content.groups, content.audit),
    asked=lambda content: _asked(content.audit),
    limits=lambda content: list(content.audit.limits),
    definitions=lambda _content: list(_TERMS),
    text=FEATURES,
)
