"""MARITAL: the person's own children, how many there are and how old, and the words for a parent.

Kept: children as work (taught, minded, treated), others' children, child nodes, twin rooms, parent companies. A word of
children counts where somebody has, raises or expects them, or where they stand beside a word of marital status.
"""

from evenhand.resumes.plain import Plain
from evenhand.resumes.rules import Rule, pattern

__all__ = ["CHILD", "CHILDREN", "STEP", "counted", "is_own_child"]

_NUMBER = r"(?:no|one|two|three|four|five|six|seven|eight|nine|ten|both|several|zero|\d\d?)"
_AGE = r"(?:\d\d?|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)"
_KIND = (
    r"(?:own|only|first|second|third|fourth|first-born|eldest|oldest|youngest|middle|elder|older|younger|other|new|"
    r"newborn|unborn|young|small|little|tiny|infant|baby|toddler|teen|teen-?aged?|school[ -]?(?:age|aged|going)|"
    r"pre-?school|primary(?:[ -](?:age|aged|school))?|secondary(?:[ -](?:age|aged|school))?|"
    r"(?:nursery|university|college)[ -]age|grown(?:[ -]up)?|adult|dependent|dependant|minor|biological|natural|step|"
    r"foster|adopted|adoptive|twin|healthy|lovely|beautiful|wonderful|amazing|energetic|lively|growing|bilingual|"
    rf"disabled|autistic|deaf|blind|gifted|very|{_AGE}[ -](?:year|month|week)s?[ -]old)"
)
#: A number or a kind of child before the word: `two `, `school-age `.
STEP = rf"(?:{_NUMBER}|{_KIND})(?:[\s-]+|, )"
_COUNTED = rf"(?:{STEP})*"
_SOME = rf"(?:{STEP})+"
_DET = r"(?:(?:my|our|his|her|their|an?|another|the) )?"
CHILD = (
    r"(?:(?:step|grand|great-grand|god|school)?child(?:ren)?|(?:step|grand)?kids?|kiddos?|sons?|daughters?|boys?|"
    r"girls?|(?:brothers|sisters|siblings)(?= (?:from|in (?:19|20)\d\d))|kindergart[ae]?ners?|(?:first|"
    r"second|third|fourth|fifth|sixth)[ -]graders?|tweens?|under-(?:twos|threes|fours|fives|tens)|"
    r"(?:middle|high|elementary)[ -]schoolers?|twins|triplets|quadruplets|bab(?:y|ies)|newborns?|infants?|"
    r"toddlers?|teenagers?|teens|pre-?schoolers?|offspring|"
    r"little ones?|depend[ae]nts?)\b"
)


def counted(child: str) -> str:
    """Return a pattern of a word with the numbers and ages before it: `two school-age` children."""
    return rf"{_COUNTED}{child}"


