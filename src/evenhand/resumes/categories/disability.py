"""DISABILITY: conditions, aids and arrangements, of the person or of people that are mentioned.

Conditions that are disabilities are masked wherever they stand. Illnesses (asthma, cancer,
depression) are masked unless the sentence is about clinical work, research or products.
Kept: expertise in accessibility (WCAG, tests with screen readers), double-blind trials, deaf
ears, the economy's depression, disabled alarms, sign languages (a skill), bipolar transistors,
disability insurance as a line of business.
"""

from evenhand.resumes.rules import Rule, pattern

__all__ = ["RULES"]

#: Work on accessible products tells a skill, not a condition.
_EXPERTISE = pattern(
    r"\bwcag\b",
    r"\baria\b",
    r"\ba11y\b",
    r"\bsection 508\b",
    r"\bvpat\b",
    r"\baccessib(?:le|ility) (?:pages?|sites?|websites?|apps?|web|design|audit|audits|testing|standards?|guidelines?|"
    r"features?|components?|software|compliance|engineer|team)",
    r"\bada complian",
    r"\busers? with\b",
    r"\bassistive tech",
    r"\bnvda\b",
    r"\bvoiceover\b",
)
_PEOPLE = (
    r"(?:persons?|people|veterans?|vets?|athletes?|sportspe\w+|students?|child(?:ren)?|adults?|employees?|"
    r"communit(?:y|ies)|candidates?|clients?|users?|m[ae]n|wom[ae]n|youth|workers?|staff|individuals?|applicants?|"
    r"professionals?|artists?|musicians?|dancers?|network|parking|toilets?|access|sports?|sport|swimming|rugby|"
    r"football|"
    r"cricket|golf|soccer|pupils?|learners?|patients?|runners?|skiers?|riders?|drivers?|travellers?|tenants?|"
    r"residents?|"
    r"seniors?|teens?|girls?|boys?|kids?|brother|sister|siblings?|sons?|daughters?|parents?|mother|father|relatives?|"
    r"spouse|husband|wife|partner|entrepreneurs?|founders?|lawyers?|colleagues?|members?|voters?|refugees?|"
    r"performers?|association|society|school|union|guests?|customers?|passengers?|discharge|in (?:one|both|my)|since|"
    r"from birth|card|living|facilities)"
)
#: Clinical work, research and trade: an illness is their subject.
_CLINICAL = (
    r"\b(?:patients?|inpatients?|outpatients?|clients?|residents|treat(?:ed|ing|s)|therap\w+|clinic|clinics|"
    r"clinical\w*|drugs?|"
    r"trials?|stud(?:y|ies|ied)|screen\w*|nurs\w+|wards?|units?|oncolog\w*|medication|medicines?|research\w*|"
    r"modell?\w*|data\w*|"
    r"markets?|marketing|prevent\w*|educat\w*|assess\w*|manag(?:ed|ement)|administer\w*|leaflets|assays?|"
    r"genom\w*|genetics?|"
    r"epidemiolog\w*|risk|biomarkers?|cohorts?|pathways?|protocols?|referrals?|vaccin\w*|develop\w*|built|"
    r"design\w*|analy\w+|"
    r"algorithms?|devices?|pharma\w*|physicians?|hospitals?|publi\w+|papers?|thesis|monitor\w*|detect\w*|predict\w*|"
    r"diagnostics?|rides to|cells?|mice|mouse|imaging|surg\w+|pipeline|rehab\w*|health visitor|gp practice|"
    r"care homes?|"
    r"cared for (?:\w+ )?(?:adults|people|those)|counsell?ing|counsell?ors?|classes|inhaler|firmware|software|sales|"
    r"products?|prices?|demand|tests?|testing|cent(?:er|re)s?|services?|guidelines|registry|portfolio|"
    r"specialist|programmes?|"
    r"program|treatments?|charts?|caseload|icd|epic|triage|wound|palliative|hospice|geriatric\w*|pa?ediatric\w*|"
    r"cardiac|icu|"
    r"comorbid\w*|care plan\w*|infusions?|chemo\w*|radiolog\w*|immunolog\w*|endocrin\w*|cardiolog\w*|neurolog\w*|"
    r"psychiatr\w*|hypertension|obesity|conditions such as|organoids?|postdoc\w*|coordinator)\b"
)
_BEFORE_CLINICAL = _CLINICAL + r"[^.;\n]{0,44}$"
_AFTER_CLINICAL = r"[^.;,\n]{0,24}?" + _CLINICAL
_DEGREES = (
    r"(?:an?\s|my\s|his\s|her\s|the\s|own\s|severe\s|chronic\s|clinical\s|mild\s|moderate\s|major\s|acute\s|"
    r"recurrent\s|"
    r"generali[sz]ed\s|social\s|bouts of\s|early-onset\s|advanced\s|stage \w+\s|type (?:1|2|i|ii)\s|anxiety and\s|"
    r"depression and\s|anxiety or\s|both\s|well-controlled\s|controlled\s|some\s|partial\s|long-term\s)*"
)
#: Words that make an illness somebody's own, or that of people who live with it.
_TOLD = (
    r"\b(?:diagnos(?:ed|is) (?:with|of|as)|living with|live with|lives with|liv(?:e|ed|ing) through|life with|"
    r"born with|"
    r"suffer(?:ed|ing|s)? (?:from|with)|sufferer of|my|i have|i've|i had|has|have|having|had|i manage|managing my|"
    r"history of|surviv\w+(?: of)?|recover(?:ed|ing|y)? from|due to|because of|owing to|overc(?:o|a)me|"
    r"overcoming|coping with|"
    r"struggl\w+ with|battl\w+(?: with)?|beat|beating|fought|treated for|in remission from|treatment for|"
    r"remission from|account of|"
    r"experienced|experience of|experience with|despite|after|following|reason:|reasons?:|condition:|"
    r"conditions:|absence:|"
    r"(?:people|children|kids|others|those|someone|adults|teens|youth|friends|students|athletes|parents|child|"
    r"son|daughter|"
    r"brother|sister|mother|father|parent|husband|wife|partner|man|woman|person|colleagues|employees|living|"
    r"work|working|"
    r"running|employee|engineer|me|am|life|years) with)\s"
)
_BREAK = (
    r"\b(?:break|leave|gap|absence|pause|time off|time out|sabbatical|off work|off sick|hiatus|"
    r"signed off)\b[^.;|\n]{0,30}(?:\n\s*[a-z(][^.;|\n]{0,30})?$"
)
_GROUPS = (
    r"\s+(?:survivors?|sufferers?|warriors?|thriver|advoca\w+|ambassadors?|support groups?|self-help|societ(?:y|ies)|"
    r"associations?|foundations?|charit\w+|trust|uk\b|alliance|network|peer|carers?|blog\w*|podcast\w*|recovery|"
    r"in remission|diagnosis|awareness|fundrais\w+|walk\b|run\b|ride\b|champion|patient advocate)"
)
_HR = (
    r"\b(?:manag\w+|process\w*|handl\w+|coordinat\w+|administ\w+|approv\w+|review\w*|polic(?:y|ies)|provision|"
    r"train\w*|"
    r"advis\w+|track\w*|negotiat\w+|audit\w*|evaluat\w+|implement\w*)\b[^.\n]{0,40}$"
)
_PAPERS = (
    r"\s+(?:polic(?:y|ies)|requests|process\w*|cases?|law|administration|management|tracking|claims|"
    r"programs?|tickets)\b"
)

