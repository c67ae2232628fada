"""Counts of applicants to findings: ratios, tests, positions, Local Law 144."""
