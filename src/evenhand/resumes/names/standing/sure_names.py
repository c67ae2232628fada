"""Where a sure name is the person, though it is a month, a town, a tool or a word as well.

Sure are names that a user gave, that an address or a label confirms, or that stand clearly on top.
What is left of them is a leak, so a place that speaks of a person counts where for a name that
was guessed it would not.
"""

from evenhand.patterns import lazy_re
from evenhand.resumes.names.kinds import kind_of
from evenhand.resumes.names.lists import given_names, no_names

__all__ = ["IMPERSONAL", "OF_A_TOOL", "is_only_given"]

_THINGS = (
    "month|months|season|quarter|clients?|customer|bank|employer|lender|supplier|vendor|partner|account|market|country|"
    "city|town|language|framework|tool|library|database|week|deadline|acquired|merged|bought|busy|busier|busiest|hot|"
    "cold|wet|warm|slow|quiet|peak|over|used|installed|deployed|chosen|added|introduced|opened|closed|rainy|dry|"
    "difficult|record|time|right|wrong|high|low|fixed|included|due|free|written|required|supported|preferred|replaced|"
    "migrated|removed|upgraded|rolled|retired|set up|default|enough|first choice|choice|available|part of"
)
#: What is said of a month, a season, a firm, a town or a tool and of no person.
IMPERSONAL = lazy_re(
    r"[ ](?:is|was|were|has been|had been|will be|would be)(?: (?:also|always|often|by far|still|then|now))?"
    rf"(?: an?| the| our| my| their| one)?(?: [\w-]+){{0,2}} (?:{_THINGS})\b"
    r"|[ ]as an? (?:second|foreign|additional) language\b"
)
#: What goes with a tool, a month, a country: `Julia's compiler`, `Ruby developer`.
OF_A_TOOL = lazy_re(
    r"'s (?:\w+ )?(?:types?|syntax|compiler|packages?|ecosystem|library|libraries|performance|speed|documentation|docs|"
    r"community|standard|runtime|interpreter|api|garbage|memory|concurrency|release|version|gems?|plots?|arrays?|"
    r"tax|laws?|economy|capital|government|market|ports?|weather|climate|border|population|south|north|east|west|"
    r"deadline|figures|sales|results|numbers|close|report|release)\b"
    r"|[ ](?:developers?|engineers?|programm(?:ers?|ing)|apps?|scripts?|scripting|on Rails)\b"
)


def is_only_given(word: str) -> bool:
    """Say whether a word is a given name and no town, tool or word.

    >>> is_only_given("Daisuke"), is_only_given("Paris")
    (True, False)
    """
    return word.lower() in given_names() and kind_of(word.lower()) == "name" and word.lower() not in no_names()
