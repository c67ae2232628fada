"""Workbooks, read in a process of their own."""
