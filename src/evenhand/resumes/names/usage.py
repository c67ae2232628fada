"""Whether a word that is also a name is used as one: `Grace led`, not `in grace`, `Jordan's team`, not `in Jordan`."""

from evenhand.patterns import lazy_re
from evenhand.resumes.names.lists import is_no_name
from evenhand.resumes.text.folded_text import FoldedText
from evenhand.resumes.text.layout import Layout

__all__ = ["DATED", "DOES", "PLACED", "PLACED_BEFORE", "SURE_CUE", "TITLE", "VERB", "is_alone", "is_used_as_name"]

#: What goes on with a month, and with a town, and what stands before a town.
DATED = lazy_re(
    r"[ ,./'-]{0,3}(?:(?:19|20)\d\d|\d\d?)(?!\d|\.[ ][A-Z])"
    r"|[ ]?[-/&][ ]?(?i:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec|mon|tue|wed|thu|fri|sat|sun|winter|spring|"
    r"summer|autumn|fall|present|current|now|today|date|ongoing)"
    r"|[ ](?:of|to|and|through|until|release|issue|intake|bank)\b"
)
PLACED = lazy_re(
    r",[ ][A-Z]|[ ](?:office|branch|campus|market|team|site|plant|region|area|metro|store|hub|desk|airport|"
    r"headquarters)\b"
)
PLACED_BEFORE = lazy_re(
    r"\b(?:in|from|to|at|near|across|outside|throughout|via|around|visited|left|moved to|into|between|over)[ ]$"
)

