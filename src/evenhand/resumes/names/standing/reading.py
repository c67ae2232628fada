"""Whether a word of the person's own name stands for the person where it is written alone.

The name is known, so a word with a capital is the name unless its surroundings plainly make
it something else: a word that begins a sentence (`Will you`, `Mark the date`), a month with
its year, a town after `in`, a tool in a list, a part of a longer title (`Grace Period`,
`JPMorgan Chase`). What can be either is the name where the person is spoken of by it elsewhere.
"""

import re

from evenhand.patterns import lazy_re
from evenhand.resumes.names.around import AROUND_WORDS
from evenhand.resumes.names.kinds import is_person_noun
from evenhand.resumes.names.lists import english_words, is_no_name, name_words, no_names, ordinary_words, surnames
from evenhand.resumes.names.own.told import is_own_label
from evenhand.resumes.names.slots import FULL_LINE
from evenhand.resumes.names.standing.compounds import SONS
from evenhand.resumes.names.standing.sure_names import MENTION_WORDS
from evenhand.resumes.names.usage import is_alone
from evenhand.resumes.text.folded_text import FoldedText
from evenhand.resumes.text.layout import Layout

__all__ = ["is_introduced", "kind_of_token", "speaks_often", "stands_for_person"]

_ENDS = lazy_re(r"[.,;:!?)\"']|$")
_COMPOUND = lazy_re(r"[A-Z][\w'-]+[ ](?:and|&)[ ]$")
_SENTENCE_END = lazy_re(r"(?:^|[\t.!?:;\"(|>\u2022*\u00b7#~\u2190-\u2bff]|^[ \t]*(?:[-\d.)]+|o)|[ ]-)[ \t*_]*$")
_PREVIOUS = lazy_re(r"([^\W_][\w'&+./-]*)[ \t]{1,2}$")
_NEXT = lazy_re(r"[ ]([^\W\d_][\w'-]*)")
_MODALS = frozenset({"will", "may", "can", "might", "must"})
_NOUN = lazy_re(r"[ ](?!(?:of|and|or|to|in|for|is|was|has|as|at|on|by)\b)[a-z]{3,}")
_POSSESSED = lazy_re(r"[ ][a-z]+'s\b")
_SINGULAR = lazy_re(r"[ ](?:is|was|has|had|[a-z]{2,}(?:[^su]s|es)|[a-z]{3,}ed)[ ]")
_FROM = lazy_re(r"[ ]from[ ][A-Z]")
_PRONOUNS = frozenset("he she you it we they i".split())  # noqa: SIM905 - a list of words
_SMALL_INITIAL = lazy_re(r"(?<!\w)[a-z]\.?[ ]$")
_FORMAL = lazy_re(r"(?:,?[ ]|[ ]\()(?:RN|MD|MBA|PhD|Ph\.D|CPA|MSc|BSc|PMP|Esq|Jr|Sr|II|III|MSN|BSN|JD|PE|CFA)\b")
_ITEM = lazy_re(r"[A-Z0-9][\w.+# -]{2,24}[,;/|\u2022][ ]?$")
_ITEM_NEXT = lazy_re(r"[ ]?[,;/|\u2022][ ]?[A-Z0-9]|[ ](?:and|&|or)[ ][A-Z]")
_CAPITAL_BESIDE = lazy_re(r"[ ][A-Z][a-z]+")
_APART = lazy_re(r",|[.!?]|[ ](?:and|but|-)[ ]|$")
_INTRODUCED = lazy_re(r"\b(?:i'm|i am|name is|call me|m[rsx]s?\.?|miss|dr\.?)[ ]$")
_NUMBERED = lazy_re(r"[ ]+\d{1,2}[ ]?/[ ]?\d{1,2}$")
_REACHED = lazy_re(r"[ ](?:(?:on|at|via|under)[ ])?(?:[+(]?\d|[\w.]+@)")
#: A page's footer: `Gold - Page 2 of 2`, `Gold 2/3`.
_ON_A_PAGE = lazy_re(
    r"[ ]*[-|,\u2022][ ]*(?:page|p\.|cv|resume|curriculum|continued|\d+[ ]?(?:/|of)[ ]?\d)|[ ]/[ ]\d+$"
    r"|[ ](?:cv|resume)(?:[ ](?:19|20)\d\d)?(?:[ ]\[?\d+\]?)?$",
    re.IGNORECASE,
)
_NAMED_TAG = lazy_re(r"name[^<>]*>$", re.IGNORECASE)
_SET_APART = lazy_re(r"[ ]*[|\u00b7\u2022][ ]|,[ ](?=[A-Z])|[ ]-[ ]|[ ]?\(")
_OF = lazy_re(r"[ ]of\b")
_MARKS = " \t*_#>|-.,()\"'\u2022\u00b7\r"
_TOP = 3
_OPEN = {"(": ")", '"': '"', "\u201c": "\u201d"}
_CITED = lazy_re(r"[ ]et al\b|,?[ ](?:19|20)\d\d[a-z]?\)|[ ](?:and|&)[ ][A-Z][a-z]+[ ]\((?:19|20)\d\d")


