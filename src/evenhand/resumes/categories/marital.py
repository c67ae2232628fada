"""MARITAL: marital and family status of the person.

Kept: single sign-on and single rooms, partners of a firm, family law and divorce as a practice,
husbandry, `married` and `divorced` as verbs (married design with data), engagement of customers.
"""

from evenhand.resumes.categories.marital_children import CHILDREN
from evenhand.resumes.categories.marital_home import HOME
from evenhand.resumes.categories.marital_leave import LEAVE
from evenhand.resumes.categories.marital_weddings import CASEWORK, HOW, WEDDINGS
from evenhand.resumes.categories.marital_whose import widened
from evenhand.resumes.rules import Rule, pattern

__all__ = ["RULES"]

#: Where a fact of its own begins and ends: `34, married, two kids`.
_START = r"(?:^|\n\s*(?:o\s+)?|\\item\s+|\\\\\s*|[^\w\s'&/-]\s*|\s[-/]\s+|\t|\s{2,})$"
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
_CHILDREN = (
    r"(?:child(?:ren)?|kids?|sons?|daughters?|twins|triplets|famil\w+|depend[ae]nts?|boys?|girls?|bab(?:y|ies)|"
    r"toddlers?|teen\w*|dogs?|cats?|grandchild\w*|no \w+)\b"
)
_PERSON = r"(?:man|men|woman|women|lady|mother|father|mom|mum|dad|parents?|person|couple|life|name|status|graduate)\b"
#: What goes on after a person's state, not after a verb's object.
_GOES_ON = (
    rf"\s+(?:{_PERSON}|(?:since|seit|depuis|desde|dal|sinds|od|sedan|siden)\b|but\b|twice\b|"
    r"without (?:child|kids|depend)|from (?:my|his|her) |"
    r"and(?! (?:merged|matched|combined|joined|reconciled|linked|integrated|blended|mixed|unmarried))\b|"
    rf"(?:with|w/|has|have|having) ?(?:[\w-]+ ){{0,3}}{_CHILDREN}|"
    r"for (?:over |about |almost |nearly |more than |some |the (?:last|past) )?[\w-]+ (?:years?|months|decades?)|"
    r"(?:in|at|on|around|before|after) (?:my |the age |age |early |late )*(?:(?:19|20)?\d\d\b|\w+ (?:19|20)\d\d|"
    r"twent\w+|thirt\w+|fort\w+))"
)
_NO_OBJECT = (
    r"\s+(?:up|the|our|its|it|them|their|these|those|both|two|several|data|design|technology|from|"
    r"to (?:the|our|its|data|each|modern|code)|\w+ (?:and|with|to) )\b"
)
_OWN = pattern(r"'s\b")
_CASEWORK_OF_OTHERS = CASEWORK.removesuffix("$") + r"(?<!\bmy\s)(?<!\bour\s)$"
_OFFICE = (
    r"(?:\s+\w+)?\s+(?:law|lawyer|attorney|cases?|claims?|claimants?|practice|privilege|support calcul\w*|"
    r"maintenance|pensions?|benefits?|proceedings|litigation|filings?|petitions?|settlements?|mediat\w+|coach\w*|"
    r"counsel\w+|registrar|registry|clients|couples|rates?|statistics|records?|certificates|ceremon\w+|hire program)\b"
)
_FIRMS = (
    r"(?:s\b|\s+(?:\w+\s+)?(?:firms?|agenc(?:y|ies)|schools?|organi[sz]ations?|compan(?:y|ies)|teams?|banks?|"
    r"networks?|universit(?:y|ies)|ngos?|stud(?:y|ies)|institut\w+|vendors?|dealers?|brands?|labs?|ecosystem|programs?|"
    r"programmes?|portal|manag\w+|accounts?|integrations?|offices?|track|at)\b)"
)

#: Whom somebody is married to: `the violinist Ana`, no `the job`.
_OF_A_CALLING = (
    r"(?:[a-z]+ )?(?:[a-z]+(?:ist|ian|ect)|artist|writer|painter|singer|actor|actress|director|lawyer|doctor|nurse|"
    r"teacher|poet|composer|conductor|engineer|author|photographer|footballer|professor|mayor|chef|owner|baker|farmer|"
    r"mother|father|son|daughter|sister|brother|love) \w"
)