#: What a person does in a résumé or a letter.
VERB = lazy_re(
    r"[ \t]+(?:(?:also|then|now|still|always|currently|often|regularly|first|has|had|have|who|"
    r"successfully|later|quickly|recently|and I)[ ]+){0,2}"
    r"(?:led|built|ran|wrote|won|taught|grew|drove|brought|made|took|held|gave|set|sat|spoke|"
    r"oversaw|began|became|kept|left|met|rose|came|saw|went|got|drew|sang|drove|rode|flew|swam|threw|fell|felt|heard|"
    r"thought|bought|sought|caught|fought|sold|told|said|paid|stood|understood|knew|sent|dealt|lost|chose|broke|does|did|"
    r"forgot|lent|meant|shook|withstood|woke|co-[a-z]+|re(?:built|wrote|made|took|ran|sold|drew|set)|under(?:took|went|stood)|"
    r"over(?:came|took|ran)|out(?:grew|ran|did|sold)|withdrew|foresaw|"
    r"leads|builds|runs|writes|works|manages|teaches|holds|brings|has|had|was|is|can|will|would|could|joins|joined|"
    r"(?:may|might|must|should) (?:be|have|not|also)|"
    r"spent|heads|oversees|directs|chairs|reports|advises|owns|grows|studies|"
    r"brings|specialises|specializes|researches|"
    r"serves|speaks|enjoys|lives|loves|knows|provides|oversees|designs|develops|supports|volunteers|coaches|mentors|"
    r"(?!used\b|based\b|related\b|needed\b|united\b|limited\b|integrated\b|advanced\b|certified\b|"
    r"applied\b|red\b|bed\b|med\b|speed\b)[a-z]{2,}ed)\b"
)
_DOES_LISTED = (
    "looks answers keeps makes takes gives gets goes comes puts brings thinks knows sees finds tells asks works "
    "seems feels tries leaves calls moves likes lives believes holds writes sits stands pays meets continues sets "
    "learns leads understands watches follows creates speaks reads spends grows opens walks wins offers remembers "
    "loves buys waits serves sends builds stays remains raises sells decides develops explains hopes carries "
    "receives agrees supports eats covers draws chooses rides runs drives teaches studies sings dances paints "
    "cooks bakes fixes mends repairs designs manages directs chairs advises helps handles plans turns plays swims "
    "cycles hikes volunteers coaches mentors trains lectures publishes researches specialises specializes enjoys "
    "thrives excels divides combines splits oversees owns hosts edits replies listens smiles laughs arrives "
    "travels commutes belongs wants needs cares prefers insists accepts applies aims seeks strives focuses "
    "balances juggles inspires motivates encourages supervises delivers ensures maintains operates performs "
    "prepares presents assists attends cuts begins becomes earns saves tends welcomes ships codes acts sews prays "
    "farms hunts dances"
)
#: What a person does, in the present and with `always`, `should`; also verbs whose past is written as the present.
DOES = lazy_re(
    rf"[ ](?:{'|'.join(_DOES_LISTED.split())})(?=[ .,;:!\n]|$)(?![ ][a-z]+(?:ed|es)[ ](?:by|in)\b)"
    r"|[ ](?:always|never|often|also|then|now|still|soon|once|again|even|rarely|usually|quietly|[a-z]+ly)[ ]"
    r"[a-z]+(?:ed|s|ew|oke|ought|aught|t|d|n|ng|ve|an|ame|ent)\b"
    r"|[ ](?:should|must|might|could|would|cannot|can't|won't|didn't|doesn't|isn't|wasn't|hasn't)\b"
    r"|[ ](?:cut|put|set|hit|let|read|shut|quit|beat|does|did)[ ]"
    r"(?:the|an?|his|her|their|our|all|up|[a-z]+s|in|out|\d)\b"
)
_BE = lazy_re(r"[ \t]+(?:is|was|has|had|can|will|would|could|runs|set|made|works|supports|provides)\b")
_DONE = lazy_re(r"[ \t]+(?:is|was|has|had)[ ](?:been[ ]|being[ ])?[a-z]{3,}ed\b")
TITLE = lazy_re(
    r"\b(?:mr|mrs|ms|mx|miss|dr|prof|professor|sir|madam|dear|hi|hello|hey|uncle|aunt|herr|herrn|frau|senor|senora|"
    r"monsieur|madame|mme|signor|signora|pani?)\.?[ \n][ \t>]*$"
)
_CUE = lazy_re(
    r"\b(?:by|with|for|contact|mentored|tutored|coached|supervised|onboarded|succeeded|alongside|"
    r"mentoring|call|called|thank|thanks|ask|am|i'm|name is|named|colleague|mentor|"
    r"manager|supervisor|referee|"
    r"reference|from|and|about|told|helped|joined|meet|met|under|to|recommend|regards|sincerely|"
    r"prefer|goes by|known as|me)[,:]?[ ]$"
)
SURE_CUE = lazy_re(
    r"\b(?:mentored|tutored|coached|supervised|onboarded|succeeded|alongside|mentoring|coaching|"
    r"supervising|reported to|reporting to|reports to|recommended by|supervised by|mentored by|managed by|code with|"
    r"closely with|paired with|prize with|name is|call me|signed by|thanks to|according to|recommend|hire|confidence "
    r"in|faith in|ask for)[ ]$"
)
_ARTICLE = lazy_re(r"(?<!\w)(?:the|an?|this|that|each|every|no)[ ]$")
_NOT_CUE = {
    "place": lazy_re(r"\b(?:in|from|to|at|near|of|for|outside|across|via|and|with|,)[ ]$"),
    "organisation": lazy_re(r"\b(?:at|for|from|with|by|to|of|and|via|joined|in|under|met)[ ]$"),
    "month": lazy_re(
        r"\b(?:in|from|to|since|until|by|of|during|last|this|following|next|every|early|late|mid|"
        r"and|for|the|each|-)[ ]$"
    ),
    "tool": lazy_re(r".$"),
}
_PLACE_AFTER = lazy_re(
    r",[ ][A-Z]|[ ](?:office|branch|campus|market|team|site|plant|region|area|metro)\b|[ ]?,[ ]?[A-Z]{2}\b"
)
_MONTH_AFTER = lazy_re(
    r"[ ,./-]*(?:'?\d)|[ ]?[-–/&][ ]?[A-Z]|[ ](?:of|to|and|through|until|close|deadline|release|issue|bank)\b"
)
#: Words that begin a sentence before its subject.
_OPENERS_LISTED = "There Here Today Now Then When While Currently Later Since Before After Colleagues"
_OPENERS = frozenset(_OPENERS_LISTED.split())
_NEXT_WORD = lazy_re(r"[ ]([^\W\d_][\w'-]*)")
_PREVIOUS_WORD = lazy_re(r"([\w'&+.-]+)[ ]$")


