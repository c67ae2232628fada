"""DISABILITY: conditions, aids and arrangements, of the person or of people that are mentioned.

Conditions that are disabilities are masked wherever they stand. Illnesses (asthma, cancer,
depression) are masked unless the sentence is about clinical work, research or products.
Kept: expertise in accessibility (WCAG, tests with screen readers), double-blind trials, deaf
ears, the economy's depression, disabled alarms, sign languages (a skill), bipolar transistors,
disability insurance as a line of business.
"""

from evenhand.patterns import lazy_re
from evenhand.resumes.categories.candidate import is_candidates
from evenhand.resumes.categories.personal.disability_contexts import (
    AFTER_CLINICAL,
    BEFORE_CLINICAL,
    BREAK,
    DEGREES,
    EXPERTISE,
    GROUPS,
    LIVED,
    PEOPLE,
    TOLD,
)
from evenhand.resumes.rules import Rule, pattern

__all__ = ["RULES"]

_ASKED = (
    r"\b(?:adjustments?|accommodations?|arrangements?|access needs|access requirements?|needs?|needing|"
    r"needed|ask|asks|asking|asked|request\w*|entitled|require|requires|required|requiring|requirements?|grateful|glad|"
    r"appreciate|helps?|helped|want|wants|wanted|please|allow\w*|granted|prefers?|benefit\w*|qualif\w+ for|eligible "
    r"for|get|gets|receive\w*|given|provided with|at interview)\b[^.;\n]{0,44}$"
)
_CHARITY_BEFORE = pattern(
    r"\b(?:volunt\w+|bulletin|newsletter|magazine|trustee|members?|supporter|fundrais\w*|treasurer|chair|"
    r"secretary|committee|branch|helper|friend|patron|ambassador|marathon|10k|half|rais\w+|walk\w*|befriend\w*|"
    r"campaigner|campaigns?|speaker|peer supporter|"
    r"helpline|minutes|accounts|books|case study|media volunteer|collect\w*|knit\w*|bake\w*|ran|support|"
    r"donat\w*)\b[^.;\n]{0,34}\b(?:of|for|with|at|to|by|behalf of|in aid of|,)(?: the)? $"
)


PAPERS = (
    r"\s+(?:polic(?:y|ies)|requests|process\w*|cases?|law|administration|management|tracking|claims|"
    r"programs?|tickets)\b"
)

RULES = {
    "asked": Rule(
        confidence=0.9,
        before=pattern(_ASKED),
    ),
    "charity": Rule(confidence=0.88, before=_CHARITY_BEFORE),
    "term": Rule(confidence=0.96, not_near=EXPERTISE),
    "lived": Rule(
        confidence=0.9,
        after=LIVED,
    ),
    "deaf": Rule(
        confidence=0.95,
        not_after=pattern(r"[\s-]+(?:ears?|to|spot)\b", r"[ -]ends?\b"),
        not_before=pattern(r"\btone[\s-]$"),
    ),
    "blind": Rule(
        confidence=0.9,
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
        not_before=pattern(
            r"\b(?:double|single|triple|colou?r|study (?:was|is)|trial (?:was|is)|review (?:is|was)|flying|flew|"
            r"going in|sold|bought|roman|roller|vertical|window|duck|hunting|venetian|tasted|fully automated|judged|"
            r"read|scored|graded|(?:and|the|of|for) (?:the )?(?:double|single))[\s-]$"
        ),
    ),
    "disabled": Rule(
        confidence=0.93,
        after=pattern(
            r"[\s-]+(?:(?!(?:per|by|for|in|on|the|all|every|each|this|that|our|at|of|to|any|some|via|as|and|"
            rf"or)\b)[a-z]+\s)?{PEOPLE}\b"
        ),
        not_after=pattern(r"[\s-]+(?:user |staff )?(?:accounts?|logins?|devices?|access\b)"),
    ),
    "disability": Rule(
        confidence=0.94,
        not_before=pattern(r"\b(?:short|long)[ -]term $"),
        not_after=pattern(
            r"(?: status| type| details| category)?[ ]*(?::(?!in\b)|[|=\t]|[ ][;\u2013-][ ])",
            r"(?:\s+(?:\w+|&))?\s+(?:insur\w+|claims?|adjudicat\w+|underwrit\w*|income|law|laws|litigation|"
            r"policy holders|lawyer|attorney|cases?|carriers?)\b",
            r"\s+(?:benefits? (?:admin|claims|adjudicat|appeals?|tribunal|advi[cs]|decisions?|caseload)|"
            r"management|payments|products?|discrimination law)",
        ),
        not_near=EXPERTISE,
    ),
    "own": Rule(
        confidence=0.9,
        before=pattern(TOLD + DEGREES + "$", BREAK),
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
    "needs": Rule(
        confidence=0.85,
        before=pattern(
            r"\b(?:needs?|needing|requires?|required|requiring|request\w*|access|adjustments?|accommodations?|"
            r"arrangements?|please provide|please arrange|provide me|work with|works with|supported by|support:|via|"
            r"use|using|uses|own|my|my own|personal|benefit from|appreciate|grateful for|helped by|i'd like|would like|"
            r"turn on|prefer)\s*[:(-]?\s*(?:an?\s|my\s|live\s|some\s|"
            r"the\s|you\s)*$"
        ),
        not_near=EXPERTISE,
    ),
    "told": Rule(confidence=0.85, check=is_candidates),
    "always": Rule(confidence=0.96),
    "wheelchair": Rule(
        confidence=0.96,
        lead=lazy_re(r"\b(?:power|powered|electric|manual|motori[sz]ed|sports)\s$"),
        not_after=pattern(r" (?:ramps?|lifts?|access|repairs?)\b"),
    ),
    "adjustments": Rule(confidence=0.85, not_after=pattern(PAPERS, r"[ ]*:")),
    "stutter": Rule(
        confidence=0.95,
        not_before=pattern(r"\b(?:frame|audio|video|micro|playback|engine|network|animation|reduced|fixed) ?-?$"),
        not_after=pattern(
            r"\s+(?:fix\w*|bugs?|frame|issues?|rate|free|video|audio|playback|engine|steps?|edits?)\b", r"-"
        ),
    ),
    "leave": Rule(confidence=0.85, not_after=pattern(PAPERS)),
    "aid": Rule(
        confidence=0.93,
        not_after=pattern(
            r",? (?:and )?(?:umbrellas?|luggage|hats?|range|stands?|buyer)\b",
            r"\s+(?:signage|signs|labels?|labelling|dispens\w+|audiolog\w*|industry|design\w*|labs?|technicians?|"
            r"manufactur\w*|fittings?|engineer\w*|r&d|production|market\w*|sales|specialist|acoustics|research\w*|"
            r"firmware|components?|fabrication)\b",
        ),
    ),
    "autism": Rule(
        confidence=0.95,
        not_after=pattern(
            r"\s+(?:(?:classroom|unit|resource|support|spectrum|base) )?(?:aides?|classrooms?|paraprofessional|tutor|"
            r"teach(?:er|ing)|technician|specialist|therapist|programs?\b|practitioner)"
        ),
    ),
    "screen_reader_own": Rule(
        confidence=0.93,
        before=pattern(
            r"\b(?:i am|i'm) (?:\w+ )?blind\b[^.|]{0,60}$",
            r"\b(?:blind|low vision|visually impaired|sight|my|i use|i work with|i rely on|as a|am a)\b[^.\n]{0,60}$",
        ),
    ),
    "plain": Rule(confidence=0.9),
    "proxy": Rule(confidence=0.7, strict=True),
}