_STATUS = {
    "spouse": Rule(
        confidence=0.95,
        tail=_OWN,
        not_before=pattern(r"\bthe (?:good|merry)\s$"),
        not_after=pattern(r"\s+(?:beater|swap)\b"),
    ),
    "spouse_case": Rule(
        confidence=0.9,
        tail=_OWN,
        not_before=pattern(_CASEWORK_OF_OTHERS, r"\b(?:survivor|surviving) (?:and )?$"),
        not_after=pattern(_OFFICE),
    ),
    "own_boys": Rule(
        confidence=0.86,
        not_before=pattern(r"\b(?:coach\w*|team|squad|trained|proud of) $"),
        not_after=pattern(
            r"(?:'s?)? (?:teams?|squads?|classes|schools?|u-?\d|under|in (?:the|our) (?:team|warehouse|crew|"
            r"squad)|won)\b"
        ),
    ),
    "divorce_group": Rule(
        confidence=0.88,
        after=pattern(r"\s+(?:recovery|support|survivors?|care)\s+(?:group|circle|network|meeting|programme?)\b"),
    ),
    "term": Rule(confidence=0.95, not_after=pattern(r"\s+bank\b")),
    "adoption_own": Rule(
        confidence=0.85,
        before=pattern(r"\b(?:going through|went through|my|our|approved for|waiting for)\s(?:an |the )?$"),
        not_after=pattern(r"\s+(?:of|curve|rates?|plan|strategy|team|panel|agency|service|policy|metrics)\b"),
    ),
    "custody": Rule(confidence=0.9, after=pattern(r" of (?:my|our|his|her)\b")),
    "parent": Rule(
        confidence=0.95,
        not_after=pattern(
            r"\s+(?:nodes?|class|classes|process|director\w+|commit|company|objects?|elements?|block|id)\b"
        ),
    ),
    "labelled": Rule(
        lead=HOW, confidence=0.93, before=pattern(_LABEL), not_after=pattern(r"-\w", r"\s+(?:from|page|sign)\b")
    ),
    "married": Rule(lead=HOW, confidence=0.92, before=pattern(_SELF), not_after=pattern(_NO_OBJECT, _OFFICE)),
    "apart": Rule(
        lead=HOW,
        confidence=0.9,
        before=pattern(r"\b(?:i am|i'm|we are|we|i|legally|recently|newly|currently|now|amicably)\s$"),
        not_after=pattern(_NO_OBJECT, r"\s+(?:\w+s|duties|waste|\w+ing|by|into)\b"),
    ),
    "married_somebody": Rule(
        confidence=0.9,
        before=pattern(r"\b(?:i|we|he|she)\s$"),
        after=pattern(r"\s+(?:my|his|her|a|an|in|at|young|again|into|while|when|last|this|and|\w+ in (?:19|20)\d\d)\b"),
        not_after=pattern(
            r"\s+(?:my|his|her|an?) (?:skills?|love|passion|interests?|background|experience|training)\b"
        ),
    ),
    "married_to": Rule(
        lead=HOW,
        tail=pattern(r" to\b"),
        confidence=0.92,
        before=pattern(_START, _SELF, r"\bi\s$"),
        after=pattern(
            rf"\s+to\s+(?!(?:the(?! {_OF_A_CALLING})|our|its|data|design|technology|each|modern|code)\b|"
            r"(?:my|his|her) (?:job|work|craft|desk)\b)"
        ),
    ),
    "fact": Rule(
        lead=HOW,
        confidence=0.9,
        before=pattern(_START),
        after=pattern(_END),
        not_after=pattern(r"/\w+ \w+ing\b", r"[ ]*\n[ ]*(?:the|our|its|a|an|two|both|data|their) [a-z]"),
    ),
    "goes_on": Rule(
        lead=HOW,
        confidence=0.9,
        after=pattern(_GOES_ON),
        not_before=pattern(CASEWORK, r"\b(?:data|systems?|that|which|clearly|duties)\s(?:are |is |were )?$"),
        not_after=pattern(_OFFICE),
    ),
    "verb_too": Rule(
        lead=HOW,
        confidence=0.88,
        before=pattern(_START),
        after=pattern(_END, rf"\s+(?:and|with) (?:[\w-]+ ){{0,3}}{_CHILDREN}"),
        not_after=pattern(
            r"\s*[,&/]\s*(?:and )?(?:[a-z-]+ly )?"
            r"(?:(?!settled|based|living|relocat|looking|will|retired|wedding|getting|marrying|moving|"
            r"co-?parent)[a-z-]+(?:ed|ing|ive|ic|ous|ful|al)|curious|"
            r"keen|diligent|"
            r"driven)\b",
            r"\s*[,&]\s*and\b",
            r"\s*\n\s*(?:stakeholders?|customers?|clients?|the|with|in|employees|users|communities|residents|"
            r"students|waste|duties|suppliers|partners|teams?|volunteers)\b",
        ),
        not_before=pattern(r"(?:ed|ing|ive|ly|ful|al),\s*$"),
    ),
    "engaged": Rule(
        lead=HOW,
        confidence=0.9,
        before=pattern(r"\b(?:am|i'm|got|is|are|became|we're|newly|recently|happily|currently)\s$"),
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
        not_before=pattern(r"\b(?:highly|fully|actively|deeply|staff|students|team|clients|users|that) (?:is|are)\s$"),
    ),
    "single": Rule(
        confidence=0.88,
        before=pattern(_START),
        after=pattern(_END),
        not_before=pattern(r"\b(?:double|twin|triple|multi\w*|dual|king|queen|first|batch|a|mixed)[,/]\s*$"),
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
        lead=HOW,
        confidence=0.9,
        before=pattern(r"\b(?:i am|i'm|am|is|happily|currently|recently|newly|still|remain|now|he's|she's|again)\s$"),
        not_after=pattern(
            r"\s+(?:in|with|on|page|point|sign|source|most|handed\w*|sign|largest|from|by|biggest|owner|tenant|"
            r"out|best|threaded|shot|use|file|digit|figure)\b",
            r"-",
        ),
    ),
    "single_person": Rule(
        confidence=0.93,
        after=pattern(
            r"[\s-]+(?:parent(?:hood|ing)?|mother\w*|father\w*|mom|moms|mum|mums|dad|dads|woman|man|lady|"
            r"income household|(?:fe)?male(?=\s*(?:$|[.,;|\n)/]|and\b)))\b"
        ),
        not_after=pattern(r"\s+parent (?:nodes?|class|process|director\w+|company|object|element)"),
    ),
    "divorced": Rule(
        lead=HOW,
        confidence=0.9,
        not_before=pattern(r"\b(?:and|then|has|have|we|was|is|be|are|were) $"),
        not_after=pattern(_OFFICE, _NO_OBJECT, r"\s+(?:and family|parents|\w+ing\b|[a-z]+s (?:from|with)\b)"),
    ),
    "divorce": Rule(
        confidence=0.9,
        before=pattern(
            r"\b(?:my|our|his|her|own|after|following|through|since|due to|because of|by|before|upon|first|second|"
            r"early|recent|time of|on|arranged|amicable|difficult)\s(?:an?\s|my\s|the\s|his\s|her\s|our\s)?$"
        ),
        not_before=pattern(
            CASEWORK,
            r"\b(?:advice|guid\w+|law|books?|articles?|training|research|courses?|lectures?|essays?) "
            r"(?:on|after|through)\s$",
        ),
        not_after=pattern(
            _OFFICE,
            r"\s+(?:of (?:the|data|design|form|two|art|code)|"
            r"and\b(?! (?:(?:shared |joint |sole )?custody|house|home|my|a (?:house|move)|mov\w+|relocat\w+|"
            r"the (?:move|birth))\b)|"
            r"photo\w*|plann\w+|cakes?|venues?|transport|catering|flowers?|guests?|parties|receptions)\b",
        ),
    ),
    "partner_own": Rule(
        confidence=0.9,
        tail=_OWN,
        before=pattern(
            r"\b(?:my|his|her|life|civil|domestic|live-in|long-term|longtime|same-sex|cohabiting|romantic|male|"
            r"female|common-law|unmarried|late|former|trailing|then|i|accompan\w+|following|followed)[\s-]$"
        ),
        not_before=pattern(r"\b(?:business|law|client|worked with (?:his|her)) $"),
        not_after=pattern(_FIRMS),
    ),
    "partner": Rule(
        confidence=0.88,
        tail=_OWN,
        before=pattern(
            r"\b(?:our|their|family:?|household:?|dependants?:?|dependents?:?|with|and|follow-the|from)[\s-]$"
        ),
        after=pattern(
            r"\s*(?:$|[.,;:)\n])",
            r"\s+and (?:i|we|our|my|one|two|three|\d|\w+ (?:children|kids)|children|kids|dogs?|cats?|pets|family|son|"
            r"daughter|baby|toddler)\b",
            r"\s+(?:died|passed|moves?|abroad|overseas|visa|posting|relocation)\b",
            r"'s (?:new |own |job |work |current )*(?:job|jobs|work|transfer|relocation|career|posting|post|"
            r"assignment|illness|death|move|family|studies|deployment|health|role|secondment)\b",
        ),
        not_before=pattern(
            r"\b(?:clients?|vendors?|suppliers?|customers?|donors?|agenc(?:y|ies)|resellers?|stakeholders?|"
            r"associates?|dealers?|channels?|buyers?|sales|principal|director|manager|counsel) and\s$",
            r"\b(?:work\w*|together|liais\w+|along|deals?|contracts?|coordinat\w+|negotiat\w+|collaborat\w+|"
            r"meetings?|calls) (?:closely )?with\s(?:our\s|their\s)?$",
        ),
        not_after=pattern(_FIRMS),
    ),
    "widow": Rule(
        lead=HOW,
        confidence=0.9,
        not_after=pattern(
            r"'s (?:walk|peak|weeds|web|cruse)\b",
            r"'?\s+(?:pensions?|fund|benefits?)\b",
            r"[\s-]+(?:(?:and|&)[\s-]orphans?|control|lines?|spiders?|makers?)\b",
        ),
        not_before=pattern(r"\bblack\s$", CASEWORK, r"\b(?:probate|estates?|pensions?|charity) (?:for|of)\s$"),
    ),
    "relationship": Rule(
        confidence=0.9,
        before=pattern(
            r"\bin an?\s(?:(?:long[\s-]term|committed|stable|steady|serious|happy|loving|same-sex|new)\s)*$"
        ),
        after=pattern(r"\s*(?:$|[.,;|)\n])", r"\s+(?:with (?!clients|customers|suppliers)|since|for|and)\b"),
    ),
    "in_law": Rule(confidence=0.95),
    "children": Rule(
        confidence=0.85,
        not_before=pattern(
            r"\b(?:others|parents|families|mothers|carers|clients|nanny|centre|worker)[^.\n]{0,30}$",
            r"\"[^\"\n]{0,90}\b(?:changed how|made|help\w*|inspir\w+|got|taught|turned|gave|brought|transform\w+) $",
        ),
        not_after=pattern(
            r"'?\s+(?:services?|wards?|teams?|menus?|cent(?:er|re)s?|clubs?|homes?|hospitals?|books?|departments?|"
            r"charity|of \w+s\b)"
        ),
    ),
    "childcare": Rule(
        confidence=0.85,
        before=pattern(
            r"\b(?:break|gap|leave|absence|sabbatical|pause|time off|time out|years? out|hiatus)\b[^.;|"
            r"\n]{0,30}(?:\n\s*[a-z(][^.;|\n]{0,30})?$"
        ),
    ),
    "divorced_self": Rule(
        lead=HOW,
        confidence=0.9,
        before=pattern(_SELF, r"\b(?:amicably|parents are) $"),
        after=pattern(
            r"\s*(?:$|[.,;)\n<\"])",
            r"\s+(?:since|in (?:19|20)\d\d|with|for|but|from (?:my|his|her)|twice|man|woman|and (?!\w+ed\b))",
        ),
        not_before=pattern(
            r"\b(?:streams?|data|waste|duties|they|which|that|these|are|is kept) (?:is|are|now|long|both) $"
        ),
        not_after=pattern(_OFFICE, r" with (?:a|the|care|filters?)\b"),
    ),
    "proxy": Rule(confidence=0.7, strict=True),
}
RULES = widened(_STATUS | WEDDINGS | CHILDREN | LEAVE | HOME)
