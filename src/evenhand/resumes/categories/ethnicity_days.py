"""ETHNICITY: residence and passes, compulsory service, two nationalities, names of two peoples, told in a few words.

Kept: papers an office works on, armies as customers, student passes for buses, Anglo-Dutch companies and trade.
"""

from functools import partial

from evenhand.resumes.categories.tellings import START, telling
from evenhand.resumes.rules import pattern

__all__ = ["TELLINGS"]

_telling = partial(telling, "ETHNICITY")

_OFFICE = pattern(
    r"\b(?:clients?|customers?|employees|staff|cases?|caseload|caseworker|applicants?|process(?:ed|ing)|paralegal|"
    r"law|solicitor|attorney|office|officer|desk|payroll|recruit\w*|advis\w+|workshops?|classes|tutor\w*|volunteer\w*|"
    r"helped|helping|care home|tenants?|buildings?|parking|bus|rail|transport)\b"
)
_LANDS = (
    r"(?:the )?(?:republic of (?:korea|china)|south korea|korea|taiwan|israel|singapore|turkey|greece|finland|austria|"
    r"switzerland|cyprus|egypt|iran|brazil|ukraine|russia|vietnam|thailand|norway|denmark|sweden|estonia|lithuania|"
    r"latvia|algeria|eritrea|uae|rok)"
)
_FORCES = (
    r"(?:armed forces|defen[cs]e forces?|army|navy|air force|marines?(?: corps)?|military|coast guard|police|infantry)"
)
_PEOPLE = (
    r"[a-z]{2,}(?:ese|ian|ean|can|ish|ani|eni|aqi|eli|ali|hai|epi|tch|ch|gan|uan|ran|yan|lan|man|nan|dan|ic|ek|wi)"
)
_SECONDS_LISTED = (
    "dutch american british canadian australian german french belgian swedish norwegian danish irish italian spanish "
    "swiss brazilian israeli finnish austrian english scottish welsh kiwi portuguese mexican argentine argentinian "
    "singaporean malaysian lebanese turkish indian chinese japanese korean nigerian ghanaian kenyan jamaican iranian"
)
_SECONDS = _SECONDS_LISTED.split()
_SECOND = f"(?:{'|'.join(_SECONDS)})"
_OTHERS_LISTED = (
    "polish ukrainian russian romanian greek vietnamese filipino filipina pakistani somali egyptian moroccan algerian "
    "tunisian syrian iraqi kurdish armenian albanian bulgarian hungarian czech serbian croatian bengali bangladeshi "
    "punjabi tamil nepali thai indonesian ethiopian eritrean ugandan cuban haitian colombian peruvian ecuadorian "
    "venezuelan dominican afghan sudanese palestinian cornish scots maltese cypriot"
)
_NATIONS = (*_SECONDS, *_OTHERS_LISTED.split())
_NATION = f"(?:{'|'.join(_NATIONS)})"
_FIRST = (
    rf"(?:{_PEOPLE}|anglo|afro|indo|sino|italo|franco|luso|hispano|greco|euro|turco|russo|dutch|swiss|irish|welsh|thai|"
    r"iraqi|pakistani|bangladeshi|somali|nepali|kuwaiti|emirati|omani|afghan|kurdish|arab|czech|slovak|"
    r"serb|croat|greek|sri lankan|ítalo)"
)
_PERMIT_TO_STAY = (
    r"(?:student(?:'s)? pass|employment pass|training employment pass|s pass|depend[ae]nt'?s? pass|residence pass|"
    r"professional visit pass|work holiday pass|long[- ]term (?:social )?visit pass|personali[sz]ed employment pass|"
    r"overseas networks and expertise pass|letter of consent)"
)

#: A telling of two peoples is looked for at the second behind the first: either alone is frequent.
_FIRSTS_LISTED = (
    "anglo afro indo sino italo franco luso hispano greco euro turco russo thai iraqi pakistani bangladeshi "
    "somali nepali kuwaiti emirati omani afghan kurdish arab czech slovak serb croat greek moroccan algerian "
    "tunisian egyptian syrian jordanian palestinian armenian georgian russian ukrainian polish hungarian romanian "
    "bulgarian serbian croatian bosnian albanian kosovan macedonian slovenian lithuanian latvian estonian "
    "vietnamese taiwanese filipino indonesian burmese cambodian laotian mongolian tibetan tamil punjabi gujarati "
    "bengali sinhalese ethiopian eritrean sudanese ugandan tanzanian rwandan congolese cameroonian senegalese "
    "gambian liberian angolan zimbabwean zambian malawian colombian peruvian chilean venezuelan ecuadorian "
    "bolivian cuban haitian dominican trinidadian guyanese barbadian surinamese hawaiian samoan tongan fijian "
    "maori maltese cypriot icelandic persian yemeni lankan"
)
_FIRSTS = (*_SECONDS, *_FIRSTS_LISTED.split())

