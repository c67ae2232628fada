"""DISABILITY: cards, benefits, quotas, charities and schools, and conditions named in an item of their own.

Kept: pip as Python's, an ESA of satellites, the scope of works, aid agencies one worked for with clients, breaks
without a condition beside them, one hand in cards.
"""

from evenhand.resumes.categories.community import sentence_around, sentence_without
from evenhand.resumes.plain import Plain
from evenhand.resumes.rules import Rule, pattern

__all__ = ["CARD_RULES"]

_START = (
    r"(?:^|\n[ \t]*|[.;:|\u2022\u00b7*>\u25a0\u25aa\u27a2\u2713\u2192\u25cb\u25cf\u25c6\u25ba~+"
    r"\u2013\"(/-][ \t]*|\n[ \t]*o[ \t]+|\s{2,})$"
)
_WORK = pattern(
    r"\b(?:(?:in|out)?patients?|nurs\w+|wards?|clinics?|clinical|clients|residents|service users|"
    r"participants|claimants|assess\w*|caseworkers?|case manag\w*|processed|claims|advis\w+|budget\w*|suppl(?:y|ied|"
    r"ies|iers?)|sold|sales|design\w*|built|test(?:s|ed|ing)?|wcag|audit\w*|research\w*|trials?|stud(?:y|ies|ied)|"
    r"taught|teach\w*|teacher|lecturer|therapist|technician|engineer\w*|manufactur\w*|install\w*|fitted|repair\w*|"
    r"wrote|develop\w*|deliver\w*|coach of|insur\w+|law|lawyer|tribunals?|prescri\w*|dispens\w*|pharmac\w*|stock\w*|"
    r"market\w*|campaign for|training|trained|employer|employers|employed|worked at|works at|job at|pupils|students|"
    r"children|learners|users|customers|guests|visitors|passengers|staff|python|install)\b"
)
_NO_WORK = sentence_without(_WORK)
_END = r"\s*(?:$|[;.,:)(\n|\"])"
_CONDITION = pattern(
    r"\b(?:deaf\w*|hard of hearing|hearing (?:loss|impair\w*|aids?)|hearing-impaired|blind\b(?! (?:trial|"
    r"review|tasting))|low vision|partially sighted|sight (?:loss|impair\w*)|visual(?:ly)? impair\w*|dyslexi\w*|"
    r"dyspraxi\w*|dyscalculi\w*|adhd|audhd|autis\w*|asperger\w*|rsi|arthritis|epilep\w*|diabet\w*|asthma\w*|multiple "
    r"sclerosis|ms\b(?= (?:means|since|and i))|lupus|"
    r"crohn\w*|colitis|fibromyalgia|chronic (?:pain|fatigue|illness|migraine\w*)|migraines?|cerebral palsy|hemiplegia|"
    r"paraplegi\w*|tetraplegi\w*|quadriplegi\w*|amputee|amputation|parkinson's|ehlers-danlos|hypermobil\w+|scoliosis|"
    r"sciatica|tourette\w*|bipolar|ptsd|anxiety|depression|long covid|cfs|me/cfs|fnd|pots|stroke|stammer\w*|stutter\w*|"
    r"albinism|sickle cell|narcolep\w*|cystic fibrosis|tinnitus|vertigo|wheelchair|polio|spina bifida|carpal tunnel|"
    r"(?:brain|spinal|back|knee|hip) injury|back pain|heart (?:condition|disease)|kidney (?:disease|failure)|"
    r"retinitis|glaucoma|macular|nystagmus|irlen|visual stress|aphasia|ocd|disabled|disability)\b"
)
_WORK_ON_AIDS = pattern(
    r"\b(?:patients?|clients?|residents|pupils|students?|users|customers|wcag|test(?:s|ed|ing)?|audit\w*|sold|sales|"
    r"design\w*|built|manufactur\w*|nurse|nurses|ward|clinic\w*|taught|teach\w*|support(?:ed|ing)|volunt\w+ (?:at|for)|"
    r"children|adults|people with|train(?:ed|ing)|trial|study|research\w*|products?|app|apps|campaign\w*|charity|"
    r"tutor\w*|carer for|caring for|cared for|my (?:son|daughter|mother|father|brother|sister|child)|service|team of|"
    r"deliver\w*|fitted|install\w*|specialist|data|model\w*|drugs?|market\w*)\b"
)