RULES = {
    "term": Rule(confidence=0.96, not_near=_EXPERTISE),
    "always": Rule(confidence=0.96),
    "stutter": Rule(
        confidence=0.95,
        not_before=pattern(r"\b(?:frame|audio|video|micro|playback|engine|network|animation|reduced|fixed) ?-?$"),
        not_after=pattern(
            r"\s+(?:fix\w*|bugs?|frame|issues?|rate|free|video|audio|playback|engine|steps?|edits?)\b", r"-"
        ),
    ),
    "aid": Rule(
        confidence=0.93,
        not_near=_EXPERTISE,
        not_before=pattern(
            r"\b(?:sold|selling|design(?:ed)?(?: of)?|manufactur\w+|fitted|fitting|dispens\w+|repair\w*) (?:\w+ )?$"
        ),
        not_after=pattern(
            r"\s+(?:dispens\w+|audiolog\w*|industry|design\w*|labs?|technicians?|manufactur\w*|fittings?|"
            r"engineer\w*|r&d|"
            r"production|market\w*|sales|specialist|acoustics|research\w*|firmware|components?|fabrication)\b"
        ),
    ),
    "cane": Rule(
        confidence=0.9,
        before=pattern(r"\b(?:with an?|uses? an?|using an?|need an?|needs an?|my|walking|blind|long)\s$"),
        not_after=pattern(r"\s+(?:sugar|fields?|toads?|chairs?|furniture|syrup|mill\w*|through)\b"),
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
            r"\b(?:uses?|using|rel(?:y|ies|ying) on|works? with|working with|needs?|requires?|with an|via an?|"
            r"by|daily) "
            r"(?:an? |my |two |the )?$"
        ),
        not_near=_EXPERTISE,
        not_before=pattern(
            r"\b(?:tested|testing|tests|test|compatible|compatibility|support|works|pages|site|audited|audits|"
            r"verified|"
            r"users?|people|customers)\b[^.\n]{0,40}$"
        ),
    ),
    "deaf": Rule(confidence=0.95, not_after=pattern(r"\s+(?:ears?|to|spot)\b"), not_before=pattern(r"\btone[\s-]$")),
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
            r"[\s-]+(?:spots?|in (?:the|a) \w+ (?:trial|study)|to\b|reviews?|trials?|tests?|carbon|hiring|"
            r"tast\w+|sampl\w+)"
        ),
    ),
    "blind": Rule(
        confidence=0.9,
        not_near=_EXPERTISE,
        not_before=pattern(
            r"\b(?:double|single|triple|colou?r|study (?:was|is)|trial (?:was|is)|review (?:is|was)|flying|flew|"
            r"going in|sold|bought|"
            r"roman|roller|vertical|window|duck|hunting|venetian|tasted|fully automated|judged|read|scored|graded|"
            r"(?:and|the|of|for) (?:the )?(?:double|single))[\s-]$"
        ),
        not_after=pattern(
            r"[\s-]+(?:(?:(?:peer|code|resume|cv|candidate|taste|paper|manuscript|clinical|randomi[sz]ed|"
            r"placebo-controlled|"
            r"crossover|wine|audio|listening|quality) )?(?:reviews?|reviewed|reviewing|trials?|stud(?:y|ies)|"
            r"tests?|testing|tasting|auditions?|"
            r"recruit\w+|evaluation|assessment|grading|marking|comparisons?)|spots?|tests?|hiring|screening|"
            r"dates?|eye|hems?|"
            r"rivets?|faith|signatures?|sql|xss|pool|trust|cop(?:y|ies)|carbon|cv|resume|alley|box|manufacturer|"
            r"install\w+|"
            r"ambition|peer|holes?|flanges?|drops?|runs?|bak\w+|corners?|summits?|vias?|stitch\w*|transfers?|"
            r"cod\w+|tast\w+|"
            r"sampl\w+|hold-?outs?|sources?|separation|deconvolution|levels?|docking|approach|arbitration|"
            r"loyalty|optimism|"
            r"landing|ratings?|scoring|reads?|sides?|zones?|areas?|fold|stamping|emboss\w*|nuts?|bolts?|taps?|"
            r"tapping|"
            r"bidding|auctions?|made|man's buff|obedience|panels?|placement|draft|index\w*|search\w*|validation|"
            r"equali[sz]ation|"
            r"storage|oath|application\w*|shortlist\w*|interview\w*|judging|draw|adjudicat\w*|to (?:the|any|"
            r"all)|analys\w+|"
            r"replicat\w*|benchmark\w*|predict\w*|challenge|survey|estimat\w*|phase|period|thrust|items?|quote|"
            r"by design|"
            r"(?:candidate|applicant)s? (?:review|screen\w*))\b",
            r"s\b",
        ),
    ),
    "colour_blind": Rule(
        confidence=0.9,
        not_near=_EXPERTISE,
        not_after=pattern(
            r"[\s-]+(?:safe|palettes?|friendly|casting|polic\w+|tests?|tested|mode|accessib\w+|hiring|colou?rs?|"
            r"simulat\w+|charts?|"
            r"users?|proof|theme)\b"
        ),
    ),
    "disabled": Rule(
        confidence=0.93,
        after=pattern(
            r"[\s-]+(?:(?!(?:per|by|for|in|on|the|all|every|each|this|that|our|at|of|to|any|some|via|as|and|"
            r"or)\b)[a-z]+\s)?"
            rf"{_PEOPLE}\b"
        ),
        not_after=pattern(
            r"\s+(?:user|staff|employee|network|access|guest|customer|client|member|parent)s?\s*(?:accounts?|logins?|"
            r"profiles?|ports?|devices?|interface|keys?|cards?|links?|nodes?|feature)",
            r"\s+(?:the|a|an|all|alerts|access|network|these|its|unused|idle|legacy|and|or|in|on|by|for|guest)\b",
            r"\s+users?\b(?! (?:forum|group|network|panel))",
        ),
        not_near=_EXPERTISE,
    ),
    "disabled_self": Rule(
        confidence=0.93,
        before=pattern(
            r"\b(?:am|i'm|is|registered|registered as|as|identify as|identifies as|became|the|profoundly|"
            r"severely|for|with|"
            r"physically|mentally|visibly|permanently|partially|multiply|neuro|my|being|legally|"
            r"officially)\s(?:an?\s)?$"
        ),
        after=pattern(r"\s*(?:[.,;|()\n]|and\b|since\b|under\b|as\b|with\b|from\b|by\b|access\b|adjustments?\b|$)"),
        not_before=pattern(
            r"\b(?:alerts?|accounts?|features?|mode|service|default|flag|function|logging|port|is|access|"
            r"logins?|users?|"
            r"was|were|which|that|it) (?:is|are|was|were|as|with)\s$"
        ),
    ),
    "disability": Rule(
        confidence=0.94,
        not_after=pattern(
            r"[ ]*:(?!in\b)",
            r"(?:\s+(?:\w+|&))?\s+(?:insur\w+|claims?|adjudicat\w+|underwrit\w*|income|law|laws|litigation|"
            r"policy holders|"
            r"lawyer|attorney|cases?|carriers?)\b",
            r"\s+(?:benefits? (?:admin|claims|adjudicat)|management|payments|products?|discrimination law)",
        ),
        not_before=pattern(
            r"\b(?:short-term|long-term|short term|long term|life and|life,|std/ltd|income|"
            r"workers' comp(?:ensation)? and|"
            r"and permanent|(?:age|sex|race|gender|religion|sex|age,),? (?:and|or))\s$"
        ),
        not_near=_EXPERTISE,
    ),
    "condition": Rule(
        confidence=0.9,
        not_near=pattern(
            r"\b(?:transistors?|plates?|junctions?|steppers?|membranes?|amplifiers?|cells?|circuits?|"
            r"electrodes?|mosfets?|"
            r"cautery|forceps|power suppl\w+|signals?|analog\w*|cmos|silicon|semiconductor\w*|motors?|drivers?|"
            r"neurons?)\b"
        ),
    ),
    "own": Rule(
        confidence=0.9,
        before=pattern(_TOLD + _DEGREES + "$", _BREAK),
        not_before=pattern(
            r"\b(?:patients?|inpatients?|clients?|residents?|individuals|persons|trials?|stud(?:y|ies)|research|"
            r"car(?:e|ed|ing) for "
            r"(?:adults|people|those)|model\w*|data|engine\w*|provid\w*|nurs\w*|treat(?:ed|ing|s) (?!for\b)|"
            r"clinic\w*)\s?[^.\n]{0,30}$",
            r"\b(?:great|economic|market|tropical|housing|during the|exam|separation|math|test)\s$",
        ),
        not_after=pattern(
            r"\s+(?:in the (?:housing|labou?r|market)|data|markets?|research|nurses?|team|services|models?|"
            r"units?|wards?|clinics?|"
            r"care\b|screening|apps?|drugs?|prevention|cent(?:er|re)s?|patients|trials?|stud(?:y|ies)|cells?|era|"
            r"medication|surgery centre|pathways?|programs?|programmes?|risk|biomarkers?|genom\w+|epidemiology)\b"
        ),
    ),
    "group": Rule(
        confidence=0.88, after=pattern(_GROUPS), not_before=pattern(r"\b(?:patients?|clinical|clinic)\b[^.\n]{0,30}$")
    ),
    "fact": Rule(
        confidence=0.86,
        before=pattern(r"(?:^|\n\s*|\\item\s+|[.:;(*|]\s*|[^\w\s,'\"&/.-]\s*|-\s+|\s{2,})$"),
        after=pattern(
            r"\s*(?:$|[(;.\n])",
            r"\s+(?:in (?:19|20|both|left|right|one|my|remission|childhood)|under|since|controlled|diagnosed|"
            r"well|stable|treated|"
            r"affects|limits|until)",
            r"\s*,\s*(?:controlled|stable|mild|well|no\b|in remission|diagnosed|since|now|medicated|managed|"
            r"fully|\d)",
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
            _BEFORE_CLINICAL,
            r"\b(?:great|economic|market|market's|tropical|housing|price|oil|deep|topographic\w*|separation|"
            r"exam|math|test|"
            r"performance|customer|climate|seasonal|tropic of|status|zero)\s$",
        ),
        not_after=pattern(
            _AFTER_CLINICAL,
            r"-(?:free|era|like|level|related|induced)",
            r"\s+(?:era|of the|about|storage|focus|in (?:the (?:market|price|housing|labou?r|economy|road|soil|"
            r"ground|u\.?s\.?)|"
            r"(?:\w+ )?(?:prices?|demand|sales|markets?|trade|output|stocks?|spending)))\b",
        ),
    ),
    "state": Rule(
        confidence=0.88,
        not_before=pattern(_BEFORE_CLINICAL),
        not_after=pattern(
            _AFTER_CLINICAL,
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
    "acronym": Rule(
        confidence=0.88,
        case="upper",
        before=pattern(
            r"\b(?:diagnos(?:ed|is) (?:with|of|as)|living with|lives? with|life with|suffer(?:ing|s)? from|"
            r"because of(?: my)?|"
            r"due to(?: my)?|owing to(?: my)?|my|have|people with|those with|children with|someone with|"
            r"person with|surviving|"
            r"managing)\s$"
        ),
        not_after=pattern(
            r"\s*(?:[&/]|\s(?:in (?!19|20)|degree|from|office|excel|and|sql|thesis|project|word|windows|of|"
            r"teams|access)\b)"
        ),
        not_before=pattern(r"\b(?:patients?|clients?|residents?)\b[^.\n]{0,30}$"),
    ),
    "acronym_group": Rule(
        confidence=0.85,
        case="upper",
        after=pattern(r"\s+(?:diagnos\w+|society|warrior|survivor|sufferer|support group|charity|flare)\b"),
        not_before=pattern(_BEFORE_CLINICAL),
    ),
    "leave": Rule(confidence=0.85, not_before=pattern(_HR), not_after=pattern(_PAPERS)),
    "adjustments": Rule(confidence=0.85, not_before=pattern(_HR), not_after=pattern(_PAPERS, r"[ ]*:")),
    "needs": Rule(
        confidence=0.85,
        before=pattern(
            r"\b(?:needs?|needing|requires?|required|requiring|request\w*|access|adjustments?|accommodations?|"
            r"arrangements?|"
            r"please provide|please arrange|provide me|work with|works with|supported by|support:|via|use|using|uses|"
            r"benefit from|appreciate|grateful for|helped by|prefer)\s*[:(-]?\s*(?:an?\s|my\s|live\s|some\s|"
            r"the\s|you\s)*$"
        ),
        not_before=pattern(
            r"\b(?:users?|clients?|patients?|customers?|guests?|deaf (?:clients|patients)|legally|was|"
            r"were) [^.\n]{0,24}$"
        ),
        not_near=_EXPERTISE,
    ),
    "proxy": Rule(confidence=0.7, strict=True),
}