def kind_of_token(token: str) -> str | None:
    """Return what else a word of a name is: word, month, place, tool, organisation; short; None for no other.

    >>> [kind_of_token(each) for each in ("june", "grace", "jordan", "ruby", "xu", "okafor")]
    ['month', 'word', 'place', 'tool', 'short', None]
    """
    if token in MENTION_WORDS.weekdays:
        return "month"
    kind = name_words().get(token)
    if kind is None and (token in no_names() or token in ordinary_words() or token in english_words()):
        listed = no_names().get(token)
        kind = listed if listed in {"place", "tool"} else "word"
    return "short" if kind is None and len(token) <= 3 and token.isascii() else kind


def stands_for_person(  # noqa: C901, PLR0911 - one line per kind of place
    folded: FoldedText, layout: Layout, start: int, end: int, kind: str, *, given: bool
) -> bool | None:
    """Say whether a word of the person's name stands for the person; None where it can be either.

    `kind` is what else the word is, from `kind_of_token`; of a name that was given, more is taken for the person.
    """
    text, low = folded.text, folded.low
    if kind == "short" and text[start:end].istitle():
        return True  # all English words of three letters are listed
    first = low.rfind("\n", 0, start) + 1
    if not text[start].isupper():
        return (
            is_introduced(low, start)
            or (given and (_is_under_label(low, first) or _is_signed(folded, layout, start, end)))
            or (given and _names_a_script(low, start, end))
        )
    last = low.find("\n", end)
    last = len(low) if last < 0 else last
    left, right = text[max(first, start - 60) : start], text[end : min(last, end + 60)]
    marked = given and (_is_under_label(low, first))
    if marked or _is_told(layout, start, left, right, kind):
        return True
    if not left.strip(_MARKS):
        if not right.strip(_MARKS) and len(right) < 60:
            return kind not in {"tool", "month"} or is_alone(folded, layout, start, end)
        footer = _ON_A_PAGE.match(right) or (_NUMBERED.match(right) and low[start:end] != "page")
        if footer or (right[:1] == ":" and speaks_often(low, low[start:end])):
            return True  # a footer, or whoever answers in an interview
    if text[first:last].isupper():
        return None
    if text[start:end].isupper() and end - start < 5:
        return MENTION_WORDS.speaks.match(right) is not None and _SENTENCE_END.search(left) is not None
    if given and not left.strip(_MARKS) and AROUND_WORDS.verb.match(right) is not None and kind in {"word", "short"}:
        left = ""  # whoever acts, though the line before is full
    elif not left.strip() and first - low.rfind("\n", 0, max(0, first - 1)) > FULL_LINE:
        left = f"{text[max(0, first - 30) : first - 1]} "  # a sentence goes on from a full line
    if not right.strip() and last - first > FULL_LINE:
        right = f" {text[last + 1 : last + 50]}"
    return _in_a_sentence(left, right, kind, near_top=_is_near_top(layout, start), word=low[start:end], given=given)


def speaks_often(low: str, word: str) -> bool:
    """Say whether a word begins lines as a speaker does: in an interview, or twice and more."""
    return "\nq:" in low or low.count(f"\n{word}: ") > 1


