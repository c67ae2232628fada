"""The kinds of run: a module for each, named as it is, declares it as `KIND`; a small kind lies there whole.

Where a command makes runs of one kind, the first line of the module is its name and summary: `evenhand NAME`: SUMMARY.
"""
