"""DISABILITY: aids in use, letters of cards and grades, and conditions named in a few more words.

Kept: JAWS a tester works with, grade 3 maths, a low vision of the market, mute buttons, sign languages taught.
"""

from functools import partial

from evenhand.resumes.categories.tellings import START, telling
from evenhand.resumes.rules import pattern

__all__ = ["TELLINGS"]

_telling = partial(telling, "DISABILITY")
_written = partial(_telling, capitals=True)
_TESTS = pattern(
    r"\b(?:test\w*|wcag|audit\w*|compat\w*|qa|users?(?= (?:groups?|testing|research))|developers?|components?|aria|"
    r"bugs?|conform\w*|vpat|section 508|html|react|frontend|front-end|design systems?|trainer|taught|teach\w*|"
    r"clients?|students?|pupils|patients?|customers?|naturally speaking reseller|film|shark|spielberg)\b"
)
_READERS = (
    r"(?:jaws|nvda|voiceover|zoomtext|supernova|talkback|dolphin supernova|windows magnifier|window-eyes|"
    r"fusion|orca|chromevox|brailleback|claroread|read ?& ?write|read&write gold|texthelp|dragon(?: (?:naturally ?"
    r"speaking|dictate|professional|medical one))?|otter(?:\.ai)?|sonocent|glean|inspiration|mindview|kurzweil 3000|"
    r"proloquo2go|lightwriter|grid 3|tobii dynavox|eye ?gaze)"
)
_AIDS = (
    r"(?:(?:(?:refreshable|40-cell|20-cell|80-cell|portable) )?braille (?:display|notetaker|note|reader|line|terminal|"
    r"writer|keyboard)|screen[ -](?:reader|reading software|reading|magnifier|magnification(?: software)?)"
    r"(?: software)?|magnification software|speech[- ](?:to[- ]text|recognition)(?: software)?|text[- ]to[- ]speech(?: "
    r"software)?|dictation software|voice recognition(?: software)?|video magnifier|cctv magnifier|electronic "
    r"magnifier|hearing loop|induction loop|remote microphone|roger pen|fm system|live captions?|captioning|live "
    r"captioning|text relay|relay uk|video relay|speech generating device|communication (?:aid|board|device)|aac(?: "
    r"device)?|foot switch|head mouse|sip[- ]and[- ]puff|mouth ?stick|trackball mouse|ergonomic (?:mouse|keyboard)|"
    r"one[- ]handed keyboard|coloured overlays?|colou?r overlays?|tinted (?:lenses|glasses|overlay)|irlen lenses|"
    r"noise[- ]cancell?ing headphones)"
)
_CONDITION = (
    r"(?:dyslexi[ac]|dyspraxi[ac]|dyscalculi[ac]|dysgraphi[ac]|blind|deaf|low vision|partially sighted|"
    r"hard of hearing|autistic|visually impaired|hearing impaired|sight loss|hearing loss|deafened|adhd|deafblind|"
    r"legally blind|rsi|registered blind|mute|non-?verbal|non-?speaking|epilep\w+|arthritis|cerebral palsy)"
)
_SIGNED = (
    r"(?:nzsl|bsl|asl|isl|irish sign language|auslan|sasl|ksl|ghsl|fsl|lsf|lsq|dgs|oegs|ogs|dsgs|lis|lse|libras|lsm|"
    r"lsa|lsc|jsl|csl|tsl|hksl|sgsl|bim|ngt|vgt|ssl|nsl|dts|pjm|czj|rsl|usl|tid|ugsl|tsl|zsl|makaton|tactile signing|"
    r"(?:[a-z]+ )?sign language)"
)
_DEAF = pattern(r"\b(?:deaf\w*|hard of hearing|hearing (?:loss|impair\w*)|mute|cochlear|hearing aids?|lip-?read\w*)\b")
_DISABLED = (
    r"(?:disab\w+|discapa\w+|deficien\w+|invalid\w+|beperking|behinder\w+|niepelnospr\w+|pwd|pwbd|oku|"
    r"handicap\w*|impairment|determination|capacities|abilities)"
)
_CLINIC = pattern(
    r"\b(?:patients?|clinics? (?:team|nurs\w*|manag\w*|staff)|wards?|nurs\w+|theatres?|surgeons?|coordinat\w*|units?|"
    r"research\w*|stud(?:y|ies)|cohorts?|assay\w*|models?|cared|caring|data|trials?|programmes?|charit\w+|donors?|"
    r"registr\w+|scheduling|lists? for the|foundation|sales|veterinary|teach\w*)\b"
)
_TAKEN = (
    r"(?:lithium|methotrexate|levetiracetam|keppra|lamotrigine|ritalin|adderall|concerta|elvanse|vyvanse|sertraline|"
    r"fluoxetine|(?:es)?citalopram|venlafaxine|prozac|zoloft|quetiapine|clozapine|olanzapine|insulin|warfarin|"
    r"prednisolone|prednisone|biologics|humira|adalimumab|infliximab|immunosuppressants|anticonvulsants|antidepressants|"
    r"antipsychotics|antiretrovirals|methadone|buprenorphine|tamoxifen|hydroxyurea|dialysis)"
)

