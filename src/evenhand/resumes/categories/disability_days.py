"""DISABILITY: accommodations asked for, how severe a condition is, being born with one, told in a few words.

Kept: adjustments made for staff, prosthetics one designs, patients' pain, vaccination against polio, bad weather.
"""

from functools import partial

from evenhand.resumes.categories.disability_frames import OF_WORK
from evenhand.resumes.categories.tellings import START, telling
from evenhand.resumes.rules import pattern

__all__ = ["TELLINGS"]

_LIMB = "(?:hand|arm|leg|foot|side)"
_telling = partial(telling, "DISABILITY")

TELLINGS = (
    # Accommodations somebody asks for, how severe a condition is, and being born with one.
    _telling(
        "accommodation accommodations adjustment adjustments",
        r"\b(?:i|would|may|will|also|currently|please|and) (?:request|need|require|ask for|want|use|have|"
        r"receive|expect|appreciate) (?:an? |some |minor |the following |only )?(reasonable (?:workplace "
        r")?(?:accommodations?|adjustments?))\b",
        rf"{START}((?:reasonable|workplace) (?:accommodations?|adjustments?))(?= (?:needed|required|requested|please|"
        rf"appreciated|agreed|granted|sought|in place|for my|because|owing|due)\b|[ ]*[:=-][ ]*(?!none|no\b|n/a|not|"
        rf"request|nil)[a-z])",
        not_in=pattern(
            r"\b(?:employees|staff|requests|clients?|students?|candidates|polic\w+|process\w*|hr|tenants?|applicants|"
            r"provided|providing|managed|train\w*)\b"
        ),
    ),
    _telling(
        "asthma depression anxiety eczema psoriasis migraine migraines arthritis epilepsy dyslexia dyspraxia hearing "
        "eyesight sight pain allergy allergies anaemia anemia insomnia diabetes tinnitus sciatica endometriosis "
        "fatigue scoliosis stammer stutter haemophilia hemophilia autism adhd ocd ptsd colitis vertigo",
        rf"(?:{START}|\b(?:have|has|had|for|with|my|from|of|to|by|because of|managing|manage|despite|an?|and) )"
        r"((?:(?:very|severe|severely|mild|moderate|moderately|chronic|acute|clinical|brittle|childhood|seasonal|"
        r"exercise-induced|(?:early|late|adult)-onset|lifelong|recurrent|recurring|treatment-resistant|persistent|"
        r"partial|profound|unilateral|bilateral|progressive|well-managed|controlled|juvenile|rheumatoid|peanut|"
        r"nut|latex|dust|food|general(?:i[sz]ed)?|social|major|seronegative|photosensitive|nocturnal) )+"
        r"(?:asthma|depression|anxiety(?: disorder)?|eczema|psoriasis|migraines?|arthritis|epilepsy|dyslexia|dyspraxia|"
        r"hearing (?:loss|impairment)|sight loss|(?:back |joint |neck |knee )?pain|allerg(?:y|ies)|ana?emia|insomnia|"
        r"diabetes|tinnitus|sciatica|endometriosis|fatigue|scoliosis|stammer|stutter|ha?emophilia|autism|adhd|ocd|"
        r"ptsd|colitis|vertigo))(?=[ ]*(?:$|[.,;:|)(\n]| (?:and|but|since|in|which|that|so|means|managed|under|"
        r"controlled|from|does|is|has|with|no|or|because|on|at|after|through|means)\b))",
        not_in=OF_WORK,
        only_in=pattern(
            r"\b(?:i|i'm|my|me|he|she|his|her|took|leave|since|diagnos\w+|inhaler|managed|controlled|medication|please|"
            r"need\w*|because|owing|disability|condition|returned|career break|gap|time off|no dust\w*|childhood|"
            r"epipen|adjust\w*|accommodation|breaks?|works? with|health|onset)\b"
        ),
    ),
    _telling(
        "prosthetic prosthesis prosthetics",
        r"\b(?:the|my|a|an|his|her) ((?:[a-z]+ )?(?:prosthetic|prosthesis|prosthetics))(?= (?:has|is|does|"
        r"doesn't|never|works|fits|allows|lets|means|hand|arm|leg|foot|eye|did|didn't|causes|poses)\b)",
        only_in=pattern(r"\b(?:i|i'm|my|me|he|she|his|her|lost|accident|amput\w+|born)\b"),
        not_in=OF_WORK,
    ),
    _telling(
        "polio",
        r"\b(?:since|after|from|of|had|with|by|following|to) ((?:childhood |infant |an? |bout of )*polio)(?=[ ]*(?:$|"
        r"[.,;|)\n]| (?:as|at|in|left|and)\b))",
        not_in=pattern(r"\b(?:vaccin\w+|eradicat\w+|campaign|unicef|rotary|immuni[sz]\w+|drops|clinic|research)\b"),
    ),
    _telling(
        "born",
        r"\b(?:i was |was |he was |she was |am |being )(born (?:profoundly |partially |almost |completely |totally |"
        r"legally )*(?:deaf|blind|deafblind|hard of hearing|without|with (?:one|no|a club|cerebral|spina|an? "
        r"[a-z]+ (?:hand|arm|leg|foot|impairment|condition))))\b",
        rf"{START}(born (?:profoundly |partially |almost |completely |totally |legally )*(?:deaf|blind|"
        r"deafblind|hard of hearing))\b",
    ),
    _telling(
        "language",
        r"\b((?:british |american |irish |indian |israeli |german |french )?sign language)(?= (?:is|was|"
        r"as) (?:my|a|our|his|her) (?:first|native|home|mother|main|preferred))",
        r"\b(?:first|native|home|preferred|main) language(?: is|:| was|,)? ((?:british |american |irish |auslan )?sign "
        r"language)\b",
    ),
    _telling(
        "locomotor visual hearing orthopaedic orthopedic mobility loco-motor",
        r"\b(\d\d ?%,? (?:locomotor|loco-motor|visual|hearing|orthopa?edic|mobility)(?: (?:disability|impairment|loss|"
        r"handicap))?)\b",
        not_in=pattern(
            r"\b(?:reduc\w+|improv\w+|increas\w+|share|customers|sales|rise|cut|fewer|more|growth|market)\b"
        ),
    ),
    _telling(
        "ocd inpatient pacemaker anaphylaxis access room loop",
        rf"{START}(ocd|inpatient (?:stay|treatment)|pacemaker|anaphylaxis)(?=[ ]*(?:$|[.;|)\n(]|,? (?:managed|"
        r"well|stable|fitted|since|in (?:19|20)\d\d|treated|under|with (?:therapy|medication)|carr\w+|epipen)))",
        rf"{START}((?:step-free|wheelchair|level) access|quiet room|hearing loop)(?: (?:is |"
        r"would be )?(?:needed|required|please|preferred|essential|requested|helpful))\b",
        not_in=OF_WORK,
    ),
    _telling(
        "gdb disability+rating weak weaker paralysed paralyzed prosthetic amputated amputation amputee missing numb "
        "withered knee elbow",
        r"\b(\d{2,3} ?%? ?gdb)\b",
        r"\bdisability rating[ ]?[:=-]?[ ]?(\d{2,3} ?(?:%|percent|per cent))",
        rf"(?:{START}|\b(?:an?|my|the) )((?:weak|weaker|paraly[sz]ed|prosthetic|amputated|missing|numb|withered) "
        rf"(?:(?:left|right|dominant) )?{_LIMB})(?= (?:since|after|from|following|due|because|means)\b)",
        r"\b(?:amputated|amputation|amputee|lost (?:my|his|her|a) leg|prosthesis) ((?:above|below|through) the "
        r"(?:knee|elbow))\b",
        not_in=OF_WORK,
    ),
    _telling(
        "stroke",
        rf"\b(?:{_LIMB}|speech|sight|vision|walking|voice)(?: [a-z]+)? (?:since|after|from|following|due to|because "
        r"of) (?:an? |my |the )?((?:minor |major |mini-)?stroke)\b",
        not_in=OF_WORK,
    ),
    _telling(
        "arm leg hand eye",
        r"\b(?:athlete|player|swimmer|climber|cyclist|runner|skier|sailor|competitor|person|cook|driver|someone|one of "
        r"few|archer|golfer|dancer) with ((?:only |just )?(?:one|a missing|no left|no right) (?:arm|leg|hand|eye))\b",
    ),
    _telling(
        "cancer leukaemia leukemia lymphoma melanoma tumour tumor depression anxiety psychosis burnout",
        r"\b(?:i|my|took|time|year|months?|gap|off|leave|19\d\d|20\d\d)\b[^.;\n]{0,40}\b(?:for|during) (?:my |the )?"
        r"(?:treatment|therapy|chemotherapy|surgery|recovery) (?:of|for|from|against) (?:my )?((?:breast |lung |bowel |"
        r"skin |ovarian |prostate |testicular |thyroid |early |stage \w+ |severe |major |clinical |postnatal )*"
        r"(?:cancer|leuka?emia|lymphoma|melanoma|tumou?r|depression|anxiety|psychosis|burnout))\b",
        not_in=pattern(r"\b(?:patients?|clinic\w*|trials?|research\w*|wards?|lab|drug)\b"),
    ),
    _telling(
        "depression",
        r"\b((?:depression and bipolar|dbsa|depression alliance)(?: support)?(?= (?:support )?(?:alliance|group|"
        r"association|network)))\b",
    ),
    _telling(
        "shine headway scope sense mencap clapa calibre bliss seeability guts crohn's enable thrive whizz",
        r"\b(?:member|trustee|volunteer|ambassador|supporter|treasurer|user) (?:of|for|with|at) (?:the )?"
        r"(shine|headway|scope|sense|mencap|clapa|calibre|bliss|seeability|guts uk|crohn's|enable|thrive|"
        r"whizz[- ]kidz)(?='s\b| charity\b)",
    ),
)