def is_used_as_name(folded: FoldedText, layout: Layout, start: int, end: int, kind: str) -> bool:  # noqa: C901, PLR0911, PLR0912 - one line per cue
    """Say whether a capitalised word that is also of another kind stands for a person here."""
    text, low = folded.text, folded.low
    left, low_left = text[max(0, start - 40) : start], low[max(0, start - 40) : start]
    right = text[end : end + 60]
    if TITLE.search(low_left) is not None or SURE_CUE.search(low_left) is not None:
        return True
    if is_alone(folded, layout, start, end):
        return kind != "tool"
    if kind == "month" and (_MONTH_AFTER.match(right) is not None or _NOT_CUE["month"].search(low_left) is not None):
        return False
    if _ARTICLE.search(low_left) is not None:
        return False
    following, previous = _NEXT_WORD.match(right), _PREVIOUS_WORD.search(left)
    if following is not None and following.group(1)[0].isupper():
        return False
    at_start = previous is None or previous.group(1)[-1] in ".!?:•-"
    opens = previous is not None and previous.group(1) in _OPENERS
    if (
        previous is not None
        and previous.group(1)[0].isupper()
        and not at_start
        and not opens
        and not _ends_sentence(left)
    ):
        return not is_no_name(previous.group(1).lower()) and kind == "short"
    if right.startswith("'s "):
        return kind not in {"month", "tool", "organisation"} or at_start
    verb = VERB.match(right)
    if verb is not None:
        if (
            kind in {"tool", "month"}
            and _BE.match(right) is not None
            and (kind == "tool" or _DONE.match(right) is None)
        ):
            return False
        unplaced = _NOT_CUE.get(kind)
        return at_start or unplaced is None or unplaced.search(low_left) is None
    if kind == "tool":
        return False
    unplaced = _NOT_CUE.get(kind)
    if unplaced is not None and unplaced.search(low_left) is not None:
        return kind == "place" and low_left.endswith(("by ", " me "))
    if kind == "place" and _PLACE_AFTER.match(right) is not None:
        return False
    if _CUE.search(low_left) is not None:
        return True
    return (
        kind in {"word", "short"}
        and not at_start
        and bool(left.strip())
        and left.rstrip()[-1] in "abcdefghijklmnopqrstuvwxyz,"
    )


_CLOSING = lazy_re(
    r"(?:yours|sincerely|regards|(?:kind|best|warm|many|with|all)\w* [a-z ]+|thanks|thank you|best|cheers|cordially|"
    r"respectfully|saludos|atentamente|cordialement)[a-z ]{0,24}[,.!]?$"
)


def _ends_sentence(left: str) -> bool:
    return left.rstrip().endswith((".", "!", "?", ":"))


def is_alone(folded: FoldedText, layout: Layout, start: int, end: int) -> bool:
    """Say whether the word is a line of its own, near the top or at the end."""
    low = folded.low
    before = low.rfind("\n", 0, start) + 1
    after = low.find("\n", end)
    after = len(low) if after < 0 else after
    if low[before:start].strip(" *#_->|\t") or low[end:after].strip(" *#_-,.|\t\r"):
        return False
    previous = low[max(0, before - 60) : before].rstrip(" >|\n\t").rpartition("\n")[2].strip(" >|*")
    if _CLOSING.match(previous) is not None:
        return True
    lines = layout.lines
    near_top = len(lines) > 2 and start <= lines[min(3, len(lines) - 1)].start
    near_end = bool(lines) and end >= lines[-2 if len(lines) > 1 else -1].start
    return near_top or near_end
