"""Whether a word of the person's own name stands for the person where it is written alone.

The name is known, so a word with a capital is the name unless its surroundings plainly make
it something else: a word that begins a sentence (`Will you`, `Mark the date`), a month with
its year, a town after `in`, a tool in a list, a part of a longer title (`Grace Period`,
`JPMorgan Chase`). What can be either is the name where the person is spoken of by it elsewhere.
"""

import re

from evenhand.patterns import lazy_re
from evenhand.resumes.names.kinds import is_person_noun
from evenhand.resumes.names.lists import english_words, is_no_name, name_words, no_names, ordinary_words, surnames
from evenhand.resumes.names.own.told import is_own_label
from evenhand.resumes.names.slots import FULL_LINE
from evenhand.resumes.names.standing.compounds import FAMILY_FIRM, OWN_FIRM, SONS
from evenhand.resumes.names.usage import (
    DATED,
    DOES,
    PLACED,
    PLACED_BEFORE,
    SURE_CUE,
    TITLE,
    VERB,
    is_alone,
)
from evenhand.resumes.text.folded_text import FoldedText
from evenhand.resumes.text.layout import Layout

__all__ = ["is_introduced", "kind_of_token", "speaks_often", "stands_for_person"]

_WEEKDAYS = frozenset("monday tuesday wednesday thursday friday saturday sunday".split())  # noqa: SIM905 - a list of words
#: Before a name with a small letter or at a sentence's start; a noun that a title is made of is none of these.
_OPENERS_LISTED = (
    "when while where as because since before after although though if until once what why how who whom than that "
    "then so but yet and or nor today now currently later earlier recently here there also only even both about "
    "meet meeting hire call ask contact thank thanks join joining invite recommend describe introducing introduce "
    "hi hello hey dear i'm signed sincerely regards yours best cheers love warmly by with for from to under like "
    "unlike without colleagues clients people friends at working interview profile portfolio prepared candidate "
    "applicant follow find see trust choose watch hear email phone text write reach help let give tell show support "
    "ring message whatsapp connect it's this that's here's i'd name's"
)
_OPENERS = frozenset(_OPENERS_LISTED.split())
_NEVER_BEFORE = frozenset("in at on into via per within onto near across throughout using".split())  # noqa: SIM905 - a list of words
_ARTICLES_LISTED = "the a an this that these those each every no any some our my its your their his her one"
_ARTICLES = frozenset(_ARTICLES_LISTED.split())
_BELIEVE = lazy_re(r"\b(?:confidence|faith|trust|believe[sd]?|invest\w*|interest\w*|pride|saw|see)\b")
_OF_A_FIELD = lazy_re(
    r"\b(?:school|faculty|dep(?:artmen)?t\.?|college|institute|masters?|bachelors?|doctor(?:ate)?|diploma|certificate|"
    r"degree|history|head|director|professor|bank|house|city|town|county|church|court|state|university|museum|office|"
    r"ministry|cent(?:re|er)|chair|dean|lecturer|reader|kingdom|republic|gulf|bay|lake|island|port|duchess|duke)"
    r"[ ](?:of|for|in)[ ]$"
)
_ENDS = lazy_re(r"[.,;:!?)\"']|$")
#: What is done with tools.
_OBJECT_OF = lazy_re(r"(?:ed|ing|wrote|ran|built|write|run|build|set up|[^\w ]|[ ]-|^) $")
_COMPOUND = lazy_re(r"[A-Z][\w'-]+[ ](?:and|&)[ ]$")
_SENTENCE_END = lazy_re(r"(?:^|[\t.!?:;\"(|>\u2022*\u00b7#~\u2190-\u2bff]|^[ \t]*(?:[-\d.)]+|o)|[ ]-)[ \t*_]*$")
_PREVIOUS = lazy_re(r"([^\W_][\w'&+./-]*)[ \t]{1,2}$")
_NEXT = lazy_re(r"[ ]([^\W\d_][\w'-]*)")
_APPOSITION = lazy_re(r",[ ](?:who|whose|an?|the|our|my|your|now|then|aged|as|for|from)\b|[ ](?:here|and (?:I|me))\b")
_MODALS = frozenset({"will", "may", "can", "might", "must"})
_SPEAKS = lazy_re(r":[ ](?:\"|I|I'm|We|My|Our|It|Well|Yes|No|Oh|That|The|This|After|At|In)\b")
#: A verb in the third person, not a plural noun: `mends the nets`; `periods were cut` is none.
_HANDLES = lazy_re(
    r"[ ][a-z]+(?:[^su]s|es)[ ](?:the|an?|his|her|their|our|my|all|both|every|each|up|nights?|well|\w+ly|[A-Z]\w+)\b"
)
#: Perhaps a verb, perhaps a plural noun.
_PERHAPS = lazy_re(r"[ ][a-z]+(?:[^su]s|es)[ ](?!(?:were|are|is|was|have|had|has|and|or|of|that|who|which|will|can)\b)")
_NOUN = lazy_re(r"[ ](?!(?:of|and|or|to|in|for|is|was|has|as|at|on|by)\b)[a-z]{3,}")
_CALLED_THE = lazy_re(
    r"\b(?:called|named|nicknamed|dubbed|known as|christened)(?: it| this| that)?"
    r"[ ](?:the|an?|my|our|his|her|their)[ ]$"
)
_POSSESSED = lazy_re(r"[ ][a-z]+'s\b")
_SINGULAR = lazy_re(r"[ ](?:is|was|has|had|[a-z]{2,}(?:[^su]s|es)|[a-z]{3,}ed)[ ]")
_FROM = lazy_re(r"[ ]from[ ][A-Z]")
_AND_I = lazy_re(r"[ ]and (?:I|me|his|her|their|he|she|they)\b")
_NEVER_MY_LISTED = (
    "is was has had enjoys lives loves speaks teaches joined keeps knows sings likes sits goes comes gets takes "
    "makes gives brings thinks sees finds tells asks seems feels tries holds writes meets learns leads spends wins "
    "sells cooks fixes manages directs advises oversees owns came went took became began wrote"
)
#: After `My` only where it is a name.
_NEVER_MY = lazy_re(rf"[ ](?:{'|'.join(_NEVER_MY_LISTED.split())})\b")
_OBJECT = lazy_re(r"[ ][a-z]+[ ](?:the|an?|her|his|in|at|to|from|for|as)\b")
_PRONOUNS = frozenset("he she you it we they i".split())  # noqa: SIM905 - a list of words
_BE = lazy_re(
    r"[ ](?:is|are|was|were|has|had|can|will|would|could|did|does|do|supports?|provides?|runs?|works?|made|set)\b"
)
_FIRM_ACTS = lazy_re(
    r"[ ](?:acquired|bought|merged|sells|makes|manufactures|supplies|employs|went (?:public|bankrupt))\b"
)
_SMALL_INITIAL = lazy_re(r"(?<!\w)[a-z]\.?[ ]$")
_MADE = lazy_re(r"[ ](?:made|did|had|could|would) ")
_IS_A = lazy_re(r"[ ](?:is|was) (?:an?|the|based|known|now|currently)\b|[ ]has \w+ (?:years|decades)\b")
_HAS = lazy_re(
    r"[ ](?:has|had|can|runs?|works?|supports?|provides?|made|"
    r"is (?:an?|the|now|based|available|looking|known|keen|fluent|currently|ready|skilled|qualified|happy|able)|"
    r"(?:is|was) (?:been |being )?\w{3,}ed)\b"
)
_FORMAL = lazy_re(r"(?:,?[ ]|[ ]\()(?:RN|MD|MBA|PhD|Ph\.D|CPA|MSc|BSc|PMP|Esq|Jr|Sr|II|III|MSN|BSN|JD|PE|CFA)\b")
_DATED_BEFORE = lazy_re(
    r"(?:\b(?:in|from|to|since|until|till|by|of|during|last|this|following|next|every|early|late|mid|and|for|the|each|"
    r"on|between|before|after|through|as of|per)|\d(?:st|nd|rd|th)?(?: of)?|-|/)[ ]?$"
)
_FIRM_BEFORE = lazy_re(r"\b(?:at|for|from|joined|left|via|to|acquired by|in|met|under|banks?|banking with)[ ]$")
_TOOL_BEFORE = lazy_re(r"\b(?:using|use|used|in|with|and|or|on|via|through|of|to|from|for|by|learned|learnt|know)[ ]$")
_ITEM = lazy_re(r"[A-Z0-9][\w.+# -]{2,24}[,;/|\u2022][ ]?$")
_ITEM_NEXT = lazy_re(r"[ ]?[,;/|\u2022][ ]?[A-Z0-9]|[ ](?:and|&|or)[ ][A-Z]")
_CAPITAL_BESIDE = lazy_re(r"[ ][A-Z][a-z]+")
_APART = lazy_re(r",|[.!?]|[ ](?:and|but|-)[ ]|$")
_INTRODUCED = lazy_re(r"\b(?:i'm|i am|name is|call me|m[rsx]s?\.?|miss|dr\.?)[ ]$")
_NUMBERED = lazy_re(r"[ ]+\d{1,2}[ ]?/[ ]?\d{1,2}$")
#: Whom one rings has a number: `Ring Siri on +33 6`.
_REACH = lazy_re(r"\b(?:ring|phone|call|text|contact|e-?mail|message|whatsapp|write to|reach|page)[ ]$")
_REACHED = lazy_re(r"[ ](?:(?:on|at|via|under)[ ])?(?:[+(]?\d|[\w.]+@)")
#: A page's footer: `Gold - Page 2 of 2`, `Gold 2/3`.
_ON_A_PAGE = lazy_re(
    r"[ ]*[-|,\u2022][ ]*(?:page|p\.|cv|resume|curriculum|continued|\d+[ ]?(?:/|of)[ ]?\d)|[ ]/[ ]\d+$"
    r"|[ ](?:cv|resume)(?:[ ](?:19|20)\d\d)?(?:[ ]\[?\d+\]?)?$",
    re.IGNORECASE,
)
_TAUGHT = lazy_re(r"\b(?:taught|teach(?:es|ing)?|stud(?:ied|ies|y|ying)|read|major(?:ed)? in|degree in|minor in)[ ]$")
_NAMED_TAG = lazy_re(r"name[^<>]*>$", re.IGNORECASE)
_SET_APART = lazy_re(r"[ ]*[|\u00b7\u2022][ ]|,[ ](?=[A-Z])|[ ]-[ ]|[ ]?\(")
_OF = lazy_re(r"[ ]of\b")
_MARKS = " \t*_#>|-.,()\"'\u2022\u00b7\r"
_TOP = 3
_OPEN = {"(": ")", '"': '"', "\u201c": "\u201d"}
_SIGNED = lazy_re(r"(?:\b(?:signed|sincerely|regards|thanks|cheers|yours|love)|/s/)[,:]?[ ]$", re.IGNORECASE)
_CITED = lazy_re(r"[ ]et al\b|,?[ ](?:19|20)\d\d[a-z]?\)|[ ](?:and|&)[ ][A-Z][a-z]+[ ]\((?:19|20)\d\d")
#: Before a given name where people are called by their work: `Nurse Grace`.
_CALLED = lazy_re(
    r"\b(?:Nurse|Sister|Brother|Chef|Coach|Pastor|Captain|Sergeant|Teacher|Uncle|Auntie?|Father|Mother|Imam|Rabbi|"
    r"Judge)[ ]$"
)


