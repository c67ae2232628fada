"""Applicant tables become counts: who applied, who was selected, in which groups."""

from evenhand.hiring.applicants import count_applicants
from evenhand.hiring.columns.categories import eeo1_category
from evenhand.hiring.outcomes import count_outcomes
from evenhand.hiring.question import Applicants, Question

__all__ = ["Applicants", "Question", "count_applicants", "count_outcomes", "eeo1_category"]