def _is_told(layout: Layout, start: int, left: str, right: str, kind: str) -> bool:
    """Say whether a title, a label, brackets or a citation make a capitalised word a name."""
    if any(field.start <= start < field.end and is_own_label(field.label) for field in layout.fields):
        return True
    if left.endswith(">") and right.startswith("</"):
        return _NAMED_TAG.search(left) is not None or kind != "tool"
    if left[-1:] in _OPEN and right[:1] == _OPEN[left[-1]]:
        return kind in {"word", "short"} or left[-1:] != "("  # a nickname in brackets or quotes
    low = left.lower()
    if is_introduced(low, len(low)) and _APART.match(right) is not None:
        return True  # 'I am Pascal, a clerk'
    return (
        AROUND_WORDS.title.search(low) is not None
        or AROUND_WORDS.sure_cue.search(low) is not None
        or MENTION_WORDS.signed.search(left) is not None
        or (MENTION_WORDS.reach.search(low) is not None and _REACHED.match(right) is not None)
        or (kind != "month" and _CITED.match(right) is not None)
        or (MENTION_WORDS.called.search(left) is not None and _CAPITAL_BESIDE.match(right) is None)
    )


def _is_under_label(low: str, first: int) -> bool:
    """Say whether the line before the one that begins at `first` is a label such as `Last name`."""
    return is_own_label(low[low.rfind("\n", 0, max(0, first - 1)) + 1 : max(0, first - 1)].strip(_MARKS + ":"))


def _is_signed(folded: FoldedText, layout: Layout, start: int, end: int) -> bool:
    """Say whether a word in small letters is a line of its own at the top or the end, but for an initial."""
    initial = _SMALL_INITIAL.search(folded.low, max(0, start - 4), start)
    return is_alone(folded, layout, start if initial is None else initial.start(), end)


def is_introduced(low: str, start: int) -> bool:
    """Say whether `my name is`, `call me` and the like stand before a place."""
    return _INTRODUCED.search(low, max(0, start - 20), start) is not None


def _is_near_top(layout: Layout, start: int) -> bool:
    lines = layout.lines
    return bool(lines) and start <= lines[min(_TOP, len(lines)) - 1].end


def _in_a_sentence(left: str, right: str, kind: str, *, near_top: bool, word: str, given: bool) -> bool | None:  # noqa: C901, PLR0911, PLR0912 - one line per kind of surroundings
    """Say whether a capitalised word between `left` and `right` stands for the person."""
    previous, following = _PREVIOUS.search(left), _NEXT.match(right)
    before = previous.group(1) if previous is not None else ""
    cue = before.lower().rstrip(".") if not before.endswith(".") or len(before) < 4 else ""
    opens = _SENTENCE_END.search(left) is not None or (previous is not None and before[-1] in ".!?:;")
    if _FORMAL.match(right) is not None:
        return True
    if left.endswith("-") and left[-2:-1].isalpha() and not left[-3:-2].isalpha():
        return False  # X-Ray
    firm = MENTION_WORDS.own_firm if given else MENTION_WORDS.family_firm
    if kind in {"word", "short"} and firm.match(right) is not None:
        return True
    if given and SONS.match(right) is not None:
        return True
    if following is not None and following.group(1)[0].isupper():
        # Part of a title or a firm's name, if not another family name.
        after = following.group(1).lower()
        family = after in surnames() and after not in name_words() and not is_no_name(after)
        title = right[following.end() + 1 : following.end() + 2].isupper()
        return None if family and kind != "tool" and not title else False
    listed = cue in MENTION_WORDS.openers or cue in MENTION_WORDS.never_before or cue in MENTION_WORDS.articles
    if before[:1].isupper() and not opens and not listed:
        return False
    if MENTION_WORDS.and_i.match(right) is not None:
        return True
    if kind == "month" and AROUND_WORDS.dated.match(right) is not None:
        return False
    if kind == "month" and not opens and MENTION_WORDS.dated_before.search(left.lower()) is not None:
        if cue.isdecimal() and AROUND_WORDS.verb.match(right) is not None and MENTION_WORDS.be.match(right) is None:
            return True  # 'In 2010 Friday gave'
        return None if cue in {"for", "and"} else False
    if cue in MENTION_WORDS.articles and not opens:
        rota = given and cue == "the" and kind in {"word", "short"} and _NOUN.match(right) is not None
        return rota or MENTION_WORDS.called_the.search(left) is not None  # 'is still called the Frost rota'
    if _OF.match(right) is not None or MENTION_WORDS.of_a_field.search(left.lower()) is not None:
        return False
    if right.startswith("'s "):
        if right[3:4].isupper():
            return False
        return True if opens or kind in {"word", "short", "place"} else None
    does, acts = AROUND_WORDS.does.match(right), AROUND_WORDS.verb.match(right) is not None
    if does is not None and opens and word in _MODALS and not does.group().endswith(("s", "ed")):
        does = None  # 'May always help', 'Will read the'
    if opens and word == "so" and MENTION_WORDS.be.match(right) is not None:
        return False  # 'So did the others'
    if opens and word == "my":
        acts = acts and MENTION_WORDS.object.match(right) is not None
        return acts or MENTION_WORDS.never_my.match(right) is not None
    if acts or does is not None or (opens and MENTION_WORDS.handles.match(right) is not None):
        return _acts(left.lower(), right, kind, opens=opens, word=word, given=given)
    apposed = MENTION_WORDS.apposition.match(right) is not None
    if apposed and (kind not in {"month", "tool"} or (opens and kind == "month")):
        return True if opens or kind in {"word", "short"} else None
    if opens:
        return _opening(right, kind, near_top=near_top)
    if MENTION_WORDS.taught.search(left.lower()) is not None and kind == "word":
        return None
    if _ITEM_NEXT.match(right) is not None or _ITEM.search(left) is not None:
        return None if kind in {"word", "short", "month"} else False
    return _within(left, right, kind, cue=cue, given=given)


