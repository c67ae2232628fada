"""From outcomes and counts by group to findings."""
