"""DISABILITY: a part of the body, an age it struck at, an award for it, told in a few words and often without a verb.

Kept: prosthetics one designs, strokes of swimmers, a breakdown of costs, a diagnosis one makes, one hand of cards,
a patient of the clinic.
"""

from functools import partial

from evenhand.resumes.categories.tellings import START, telling
from evenhand.resumes.rules import pattern

__all__ = ["OF_WORK", "TELLINGS"]

_PART = (
    r"(?:legs?|arms?|hands?|feet|foot|eyes?|ears?|fingers?|fingertips?|thumbs?|toes?|limbs?|knees?|hips?|elbows?|"
    r"shoulders?)"
)
_SIDE = r"(?:left|right|lower|upper|dominant|one|both|second)"
#: Beside these words others' conditions are told.
OF_WORK = pattern(
    r"\b(?:(?:in|out)?patients?|clients?|residents?|nurs\w+|wards?|clinics?|clinical|design\w*|"
    r"manufactur\w*|sold|sales|trials?|stud(?:y|ies)|research\w*|students?|pupils|technicians?|fitter|theatre|"
    r"surg(?:eon|ical)s?|lab|prototype\w*|built|3d|"
    r"film|make-?up|customers|users|therapist|taught|teach\w*|assess\w*|rotation|placement|specialist|team)\b"
)
_OTHER_STROKES = pattern(
    r"\b(?:swim\w*|golf\w*|row(?:ing|ed|er)|engines?|brush\w*|tennis|pistons?|cylinders?|pump|patients?|"
    r"ward|unit|won|lead|ahead|lost by|road|motorway|opened|built|talks|butterfly|breast|keyboard|key|pen|"
    r"calligraph\w*|cam|clients?|clinic\w*|trials?|swings?|paint\w*|par|bogey)\b"
)
_AGE = (
    r"(?:(?:age |the age of )?(?:\d\d|nine|ten|eleven|twelve|thirteen|fourteen|fifteen|sixteen|seventeen|"
    r"eighteen|nineteen|twenty|thirty|forty|fifty|sixty)(?:[- ](?:one|two|three|four|five|six|seven|eight|"
    r"nine))?\b(?! ?(?:%|per|strokes|seconds|minutes))|(?:19|20)\d\d\b|school\b|birth\b|uni\w*\b|my (?:teens|twenties|"
    r"thirties|forties|fifties)\b)"
)

_telling = partial(telling, "DISABILITY")

