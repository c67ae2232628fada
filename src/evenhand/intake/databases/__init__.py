"""Databases and engines that hold a table."""
