"""How texts are masked before a feature is made of them: all that can be, is."""

from typing import Final

from evenhand.resumes.mask import MaskOptions
from evenhand.resumes.spans import OPTIONAL

__all__ = ["MASKING"]

MASKING: Final = MaskOptions(optional=frozenset(OPTIONAL))
