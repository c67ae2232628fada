"""Dates as text: patterns that fit days of the calendar only, alike in all engines.

Engines read text as dates each in their own way: one takes 1980-02-30 for null, another
fails, and cut at ten characters all of them take '1980-01-31 or so'.
"""

__all__ = ["MOMENT", "MOMENT_OR_ZONE"]

_LEAP_YEAR = "([1-9][0-9](0[48]|[2468][048]|[13579][26])|([2468][048]|[13579][26])00)"
_OF_ANY_YEAR = "(0[13578]|1[02])-(0[1-9]|[12][0-9]|3[01])|(0[469]|11)-(0[1-9]|[12][0-9]|30)|02-(0[1-9]|1[0-9]|2[0-8])"
_DAY = f"([1-9][0-9]{{3}}-({_OF_ANY_YEAR})|{_LEAP_YEAR}-02-29)"
_TIME = "[ T]([01][0-9]|2[0-3]):[0-5][0-9](:[0-5][0-9]([.][0-9]{1,6})?)?"

#: A day from the year 1000 on, with a time of day or without.
MOMENT = f"^{_DAY}({_TIME})?$"
#: The same, where the offset from UTC may be told.
MOMENT_OR_ZONE = f"^{_DAY}({_TIME}(Z|[+-]([01][0-9]|2[0-3]):?[0-5][0-9])?)?$"
