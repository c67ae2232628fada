"""Applicant tables become counts: who applied, who was selected, in which groups."""

from evenhand.hiring.applicants import count_applicants
from evenhand.hiring.columns.categories import eeo1_category
from evenhand.hiring.outcomes import count_outcomes
from evenhand.hiring.query import ApplicantQuery, Applicants

__all__ = ["ApplicantQuery", "Applicants", "count_applicants", "count_outcomes", "eeo1_category"]
