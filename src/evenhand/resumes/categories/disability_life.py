"""DISABILITY: aids, medicine, support and adjustments that somebody has or asks for, under everyday words.

Kept: interpreters and support workers by trade, brake calipers, USB sticks, the scope of works, extra time in a
match, campaigns against polio, stoma nurses, implants sold.
"""

import re

from evenhand.resumes.categories.community import sentence_without
from evenhand.resumes.categories.disability_contexts import EXPERTISE
from evenhand.resumes.rules import Rule, pattern

__all__ = ["LIFE_RULES"]

_END = r"\s*(?:$|[.,;:)(|\n/\"<-])"
_THEIRS = (
    r"\b(?:patients?|inpatients?|clients?|residents?|service users?|users?|customers?|guests?|pupils?|"
    r"students?|children|staff|candidates?|tenants?|visitors?|passengers?|viewers|readers who|members of the public)\b"
)
_CARE = pattern(
    r"\b(?:patients?|clients?|residents?|service users?|pupils?|nurses?|nursing|clinics?|clinical|wards?|"
    r"administ\w+|dispens\w*|prescri\w*|pharmac\w*|trained|training|taught|deliver\w*|assembly|production|"
    r"manufactur\w*|stock\w*|sold|sales|trials?|research\w*|devices?|vaccin\w*|eradicat\w*|campaigns?|surveillance|"
    r"specialist|theatre|surgeons?|rounds|first aid|care homes?|educat\w*|diabetics|advis\w+)\b"
)
_ASKED = (
    r"\b(?:adjustments?|accommodations?|arrangements?|access needs|access requirements?|needs?|needing|"
    r"needed|ask|asks|asking|asked|request\w*|entitled|require|requires|required|requiring|requirements?|grateful|glad|"
    r"appreciate|helps?|helped|want|wants|wanted|please|allow\w*|granted|prefers?|benefit\w*|qualif\w+ for|eligible "
    r"for|get|gets|receive\w*|given|provided with|at interview)\b[^.;\n]{0,44}$"
)
_FOR_OTHERS = pattern(
    rf"{_THEIRS}[^.;\n]{{0,40}}$",
    r"\b(?:book(?:ed|s|ing)|suppl(?:y|ied|ies)|arrang(?:ed|es|ing)|invigilat\w*|organi[sz]\w+|provid(?:ed|"
    r"es|ing)|manag\w+|trained|wrote|produced|worked|scored|won|lost|played|audit\w*|survey\w*|specif\w+|hir(?:ed|ing)|"
    r"paid|sold|install\w*|designed|built)\b[^.;\n]{0,40}$",
)
_CHARITY_BEFORE = pattern(
    r"\b(?:volunt\w+|bulletin|newsletter|magazine|trustee|members?|supporter|fundrais\w*|treasurer|chair|"
    r"secretary|committee|branch|helper|friend|patron|ambassador|marathon|10k|half|rais\w+|walk\w*|befriend\w*|"
    r"campaigner|campaigns?|speaker|peer supporter|"
    r"helpline|minutes|accounts|books|case study|media volunteer|collect\w*|knit\w*|bake\w*|ran|support|"
    r"donat\w*)\b[^.;\n]{0,34}\b(?:of|for|with|at|to|by|behalf of|in aid of|,)(?: the)? $"
)

