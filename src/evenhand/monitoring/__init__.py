"""Decisions and scores over time: store, rules, alarms, golden sets."""