#: Whose children are spoken of where it isn't the person.
_OF_OTHERS = (
    r"\b(?:patients?|clients?|mothers?|fathers?|famil(?:y|ies)|wom[ae]n|m[ae]n|pupils?|students?|carers?|customers?|"
    r"service users?|residents?|tenants?|visitors?|guests?|members?|people|adults?|employees|staff|applicants?|couples|"
    r"each|every|victims?|survivors?|refugees?|migrants?|workers?|person|users?|parents?(?! with| of| to))\b"
)
_MINDED = (
    r"\b(?:nann(?:y|ies)|au[ -]pair\w*|child-?mind\w*|governess\w*|tutor\w*|babys\w+|class(?:es)?|groups?|nurser\w+|"
    r"looked after|caseload|foster\w* plac\w+|taught|teach\w*|coach\w*|supervis\w+|minded|photograph\w*|mentor\w*|"
    r"portrait\w*)\b[^.\n]{0,50}$"
)
_STATUS = (
    r"\b(?:(?:re|un)?married|family man|single|divorced|separated|widow(?:ed|er)?|cohabiting|partnered|"
    r"civil partner(?:ship)?|husband|wife|spouse|partner|fiancee?|relationship|de facto|bachelor|spinster|divorcee|"
    r"unattached|verheiratet|ledig|geschieden|casad[oa]|solteir[oa]|solter[oa]|divorciad[oa]|mariee?|pacsee?|"
    r"celibataire|coniugat[oa]|sposat[oa]|celibe|nubile|separat[oa]|divorziat[oa]|vedov[oa]|viud[oa]|viuv[oa]|veu(?:f|"
    r"ve)|divorcee?s?|gehuwd|ongehuwd|samenwonend|gescheiden|verwitwet|verpartnert|getrennt lebend|union libre|en "
    r"couple|gift|skilt|samboer|sambo|zonaty|zamezna|zenaty|vdana|evli|bekar|menikah|kawin|casat[oa]?|casatorit[a]?)"
    r"(?: (?:man|woman|dad|mum|mom|father|mother|parent|since (?:19|20)\d\d|(?:for )?\w+ years|(?:19|20)\d\d|\(\w+\)))?"
)
_LINKS = (
    r"(?:\s*(?:[,;:/|.&+(-]|\b(?:and|or|with|have|has|having|plus|we have|i have|mit|y|et|con|sans|w/|has got|have got|"
    r"with whom i have|without|without any)\b))+\s*"
)
_PERSON = r"(?:i|we|he|she|they|my (?:wife|husband|partner|spouse) and i)"
_ADVERB = r"(?:(?:also|now|both|currently|already|still|only|do|happily|proudly|just) )*"
_LINE = r"(?:^|[\n.;*|>\"\t•▪●·+»-]|\])[ ]*"

