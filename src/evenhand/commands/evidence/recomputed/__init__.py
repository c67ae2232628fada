"""The findings of each kind of run, computed again from what its folder in a bundle holds.

A function per kind, named in `tables/audit/kinds.py`: from the folder, its manifest, and the folders of all runs of the
bundle, to what was computed again and what was not.
"""
