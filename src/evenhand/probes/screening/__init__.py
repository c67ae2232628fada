"""Screening: how a model screens a pile of applications, step by step."""
