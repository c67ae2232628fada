"""Real selections that the package brings along, to learn on."""

from importlib import resources

import polars as pl

__all__ = ["berkeley_applicants"]


def berkeley_applicants() -> pl.DataFrame:
    """Return the applicants to the six largest departments of Berkeley in 1973, one row each.

    Columns `department, gender, admitted`; 4,526 rows. The classic case of a pooled
    difference that the strata reverse: 30 % of the women and 45 % of the men were
    admitted, since women applied to the departments that admit few.

    Reference: Bickel, Hammel and O'Connell (1975), Science 187, 398-404.

    >>> berkeley_applicants().height
    4526
    """
    with (resources.files("evenhand.hiring") / "berkeley_1973.csv").open("rb") as file:
        counts = pl.read_csv(file)
    return counts.select(pl.exclude("applicants").repeat_by("applicants").explode())
