"""DISABILITY: what befell somebody, how it is dealt with, and school with support, told in a few words.

Kept: accidents reported, strokes of engines and swimmers, therapists by trade, special education as a subject
taught, protective relays, Braille on signs.
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
_PART = r"(?:legs?|arms?|hands?|feet|foot|eyes?|ears?|fingers?|fingertips?|thumbs?|toes?|limbs?|breasts?|kidneys?)"


_telling = partial(telling, "DISABILITY")

TELLINGS = (
    # What befell somebody: `A stroke at 41 took my golf`, `After her accident and the amputation`.
    _telling(
        "stroke accident fall injury attack haemorrhage hemorrhage tumour tumor aneurysm crash explosion "
        "infection illness",
        rf"(?:{START}|[,\"] ?|\bthen |\bwhen |\bthat |\bbut )(?:an?|my|his|her|one) "
        r"((?:(?:[a-z]+ )?(?:car|motorcycle|motorbike|road|traffic|work|industrial|climbing|diving|riding|sports?|farm|"
        r"bike|cycling|skiing|brain|spinal|heart|massive|mild|mini|serious|bad|major|severe|head|neck|back)[ -]){0,2}"
        r"(?:stroke|accident|fall|injury|attack|ha?emorrhage|tumou?r|aneurysm|crash|explosion|infection|illness))\b"
        r"(?! of (?:luck|genius|the pen|midnight|fortune)| in (?:sales|revenue|demand|prices|orders|output))",
        only_in=pattern(
            r"\b(?:left|took|changed|ended|cost|forced|taught|kept|put|means|meant|stopped|slowed|made|gave|robbed|"
            r"brought|sent|cut|damaged|weakened|affected)(?: [a-z]+){0,2} (?:me|him|my|his|her|us)\b|"
            r"\b(?:i|he|she|my|his|her) [^.;\n]{0,50}\b(?:paraly[sz]ed|one[- ]handed|weak|wheelchair|walk|rehab\w*|"
            r"recovered|relearn\w*|disabled)\b"
        ),
        not_in=pattern(r"\b(?:patients?|clients?|residents?|victims?|claims?|two-stroke|swimm\w+|engine|insur\w+)\b"),
    ),
    _telling(
        "stroke accident injury surgery operation amputation illness diagnosis crash attack haemorrhage "
        "collapse relapse",
        r"\b(?:after|since|following|before|because of|despite|due to|from|with|during|through|till|until|and|of) "
        r"(?:my|his|her) ((?:(?:own|car|motorcycle|motorbike|road|traffic|work|brain|spinal|heart|serious|bad|major|"
        r"head|neck|back|hip|knee|eye|second|first|long|recent|terrible|open-heart|cancer|leg|arm|spinal cord) )*"
        r"(?:stroke|accident|injury|injuries|surgery|surgeries|operation|amputation|illness|diagnosis|crash|attack|"
        r"ha?emorrhage|collapse|relapse))\b(?! (?:reports?|rates?|investigations?|record|prevention|clinic|practice|"
        r"rotation|internship|residency|training|team|skills|theatre|unit))",
        not_in=pattern(
            r"\b(?:size of|faults?|engines?|customers?|commut\w+|acres|kitchen|orders|"
            r"patients?|clients?|claims?|swim\w*|rotations?|internship|residency|surgical|vet|wards?|business|"
            r"sales|root cause|reported|investigat\w+)\b"
        ),
    ),
    _telling(
        "amputation amputations",
        r"\b(?:my|his|her|the|an?|after|had|by|double|leg|arm) ((?:double |partial |bilateral |traumatic |leg |arm |"
        r"foot |hand |finger |below[- ]knee |above[- ]knee )*amputations?)\b",
        not_in=_CLINICAL,
    ),
    _telling(
        "born",
        r"\bborn (?:with|without) ((?:only |just )?(?:an?|one|no|two|three|half|both|my|his|her|the)(?: [a-z-]+){0,2}? "
        rf"{_PART}(?: (?:missing|shorter|short|deformed|fused|webbed|underdeveloped))?)\b",
        r"\bborn (?:with|without) ((?:missing|fused|webbed|short(?:ened)?|deformed|only) (?:[a-z]+ ){0,2}"
        rf"{_PART})\b",
        r"\bborn with ((?:an? )?(?:cleft|hole|heart|club|curved|genetic|rare|congenital|birth|muscle|bone|spinal|nerve|"
        r"blood|condition|disorder|syndrome|disabilit)[\w' -]{0,40}?)(?=[ ]*(?:[.,;)(\n]|$)| (?:and|but|that|which|"
        r"who)\b)",
    ),
    _telling(
        "hand arm leg eye ear kidney lung foot",
        r"\b(?:i|he|she|who|and) (?:have|has|had|work|works|type|types|drive|drives|see|sees|hear|hears|live|lives) "
        r"(?:only |just |with |through |from |on |out of )*(one (?:good |working |functional |seeing |hearing )?"
        r"(?:hand|arm|leg|eye|ear|kidney|lung|foot))\b(?! (?:on|in|up|behind|for|to|over|at|out)\b)",
    ),
    _telling(
        "magnifier magnifiers magnifying",
        r"\b((?:(?:\d+[- ]inch|cctv|video|electronic|desktop|handheld|hand|pocket|digital|\d+x|strong|stand) )*"
        r"(?:magnifiers?|magnifying glass))\b",
        only_in=pattern(
            r"\b(?:low vision|eye?sight|sight|i (?:use|read|work|have|need|carry|rely)|my|small print|large (?:print|"
            r"type)|needs?|reads with|uses an?)\b"
        ),
        not_in=pattern(
            r"\b(?:jewel\w*|watch\w*|inspect\w*|solder\w*|stamps?|lab|gem\w*|insects?|circuits?|maps?|sold|stock\w*|"
            r"students?|customers|patients|engrav\w*|boards?|proof\w*)\b"
        ),
    ),
    _telling(
        "braille",
        r"\b(?:need|needs|read|reads|use|uses|using|write|writes|type|types|with|learned|learnt|in|by|know|knows|"
        r"require|requires|my|on|and) (?:an? |my |daily )?(braille(?: (?:documents?|cop(?:y|ies)|display|reader|"
        r"materials?|keyboard|note-?taker|user|forms?|papers?|labels?))?)\b",
        rf"{START}((?:fluent |daily )?braille (?:reader|user))\b(?!s)",
        only_in=pattern(r"\b(?:i|i'm|he|she|me|my|his|please|blind|reader|user|interview)\b"),
        not_in=pattern(
            r"\b(?:sign(?:s|age)?|transcri\w+|taught|teach\w*|packag\w*|menus?|produc\w+|students?|pupils?|patients?|"
            r"design\w*|embossed|volunt\w+|clients|users|test\w*|wcag|printed)\b"
        ),
    ),
    _telling(
        "relay tty minicom",
        r"\b((?:(?:video|text|telephone|phone|ip|telecommunications|national|typetalk|captioned) )*relay "
        r"(?:service|uk|operator|interpreter|call(?:s|er)?))\b(?!s)",
        r"\b(?:through|via|by|use|using|on|over) (?:the |an? )?((?:video|text|telephone|phone) relay|relay)\b"
        r"(?=[ ]?[.,;)\n]|$| (?:or|and|please|for (?:calls|phone)|if))",
        r"\b(?:by|via|use|using|on|have an?|calls?|through) (?:an? |my )?(tty|minicom)\b",
        only_in=pattern(
            r"\b(?:calls?|phone|phoning|telephone|i (?:use|take|work|am)|reach|contact|captions?|deaf|hearing|speak)\b"
        ),
        not_in=pattern(
            r"\b(?:electric\w*|protect\w*|panels?|circuits?|voltage|substations?|railway|technician|race|team|4x\d|"
            r"api|graphql|react|queries|linux|unix|serial|console|shell|terminal|wiring|smtp|mail|clients?|patients?|customers?)\b"
        ),
    ),
    _telling(
        "dog dogs animal",
        r"\b(?:dogs?|animal) (?:who |that |which |is |was |has been )*(?:trained |alerts?(?: me)? |warns?(?: me)? |"
        r"helps?(?: me)? )(?:for|to|of|with|before|about|in)(?: alert(?: me)?(?: to| before)?| (?:spot|sense|detect|"
        r"smell))? (?:my |an? |his |her )?((?:seizures?|(?:low |high )?blood sugar(?: lows)?|hypos?|panic attacks?|"
        r"flashbacks|ptsd|fainting|migraines?|epilep\w+|diabet\w+|nut allergy|mobility|anxiety|blackouts))\b",
        not_in=pattern(
            r"\b(?:police|kennels?|breed\w*|k-?9|customs|airport|raise[ds]?|puppy|puppies|train(?:er|ing cent\w+))\b"
        ),
    ),
    _telling(
        "dog dogs animal",
        r"\b((?:service|assistance|guide|hearing|medical alert|alert|seizure|diabetic alert|mobility|"
        r"psychiatric service) (?:dog|animal))\b(?= (?:for|named|called|comes|is|who|that|travels|sits|with me|at work|"
        r"under)|[ ]?[.,;)]|"
        r"$)",
        not_in=pattern(
            r"\b(?:police|kennels?|breed\w*|k-?9|customs|airport|raise[ds]?|puppy|puppies|train(?:er|ing cent\w+))\b"
        ),
    ),
    _telling("medical", r"\b(medical[ -]alert (?:dog|bracelet))\b"),
    _telling(
        "recovery recovering",
        r"\b((?:in (?:long-term |active |stable |full )?)?recovery from (?:an? |my |his |her )?(?:[a-z-]+ ){0,2}"
        r"(?:alcoholism|addictions?|substance (?:use|abuse|misuse)(?: disorder)?|alcohol(?: (?:abuse|dependence|misuse|"
        r"use disorder|addiction))?|drug (?:use|abuse|addiction)|drugs|opioids?|heroin|gambling|cocaine|meth|"
        r"eating disorder|anorexia|bulimia|depression|burn-?out|trauma|strokes?|cancer|psychosis|ptsd|illness|"
        r"surgery|accident|injury|breakdown|long covid))\b",
        r"\b((?:recovering|recovered) (?:alcoholic|addict|gambler|anorexic|bulimic))\b",
        not_in=pattern(
            r"\b(?:patients?|clients?|residents|counsel\w+|nurses?|wards?|clinic\w*|groups? for|program\w* for|"
            r"sports)\b"
        ),
    ),
    _telling(
        "aa na",
        r"\b(?:attend|attends|go to|goes to|sponsor in|chair|through|my|in|joined) (?:an? |weekly |my )?(aa|na)\b"
        r"(?= (?:meetings?|group|sponsor|chips?|since|for \w+ years))",
        not_in=pattern(
            r"\b(?:batter\w+|airlines?|gate|cabin|flights?|roadside|rating|degree|pricing|emea|apac|sales|region\w*)\b"
        ),
    ),
    _telling(
        "therapy therapist psychotherapy psychiatrist psychologist counselling counseling counsellor counselor",
        r"\b(?:in|see an?|sees an?|seeing an?|saw an?|my|weekly|with|attend|attends|attending|of|through|and|for|had|"
        r"have|to|do|an?)? ?((?:weekly |regular |talk |trauma |cognitive behaviou?ral |behaviou?ral |cbt )?"
        r"(?:therapy|therapist|psychotherapy|psychiatrist|psychologist|counsell?ing|counsell?or))\b",
        only_in=pattern(
            r"\b(?:i (?:see|go to|attend|do|had|have|live with|manage|started|take|was in|am in|have been in)|"
            r"my therapist|my psychiatrist|in therapy|years of therapy|(?:he|she) (?:lives with|"
            r"sees an?))\b[^.;\n]{0,60}\b(?:anxiety|depression|ptsd|ocd|panic|bipolar|trauma|therap\w+|psychiatrist|"
            r"psychologist|psychotherapy|counsell?\w+|grief)\b"
        ),
        not_in=pattern(
            r"\b(?:patients?|clients?|physical|physio\w*|occupational|speech|music|massage|art|drama|students?|"
            r"children|cases?|intern\w*|degree|licensed|licence|practices?|refer\w*|sessions with|chemo\w*|respiratory|"
            r"radiation|gene|drug|diploma|trained|qualified|certificate|course|study|studied|families|aide|assistant|"
            r"clinic|career|guidance|school)\b"
        ),
    ),
    _telling(
        "burned burnt burn",
        r"\b(?:i|he|she) (?:was |got |had |became |am |felt )?(?:badly |completely |totally |then )?(burn(?:ed|"
        r"t)[ -]out)\b",
        r"\b(?:had|have|has|suffered|after|from) (?:an? |my |his |her )(?:severe |bad |full )?(burn[- ]out)\b",
    ),
    _telling(
        "hear",
        r"\bi (hear voices)\b",
        not_in=pattern(r"\b(?:mix\w*|sing\w*|choirs?|sound|radio|cast\w*)\b"),
    ),
    _telling(
        "special iep ehcp sen 504 statement",
        r"\b(?:was|were|been|placed|put|grew up|educated|kept|spent (?:\w+ ){1,3}|years|child|kid|pupil|student|"
        r"in) (?:in |a |as an? )*(special (?:education|ed|needs)(?: class(?:es)?| program(?:me)?| pupil| student| "
        r"school| unit)?)\b(?= (?:until|till|through|throughout|for (?:an?|my|most|all|dyslexia|years)|as an?|from|in "
        r"(?:primary|grade|elementary|school)|because|and (?:now|am|later|still|went))|[ ]?[.,;)\n]|$)",
        r"\b(?:had|have|has|on|with|under|given|received|wrote my own|through) (?:an? |my |his |her )"
        r"(iep|ehcp|education,? health and care plan|504 plan|sen statement|statement of special educational needs)\b",
        r"\b(?:was|as|am) (?:an? )?(sen (?:pupil|student|child))\b",
        r"\b(?:attended|went to|educated at|educated in|pupil at|years at|at) (?:an? )?"
        r"((?:special(?: needs)?|sen) school)\b",
        not_in=pattern(
            r"\b(?:taught|teach\w*|paraprofessional|aides?|assistant|instructor|certif\w+|degree|licen\w+|endorse\w*|"
            r"worked|work|wrote|draft\w*|students|pupils|caseload|volunteer\w*|m\.?ed|ba|bs|intern\w*|placement|"
            r"specialist|coordinat\w+|department|director)\b"
        ),
    ),
    # A part of the body: what it cannot do, what it is of.
    _telling(
        "kidney kidneys heart liver lungs lung sight eyesight hearing vision back spine",
        r"\b(?:my|his|her) ((?:kidneys?|heart|liver|lungs?|(?:eye)?sight|hearing|vision|back|spine) (?:failed|gave out|"
        r"is failing|are failing|went|was failing))\b(?! (?:to (?:a|the)|into))",
        r"\b(?:my|his|her) ((?:hearing|(?:eye)?sight|vision) (?:is|was) (?:very |rather |quite )?(?:poor|weak|"
        r"bad|limited|failing|impaired|reduced|gone|low|partial)(?: (?:in|on) (?:the|my|one|both|his|her)(?: left|"
        r" right)? (?:ears?|eyes?|side))?)\b",
        not_in=_CLINICAL,
    ),
    _telling(
        "prosthetic artificial weaker shorter amputated paralysed paralyzed numb deformed",
        rf"\b(?:my|his|her) ((?:(?:left|right|lower|upper) )?{_PART}(?: below the knee| above the knee)? (?:is|"
        r"are|was|were) (?:partly |partially |slightly |a little )?(?:prosthetic|artificial|weaker|shorter|amputated|"
        r"paraly[sz]ed|numb|deformed))\b",
    ),
    _telling("smell taste", r"\b(?:have|has|with) (no sense of (?:smell|taste))\b"),
    _telling("transplant", r"\bon the (transplant (?:waiting )?list)\b", not_in=_CLINICAL),
    _telling(
        "because",
        r"\bbecause of (?:my|his|her) ((?:bad |weak |injured )?(?:back|knees?|heart|legs?|hips?|eyes|eyesight|hearing|"
        r"condition|illness|health|joints|lungs))\b(?! (?:and safety|care|services|background))",
    ),
    _telling(
        "my+health his+health her+health own+health",
        r"\b(?:break|leave|gap|off|resigned|stepped back|time out|sabbatical|left)\b[^.;\n]{0,20} for (?:my|"
        r"his|her)(?: own)? (health)\b",
    ),
    _telling(
        "rehab",
        r"\b(?:i|he|she|we|months|weeks|year|years|(?:19|20)\d\d|spell|time)\b[^.;\n]{0,24}\b(?:in|through|to|"
        r"into|out of|from|of|after|left) (rehab)\b(?! (?:cent|unit|ward|clinic|project|of\b|nurse|aide|services|work|"
        r"team|facilit|hospital))",
        not_in=pattern(
            r"\b(?:patients?|clients?|residents?|physio\w*|therapists?|assistant|rotations?|placement|intern\w*|"
            r"building|propert\w+|housing|road|bridge|athletes|worked|work|nurse|aide|volunteer\w*|trainer|referred)\b"
        ),
    ),
    _telling("thalidomide", r"\b(thalidomide (?:baby|survivor|child|victim|affected))\b"),
    _telling(
        "icd",
        r"\b(?:have|has|with|wear|live with) an? (icd)\b(?= (?:fitted|implant|in my|and|for)|"
        r"[ ]?[.,;)]|$)",
    ),
    _telling(
        "scar scars",
        r"\b((?:facial|burn|burns) scars?|scars? (?:from|of) (?:a fire|burns?|the fire))\b",
        not_in=pattern(r"\b(?:make-?up|prosthetic\w*|appl(?:y|ied)|patients?|treat\w*|film|stage|effects)\b"),
    ),
)
