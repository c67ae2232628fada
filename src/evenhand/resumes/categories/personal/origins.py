"""Where somebody was born or grew up: what follows `born in`, `Born: 24-Aug-1971 in`, `raised in`, `Birthplace |`."""

from evenhand.resumes.rules import pattern
from evenhand.word_tables import WordTable

__all__ = ["ETHNICITY_WORDS"]

ETHNICITY_WORDS = WordTable("evenhand.resumes.categories.personal", "ethnicity.toml", compiled=pattern)
