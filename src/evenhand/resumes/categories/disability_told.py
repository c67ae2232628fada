"""DISABILITY: what somebody lost, survived, draws or carries, told in a few words.

Kept: a lost leg of a relay, NDIS clients of a support worker, dialysis nurses, disability claims cut by 30%,
screen readers somebody tests with.
"""

from functools import partial

from evenhand.resumes.categories.tellings import START, telling
from evenhand.resumes.rules import pattern

__all__ = ["TELLINGS"]

_CLINICAL = pattern(
    r"\b(?:patients?|nurses?|wards?|units?|technicians?|technologist|clinics?|clinical|machines?|administ\w+|"
    r"cent(?:er|re)s?|suites?|chairs|trained|certified|regimens?|oncolog\w*|pharmac\w*|drugs?|trials?|stud(?:y|ies)|"
    r"research\w*|orders?|protocols?|drove|driver|transport\w*|treat(?:s|ed)|side effects|prepar\w+|mixed|nephrolog\w*|"
    r"billing|supplies|equipment|specialist|rn)\b"
)
_OWN = pattern(
    r"\b(?:i|i'm|i've|my|me|myself|he|she|his|her|(?:mon|tues|wednes|thurs|fri|satur)days?|afternoons?|"
    r"evenings?|nights?|mornings?|weekly|a week|back (?:at|to|in|from)|return\w*|recover\w*|after|since|due to|because "
    r"of|break|gap|leave|(?:years?|months?|rounds?|courses?|cycles?|weeks?|sessions?) of|fit again|career break|"
    r"remission)\b"
)
_PART = r"(?:legs?|arms?|hands?|feet|foot|eyes?|ears?|fingers?|fingertips?|thumbs?|toes?|limbs?|breasts?|kidneys?)"
_THEIR = r"(?:(?:the|my|his|her|their|an?|one|two|three|four|both|most of|much of|part of|some of|all|almost all) )+"
_SIDE = r"(?:(?:left|right|lower|upper|index|middle|ring|little|dominant|front|good) )*"
_TREATMENT = r"(?:ha?emodialysis|dialysis|chemotherapy|chemo|radiotherapy|immunotherapy|brachytherapy|transfusions)"
_OTHERS = pattern(
    r"\b(?:clients|participants|claimants|caseworkers?|case manag\w*|providers?|auditors?|applicants?|coordinat\w*|"
    r"process\w*|assess\w*|employees|workforce|claims|insur\w*|budget|backlog|revenue|customers|advis\w+|residents)\b"
)
_TESTS = pattern(r"\b(?:test\w*|wcag|audit\w*|accessib\w+|compat\w*|qa|users|developers?|components?|aria|bugs?)\b")

_telling = partial(telling, "DISABILITY")
#: The same, read with its capitals.
_written = partial(_telling, capitals=True)

