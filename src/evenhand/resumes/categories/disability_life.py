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
_ITEM = r"(?:^|[\n.;:*\u2022>|(\"\u25aa\u2192+\u2013-])\s*$"
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
_HAS = (
    r"\b(?:have|has|had|having|got|with|my|his|her|wear|wears|wore|wearing|use|uses|using|carry|carries|"
    r"carrying|keep|keeps|need|needs|fitted with|live with|lives with|living with|own|require|requires|through|via)"
    r"(?: (?:an?|the|my|his|her|two|one|had|still|also|always|permanent|own|both|spare|daily|severe|mild|"
    r"serious|slight|bad|small))* $"
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
_INTERPRETER_BY_TRADE = pattern(
    r"\b(?:freelance|qualified|nrcpd|rsli|trainee|level \d|worked as|courts?|tribunals|agency|agencies|"
    r"booked|employed|rates|assignments|conference|relay|interpreted|duties|registered with)\b"
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
    "polio": Rule(
        confidence=0.92,
        before=pattern(
            r"\b(?:had|have|has|having|contracted|caught|survived|with|after|of|from|got|by)(?: (?:childhood|"
            r"infant\w*|my|early|as))* $",
            _ITEM,
        ),
        after=pattern(
            rf"(?:{_END}|\s+(?:as|in|at|when|since|and|left|before|during|which|that|twice|has|had|but|while)\b)"
        ),
        check=sentence_without(_CARE),
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
    "stick_used": Rule(
        confidence=0.88,
        before=pattern(
            r"\b(?:use|uses|used|using|need|needs|carry|carries|have|has) (?:an?|my|his|her|two)(?: walking|"
            r" folding)? $"
        ),
        lead=re.compile(r"\b(?:walking|folding) $"),
        after=pattern(
            r" (?:outdoors|outside|indoors|on (?:bad|long|some|stairs|uneven)|to (?:walk|get)|for (?:walking|"
            r"balance|long|distances?|stability)|when|at times|since|because|sometimes|some days|most days|after)\b"
        ),
    ),
    "medical_aid": Rule(
        confidence=0.9,
        before=pattern(_HAS),
        check=sentence_without(_CARE),
        not_after=pattern(r"\s+(?:care|nurse|clinic|training|battery)\b"),
    ),
    "walker": Rule(
        confidence=0.9,
        before=pattern(r"\b(?:use|uses|using|with|need|needs|on) (?:an?|my|his|her) $", r"\bmy $"),
        after=pattern(rf"(?:{_END}|\s+(?:to|on|for|and|after|since|indoors|outdoors|but|at)\b)"),
        not_before=pattern(r"\b(?:dog|fire|night|wire|street|line|mr|mrs|ms|as an?) $"),
        case="small",
    ),
    "at_start": Rule(
        confidence=0.88,
        case="capital",
        before=pattern(r"(?:^|[.;:|\n\"(>*\u2022/]\s*|[-+~] )$"),
        after=pattern(
            r" (?:\w+ ){0,3}(?:evenings?|mornings?|days?|times?|weekly|a week|since|at home|schedule|"
            r"patient)\b"
        ),
        check=sentence_without(_CARE),
    ),
    "schedule_a": Rule(
        confidence=0.88,
        after=pattern(r" (?:letter|eligib\w+|hiring|appointment|candidate|applicant|certified|authority|disability)\b"),
        tail=re.compile(r"[ ]letter\b"),
    ),
    "asl": Rule(
        confidence=0.86,
        case="upper",
        before=pattern(r"\bdeaf[;,.:]? (?:[a-z]+ ){0,2}$", r"\bmy first language is $"),
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
    "insulin": Rule(
        confidence=0.9,
        before=pattern(
            r"\b(?:take|takes|taking|inject|injects|injecting|(?:am|is|i'm|still) on|i use|he uses|she uses|need|"
            r"needs|my|his|her|require|requires) (?:my |his |her |daily )*$"
        ),
        check=sentence_without(_CARE),
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
    "asked_interpreter": Rule(
        confidence=0.9,
        before=pattern(
            _ASKED,
            r"\b(?:access to work|communicat\w*|through|speak\w* through|accompanied by|assisted by|helped by|"
            r"supported by|use|uses|using|my|bring|brings|work with|works with|come with|funding for)(?: "
            r"[\w-]+){0,3}(?: an?| my| the| his| her)? $",
        ),
        not_before=_FOR_OTHERS,
        check=sentence_without(_INTERPRETER_BY_TRADE),
    ),
    "interpreter_with_me": Rule(
        confidence=0.9,
        after=pattern(
            r"s? (?:will (?:come|join|be with me|attend|accompany)|with me|at (?:the |my |any )?interview|"
            r"for (?:the |my )?interview|please|booked for me)"
        ),
        check=sentence_without(_INTERPRETER_BY_TRADE),
    ),
    "exam_time": Rule(
        confidence=0.9,
        after=pattern(
            r" (?:in|for|on|during|with) (?:[a-z]+ ){0,2}(?:tests?|exams?|examinations?|assessments?|interviews?|"
            r"papers?|tasks?|reading|exercises?)\b"
        ),
        not_before=_FOR_OTHERS,
    ),
    "large_print": Rule(
        confidence=0.88,
        before=pattern(
            r"\b(?:i|he|she|only|can|best|read|reads|send|papers in|documents in|work in|works from|work from|"
            r"form in) (?:read |reads |from |in )?$"
        ),
        check=sentence_without(EXPERTISE),
        not_before=_FOR_OTHERS,
    ),
    "access_to_work": Rule(
        confidence=0.9,
        before=pattern(
            r"\b(?:use|uses|used|using|through|via|by|under|my|have|has|get|gets|receive\w*|from|with|an?|of|the|"
            r"claim\w*|own|for) (?:dwp )?$",
            r"(?:^|[.;:|\n\"(>*\u2022/]\s*|[-+~] )$",
        ),
        after=pattern(
            rf"(?:{_END}|\s+(?:funding|funds?|grant|award|support|scheme|pays|paid|assessment|provides?|covers?|"
            r"for (?:an?|my|travel)|package|claimant|recipient|equipment|budget|meets|taxis?|money|in place|since)\b)"
        ),
        not_before=pattern(r"\b(?:advis\w+|process\w*|clients?|employers|claimants)\b[^.;\n]{0,30}$"),
    ),
    "charity": Rule(confidence=0.88, before=_CHARITY_BEFORE),
    "charity_word": Rule(
        confidence=0.86,
        before=pattern(
            r"\b(?:bulletin|newsletter|magazine|trustee|volunteer\w*|supporter|fundrais\w*|treasurer|branch|"
            r"helper|patron|ambassador|befriender|helpline|peer supporter|campaigner|advocate|mentor|speaker|member|"
            r"marathon|collect\w*|raised [^.;\n]{1,12}) (?:of|for|"
            r"with|at|by) $"
        ),
        after=pattern(rf"(?:{_END}|'s\b|\s+(?:uk|in|since|on|for|and|charity|shop|branch|helpline)\b)"),
    ),
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
    "sectioned": Rule(
        confidence=0.88,
        before=pattern(r"\b(?:was|been|being|got) $"),
        after=pattern(
            r" (?:in (?:19|20)\d\d|under|for|at|twice|once|after|when|and (?:hospital|treated|recover|have))\b"
        ),
        check=sentence_without(
            pattern(r"\b(?:drawings?|site|road|works|valves?|pipes?|patients?|building|detained persons)\b")
        ),
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
    "me_acronym": Rule(
        confidence=0.86,
        case="upper",
        before=pattern(r"\b(?:have|has|had|living with|diagnosed with|with|from|severe|mild) $"),
        after=pattern(r"(?:\s*[.,;)(]|\s*$|/cfs|\s+(?:and|since|diagnosed|which|but|so)\b)"),
        not_before=pattern(r"\b(?:engineer|degree|diploma|bsc|beng|liaise\w*|contractors?) with $"),
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