_MY = pattern(rf"\bmy (?:own |late )?{_COUNTED}$", rf"\b(?:his|her|our|their) own {_COUNTED}$")
_OURS = pattern(rf"\b(?:our|his|her) {_COUNTED}$")
_HAS = pattern(
    rf"(?:\b{_PERSON} {_ADVERB}(?:have|has|have got|has got)|\b(?:i|we|they)'ve(?: got)?|\b(?:he|she)'s got|"
    rf"{_LINE}(?:also |and )?(?:have|has|had)|\b(?:am|is|are) (?:blessed|the proud (?:owner|parents?)) (?:with|of)|"
    rf"\b(?:i|he|she|we) {_ADVERB}(?:had|raise|support|supported|provide for|home-?school)) "
    rf"(?:an? |another |my |our )?(?P<some>{_COUNTED})$"
)
_NAME_HAS = pattern(rf"([a-z'.-]+) (?:has|is raising|is expecting|supports) (?:an? )?{_COUNTED}$")
_NONE = pattern(
    rf"\b(?:do not|don't|does not|doesn't|did not|didn't|never) (?:yet )?(?:have|had|want) (?:any )?{_COUNTED}$",
    rf"\b(?:haven't|hasn't|have not|has not) (?:got |had )?(?:any )?{_COUNTED}$",
    r"\b(?:am|is|are|married|single|divorced|separated|widowed|have|has|having|currently) (?:and )?(?:without|"
    r"no) (?:any )?$",
)
_BESIDE_STATUS = pattern(rf"{_STATUS}{_LINKS}(?:an? |our |my |their |the )?{_COUNTED}$")
_RAISED = pattern(
    rf"\b(?:rais(?:e|es|ed|ing)|bring(?:s|ing)? up|brought up|home-?school(?:ed|ing)|home-?educat(?:ed|ing)|"
    rf"birth(?:s)? of|arrival of|expecting|having|conceiv\w+|co-?parent(?:ed|ing)|parenting|mothering|fathering|"
    rf"welcom(?:ed|ing)|gave birth to|giving birth to) {_DET}{_COUNTED}$",
    rf"\b(?:adopt(?:ed|ing)?|foster(?:ed|ing|s)?|rear(?:ed|ing)|stay(?:ed|ing)?(?: at)? home with|(?:at )?home with|"
    rf"nursing|breast-?feeding) (?:(?:my|our|his|her|their|an?|another) {_COUNTED}|(?:the )?{_SOME})$",
    r"\bstay(?:ed|ing)?(?: at)? home with (?:the )?$",
    rf"\b(?:juggl\w+|balanc\w+|combin\w+|time|weekends?|holidays?|liv(?:e|es|ing)|mov(?:e|ed|ing)|"
    rf"relocat\w+|arrived|settled|settling|busy|evenings?)\b[^.;|\n]{{0,30}} (?:with|and|for) (?:my |our )?{_SOME}$",
)
_BABY = pattern(
    rf"(?<!\bwho\s)\b(?:had|having|have|lost|losing) (?:a|another|our|my|our first|my first|twin) {_COUNTED}$",
    rf"\b(?:after|before|since|by|until|of) having (?:my |our |had )?{_COUNTED}$",
    rf"\b(?:with|and|to) (?:a|an|my|our) (?:newborn|new|young|small|first|second|six-month-old|tiny) {_COUNTED}$",
)
_WHEN = pattern(
    rf"{_LINE}(?:(?:both|all|my|our|of my|the) )*{_COUNTED}$",
    rf"\b(?:while|when|as|since|until|till|before|once|because|after|now that|so|whilst) (?:the |our )?{_COUNTED}$",
)
_GREW = pattern(
    r"\s+(?:(?:is|are|was|were) (?:(?:very|still|quite) )*(?:small|little|young|born|at (?:school|nursery|home|"
    r"university)|old enough|older|grown|in (?:nursery|bed|school)|asleep|toddlers|due|all (?:grown|at))|started "
    r"(?:school|nursery)|start (?:school|nursery)|gr[eo]w(?:n)? up|left (?:home|for)|slept|sleeps?|came along|"
    r"due (?:in|on|this|next|any|early|late)\b|(?:came|arrived|turned up)(?= (?:early|late|along|(?:\w+ )?(?:weeks?|"
    r"months?|days?) (?:early|late)|home|in (?:19|20)\d\d|last|this|ahead)\b)|was (?:premature|unwell|ill|in hospital|"
    r"on the way)|on the way\b|napp?ed|had grown|have (?:left|grown|flown)|finish (?:school|nursery)|(?:(?:are|all|now|"
    r"both|fully) )*(?:grown|independent|flown))\b"
)
#: Parents who praise a teacher: `"made my child like numbers"`.
_PRAISE = pattern(
    r"\"[^\"\n]{0,90}\b(?:changed how|made|help\w*|inspir\w+|got|taught|teaches|turned|gave|brought|"
    r"transform\w+) (?:my|our) $"
)
_WITH = pattern(rf"\bwith (?:my |our )?{_SOME}$")
_WITH_A = pattern(rf"(?<!work\s)(?<!worked\s)(?<!working\s)\bwith an? {_COUNTED}$")
_HOME = pattern(r"\s+(?:at home|in tow)\b")
_AT_HOME = pattern(
    r"\s+(?:at (?:home|school|university|uni|college|nursery|primary)|in tow|to (?:support|raise|feed|bring up|"
    r"look after)|in (?:school|college|full-time|nursery|primary|secondary|reception|year \d)|under (?:five|ten|two|"
    r"three|\d\d?|school)|of my own|still at)\b"
)
_OF_OWN = pattern(r",? of (?:my|our|his|her) own\b", r"\s*(?:,|and) (?:whom|who) i\b")
_FACT = pattern(
    rf"(?:^|\n|\b(?:remarks?|notes?|comments?|personal|other|misc|about me|details): |"
    rf"[•▪●·*|>;\".\]]|- |<\w+>)[ \t]*(?:and |plus )?(?P<some>{_SOME})$"
)
_DETAILS = pattern(
    rf"\b(?:born|aged?|years old|yrs|nationality|licen[cs]e|male|female|[2-6]\d|british|citizen|health|status|"
    rf"famil(?:y|ie)|homeowner|non-?smoker)\b[^\n]{{0,40}}[,;/] {_SOME}$"
)
_FACT_END = pattern(
    r"\s*(?:$|[.;|\n)<\"]|,\s*(?:aged|ages|born|full|driv|british|non|no\b|can\b|able|ready|open to|"
    r"willing|free|clean|all|both|\d\d))|\s+\(|\s+aged\b"
)
_NUMBERED = pattern(rf"\b(?:{_NUMBER})\b")
#: What a word of children does not stand before, if they are the person's.
_NO_CHILD = pattern(
    r"'s? (?!school|nurser|birth|education|illness|university|father|mother|exams?|health|needs|timetable|care\b|"
    r"other)\w",
    r"[\s-]+(?:in (?:my|our|the|each|that|his|her|their) (?:class|care|caseload|group|room|setting|key|school|home|"
    r"cohort|team|study)|on (?:my(?! own)|our(?! own)|the|roll)|under my care|per\b|protection|services?|welfare|ward|"
    r"units?|cent(?:re|er)s?|nodes?|process\w*|seats?|menus?|books?|care|friendly|steps?|boomers?|showers?|food|wear|"
    r"clothes|clothing|products?|monitors?|sitters?|sitting|proof\w*|room|club|class(?:es)?|support worker|"
    r"psycholog\w+|development|minder|grand|with (?:ehcp|send|sen\b|special|complex|additional)|at risk|whose|formula|"
    r"massage|swim\w*|bank|brands?|labour|labor|poverty|health|trust|first\b|mental|therap\w+|theat\w+|hospital|"
    r"equipment|pageants?|safeguard\w*|accounts?|tables?|elements?|records?|themes?|objects?|compan(?:y|ies)|rows?|"
    r"tickets?|issues?|tasks?)\b",
)
#: What one's own children have: `my kids' primary school`.
_MY_CHILDS = pattern(r"'s? (?!(?:ward|unit|class|books?|apps?|charity|groups?|services?|menus?|wear|brand|shop)\b)\w")
_BODIES_LISTED = (
    "nursery class school centre center ward group setting family household client mother father parent woman man unit "
    "home course study team site village orphanage charity it which that who room session shift company node patient "
    "each table trust clinic hospital department object tree element page programme program database record one "
    "couple customer resident tenant guest user"
)
_BODIES = frozenset(_BODIES_LISTED.split())
_FROM = pattern(
    r"\s+(?:from|in(?! year| (?:19|20)\d\d)|who|across|enrolled|attend\w*|with|aged|on|of all|coming|"
    r"join\w*|visit\w*)\b"
)
_PROJECT = pattern(r"\b(?:is|was|became|remains) my (?:own )?$")
_SOFTWARE = pattern(
    r"\b(?:packages?|files?|modules?|nodes?|tables?|librar\w+|tasks?|objects?|services?|jobs?|class|build|"
    r"repo\w*)\b[^.\n]{0,30}$"
)
_ALONE = frozenset(
    {"children", "kids", "twins", "triplets", "grandchildren", "stepchildren", "teenagers", "dependants"}
)
_LEFT, _RIGHT = 96, 64


