"""Answers in this process: a folder of weights."""
