"""Where somebody was born or grew up: what follows `born in`, `Born: 24-Aug-1971 in`, `raised in`, `Birthplace |`."""

from evenhand.patterns import lazy_re

__all__ = ["BORN", "LABELLED", "PLACE"]

_NO_PLACE = (
    r"(?!(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Sept|Oct|Nov|Dec|Spring|Summer|Autumn|Fall|Winter|The|I|Q\d|Series|"
    r"Round|Seed|Phase|Year|Week|Month|Excel|SQL|Python|Java)\b|"
    r"(?:January|February|March|April|June|July|August|September|October|November|December)\b)"
)
_NAME = (
    r"(?:(?:St|Ste|Mt|Ft)\.? )?[A-Z][\w'-]+(?:[ -](?:(?:of|da|de|do|del|la|al|el|dos|sur|am|an der|upon|on|y|au|aux)"
    r"[ -](?:la |los )?)?[A-Z][\w'-]+){0,3}"
)
#: A region or country behind it: `Split, Croatia`, `Turin (Italy)`.
_REGION = (
    rf"(?:,\s{{1,3}}(?:the )?{_NAME}(?=[ ]*(?:[,.;:)|\n\t]|$|  |and\b|where\b|to\b|who\b|with\b|in\b|on\b|-))){{0,2}}"
)
_IN_BRACKETS = rf"(?:[ ]?\((?:the )?{_NAME}\))?"
_WHOLE = rf"({_NO_PLACE}{_NAME}{_REGION}{_IN_BRACKETS})"
_SMALL_BEFORE = (
    r"(?:(?:the|a|an|small|rural|village|town|city|suburbs?|of|in|near|outside|northern|southern|eastern|western|"
    r"central|north|south|east|west|inner-city|what|is|now|but|and|raised|both|working-class)\s+){0,6}"
)
#: What follows `born in`, `originally from`.
PLACE = lazy_re(rf"\s+{_SMALL_BEFORE}(?![A-Z][\w-]+'s\b){_WHOLE}")
_DATE = (
    r"(?:the )?(?:\d{1,4}[./-]\d{1,2}[./-]\d{1,4}\.?|\d{1,2}(?:st|nd|rd|th)?[. /-]{0,2}(?:of |de )?"
    r"[A-Za-z\u00c0-\u017f]{3,10}\.?(?: de)?[ ,/-]{0,2}\d{2,4}|[A-Z][a-z]{2,8}\.? \d{1,2}(?:st|nd|rd|th)?,? \d{4}|"
    r"(?:[A-Z][a-z]{2,8}\.? )?(?:19|20)\d\d)"
)
#: Words that follow a date of birth and are no place.
_NOT_BORN_IN = (
    r"(?!(?:Married|Single|Divorced|Widowed|Engaged|Male|Female|Age|Aged|Nationality|Gender|Sex|Driving|Phone|Tel|"
    r"Mobile|E-?mail|Religion|Citizen\w*|Marital|Civil|Father|Mother|Address|Languages?|Place)\b)(?![\w .]{1,30}[:=])"
)
_AFTER = r"(?=[ \t]*(?:[.,;)|\n]|$))"
#: What follows `Born`, `Date of birth`: a date and a place, or a place behind a mark.
BORN = lazy_re(
    rf"(?:[ \t]?[:=|\u2013*-][ \t]*|[ \t]+)(?:on\s|am\s|le\s|il\s|el\s)?{_DATE}"
    rf"(?:(?:,?\s{{1,3}}\(?(?:in|at|a|à|en|w)\s+{_WHOLE})|(?:[ ]?[,–/-][ ]|[ ]?\(){_NOT_BORN_IN}{_WHOLE}{_AFTER})"
    rf"|[ ](?:on[ ])?{_DATE},?[ ]in[ ]((?!(?:a|an|the|my|our|what|"
    r"this)\b)[a-z][a-z' -]{2,24}?)(?=[ ]*(?:[.,;)|\n]|$))"
    rf"|[ ]?[:=|][ \t]*(?:in[ ])?{_NOT_BORN_IN}{_WHOLE}(?=[ ]*(?:,[ ]?(?:on[ ])?{_DATE}|$|\n))"
)
#: What follows `Place of birth` and a mark.
LABELLED = lazy_re(
    rf"(?:[ \t]*[:;=|\u2013\t-][ \t]*|[ ]{{2,}}){_WHOLE}"
    r"|[ \t]*[:;=|\u2013-][ \t]*([a-z][a-z' -]+?)(?=[ ]*(?:[,.;(|\n]|$))"
)
