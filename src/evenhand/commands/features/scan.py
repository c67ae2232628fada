"""What masking would keep out of training: columns of text scanned as `mask` does."""

from collections import Counter
from collections.abc import Sequence

import polars as pl

from evenhand.resumes.mask import MaskOptions, mask_text
from evenhand.resumes.spans import OPTIONAL
from evenhand.tables.audit.features.block import FreeText

__all__ = ["scanned"]

#: Longer cells are scanned up to here.
LONGEST = 20_000


def scanned(cells: pl.DataFrame) -> tuple[FreeText, ...]:
    """Return for each column in how many of its cells a category was found; all categories are looked for."""
    options = MaskOptions(optional=frozenset(OPTIONAL))
    return tuple(_column(name, cells[name].drop_nulls().to_list(), options) for name in cells.columns)


def _column(name: str, cells: Sequence[str], options: MaskOptions) -> FreeText:
    found: Counter[str] = Counter()
    touched = 0
    for text in cells:
        categories = {span.category for span in mask_text(str(text)[:LONGEST], options=options).spans}
        found.update(categories)
        touched += bool(categories)
    return FreeText(feature=name, cells=len(cells), found=dict(found.most_common()), touched=touched)
