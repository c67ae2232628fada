"""What tells a category in a few words, whatever they are in detail."""

from evenhand.resumes.categories import (
    disability_days,
    disability_events,
    disability_frames,
    disability_notes,
    disability_told,
    ethnicity_days,
    ethnicity_frames,
    ethnicity_journeys,
    ethnicity_self,
    ethnicity_told,
    field_scripts,
    gender_told,
    marital_days,
    marital_events,
    marital_home,
    marital_told,
    orientation_frames,
    orientation_told,
    religion_groups,
    religion_kept,
    religion_offices,
    religion_told,
)
from evenhand.resumes.categories.citizens import citizens
from evenhand.resumes.categories.ethnicity_bodies import organisations
from evenhand.resumes.categories.ethnicity_scripts import origins_in_own_script
from evenhand.resumes.categories.field_scripts import in_own_script
from evenhand.resumes.categories.orientation_names import compounds
from evenhand.resumes.categories.tellings import Tellings
from evenhand.resumes.plain import Plain
from evenhand.resumes.rules import Found

__all__ = ["told_phrases"]

_TELLINGS = Tellings(
    (
        *disability_told.TELLINGS,
        *disability_days.TELLINGS,
        *disability_events.TELLINGS,
        *disability_frames.TELLINGS,
        *disability_notes.TELLINGS,
        *ethnicity_told.TELLINGS,
        *ethnicity_journeys.TELLINGS,
        *ethnicity_days.TELLINGS,
        *ethnicity_frames.TELLINGS,
        *ethnicity_self.TELLINGS,
        *field_scripts.TELLINGS,
        *gender_told.TELLINGS,
        *marital_days.TELLINGS,
        *marital_events.TELLINGS,
        *marital_home.TELLINGS,
        *marital_told.TELLINGS,
        *orientation_frames.TELLINGS,
        *orientation_told.TELLINGS,
        *religion_groups.TELLINGS,
        *religion_kept.TELLINGS,
        *religion_offices.TELLINGS,
        *religion_told.TELLINGS,
    )
)


def told_phrases(plain: Plain) -> list[Found]:
    """Return what the tellings of a text mask.

    >>> from evenhand.resumes.plain import plain_text
    >>> seen = plain_text("Canadian citizen, stroke survivor, lector at Mass")
    >>> [seen.text[found.start : found.end] for found in told_phrases(seen)]
    ['Canadian citizen', 'stroke survivor', 'lector', 'Mass']
    """
    found = {*_TELLINGS.found(plain)}
    for finder in (citizens, compounds, in_own_script, organisations, origins_in_own_script):
        found.update(finder(plain))
    return sorted(found)
