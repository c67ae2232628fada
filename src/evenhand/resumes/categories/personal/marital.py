"""MARITAL: marital and family status of the person.

Kept: single sign-on and single rooms, partners of a firm, family law and divorce as a practice,
husbandry, `married` and `divorced` as verbs (married design with data), engagement of customers.
"""

from evenhand.resumes.categories.candidate import LEAVE_AS_WORK, OFFICE_LEAVE, is_candidates
from evenhand.resumes.categories.personal.marital_children import CHILD, CHILDREN, NUMBER, STEP
from evenhand.resumes.rules import Rule, pattern

__all__ = ["RULES"]

_END = r"\s*(?:$|[^\w\s'&-]|\n|\s-\s|\s{2,})"
_LABEL = (
    r"(?<![a-z])(?:status|state|situation|relationship|household|personal|family|marital|civil|stand)\s*(?:is\s|[:=|"
    r"\t-]|\"\s*:\s*\")\s*$|(?<![a-z])(?:marital|civil|family|relationship)[ _]status\s+$|"
    r"\b(?:familienstand|zivilstand|etat civil|estado civil|stato civile)\s+$"
)
_SELF = (
    r"\b(?:am|i'm|is|he's|she's|we|we're|we are|we were|i was|he was|she was|been|being|be|got|get|getting|gets|"
    r"became|become|remain|happily|recently|newly|just|currently|still|legally|now|both|also|long|already|"
    r"officially|previously|formerly)\s$"
)
_NO_OBJECT = (
    r"\s+(?:up|the|our|its|it|them|their|these|those|both|two|several|data|design|technology|from|"
    r"to (?:the|our|its|data|each|modern|code)|\w+ (?:and|with|to) )\b"
)
_OWN = pattern(r"'s\b")
_OFFICE = (
    r"(?:\s+\w+)?\s+(?:law|lawyer|attorney|cases?|claims?|claimants?|practice|privilege|support calcul\w*|"
    r"maintenance|pensions?|benefits?|proceedings|litigation|filings?|petitions?|settlements?|mediat\w+|coach\w*|"
    r"counsel\w+|registrar|registry|clients|couples|rates?|statistics|records?|certificates|ceremon\w+|hire program)\b"
)

_NO_PREGNANCY = (
    r"[\s-]+(?:tests?|testing|outcomes?|wards?|clinics?|trials?|complications?|class(?:es)?|apps?|care|cris[ie]s|"
    r"rates?|lab\w*|nurs\w+|units?|cent(?:re|er)\w*|embryolog\w+|consultants?|services?|patients?|advi\w+|counsel\w+|"
    r"data\w*|research|stud\w+|scann?\w*|products?|kits?|department|law|discrimination|polic\w+|programme|support "
    r"(?:work|group)\w*|yoga|massage|pillows?|loss (?:service|unit|clinic|midwife)|book\w*|vitamins?|monitoring|"
    r"diagnos\w+|specialist|team|detection|wear|photo\w*|schools?|related work|equipment|risk)\b"
)

#: What belongs to a state: `happily` married, `recently` separated.
HOW = pattern(
    r"\b(?:(?:very |now )?(?:happily|newly|recently|freshly|legally|formerly|previously|currently|amicably|long|"
    r"twice|once|just|lately|officially|no longer|still|again|already|not yet|unhappily|proudly|religiously|"
    r"blissfully|fully|mutually|permanently|informally|judicially|temporarily|finally|civilly|got|gets|"
    r"getting|get) (?:and )?)+$"
)

#: Where a fact of its own begins and ends: `34, married, two kids`.
_START = r"(?:^|\n\s*(?:o\s+)?|\\item\s+|\\\\\s*|[^\w\s'&/-]\s*|\s[-/]\s+|\t|\s{2,})$"