def is_own_child(plain: Plain, first: int, last: int) -> bool:
    """Say whether a word for children is of the person's own.

    >>> from evenhand.resumes.plain import plain_text
    >>> texts = "I have two children.", "Married, one child", "My eldest child reads.", "I taught two children."
    >>> [is_own_child(seen, n, n) for seen, n in zip(map(plain_text, texts), (3, 2, 2, 3))]
    [True, True, True, False]
    """
    word, start, _ = plain.words[first]
    spoken, begin, end = plain.words[last]
    if spoken.endswith("'s"):
        word, end = word.removesuffix("'s"), begin + len(spoken) - 2
    low = plain.low
    left, right = low[max(0, start - _LEFT) : start], low[end : end + _RIGHT]
    if _NO_CHILD.match(right) is not None and (_MY.search(left) is None or _MY_CHILDS.match(right) is None):
        return False
    if (word == "baby" and _PROJECT.search(left) is not None) or (
        "depend" in word and _SOFTWARE.search(left) is not None
    ):
        return False
    if _PRAISE.search(left) is not None:
        return False
    has = _HAS.search(left)
    if has is not None:
        some = has["some"] or has.group().endswith((" a ", " an ", " another "))
        if some or (word in _ALONE and _FROM.match(right) is None):
            return True
    if _OF_OWN.match(right) is not None or any(each.search(left) is not None for each in (_MY, _BESIDE_STATUS, _NONE)):
        return True
    return _is_named(plain, left, start) or _is_told(left, right) or _is_fact(left, right)


