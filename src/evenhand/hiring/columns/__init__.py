"""Columns of an applicant table: what their values mean."""