TELLINGS = (
    _telling(
        "vision sighted sight",
        r"\b(?:user|person|employee|worker|professional|developer|designer|engineer|writer|teacher|analyst|colleague|"
        r"adult|candidate|applicant|someone|living|live|lives|work|works|working|born) with ((?:very |moderate |"
        r"severe |mild )?(?:low|limited|partial|reduced|impaired|tunnel|monocular|poor|no usable|residual|central|"
        r"peripheral|no) (?:vision|sight)(?: loss)?)\b",
        rf"{START}((?:low|monocular|partial|tunnel|limited) vision|(?:low|partial) sight)(?=[;,.:]|\s*\n| (?:since|in|"
        r"from|so|and|\())",
        not_in=pattern(
            r"\b(?:patients?|clinic\w*|optometr\w*|products?|customers|children|pupils|clients|rehabilitation|"
            r"computer vision|camera|model\w*)\b"
        ),
    ),
    # Software and devices that somebody works with.
    _telling(
        "jaws nvda voiceover zoomtext supernova talkback dolphin window fusion orca claroread dragon otter sonocent "
        "glean kurzweil proloquo2go lightwriter tobii chromevox eye texthelp",
        rf"(?:{START}|\b(?:i|and|also|he|she|who|independently|efficiently|daily|me) )(?:also |always |mainly |now )?"
        r"(?:works?|working|uses?|using|operates?|navigates?|reads?|types?|types by voice|codes?|writes?|dictates?|"
        r"rel(?:y|ies|ying) on|fluent|proficient|fully accessible|independent|at home|need|needs|require|requires|"
        rf"bring|brings|run|runs)(?: (?:in|with|on|through|by|via|using|from|all))* ({_READERS})\b",
        rf"\b({_READERS})(?= (?:user|and (?:an? )?(?:braille|zoomtext|nvda|jaws|magnif\w*|guide dog|voiceover|large)|"
        r"on (?:my|all my)|licen[cs]e (?:of my own|needed|required|please|provided))\b|/(?:nvda|jaws|zoomtext)\b)",
        rf"\b{_CONDITION}\b[^.;\n]{{0,50}}\b({_READERS})\b",
        rf"\b({_READERS})\b(?=[^.;\n]{{0,40}}\b(?:braille (?:display|note)|guide dog|i am blind|my sight))",
        not_in=_TESTS,
    ),
    _telling(
        "braille screen magnification speech text dictation voice magnifier loop microphone roger fm captions caption "
        "captioning relay communication aac switch mouse sip mouthstick trackball keyboard overlay overlays lenses "
        "glasses headphones",
        rf"\b{_CONDITION}\b(?:,|;| and| so| -)? [^.\n]{{0,44}}?\b({_AIDS})\b",
        rf"\b(?:my|own|uses? an?|use a|works? with an?|work with an?|reads? with an?|need an?|needs an?|"
        rf"brings? (?:my|his|her|an?)) ((?:own )?{_AIDS})\b",
        not_in=_TESTS,
    ),
    # Who was ill, and what is told of groups that meet for it.
    _telling(
        "patient",
        r"\b((?:former|ex|recovered|cured|past|onetime|one-time|sometime|long-term|lifelong|ex-)[ -](?:[a-z'-]+ ){0,3}"
        r"(?:cancer|cardiac|heart|stroke|transplant|dialysis|tb|tuberculosis|kidney|leuka?emia|lymphoma|burns?|"
        r"covid|polio|psychiatric|icu|hepatitis|malaria|oncology|epilepsy|trauma|rehab|hiv|lupus|diabetes|asthma|liver|"
        r"bone marrow|spinal|migraine|eating disorder|mental health|inpatient) patient)\b",
        not_in=pattern(r"\b(?:treat\w*|surveyed|interviewed|nurs\w+|reviews?|records|cohort|file|complain\w*)\b"),
    ),
    _telling(
        "mental+health depression anxiety bipolar addiction trauma grief psychosis burnout stroke cancer disorder "
        "alcohol panic stress pain fatigue migraine asthma diabetes anger",
        r"\b((?:mental[ -]health|depression|anxiety|bipolar|addiction|trauma|grief|psychosis|burn-?out|stroke|"
        r"cancer|eating disorder|alcohol))(?=(?: (?:peer[ -]|self-|mutual )?(?:recovery|support|help|management))+ "
        r"(?:group|circle|meetings?|community|caf[e]|choir|fellowship|club|network|course|programme|program)\b)",
        r"\b(?:trained|train|course|learn\w*|skilled|practi[sc]\w+|workshop|"
        r"certificate)(?: myself)? in ((?:anxiety|panic|stress|"
        r"pain|depression|fatigue|burn-?out|migraine|asthma|diabetes|anger))(?= (?:self-management|self-care|"
        r"self-help)\b)",
        not_in=pattern(
            r"\b(?:nurs\w+|therapist|counsell?ors?|psycholog\w+|social work\w*|case ?workers?|clients?|patients?|"
            r"employed|commission\w*|psychiatr\w+|occupational|manager|service users|clinic\w*|ward)\b"
        ),
    ),
    _telling(
        "amputated",
        r"\b(amputated (?:(?:(?:my|his|her|the|one|two|three|four|left|right|lower|both|index|middle|ring|"
        r"little|several|part|of|a) )*(?:fingers?|fingertips?|thumbs?|toes?|legs?|arms?|hands?|foot|feet|limbs?)|"
        r"(?:below|above) the \w+))\b",
        not_in=pattern(r"\b(?:patients?|theatre|vet|veterinary|surg\w+|prosthetist|clinic\w*)\b"),
    ),
    _telling(
        "one-handed one-armed one-legged one-eyed left-handed handed armed legged eyed",
        r"\b((?:one|single)[- ](?:handed|armed|legged|eyed))(?= (?:[a-z]+ ){0,2}(?:technician|typist|cook|chef|"
        r"driver|climber|cyclist|coder|programmer|engineer|welder|drummer|guitarist|pianist|golfer|swimmer|runner|"
        r"skier|surfer|sailor|dancer|painter|gardener|carpenter|electrician|mechanic|typing|typer|solderer|user|person|"
        r"man|woman|athlete|rower|paddler|kayaker|musician|nurse|teacher|father|mother|barista|potter|baker)\b)",
        not_in=pattern(r"\b(?:bandit|controller|phone|thumb reach|ux|apps?|design\w*|sword|catch)\b"),
    ),
    # Captions and the like beside a word of not hearing, a semicolon between.
    _telling(
        "captions subtitles captioning interpreter overlays magnifier speech-to-text transcripts",
        rf"\b{_CONDITION}\b[^.\n]{{0,40}}[;:,] (?:an? |live |my |i use |i need |with |good |written )*(captions|"
        r"subtitles|captioning|interpreter|overlays|magnifier|speech-to-text|transcripts)(?= (?:are|is|help\w*|"
        r"suffices?|work|please|do|in|on|make|at|for)\b|[ ]*(?:[.,;)\n]|$))",
        not_in=_TESTS,
    ),
    _telling(
        "invalid invalids",
        r"\b(invalids? (?:of (?:the )?|- )?(?:first|second|third|1st|2nd|3rd|i{1,3}|[123])(?:st|nd|"
        r"rd)? (?:group|category|degree|class))\b",
        r"\b((?:war|afghan|afghan war|labou?r|work|military|ato|combat) invalids?)\b(?! (?:entr|input|data|"
        r"value|record))",
        r"\b((?:first|second|third|1st|2nd|3rd|i{1,3})[- ](?:group|category|degree|class) invalid)\b",
    ),
    _telling(
        "therapist psychologist psychiatrist counsellor counselor neurologist oncologist rheumatologist "
        "physiotherapist",
        r"\b(?:my|weekly|monthly|fortnightly|regular|biweekly|standing) (?:weekly |regular )?((?:therapist|"
        r"psychologist|psychiatrist|counsell?or|neurologist|oncologist|rheumatologist|physiotherapist|physio)(?:'s)? "
        r"(?:appointments?|visits?|sessions?|check-?ups?))\b",
        not_in=pattern(r"\b(?:patients?|clients?|booked|scheduled for|rota|bookings|clinic|students|pupils)\b"),
    ),
    # The law of a quota: `protected categories (L. 68/99)`.
    _telling(
        "68 104 381",
        r"(?<![\w.])((?:l\.?|law|legge|ley|lei|art\.? ?\d+,? l\.?|d\.?lgs\.?) ?(?:n\.? ?|no\.? ?|"
        r"nr\.? ?)?(?:68[/ -](?:19)?99|104[/ -](?:19)?92|381[/ -](?:19)?91))(?!\d)",
    ),
    _telling(
        "protected",
        r"\b(?:belong(?:s|ing)? to|member of|registered (?:in|with|under)|enrolled in|listed (?:in|under)|"
        r"part of|within|falls? under|included in|eligible (?:under|as)) (?:the |a )?(?:\w+ )?(protected categor(?:y|"
        r"ies)|protected list)\b",
        rf"{START}(protected categor(?:y|ies))(?= (?:member|status|\(|under|pursuant|law|certificate|quota|"
        r"worker|card)|[ ]*[.;,\n])",
        not_in=pattern(
            r"\b(?:eeo|discriminat\w+|hr polic\w+|harassment|species|data|gdpr|title vii|training|employers?)\b"
        ),
    ),
    # Letters of a card, behind its name: `People of Determination card (POD)`, `preference, CPS`.
    _written(
        "cps xp tp cp ssp skp",
        r"\b(?:[Pp]reference|PREFERENCE|[Vv]eteran|VETERAN|[Ee]ligible|[Pp]oints?)(?:,| \(|:| -|/| code)* ?(CPS|XP|TP|"
        r"CP|SSP)\b",
        only_in=pattern(r"\b(?:veterans?|preference|disab\w+|point|va|usajobs|federal|sf-?15)\b"),
    ),
    _telling(
        "pod pwd oku pwbd udid pcd cud cmud rqth aah mdph sgb gdb pip dla esa dsp ndis odsp aish",
        rf"\b{_DISABLED}(?:[ ][a-z-]+){{0,4}}[ ]?[(,/-]{{1,2}}[ ]?(pod|pwd|oku|pwbd|udid|pcd|cud|rqth|aah|mdph|sgb|gdb|"
        r"pip|dla|esa|dsp|ndis|odsp|aish)\b(?=[ ]?[),.;/\n-]| card| id| no| holder|$)",
        not_in=pattern(r"\b(?:clients|claimants|assess\w+|caseload|processed|programme|patients?|podcast)\b"),
    ),
    # Grades: `Certificate of disability (grade 3)`, `disability class II`, `invalidity group 2`.
    _telling(
        "grade level class degree category group stage rating tier",
        rf"\b{_DISABLED}(?: (?:certificate|card|registration|status|book|pass|handbook|id|holder|pension|act|"
        r"register|of|the|with))*[ ,:-]{0,3}(\(?(?:grade|level|class|degree|category|group|stage|rating|"
        r"tier)[ :-]{1,2}(?:[1-7]|[ivx]{1,3}|[a-d]|one|two|"
        r"three|four|mild|severe|moderate)\)?(?: \((?:limbs?|hearing|sight|visual|vision|physical|motor|mental|"
        r"speech|locomotor|mobility|intellectual|internal|organs?|legs?|arms?|psychiatric)(?: \w+)?\))?)(?![\w-])",
        r"\b((?:grade|level|class|degree|category|group|type|first|second|third|1st|2nd|3rd)[ -](?:[1-7]|[ivx]{1,3}|"
        rf"group|class|grade|degree|category)[ -](?:of )?{_DISABLED})\b",
        not_in=pattern(r"\b(?:pupils|students|taught|teach\w*|clients|patients?|fares?|audit\w*|complian\w+)\b"),
    ),
    _telling(
        "sign signs signing signed nzsl bsl asl isl auslan fsl sasl ksl lsf libras dgs jsl hksl sgsl lsm lsq ngt",
        rf"\b(?:signs?|signed|signing|communicat\w+|use|uses|speak|speaks|text and|chat|via|through|by|in|"
        rf"writing and|and|or|fluent in|native in) (?:in |by |via |through |using |with )?({_SIGNED})\b"
        r"(?! (?:interpreter training|course|teacher|level|class|off|up|in\b|the|contracts?|documents?))",
        only_in=_DEAF,
        not_in=pattern(
            r"\b(?:pupils|students|clients|taught|teach\w*|interpret(?:ed|ing) for|customers|residents|patients?|"
            r"level [1-6]|signpost\w*|signs? off|sign in|sign up)\b"
        ),
    ),
    _telling(
        "nzsl bsl asl isl auslan fsl sasl ksl lsf libras dgs jsl hksl sgsl lsm lsq ngt",
        rf"\b(?:deaf|mute|hard of hearing|deafened|non-?speaking)\b[^.\n]{{0,50}}[ ,/(]({_SIGNED})"
        r"(?=[ ]*(?:[.,;)\n]|$)| (?:user|signer|and|at|with|is|or|since)\b)",
        not_in=pattern(
            r"\b(?:pupils|students|clients|taught|teach\w*|interpret(?:ed|ing|er) (?:for|at)|customers|residents|"
            r"patients?|level [1-6])\b"
        ),
    ),
    _telling(
        "mute nonverbal nonspeaking speaking verbal deafblind deafmute deaf hard",
        rf"{START}((?:selectively |born )?(?:mute|non-?verbal|non-?speaking|deaf-?mute|deaf-?blind|deafened))"
        r"(?=[;,:] (?:communicat|i |us(?:e|es|ing) |by |speak|sign|"
        r"text|since|from birth|writ|e-?mail|with |please|bsl|asl)|"
        r" (?:since|from|and|by|but|communicat\w+|due|after)\b|\s*\(|\s*\n)",
        r"\b(?:i am|i'm|am|is|born|being|a|as an?|went|became) ((?:selectively |mostly )?(?:mute|non-?verbal|"
        r"non-?speaking|deaf-?mute|deaf-?blind|deafened))(?=[ ]*[;,.:)]| (?:since|from|and|by|but|person|adult|"
        r"employee|autistic|candidate|in|after)\b)",
        not_in=pattern(
            r"\b(?:buttons?|swan|audio|tracks?|microphones?|mics?|calls?|pupils?|children|clients?|residents?|"
            r"patients?|communication skills|reasoning|students?|synth\w*|mixer)\b"
        ),
    ),
    _telling(
        "access",
        rf"(?:{START}|\b(?:i|my|through|via|under|and|approved|have|with|has|by|from|using|because|that) )"
        r"(access to work)(?= (?:pays|paid|funds|funded|funding|covers|covered|award|grant|package|meets|provides|"
        r"provided|supports|assessment|equipment|bought|already|support worker|in place|claim|approved|budget|helps|"
        r"interpreter|has (?:paid|funded|agreed|bought))\b)",
        not_in=pattern(r"\b(?:advis\w+|process\w*|claimants|clients|employers on|hr policy)\b"),
    ),
    # What goes with a condition named before it, and a state of mind as an item of a list.
    _telling(
        "tics medicated unmedicated tremor seizures flares stammer migraines meltdowns",
        r"\b(?:tourette'?s?(?: syndrome)?|adhd|add|epilep\w+|bipolar(?: disorder)?|anxiety|depression|ocd|autis\w+|"
        r"parkinson'?s|multiple sclerosis|ms|asthma|dystonia|narcolepsy|lupus|crohn'?s|schizophrenia|ptsd|diabetes|"
        r"tic disorder|essential tremor|hypothyroidism)"
        r"(?: \([^()\n]{1,40}\))?[,;:.]? (?:well |fully |now |currently |the |my |it is |is |mild |some |occasional |"
        r"rare |and |with )*(tics|medicated|unmedicated|tremor|seizures|flares?|stammer|migraines|meltdowns)\b",
        r"\b(?:the|my|some|occasional|verbal|mild) (tics)(?= (?:come|are|may|do|get|can|don't|and))",
        not_in=pattern(r"\b(?:patients?|clients?|pupils|residents|nurs\w+|clinic\w*|wards?|research\w*)\b"),
    ),
    _telling(
        "anxiety depression stress insomnia panic phobia burnout grief agoraphobia claustrophobia vertigo migraine "
        "tinnitus pain fatigue stammer stutter tremor asthma eczema psoriasis anaemia hypertension",
        rf"{START}((?:mild |social |generali[sz]ed |chronic |past |occasional |severe )?(?:anxiety|depression|insomnia|"
        r"panic attacks?|burn-?out|agoraphobia|claustrophobia|vertigo|migraines?|tinnitus|chronic pain|fatigue|stammer|"
        r"stutter|tremor|asthma|eczema|psoriasis|anaemia|hypertension))(?=,? (?:well |fully |now |currently |mostly )*"
        r"(?:managed|controlled|treated|under control|in remission|medicated|stable|kept in check|manageable) ?(?:with|"
        r"by|through|on|using|since|well|[,.;)\n]|$))",
        not_in=pattern(
            r"\b(?:patients?|clients?|pupils|residents|nurs\w+|clinic\w*|wards?|research\w*|caseload|students)\b"
        ),
    ),
    _telling(
        "transplant transplants",
        rf"(?:{START}|\b(?:am|is|as|was|my|had|after|following|since|received|awaiting|got|a|an|successful|for|own|"
        r"and) (?:an? |my |the |own |successful )*)((?:kidney|renal|heart|liver|lung|double[- ]lung|bone[- ]marrow|"
        r"stem[- ]cell|corneal?|pancreas|organ|islet|heart[- ]and[- ]lung)[ -]transplant(?:ee| recipient| survivor| "
        r"athlete)?)\b",
        not_in=_CLINIC,
    ),
    _telling(
        "kidney liver heart lung cornea",
        r"\b(?:i|me|my|he|she) [^.;\n]{0,24}\b((?:new|donated|donor) (?:kidney|liver|heart|lungs?|cornea))\b",
        not_in=_CLINIC,
    ),
    # What the office for veterans grants.
    _telling(
        "va preference",
        r"\b((?:\d{2,3} ?%|\d{2,3} percent) (?:combined |total |permanent )?va (?:disability )?rating|"
        r"va (?:disability )?rating(?: of)? \d{2,3} ?%|va[- ]rated(?: at)? \d{2,3} ?%|\d{2,3} ?% va(?=[ ]?[.,;)\n]))",
        r"\b(veterans?'?s? preference[ ,:(-]{1,3}(?:(?:5|10|five|ten)[ -]?(?:points?|pt)s?|xp|cps?|tp))\b",
        r"\b((?:5|10|five|ten)[ -]point (?:veterans?'?s? )?preference)\b",
    ),
    _telling(
        "disability disabilities",
        rf"{START}((?:person|individual|candidate|applicant|employee|woman|man|veteran|worker) with (?:an? )?"
        r"(?:\w+ )?disabilit(?:y|ies))(?=[ ]*(?:\(|:|[.,;|]|\n|$)| status| -| =)",
        r"\b(?:am|i'm|as) (an? (?:person|individual|man|woman) with (?:an? )?(?:\w+ )?disabilit(?:y|ies))\b",
    ),
    _telling(
        "blade blades",
        r"\b((?:running|prosthetic|carbon(?:[- ]fib(?:re|er))?|flex-?foot|sprint(?:ing)?) (?:blades?)"
        r"(?: prosthes[ei]s)?)\b",
        not_in=pattern(
            r"\b(?:turbines?|saws?|manufactur\w*|prosthetist|fitted|patients?|propellers?|knif\w*|knives|drones?|wind|"
            r"design\w*|rotor\w*|servers?)\b"
        ),
    ),
    # What somebody takes for good.
    _telling(
        "lithium methotrexate levetiracetam keppra lamotrigine ritalin adderall concerta elvanse vyvanse sertraline "
        "fluoxetine citalopram escitalopram venlafaxine prozac zoloft quetiapine clozapine olanzapine insulin warfarin "
        "prednisone prednisolone biologics humira adalimumab infliximab immunosuppressants anticonvulsants "
        "antidepressants antipsychotics antiretrovirals methadone buprenorphine tamoxifen hydroxyurea dialysis",
        r"\b(?:stable|well|controlled|managed|maintained|treated|years?|months|been|am|is|now|currently|remission|myself|"
        r"functioning|thriving)\b[^.;\n]{0,24} (?:on|by|with) (?:daily |weekly |long-term |low-dose |oral |home )*"
        rf"({_TAKEN})\b",
        rf"(?:{START}|\b(?:i|and|he|she) )(?:also )?(?:take|takes|taking|on|stable on|well on|managed with|inject|"
        rf"injects) (?:daily |weekly |long-term |low-dose |my )*({_TAKEN})\b(?! (?:batter|cells?|ion|rates?|prices?))",
        not_in=pattern(
            r"\b(?:batter\w*|cells?|mining|mines?|extraction|pharma\w*|dispens\w*|patients?|clinic\w*|trials?|research|"
            r"stud(?:y|ies)|assay|sales|products?|residents|clients|nurs\w+|administ\w+|monitor\w*|ward|units? of)\b"
        ),
    ),
    # A user of aids, whatever they test for a living.
    _telling(
        "reader vision sight cpap wheelchair magnifier",
        rf"(?:{START}|\b(?:am|i'm|is|as) an? )((?:daily |full-time |native |lifelong )*(?:screen[- ]reader|"
        r"cpap(?: machine)?|screen magnifier|braille(?: display)?)) user(?=[ ]*[(,;.]| since| from| for| at| with| and "
        r"my|\n)",
        r"\buser[ ]?\(((?:low|no|limited|partial|tunnel|monocular) (?:vision|sight))(?=[);,.])",
    ),
    _telling(
        "stammer stutter dyslexia autism adhd neurodivergent neurodiversity deaf sensory epilepsy migraine wheelchair",
        r"\b(?:best|better|well|needs?|prefer\w*|please|requests?|request\w*|appreciate\w*|grateful|require\w*|thrive\w*|"
        r"my|welcome)\b[^.\n]{0,24}\b(stammer(?:ing)?|stutter(?:ing)?|dyslexia|autism|adhd|neurodiver\w+|deaf|sensory|"
        r"epilepsy|migraine|wheelchair)(?=-friendly)",
        not_in=pattern(r"\b(?:design\w*|built|clients?|customers?|pupils|venues?|classrooms?|sessions for)\b"),
    ),
    _telling(
        "ms cfs ibs ibd pots eds lupus",
        r"\b(?:multiple sclerosis|having|have|has|living with|live with|with|lives with) [^.\n]{0,40}?"
        r"\b(ms|cfs|ibs|ibd|pots|eds|lupus)(?= (?:myself|himself|herself|too|personally)\b)",
    ),
    _telling(
        "crutch crutches rollator frame stick cane scooter brace splint splints cpap nebuliser nebulizer "
        "inhaler epipen",
        r"\b(?:i |he |she |and |also |can |sometimes |must )?(?:use|uses|need|needs|walk|walks|carry|carries|"
        r"wear|wears|travel with|sleep with) (?:with |on )?(?:an?|my|two|wrist|her|his) ((?:walking |zimmer |white |"
        r"support )?(?:crutch|crutches|rollator|frame|stick|cane)|mobility scooter|(?:knee|leg|back|ankle|neck|wrist) "
        r"(?:brace|splints?)|cpap(?: machine)?|nebuli[sz]er|inhaler|epi-?pen)\b(?! (?:sugar|design|of|press|welding))",
        not_in=pattern(r"\b(?:patients?|residents?|taught|teach\w*|clients?|pupils|physio\w*|hockey|usb|memory)\b"),
    ),
    _telling(
        "endometriosis seizures seizure fibroids pcos glaucoma cataract cataracts hernia melanoma eczema psoriasis ibs "
        "knee hip spinal back gallbladder thyroid",
        rf"{START}((?:endometriosis|seizures?|fibroids|pcos|glaucoma|cataracts?|hernia|melanoma|eczema|psoriasis|ibs|"
        r"(?:knee|hip) replacement|spinal fusion|thyroid)(?: (?:surgery|operation|treatment))?)"
        r"(?= (?:in (?:19|20)\d\d|surgery|operation|treatment|controlled|well|managed|diagnosed|since|removed|under)\b)"
        r"(?! (?:surgery|operation|treatment) (?:team|unit|cent|product|scheduling))",
        not_in=_CLINIC,
    ),
    _telling(
        "chair desk keyboard mouse",
        rf"{START}((?:ergonomic|orthopa?edic|kneeling|saddle|height-adjustable|sit-stand|standing|vertical) "
        r"(?:chair|desk|keyboard|mouse))(?= (?:required|needed|please|for my|because|owing|due|after|necessary|"
        r"helps)\b)",
    ),
)
