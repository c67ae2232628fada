"""From outcomes to findings: the measures of a card, executed."""