def _beside_condition(plain: Plain, first: int, last: int) -> bool:
    """Say whether an aid or an ailment is told of with the condition that it goes with, and not as work.

    >>> from evenhand.resumes.plain import plain_text
    >>> texts = "Dyslexic, so I proofread with overlays", "Printed overlays for a bank"
    >>> [_beside_condition(seen, len(seen.words) - 1, len(seen.words) - 1) for seen in map(plain_text, texts)]
    [True, False]
    """
    start, end = plain.words[first][1], plain.words[last][2]
    sentence = sentence_around(plain, start, end)
    return _CONDITION.search(sentence) is not None and _WORK_ON_AIDS.search(sentence) is None


CARD_RULES = {
    "unless_work": Rule(
        confidence=0.88,
        check=_NO_WORK,
        not_after=pattern(
            r" (?:of the|wired|conversions?|assays?|testing|software|programme|program|database|matching|coordinat\w*|"
            r"specialist|executive|dealer|advis[eo]r|clerk|shift|nurse|aide|panel|of cranes)\b"
        ),
        not_before=pattern(r"\b(?:wired|fitted|crane|machine|assembled|the) $"),
    ),
    "pwd_own": Rule(
        confidence=0.87,
        before=pattern(r"\b(?:registered|certified|(?:i am|am|as|being) a|self-declared|category:?) $"),
        not_after=pattern(r" (?:contractor|engineer|rates?|department|works?|class)\b"),
    ),
    "received": Rule(
        confidence=0.87,
        case="upper",
        before=pattern(
            r"\b(?:in receipt of|receiv\w+|receipt of|entitled to|awarded|granted|claim(?:s|ing|ed)?|drew|drawing|"
            r"had|on|through|with|beneficiaire de l'|titulaire de l'|percepcion de) (?:the |an? |enhanced |"
            r"higher[- ]rate |standard )*$"
        ),
        after=pattern(
            rf"(?:{_END}| (?:until|since|from|while|and|enhanced|standard|support|at (?:university|school|"
            r"college)|in (?:19|20)|payments?|benefits?|for (?:my|three|two|a|\d))\b)"
        ),
        check=sentence_without(
            pattern(
                r"\b(?:assess\w*|claimants?|clients?|process\w*|advis\w+|python|install\w*|performance|satellite|"
                r"digital|signals?|algorithms?|structures|coordinat\w+|tribunals?|workers?|teach\w*|caseload|students|"
                r"pupils|courses?|lectur\w*|chips?|audio|fpga|c\+\+|java|drives?|disks?|students'|account\w*|"
                r"cards|team|conference|wrote|drafted|agency)\b"
            )
        ),
    ),
    "acronym_fact": Rule(
        confidence=0.86,
        case="upper",
        before=pattern(_START),
        after=pattern(
            r"(?:[ ]?[;:,(][ ]?(?:i\b|my\b|diagnosed|since|stable|controlled|managed|fatigue|mild|moderate|"
            r"severe|relapsing|please|flexible|well|in remission|on medication|no (?:flare|seizure|effect|impact)|type|"
            r"treated|retinitis|multiple|chronic|ehlers|repetitive|functional|postural|myalgic|early|remote|rest|"
            r"part-time|pacing|energy)| since (?:my|i|child\w*|birth|school|uni\w*|age|(?:19|20)\d\d[,;])(?!\w)|,? "
            r"diagnos(?:ed|is) (?:at|in|when|aged|late)\b|,? full recovery|"
            r" in (?:19|20)\d\d,? (?:full|now|fully|recover\w*|treated)| (?:in|under) (?:remission|control)|"
            r" (?:patient|sufferer|warrior|and proud|treatment completed|fitted|profile)\b)"
        ),
        check=_NO_WORK,
    ),
    "hospital": Rule(
        confidence=0.87,
        before=pattern(
            _START, r"\b(?:i was|was|been|spent (?:[\w-]+ ){1,4}|(?:months|weeks|year|years|most of \w+)) $"
        ),
        after=pattern(
            r" (?:for (?:(?:most|much|half) of|\w+ (?:weeks|months|years)|an?\b|my)|in (?:19|20)\d\d|twice|once|"
            r"after (?:an?|my)|with (?:stress|depression|anxiety|burn|an?|my|long|severe|pneumonia|covid|back)|"
            r"from (?:19|20)\d\d|throughout (?:19|20)|until (?:19|20)|(?:19|20)\d\d)"
        ),
        check=sentence_without(
            pattern(
                r"\b(?:patients?|nurs\w+|wards?|rotations?|placement|volunt\w+|cables?|drawings?|electr\w*|"
                r"people|residents|children|adults|inert|gas|welding|worked|pharmac\w*|intern\w*|doctor|consultant)\b"
            )
        ),
    ),
    "parts_fact": Rule(
        confidence=0.86,
        before=pattern(_START),
        after=pattern(
            r"(?:\s*[;,]\s*(?:i\b|my\b|please|no\b|near|flexible|blue|toilet|full|hearing aids?|controlled|since|"
            r"managed|from|diet|epipen|afo|cpap|drops|not|written|one|never|so\b|but i|and i)| since (?:my|i|child\w*|"
            r"birth|age|school|(?:19|20)\d\d)| from (?:birth|polio|childhood|a fire)| (?:fitted|on my (?:face|left|"
            r"right|arm)|in my (?:left|right|hand)|after (?:an?|my|encephalitis|a stroke)|under control|at night|at "
            r"(?:\d\d?|birth|fifty|forty|sixty|school)\b|forced|"
            r"cost me|user\b|student\b|pupil\b|leaver\b|plan\b|and (?:proud|twitches|i)|(?:one|two|three|four|five|six|"
            r"seven|eight|nine|ten|\d\d?) years|in (?:19|20)\d\d|(?:19|20)\d\d\b|year (?:19|20)|sponsor\b|home group|"
            r"removed|climber|driver|chef|engineer|please|\(type|diagnosed)\b)"
        ),
        check=sentence_without(
            pattern(
                _WORK.pattern,
                r"\b(?:road|cylinders?|welding|recipes?|menu|road bypass|bypass (?:opened|built|project)|a\d+|motorway|"
                r"batter\w+|budget|records?|driving licen[cs]e|audits?|type 1 (?:error|certif\w+)|soc|oxygen-free|tent|"
                r"dataset|equipped|machine\w*|kitchen|bridge|poker|goalkeep\w*|vs|match\w*|goals?|points?|league)\b",
            )
        ),
        not_after=pattern(r"[ ]?[-/]\w"),
    ),
    "with_condition": Rule(
        confidence=0.86,
        before=pattern(
            r"\b(?:with|by|through|and|need|needs|use|uses|using|on|have|has|my|means|manage|managing|expect|"
            r"occasional|an?|some|to|via|from|software|of|own|two|daily|regular|short|the|without|for) "
            r"(?:an? |my |the |daily |regular |short |some |occasional |two |pink |blue |yellow )*$",
            r"[,;:] (?:i (?:use|need|work with|carry|take) )?(?:an? |my |the |daily |regular )?$",
        ),
        check=_beside_condition,
        not_after=pattern(r" (?:and white|lights?|sheet|policy|point|rate)\b"),
    ),
}