def _opening(right: str, kind: str, *, near_top: bool) -> bool | None:
    """Say whether a word that opens a sentence, and does nothing in it, stands for the person."""
    following = _NEXT.match(right)
    if _FROM.match(right) is not None and kind in {"word", "short"}:
        return True  # 'Grace from Leeds writing'
    if near_top and _SET_APART.match(right) is not None and kind != "tool":
        return kind != "place" or AROUND_WORDS.placed.match(right) is None
    if MENTION_WORDS.speaks.match(right) is not None:
        return True
    if _POSSESSED.match(right) is not None or (following is not None and is_person_noun(following.group(1))):
        return False  # "Young people's services", 'Summer interns'
    return None if right[:1] in ".!?" or MENTION_WORDS.perhaps.match(right) is not None else False


def _within(left: str, right: str, kind: str, *, cue: str, given: bool) -> bool | None:
    """Say whether a word within a sentence, behind the word `cue`, stands for the person."""
    low = left.lower()
    if kind == "tool":
        if MENTION_WORDS.tool_before.search(low) is not None:
            return False
        return (
            True if given and _ENDS.match(right) is not None and MENTION_WORDS.object_of.search(low) is None else None
        )
    if _COMPOUND.search(left) is not None:
        return None  # 'Chad and Georgia'
    if kind == "place":
        return AROUND_WORDS.placed_before.search(low) is None and AROUND_WORDS.placed.match(right) is None
    if kind == "organisation":
        return (
            False
            if MENTION_WORDS.firm_before.search(low) is not None
            else None
            if cue in {"with", "of", "by"}
            else True
        )
    return cue not in MENTION_WORDS.never_before or MENTION_WORDS.believe.search(low) is not None


def _acts(left: str, right: str, kind: str, *, opens: bool, word: str, given: bool) -> bool | None:  # noqa: PLR0911 - one line per kind
    """Say whether a word before a verb is who does it."""
    if opens and word in _PRONOUNS:
        return _SINGULAR.match(right) is not None
    if left.endswith("working with "):
        return True
    said = MENTION_WORDS.is_a.match(right) is not None or (given and MENTION_WORDS.made.match(right) is not None)
    if kind in {"tool", "organisation"} and MENTION_WORDS.be.match(right) is not None and not (opens and said):
        return None
    if kind == "organisation" and MENTION_WORDS.firm_acts.match(right) is not None:
        return None
    if kind == "month" and MENTION_WORDS.be.match(right) is not None and not (opens and MENTION_WORDS.has.match(right)):
        return None
    if opens:
        return True
    barred = {
        "place": AROUND_WORDS.placed_before,
        "organisation": MENTION_WORDS.firm_before,
        "tool": MENTION_WORDS.tool_before,
        "month": MENTION_WORDS.dated_before,
    }
    pattern = barred.get(kind)
    return None if pattern is not None and pattern.search(left) is not None else True


def _names_a_script(low: str, start: int, end: int) -> bool:
    """Say whether a word is what a script or another file is called.

    >>> _names_a_script("the release script robin.sh", 19, 24), _names_a_script("page.js renders it", 0, 4)
    (True, False)
    """
    return (
        MENTION_WORDS.script.match(low, end) is not None
        and MENTION_WORDS.script_before.search(low, max(0, start - 12), start) is not None
    )
