"""Scores and decisions beside what happened: ranking, errors, calibration, parity, similar people."""