_STATUS = {
    "spouse": Rule(
        confidence=0.95,
        tail=_OWN,
        not_after=pattern(r"\s+(?:beater|swap)\b"),
    ),
    "term": Rule(confidence=0.95),
    "custody": Rule(confidence=0.9, after=pattern(r" of (?:my|our|his|her)\b")),
    "parent": Rule(
        confidence=0.95,
        not_after=pattern(
            r"\s+(?:nodes?|class|classes|process|director\w+|commit|company|objects?|elements?|block|id)\b"
        ),
    ),
    "labelled": Rule(confidence=0.93, before=pattern(_LABEL)),
    "married": Rule(
        confidence=0.92,
        before=pattern(_SELF),
        lead=HOW,
    ),
    "apart": Rule(
        confidence=0.9,
        not_after=pattern(_NO_OBJECT, r"\s+(?:\w+s|duties|waste|\w+ing|by|into)\b"),
        before=pattern(r"\b(?:i am|i'm|we are|we|i|legally|recently|newly|currently|now|amicably)\s$"),
        lead=HOW,
    ),
    "fact": Rule(
        confidence=0.9,
        after=pattern(
            _END,
            r"\s+(?:to (?:an?|my|the|his|her) (?!job|work)|for \d|with (?:an?|no|one|two|three|\d)|w/|since)",
        ),
        before=pattern(_START),
    ),
    "engaged": Rule(
        confidence=0.9,
        after=pattern(
            r"\s*(?:$|[.;)\n])",
            r",\s+(?:and (?:the wedding|we|i|my|our|getting|marry\w*|will|plan\w*|hope|due)|getting married|marrying|"
            r"wedding|to (?:be )?(?:married|wed|marry)|no (?:children|kids)|with (?:no|one|two|a) |\d\d\b|"
            r"living|due to|moving|not yet married)",
            r"\s+(?:last|this|in (?:19|20)\d\d|in (?:january|february|march|april|may|june|july|august|sept\w*|"
            r"october|november|december))\b",
            r"\s*,?\s+(?:to (?:be (?:married|wed)|marry|an?|my)\b|and (?:we (?:plan|hope|want|will)|plan|"
            r"hope|will|intend|live|moving|engaged)\w*|since\b|but\b|with (?:no|one|two|a (?:child|son|daughter)))",
        ),
        lead=HOW,
        not_before=pattern(r"\b(?:highly|fully|actively|deeply|staff|students|team|clients|users|that) (?:is|are)\s$"),
    ),
    "single": Rule(
        confidence=0.88,
        after=pattern(_END),
        not_after=pattern(
            r"\s*[.,/&|]\s*(?:and |or )?(?:double|twin|multi\w*|dual|triple|master|batch|family|mixed|king|"
            r"queen|suite|married)\b",
            r"\s*[,;]?\s*['\"]\w",
            r"\s*,\s*(?:clean|unified|shared|simple|central\w*|consistent|version\w*|integrated|common|coherent|"
            r"consolidated|scalable|reusable|standard\w*|global|secure|modern|searchable|trusted)\b",
            r"\s+(?:sign|page|point|source|most|handed\w*|largest|use|malt|origin|room|cell|board|user)\b",
        ),
    ),
    "single_self": Rule(
        confidence=0.9,
        before=pattern(r"\b(?:i am|i'm|am|is|happily|currently|recently|newly|still|remain|now|he's|she's|again)\s$"),
    ),
    "divorced": Rule(
        confidence=0.9,
        not_after=pattern(_OFFICE, _NO_OBJECT, r"\s+(?:and family|parents|\w+ing\b|[a-z]+s (?:from|with)\b)"),
        lead=HOW,
    ),
    "divorce": Rule(
        confidence=0.9,
        before=pattern(
            r"\b(?:my|our|his|her|own|after|following|through|since|due to|because of|by|before|upon|first|second|"
            r"early|recent|time of|on|arranged|amicable|difficult)\s(?:an?\s|my\s|the\s|his\s|her\s|our\s)?$"
        ),
    ),
    "widow": Rule(
        confidence=0.9,
        not_after=pattern(
            r"'s (?:walk|peak|weeds|web|cruse)\b",
            r"'?\s+(?:pensions?|fund|benefits?)\b",
            r"[\s-]+(?:(?:and|&)[\s-]orphans?|control|lines?|spiders?|makers?)\b",
        ),
    ),
    "pregnancy": Rule(
        confidence=0.87,
        not_after=pattern(
            _NO_PREGNANCY,
            r" of justice",
            r" to (?:the|an?) (?:idea|concept|project|compan\w+|product|brand|new|movement|service)",
        ),
        lead=pattern(r"\b(?:my |our |first |second |third |twin |high-risk |difficult |two |three )+$"),
    ),
    "marriage": Rule(
        confidence=0.88,
        after=pattern(
            r"\s+(?:preparation|enrichment|encounter|course|took me|brought me|to an?\b|in (?:19|20)\d\d|"
            r"and (?:a |two |three )?(?:move|relocation|motherhood|fatherhood))",
        ),
    ),
    "at_sign": Rule(
        confidence=0.9,
        after=pattern(r"@s?(?![\w.])"),
        tail=pattern(r"@s?"),
    ),
    "couple": Rule(confidence=0.9, after=pattern(r"\s+of the (?:year|month)\b")),
    "parent_of": Rule(
        confidence=0.9,
        after=pattern(r"[\s-]+(?:an? |my )?(?:" + STEP + r")*" + CHILD, rf"[\s-]+{NUMBER}\b(?! \w+s\b)"),
        tail=pattern(r"[\s-]+(?:an? |my )?(?:" + STEP + r")*" + CHILD, rf"[\s-]+{NUMBER}\b"),
    ),
    "partner_own": Rule(
        confidence=0.86,
        tail=_OWN,
        before=pattern(r"\b(?:my|our|his|her|with|domestic|civil|life|unmarried|common-law|same-sex) $"),
        not_after=pattern(r"'?s? (?:firm|organi|team|compan|agenc|school|channel|program|bank|network|universit)\w*"),
    ),
    "relationship": Rule(confidence=0.86, before=pattern(r"\bin an? $"), after=pattern(_END)),
    "leave_own": Rule(confidence=0.9, not_before=OFFICE_LEAVE, not_after=LEAVE_AS_WORK),
    "told": Rule(confidence=0.85, check=is_candidates),
    "spouse_case": Rule(confidence=0.9, tail=_OWN),
    "plain": Rule(confidence=0.9),
    "proxy": Rule(confidence=0.7, strict=True),
}
RULES = _STATUS | CHILDREN