TELLINGS = (
    _telling(
        "prosthetic prosthesis artificial bionic false",
        rf"\b((?:prosthetic|artificial|bionic|false) (?:{_SIDE} )?{_PART})\b",
        rf"\b((?:{_SIDE} )?{_PART} (?:prosthetic|prosthesis))\b",
        r"\b((?:prosthetic|prosthesis) (?:below|above|through|from) (?:the |my )?(?:left |right )?(?:knee|elbow|hip|"
        r"shoulder|wrist|ankle))\b",
        not_in=OF_WORK,
    ),
    _telling(
        "amputated amputation paralysed paralyzed prosthetic weaker shorter missing amputee",
        rf"\b((?:{_SIDE} )?{_PART} (?:amputated|paraly[sz]ed|is missing|(?:partly|partially) paraly[sz]ed)"
        rf"(?: (?:below|above|at) the (?:knee|elbow|wrist|hip))?)\b(?! (?:bolts?|data))",
        rf"{START}(amputated (?:below|above|at|through) the (?:left |right )?(?:knee|elbow|wrist|hip|ankle))\b",
        r"\b((?:left|right|double|single|bilateral|upper|lower|below|above)[- ](?:(?:knee|elbow|leg|arm|limb|"
        r"hand|foot)[- ])?amputee)\b(?!s)",
        not_in=OF_WORK,
    ),
    _telling(
        "finger fingers hand arm leg eye ear lung kidney foot",
        r"\b(?:work|works|working|worked|type|types|typing|cook|cooks|cooking|drive|drives|driving|climb\w*|play|plays|"
        r"playing|cycl\w+|see|seeing|sees|hear|hears|hearing|manag\w+|live|lives|living|learned|learnt|do it all|"
        r"weld\w*|code|codes|coding) (?:everything |mostly |only |just |it )*(?:with |on |from |in |through |out of "
        r")(?:only |just )?((?:the use of )?one (?:good |working |functional )?(?:hand|arm|leg|eye|ear|lung|kidney|"
        r"foot))\b(?= (?:since|after|because|owing|due|and|but|from|following)\b|[ ]*(?:[.,;)(\n]|$))",
        r"\b((?:one|two|three|four) fingers? (?:missing|lost|gone|short))\b",
        rf"{START}((?:one|two|three|four) (?:good |working )?(?:fingers|hand|arm|leg|eye|lung|"
        r"kidney)(?: missing| only)?)(?= (?:on|at) my |[;,] (?:i\b|no\b|full|never|since|lost|after|the other))",
        not_in=pattern(r"\b(?:cards|bridge|poker|piano|patients?|tied|bandit|camera|controller|joystick)\b"),
    ),
    _telling(
        "preference",
        r"\b((?:(?:ten|10|5|five)[- ]point )?(?:disabled )?(?:veterans?'?s? )?preference(?: eligible)?)\b"
        r"(?=[^.\n]{0,40}\b(?:disab\w+|\d\d ?%|cps|xp|tp)\b)",
        r"\b((?:ten|10)[- ]point (?:disabled )?(?:(?:veterans?'?s?|vet) )?preference(?: eligible)?)\b",
        r"\b((?:cps|xp|cp) (?:10|ten)[- ]point)\b",
    ),
    _telling(
        "va p+t",
        r"\b(\d{1,3} ?(?:%|percent) by (?:the )?va)\b",
        r"\b(va[- ]rated(?: at)?(?: \d{1,3} ?%)?)",
        r"\b(va rated (?:at )?\d{1,3} ?(?:%|percent))",
        r"\b(\d{1,3} ?% p ?& ?t)\b",
    ),
    # What befell somebody, and at what age: `Two strokes at thirty-five`, `Heart attack at 44`.
    _telling(
        "stroke strokes attack attacks haemorrhage hemorrhage aneurysm transplant amputation bypass breakdown",
        r"\b((?:(?:a|an|one|two|three|my|mini|minor|major|small|slight|first|second|massive|heart|brain|car|motorbike|"
        r"motorcycle|kidney|liver|lung|bone marrow|triple|quadruple|nervous|leg|arm|foot|industrial|farm|"
        r"climbing|riding) )*(?:strokes?|heart attacks?|ha?emorrhages?|aneurysms?|transplants?|amputations?|bypass|"
        rf"breakdown))(?= (?:at|aged|in|before|by) {_AGE}(?:[ ]*[;,.:)\n]|[ ]*$| (?:and|but|left|took|cost|taught|"
        r"changed|so|then|which|that|full|with)\b))",
        not_in=pattern(
            _OTHER_STROKES.pattern, r"\b(?:reported|investigat\w+|insur\w+|claims?|market|data|costs?|van|fleet)\b"
        ),
    ),
    _telling(
        "breakdown diagnosis relapse collapse episode hospitalisation hospitalization",
        r"\b(?:after|since|following|before|because of|despite|through|with|from|given|on|until|by) (?:my|his|her|an?)"
        r"(?: (?:own|early|late|recent|first|second|last|adult|serious|surprise|childhood|latest|autism|adhd|"
        r"dyslexia|cancer|ms|diabetes|bipolar|medical|mental|complete|bad|psychotic|manic|depressive|lengthy|"
        r"long)){0,3} (diagnosis|breakdown|relapse|hospitali[sz]ation|psychotic episode|"
        r"manic episode)\b(?! (?:of (?!autism|adhd|ms\b|"
        r"cancer|dyslexia|bipolar|my)|cover|recovery|service|process))",
        rf"{START}((?:late |early |adult |autism |adhd |recent |childhood )+diagnosis)\b(?= (?:at|in|of|explained|"
        r"changed|gave|helped)\b|[;,.])",
        r"\b(?:diagnosed) (?:late|early|as an adult|at \d\d|in (?:19|20)\d\d|"
        r"in my \w+) with ([a-z' -]{3,30}?)(?=[ ]*(?:[.,;)\n]|"
        r"$)| (?:and|but|which|so)\b)",
        not_in=pattern(
            r"\b(?:patients?|clients?|differential|clinic\w*|nurs\w+|fault|engine|vehicle|lorry|van|truck|"
            r"cost breakdown|root cause|time to|wait\w*|pathway|radiolog\w*|lab|insurance|machines?)\b"
        ),
    ),
    _telling(
        "patient survivor sufferer carrier",
        r"\b(?:advocate|volunteer|campaigner|speaker|trustee|nurse|researcher|ambassador|fundraiser|member|mentor|"
        r"champion) and ((?:[a-z]+ )?(?:patient|survivor|sufferer|carrier))(?= (?:since|myself|himself|herself|"
        r"for \w+ years|from|of)\b|"
        r"[ ]*(?:[.,;)\n]|$))",
        r"\b((?:ostomy|dialysis|transplant|cancer|cardiac|stroke|sickle cell|lupus|kidney|heart|diabetes|epilepsy|ms|"
        r"parkinson's|hiv|coeliac|thalassaemia|haemophilia|crohn's|colitis) patient)(?= (?:myself|since|group speaker|"
        r"speaker|by|representative|voice|since|and proud|at \w+ (?:hospital|infirmary) since)\b|"
        r"[ ]*[;,.)] (?:i\b|by|my\b|since))",
        r"\b(ostomy)(?= (?:patient|support|bag|group)\b[^.\n]{0,30}\b(?:myself|by experience|own|since|speaker))",
        not_in=pattern(r"\b(?:treated|cared for|care of|rn|licensed|records|bed|beds|flow)\b"),
    ),
    _telling(
        "fusion surgery surgeries operation operations replacement replacements graft transplant bypass amputation "
        "implant",
        r"\b(?:after|following|since|from|had|have had|having had|awaiting|waiting for|needs?|recover\w* from|"
        r"recovery from|because of|due to|owing to|through|post) (?:an? |my |two |three |the |his |her |major |recent "
        r")*((?:spinal|lumbar|cervical|neck|back|hip|knee|heart|brain|shoulder|hand|eye|foot|open-heart|valve|kidney|"
        r"liver|lung|corneal|joint|wrist|ankle|disc|disk|double|bilateral|total|cataract|cochlear|heart valve|"
        r"cardiac|abdominal|bone marrow|stem cell|cancer|scoliosis|fibroid|tumou?r|spine)(?: (?:hip|knee|valve|lung|"
        r"disc|joint))? (?:fusion|surger(?:y|ies)|operations?|replacements?|grafts?|transplants?|bypass|implants?))\b"
        r"(?! (?:patients?|cent|theatre|unit|ward|team|list|lists|clinic|rotation|placement|care))",
        rf"{START}((?:scoliosis|fibroids?|cataract|spinal|back|hip|knee|heart|brain|valve|corneal|open-heart|bypass) "
        r"(?:fusion|surgery|operation|replacement|graft))(?= (?:at \d\d|in (?:19|20)\d\d|as a (?:child|teenager)|in my|"
        r"aged)\b)",
        not_in=OF_WORK,
    ),
    _telling(
        "% cent certificado discapacidad invalidita invalidite incapacidad minusvalia invalidez incapacidade "
        "deficiencia handicap behinderung gdb niepelnosprawnosci engelli inwalidzka",
        r"\b(?:discapacidad|discapacite|invalidez|incapacidad(?:e)?|minusvalia|handicap|behinderung|invalidite|"
        r"invalidita(?: civile)?|incapacite|gdb|deficiencia|disabilita|multiusos?)[ :,(-]{1,4}(?:reconocida |"
        r"reconhecida |riconosciuta |del |de |of |al |d'|au taux de )*(\(?\d{1,3} ?%\)?)",
        r"(%\d{2} engelli)\b",
    ),
    _telling(
        "wait waiting list",
        r"\b(?:waiting for|awaiting|on the (?:waiting )?list for) (?:an? |my |his |her )((?:new |second |total )?"
        r"(?:hip|knee|kidney|liver|heart|lung|cornea|hip replacement|knee replacement|kidney transplant|transplant))\b"
        r"(?=[ ]*(?:[.,;)\n]|$)| (?:since|and|operation|replacement|transplant))",
        not_in=OF_WORK,
    ),
    _telling(
        "walk walking talk",
        r"\b(?:learn\w*|learnt|taught myself|had) to (walk|talk|speak|read|write|swallow)(?: and (?:talk|walk|"
        r"read|write|speak))? (?:all over )?again\b",
        r"\b(?:to (?:walk|talk|speak) (?:all over )?again after) (?:an? |the |my )?((?:[a-z]+ ){0,2}(?:crash|"
        r"accident|stroke|fall|coma|injury))\b",
        not_in=OF_WORK,
    ),
    _telling(
        "stick crutches cane frame walker scooter rollator wheelchair",
        rf"{START}((?:uses?|walks? with|moves? with|gets about with) (?:an? |my |two )?(?:(?:walking|folding|"
        r"zimmer|elbow) )?(?:sticks?|crutch(?:es)?|canes?|frame|rollator|mobility scooter|wheelchair))\b"
        r"(?! of\b)",
        not_in=OF_WORK,
    ),
    _telling(
        "allergic allergy",
        r"\b((?:severely |highly |mildly |badly )?allergic to (?:(?:all |tree )?nuts|peanuts|latex|"
        r"bees?(?: stings)?|wasps?|wasp stings|shellfish|penicillin|dust|pollen|cats|dogs|milk|eggs|sesame|gluten|"
        r"nickel|cement|flour|solvents|epoxy))\b",
        not_in=OF_WORK,
    ),
    _telling(
        "pacemaker stents stent icd shunt valve catheter defibrillator",
        rf"{START}((?:pacemaker|stents?|icd|shunt|heart valve|defibrillator|cochlear implant|"
        r"insulin pump))(?= (?:fitted|implanted|in place|since)\b|[ ]?; ?(?:no magnets|i\b))",
        not_in=pattern(r"\b(?:patients?|theatre|lab|sales|rep|clinic\w*|firmware|trial|engineer\w*|manufactur\w*)\b"),
    ),
    _telling(
        "tics",
        r"\b(?:my|his|her|vocal|motor|facial) (tics)\b",
    ),
    _telling(
        "living live lives",
        r"\b((?:living|lives?) with (?:hiv|aids|ms|als|mnd|cf|pots|cfs|copd|epilepsy|lupus|cancer|pain|"
        r"an? (?:stoma|long-term|chronic|invisible|hidden|lifelong|progressive|degenerative|rare)(?: [a-z]+){0,2}))\b",
        not_in=pattern(r"\b(?:people|patients?|adults|children|those|clients?|persons?|women|men|youth|families)\b"),
    ),
    _telling(
        "lived survivor user",
        r"\b(lived experience)(?= of (?:mental|disab\w+|psychosis|bipolar|addiction|illness|cancer|depression|anxiety|"
        r"neuro\w+|autism|adhd|distress|eating|trauma|suicid\w+|chronic|pain|stroke|brain|being (?:sectioned|deaf|"
        r"blind|disabled)|the mental)\b)",
        r"\b((?:mental health |psychiatric )?(?:survivor of (?:psychiatry|the psychiatric system|domestic|"
        r"suicide|sepsis|meningitis|polio|a stroke)))\b",
        r"\b((?:mental health )?service[- ]user (?:representative|governor|rep|consultant|involvement lead|researcher|"
        r"trainer))\b",
        not_in=pattern(r"\b(?:recruit\w*|people with|those with|research (?:with|on)|patients|panels? of)\b"),
    ),
    _telling(
        "sen send register statement statemented ehcp",
        r"\bon (?:the |my school's )?((?:sen|send)(?: support)? register)\b",
        r"\b(?:was|were|got|been) (statemented)\b",
        not_in=pattern(r"\b(?:teach\w*|taught|pupils|sendco|senco|maintain\w*|children|students|caseload)\b"),
    ),
    _telling(
        "assessment passport ada",
        r"\b((?:my |workplace |health |reasonable |tailored )?(?:adjustments?|health|disability) passport)\b",
        r"\b(?:my|after an?|had an?|following an?|have an?) ((?:workplace needs|access to work|occupational health|"
        r"dse and health|disability) assessment)\b",
        r"\b(ada (?:accommodation|accommodations|request))\b(?=[ ]?:)",
        not_in=pattern(
            r"\b(?:staff|employees|policy|rolled out|introduced|wrote|launched|managers|advis\w+|designed)\b"
        ),
    ),
    _telling(
        "sober clean",
        rf"{START}(sober|clean|clean and sober)(?= (?:since (?:\w+ )?(?:19|20)\d\d|(?:for )?(?:\w+|"
        r"\d\d?) (?:years?|months)|"
        r"and in recovery)\b)",
        not_in=pattern(r"\b(?:driving|licen[cs]e|audit|record|room|code|energy|air)\b"),
    ),
    _telling(
        "disabled disability condition ada",
        r"\b(?:consider(?:s)? (?:myself|himself|herself) (?:to be )?|am legally |count as |classed as |"
        r"class myself as )(disabled)\b",
        r"\b(?:disclose|declare|have|manage|live with|lives with|has|discuss|of) (?:my |an? |his |"
        r"her )((?:(?:long-term|lifelong|health|medical|chronic|hidden|physical|mental health|fluctuating) "
        r")*(?:condition|disability))\b(?=[^.\n]{0,40}\b(?:equality act|ada\b|"
        r"interview|flexible|adjust\w*|hr\b|occupational health))",
        r"\b(?:covered|protected) (?:by|under) (?:the )?(ada|americans with disabilities act|equality act)\b",
        not_in=pattern(r"\b(?:clients?|patients?|employees|staff|customers|building|website|ramps?|users)\b"),
    ),
    _telling(
        "bsl asl isl auslan lsf dgs libras",
        r"\b(?:first|native|home|mother|preferred|main|strongest) (?:language|tongue)(?: is|:| -|,)? ?(bsl|asl|"
        r"isl|auslan|lsf|dgs|libras|ksl|jsl)\b",
        r"\b(bsl|asl|isl|auslan|lsf|dgs|libras)(?= (?:is my |as (?:my |a )?)?(?:first|native|mother|main|"
        r"preferred) (?:language|tongue)|,? first language| signer\b| native\b)",
        r"\bnative (asl|bsl|isl|auslan)\b",
    ),
    _telling(
        "use movement mobility grip strength feeling sight vision hearing",
        r"\b((?:limited|reduced|restricted|poor|partial|little|no|weak|impaired) (?:use|movement|mobility|grip|"
        rf"strength|feeling|sight|vision|hearing) (?:of|in) (?:{_SIDE} )?{_PART})\b",
        r"\b((?:sight|vision|hearing) in (?:the |my )?(?:left|right|one) (?:eye|ear)(?: only)?)\b",
        rf"{START}((?:weak|stiff|numb|bad|paraly[sz]ed|fused|short) (?:{_SIDE} )?{_PART})(?=[ ]?[;,:.]|"
        r" (?:since|after|from)\b)",
        not_in=OF_WORK,
    ),
    _telling(
        "scribe reader time amanuensis",
        r"\b((?:extra time and (?:an? )?|reader and )?(?:scribe|amanuensis))\b(?= (?:in|for|during) (?:my |"
        r"all |the )?(?:exams?|gcses?|a[- ]levels?|finals|tests|papers|degree)|[ ]?\((?:dys|exam))",
        r"\b(extra time)(?= (?:and (?:an? )?(?:scribe|reader|laptop|rest)|\((?:dys|adhd|asd)))",
        not_in=pattern(r"\b(?:acted as|worked as|invigilat\w*|students|pupils|candidates|provided|paid)\b"),
    ),
    _telling(
        "s1 s2 s3 s4 s5 s6 s7 s8 s9 s10 s11 s12 s13 s14 t11 t12 t13 t20 t33 t34 t35 t36 t37 t38 "
        "t42 t43 t44 t45 t46 t47 t51 t52 t53 t54 t61 t62 t63 t64 f11 f20 f33 f34 f35 f36 "
        "f37 f38 f40 f41 f42 f44 f46 f51 f54 f55 f56 f57 f64",
        r"\b([stf]\d\d?)\b",
        only_in=pattern(
            r"\b(?:para\b|paralymp\w*|para-\w+|classif\w+|class\b|sprinter|racer|wheelchair|ipc|world para|"
            r"swimmer|thrower)\b"
        ),
        not_in=pattern(
            r"\b(?:steel|amazon|aws|airport|terminal|train|ward|server|curve|storage|visa|machine|tractor|grade)\b"
        ),
    ),
)