def kind_of_token(token: str) -> str | None:
    """Return what else a word of a name is: word, month, place, tool, organisation; short; None for no other.

    >>> [kind_of_token(each) for each in ("june", "grace", "jordan", "ruby", "xu", "okafor")]
    ['month', 'word', 'place', 'tool', 'short', None]
    """
    if token in _WEEKDAYS:
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
        return _SPEAKS.match(right) is not None and _SENTENCE_END.search(left) is not None
    if given and not left.strip(_MARKS) and VERB.match(right) is not None and kind in {"word", "short"}:
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
        TITLE.search(low) is not None
        or SURE_CUE.search(low) is not None
        or _SIGNED.search(left) is not None
        or (_REACH.search(low) is not None and _REACHED.match(right) is not None)
        or (kind != "month" and _CITED.match(right) is not None)
        or (_CALLED.search(left) is not None and _CAPITAL_BESIDE.match(right) is None)
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
    if kind in {"word", "short"} and (FAMILY_FIRM if not given else OWN_FIRM).match(right) is not None:
        return True
    if given and SONS.match(right) is not None:
        return True
    if following is not None and following.group(1)[0].isupper():
        # Part of a title or a firm's name, if not another family name.
        after = following.group(1).lower()
        family = after in surnames() and after not in name_words() and not is_no_name(after)
        title = right[following.end() + 1 : following.end() + 2].isupper()
        return None if family and kind != "tool" and not title else False
    if before[:1].isupper() and not opens and not (cue in _OPENERS or cue in _NEVER_BEFORE or cue in _ARTICLES):
        return False
    if _AND_I.match(right) is not None:
        return True
    if kind == "month" and DATED.match(right) is not None:
        return False
    if kind == "month" and not opens and _DATED_BEFORE.search(left.lower()) is not None:
        if cue.isdecimal() and VERB.match(right) is not None and _BE.match(right) is None:
            return True  # 'In 2010 Friday gave'
        return None if cue in {"for", "and"} else False
    if cue in _ARTICLES and not opens:
        rota = given and cue == "the" and kind in {"word", "short"} and _NOUN.match(right) is not None
        return rota or _CALLED_THE.search(left) is not None  # 'is still called the Frost rota'
    if _OF.match(right) is not None or _OF_A_FIELD.search(left.lower()) is not None:
        return False
    if right.startswith("'s "):
        if right[3:4].isupper():
            return False
        return True if opens or kind in {"word", "short", "place"} else None
    does = DOES.match(right)
    if does is not None and opens and word in _MODALS and not does.group().endswith(("s", "ed")):
        does = None  # 'May always help', 'Will read the'
    if opens and word == "so" and _BE.match(right) is not None:
        return False  # 'So did the others'
    if opens and word == "my":
        return _NEVER_MY.match(right) is not None or (
            VERB.match(right) is not None and _OBJECT.match(right) is not None
        )
    if VERB.match(right) is not None or does is not None or (opens and _HANDLES.match(right) is not None):
        return _acts(left.lower(), right, kind, opens=opens, word=word, given=given)
    if _APPOSITION.match(right) is not None and (kind not in {"month", "tool"} or (opens and kind == "month")):
        return True if opens or kind in {"word", "short"} else None
    if opens:
        return _opening(right, kind, near_top=near_top)
    if _TAUGHT.search(left.lower()) is not None and kind == "word":
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
        return kind != "place" or PLACED.match(right) is None
    if _SPEAKS.match(right) is not None:
        return True
    if _POSSESSED.match(right) is not None or (following is not None and is_person_noun(following.group(1))):
        return False  # "Young people's services", 'Summer interns'
    return None if right[:1] in ".!?" or _PERHAPS.match(right) is not None else False