TELLINGS = (
    _telling(
        "lost losing missing",
        rf"\b((?:lost|losing|missing) (?:(?:the )?use of )?{_THEIR}{_SIDE}{_PART})\b"
        r"(?! (?:of (?!my|his|her)|luggage|held|count|signals?|to (?:stand|play)|rest|room|protection|tools?|baggage|"
        r"bolts?))",
        r"\b((?:lost|losing) (?:(?:most of|much of|part of|some of|all of|all|almost all) )?(?:my|his|her|their) "
        r"(?:eye)?(?:sight|vision|hearing))\b(?! for)",
        r"\b((?:lost|losing|missing) (?:(?:the|my|his|her|all|some|most) )?(?:sight|vision|hearing|feeling|movement) "
        rf"(?:of|in) (?:one|both|my|his|her|an|the)(?: (?:left|right))? {_PART})\b",
        not_in=pattern(r"\b(?:match|poker|cards|relay|tournament|race|team's|suppliers?|blackjack|bridge hand)\b"),
    ),
    _telling(
        "dialysis haemodialysis hemodialysis chemotherapy chemo radiotherapy immunotherapy brachytherapy transfusions",
        rf"\b({_TREATMENT}(?: (?:checks?|treatments?|sessions?|appointments?)\b)?)",
        not_in=_CLINICAL,
        only_in=_OWN,
    ),
    _telling(
        "dialysis haemodialysis hemodialysis chemotherapy chemo radiotherapy immunotherapy brachytherapy infusions "
        "transfusions physiotherapy",
        r"\b(?:my|(?:years?|months?|rounds?|cycles?|weeks?) of|after|for|need|have|has|through) "
        r"(?:(?:my|regular|weekly|monthly|daily|his|her) )?"
        rf"((?:{_TREATMENT}|infusions|physiotherapy)(?: (?:checks?|treatments?|sessions?|appointments?)\b)?)",
        only_in=pattern(
            r"\b(?:my (?:own )?(?:dialysis|chemo|diagnosis|treatment|surgery|infusions|transfusions)|mastectomy|"
            r"(?:one|an?|two) (?:afternoon|morning|day|evening)s? (?:a|each|every|per) (?:week|month|fortnight)|"
            r"plan around|(?:return\w*|back|came back|went back) (?:to|at) (?:work|nursing|teaching|the)|"
            r"i (?:had|take|go|leave)|kidney failure|transplant)\b"
        ),
    ),
    _telling(
        "disabled disability connected impairment",
        r"\b(\d{1,3} ?(?:%|per ?cent) (?:\(?(?:permanent|permanently|total|totally|p&t|va|locomotor|visual|hearing|"
        r"physical|combined|orthopa?edic|service[ -]connected|and)\)? )*(?:disabled(?: (?:combat )?vet(?:eran)?)?|"
        r"disability(?: rating)?|service[ -]connected(?: (?:disability(?: rating)?|disabled vet(?:eran)?|disabled|"
        r"vet(?:eran)?|rating))?|impairment))\b(?! (?:access|toilets?|employees|staff|workforce|people|clients|claims|"
        r"insurance|parking|accounts?))",
        r"\b((?:(?:permanent|locomotor|visual|hearing|service[ -]connected|va|combined|physical) )*"
        r"(?:disability|impairment)(?: rating| level| degree| percentage)?(?: of| at| is)?[:, (]{0,2} ?\d{1,3} ?(?:%|"
        r"per ?cent))",
        not_in=_OTHERS,
    ),
    _telling("va", r"\b(va:? \d{1,3} ?%)(?! (?:discount|loans?))"),
    _telling(
        "rating", r"\b(?:va|disability|veterans affairs)(?: combined| disability)? (rating(?: of|:|,| is)? \d{1,3} ?%)"
    ),
    _telling(
        "survivor",
        r"\b((?:(?:breast|bowel|colon|skin|prostate|blood|lung|brain|childhood|testicular|ovarian|cervical|"
        r"thyroid|throat|kidney|two-time|twice|young|heart|stroke|burns?|polio|sepsis|transplant|leuka?emia|lymphoma|"
        r"melanoma|tumou?r|cancer|attack|meningitis|aneurysm|injury|covid|arrest|cardiac|spinal|head|landmine|mine|"
        r"blast|fire|crash|bomb|polio)[ -])+survivor)\b"
        r"(?! (?:rates?|data|services?|clinic|support|cohort|care))",
    ),
    _telling(
        "free",
        r"\b((?:cancer|seizure|tumou?r|symptom|relapse|migraine|episode)[ -]free)\b"
        r"(?= (?:since|for|now|after|as of|\d|and)|[ ]*[.,;)(\n]|$)",
        r"\b((?:drug|alcohol|substance)[ -]free)\b(?= (?:since|for (?:\w+ )?(?:years?|months)))",
        r"\b(free (?:of|from) (?:cancer|seizures|symptoms))\b",
        not_in=_CLINICAL,
    ),
    _telling(
        "dialysis", r"\b(?:am|i'm|is|was|been|went|months|years?) (on (?:home |peritoneal )?dialysis)\b(?! machines?)"
    ),
    _telling(
        "sight vision hearing use movement feeling grip strength",
        r"\b((?:no|limited|little|partial|reduced|poor|restricted|some|weak) "
        r"(?:sight|vision|hearing|use|movement|feeling|grip|strength) "
        rf"(?:in|of) (?:my|his|her|one|both|the) {_SIDE}{_PART})\b",
        not_in=_CLINICAL,
    ),
    _telling(
        "ndis",
        r"\b(?:my|his|her|(?:supported|covered|paid|funded|helped) (?:by|through|under)(?: an?| the| my)?|under an?|"
        r"through(?: an?| my)|have an?|has an?|on (?:the|an)|with an?|am an?|i'm an?|as an?) "
        r"(ndis(?: (?:plan|participant|package|funding|supports?|recipient|transport|budget))?)\b(?! (?:worker|"
        r"provider|audit))",
        rf"{START}(ndis participant)\b(?!s)",
        not_in=pattern(r"\b(?:clients|participants|coordinat\w+|support workers?|providers?|audit\w*|caseload)\b"),
    ),
    _telling(
        "enable",
        r"\b(?:registered with|placed (?:by|through|with)|supported by|client of|via|through|grant from|by|"
        r"from) (sg enable)\b",
    ),
    _telling(
        "odsp aish ssdi dsp wsib",
        r"\b(?:on|receiv\w+|get|gets|getting|my|through|from|recipient of|draw\w*|under) (?:the )?"
        r"(odsp|aish|ssdi|dsp|wsib)\b(?= ?(?:[.,;)(\n]|$|and\b|since|while|but|as\b|because|for\b|benefits?|with))",
        not_in=_OTHERS,
    ),
    _telling("ticket", r"\b(?:my|using|use|used|through|the|via|an?|under|on|and) (ticket to work)\b", not_in=_OTHERS),
    _telling(
        "pension allowance benefit benefits",
        r"\b((?:disability|invalidity|incapacity|sickness|employment and|disabled person's)(?: (?:support|living))? "
        r"(?:pension|allowance|benefits?))\b(?! (?:admin\w*|adjudicat\w*|claims?|team|office|advis\w+|desk|law))",
        not_in=_OTHERS,
    ),
    _telling(
        "permit placard badge certificate card lanyard plates",
        r"\b((?:disabled|disability|handicap(?:ped)?|accessible)(?: person'?s?'?| people's|"
        r" veteran)? (?:parking permit|parking placard|parking badge|parking card|placard|certificate|card|license "
        r"plates))\b(?! (?:clinic|office|app))",
        r"\b((?:access|companion|cnib|oku|udid|pwd|sunflower|hidden disabilit(?:y|ies)(?: sunflower)?|freedom pass|"
        r"disabled person's railcard) (?:card|lanyard))(?= ?holder|,? (?:and|wear\w*)|[ ]*(?:[.;,)(\n]|$))",
        not_in=pattern(
            r"\b(?:issu\w+|check\w*|bays?|enforce\w*|sold|processed|applications|control|doors?|security|swipe|staff|"
            r"visitors?|readers?|database|memory|hotel)\b"
        ),
    ),
    _telling(
        "udid oku",
        r"\b(?:hold|holds|have|has|with|my|holder of)(?: an?| my| the| valid)* ((?:udid|oku)(?: (?:card|"
        r"certificate|number|id))?)\b",
        rf"{START}((?:udid|oku)(?: (?:card|certificate|number|no\.?|id|card number)))(?= ?(?:[:.;,)(\n]|"
        r"available|on request|holder|attached|$))",
        not_in=pattern(r"\b(?:ios|iphones?|devices?|apple|mdm|provision\w*|app)\b"),
    ),
    _written(
        "pwd pwbd ph",
        r"\b((?:PwB?D|PWB?D|PH)(?: [Cc](?:ategory|andidate)| [Qq]uota| [Ss]tatus| [Cc]ertificate| [Aa]pplicant))\b",
        r"\b[Bb]elong\w* to (?:the )?(PwB?D|PH)\b",
        r"\b((?:a|A|as|am) PwB?D)\b",
    ),
    _telling("determination", r"\b((?:persons?|people|students?|employees?|individuals?) of determination)\b"),
    _telling(
        "nvda jaws zoomtext voiceover talkback dragon supernova",
        r"\b(?:comfortable|fluent|confident|proficient|at home|fast|quick) (?:with|in|on) (nvda|jaws|zoomtext|"
        r"voiceover|talkback)\b",
        r"(?:\b(?:i|he|she|who|and|also|now)|[,;)]) (?:(?:also|now|mainly|daily) )?(?:use|uses|using|work with|"
        r"works with|rely on|relies on|dictat\w+(?: with| to| into| by| using)?|typ(?:e|es|ing) (?:with|by|using)|"
        r"navigat\w+ (?:with|by)|read with|reads with) "
        r"(nvda|jaws|voiceover|talkback|zoomtext|supernova|dragon(?: (?:naturally ?speaking|professional|"
        r"dictation))?)\b(?! (?:boat|fruit))",
        not_in=_TESTS,
    ),
    _telling(
        "voice speech dictation",
        r"\b(?:typ(?:e|es|ing)|writ(?:e|es|ing)|work|works|working|dictat\w+) (?:mostly |mainly |only )?"
        r"(?:with|by|using|through|on) ((?:voice|speech)[ -](?:recognition|to[ -]text|input|control)(?: software)?|"
        r"dictation software|dictation|speech[ -]to[ -]text(?: software)?)\b",
        not_in=_TESTS,
    ),
    _telling(
        "impaired partially+sighted severely+sighted sight+blind legally+blind registered+blind partially+blind "
        "severely+blind visually+blind sight+sighted visually+sighted",
        rf"(?:{START}|\b(?:i am|i'm|is|am|being|as an?|an?) (?:(?:also|registered|severely|slightly) )?)"
        r"((?:(?:visually|hearing|sight|vision|mobility|speech|partially|legally|registered|severely sight)"
        r"[ -](?:impaired|blind|sighted))(?: \((?:low vision|partially sighted|blind)\))?)\b"
        r"(?! (?:users?|customers?|people|pupils?|students?|clients?|children|persons?|visitors|patients|"
        r"readers|adults))",
        not_in=pattern(r"\b(?:wcag|users|audit\w*|websites?|design\w*|apps?)\b"),
    ),
    _telling(
        "cannot can can't unable",
        r"\bi (?:am |therefore |usually )?((?:cannot|can't|can not|unable to) (?:stand|sit|walk|lift|kneel|"
        r"climb|bend|raise|carry|hear|see|type|write|squat|reach)\b[^.;,\n|]{0,30}?"
        r"\b(?:for (?:very )?long|long distances|far|stairs|ladders|heavy \w+|"
        r"(?:for )?(?:more than|over|above) (?:\d+|an?|\w+)(?: ?(?:kgs?|lbs?|pounds|kilos?|hours?|minutes|my head))?|"
        r"my (?:arms?|hands?|left|right|shoulder)|unaided|overhead|without (?:(?:(?:an?|my) )?"
        r"(?:[a-z-]+ )?(?:sticks?|canes?|crutch(?:es)?|walker|frame|rails?|handrail|brace|cushion|chair|wheelchair|"
        r"glasses|lenses|magnifier|aids?|help|support|pain|rest|breaks?))))\b",
    ),
    _telling(
        "breakdown",
        r"\b((?:nervous|mental|emotional) breakdown)\b",
        r"\b(?:i|he|she) (?:had|suffered) (an? (?:bad |complete |serious )?breakdown)\b(?! (?:of|in (?:the|our|"
        r"communication)))",
        not_in=pattern(r"\b(?:cars?|vehicle|lorry|van|truck|machines?|costs?|recovery service|roadside|aa)\b"),
    ),
    _telling(
        "sober clean",
        r"\b(?:years?|months|decade) (clean and sober|sober|clean)\b(?! (?:up|desk|room|record|driving))",
        r"\b(clean and sober)\b",
        r"\b(?:i am|i'm|been|and|is) (clean) (?:since|for (?:\w+ )(?:years|months))\b",
        not_in=pattern(r"\b(?:audits?|record|licen[cs]e|driving|sheet|data|inspections?)\b"),
    ),
    _telling("invalided", r"\b(invalided (?:out|home))\b"),
    _telling(
        "aneurysm aneurism",
        r"\b(?:an?|my|his|her|survived|after|had) ((?:brain |cerebral |aortic )?aneur[yi]sm)\b",
        not_in=_CLINICAL,
    ),
    _telling(
        "paralysis palsy paralysed paralyzed",
        r"\b(?:have|has|had|with|my|his|her|left with|from) ((?:partial |facial |bell's |vocal cord |"
        r"sleep )?(?:paralysis|palsy))\b",
        r"\b(?:am|was|is|been|partially|left|i'm) ((?:partially |partly )?paraly[sz]ed)\b(?! by)",
        not_in=_CLINICAL,
    ),
    _telling(
        "disability disabilities",
        r"\b((?:yes|no)[,.;:]? (?:- )?i (?:do not |don't |do )?(?:currently )?(?:have|"
        r"identify as having|consider myself to have)"
        r"(?: an?| any)? disabilit(?:y|ies)"
        r"(?:,? (?:and|or|but) (?:have |i have |previously |haven't )?(?:not |never |previously )?had (?:one|"
        r"an?y? disability)(?: in the past)?|,? or have a (?:history|record) of(?: having)? (?:one|a disability)|"
        r" \((?:or|and) (?:previously|formerly|once)? ?(?:have )?had (?:one|a disability)(?: in the past)?\))?)",
        r"(?:^|\n[ \t]*|[:|] ?)(i (?:do not |don't )?(?:currently )?have a disability)\b",
    ),
    _telling(
        "mood disorders nami",
        r"\b(mood disorders) (?:society|association|support|group)\b",
        r"\b(?:member|peer|volunteer\w*|leader|facilitator|speaker|walk\w*|board|chapter|fundrais\w*|helpline|"
        r"with|for|at)(?: [a-z]+){0,3}?,? (?:of |with |for |at |the )*(nami)\b(?! (?:island|one piece))",
    ),
    _telling("genotype", r"\b(?:blood )?genotype[ \t]*[:|=-][ \t]*(aa|as|ss|ac|sc|cc)\b", confidence=0.9),
    _telling(
        "gdb grad gleichstellung gleichgestellt schwerbehindert schwerbehinderung",
        r"\b(gdb[: ]{0,2}(?:von |of )?\d{2,3}(?: ?%)?)",
        r"\b(gleichstellung|gleichgestellt)\b(?=[^.;\n]{0,30}\b(?:sgb|schwerbehind\w+|behind\w+)\b)",
        r"\bgdb [^.;\n]{0,30}\b(gleichgestellt)\b",
        r"\bschwerbehind\w+[: (]{1,3}(\d{2,3} ?%)",
        r"\b(grad der behinderung)",
    ),
    _telling(
        "pcd",
        r"\b(pcd)\b",
        only_in=pattern(r"\b(?:deficiencia|vagas?|laudo|pessoas?|candidat[oa]|cotas?|auditiva|fisica|visual)\b"),
    ),
    _telling("protette protetta", r"\b(categori[ae] protett[ae](?: \(?(?:l\.|legge|ex)[^)\n,;]{1,20}\)?)?)"),
    _telling(
        "veteran",
        rf"(?:{START}|\b(?:am|as|is|an?|also|wartime|"
        rf"discharged) (?:an? )?)(disabled (?:[a-z]+ )?veteran)\b(?! (?:hiring|program|outreach))",
        not_in=_OTHERS,
    ),
    _telling(
        "disability",
        r"\b(?:on|took|went on|out on|received|receiving|drew|was on) ((?:short|long)[- ]term disability(?: leave)?)\b",
        r"\bdisability(?: status| details| disclosure| type)?\"?[ \t]*[:|=-][ \t]*\"?(i (?:do not |don't |"
        r"do )?(?:wish|want|have|choose|prefer|consider|decline)[^\n|;\"]{2,60}?)(?=[ ]*(?:[.\n|;\"]|$))",
        not_in=_OTHERS,
    ),
    _telling(
        "compensation comp",
        r"\b(?:on|received|receiving|drew|drawing|my) (workers'? comp(?:ensation)?)\b",
        not_in=pattern(
            r"\b(?:claims?|adjust\w*|insur\w*|manag\w*|process\w*|audit\w*|admin\w*|polic\w*|carriers?|codes?)\b"
        ),
    ),
    _telling(
        "surgery operation replacement transplant",
        r"\b(?:break|leave|gap|off|absence|sabbatical|recover\w* from|recuperat\w+ from)\b[^.;\n]{0,30}?\b"
        r"((?:(?:hip|knee|back|spinal|heart|brain|shoulder|hand|eye|foot|major|emergency|open-heart|planned|neck|wrist|"
        r"ankle|valve|kidney|liver|joint|urgent|two|abdominal) ){0,2}(?:surger(?:y|ies)|operations?|replacement|"
        r"transplant))\b(?! (?:cent|theatre|unit|ward|team|manager|room))",
        not_in=_CLINICAL,
    ),
    _telling(
        "donated",
        r"\b(donated (?:a|my|one|his|her)(?: own)? kidney)\b",
    ),
    _telling("preference", r"\b(10[- ]point (?:veterans'? )?preference)\b"),
    _telling(
        "supported+employment sheltered+employment supported+workshop sheltered+workshop",
        r"\b(?:through|via|in|by|from|of the year,) (?:an? |the |my )?"
        r"((?:supported|sheltered) (?:employment|workshops?))\b"
        r"(?! (?:services?|team|providers?|project|manager))",
        r"(?:^|\n[ \t]*|[.;|*>-][ \t]+)(sheltered workshop)(?= to\b)",
        not_in=pattern(r"\b(?:coach|clients?|manager|supervis\w+|service users|instructor|commission\w*|referrals?)\b"),
    ),
    _telling(
        "remitting deuteranopia protanopia tritanopia deuteranomaly protanomaly amputee",
        r"\b(relapsing[ -](?:and[ -])?remitting|deuteranopia|protanopia|tritanopia|deuteranomaly|protanomaly)\b",
        r"\b((?:below|above|through)[ -](?:the[ -])?(?:knee|elbow) amputee)\b(?! (?:patients|clients|clinic))",
        not_in=pattern(r"\b(?:patients?|clients?|clinic|trials?|simulat\w+|contrast|accessib\w+|palette)\b"),
    ),
    _telling(
        "spectrum",
        rf"{START}(on the (?:autism |autistic )?spectrum)(?= and (?:proud|open|happy|not|fine)\b|[ ]*(?:\n|[.]$|$))",
        r"\b(?:i|she|he|they|son|daughter|brother|sister)(?: am| is| are|'m|'s)? (on the spectrum)\b(?! of)",
    ),
)
