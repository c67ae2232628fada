"""Kinds of analysis: what each reads, computes and writes."""
