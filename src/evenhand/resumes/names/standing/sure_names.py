"""Where a sure name is the person, though it is a month, a town, a tool or a word as well.

Sure are names that a user gave, that an address or a label confirms, or that stand clearly on top.
What is left of them is a leak, so a place that speaks of a person counts where for a name that
was guessed it would not.
"""

from evenhand.resumes.names.kinds import kind_of
from evenhand.resumes.names.lists import given_names, no_names
from evenhand.word_tables import WordTable

__all__ = ["MENTION_WORDS", "is_only_given"]

MENTION_WORDS = WordTable("evenhand.resumes.names.standing", "mentions.toml")


def is_only_given(word: str) -> bool:
    """Say whether a word is a given name and no town, tool or word.

    >>> is_only_given("Daisuke"), is_only_given("Paris")
    (True, False)
    """
    return word.lower() in given_names() and kind_of(word.lower()) == "name" and word.lower() not in no_names()
