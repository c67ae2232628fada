"""What stands beside words for conditions and aids: clinical work, expertise, people, breaks, sports."""

from evenhand.resumes.rules import pattern

__all__ = ["AFTER_CLINICAL", "BEFORE_CLINICAL", "BREAK", "DEGREES", "EXPERTISE", "GROUPS", "LIVED", "PEOPLE", "TOLD"]

#: Work on accessible products tells a skill, not a condition.
EXPERTISE = pattern(
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
PEOPLE = (
    r"(?:persons?|people|veterans?|vets?|athletes?|sportspe\w+|students?|child(?:ren)?|adults?|employees?|"
    r"communit(?:y|ies)|candidates?|clients?|users?|m[ae]n|wom[ae]n|youth|workers?|staff|individuals?|applicants?|"
    r"professionals?|artists?|musicians?|dancers?|network|parking|toilets?|access|sports?|sport|swimming|rugby|"
    r"football|cricket|golf|soccer|pupils?|learners?|patients?|runners?|skiers?|riders?|drivers?|travellers?|tenants?|"
    r"residents?|seniors?|teens?|girls?|boys?|kids?|brother|sister|siblings?|sons?|daughters?|parents?|mother|father|"
    r"relatives?|spouse|husband|wife|partner|entrepreneurs?|founders?|lawyers?|colleagues?|members?|voters?|refugees?|"
    r"performers?|association|society|school|union|guests?|customers?|passengers?|discharge|in (?:one|both|my)|since|"
    r"from birth|card|living|facilities)"
)
#: Clinical work, research and trade: an illness is their subject.
CLINICAL = (
    r"\b(?:patients?|inpatients?|outpatients?|clients?|residents|treat(?:ed|ing|s)|therap\w+|clinic|clinics|"
    r"clinical\w*|drugs?|trials?|stud(?:y|ies|ied)|screen\w*|nurs\w+|wards?|units?|oncolog\w*|medication|medicines?|"
    r"research\w*|modell?\w*|data\w*|markets?|marketing|prevent\w*|educat\w*|assess\w*|manag(?:ed|ement)|administer\w*|"
    r"leaflets|assays?|genom\w*|genetics?|epidemiolog\w*|risk|biomarkers?|cohorts?|pathways?|protocols?|referrals?|"
    r"vaccin\w*|develop\w*|built|design\w*|analy\w+|"
    r"algorithms?|devices?|pharma\w*|physicians?|hospitals?|publi\w+|papers?|thesis|monitor\w*|detect\w*|predict\w*|"
    r"diagnostics?|rides to|cells?|mice|mouse|imaging|surg\w+|pipeline|rehab\w*|health visitor|gp practice|"
    r"care homes?|cared for (?:\w+ )?(?:adults|people|those)|counsell?ing|counsell?ors?|classes|inhaler|firmware|"
    r"software|sales|products?|prices?|demand|tests?|testing|cent(?:er|re)s?|services?|guidelines|registry|portfolio|"
    r"specialist|programmes?|program|treatments?|charts?|caseload|icd|epic|triage|wound|palliative|hospice|"
    r"geriatric\w*|pa?ediatric\w*|cardiac|icu|comorbid\w*|care plan\w*|infusions?|chemo\w*|radiolog\w*|immunolog\w*|"
    r"endocrin\w*|cardiolog\w*|neurolog\w*|psychiatr\w*|hypertension|obesity|conditions such as|organoids?|postdoc\w*|"
    r"coordinator)\b"
)
BEFORE_CLINICAL = CLINICAL + r"[^.;\n]{0,44}$"
AFTER_CLINICAL = r"[^.;,\n]{0,24}?" + CLINICAL
DEGREES = (
    r"(?:an?\s|my\s|his\s|her\s|the\s|own\s|severe\s|chronic\s|clinical\s|mild\s|moderate\s|major\s|acute\s|"
    r"recurrent\s|generali[sz]ed\s|social\s|bouts of\s|early-onset\s|advanced\s|stage \w+\s|type (?:1|2|i|ii)\s|"
    r"anxiety and\s|depression and\s|anxiety or\s|both\s|well-controlled\s|controlled\s|some\s|partial\s|long-term\s)*"
)
#: Words that make an illness somebody's own, or that of people who live with it.
TOLD = (
    r"\b(?:diagnos(?:ed|is) (?:with|of|as)|living with|live with|lives with|liv(?:e|ed|ing) through|life with|"
    r"born with|suffer(?:ed|ing|s)? (?:from|with)|sufferer of|my|i have|i've|i had|has|have|having|had|i manage|"
    r"managing my|history of|(?:i|i've|have|has) managed|hospitali[sz]ed (?:for|with)|sectioned with|signed off with|"
    r"surviv\w+(?: of)?|(?:i am|i'm|been|was|went) on|died (?:of|from)|"
    r"recover(?:ed|ing|y)? from|due to|because of|owing to|overc(?:o|a)me|"
    r"overcoming|coping with|struggl\w+ with|battl\w+(?: with)?|beat|beating|fought|treated for|in remission from|"
    r"treatment for|therapy for|counselling for|counseling for|"
    r"remission from|account of|"
    r"experienced|experience of|experience with|despite|after|following|reason:|reasons?:|condition:|"
    r"conditions:|absence:|(?:people|children|kids|others|those|someone|adults|teens|youth|friends|students|athletes|"
    r"parents|child|son|daughter|brother|sister|mother|father|parent|husband|wife|partner|man|woman|person|colleagues|"
    r"employees|living|work|working|running|employee|engineer|me|am|life|years) with)\s"
)
BREAK = (
    r"\b(?:break|leave|gap|absence|pause|time off|time out|sabbatical|off work|off sick|hiatus|stepped (?:back|away|"
    r"down)|(?:months?|weeks?|years?|semesters?|terms?|quarters?|season) (?:off|out(?! (?:in|on|of)\b)|away|"
    r"lost)|out of (?:work|the workforce)|signed off)\b[^.;|\n]{0,45}(?:\n\s*[a-z(][^.;|\n]{0,30})?$"
)
GROUPS = (
    r"\s+(?:survivors?|sufferers?|warriors?|thriver|advoca\w+|ambassadors?|support groups?|self-help|"
    r"self-manag\w+|societ(?:y|ies)|associations?|foundations?|charit\w+|clubs?|choirs?|cafes?|trust|uk\b|alliance|"
    r"network|peer|carers?|blog\w*|podcast\w*|recovery|"
    r"in remission|diagnosis|awareness|fundrais\w+|walk\b|run\b|ride\b|champion|patient advocate)"
)
#: What follows an illness that somebody has, whatever work it is the subject of otherwise.
LIVED = pattern(
    r" (?:has |had |also |once )?(?:left|cost|took|taught|slowed|changed|made|forced|gave|weakened|kept|"
    r"means?|stopped) (?:(?:that|so) )?(?:me|my|i)\b",
    r",? (?:(?:at|aged) (?:age )?\d\d?(?=[ ]*(?:[,;.:)\n]|$)| (?:and|but|left|took|cost|taught|slowed|made|"
    r"gave|changed|means?|so|that|which)\b)|at birth(?= |[,;.])(?! (?:cohort|rates?|weight))|in (?:childhood|infancy|"
    r"my (?:\w+ )?(?:teens|twenties|thirties|forties|youth|childhood))|as an? (?:\w+ )?(?:child|baby|infant|toddler|"
    r"teenager|boy|girl|student)\b(?! (?:topic|issue|problem)))",
    r"[^.;\n]{0,44}\b(?:since|after|following|because of|given|before)\s(?:(?:my|his|her|their)\s(?:own\s)?"
    r"(?:diagnos\w+|illness|treatment|surgery|recovery|operation)|being diagnosed|"
    r"(?:i|he|she|they) (?:was|were) diagnosed)",
    r"[^.;\n]{0,30}\b(?:which|that) i (?:have|live with|had)\b",
    r" (?:on (?:a |my |an )?(?:\w+ )?(?:shifts?|rota|job)\b|while (?:working|studying|running|leading|on)|"
    r"throughout (?:my|his|her)|during (?:my|his|her)|without (?:a |one |any )?(?:miss\w*|lost|absence|day off|sick))",
)
