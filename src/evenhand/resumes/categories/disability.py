"""DISABILITY: conditions, aids and arrangements, of the person or of people that are mentioned.

Conditions that are disabilities are masked wherever they stand. Illnesses (asthma, cancer,
depression) are masked unless the sentence is about clinical work, research or products.
Kept: expertise in accessibility (WCAG, tests with screen readers), double-blind trials, deaf
ears, the economy's depression, disabled alarms, sign languages (a skill), bipolar transistors,
disability insurance as a line of business.
"""

import re

from evenhand.resumes.categories.disability_cards import CARD_RULES
from evenhand.resumes.categories.disability_contexts import (
    AFTER_CLINICAL,
    BEFORE_CLINICAL,
    BREAK,
    DEGREES,
    EXPERTISE,
    GLOSS,
    GROUPS,
    HR,
    LIVED,
    PAPERS,
    PEOPLE,
    SPORTS,
    TOLD,
    WORKS_ON,
)
from evenhand.resumes.categories.disability_life import LIFE_RULES
from evenhand.resumes.rules import Rule, pattern

__all__ = ["RULES"]

RULES = {
    **LIFE_RULES,
    **CARD_RULES,
    "term": Rule(confidence=0.96, not_near=EXPERTISE, tail=GLOSS),
    "always": Rule(
        confidence=0.96,
        tail=GLOSS,
        not_after=pattern(
            r" (?:wards?|(?:specialist )?nurses?|nursing|monitoring unit|telemetry|outpatients?)\b(?! myself)"
        ),
    ),
    "autism": Rule(
        confidence=0.95,
        not_after=pattern(
            r"\s+(?:(?:classroom|unit|resource|support|spectrum|base) )?(?:aides?|classrooms?|paraprofessional|tutor|"
            r"teach(?:er|ing)|technician|specialist|therapist|programs?\b|practitioner)"
        ),
    ),
    "special_needs": Rule(
        confidence=0.93,
        not_near=EXPERTISE,
        not_after=pattern(
            r"\s+(?:registers?|co-?ordinator|code|polic\w+|budget|provision|department|team|lead|of|in our|"
            r"for our|trust|qualification|training|certificate|transport)\b"
        ),
    ),
    "wheelchair": Rule(
        confidence=0.96,
        lead=re.compile(r"\b(?:power|powered|electric|manual|motori[sz]ed|sports)\s$"),
        tail=pattern(rf" {SPORTS}\b(?! (?:coach|trainer|referee|teacher|instructor))"),
        not_before=pattern(WORKS_ON),
        not_after=pattern(
            r"-access (?:projects?|works?|routes?|schemes?)|'?s? (?:ramps?|lifts?|access (?:routes?|points?|"
            r"doors?)|spaces?|hoists?|platforms?|tyres?|wheels|"
            r"batter\w+|parts|repair\w*|manufactur\w*|dispens\w*|suppl\w+|hire|sales|and beds|and hoists)\b"
        ),
    ),
    "adaptive": Rule(
        confidence=0.93,
        after=pattern(rf" (?:(?:water|snow|winter|indoor|mountain|horse|beach|rock|track) )?{SPORTS}\b"),
    ),
    "lived": Rule(
        confidence=0.9,
        after=LIVED,
        not_before=pattern(
            r"\b(?!my own\b)\w+'s (?:long |"
            r"own )?$",
            r"\b(?:patients?|residents|"
            r"clients)\b[^.\n]{0,30}$",
        ),
    ),
    "stutter": Rule(
        confidence=0.95,
        not_before=pattern(r"\b(?:frame|audio|video|micro|playback|engine|network|animation|reduced|fixed) ?-?$"),
        not_after=pattern(
            r"\s+(?:fix\w*|bugs?|frame|issues?|rate|free|video|audio|playback|engine|steps?|edits?)\b", r"-"
        ),
    ),
    "aid": Rule(
        confidence=0.93,
        not_near=EXPERTISE,
        not_before=pattern(
            WORKS_ON,
            r"\b(?:sold|selling|design(?:ed)?(?: of)?|manufactur\w+|fitted|fitting|dispens\w+|repair\w*) (?:\w+ )?$",
        ),
        not_after=pattern(
            r",? (?:and )?(?:umbrellas?|luggage|hats?|range|stands?|buyer)\b",
            r"\s+(?:signage|signs|labels?|labelling|dispens\w+|audiolog\w*|industry|design\w*|labs?|technicians?|"
            r"manufactur\w*|fittings?|engineer\w*|r&d|production|market\w*|sales|specialist|acoustics|research\w*|"
            r"firmware|components?|fabrication)\b",
        ),
    ),
    "screen_reader_own": Rule(
        confidence=0.93,
        before=pattern(
            r"\b(?:i am|i'm) (?:\w+ )?blind\b[^.|]{0,60}$",
            r"\b(?:blind|low vision|visually impaired|sight|my|i use|i work with|i rely on|as a|am a)\b[^.\n]{0,60}$",
        ),
        not_after=pattern(r"[^.\n]{0,40}\bwcag\b", r"\s+(?:compat|test|support)"),
    ),
    "screen_reader": Rule(
        confidence=0.93,
        before=pattern(
            r"\b(?:uses?|using|rel(?:y|ies|ying) on|fluent (?:with|in)|users? of|works? with|working with|"
            r"needs?|requires?|with an|via an?|by|daily) (?:an? |my |two |the )?$"
        ),
        not_near=EXPERTISE,
        not_before=pattern(
            r"\b(?:tested|testing|tests|test|compatible|compatibility|support|works|pages|site|audited|audits|"
            r"verified|users?|people|customers)\b[^.\n]{0,40}$"
        ),
    ),
    "deaf": Rule(
        confidence=0.95,
        not_after=pattern(r"[\s-]+(?:ears?|to|spot)\b", r"[ -]ends?\b"),
        not_before=pattern(r"\btone[\s-]$"),
    ),
    "blind_self": Rule(
        confidence=0.93,
        before=pattern(
            r"\b(?:legally|partially|registered|i am|i'm|am|born|is|clinically|totally|deaf and|become|became|night|"
            r"congenitally|went|going|as an?|and) $"
        ),
        not_before=pattern(
            r"\b(?:study|trial|review|double|single|tasting|flying|analysis|triple|auditors?) (?:was |is |and )$"
        ),
        not_after=pattern(
            r"[\s-]+(?:cords?|pulls?|spots?|in (?:the|a) \w+ (?:trial|study)|to\b|reviews?|trials?|tests?|carbon|"
            r"hiring|tast\w+|sampl\w+)"
        ),
    ),
    "blind": Rule(
        confidence=0.9,
        not_near=EXPERTISE,
        not_before=pattern(
            r"\b(?:double|single|triple|colou?r|study (?:was|is)|trial (?:was|is)|review (?:is|was)|flying|flew|"
            r"going in|sold|bought|roman|roller|vertical|window|duck|hunting|venetian|tasted|fully automated|judged|"
            r"read|scored|graded|(?:and|the|of|for) (?:the )?(?:double|single))[\s-]$"
        ),
        not_after=pattern(
            r"[\s-]+(?:cords?|pulls?|chains?)\b",
            r"[\s-]+(?:marked\b|graded\b|(?:(?:peer|code|resume|cv|candidate|taste|paper|manuscript|clinical|randomi[sz]ed|"
            r"placebo-controlled|crossover|wine|audio|listening|quality) )?(?:reviews?|reviewed|reviewing|reviewers?|"
            r"trials?|stud(?:y|ies)|tests?|testing|tasting|auditions?|"
            r"recruit\w+|evaluation|assessment|grading|marking|comparisons?)|spots?|tests?|hiring|screening|"
            r"dates?|eye|hems?|rivets?|faith|signatures?|sql|xss|pool|trust|cop(?:y|ies|ied|ying)|carbon|cv|resume|"
            r"alley|box|manufacturer|install\w+|ambition|peer|holes?|flanges?|drops?|runs?|bak\w+|corners?|summits?|"
            r"vias?|stitch\w*|transfers?|cod\w+|tast\w+|sampl\w+|hold-?outs?|sources?|separation|deconvolution|levels?|"
            r"docking|approach|arbitration|loyalty|optimism|landing|ratings?|scoring|reads?|sides?|zones?|areas?|fold|"
            r"stamping|emboss\w*|nuts?|bolts?|taps?|tapping|bidding|auctions?|made|man's buff|obedience|panels?|"
            r"placement|draft|index\w*|search\w*|validation|equali[sz]ation|"
            r"storage|oath|application\w*|shortlist\w*|interview\w*|judging|draw|adjudicat\w*|to (?:the|any|"
            r"all)|analys\w+|replicat\w*|benchmark\w*|predict\w*|challenge|survey|estimat\w*|phase|period|thrust|"
            r"items?|quote|by design|(?:candidate|applicant)s? (?:review|screen\w*))\b",
            r"s\b",
        ),
    ),
    "colour_blind": Rule(
        confidence=0.9,
        not_near=EXPERTISE,
        not_after=pattern(
            r"[\s-]+(?:safe|palettes?|friendly|casting|polic\w+|tests?|tested|mode|accessib\w+|hiring|colou?rs?|"
            r"simulat\w+|charts?|users?|proof|theme)\b"
        ),
    ),
    "disabled": Rule(
        confidence=0.93,
        after=pattern(
            r"[\s-]+(?:(?!(?:per|by|for|in|on|the|all|every|each|this|that|our|at|of|to|any|some|via|as|and|"
            rf"or)\b)[a-z]+\s)?{PEOPLE}\b"
        ),
        not_after=pattern(
            r"\s+(?:user|staff|employee|network|access|guest|customer|client|member|parent)s?\s*(?:accounts?|logins?|"
            r"profiles?|ports?|devices?|interface|keys?|cards?|links?|nodes?|feature)",
            r"\s+(?:the|a|an|all|alerts|access|network|these|its|unused|idle|legacy|and|or|in|on|by|for|guest)\b",
            r"\s+users?\b(?! (?:forum|group|network|panel))",
        ),
        not_near=EXPERTISE,
    ),
    "disabled_self": Rule(
        confidence=0.93,
        before=pattern(
            r"\b(?:am|i'm|is|registered|registered as|as|identify as|identifies as|became|the|profoundly|"
            r"severely|for|with|physically|mentally|visibly|permanently|partially|multiply|neuro|my|being|legally|"
            r"officially)\s(?:an?\s)?$"
        ),
        after=pattern(r"\s*(?:[.,;|()\n]|and\b|since\b|under\b|as\b|with\b|from\b|by\b|access\b|adjustments?\b|$)"),
        not_before=pattern(
            r"\b(?:alerts?|accounts?|features?|mode|service|default|flag|function|logging|port|is|access|"
            r"logins?|users?|was|were|which|that|it) (?:is|are|was|were|as|with)\s$"
        ),
    ),
    "disability": Rule(
        confidence=0.94,
        tail=re.compile(
            r"[ ](?:rating|discharge|pension|benefits?)\b(?! (?:admin|claim|adjud|appeal|tribun|advi|deci))"
        ),
        lead=re.compile(
            r"\b(?:benchmark|locomotor|physical|visual|hearing|sensory|intellectual|learning|developmental|"
            r"mobility|orthopa?edic|speech|psychosocial|cognitive|motor|multiple|hidden|invisible|non-visible|severe|"
            r"mild)\s$"
        ),
        not_after=pattern(
            r"(?: status| type| details| category)?[ ]*(?::(?!in\b)|[|=\t]|[ ][;\u2013-][ ])",
            r"(?:\s+(?:\w+|&))?\s+(?:insur\w+|claims?|adjudicat\w+|underwrit\w*|income|law|laws|litigation|"
            r"policy holders|lawyer|attorney|cases?|carriers?)\b",
            r"\s+(?:benefits? (?:admin|claims|adjudicat|appeals?|tribunal|advi[cs]|decisions?|caseload)|"
            r"management|payments|products?|discrimination law)",
        ),
        not_before=pattern(
            r"\b(?:short-term|long-term|short term|long term|life and|life,|std/ltd|income|"
            r"workers' comp(?:ensation)? and|and permanent|(?:age|sex|race|gender|religion|sex|age,),? (?:and|or))\s$"
        ),
        not_near=EXPERTISE,
    ),
    "condition": Rule(
        confidence=0.9,
        not_near=pattern(
            r"\b(?:transistors?|plates?|junctions?|steppers?|membranes?|amplifiers?|cells?|circuits?|"
            r"electrodes?|mosfets?|cautery|forceps|power suppl\w+|signals?|analog\w*|cmos|silicon|semiconductor\w*|"
            r"motors?|drivers?|neurons?)\b"
        ),
    ),
    "own": Rule(
        confidence=0.9,
        before=pattern(TOLD + DEGREES + "$", BREAK),
        not_before=pattern(
            r"\b(?:patients?|inpatients?|clients?|residents?|individuals|persons|trials?|stud(?:y|ies)|research|"
            r"car(?:e|ed|ing) for (?:adults|people|those)|model\w*|data|engine\w*|provid\w*|nurs\w*|treat(?:ed|ing|s) "
            r"(?!for\b)|clinic\w*)\s?[^.\n]{0,30}$",
            r"\b(?:great|economic|market|tropical|housing|during the|exam|separation|math|test)\s$",
        ),
        not_after=pattern(
            r"\s+(?:in the (?:housing|labou?r|market)|data|markets?|research|nurses?|team|services|models?|"
            r"units?|wards?|clinics?|care\b|screening|apps?|drugs?|prevention|cent(?:er|re)s?|patients|trials?|"
            r"stud(?:y|ies)|cells?|era|medication|surgery centre|pathways?|programs?|programmes?|risk|biomarkers?|"
            r"genom\w+|epidemiology)\b"
        ),
    ),
    "group": Rule(
        confidence=0.88,
        after=pattern(GROUPS),
        not_before=pattern(r"\b(?:patients?|clinical|clinic)\b[^.\n]{0,30}$", r"\bmacmillan $"),
    ),
    "fact": Rule(
        confidence=0.86,
        before=pattern(r"(?:^|\n\s*|\\item\s+|[.:;(*|]\s*|[^\w\s,'\"&/.-]\s*|-\s+|\s{2,})$"),
        after=pattern(
            r"\s*(?:$|[(;.\n])",
            r":\s+(?:i\b|my\b|please|no\b|managed|controlled|stable|screens?|breaks?|dark|quiet|dim|remote|mild|rare)",
            r"\s+(?:in (?:19|20|both|left|right|one|my|remission|childhood|infancy)|as an? (?:child|baby|"
            r"teenager)|under|since|controlled|diagnosed|well|stable|treated|"
            r"affects|limits|until)",
            r"\s*,\s*(?:controlled|stable|mild|well|no\b|in remission|diagnosed|since|now|medicated|managed|"
            r"treated|cured|fully|\d|seated|light (?:duties|work)|own\b|all clear|exempt|cleared|please|tablets|diet|"
            r"corrected|undetectable|both (?:hands|knees|ears|eyes|hips)|left|right|adult|childhood|step|toilet|"
            r"flexible|i\b|my\b|so i)",
            r"\s+(?:twice|corrected|repaired|removed|cured|recovered|years ago|and proud|recovery,|"
            r"at (?:age )?\d\d(?=[ ]*(?:[,;.)\n]|$)))(?!\w)",
        ),
        not_before=pattern(
            r"\b(?:skills|specialties|specialities|areas|interests|topics|indications?|caseload|expertise|"
            r"keywords|fields?)\s*:\s*$"
        ),
        not_after=pattern(r"\s*\.?\s*(?:data|in (?:the|oil))\b"),
    ),
    "illness": Rule(
        confidence=0.85,
        not_before=pattern(
            BEFORE_CLINICAL,
            r"\b(?:macmillan|great|economic|market|market's|tropical|housing|price|oil|deep|topographic\w*|separation|"
            r"exam|math|test|performance|customer|climate|seasonal|tropic of|status|zero)\s$",
        ),
        not_after=pattern(
            AFTER_CLINICAL,
            r"-(?:free|era|like|level|related|induced)",
            r"\s+(?:era|of the|care\b(?! for)|about|storage|focus|in (?:the (?:market|price|housing|labou?r|"
            r"economy|road|soil|ground|u\.?s\.?)|"
            r"(?:\w+ )?(?:prices?|demand|sales|markets?|trade|output|stocks?|spending)))\b",
        ),
    ),
    "state": Rule(
        confidence=0.88,
        not_before=pattern(BEFORE_CLINICAL),
        not_after=pattern(
            AFTER_CLINICAL,
            r"[\s-]+(?:foot|ketoacidosis|retinopathy|diet\w*|suppl\w+|friendly|neuropathy|ulcers?|shoes|"
            r"recipes?|meals?|desserts?)\b",
        ),
    ),
    "own_state": Rule(
        confidence=0.9,
        before=pattern(
            r"\b(?:i am|i'm|am|is|he is|she is|as an?|became|was born|people|person|professional|engineer|now)\s"
            r"(?:an?\s|also\s|mildly\s|severely\s|both\s)*$"
        ),
        not_after=pattern(r"\s+of (?!autism)"),
    ),
    "sober": Rule(
        confidence=0.88,
        after=pattern(r"\s+(?:since|for (?!\w+ (?:review|release))|after)\b"),
        not_before=pattern(r"\b(?:disaster|system|was|were) $"),
    ),
    "leave": Rule(confidence=0.85, not_before=pattern(HR), not_after=pattern(PAPERS)),
    "adjustments": Rule(confidence=0.85, not_before=pattern(HR), not_after=pattern(PAPERS, r"[ ]*:")),
    "needs": Rule(
        confidence=0.85,
        before=pattern(
            r"\b(?:needs?|needing|requires?|required|requiring|request\w*|access|adjustments?|accommodations?|"
            r"arrangements?|please provide|please arrange|provide me|work with|works with|supported by|support:|via|"
            r"use|using|uses|own|my|my own|personal|benefit from|appreciate|grateful for|helped by|i'd like|would like|"
            r"turn on|prefer)\s*[:(-]?\s*(?:an?\s|my\s|live\s|some\s|"
            r"the\s|you\s)*$"
        ),
        not_before=pattern(
            r"\b(?:users?|clients?|patients?|customers?|guests?|deaf (?:clients|patients)|legally|was|"
            r"were) [^.\n]{0,24}$"
        ),
        not_near=EXPERTISE,
    ),
    "proxy": Rule(confidence=0.7, strict=True),
}