def _is_told(left: str, right: str) -> bool:
    """Say whether it is told that they were born, raised, grew up or live at home, and not as work."""
    told = (
        any(each.search(left) is not None for each in (_OURS, _RAISED, _BABY))
        or (_GREW.match(right) is not None and _WHEN.search(left) is not None)
        or (_HOME.match(right) is not None and _WITH_A.search(left) is not None)
        or (_AT_HOME.match(right) is not None and _WITH.search(left) is not None)
    )
    return told and _WORK.search(left) is None


_WORK = pattern(rf"{_OF_OTHERS}[^.\n]{{0,40}}$", r"\b(?:support\w*|help\w*|advis\w+|train\w*) [^.\n]{0,30}$", _MINDED)
_JOB = pattern(_MINDED)


def _is_fact(left: str, right: str) -> bool:
    """Say whether children stand alone as a detail of the person: `two children, aged 4 and 6`."""
    if _FACT_END.match(right) is None or _JOB.search(left) is not None:
        return False
    fact = _FACT.search(left)
    if fact is not None:
        return _NUMBERED.search(fact["some"]) is not None
    return _DETAILS.search(left) is not None


def _is_named(plain: Plain, left: str, start: int) -> bool:
    """Say whether one who is called by a name has them: `Ms Bell has twins`."""
    named = _NAME_HAS.search(left)
    if named is None or named[1].strip("'.-") in _BODIES:
        return False
    place = max(0, start - _LEFT) + named.start(1)
    return plain.text[place].isupper() or plain.text.islower()


_LEAD = pattern(rf"(?<![\w-])(?:{STEP})+$")
_AGES = pattern(
    rf"(?:\s*[,(]?\s*(?:now |all |both )?(?:aged|ages|age)\s+|\s*\(\s*){_AGE}(?:\s*(?:,|and|&|/|to)\s*(?:and )?{_AGE})*"
    r"(?:\s*(?:yrs?|years?|months?)(?: old)?)?(?![\w%])",
    rf" of {_AGE} (?:weeks|months|years)\b",
    r",? ?\(?(?:both |all )?born (?:in )?(?:(?:19|20)\d\d(?:,? and |, | & |/)?){1,6}",
)
#: Fathers and mothers with how many, and of what.
_OF = (
    rf"[\s-]+(?:an? |the |my |our )?(?:(?:{_NUMBER}|{_KIND})[\s-]+)*{CHILD}|"
    rf"[\s-]+(?:an? |my |our )?{_AGE}[ -](?:year|month|week)s?[ -]olds?\b|"
    rf"[\s-]+(?:two|three|four|five|six|seven|one|\d)\b(?!\s*(?:major|companies|subsidiar\w+|nodes?|brands|schools|%))"
)


