"""MARITAL, GENDER and DOB in scripts of their own: labels and their values, states and ages that stand alone.

Such as sex, family status, date of birth and age after their labels in Chinese, Japanese, Korean, Russian, Arabic,
Hebrew, Hindi and others, and the bare words for married or female as a part of a list. Kept: the same words without a
mark between label and value, years of experience, floors of buildings.
"""

import re
from functools import cache

from evenhand.resumes.plain import Plain, plain_text
from evenhand.resumes.rules import Found, phrases_of

__all__ = ["facts_in_own_script"]


@cache
def _listed(rule: str) -> tuple[str, ...]:
    """Return the phrases of a rule as they stand in a plain text."""
    return tuple(plain_text(each).low for each in phrases_of("own_script")[rule])


def _any_of(rule: str) -> str:
    return "|".join(map(re.escape, sorted(_listed(rule), key=len, reverse=True)))


_CATEGORIES = ("GENDER", "MARITAL", "DOB")
_MARKS = r"|;\n\t,\u3001\u3002\"<"
_SEPARATOR = re.compile(r"[ ]?(?:\([^()\n]{0,24}\))?[ \t\"*]*(?:[:=|\uff1a\t]|[ ]{2,}|[ ]-[ ])[ \t\"*:]*(?=\S)")
#: To the next mark; a comma goes on where it tells of children, a town or an age.
_VALUE = re.compile(rf"[^{_MARKS}]{{1,40}}?(?=[{_MARKS}]|  |\. |$)")
_MORE = re.compile(rf", ?(?=[^|;\n\t,]{{0,24}}(?:{_any_of('children')}))[^|;\n\t,]{{1,30}}")
_DATE_MORE = re.compile(r", ?[^\W\d_][^|;\n\t,.()]{1,24}(?=[|;\n\t,.(]|  |$)")
_SEX = re.compile(rf"(?:{_any_of('sex')})|(?:{_any_of('sex_letter')})\b")
#: Where a state stands alone: a line, an item, a part of a list.
_ALONE_BEFORE = re.compile(r"(?:^|[\n|,;(/\u3001\u3002\t>\u2022\u00b7]|[-*:] |  )[ ]?\Z")
_ALONE_AFTER = re.compile(r"[ ]?(?:$|[\n|,;)/\u3001\u3002\t]|  |\. )")
_HAN = "\u4e00-\u9fff"
_HANGUL = "\uac00-\ud7a3"
_NUMBER = r"(?:1[6-9]|[2-7]\d)"
_AGE = re.compile(
    rf"(?<![\d.,-])((?:(?:満|만|满)[ ]?)?{_NUMBER}[ ]?(?:周岁|岁|歲|歳|才(?![{_HAN}])|세(?![{_HANGUL}])|살))"
    r"(?![ ]?(?:以上|以下|이상|이하|から|まで|未满|未満))"
    rf"|(?<!\d)({_NUMBER}[ ](?:{_any_of('years')}))(?=[ ]*(?:$|[\n|,;)/]))"
)
#: What else is counted in years.
_OF_WORK = re.compile(rf"(?:{_any_of('of_work')})[^\n]*\Z")
_DAY = r"[ ]?\d{1,2}[ ]?[月월](?:[ ]?\d{1,2}[ ]?[日일])?"
_BORN = re.compile(
    rf"((?:(?:19|20)?\d\d|(?:昭和|平成)[ ]?\d{{1,2}})[ ]?[年년](?:{_DAY})?)[ ]?"
    rf"(?:出生|生まれ|(?:출생|생)(?![{_HANGUL}])|生(?![{_HAN}]))"
    rf"|(?:{_any_of('born')})[ ]+(\d[^,\n|;]{{3,22}}(?:19|20)\d\d)"
)


@cache
def _labels() -> dict[str, list[tuple[str, str]]]:
    """Return the labels by their first two letters, the longest first, each with its category."""
    by_begin: dict[str, list[tuple[str, str]]] = {}
    for category in _CATEGORIES:
        for label in _listed(f"{category.lower()}_label"):
            by_begin.setdefault(plain_text(label).words[0][0][:2], []).append((label, category))
    for labels in by_begin.values():
        labels.sort(key=lambda entry: -len(entry[0]))
    return by_begin


@cache
def _states() -> dict[str, str]:
    return {each: category for category in ("GENDER", "MARITAL") for each in _listed(f"{category.lower()}_alone")}


def facts_in_own_script(plain: Plain, *, births: bool) -> list[Found]:
    """Return what labels and lone words in other scripts than the Latin tell; dates of birth and ages if `births`.

    >>> seen = plain_text("性别: 女 | 35岁 | 已婚")
    >>> found = facts_in_own_script(seen, births=True)
    >>> [(seen.text[each.start : each.end], each.category) for each in sorted(found)]
    [('女', 'GENDER'), ('35岁', 'DOB'), ('已婚', 'MARITAL')]
    """
    if not any(map(str.isalnum, plain.foreign)):
        return []
    low = plain.low
    found: list[Found] = []
    labels, states = _labels(), _states()
    for word, places in plain.where.items():
        if word.isascii():
            continue
        candidates = labels.get(word[:2])
        category = states.get(word)
        if candidates is None and category is None:
            continue
        for place in places:
            _, start, end = plain.words[place]
            if candidates is not None:
                found += _labelled(low, start, candidates, births=births)
            if category is not None and _is_alone(low, start, end):
                found.append(Found(start, end, category, "own script", 0.9))
    if births:
        for expression in (_AGE, _BORN):
            found += [
                Found(*match.span(match.lastindex or 0), "DOB", "own script", 0.88)
                for match in expression.finditer(low)
                if _OF_WORK.search(low, max(0, match.start() - 24), match.start()) is None
            ]
    return list({each[:3]: each for each in found}.values())


def _labelled(low: str, start: int, labels: list[tuple[str, str]], *, births: bool) -> list[Found]:
    """Return the value of the label that stands here."""
    for label, category in labels:
        if not low.startswith(label, start):
            continue
        separator = _SEPARATOR.match(low, start + len(label))
        value = _VALUE.match(low, separator.end()) if separator is not None else None
        if value is None or not value.group().strip():
            continue
        if (category == "DOB" and not births) or (
            label in _listed("label_of_things_too") and _SEX.match(value.group()) is None
        ):
            return []
        end = value.end()
        more = (_DATE_MORE if category == "DOB" else _MORE).match(low, end)
        end = more.end() if more is not None else end
        text = low[value.start() : end].rstrip(" .*\"'")
        return [Found(value.start(), value.start() + len(text), category, "own script", 0.95)]
    return []


def _is_alone(low: str, start: int, end: int) -> bool:
    """Say whether a word is all that its part of a list says."""
    return (_ALONE_BEFORE.search(low, max(0, start - 4), start) is not None or start == 0) and _ALONE_AFTER.match(
        low, end
    ) is not None