TELLINGS = (
    _telling(
        "permanent+resident permanent+residents permanent+residency permanent+residence",
        rf"{START}((?:lawful |conditional |legal |new )*permanent residen(?:t|ce|cy)(?: status| card)?)"
        r"(?=[ ]*(?:$|[.,;|)\n(]|- | (?:since|of|in|under|through|by|status|card|valid|with|and|granted|from|until|"
        r"here|via|on)\b))",
        r"\b(?:now|became|become|am|i'm|is|as|currently|today|then|later|status:|since|an?) "
        r"((?:a |an )?(?:lawful |conditional |legal )+permanent residen(?:t|ce|cy))\b",
        not_in=_OFFICE,
    ),
    _telling(
        "naturalization naturalisation citizenship oath",
        r"\b(?:petition|application|applying|apply|applied|eligible|interview|test|ceremony|waiting|filed|awaiting) "
        r"(?:for |of |my )+(?:my |u\.?s\.? |the )?(naturali[sz]ation|citizenship)(?= (?:filed|pending|in|this|next|is|"
        r"submitted|due|booked|underway|approved|passed|scheduled|under way)\b|[ ]*(?:$|[.,;|)\n]))",
        r"\b(oath of (?:citizenship|allegiance))\b",
        rf"{START}(naturali[sz]ation)(?= (?:ceremony|interview|pending|in|oath|filed|application|expected|date|due)\b)",
        not_in=_OFFICE,
    ),
    # Compulsory service, and in whose army.
    _telling(
        "service conscript conscripted conscription served draft drafted",
        rf"\b(?:(?:mandatory|compulsory|national|obligatory|military|conscript|alternative|army) )+service"
        rf"(?: \([^()\n]{{1,20}}\))?,?(?: (?:in|with|for|as an? [a-z]+ in))?(?: the)? ({_LANDS}|{_PEOPLE}|hellenic)"
        rf"(?=(?: \([a-z]+\))? {_FORCES}\b)",
        rf"\b(?:conscript|conscripted|drafted|conscription|draft)(?: (?:in|into|with|for|to))+(?: the)? "
        rf"({_LANDS}|{_PEOPLE}|hellenic)(?= {_FORCES}\b)",
        rf"{START}({_LANDS}|{_PEOPLE}|hellenic) {_FORCES}(?:,|:| -| \(|)[ ]?(?:(?:compulsory|mandatory|as|an?|my|"
        rf"national|obligatory|military|basic) )*(?:conscript\w*|service|draft\w*)",
        rf"\b(?:compulsory|mandatory|obligatory|national) (?:military |army |civil )?service (?:in|for) ({_LANDS})\b",
    ),
    _telling("act", r"\b(?:registered|status|member|band|under|recogni[sz]ed)[a-z ]{0,24} the (indian act)\b"),
    _telling(
        "refugee refugees",
        r"\b((?:(?:private|privately|government|church|blended|community|family|family's|joint|group of five|own) )"
        r"{0,2}refugee) (?:sponsorship|sponsored|resettlement|claim|claimant|status|camp|hearing|protection|visa|"
        r"permit|travel document|arrival|passport)\b",
        only_in=pattern(
            r"\b(?:i|my|we|our|his|her|family's|came|arrived|under|since|granted|grew|born|spent|through)\b"
        ),
        not_in=pattern(
            r"\b(?:clients?|cases?|caseload|volunteer\w*|programme manager|coordinat\w+|managed|tutor\w*|taught|"
            r"process\w*|law|office|officer|agency|charity|fundrais\w*|assist\w*|helped|supported|advis\w+|nurse|"
            r"distribut\w+|logistics|engineers?|unhcr|teams?)\b"
        ),
    ),
    _telling(
        "protection",
        rf"{START}({_PEOPLE}|ukrainian) (?:under|with|on) (?:temporary|international|subsidiary|"
        r"humanitarian) protection",
        not_in=_OFFICE,
    ),
    _telling(
        "pass consent",
        rf"\b(?:on|hold|holds|holding|have|has|with|under|need|require|requires|current|my|valid|an?) (?:an? |my |the |"
        rf"valid |current |singapore )*({_PERMIT_TO_STAY})(?= (?:holder|until|valid|and|to|in|since|for|from|"
        r"expir\w+|that|which|needed|required|sponsor\w*|through|with)\b|[ ]*(?:$|[.,;|)\n(]))",
        rf"(?:{START}|[,;:] )({_PERMIT_TO_STAY}(?: holder)?)(?= (?:until|valid|needed|required|expir\w+|in|since|"
        r"to)\b|[ ]*(?:$|[.,;|)\n(]))",
        not_in=_OFFICE,
    ),
    # Two nationalities, and names of two peoples.
    _telling(
        "dual",
        r"\bdual[ -](?:citizen(?:ship)?|nationals?|nationality|"
        r"passport(?: holder)?)(?: holder)? ?\(([a-z .]{2,22} ?(?:/|"
        r"and|&|\+|,|-) ?[a-z .]{2,22}(?: ?(?:/|and|&) ?[a-z .]{2,22})?)\)",
        r"\bdual[ -](?:citizen(?:ship)?|nationals?|nationality|passport(?: holder)?)(?: holder)?(?:: ?|, | - | of )"
        rf"((?:{_PEOPLE}|{_SECOND}|u\.?s\.?|uk) ?(?:/|and|&|\+|-| and ) ?(?:{_PEOPLE}|{_SECOND}|u\.?s\.?|uk))\b",
        not_in=_OFFICE,
    ),
    _telling(
        " ".join(f"{first}+{second}" for first in _FIRSTS for second in _SECONDS),
        rf"(?:{START}|, |\b(?:am|i'm|is|was|a|an|of|our|my|the|grew up|raised|born|identify as|as) )"
        rf"({_FIRST}[-–]{_SECOND})(?=[ ]*(?:$|[.,;|)\n]| (?:and|by|family|household|home|heritage|background|parents|"
        r"descent|community|origin|roots|two languages|woman|man|mother|father|couple|upbringing|cultural|"
        r"youth|dual|national|identity|born|raised|who|living|student|society|association|centre|center|club|"
        r"choir)\b))",
        not_in=pattern(
            r"\b(?:trade|relations|compan(?:y|ies)|firm|desk|markets?|chamber|commerce|joint venture|ventures?|war|"
            r"treaty|translat\w+|dictionary|border|cuisine|bilingual|subtitl\w+|interpret\w+|languages?)\b"
        ),
    ),
    _telling(
        "bbbee b-bbee bbee bee bbee's bbb-ee",
        r"\b(?:beneficiary of|under|through|via|on|of) (?:the |an? )?(b-?b?bbee|bee)(?= (?:skills|learnership|"
        r"internship|bursary|programme|program|scholarship|placement|candidate|employment))",
        rf"(?:{START}|, |\b(?:am|as) (?:an? )?)((?:b-?bbee|bee|bbbee)) (?=(?:candidate|beneficiary|applicant|learner))",
    ),
    _telling(
        "bar",
        r"\b((?:south |east |southeast |north )?(?:asian|black|hispanic|latino|latina|korean|chinese|filipino|indian|"
        r"pakistani|arab|vietnamese|armenian|iranian|haitian|nigerian|greek|irish|italian|polish|ukrainian|"
        r"puerto rican|cuban|dominican|caribbean|african)(?: american| pacific american)?) bar (?:and|&|association|"
        r"section|council|foundation|society|mixer|gala|committee|journal|fellowship)\b",
    ),
    _telling(
        "circle guild collective roundtable sangam sabha mandal",
        rf"(?:{START}|\b(?:of|at|for|in|with) (?:the |an? )?)((?:{_PEOPLE}|arab|filipino|punjabi|tamil|igbo|yoruba|"
        rf"kurdish|somali|telugu|gujarati|malayali|bengali|sinhala|hausa|zulu|samoan|tongan|{_SECOND}) )(?:[a-z]+s' |"
        r"(?:women|men|mothers|fathers|youth|young professionals|artists|writers|traders|nurses|chefs|engineers) )?"
        r"(?:circle|guild|collective|roundtable|sangam|sabha|mandal)\b",
        not_in=pattern(r"\b(?:clients?|customers|sold|vendors?|suppliers?|arctic|antarctic|circle line)\b"),
    ),
    _telling(
        "mecha sase naba hacu naaap nshmba nbmbaa nobcche saja aaja nabj nahj alpfa nsbe shpe aises sacnas",
        r"\b(MEChA|M\.E\.Ch\.A|SASE|NABA|HACU|NAAAP|NSHMBA|NBMBAA|NOBCChE|SAJA|AAJA|NABJ|NAHJ|ALPFA|NSBE|SHPE|AISES|"
        r"SACNAS)(?=,? (?:newsletter|chapter|member|officer|president|secretary|treasurer|student|conference|"
        r"convention|alum\w+|intern|scholar\w*|mentor|volunteer|national|regional|board|editor|webmaster|chair|"
        r"delegate|club|fellow|historian|founding|co-?founder|captain|career|outreach|lead)\b)",
        r"\b(?:[Mm]ember|[Pp]resident|[Tt]reasurer|[Ss]ecretary|[Vv]olunteer|[Cc]hair|[Ff]ellow|[Oo]fficer|[Mm]entor|"
        r"[Ii]ntern|[Dd]elegate)(?: of|,| for| at| with| in)(?: the)? (MEChA|SASE|NABA|HACU|NAAAP|NSHMBA|NBMBAA|"
        r"NOBCChE|SAJA|AAJA|NABJ|NAHJ|AISES|SACNAS)\b",
        capitals=True,
    ),
    # Where somebody came from, and what somebody says to be.
    _telling(
        "from",
        r"\b(?:[Mm]oved|[Cc]ame|[Aa]rrived|[Rr]elocated|[Ii]mmigrated|[Ee]migrated)(?: here| over| to [A-Z]\w+)? from "
        r"([A-Z][a-z]+(?: [A-Z][a-z]+)?)(?= (?:at (?:age |the age of )?(?:\d\d?\b|five|six|seven|eight|nine|ten|eleven|"
        r"twelve|thirteen|fourteen|fifteen|sixteen|seventeen|eighteen|nineteen|twenty)|as an? (?:child|teenager|teen|"
        r"boy|girl|baby|toddler|student|refugee|young)|with my (?:parents|family|mother|father)|when i was|"
        r"when I was))",
        r"\b(?:TPS|DACA|refugee|asylum|visa|immigrants?|migrants|parents|grandparents|farmers|family|traders|"
        r"shopkeepers|workers|mother|father) (?:holders? |recipients? |who came |came |come |status )*from "
        r"(?:the )?((?:Punjab|Kerala|Gujarat|Sylhet|Kashmir|Anatolia|Galicia|Bengal|Kurdistan|Oaxaca|Jalisco|"
        r"Honduras|El Salvador|Haiti|Venezuela|Nicaragua|Nepal|Sudan|South Sudan|Somalia|Syria|Yemen|Burma|Myanmar|"
        r"Cameroon|Ethiopia|Ukraine|Afghanistan|Lebanon))\b",
        capitals=True,
    ),
    _telling(
        "am is i'm he's she's",
        r"\b(?:[Ii] am|[Ii]'m|[Hh]e is|[Ss]he is|[Hh]e's|[Ss]he's) (?:proudly |still |half |part )?([A-Z][a-z]+(?:ian|"
        r"ish|ese|ean|can|ani|ali|qi|eli|ch|an|k))(?= (?:first and|by birth|through and through|at heart|to the bone|"
        r"on (?:my|his|her|both|one)|and proud|born and|by descent|by origin|by blood|and (?:was|grew|speak|"
        r"came|moved)))",
        capitals=True,
    ),
    _telling(
        "self-identification identification",
        r"\bself[- ]identification(?: \(?(?:form|survey|voluntary|optional)\)?)?[ ]?[:=–-][ ]?((?!prefer|"
        r"decline|not |n/a|none|i do|choose|withheld|yes|no\b)[a-z][a-z '/-]{2,28})(?=[ ]*(?:$|[.,;|)\n\"(]))",
    ),
    _telling(
        "home",
        rf"(?:{START}|\b(?:spoke|speak|with) )([a-z]+) (?:at|in the) home,? (?:and |but )?(?:[a-z]+ )?(?:at|in) "
        r"(?:school|work|class|the office|the shop|public)\b",
        r"\b(?:our|my) (?:home|house|household|family) (?:was|is) ([a-z]+)-speaking\b",
        not_in=pattern(r"\b(?:working|works?|worked|days|flexible|desk|nurse|care|tests?)\b"),
    ),
    _telling(
        "embassy consulate",
        r"\b(?:[Tt]he|[Aa]t|[Tt]o|[Bb]y|[Mm]y|[Oo]ur) ([A-Z][a-z]+(?:ian|ish|ese|ean|can|ani|ali|qi|eli|ch|an)) "
        r"(?:[Ee]mbassy|[Cc]onsulate) (?:named|invited|honou?red|thanked|renewed|issued|awarded|helped|chose|"
        r"recogni[sz]ed|selected|praised)\b",
        capitals=True,
        not_in=pattern(r"\b(?:clients?|visas for|tender|contract|catering|security)\b"),
    ),
    _telling(
        "dependant dependent",
        r"\b((?:granted |given )?(?:right|leave|permission) to (?:work|remain|live)(?: and work)? as (?:an? |the )?"
        r"(?:dependants?|dependents?)(?: of (?:an? |the |my )?[a-z]+(?: [a-z]+)?)?)"
        r"(?=[ ]*(?:[.,;|)(\n]|$)| (?:since|until)\b)",
        not_in=_OFFICE,
    ),
    # A people told in a word: `Welsh, from a family of miners`, `Sylvain is Portuguese.`
    _telling(
        " ".join(f"{nation}+from is+{nation}" for nation in _NATIONS),
        rf"{START}({_NATION}),? from an? (?:[a-z-]+ )?(?:family|line|clan|village|valley|town|household)\b",
        rf"{START}(?:[a-z'-]{{2,}}|he|she) is ({_NATION})(?=\.(?:\s|$)|,? and (?:speaks|lives|holds|grew|came))",
        not_in=pattern(r"\b(?:it|this|that|food|menu|cuisine|language|market|office|team|company|brand) is\b"),
    ),
    # Of oneself, in small letters too: `i am black.`, `i'm korean american, christian`.
    _telling(
        f"black white asian brown latina latino latine hispanic biracial mixed {' '.join(_NATIONS)}",
        r"\b(?:i am|i'm|she is|she's|he is|he's) (?:(?:an?|proud|proudly|also|half|part) )*"
        rf"((?:(?:black|white|asian|brown|south asian|east asian|latin[aoe]|hispanic|biracial|mixed[- ]race|{_NATION})"
        r"(?:[- ](?:american|british|canadian|australian|irish|german))?)(?: (?:and|&) (?:black|white|asian|brown))?)"
        r"(?=[ ]*(?:[.,;)\n]|$)| and (?:proud|married|single|divorced|widowed|gay|queer|christian|muslim)\b)",
        rf"{START}(?:black|white|asian|brown), ({_NATION})(?=, (?:\d\d|fe?male|(?:wo)?man|born|from)\b)",
        not_in=pattern(r"\b(?:ink|belt|market|team|desk|language|translator)\b"),
    ),
    # The country that aid is named after.
    _telling(
        "aid",
        r"\b(?:volunteer\w*|member|treasurer|secretary|trustee|chair|board|fundrais\w*)(?: [a-z]+){0,2}?,? "
        r"(?:of |with |for |at |the )*(viet|afghan|somali|polish|syrian|kurdish|tamil|armenian|tibet\w*|hellenic|"
        r"ukraine|palestinian) aid\b",
    ),
    _telling(
        "visa permit",
        r"\b(?:national|citizen|passport|passport holder|nationality),? (?:and |with |on )?(?:an? |my )?"
        r"((?:work|student|family|spouse|skilled worker|partner|graduate|working holiday) (?:visa|permit))\b",
        not_in=_OFFICE,
    ),
    _telling(
        "my+tribe my+people my+nation my+clan my+iwi",
        r"\b[Mm]y (?:tribe|people|nation|clan|iwi)(?:,| is| are|:)(?: the)? ([A-Z][a-z'-]+)\b",
        capitals=True,
    ),
    _telling(
        "ead opt",
        rf"{START}(EAD|OPT|STEM OPT|H-?4 EAD|GC EAD|F-?1 OPT|C-?9 EAD)(?=[ ]*(?:$|\n|[,;|] ))",
        capitals=True,
    ),
)