LIFE_RULES = {
    "remission": Rule(
        confidence=0.92,
        before=pattern(
            r"\b(?:am|is|now|been|i'm|was|currently|still|cancer|lymphoma|leuka?emia|myeloma|melanoma|disease|"
            r"colitis|crohn's|arthritis|and|years?|months|me|lupus|sclerosis|depression|clear|fully|happily|long|"
            r"completely|far|chemotherapy|treatment)[,;]? (?:(?:now|fully|currently|happily|long|completely|all) )*$",
            r"(?:^|[.;,:(|\n]\s*|- )$",
        ),
        not_before=pattern(rf"{_THEIRS}[^.;\n]{{0,30}}$"),
        not_after=pattern(r"\s+(?:patients|clinic|of (?:fees|tax|sentence|duty))\b"),
    ),
    "worn": Rule(
        confidence=0.9,
        before=pattern(
            r"\b(?:wear|wears|wore|wearing|walk\w* (?:with|in)|my|his|her|uses?|in)(?: (?:an?|two|my|his|her|leg|"
            r"steel|long|full|rigid|soft|both))+ $",
            r"\b(?:wear|wears|wore|wearing) $",
            r"\bleft me (?:on|in|with|using) (?:(?:an?|two|leg|steel) )*$",
            r"(?:polio|left leg|foot drop|scoliosis|childhood)\b[^.\n]{0,20}[;,] (?:(?:an?|two|my) )*$",
        ),
        check=sentence_without(
            pattern(
                r"\b(?:brakes?|vernier|gauges?|micrometers?|digital|callip?ers? (?:rebuilt|paint)|mm\b|rotors?|"
                r"discs?|diy|carpent\w*|bolt\w*)\b"
            )
        ),
        not_after=pattern(r"\s+(?:gauges?|clinic|technician|fitting)\b"),
    ),
    "stick": Rule(
        confidence=0.9,
        before=pattern(
            r"\b(?:walk|walks|walked|walking|move|moves|mobile|get about|gets about|out|stand|"
            r"stands)(?: [a-z]+){0,3} with (?:the (?:help|aid|support) of )?(?:an?|my|two|his|her|one)(?: walking| "
            r"folding| wooden)? $",
            r"\b(?:rely|relies|lean|leans) on (?:an?|my|his|her|two)(?: walking)? $",
        ),
        not_after=pattern(r" of\b", r" houses?\b"),
        lead=re.compile(r"\b(?:walking|folding) $"),
    ),
    "walker": Rule(
        confidence=0.9,
        before=pattern(r"\b(?:use|uses|using|with|need|needs|on) (?:an?|my|his|her) $", r"\bmy $"),
        after=pattern(rf"(?:{_END}|\s+(?:to|on|for|and|after|since|indoors|outdoors|but|at)\b)"),
        not_before=pattern(r"\b(?:dog|fire|night|wire|street|line|mr|mrs|ms|as an?) $"),
        case="small",
    ),
    "cochlear": Rule(
        confidence=0.9,
        before=pattern(r"\b(?:have|had|has|wear|wears|with|my|bilateral)(?: an?| had| two| my)* $"),
        check=sentence_without(_CARE),
    ),
    "treated": Rule(
        confidence=0.9,
        before=pattern(
            r"\b(?:take|takes|took|taking|carry|carries|use|uses|am on|is on|inject\w*|need|needs|have|has|get|"
            r"gets|keep|keeps)(?: [\w-]+){1,6} (?:for|against|because of) (?:(?:my|his|her|an?|mild|severe|chronic|"
            r"serious|acute) )*$"
        ),
        not_before=pattern(rf"{_THEIRS}[^.\n]{{0,50}}$"),
    ),
    "medication": Rule(
        confidence=0.86,
        before=pattern(
            r"\b(?:i|he|she|and|also|still|not) (?:take|takes|am on|is on|need|needs) (?:daily |regular |strong |"
            r"some |my |no )*$",
            r"\b(?:controlled|managed|stable|well|kept in check|treated) (?:by|with|on|through) (?:my |daily )*$",
            r"\bmy $",
        ),
        check=sentence_without(_CARE),
    ),
    "asked": Rule(
        confidence=0.9,
        before=pattern(_ASKED),
        not_before=_FOR_OTHERS,
        check=sentence_without(EXPERTISE),
        not_after=pattern(r"\s+(?:signage|policy|working|worked|run of|format (?:plotter|printer))\b"),
    ),
    "tool": Rule(
        confidence=0.88,
        before=pattern(
            r"\b(?:type|types|typing|write|writes|work|works|use|uses|using|have|has|my|drive|drives|need|needs)"
            r"(?: (?:with|on|by|from))?(?: (?:an?|my|the|his|her))* $"
        ),
        not_before=pattern(rf"{_THEIRS}[^.;\n]{{0,40}}$"),
        check=sentence_without(EXPERTISE),
        not_after=pattern(r"\s+(?:layout|design\w*|cases?|demos?)\b"),
    ),
    "charity": Rule(confidence=0.88, before=_CHARITY_BEFORE),
    "lost": Rule(
        confidence=0.9,
        before=pattern(
            r"\b(?:lost|losing|missing|without|amputat\w+) (?:part of |the use of |use of |movement in |"
            r"feeling in |sensation in )?(?:my|his|her|both|two|three|four|an?|one|the)(?: (?:left|right|lower|index|"
            r"middle|ring|little|dominant|two|of my))* $"
        ),
        lead=re.compile(r"\b(?:left|right|lower|index|middle|ring|little|dominant) $"),
        not_after=pattern(
            r"\s+(?:of (?:the|work|water|staff|bridge|poker|cards)|luggage|held|count|signals?|to stand|rest|room|"
            r"bolts?)\b"
        ),
        not_before=pattern(r"\b(?:team|firm|company|shop|brand|business|aircraft) lost (?:its |the |an? )$"),
    ),
    "benefit": Rule(
        confidence=0.88,
        case="upper",
        before=pattern(
            r"\b(?:get|gets|receive\w*|claim|claims|draw|draws|on|my|have|has|awarded|granted|enhanced|"
            r"standard) (?:enhanced |higher[- ]rate |standard |the )*$"
        ),
        after=pattern(
            rf"(?:{_END}|\s+(?:enhanced|standard|since|and|alongside|award|payments?|at|mobility|daily living|"
            r"while|with|for)\b)"
        ),
        check=sentence_without(
            pattern(
                r"\b(?:assessments?|claimants?|assessor|performance improvement|tribunal|appeals?|clients?|"
                r"european space)\b"
            )
        ),
    ),
    "question": Rule(
        confidence=0.9,
        value=re.compile(
            r"[^?\n]{0,60}\?[ \t]*[:|-]?[ \t]*\n?[ \t]*(Yes|No(?:ne)?|Prefer not to say|Y|N|N/A|YES|"
            r"NO(?:NE)?|yes|no(?:ne)?|prefer not to say)\b"
        ),
    ),
    "own_word": Rule(
        confidence=0.88,
        before=pattern(r"\b(?:am|i'm|is|am an?|is an?|being|as an?|a|was diagnosed|diagnosed)(?: also)? $"),
        after=pattern(rf"(?:{_END}|\s+(?:and|but|so|since|disease|from|who|myself|himself|herself|person|sufferer)\b)"),
    ),
}
