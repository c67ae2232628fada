"""Findings, audit blocks and run folders."""