def _within(left: str, right: str, kind: str, *, cue: str, given: bool) -> bool | None:
    """Say whether a word within a sentence, behind the word `cue`, stands for the person."""
    low = left.lower()
    if kind == "tool":
        if _TOOL_BEFORE.search(low) is not None:
            return False
        return True if given and _ENDS.match(right) is not None and _OBJECT_OF.search(low) is None else None
    if _COMPOUND.search(left) is not None:
        return None  # 'Chad and Georgia'
    if kind == "place":
        return PLACED_BEFORE.search(low) is None and PLACED.match(right) is None
    if kind == "organisation":
        return False if _FIRM_BEFORE.search(low) is not None else None if cue in {"with", "of", "by"} else True
    return cue not in _NEVER_BEFORE or _BELIEVE.search(low) is not None


def _acts(left: str, right: str, kind: str, *, opens: bool, word: str, given: bool) -> bool | None:  # noqa: PLR0911 - one line per kind
    """Say whether a word before a verb is who does it."""
    if opens and word in _PRONOUNS:
        return _SINGULAR.match(right) is not None
    if left.endswith("working with "):
        return True
    said = _IS_A.match(right) is not None or (given and _MADE.match(right) is not None)
    if kind in {"tool", "organisation"} and _BE.match(right) is not None and not (opens and said):
        return None
    if kind == "organisation" and _FIRM_ACTS.match(right) is not None:
        return None
    if kind == "month" and _BE.match(right) is not None and not (opens and _HAS.match(right)):
        return None
    if opens:
        return True
    barred = {"place": PLACED_BEFORE, "organisation": _FIRM_BEFORE, "tool": _TOOL_BEFORE, "month": _DATED_BEFORE}
    pattern = barred.get(kind)
    return None if pattern is not None and pattern.search(left) is not None else True


#: What programs and other files of work are called, and what stands before their name.
_SCRIPT = lazy_re(r"\.(?:sh|py|bat|ps1|exe|rb|pl|js|r|sql|xlsm|mp4|mov|zip|csv|xlsx?|pptx?|png|jpe?g)\b")
_SCRIPT_BEFORE = lazy_re(r"\b(?:scripts?|macros?|programs?|tools?|files?|videos?|workbooks?|repo|folder|bot) $")


def _names_a_script(low: str, start: int, end: int) -> bool:
    """Say whether a word is what a script or another file is called.

    >>> _names_a_script("the release script robin.sh", 19, 24), _names_a_script("page.js renders it", 0, 4)
    (True, False)
    """
    return _SCRIPT.match(low, end) is not None and _SCRIPT_BEFORE.search(low, max(0, start - 12), start) is not None
