"""Dashboards: live pages, computed on request."""