CHILDREN = {
    "own_child": Rule(confidence=0.9, check=is_own_child, lead=_LEAD, tail=_AGES),
    "number_of": Rule(
        confidence=0.9,
        before=pattern(
            r"\b(?:my|his|her|our|their)\s(?:own )?$",
            rf"\b{_PERSON} {_ADVERB}(?:have|has|got|raised|adopted|foster)\s$",
            rf"{_STATUS}{_LINKS}$",
            r"\b(?:blessed with|proud of) (?:my |our )?$",
            r"\b(?:rais(?:ed|ing|e)|br(?:ought|inging?) up|had|adopted|welcomed|expecting) (?:my |our )?$",
            r"\b(?:lives?|living|lived|moved?|relocat\w+|settled)\b[^.;|\n]{0,40} (?:with|and) (?:my |our |their )?$",
        ),
        tail=_AGES,
        not_before=pattern(_MINDED),
        not_after=pattern(
            r"(?:'s?)? (?:teams?|squads?|classes|schools?|u-?\d|under-?\d|football|netball|rugby|choirs?)\b"
        ),
    ),
    "year_old": Rule(
        confidence=0.88,
        before=pattern(
            rf"\b(?:my|our|(?:mother|father|mum|dad|mom|parent) (?:of|to) an?(?: [a-z]+)?|(?:i|"
            rf"we) have an?) {_AGE}[ -]$"
        ),
        lead=pattern(rf"(?:\b(?:my|our)\s|(?<=have\s)an?\s)?\b{_AGE}[ -]$"),
        tail=pattern(rf"[\s-](?:twin )?{CHILD}"),
        not_after=pattern(
            r"[\s-]+(?:compan\w+|firm|brand|building|system|business|house|pupils?|students?|class|van|car)\b"
        ),
    ),
    "parent_of": Rule(
        confidence=0.93,
        lead=pattern(
            r"\b(?:(?:single|lone|solo|sole|working|proud|busy|devoted|full-time|stay-at-home|adoptive|foster|step|"
            r"widowed|divorced|married|new|young|expectant)[\s-])+$"
        ),
        after=pattern(_OF),
        tail=pattern(
            rf"[\s-]+(?:an? |the |my |our )?{_SOME}{CHILD}|[\s-]+(?:an? |the |my |our )?{CHILD}|"
            rf"[\s-]+(?:an? |my |our )?{_AGE}[ -](?:year|month|week)s?[ -]olds?\b|"
            r"[\s-]+(?:two|three|four|five|six|seven|one|\d)\b"
        ),
        not_before=pattern(
            r"\b(?:every|any|each|(?<!is\s)(?<!am\s)(?<!and\s)(?<!i'm\s)(?<!as\s)the|supported|helped|with|for|"
            r"advised) (?:single )?$"
        ),
    ),
    "parent_self": Rule(
        confidence=0.88,
        before=pattern(
            r"\b(?:as|being|am|i'm|become|became|becoming|is|was) an? (?:(?:new|busy|proud|devoted|solo|full-time|"
            r"hands-on|first-time|expectant|adoptive|foster|step|lone|returning|committed|fellow|young|widowed|"
            r"divorced)[\s-])*$"
        ),
        lead=pattern(
            r"\b(?:(?:new|busy|proud|devoted|solo|full-time|hands-on|first-time|expectant|adoptive|foster|step|lone|"
            r"returning|young|widowed|divorced)[\s-])+$"
        ),
        tail=pattern(r" governor\b"),
        not_after=pattern(
            r"[\s-]+(?:compan\w+|nodes?|class|process|account|element|object|block|brand|organi[sz]ation|firm|partner|"
            r"liaison|support|link|director\w+|record|trust|coach|mediator|educator|volunteer coordinator|commit|"
            r"group)\b"
        ),
    ),
    "parent_role": Rule(
        confidence=0.93,
        tail=pattern(r"s\b"),
        not_after=pattern(r"[\s-]+(?:compan\w+|nodes?|class|process|brand|organi[sz]ation|firm)\b"),
        not_before=pattern(
            r"\b(?:recruit\w*|train\w*|assess\w*|supervis\w+|match\w*|advis\w+|for|among|target\w*) (?:new )?$"
        ),
    ),
    "family_young": Rule(
        confidence=0.85,
        before=pattern(r"\b(?:my|our|his|her|with|and|have|has|raising|wife|husband)\s(?:an? |the |own )?$"),
        not_before=pattern(r"\b(?:clients?|customers|guests|for|cars?)[^.\n]{0,30}$"),
        not_after=pattern(r" (?:businesses|products|market|segment|of \w+s\b|cars?|entertainment|brand)"),
    ),
}
